//! A process that runs random programs one after another.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};

use lift_runtime::Device;

use super::kind::{Kind, choices};
use super::shrink::shrunk;
use crate::check::check;
use crate::compiled::may_be_rejected;
use crate::random::{self, Target};
use crate::supervise::{Finding, Share, begin, introduce, report};
use crate::symptom::symptom;

/// The symptom of a legal program that the compiler may reject.
pub(crate) const REJECTED: &str = "rejected";

/// The details of a finding begin with this if they contain the program.
pub(crate) const PROGRAM: &str = "program: ";

/// Runs the programs of a share.
pub(crate) fn work(share: Share, kind: Kind) {
    let device = random::opencl_device();
    introduce(&format!("on {device}"));
    let mut known = BTreeSet::new();
    for seed in share.cases() {
        begin(seed);
        let Some((symptom, first)) = wrong(kind, &choices(seed), &device) else { continue };
        let mut simpler = choices(seed);
        // One simple program for each symptom is enough.
        if symptom != REJECTED && known.insert(symptom.clone()) {
            simpler = shrunk(simpler, |choices| {
                // Shrinking takes long, and the supervisor waits for a sign of life.
                begin(seed);
                wrong(kind, choices, &device).is_some_and(|(other, _)| other == symptom)
            });
        }
        // If the device is wrong only now and then, the simpler program may finally give a correct result.
        let (simpler, error) = match wrong(kind, &simpler, &device) {
            Some((_, error)) => (simpler, error),
            None => (choices(seed), first),
        };
        let details = format!("{PROGRAM}{}\n{error}", kind.program(&simpler).text);
        report(&Finding { case: seed, symptom, details });
    }
}

/// What is wrong with a program: the symptom, and the whole message.
fn wrong(kind: Kind, choices: &[u32], device: &Device) -> Option<(String, String)> {
    let program = kind.program(choices);
    let target = Target { launches: kind.launches(choices), ..Target::opencl(device) };
    let result = panic::catch_unwind(AssertUnwindSafe(|| check(&program, target)));
    let error = result.unwrap_or_else(|_| Err("a panic".to_owned())).err()?;
    if may_be_rejected(&error) {
        return Some((REJECTED.to_owned(), error));
    }
    let first = error.lines().next().unwrap_or_default();
    let symptom = match first.split_once(": ") {
        Some((wrong, _)) if wrong.starts_with("wrong result") => "wrong result".to_owned(),
        _ => symptom(first),
    };
    Some((symptom, error))
}
