//! `as` between all types of scalars, with what is known of the results.

use super::scalars::Number;
use super::types::{Element, Scalar};

/// A number of one type as one of another. Truth values are made by a comparison.
pub(super) fn converted(number: Number, from: Element, to: Element) -> Number {
    if from == to {
        return number;
    }
    let Number { text, bound } = number;
    match (from, to) {
        // Which of the floats are equal to zero, and which are NaN, is known.
        (_, Element::Bool) => Number { text: format!("({text} > 0)"), bound: 1.0 },
        // As in Rust, which knows no truth values as floats.
        (Element::Bool, _) if to.is_float() => {
            Number { text: format!("(if {text} {{ 1 }} else {{ 0{} }})", to.name()), bound: 1.0 }
        }
        (Element::Bool, _) => Number { text: format!("({text} as {})", to.name()), bound: 1.0 },
        (_, _) => {
            // A negative integer becomes a large one, a negative float becomes zero.
            let wraps = to.is_unsigned() && from.is_integer() && !from.is_unsigned();
            let bound = if wraps { f64::INFINITY } else { Scalar::new(to, bound).bound };
            Number { text: format!("({text} as {})", to.name()), bound }
        }
    }
}
