//! Mistakes of items and of whole programs: what they are called, what their parameters are, what cannot be
//! passed.

use crate::diagnostic::Diagnostic;
use crate::front::infer::other_languages::counterpart;
use crate::ir::nat::Nat;
use crate::ir::primitive::vocabulary::is_function_of_the_language;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// What is wrong with an item or with a whole program.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum ProgramMistake {
    /// Once its functions are inlined, it is larger or more deeply nested than any bound.
    TooLarge,
    /// Two items have this name.
    DefinedTwice(String),
    /// Two parameters have this name.
    ParameterTwice(String),
    /// Each of these items calls the next, and the last the first.
    Recursion(Vec<String>),
    /// A function on scalars with a `where` clause.
    Conditions {
        /// The function.
        function: String,
    },
    /// A function on scalars that computes with arrays.
    ComputesWithArrays {
        /// The function.
        function: String,
    },
    /// A call of a strict kernel in one that is not.
    StrictCallee {
        /// The kernel that is called.
        callee: String,
    },
    /// A declared size that no type of a parameter mentions.
    UnusedSize(String),
    /// A kernel value that is no closure.
    NoClosure,
    /// A parameter of a closure that has no name.
    NoParameter,
    /// A tuple that has no form in Rust.
    Boundary {
        /// What would cross.
        side: Side,
        /// Its type.
        ty: Type,
        /// What is not supported.
        unsupported: Unsupported,
    },
    /// A parameter that would need another length wherever it is used.
    OpenParameter {
        /// The parameter.
        name: String,
        /// Its type.
        ty: Type,
    },
    /// No parameter tells a length of the result.
    OpenResult,
    /// A literal that its type does not hold.
    Literal {
        /// The literal.
        literal: Literal,
        /// The type.
        ty: ScalarType,
    },
    /// A number is negated that has no sign.
    Unsigned {
        /// Its type.
        ty: Type,
    },
    /// A primitive whose rule is its definition in the prelude, where it is missing. No program is wrong.
    Undefined {
        /// The primitive.
        primitive: &'static str,
    },
    /// Straight-line code for an array whose length is no number.
    Unrolled {
        /// The primitive that makes straight-line code.
        primitive: &'static str,
        /// The one that makes a loop.
        of_loops: &'static str,
        /// The length.
        length: Nat,
    },
}

/// What crosses the boundary of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::front::infer) enum Side {
    /// A parameter.
    Parameter(String),
    /// The result.
    Result,
}

/// What is not supported at the boundary of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Unsupported {
    /// A tuple of many components.
    LargeTuple,
    /// An array of tuples that hold arrays.
    ArraysInTuples,
}

