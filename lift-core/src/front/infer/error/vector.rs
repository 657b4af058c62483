//! Vectors: `asVector`, `asScalar`, `vectorize` and `mapVec`.

use super::{KnownType, enumerated};
use crate::diagnostic::Diagnostic;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::types::Type;

/// Vectors that cannot be made, or are needed where there are none.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum VectorMistake {
    /// There are no vectors of this width.
    Width {
        /// The primitive, as it was written.
        name: &'static str,
        /// The width.
        width: Nat,
    },
    /// Elements that cannot be components.
    Components {
        /// The primitive, as it was written.
        name: &'static str,
        /// Their type.
        element: KnownType,
    },
    /// An array of unknown elements, where vectors are taken apart.
    UnknownWidth {
        /// The primitive, as it was written.
        name: &'static str,
    },
    /// An array of something else, where vectors are taken apart.
    NoVectors {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the array.
        ty: KnownType,
    },
    /// Something else where a function is applied to the components of vectors.
    NoVector {
        /// The primitive, as it was written.
        name: &'static str,
        /// The types of what it is applied to.
        types: Vec<KnownType>,
    },
    /// A vector of another width than the others.
    OtherWidth {
        /// The primitive, as it was written.
        name: &'static str,
        /// The width of the others.
        width: u8,
        /// The type of this one.
        ty: KnownType,
    },
    /// A function of components that gives no component.
    Result {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that it gives.
        ty: KnownType,
    },
}

impl VectorMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            VectorMistake::Width { name, width } => says(match width.as_constant() {
                Some(width) => format!("`{name}({width})`: there are no vectors of {width} components"),
                None => format!("the width that `{name}` takes is a number, and this one is `{width}`"),
            })
            .with_help("vectors have 2, 4, 8 or 16 components"),
            VectorMistake::Components { name, element } => {
                let help = match element {
                    KnownType::Type(Type::Array(_), _) => {
                        Some(format!("`map({name}(4))` makes vectors of every row"))
                    }
                    KnownType::Type(Type::Tuple(_), _) => {
                        Some("`unzip` gives an array of each component".to_owned())
                    }
                    KnownType::Type(Type::Vector(..), _) => Some("`asScalar` takes vectors apart".to_owned()),
                    KnownType::Type(Type::Scalar(_) | Type::Size, _) | KnownType::Scalar(_) => None,
                };
                let message = format!("`{name}` makes vectors of scalars, but these elements are {element}");
                Diagnostic { help, ..says(message) }
            }
            VectorMistake::UnknownWidth { name } => {
                says(format!("`{name}` needs an array of vectors of a known width"))
                    .with_help("give the parameter a type: `|a: [f32x4; N]| …`")
            }
            VectorMistake::NoVectors { name, ty } => {
                let rank = match ty {
                    KnownType::Type(ty, _) => ty.shape().len(),
                    KnownType::Scalar(_) => 0,
                };
                Diagnostic {
                    help: (rank > 1).then(|| format!("`map({name})` takes the vectors of every row apart")),
                    ..says(format!("`{name}` needs an array of vectors, but this is {ty}"))
                }
            }
            VectorMistake::NoVector { name, types } => {
                let message = format!(
                    "`{name}` applies a function to the components of vectors, but this is {}",
                    enumerated(types)
                );
                says(message).with_help(match types.first() {
                    Some(KnownType::Type(Type::Array(_), _)) => {
                        format!("`map({name}(…))` does so for every vector of an array")
                    }
                    Some(KnownType::Type(
                        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_),
                        _,
                    ))
                    | Some(KnownType::Scalar(_))
                    | None => "`asVector(4)` makes vectors of the elements of an array".to_owned(),
                })
            }
            VectorMistake::OtherWidth { name, width, ty } => {
                says(format!("`{name}` is applied to vectors of {width} components here, but this is {ty}"))
            }
            VectorMistake::Result { name, ty } => says(format!(
                "the function of `{name}` gives a scalar for each component, but this one gives {ty}"
            )),
        }
    }
}
