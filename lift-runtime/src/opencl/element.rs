//! Element types as OpenCL C knows them: their names, and what a program is built with.

use crate::backend::IndexWidth;
use crate::plan::resolved;
use crate::program::{Exactness, ScalarType};

/// The build options for an index type and type parameters.
///
/// Warnings are off (`-w`, OpenCL 1.2, section 5.6.4.4). Whoever sees them did not write the text, and PoCL
/// counts them on the terminal. The remaining warnings are about loops that LLVM does not unroll, which the
/// text only asks for.
///
/// Quotients and square roots of single precision are exact on request only (section 5.6.4.2).
pub(super) fn build_options(index: IndexWidth, types: &[ScalarType], exact: &Exactness) -> String {
    let index_type = match index {
        IndexWidth::Narrow => "int",
        IndexWidth::Wide => "long",
    };
    let mut options = format!("-w -D index_t={index_type}");
    for (position, ty) in types.iter().enumerate() {
        let Some(name) = name(*ty) else { continue };
        let (wrapping, is_float, bits) = arithmetic(*ty, name);
        options.push_str(&format!(
            " -D T{position}={name} -D T{position}_WRAPPING={wrapping} -D T{position}_IS_FLOAT={is_float} \
             -D T{position}_BITS={bits}"
        ));
    }
    if exact.divided.iter().any(|ty| resolved(*ty, types) == ScalarType::F32) {
        options.push_str(" -cl-fp32-correctly-rounded-divide-sqrt");
    }
    options
}

/// What generic kernels must know of a type: the type in which its arithmetic wraps, 1 for a float or else 0,
/// and its width in bits.
fn arithmetic(ty: ScalarType, name: &'static str) -> (&'static str, u8, usize) {
    let bits = 8 * usize::from(ty.known_bytes().unwrap_or(4));
    match ty {
        ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => (name, 1, bits),
        ScalarType::I64 | ScalarType::U64 => ("ulong", 0, bits),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::Parameter(_) => ("uint", 0, bits),
    }
}

/// The name in OpenCL C; `None` for a type parameter.
fn name(scalar: ScalarType) -> Option<&'static str> {
    match scalar {
        ScalarType::Bool => Some("uchar"),
        ScalarType::I8 => Some("char"),
        ScalarType::U8 => Some("uchar"),
        ScalarType::I16 => Some("short"),
        ScalarType::U16 => Some("ushort"),
        ScalarType::I32 => Some("int"),
        ScalarType::U32 => Some("uint"),
        ScalarType::I64 => Some("long"),
        ScalarType::U64 => Some("ulong"),
        ScalarType::F16 => Some("half"),
        ScalarType::F32 => Some("float"),
        ScalarType::F64 => Some("double"),
        ScalarType::Parameter(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{ROUNDED_FREELY, ScalarClass, TypeParameter};

    #[test]
    fn exact_quotients_are_asked_for_where_numbers_of_single_precision_are_divided() {
        let open = ScalarType::Parameter(TypeParameter { index: 0, class: ScalarClass::Float });
        let asks = |divided: &'static [ScalarType], types: &[ScalarType]| {
            let exact = Exactness { computed: divided, divided };
            build_options(IndexWidth::Narrow, types, &exact)
                .contains("-cl-fp32-correctly-rounded-divide-sqrt")
        };
        let opened: &'static [ScalarType] = vec![open].leak();
        assert!(asks(&[ScalarType::F32], &[]) && asks(opened, &[ScalarType::F32]));
        assert!(!asks(&[ScalarType::F64], &[]) && !asks(opened, &[ScalarType::F64]) && !asks(&[], &[]));
        assert_eq!(build_options(IndexWidth::Wide, &[], &ROUNDED_FREELY), "-w -D index_t=long");
    }
}
