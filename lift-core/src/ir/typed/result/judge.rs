//! What typing asks of whoever types, and what it answers.
//!
//! A rule of this folder is written once, for three who know different things. Inference has unknowns: it
//! solves equations, and learns of a type what a rule takes for granted. Rewriting and the checker have types
//! that are complete: they prove equations, or collect them ([`Prover`](super::Prover)). What differs between
//! them is the [`Judge`].

use std::sync::Arc;

use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::Requirement;
use crate::ir::types::{ArrayType, Type};

/// Decides what the typing rules leave open. Every question may teach the judge something, so the order in
/// which a rule asks is part of the rule: a result is simplified by the requirements before it.
pub trait Judge {
    /// A new variable for the position in an array.
    fn position(&mut self, name: &str) -> Var;

    /// The size in its simplest form.
    fn simplified(&self, size: &Nat) -> Nat;

    /// What is known of sizes.
    fn ranges(&self) -> &Ranges;

    /// The type with everything that is known of it.
    fn resolved(&self, ty: &Type) -> Type;

    /// The type as an array.
    fn array(&mut self, ty: &Type) -> Result<Arc<ArrayType>, Mismatch>;

    /// Demands something of sizes. An error if it never holds.
    fn need(&mut self, requirement: Requirement, purpose: Purpose) -> Result<(), Mismatch>;

    /// Demands that two sizes are equal.
    fn equal_sizes(&mut self, left: &Nat, right: &Nat, purpose: Purpose) -> Result<(), Mismatch>;

    /// Demands that two types are equal.
    fn equal_types(&mut self, wanted: &Type, found: &Type) -> Result<(), Mismatch>;

    /// Whether two types are equal, given these ranges. Nothing is learned from the answer.
    fn are_equal(&self, left: &Type, right: &Type, ranges: &Ranges) -> bool;

    /// What has been seen to before a rule is asked.
    fn arguments(&self) -> Arguments;

    /// Demands that an argument is a natural number, unless that has been seen to.
    fn natural(&mut self, size: &Nat) -> Result<(), Mismatch> {
        match self.arguments() {
            Arguments::Unchecked => {
                self.need(Requirement::AtMost(Nat::zero(), size.clone()), Purpose::NotNegative)
            }
            Arguments::Natural | Arguments::Unreached => Ok(()),
        }
    }
}

/// What is known of the sizes that are the arguments of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// Nothing: the rule demands that they are natural numbers.
    Unchecked,
    /// They are natural numbers: whoever read them demanded it, and said so at the argument.
    Natural,
    /// They do not matter, because the function around the call is never applied (`iterate(0, f)`).
    Unreached,
}

/// What a primitive needs something of sizes for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// `split(m)`: the chunks fill the array.
    ChunksFill,
    /// `asVector(n)`: the vectors fill the array.
    VectorsFill,
    /// `partition`: the rows take all elements.
    RowsFill,
    /// `slide`: a window is not larger than the array.
    WindowFits,
    /// `slide`: the last window ends at the last element. The sizes are those of a window and of the array.
    WindowsFill(Nat, Nat),
    /// `pad`: the array has an element to repeat.
    NotEmpty,
    /// `stride(s)`: the stride divides the length, so that it is a permutation.
    StrideFills,
    /// `gather`, `pad`: the value of an index function (the first size) lies inside an array (the length is
    /// the second size).
    IndexInside(Nat, Nat),
    /// `at`, `head`, `last`: there is an element at the position.
    ElementExists,
    /// `slice`: the elements lie inside the array. The sizes are the position of the first and how many there
    /// are.
    SliceFits(Nat, Nat),
    /// `scatter`: no two elements are written to one place.
    OnePlaceEach,
    /// A size is a natural number.
    NotNegative,
    /// A size that divides something is at least 1.
    Positive,
    /// Two lengths are equal.
    SameSize,
    /// There is room for a row.
    RoomSuffices,
    /// `sort` and its like: the positions of all elements, counted from 1, are numbers of type `u32`. The size is
    /// the number of elements.
    Numbered(Nat),
}

