//! Prints the OpenCL C of a program read from standard input: `echo 'map(|x| x + 1, a)' | cargo run -p lift-core --example kernel`;
//! with `-- --host`, what the host executes.

use std::io::Read;
use std::process::ExitCode;

use lift_core::compiled::{Launch, Step};
use lift_core::syntax::Input;
use lift_core::types::infer::{infer_closure, infer_inline, infer_items};

fn main() -> ExitCode {
    let for_host = std::env::args().any(|argument| argument == "--host");
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("cannot read the program: {error}");
        return ExitCode::FAILURE;
    }
    let parsed = lift_parser::parse_text(&text);
    let programs = match &parsed.input {
        _ if !parsed.errors.is_empty() => Err(parsed.errors.clone()),
        None => Ok(Vec::new()),
        Some(Input::Inline(expr)) => infer_inline(expr).map(|program| vec![program]),
        Some(Input::Closure(expr)) => infer_closure(expr).map(|program| vec![program]),
        Some(Input::Items(items)) => infer_items(items).map(|items| items.kernels),
    };
    let compiled =
        programs.and_then(|programs| programs.iter().map(lift_core::compile).collect::<Result<Vec<_>, _>>());
    match compiled {
        Ok(compiled) => {
            for program in compiled {
                if let Some(host) = program.host.as_ref().filter(|_| for_host) {
                    println!("{}", host.text);
                    continue;
                }
                println!("{}", program.source);
                for obligation in &program.obligations {
                    println!("// needs: {}", obligation.text);
                }
                for kernel in &program.kernels {
                    let [x, y, z] = &kernel.global;
                    println!(
                        "// {} over {x} x {y} x {z} work-items in groups of {:?}",
                        kernel.entry, kernel.local
                    );
                }
                print_repetitions(&program.steps, &program.kernels, "");
            }
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            for diagnostic in diagnostics {
                eprintln!("error: {}", diagnostic.render());
            }
            ExitCode::FAILURE
        }
    }
}

/// Says which kernels are launched repeatedly.
fn print_repetitions(steps: &[Step], kernels: &[Launch], indentation: &str) {
    for step in steps {
        let Step::Repeat(repetition) = step else { continue };
        println!("// {indentation}{} times, exchanging {:?}:", repetition.count, repetition.arrays);
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
