//! What is wrong with a schedule, and what the user is told.

use super::super::{rules, strategies};
use super::combinator::Combinator;
use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;
use crate::ir::typed::Strategy;
use crate::similar::nearest;

/// Where all names stand.
const LISTED: &str = "`cargo lift-explain --strategies` and `cargo lift-explain --rules` list the names";

/// What is wrong with a schedule, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// The name or the argument.
    pub source: Source,
    /// What is wrong with it.
    pub mistake: Mistake,
}

/// What is wrong with a schedule.
#[derive(Debug, Clone, PartialEq)]
pub enum Mistake {
    /// No strategy and no rule has this name.
    Unknown {
        /// The name.
        name: String,
        /// The name that was perhaps meant.
        similar: Option<String>,
    },
    /// A size stands where a strategy belongs.
    SizeAsStrategy {
        /// The size.
        size: String,
    },
    /// A strategy takes another number of arguments.
    Arguments {
        /// Its name.
        name: String,
        /// What it takes.
        takes: Takes,
        /// How many there are.
        found: usize,
    },
    /// A strategy takes an argument of another kind.
    Argument {
        /// Its name.
        name: String,
        /// What it takes there, in words.
        wanted: String,
        /// What stands there.
        found: String,
    },
    /// A name stands where a strategy takes a size, and no size has it.
    UnknownSize {
        /// The strategy.
        strategy: String,
        /// The name.
        name: String,
        /// The sizes of the program.
        sizes: Vec<String>,
    },
    /// A strategy does not fit the structure of the program.
    Misfit {
        /// Its name.
        strategy: String,
        /// Which rule does not apply, and why.
        why: String,
        /// The expression that the rule was applied to, where it is short.
        found: Option<String>,
    },
    /// The kernel is for the host alone, which computes the plain form.
    HostOnly,
    /// What the form needs cannot be checked by a launch.
    Unselectable {
        /// The strategy.
        strategy: String,
        /// What the form needs.
        needs: String,
    },
    /// What the schedule makes cannot be compiled.
    Uncompilable {
        /// The last strategy.
        strategy: String,
        /// What the compiler has against it.
        reasons: Vec<String>,
    },
}

/// What a strategy takes, in words.
#[derive(Debug, Clone, PartialEq)]
pub enum Takes {
    /// Parameters.
    Parameters(String),
    /// How a combinator is written.
    Combinator(String),
}

impl Mistake {
    /// The mistake for a name that nothing has.
    pub(super) fn unknown(name: &str) -> Mistake {
        let strategies = strategies::ALL.iter().map(|strategy| strategy.name);
        let rules = rules::ALL.iter().map(|rule| rule.name);
        let combinators = Combinator::ALL.into_iter().map(Combinator::name);
        let whole = Strategy::ALL.iter().map(|strategy| strategy.name());
        let names = whole.chain(strategies).chain(combinators).chain(rules).map(str::to_owned);
        Mistake::Unknown { name: name.to_owned(), similar: nearest(name, names) }
    }
}

impl Error {
    /// The message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        let says = |message: String| Diagnostic::new(self.source, message);
        match &self.mistake {
            Mistake::Unknown { name, similar: Some(similar) } => says(format!("unknown strategy `{name}`"))
                .with_help(format!("there is a similar name: `{similar}`")),
            Mistake::Unknown { name, similar: None } => {
                says(format!("unknown strategy `{name}`")).with_help(LISTED)
            }
            Mistake::SizeAsStrategy { size } => {
                says(format!("a strategy belongs here, and `{size}` is a size")).with_help(LISTED)
            }
            Mistake::Arguments { name, takes, found } => {
                let arguments = match found {
                    0 => "no arguments".to_owned(),
                    1 => "one argument".to_owned(),
                    found => format!("{found} arguments"),
                };
                let has = format!("`{name}` has {arguments} here");
                match takes {
                    Takes::Parameters(parameters) if parameters.is_empty() => {
                        says(format!("{has}, and takes none")).with_help(format!("write `{name}`"))
                    }
                    Takes::Parameters(parameters) => says(format!("{has}, and takes {parameters}")),
                    Takes::Combinator(usage) => says(format!("{has}, and is written `{usage}`")),
                }
            }
            Mistake::Argument { name, wanted, found } => {
                says(format!("`{name}` takes {wanted} here, and this is `{found}`"))
            }
            Mistake::UnknownSize { strategy, name, sizes } => {
                let sizes: String = sizes.iter().map(|size| format!(", `{size}`")).collect();
                says(format!("`{strategy}` takes a size here, and the program has no size `{name}`"))
                    .with_help(format!("sizes are numbers{sizes}, and what is computed from these"))
            }
            Mistake::Misfit { strategy, why, found } => {
                let diagnostic = says(format!("`{strategy}` does not fit this program: {why}"));
                let note = found.as_ref().map(|found| format!("the rule came furthest at `{found}`"));
                Diagnostic { note, ..diagnostic }
                    .with_help("`cargo lift-explain --places FILE NAME` shows which rules apply where")
            }
            Mistake::HostOnly => {
                says("the host computes the form `plain`, and this kernel is for the host alone".to_owned())
                    .with_help("leave `#[host]` out, or the schedule")
            }
            Mistake::Unselectable { strategy, needs } => {
                says(format!("behind `{strategy}` the program needs what no call can check: {needs}"))
            }
            Mistake::Uncompilable { strategy, reasons } => {
                says(format!("behind `{strategy}` the program does not compile: {}", reasons.join("; ")))
                    .with_help("`cargo lift-explain FILE NAME` shows the program that the schedule makes")
            }
        }
    }
}
