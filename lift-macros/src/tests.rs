//! The expansion as a whole: what editors need of it, and how long rustc takes for it.

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

/// The identifiers in the output that stand where an identifier with the same name stands in the input.
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
fn what_is_computed_again_and_again_is_documented() {
    let repeated = "pub fn blur<const N: usize>(a: [f32; N]) -> [f32; N] {
        let powers = a >> map(|x| exp(x));
        powers >> pad(4, 4, clamp) >> slide(9, 1) >> mapGlb0(reduceSeq(add, 0))
    }";
    let text = expanded(repeated).to_string();
    assert!(text.contains("- each element of `powers` wherever it is read"), "{text}");
    let stored = repeated.replace("mapGlb0(reduceSeq(add, 0))", "map(reduce(add, 0))");
    for program in [&stored, JACOBI, MATRIX_PRODUCT] {
        assert!(!expanded(program).to_string().contains("wherever it is read"), "{program}");
    }
}

#[test]
fn the_expansion_is_small() {
    for program in [JACOBI, MATRIX_PRODUCT, INLINE, CLOSURE] {
        let text = expanded(program).to_string().replace(" :: ", "::").replace(" , ", ", ");
        let kernels = kernels(&text);
        let host = functions_for_the_host(&text);
        let steps = derivations(&text);
        let rest = text.len() - kernels - host - steps;
        let other_forms = text.matches("source : \"").count() - 1;
        let sharing = text.matches("thresholds : ").count() - other_forms;
        // The indices of blocks become large in many ways, those of eight by eight pairs in most. A form with
        // the kernels of another one has only its conditions.
        let most = 7200 + 5600 * other_forms + 3000 * sharing;
        assert!(rest <= most, "{rest} bytes besides the kernels:\n{text}");
        assert!(host <= 20_000, "{host} bytes for the host:\n{text}");
        assert!(steps <= 5500 * other_forms, "{steps} bytes for the steps that make the forms:\n{text}");
    }
}

/// The number of bytes of the kernels of all forms, and of the constant that shows them together.
fn kernels(text: &str) -> usize {
    let of_forms = text.split("source : \"").skip(1);
    let ends = of_forms.map(|form| form.find("\" , temporaries").or_else(|| form.find("\", temporaries")));
    let shown = text
        .split("pub const SOURCE")
        .nth(1)
        .map_or(0, |shown| shown.find("pub const DERIVATION").expect("what comes after the kernels"));
    shown + ends.map(|end| end.expect("what comes after a kernel")).sum::<usize>()
}

/// The number of bytes of the steps that make the forms, each of which stands in its form and in the constant
/// that shows it.
fn derivations(text: &str) -> usize {
    let of_forms = text.split("derivation : \"").skip(1);
    let shown = text.split("pub const DERIVATION").skip(1).filter_map(|shown| shown.split_once('"'));
    of_forms
        .chain(shown.map(|(_, shown)| shown))
        .map(|steps| steps.find('"').expect("the end of the steps"))
        .sum()
}

