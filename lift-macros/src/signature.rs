//! Parameters, bounds and results of everything callable: what rustc checks at a call.
//!
//! An array parameter is generic in how the caller holds the data. Its bounds state the element type, the
//! number of dimensions, the dimensions whose length is a literal, and which dimensions of all arguments must
//! agree because they are the same size variable. rustc compares these dimensions if they are part of a type;
//! otherwise the runtime does.

use std::collections::{BTreeMap, BTreeSet};

use lift_core::compiled::Compiled;
use lift_core::ir::nat::Var;
use lift_core::ir::scalar::{ScalarClass, ScalarType, TypeParameter};
use lift_core::ir::source::Source;
use lift_core::ir::typed::ParameterType;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::context::{Context, Result};
use crate::element_type::{class_trait, open_type, rust_scalar, rust_vector};
use crate::interface::{Dense, Entry, Shape};

/// The Rust side of a program's interface.
pub(crate) struct Signature<'a> {
    context: &'a Context,
    /// The parameters, in the order of the program.
    pub(crate) parameters: Vec<Parameter>,
    type_parameters: BTreeMap<usize, ScalarClass>,
    result: Shape,
    /// The generic parameters for the destinations of the arrays and scalars in the result.
    destinations: Vec<Ident>,
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

/// The constants of the module beside a function.
const MODULE_CONSTANTS: [&str; 4] = ["SOURCE", "DERIVATION", "PROGRAM", "GENERATED"];

/// What a parameter is.
pub(crate) enum Kind {
    /// Data borrowed from the caller, whose type is a generic parameter.
    Array { generic: Ident, array: Dense },
    /// A number or truth value. On a device its type is a generic parameter.
    Scalar { generic: Ident, scalar: ScalarType },
    /// A vector, likewise.
    Vector { generic: Ident, lane: ScalarType, width: u8 },
    /// A size.
    Size,
    /// A tuple of these, by value.
    Tuple(Vec<Kind>),
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
    /// The result stays on the device. Scalars and vectors that it is computed from may be there, too.
    Device,
}

