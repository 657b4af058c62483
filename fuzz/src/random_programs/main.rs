//! Any number of random programs on an OpenCL device. Each computes what the reference evaluator says.
//!
//! `random-programs KIND FIRST..END PROCESSES` makes a program from each of these seeds. The kinds are
//! `high-level`, `low-level`, `groups`, `repeated`, `chains`, `staged`, `any-launch`, which takes the first
//! three with a random launch, and `halves`, numbers of half precision, for which it must be built with the
//! feature `f16` and the device have them. `LIFT_DEVICE` names the device. A driver that crashes or hangs is
//! a finding, and another process continues after its program.
//!
//! `random-programs show KIND SEED` prints a program with its kernels.

#[path = "../../../tests/random/check.rs"]
mod check;
#[path = "../../../tests/random/compiled.rs"]
mod compiled;
#[path = "../findings.rs"]
mod findings;
#[path = "../../../lift-core/tests/support/mod.rs"]
mod generator;
mod kind;
#[path = "../../../tests/random/mod.rs"]
mod random;
mod shrink;
#[path = "../supervise.rs"]
mod supervise;
#[path = "../symptom.rs"]
mod symptom;
mod worker;

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use findings::Findings;
use kind::Kind;
use supervise::{Campaign, Finding, Share};
use worker::{REJECTED, work};

/// How long a program may take on a busy machine, its compilation by the driver included.
const PATIENCE: Duration = Duration::from_secs(60);

/// The greatest fraction of programs that the compiler may reject.
const MOST_REJECTED: f64 = 0.05;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("random-programs: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    if let Some((share, [kind])) = Share::of_worker(arguments) {
        work(share, Kind::named(kind)?);
        return Ok(ExitCode::SUCCESS);
    }
    match arguments {
        [word, kind, seed] if word == "show" => show(Kind::named(kind)?, seed.parse()?),
        [kind, seeds, processes] => {
            let (first, end) = seeds.split_once("..").ok_or("seeds are written 0..1000")?;
            campaign(Kind::named(kind)?, first.parse()?, end.parse()?, processes.parse()?)
        }
        _ => {
            Err("usage: random-programs KIND FIRST..END PROCESSES, or random-programs show KIND SEED".into())
        }
    }
}

fn show(kind: Kind, seed: u64) -> Result<ExitCode, Box<dyn Error>> {
    let program = kind.program(&kind::choices(seed));
    println!("{}\n", program.text);
    let (_, compiled) = compiled::compiled(&program.text)?;
    println!("{}", compiled.plain.source);
    Ok(ExitCode::SUCCESS)
}

fn campaign(kind: Kind, first: u64, end: u64, processes: u64) -> Result<ExitCode, Box<dyn Error>> {
    let count = end.saturating_sub(first);
    println!("{count} programs ({}), seeds {first}..{end}", kind.name());
    let started = Instant::now();
    let findings = Findings::default();
    let arguments = vec![kind.name().to_owned()];
    let campaign = Campaign { first, end, arguments, processes: processes.max(1), patience: PATIENCE };
    campaign.run(|finding| {
        // A process that ended did not report its program.
        let details = if finding.details.starts_with(worker::PROGRAM) {
            finding.details
        } else {
            let text = kind.program(&kind::choices(finding.case)).text;
            format!("{}{text}\n{}", worker::PROGRAM, finding.details)
        };
        findings.add(Finding { details, ..finding });
    })?;
    println!("\n{count} programs in {} s", started.elapsed().as_secs());
    let groups = findings.summarised();
    let rejected = groups.get(REJECTED).map_or(0, |group| group.count);
    let many = rejected as f64 > MOST_REJECTED * count as f64 + 1.0;
    let wrong = groups.keys().any(|symptom| symptom != REJECTED);
    Ok(if wrong || many { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
