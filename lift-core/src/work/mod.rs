//! Work as a formula: the number of loads and operations of a program, as formulas over its sizes.
//!
//! Input: a typed program. There are two formulas:
//!
//! - [`of_program`], the *sequential work*: the work of the program's meaning, which a reader can count in
//!   the source;
//! - [`of_kernels`], the *work of its kernels*: the work of all work-items together.
//!
//! The cost of a program can be read in its source, because the second is at most a few times the first.
//!
//! # What counts
//!
//! - A *load* is an element of an array that is read. A function that is applied to an element of an array
//!   loads each part of it that it mentions, once for each call, however often it mentions the part. Rows are
//!   not parts, because a function that takes a row has loaded nothing of it yet. `at` loads all parts of its
//!   element.
//! - An *operation* is an operator, a built-in function or a conversion that is applied to numbers or truth
//!   values.
//! - A vector counts as many loads and operations as it has components.
//! - A choice counts its condition, and the loads and the operations of the branch that has more of each.
//!
//! Not counted: stores, the arithmetic of sizes and indices, comparisons of these, and waiting.
//!
//! # Sequential work
//!
//! It is counted in the way that [`eval`](crate::eval) computes. A `let` is computed once each time its place
//! is reached; the body of a map once for each element; the function of a reduction or a scan once for each
//! element, for `scanInclusive` once less; the function of an `iterate` once for each application, at the
//! sizes of that application. Layouts, zips and components are free. *Arrays count as stored*: the elements
//! of a map are computed once, where the map stands, and loaded wherever and however often they are read,
//! even if the compiler stores none of them. Elements that are never read are computed all the same.
//!
//! # Work of kernels
//!
//! It is counted in the kernels that the host executes ([`host`](crate::host)), in which nothing is divided
//! among work-items: every parallel loop has all its iterations, so that totals are products of trip counts.
//! The passes for a device ([`device`](crate::device)) divide these iterations. The work that they add is
//! left out: the parts of windows that neighbours both load, values that each work-item of a group computes
//! for itself because waiting for another one costs more, and prefetches that nobody needs. They also remove
//! work: loads into registers that are used again.
//!
//! A branch that depends only on positions is counted at the positions that take it, where there is a formula
//! for their number.
//!
//! # Formulas
//!
//! Work that depends on a position or an application is summed. A sum stays where it has few terms, at most
//! 4096 or a logarithm. Otherwise, where [`nat`](crate::ir::nat) has no closed form, it is replaced by its
//! number of terms times an upper bound of the terms, if there is one.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lift_core::ir::nat::Nat;
//! use lift_core::ir::scalar::{BinaryOperator, ScalarType};
//! use lift_core::ir::source::Source;
//! use lift_core::ir::typed::*;
//! use lift_core::ir::types::Type;
//! use lift_core::work;
//!
//! // |a: [f32; 1000]| map(|x| x * x, a)
//! let number = Type::Scalar(ScalarType::F32);
//! let numbers = Type::array(number.clone(), Nat::constant(1000));
//! let variable = |id, name: &str| Variable { id, name: name.into() };
//! let node =
//!     |ty: &Type, kind| Arc::new(Expr { id: NodeId(0), ty: ty.clone(), source: Source::UNKNOWN, kind });
//! let (a, x) = (variable(0, "a"), variable(1, "x"));
//! let read = || node(&number, ExprKind::Variable(x.clone()));
//! let square = node(&number, ExprKind::Binary(BinaryOperator::Multiply, read(), read()));
//! let square = Lambda { parameters: vec![(x.clone(), number.clone())], index: None, body: square };
//! let input = node(&numbers, ExprKind::Variable(a.clone()));
//! let body = node(&numbers, ExprKind::Map(MapKind::Unspecified, square, input));
//! let parameter = Parameter { variable: a, ty: ParameterType::Value(numbers), source: Source::UNKNOWN };
//! let program = Program { parameters: vec![parameter], ..Program::new("squares", body, 2) };
//!
//! let sequential = work::of_program(&program);
//! assert_eq!(sequential.loads, Nat::constant(1000));
//! assert_eq!(sequential.operations, Nat::constant(1000));
//! let kernels = work::of_kernels(&program).expect("it compiles");
//! assert_eq!(kernels.operations, Nat::constant(1000));
//! ```

mod kernels;
mod positions;
mod sequential;

use crate::ir::nat::{Condition, Nat, Ranges, Substitution};

pub use kernels::of_kernels;
pub use sequential::of_program;

/// Loads and operations, as formulas over the sizes of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Elements of arrays that are read.
    pub loads: Nat,
    /// Operators, built-in functions and conversions.
    pub operations: Nat,
}

impl Work {
    /// No work.
    pub fn none() -> Work {
        Work { loads: Nat::zero(), operations: Nat::zero() }
    }

    /// Loads and operations together.
    pub fn total(&self) -> Nat {
        &self.loads + &self.operations
    }

    /// This number of loads.
    fn of_loads(loads: u64) -> Work {
        Work { loads: Nat::constant(i128::from(loads)), operations: Nat::zero() }
    }

    /// This number of operations.
    fn of_operations(operations: u64) -> Work {
        Work { loads: Nat::zero(), operations: Nat::constant(i128::from(operations)) }
    }

    /// The sum of both.
    fn and(&self, other: &Work) -> Work {
        self.with(other, |own, other| own + other)
    }

    /// This work `count` times.
    fn times(&self, count: &Nat) -> Work {
        self.map(|part| part * count)
    }

    /// The larger number of loads, and the larger number of operations.
    fn or(&self, other: &Work) -> Work {
        self.with(other, Nat::max)
    }

    /// This work where a comparison of positions holds, and the other work elsewhere.
    fn where_holds(&self, condition: &Condition, otherwise: &Work) -> Work {
        self.with(otherwise, |then, otherwise| Nat::select(condition, then, otherwise))
    }

    fn substitute(&self, substitution: &Substitution) -> Work {
        self.map(|part| part.substitute(substitution))
    }

    fn simplified(&self, ranges: &Ranges) -> Work {
        self.map(|part| ranges.simplify(part))
    }

    fn map(&self, change: impl Fn(&Nat) -> Nat) -> Work {
        Work { loads: change(&self.loads), operations: change(&self.operations) }
    }

    fn with(&self, other: &Work, combine: impl Fn(&Nat, &Nat) -> Nat) -> Work {
        Work {
            loads: combine(&self.loads, &other.loads),
            operations: combine(&self.operations, &other.operations),
        }
    }
}

impl<'w> std::iter::Sum<&'w Work> for Work {
    fn sum<I: Iterator<Item = &'w Work>>(parts: I) -> Work {
        parts.fold(Work::none(), |total, part| total.and(part))
    }
}

impl std::iter::Sum for Work {
    fn sum<I: Iterator<Item = Work>>(parts: I) -> Work {
        parts.fold(Work::none(), |total, part| total.and(&part))
    }
}
