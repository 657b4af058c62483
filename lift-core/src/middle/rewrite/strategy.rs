//! Strategies: which rules are applied, and where. They are data: printed, compared, explained.
//!
//! The combinators are those of ELEVATE (Hagedorn, Lenfers, Koehler, Qin, Gorlatch, Steuwer: *Achieving
//! high-performance the functional way*, ICFP 2020, section 3), as constructors instead of functions. A
//! strategy is applied at a place, its *focus*. It succeeds with a new program, or fails and leaves the
//! program as it was.

use std::fmt;

use super::normal::Normal;
use super::pattern::Pattern;
use super::rule::{Argument, Rule};
use crate::ir::typed::Path;

/// A strategy.
#[derive(Debug, Clone, PartialEq)]
pub enum Strategy {
    /// A rule at the focus.
    Apply(&'static Rule, Vec<Argument>),
    /// One after the other, all at the focus; it fails as a whole.
    Sequence(Vec<Strategy>),
    /// The first that succeeds.
    Choice(Vec<Strategy>),
    /// The strategy where it succeeds; where it fails, the expression stays as it is.
    Try(Box<Strategy>),
    /// The strategy again and again until it fails, at most this number of times.
    Repeat(Box<Strategy>, u32),
    /// At the body of the function that the expression at the focus applies.
    Function(Box<Strategy>),
    /// At the array or value that the expression at the focus takes.
    Input(Box<Strategy>),
    /// At a place inside the focus.
    At(Path, Box<Strategy>),
    /// At the focus if it has a form.
    Where(Pattern, Box<Strategy>),
    /// At the first place where it succeeds, outer places before inner ones.
    Outermost(Box<Strategy>),
    /// At the first place where it succeeds, inner places before outer ones.
    Innermost(Box<Strategy>),
    /// At one of the places where it would succeed, counted from 0, outer places before inner ones.
    Nth(u32, Box<Strategy>),
    /// Once at every place where it succeeds, inner places before outer ones; at least at one.
    Everywhere(Box<Strategy>),
    /// The same at the places that stand in no function, seen from the focus.
    OutsideFunctions(Box<Strategy>),
    /// At what the focus comes to: the body of its `let`s, or the focus itself.
    Result(Box<Strategy>),
    /// At every component of the tuple at the focus where it succeeds; at least at one.
    Components(Box<Strategy>),
    /// Into a normal form.
    Normalise(&'static Normal),
    /// A strategy with a name and the arguments that it was made for.
    Named(&'static str, Vec<Argument>, Box<Strategy>),
}

impl Strategy {
    /// A rule without arguments.
    pub fn rule(rule: &'static Rule) -> Strategy {
        Strategy::Apply(rule, Vec::new())
    }

    /// A rule with one argument.
    pub fn with(rule: &'static Rule, argument: Argument) -> Strategy {
        Strategy::Apply(rule, vec![argument])
    }

    /// One after the other.
    pub fn in_order<const N: usize>(strategies: [Strategy; N]) -> Strategy {
        Strategy::Sequence(strategies.into())
    }

    /// The first place where this succeeds, outer places first.
    #[must_use]
    pub fn outermost(self) -> Strategy {
        Strategy::Outermost(Box::new(self))
    }

    /// The first place where this succeeds, inner places first.
    #[must_use]
    pub fn innermost(self) -> Strategy {
        Strategy::Innermost(Box::new(self))
    }

    /// This, where it succeeds.
    #[must_use]
    pub fn tried(self) -> Strategy {
        Strategy::Try(Box::new(self))
    }

    /// This again and again until it fails, at most `most` times.
    #[must_use]
    pub fn repeated(self, most: u32) -> Strategy {
        Strategy::Repeat(Box::new(self), most)
    }

    /// This at every place where it succeeds.
    #[must_use]
    pub fn everywhere(self) -> Strategy {
        Strategy::Everywhere(Box::new(self))
    }

    /// This at every place outside of functions where it succeeds.
    #[must_use]
    pub fn outside_functions(self) -> Strategy {
        Strategy::OutsideFunctions(Box::new(self))
    }

    /// This at what the focus comes to.
    #[must_use]
    pub fn at_result(self) -> Strategy {
        Strategy::Result(Box::new(self))
    }

    /// This at the components of the tuple at the focus.
    #[must_use]
    pub fn in_components(self) -> Strategy {
        Strategy::Components(Box::new(self))
    }

    /// This where the focus has a form.
    #[must_use]
    pub fn where_it_is(self, pattern: Pattern) -> Strategy {
        Strategy::Where(pattern, Box::new(self))
    }

    /// This at the body of the function of the focus.
    #[must_use]
    pub fn in_function(self) -> Strategy {
        Strategy::Function(Box::new(self))
    }

    /// This at the input of the focus.
    #[must_use]
    pub fn in_input(self) -> Strategy {
        Strategy::Input(Box::new(self))
    }

    /// This under a name.
    #[must_use]
    pub fn named(self, name: &'static str, arguments: Vec<Argument>) -> Strategy {
        Strategy::Named(name, arguments, Box::new(self))
    }
}

fn write_call(formatter: &mut fmt::Formatter<'_>, name: &str, arguments: &[Argument]) -> fmt::Result {
    formatter.write_str(name)?;
    for (position, argument) in arguments.iter().enumerate() {
        let before = if position == 0 { "(" } else { ", " };
        write!(formatter, "{before}{argument}")?;
    }
    if arguments.is_empty() { Ok(()) } else { formatter.write_str(")") }
}

/// As the documentation writes strategies: `a; b` for a sequence, `a <+ b` for a choice.
impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |formatter: &mut fmt::Formatter<'_>, strategies: &[Strategy], between: &str| {
            formatter.write_str("(")?;
            for (position, strategy) in strategies.iter().enumerate() {
                let before = if position == 0 { "" } else { between };
                write!(formatter, "{before}{strategy}")?;
            }
            formatter.write_str(")")
        };
        match self {
            Strategy::Apply(rule, arguments) => write_call(formatter, rule.name, arguments),
            Strategy::Sequence(strategies) => list(formatter, strategies, "; "),
            Strategy::Choice(strategies) => list(formatter, strategies, " <+ "),
            Strategy::Try(strategy) => write!(formatter, "try {strategy}"),
            Strategy::Repeat(strategy, most) => write!(formatter, "repeat {most} {strategy}"),
            Strategy::Function(strategy) => write!(formatter, "function {strategy}"),
            Strategy::Input(strategy) => write!(formatter, "input {strategy}"),
            Strategy::At(path, strategy) => write!(formatter, "at {path} {strategy}"),
            Strategy::Where(pattern, strategy) => write!(formatter, "where {pattern} {strategy}"),
            Strategy::Outermost(strategy) => write!(formatter, "outermost {strategy}"),
            Strategy::Innermost(strategy) => write!(formatter, "innermost {strategy}"),
            Strategy::Nth(number, strategy) => write!(formatter, "nth {number} {strategy}"),
            Strategy::Everywhere(strategy) => write!(formatter, "everywhere {strategy}"),
            Strategy::OutsideFunctions(strategy) => write!(formatter, "outside functions {strategy}"),
            Strategy::Result(strategy) => write!(formatter, "result {strategy}"),
            Strategy::Components(strategy) => write!(formatter, "components {strategy}"),
            Strategy::Normalise(normal) => write!(formatter, "normalise {}", normal.name),
            Strategy::Named(name, arguments, _) => write_call(formatter, name, arguments),
        }
    }
}