impl ProgramMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            ProgramMistake::TooLarge => says(
                "this expression is too large, or too deeply nested, once its functions are inlined"
                    .to_owned(),
            )
            .with_help("a function that is applied to itself never ends; split very large programs"),
            ProgramMistake::DefinedTwice(name) => says(format!("`{name}` is defined twice")),
            ProgramMistake::ParameterTwice(name) => says(format!("two parameters are named `{name}`")),
            ProgramMistake::Recursion(cycle) => {
                says(format!("{}: recursion is not possible in a kernel", calls(cycle)))
                    .with_help(instead_of_recursion(cycle))
            }
            ProgramMistake::Conditions { function } => says(format!(
                "`{function}` is a function on scalars, and has no sizes to state conditions on"
            )),
            ProgramMistake::ComputesWithArrays { function } => says(format!(
                "`{function}` is a function on scalars, and this computes with arrays"
            ))
            .with_help(
                "a function with an array among its parameters is a kernel, and may use all primitives",
            ),
            ProgramMistake::StrictCallee { callee } => says(format!(
                "`{callee}` is `#[strict]`, and would not be as a part of this kernel, which rounds freely"
            ))
            .with_help("write `#[strict]` before this kernel, too"),
            ProgramMistake::UnusedSize(name) => says(format!("the size `{name}` occurs in no parameter"))
                .with_help(format!("a call could not tell its value; make it a parameter: `{name}: size`")),
            ProgramMistake::NoClosure => {
                says("a kernel value is a closure".to_owned()).with_help("`lift!(|a: [f32; N]| …)`")
            }
            ProgramMistake::NoParameter => says("a parameter of a kernel is a name with a type".to_owned())
                .with_help("`|a: [f32; N], x: f32| …`"),
            ProgramMistake::Boundary { side, ty, unsupported } => {
                let reason = match unsupported {
                    Unsupported::LargeTuple => "tuples of more than 8 components are not supported yet",
                    Unsupported::ArraysInTuples => "arrays of tuples that hold arrays are not supported yet",
                };
                says(match side {
                    Side::Parameter(name) => format!("`{name}` is `{ty}`: {reason} as parameters"),
                    Side::Result => format!("the result is `{ty}`: {reason} as results"),
                })
                .with_help("tuples of arrays and arrays of tuples of scalars can be passed and returned")
            }
            ProgramMistake::OpenParameter { name, ty } => says(format!(
                "`{name}` would need a length of its own at every position or step: it is used as `{ty}`"
            )),
            ProgramMistake::OpenResult => {
                says("a length of the result is not determined by the parameters".to_owned())
                    .with_help("give a parameter a type: `|a: [f32; N]| …`")
            }
            ProgramMistake::Literal { literal, ty } => {
                let literal = match literal {
                    Literal::Bool(truth) => truth.to_string(),
                    Literal::Integer(value) => value.to_string(),
                    Literal::Float(digits) => digits.clone(),
                };
                Diagnostic { help: held(*ty), ..says(format!("the literal {literal} does not fit `{ty}`")) }
            }
            ProgramMistake::Unsigned { ty } => says(format!("`-` takes signed numbers, but this is `{ty}`")),
            ProgramMistake::Undefined { primitive } => {
                Diagnostic::internal(source, &format!("`{primitive}` has no definition"))
            }
            ProgramMistake::Unrolled { primitive, of_loops, length } => says(format!(
                "`{primitive}` makes straight-line code, for a length that is a number, and this one is \
                 `{length}`"
            ))
            .with_help(format!(
                "`{of_loops}` makes a loop; `split(4)` makes chunks whose length is a number"
            )),
        }
    }
}

/// `f` calls itself; `f` calls `g`, which calls `f`.
fn calls(cycle: &[String]) -> String {
    match cycle {
        [] => String::new(),
        [only] => format!("`{only}` calls itself"),
        [first, others @ ..] => {
            let chain: Vec<String> = others.iter().chain([first]).map(|name| format!("`{name}`")).collect();
            format!("`{first}` calls {}", chain.join(", which calls "))
        }
    }
}

/// What to write instead of items that call themselves.
fn instead_of_recursion(cycle: &[String]) -> String {
    let meant = cycle.iter().find_map(|name| {
        let hidden = is_function_of_the_language(name)
            .then(|| format!("the item hides the `{name}` of the language; give it another name"));
        hidden.or_else(|| counterpart(name))
    });
    meant.unwrap_or_else(|| "`map` and `reduce` repeat a computation".to_owned())
}

/// The numbers that a scalar type holds.
pub(super) fn held(ty: ScalarType) -> Option<String> {
    let largest = match ty {
        ScalarType::F16 => "65504".to_owned(),
        ScalarType::F32 => format!("{:e}", f32::MAX),
        ScalarType::F64 => format!("{:e}", f64::MAX),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::Parameter(_) => {
            let (least, greatest) = ty.integer_limits()?;
            return Some(format!("`{ty}` holds {least} to {greatest}"));
        }
    };
    Some(format!("`{ty}` holds numbers up to {largest}; `1.0 / 0.0` is infinite"))
}
