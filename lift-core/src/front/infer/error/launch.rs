//! Mistakes in `#[launch(…)]`.

use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;

const DIMENSIONS: &str =
    "`#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one dimension";

/// What an attribute may say.
const FORMS: &str = "`#[launch(local = (16, 8), global = (N, M))]` fixes a launch, dimension 0 first; \
                     `#[launch(any)]` leaves it to whoever calls";

/// A launch that cannot be fixed so.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum LaunchMistake {
    /// The only attribute says nothing.
    Empty,
    /// `local`, `global` or `any` is given again.
    Twice(&'static str),
    /// There is no such key.
    UnknownKey(String),
    /// An argument without a key that is not `any`.
    NoKey,
    /// Sizes beside `any`.
    SizesBesideAny,
    /// More work-items in a group than any device has.
    LongGroup {
        /// How many.
        given: i128,
        /// How many a device may have at most.
        longest: i128,
    },
    /// The size of a group is no number, or 0.
    NoGroup,
    /// The number of dimensions is not 1, 2 or 3.
    Dimensions(usize),
}

impl LaunchMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            LaunchMistake::Empty => says("`launch` fixes nothing here".to_owned()).with_help(FORMS),
            LaunchMistake::Twice(name) => says(format!("`{name}` is given twice")),
            LaunchMistake::UnknownKey(name) => {
                says(format!("`launch` has no `{name}`: it fixes `local` and `global`")).with_help(DIMENSIONS)
            }
            LaunchMistake::NoKey => {
                says("this says neither `local =` nor `global =`, nor `any`".to_owned()).with_help(FORMS)
            }
            LaunchMistake::SizesBesideAny => says(
                "`any` leaves the sizes of a launch to whoever launches, and this fixes some of them"
                    .to_owned(),
            )
            .with_help(
                "write `#[launch(any)]`, and choose the sizes of a launch with `.launch(&[global], \
                 &[local])?` on what `on(&device)?` gives; or leave `any` out",
            ),
            LaunchMistake::LongGroup { given, longest } => {
                says(format!("a group has no {given} work-items on any device")).with_help(format!(
                    "a group has at most {longest} work-items in a dimension, and most devices allow 1024 in \
                     all"
                ))
            }
            LaunchMistake::NoGroup => {
                says("a number of work-items in a group is a number, and at least 1".to_owned())
                    .with_help(DIMENSIONS)
            }
            LaunchMistake::Dimensions(count) => {
                says(format!("a launch has up to 3 dimensions, and these are {count}")).with_help(DIMENSIONS)
            }
        }
    }
}