/// The number of bytes of the functions for the host.
fn functions_for_the_host(text: &str) -> usize {
    let Some(start) = text.find("as __lift_host") else { return 0 };
    let after = &text[start..];
    let ends = ["pub const GENERATED", "fn __lift_call", "struct __LiftKernel"];
    ends.iter().filter_map(|end| after.find(end)).min().expect("what comes after the functions")
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

const USER_FUNCTIONS: &str =
    "fn weigh(x: f32, y: (f32, i32)) -> f32 { let (a, k) = y; if k > 0 { x * a } else { sqrt(x).max(a) } }
    #[launch(local = 64)]
    pub(crate) fn weighed<const N: usize>(m: size, a: [f32; N], b: [(f32, i32); N]) -> [[f32; m]; N / m]
    where N % m == 0, m >= 1 {
        zip(a, b) >> map(weigh) >> split(m) >> map(|row| { let s = reduce(add, 0, row); map(|x| x / s, row) })
    }";

const PROGRAMS: [&str; 7] = [
    JACOBI,
    MATRIX_PRODUCT,
    USER_FUNCTIONS,
    INLINE,
    CLOSURE,
    "left >> pad(1, 1, |i, n| 0) >> slide(3, 1) >> map(|nbh| { let m = (right, factor); nbh.reduce(add, m.1) * m.0 })",
    "if factor > 1 { [left, right] } else { generate(n, |i| (i as f32) * -factor + at(i, xs).0) }",
];

/// The first `limit` tokens, with open groups closed, and the number of tokens in them.
fn first_tokens(tokens: TokenStream, mut limit: usize) -> (TokenStream, usize) {
    let mut kept = TokenStream::new();
    let mut count = 0;
    for tree in tokens {
        if limit == 0 {
            break;
        }
        let (tree, own) = match tree {
            TokenTree::Group(group) => {
                let (inside, own) = first_tokens(group.stream(), limit - 1);
                let mut shorter = proc_macro2::Group::new(group.delimiter(), inside);
                shorter.set_span(group.span());
                (TokenTree::Group(shorter), own + 1)
            }
            other => (other, 1),
        };
        kept.extend([tree]);
        limit -= own;
        count += own;
    }
    (kept, count)
}

/// The tokens without the one at a position, counted through groups; a group is removed with everything in
/// it.
fn without_token(tokens: TokenStream, skipped: usize, position: &mut usize) -> TokenStream {
    let mut kept = TokenStream::new();
    for tree in tokens {
        let here = *position;
        *position += 1;
        let tree = match tree {
            TokenTree::Group(group) => {
                let mut inside = proc_macro2::Group::new(
                    group.delimiter(),
                    without_token(group.stream(), skipped, position),
                );
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            other => other,
        };
        if here != skipped {
            kept.extend([tree]);
        }
    }
    kept
}

fn count_tokens(tokens: TokenStream) -> usize {
    first_tokens(tokens, usize::MAX).1
}

fn expanded_tokens(program: TokenStream) -> TokenStream {
    let mut tokens = TokenStream::from_str("(lift)").expect("tokens");
    tokens.extend(program);
    expand(tokens)
}

/// Asserts that rustc can parse it as an expression or as items.
fn assert_is_rust(expansion: &TokenStream, program: &str) {
    let text = expansion.to_string();
    let is_rust = syn::parse2::<syn::Expr>(expansion.clone()).is_ok()
        || syn::parse2::<syn::File>(expansion.clone()).is_ok();
    assert!(is_rust, "{program}\nexpands to\n{text}");
    assert!(!text.contains("internal error"), "{program}\nexpands to\n{text}");
}

#[test]
fn every_beginning_of_a_program_expands_to_rust() {
    for program in PROGRAMS {
        let tokens = TokenStream::from_str(program).expect("tokens");
        for limit in 0..count_tokens(tokens.clone()) {
            let (beginning, _) = first_tokens(tokens.clone(), limit);
            let text = beginning.to_string();
            assert_is_rust(&expanded_tokens(beginning), &text);
        }
    }
}

#[test]
fn every_program_without_a_token_expands_to_rust() {
    for program in PROGRAMS {
        let tokens = TokenStream::from_str(program).expect("tokens");
        for skipped in 0..count_tokens(tokens.clone()) {
            let shorter = without_token(tokens.clone(), skipped, &mut 0);
            let text = shorter.to_string();
            assert_is_rust(&expanded_tokens(shorter), &text);
        }
    }
}

/// While a program is being written, an editor still knows every Rust variable in it.
#[test]
fn every_beginning_of_an_expression_keeps_its_variables() {
    let variables = ["left", "right", "factor", "xs"];
    for program in &PROGRAMS[3..] {
        // Not in the first column, so that `mentions` sees every name.
        let tokens = TokenStream::from_str(&format!("\n {program}")).expect("tokens");
        for limit in 1..count_tokens(tokens.clone()) {
            let (beginning, _) = first_tokens(tokens.clone(), limit);
            let expansion = expanded_tokens(beginning.clone());
            for name in variables {
                let (mut written, mut kept) = (Vec::new(), Vec::new());
                mentions(beginning.clone(), name, &mut written);
                mentions(expansion.clone(), name, &mut kept);
                assert!(
                    written.is_empty() || !kept.is_empty(),
                    "`{name}` is lost in {beginning}\n{expansion}"
                );
            }
        }
    }
}

#[test]
fn the_number_of_a_step_in_a_function_is_large_enough() {
    let text = expanded(
        "fn counted(n: i64) -> i64 { iterateWhile(100000, |sum| sum < n, |k => sum| sum + (k * k) as i64, 0) }
         fn all<const N: usize>(ns: [i64; N]) -> [i64; N] { ns >> map(counted) }",
    );
    let text = text.to_string().replace(" :: ", "::");
    // Indices of kernels are as wide as this asks for.
    assert!(text.contains("__lift::Size::Constant (9999800001)"), "{text}");
    assert!(
        text.contains("__step_0) . wrapping_mul (__step_0)")
            || text.contains("__step_0 . wrapping_mul (__step_0)"),
        "{text}"
    );
}
