//! The data that the stages of the compiler exchange, in the order in which the modules build on each other.
//!
//! - [`source`]: a position in the user's program;
//! - [`scalar`]: element types, operators and literals; `half_precision` rounds to one of these types;
//! - [`nat`]: the algebra of sizes and indices;
//! - [`primitive`]: the table of primitives and built-in functions;
//! - [`types`]: types, whose sizes are formulas;
//! - [`typed`]: the typed program, the output of inference;
//! - [`kernel`]: the kernel tree, the output of code generation;
//! - [`names`]: names that are unique in a kernel;
//! - [`code`]: the code of a program, before it is decided who executes it.

pub mod code;
pub(crate) mod half_precision;
pub mod kernel;
pub mod names;
pub mod nat;
pub mod primitive;
pub mod scalar;
pub mod source;
pub mod typed;
pub mod types;
