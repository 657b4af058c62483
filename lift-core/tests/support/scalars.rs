//! Random expressions on scalars: the user functions of a program.

use super::choices::Choices;
use super::conversions::converted;
use super::layouts::one_element;
use super::truth::truth;
use super::types::{Element, Length, Scalar, Type};

/// A variable in scope.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    /// Its name, or a component's: `t.0`.
    pub(crate) name: String,
    pub(crate) ty: Type,
}

/// An expression with its largest magnitude.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub(super) text: String,
    pub(super) bound: f64,
}

/// A scalar expression over the variables in scope, most likely over the newest.
pub(crate) fn scalar_expression(choices: &mut Choices, scope: &[Variable]) -> (String, Scalar) {
    let newest = scope.iter().rev().find_map(|variable| variable.ty.as_scalar());
    let element = newest.map_or(Element::F32, |scalar| scalar.element);
    let element = match choices.below(12) {
        10 => choices.pick(&Element::NUMBERS),
        11 => choices.pick(&[Element::I32, Element::F32, Element::Bool]),
        _ => element,
    };
    let number = expression(choices, scope, element, 3);
    (number.text, Scalar::new(element, number.bound))
}

pub(super) fn expression(
    choices: &mut Choices,
    scope: &[Variable],
    element: Element,
    depth: usize,
) -> Number {
    if element == Element::Bool {
        return truth(choices, scope, depth);
    }
    if depth == 0 {
        return atom(choices, scope, element);
    }
    let operand = |choices: &mut Choices| expression(choices, scope, element, depth - 1);
    match choices.below(17) {
        0 | 1 => atom(choices, scope, element),
        2 | 3 => {
            let (left, right) = (atom(choices, scope, element), operand(choices));
            arithmetic(element, "+", left, right)
        }
        4 => {
            let (left, right) = (operand(choices), atom(choices, scope, element));
            arithmetic(element, "-", left, right)
        }
        5 | 6 => {
            let (left, right) = (atom(choices, scope, element), operand(choices));
            if choices.one_in(4) {
                let addend = atom(choices, scope, element);
                return multiply_add(element, left, right, addend);
            }
            arithmetic(element, "*", left, right)
        }
        7 => {
            let name = choices.pick(&["min", "max"]);
            let (left, right) = (atom(choices, scope, element), operand(choices));
            let bound = left.bound.max(right.bound);
            Number { text: format!("{name}({}, {})", left.text, right.text), bound }
        }
        8 | 14 => choice(choices, scope, element, depth),
        9 => {
            let number = operand(choices);
            if choices.one_in(2) {
                return Number { text: format!("abs({})", number.text), ..number };
            }
            let text = if element.is_signed() {
                format!("(-{})", number.text)
            } else {
                format!("(7 - {})", number.text)
            };
            Number { text, bound: Scalar::difference(element, number.bound).bound }
        }
        10 if element.is_integer() && choices.one_in(2) => bits(choices, scope, element, depth),
        10 => {
            let number = operand(choices);
            division(choices, number, element)
        }
        11 => lookup(choices, scope, element, depth),
        12 => quick(choices, scope, element, depth),
        15 => clamped(choices, scope, element, depth),
        16 => conversion(choices, scope, element, depth),
        _ => bound_once(choices, scope, element, depth),
    }
}

/// A variable, a converted variable, or a literal.
pub(super) fn atom(choices: &mut Choices, scope: &[Variable], element: Element) -> Number {
    let scalars: Vec<_> =
        scope.iter().rev().filter_map(|variable| Some((variable, variable.ty.as_scalar()?))).collect();
    if scalars.is_empty() || choices.one_in(4) {
        return literal(choices, element);
    }
    let same: Vec<_> = scalars.iter().filter(|(_, scalar)| scalar.element == element).collect();
    // Every second choice is the newest variable.
    let position = if choices.one_in(2) { choices.below(scalars.len().max(1)) } else { 0 };
    if let Some((variable, scalar)) = same.get(position).or(same.first()) {
        return Number { text: variable.name.clone(), bound: scalar.bound };
    }
    let (variable, scalar) = &scalars[position.min(scalars.len() - 1)];
    let number = Number { text: variable.name.clone(), bound: scalar.bound };
    converted(number, scalar.element, element)
}

