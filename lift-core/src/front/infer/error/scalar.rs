//! Computations with numbers and truth values: operators, built-in functions, casts.

use super::remedy::Remedy;
use super::words::a_scalar;
use super::{KnownType, enumerated};
use crate::diagnostic::Diagnostic;
use crate::ir::primitive::builtin::{Builtin, Native};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::types::Type;

const SAME_WIDTH: &str = "vectors that meet have the same number of components";

/// Operands that an operation cannot take.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum ScalarMistake {
    /// An operand is no scalar of a class.
    Operand {
        /// The operation.
        operation: &'static str,
        /// What it takes.
        class: ScalarClass,
        /// The type of the operand.
        ty: KnownType,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// Operands of different types.
    Operands {
        /// The operation.
        operation: &'static str,
        /// The types of the operands.
        types: Vec<KnownType>,
        /// What differs.
        difference: Difference,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// Both operands are arrays.
    Arrays {
        /// The operation.
        operation: &'static str,
        /// The type of the first.
        left: KnownType,
        /// The type of the second.
        right: KnownType,
    },
    /// A size beside floats.
    SizeBesideFloats {
        /// The operation.
        operation: &'static str,
        /// Their type.
        float: ScalarType,
    },
    /// A condition of another width than what `select` chooses between.
    SelectedWidth {
        /// The type of the condition.
        condition: KnownType,
        /// The type of what it chooses between.
        chosen: KnownType,
    },
    /// An exponent of another type.
    Exponent {
        /// The function.
        name: &'static str,
        /// The type of its exponents.
        wanted: ScalarType,
        /// The type of the exponent.
        ty: KnownType,
    },
    /// An exponent of another width than the number.
    ExponentWidth {
        /// The function.
        name: &'static str,
        /// The type of the number.
        number: KnownType,
        /// The type of the exponent.
        exponent: KnownType,
    },
    /// A function that devices have for `f32` alone.
    SingleOnly {
        /// The function.
        native: Native,
        /// Its name.
        name: &'static str,
        /// The type of the operand.
        ty: KnownType,
    },
    /// A quick function of devices in a strict kernel.
    NativeInStrict {
        /// The function.
        native: Native,
        /// The kernel.
        kernel: String,
    },
    /// `mad` of floats in a strict kernel.
    MadInStrict {
        /// The kernel.
        kernel: String,
    },
    /// A function between floats and their bits, of another type.
    NoBits {
        /// The function.
        name: &'static str,
        /// The types that it takes.
        takes: [ScalarType; 2],
        /// The type of the operand.
        ty: KnownType,
    },
    /// `dot` of something that is no vector.
    NoVectorForDot {
        /// Its type.
        ty: KnownType,
    },
    /// A cast to something else than a scalar or a vector.
    CastTarget {
        /// The type that is written.
        target: KnownType,
    },
    /// A cast to `bool`.
    CastToTruth {
        /// The type that is written: `bool`, or a vector of such.
        target: Type,
        /// The type of the value.
        ty: KnownType,
    },
    /// A cast of a vector to a scalar.
    CastOfVector {
        /// The scalar.
        lane: ScalarType,
        /// The width of the vector.
        width: u8,
        /// The type of the vector.
        ty: KnownType,
    },
    /// A cast to a vector of something that is no vector of its width.
    CastToVector {
        /// The type of the components.
        lane: ScalarType,
        /// The width.
        width: u8,
        /// The type of the value.
        ty: KnownType,
    },
    /// `x >> 3`
    Shift {
        /// What is shifted, as it is written.
        number: String,
        /// By how many bits, as it is written.
        bits: String,
    },
    /// A method of Rust's integers, of a number of another type or of one that is not known.
    IntegerMethod {
        /// The method.
        name: &'static str,
        /// What computes the same of numbers of any type.
        written: &'static str,
        /// The type of the number.
        ty: KnownType,
    },
    /// A method of Rust's integers with another number of arguments.
    MethodArguments {
        /// The method.
        name: &'static str,
        /// The number of arguments that it takes beside the number.
        takes: usize,
        /// The number of those that there are.
        given: usize,
    },
}

/// How types differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Difference {
    /// In the number of components alone.
    Widths,
    /// In more.
    Types,
}

