//! Types in the user's notation: `[[f32; M]; N]`, `(f32, i32)`, `f32x4`, `[i => [f32; i + 1]; n]`.

use std::fmt;

use crate::scalar::ScalarType;
use crate::types::Type;

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self, formatter, &ScalarType::to_string)
    }
}

/// A type whose scalars are written by a function of the caller's.
pub(super) struct Written<'a, F> {
    /// The type.
    pub(super) ty: &'a Type,
    /// How a scalar is written.
    pub(super) scalar: F,
}

impl<F: Fn(&ScalarType) -> String> fmt::Display for Written<'_, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self.ty, formatter, &self.scalar)
    }
}

fn write_type(
    ty: &Type,
    formatter: &mut fmt::Formatter<'_>,
    scalar: &dyn Fn(&ScalarType) -> String,
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
                write_type(component, formatter, scalar)?;
            }
            formatter.write_str(")")
        }
        Type::Array(array) => {
            formatter.write_str("[")?;
            if let Some(index) = &array.index {
                write!(formatter, "{index} => ")?;
            }
            write_type(&array.element, formatter, scalar)?;
            write!(formatter, "; {}]", array.length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nat::Nat;

    #[test]
    fn types_are_written_as_the_user_writes_them() {
        let f32 = Type::Scalar(ScalarType::F32);
        let pair = Type::Tuple(vec![f32.clone(), Type::Scalar(ScalarType::I32)]);
        assert_eq!(pair.to_string(), "(f32, i32)");
        assert_eq!(Type::Vector(ScalarType::F32, 4).to_string(), "f32x4");
        let matrix = Type::array(Type::array(f32, Nat::constant(3)), Nat::constant(2));
        assert_eq!(matrix.to_string(), "[[f32; 3]; 2]");
    }
}
