//! A compiled program as the constant that the runtime launches.

use std::fmt::Debug;

use lift_core::compiled::{
    Action, Alternation, Argument, Compiled, DeviceClass, End, Exactness, Form, Guard, Kernel, Launches,
    Portion, Repetition, Temporary, counted, have_the_same_kernels,
};
use lift_core::diagnostic::Diagnostic;
use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::{ScalarType, TypeParameter};
use lift_core::ir::source::Source;
use lift_core::ir::typed::{Obligation, Parameter, ParameterType, Requirement};
use lift_core::ir::types::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::context::Result;
use crate::size::{SizePrinter, constant};

/// A block whose value is the runtime's `Program`.
pub(crate) fn description(lift: &TokenStream, compiled: &Compiled) -> Result<TokenStream> {
    let printer = SizePrinter::new(compiled.sizes.iter().map(|size| size.variable.clone()));
    let name = &compiled.name;
    let type_parameters = Literal::usize_unsuffixed(compiled.type_parameters);
    let sizes = compiled.sizes.iter().map(|size| {
        let name = &size.name;
        let minimum = Literal::u64_unsuffixed(size.minimum);
        quote!(__lift::SizeVariable { name: #name, minimum: #minimum })
    });
    let parameters = all(&compiled.parameters, |parameter| print_parameter(parameter, &printer))?;
    let results = all(&compiled.results, |result| print_result(result, &printer))?;
    let obligations = all(&compiled.obligations, |obligation| print_obligation(obligation, &printer))?;
    let plain = print_kernels(&compiled.plain, &printer)?;
    let OtherForms { constants, forms } = OtherForms::of(&compiled.others, &printer)?;
    let exact = print_exactness(&compiled.exact);
    let repeated = compiled.repeated.iter().map(ToString::to_string);
    Ok(quote!({
        use #lift::__private as __lift;
        #(#constants)*
        __lift::Program {
            name: #name,
            type_parameters: #type_parameters,
            sizes: &[#(#sizes),*],
            parameters: &[#(#parameters),*],
            results: &[#(#results),*],
            obligations: &[#(#obligations),*],
            plain: __lift::Form { #plain, ..__lift::NO_KERNELS },
            others: &[#(#forms),*],
            exact: #exact,
            repeated: &[#(#repeated),*],
        }
    }))
}

/// The scalar type and the lengths of a dense array; a scalar has no lengths. The components of vectors form
/// the last dimension.
fn dense(ty: &Type, source: Source) -> Result<(ScalarType, Vec<Nat>)> {
    match ty.innermost() {
        Type::Scalar(scalar) => Ok((*scalar, ty.shape())),
        Type::Vector(lane, width) => {
            let mut shape = ty.shape();
            shape.push(Nat::constant(i128::from(*width)));
            Ok((*lane, shape))
        }
        Type::Size | Type::Tuple(_) | Type::Array(_) => {
            Err(vec![Diagnostic::internal(source, "only arrays of scalars reach a kernel")])
        }
    }
}

fn all<T>(parts: &[T], print: impl Fn(&T) -> Result<TokenStream>) -> Result<Vec<TokenStream>> {
    parts.iter().map(print).collect()
}

fn print_scalar(scalar: ScalarType) -> TokenStream {
    match scalar {
        ScalarType::Parameter(TypeParameter { index, class }) => {
            let (index, class) = (Literal::usize_unsuffixed(index), variant(class));
            quote!(__lift::ScalarType::Parameter(__lift::TypeParameter {
                index: #index,
                class: __lift::ScalarClass::#class,
            }))
        }
        scalar => {
            let scalar = variant(scalar);
            quote!(__lift::ScalarType::#scalar)
        }
    }
}

fn print_exactness(exact: &Exactness) -> TokenStream {
    let Exactness { computed, divided } = exact;
    if computed.is_empty() {
        return quote!(__lift::ROUNDED_FREELY);
    }
    let [computed, divided] = [computed, divided].map(|types| {
        let types = types.iter().map(|ty| print_scalar(*ty));
        quote!(&[#(#types),*])
    });
    quote!(__lift::Exactness { computed: #computed, divided: #divided })
}

/// The name of a variant that holds nothing. The compiler and the runtime have such types in common, so that
/// no table says which of the one is which of the other.
fn variant(of: impl Debug) -> Ident {
    format_ident!("{of:?}")
}

fn print_parameter(parameter: &Parameter, printer: &SizePrinter) -> Result<TokenStream> {
    let name = &*parameter.variable.name;
    let ty = match &parameter.ty {
        ParameterType::Size(variable) => {
            let slot = printer.slot(variable)?;
            quote!(Size(#slot))
        }
        ParameterType::Value(Type::Vector(lane, width)) => {
            let (lane, width) = (print_scalar(*lane), Literal::usize_unsuffixed(usize::from(*width)));
            quote!(Vector(#lane, #width))
        }
        ParameterType::Value(ty) => {
            let (element, shape) = dense(ty, parameter.source)?;
            let element = print_scalar(element);
            if shape.is_empty() {
                quote!(Scalar(#element))
            } else {
                let shape = printer.sizes(&shape)?;
                quote!(Array { element: #element, shape: #shape })
            }
        }
    };
    Ok(quote!(__lift::Parameter { name: #name, ty: __lift::ParameterType::#ty }))
}

fn print_result(result: &Type, printer: &SizePrinter) -> Result<TokenStream> {
    let (element, shape) = dense(result, Source::UNKNOWN)?;
    let element = print_scalar(element);
    let shape = printer.sizes(&shape)?;
    Ok(quote!(__lift::ArrayType { element: #element, shape: #shape }))
}

/// The forms before the plain one. Several may have the same kernels, which are written once.
struct OtherForms {
    /// Forms whose kernels others have, too.
    constants: Vec<TokenStream>,
    forms: Vec<TokenStream>,
}

impl OtherForms {
    fn of(forms: &[Form], printer: &SizePrinter) -> Result<OtherForms> {
        let mut all = OtherForms { constants: Vec::new(), forms: Vec::new() };
        let mut named: Vec<(&Form, Ident)> = Vec::new();
        for form in forms {
            let selection = print_selection(form, printer)?;
            let known = named
                .iter()
                .find(|(other, _)| have_the_same_kernels(other, form))
                .map(|(_, name)| name.clone());
            let rest = match known {
                Some(name) => quote!(..#name),
                None => {
                    let derivation = &form.derivation;
                    let printed = print_kernels(form, printer)?;
                    let printed = quote!(derivation: #derivation, #printed);
                    match forms.iter().filter(|other| have_the_same_kernels(other, form)).count() {
                        0 | 1 => printed,
                        _ => {
                            let name = format_ident!("KERNELS_{}", named.len());
                            all.constants.push(quote! {
                                const #name: __lift::Form = __lift::Form { #printed, ..__lift::NO_KERNELS };
                            });
                            named.push((form, name.clone()));
                            quote!(..#name)
                        }
                    }
                }
            };
            all.forms.push(quote!(__lift::Form { #selection #rest }));
        }
        Ok(all)
    }
}

/// The fields that say what a form launches.
fn print_kernels(form: &Form, printer: &SizePrinter) -> Result<TokenStream> {
    let source = &form.source;
    let temporaries = all(&form.temporaries, |temporary| print_temporary(temporary, printer))?;
    let extents = printer.sizes(&form.extents)?;
    // The counters of launchers take the slots after those of the sizes.
    let printer =
        counted(&form.steps).iter().fold(printer.clone(), |printer, step| printer.with_index(step).1);
    let kernels = all(&form.kernels, |kernel| print_kernel(kernel, &printer))?;
    let steps = print_steps(&form.steps, &printer)?;
    Ok(quote! {
        source: #source,
        temporaries: &[#(#temporaries),*],
        extents: #extents,
        kernels: &[#(#kernels),*],
        steps: #steps
    })
}

/// The fields that say when a form is taken.
fn print_selection(form: &Form, printer: &SizePrinter) -> Result<TokenStream> {
    let Form { name, .. } = form;
    let devices = match form.devices {
        DeviceClass::ProcessorBelow(units) => {
            let units = Literal::u32_unsuffixed(units);
            quote!(ProcessorBelow(#units))
        }
        class @ (DeviceClass::Any | DeviceClass::Accelerator | DeviceClass::Processor) => {
            let class = variant(class);
            quote!(#class)
        }
    };
    let guard = |Guard { text, condition }: &Guard| {
        let condition = printer.condition(condition)?;
        Ok(quote!(__lift::Guard { text: #text, condition: #condition }))
    };
    let (guards, thresholds) = (all(&form.guards, guard)?, all(&form.thresholds, guard)?);
    Ok(quote! {
        name: #name,
        devices: __lift::DeviceClass::#devices,
        guards: &[#(#guards),*],
        thresholds: &[#(#thresholds),*],
    })
}

fn print_temporary(temporary: &Temporary, printer: &SizePrinter) -> Result<TokenStream> {
    let element = print_scalar(temporary.element);
    let length = printer.size(&temporary.length)?;
    Ok(quote!(__lift::Temporary { element: #element, length: #length }))
}

fn print_obligation(obligation: &Obligation, printer: &SizePrinter) -> Result<TokenStream> {
    let text = &obligation.text;
    let named = |relation: &str| {
        let relation = Ident::new(relation, Span::call_site());
        quote!(#relation)
    };
    let (left, relation, right) = match &obligation.requirement {
        Requirement::Equal(left, right) => (printer.size(left)?, named("Equal"), printer.size(right)?),
        Requirement::AtMost(left, right) => (printer.size(left)?, named("AtMost"), printer.size(right)?),
        Requirement::Divides(left, right) => (printer.size(left)?, named("Divides"), printer.size(right)?),
        Requirement::Holds(condition) => {
            let condition = printer.condition(condition)?;
            let (holds, fails) = (constant(1)?, constant(0)?);
            (quote!(__lift::Size::If(&#condition, &#holds, &#fails)), named("Equal"), constant(1)?)
        }
        Requirement::Permutation { index, image, length } => {
            let (slot, inside) = printer.with_index(index);
            (inside.size(image)?, quote!(Permutes { slot: #slot }), printer.size(length)?)
        }
    };
    Ok(quote!(__lift::Obligation {
        text: #text,
        left: #left,
        relation: __lift::Relation::#relation,
        right: #right,
    }))
}

fn print_kernel(kernel: &Kernel, printer: &SizePrinter) -> Result<TokenStream> {
    let entry = &kernel.entry;
    let arguments = all(&kernel.arguments, |argument| print_argument(argument, printer))?;
    let host_arguments = all(&kernel.host_arguments, |argument| print_argument(argument, printer))?;
    let global = kernel.global.iter().map(|size| printer.size(size)).collect::<Result<Vec<_>>>()?;
    let local = kernel.local.iter().map(|size| Literal::usize_unsuffixed(*size));
    let launches = print_launches(kernel.launches);
    let local_memory = printer.size(&kernel.local_memory)?;
    Ok(quote!(__lift::Kernel {
        entry: #entry,
        arguments: &[#(#arguments),*],
        host_arguments: &[#(#host_arguments),*],
        global: [#(#global),*],
        local: [#(#local),*],
        launches: #launches,
        local_memory: #local_memory,
    }))
}

fn print_launches(launches: Launches) -> TokenStream {
    let distributions = match launches {
        Launches::Pinned => return quote!(__lift::Launches::Pinned),
        Launches::Any(distributions) => distributions,
    };
    let distributions = distributions.map(variant);
    quote!(__lift::Launches::Any([#(__lift::Distribution::#distributions),*]))
}

fn print_steps(steps: &[Action], printer: &SizePrinter) -> Result<TokenStream> {
    let steps = all(steps, |step| match step {
        Action::Launch(position) => {
            let position = Literal::usize_unsuffixed(*position);
            Ok(quote!(__lift::Action::Launch(#position)))
        }
        Action::Repeat(Repetition { count, step, portion, arrays, body, end }) => {
            let count = printer.size(count)?;
            let step = match step {
                Some(step) => {
                    let slot = printer.slot(step)?;
                    quote!(Some(#slot))
                }
                None => quote!(None),
            };
            let portion = match portion {
                Some(portion) => {
                    let portion = print_portion(portion, printer)?;
                    quote!(Some(#portion))
                }
                None => quote!(None),
            };
            let arrays = all(arrays, |array| print_alternation(array, printer))?;
            let body = print_steps(body, printer)?;
            let end = match end {
                Some(End { condition, goes_on, copies }) => {
                    let (condition, copies) =
                        (print_steps(condition, printer)?, print_steps(copies, printer)?);
                    let goes_on = print_argument(goes_on, printer)?;
                    quote!(Some(__lift::End { condition: #condition, goes_on: #goes_on, copies: #copies }))
                }
                None => quote!(None),
            };
            Ok(quote!(__lift::Action::Repeat(__lift::Repetition {
                count: #count,
                step: #step,
                portion: #portion,
                arrays: &[#(#arrays),*],
                body: #body,
                end: #end,
            })))
        }
    })?;
    Ok(quote!(&[#(#steps),*]))
}

fn print_portion(portion: &Portion, printer: &SizePrinter) -> Result<TokenStream> {
    let (first, count) = (printer.slot(&portion.first)?, printer.slot(&portion.count)?);
    let (rows, most) = (printer.size(&portion.rows)?, printer.size(&portion.most)?);
    Ok(quote!(__lift::Portion { first: #first, count: #count, rows: #rows, most: #most }))
}

fn print_alternation(array: &Alternation, printer: &SizePrinter) -> Result<TokenStream> {
    let input = print_argument(&array.input, printer)?;
    let before = print_argument(&array.before, printer)?;
    let after = print_argument(&array.after, printer)?;
    let output = print_argument(&array.output, printer)?;
    Ok(quote!(__lift::Alternation { input: #input, before: #before, after: #after, output: #output }))
}

fn print_argument(argument: &Argument, printer: &SizePrinter) -> Result<TokenStream> {
    let (kind, position) = match argument {
        Argument::Parameter(position) => ("Parameter", Literal::usize_unsuffixed(*position)),
        Argument::Result(position) => ("Result", Literal::usize_unsuffixed(*position)),
        Argument::Temporary(position) => ("Temporary", Literal::usize_unsuffixed(*position)),
        Argument::Size(variable) => ("Size", printer.slot(variable)?),
        Argument::Counter(variable) => ("Counter", printer.slot(variable)?),
    };
    let kind = Ident::new(kind, Span::call_site());
    Ok(quote!(__lift::Argument::#kind(#position)))
}
