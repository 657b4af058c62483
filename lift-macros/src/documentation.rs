//! What generated items say in the user's documentation.

use lift_core::compiled::Compiled;
use proc_macro2::TokenStream;
use quote::quote;

/// The part of a kernel's documentation that follows the user's own.
pub(crate) fn of_kernel(compiled: &Compiled) -> TokenStream {
    let name = &compiled.name;
    let mut lines = vec![
        String::new(),
        format!("It runs on the default device; [`{name}::on`](fn@{name}::on) compiles it for another one."),
        String::new(),
        "# Errors".to_owned(),
        String::new(),
        "An argument has a wrong size, no device can run the kernel, or the driver fails.".to_owned(),
    ];
    if !compiled.obligations.is_empty() {
        lines.push("Or a constraint on the sizes does not hold; nothing is launched then:".to_owned());
        lines.push(String::new());
        lines.extend(compiled.obligations.iter().map(|obligation| format!("- {}", obligation.text)));
    }
    if !compiled.repeated.is_empty() {
        lines.extend(
            ["", "# Cost", "", "It computes elements more often than the program says:", ""]
                .map(str::to_owned),
        );
        lines.extend(compiled.repeated.iter().map(|repeated| format!("- {repeated}")));
        lines.push(String::new());
        lines.push("Who stores an array (`store`, or `toGlobal` and its like where the program says who computes what) has it computed once.".to_owned());
    }
    lines.into_iter().map(|line| quote!(#[doc = #line])).collect()
}
