//! Functions for items that did not compile.
//!
//! The message about the item is there already. A function with its name and number of parameters keeps rustc from
//! saying at every call that it does not exist, and lets an editor find it while it is being written. There is no module
//! `name` with it, so that `name::on` does get a second message.

use std::collections::BTreeSet;

use lift_core::scalar::ScalarType;
use lift_core::syntax::{Item, TypeExpr, TypeExprKind};
use lift_parser::RustItem;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::Context;
use crate::signature::rust_scalar;

/// One function for every name of an item whose head did parse.
pub(crate) fn emit(context: &Context, program: &[Item], items: &[RustItem]) -> TokenStream {
    let mut names = BTreeSet::new();
    program
        .iter()
        .zip(items)
        .filter(|(item, _)| names.insert(&item.name.name))
        .map(|(item, rust)| function(context, item, rust))
        .collect()
}

fn function(context: &Context, item: &Item, rust: &RustItem) -> TokenStream {
    let lift = &context.lift;
    let RustItem { visibility, name, parameters, .. } = rust;
    // Two of one name were reported before.
    let mut names = BTreeSet::new();
    let parameters = parameters
        .iter()
        .map(|parameter| if names.insert(parameter.to_string()) { quote!(#parameter) } else { quote!(_) });
    let result = host_type(lift, &item.result);
    let types = item.parameters.iter().map(|parameter| &parameter.ty).chain([&item.result]);
    let is_kernel = !item.generics.is_empty() || types.into_iter().any(holds_array);
    let result = if is_kernel { quote!(#lift::Result<#result>) } else { result };
    quote! {
        #[allow(unused_variables, dead_code, clippy::all)]
        #visibility fn #name(#(#parameters: impl ::core::marker::Sized),*) -> #result {
            loop {}
        }
    }
}

/// The result's type in Rust as far as it is known; `()` where it is not.
fn host_type(lift: &TokenStream, ty: &TypeExpr) -> TokenStream {
    let mut rank = 0usize;
    let mut innermost = ty;
    while let TypeExprKind::Array { element, .. } = &innermost.kind {
        rank += 1;
        innermost = element;
    }
    let element = match &innermost.kind {
        TypeExprKind::Name(name) => match ScalarType::from_name(name) {
            Some(scalar) => rust_scalar(lift, scalar),
            None => return quote!(()),
        },
        TypeExprKind::Tuple(components) => {
            let components = components.iter().map(|component| host_type(lift, component));
            quote!((#(#components),*))
        }
        TypeExprKind::Array { .. } | TypeExprKind::Error => return quote!(()),
    };
    match rank {
        0 => element,
        1..=6 => {
            let dimension = format_ident!("Ix{rank}");
            quote!(#lift::ndarray::Array<#element, #lift::ndarray::#dimension>)
        }
        _ => quote!(#lift::ndarray::ArrayD<#element>),
    }
}

fn holds_array(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeExprKind::Array { .. } => true,
        TypeExprKind::Tuple(components) => components.iter().any(holds_array),
        TypeExprKind::Name(_) | TypeExprKind::Error => false,
    }
}
