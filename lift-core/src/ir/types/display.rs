//! Types in the user's notation: `[[f32; M]; N]`, `(f32, i32)`, `f32x4`, `[i => [f32; i + 1]; n]`.

use std::fmt;

use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::types::{ArrayType, Type};

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self, formatter, &ScalarType::to_string, &mut Vec::new())
    }
}

/// A type whose scalars are written by the caller's function.
pub(crate) struct Written<'a, F> {
    /// The type.
    pub(crate) ty: &'a Type,
    /// Writes a scalar.
    pub(crate) scalar: F,
}

impl<F: Fn(&ScalarType) -> String> fmt::Display for Written<'_, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self.ty, formatter, &self.scalar, &mut Vec::new())
    }
}

fn write_type(
    ty: &Type,
    formatter: &mut fmt::Formatter<'_>,
    scalar: &dyn Fn(&ScalarType) -> String,
    positions: &mut Vec<String>,
) -> fmt::Result {
    match ty {
        Type::Scalar(element) => formatter.write_str(&scalar(element)),
        Type::Vector(element, width) => write!(formatter, "{}x{width}", scalar(element)),
        Type::Size => formatter.write_str("size"),
        Type::Tuple(components) => {
            formatter.write_str("(")?;
            for (position, component) in components.iter().enumerate() {
                if position > 0 {
                    formatter.write_str(", ")?;
                }
                write_type(component, formatter, scalar, positions)?;
            }
            formatter.write_str(")")
        }
        Type::Array(array) => {
            formatter.write_str("[")?;
            match &array.index {
                None => write_type(&array.element, formatter, scalar, positions)?,
                Some(index) => {
                    let name = position_name(array, index, positions);
                    write!(formatter, "{name} => ")?;
                    let shown = Var::new(index.id(), name.as_str());
                    let element = array.element.substitute(&[(index.clone(), Nat::variable(&shown))].into());
                    positions.push(name);
                    write_type(&element, formatter, scalar, positions)?;
                    positions.pop();
                }
            }
            write!(formatter, "; {}]", array.length)
        }
    }
}

/// A name for a position that is unique in its scope: the user's where possible.
fn position_name(array: &ArrayType, index: &Var, around: &[String]) -> String {
    let mut taken = array.element.variables();
    taken.remove(index);
    let is_free = |name: &str| {
        around.iter().all(|outer| outer != name) && taken.iter().all(|variable| variable.name() != name)
    };
    let mut candidates = [index.name(), "i", "j", "k", "l"].into_iter().map(str::to_owned);
    candidates.find(|name| is_free(name)).unwrap_or_else(|| format!("{}{}", index.name(), around.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_the_user_writes_them() {
        let f32 = Type::Scalar(ScalarType::F32);
        let pair = Type::Tuple(vec![f32.clone(), Type::Scalar(ScalarType::I32)]);
        assert_eq!(pair.to_string(), "(f32, i32)");
        assert_eq!(Type::Vector(ScalarType::F32, 4).to_string(), "f32x4");
        let matrix = Type::array(Type::array(f32, Nat::constant(3)), Nat::constant(2));
        assert_eq!(matrix.to_string(), "[[f32; 3]; 2]");
    }

    #[test]
    fn positions_are_written_under_different_names() {
        let (outer, inner) = (Var::new(0, "i"), Var::new(1, "i"));
        let length = Nat::variable(&outer) + Nat::variable(&inner);
        let row = Type::array(Type::Scalar(ScalarType::F32), length);
        let rows = Type::array_at(&inner, row, Nat::constant(2));
        let ty = Type::array_at(&outer, rows, Nat::constant(3));
        assert_eq!(ty.to_string(), "[i => [j => [f32; i + j]; 2]; 3]");
    }
}
