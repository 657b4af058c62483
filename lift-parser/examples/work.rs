//! Prints what the kernels of a text cost beside what the source says:
//!
//! ```text
//! echo '|a: [[f32; N]; M]| map(reduce(add, 0), a)' | cargo run -p lift-parser --example work -- -
//! cargo run -p lift-parser --example work -- kernels.txt
//! ```
//!
//! For each kernel of the file (`-` is the standard input), it prints the sequential work, the work of what
//! the kernel is compiled to, and how many times as much that is, at some sizes.

use std::error::Error;
use std::fs;
use std::io::Read;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::Program;
use lift_core::work::{Work, of_kernels, of_program};
use lift_parser::parse_text;

/// The sizes at which work is counted. All size variables have the same value.
const SIZES: [i128; 4] = [1, 16, 256, 4096];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file, or `-` for standard input?")?;
    let mut text = String::new();
    match path.as_str() {
        "-" => drop(std::io::stdin().read_to_string(&mut text)?),
        path => text = fs::read_to_string(path)?,
    }
    for program in programs(&text).map_err(|errors| rendered(&errors))? {
        describe(&program);
    }
    Ok(())
}

fn programs(text: &str) -> Result<Vec<Program>, Vec<Diagnostic>> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    match &parsed.input {
        None => Ok(Vec::new()),
        Some(Input::Inline(expression)) => infer_inline(expression).map(|program| vec![program]),
        Some(Input::Closure(expression)) => infer_closure(expression).map(|program| vec![program]),
        Some(Input::Items(items)) => infer_items(items).map(|items| items.kernels),
    }
}

fn rendered(errors: &[Diagnostic]) -> String {
    errors.iter().map(Diagnostic::render).collect::<Vec<_>>().join("\n")
}

fn describe(program: &Program) {
    println!("{}", program.name);
    let sequential = of_program(program);
    print("sequential", &sequential);
    match of_kernels(program) {
        Ok(kernels) => {
            print("kernels", &kernels);
            SIZES.iter().for_each(|size| compare(program, *size, &sequential, &kernels));
        }
        Err(errors) => println!("  no kernels: {}", rendered(&errors)),
    }
}

fn print(what: &str, work: &Work) {
    println!("  {what}: {} loads, {} operations", work.loads, work.operations);
}

fn compare(program: &Program, size: i128, sequential: &Work, kernels: &Work) {
    let known = |variable: &Var| {
        let own = program.sizes.iter().find(|own| own.variable == *variable)?;
        Some(size.max(i128::from(own.minimum)))
    };
    let value = |work: Nat| work.evaluate(&known);
    match (value(sequential.total()), value(kernels.total())) {
        (Some(sequential), Some(kernels)) if sequential > 0 => {
            let ratio = kernels as f64 / sequential as f64;
            println!("  at {size}: {kernels} / {sequential} = {ratio:.2}");
        }
        (Some(sequential), Some(kernels)) => println!("  at {size}: {kernels} / {sequential}"),
        _ => println!("  at {size}: no number"),
    }
}
