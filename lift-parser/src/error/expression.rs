//! Mistakes in expressions.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::scalar::BinaryOperator;
use lift_core::ir::source::Source;

use super::SMALL_TUPLE;

/// An expression that is not finished, or has a form that there is not.
#[derive(Debug)]
pub(crate) enum ExpressionMistake {
    /// It is nested more deeply than any stage can follow.
    TooDeep,
    /// `a < b < c`
    ChainedComparison,
    /// `a < b & c < d`
    BitsBetweenComparisons {
        /// The operator between them.
        operator: BinaryOperator,
    },
    /// `x.f::<T>()`
    TypeArguments,
    /// `|i => | body`
    PositionAlone {
        /// The name of the position.
        name: String,
    },
    /// `|x| -> T { … }`
    ResultOfLambda,
    /// `()`
    EmptyTuple,
    /// `(a,)`
    TupleOfOne,
    /// `if` without `else`.
    NoElse,
}

impl ExpressionMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: &str| Diagnostic::new(source, message);
        match self {
            ExpressionMistake::TooDeep => says("this expression is nested too deeply")
                .with_help("give parts of it names with `let`, or move them into functions"),
            ExpressionMistake::ChainedComparison => {
                says("comparisons cannot be chained").with_help("compare twice: `a < b && b < c`")
            }
            ExpressionMistake::BitsBetweenComparisons { operator } => {
                let symbol = operator.symbol();
                let logical = match operator {
                    BinaryOperator::BitAnd => "`a < b && c < d`, or ",
                    BinaryOperator::BitOr => "`a < b || c < d`, or ",
                    _ => "",
                };
                says(&format!("`{symbol}` binds more strongly than the comparisons around it, as in Rust"))
                    .with_help(format!("write {logical}`(a < b) {symbol} (c < d)`"))
            }
            ExpressionMistake::TypeArguments => says("types cannot be given with `::<…>`")
                .with_help("leave it out; types follow from the arguments"),
            ExpressionMistake::PositionAlone { name } => says(&format!(
                "the element at position `{name}` has no name"
            ))
            .with_help(format!("`|{name} => x| …` names both; `|{name}| …` is a function of one value")),
            ExpressionMistake::ResultOfLambda => says("the result type of a lambda is not written")
                .with_help("leave it out: it follows from the body"),
            ExpressionMistake::EmptyTuple => says(SMALL_TUPLE),
            ExpressionMistake::TupleOfOne => says(SMALL_TUPLE).with_help("leave the comma out: `(a)`"),
            ExpressionMistake::NoElse => {
                says("`if` needs an `else`: both have a value").with_help("write `if c { a } else { b }`")
            }
        }
    }
}
