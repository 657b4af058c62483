//! Constants as constants of Rust, with the values that kernels see.

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{Constant, Value};
use lift_core::front::syntax::Items;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::source::Source;
use lift_core::ir::types::Type;
use lift_parser::RustConstant;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use crate::context::{Context, Result};
use crate::element_type::rust_scalar;
use crate::unused;

/// Whether something uses a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// An item of the same `lift!`, or perhaps one.
    Somewhere,
    /// No item. Rust code may use it, and rustc warns if that does not either.
    Nowhere,
}

/// The constants of a program, given the values of all of them.
pub(crate) fn emit(
    context: &Context,
    program: &Items,
    constants: &[Constant],
    rust: &[RustConstant],
) -> Result<TokenStream> {
    let mentioned = unused::mentioned_in_items(program);
    let mut tokens = TokenStream::new();
    for ((constant, written), rust) in constants.iter().zip(&program.constants).zip(rust) {
        let is_used = mentioned.contains(written.name.name.as_str());
        let used = if is_used { Use::Somewhere } else { Use::Nowhere };
        tokens.extend(definition(context, constant, rust, used)?);
    }
    Ok(tokens)
}

/// A constant of Rust with a value.
pub(crate) fn definition(
    context: &Context,
    constant: &Constant,
    rust: &RustConstant,
    used: Use,
) -> Result<TokenStream> {
    let RustConstant { visibility, attributes, name } = rust;
    let ty = match &constant.ty {
        Type::Scalar(scalar) => rust_scalar(&context.lift, *scalar),
        Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => quote!(::core::primitive::usize),
    };
    let value = value(context, constant)?;
    let dead_code = match used {
        Use::Somewhere => quote!(dead_code,),
        Use::Nowhere => TokenStream::new(),
    };
    // rustc looks for dead code in what a user wrote, and takes an item for that by its first and last token.
    let (keyword, end) = match used {
        Use::Somewhere => (quote!(const), quote!(;)),
        Use::Nowhere => (quote_spanned!(name.span()=> const), quote_spanned!(name.span()=> ;)),
    };
    Ok(quote! {
        #(#attributes)*
        #[allow(#dead_code clippy::all, reason = "kernels see its value, which is computed and not written")]
        #visibility #keyword #name: #ty = #value #end
    })
}

fn value(context: &Context, constant: &Constant) -> Result<TokenStream> {
    match (constant.value, &constant.ty) {
        (Value::Bool(truth), _) => Ok(quote!(#truth)),
        (Value::Integer(number), _) => number_of(&number.to_string()),
        (Value::Float(number), Type::Scalar(scalar)) => float(context, number, *scalar),
        (Value::Float(_), _) => Err(internal("a float that is no scalar")),
    }
}

fn float(context: &Context, number: f64, scalar: ScalarType) -> Result<TokenStream> {
    if scalar == ScalarType::F16 {
        let lift = &context.lift;
        let number = special(number, &quote!(::core::primitive::f64))
            .map_or_else(|| number_of(&format!("{number:?}")), Ok)?;
        return Ok(quote!(#lift::f16::from_f64_const(#number)));
    }
    if let Some(named) = special(number, &rust_scalar(&context.lift, scalar)) {
        return Ok(named);
    }
    number_of(&match scalar {
        ScalarType::F32 => format!("{:?}", number as f32),
        _ => format!("{number:?}"),
    })
}

/// A float that Rust has a name for and no literal.
fn special(number: f64, ty: &TokenStream) -> Option<TokenStream> {
    if number.is_nan() {
        return Some(quote!(#ty::NAN));
    }
    match number.is_infinite() {
        true if number > 0.0 => Some(quote!(#ty::INFINITY)),
        true => Some(quote!(#ty::NEG_INFINITY)),
        false => None,
    }
}

/// A number in digits, whose sign is a separate token.
fn number_of(digits: &str) -> Result<TokenStream> {
    let (sign, magnitude) = match digits.strip_prefix('-') {
        Some(magnitude) => (Some(quote!(-)), magnitude),
        None => (None, digits),
    };
    match magnitude.parse::<Literal>() {
        Ok(literal) => Ok(quote!(#sign #literal)),
        Err(_) => Err(internal("the value of a constant cannot be printed")),
    }
}

fn internal(what: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::internal(Source::UNKNOWN, what)]
}
