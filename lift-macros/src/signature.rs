//! Parameters, bounds and results of everything callable: what rustc checks at a call.
//!
//! An array parameter is generic in how the caller holds the data. Its bounds say the element type, the number of
//! dimensions, the dimensions whose length is a literal, and which dimensions of all arguments must agree because they
//! are the same size variable; rustc compares them where they are part of a type, the runtime where they are not.

use std::collections::{BTreeMap, BTreeSet};

use lift_core::compiled::Compiled;
use lift_core::nat::{Nat, Var};
use lift_core::scalar::{ScalarClass, ScalarType};
use lift_core::source::Source;
use lift_core::typed::ParameterType;
use lift_core::types::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use crate::expand::{Context, Result};
use crate::program;

/// The Rust side of a program's interface.
pub(crate) struct Signature<'a> {
    context: &'a Context,
    /// The parameters, in the order of the program.
    pub(crate) parameters: Vec<Parameter>,
    type_parameters: BTreeMap<usize, ScalarClass>,
    results: Vec<Dense>,
}

/// A parameter.
pub(crate) struct Parameter {
    /// The name in generated code.
    pub(crate) name: Ident,
    /// Where the user named it.
    pub(crate) source: Source,
    /// The name as the user wrote it.
    pub(crate) text: String,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a parameter is.
pub(crate) enum Kind {
    /// Data borrowed from the caller, whose type is a generic parameter.
    Array { generic: Ident, array: Dense },
    /// A number or truth value.
    Scalar(ScalarType),
    /// A size.
    Size,
}

/// A dense array, or a scalar where there are no lengths.
pub(crate) struct Dense {
    element: ScalarType,
    shape: Vec<Nat>,
}

/// An array that a callable borrows.
struct Data<'a> {
    generic: Ident,
    array: &'a Dense,
    span: Span,
    is_written: bool,
}

/// Where a callable leaves its result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The result is returned.
    Returned,
    /// The result is written into a parameter `out`.
    Out,
}

