//! Decides when a delayed array should be stored, from the cost of an element and the number of reads.
//!
//! Computing an element where it is read saves the memory of the array, and is free if every element is read
//! once. If elements are read repeatedly and each takes a loop, the array should be stored.

use super::context::ReadBy;
use super::multiplicity::Multiplicity;
use super::producers::stores;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::typed::{Application, Expr, ExprKind, Function};

/// The number of iterations of reductions that an element takes.
pub(super) fn iterations_of_reductions(expr: &Expr) -> Multiplicity {
    match expr.application() {
        Some(Application::Reduce(_, function, initial, input)) => {
            let each = iterations_of_reductions(&function.body)
                .plus(iterations_of_reductions(input))
                .max(Multiplicity::ONCE);
            Multiplicity::of_length(&input.ty).times(each).plus(iterations_of_reductions(initial))
        }
        Some(Application::Scan(..) | Application::Iterate(..)) => Multiplicity::Many,
        Some(Application::Map(..) | Application::Generate(_) | Application::Lanewise(..)) | None => expr
            .children()
            .map(|part| iterations_of_reductions(part))
            .fold(Multiplicity::NEVER, Multiplicity::plus),
    }
}

/// The cost of an element of a delayed array.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementCost {
    /// The number of iterations of loops.
    iterations: Multiplicity,
    /// The number of operations outside of loops.
    operations: i128,
    /// Whether the element is an array whose elements cannot be computed one by one.
    is_whole: bool,
}

/// An element that is read at most this often may be computed for each read.
const FEW_READS: Multiplicity = Multiplicity::Known(4);

/// An array and its readers together execute at most this many times the operations of their sequential
/// meaning.
pub(super) const FACTOR: i128 = 4;

/// An element of at most this many operations is computed about as fast as it is loaded.
const CHEAP: i128 = 4;

/// The same where a work-item would keep the array in its own memory, from which it loads faster.
const CHEAP_NEARBY: i128 = 12;

/// If recomputing an element takes at most this many iterations in total, the array gets no kernel of its
/// own.
const QUICKLY_REPEATED: Multiplicity = Multiplicity::Known(64);

/// The approximate number of operations of functions such as exponentials.
const OPERATIONS_OF_A_FUNCTION: i128 = 16;

impl ElementCost {
    /// The cost of an element that a function body computes.
    pub(super) fn of(body: &Expr, functions: &[Function]) -> ElementCost {
        let is_whole = !body.ty.is_element() && stores(body);
        ElementCost {
            iterations: iterations_of_reductions(body),
            operations: operations(body, functions),
            is_whole,
        }
    }

    /// Whether it is computed about as fast as it is loaded.
    pub(super) fn is_cheap(self) -> bool {
        self.iterations == Multiplicity::NEVER && self.operations <= CHEAP && !self.is_whole
    }

    /// Whether kernels of its own should compute the array, if each element is read this often, and rows in
    /// this way.
    pub(super) fn is_worth_a_kernel(self, times: Multiplicity, read_by: ReadBy) -> bool {
        let takes_many_iterations =
            self.iterations > Multiplicity::NEVER && self.iterations.times(times) > QUICKLY_REPEATED;
        let is_long = self.iterations > Multiplicity::NEVER || self.operations >= OPERATIONS_OF_A_FUNCTION;
        let is_read_often = times > FEW_READS && (is_long || self.exceeds_the_bound(times));
        (times > Multiplicity::ONCE && takes_many_iterations)
            || is_read_often
            || (self.is_whole && read_by == ReadBy::Element)
    }

    /// Whether computing an element for each read takes more than [`FACTOR`] times as long as computing it
    /// once and loading it. An element counts as its operations and a load, a read as a load and an
    /// operation.
    fn exceeds_the_bound(self, times: Multiplicity) -> bool {
        let element = self.operations.saturating_add(1);
        match times {
            // Reads of zipped arrays are counted together, although usually only one of these arrays is read
            // often.
            Multiplicity::Known(reads) => {
                let computed = reads.saturating_mul(element.saturating_add(1));
                computed > element.saturating_add(reads.saturating_mul(2)).saturating_mul(2 * FACTOR)
            }
            // For many reads, the cost of computing the element once no longer counts.
            Multiplicity::Many => element + 1 > 2 * FACTOR,
        }
    }

    /// Whether the work-item that needs the array should keep it.
    pub(super) fn is_worth_keeping(self, times: Multiplicity, read_by: ReadBy) -> bool {
        let is_long = self.iterations > Multiplicity::NEVER || self.operations > CHEAP_NEARBY;
        let is_read_often = times > FEW_READS && self.operations > CHEAP;
        (times > Multiplicity::ONCE && is_long)
            || is_read_often
            || (self.is_whole && read_by == ReadBy::Element)
    }
}

/// The approximate number of operations of an element outside of loops.
pub(super) fn operations(expr: &Expr, functions: &[Function]) -> i128 {
    let own = match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => 1,
        ExprKind::Builtin(builtin, _) => operations_of(*builtin),
        ExprKind::Function(called, _) => {
            functions.get(*called).map_or(1, |called| operations(&called.body, functions))
        }
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Size(_)
        | ExprKind::Tuple(_)
        | ExprKind::Component(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Let { .. }
        | ExprKind::If(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Map(..)
        | ExprKind::Reduce(..)
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..)
        | ExprKind::Generate(..)
        | ExprKind::Zip(_)
        | ExprKind::Layout(..)
        | ExprKind::PadConstant { .. }
        | ExprKind::Store(..)
        | ExprKind::Concat(_)
        | ExprKind::At(..)
        | ExprKind::Repeat(..)
        | ExprKind::EndUnless(..)
        | ExprKind::Unzip(_) => 0,
    };
    expr.children().map(|child| operations(child, functions)).fold(own, i128::saturating_add)
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
        | Builtin::Rint
        | Builtin::Ldexp
        | Builtin::Copysign
        | Builtin::IsNan
        | Builtin::IsFinite
        | Builtin::Fma
        | Builtin::Mad
        | Builtin::ClampValue
        | Builtin::Sign
        | Builtin::Select
        | Builtin::Shl
        | Builtin::Shr
        | Builtin::Rotl
        | Builtin::Rotr
        | Builtin::MulHi
        | Builtin::Popcount
        | Builtin::LeadingZeros
        | Builtin::TrailingZeros
        | Builtin::ToBits
        | Builtin::FromBits => 1,
        Builtin::Sqrt
        | Builtin::Rsqrt
        | Builtin::Dot
        | Builtin::Fmod
        | Builtin::Powi
        | Builtin::WrappingPow
        | Builtin::Native(_) => 4,
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
        | Builtin::Tanh
        | Builtin::Asinh
        | Builtin::Acosh
        | Builtin::Atanh
        | Builtin::Log1p
        | Builtin::Expm1
        | Builtin::Erf
        | Builtin::Erfc
        | Builtin::Lgamma
        | Builtin::Tgamma
        | Builtin::Hypot => OPERATIONS_OF_A_FUNCTION,
    }
}
