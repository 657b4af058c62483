//! Mistakes in items.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

/// An item that is not finished, or has parts that there are not.
#[derive(Debug)]
pub(crate) enum ItemMistake {
    /// `unsafe fn`, `async fn`, `const fn` or `extern fn`.
    Qualifier,
    /// rustc's message about a visibility.
    Visibility(String),
    /// A lifetime or something else that is no size and no type.
    Generic,
    /// `where N: Float`
    BoundOfNoType {
        /// The name.
        name: String,
    },
    /// `<const N: i32>`
    SizeType,
    /// A parameter that is no name.
    ParameterPattern,
    /// A parameter `self`.
    Method,
    /// A parameter without a type.
    ParameterWithoutType {
        /// The parameter.
        name: String,
    },
    /// There is no `-> T`.
    NoResult,
    /// A condition of the `where` clause that compares no sizes.
    Condition,
    /// `#` before something else than `[name]`.
    NoAttribute,
    /// `#[name = value]`
    AttributeValue {
        /// The attribute.
        name: String,
    },
    /// `#[launch(…)]` and the like before a constant.
    AttributeOfConstant {
        /// The attribute.
        name: String,
    },
    /// `const K = 2;`
    ConstantWithoutType {
        /// The constant.
        name: String,
    },
    /// `const K: usize;`
    ConstantWithoutValue {
        /// The constant.
        name: String,
    },
}

impl ItemMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: &str| Diagnostic::new(source, message);
        match self {
            ItemMistake::Qualifier => {
                says("a function of `lift!` is just `fn`").with_help("leave this keyword out")
            }
            ItemMistake::Visibility(message) => says(message),
            ItemMistake::Generic => says("only sizes and element types can be generic")
                .with_help("write `const N: usize` for a size, and `T: Float` for a type"),
            ItemMistake::BoundOfNoType { name } => {
                says(&format!("`{name}` is no type of this function, and has no bounds"))
                    .with_help(format!("declare it behind the function's name: `<{name}: Float>`"))
            }
            ItemMistake::SizeType => says("a size is a `usize`").with_help("write `const N: usize`"),
            ItemMistake::ParameterPattern => says("a parameter is a name with a type")
                .with_help("write `x: T`, and take a tuple apart with `let (a, b) = x;`"),
            ItemMistake::Method => says("there are no methods in `lift!`"),
            ItemMistake::ParameterWithoutType { name } => {
                says(&format!("the parameter `{name}` needs a type"))
                    .with_help(format!("write `{name}: [f32; N]`"))
            }
            ItemMistake::NoResult => says("a function needs a result type")
                .with_help("write it after the parameters: `-> [f32; N]`"),
            ItemMistake::Condition => says("expected a comparison of sizes")
                .with_help("write comparisons of sizes: `where N % 128 == 0, M >= 3`"),
            ItemMistake::NoAttribute => {
                says("this is no attribute of a function").with_help("write `#[name]` before `fn`")
            }
            ItemMistake::AttributeValue { name } => says("this attribute takes its arguments in parentheses")
                .with_help(format!("write `#[{name}(…)]`")),
            ItemMistake::AttributeOfConstant { name } => {
                says(&format!("`#[{name}]` is an attribute of functions, and this is a constant"))
                    .with_help("leave it out, or write it before a `fn`")
            }
            ItemMistake::ConstantWithoutType { name } => says(&format!("the constant `{name}` needs a type"))
                .with_help(format!(
                    "write `const {name}: usize = …;` for a size, and `const {name}: f32 = …;` for a number"
                )),
            ItemMistake::ConstantWithoutValue { name } => {
                says(&format!("the constant `{name}` needs a value"))
                    .with_help(format!("write it behind the type: `const {name}: T = …;`"))
            }
        }
    }
}