impl ScalarMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            ScalarMistake::Operand { operation, class, ty, remedy } => Diagnostic {
                help: remedy.as_ref().map(Remedy::help).or_else(|| instead_of(ty, *class)),
                ..says(format!("`{operation}` takes {}, but this is {ty}", a_scalar(*class)))
            },
            ScalarMistake::Operands { operation, types, difference, remedy } => {
                let help = match (remedy, difference) {
                    (Some(remedy), _) => remedy.help(),
                    (None, Difference::Widths) => SAME_WIDTH.to_owned(),
                    (None, Difference::Types) => "`x as T` converts between number types".to_owned(),
                };
                says(format!("`{operation}` takes operands of one type, but they are {}", enumerated(types)))
                    .with_help(help)
            }
            ScalarMistake::Arrays { operation, left, right } => {
                let dimensions = by_dimensions(left);
                let help = format!(
                    "`zip{dimensions}(a, b) >> map{dimensions}(|x, y| x {operation} y)` computes with the \
                     elements of two arrays"
                );
                says(format!("`{operation}` takes numbers, but these are {left} and {right}")).with_help(help)
            }
            ScalarMistake::SizeBesideFloats { operation, float } => {
                says(format!("`{operation}` takes operands of one type, but this is a size, an integer"))
                    .with_help(format!("a cast makes a float of it: `n as {float}`"))
            }
            ScalarMistake::SelectedWidth { condition, chosen } => {
                says(format!("the condition of `select` is {condition}, but it chooses between {chosen}"))
                    .with_help(SAME_WIDTH)
            }
            ScalarMistake::Exponent { name, wanted, ty } => Diagnostic {
                help: exponent_instead(name, *wanted, ty),
                ..says(format!(
                    "the exponent of `{name}` is {} `{wanted}`, but this is {ty}",
                    if *wanted == ScalarType::I32 { "an" } else { "a" }
                ))
            },
            ScalarMistake::ExponentWidth { name, number, exponent } => {
                says(format!("`{name}` takes {number}, but its exponent is {exponent}")).with_help(SAME_WIDTH)
            }
            ScalarMistake::NativeInStrict { native, kernel } => says(format!(
                "`{}` is as precise as each device likes, and `{kernel}` is `#[strict]`: all devices compute \
                 the same bits",
                Builtin::Native(*native)
            ))
            .with_help(format!("write `{}`", exact(*native))),
            ScalarMistake::MadInStrict { kernel } => says(format!(
                "`mad` rounds once or twice, as each device likes, and `{kernel}` is `#[strict]`: all devices \
                 compute the same bits"
            ))
            .with_help("`fma(x, y, z)` rounds once, and `x * y + z` twice"),
            ScalarMistake::SingleOnly { native, name, ty } => says(format!(
                "`{name}` takes only `f32`, the type that devices have quick functions for, but this is {ty}"
            ))
            .with_help(format!("write `{}`, which takes every float", exact(*native))),
            ScalarMistake::NoBits { name, takes: [short, long], ty } => {
                says(format!("`{name}` takes `{short}` or `{long}`, but this is {ty}"))
                    .with_help(format!("a cast makes one of it: `x as {short}`"))
            }
            ScalarMistake::NoVectorForDot { ty } => {
                says(format!("`dot` takes vectors such as `f32x4`, but this is {ty}")).with_help(match ty {
                    KnownType::Type(Type::Array(_), _) => {
                        "`dotProduct` takes arrays; `asVector(4)` makes an array of vectors"
                    }
                    KnownType::Type(Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_), _)
                    | KnownType::Scalar(_) => {
                        "`asVector(4)` makes an array of vectors of an array of scalars"
                    }
                })
            }
            ScalarMistake::CastTarget { target } => says(format!("`as` makes scalars, not {target}")),
            ScalarMistake::CastToTruth { target, ty } => {
                says(format!("`as {target}` is no conversion of {ty}")).with_help("compare instead: `x != 0`")
            }
            ScalarMistake::CastOfVector { lane, width, ty } => {
                says(format!("`as {lane}` converts a scalar, but this is {ty}"))
                    .with_help(format!("`as {lane}x{width}` converts every component"))
            }
            ScalarMistake::CastToVector { lane, width, ty } => {
                let help = match ty {
                    KnownType::Scalar(_) | KnownType::Type(Type::Scalar(_) | Type::Size, _) => Some(format!(
                        "a scalar fills a vector by itself where one is expected; `as {lane}` converts the \
                         scalar"
                    )),
                    KnownType::Type(Type::Vector(..) | Type::Tuple(_) | Type::Array(_), _) => None,
                };
                let message =
                    format!("`as {lane}x{width}` converts vectors of width {width}, but this is {ty}");
                Diagnostic { help, ..says(message) }
            }
            ScalarMistake::Shift { number, bits } => {
                says("`>>` applies a function to a value, and shifts no bits".to_owned())
                    .with_help(format!("write `shr({number}, {bits})`"))
            }
            ScalarMistake::IntegerMethod { name, written, ty } => match ty {
                KnownType::Scalar(ScalarClass::Float)
                | KnownType::Type(
                    Type::Scalar(ScalarType::Bool | ScalarType::F16 | ScalarType::F32 | ScalarType::F64),
                    _,
                ) => says(format!("`{name}` is a method of integers, but this is {ty}")),
                KnownType::Scalar(_) | KnownType::Type(..) => {
                    says(format!("`{name}` is a method of integers whose type is known, but this is {ty}"))
                        .with_help(format!("write `{written}`"))
                }
            },
            ScalarMistake::MethodArguments { name, takes, given } => says(match takes {
                0 => format!("`{name}` takes no arguments, but is given {given}"),
                _ => format!("`{name}` takes {takes} argument, but is given {given}"),
            }),
        }
    }
}

