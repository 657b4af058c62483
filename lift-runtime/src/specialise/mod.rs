//! Kernels with their sizes as constants.
//!
//! A kernel takes its sizes as arguments, so that it is built once. When it is launched again and again with
//! the same sizes, the driver's compiler can do more with constants: divisions by them become
//! multiplications, loops over them are unrolled. Whether a kernel gets faster that way is known only after
//! it is tried. So [`trials`] tries it, and [`source`] writes the constants into the text. That also lets
//! kernels read values from the device, which otherwise are arguments.

mod source;
mod trials;

pub(crate) use source::{has_sizes, source};
pub(crate) use trials::{Afterwards, Decision, Timing, Trials, Variant};

/// How kernels get their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PassedSizes {
    /// As arguments, or as constants if that has turned out to be faster.
    #[default]
    WhicheverIsFaster,
    /// As arguments: one build for all.
    AsArguments,
    /// As constants: a build for each combination.
    AsConstants,
}

/// The environment variable that decides for the kernels that leave it open.
pub(crate) const VARIABLE: &str = "LIFT_SPECIALISED";

impl PassedSizes {
    /// What the program asks for, or what the environment asks for if the program leaves it open.
    pub(crate) fn or_environment(self) -> PassedSizes {
        match self {
            PassedSizes::AsArguments | PassedSizes::AsConstants => self,
            PassedSizes::WhicheverIsFaster => match std::env::var_os(VARIABLE) {
                None => PassedSizes::WhicheverIsFaster,
                Some(value) if value.is_empty() => PassedSizes::WhicheverIsFaster,
                Some(value) if value == "0" => PassedSizes::AsArguments,
                Some(_) => PassedSizes::AsConstants,
            },
        }
    }
}
