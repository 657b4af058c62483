//! Kernels with their sizes as constants.
//!
//! A kernel takes its sizes as arguments, so that it is built once. When it is launched again and again with the same sizes, the
//! driver's compiler can do more with constants: divisions by them become multiplications, loops over them are unrolled. Whether a kernel
//! gets faster by that is not known before it is tried, so that [`trials`] tries it; [`source`] writes the constants into the text.

mod source;
mod trials;

pub(crate) use source::{has_sizes, source};
pub(crate) use trials::{Afterwards, Decision, Timing, Trials, Variant};

/// How kernels know their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PassedSizes {
    /// As arguments, and as constants where that has turned out to be faster.
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
    /// What the program asks for; if it leaves that open, what the environment asks for.
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
