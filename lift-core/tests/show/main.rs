//! Typed programs as text: parsed and typed again, they are the same programs and become the same kernels.

#![allow(clippy::disallowed_methods, reason = "the environment says how many random programs are shown")]

mod round_trip;
mod shapes;
mod snapshots;
mod terms;

#[path = "../support/mod.rs"]
mod support;
#[path = "../../../tests/kernels/text.rs"]
mod texts;

use lift_core::ir::typed::Program;
use lift_corpus::lists::{EVERY_PRIMITIVE, FIGURES, POSITION_DEPENDENT};
use lift_corpus::{steps, topics};

/// The programs of the topics of the corpus, with their names.
fn topics_of_the_corpus() -> Vec<(String, Program)> {
    let mut programs = Vec::new();
    for topic in topics() {
        let found = texts::kernels_of(topic).unwrap_or_else(|message| panic!("{message}"));
        programs
            .extend(found.into_iter().map(|program| (format!("{}::{}", topic.name, program.name), program)));
    }
    programs
}

/// Every program of the corpus, with a name.
fn corpus() -> Vec<(String, Program)> {
    let mut programs = topics_of_the_corpus();
    let closures =
        FIGURES.iter().chain(&POSITION_DEPENDENT).chain(EVERY_PRIMITIVE).map(|text| (*text).to_owned());
    for text in closures.chain(steps::texts()) {
        let found = texts::kernels(&text).unwrap_or_else(|message| panic!("{text}: {message}"));
        programs.extend(found.into_iter().map(|program| (text.clone(), program)));
    }
    programs
}
