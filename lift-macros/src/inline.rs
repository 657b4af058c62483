//! An inline expression: a block that computes at once on the default device.

use lift_core::compiled::Compiled;
use lift_core::front::syntax::Expr;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::context::{Context, Result};
use crate::diagnostics;
use crate::place::{identifier, place};
use crate::signature::{Destination, Kind, Parameter, Signature};
use crate::{host, program, unused};

/// `{ static PROGRAM…; fn call(…) {…} call(&(a), (alpha)) }`. Every Rust variable stands in the call, once.
pub(crate) fn emit(context: &Context, compiled: &Compiled, expression: &Expr) -> Result<TokenStream> {
    let lift = &context.lift;
    let signature = Signature::new(context, compiled)?;
    let description = program::description(lift, compiled)?;
    let functions = host::functions(context, compiled)?;
    let generated = host::generated(context, &quote!(__LIFT_PROGRAM), &host::kernels(compiled, &signature));
    let taken: Vec<&Parameter> = signature.parameters.iter().collect();
    // Not the names of the variables, because a parameter cannot have the name of a constant or a `static`.
    let names: Vec<Ident> = (0..taken.len())
        .map(|position| format_ident!("argument_{position}", span = Span::mixed_site()))
        .collect();
    let generics = signature.generics(&taken, Destination::Returned);
    let where_clause = signature.where_clause(&taken, Destination::Returned);
    let arguments = signature.arguments(&taken, &names, Destination::Returned);
    let values: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
    let pass = signature.pass(&values, &taken, Destination::Returned);
    let result = signature.host_result();
    let variables = taken.iter().map(|parameter| variable(context, expression, parameter));
    let unused = unused::in_expression(expression, &context.sources);
    let unneeded = diagnostics::mentioned(expression, &context.sources, |name, source| {
        taken.iter().all(|parameter| parameter.text != name && parameter.source != source)
    });
    Ok(quote!({
        #unused
        #unneeded
        static __LIFT_PROGRAM: #lift::__private::Program = #description;
        #functions

        fn __lift_call<#generics>(#arguments) -> #lift::Result<#result> #where_clause {
            #lift::__private::Call::new(#generated)#pass.run(&#lift::Device::default_device()?)
        }

        __lift_call(#(#variables),*)
    }))
}

/// The Rust variable or place behind a parameter: an array is borrowed, anything else is copied. For a tuple
/// this is done for each component.
pub(crate) fn variable(context: &Context, expression: &Expr, parameter: &Parameter) -> TokenStream {
    let span = context.sources.range(parameter.source).first;
    let written = expression.find(parameter.source).and_then(|written| place(written, &context.sources));
    let name = written.unwrap_or_else(|| {
        let name = identifier(&parameter.text, span);
        quote!(#name)
    });
    // The parentheses and the borrow stand where the user's name stands, so that rustc's messages point
    // there.
    let around = Span::mixed_site().located_at(span);
    passed(&parameter.kind, &quote!(#name), around)
}

fn passed(kind: &Kind, value: &TokenStream, around: Span) -> TokenStream {
    match kind {
        Kind::Array { .. } => quote_spanned!(around=> &(#value)),
        Kind::Scalar { .. } | Kind::Vector { .. } | Kind::Size => quote_spanned!(around=> (#value)),
        Kind::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(position, part)| {
                let position = Literal::usize_unsuffixed(position);
                passed(part, &quote_spanned!(around=> #value.#position), around)
            });
            quote_spanned!(around=> (#(#parts),*))
        }
    }
}
