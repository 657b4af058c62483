//! Finding out what is wrong, and what was perhaps meant, once a rule does not apply.
//!
//! Nothing here changes what a right program means. What is found is an [`Error`](super::error::Error), whose
//! sentence is in `error`.
//!
//! - `names`: names that mean nothing here;
//! - `arguments`: arguments that are missing, or stand in another order;
//! - `bitwise`: what looks like shifts and methods on bits;
//! - `conversion`: what would make a value have the type that is wanted.

mod arguments;
mod bitwise;
mod conversion;
mod names;
