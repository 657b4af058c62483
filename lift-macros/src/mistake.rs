//! What is wrong with a program that is right for the compiler, and cannot become Rust.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

/// A mistake that only the expansion finds.
#[derive(Debug)]
pub(crate) enum Mistake {
    /// A type of half precision, without the feature.
    HalfPrecision {
        /// The type, as it is written.
        name: String,
    },
    /// A closure uses an array of its environment.
    CapturedArray {
        /// The array.
        name: String,
    },
    /// A size as an element or a result.
    SizeAsValue,
    /// An array of tuples that hold arrays, as a parameter or a result.
    ArraysInTuples,
    /// A size that is a number of more than 64 bits.
    LargeSize(i128),
}

impl Mistake {
    /// The message for the user.
    pub(crate) fn at(&self, source: Source) -> Diagnostic {
        let says = |message: &str| Diagnostic::new(source, message);
        match self {
            Mistake::HalfPrecision { name } => says(&format!("`{name}` needs the feature `f16` of `lift`"))
                .with_help("in Cargo.toml: `features = [\"f16\"]`"),
            Mistake::CapturedArray { name } => says(&format!(
                "the closure uses the array `{name}` of its environment"
            ))
            .with_help(format!("a closure captures numbers only; make `{name}` one of its parameters")),
            Mistake::SizeAsValue => says("this is a size, and a kernel computes no sizes")
                .with_help("make it a number: `(…) as i32`"),
            Mistake::ArraysInTuples => {
                says("an array of tuples that hold arrays outside a kernel is not supported yet")
            }
            Mistake::LargeSize(size) => says(&format!("the size {size} does not fit into 64 bits")),
        }
    }
}
