//! The kernels as Rust functions, and how a call gets them.

use lift_core::compiled::{Compiled, HostEntry};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::expand::{Context, Result};
use crate::program;
use crate::size::SizePrinter;

/// The functions, with the name by which they know the runtime; nothing where there are none.
pub(crate) fn functions(context: &Context, compiled: &Compiled) -> Result<TokenStream> {
    let Some(host) = &compiled.host else { return Ok(TokenStream::new()) };
    let lift = &context.lift;
    let functions: TokenStream = host.text.parse().map_err(|_| {
        let problem = "the kernels for the host are no Rust";
        vec![lift_core::diagnostic::Diagnostic::internal(lift_core::source::Source::UNKNOWN, problem)]
    })?;
    Ok(quote! {
        use #lift::__private::host as __lift_host;
        #functions
    })
}

/// The list of the kernels for the types of a call.
pub(crate) fn entries(compiled: &Compiled) -> Result<TokenStream> {
    let Some(host) = &compiled.host else { return Ok(quote!(&[])) };
    let printer = SizePrinter::new(compiled.sizes.iter().map(|size| size.variable.clone()));
    let entries = host.entries.iter().map(|entry| print_entry(entry, compiled.type_parameters, &printer));
    let entries = entries.collect::<Result<Vec<_>>>()?;
    Ok(quote!(&[#(#entries),*]))
}

fn print_entry(entry: &HostEntry, type_parameters: usize, printer: &SizePrinter) -> Result<TokenStream> {
    let name = Ident::new(&entry.name, Span::call_site());
    let types = (0..type_parameters).map(|index| format_ident!("T{index}"));
    let types = if type_parameters == 0 { TokenStream::new() } else { quote!(::<#(#types),*>) };
    let arguments = entry.arguments.iter().map(|argument| program::print_argument(argument, printer));
    let arguments = arguments.collect::<Result<Vec<_>>>()?;
    Ok(quote!(__lift_host::Entry { kernel: #name #types, arguments: &[#(__lift_host::#arguments),*] }))
}
