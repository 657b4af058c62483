//! Short names for what the strategies of several kinds of programs are made of.

use super::super::mismatch::Mismatch;
use super::super::normal;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Rule};
use super::super::rules;
use super::super::strategy::Strategy;
use crate::ir::nat::Nat;
use crate::ir::typed::{MapKind, Path};

/// At the outermost map of reductions that has no workers yet.
pub(super) fn at_next_map(strategy: Strategy) -> Strategy {
    strategy.where_it_is(Pattern::map_of_reductions(MapKind::Unspecified)).outermost()
}

/// At the outermost reduction.
pub(super) fn at_reduction(strategy: Strategy) -> Strategy {
    strategy.where_it_is(Pattern::AnyReduce).outermost()
}

/// The normal form in which nothing is written that computes nothing.
pub(super) fn tidy() -> Strategy {
    Strategy::Normalise(&normal::TIDY)
}

/// Names of views give way to the views, here and in all parts.
pub(super) fn without_named_views() -> Strategy {
    let named =
        Strategy::with(&rules::LET_INLINE, Argument::Size(Nat::zero())).where_it_is(Pattern::NamedView);
    named.innermost().repeated(MOST_VIEWS).tried()
}

/// More names of views stay as they are.
const MOST_VIEWS: u32 = 8;

/// The normal form without layouts that undo each other.
pub(super) fn cancelled() -> Strategy {
    Strategy::Normalise(&normal::CANCELLED_LAYOUTS)
}

/// A place as the argument of a rule.
pub(super) fn place(positions: &[usize]) -> Argument {
    Argument::Place(Path::from(positions.to_vec()))
}

/// A rule with a size.
pub(super) fn sized(rule: &'static Rule, size: &Nat) -> Strategy {
    Strategy::with(rule, Argument::Size(size.clone()))
}

/// A rule with a dimension.
pub(super) fn in_dimension(rule: &'static Rule, dimension: u8) -> Strategy {
    Strategy::with(rule, Argument::Dimension(dimension))
}

/// The sizes that a strategy takes.
pub(super) fn sizes<const N: usize>(arguments: &[Argument]) -> Result<[Nat; N], Mismatch> {
    let size = |argument: &Argument| match argument {
        Argument::Size(size) => Ok(size.clone()),
        _ => Err(Mismatch::Arguments),
    };
    let sizes = arguments.iter().map(size).collect::<Result<Vec<Nat>, _>>()?;
    sizes.try_into().map_err(|_| Mismatch::Arguments)
}
