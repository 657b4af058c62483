//! Mistakes in constants among items.

use super::KnownType;
use super::program::held;
use crate::diagnostic::Diagnostic;
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;

/// What is wrong with a constant.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum ConstantMistake {
    /// Each of these constants is computed from the next, and the last from the first.
    Itself(Vec<String>),
    /// It calls a function of the items.
    Calls {
        /// The function.
        function: String,
    },
    /// Something in it is no literal, no constant and no operator on these.
    Form,
    /// It is no scalar.
    NoScalar {
        /// The constant.
        name: String,
        /// Its type.
        ty: KnownType,
    },
    /// A number that its type does not hold.
    Overflow {
        /// The type.
        ty: ScalarType,
        /// The number.
        number: i128,
    },
    /// An integer is divided by zero.
    DivisionByZero,
    /// An integer is shifted by as many bits as it has or more, or by a negative number.
    Shift {
        /// The number of bits that it is shifted by.
        count: i128,
        /// Its type.
        ty: String,
        /// How many bits it has.
        bits: u32,
    },
    /// A size below zero.
    Negative {
        /// The constant.
        name: String,
        /// The number.
        number: i128,
    },
    /// A parameter, a variable, a size or a position has its name.
    Hidden(String),
}

impl ConstantMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            ConstantMistake::Itself(cycle) => {
                says(format!("{}: its value would never be known", needs(cycle)))
            }
            ConstantMistake::Calls { function } => {
                says(format!("a constant cannot call `{function}`")).with_help(MADE_OF)
            }
            ConstantMistake::Form => {
                says("this is not known while the constant is computed".to_owned()).with_help(MADE_OF)
            }
            ConstantMistake::NoScalar { name, ty } => {
                says(format!("`{name}` is {ty}, and a constant is a number, a truth value or a size"))
                    .with_help("make it a parameter, or write the value where it is used")
            }
            ConstantMistake::Overflow { ty, number } => Diagnostic {
                help: held(*ty),
                ..says(format!("this is {number}, which `{ty}` does not hold"))
            },
            ConstantMistake::Shift { count, ty, bits } => {
                says(format!("this shifts by {count}, and `{ty}` has {bits} bits"))
                    .with_help(format!("a number of bits from 0 to {}", bits.saturating_sub(1)))
            }
            ConstantMistake::DivisionByZero => says("this divides by zero".to_owned()),
            ConstantMistake::Negative { name, number } => {
                says(format!("`{name}` is {number}, and a `usize` is not negative"))
                    .with_help(format!("a number with a sign is `const {name}: i32 = …;`"))
            }
            ConstantMistake::Hidden(name) => {
                says(format!("`{name}` is a constant of this `lift!`, and nothing else can have its name"))
                    .with_help("give this another name")
            }
        }
    }
}

/// What constants are made of.
const MADE_OF: &str =
    "a constant is computed from literals and other constants of this `lift!`, with operators, `as` and `if`";

/// `A` needs itself; `A` needs `B`, which needs `A`.
fn needs(cycle: &[String]) -> String {
    match cycle {
        [] => String::new(),
        [only] => format!("`{only}` needs itself"),
        [first, others @ ..] => {
            let chain: Vec<String> = others.iter().chain([first]).map(|name| format!("`{name}`")).collect();
            format!("`{first}` needs {}", chain.join(", which needs "))
        }
    }
}
