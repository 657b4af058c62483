//! Prints what programs become: `cargo run -p lift-parser --example kernel -- FILE` shows the OpenCL C of the
//! `lift!` items in a file (`-` for the standard input) and how it is launched, and with `--host` the Rust that
//! the host executes.

use std::error::Error;
use std::io::Read as _;
use std::process::ExitCode;

use lift_core::compile;
use lift_core::compiled::{Compiled, Launch, Step};
use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::Input;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kernel: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (options, files): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    let for_host = match options.as_slice() {
        [] => false,
        [option] if *option == "--host" => true,
        _ => return Err("usage: kernel [--host] FILE".into()),
    };
    let [file] = files.as_slice() else { return Err("usage: kernel [--host] FILE".into()) };
    let text = match file.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
        file => std::fs::read_to_string(file)?,
    };
    let parsed = lift_parser::parse_text(&text);
    let programs = match (&parsed.input, parsed.errors.is_empty()) {
        (_, false) => return Err(rendered(&parsed.errors)),
        (Some(Input::Inline(expression)), _) => {
            vec![infer_inline(expression).map_err(|errors| rendered(&errors))?]
        }
        (Some(Input::Closure(closure)), _) => {
            vec![infer_closure(closure).map_err(|errors| rendered(&errors))?]
        }
        (Some(Input::Items(items)), _) => infer_items(items).map_err(|errors| rendered(&errors))?.kernels,
        (None, _) => Vec::new(),
    };
    for program in &programs {
        let compiled = compile(program).map_err(|errors| rendered(&errors))?;
        match (for_host, &compiled.host) {
            (false, _) => {
                print!("{}", compiled.source);
                print_launches(&compiled);
            }
            (true, Some(host)) => print!("{}", host.text),
            (true, None) => println!("`{}` does not run on the host", compiled.name),
        }
    }
    Ok(())
}

/// What a launcher checks, and the launches that it makes, as comments.
fn print_launches(compiled: &Compiled) {
    for obligation in &compiled.obligations {
        println!("// needs: {}", obligation.text);
    }
    for temporary in &compiled.temporaries {
        println!("// a temporary of {} elements", temporary.length);
    }
    for kernel in &compiled.kernels {
        let [x, y, z] = &kernel.global;
        println!("// {} over {x} x {y} x {z} work-items in groups of {:?}", kernel.entry, kernel.local);
    }
    print_repetitions(&compiled.steps, &compiled.kernels, "");
}

/// Says which kernels are launched repeatedly.
fn print_repetitions(steps: &[Step], kernels: &[Launch], indentation: &str) {
    for step in steps {
        let Step::Repeat(repetition) = step else { continue };
        match &repetition.portion {
            Some(portion) => {
                println!("// {indentation}for at most {} of {} rows at a time:", portion.most, portion.rows);
            }
            None => {
                println!("// {indentation}{} times, exchanging {:?}:", repetition.count, repetition.arrays)
            }
        }
        for step in &repetition.body {
            if let Step::Launch(position) = step
                && let Some(kernel) = kernels.get(*position)
            {
                println!("// {indentation}  {} {:?}", kernel.entry, kernel.arguments);
            }
        }
        print_repetitions(&repetition.body, kernels, &format!("{indentation}  "));
    }
}

fn rendered(errors: &[Diagnostic]) -> Box<dyn Error> {
    errors.iter().map(Diagnostic::render).collect::<Vec<_>>().join("\n").into()
}
