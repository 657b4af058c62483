//! From what the user wrote to a typed program: [`syntax`] comes in, [`infer`] makes
//! [`typed`](crate::ir::typed) of it.

pub mod infer;
pub mod syntax;
