//! The programs of the corpus, by name.

use lift_core::ir::typed::Program;
use lift_corpus::lists::{EVERY_PRIMITIVE, FIGURES, POSITION_DEPENDENT};
use lift_corpus::{steps, topics};

use crate::texts::kernels;

/// A program and what it is called in a list.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) program: Program,
}

/// All of them.
pub(crate) fn all() -> Vec<Named> {
    let mut named = Vec::new();
    for topic in topics() {
        topic.blocks().into_iter().for_each(|items| collect(topic.name, items, &mut named));
    }
    let closures = FIGURES.iter().chain(&POSITION_DEPENDENT).chain(EVERY_PRIMITIVE);
    closures.for_each(|text| collect("", text, &mut named));
    steps::texts().iter().for_each(|text| collect("", text, &mut named));
    named
}

/// The programs of a text: items by their file and name, a closure by what it says.
fn collect(file: &str, text: &str, named: &mut Vec<Named>) {
    let programs = kernels(text).unwrap_or_else(|message| panic!("{file}: {message}\n{text}"));
    named.extend(programs.into_iter().map(|program| {
        let name = if file.is_empty() { text.to_owned() } else { format!("{file}::{}", program.name) };
        Named { name, program }
    }));
}
