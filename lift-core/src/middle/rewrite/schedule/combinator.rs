//! The combinators that a schedule can name.

use super::super::strategy::Strategy;
use crate::ir::typed::Path;

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
    /// At a place inside of where it would be applied otherwise.
    At,
    /// Again and again until it does not apply, at most a number of times.
    Repeat,
    /// Where it applies; else nothing.
    Attempt,
    /// The first of several that applies.
    Either,
    /// One after the other at one place.
    Sequence,
}

/// What a combinator is made of, and how.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    /// One strategy.
    One(fn(Box<Strategy>) -> Strategy),
    /// A number and a strategy.
    Counted(fn(u32, Box<Strategy>) -> Strategy),
    /// A place and a strategy.
    Placed(fn(Path, Box<Strategy>) -> Strategy),
    /// One or more strategies.
    Several(fn(Vec<Strategy>) -> Strategy),
}

impl Combinator {
    /// All of them.
    pub const ALL: [Combinator; 9] = [
        Combinator::Outermost,
        Combinator::Innermost,
        Combinator::Everywhere,
        Combinator::Nth,
        Combinator::At,
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
            Combinator::At => "at",
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
            Combinator::At => "`s` at a place, as `--places` lists them: `place(0, 1)` for `0.1`",
            Combinator::Repeat => "`s` until it does not apply, at most `n` times",
            Combinator::Attempt => "`s` if it applies, and nothing if it does not",
            Combinator::Either => "the first of `s` and `t` that applies",
            Combinator::Sequence => "`s`, then `t`; inside of another combinator that says where, both there",
        }
    }

    /// How it is written, for lists.
    pub fn usage(self) -> String {
        let operands = match self.operands() {
            Operands::One(_) => "s",
            Operands::Counted(_) => "n, s",
            Operands::Placed(_) => "place(…), s",
            Operands::Several(_) => "s, t, …",
        };
        format!("{}({operands})", self.name())
    }

    /// What it is made of, and how.
    pub(super) fn operands(self) -> Operands {
        match self {
            Combinator::Outermost => Operands::One(Strategy::Outermost),
            Combinator::Innermost => Operands::One(Strategy::Innermost),
            Combinator::Everywhere => Operands::One(Strategy::Everywhere),
            Combinator::Attempt => Operands::One(Strategy::Try),
            Combinator::Nth => Operands::Counted(Strategy::Nth),
            Combinator::Repeat => Operands::Counted(|most, strategy| Strategy::Repeat(strategy, most)),
            Combinator::At => Operands::Placed(Strategy::At),
            Combinator::Either => Operands::Several(Strategy::Choice),
            Combinator::Sequence => Operands::Several(Strategy::Sequence),
        }
    }

    /// Whether it says where rules are applied.
    pub(super) fn is_traversal(self) -> bool {
        match self {
            Combinator::Outermost
            | Combinator::Innermost
            | Combinator::Everywhere
            | Combinator::Nth
            | Combinator::At => true,
            Combinator::Repeat | Combinator::Attempt | Combinator::Either | Combinator::Sequence => false,
        }
    }
}
