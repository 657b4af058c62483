//! The kernels as Rust functions, and how a call gets them.

use lift_core::compiled::Compiled;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::context::{Context, Result};
use crate::signature::Signature;

/// The functions, with the name by which they know the runtime; empty if there are none.
pub(crate) fn functions(context: &Context, compiled: &Compiled) -> Result<TokenStream> {
    let Some(host) = &compiled.host else { return Ok(TokenStream::new()) };
    let lift = &context.lift;
    let functions: TokenStream = host.text.parse().map_err(|_| {
        let problem = "the kernels for the host are no Rust";
        vec![lift_core::diagnostic::Diagnostic::internal(lift_core::ir::source::Source::UNKNOWN, problem)]
    })?;
    Ok(quote! {
        use #lift::__private::host as __lift_host;
        #functions
    })
}

/// The runtime's `Generated` of a program at this path, with the functions for the types of a call.
///
/// It is the only `unsafe` in an expansion and contains nothing of the user's. A user's crate may forbid
/// `unsafe`: rustc does not count what a macro of another crate writes as `unsafe` of the user's crate, as
/// long as no `#[allow(unsafe_code)]` stands there.
pub(crate) fn generated(context: &Context, program: &TokenStream, kernels: &TokenStream) -> TokenStream {
    let lift = &context.lift;
    // SAFETY: the compiler printed the description and the functions for one program, and found that this
    // program keeps to its arrays and is free of races.
    quote!(unsafe { #lift::__private::Generated::new(&#program, #kernels) })
}

/// The list of the kernels for the types of a call.
pub(crate) fn kernels(compiled: &Compiled, signature: &Signature<'_>) -> TokenStream {
    let Some(host) = &compiled.host else { return quote!(&[]) };
    let kernels = host.entries.iter().map(|entry| {
        let name = Ident::new(entry, Span::call_site());
        let types = (0..compiled.type_parameters).map(|index| signature.element_type(index));
        let types = if compiled.type_parameters == 0 { TokenStream::new() } else { quote!(::<#(#types),*>) };
        quote!(#name #types)
    });
    quote!(&[#(#kernels),*])
}
