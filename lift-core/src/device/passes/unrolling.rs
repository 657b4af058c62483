//! Loops that the OpenCL compiler is asked to unroll.
//!
//! A short loop costs more for its counter and its jumps than for its work. It hides from the compiler that
//! consecutive iterations access neighbouring memory, and keeps the loops over work-items around it from
//! being vectorised (as on processors; Karrenberg and Hack, CC 2012). LLVM unrolls no loop whose trip count
//! it does not know, and unrolls no loop fully whose code it finds too large. So the innermost sequential
//! loops are unrolled as a person would ask for it: fully where the trip count is known, by four otherwise,
//! as long as the code stays small. Where a loop is left, PoCL executes it for each work-item by itself.
//! Without one, PoCL takes several work-items at a time, and the 17 products of a line of a convolution take
//! less than half as long.
//!
//! NVIDIA's GPUs get a larger unroll factor, because the number of loads that are on their way at once counts
//! there. Four iterations of a sum of products make 8 loads for each work-item, sixteen make 32 (a dot
//! product in chunks ran 1.1 times as fast on an H200, a naive matrix product 1.2 times). That compiler
//! unrolls by itself, too, but how far depends on how a loop is written. Where the trip count differs between
//! work-items or groups, as in a triangle, the remaining iterations cost more than unrolling gains (up to 1.1
//! times), and the loop is left to the compiler. Only where the work-items of a group share the iterations,
//! and each iteration has many loads, so that few are unrolled, is a factor stated there, too: with it, the
//! product with four vectors of 8192 elements ran 1.25 times as fast on an H200.
//!
//! NVIDIA's compiler is asked for eight iterations of a larger body at once where the trip count is known.
//! It does that by itself for some of the tiles of products, and products of transposed matrices, whose
//! kernels differ from these only in the addresses of copies, take 1.6 times as long without it (H200).
//!
//! Only the speed changes, and the compiler is only asked.

use crate::flat::FlatSet;
use crate::ir::kernel::accesses::Accesses;
use crate::ir::kernel::{BufferId, Loop, Statement, Unrolling, Workers, any, nested};
use crate::ir::nat::{Nat, Var};

/// Loops with at most this many iterations are unrolled fully, whatever the compiler prefers; of longer
/// ones with a large body, NVIDIA's compiler is asked for this many at once.
const FEW_STEPS: u64 = 8;

/// The unroll factor of other loops.
const STEPS_OF_A_ROUND: u64 = 4;

/// The same for large bodies.
const STEPS_OF_A_SHORT_ROUND: u64 = 2;

/// The unroll factor on NVIDIA's GPUs.
const STEPS_OF_A_LONG_ROUND: u64 = 16;

/// The number of loads that a work-item of NVIDIA's GPUs should have on their way at once.
const LOADS_AT_ONCE: usize = 32;

/// The most iterations that a factor is stated for where the work-items of a group share them.
const MOST_SHARED_STEPS: u64 = 4;

/// The largest number of statements of an unrolled body.
const MOST_STATEMENTS: u64 = 64;

/// The largest number of statements of these iterations: a work-item's eight sums of 17 products.
const MOST_STATEMENTS_OF_ALL_STEPS: u64 = 160;

/// Asks for the innermost loops to be unrolled; see the module documentation. `sizes` are the variables that
/// are constant for a whole launch.
pub(crate) fn unroll_innermost(body: &mut [Statement], sizes: &FlatSet<Var>) {
    let local = |statement: &Statement| match statement {
        Statement::DeclareWorker { index, workers: Workers::Local(_), .. } => Some(index.clone()),
        _ => None,
    };
    let items = nested(body).filter_map(local).collect();
    unroll_in(body, &Counts { sizes, items });
}

/// What numbers of iterations may depend on.
struct Counts<'c> {
    /// What is constant for a whole launch.
    sizes: &'c FlatSet<Var>,
    /// The numbers of work-items in their groups.
    items: FlatSet<Var>,
}

