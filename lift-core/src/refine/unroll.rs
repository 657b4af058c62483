//! Loops that the OpenCL compiler is asked to unroll.
//!
//! A short loop costs more for its counter and its jumps than for what it does, hides from the compiler that consecutive steps access neighbouring
//! memory, and keeps work-items from being vectorised where they are loops around it (as on processors; Karrenberg and Hack, CC
//! 2012). Compilers for GPUs unroll such loops by themselves, others do not: LLVM unrolls no loop whose number of steps it does not
//! know, nor as a whole one whose code it finds too large. So the innermost loops in time are unrolled as a person asks for it: as a whole those whose
//! number of steps is known, others by four, as long as the code stays small (where a loop is left, PoCL executes it for each work-item by
//! itself; without one it takes several at a time, and the 17 products of a line of a convolution take less than half as long). Compilers of NVIDIA are only asked where there are few steps: their own choice is better (a naive
//! matrix product and rows of a triangle were 1.2 and 1.7 times slower on an H200 when it was asked for four). It changes nothing but the speed, and only asks.

use crate::kernel::{Loop, Statement, Unrolling, Workers};

/// Loops of at most this many steps leave no loop, whatever the compiler likes.
const FEW_STEPS: u64 = 8;

/// The steps of a round of other loops.
const STEPS_OF_A_ROUND: u64 = 4;

/// The statements of an unrolled loop at most.
const MOST_STATEMENTS: u64 = 64;

/// Asks for the innermost loops to be unrolled; see the module documentation.
pub(crate) fn unroll_innermost(body: &mut [Statement]) {
    for statement in body {
        match statement {
            Statement::Loop(repetition) => {
                unroll_innermost(&mut repetition.body);
                let is_open = repetition.unrolling == Unrolling::AsItLikes;
                if is_open && repetition.workers == Workers::Sequential {
                    repetition.unrolling = unrolling(repetition);
                }
            }
            Statement::If(_, then, otherwise) => {
                unroll_innermost(then);
                unroll_innermost(otherwise);
            }
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. }
            | Statement::Barrier { .. } => {}
        }
    }
}

/// What is asked for a loop.
fn unrolling(repetition: &Loop) -> Unrolling {
    let Some(statements) = straight_statements(&repetition.body) else { return Unrolling::AsItLikes };
    let fits = |steps: u64| statements.saturating_mul(steps) <= MOST_STATEMENTS;
    let steps = repetition.extent.as_constant().and_then(|steps| u64::try_from(steps).ok());
    match steps {
        Some(steps) if steps <= FEW_STEPS && fits(steps) => Unrolling::Whole,
        Some(steps) if fits(steps) => Unrolling::Otherwise(steps),
        Some(_) | None if fits(STEPS_OF_A_ROUND) => Unrolling::Otherwise(STEPS_OF_A_ROUND),
        Some(_) | None => Unrolling::AsItLikes,
    }
}

/// The number of statements of code that has no loop and no barrier; none where it has.
fn straight_statements(block: &[Statement]) -> Option<u64> {
    block.iter().try_fold(0u64, |sum, statement| match statement {
        Statement::Loop(_) | Statement::Barrier { .. } => None,
        Statement::If(_, then, otherwise) => {
            Some(sum + 1 + straight_statements(then)? + straight_statements(otherwise)?)
        }
        Statement::Comment(_) => Some(sum),
        Statement::Declare(..)
        | Statement::DeclareBuffer(_)
        | Statement::DeclareIndex { .. }
        | Statement::DeclareWorker { .. }
        | Statement::DeclareValue { .. }
        | Statement::Assign(..)
        | Statement::Store(..)
        | Statement::CallFunction { .. } => Some(sum + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Expression, Trip, Variable};
    use crate::nat::{Nat, Var};
    use crate::scalar::{Literal, ScalarType};

    fn assignment() -> Statement {
        let variable = Variable { name: "x".to_owned(), ty: ScalarType::F32.into() };
        Statement::Assign(variable, Expression::Literal(Literal::Integer(1), ScalarType::F32))
    }

    fn repeated(extent: Nat, body: Vec<Statement>) -> Statement {
        Statement::Loop(Loop {
            workers: Workers::Sequential,
            index: Var::new(1, "i"),
            extent,
            trip: Trip::Any,
            unrolling: Unrolling::AsItLikes,
            origin: String::new(),
            body,
        })
    }

    fn asked(statement: Statement) -> Unrolling {
        let mut body = [statement];
        unroll_innermost(&mut body);
        match &body {
            [Statement::Loop(repetition)] => repetition.unrolling,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn short_loops_are_unrolled_as_a_whole_and_others_by_four() {
        let size = Nat::variable(&Var::new(2, "N"));
        assert_eq!(asked(repeated(Nat::constant(4), vec![assignment()])), Unrolling::Whole);
        assert_eq!(asked(repeated(Nat::constant(17), vec![assignment()])), Unrolling::Otherwise(17));
        assert_eq!(asked(repeated(Nat::constant(17), vec![assignment(); 4])), Unrolling::Otherwise(4));
        assert_eq!(asked(repeated(Nat::constant(100), vec![assignment()])), Unrolling::Otherwise(4));
        assert_eq!(asked(repeated(size, vec![assignment()])), Unrolling::Otherwise(4));
    }

    #[test]
    fn long_code_and_loops_around_loops_or_barriers_stay_as_they_are() {
        let barrier = Statement::Barrier { spaces: Vec::new(), reason: String::new() };
        let inner = repeated(Nat::constant(100), vec![assignment()]);
        for body in [vec![assignment(); 17], vec![barrier], vec![inner]] {
            assert_eq!(asked(repeated(Nat::constant(9), body)), Unrolling::AsItLikes);
        }
    }
}