impl<'a> Signature<'a> {
    /// The interface of a program, or what it contains that is not supported.
    pub(crate) fn new(context: &'a Context, compiled: &Compiled) -> Result<Signature<'a>> {
        let result = Shape::new(&compiled.result, &compiled.open_ranks, Source::UNKNOWN)?;
        let destinations = destination_generics(result.dense().len());
        let mut taken: BTreeSet<String> = destinations.iter().map(ToString::to_string).collect();
        taken.insert("Self".to_owned());
        // The function refers to the module beside it by this name.
        taken.insert(compiled.name.clone());
        let mut parameters = Vec::new();
        for parameter in &compiled.interface {
            let text = parameter.variable.name.to_string();
            let kind = match &parameter.ty {
                ParameterType::Size(_) => Kind::Size,
                ParameterType::Value(ty) => {
                    Kind::new(Shape::new(ty, &compiled.open_ranks, parameter.source)?, &text, &mut taken)
                }
            };
            // A parameter inside the module `name` cannot have the name of one of its constants.
            let name = if MODULE_CONSTANTS.contains(&text.as_str()) {
                format!("{text}_argument")
            } else {
                text.clone()
            };
            let name = crate::place::identifier(&name, Span::mixed_site());
            parameters.push(Parameter { name, source: parameter.source, text, kind });
        }
        let mut signature =
            Signature { context, parameters, type_parameters: BTreeMap::new(), result, destinations };
        signature.type_parameters = signature.open_types();
        Ok(signature)
    }

    fn open_types(&self) -> BTreeMap<usize, ScalarClass> {
        let of_parameters = self.parameters.iter().flat_map(|parameter| parameter.kind.element_types());
        of_parameters
            .chain(self.result.dense().into_iter().flat_map(|result| result.entry.scalars()))
            .filter_map(|scalar| match scalar {
                ScalarType::Parameter(parameter) => Some((parameter.index, parameter.class)),
                _ => None,
            })
            .collect()
    }

    /// The generic parameters, without angle brackets, for a callable that takes the given parameters.
    pub(crate) fn generics<'s>(&'s self, taken: &[&'s Parameter], destination: Destination) -> TokenStream {
        let lift = &self.context.lift;
        let open = self.generics_left_open(taken);
        let arrays = self.arrays(taken, destination).into_iter().map(|data| {
            let (generic, span) = (&data.generic, data.span);
            let lift = located(lift, span);
            let element = data.array.entry.print(&|scalar, width| rust_vector(&self.scalar(scalar), width));
            let rank = Literal::usize_unsuffixed(data.array.lengths.len());
            let bound = match &data.array.entry {
                Entry::Open(_) if data.is_written => {
                    quote_spanned!(span=> #lift::ArrayMut<Element = #element> + #lift::__private::OpenInput)
                }
                Entry::Open(_) => quote_spanned!(span=> #lift::__private::OpenInput),
                entry if data.is_written && entry.holds_vector() => {
                    quote_spanned!(span=> #lift::__private::PlaceOfVectors)
                }
                Entry::Scalar(_) | Entry::Vector(..) | Entry::Tuple(_) if data.is_written => {
                    quote_spanned!(span=> #lift::__private::Place)
                }
                Entry::Scalar(_) | Entry::Vector(..) | Entry::Tuple(_) => quote_spanned!(span=> #lift::Input),
            };
            quote_spanned!(span=> #generic: #bound<#element, #rank> + ?::core::marker::Sized)
        });
        let values = match destination {
            Destination::Returned | Destination::Out => Vec::new(),
            Destination::Device => {
                let bounds = taken.iter().map(|parameter| {
                    let mut bounds = Vec::new();
                    self.value_bounds(&parameter.kind, self.span(parameter), &mut bounds);
                    bounds
                });
                bounds.flatten().collect()
            }
        };
        quote!(#(#open,)* #(#arrays,)* #(#values,)*)
    }

    /// The generic parameters of the scalars and vectors in a parameter that may be on a device.
    fn value_bounds(&self, kind: &Kind, span: Span, bounds: &mut Vec<TokenStream>) {
        match kind {
            Kind::Scalar { generic, .. } | Kind::Vector { generic, .. } => {
                if let Some(value) = self.value_on_device(kind) {
                    let lift = located(&self.context.lift, span);
                    bounds.push(quote_spanned!(span=> #generic: #lift::ValueInput<#value>));
                }
            }
            Kind::Array { .. } | Kind::Size => {}
            Kind::Tuple(parts) => parts.iter().for_each(|part| self.value_bounds(part, span, bounds)),
        }
    }

    /// The type of a scalar or a vector that may be on a device. That of a number of an open type that no
    /// array has is decided by the number itself.
    fn value_on_device(&self, kind: &Kind) -> Option<TokenStream> {
        match kind {
            Kind::Scalar { scalar: ScalarType::Parameter(parameter), .. }
                if self.is_by_value(parameter.index) =>
            {
                None
            }
            Kind::Scalar { scalar, .. } => Some(self.scalar(*scalar)),
            Kind::Vector { lane, width, .. } => Some(rust_vector(&self.scalar(*lane), Some(*width))),
            Kind::Array { .. } | Kind::Size | Kind::Tuple(_) => None,
        }
    }

    /// Where rustc's messages about the bound of a parameter point.
    fn span(&self, parameter: &Parameter) -> Span {
        Span::mixed_site().located_at(self.context.sources.range(parameter.source).first)
    }

    /// A type of each open element type's class, for which its kernels can be built.
    pub(crate) fn examples(&self) -> Vec<TokenStream> {
        let lift = &self.context.lift;
        let example = |class: &ScalarClass| match class {
            ScalarClass::Any | ScalarClass::Number | ScalarClass::Float => quote!(F32),
            ScalarClass::Bits | ScalarClass::Integer => quote!(I32),
        };
        let examples = self.type_parameters.values().map(example);
        examples.map(|example| quote!(#lift::__private::ScalarType::#example)).collect()
    }

    /// All open element types: their names, and each with its bound.
    pub(crate) fn open_generics(&self) -> (Vec<Ident>, Vec<TokenStream>) {
        let all: Vec<&Parameter> = self.parameters.iter().collect();
        (self.type_parameters.keys().map(|index| open_type(*index)).collect(), self.generics_left_open(&all))
    }

    /// The generic parameters for the element types that the taken parameters leave open.
    fn generics_left_open(&self, taken: &[&Parameter]) -> Vec<TokenStream> {
        let lift = &self.context.lift;
        self.type_parameters
            .iter()
            .filter(|(index, _)| {
                // A type that a captured value fixes is a parameter of the kernel's own type.
                self.parameters.len() == taken.len() || !self.captured_types(taken).contains(index)
            })
            .map(|(index, class)| {
                let name = open_type(*index);
                let bound = self.class_bound(*index, *class);
                quote!(#name: #lift::__private::#bound)
            })
            .collect()
    }

    /// What an open type must offer. If no array has the type, it is the type of something passed by value.
    fn class_bound(&self, index: usize, class: ScalarClass) -> TokenStream {
        let (lift, class) = (&self.context.lift, class_trait(class));
        match self.is_by_value(index) {
            true => quote!(ByValue<Element: #lift::__private::#class>),
            false => quote!(#class),
        }
    }

    /// Whether an open type occurs only in numbers that are passed by value.
    fn is_by_value(&self, index: usize) -> bool {
        let has_it = |scalar: &ScalarType| matches!(scalar, ScalarType::Parameter(parameter) if parameter.index == index);
        let in_data = self.parameters.iter().flat_map(|parameter| parameter.kind.data_types());
        let in_result = self.result.dense().into_iter().flat_map(|result| result.entry.scalars());
        !in_data.chain(in_result).any(|scalar| has_it(&scalar))
    }

    /// The element type that an open type has on a device.
    pub(crate) fn element_type(&self, index: usize) -> TokenStream {
        let (lift, name) = (&self.context.lift, open_type(index));
        match self.is_by_value(index) {
            true => quote!(<#name as #lift::__private::ByValue>::Element),
            false => quote!(#name),
        }
    }

    /// The open types of the scalars that are not taken.
    fn captured_types(&self, taken: &[&Parameter]) -> BTreeSet<usize> {
        self.parameters
            .iter()
            .filter(|parameter| !taken.iter().any(|other| std::ptr::eq(*other, *parameter)))
            .flat_map(|parameter| parameter.kind.values())
            .filter_map(|scalar| match scalar {
                ScalarType::Parameter(parameter) => Some(parameter.index),
                _ => None,
            })
            .collect()
    }

    /// The open types of captured scalars: their positions among the open types, and the name of each with
    /// its bound.
    pub(crate) fn captured_generics(&self, taken: &[&Parameter]) -> (Vec<usize>, Vec<TokenStream>) {
        let lift = &self.context.lift;
        let captured = self.captured_types(taken);
        self.type_parameters
            .iter()
            .filter(|(index, _)| captured.contains(index))
            .map(|(index, class)| {
                let (name, bound) = (open_type(*index), self.class_bound(*index, *class));
                (*index, quote!(#name: #lift::__private::#bound))
            })
            .unzip()
    }

    /// The data that a callable borrows, each with its generic parameter.
    fn arrays<'s>(&'s self, taken: &[&'s Parameter], destination: Destination) -> Vec<Data<'s>> {
        let mut arrays = Vec::new();
        for parameter in taken {
            let span = self.span(parameter);
            arrays.extend(parameter.kind.arrays().into_iter().map(|(generic, array)| Data {
                generic: generic.clone(),
                array,
                span,
                is_written: false,
            }));
        }
        if destination == Destination::Out {
            let results = self.destinations.iter().zip(self.result.dense());
            arrays.extend(results.map(|(generic, array)| Data {
                generic: generic.clone(),
                array,
                span: Span::mixed_site(),
                is_written: true,
            }));
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
            for (dimension, length) in array.lengths.iter().enumerate() {
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
    pub(crate) fn arguments(
        &self,
        taken: &[&Parameter],
        names: &[Ident],
        destination: Destination,
    ) -> TokenStream {
        let arguments = taken.iter().zip(names).map(|(parameter, name)| {
            let ty = self.parameter_type(&parameter.kind, destination);
            quote!(#name: #ty,)
        });
        arguments.collect()
    }

    fn parameter_type(&self, kind: &Kind, destination: Destination) -> TokenStream {
        match kind {
            Kind::Scalar { generic, .. } | Kind::Vector { generic, .. }
                if destination == Destination::Device && self.value_on_device(kind).is_some() =>
            {
                quote!(#generic)
            }
            Kind::Array { generic, .. } => quote!(&#generic),
            Kind::Scalar { scalar, .. } => self.scalar(*scalar),
            Kind::Vector { lane, width, .. } => rust_vector(&self.scalar(*lane), Some(*width)),
            Kind::Size => quote!(::core::primitive::usize),
            Kind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.parameter_type(part, destination));
                quote!((#(#parts),*))
            }
        }
    }

    /// `.array(a).scalar(alpha)…` for all parameters, given the expression that holds each, in a callable that
    /// takes some of them.
    pub(crate) fn pass(
        &self,
        values: &[TokenStream],
        taken: &[&Parameter],
        destination: Destination,
    ) -> TokenStream {
        let passed = self.parameters.iter().zip(values).map(|(parameter, value)| {
            let is_taken = taken.iter().any(|other| std::ptr::eq(*other, parameter));
            // What a closure has captured is a value of the host.
            let destination = if is_taken { destination } else { Destination::Returned };
            self.pass_kind(&parameter.kind, value, destination)
        });
        passed.collect()
    }

    /// The calls that pass a value of a kind.
    fn pass_kind(&self, kind: &Kind, value: &TokenStream, destination: Destination) -> TokenStream {
        match kind {
            Kind::Scalar { .. } | Kind::Vector { .. }
                if destination == Destination::Device
                    && let Some(ty) = self.value_on_device(kind) =>
            {
                quote!(.value::<#ty, _>(#value))
            }
            Kind::Array { array: Dense { entry: Entry::Open(parameter), lengths }, .. } => {
                let rank = Literal::usize_unsuffixed(lengths.len());
                let element = Literal::usize_unsuffixed(parameter.index);
                quote!(.array_of_any_rank(#value, #rank, #element))
            }
            Kind::Array { .. } => quote!(.array(#value)),
            Kind::Scalar { .. } => quote!(.scalar(#value)),
            Kind::Vector { .. } => quote!(.vector(#value)),
            Kind::Size => quote!(.size(#value)),
            Kind::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(position, part)| {
                    let position = Literal::usize_unsuffixed(position);
                    self.pass_kind(part, &quote!(#value.#position), destination)
                });
                parts.collect()
            }
        }
    }

    /// The result as host data.
    pub(crate) fn host_result(&self) -> TokenStream {
        self.result.print(&|dense| {
            dense.on_host(&self.context.lift, &|element, dimension| self.with_rows(element, &dimension))
        })
    }

    /// A type of dimensions with those of the rows of an open element added. The first array with this
    /// element decides; the others are compared with it at the call.
    fn with_rows(&self, element: TypeParameter, dimension: &TokenStream) -> TokenStream {
        let lift = &self.context.lift;
        let mut arrays = self.parameters.iter().flat_map(|parameter| parameter.kind.arrays());
        let first = arrays.find(|(_, array)| matches!(&array.entry, Entry::Open(open) if *open == element));
        let Some((generic, array)) = first else { return dimension.clone() };
        let rank = Literal::usize_unsuffixed(array.lengths.len());
        let private = quote!(#lift::__private);
        let all = quote!(<#generic as #private::Array>::Dimension);
        let more = quote!(<#all as #private::Without<#rank>>::More);
        quote!(<#more as #private::Beyond>::Added<#dimension>)
    }

    /// The result on a device.
    pub(crate) fn device_result(&self) -> TokenStream {
        self.result.print(&|dense| dense.on_device(&self.context.lift))
    }

    /// The type of the destination `out` on a device.
    pub(crate) fn device_destination(&self) -> TokenStream {
        self.result.print(&|dense| {
            let on_device = dense.on_device(&self.context.lift);
            quote!(&mut #on_device)
        })
    }

    /// The type of the destination `out` in the host's memory.
    pub(crate) fn destination(&self) -> TokenStream {
        destination_of(&self.result, &mut self.destinations.iter())
    }

    /// The type of a captured value.
    pub(crate) fn captured_type(&self, kind: &Kind) -> TokenStream {
        self.parameter_type(kind, Destination::Returned)
    }

    /// A scalar type in Rust.
    pub(crate) fn scalar(&self, scalar: ScalarType) -> TokenStream {
        rust_scalar(&self.context.lift, scalar)
    }
}

impl Kind {
    fn new(shape: Shape, name: &str, taken: &mut BTreeSet<String>) -> Kind {
        match shape {
            Shape::Dense(Dense { entry: Entry::Scalar(scalar), lengths }) if lengths.is_empty() => {
                Kind::Scalar { generic: fresh_generic(name, taken), scalar }
            }
            Shape::Dense(Dense { entry: Entry::Vector(lane, width), lengths }) if lengths.is_empty() => {
                Kind::Vector { generic: fresh_generic(name, taken), lane, width }
            }
            Shape::Dense(array) => Kind::Array { generic: fresh_generic(name, taken), array },
            Shape::Tuple(parts) => {
                let part = |(position, part)| Kind::new(part, &format!("{name}{position}"), taken);
                Kind::Tuple(parts.into_iter().enumerate().map(part).collect())
            }
        }
    }

    /// The data in it that is borrowed, in order.
    fn arrays(&self) -> Vec<(&Ident, &Dense)> {
        match self {
            Kind::Array { generic, array } => vec![(generic, array)],
            Kind::Scalar { .. } | Kind::Vector { .. } | Kind::Size => Vec::new(),
            Kind::Tuple(parts) => parts.iter().flat_map(Kind::arrays).collect(),
        }
    }

    /// The types of the numbers in it that are passed by value.
    fn values(&self) -> Vec<ScalarType> {
        match self {
            Kind::Scalar { scalar, .. } | Kind::Vector { lane: scalar, .. } => vec![*scalar],
            Kind::Array { .. } | Kind::Size => Vec::new(),
            Kind::Tuple(parts) => parts.iter().flat_map(Kind::values).collect(),
        }
    }

    /// The types of the numbers in it that are not passed as scalars: in arrays and in vectors.
    fn data_types(&self) -> Vec<ScalarType> {
        match self {
            Kind::Array { array, .. } => array.entry.scalars(),
            Kind::Vector { lane, .. } => vec![*lane],
            Kind::Scalar { .. } | Kind::Size => Vec::new(),
            Kind::Tuple(parts) => parts.iter().flat_map(Kind::data_types).collect(),
        }
    }

    /// The types of all numbers in it.
    fn element_types(&self) -> Vec<ScalarType> {
        match self {
            Kind::Array { array, .. } => array.entry.scalars(),
            Kind::Scalar { scalar, .. } | Kind::Vector { lane: scalar, .. } => vec![*scalar],
            Kind::Size => Vec::new(),
            Kind::Tuple(parts) => parts.iter().flat_map(Kind::element_types).collect(),
        }
    }

    /// Whether it borrows data.
    pub(crate) fn holds_array(&self) -> bool {
        !self.arrays().is_empty()
    }
}

/// `Out`, or `Out0`, `Out1` and so on for several.
fn destination_generics(count: usize) -> Vec<Ident> {
    let name = |position| if count == 1 { "Out".to_owned() } else { format!("Out{position}") };
    (0..count).map(|position| Ident::new(&name(position), Span::mixed_site())).collect()
}

fn destination_of<'a>(shape: &Shape, generics: &mut impl Iterator<Item = &'a Ident>) -> TokenStream {
    match shape {
        Shape::Dense(_) => {
            let generic = generics.next();
            quote!(&mut #generic)
        }
        Shape::Tuple(parts) => {
            let parts: Vec<TokenStream> = parts.iter().map(|part| destination_of(part, generics)).collect();
            quote!((#(#parts),*))
        }
    }
}

/// A path with its meaning unchanged, but located at `span`.
fn located(path: &TokenStream, span: Span) -> TokenStream {
    let locate = |mut tree: TokenTree| {
        tree.set_span(tree.span().located_at(span));
        tree
    };
    path.clone().into_iter().map(locate).collect()
}

/// A new name for a generic parameter, derived from a parameter: `row_sums` gives `RowSums`.
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