fn unroll_in(body: &mut [Statement], counts: &Counts<'_>) {
    for statement in body {
        for block in statement.blocks_mut() {
            unroll_in(block, counts);
        }
        if let Statement::Loop(repetition) = statement
            && repetition.unrolling == Unrolling::AsItLikes
            && repetition.workers == Workers::Sequential
        {
            repetition.unrolling = unrolling(repetition, counts);
        }
    }
}

/// The unrolling to ask for.
fn unrolling(repetition: &Loop, counts: &Counts<'_>) -> Unrolling {
    // Iterations that may not happen are not worth their code.
    if repetition.may_end_early() {
        return Unrolling::AsItLikes;
    }
    let Some(statements) = straight_statements(&repetition.body) else { return Unrolling::AsItLikes };
    let fits = |steps: u64, most: u64| statements.saturating_mul(steps) <= most;
    let steps = repetition.extent.as_constant().and_then(|steps| u64::try_from(steps).ok());
    match steps {
        Some(steps) if steps <= FEW_STEPS && fits(steps, MOST_STATEMENTS_OF_ALL_STEPS) => Unrolling::Whole,
        Some(steps) if fits(steps, MOST_STATEMENTS) => {
            let all_or_round = if steps <= 2 * STEPS_OF_A_LONG_ROUND { steps } else { STEPS_OF_A_LONG_ROUND };
            Unrolling::ByCompiler { nvidia: Some(all_or_round), others: steps }
        }
        Some(_) | None if fits(STEPS_OF_A_ROUND, MOST_STATEMENTS) => Unrolling::ByCompiler {
            nvidia: match repetition.extent.variables().is_subset(counts.sizes) {
                true => Some(STEPS_OF_A_LONG_ROUND),
                false => shared_steps(repetition, counts),
            },
            others: STEPS_OF_A_ROUND,
        },
        None => match shared_steps(repetition, counts) {
            Some(steps) if fits(steps, MOST_STATEMENTS_OF_ALL_STEPS) => Unrolling::By(steps),
            Some(_) | None => Unrolling::AsItLikes,
        },
        Some(_) if fits(FEW_STEPS, MOST_STATEMENTS_OF_ALL_STEPS) => {
            Unrolling::ByCompiler { nvidia: Some(FEW_STEPS), others: STEPS_OF_A_SHORT_ROUND }
        }
        Some(_) => Unrolling::AsItLikes,
    }
}

/// The unroll factor of a loop with many loads whose iterations the work-items of a group share: a power of
/// two. With three, blocks of 8 x 2 results took 1.35 times as long as with four (8192 x 8192, on an H200).
fn shared_steps(repetition: &Loop, counts: &Counts<'_>) -> Option<u64> {
    let variables = repetition.extent.variables();
    let is_known = |variable: &Var| counts.sizes.contains(variable) || counts.items.contains(variable);
    let is_shared = variables.iter().any(|variable| counts.items.contains(variable));
    if !is_shared || !variables.iter().all(is_known) {
        return None;
    }
    let loads = Accesses::of(&repetition.body).loads;
    let different: FlatSet<(BufferId, &Nat)> = loads.iter().map(|load| (load.buffer, &load.index)).collect();
    let steps = LOADS_AT_ONCE.checked_div(different.len()).and_then(|steps| u64::try_from(steps).ok())?;
    (2..=MOST_SHARED_STEPS).contains(&steps).then_some(steps.next_power_of_two())
}

