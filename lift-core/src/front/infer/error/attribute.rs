//! Mistakes in the attributes of items, except `#[launch(…)]`.

use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;

const SCHEDULE: &str =
    "write `#[schedule(fuse)]` or another strategy: `cargo lift-explain --strategies` lists them";

/// An attribute that an item cannot have.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum AttributeMistake {
    /// There is no such attribute.
    Unknown {
        /// Its name.
        attribute: String,
    },
    /// An item has it twice.
    Twice {
        /// Its name.
        attribute: String,
    },
    /// It is given arguments, and takes none.
    Arguments {
        /// Its name.
        attribute: String,
    },
    /// Both `#[host]` and `#[opencl]`.
    BothBackends,
    /// It describes functions on scalars.
    OfFunctions {
        /// Its name.
        attribute: String,
        /// The kernel that has it.
        kernel: String,
    },
    /// It describes kernels.
    OfKernels {
        /// What it says of them.
        says: OfKernels,
        /// The function on scalars that has it.
        function: String,
    },
    /// A function that cannot obey a law.
    Law {
        /// The law.
        law: Law,
        /// The function.
        function: String,
    },
    /// `#[schedule]` without a name.
    NoStrategy,
    /// `#[schedule(key = …)]`
    StrategyKey {
        /// The key.
        key: String,
    },
    /// A schedule that consists of one name stands beside others.
    BesideStrategies {
        /// The name.
        name: String,
    },
    /// `#[launch(any)]` beside a schedule.
    AnyLaunch,
    /// A part of a schedule that is a size.
    StrategyNotNamed,
}

/// What an attribute says of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum OfKernels {
    /// How it is launched.
    Launch,
    /// How it is lowered.
    Schedule,
    /// For which backend it is compiled.
    Backend,
    /// How it rounds.
    Rounding,
}

/// What a function on scalars may obey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Law {
    /// `f(a, f(b, c)) == f(f(a, b), c)`
    Associative,
    /// `f(a, b) == f(b, a)`
    Commutative,
}

impl AttributeMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            AttributeMistake::Unknown { attribute } => says(format!("unknown attribute `{attribute}`")),
            AttributeMistake::Twice { attribute } => says(format!("`{attribute}` is given twice")),
            AttributeMistake::Arguments { attribute } => {
                says(format!("`{attribute}` takes no arguments")).with_help(format!("write `#[{attribute}]`"))
            }
            AttributeMistake::BothBackends => {
                says("a kernel is restricted to OpenCL devices or to the host, not to both".to_owned())
                    .with_help("leave both attributes out: a kernel without them runs everywhere")
            }
            AttributeMistake::OfFunctions { attribute, kernel } => {
                says(format!("`#[{attribute}]` describes a function on scalars, and `{kernel}` is a kernel"))
                    .with_help("it belongs to the function that `reduce` is given")
            }
            AttributeMistake::OfKernels { says: of_kernels, function } => says(format!(
                "`{function}` is a function on scalars{}",
                match of_kernels {
                    OfKernels::Launch => ", and is not launched",
                    OfKernels::Schedule => ": it has no schedule but that of its callers",
                    OfKernels::Backend => ": it is compiled wherever its callers are",
                    OfKernels::Rounding => ": it rounds as its callers do",
                }
            ))
            .with_help(
                "the attribute belongs to a kernel, which has an array among its parameters or as its result",
            ),
            AttributeMistake::Law { law, function } => {
                let (attribute, form) = match law {
                    Law::Associative => ("assoc", "fn f(a: T, b: T) -> T"),
                    Law::Commutative => ("comm", "fn f(a: T, b: T)"),
                };
                says(format!("`{function}` cannot obey `#[{attribute}]`"))
                    .with_help(format!("the law is one of functions of two values of one type: `{form}`"))
            }
            AttributeMistake::NoStrategy => {
                says("`schedule` needs the name of a strategy".to_owned()).with_help(SCHEDULE)
            }
            AttributeMistake::StrategyKey { key } => {
                says(format!("`schedule` has no `{key}`")).with_help(SCHEDULE)
            }
            AttributeMistake::BesideStrategies { name } => says(format!(
                "`{name}` is a whole schedule, and others stand beside it"
            ))
            .with_help(format!(
                "write `#[schedule({name})]`, or leave `{name}` out: it is what other devices and sizes get"
            )),
            AttributeMistake::AnyLaunch => says(
                "`#[launch(any)]` leaves the launch to each call, and a schedule makes kernels for one launch"
                    .to_owned(),
            )
            .with_help("leave one of them out, or fix the groups: `#[launch(local = 64)]`"),
            AttributeMistake::StrategyNotNamed => {
                says("a schedule names strategies, and this is a size".to_owned()).with_help(SCHEDULE)
            }
        }
    }
}
