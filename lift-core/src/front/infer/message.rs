//! What a mistake keeps of where it was found: types as far as they are known, and names that were perhaps meant.

use super::Inference;
use super::environment::Environment;
use super::error::{Callee, Error, KnownType, Meant, Mistake, NameMistake, Remedy, Scope};
use super::unknowns::Mismatch;
use crate::ir::primitive::Primitive;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::ScalarClass;
use crate::ir::types::Type;

/// Names that mean something only as an argument of a primitive.
const INDEX_FUNCTIONS: &[&str] = &["stride", "rotate"];
pub(super) const BOUNDARIES: &[&str] = &["clamp", "mirror", "wrap"];
const ROW_LENGTHS: &[&str] = &["caseSplit"];

/// Operators and the identity, which are functions of the language with a name.
pub(super) const OPERATORS: &[&str] = &["id", "add", "sub", "mult", "mul", "div", "rem", "neg"];

impl Inference<'_> {
    /// A type as far as it is known.
    pub(super) fn known(&self, ty: &Type) -> KnownType {
        match self.unknowns.class(ty) {
            Some(class @ (ScalarClass::Float | ScalarClass::Integer | ScalarClass::Number)) => {
                KnownType::Scalar(class)
            }
            Some(ScalarClass::Any) | None => {
                KnownType::Type(simplified_lengths(&self.unknowns.resolve(ty), self))
            }
        }
    }

    /// A type of which it is only said whether it is a number, where nothing gave the number a type.
    pub(super) fn known_roughly(&self, ty: &Type) -> KnownType {
        match self.unknowns.class(ty) {
            Some(_) => KnownType::Scalar(ScalarClass::Number),
            None => self.known(ty),
        }
    }

    /// What an unknown name gets.
    pub(super) fn unknown_name(&self, name: &str, names: &Environment<'_>) -> NameMistake {
        let owned = name.to_owned();
        if INDEX_FUNCTIONS.contains(&name) {
            return NameMistake::Positions(owned);
        }
        if ROW_LENGTHS.contains(&name) {
            return NameMistake::RowLengths(owned);
        }
        if BOUNDARIES.contains(&name) {
            return NameMistake::Boundary(owned);
        }
        let scope = if self.captures.is_some() { Scope::RustVariables } else { Scope::Items };
        NameMistake::Unknown { name: owned, similar: self.nearest_name(name, names), scope }
    }

    /// What an unknown name gets where a function is needed.
    pub(super) fn unknown_function(&self, name: &str, names: &Environment<'_>) -> NameMistake {
        match self.unknown_name(name, names) {
            NameMistake::Unknown { name, similar, .. } => NameMistake::UnknownFunction { name, similar },
            other => other,
        }
    }

    /// What an unknown size gets. None when the same name was reported before: it needs one declaration.
    pub(super) fn unknown_size(&self, name: &str, names: &Environment<'_>) -> Option<NameMistake> {
        let mistake = match self.unknown_name(name, names) {
            NameMistake::Unknown { name, similar: None, .. } if is_upper(&name) => {
                match self.sizes_of_parameters.contains(&name.as_str()) {
                    true => NameMistake::UndeclaredSize(name),
                    false => NameMistake::UnknownSize(name),
                }
            }
            other => other,
        };
        let is_known =
            |error: &Error| matches!(&error.mistake, Mistake::Name(known) if mistake.repeats(known));
        (!self.errors.iter().any(is_known)).then_some(mistake)
    }

    /// Whether a Rust variable cannot have this name inside `lift!`.
    pub(super) fn is_reserved(name: &str) -> bool {
        INDEX_FUNCTIONS.contains(&name) || BOUNDARIES.contains(&name) || ROW_LENGTHS.contains(&name)
    }

    /// What was meant where a function stands for a value: perhaps a Rust variable that a function of the language hides.
    pub(super) fn meant_by(&self, callee: &Callee) -> Meant {
        match callee.name() {
            Some(name) if self.captures.is_some() && is_function_of_the_language(name) => {
                Meant::PerhapsVariable
            }
            Some(_) | None => Meant::Function,
        }
    }

    fn nearest_name(&self, name: &str, names: &Environment<'_>) -> Option<String> {
        let mut candidates: Vec<String> = names.names().into_iter().map(str::to_owned).collect();
        candidates.extend(self.items.names().map(str::to_owned));
        for row in Primitive::ALL {
            candidates.push(row.name.to_owned());
            candidates.extend(row.synonyms.iter().map(|&synonym| synonym.to_owned()));
        }
        candidates.extend(Builtin::ALL.iter().map(|row| row.1.to_owned()));
        candidates.extend(OPERATORS.iter().map(|&operator| operator.to_owned()));
        nearest(name, candidates)
    }

    /// The `where` clause that would make the sizes of a mismatch equal.
    pub(super) fn clause_for(&self, mismatch: &Mismatch) -> Option<Remedy> {
        match mismatch {
            Mismatch::Shape => None,
            Mismatch::Size(left, right) => {
                self.clause_for_equality(&self.simplified(left), &self.simplified(right))
            }
        }
    }

    /// A mismatch with everything that is known of its sizes.
    pub(super) fn settled(&self, mismatch: &Mismatch) -> Mismatch {
        match mismatch {
            Mismatch::Shape => Mismatch::Shape,
            Mismatch::Size(left, right) => Mismatch::Size(self.simplified(left), self.simplified(right)),
        }
    }
}

fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The name that was perhaps meant.
pub(super) fn nearest(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    let length = name.chars().count();
    // Every name of one letter is one letter away from every other.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, &candidate), candidate))
        // `FACTOR` is no slip of `atOr`.
        .filter(|(distance, candidate)| *distance == 0 || is_upper(candidate) == is_upper(name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether a name is a function that the language defines.
pub(super) fn is_function_of_the_language(name: &str) -> bool {
    Primitive::from_name(name).is_some() || Builtin::from_name(name).is_some() || OPERATORS.contains(&name)
}

fn simplified_lengths(ty: &Type, inference: &Inference<'_>) -> Type {
    match ty {
        Type::Scalar(_) | Type::Vector(..) | Type::Size => ty.clone(),
        Type::Tuple(components) => {
            Type::Tuple(components.iter().map(|component| simplified_lengths(component, inference)).collect())
        }
        Type::Array(array) => Type::Array(std::rc::Rc::new(crate::ir::types::ArrayType {
            index: array.index.clone(),
            element: simplified_lengths(&array.element, inference),
            length: inference.simplified(&array.length),
        })),
    }
}

/// The number of single letters to insert, delete, replace or swap with a neighbour to get from one to the
/// other (optimal string alignment); case counts half as nothing: `mapseq` is near `mapSeq`.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, column) + usize::from(letter != other);
            let mut best = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = row > 0
                && column > 0
                && left.get(row - 1) == Some(other)
                && right.get(column - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_a_distance_of_one() {
        for (slip, meant) in
            [("mpa", "map"), ("transpos", "transpose"), ("redcue", "reduce"), ("ziip", "zip")]
        {
            assert_eq!(edit_distance(slip, meant), 1, "{slip}");
        }
        assert_eq!(edit_distance("mapseq", "mapSeq"), 0);
        assert!(edit_distance("join", "split") > 2);
    }
}
