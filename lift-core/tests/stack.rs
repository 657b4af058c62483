//! Programs of every shape, short and long: the front end and the compiler end with kernels or with a message
//! in the two megabytes of stack that a thread has, without optimisation, as procedural macros are built.

use lift_core::compile;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;

/// What a thread of Rust's has, and one of an editor's.
const STACK: usize = 2 << 20;

/// A shape: a program for every length.
type Shape = fn(usize) -> String;

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..count).map(line).collect()
}

fn arrays(count: usize, next: impl Fn(usize) -> String) -> String {
    format!(
        "{{ let x0 = a; {} x{} }}",
        lines(count, |line| format!("let x{line} = {}; ", next(line - 1))),
        count - 1
    )
}

const SHAPES: [(&str, Shape); 24] = [
    ("operators", |n| format!("|a: [f32; N]| a >> map(|x| {})", vec!["x"; n].join(" + "))),
    ("parentheses", |n| format!("|a: [f32; N]| a >> map(|x| {}x{})", "(".repeat(n), ")".repeat(n))),
    ("prefixes", |n| format!("|a: [f32; N]| a >> map(|x| {}x)", "-".repeat(n))),
    ("calls", |n| format!("|a: [f32; N]| a >> map(|x| {}x{})", "sqrt(".repeat(n), ")".repeat(n))),
    ("pipelines of maps", |n| format!("|a: [f32; N]| a{}", " >> map(|x| x + 1.0)".repeat(n))),
    ("pipelines of layouts", |n| format!("|a: [[f32; N]; M]| a{}", " >> pad2(1, 1, clamp)".repeat(n))),
    ("pipelines of scans", |n| format!("|a: [f32; N]| a{}", " >> scanInclusive(add)".repeat(n.min(60)))),
    ("nested maps", |n| {
        let (open, close) = ("[".repeat(n), "; 2]".repeat(n));
        format!("|a: {open}f32{close}| a >> {}|x| x + 1.0{}", "map(".repeat(n), ")".repeat(n))
    }),
    ("nested tuples", |n| {
        format!(
            "|a: [f32; N]| a >> map(|x| {}x{}) >> map(|t| t{})",
            "(".repeat(n),
            ", x)".repeat(n),
            ".0".repeat(n)
        )
    }),
    ("wide zips", |n| format!("|a: [f32; N]| zip({}) >> map(|t| t.0)", vec!["a"; n].join(", "))),
    ("array literals", |n| {
        format!("|a: [f32; N]| a >> map(|x| x + reduce(add, 0.0, [{}]))", vec!["1.5"; n].join(", "))
    }),
    ("chains of `if`s", |n| {
        format!(
            "|a: [f32; N]| a >> map(|x| {} {{ x }})",
            lines(n, |i| format!("if x < {i}.0 {{ {i}.5 }} else "))
        )
    }),
    ("compositions", |n| format!("|a: [f32; N]| a >> ({})", vec!["reverse"; n].join(" >> "))),
    ("`let`s of numbers", |n| {
        format!(
            "|a: [f32; N]| a >> map(|x| {{ let x0 = x; {} x{} }})",
            lines(n, |i| format!("let x{i} = x{} + x; ", i - 1)),
            n - 1
        )
    }),
    ("`let`s of vectors", |n| {
        format!(
            "|a: [f32x4; N]| a >> map(|x| {{ let x0 = x; {} x{} }})",
            lines(n, |i| format!("let x{i} = x{} * x; ", i - 1)),
            n - 1
        )
    }),
    ("`let`s of tuples", |n| {
        let line = |i| format!("let x{i} = (x{0}.1, x{0}.0 + x); ", i - 1);
        format!("|a: [f32; N]| a >> map(|x| {{ let x0 = (x, x); {} x{}.0 }})", lines(n, line), n - 1)
    }),
    ("`let`s in a function", |n| {
        let body = lines(n, |i| format!("let x{i} = x{} + x; ", i - 1));
        format!(
            "fn f(x: f32) -> f32 {{ let x0 = x; {body} x{} }} fn k<const N: usize>(a: [f32; N]) -> [f32; N] {{ a >> map(f) }}",
            n - 1
        )
    }),
    ("`let`s of layouts", |n| format!("|a: [f32; N]| {}", arrays(n, |of| format!("x{of} >> reverse")))),
    ("`let`s of maps", |n| format!("|a: [f32; N]| {}", arrays(n, |of| format!("x{of} >> map(|x| x + 1.0)")))),
    ("`let`s of zips", |n| {
        format!("|a: [f32; N]| {}", arrays(n, |of| format!("zip(x{of}, x{of}) >> map(|x, y| x + y)")))
    }),
    ("`let`s of columns", |n| {
        format!(
            "|a: [[f32; N]; M]| {}",
            arrays(n.min(150), |of| format!("x{of} >> map(reverse) >> transpose"))
        )
    }),
    ("nested `let`s", |n| {
        let open = lines(n, |i| format!("{{ let y{i} = "));
        let close: String = (1..n).rev().map(|i| format!(" + 1.0; y{i} }}")).collect();
        format!("|a: [f32; N]| a >> map(|x| {open} x {close})")
    }),
    ("functions that call each other", |n| {
        let functions = lines(n, |i| format!("fn f{i}(x: f32) -> f32 {{ f{}(x) + 1.0 }} ", i - 1));
        format!(
            "fn f0(x: f32) -> f32 {{ x }} {functions} fn k<const N: usize>(a: [f32; N]) -> [f32; N] {{ a >> map(f{}) }}",
            n - 1
        )
    }),
    ("parts of a concatenation", |n| format!("|a: [f32; N]| concat({})", vec!["a"; n.min(120)].join(", "))),
];

/// Everything that a macro does with a text; what is wrong otherwise.
fn compiled(text: &str) -> Result<usize, Vec<Diagnostic>> {
    let parsed = lift_parser::parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let programs = match &parsed.input {
        Some(Input::Inline(expression)) => vec![infer_inline(expression)?],
        Some(Input::Closure(closure)) => vec![infer_closure(closure)?],
        Some(Input::Items(items)) => infer_items(items)?.kernels,
        None => Vec::new(),
    };
    programs.iter().map(|program| compile(program).map(|compiled| compiled.plain.source.len())).sum()
}

/// The same in a thread with little stack.
fn in_little_stack(text: String) -> Result<usize, String> {
    let rendered =
        |errors: Vec<Diagnostic>| errors.iter().map(Diagnostic::render).collect::<Vec<_>>().join("\n");
    let thread =
        std::thread::Builder::new().stack_size(STACK).spawn(move || compiled(&text).map_err(rendered));
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn programs_of_every_shape_and_length_compile_or_get_a_message() {
    for (name, shape) in SHAPES {
        for length in [2, 60, 250, 1000] {
            if let Err(message) = in_little_stack(shape(length)) {
                let is_about_size = ["too deeply", "too large", "one behind the other"]
                    .iter()
                    .any(|part| message.contains(part));
                assert!(is_about_size, "{name}, {length}: {message}");
                assert!(length > 2, "{name}: {message}");
            }
        }
    }
}

#[test]
fn as_many_lets_compile_as_generated_code_has() {
    for (name, shape) in SHAPES.into_iter().filter(|(name, _)| name.starts_with("`let`s")) {
        let is_of_arrays = ["layouts", "maps", "zips", "columns"].iter().any(|kind| name.ends_with(kind));
        let compiled = in_little_stack(shape(if is_of_arrays { 100 } else { 1000 }));
        assert!(compiled.is_ok(), "{name}: {compiled:?}");
    }
}
