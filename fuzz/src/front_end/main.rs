//! Mutated programs. Whatever the tokens are, the front end of `lift!` ends soon, in the stack of an editor's
//! thread, without a panic, and reports what is wrong or prints kernels.
//!
//! `front-end COUNT SEED THREADS` compiles that many mutants of the programs of this repository. It reports
//! what went wrong, grouped by symptom with a small program for each, and fails if anything did.
//! `front-end show SEED NUMBER` prints one mutant. `front-end compile` prints the kernels of the program in
//! its input, or the messages.
//!
//! Built in the profile `tests`, it checks arithmetic for overflow.

mod check;
mod corpus;
#[path = "../findings.rs"]
mod findings;
mod minimise;
mod mutate;
#[path = "../random.rs"]
mod random;
#[path = "../supervise.rs"]
mod supervise;
#[path = "../symptom.rs"]
mod symptom;
mod tree;
mod worker;

use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use findings::Findings;
use mutate::mutant;
use supervise::{Campaign, Finding, Share};
use tree::print;
use worker::{SLOW, work};

/// How long a mutant may take on a busy machine before its process is ended.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("front-end: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    if let Some((share, [seed])) = Share::of_worker(arguments) {
        work(share, seed.parse()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match arguments {
        [word, seed, number] if word == "show" => {
            println!("{}", print(&mutant(&corpus::corpus(), seed.parse()?, number.parse()?)));
            Ok(ExitCode::SUCCESS)
        }
        [word] if word == "compile" => {
            let text = io::read_to_string(io::stdin())?;
            println!("{}", check::rendered(&text));
            Ok(ExitCode::SUCCESS)
        }
        [count, seed, threads] => campaign(count.parse()?, seed.parse()?, threads.parse()?),
        _ => Err(
            "usage: front-end COUNT SEED THREADS, front-end show SEED NUMBER, or front-end compile <PROGRAM"
                .into(),
        ),
    }
}

fn campaign(count: u64, seed: u64, threads: u64) -> Result<ExitCode, Box<dyn Error>> {
    let corpus = corpus::corpus();
    println!("{count} mutants of {} programs, seed {seed}", corpus.len());
    let started = Instant::now();
    let findings = Findings::default();
    let campaign = Campaign {
        first: 0,
        end: count,
        arguments: vec![seed.to_string()],
        processes: threads.max(1),
        patience: PATIENCE,
    };
    campaign.run(|finding| {
        // A process that ended did not report its program.
        let ended = !finding.details.starts_with(worker::PROGRAM);
        let details = if ended {
            let text = print(&mutant(&corpus, seed, finding.case));
            format!("{}{text}\n{}", worker::PROGRAM, finding.details)
        } else {
            finding.details
        };
        findings.add(Finding { details, ..finding });
    })?;
    println!("\n{count} mutants in {} s", started.elapsed().as_secs());
    let broken = findings.summarised().keys().any(|symptom| symptom != SLOW);
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