impl<'a> Signature<'a> {
    /// The interface of a program, or what is not supported at it.
    pub(crate) fn new(context: &'a Context, compiled: &Compiled) -> Result<Signature<'a>> {
        let mut generics = BTreeSet::from(["Out".to_owned(), "Self".to_owned()]);
        let mut parameters = Vec::new();
        for parameter in &compiled.parameters {
            let text = parameter.variable.name.to_string();
            let kind = match &parameter.ty {
                ParameterType::Size(_) => Kind::Size,
                ParameterType::Value(ty) => match program::dense(ty, parameter.source)? {
                    (scalar, shape) if shape.is_empty() => Kind::Scalar(scalar),
                    (element, shape) => {
                        let generic = fresh_generic(&text, &mut generics);
                        Kind::Array { generic, array: Dense { element, shape } }
                    }
                },
            };
            let name = crate::diagnostics::identifier(&text, Span::mixed_site());
            parameters.push(Parameter { name, source: parameter.source, text, kind });
        }
        let results = program::result_parts(&compiled.result)
            .into_iter()
            .map(|part: &Type| {
                let (element, shape) = program::dense(part, Source::UNKNOWN)?;
                Ok(Dense { element, shape })
            })
            .collect::<Result<Vec<_>>>()?;
        let mut signature = Signature { context, parameters, type_parameters: BTreeMap::new(), results };
        signature.type_parameters = signature.open_types();
        Ok(signature)
    }

    fn open_types(&self) -> BTreeMap<usize, ScalarClass> {
        let of_parameters = self.parameters.iter().filter_map(|parameter| match &parameter.kind {
            Kind::Array { array, .. } => Some(array.element),
            Kind::Scalar(scalar) => Some(*scalar),
            Kind::Size => None,
        });
        of_parameters
            .chain(self.results.iter().map(|result| result.element))
            .filter_map(|scalar| match scalar {
                ScalarType::Parameter(parameter) => Some((parameter.index, parameter.class)),
                _ => None,
            })
            .collect()
    }

    /// The generic parameters, without angles, for a callable that takes the given parameters.
    pub(crate) fn generics<'s>(&'s self, taken: &[&'s Parameter], destination: Destination) -> TokenStream {
        let lift = &self.context.lift;
        let open = self.open_generics(taken);
        let arrays = self.arrays(taken, destination).into_iter().map(|data| {
            let (generic, span) = (&data.generic, data.span);
            let lift = located(lift, span);
            let element = self.scalar(data.array.element);
            let rank = Literal::usize_unsuffixed(data.array.shape.len());
            // An equation of types also infers the element type of an empty destination.
            let writable =
                data.is_written.then(|| quote_spanned!(span=> #lift::ArrayMut<Element = #element> +));
            quote_spanned!(span=> #generic: #writable #lift::Input<#element, #rank> + ?::core::marker::Sized)
        });
        let out = match (destination, self.results.len()) {
            (Destination::Returned, _) | (Destination::Out, 1) => None,
            (Destination::Out, _) => Some(quote!(Out: #lift::Destination)),
        };
        quote!(#(#open,)* #(#arrays,)* #out)
    }

    /// The element types that the taken parameters leave open.
    fn open_generics(&self, taken: &[&Parameter]) -> Vec<TokenStream> {
        let lift = &self.context.lift;
        self.type_parameters
            .iter()
            .filter(|(index, _)| {
                // A type that a captured value fixes is a parameter of the kernel's own type.
                self.parameters.len() == taken.len() || !self.captured_types(taken).contains(index)
            })
            .map(|(index, class)| {
                let name = open_type(*index);
                let class = class_trait(*class);
                quote!(#name: #lift::__private::#class)
            })
            .collect()
    }

    /// The open types of the scalars that are not taken.
    fn captured_types(&self, taken: &[&Parameter]) -> BTreeSet<usize> {
        self.parameters
            .iter()
            .filter(|parameter| !taken.iter().any(|other| std::ptr::eq(*other, *parameter)))
            .filter_map(|parameter| match parameter.kind {
                Kind::Scalar(ScalarType::Parameter(parameter)) => Some(parameter.index),
                Kind::Scalar(_) | Kind::Size | Kind::Array { .. } => None,
            })
            .collect()
    }

    /// The open types of captured scalars: their names, and each with its bound.
    pub(crate) fn captured_generics(&self, taken: &[&Parameter]) -> (Vec<Ident>, Vec<TokenStream>) {
        let lift = &self.context.lift;
        let captured = self.captured_types(taken);
        self.type_parameters
            .iter()
            .filter(|(index, _)| captured.contains(index))
            .map(|(index, class)| {
                let (name, class) = (open_type(*index), class_trait(*class));
                (name.clone(), quote!(#name: #lift::__private::#class))
            })
            .unzip()
    }

    /// The data that a callable borrows, each with its generic parameter.
    fn arrays<'s>(&'s self, taken: &[&'s Parameter], destination: Destination) -> Vec<Data<'s>> {
        let mut arrays = Vec::new();
        for parameter in taken {
            if let Parameter { kind: Kind::Array { generic, array }, source, .. } = parameter {
                // rustc's messages about a bound point at the parameter.
                let user = self.context.sources.range(*source).first;
                let span = Span::mixed_site().located_at(user);
                arrays.push(Data { generic: generic.clone(), array, span, is_written: false });
            }
        }
        if let (Destination::Out, [result]) = (destination, self.results.as_slice()) {
            let span = Span::mixed_site();
            arrays.push(Data { generic: Ident::new("Out", span), array: result, span, is_written: true });
        }
        arrays
    }

    /// The predicates on static sizes, as a `where` clause.
    pub(crate) fn where_clause<'s>(
        &'s self,
        taken: &[&'s Parameter],
        destination: Destination,
    ) -> TokenStream {
        let lift = &self.context.lift;
        let arrays = self.arrays(taken, destination);
        let mut first_use: BTreeMap<Var, (&Ident, Literal)> = BTreeMap::new();
        let mut predicates = Vec::new();
        for Data { generic, array, span, .. } in &arrays {
            let lift = located(lift, *span);
            for (dimension, length) in array.shape.iter().enumerate() {
                let index = Literal::usize_unsuffixed(dimension);
                let literal = length.as_constant().and_then(|length| usize::try_from(length).ok());
                let bound = match (literal, length.as_variable()) {
                    (Some(length), _) => {
                        let length = Literal::usize_unsuffixed(length);
                        quote_spanned!(*span=> HasSize<#index, #length>)
                    }
                    (None, Some(variable)) => match first_use.get(variable) {
                        Some((other, other_index)) => {
                            quote_spanned!(*span=> SameSizeAs<#index, #other, #other_index>)
                        }
                        None => {
                            first_use.insert(variable.clone(), (generic, index));
                            continue;
                        }
                    },
                    (None, None) => continue,
                };
                predicates.push(quote_spanned!(*span=> #generic: #lift::__private::#bound));
            }
        }
        if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) }
    }

    /// The parameters with their types, each followed by a comma; `names` replaces the names.
    pub(crate) fn arguments(&self, taken: &[&Parameter], names: &[Ident]) -> TokenStream {
        let arguments = taken.iter().zip(names).map(|(parameter, name)| {
            let ty = match &parameter.kind {
                Kind::Array { generic, .. } => quote!(&#generic),
                Kind::Scalar(scalar) => self.scalar(*scalar),
                Kind::Size => quote!(::core::primitive::usize),
            };
            quote!(#name: #ty,)
        });
        arguments.collect()
    }

    /// `.array(a).scalar(alpha)…` for all parameters, given the expression that holds each.
    pub(crate) fn pass(&self, values: &[TokenStream]) -> TokenStream {
        let calls = self.parameters.iter().zip(values).map(|(parameter, value)| match parameter.kind {
            Kind::Array { .. } => quote!(.array(#value)),
            Kind::Scalar(_) => quote!(.scalar(#value)),
            Kind::Size => quote!(.size(#value)),
        });
        calls.collect()
    }

    /// The result as host data.
    pub(crate) fn host_result(&self) -> TokenStream {
        self.result(|result| {
            let lift = &self.context.lift;
            let element = self.scalar(result.element);
            match result.shape.len() {
                0 => element,
                rank => {
                    let dimension = format_ident!("Ix{rank}");
                    quote!(#lift::ndarray::Array<#element, #lift::ndarray::#dimension>)
                }
            }
        })
    }

    /// The result on a device.
    pub(crate) fn device_result(&self) -> TokenStream {
        self.result(|result| {
            let lift = &self.context.lift;
            let element = self.scalar(result.element);
            let dimension = format_ident!("Ix{}", result.shape.len());
            quote!(#lift::DeviceArray<#element, #lift::ndarray::#dimension>)
        })
    }

    fn result(&self, print: impl Fn(&Dense) -> TokenStream) -> TokenStream {
        let parts: Vec<TokenStream> = self.results.iter().map(print).collect();
        match parts.as_slice() {
            [single] => single.clone(),
            parts => quote!((#(#parts),*)),
        }
    }

    /// The type of the destination `out`.
    pub(crate) fn destination(&self) -> TokenStream {
        match self.results.as_slice() {
            [_] => quote!(&mut Out),
            _ => quote!(Out),
        }
    }

    /// A scalar type in Rust.
    pub(crate) fn scalar(&self, scalar: ScalarType) -> TokenStream {
        rust_scalar(&self.context.lift, scalar)
    }
}

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

/// A path that means what it meant, as if it were written at `span`.
fn located(path: &TokenStream, span: Span) -> TokenStream {
    let locate = |mut tree: TokenTree| {
        tree.set_span(tree.span().located_at(span));
        tree
    };
    path.clone().into_iter().map(locate).collect()
}

/// The generic parameter for an element type that the arguments fix.
fn open_type(index: usize) -> Ident {
    Ident::new(&format!("T{index}"), Span::mixed_site())
}

/// What an element type must offer.
fn class_trait(class: ScalarClass) -> Ident {
    let name = match class {
        ScalarClass::Any => "Element",
        ScalarClass::Number => "Number",
        ScalarClass::Integer => "Integer",
        ScalarClass::Float => "Float",
    };
    Ident::new(name, Span::call_site())
}

/// A generic parameter named after a parameter: `row_sums` gives `RowSums`.
fn fresh_generic(name: &str, taken: &mut BTreeSet<String>) -> Ident {
    let camel: String = name
        .split('_')
        .flat_map(|part| part.chars().next().map(|first| first.to_uppercase().chain(part.chars().skip(1))))
        .flatten()
        .collect();
    let is_type_like = camel.starts_with(|first: char| first.is_alphabetic());
    let base = if is_type_like { camel } else { "Data".to_owned() };
    // `T0` and the like are element types.
    let is_open_type = base.strip_prefix('T').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    let base = if is_open_type { format!("{base}Data") } else { base };
    let mut candidate = base.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{base}{number}");
        number += 1;
    }
    Ident::new(&candidate, Span::mixed_site())
}
