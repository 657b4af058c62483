//! What the README shows is what the repository holds.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fenced blocks of the README in a language.
fn blocks(language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    read("README.md")
        .split(&opening)
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_first_code_block_is_the_quickstart_example() {
    let example = read("examples/quickstart.rs");
    let (_module_comment, code) = example.split_once("\n\n").expect("a module comment and code");
    assert_eq!(blocks("rust").first().map(String::as_str), Some(code));
}

#[test]
fn the_errors_shown_are_those_of_the_compile_fail_tests() {
    let cases = fs::read_dir(root().join("tests/ui")).expect("tests/ui holds the compile-fail tests");
    let paths: Vec<PathBuf> = cases.map(|case| case.expect("a readable folder").path()).collect();
    let messages: Vec<String> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "stderr"))
        .map(read)
        .collect();
    let shown = blocks("text");
    assert!(!shown.is_empty());
    for block in shown {
        assert!(messages.iter().any(|message| message.trim() == block.trim()), "no test gives\n{block}");
    }
}