/// A small number, or one at the edge of its type.
pub(super) fn literal(choices: &mut Choices, element: Element) -> Number {
    if element == Element::Bool {
        return Number { text: choices.pick(&["false", "true"]).to_owned(), bound: 1.0 };
    }
    if let Some((least, greatest)) = element.limits()
        && choices.one_in(12)
    {
        let name = element.name();
        let text = match choices.below(3) {
            0 if least < 0 => format!("(-{greatest}{name} - 1)"),
            1 => format!("{}{name}", greatest - 1),
            _ => format!("{greatest}{name}"),
        };
        return Number { text, bound: f64::INFINITY };
    }
    let value = choices.below(7);
    let point = if element.is_float() && choices.one_in(2) { ".0" } else { "" };
    Number { text: format!("{value}{point}{}", element.name()), bound: value as f64 }
}

/// An operator, or `min` where the result could be too large.
fn arithmetic(element: Element, operator: &str, left: Number, right: Number) -> Number {
    let bound = match operator {
        // Zero times an integer that may wrap is not "not a number".
        "*" if left.bound == 0.0 || right.bound == 0.0 => 0.0,
        "*" => left.bound * right.bound,
        _ => left.bound + right.bound,
    };
    if element.allows(bound) {
        let bound = match operator {
            "-" => Scalar::difference(element, bound).bound,
            _ => Scalar::new(element, bound).bound,
        };
        let right = if is_literal(&left.text) { &right.text } else { untyped(&right.text, element) };
        return Number { text: format!("({} {operator} {right})", left.text), bound };
    }
    Number { text: format!("min({}, {})", left.text, right.text), bound: left.bound.max(right.bound) }
}

/// `mad(x, y, z)`, or a sum where the result could be too large.
fn multiply_add(element: Element, left: Number, right: Number, addend: Number) -> Number {
    let product = if left.bound == 0.0 || right.bound == 0.0 { 0.0 } else { left.bound * right.bound };
    let bound = product + addend.bound;
    if !element.allows(bound) {
        return arithmetic(element, "+", left, addend);
    }
    let text = format!("mad({}, {}, {})", left.text, right.text, addend.text);
    Number { text, bound: Scalar::new(element, bound).bound }
}

