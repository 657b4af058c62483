//! Mistakes in types.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

use super::SMALL_TUPLE;

/// A type that there is not.
#[derive(Debug)]
pub(crate) enum TypeMistake {
    /// `&T`
    Reference,
    /// `Vec<T>`, `std::primitive::f32`.
    Foreign {
        /// The first name of it.
        name: String,
    },
    /// `[T]`
    NoLength,
    /// `()` or `(T,)`.
    SmallTuple,
}

impl TypeMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: &str| Diagnostic::new(source, message);
        match self {
            TypeMistake::Reference => says("there are no references here")
                .with_help("write the array's own type: `[f32; N]`; the generated function borrows it"),
            TypeMistake::Foreign { name } => says(&format!("`{name}` is no type of `lift!`")).with_help(
                "types are scalars, `(A, B)` and arrays `[A; n]`; a `Vec<f32>` is passed as `[f32; N]`",
            ),
            TypeMistake::NoLength => {
                says("an array type needs its length").with_help("write `[f32; N]`, where `N` is a size")
            }
            TypeMistake::SmallTuple => says(SMALL_TUPLE),
        }
    }
}
