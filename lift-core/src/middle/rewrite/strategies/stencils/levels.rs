//! Who computes the elements of nested maps: strategies that give a level to each map.

use super::super::super::pattern::Pattern;
use super::super::super::rule::Argument;
use super::super::super::rules::{MAP_GLB, MAP_LCL, MAP_WRG, REDUCE_SEQ, REDUCE_SEQ_UNROLL};
use super::super::super::strategy::Strategy;

/// A strategy for a map, and one for the map that its function is, and so on; what is inside comes last.
pub(super) fn nested(levels: &[Strategy], inside: Strategy) -> Strategy {
    match levels.split_first() {
        None => inside,
        Some((level, inner)) => Strategy::in_order([level.clone(), nested(inner, inside).in_function()]),
    }
}

/// A level for each map of a nest, the outermost first. The innermost one has dimension 0: neighbours there
/// are neighbours in memory.
pub(super) fn nest(dimensions: usize, level: fn(u8) -> Strategy) -> Vec<Strategy> {
    let mut levels: Vec<Strategy> = (0..).map(level).take(dimensions).collect();
    levels.reverse();
    levels
}

/// A map of global work-items of a dimension.
pub(super) fn global(dimension: u8) -> Strategy {
    Strategy::with(&MAP_GLB, Argument::Dimension(dimension))
}

/// A map of work-groups of a dimension.
pub(super) fn group(dimension: u8) -> Strategy {
    Strategy::with(&MAP_WRG, Argument::Dimension(dimension))
}

/// A map of the work-items of a group, of a dimension.
pub(super) fn local(dimension: u8) -> Strategy {
    Strategy::with(&MAP_LCL, Argument::Dimension(dimension))
}

/// All reductions inside, if there are any, one element after the other.
pub(super) fn sequential() -> Strategy {
    Strategy::rule(&REDUCE_SEQ).everywhere().tried()
}

/// The same in straight-line code.
pub(super) fn unrolled() -> Strategy {
    Strategy::rule(&REDUCE_SEQ_UNROLL).everywhere().tried()
}

/// A strategy for an expression that is no map which only rearranges its rows, as `untile` has them.
pub(super) fn computing(strategy: Strategy) -> Strategy {
    let rearranges = Pattern::AnyMap.with_body(Pattern::View);
    strategy.where_it_is(Pattern::Not(Box::new(rearranges)))
}

/// A strategy at the input of the focus, at the input of that, and so on, this many times.
pub(super) fn in_inputs(depth: usize, strategy: Strategy) -> Strategy {
    (0..depth).fold(strategy, |strategy, _| strategy.in_input())
}
