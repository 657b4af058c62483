//! The checker of typed programs, over all programs that are at hand, and over broken ones.

mod broken;
mod corpus;
