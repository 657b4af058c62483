//! What parts of a reduction start from, where one part starts from the value before all of them.

use crate::ir::scalar::Literal;

/// The identity element of an operator.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::middle) enum Identity {
    /// A scalar. Of an operator on arrays or vectors, every element or component.
    Literal(Literal),
    /// The identity element of each component of a tuple.
    Tuple(Vec<Identity>),
    /// The identity element of each element of an array, where they differ.
    Array(Vec<Identity>),
}

/// A value that an associative operator may combine with some elements, and the result with the value before,
/// so that this is the reduction of the value before and these elements.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::middle) enum Start {
    /// A value that changes nothing.
    Identity(Identity),
    /// The value before, which may be combined with itself.
    Before,
    /// One for each component of a tuple.
    Tuple(Vec<Start>),
    /// One for each element of an array.
    Array(Vec<Start>),
}

impl Start {
    /// The start of a tuple whose components have these.
    pub(super) fn of_tuple(components: Vec<Start>) -> Start {
        match identities(&components) {
            Some(identities) => Start::Identity(Identity::Tuple(identities)),
            None => Start::Tuple(components),
        }
    }

    /// The start of a small array whose elements have these.
    pub(super) fn of_array(elements: Vec<Start>) -> Start {
        // What is the same for all elements is said once.
        if let [first @ (Start::Identity(_) | Start::Before), others @ ..] = elements.as_slice()
            && others.iter().all(|other| other == first)
        {
            return first.clone();
        }
        match identities(&elements) {
            Some(identities) => Start::Identity(Identity::Array(identities)),
            None => Start::Array(elements),
        }
    }

    /// The identity element, if the operator has one.
    pub(super) fn identity(&self) -> Option<&Identity> {
        match self {
            Start::Identity(identity) => Some(identity),
            Start::Before | Start::Tuple(_) | Start::Array(_) => None,
        }
    }
}

fn identities(starts: &[Start]) -> Option<Vec<Identity>> {
    starts.iter().map(|start| start.identity().cloned()).collect()
}
