//! The expansion as a whole: what an editor and rustc's clock need of it.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use crate::expand::expand;

const JACOBI: &str = "/// Sums.
    pub fn jacobi<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))
    }";
const MATRIX_PRODUCT: &str = "pub fn product<const N: usize, const M: usize, const K: usize>(
        left: [[f32; K]; N], right: [[f32; M]; K]) -> [[f32; M]; N] {
        left >> map(|row| right >> transpose >> map(|column| zip(row, column) >> map(mult) >> reduce(add, 0)))
    }";
const INLINE: &str = "zip(left, right) >> map(|x, y| x * factor + y)";
const CLOSURE: &str = "|a: [f32; N]| map(|x| x * factor, a)";

fn expanded(program: &str) -> TokenStream {
    expand(TokenStream::from_str(&format!("(lift) {program}")).expect("tokens"))
}

/// The identifiers in the output that stand where an identifier of the same name stands in the input.
fn mentions(tokens: TokenStream, name: &str, mentions: &mut Vec<(usize, usize)>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => self::mentions(group.stream(), name, mentions),
            TokenTree::Ident(ident) if ident == name => {
                let start = ident.span().start();
                if start.line > 0 && start.column > 0 {
                    mentions.push((start.line, start.column));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[test]
fn ordinary_programs_compile() {
    for program in [JACOBI, MATRIX_PRODUCT, INLINE, CLOSURE] {
        let text = expanded(program).to_string();
        assert!(!text.contains("compile_error"), "{text}");
    }
}

#[test]
fn the_same_program_expands_to_the_same_text() {
    for program in [JACOBI, MATRIX_PRODUCT, INLINE, CLOSURE] {
        assert_eq!(expanded(program).to_string(), expanded(program).to_string());
    }
}

#[test]
fn the_expansion_is_small() {
    for program in [JACOBI, MATRIX_PRODUCT, INLINE, CLOSURE] {
        let text = expanded(program).to_string().replace(" :: ", "::").replace(" , ", ", ");
        let kernel = text.find("source : \"").and_then(|start| {
            let kernel = text.get(start + 10..)?;
            kernel.find("\" , type_parameters").or_else(|| kernel.find("\", type_parameters"))
        });
        let rest = text.len() - kernel.expect("a kernel");
        assert!(rest <= 7000, "{rest} bytes besides the kernel:\n{text}");
    }
}

#[test]
fn every_name_of_the_users_stands_once_in_the_output_at_its_place() {
    for (program, names) in [
        (JACOBI, &["jacobi", "a"][..]),
        (MATRIX_PRODUCT, &["product", "left", "right"]),
        (INLINE, &["left", "right", "factor"]),
        (CLOSURE, &["factor"]),
        ("map(|x| x * factor, broken, unknown(", &["broken"]),
    ] {
        let text = if program.ends_with('(') { format!("{program}))") } else { program.to_owned() };
        for name in names {
            let mut found = Vec::new();
            mentions(expanded(&text), name, &mut found);
            assert_eq!(found.len(), 1, "`{name}` at {found:?} in the expansion of {text}");
        }
    }
}

#[test]
fn an_unfinished_expression_keeps_its_variables() {
    let text = expanded("zip(left, right) >> map(|x, y| x * factor + )").to_string();
    for name in ["left", "right", "factor"] {
        assert!(text.contains(&format!("let _ = & {name} ;")), "{text}");
    }
    assert!(!text.contains("& x ;") && !text.contains("& zip ;"), "{text}");
}

#[test]
fn broken_items_leave_functions_with_their_names() {
    let text = expanded("fn f(a: [f32; 3], by: f32) -> [f32; 3] { a + }").to_string();
    assert!(text.contains("compile_error"), "{text}");
    assert!(text.contains("fn f (a : impl :: core :: marker :: Sized"), "{text}");
    assert!(text.contains("Result < lift :: ndarray :: Array <"), "{text}");
}

#[test]
fn a_message_covers_its_tokens_and_carries_its_help() {
    let text = expanded("a < b < c").to_string();
    assert!(text.contains("comparisons cannot be chained\\nhelp: compare twice"), "{text}");
}
