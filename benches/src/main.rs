//! Generated kernels beside hand-written OpenCL, measured in one run.
//!
//! For every computation there are pairs with one structure: a kernel as an expert writes it (`kernels/*.cl`,
//! part of this binary) and a `lift!` program that says the same. Both run on the same device, in turn, and
//! are timed by profiling events. The results of both are checked. The binary needs no other files and can be
//! copied to the machine that has the device.
//!
//! - `options`: the command line.
//! - `case`: what a computation is: its inputs, its meaning, its pairs. `computations` has a file for each,
//!   `registry` lists them. `black_scholes` is the meaning of one that both binaries have.
//! - `opencl`: the harness's own OpenCL, on which hand-written kernels run. `plan` says what it launches.
//! - `generated`: the `lift!` programs, called as any user calls them.
//! - `ablation`: the same programs, compiled again while the benchmark runs, so that their kernels are
//!   launched on the same buffers as the hand-written ones, and so that parts of the compiler can be switched
//!   off.
//! - `regret`: the forms of programs that have several, over a grid of sizes.
//! - `settle`: whether the runtime makes the sizes of these programs constants.
//! - `texts`: the kernels as files, in OpenCL C and as the driver compiled them.
//! - `check`, `clock`, `measure`, `table`: comparison of results, timing, and what is printed.
//!
//! Steuwer et al., CGO 2017, sections 6 and 7, measure in the same way: medians of kernel times from OpenCL's
//! profiling, several kernels of one call added up, transfers left out.

mod ablation;
mod black_scholes;
mod case;
mod check;
mod clock;
mod computations;
mod error;
mod generated;
mod measure;
mod opencl;
mod options;
mod plan;
mod registry;
mod regret;
mod settle;
mod table;
mod texts;

use std::process::ExitCode;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::options::{Command, Opponent, Options, Question, Statistic};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let options = match Options::from_arguments(std::env::args().skip(1))? {
        Command::Help => {
            print!("{}", options::HELP);
            return Ok(ExitCode::SUCCESS);
        }
        Command::Measure(options) => options,
    };
    if matches!(options.question, Question::Forms | Question::Gain) && !options.list {
        return regret::print(&options.device()?, &options);
    }
    let benchmarks = registry::benchmarks(options.scale, options.level);
    let chosen: Vec<_> =
        benchmarks.iter().filter(|benchmark| options.wants(benchmark.name, &benchmark.size)).collect();
    if options.list {
        chosen.iter().for_each(|benchmark| println!("{} {}", benchmark.name, benchmark.size));
        return Ok(ExitCode::SUCCESS);
    }
    if chosen.is_empty() {
        return Err(Error::NothingChosen(options.only.join(", ")));
    }
    let device = options.device()?;
    if options.question == Question::Sizes {
        return settle::print(&chosen, &device, &options);
    }
    let gpu = opencl::Gpu::open(&device)?;
    let statistic = match options.statistic {
        Statistic::Median => "medians",
        Statistic::Fastest => "the fastest",
    };
    let clock = match options.clock {
        Clock::Device => "the device's clock",
        Clock::Processor => "processor time",
    };
    eprintln!("{device}, {clock}, {statistic} of {} runs", options.runs);
    if options.opponent == Opponent::Itself {
        eprintln!("a control: \"generated\" are the hand-written kernels once more");
    }
    let mut rows = Vec::new();
    for benchmark in chosen {
        let case = (benchmark.make)().at(options.level);
        eprintln!("{} {}", benchmark.name, benchmark.size);
        let measured = measure::measure(&case, benchmark, &device, &gpu, &options)?;
        eprint!("{}", table::progress(&measured));
        rows.extend(measured);
    }
    if rows.is_empty() {
        return Err(Error::NothingChosen(options.structures.join(", ")));
    }
    print!("{}", table::text(&rows));
    println!("\n{}", table::markdown(&rows));
    let failed = rows.iter().filter(|row| row.failed()).count();
    if failed > 0 {
        eprintln!("{failed} rows have wrong results or kernels that do not run");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
