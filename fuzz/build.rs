//! Collects the programs of this repository, so that the mutated ones need no files: what stands in the
//! parentheses of every `lift!`, and every string literal that may be a program.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{TokenStream, TokenTree};

/// Where programs are written down.
const FOLDERS: [&str; 9] = [
    "../corpus",
    "../tests",
    "../examples",
    "../benches/src",
    "../src/reference",
    "../lift-core/src",
    "../lift-core/tests",
    "../lift-parser/src",
    "../lift-parser/examples",
];

/// Longer files of items are many programs in one, which is taken apart elsewhere.
const LONGEST: usize = 6_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = BTreeSet::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        collect_files(Path::new(folder), &mut files)?;
    }
    let mut programs = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        // Some files of the tests hold what Rust does not read.
        if let Ok(tokens) = text.parse::<TokenStream>() {
            collect_programs(tokens, &mut programs);
        }
    }
    let mut list = "pub(super) const CANDIDATES: &[&str] = &[\n".to_owned();
    for program in programs.iter().filter(|program| program.len() <= LONGEST) {
        writeln!(list, "    {program:?},")?;
    }
    list += "];\n";
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("candidates.rs"), list)?;
    Ok(())
}

fn collect_files(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect_files(&path, files)?;
        } else if name.ends_with(".rs") {
            files.insert(path);
        }
    }
    Ok(())
}

fn collect_programs(tokens: TokenStream, programs: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                if is_invocation(&tokens[..position]) {
                    programs.insert(group.stream().to_string());
                }
                collect_programs(group.stream(), programs);
            }
            TokenTree::Literal(literal) => {
                programs.extend(string(&literal.to_string()).filter(|text| text.contains('(')));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Whether what comes next are the tokens of a `lift!`.
fn is_invocation(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(name), TokenTree::Punct(mark)] = before else { return false };
    name == "lift" && mark.as_char() == '!'
}

/// The text of a string literal; `None` where only rustc knows what it says.
fn string(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw.get(hashes + 1..raw.len().checked_sub(hashes + 1)?)?;
        return Some(inside.to_owned());
    }
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    let known = inside.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\n", "\n");
    (!known.contains('\\') && !known.contains("{{")).then_some(known)
}