/// The number of statements of code without loops and barriers; `None` for other code.
fn straight_statements(block: &[Statement]) -> Option<u64> {
    let mut count: u64 = 0;
    let repeats_or_waits = any(block, &mut |statement| {
        count += u64::from(!matches!(statement, Statement::Comment(_)));
        matches!(statement, Statement::Loop(_) | Statement::Barrier { .. })
    });
    (!repeats_or_waits).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::{Expression, Order, Trip, Variable};
    use crate::ir::nat::{Nat, Var};
    use crate::ir::scalar::{Literal, ScalarType};
    use crate::ir::source::Source;

    fn assignment() -> Statement {
        let variable = Variable { name: "x".into(), ty: ScalarType::F32.into() };
        Statement::Assign(variable, Expression::Literal(Literal::Integer(1), ScalarType::F32))
    }

    fn repeated(extent: Nat, body: Vec<Statement>) -> Statement {
        Statement::Loop(Loop {
            workers: Workers::Sequential,
            index: Var::new(1, "i"),
            extent,
            trip: Trip::Any,
            unrolling: Unrolling::AsItLikes,
            order: Order::Stated,
            origin: String::new(),
            source: Source::UNKNOWN,
            body,
        })
    }

    fn size() -> Var {
        Var::new(2, "N")
    }

    fn asked(statement: Statement) -> Unrolling {
        let mut body = [statement];
        unroll_innermost(&mut body, &FlatSet::from([size()]));
        match &body {
            [Statement::Loop(repetition)] => repetition.unrolling,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn short_loops_are_unrolled_as_a_whole_and_others_by_rounds() {
        let by = |nvidia, others| Unrolling::ByCompiler { nvidia: Some(nvidia), others };
        assert_eq!(asked(repeated(Nat::constant(4), vec![assignment()])), Unrolling::Whole);
        assert_eq!(asked(repeated(Nat::constant(17), vec![assignment()])), by(17, 17));
        assert_eq!(asked(repeated(Nat::constant(40), vec![assignment()])), by(16, 40));
        assert_eq!(asked(repeated(Nat::constant(17), vec![assignment(); 4])), by(16, 4));
        assert_eq!(asked(repeated(Nat::constant(16), vec![assignment(); 18])), by(8, 2));
        assert_eq!(asked(repeated(Nat::constant(16), vec![assignment(); 21])), Unrolling::AsItLikes);
        assert_eq!(asked(repeated(Nat::constant(100), vec![assignment()])), by(16, 4));
        assert_eq!(asked(repeated(Nat::variable(&size()), vec![assignment()])), by(16, 4));
    }

    #[test]
    fn rounds_are_not_long_where_the_number_of_steps_differs_between_work_items() {
        let row = Nat::variable(&size()) - Nat::variable(&Var::new(3, "row"));
        let short = Unrolling::ByCompiler { nvidia: None, others: 4 };
        assert_eq!(asked(repeated(row, vec![assignment()])), short);
    }

    /// The work-items of a group share the iterations, each of which loads from different arrays: as many
    /// iterations as there are loads on their way.
    #[test]
    fn shared_loops_with_many_loads_have_short_rounds() {
        let item = Var::new(3, "l_id0");
        let extent = (Nat::variable(&size()) - Nat::variable(&item)).divide(&Nat::constant(128));
        let load =
            |buffer| Expression::Load(BufferId(buffer), Nat::variable(&size()), ScalarType::F32.into());
        let sum = |buffer| {
            Statement::Declare(Variable { name: "x".into(), ty: ScalarType::F32.into() }, Some(load(buffer)))
        };
        let rounds = |loads| {
            let worker =
                Statement::DeclareWorker { index: item.clone(), workers: Workers::Local(0), bound: None };
            let mut body = [worker, repeated(extent.clone(), (0..loads).map(sum).collect())];
            unroll_innermost(&mut body, &FlatSet::from([size()]));
            match body {
                [_, Statement::Loop(repetition)] => repetition.unrolling,
                other => panic!("{other:?}"),
            }
        };
        let by = |nvidia| Unrolling::ByCompiler { nvidia, others: 4 };
        assert_eq!(rounds(1), by(None));
        assert_eq!(rounds(8), by(Some(4)));
        assert_eq!(rounds(16), by(Some(2)));
        assert_eq!(rounds(17), Unrolling::AsItLikes);
    }

    #[test]
    fn long_code_and_loops_around_loops_or_barriers_stay_as_they_are() {
        let barrier = Statement::Barrier { spaces: Vec::new(), reason: String::new() };
        let inner = repeated(Nat::constant(100), vec![assignment()]);
        for body in [vec![assignment(); 21], vec![barrier], vec![inner]] {
            assert_eq!(asked(repeated(Nat::constant(9), body)), Unrolling::AsItLikes);
        }
        assert_eq!(asked(repeated(Nat::constant(8), vec![assignment(); 20])), Unrolling::Whole);
        assert_eq!(asked(repeated(Nat::constant(8), vec![assignment(); 21])), Unrolling::AsItLikes);
    }
}
