//! The notation of derivations: `splitJoin(32) @ 0.1`, read from text.
//!
//! Input: a text as a [`Step`] prints itself, and the program that the step is for, whose sizes the arguments
//! may mention. Output: the step, or what is wrong with the text. A step that was printed is read as the same
//! step. Whether its rule applies is not asked here.
//!
//! - `size`: sizes in arguments.

mod size;

use std::fmt;

use super::derivation::{Derivation, Step};
use super::rule::{Argument, Kind, Rule};
use super::rules;
use crate::ir::typed::{AddressSpace, DIMENSIONS, MapKind, Path, Program, ReduceKind};

/// Why a text is no step.
#[derive(Debug, Clone, PartialEq)]
pub enum Unreadable {
    /// There is no ` @ ` and so no place.
    NoPlace,
    /// The place is no path.
    Path {
        /// What stands there.
        text: String,
    },
    /// No rule has this name.
    Rule {
        /// The name.
        name: String,
    },
    /// The rule takes another number of arguments.
    Arguments {
        /// The rule.
        rule: &'static Rule,
        /// The number of arguments that stand there.
        found: usize,
    },
    /// The rule takes an argument of another kind.
    Argument {
        /// The kind that it takes.
        wanted: Kind,
        /// What stands there.
        text: String,
    },
    /// The program has no size of this name.
    UnknownSize {
        /// The name.
        name: String,
    },
}

/// Reads a step.
///
/// # Errors
/// Says what is wrong with the text.
pub fn read_step(text: &str, program: &Program) -> Result<Step, Unreadable> {
    let (applied, place) = text.rsplit_once('@').ok_or(Unreadable::NoPlace)?;
    let path = read_path(place.trim())?;
    let (name, arguments) = name_and_arguments(applied.trim());
    let rule = rules::ALL.iter().find(|rule| rule.name == name);
    let rule = rule.ok_or_else(|| Unreadable::Rule { name: name.to_owned() })?;
    if arguments.len() != rule.parameters.len() {
        return Err(Unreadable::Arguments { rule, found: arguments.len() });
    }
    let arguments = rule.parameters.iter().zip(arguments);
    let arguments = arguments.map(|(kind, text)| read_argument(*kind, text, program));
    Ok(Step { rule, arguments: arguments.collect::<Result<_, _>>()?, path })
}

/// Reads a derivation: a step per line. Empty lines are skipped.
///
/// # Errors
/// Says what is wrong with the first line that is no step.
pub fn read_derivation(text: &str, program: &Program) -> Result<Derivation, Unreadable> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(Derivation { steps: lines.map(|line| read_step(line, program)).collect::<Result<_, _>>()? })
}

/// Reads an argument of a kind, as an [`Argument`] prints itself.
fn read_argument(kind: Kind, text: &str, program: &Program) -> Result<Argument, Unreadable> {
    let unreadable = || Unreadable::Argument { wanted: kind, text: text.to_owned() };
    match kind {
        Kind::Size => size::read_size(text, program).map(Argument::Size).map_err(|fault| match fault {
            size::Fault::Unknown(name) => Unreadable::UnknownSize { name },
            size::Fault::NoSize => unreadable(),
        }),
        Kind::Width => text.parse().map(Argument::Width).map_err(|_| unreadable()),
        Kind::Dimension => text.parse().map(Argument::Dimension).map_err(|_| unreadable()),
        Kind::Place => read_path(text).map(Argument::Place),
        Kind::Space | Kind::Reduce | Kind::Map => {
            words(kind).into_iter().find(|argument| argument.to_string() == text).ok_or_else(unreadable)
        }
    }
}

/// The arguments of a kind that have names.
pub(super) fn words(kind: Kind) -> Vec<Argument> {
    match kind {
        Kind::Size | Kind::Width | Kind::Dimension | Kind::Place => Vec::new(),
        Kind::Space => {
            let spaces = [AddressSpace::Global, AddressSpace::Local, AddressSpace::Private];
            spaces.map(Argument::Space).to_vec()
        }
        Kind::Reduce => ReduceKind::ALL.map(Argument::Reduce).to_vec(),
        Kind::Map => {
            let mut kinds =
                vec![MapKind::Unspecified, MapKind::Sequential, MapKind::Unrolled, MapKind::Sliding];
            for of_dimension in [MapKind::Global, MapKind::WorkGroup, MapKind::Local] {
                kinds.extend((0..DIMENSIONS).map(of_dimension));
            }
            kinds.into_iter().map(Argument::Map).collect()
        }
    }
}

/// `0.1.2`, and `.` for the root.
fn read_path(text: &str) -> Result<Path, Unreadable> {
    if text == "." {
        return Ok(Path::root());
    }
    let positions = text.split('.').map(str::parse).collect::<Result<Vec<usize>, _>>();
    positions.map(Path::from).map_err(|_| Unreadable::Path { text: text.to_owned() })
}

/// The name of a rule, and the texts of its arguments.
fn name_and_arguments(text: &str) -> (&str, Vec<&str>) {
    match text.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?))) {
        Some((name, arguments)) => (name.trim_end(), split_at_commas(arguments)),
        None => (text, Vec::new()),
    }
}

/// The parts between commas that stand in no parentheses.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (position, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::Size => "a size",
            Kind::Width => "the width of a vector",
            Kind::Dimension => "a dimension",
            Kind::Space => "a memory",
            Kind::Reduce => "a kind of `reduce`",
            Kind::Map => "a kind of `map`",
            Kind::Place => "a place",
        })
    }
}

/// What is wrong, and what may stand there instead.
impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::NoPlace => formatter
                .write_str("a step says where it is: `mapFusion @ 0.1`, and `@ .` for the whole program"),
            Unreadable::Path { text } => {
                write!(formatter, "`{text}` is no place: that is `.`, or positions such as `0.1`")
            }
            Unreadable::Rule { name } => write!(formatter, "there is no rule `{name}`"),
            Unreadable::Arguments { rule, found } => {
                let wanted: Vec<String> = rule.parameters.iter().map(Kind::to_string).collect();
                match wanted.as_slice() {
                    [] => write!(formatter, "`{}` takes no arguments", rule.name)?,
                    wanted => write!(formatter, "`{}` takes {}", rule.name, wanted.join(" and "))?,
                }
                write!(formatter, ", and {found} stand there")
            }
            Unreadable::Argument { wanted, text } => {
                write!(formatter, "`{text}` is not {wanted}")?;
                let words: Vec<String> = words(*wanted).iter().map(|word| format!("`{word}`")).collect();
                if words.is_empty() { Ok(()) } else { write!(formatter, ": {}", words.join(", ")) }
            }
            Unreadable::UnknownSize { name } => write!(formatter, "the program has no size `{name}`"),
        }
    }
}
