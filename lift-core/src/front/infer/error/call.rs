//! Calls with other arguments than a function takes, and functions that stand where values do.

use std::fmt;

use super::{BOUNDARIES, KnownType, counted, signature};
use crate::diagnostic::Diagnostic;
use crate::ir::primitive::{ArgumentKind, Primitive, Row};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// A call that cannot be made.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum CallMistake {
    /// Another number of arguments than a function takes.
    Arguments {
        /// The function.
        callee: Callee,
        /// How many it takes; `None` where that is any number from 2 on.
        takes: Option<usize>,
        /// How many it is given.
        given: usize,
    },
    /// A function of two numbers that is given an array alone.
    ArrayAsOperand {
        /// The function.
        callee: Callee,
    },
    /// A primitive of any number of arguments that is given too few.
    TooFew {
        /// As it was written.
        name: &'static str,
        /// The primitive.
        row: &'static Row,
    },
    /// A primitive without the arguments at these positions.
    Lacks {
        /// The primitive.
        row: &'static Row,
        /// The positions.
        missing: Vec<usize>,
    },
    /// A function behind an argument, without a comma.
    LambdaWithoutComma {
        /// The name of its parameter.
        parameter: String,
    },
    /// A primitive that has all its arguments in another order.
    Disordered {
        /// The primitive.
        row: &'static Row,
    },
    /// A function that a primitive applies and that still lacks arguments.
    AppliedToTooLittle {
        /// The function.
        callee: Callee,
        /// What is applied last.
        row: &'static Row,
    },
    /// A function of several arguments that is given one value, which is no tuple.
    OneValue {
        /// The function.
        callee: Callee,
        /// How many arguments it takes.
        takes: usize,
        /// The type of the value.
        ty: KnownType,
    },
    /// A function where a value is needed.
    FunctionAsValue {
        /// The function.
        callee: Callee,
        /// What was meant.
        meant: Meant,
    },
    /// A function where the data of a primitive is needed.
    FunctionAsData {
        /// The primitive, as it was written.
        name: &'static str,
        /// The primitive.
        row: &'static Row,
        /// What was meant by the function.
        meant: Meant,
    },
    /// A value where a function is needed.
    ValueAsFunction {
        /// Its type.
        ty: KnownType,
    },
    /// A value that is called.
    ValueCalled {
        /// Its type.
        ty: KnownType,
    },
    /// Data of fewer dimensions than a primitive needs.
    Rank {
        /// The primitive, as it was written.
        name: &'static str,
        /// The primitive.
        row: &'static Row,
        /// How many dimensions it needs.
        rank: usize,
        /// The type of the data.
        ty: KnownType,
    },
}

/// What can be called.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum Callee {
    /// A primitive.
    Primitive(&'static Row),
    /// A built-in function, by its name.
    Builtin(&'static str),
    /// An item.
    Item {
        /// Its name.
        name: String,
        /// The names of its parameters.
        parameters: Vec<String>,
    },
    /// A lambda.
    Lambda,
    /// A composition.
    Composition,
}

/// What the name of a function was meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Meant {
    /// The function.
    Function,
    /// Perhaps a Rust variable, which the function of the language hides.
    PerhapsVariable,
}

impl Callee {
    /// The name of a function that has one.
    pub(in crate::front::infer) fn name(&self) -> Option<&str> {
        match self {
            Callee::Primitive(row) => Some(row.name),
            Callee::Builtin(name) => Some(name),
            Callee::Item { name, .. } => Some(name),
            Callee::Lambda | Callee::Composition => None,
        }
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Primitive(Row { name, .. }) | Callee::Builtin(name) => write!(formatter, "`{name}`"),
            Callee::Item { name, .. } => write!(formatter, "`{name}`"),
            Callee::Lambda => formatter.write_str("this lambda"),
            Callee::Composition => formatter.write_str("this composition"),
        }
    }
}