impl Purpose {
    /// The same purpose with an operation applied to its sizes.
    #[must_use]
    pub fn map(&self, size: impl Fn(&Nat) -> Nat) -> Purpose {
        match self {
            Purpose::WindowsFill(window, length) => Purpose::WindowsFill(size(window), size(length)),
            Purpose::IndexInside(index, length) => Purpose::IndexInside(size(index), size(length)),
            Purpose::Numbered(length) => Purpose::Numbered(size(length)),
            Purpose::SliceFits(start, count) => Purpose::SliceFits(size(start), size(count)),
            Purpose::ChunksFill
            | Purpose::VectorsFill
            | Purpose::RowsFill
            | Purpose::WindowFits
            | Purpose::NotEmpty
            | Purpose::StrideFills
            | Purpose::ElementExists
            | Purpose::OnePlaceEach
            | Purpose::NotNegative
            | Purpose::Positive
            | Purpose::SameSize
            | Purpose::RoomSuffices => self.clone(),
        }
    }
}

/// A requirement, and what it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// What must hold.
    pub requirement: Requirement,
    /// What it is needed for.
    pub purpose: Purpose,
}

/// Why an expression has no type.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// This is not an array.
    NoArray(Type),
    /// The element type of this array depends on the position.
    Irregular(ArrayType),
    /// Rows have lengths that depend on their position, so that there are no columns.
    Columns {
        /// The position.
        row: Var,
        /// The length of the row there.
        length: Nat,
    },
    /// Rows have other lengths than rows that take the elements of an array in turn.
    NotInTurn {
        /// The position of a row.
        row: Var,
        /// The length of the row there.
        length: Nat,
    },
    /// There is no formula for the type of the elements of these rows, joined.
    Joined(ArrayType),
    /// Two types differ; so do two of their sizes, if these are known.
    Types {
        /// What is wanted.
        wanted: Type,
        /// What is found.
        found: Type,
        /// The sizes that differ.
        sizes: Option<(Nat, Nat)>,
    },
    /// Two sizes differ.
    Sizes(Nat, Nat),
    /// A requirement never holds.
    Refuted(Need),
    /// A function maps a position outside the array.
    Outside {
        /// The position.
        position: Nat,
        /// Where it is mapped to.
        image: Nat,
        /// The length of the array.
        length: Nat,
    },
    /// A function maps no position into an array of this length.
    NeverInside(Nat),
    /// A function maps two positions to one place.
    Collision {
        /// The one position.
        first: Nat,
        /// The other position.
        second: Nat,
        /// The place.
        image: Nat,
    },
    /// This type is not of the kind that is wanted.
    Kind {
        /// The kind.
        wanted: Kind,
        /// The type.
        found: Type,
    },
    /// A number of things: parameters, arguments, arrays.
    Count {
        /// How many are wanted, at least or exactly.
        wanted: usize,
        /// How many are found.
        found: usize,
    },
    /// A tuple has no component at this position.
    NoComponent {
        /// The position.
        position: usize,
        /// The type of the tuple.
        tuple: Type,
    },
    /// There is no vector of this width.
    Width(u8),
    /// A program has no user function at this position.
    NoFunction(usize),
    /// A function that is applied at positions, or in numbered applications, does not say how it calls them.
    NoIndex,
}

/// A kind of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A scalar of a class.
    Scalar(ScalarClass),
    /// A truth value.
    Truth,
    /// A scalar of a class, or a vector of such.
    Operand(ScalarClass),
    /// A truth value, or a vector of such.
    TruthOperand,
    /// A size, or an integer.
    Size,
    /// A vector.
    Vector,
    /// A tuple.
    Tuple,
    /// A scalar, a vector or a tuple of such.
    Element,
}
