//! The page `docs/explain.md` shows what the tool prints.

use std::fs;
use std::path::Path;

use lift_explain::{Colour, Document, Request, USAGE, read, report};

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the page shows of the explanation of `examples/heat.rs`, and what the tool prints.
#[test]
fn the_page_shows_an_explanation() {
    let page = text("docs/explain.md");
    let shown = page.split("```text\n").nth(1).and_then(|from| from.split("```\n").next()).expect("a text");
    let command =
        page.lines().find_map(|line| line.strip_prefix("`cargo lift-explain ")?.strip_suffix("` prints"));
    // An argument in quotation marks is one.
    let parts = command.expect("a command").split('\'').enumerate();
    let arguments = parts.flat_map(|(position, part)| match position % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    let Ok(Request::Explain(wanted)) = read(arguments) else { panic!("a command") };
    let document = Document::new(&wanted.file, text(&wanted.file));
    let report = report(&document, &wanted, Colour::Never).expect("an explanation");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") && shown != report.text {
        let page =
            page.replacen(&format!("```text\n{shown}```\n"), &format!("```text\n{}```\n", report.text), 1);
        fs::write(repository().join("docs/explain.md"), page).expect("a page that can be written");
        return;
    }
    assert_eq!(shown, report.text);
}

#[test]
fn the_page_has_every_option_but_help() {
    let page = text("docs/explain.md");
    let options = USAGE.lines().filter_map(|line| line.strip_prefix("--")?.split(' ').next());
    for option in options.filter(|option| *option != "help") {
        assert!(page.contains(&format!("| `--{option}")), "--{option}");
    }
}
