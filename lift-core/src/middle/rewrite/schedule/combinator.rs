//! The combinators that a schedule can name.

use super::super::strategy::Strategy;

/// A strategy that is made of others, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combinator {
    /// At the first place where it applies, outer places before inner ones.
    Outermost,
    /// At the first place where it applies, inner places before outer ones.
    Innermost,
    /// Once at every place where it applies.
    Everywhere,
    /// At one of the places where it applies, counted from 0.
    Nth,
    /// Again and again until it does not apply, at most a number of times.
    Repeat,
    /// Where it applies; else nothing.
    Attempt,
    /// The first of several that applies.
    Either,
    /// One after the other at one place.
    Sequence,
}

/// What a combinator is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// One strategy.
    One,
    /// A number and a strategy.
    Counted,
    /// One or more strategies.
    Several,
}

impl Combinator {
    /// All of them.
    pub const ALL: [Combinator; 8] = [
        Combinator::Outermost,
        Combinator::Innermost,
        Combinator::Everywhere,
        Combinator::Nth,
        Combinator::Repeat,
        Combinator::Attempt,
        Combinator::Either,
        Combinator::Sequence,
    ];

    /// The combinator with this name.
    pub fn from_name(name: &str) -> Option<Combinator> {
        Combinator::ALL.into_iter().find(|combinator| combinator.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Combinator::Outermost => "outermost",
            Combinator::Innermost => "innermost",
            Combinator::Everywhere => "everywhere",
            Combinator::Nth => "nth",
            Combinator::Repeat => "repeat",
            Combinator::Attempt => "attempt",
            Combinator::Either => "either",
            Combinator::Sequence => "sequence",
        }
    }

    /// What it does, for lists.
    pub fn summary(self) -> &'static str {
        match self {
            Combinator::Outermost => "at the first place where `s` applies, outer places before inner ones",
            Combinator::Innermost => "at the first place where `s` applies, inner places before outer ones",
            Combinator::Everywhere => "once at every place where `s` applies, inner places before outer ones",
            Combinator::Nth => "at the place with the number `n` of those where `s` applies, counted from 0",
            Combinator::Repeat => "`s` until it does not apply, at most `n` times",
            Combinator::Attempt => "`s` if it applies, and nothing if it does not",
            Combinator::Either => "the first of `s` and `t` that applies",
            Combinator::Sequence => "`s`, then `t`, at one place",
        }
    }

    /// How it is written, for lists.
    pub fn usage(self) -> String {
        let operands = match self.operands() {
            Operands::One => "s",
            Operands::Counted => "n, s",
            Operands::Several => "s, t, …",
        };
        format!("{}({operands})", self.name())
    }

    /// What it is made of.
    pub(super) fn operands(self) -> Operands {
        match self {
            Combinator::Outermost | Combinator::Innermost | Combinator::Everywhere | Combinator::Attempt => {
                Operands::One
            }
            Combinator::Nth | Combinator::Repeat => Operands::Counted,
            Combinator::Either | Combinator::Sequence => Operands::Several,
        }
    }

    /// Whether it says where rules are applied.
    pub(super) fn is_traversal(self) -> bool {
        match self {
            Combinator::Outermost | Combinator::Innermost | Combinator::Everywhere | Combinator::Nth => true,
            Combinator::Repeat | Combinator::Attempt | Combinator::Either | Combinator::Sequence => false,
        }
    }

    /// The strategy that it makes of others, with a number where it takes one.
    pub(super) fn of(self, number: u32, mut strategies: Vec<Strategy>) -> Strategy {
        if self == Combinator::Either {
            return Strategy::Choice(strategies);
        }
        let one = match strategies.pop() {
            Some(only) if strategies.is_empty() => only,
            last => {
                strategies.extend(last);
                Strategy::Sequence(strategies)
            }
        };
        match self {
            Combinator::Outermost => one.outermost(),
            Combinator::Innermost => one.innermost(),
            Combinator::Everywhere => Strategy::Everywhere(Box::new(one)),
            Combinator::Nth => Strategy::Nth(number, Box::new(one)),
            Combinator::Repeat => Strategy::Repeat(Box::new(one), number),
            Combinator::Attempt => one.tried(),
            Combinator::Either | Combinator::Sequence => one,
        }
    }
}
