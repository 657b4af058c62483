//! A process that compiles mutants one after another.

use std::collections::BTreeSet;
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use super::check::{Outcome, outcome};
use super::corpus::corpus;
use super::minimise::minimised;
use super::mutate::mutant;
use super::symptom::symptom;
use super::tree::{Tree, print};
use crate::supervise::{Finding, Share, begin, report};

/// The stack that an editor gives to a thread in which it expands macros.
const STACK: usize = 2 << 20;

/// A program that takes longer, in processor time, is reported. It is no failure, because machines differ.
const SLOW_FROM: Duration = Duration::from_secs(2);

/// The symptom of such programs.
pub(crate) const SLOW: &str = "more than 2 s of processor time";

/// The details of a finding begin with this if they contain the program.
pub(crate) const PROGRAM: &str = "program: ";

/// The message of the last panic, and its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Compiles the mutants of a share.
pub(crate) fn work(share: Share, seed: u64) -> Result<(), Box<dyn Error>> {
    panic::set_hook(Box::new(|information| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = information.to_string();
    }));
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || compile_all(share, seed))?;
    worker.join().map_err(|_| "the worker panicked itself".into())
}

fn compile_all(share: Share, seed: u64) {
    let corpus = corpus();
    let mut known = BTreeSet::new();
    for case in share.cases() {
        begin(case);
        let trees = mutant(&corpus, seed, case);
        let before = processor_time();
        let broken = breaks(&trees);
        let took = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
        if took.is_some_and(|took| took > SLOW_FROM) {
            let details = format!("{PROGRAM}{}\n{took:?}", print(&trees));
            report(&Finding { case, symptom: SLOW.to_owned(), details });
        }
        let Some(symptom) = broken else { continue };
        // One small program for each symptom is enough.
        let trees = if known.insert(symptom.clone()) {
            minimised(trees, |trees| breaks(trees).as_ref() == Some(&symptom))
        } else {
            trees
        };
        report(&Finding { case, symptom, details: format!("{PROGRAM}{}", print(&trees)) });
    }
}

/// What is wrong with how a program is compiled.
fn breaks(trees: &[Tree]) -> Option<String> {
    let text = print(trees);
    match panic::catch_unwind(AssertUnwindSafe(|| outcome(&text))) {
        Ok(Outcome::Compiled | Outcome::Refused) => None,
        Ok(Outcome::Broken(rule)) => Some(rule),
        Err(_) => Some(symptom(&PANIC.lock().unwrap_or_else(PoisonError::into_inner))),
    }
}

/// The time for which this thread was executed; `None` if the system does not report it.
fn processor_time() -> Option<Duration> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
