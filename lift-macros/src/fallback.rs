//! Functions, modules and constants for items that did not compile.
//!
//! The message about the item is already there. This prints constants, of which those that are wrong are zero,
//! and for every other item a function with the item's name and number of
//! parameters, and for a kernel a module with `SOURCE`, `DERIVATION` and `on`. They keep rustc from reporting
//! at every use that these do not exist, and let an editor find them while they are being written.

use std::collections::BTreeSet;

use lift_core::front::infer::{Constant, Value, infer_constants};
use lift_core::front::syntax::{Item, Items, TypeExpr, TypeExprKind};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::types::Type;
use lift_parser::{RustItem, RustItems};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::constant::{self, Use};
use crate::context::Context;
use crate::element_type::rust_scalar;
use crate::half;
use crate::item::module_name;

/// One constant or function for each name of an item whose head parsed.
pub(crate) fn emit(context: &Context, program: &Items, items: &RustItems) -> TokenStream {
    let mut names = BTreeSet::new();
    let values = infer_constants(program);
    let constants = program.constants.iter().zip(&items.constants).zip(values);
    let mut tokens: TokenStream = constants
        .filter(|((constant, _), _)| names.insert(&constant.name.name))
        .filter_map(|((constant, rust), value)| {
            let value = value.or_else(|| constant_of_zero(&constant.ty))?;
            constant::definition(context, &value, rust, Use::Somewhere).ok()
        })
        .collect();
    let functions = program.functions.iter().zip(&items.functions);
    tokens.extend(
        functions
            .filter(|(item, _)| names.insert(&item.name.name))
            .map(|(item, rust)| function(context, item, rust)),
    );
    tokens
}

/// Zero as a constant of a type; `None` if no constant has it.
fn constant_of_zero(ty: &TypeExpr) -> Option<Constant> {
    let TypeExprKind::Name(name) = &ty.kind else { return None };
    Some(match ScalarType::from_name(name) {
        Some(ScalarType::F16) if !half::IS_BUILT_IN => return None,
        Some(ScalarType::Bool) => Constant { ty: Type::Scalar(ScalarType::Bool), value: Value::Bool(false) },
        Some(scalar) if scalar.is_float() => Constant { ty: Type::Scalar(scalar), value: Value::Float(0.0) },
        Some(scalar) => Constant { ty: Type::Scalar(scalar), value: Value::Integer(0) },
        None if name == "usize" => Constant { ty: Type::Size, value: Value::Integer(0) },
        None => return None,
    })
}

fn function(context: &Context, item: &Item, rust: &RustItem) -> TokenStream {
    let lift = &context.lift;
    let RustItem { visibility, name, .. } = rust;
    let parameters = parameters(rust);
    let result = host_type(lift, &with_known_types(item, &item.result));
    let types = item.parameters.iter().map(|parameter| &parameter.ty).chain([&item.result]);
    let is_kernel = !item.generics.is_empty() || types.into_iter().any(holds_array);
    if !is_kernel {
        return quote! {
            #[allow(unused_variables, dead_code, clippy::all, reason = "it stands for a program with mistakes")]
            #visibility fn #name(#(#parameters),*) -> #result {
                loop {}
            }
        };
    }
    let module = module(lift, item, rust);
    quote! {
        #[allow(unused_variables, dead_code, clippy::all, reason = "it stands for a program with mistakes")]
        #visibility fn #name(#(#parameters),*) -> #lift::Result<#result> {
            loop {}
        }

        #module
    }
}