fn is_literal(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A literal without the suffix of its type, which the context fixes.
pub(super) fn untyped(text: &str, element: Element) -> &str {
    if is_literal(text) { text.strip_suffix(element.name()).unwrap_or(text) } else { text }
}

/// One of two expressions.
fn choice(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let (then, otherwise) =
        (expression(choices, scope, element, depth - 1), expression(choices, scope, element, depth - 1));
    let bound = then.bound.max(otherwise.bound);
    let condition = truth(choices, scope, depth - 1).text;
    let text = match choices.below(3) {
        0 => format!("select({condition}, {}, {})", then.text, otherwise.text),
        _ => format!("(if {condition} {{ {} }} else {{ {} }})", then.text, otherwise.text),
    };
    Number { text, bound }
}

/// An operator on the bits of integers.
fn bits(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let number = expression(choices, scope, element, depth - 1);
    if choices.one_in(4) {
        let bound = Scalar::difference(element, number.bound + 1.0).bound;
        return Number { text: format!("(!{})", number.text), bound };
    }
    let other = atom(choices, scope, element);
    if choices.one_in(2) {
        return function_of_bits(choices, number, &other);
    }
    let operator = choices.pick(&["&", "|", "^"]);
    // No bit of the result is higher than the highest one of both operands.
    let highest = number.bound.max(other.bound).log2().floor() + 1.0;
    let bound = Scalar::new(element, highest.exp2()).bound;
    let right = if is_literal(&number.text) { &other.text } else { untyped(&other.text, element) };
    Number { text: format!("({} {operator} {right})", number.text), bound }
}

/// A function on the bits of integers.
fn function_of_bits(choices: &mut Choices, number: Number, other: &Number) -> Number {
    if choices.one_in(3) {
        let name = choices.pick(&["popcount", "leadingZeros", "trailingZeros"]);
        return Number { text: format!("{name}({})", number.text), bound: 64.0 };
    }
    let name = choices.pick(&["shl", "shr", "rotl", "rotr", "mulHi", "wrappingPow"]);
    if name == "wrappingPow" {
        let text = format!("wrappingPow({}, {} as u32)", number.text, other.text);
        return Number { text, bound: f64::INFINITY };
    }
    Number { text: format!("{name}({}, {})", number.text, other.text), bound: f64::INFINITY }
}

/// A division by a number that is not zero; of floats, a function whose value is exact and not larger.
fn division(choices: &mut Choices, number: Number, element: Element) -> Number {
    let divisor = 1 + choices.below(5);
    let ways = if element.is_integer() { 2 } else { 7 };
    let text = match (element.is_integer(), choices.below(ways)) {
        (true, 0) => format!("({} / {divisor})", number.text),
        (true, _) => format!("({} % {divisor})", number.text),
        (false, 0) => format!("floor({} * 0.5)", number.text),
        (false, 1) => format!("rint({} * 0.5)", number.text),
        (false, 2) => format!("fmod({}, {divisor})", number.text),
        (false, 3) => format!("ldexp(rint({} * 0.25), 1)", number.text),
        (false, 4) => format!("copysign({}, {divisor} - 3)", number.text),
        (false, 5) => format!("select(isFinite({0}), {0}, {divisor})", number.text),
        (false, _) => format!("clampv({}, -{divisor}, {divisor})", number.text),
    };
    Number { text, ..number }
}

/// An expression between two others, which may be the wrong way round.
fn clamped(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let number = expression(choices, scope, element, depth - 1);
    let (low, high) = (atom(choices, scope, element), atom(choices, scope, element));
    let bound = number.bound.max(low.bound).max(high.bound);
    Number { text: format!("clampv({}, {}, {})", number.text, low.text, high.text), bound }
}

/// An expression of another type.
fn conversion(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let from = choices.pick(&Element::NUMBERS);
    let from = if choices.one_in(6) { Element::Bool } else { from };
    converted(expression(choices, scope, from, depth - 1), from, element)
}

/// A function as quick as the device has it, of whole numbers so small that its rounded value is exact all
/// the same: no root or quotient is near a whole number after something is added to it.
fn quick(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let number = expression(choices, scope, element, depth - 1);
    if element != Element::F32 || number.bound > 256.0 {
        return number;
    }
    let text = match choices.below(3) {
        0 => format!("floor(native_sqrt(abs({})) + 0.25)", number.text),
        1 => format!("floor(native_divide({}, 4) + 0.125)", number.text),
        _ => format!("floor(native_recip(8) * {} + 0.0625)", number.text),
    };
    Number { text, ..number }
}

/// An element of an array in scope, at a position that is known or computed from data.
fn lookup(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let arrays: Vec<_> = scope.iter().filter_map(|variable| scalars_in(variable, element)).collect();
    if arrays.is_empty() {
        return atom(choices, scope, element);
    }
    let (name, length, bound) = choices.pick(&arrays);
    let positions = [Element::I32, Element::I32, Element::I32, Element::U8, Element::I64, Element::U32];
    let positions = choices.pick(&positions);
    let index = expression(choices, scope, positions, depth - 1);
    let computed = !is_literal(&index.text);
    match choices.below(4) {
        0 | 1 if computed => Number { text: format!("at({}, {name})", index.text), bound },
        2 if computed => {
            let default = literal(choices, element);
            let text = format!("atOr({}, {}, {name})", index.text, default.text);
            Number { text, bound: bound.max(default.bound) }
        }
        _ => {
            let known = one_element(choices, &length).function();
            Number { text: format!("({name} >> {known})"), bound }
        }
    }
}

/// An array of scalars: its name, its length, and how large its numbers are.
fn scalars_in(variable: &Variable, element: Element) -> Option<(String, Length, f64)> {
    let (scalar, length) = variable.ty.as_array()?;
    let scalar = scalar.as_scalar().filter(|scalar| scalar.element == element)?;
    Some((variable.name.clone(), length.clone(), scalar.bound))
}

/// A `let` that is used twice.
fn bound_once(choices: &mut Choices, scope: &[Variable], element: Element, depth: usize) -> Number {
    let value = expression(choices, scope, element, depth - 1);
    let other = atom(choices, scope, element);
    let name = format!("s{depth}");
    let once = Number { text: name.clone(), bound: value.bound };
    let sum = arithmetic(element, "+", once.clone(), other);
    let body = arithmetic(element, "-", sum, once);
    Number { text: format!("{{ let {name} = {}; {} }}", value.text, body.text), bound: body.bound }
}
