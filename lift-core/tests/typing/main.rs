//! The typing rules as data: the checker of typed programs over all programs that are at hand and over broken
//! ones, and typed constructors.

mod broken;
mod build;
mod corpus;
mod support;
