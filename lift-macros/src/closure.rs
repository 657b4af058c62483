//! A closure: a kernel value on the default device. Scalars of the environment are captured by value.

use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::source::Source;
use lift_core::syntax::{Expr, ExprKind, Pattern, PatternKind};
use proc_macro2::TokenStream;
use quote::quote;

use crate::expand::{Context, Result};
use crate::item::{Receiver, kernel_methods};
use crate::signature::{Parameter, Signature};
use crate::{host, inline, program};

/// `{ static PROGRAM…; struct Kernel { captured }; impl Kernel {…} Kernel { captured } }`
pub(crate) fn emit(context: &Context, compiled: &Compiled, expression: &Expr) -> Result<TokenStream> {
    let lift = &context.lift;
    let signature = Signature::new(context, compiled)?;
    let parameters = parameter_sources(expression);
    let (taken, captured): (Vec<&Parameter>, Vec<&Parameter>) =
        signature.parameters.iter().partition(|parameter| parameters.contains(&parameter.source));
    reject_captured_arrays(&captured)?;
    let description = program::description(lift, compiled)?;
    let (functions, kernels) = (host::functions(context, compiled)?, host::kernels(compiled));
    let (open, open_bounds) = signature.captured_generics(&taken);
    let fields: Vec<TokenStream> = captured.iter().map(|parameter| field(&signature, parameter)).collect();
    let values: Vec<TokenStream> = captured
        .iter()
        .map(|parameter| {
            let (name, value) = (&parameter.name, inline::variable(context, parameter));
            quote!(#name: #value)
        })
        .collect();
    let arguments: Vec<TokenStream> = signature
        .parameters
        .iter()
        .map(|parameter| {
            let name = &parameter.name;
            if parameters.contains(&parameter.source) { quote!(#name) } else { quote!(self.#name) }
        })
        .collect();
    let pass = signature.pass(&arguments);
    let receiver = Receiver {
        call: quote!(#lift::__private::Call::new(&__LIFT_PROGRAM).host(#kernels)#pass),
        device: quote!(&#lift::Device::default_device()?),
    };
    let methods = kernel_methods(context, &signature, &taken, &receiver);
    Ok(quote!({
        static __LIFT_PROGRAM: #lift::__private::Program = #description;
        #functions

        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        struct __LiftKernel<#(#open),*> {
            #(#fields,)*
        }

        // As in `item`: the methods have more arguments than the user wrote.
        #[allow(dead_code, clippy::too_many_arguments)]
        impl<#(#open_bounds),*> __LiftKernel<#(#open),*> {
            #methods
        }

        __LiftKernel { #(#values),* }
    }))
}

fn field(signature: &Signature<'_>, parameter: &Parameter) -> TokenStream {
    let name = &parameter.name;
    let ty = signature.captured_type(&parameter.kind);
    quote!(#name: #ty)
}

fn reject_captured_arrays(captured: &[&Parameter]) -> Result<()> {
    let errors: Vec<Diagnostic> = captured
        .iter()
        .filter(|parameter| parameter.kind.holds_array())
        .map(|parameter| {
            let name = &parameter.text;
            Diagnostic::new(
                parameter.source,
                format!("the closure uses the array `{name}` of its environment"),
            )
            .with_help(format!("a closure captures numbers only; make `{name}` one of its parameters"))
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Where the closure's own parameters are named.
fn parameter_sources(expression: &Expr) -> Vec<Source> {
    let ExprKind::Lambda(patterns, _) = &expression.kind else { return Vec::new() };
    let mut sources = Vec::new();
    patterns.iter().for_each(|pattern| collect_sources(pattern, &mut sources));
    sources
}

fn collect_sources(pattern: &Pattern, sources: &mut Vec<Source>) {
    sources.push(pattern.source);
    match &pattern.kind {
        PatternKind::Name(_) | PatternKind::Wildcard => {}
        PatternKind::Tuple(components) => {
            components.iter().for_each(|component| collect_sources(component, sources));
        }
        PatternKind::Typed(inner, _) => collect_sources(inner, sources),
    }
}
