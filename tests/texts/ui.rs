//! What a user reads for each mistake: one small program with one mistake each, and the exact messages.
//!
//! The cases are in a folder for each phase that finds mistakes, in the order in which a program goes through
//! them. Each is compiled with the library that these tests are built with, so that nothing is built for them
//! alone. `INSTA_UPDATE=always cargo test --test texts ui` writes the messages anew; read the difference as a
//! user would.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

/// Where the folders of cases are, from the root of the repository.
const FOLDER: &str = "tests/ui";

/// The folders: what finds the mistakes of their cases.
const PHASES: [(&str, &str); 11] = [
    ("parse", "the parser"),
    ("items", "inference, of a function as a whole: recursion, attributes, launches"),
    ("names", "inference, of a name"),
    ("calls", "inference, of the arguments of a call"),
    ("types", "inference, of a type"),
    ("sizes", "inference, of a size, a length or a position"),
    ("schedules", "rewriting, of what a schedule names"),
    ("hierarchy", "the check of where work is distributed"),
    ("memory", "code generation, of where arrays are stored"),
    ("device", "what makes kernels of it: barriers and launches"),
    ("rust", "the expansion or rustc, where a program meets Rust"),
];

/// How lines begin with which the compiler ends a list of messages.
const ENDINGS: [&str; 4] = [
    "error: aborting due to ",
    "For more information about this error, ",
    "For more information about an error, ",
    "Some errors have detailed explanations: ",
];

/// A command that runs in the root of the repository.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| format!("{command:?}: {error}"))
}

/// The file of the library `lift`, as these tests were built with it.
fn library() -> Result<PathBuf, String> {
    let tests = env::current_exe().map_err(|error| error.to_string())?;
    let folder = tests.parent().and_then(Path::parent).and_then(Path::file_name).unwrap_or_default();
    let profile = if folder == "debug" { "dev".into() } else { folder.to_string_lossy() };
    let build =
        ["test", "--no-run", "--package=lift", "--test=texts", "--message-format=json-render-diagnostics"];
    let output = output(command(env!("CARGO")).args(build).args(["--profile", &profile]))?;
    let built = String::from_utf8_lossy(&output.stdout).into_owned();
    let file = built.lines().find_map(|line| {
        line.contains(r#""reason":"compiler-artifact""#).then_some(())?;
        let (_, from) = line.split_once(r#""filenames":[""#)?;
        let file = Path::new(from.split('"').next()?);
        let name = file.file_name()?.to_string_lossy();
        (name.starts_with("liblift-") && name.ends_with(".rlib")).then(|| file.to_owned())
    });
    file.ok_or_else(|| format!("there is no library\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// What the compiler says of a case, whose path begins at the root of the repository; an error if it
/// compiles.
fn messages(case: &str, library: &Path) -> Result<String, String> {
    let mut rustc = command("rustc");
    rustc.args([
        "--edition=2024",
        "--crate-name=case",
        "--crate-type=bin",
        "--emit=metadata",
        "-o",
        "/dev/null",
    ]);
    rustc.args(["--color=never", "--allow=dead_code", "--extern"]).arg(format!("lift={}", library.display()));
    rustc.arg("-L").arg(format!("dependency={}", library.parent().unwrap_or(library).display()));
    let output = output(rustc.arg(case))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Err(format!("it compiles\n{said}")) } else { Ok(normalised(&said, case)) }
}

/// Messages without what changes with other files: line numbers in them, and how many types implement a
/// trait.
fn normalised(said: &str, case: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_elsewhere = false;
    for line in said.lines().filter(|line| !ENDINGS.iter().any(|ending| line.starts_with(ending))) {
        let mut line = line.trim_end().to_owned();
        let place = line.trim_start().strip_prefix("--> ").or(line.trim_start().strip_prefix("::: "));
        if let Some(place) = place {
            is_elsewhere = !place.starts_with(&format!("{case}:"));
            if is_elsewhere {
                let place = place.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit()).len();
                line.truncate(line.len() - line.trim_start().len() + "--> ".len() + place);
            }
        } else if is_elsewhere && line.contains('|') {
            let number = line.bytes().take_while(|byte| *byte == b' ' || byte.is_ascii_digit()).count();
            line.replace_range(..number, &" ".repeat(number));
        } else if !line.starts_with("...") {
            is_elsewhere = false;
        }
        let others = line.trim_start().strip_prefix("and ").and_then(|rest| rest.strip_suffix(" others"));
        if others.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
            line = line.replace(others.unwrap_or_default(), "$N");
        }
        lines.push(line);
    }
    let blocks: Vec<String> = lines.split(|line| line.is_empty()).map(with_a_narrow_margin).collect();
    blocks.join("\n\n").trim_end().to_owned() + "\n"
}

/// A message whose margin is as wide as its longest line number.
fn with_a_narrow_margin(message: &[String]) -> String {
    let digits = |line: &String| line.trim_start().bytes().take_while(u8::is_ascii_digit).count();
    let needed = message.iter().map(digits).max().unwrap_or(0).max(1);
    let margin = message.iter().find_map(|line| line.find("--> ")).unwrap_or(needed);
    let surplus = " ".repeat(margin.saturating_sub(needed));
    let narrow = |line: &String| line.strip_prefix(&surplus).unwrap_or(line).to_owned();
    message.iter().map(narrow).collect::<Vec<_>>().join("\n")
}

/// Compares the messages for a case with its file, or writes the file.
fn check(case: &str, library: &Path) -> Result<(), String> {
    let found = messages(case, library)?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(case).with_extension("stderr");
    if env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        return fs::write(&file, found).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&file).map_err(|error| format!("{error}, but it says\n{found}"))?;
    if found == expected { Ok(()) } else { Err(format!("expected\n{expected}\nfound\n{found}")) }
}

/// What a folder in that of the cases holds, by its names.
fn entries(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .collect()
}

/// The names of the files with an ending, without it, behind the names of their folders.
fn names(ending: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (phase, _) in PHASES {
        let files = entries(phase).into_iter();
        names.extend(files.filter_map(|file| Some(format!("{phase}/{}", file.strip_suffix(ending)?))));
    }
    names
}

#[test]
fn every_mistake_gets_one_message_at_its_place() -> Result<(), String> {
    let library = library()?;
    let cases = names(".rs");
    assert!(cases.len() > 250, "only {} cases", cases.len());
    let wrong = Mutex::new(Vec::new());
    let left = Mutex::new(cases.iter());
    let next = || left.lock().expect("no thread panics").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = next() {
                    if let Err(error) = check(&format!("{FOLDER}/{name}.rs"), &library) {
                        wrong.lock().expect("no thread panics").push(format!("{name}: {error}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{} cases\n\n{}", wrong.len(), wrong.join("\n\n"));
    Ok(())
}

#[test]
fn every_case_is_in_the_folder_of_a_phase() {
    let phases: BTreeSet<String> = PHASES.iter().map(|(phase, _)| (*phase).to_owned()).collect();
    assert_eq!(entries(""), phases);
}

#[test]
fn every_message_belongs_to_a_case() {
    assert_eq!(names(".stderr").difference(&names(".rs")).collect::<Vec<_>>(), Vec::<&String>::new());
}
