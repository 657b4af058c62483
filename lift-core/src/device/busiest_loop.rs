//! The number of work-items that a group needs for most of its work.
//!
//! A group that loads a tile and then computes on it has loops of different lengths over its work-items. A
//! person who writes such a kernel by hand launches as many work-items as compute, and lets them load the
//! tile in several iterations. In a group as large as the tile, many work-items would wait for the others
//! (Remmelg et al., GPGPU 2016, figure 7; Hagedorn's thesis, section 3.2.3, where 128 work-items load 144
//! elements). Work is estimated, not measured: the choice is between launches that are all correct.

use crate::flat::FlatMap;
use crate::ir::kernel::{Statement, Workers};

/// The assumed trip count of a loop whose trip count only the launch determines.
const UNKNOWN_STEPS: u64 = 64;

/// A loop that does this many times the work of all longer ones together sets the size; the longer ones take
/// several iterations.
const DOMINANCE: u64 = 4;

/// A trip count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Known(u64),
    /// Only the launch knows it.
    Open,
}

/// A loop over the work-items of a group.
struct Items {
    /// Its trip count; a loop whose count is open counts as longer than all others.
    extent: Extent,
    /// The work of all its iterations, in all executions of the loop.
    work: u64,
}

/// The trip count, by dimension, of the loop over work-items of a group that does most of the work. It is
/// that of the longest loop where none does much more than the longer ones. It is `None` for a loop whose
/// trip count only the launch determines.
pub(super) fn busiest_extents(body: &[Statement]) -> FlatMap<u8, Option<u64>> {
    let mut loops = FlatMap::new();
    work_of(body, 1, &mut loops);
    loops
        .into_iter()
        .filter_map(|(dimension, loops)| {
            let extent = match busiest(&loops)? {
                Extent::Known(steps) => Some(steps),
                Extent::Open => None,
            };
            Some((dimension, extent))
        })
        .collect()
}

fn busiest(loops: &[Items]) -> Option<Extent> {
    let longest = loops.iter().map(|items| items.extent).max()?;
    let most = loops.iter().max_by_key(|items| (items.work, items.extent))?;
    let longer = loops.iter().filter(|items| items.extent > most.extent);
    let others = longer.fold(0u64, |sum, items| sum.saturating_add(items.work));
    Some(if most.work >= others.saturating_mul(DOMINANCE) { most.extent } else { longest })
}

/// The work of one execution of some statements. Adds the loops over work-items among them to `loops`; these
/// are executed `times` times.
fn work_of(body: &[Statement], times: u64, loops: &mut FlatMap<u8, Vec<Items>>) -> u64 {
    let work = |statement: &Statement| match statement {
        Statement::Loop(repetition) => {
            let constant = repetition.extent.as_constant().and_then(|extent| u64::try_from(extent).ok());
            let steps = constant.unwrap_or(UNKNOWN_STEPS);
            let work = steps.saturating_mul(work_of(&repetition.body, times.saturating_mul(steps), loops));
            if let Workers::Local(dimension) = repetition.workers {
                let extent = constant.map_or(Extent::Open, Extent::Known);
                let items = Items { extent, work: times.saturating_mul(work) };
                loops.get_or_default(dimension).push(items);
            }
            work
        }
        Statement::If(_, then, otherwise) => {
            work_of(then, times, loops).saturating_add(work_of(otherwise, times, loops))
        }
        Statement::Declare(_, value) => u64::from(value.is_some()),
        Statement::Assign(..)
        | Statement::Store(..)
        | Statement::Update { .. }
        | Statement::CallFunction { .. }
        | Statement::BreakUnless(_) => 1,
        Statement::Comment(_)
        | Statement::DeclareBuffer(_)
        | Statement::DeclareIndex { .. }
        | Statement::DeclareWorker { .. }
        | Statement::DeclareValue { .. }
        | Statement::Barrier { .. } => 0,
    };
    body.iter().map(work).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::{BufferId, Expression, Loop, Order, Trip, Unrolling};
    use crate::ir::nat::{Nat, Var};
    use crate::ir::scalar::{Literal, ScalarType};
    use crate::ir::source::Source;

    fn repeated(workers: Workers, extent: i128, body: Vec<Statement>) -> Statement {
        let index = Var::new(0, "i".to_owned());
        let extent = Nat::constant(extent);
        let unrolling = Unrolling::AsItLikes;
        Statement::Loop(Loop {
            workers,
            index,
            extent,
            trip: Trip::Any,
            unrolling,
            order: Order::Stated,
            origin: String::new(),
            source: Source::UNKNOWN,
            body,
        })
    }

    fn store() -> Statement {
        let one = Expression::Literal(Literal::Integer(1), ScalarType::I32);
        Statement::Store(BufferId(0), Nat::zero(), one)
    }

    fn computing(steps: i128) -> Vec<Statement> {
        vec![repeated(Workers::Sequential, steps, vec![store()])]
    }

    #[test]
    fn those_who_compute_decide_and_not_those_who_load() {
        let load = repeated(Workers::Local(0), 48, vec![store()]);
        let compute = repeated(Workers::Local(0), 32, computing(17));
        assert_eq!(busiest_extents(&[load, compute]), FlatMap::from([(0, Some(32))]));
    }

    #[test]
    fn one_who_adds_up_what_all_have_loaded_decides_nothing() {
        let load = repeated(Workers::Local(0), 256, vec![store()]);
        let add_up = repeated(Workers::Local(0), 1, computing(300));
        assert_eq!(busiest_extents(&[load, add_up]), FlatMap::from([(0, Some(256))]));
    }

    #[test]
    fn of_loops_that_do_the_same_the_longest_decides() {
        let first = repeated(Workers::Local(0), 64, computing(2));
        let second = repeated(Workers::Local(0), 32, computing(4));
        assert_eq!(busiest_extents(&[second, first]), FlatMap::from([(0, Some(64))]));
    }

    #[test]
    fn a_loop_of_open_length_decides_where_it_may_do_most() {
        let open = Nat::variable(&Var::new(1, "N".to_owned()));
        let loop_over = |body| match repeated(Workers::Local(0), 1, body) {
            Statement::Loop(repetition) => Statement::Loop(Loop { extent: open.clone(), ..repetition }),
            other => other,
        };
        let compute = || repeated(Workers::Local(0), 256, computing(15));
        assert_eq!(busiest_extents(&[compute(), loop_over(vec![store()])]), FlatMap::from([(0, Some(256))]));
        assert_eq!(busiest_extents(&[compute(), loop_over(computing(100))]), FlatMap::from([(0, None)]));
    }

    #[test]
    fn dimensions_are_decided_one_by_one() {
        let load = repeated(Workers::Local(1), 32, vec![repeated(Workers::Local(0), 8, vec![store()])]);
        let inner = repeated(Workers::Local(0), 16, computing(100));
        let compute = repeated(Workers::Local(1), 8, vec![inner]);
        assert_eq!(busiest_extents(&[load, compute]), FlatMap::from([(0, Some(16)), (1, Some(8))]));
    }
}
