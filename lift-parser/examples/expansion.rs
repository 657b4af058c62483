//! Measures how long kernels take to expand, as users meet it: cargo builds procedural macros and all they depend on at
//! opt-level 0, and so does
//!
//! ```text
//! cargo run -p lift-parser --example expansion
//! ```
//!
//! Every `lift!` of the repository's examples and of its stencil programs is expanded 100 times, from tokens to
//! OpenCL C. A kernel's time is that of its own compilation and an equal share of its block's parsing and type inference.
//! The table shows the median, in milliseconds. A kernel over its budget is named below the table; a busy machine
//! alone is no failure.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use lift_core::diagnostic::Diagnostic;
use lift_core::syntax::Input;
use lift_core::typed::Program;
use lift_core::types::infer::{infer_closure, infer_inline, infer_items};
use lift_parser::parse;
use proc_macro2::{TokenStream, TokenTree};

const FILES: [&str; 6] = [
    "examples/quickstart.rs",
    "examples/blur.rs",
    "examples/heat.rs",
    "tests/programs.rs",
    "tests/algorithms.rs",
    "tests/positions.rs",
];
const EXPANSIONS: usize = 100;

/// No kernel may take longer.
const BUDGET: Duration = Duration::from_millis(50);
/// The founding example may not take longer: it is the only inline expression of the quickstart.
const FOUNDING_BUDGET: Duration = Duration::from_millis(5);

/// A kernel with the median time of its expansion.
struct Row {
    file: &'static str,
    kernel: String,
    time: Duration,
}

impl Row {
    fn budget(&self) -> Duration {
        if self.kernel == "expression" && self.file == FILES[0] { FOUNDING_BUDGET } else { BUDGET }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if !cfg!(debug_assertions) {
        return Err("build this in the dev profile: procedural macros are not optimised either".into());
    }
    let mut rows = Vec::new();
    for file in FILES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let tokens: TokenStream = std::fs::read_to_string(path)?.parse()?;
        for invocation in invocations(tokens) {
            rows.extend(measure(file, &invocation)?);
        }
    }
    println!("| kernel | in | ms |\n| --- | --- | --- |");
    for row in &rows {
        println!("| `{}` | `{}` | {:.2} |", row.kernel, row.file, row.time.as_secs_f64() * 1e3);
    }
    let slow: Vec<_> = rows.iter().filter(|row| row.time > row.budget()).collect();
    for row in &slow {
        eprintln!("{} in {} is over its budget of {:?}", row.kernel, row.file, row.budget());
    }
    Ok(())
}

/// The tokens of every `lift!` in a file.
fn invocations(tokens: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (position, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            let is_lift = position >= 2
                && matches!(&trees[position - 1], TokenTree::Punct(mark) if mark.as_char() == '!')
                && matches!(&trees[position - 2], TokenTree::Ident(name) if name == "lift");
            if is_lift {
                found.push(group.stream());
            } else {
                found.extend(invocations(group.stream()));
            }
        }
    }
    found
}

fn measure(file: &'static str, invocation: &TokenStream) -> Result<Vec<Row>, String> {
    let programs = front_end(invocation)?;
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let shared = median(|| front_end(invocation).map(drop))? / programs.len() as u32;
    let rows = programs.iter().map(|program| {
        let own = median(|| lift_core::compile(program).map(drop).map_err(|errors| rendered(&errors)))?;
        Ok(Row { file, kernel: program.name.clone(), time: shared + own })
    });
    rows.collect()
}

/// Parses and types one `lift!`.
fn front_end(invocation: &TokenStream) -> Result<Vec<Program>, String> {
    let parsed = parse(invocation.clone());
    if !parsed.errors.is_empty() {
        return Err(rendered(&parsed.errors));
    }
    let programs = match &parsed.input {
        None => Ok(Vec::new()),
        Some(Input::Inline(expression)) => infer_inline(expression).map(|program| vec![program]),
        Some(Input::Closure(expression)) => infer_closure(expression).map(|program| vec![program]),
        Some(Input::Items(items)) => infer_items(items).map(|items| items.kernels),
    };
    programs.map_err(|errors| rendered(&errors))
}

fn rendered(errors: &[Diagnostic]) -> String {
    errors.iter().map(Diagnostic::render).collect::<Vec<_>>().join("\n")
}

fn median(mut expand: impl FnMut() -> Result<(), String>) -> Result<Duration, String> {
    let mut times = Vec::with_capacity(EXPANSIONS);
    for _ in 0..EXPANSIONS {
        let started = Instant::now();
        expand()?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times[EXPANSIONS / 2])
}