/// The parameters, of any type. Two with one name were reported before.
fn parameters(rust: &RustItem) -> Vec<TokenStream> {
    let mut names = BTreeSet::new();
    let any = quote!(impl ::core::marker::Sized);
    let parameters = rust.parameters.iter();
    parameters
        .map(|name| if names.insert(name.to_string()) { quote!(#name: #any) } else { quote!(_: #any) })
        .collect()
}

/// The module of a kernel.
fn module(lift: &TokenStream, item: &Item, rust: &RustItem) -> TokenStream {
    let visibility = &rust.visibility;
    let name = module_name(rust);
    let result = with_known_types(item, &item.result);
    let (host, device) = (host_type(lift, &result), device_type(lift, &result));
    let any = rust.parameters.iter().map(|_| quote!(_: impl ::core::marker::Sized));
    let taken = quote!(#(, #any)*);
    quote! {
        #[allow(dead_code, clippy::all, reason = "it stands for a program with mistakes")]
        #visibility mod #name {
            pub const SOURCE: &::core::primitive::str = "";

            pub const DERIVATION: &::core::primitive::str = "";

            pub fn on(_: &#lift::Device) -> #lift::Result<Kernel> {
                loop {}
            }

            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            pub struct Kernel;

            impl Kernel {
                pub fn forms(&self) -> ::std::vec::Vec<#lift::KernelForm> {
                    loop {}
                }

                pub fn form(self, _: &::core::primitive::str) -> #lift::Result<Kernel> {
                    loop {}
                }

                pub fn specialised(self) -> Kernel {
                    loop {}
                }

                pub fn unspecialised(self) -> Kernel {
                    loop {}
                }

                pub fn launch(
                    self,
                    _: &[::core::primitive::usize],
                    _: &[::core::primitive::usize],
                ) -> #lift::Result<Kernel> {
                    loop {}
                }

                pub fn launch_of(
                    self,
                    _: &::core::primitive::str,
                    _: &[::core::primitive::usize],
                    _: &[::core::primitive::usize],
                ) -> #lift::Result<Kernel> {
                    loop {}
                }

                pub fn run(&self #taken) -> #lift::Result<#host> {
                    loop {}
                }

                pub fn run_into(&self #taken, _: impl ::core::marker::Sized) -> #lift::Result<()> {
                    loop {}
                }

                pub fn enqueue(&self #taken) -> #lift::Result<#device> {
                    loop {}
                }

                pub fn enqueue_into(&self #taken, _: impl ::core::marker::Sized) -> #lift::Result<()> {
                    loop {}
                }

                pub fn profile(&self #taken) -> #lift::Result<(#host, #lift::Profile)> {
                    loop {}
                }
            }
        }
    }
}

/// A type with `f32` for those that the item declares.
fn with_known_types(item: &Item, ty: &TypeExpr) -> TypeExpr {
    let all = |parts: &[TypeExpr]| parts.iter().map(|part| with_known_types(item, part)).collect();
    let kind = match &ty.kind {
        TypeExprKind::Name(name) if item.types.iter().any(|generic| generic.name.name == *name) => {
            TypeExprKind::Name("f32".to_owned())
        }
        TypeExprKind::Tuple(components) => TypeExprKind::Tuple(all(components)),
        TypeExprKind::Array { index, element, length } => TypeExprKind::Array {
            index: index.clone(),
            element: Box::new(with_known_types(item, element)),
            length: length.clone(),
        },
        other @ (TypeExprKind::Name(_) | TypeExprKind::Error) => other.clone(),
    };
    TypeExpr { kind, source: ty.source }
}

/// The result's type in Rust as far as it is known, else `()`.
fn host_type(lift: &TokenStream, ty: &TypeExpr) -> TokenStream {
    result_type(lift, ty, &|element, rank| {
        let dimension = dimension(rank);
        match rank {
            0 => element,
            _ => quote!(#lift::ndarray::Array<#element, #lift::ndarray::#dimension>),
        }
    })
}

/// The same on a device.
fn device_type(lift: &TokenStream, ty: &TypeExpr) -> TokenStream {
    result_type(lift, ty, &|element, rank| {
        let dimension = dimension(rank);
        quote!(#lift::DeviceArray<#element, #lift::ndarray::#dimension>)
    })
}

/// The dimensions of an array, which `ndarray` counts up to 6.
fn dimension(rank: usize) -> Ident {
    if rank <= 6 { format_ident!("Ix{rank}") } else { format_ident!("IxDyn") }
}

fn result_type(
    lift: &TokenStream,
    ty: &TypeExpr,
    array: &dyn Fn(TokenStream, usize) -> TokenStream,
) -> TokenStream {
    let mut rank = 0usize;
    let mut innermost = ty;
    while let TypeExprKind::Array { element, .. } = &innermost.kind {
        rank += 1;
        innermost = element;
    }
    match &innermost.kind {
        TypeExprKind::Name(name) => match ScalarType::from_name(name) {
            Some(ScalarType::F16) if !half::IS_BUILT_IN => quote!(()),
            Some(scalar) => array(rust_scalar(lift, scalar), rank),
            None => quote!(()),
        },
        TypeExprKind::Tuple(components) if rank == 0 => {
            let components = components.iter().map(|component| result_type(lift, component, array));
            quote!((#(#components),*))
        }
        TypeExprKind::Tuple(components) => {
            let scalars =
                components.iter().map(|component| result_type(lift, component, &|element, _| element));
            array(quote!((#(#scalars),*)), rank)
        }
        TypeExprKind::Array { .. } | TypeExprKind::Error => quote!(()),
    }
}

fn holds_array(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeExprKind::Array { .. } => true,
        TypeExprKind::Tuple(components) => components.iter().any(holds_array),
        TypeExprKind::Name(_) | TypeExprKind::Error => false,
    }
}
