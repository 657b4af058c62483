//! Mismatches and kinds in words. Inference has sentences of its own, which name what the user wrote.

use std::fmt;

use super::judge::{Kind, Mismatch};
use crate::ir::nat::Remainder;
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::Requirement;

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NoArray(ty) => write!(formatter, "`{ty}` is not an array"),
            Mismatch::Irregular(array) => {
                write!(formatter, "the elements of an array of {} depend on their position", array.length)
            }
            Mismatch::Columns { row, length } => {
                write!(formatter, "row `{row}` has {length} elements, so that there are no columns")
            }
            Mismatch::NotInTurn { row, length } => {
                write!(formatter, "row `{row}` has {length} elements, so that the rows do not take turns")
            }
            Mismatch::Joined(_) => {
                formatter.write_str("no formula says where an element of the joined rows stands")
            }
            Mismatch::Types { wanted, found, .. } => write!(formatter, "`{found}` is not `{wanted}`"),
            Mismatch::Sizes(left, right) => write!(formatter, "{left} is not {right}"),
            Mismatch::Refuted(need) => write!(formatter, "it never holds that {}", need.requirement),
            Mismatch::Outside { position, image, length } => {
                write!(formatter, "position {position} is mapped to {image}, outside an array of {length}")
            }
            Mismatch::NeverInside(length) => write!(formatter, "no position lies in an array of {length}"),
            Mismatch::Collision { first, second, image } => {
                write!(formatter, "positions {first} and {second} are both mapped to {image}")
            }
            Mismatch::Kind { wanted, found } => write!(formatter, "`{found}` is not {wanted}"),
            Mismatch::Count { wanted, found } => {
                write!(formatter, "there are {found} where {wanted} are wanted")
            }
            Mismatch::NoComponent { position, tuple } => {
                write!(formatter, "`{tuple}` has no component {position}")
            }
            Mismatch::Width(width) => write!(formatter, "there are no vectors of {width}"),
            Mismatch::NoFunction(position) => write!(formatter, "there is no function {position}"),
            Mismatch::NoIndex => formatter.write_str("a function does not say how it calls its position"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = |class: &ScalarClass| match class {
            ScalarClass::Any => "scalar",
            ScalarClass::Bits => "integer or a truth value",
            ScalarClass::Number => "number",
            ScalarClass::Integer => "integer",
            ScalarClass::Float => "float",
        };
        match self {
            Kind::Scalar(of) => write!(formatter, "a {}", class(of)),
            Kind::Truth => formatter.write_str("a truth value"),
            Kind::Operand(of) => write!(formatter, "a {} or a vector", class(of)),
            Kind::TruthOperand => formatter.write_str("a truth value or a vector of them"),
            Kind::Size => formatter.write_str("a size"),
            Kind::Vector => formatter.write_str("a vector"),
            Kind::Element => formatter.write_str("a number, a vector or a tuple of such"),
            Kind::Tuple => formatter.write_str("a tuple"),
        }
    }
}

/// As a condition of a program would be written.
impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Equal(left, right) => write!(formatter, "{left} == {right}"),
            Requirement::AtMost(left, right) => write!(formatter, "{left} <= {right}"),
            Requirement::Divides(divisor, size) => write!(formatter, "{} == 0", Remainder(size, divisor)),
            Requirement::Holds(condition) => write!(formatter, "{condition}"),
            Requirement::Permutation { index, image, length } => {
                write!(formatter, "|{index}| {image} is a permutation of the positions below {length}")
            }
        }
    }
}
