//! Names: the program's own where possible, and never one that hides another name or has a meaning already.
//!
//! A name may be used again where what had it before is not mentioned: `map(|x| …) >> map(|x| …)`. Words of
//! the language are names where the program does not use them as words: `let sum = …`, `|tile| …`. The user
//! chose them, and kernels have them.

use std::collections::BTreeSet;

use super::unsayable::Unsayable;
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::primitive::vocabulary::{is_function_of_the_language, is_reserved};
use crate::ir::typed::Variable;

/// Keywords of Rust, which are names of the language when they are written with `r#`.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that are no names in any spelling.
const NO_NAMES: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// How a variable is written.
#[derive(Debug, Clone)]
pub(super) enum Spelling {
    /// By a name.
    Name(String),
    /// By names for its components; `None` for one that is not used.
    Components(Vec<Option<Spelling>>),
}

impl Spelling {
    /// All names in it.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Spelling::Name(name) => vec![name],
            Spelling::Components(parts) => parts.iter().flatten().flat_map(Spelling::names).collect(),
        }
    }

    /// As a pattern.
    pub(super) fn pattern(&self) -> String {
        match self {
            Spelling::Name(name) => written(name),
            Spelling::Components(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| part.as_ref().map_or("_".to_owned(), Spelling::pattern))
                    .collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}

/// The names in scope.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Whether open types have names, because an item declares them.
    pub(super) declares_types: bool,
    variables: Vec<(u32, Spelling)>,
    sizes: Vec<(u32, Result<String, Unsayable>)>,
    /// The user functions of the program.
    functions: Vec<String>,
    /// The `iterate`s around the current expression whose bodies mention the application.
    counters: Vec<Counter>,
    /// The words with a meaning that are used in their meaning; `None` while nothing is known of them.
    used: Option<BTreeSet<String>>,
}

/// The number of applications of an `iterate` so far, which has no name: it is told by the length of the
/// array.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    /// The number of applications so far.
    pub(super) index: Var,
    /// How many there are.
    pub(super) count: Nat,
    /// The length of the array, which depends on it.
    pub(super) told_by: Nat,
    /// The same length, as it is written.
    pub(super) length: Var,
}

/// The largest number that the length of an array is divided or multiplied by.
const LARGEST_FACTOR: i128 = 128;

/// How many names were in scope.
pub(super) struct Mark {
    variables: usize,
    sizes: usize,
}

impl Names {
    /// No names. Words of the language that are none of these are names like any other.
    pub(super) fn beside(used: BTreeSet<String>) -> Names {
        Names { used: Some(used), ..Names::default() }
    }

    /// The current scope.
    pub(super) fn mark(&self) -> Mark {
        Mark { variables: self.variables.len(), sizes: self.sizes.len() }
    }

    /// Leaves the scopes entered since then.
    pub(super) fn leave(&mut self, mark: &Mark) {
        self.variables.truncate(mark.variables);
        self.sizes.truncate(mark.sizes);
    }

    /// Adds a user function.
    pub(super) fn add_function(&mut self, wanted: &str) {
        let name = self.free(wanted, &BTreeSet::new());
        self.functions.push(name);
    }

    /// The name of a user function.
    pub(super) fn function(&self, position: usize) -> String {
        self.functions.get(position).map_or_else(|| "?".to_owned(), |name| written(name))
    }

    /// Adds a variable.
    pub(super) fn add_variable(&mut self, variable: &Variable, spelling: Spelling) {
        self.variables.push((variable.id, spelling));
    }

    /// Adds a size under a name that is free; `avoided` are taken.
    pub(super) fn add_size(&mut self, size: &Var, avoided: &BTreeSet<String>) -> String {
        let name = self.free(size.name(), avoided);
        self.sizes.push((size.id(), Ok(name.clone())));
        written(&name)
    }

    /// Adds a size that is written in some way, or cannot be written.
    pub(super) fn add_size_as(&mut self, size: &Var, text: Result<String, Unsayable>) {
        self.sizes.push((size.id(), text));
    }

    /// How a variable is written. One that is not in scope has its own name.
    pub(super) fn variable(&self, variable: &Variable) -> Spelling {
        let found = self.variables.iter().rev().find(|(id, _)| *id == variable.id);
        found.map_or_else(|| Spelling::Name(variable.name.to_string()), |(_, spelling)| spelling.clone())
    }

