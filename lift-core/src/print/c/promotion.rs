//! What C does to the numbers of a type: which it computes in a wider type, and whose overflow it leaves
//! undefined.

use super::dialect::Dialect;
use crate::ir::scalar::ScalarType;

/// How C computes sums and products of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arithmetic {
    /// In the type.
    AsIs,
    /// In `int`, as integers of 8 bits.
    PromotedFrom8Bits,
    /// In `int`, as integers of 16 bits.
    PromotedFrom16Bits,
    /// In the type, whose overflow is undefined, or may be (a type parameter).
    Overflows,
}

fn arithmetic(ty: ScalarType) -> Arithmetic {
    match ty {
        ScalarType::I8 | ScalarType::U8 => Arithmetic::PromotedFrom8Bits,
        ScalarType::I16 | ScalarType::U16 => Arithmetic::PromotedFrom16Bits,
        ScalarType::I32 | ScalarType::I64 => Arithmetic::Overflows,
        ScalarType::Parameter(_) if !ty.is_float() => Arithmetic::Overflows,
        ScalarType::Bool
        | ScalarType::U32
        | ScalarType::U64
        | ScalarType::F16
        | ScalarType::F32
        | ScalarType::F64
        | ScalarType::Parameter(_) => Arithmetic::AsIs,
    }
}

/// Whether arithmetic must be done in the unsigned type: its overflow is undefined in C, or may be.
pub(super) fn overflows(ty: ScalarType) -> bool {
    arithmetic(ty) == Arithmetic::Overflows
}

/// Whether C computes in `int` instead.
pub(super) fn is_promoted(ty: ScalarType) -> bool {
    match arithmetic(ty) {
        Arithmetic::PromotedFrom8Bits | Arithmetic::PromotedFrom16Bits => true,
        Arithmetic::AsIs | Arithmetic::Overflows => false,
    }
}

/// Whether it is an integer of 16 bits.
pub(super) fn has_16_bits(ty: ScalarType) -> bool {
    arithmetic(ty) == Arithmetic::PromotedFrom16Bits
}

/// The unsigned type in which arithmetic of an integer type wraps, which is at least as wide as `int`.
pub(super) fn wrapping_name(dialect: &dyn Dialect, ty: ScalarType) -> String {
    match ty {
        ScalarType::I64 | ScalarType::U64 => dialect.type_name(ScalarType::U64),
        ScalarType::Parameter(parameter) => format!("T{}_WRAPPING", parameter.index),
        ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32 => dialect.type_name(ScalarType::U32),
        // Neither is converted.
        ScalarType::Bool | ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => dialect.type_name(ty),
    }
}

/// Cuts a number of 32 or 64 bits to a type that wraps. Where a number is cast to 16 bits, NVIDIA's compiler
/// assumes that it was never too large; where it is converted, it does not (`docs/nvidia.md`).
pub(super) fn cut(dialect: &dyn Dialect, ty: ScalarType, number: &str) -> String {
    let scalar = dialect.type_name(ty);
    if has_16_bits(ty) { dialect.convert(&scalar, number) } else { format!("({scalar})({number})") }
}
