//! The programs that tests, benchmarks and examples share.
//!
//! A file of a folder of this crate holds the programs of a topic: a title, and functions between the braces
//! of `lift! { … }`, and nothing else. Who runs the programs expands them, in a module of its own:
//!
//! ```ignore
//! use lift::lift;
//!
//! include!("../../corpus/programs/thesis.rs");
//! ```
//!
//! Who compiles, counts or shows them has their text from here, and none from the source of a test. Programs
//! of one line are in [`lists`].

pub mod lists;
pub mod pinned;
pub mod steps;

/// The programs of a file.
#[derive(Debug, Clone, Copy)]
pub struct Topic {
    /// The folder.
    pub group: &'static str,
    /// The name of the file, without its ending.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! topics {
    ($($(#[$documentation:meta])* $group:ident { $($topic:ident = $name:literal,)* })*) => {
        /// All topics.
        pub fn topics() -> impl Iterator<Item = Topic> {
            [$($group::ALL),*].into_iter().flatten().copied()
        }

        $(
            $(#[$documentation])*
            pub mod $group {
                use crate::Topic;

                /// All of them.
                pub const ALL: &[Topic] = &[$($topic),*];

                $(
                    #[doc = concat!("The programs of `corpus/", stringify!($group), "/", $name, ".rs`.")]
                    pub const $topic: Topic = Topic {
                        group: stringify!($group),
                        name: $name,
                        text: include_str!(concat!("../", stringify!($group), "/", $name, ".rs")),
                    };
                )*
            }
        )*
    };
}

topics! {
    /// Those of the papers, and those that users write first.
    programs {
        ACCUMULATORS = "accumulators",
        ALGORITHMS = "algorithms",
        BENCHMARKS_IR = "benchmarks_ir",
        BITS = "bits",
        EARLY_END = "early_end",
        BLOCKING = "blocking",
        CONVOLUTION = "convolution",
        DATA_DRIVEN = "data_driven",
        HIGH_LEVEL = "high_level",
        LINEAR_ALGEBRA = "linear_algebra",
        PAPERS = "papers",
        PHOTOGRAPH = "photograph",
        PIPELINED = "pipelined",
        POSITIONS = "positions",
        PRODUCTS = "products",
        RECURRENCES = "recurrences",
        REDUCTIONS = "reductions",
        SOLVERS = "solvers",
        STENCILS = "stencils",
        STENCILS3D = "stencils3d",
        STORED_ARRAYS = "stored_arrays",
        THESIS = "thesis",
    }

    /// Those that show what the language means.
    language {
        ACCUMULATORS_THAT_END = "accumulators_that_end",
        CHOICES = "choices",
        CORNERS = "corners",
        DISTRIBUTIONS = "distributions",
        INTERIOR = "interior",
        ITERATIONS = "iterations",
        KEYED = "keyed",
        LANGUAGE = "language",
        ORDERS = "orders",
        SCANS = "scans",
        SEGMENTS = "segments",
        DELIMITED_ROWS = "delimited_rows",
        STRICT = "strict",
        TABLES = "tables",
        UPDATES = "updates",
        USER_FUNCTIONS = "user_functions",
        VECTORS = "vectors",
    }

    /// Those that show how Rust calls programs.
    interface {
        THREADS = "threads",
        TUPLES = "tuples",
    }

    /// Those that are measured beside hand-written kernels.
    benchmarks {
        CONVOLUTION = "convolution",
        DOT = "dot",
        ELEMENT_WISE = "element_wise",
        JACOBI = "jacobi",
        MATRIX_PRODUCT = "matrix_product",
        MATRIX_PRODUCT_TILES = "matrix_product_tiles",
        MATRIX_VECTOR = "matrix_vector",
        NBODY = "nbody",
        NORMAL_PRODUCT = "normal_product",
        RIGHT_HAND_SIDES = "right_hand_sides",
        ROWS_AND_COLUMNS = "rows_and_columns",
        SCAN = "scan",
        SEPARATED = "separated",
        STAGES = "stages",
        STENCILS = "stencils",
        TRANSPOSE = "transpose",
        TRIANGULAR = "triangular",
        UNTUNED = "untuned",
    }

    /// Those that are measured on the host, beside Rust and beside the same in several functions.
    host {
        BLACK_SCHOLES = "black_scholes",
        CONVOLUTION = "convolution",
        DOT = "dot",
        HISTOGRAM = "histogram",
        JACOBI = "jacobi",
        MATRIX_PRODUCT = "matrix_product",
        NBODY = "nbody",
        NETWORK = "network",
        PRODUCTS = "products",
        ROWS = "rows",
        SPARSE_PRODUCT = "sparse_product",
        WHOLE = "whole",
    }
}

impl Topic {
    /// What stands between the braces of each `lift!`.
    pub fn blocks(&self) -> Vec<&'static str> {
        let opened = self.text.split("\nlift! {\n").skip(1);
        opened.filter_map(|from| from.split_once("\n}\n")).map(|(items, _)| items).collect()
    }

    /// What stands between the braces that have a function of this name.
    pub fn block_with(&self, name: &str) -> Option<&'static str> {
        let has_it = |block: &&str| functions(block).into_iter().any(|function| name_of(function) == name);
        self.blocks().into_iter().find(has_it)
    }

    /// The text of a function, behind those of the functions that it calls.
    pub fn function(&self, name: &str) -> Option<String> {
        let functions = functions(self.block_with(name)?);
        let mut shown = vec![name];
        let mut next = 0;
        while let Some(caller) = shown.get(next).copied() {
            let text = functions.iter().find(|function| name_of(function) == caller)?;
            let called =
                functions.iter().map(|function| name_of(function)).filter(|name| mentions(text, name));
            let new: Vec<&str> = called.filter(|name| !shown.contains(name)).collect();
            shown.extend(new);
            next += 1;
        }
        let texts = functions.into_iter().filter(|function| shown.contains(&name_of(function)));
        Some(texts.map(unindented).collect::<Vec<_>>().join("\n\n"))
    }
}

/// The functions between the braces of a `lift!`, each with its documentation and its attributes: a function
/// ends with the first brace that is closed outside of all brackets.
fn functions(block: &str) -> Vec<&str> {
    let (mut functions, mut start, mut depth, mut in_comment) = (Vec::new(), 0, 0, false);
    for (position, letter) in block.char_indices() {
        match letter {
            '\n' => in_comment = false,
            _ if in_comment => {}
            '/' => in_comment = block[position..].starts_with("//"),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if letter == '}' && depth == 0 && !in_comment {
            functions.push(block[start..=position].trim_matches('\n'));
            start = position + 1;
        }
    }
    functions
}

/// The lines of a function that are no comments.
fn code(function: &str) -> impl Iterator<Item = &str> {
    function.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn name_of(function: &str) -> &str {
    let declared = code(function).find_map(|line| Some(line.split_once("fn ")?.1));
    declared.and_then(|declared| declared.split(['<', '(']).next()).unwrap_or_default()
}

/// Whether a name is a word of a function's code.
fn mentions(function: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code(function).any(|line| line.split(|letter| !is_part(letter)).any(|word| word == name))
}

/// A function without the indentation that it has in its `lift!`.
fn unindented(function: &str) -> String {
    let lines = function.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_is_a_topic() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let named: BTreeSet<String> =
            topics().map(|topic| format!("{}/{}.rs", topic.group, topic.name)).collect();
        let groups: BTreeSet<&str> = topics().map(|topic| topic.group).collect();
        let mut found = BTreeSet::new();
        for group in groups {
            for file in fs::read_dir(folder.join(group)).expect("a folder") {
                let file = file.expect("a readable folder").file_name();
                found.insert(format!("{group}/{}", file.to_string_lossy()));
            }
        }
        assert_eq!(named, found);
    }

    #[test]
    fn a_topic_has_a_title_and_nothing_but_programs() {
        for topic in topics() {
            assert!(topic.text.starts_with("// "), "{}/{} has no title", topic.group, topic.name);
            let blocks: usize = topic.blocks().iter().map(|block| "lift! {\n\n}\n".len() + block.len()).sum();
            let others = topic.text.lines().filter(|line| line.is_empty() || line.starts_with("//"));
            let others: usize = others.map(|line| line.len() + 1).sum();
            let empty =
                topic.blocks().iter().flat_map(|block| block.lines()).filter(|line| line.is_empty()).count();
            assert_eq!(blocks + others - empty, topic.text.len(), "{}/{}", topic.group, topic.name);
        }
    }

    #[test]
    fn a_function_is_shown_with_what_it_calls() {
        let shown = programs::THESIS.function("convolve_wrap").expect("it is there");
        let names: Vec<&str> = functions(&shown).into_iter().map(name_of).collect();
        assert_eq!(names, ["weighted_sums", "convolve_wrap"]);
        assert!(shown.starts_with("fn weighted_sums<"), "{shown}");
        assert_eq!(programs::THESIS.function("no_such_function"), None);
    }
}
