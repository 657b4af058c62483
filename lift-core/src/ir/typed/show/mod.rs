//! Typed programs in the syntax of the language: text that means the same program again.
//!
//! What goes in is any typed program, also one that rules have changed. What comes out is what stands between
//! the braces of a `lift!`: an item behind the user functions that it calls, or a closure or an expression
//! where element types are open, which no item has. Parsing and typing the text gives an equal program
//! (`typed::alpha`), and the same kernels. What the language cannot say is an error ([`Unsayable`]) and never
//! text of some other language.
//!
//! The text is meant to be what a person would have written: chains of `>>`, derived primitives instead of
//! their compositions (`typed::shapes`), functions without parameters where their parameters have no names,
//! the program's own names, types of literals only where they must be said, lines of at most 100 columns. It
//! depends on nothing but the program.
//!
//! - `document`: text that knows where its lines may be broken. `strength`: where parentheses are needed.
//! - `names`: names in scope. `size`: sizes, conditions and types. `literals`: which literals have types.
//! - `item`: the whole; `expression`, `chain` (what stands between `>>`) and `function` (functions that a
//!   primitive applies) are its parts.
//!
//! A layout is added in `chain`.

mod chain;
mod document;
mod expression;
mod function;
mod item;
mod literals;
mod names;
mod size;
mod strength;
mod unsayable;
mod words;

pub use item::{show, show_term};
pub use unsayable::Unsayable;
