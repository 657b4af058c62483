//! The language reference says what the compiler's tables say: no entry is missing, none is stale.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lift_core::ir::primitive::builtin::{Builtin, Domain};
use lift_core::ir::primitive::{Primitive, Row};

/// The pages that have one entry for each primitive.
const PAGES_OF_PRIMITIVES: [&str; 5] = ["algorithmic", "layout", "borders", "opencl", "vectors"];

/// The files of a folder, whose path begins at the root of the repository, with an ending.
fn files(folder: impl AsRef<Path>, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect()
}

/// The messages of all cases of mistakes, which are in folders.
fn messages() -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let folders = fs::read_dir(&cases).unwrap_or_else(|error| panic!("{}: {error}", cases.display()));
    let folders = folders.map(|folder| folder.expect("a readable folder").path());
    folders.flat_map(|folder| files(&folder, "stderr")).map(|path| read(&path)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documentation of a page, without the `//!` of its lines.
fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/reference/{name}.rs"));
    let uncommented =
        |line: &str| line.strip_prefix("//!").map(|text| text.strip_prefix(' ').unwrap_or(text).to_owned());
    read(&file).lines().filter_map(uncommented).collect::<Vec<_>>().join("\n")
}

/// The entries of a page by their headings.
fn entries(page: &str) -> BTreeMap<String, String> {
    page.split("\n## ")
        .skip(1)
        .filter_map(|entry| entry.split_once('\n'))
        .map(|(heading, text)| (heading.trim_matches('`').to_owned(), text.to_owned()))
        .collect()
}

/// What an entry holds that the table says, line by line.
fn facts(row: &Row) -> Vec<String> {
    let mut facts =
        vec![format!("`{}`: {}.", row.call(), row.meaning), format!("- *Type*: `{}`", row.signature)];
    if !row.synonyms.is_empty() {
        let synonyms: Vec<String> = row.synonyms.iter().map(|synonym| format!("`{synonym}`")).collect();
        facts.push(format!("- *Also written*: {}", synonyms.join(", ")));
    }
    facts
}

/// The code of the examples of a page.
fn code(page: &str) -> String {
    page.split("\n```").skip(1).step_by(2).collect()
}

/// Whether a name stands somewhere as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
}

#[test]
fn every_primitive_has_an_entry_with_its_type_meaning_and_restrictions() {
    let entries: BTreeMap<String, String> =
        PAGES_OF_PRIMITIVES.iter().flat_map(|name| entries(&page(name))).collect();
    for row in Primitive::ALL {
        let entry = entries.get(row.name).unwrap_or_else(|| panic!("`{}` has no entry", row.name));
        for fact in facts(row) {
            assert!(
                entry.lines().any(|line| line == fact),
                "the entry of `{}` lacks the line\n{fact}",
                row.name
            );
        }
        assert!(entry.contains("\n- *Restrictions*: "), "the entry of `{}` has no restrictions", row.name);
    }
}

#[test]
fn every_entry_is_of_a_primitive() {
    let names: BTreeSet<&str> = Primitive::ALL.iter().map(|row| row.name).collect();
    for name in PAGES_OF_PRIMITIVES {
        for heading in entries(&page(name)).keys() {
            assert!(names.contains(heading.as_str()), "`{heading}` on the page `{name}` is no primitive");
        }
    }
}

#[test]
fn every_primitive_stands_in_an_example_of_its_page() {
    for name in PAGES_OF_PRIMITIVES {
        let page = page(name);
        let code = code(&page);
        for heading in entries(&page).keys() {
            assert!(mentions(&code, heading), "no example on the page `{name}` uses `{heading}`");
        }
    }
}

#[test]
fn every_built_in_function_is_listed_with_what_it_takes() {
    let page = page("functions");
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(listed.len(), Builtin::ALL.len(), "as many lines as functions");
    for (_, name, arity, domain) in Builtin::ALL {
        let line = listed.iter().find(|line| line.starts_with(&format!("| `{name}(")));
        let line = line.unwrap_or_else(|| panic!("`{name}` is not listed"));
        let cells: Vec<&str> = line.split(" | ").collect();
        let [call, takes, _] = cells.as_slice() else { panic!("{line} has three cells") };
        assert_eq!(call.matches(", ").count() + 1, *arity, "{line}");
        let expected = match domain {
            Domain::Number => "numbers",
            Domain::Float => "floats",
            Domain::Single => "`f32`",
            Domain::Integer => "integers",
            Domain::FloatWithBits => "`f32`, `f64`",
            Domain::BitsOfFloat => "`u32`, `u64`",
        };
        assert_eq!(*takes, expected, "{line}");
    }
}

#[test]
fn every_message_shown_is_that_of_a_compile_fail_test() {
    let messages = messages();
    let mut shown = 0;
    for file in files("src/reference", "rs") {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let page = page(name);
        for block in page.split("```text\nerror: ").skip(1).filter_map(|rest| rest.split("\n```").next()) {
            let block = format!("error: {block}\n");
            assert!(messages.iter().any(|message| message.contains(&block)), "no test gives\n{block}");
            shown += 1;
        }
    }
    assert!(shown > 0);
}
