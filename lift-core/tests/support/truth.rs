//! Random truth values: comparisons of numbers of any type, and what connects them.

use super::choices::Choices;
use super::scalars::{Number, Variable, atom, expression, literal, untyped};
use super::types::Element;

/// A truth value over the variables in scope.
pub(super) fn truth(choices: &mut Choices, scope: &[Variable], depth: usize) -> Number {
    let text = match choices.below(8) {
        0..3 => comparison_with_a_literal(choices, scope),
        3 => variable(choices, scope),
        4 if depth > 0 => {
            let element = compared(choices, scope);
            let left = atom(choices, scope, element);
            let right = expression(choices, scope, element, depth - 1);
            format!("({} {} {})", left.text, operator(choices), right.text)
        }
        5 if depth > 0 => {
            let (left, right) = (truth(choices, scope, depth - 1), truth(choices, scope, depth - 1));
            let operator = choices.pick(&["&&", "||", "==", "!=", "&", "|", "^"]);
            format!("({} {operator} {})", left.text, right.text)
        }
        6 if depth > 0 => format!("(!{})", truth(choices, scope, depth - 1).text),
        7 if depth > 0 => {
            let condition = truth(choices, scope, depth - 1).text;
            let (then, otherwise) = (variable(choices, scope), truth(choices, scope, depth - 1).text);
            format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
        }
        _ => variable(choices, scope),
    };
    Number { text, bound: 1.0 }
}

fn operator(choices: &mut Choices) -> &'static str {
    choices.pick(&["<", "<=", ">", ">=", "==", "!="])
}

/// The type of the newest number in scope, or any other.
fn compared(choices: &mut Choices, scope: &[Variable]) -> Element {
    let scalars = scope.iter().rev().filter_map(|variable| variable.ty.as_scalar());
    let newest = scalars.map(|scalar| scalar.element).find(|element| *element != Element::Bool);
    match newest {
        Some(newest) if !choices.one_in(6) => newest,
        Some(_) | None => choices.pick(&Element::NUMBERS),
    }
}

fn comparison_with_a_literal(choices: &mut Choices, scope: &[Variable]) -> String {
    let element = compared(choices, scope);
    let (left, right) = (atom(choices, scope, element), literal(choices, element));
    // Two literals without types would be of any type.
    let is_literal = left.text.starts_with(|letter: char| letter.is_ascii_digit());
    let right = if is_literal { &right.text } else { untyped(&right.text, element) };
    format!("({} {} {right})", left.text, operator(choices))
}

/// A truth value in scope, or a comparison.
fn variable(choices: &mut Choices, scope: &[Variable]) -> String {
    let is_truth =
        |variable: &&Variable| variable.ty.as_scalar().is_some_and(|scalar| scalar.element == Element::Bool);
    let known: Vec<_> = scope.iter().filter(is_truth).collect();
    if known.is_empty() {
        return comparison_with_a_literal(choices, scope);
    }
    choices.pick(&known).name.clone()
}
