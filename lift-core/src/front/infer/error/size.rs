//! Mistakes in sizes, and in the choices of `tune`.

use super::{KnownType, counted};
use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;

const TUNE: &str = "`tune(TILE, [8, 16, 32])`";

const TUNE_CHOICES: &str = "`tune(TILE, [8, 16, 32])`: the first is used where nothing is tuned";

/// What can be a size where a value stands.
const KNOWN_BEFORE: &str =
    "a size is known before the program starts: a number, a `const` generic, or a `usize` of Rust";

/// What sizes are made of.
const FORMS: &str = "sizes are integers, `const` generics and `usize` variables with `+ - * / %`, `min`, \
                     `max`, `pow`, `log2`, `sum`, `len` and `if`";

/// Something that is no size where one is needed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front::infer) enum SizeMistake {
    /// A value of the program.
    Value {
        /// Its type.
        ty: KnownType,
        /// The parameter that it is, where that could be a size.
        parameter: Option<String>,
    },
    /// A constant of another type than `usize`.
    Constant {
        /// The constant.
        constant: String,
        /// Its type.
        ty: KnownType,
    },
    /// An expression that is never a size.
    Form(NoSize),
    /// The comparison of two sizes.
    Truth,
    /// An operator on bits.
    Bits(&'static str),
    /// A function that sizes do not know.
    Function,
    /// A function of sizes with another number of arguments.
    Arguments {
        /// The function.
        function: String,
        /// How many it takes.
        takes: usize,
        /// How many it is given.
        given: usize,
    },
    /// `sum` with another number of arguments.
    SumArguments {
        /// How many it is given.
        given: usize,
    },
    /// Something that is no comparison of sizes where one is needed.
    NoComparison,
    /// A number that 64 bits do not hold.
    TooLarge(i128),
    /// A size that is computed with such a number.
    ComputedTooLarge(i128),
    /// `get(k)` with a position that is no number.
    ComponentPosition,
    /// `tune` with another number of arguments.
    TuneArguments {
        /// How many it is given.
        given: usize,
    },
    /// `tune` without a name for the choice.
    TuneName,
    /// One name for two choices.
    TuneChoices {
        /// The name.
        name: String,
        /// What it is chosen from elsewhere.
        known: Vec<u64>,
    },
    /// A choice of `tune` that is no number.
    TuneChoice,
    /// `tune` with nothing to choose from.
    TuneNothing,
    /// `tune` with something that is no list.
    TuneNoList,
}

/// What an expression is that is never a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum NoSize {
    /// A literal with a point.
    Float,
    /// `true`, `false`, `!x`
    Truth,
    /// An array.
    Array,
    /// A lambda.
    Function,
    /// A tuple.
    Tuple,
    /// Something that is computed.
    Computed,
}

impl SizeMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            SizeMistake::Value { ty, parameter } => {
                let help = match parameter {
                    Some(name) => {
                        format!("make the parameter a size: `{name}: size`, which a call passes as a `usize`")
                    }
                    None => KNOWN_BEFORE.to_owned(),
                };
                says(format!("this is a value of type {ty}, and a size is needed here")).with_help(help)
            }
            SizeMistake::Constant { constant, ty } => {
                says(format!("`{constant}` is a constant of type {ty}, and a size is needed here"))
                    .with_help(format!("declare it as a size: `const {constant}: usize = …;`"))
            }
            SizeMistake::Form(form) => {
                says(format!("a size is needed here, but this is {}", form.words())).with_help(FORMS)
            }
            SizeMistake::Truth => says("a size is needed here, and this is a truth value".to_owned())
                .with_help("`if c { a } else { b }` makes a size of it"),
            SizeMistake::Bits(operator) => {
                says(format!("a size is needed here, and sizes have no `{operator}`")).with_help(FORMS)
            }
            SizeMistake::Function => says("this function cannot be used in a size".to_owned())
                .with_help("sizes know `min`, `max`, `pow`, `log2`, `sum` and `len`"),
            SizeMistake::Arguments { function, takes, given } => {
                says(format!("`{function}` takes {}, and is given {given}", counted(*takes, "argument")))
            }
            SizeMistake::SumArguments { given } => {
                says(format!("`sum` takes 2 arguments, and is given {given}"))
                    .with_help("`sum(n, |k| …)` adds a size for every `k` below `n`")
            }
            SizeMistake::NoComparison => says("a comparison of sizes is needed here".to_owned())
                .with_help("such as `i < n`, with `&&`, `||` and `!`"),
            SizeMistake::TooLarge(number) => {
                says(format!("the size {number} is too large")).with_help(largest())
            }
            SizeMistake::ComputedTooLarge(number) => {
                says(format!("this size is computed with {number}, which is too large")).with_help(largest())
            }
            SizeMistake::ComponentPosition => {
                says("the position of a component is a number".to_owned()).with_help("`get(0)` is the first")
            }
            SizeMistake::TuneArguments { given } => {
                says(format!("`tune` takes 2 arguments, and is given {given}")).with_help(TUNE)
            }
            SizeMistake::TuneName => {
                says("the first argument of `tune` is a name for the choice".to_owned()).with_help(TUNE)
            }
            SizeMistake::TuneChoices { name, known } => {
                let known: Vec<String> = known.iter().map(u64::to_string).collect();
                says(format!("`{name}` has the choices [{}] elsewhere", known.join(", "))).with_help(
                    "one name is one choice in the whole kernel; use another name for another choice",
                )
            }
            SizeMistake::TuneChoice => {
                says("a choice of `tune` is a number".to_owned()).with_help(TUNE_CHOICES)
            }
            SizeMistake::TuneNothing => {
                says("`tune` needs at least one choice".to_owned()).with_help(TUNE_CHOICES)
            }
            SizeMistake::TuneNoList => {
                says("the second argument of `tune` lists the choices".to_owned()).with_help(TUNE_CHOICES)
            }
        }
    }
}

impl NoSize {
    fn words(self) -> &'static str {
        match self {
            NoSize::Float => "a floating-point number",
            NoSize::Truth => "a truth value",
            NoSize::Array => "an array",
            NoSize::Function => "a function",
            NoSize::Tuple => "a tuple",
            NoSize::Computed => "a computed value",
        }
    }
}

fn largest() -> String {
    format!("the largest size is {}", i64::MAX)
}
