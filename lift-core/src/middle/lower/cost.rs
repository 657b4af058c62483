//! How often an array that nothing stores is computed, and how long that takes.
//!
//! A high-level map that is only consumed is delayed: whoever reads an element computes it. That saves the array, and costs nothing where
//! every element is read once. Where elements are read again and again, and each takes a loop, the array should be stored.

use super::multiplicity::Multiplicity;
use super::producers::stores;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::typed::{Expr, ExprKind, Function};

/// The steps of reductions that an element of a value takes.
pub(super) fn work(expr: &Expr) -> Multiplicity {
    match &expr.kind {
        ExprKind::Reduce(_, function, initial, input) => {
            let step = work(&function.body).plus(work(input)).max(Multiplicity::ONCE);
            Multiplicity::of_length(&input.ty).times(step).plus(work(initial))
        }
        ExprKind::Scan(..) | ExprKind::Iterate(..) => Multiplicity::Many,
        _ => expr.children().into_iter().map(work).fold(Multiplicity::NEVER, Multiplicity::plus),
    }
}

/// What it takes to compute an element of an array that nothing stores.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementCost {
    /// The steps of loops.
    steps: Multiplicity,
    /// Other operations.
    operations: i128,
    /// Whether it is an array itself, of which one element cannot be computed alone.
    is_whole: bool,
}

/// An element with so many reads in all may be computed for each of them.
const FEW_READS: Multiplicity = Multiplicity::Known(4);

/// An array and those who read it take at most so many times the operations of their sequential meaning.
pub(super) const FACTOR: i128 = 4;

/// An element with so many operations is computed about as fast as it is read.
const CHEAP: i128 = 4;

/// The same for a work-item that keeps its elements near: it stores and reads them quickly.
const CHEAP_NEARBY: i128 = 12;

/// An element of so few steps in all is repeated rather than given a kernel of its own.
const QUICKLY_REPEATED: Multiplicity = Multiplicity::Known(64);

/// The operations that functions like exponentials take, about.
const OPERATIONS_OF_A_FUNCTION: i128 = 16;

impl ElementCost {
    /// What the body of a function computes for an array.
    pub(super) fn of(body: &Expr, functions: &[Function]) -> ElementCost {
        let is_whole = !body.ty.is_element() && stores(body);
        ElementCost { steps: work(body), operations: operations(body, functions), is_whole }
    }

    /// Whether it is computed about as fast as it is read.
    pub(super) fn is_cheap(self) -> bool {
        self.steps == Multiplicity::NEVER && self.operations <= CHEAP && !self.is_whole
    }

    /// Whether the array is better computed by kernels of its own, where its elements are read so often, and one by one
    /// where they are taken apart.
    pub(super) fn is_worth_a_kernel(self, times: Multiplicity, is_taken_apart: bool) -> bool {
        let takes_many_steps = self.steps > Multiplicity::NEVER && self.steps.times(times) > QUICKLY_REPEATED;
        let is_long = self.steps > Multiplicity::NEVER || self.operations >= OPERATIONS_OF_A_FUNCTION;
        let is_read_often = times > FEW_READS && (is_long || self.exceeds_the_bound(times));
        (times > Multiplicity::ONCE && takes_many_steps) || is_read_often || (self.is_whole && is_taken_apart)
    }

    /// Whether computing an element for each of so many reads takes more than [`FACTOR`] times what computing and reading it takes. Its
    /// operations are counted with a load, a read with a load and an operation by whoever reads.
    fn exceeds_the_bound(self, times: Multiplicity) -> bool {
        let element = self.operations.saturating_add(1);
        match times {
            // The reads of all arrays that are zipped are counted together, although mostly one of them is read so often.
            Multiplicity::Known(reads) => {
                let computed = reads.saturating_mul(element.saturating_add(1));
                computed > element.saturating_add(reads.saturating_mul(2)).saturating_mul(2 * FACTOR)
            }
            // In the limit the element itself no longer counts.
            Multiplicity::Many => element + 1 > 2 * FACTOR,
        }
    }

    /// Whether the array is better kept by the work-item that needs it.
    pub(super) fn is_worth_keeping(self, times: Multiplicity, is_taken_apart: bool) -> bool {
        let is_long = self.steps > Multiplicity::NEVER || self.operations > CHEAP_NEARBY;
        let is_read_often = times > FEW_READS && self.operations > CHEAP;
        (times > Multiplicity::ONCE && is_long) || is_read_often || (self.is_whole && is_taken_apart)
    }
}

/// The operations of an element that are in no loop, about.
pub(super) fn operations(expr: &Expr, functions: &[Function]) -> i128 {
    let own = match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => 1,
        ExprKind::Builtin(builtin, _) => operations_of(*builtin),
        ExprKind::Function(called, _) => {
            functions.get(*called).map_or(1, |called| operations(&called.body, functions))
        }
        _ => 0,
    };
    expr.children().into_iter().map(|child| operations(child, functions)).fold(own, i128::saturating_add)
}

fn operations_of(builtin: Builtin) -> i128 {
    match builtin {
        Builtin::Min
        | Builtin::Max
        | Builtin::Abs
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Round
        | Builtin::Trunc
        | Builtin::Fma
        | Builtin::Mad
        | Builtin::ClampValue
        | Builtin::Sign
        | Builtin::Select => 1,
        Builtin::Sqrt | Builtin::Rsqrt | Builtin::Dot | Builtin::Native(_) => 4,
        Builtin::Cbrt
        | Builtin::Exp
        | Builtin::Exp2
        | Builtin::Log
        | Builtin::Log2
        | Builtin::Log10
        | Builtin::Pow
        | Builtin::Sin
        | Builtin::Cos
        | Builtin::Tan
        | Builtin::Asin
        | Builtin::Acos
        | Builtin::Atan
        | Builtin::Atan2
        | Builtin::Sinh
        | Builtin::Cosh
        | Builtin::Tanh => OPERATIONS_OF_A_FUNCTION,
    }
}
