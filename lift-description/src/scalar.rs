//! The types of elements, and plain facts about them.

use std::fmt;

/// The type of one number or truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarType {
    /// A truth value; in a buffer a byte, 0 or 1.
    Bool,
    /// 8 bits, signed.
    I8,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits, unsigned.
    U64,
    /// IEEE 754 half precision.
    F16,
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision.
    F64,
    /// An element type that the Rust argument fixes at the call: the kernel is generic in it.
    Parameter(TypeParameter),
}

/// An element type that is left open, with the operations that the program needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParameter {
    /// Its position among the program's type parameters.
    pub index: usize,
    /// The operations that the program needs.
    pub class: ScalarClass,
}

/// The operations that a program needs of a scalar type that it leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarClass {
    /// Nothing but copying.
    Any,
    /// Operators on bits, as integers and truth values have them.
    Bits,
    /// Arithmetic and comparison.
    Number,
    /// Being an integer, as positions and sizes are.
    Integer,
    /// Floating-point functions and literals.
    Float,
}

impl ScalarType {
    /// Every concrete scalar type, in the order of the language reference.
    pub const CONCRETE: [ScalarType; 12] = [
        ScalarType::Bool,
        ScalarType::I8,
        ScalarType::U8,
        ScalarType::I16,
        ScalarType::U16,
        ScalarType::I32,
        ScalarType::U32,
        ScalarType::I64,
        ScalarType::U64,
        ScalarType::F16,
        ScalarType::F32,
        ScalarType::F64,
    ];

    /// The type with this Rust name.
    pub fn from_name(name: &str) -> Option<ScalarType> {
        Self::CONCRETE.into_iter().find(|scalar| scalar.name() == Ok(name))
    }

    /// The Rust name; an error for an open type, which has none.
    fn name(self) -> Result<&'static str, TypeParameter> {
        Ok(match self {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "i8",
            ScalarType::U8 => "u8",
            ScalarType::I16 => "i16",
            ScalarType::U16 => "u16",
            ScalarType::I32 => "i32",
            ScalarType::U32 => "u32",
            ScalarType::I64 => "i64",
            ScalarType::U64 => "u64",
            ScalarType::F16 => "f16",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::Parameter(parameter) => return Err(parameter),
        })
    }

    /// The bytes of one value in a buffer; the largest possible for an open type.
    pub fn bytes(self) -> i128 {
        self.known_bytes().map_or(8, i128::from)
    }

    /// The bytes of one value in a buffer; `None` for an open type.
    pub fn known_bytes(self) -> Option<u8> {
        match self {
            ScalarType::Bool | ScalarType::I8 | ScalarType::U8 => Some(1),
            ScalarType::I16 | ScalarType::U16 | ScalarType::F16 => Some(2),
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => Some(4),
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => Some(8),
            ScalarType::Parameter(_) => None,
        }
    }

    /// Whether every value of this type is a floating-point number.
    pub fn is_float(self) -> bool {
        match self {
            ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => true,
            ScalarType::Parameter(parameter) => parameter.class == ScalarClass::Float,
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64 => false,
        }
    }

    /// Whether a value of this type may be a floating-point number that something computes with.
    pub fn may_be_float(self) -> bool {
        match self {
            ScalarType::Parameter(TypeParameter { class, .. }) => {
                matches!(class, ScalarClass::Any | ScalarClass::Number | ScalarClass::Float)
            }
            fixed => fixed.is_float(),
        }
    }

    /// Whether every value of this type is an integer.
    pub fn is_integer(self) -> bool {
        match self {
            ScalarType::Parameter(parameter) => parameter.class == ScalarClass::Integer,
            ScalarType::Bool => false,
            _ => !self.is_float(),
        }
    }

    /// The least and the greatest value of an integer type.
    pub fn integer_limits(self) -> Option<(i128, i128)> {
        match self {
            ScalarType::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            ScalarType::U8 => Some((u8::MIN.into(), u8::MAX.into())),
            ScalarType::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            ScalarType::U16 => Some((u16::MIN.into(), u16::MAX.into())),
            ScalarType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            ScalarType::U32 => Some((u32::MIN.into(), u32::MAX.into())),
            ScalarType::I64 => Some((i64::MIN.into(), i64::MAX.into())),
            ScalarType::U64 => Some((u64::MIN.into(), u64::MAX.into())),
            ScalarType::Bool
            | ScalarType::F16
            | ScalarType::F32
            | ScalarType::F64
            | ScalarType::Parameter(_) => None,
        }
    }

    /// Whether this type has the operations that a program needs of a type argument.
    pub fn satisfies(self, class: ScalarClass) -> bool {
        match class {
            ScalarClass::Any => true,
            ScalarClass::Bits => match self {
                ScalarType::Bool => true,
                ScalarType::Parameter(parameter) => {
                    matches!(parameter.class, ScalarClass::Bits | ScalarClass::Integer)
                }
                _ => self.is_integer(),
            },
            ScalarClass::Number => match self {
                ScalarType::Bool => false,
                ScalarType::Parameter(parameter) => {
                    !matches!(parameter.class, ScalarClass::Any | ScalarClass::Bits)
                }
                _ => true,
            },
            ScalarClass::Integer => self.is_integer(),
            ScalarClass::Float => self.is_float(),
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Ok(name) => formatter.write_str(name),
            Err(parameter) => write!(formatter, "T{}", parameter.index),
        }
    }
}
