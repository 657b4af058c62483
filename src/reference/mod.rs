//! The language reference: what can be written inside [`lift!`](crate::lift!), what it means, and what each
//! primitive needs.
//!
//! - [expressions]: literals, functions and currying, `>>`, tuples, patterns, `let`, operators, `if`, casts
//! - [sizes]: types, and the sizes in them, which are compared for all values of their variables
//! - [items]: kernels, user functions, constants, closures, attributes
//! - primitives:
//!     - [algorithmic], which say what is computed: `map`, `reduce`, `zip`, …
//!     - [layout], which say where elements are: `split`, `join`, `transpose`, `gather`, `slide`, …
//!     - [borders], which make arrays larger at their ends: `pad`, `padConstant`, …
//!     - [opencl], which say how something is computed: `mapGlb0`, `mapSeq`, `toLocal`, …
//!     - [vectors]: `asVector`, `asScalar`, …
//! - [functions]: built-in functions on scalars and vectors
//! - [cost]: how often things are computed
//! - [errors]: when each kind of mistake is found
//!
//! There is one entry for every primitive. Its type is written as if the primitive took one argument after
//! another: `A` and `B` are any types, `size` is a [size](sizes), `n`, `m`, … are the sizes of arrays.
//!
//! This module holds documentation only.

pub mod algorithmic;
pub mod borders;
pub mod cost;
pub mod errors;
pub mod expressions;
pub mod functions;
pub mod items;
pub mod layout;
pub mod opencl;
pub mod sizes;
pub mod vectors;
