//! Element types in Rust.

use lift_core::ir::scalar::{ScalarClass, ScalarType};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// A scalar type in Rust.
pub(crate) fn rust_scalar(lift: &TokenStream, scalar: ScalarType) -> TokenStream {
    match scalar {
        ScalarType::F16 => quote!(#lift::f16),
        ScalarType::Parameter(parameter) => {
            let name = open_type(parameter.index);
            quote!(#name)
        }
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::F64 => {
            let name = format_ident!("{}", scalar.to_string());
            quote!(::core::primitive::#name)
        }
    }
}

/// A scalar type, or the array that represents a vector of it.
pub(crate) fn rust_vector(scalar: &TokenStream, width: Option<u8>) -> TokenStream {
    match width {
        None => scalar.clone(),
        Some(width) => {
            let width = Literal::usize_unsuffixed(usize::from(width));
            quote!([#scalar; #width])
        }
    }
}

/// The generic parameter for an element type that the arguments fix.
pub(crate) fn open_type(index: usize) -> Ident {
    Ident::new(&format!("T{index}"), Span::mixed_site())
}

/// What an element type must offer.
pub(crate) fn class_trait(class: ScalarClass) -> Ident {
    let name = match class {
        ScalarClass::Any => "Element",
        ScalarClass::Bits => "Bits",
        ScalarClass::Number => "Number",
        ScalarClass::Integer => "Integer",
        ScalarClass::Float => "Float",
    };
    Ident::new(name, Span::call_site())
}
