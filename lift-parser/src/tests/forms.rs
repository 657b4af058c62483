//! The three forms of an invocation, items, and types.

use lift_core::front::syntax::{Input, Items};

use super::{parenthesised, print, ty};
use crate::{Parsed, parse_text};

fn items(text: &str) -> (Items, Parsed) {
    let mut parsed = parse_text(text);
    assert_eq!(parsed.errors, [], "{text}");
    match parsed.input.take() {
        Some(Input::Items(items)) => (items, parsed),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn the_first_tokens_decide_the_form() {
    let form = |text: &str| match parse_text(text).input {
        Some(Input::Inline(_)) => "inline",
        Some(Input::Closure(_)) => "closure",
        Some(Input::Items(_)) => "items",
        None => "none",
    };
    assert_eq!(form("map(f, a)"), "inline");
    assert_eq!(form("a >> |x| x"), "inline");
    assert_eq!(form("|a: [f32; N]| map(f, a)"), "closure");
    assert_eq!(form("< |a: [f32; N]| map(f, a) >"), "closure");
    assert_eq!(form("fn f(a: f32) -> f32 { a }"), "items");
    assert_eq!(form("pub(crate) fn f(a: f32) -> f32 { a }"), "items");
    assert_eq!(form("/// Doc.\nfn f(a: f32) -> f32 { a }"), "items");
    assert_eq!(form(""), "none");
}

#[test]
fn an_item_has_all_its_parts() {
    let (items, parsed) = items(
        "/// Sums.
         #[launch(local = (16, 8), global = (N, M))]
         #[must_use]
         #[schedule(tiled)]
         pub fn f<const N: usize, const M: usize>(a: [[f32; M]; N], k: size,) -> [f32; N]
         where N % 128 == 0, M >= 3
         { a >> map(g) }
         fn g(x: f32) -> f32 { x }",
    );
    assert_eq!(items.functions.len(), 2);
    let item = &items.functions[0];
    assert_eq!(item.name.name, "f");
    assert_eq!(item.generics.iter().map(|name| name.name.as_str()).collect::<Vec<_>>(), ["N", "M"]);
    let parameters: Vec<String> = item
        .parameters
        .iter()
        .map(|parameter| format!("{}: {}", parameter.name.name, ty(&parameter.ty)))
        .collect();
    assert_eq!(parameters, ["a: [[f32; M]; N]", "k: size"]);
    assert_eq!(ty(&item.result), "[f32; N]");
    assert_eq!(item.conditions.iter().map(print).collect::<Vec<_>>(), ["((N % 128) == 0)", "(M >= 3)"]);
    assert_eq!(print(&item.body), "(a >> map(g))");
    let attributes: Vec<String> = item
        .attributes
        .iter()
        .map(|attribute| {
            let arguments: Vec<String> = attribute
                .arguments
                .iter()
                .map(|(key, value)| match key {
                    Some(key) => format!("{} = {}", key.name, print(value)),
                    None => print(value),
                })
                .collect();
            format!("{}({})", attribute.name.name, arguments.join(", "))
        })
        .collect();
    assert_eq!(attributes, ["launch(local = tuple(16, 8), global = tuple(N, M))", "schedule(tiled)"]);
    let rust = &parsed.items.functions[0];
    assert_eq!(rust.attributes.len(), 2);
    assert_eq!(rust.name, "f");
    assert_eq!(rust.generics.len(), 2);
    assert_eq!(rust.parameters.len(), 2);
    assert!(matches!(rust.visibility, syn::Visibility::Public(_)));
}

#[test]
fn types_have_sizes_that_are_expressions() {
    for (text, expected) in [
        ("|a: [f32; 2 * N + 1]| a", "(|a: [f32; ((2 * N) + 1)]| a)"),
        ("|a: [[f32; M]; N]| a", "(|a: [[f32; M]; N]| a)"),
        ("|a: [i => [f32; i + 1]; N]| a", "(|a: [i => [f32; (i + 1)]; N]| a)"),
        (
            "|a: [(f32, i32x4); if N < 3 { 1 } else { N }]| a",
            "(|a: [(f32, i32x4); if (N < 3) { 1 } else { N }]| a)",
        ),
        ("|a: (f32)| a", "(|a: f32| a)"),
    ] {
        assert_eq!(parenthesised(text), expected);
    }
}

#[test]
fn types_are_generic_with_their_bounds() {
    let (items, _) = items(
        "fn f<T: Float, const N: usize, U>(a: [(T, U); N]) -> [T; N]
         where N > 2, U: lift::Number + Integer, T: Element { a }
         const K: usize = 2;
         pub(crate) const L: f32 = 1 / K as f32;",
    );
    let types: Vec<String> = items.functions[0]
        .types
        .iter()
        .map(|generic| {
            let bounds: Vec<&str> = generic.bounds.iter().map(|bound| bound.name.as_str()).collect();
            format!("{}: {}", generic.name.name, bounds.join(" + "))
        })
        .collect();
    assert_eq!(types, ["T: Float + Element", "U: lift::Number + Integer"]);
    assert_eq!(items.functions[0].conditions.iter().map(print).collect::<Vec<_>>(), ["(N > 2)"]);
    let constants: Vec<String> = items
        .constants
        .iter()
        .map(|constant| format!("{}: {} = {}", constant.name.name, ty(&constant.ty), print(&constant.value)))
        .collect();
    assert_eq!(constants, ["K: usize = 2", "L: f32 = (1 / (K as f32))"]);
}