impl CallMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            CallMistake::Arguments { callee, takes, given } => Diagnostic {
                help: parameters(callee, *takes, *given),
                ..says(takes_not(callee, *takes, *given))
            },
            CallMistake::ArrayAsOperand { callee } => {
                let name = callee.name().unwrap_or("op");
                says(takes_not(callee, Some(2), 1))
                    .with_help(format!("`reduce({name}, z, xs)` combines all elements of an array"))
            }
            CallMistake::TooFew { name, row } => {
                let noun = row.arguments.first().map_or("arrays", |argument| argument.0);
                says(format!("`{name}` takes at least 2 {noun}"))
                    .with_help(format!("`{name}(a, b)`; it cannot be given its arguments one after another"))
            }
            CallMistake::Lacks { row, missing } => {
                let (message, help) = lacks(row, missing);
                says(message).with_help(help)
            }
            CallMistake::LambdaWithoutComma { parameter } => {
                says(format!("a `,` is missing before `|{parameter}| …`"))
                    .with_help("a function `|x| …` is an argument like others, after a `,`")
            }
            CallMistake::Disordered { row } => {
                says(format!("the arguments of `{}` are in another order than in `{}`", row.name, row.call()))
                    .with_help(signature(row))
            }
            CallMistake::AppliedToTooLittle { callee, row } => {
                says(format!("{callee} lacks arguments to be applied here")).with_help(signature(row))
            }
            CallMistake::OneValue { callee, takes, ty } => {
                let message = format!(
                    "{callee} takes {}, and is given one value of type {ty}",
                    counted(*takes, "argument")
                );
                let help = match ty {
                    KnownType::Type(Type::Array(_), _) => Some(
                        "only tuples are taken apart; `at(0, xs)` is the first element of an array"
                            .to_owned(),
                    ),
                    KnownType::Type(Type::Tuple(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size, _)
                    | KnownType::Scalar(_) => None,
                };
                Diagnostic { help, ..says(message) }
            }
            CallMistake::FunctionAsValue { callee, meant } => says(format!(
                "{callee} is a function, and a value is needed here"
            ))
            .with_help(match (meant, callee) {
                (Meant::PerhapsVariable, _) => RENAME.to_owned(),
                (Meant::Function, Callee::Primitive(row)) => signature(row),
                (
                    Meant::Function,
                    Callee::Builtin(_) | Callee::Item { .. } | Callee::Lambda | Callee::Composition,
                ) => "apply it to its arguments".to_owned(),
            }),
            CallMistake::FunctionAsData { name, row, meant } => {
                let takes_function =
                    row.arguments.iter().any(|argument| argument.1 == ArgumentKind::Function);
                let order = match takes_function {
                    true => "the function comes first and the data last: ",
                    false => "",
                };
                let rename = match meant {
                    Meant::PerhapsVariable => format!("\nhelp: {RENAME}"),
                    Meant::Function => String::new(),
                };
                says(format!("the last argument of `{name}` is its data, but this is a function"))
                    .with_help(format!("{order}{}{rename}", signature(row)))
            }
            CallMistake::ValueAsFunction { ty } => {
                says(format!("a function is needed here, but this is {ty}"))
            }
            CallMistake::ValueCalled { ty } => says(format!("a function is needed here, but this is {ty}"))
                .with_help("`a >> f` applies the function `f` to `a`"),
            CallMistake::Rank { name, row, rank, ty } => {
                let needed = match rank {
                    1 => "an array".to_owned(),
                    2 => "an array of arrays".to_owned(),
                    _ => format!("an array of {rank} dimensions"),
                };
                let first = row.arguments.first().map(|argument| argument.1);
                // `slide(xs, 3, 1)`: the data was perhaps given first.
                let is_swapped = first == Some(ArgumentKind::Size) && matches!(ty, KnownType::Scalar(_));
                let order = if is_swapped { "the data comes last: " } else { "" };
                says(format!("`{name}` needs {needed}, but this is {ty}"))
                    .with_help(format!("{order}{}", signature(row)))
            }
        }
    }
}

const RENAME: &str = "a Rust variable with the name of a function cannot be used here; rename it";

fn takes_not(callee: &Callee, takes: Option<usize>, given: usize) -> String {
    let takes = takes.map_or_else(|| "at least 2 arguments".to_owned(), |takes| counted(takes, "argument"));
    format!("{callee} takes {takes}, and is given {given}")
}

/// The help line about the parameters of a function.
fn parameters(callee: &Callee, takes: Option<usize>, given: usize) -> Option<String> {
    match callee {
        Callee::Primitive(row) if is_map(row.primitive) && takes.is_some_and(|takes| given > takes) => {
            let (signature, name) = (signature(row), row.name);
            Some(format!("{signature}\nhelp: several arrays go through `zip`: `zip(a, b) >> {name}(f)`"))
        }
        Callee::Primitive(row) => Some(signature(row)),
        Callee::Item { name, parameters } => {
            Some(format!("its parameters are `{name}({})`", parameters.join(", ")))
        }
        Callee::Builtin(_) | Callee::Lambda | Callee::Composition => None,
    }
}

/// What is missing. One argument is named, with what may stand in its place.
fn lacks(row: &Row, missing: &[usize]) -> (String, String) {
    let [position] = missing else {
        let takes = row.arguments.len();
        let given = takes.saturating_sub(missing.len());
        let message = format!("`{}` takes {}, and is given {given}", row.name, counted(takes, "argument"));
        return (message, signature(row));
    };
    let Some((name, kind)) = row.arguments.get(*position) else {
        return (format!("`{}` lacks an argument", row.name), signature(row));
    };
    let help = match kind {
        ArgumentKind::Boundary => format!("`{name}` is a boundary; {BOUNDARIES}"),
        ArgumentKind::Value if *name == "z" => {
            format!("`{name}` is the value to start from, such as 0 for sums: `{}(add, 0)`", row.name)
        }
        ArgumentKind::Function
        | ArgumentKind::Size
        | ArgumentKind::IndexFunction
        | ArgumentKind::RowLengths
        | ArgumentKind::Position
        | ArgumentKind::Name
        | ArgumentKind::Choices
        | ArgumentKind::Value
        | ArgumentKind::Values => signature(row),
    };
    (format!("`{}` lacks an argument: `{name}` of `{}`", row.name, row.call()), help)
}

/// Whether a primitive applies a function to every element of one array.
fn is_map(primitive: Primitive) -> bool {
    matches!(
        primitive,
        Primitive::Map
            | Primitive::MapSeq
            | Primitive::MapSeqUnroll
            | Primitive::MapGlb(_)
            | Primitive::MapWrg(_)
            | Primitive::MapLcl(_)
    )
}
