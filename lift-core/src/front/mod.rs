//! From what the user wrote to a typed program: [`syntax`] comes in, [`infer`] makes
//! [`typed`](crate::ir::typed) of it, [`flatten`] takes rows out of it whose lengths only data knows.

pub mod flatten;
pub mod infer;
pub mod syntax;
