//! Measures how long kernels take to expand, as users meet it: cargo builds procedural macros and all they depend on at
//! opt-level 0, and so does
//!
//! ```text
//! cargo run -p lift-parser --example expansion
//! ```
//!
//! Every `lift!` of the repository's examples, of its stencil programs and of `papers.rs.txt`, the programs of the papers, is
//! expanded many times, from tokens to OpenCL C. A kernel's time is that of its own compilation and an equal share of its
//! block's parsing and type inference. The table shows the medians, in milliseconds. A kernel over its budget is named
//! below the table; a busy machine alone is no failure. Type inference has a budget that must be kept: a program whose
//! quickest inference takes longer fails.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_parser::{Parsed, parse};
use proc_macro2::{TokenStream, TokenTree};

const FILES: [&str; 14] = [
    "examples/quickstart.rs",
    "examples/blur.rs",
    "examples/heat.rs",
    "tests/programs.rs",
    "tests/algorithms.rs",
    "tests/positions.rs",
    "lift-parser/examples/expansion/papers.rs.txt",
    "tests/products.rs",
    "tests/linear_algebra.rs",
    "tests/benchmarks_ir.rs",
    "tests/stencils.rs",
    "tests/stencils3d.rs",
    "tests/convolution.rs",
    "tests/high_level.rs",
];
const EXPANSIONS: usize = 10;

/// No kernel may take longer.
const BUDGET: Duration = Duration::from_millis(50);
/// No type inference may take longer.
const INFERENCE_BUDGET: Duration = Duration::from_millis(5);
/// The founding example may not take longer: it is the only inline expression of the quickstart.
const FOUNDING_BUDGET: Duration = Duration::from_millis(5);

/// A kernel with the median time of its expansion.
struct Row {
    file: &'static str,
    kernel: String,
    /// The whole expansion.
    time: Duration,
    /// Its share of the block's type inference: the median and the quickest.
    inference: (Duration, Duration),
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
    println!("| kernel | in | ms | type inference, ms |\n| --- | --- | --- | --- |");
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    for Row { file, kernel, time, inference } in &rows {
        println!("| `{kernel}` | `{file}` | {:.2} | {:.2} |", milliseconds(*time), milliseconds(inference.0));
    }
    let slow: Vec<_> = rows.iter().filter(|row| row.time > row.budget()).collect();
    for row in &slow {
        eprintln!("{} in {} is over its budget of {:?}", row.kernel, row.file, row.budget());
    }
    let slow: Vec<&str> =
        rows.iter().filter(|row| row.inference.1 > INFERENCE_BUDGET).map(|row| row.kernel.as_str()).collect();
    if !slow.is_empty() {
        return Err(
            format!("type inference takes longer than {INFERENCE_BUDGET:?}: {}", slow.join(", ")).into()
        );
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
    let programs = front_end(invocation).map_err(|errors| format!("{file}: {errors}\n{invocation}"))?;
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let count = programs.len() as u32;
    let parsing =
        times(|| parse(invocation.clone()).errors.is_empty().then_some(()).ok_or_else(String::new))?;
    let parsed = parse(invocation.clone());
    let inference = times(|| infer(&parsed).map(drop))?;
    let shared = (median(&parsing) + median(&inference)) / count;
    let quickest = inference.first().copied().unwrap_or_default();
    let rows = programs.iter().map(|program| {
        let own = times(|| lift_core::compile(program).map(drop).map_err(|errors| rendered(&errors)))?;
        let inference = (median(&inference) / count, quickest / count);
        Ok(Row { file, kernel: program.name.clone(), time: shared + median(&own), inference })
    });
    rows.collect()
}

/// Parses and types one `lift!`.
fn front_end(invocation: &TokenStream) -> Result<Vec<Program>, String> {
    let parsed = parse(invocation.clone());
    if !parsed.errors.is_empty() {
        return Err(rendered(&parsed.errors));
    }
    infer(&parsed)
}

fn infer(parsed: &Parsed) -> Result<Vec<Program>, String> {
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

/// The times of many repetitions, the quickest first.
fn times(mut repeat: impl FnMut() -> Result<(), String>) -> Result<Vec<Duration>, String> {
    let mut times = Vec::with_capacity(EXPANSIONS);
    for _ in 0..EXPANSIONS {
        let started = Instant::now();
        repeat()?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times)
}

fn median(times: &[Duration]) -> Duration {
    times.get(times.len() / 2).copied().unwrap_or_default()
}
