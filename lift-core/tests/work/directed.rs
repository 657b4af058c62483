//! Programs whose sequential work a person has counted, in `directed.txt`: each with how it is counted.

use lift_core::ir::typed::Program;
use lift_core::work::of_program;

use crate::support::typed;

const TEXT: &str = include_str!("directed.txt");

/// A program with what is known of it.
pub(crate) struct Directed {
    pub(crate) program: Program,
    loads: &'static str,
    operations: &'static str,
}

/// All programs of the file.
pub(crate) fn all() -> Vec<Directed> {
    TEXT.split("\n\n").map(directed).collect()
}

fn directed(entry: &'static str) -> Directed {
    let field = |name: &str| entry.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let is_code = |line: &&str| !["#", "loads:", "operations:"].iter().any(|marker| line.starts_with(marker));
    let code: Vec<&str> = entry.lines().filter(is_code).collect();
    let program = typed(&code.join("\n")).unwrap_or_else(|message| panic!("{message}\n{entry}"));
    let known = |name| field(name).unwrap_or_else(|| panic!("no {name}\n{entry}"));
    Directed { program, loads: known("loads:"), operations: known("operations:") }
}

#[test]
fn sequential_work_is_what_a_person_counts() {
    let all = all();
    assert!(all.len() >= 50, "only {}", all.len());
    let found: Vec<String> = all
        .iter()
        .filter_map(|Directed { program, loads, operations, .. }| {
            let work = of_program(program);
            let found = (work.loads.to_string(), work.operations.to_string());
            let agrees = found == ((*loads).to_owned(), (*operations).to_owned());
            (!agrees).then(|| format!("{}: {} loads, {} operations", program.name, found.0, found.1))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
