//! A kernel item: a function, and a module of the same name.

use lift_core::compiled::Compiled;
use lift_core::front::syntax::Item;
use lift_core::ir::typed::Backend;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::context::{Context, Result};
use crate::signature::{Destination, Parameter, Signature};
use crate::{documentation, host, program, unused};
use lift_parser::RustItem;

/// The function `name` on the default device, and the module `name` with `SOURCE`, `on` and `Kernel`.
pub(crate) fn emit(
    context: &Context,
    compiled: &Compiled,
    item: &Item,
    rust: &RustItem,
) -> Result<TokenStream> {
    let signature = Signature::new(context, compiled)?;
    let function = function(context, compiled, item, rust, &signature);
    let module = module(context, compiled, rust, &signature)?;
    Ok(quote!(#function #module))
}

fn function(
    context: &Context,
    compiled: &Compiled,
    item: &Item,
    rust: &RustItem,
    signature: &Signature<'_>,
) -> TokenStream {
    let lift = &context.lift;
    let RustItem { visibility, attributes, name, parameters: names, .. } = rust;
    let taken: Vec<&Parameter> = signature.parameters.iter().collect();
    let documentation = documentation::of_kernel(compiled);
    let generics = signature.generics(&taken, Destination::Returned);
    let where_clause = signature.where_clause(&taken, Destination::Returned);
    let (names, unused) = declared(names, item);
    let arguments = signature.arguments(&taken, &names, Destination::Returned);
    let unused_bindings = unused::in_item(item, &context.sources);
    let passed: Vec<TokenStream> = names.iter().map(mention).collect();
    let pass = signature.pass(&passed, &taken, Destination::Returned);
    let result = signature.host_result();
    let module = module_name(rust);
    let device = default_device(lift, compiled);
    let generated = generated(signature);
    quote! {
        #(#attributes)*
        #documentation
        #visibility fn #name<#generics>(#arguments) -> #lift::Result<#result> #where_clause {
            #unused
            #unused_bindings
            #lift::__private::Call::new(#module::#generated)#pass.run(&#device)
        }
    }
}

/// The program with its functions for the host: a constant of the module, or a function if it leaves element
/// types open.
fn generated(signature: &Signature<'_>) -> TokenStream {
    match signature.open_generics().0.as_slice() {
        [] => quote!(GENERATED),
        open => quote!(generated::<#(#open),*>()),
    }
}

/// The parameters as a function declares them, and variables for those that the item never mentions. Only
/// these variables then have the user's span, so that rustc reports them as unused. They are parameters of
/// closures, because Clippy has more to say about what `let` binds.
fn declared(names: &[Ident], item: &Item) -> (Vec<Ident>, TokenStream) {
    let mentioned = unused::mentioned_in(item);
    let mut declared = Vec::new();
    let mut unused = TokenStream::new();
    for (name, parameter) in names.iter().zip(&item.parameters) {
        if mentioned.contains(parameter.name.name.as_str()) {
            declared.push(name.clone());
            continue;
        }
        let mut hidden = name.clone();
        hidden.set_span(Span::mixed_site());
        unused.extend(quote!(let _ = |#name: u8| {};));
        declared.push(hidden);
    }
    (declared, unused)
}

/// The device of a call that names none.
fn default_device(lift: &TokenStream, compiled: &Compiled) -> TokenStream {
    match restriction(lift, compiled) {
        None => quote!(#lift::Device::default_device()?),
        Some(restriction) => quote!(#restriction.default_device()?),
    }
}

/// What restricts a kernel to some devices.
fn restriction(lift: &TokenStream, compiled: &Compiled) -> Option<TokenStream> {
    let name = &compiled.name;
    let devices = match compiled.backend? {
        Backend::OpenCl => quote!(OpenCl),
        Backend::Host => quote!(Host),
    };
    Some(
        quote!(#lift::__private::Restriction { program: #name, devices: #lift::__private::Devices::#devices }),
    )
}

/// A use of a parameter that an editor does not confuse with its declaration: only the declaration has the
/// user's span.
fn mention(name: &Ident) -> TokenStream {
    let mut mention = name.clone();
    mention.set_span(Span::call_site().resolved_at(name.span()));
    quote!(#mention)
}

/// The name of the module beside a function.
pub(crate) fn module_name(rust: &RustItem) -> Ident {
    let mut module = rust.name.clone();
    module.set_span(Span::call_site().resolved_at(rust.name.span()));
    module
}

fn module(
    context: &Context,
    compiled: &Compiled,
    rust: &RustItem,
    signature: &Signature<'_>,
) -> Result<TokenStream> {
    let lift = &context.lift;
    let visibility = &rust.visibility;
    let configuration = rust.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let name = module_name(rust);
    let derivation = compiled.derivation();
    let source = match compiled.others.as_slice() {
        [] => quote!(PROGRAM.plain.source),
        // The text is a second literal only where it is not that of a form.
        [..] => {
            let text = compiled.text();
            quote!(#text)
        }
    };
    let about = format!("The kernel `{}`: its OpenCL C, and ways to run it on any device.", compiled.name);
    let description = program::description(lift, compiled)?;
    let functions = host::functions(context, compiled)?;
    let promise = host::generated(context, &quote!(PROGRAM), &host::kernels(compiled, signature));
    let (open, bounds) = signature.open_generics();
    let generated = match bounds.as_slice() {
        [] => quote!(pub const GENERATED: #lift::__private::Generated<'static> = #promise;),
        bounds => quote! {
            pub fn generated<#(#bounds),*>() -> #lift::__private::Generated<'static> {
                #promise
            }
        },
    };
    let compile = match open.is_empty() {
        true => quote!(#lift::__private::Compiled::new(GENERATED, device, &[])?),
        // The elements of the arguments decide the types, so there is nothing to build yet.
        false => {
            let without_functions = host::generated(context, &quote!(PROGRAM), &quote!(&[]));
            let examples = signature.examples();
            quote!(#lift::__private::Compiled::unbuilt(#without_functions, device, &[#(#examples),*]))
        }
    };
    let on = match open.is_empty() {
        true => "Compiles the kernel for a device.",
        false => "The kernel on a device. The first call with elements of a type compiles it for that type.",
    };
    let methods = methods(context, signature);
    let check = restriction(lift, compiled).map(|restriction| quote!(#restriction.check(device)?;));
    Ok(quote! {
        #(#configuration)*
        #[doc = #about]
        // The receiver of a method and the destination of `run_into` and `enqueue_into` are no arguments of the user's. An
        // unusual name is reported at the function.
        #[allow(
            dead_code,
            non_snake_case,
            clippy::too_many_arguments,
            reason = "methods nobody calls, with arguments beside the user's; the name of a function that says it already"
        )]
        #visibility mod #name {
            static PROGRAM: #lift::__private::Program = #description;

            #functions

            #[doc(hidden)]
            #generated

            /// The OpenCL C of the kernel, in all its forms.
            pub const SOURCE: &::core::primitive::str = #source;

            /// The steps of rewriting that its schedule took, a line for each: rule, arguments, place.
            pub const DERIVATION: &::core::primitive::str = #derivation;

            #[doc = #on]
            pub fn on(device: &#lift::Device) -> #lift::Result<Kernel> {
                #check
                ::core::result::Result::Ok(Kernel { compiled: #compile })
            }

            /// The kernel, compiled for a device.
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            pub struct Kernel {
                compiled: #lift::__private::Compiled,
            }

            impl Kernel {
                #lift::__private::variants!();

                #methods
            }
        }
    })
}

fn methods(context: &Context, signature: &Signature<'_>) -> TokenStream {
    let taken: Vec<&Parameter> = signature.parameters.iter().collect();
    let names: Vec<Ident> = taken.iter().map(|parameter| parameter.name.clone()).collect();
    let values: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
    let pass = |destination| signature.pass(&values, &taken, destination);
    let call = match signature.open_generics().0.is_empty() {
        true => quote!(self.compiled.call()),
        false => {
            let generated = generated(signature);
            quote!(self.compiled.call_with(#generated)?)
        }
    };
    let [call, enqueued] = [Destination::Returned, Destination::Device].map(|destination| {
        let pass = pass(destination);
        quote!(#call #pass)
    });
    let receiver = Receiver { call, enqueued, device: quote!(self.compiled.device()) };
    kernel_methods(context, signature, &taken, &receiver)
}

/// How the methods of a kernel value make a call and find their device.
pub(crate) struct Receiver {
    /// The call with all its arguments.
    pub(crate) call: TokenStream,
    /// The same for a call whose result stays on the device.
    pub(crate) enqueued: TokenStream,
    /// The device, borrowed.
    pub(crate) device: TokenStream,
}

/// `run`, `run_into`, `enqueue`, `enqueue_into` and `profile`, which take the given parameters.
pub(crate) fn kernel_methods<'s>(
    context: &Context,
    signature: &'s Signature<'_>,
    taken: &[&'s Parameter],
    receiver: &Receiver,
) -> TokenStream {
    let lift = &context.lift;
    let Receiver { call, enqueued, device } = receiver;
    let names: Vec<Ident> = taken.iter().map(|parameter| parameter.name.clone()).collect();
    let arguments = signature.arguments(taken, &names, Destination::Returned);
    let device_arguments = signature.arguments(taken, &names, Destination::Device);
    let device_generics = signature.generics(taken, Destination::Device);
    let generics = signature.generics(taken, Destination::Returned);
    let where_clause = signature.where_clause(taken, Destination::Returned);
    let out_generics = signature.generics(taken, Destination::Out);
    let out_where = signature.where_clause(taken, Destination::Out);
    let host = signature.host_result();
    let on_device = signature.device_result();
    let destination = signature.destination();
    let device_destination = signature.device_destination();
    quote! {
        /// Computes: host data in, host data out.
        pub fn run<#generics>(&self, #arguments) -> #lift::Result<#host> #where_clause {
            #call.run(#device)
        }

        /// Computes into memory of the caller's, which is left as it was on an error: one that is found
        /// before kernels run, or that an OpenCL device reports. On the host results are written there as
        /// they are computed.
        pub fn run_into<#out_generics>(&self, #arguments out: #destination) -> #lift::Result<()> #out_where {
            #call.run_into(#device, out)
        }

        /// Starts to compute on device arrays and returns at once, with the result on the device; on the host
        /// it computes first. Scalars may be there, too.
        pub fn enqueue<#device_generics>(&self, #device_arguments) -> #lift::Result<#on_device> #where_clause {
            #enqueued.enqueue(#device)
        }

        /// The same into device arrays of the caller's. One that shares its memory is an error.
        pub fn enqueue_into<#device_generics>(
            &self,
            #device_arguments
            out: #device_destination,
        ) -> #lift::Result<()> #where_clause {
            #enqueued.enqueue_into(#device, out)
        }

        /// Computes, and measures every kernel on the device.
        pub fn profile<#generics>(&self, #arguments) -> #lift::Result<(#host, #lift::Profile)> #where_clause {
            #call.profile(#device)
        }
    }
}
