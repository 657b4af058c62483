//! The host device beside plain Rust: one run, all results checked.
//!
//! For every computation there are up to four contestants:
//!
//! - the high-level `lift!` program on the host,
//! - Rust with `rayon` as a competent programmer writes it (parallel rows, slices cut to length, no
//!   intrinsics, no `unsafe`),
//! - the OpenCL kernel of the same `lift!` program on an OpenCL device,
//! - `ndarray` if it has the operation.
//!
//! They run in turn, so that what changes with time changes for all of them. Each call makes its result in
//! new memory, which is part of its time. On the OpenCL device, whose transfers are not compared here, the
//! time is that of the kernels alone.
//!
//! With `--forms`, programs are compared with the same ones cut into several functions: the cost of a program
//! should follow from what it says, not from how it is written.
//!
//! - `computations`: inputs, meaning, and contestants of each.
//! - `forms`: the same for programs in one function and in several.
//! - `race`: timing and checks.
//! - `table`: what is printed.

#[path = "../black_scholes.rs"]
mod black_scholes;
#[path = "../clock.rs"]
mod clock;
mod computations;
mod forms;
mod race;
mod table;

use std::process::ExitCode;

use lift::{Device, DeviceKind};

use crate::clock::Clock;
use crate::race::Statistic;

const HELP: &str = "\
Measures lift! on the host beside hand-written Rust.

  --forms       programs in one function beside the same ones in several
  --only NAME   only computations with NAME in their name or size; may be given several times
  --runs N      timed runs of each contestant (default 15)
  --fastest     the fastest run of each instead of the median, for machines that others use as well
  --processor   the time that this process ran instead of the time that passed
  --tiny        sizes at which times mean nothing: every contestant is checked, as fast as it can be
";

/// What is to be measured, and how.
pub(crate) struct Options {
    forms: bool,
    only: Vec<String>,
    runs: usize,
    statistic: Statistic,
    clock: Clock,
    tiny: bool,
}

fn main() -> ExitCode {
    match options(std::env::args().skip(1)) {
        Ok(Some(options)) => measure(&options).unwrap_or_else(|error| {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }),
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}; --help lists the options");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options {
        forms: false,
        only: Vec::new(),
        runs: 15,
        statistic: Statistic::Median,
        clock: Clock::Device,
        tiny: false,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value"));
        match argument.as_str() {
            "--forms" => options.forms = true,
            "--only" => options.only.push(value()?),
            "--runs" => options.runs = value()?.parse().map_err(|_| "`--runs` needs a number".to_owned())?,
            "--fastest" => options.statistic = Statistic::Fastest,
            "--processor" => options.clock = Clock::Processor,
            "--tiny" => options.tiny = true,
            "--help" => return Ok(None),
            other => return Err(format!("`{other}` is not understood")),
        }
    }
    Ok(Some(options))
}

fn measure(options: &Options) -> lift::Result<ExitCode> {
    let devices = Device::list()?;
    let host = devices
        .iter()
        .find(|device| device.kind() == DeviceKind::Host)
        .ok_or(lift::Error::HostBackendMissing)?;
    let opencl = devices.iter().find(|device| device.kind() == DeviceKind::Cpu);
    let mut rows = Vec::new();
    let benchmarks = if options.forms { forms::all(options.tiny) } else { computations::all(options.tiny) };
    for benchmark in benchmarks {
        let name = format!("{} {}", benchmark.name, benchmark.size);
        if options.only.is_empty() || options.only.iter().any(|part| name.contains(part.as_str())) {
            eprintln!("{name}");
            rows.push(race::race(&benchmark, (benchmark.make)(host, opencl)?, options));
        }
    }
    let statistic = match options.statistic {
        Statistic::Median => "medians",
        Statistic::Fastest => "the fastest",
    };
    let clock = match options.clock {
        Clock::Device => "time that passed",
        Clock::Processor => "processor time",
    };
    let threads = rayon::current_num_threads();
    println!("{host} on {threads} threads, {clock}, {statistic} of {} runs", options.runs);
    println!("\n{}", table::markdown(&rows));
    let failed: Vec<_> = rows.iter().flat_map(|row| &row.problems).collect();
    failed.iter().for_each(|problem| eprintln!("{problem}"));
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