    /// How a size is written. One that is not in scope has its own name.
    pub(super) fn size(&self, size: &Var) -> Result<String, Unsayable> {
        let found = self.sizes.iter().rev().find(|(id, _)| *id == size.id());
        found.map_or_else(|| Ok(size.name().to_owned()), |(_, text)| text.clone().map(|text| written(&text)))
    }

    /// Enters the body of an `iterate` that mentions the application.
    pub(super) fn add_counter(&mut self, counter: Counter) {
        self.counters.push(counter);
    }

    /// Leaves it.
    pub(super) fn remove_counter(&mut self) {
        self.counters.pop();
    }

    /// The size with lengths of arrays instead of numbers of applications.
    pub(super) fn told_by_lengths(&self, size: &Nat) -> Result<Nat, Unsayable> {
        let mut size = size.clone();
        for counter in self.counters.iter().rev() {
            if size.mentions(&counter.index) {
                let told = counter.told(&size);
                size = told.ok_or_else(|| Unsayable::Counter { size: size.to_string() })?;
            }
        }
        Ok(size)
    }

    /// Whether a name is free, and not even the name of something that is not mentioned.
    pub(super) fn is_new(&self, name: &str, avoided: &BTreeSet<String>) -> bool {
        let is_variable = self.variables.iter().any(|(_, spelling)| spelling.names().contains(&name));
        let is_size = self.sizes.iter().any(|(_, text)| text.as_ref().is_ok_and(|text| text == name));
        !is_variable && !is_size && self.free(name, avoided) == name
    }

    fn has_meaning(&self, name: &str) -> bool {
        let is_used = |used: &BTreeSet<String>| used.contains(name);
        NO_NAMES.contains(&name) || (is_word(name) && self.used.as_ref().is_none_or(is_used))
    }

    /// A name like `wanted` that has no meaning and is none of those to avoid.
    pub(super) fn free(&self, wanted: &str, avoided: &BTreeSet<String>) -> String {
        let base = legal(wanted);
        let is_free = |name: &String| {
            !self.has_meaning(name) && !avoided.contains(name) && !self.functions.contains(name)
        };
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
    }
}

impl Counter {
    /// The size as a formula in the length of the array, where that is simple.
    fn told(&self, size: &Nat) -> Option<Nat> {
        let mut facts = Ranges::default();
        for variable in size.variables().into_iter().chain(self.told_by.variables()) {
            facts.declare(&variable, Nat::zero(), None);
        }
        facts.declare(&self.index, Nat::zero(), Some(self.count.clone()));
        let length = Nat::variable(&self.length);
        let mut formulas = (0..=LARGEST_FACTOR).flat_map(|number| {
            let by = Nat::constant(number);
            let mut formulas = vec![&length + &by, &length - &by];
            if number > 1 {
                formulas.extend([length.divide(&by), &length * &by]);
            }
            formulas
        });
        let is_size = |formula: &Nat| {
            let there = formula.substitute(&[(self.length.clone(), self.told_by.clone())].into());
            there == *size || facts.is_equal(&there, size) == Some(true)
        };
        formulas.find(is_size).or_else(|| self.told_by_distance(size))
    }

    /// The same where each application takes away or adds one element: the length says how many there were.
    fn told_by_distance(&self, size: &Nat) -> Option<Nat> {
        let index = Nat::variable(&self.index);
        let at =
            |n: &Nat, applications: &Nat| n.substitute(&[(self.index.clone(), applications.clone())].into());
        let first = at(&self.told_by, &Nat::zero());
        let added = &self.told_by - &first;
        let difference = Nat::variable(&self.length) - first;
        let applications = [(index.clone(), difference.clone()), (-index, -difference)]
            .into_iter()
            .find_map(|(by, applications)| (added == by).then_some(applications))?;
        let told = at(size, &applications);
        (!told.mentions(&self.index)).then_some(told)
    }
}

/// Whether a text is a name.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// A name as it is written.
pub(super) fn written(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

/// Whether the language gives a name a meaning.
fn is_word(name: &str) -> bool {
    is_function_of_the_language(name) || is_reserved(name) || name == "sum"
}

/// The words in a text that the language gives a meaning.
pub(super) fn words_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| is_word(word)).map(str::to_owned).collect()
}

/// The nearest name for a text that is none.
fn legal(text: &str) -> String {
    if is_name(text) {
        return text.to_owned();
    }
    let letters = text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' });
    let name: String = letters.collect();
    match name.trim_matches('_') {
        "" => "x".to_owned(),
        name if name.starts_with(char::is_numeric) => format!("x{name}"),
        name => name.to_owned(),
    }
}
