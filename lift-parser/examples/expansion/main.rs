//! Measures how long kernels take to expand, as users meet it: cargo builds procedural macros and all they
//! depend on at opt-level 0, and so does
//!
//! ```text
//! cargo run -p lift-parser --example expansion
//! ```
//!
//! Every `lift!` of the examples, and of the programs and benchmarks of the corpus, is expanded several
//! times, from tokens to OpenCL C and to the Rust of the host. A kernel's time is that of its own compilation,
//! on all processors, and an equal share of its block's parsing and type inference. The table shows the least
//! times, in milliseconds: whatever else a machine does only adds. Below it stand the median and the maximum
//! with their bounds, and the kernels over theirs. That is for people to read: how fast a machine is decides
//! about no test.
//!
//! The first argument is the name of the kernels to compile, or `all`; the second is the number of threads. To
//! count instructions, which do not depend on what else a machine does, run this, which adds up all
//! compilations of a kernel:
//!
//! ```text
//! valgrind --tool=callgrind --collect-atstart=no \
//!     --toggle-collect=lift_core::compile::compile_on target/debug/examples/expansion NAME 1
//! ```

use std::error::Error;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_core::options::Options;
use lift_core::threads::Threads;
use lift_corpus::{benchmarks, programs};
use lift_parser::{Parsed, parse};
use proc_macro2::{TokenStream, TokenTree};

/// The examples, which are no part of the corpus.
const EXAMPLES: [&str; 3] = ["examples/quickstart.rs", "examples/blur.rs", "examples/heat.rs"];
const EXPANSIONS: usize = 10;

/// Half of the kernels may not take longer.
const BOUND_OF_MEDIAN: Duration = Duration::from_micros(2500);
/// No kernel may take longer, not even the product with the largest blocks in registers.
const BUDGET: Duration = Duration::from_millis(50);
/// No type inference may take longer.
const INFERENCE_BUDGET: Duration = Duration::from_millis(5);
/// The founding example may not take longer: it is the only inline expression of the quickstart.
const FOUNDING_BUDGET: Duration = Duration::from_millis(5);

/// A kernel with the least time of its expansion.
struct Row {
    file: String,
    kernel: String,
    /// The whole expansion.
    time: Duration,
    /// Its share of the block's type inference.
    inference: Duration,
}

impl Row {
    fn budget(&self) -> Duration {
        if self.kernel == "expression" && self.file == EXAMPLES[0] { FOUNDING_BUDGET } else { BUDGET }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if !cfg!(debug_assertions) {
        return Err("build this in the dev profile: procedural macros are not optimised either".into());
    }
    let wanted = std::env::args().nth(1).filter(|name| name != "all");
    let threads = match std::env::args().nth(2) {
        Some(threads) => threads.parse()?,
        None => available_parallelism()?.get(),
    };
    let measure = |file: &str, invocation: &TokenStream| {
        measure(file, invocation, wanted.as_deref(), Threads::at_most(threads))
    };
    let mut rows = Vec::new();
    for file in EXAMPLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        for invocation in invocations(std::fs::read_to_string(path)?.parse()?) {
            rows.extend(measure(file, &invocation)?);
        }
    }
    for topic in programs::ALL.iter().chain(benchmarks::ALL) {
        let file = format!("corpus/{}/{}.rs", topic.group, topic.name);
        for block in topic.blocks() {
            rows.extend(measure(&file, &block.parse()?)?);
        }
    }
    if let Some(wanted) = wanted.as_ref().filter(|_| rows.is_empty()) {
        return Err(format!("no kernel has the name `{wanted}`").into());
    }
    print_table(&rows);
    print_bounds(&rows);
    Ok(())
}

/// The tokens of every `lift!` in a file.
fn invocations(file: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = file.into_iter().collect();
    let mut found = Vec::new();
    for (position, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        match &trees[position.saturating_sub(2)..position] {
            [TokenTree::Ident(name), TokenTree::Punct(mark)] if name == "lift" && mark.as_char() == '!' => {
                found.push(group.stream());
            }
            _ => found.extend(invocations(group.stream())),
        }
    }
    found
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn print_table(rows: &[Row]) {
    println!("| kernel | in | ms | type inference, ms |\n| --- | --- | --- | --- |");
    for Row { file, kernel, time, inference } in rows {
        println!("| `{kernel}` | `{file}` | {:.2} | {:.2} |", milliseconds(*time), milliseconds(*inference));
    }
}

fn print_bounds(rows: &[Row]) {
    let mut times: Vec<Duration> = rows.iter().map(|row| row.time).collect();
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let (median, most) = (milliseconds(median), milliseconds(times.last().copied().unwrap_or_default()));
    println!("\n{} kernels", rows.len());
    println!("median: {median:.2} ms of {} ms", milliseconds(BOUND_OF_MEDIAN));
    println!("maximum: {most:.2} ms of {} ms", milliseconds(BUDGET));
    for row in rows.iter().filter(|row| row.time > row.budget()) {
        println!("{} in {} is over its budget of {:?}", row.kernel, row.file, row.budget());
    }
    for row in rows.iter().filter(|row| row.inference > INFERENCE_BUDGET) {
        println!("the types of {} in {} take longer than {INFERENCE_BUDGET:?}", row.kernel, row.file);
    }
}

/// Measures the kernels of one `lift!`, or those that have the wanted name.
fn measure(
    file: &str,
    invocation: &TokenStream,
    wanted: Option<&str>,
    threads: Threads,
) -> Result<Vec<Row>, String> {
    let programs = front_end(invocation).map_err(|errors| format!("{file}: {errors}\n{invocation}"))?;
    let is_measured = |program: &&Program| wanted.is_none_or(|wanted| program.name == wanted);
    if !programs.iter().any(|program| is_measured(&program)) {
        return Ok(Vec::new());
    }
    let count = programs.len() as u32;
    let parsing =
        least_time(|| parse(invocation.clone()).errors.is_empty().then_some(()).ok_or_else(String::new))?;
    let parsed = parse(invocation.clone());
    let inference = least_time(|| infer(&parsed).map(drop))? / count;
    let shared = parsing / count + inference;
    let rows = programs.iter().filter(is_measured).map(|program| {
        let compile = || lift_core::compile_on(program, &Options::default(), threads);
        let own = least_time(|| compile().map(drop).map_err(|errors| rendered(&errors)))?;
        Ok(Row { file: file.to_owned(), kernel: program.name.clone(), time: shared + own, inference })
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

/// The least time of several repetitions.
fn least_time(mut repeat: impl FnMut() -> Result<(), String>) -> Result<Duration, String> {
    let mut least = Duration::MAX;
    for _ in 0..EXPANSIONS {
        let started = Instant::now();
        repeat()?;
        least = least.min(started.elapsed());
    }
    Ok(least)
}
