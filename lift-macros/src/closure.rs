//! A closure: a kernel value on the default device, or on one that is chosen. Scalars of the environment are
//! captured by value.

use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::{Expr, ExprKind, Pattern, PatternKind};
use lift_core::ir::source::Source;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::context::{Context, Result};
use crate::element_type::open_type;
use crate::item::{Receiver, kernel_methods};
use crate::mistake::Mistake;
use crate::signature::{Destination, Parameter, Signature};
use crate::{host, inline, program, unused};

/// `{ static PROGRAM…; struct Kernel { captured }; impl Kernel {…} struct Compiled {…}; impl Compiled {…} Kernel { captured } }`
pub(crate) fn emit(context: &Context, compiled: &Compiled, expression: &Expr) -> Result<TokenStream> {
    let lift = &context.lift;
    let signature = Signature::new(context, compiled)?;
    let parameters = parameter_sources(expression);
    let (taken, captured): (Vec<&Parameter>, Vec<&Parameter>) =
        signature.parameters.iter().partition(|parameter| parameters.contains(&parameter.source));
    reject_captured_arrays(&captured, expression)?;
    let description = program::description(lift, compiled)?;
    let functions = host::functions(context, compiled)?;
    let promise = host::generated(context, &quote!(__LIFT_PROGRAM), &host::kernels(compiled, &signature));
    let (open_of_all, bounds_of_all) = signature.open_generics();
    let generated = quote!(__lift_generated::<#(#open_of_all),*>());
    let (captured_types, open_bounds) = signature.captured_generics(&taken);
    let open: Vec<Ident> = captured_types.iter().map(|index| open_type(*index)).collect();
    let elements = captured_types.iter().map(|index| signature.element_type(*index));
    let fields: Vec<TokenStream> = captured.iter().map(|parameter| field(&signature, parameter)).collect();
    let values: Vec<TokenStream> = captured
        .iter()
        .map(|parameter| {
            let (name, value) = (&parameter.name, inline::variable(context, expression, parameter));
            quote!(#name: #value)
        })
        .collect();
    let pass = |kernel: TokenStream, destination| {
        let arguments: Vec<TokenStream> = signature
            .parameters
            .iter()
            .map(|parameter| {
                let name = &parameter.name;
                if parameters.contains(&parameter.source) { quote!(#name) } else { quote!(#kernel.#name) }
            })
            .collect();
        signature.pass(&arguments, &taken, destination)
    };
    let on_default = {
        let [call, enqueued] = [Destination::Returned, Destination::Device].map(|destination| {
            let pass = pass(quote!(self), destination);
            quote!(#lift::__private::Call::new(#generated)#pass)
        });
        Receiver { call, enqueued, device: quote!(&#lift::Device::default_device()?) }
    };
    let on_chosen = {
        let [call, enqueued] = [Destination::Returned, Destination::Device].map(|destination| {
            let pass = pass(quote!(self.kernel), destination);
            quote!(self.compiled.call_with(#generated)?#pass)
        });
        Receiver { call, enqueued, device: quote!(self.compiled.device()) }
    };
    let methods = kernel_methods(context, &signature, &taken, &on_default);
    let compiled_methods = kernel_methods(context, &signature, &taken, &on_chosen);
    let build = match open.len() == compiled.type_parameters {
        true => quote! {
            #lift::__private::Compiled::new(
                #generated,
                device,
                &[#(<#elements as #lift::__private::Element>::SCALAR),*],
            )?
        },
        // The elements of the arguments decide the types, so there is nothing to build yet.
        false => {
            let without_functions = host::generated(context, &quote!(__LIFT_PROGRAM), &quote!(&[]));
            quote!(#lift::__private::Compiled::unbuilt(#without_functions, device, &[]))
        }
    };
    let unused = unused::in_expression(expression, &context.sources);
    Ok(quote!({
        #unused
        static __LIFT_PROGRAM: #lift::__private::Program = #description;
        #functions

        fn __lift_generated<#(#bounds_of_all),*>() -> #lift::__private::Generated<'static> {
            #promise
        }

        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        struct __LiftKernel<#(#open),*> {
            #(#fields,)*
        }

        #[allow(dead_code, clippy::too_many_arguments, reason = "methods nobody calls, with arguments beside the user's")]
        impl<#(#open_bounds),*> __LiftKernel<#(#open),*> {
            /// Compiles the kernel for a device. One whose element types are open is compiled by its first call for each of them.
            pub fn on(&self, device: &#lift::Device) -> #lift::Result<__LiftCompiled<#(#open),*>> {
                let compiled = #build;
                ::core::result::Result::Ok(__LiftCompiled { kernel: ::core::clone::Clone::clone(self), compiled })
            }

            #methods
        }

        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #[allow(dead_code, reason = "a closure that is never put on a device")]
        struct __LiftCompiled<#(#open),*> {
            kernel: __LiftKernel<#(#open),*>,
            compiled: #lift::__private::Compiled,
        }

        #[allow(dead_code, clippy::too_many_arguments, reason = "methods nobody calls, with arguments beside the user's")]
        impl<#(#open_bounds),*> __LiftCompiled<#(#open),*> {
            /// The same kernel with the sizes of each call as constants; see the method of a function item's kernel.
            #[must_use]
            pub fn specialised(self) -> Self {
                __LiftCompiled { compiled: self.compiled.specialised(), ..self }
            }

            /// The same kernel with its sizes as arguments.
            #[must_use]
            pub fn unspecialised(self) -> Self {
                __LiftCompiled { compiled: self.compiled.unspecialised(), ..self }
            }

            #compiled_methods
        }

        __LiftKernel { #(#values),* }
    }))
}

fn field(signature: &Signature<'_>, parameter: &Parameter) -> TokenStream {
    let name = &parameter.name;
    let ty = signature.captured_type(&parameter.kind);
    quote!(#name: #ty)
}

fn reject_captured_arrays(captured: &[&Parameter], expression: &Expr) -> Result<()> {
    let name = |parameter: &Parameter| {
        let place = expression.find(parameter.source).and_then(Expr::place);
        place.map_or_else(|| parameter.text.clone(), |place| place.path)
    };
    let errors: Vec<Diagnostic> = captured
        .iter()
        .filter(|parameter| parameter.kind.holds_array())
        .map(|parameter| Mistake::CapturedArray { name: name(parameter) }.at(parameter.source))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The places where the closure's own parameters are named.
fn parameter_sources(expression: &Expr) -> Vec<Source> {
    let ExprKind::Lambda(lambda) = &expression.kind else { return Vec::new() };
    let mut sources = Vec::new();
    lambda.parameters.iter().for_each(|pattern| collect_sources(pattern, &mut sources));
    sources
}

fn collect_sources(pattern: &Pattern, sources: &mut Vec<Source>) {
    sources.push(pattern.source);
    match &pattern.kind {
        PatternKind::Name(_) | PatternKind::Wildcard => {}
        PatternKind::Tuple(components) | PatternKind::Array(components) => {
            components.iter().for_each(|component| collect_sources(component, sources));
        }
        PatternKind::Typed(inner, _) => collect_sources(inner, sources),
    }
}