/// What makes a scalar of a class out of something else.
fn instead_of(ty: &KnownType, class: ScalarClass) -> Option<String> {
    match ty {
        KnownType::Type(Type::Array(_), _) => {
            let dimensions = by_dimensions(ty);
            Some(format!("`map{dimensions}` applies a function to every element of an array"))
        }
        KnownType::Type(Type::Scalar(ScalarType::Bool), _) => {
            Some("`if c { 1 } else { 0 }` makes a number of it".to_owned())
        }
        KnownType::Type(Type::Scalar(scalar), _) if scalar.is_integer() && class == ScalarClass::Float => {
            Some("a cast makes a float of it: `x as f32`".to_owned())
        }
        KnownType::Type(Type::Scalar(scalar), _)
            if scalar.is_float() && matches!(class, ScalarClass::Bits | ScalarClass::Integer) =>
        {
            Some("a cast makes an integer of it: `x as i32`".to_owned())
        }
        KnownType::Type(Type::Tuple(_), _) => {
            Some("`.0`, or a pattern such as `|(x, y)| …`, takes it apart".to_owned())
        }
        KnownType::Type(Type::Scalar(_) | Type::Vector(..) | Type::Size, _) | KnownType::Scalar(_) => None,
    }
}

/// What to write instead of an exponent of another type.
fn exponent_instead(name: &str, wanted: ScalarType, ty: &KnownType) -> Option<String> {
    match ty {
        KnownType::Scalar(ScalarClass::Float)
        | KnownType::Type(Type::Scalar(ScalarType::F16 | ScalarType::F32 | ScalarType::F64), _)
            if name == "powi" =>
        {
            Some("`pow(x, y)` takes an exponent that is a float".to_owned())
        }
        KnownType::Type(Type::Scalar(ScalarType::Bool), _) => instead_of(ty, ScalarClass::Integer),
        KnownType::Type(Type::Scalar(_) | Type::Size, _) | KnownType::Scalar(_) => {
            Some(format!("a cast makes one of it: `k as {wanted}`"))
        }
        KnownType::Type(Type::Vector(..) | Type::Tuple(_) | Type::Array(_), _) => None,
    }
}

/// The number in the names of the `map` and the `zip` that reach the elements of an array: `map2` for a
/// matrix.
fn by_dimensions(array: &KnownType) -> &'static str {
    let dimensions = match array {
        KnownType::Type(ty, _) => ty.shape().len(),
        KnownType::Scalar(_) => 0,
    };
    match dimensions {
        2 => "2",
        3 => "3",
        _ => "",
    }
}

/// The function that a quick function of devices approximates.
fn exact(native: Native) -> &'static str {
    match native {
        Native::Recip => "1 / x",
        Native::Divide => "x / y",
        Native::Sqrt => "sqrt(x)",
        Native::Rsqrt => "rsqrt(x)",
        Native::Exp => "exp(x)",
        Native::Exp2 => "exp2(x)",
        Native::Log => "log(x)",
        Native::Log2 => "log2(x)",
        Native::Log10 => "log10(x)",
        Native::Powr => "pow(x, y)",
        Native::Sin => "sin(x)",
        Native::Cos => "cos(x)",
        Native::Tan => "tan(x)",
    }
}
