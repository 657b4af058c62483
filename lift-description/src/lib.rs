//! What the compiler and the runtime of `lift!` both say of a program: element types, forms, kernels with
//! their arguments, and the order in which they are launched.
//!
//! The compiler writes a description while the user's crate is built, the macro prints it as a constant, and
//! the runtime reads that constant when the program runs. The types are defined once, here. This crate is an
//! implementation detail of the crate `lift` and exempt from semantic versioning.
//!
//! Two things differ between the compiler and the runtime: what a size is (a formula over variables, or a
//! small tree over positions), and what a list is (a `Vec`, or a slice that lives for ever). A [`Notation`]
//! says which. *This crate depends on no other and decides nothing:* it holds types, and plain facts about
//! them.

#![forbid(unsafe_code)]

use std::fmt::Debug;

mod exactness;
mod form;
mod kernel;
mod scalar;
mod step;

pub use exactness::Exactness;
pub use form::{DeviceClass, Form, Guard, PLAIN, Temporary};
pub use kernel::{Argument, Distribution, Kernel, Launches};
pub use scalar::{ScalarClass, ScalarType, TypeParameter};
pub use step::{Action, Alternation, End, Portion, Repetition};

/// How a description is written: what stands in it for texts, variables, sizes, conditions and lists.
///
/// The bounds are what descriptions derive; `'static` is for lists that are slices.
pub trait Notation: Clone + Debug + PartialEq + 'static {
    /// A name, or a longer text.
    type Text: Clone + Debug + PartialEq + 'static;
    /// A variable in sizes.
    type Variable: Clone + Debug + PartialEq + 'static;
    /// A size: a formula over variables.
    type Size: Clone + Debug + PartialEq + 'static;
    /// A condition on sizes.
    type Condition: Clone + Debug + PartialEq + 'static;
    /// Several of something.
    type List<T: Clone + Debug + PartialEq + 'static>: AsRef<[T]> + Clone + Debug + PartialEq + 'static;
}
