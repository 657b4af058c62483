//! Forms of Rust and of other languages that have another notation here, or none.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

/// A form that this language does not have.
#[derive(Debug)]
pub(crate) enum ForeignMistake {
    /// An operator without operands, as in `reduce(+, 0)`.
    OperatorAsFunction,
    /// An item that is no function and no constant.
    Item,
    /// `&x`
    Borrow,
    /// `*x`
    Dereference,
    /// `move`
    Move,
    /// `for`
    For,
    /// `while` or `loop`
    While,
    /// `self` alone.
    SelfValue,
    /// `self.method()`
    SelfMethod {
        /// The method.
        method: String,
    },
    /// `match`
    Match,
    /// `return`
    Return,
    /// `let` outside of a block.
    Let,
    /// `x << k`. A shift to the right is not found here, because `>>` is composition; inference reports it.
    ShiftLeft {
        /// What is shifted, as it is written.
        number: String,
        /// By how many bits, as it is written.
        bits: String,
    },
    /// `x ** y`
    Power,
}

impl ForeignMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: &str, help: &str| Diagnostic::new(source, message).with_help(help);
        match self {
            ForeignMistake::OperatorAsFunction => says(
                "an operator is no function",
                "write `add`, `sub`, `mult`, `div` or `rem`, or a function such as `|x, y| x + y`",
            ),
            ForeignMistake::Item => {
                says("only functions and constants stand in `lift!`", "write this before or after the macro")
            }
            ForeignMistake::Borrow => says("`&` is not needed: arrays are borrowed", "write the name alone"),
            ForeignMistake::Dereference => says("there are no references to follow", "write the name alone"),
            ForeignMistake::Move => says("`move` means nothing here", "write `|x| …`"),
            ForeignMistake::For => says("there are no loops", "use `map` or `reduce`"),
            ForeignMistake::While => says(
                "there are no loops",
                "`iterate(n, f, xs)` applies a function `n` times to an array, and \
                 `reduceSeq(|s, x| if c(s) { f(s) } else { s }, z, xs)` keeps what it has once `c` is false; \
                 how many steps there are never depends on data",
            ),
            ForeignMistake::SelfValue => says(
                "`self` is no number and no array",
                "an expression takes its fields, as in `self.k`; a function of `lift!` takes them as parameters",
            ),
            ForeignMistake::SelfMethod { method } => says(
                &format!("a method of Rust, `{method}`, cannot be called here"),
                &format!("call it in Rust, as in `let {method} = self.{method}(…);`"),
            ),
            ForeignMistake::Match => says("there is no `match`", "use `if … { … } else { … }`"),
            ForeignMistake::Return => says("there is no `return`", "the last expression is the result"),
            ForeignMistake::Let => {
                says("`let` stands at the start of a block", "write `{ let name = value; result }`")
            }
            ForeignMistake::ShiftLeft { number, bits } => {
                says("there is no operator `<<`", &format!("write `shl({number}, {bits})`"))
            }
            ForeignMistake::Power => says("there is no operator `**`", "write `x * x` or `pow(x, y)`"),
        }
    }
}
