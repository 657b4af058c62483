//! Prints what programs become. `cargo run -p lift-parser --example kernel -- FILE` shows the OpenCL C of the
//! `lift!` items in a file (`-` for the standard input) and how it is launched. In place of that,
//!
//! - `--host` shows the Rust that the host executes;
//! - `--print-after PASS` shows each kernel as it is after that pass, and `--print-after all` after each of
//!   them;
//! - `--timings` shows how long each pass takes, in the build of the compiler at hand.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lift_core::compiled::{Action, Compiled, Kernel};
use lift_core::device::Progress;
use lift_core::device::passes::PASSES;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_core::options::Options;
use lift_core::print::print_unfinished;
use lift_core::{compile, compile_observed};

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
    let Some((shown, file)) = shown(arguments) else {
        return Err("usage: kernel [--host | --print-after PASS | --timings] FILE".into());
    };
    let text = match file {
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
        match shown {
            Shown::Device => {
                let compiled = compile(program).map_err(|errors| rendered(&errors))?;
                print!("{}", compiled.source);
                print_launches(&compiled);
            }
            Shown::Host => match compile(program).map_err(|errors| rendered(&errors))?.host {
                Some(host) => print!("{}", host.text),
                None => println!("`{}` does not run on the host", program.name),
            },
            Shown::After(wanted) => print_after(program, wanted)?,
            Shown::Timings => print_timings(program)?,
        }
    }
    Ok(())
}

/// What is shown of a program.
#[derive(Clone, Copy)]
enum Shown<'a> {
    Device,
    Host,
    /// The kernels after the pass with this name, or after all.
    After(&'a str),
    Timings,
}

/// What the arguments ask for, and for which file.
fn shown(arguments: &[String]) -> Option<(Shown<'_>, &str)> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--host", file] => Some((Shown::Host, file)),
        ["--print-after", pass, file] => Some((Shown::After(pass), file)),
        ["--timings", file] => Some((Shown::Timings, file)),
        [file] if *file == "-" || !file.starts_with('-') => Some((Shown::Device, file)),
        _ => None,
    }
}

fn print_after(program: &Program, wanted: &str) -> Result<(), Box<dyn Error>> {
    if wanted != "all" && !PASSES.iter().any(|pass| pass.name == wanted) {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        return Err(format!("there is no pass `{wanted}`; the passes are {}", names.join(", ")).into());
    }
    let mut before = None;
    compile_observed(program, &Options::new(), &mut |progress| {
        let Progress::Ends(pass, module) = progress else { return };
        if wanted != "all" && wanted != pass.name {
            return;
        }
        let text = module().and_then(|module| print_unfinished(&module, program));
        match &text {
            None => println!("// {}: the kernel says nothing in OpenCL C yet", pass.name),
            Some(_) if text == before => println!("// {}: as before", pass.name),
            Some(text) => print!("// {}: {}\n{text}", pass.name, pass.term),
        }
        before = text;
    })
    .map_err(|errors| rendered(&errors))?;
    Ok(())
}

fn print_timings(program: &Program) -> Result<(), Box<dyn Error>> {
    let mut spent: BTreeMap<&str, Duration> = BTreeMap::new();
    let begin = Instant::now();
    let mut began = begin;
    compile_observed(program, &Options::new(), &mut |progress| match progress {
        Progress::Begins(_) => began = Instant::now(),
        Progress::Ends(pass, _) => *spent.entry(pass.name).or_default() += began.elapsed(),
    })
    .map_err(|errors| rendered(&errors))?;
    let whole = begin.elapsed();
    println!("{:10.3} ms  `{}`, all stages after inference", milliseconds(whole), program.name);
    for pass in PASSES {
        if let Some(time) = spent.get(pass.name) {
            println!("{:10.3} ms  {}", milliseconds(*time), pass.name);
        }
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
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
fn print_repetitions(steps: &[Action], kernels: &[Kernel], indentation: &str) {
    for step in steps {
        let Action::Repeat(repetition) = step else { continue };
        match &repetition.portion {
            Some(portion) => {
                println!("// {indentation}for at most {} of {} rows at a time:", portion.most, portion.rows);
            }
            None => {
                println!("// {indentation}{} times, exchanging {:?}:", repetition.count, repetition.arrays)
            }
        }
        for step in &repetition.body {
            if let Action::Launch(position) = step
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
