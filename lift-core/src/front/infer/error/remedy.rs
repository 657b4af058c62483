//! What would make a value have the type that is wanted.

use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;

/// What to write so that two types are equal.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front::infer) enum Remedy {
    /// A cast of the elements before they are combined.
    CastElements(ScalarType),
    /// A cast of a number.
    Cast(ScalarType),
    /// A comparison, where a truth value is wanted.
    Comparison,
    /// A choice, where a number is wanted and there is a truth value.
    Choice,
    /// A map, where an element is wanted and there is an array.
    Map,
    /// Vectors taken apart.
    AsScalar,
    /// Elements made vectors of a width.
    AsVector(u8),
    /// Rows and columns exchanged.
    Transpose,
    /// Rows joined.
    Join,
    /// An array made rows of a length.
    Split(Nat),
    /// A border before the windows.
    Pad {
        /// The number of dimensions.
        dimensions: usize,
        /// How many elements are added before the first.
        left: i128,
        /// How many are added after the last.
        right: i128,
    },
    /// The columns of a matrix in the place of its rows.
    Columns {
        /// The row.
        row: String,
        /// The matrix.
        matrix: String,
    },
    /// A bound of a declared type.
    Bound {
        /// The type.
        name: String,
        /// The bound.
        bound: &'static str,
    },
    /// A `where` clause: these sizes are equal.
    EqualSizes(Nat, Nat),
    /// A `where` clause: the second size divides the first.
    Divides(Nat, Nat),
}

impl Remedy {
    /// The help line.
    pub(super) fn help(&self) -> String {
        match self {
            Remedy::CastElements(to) => format!(
                "`map(|x| x as {to})` converts the elements before they are combined; a cast of the result \
                 would come too late"
            ),
            Remedy::Cast(to) => format!("`as {to}` converts a number"),
            Remedy::Comparison => "a comparison such as `x != 0` makes a truth value".to_owned(),
            Remedy::Choice => "`if c { 1 } else { 0 }` makes a number of a truth value".to_owned(),
            Remedy::Map => "`map` applies a function to every element of an array".to_owned(),
            Remedy::AsScalar => "`asScalar` takes vectors apart".to_owned(),
            Remedy::AsVector(width) => {
                format!("`asVector({width})` makes vectors of the elements of an array")
            }
            Remedy::Transpose => "`>> transpose` exchanges rows and columns".to_owned(),
            Remedy::Join => "`>> join` makes one array of the rows".to_owned(),
            Remedy::Split(columns) => format!("`>> split({columns})` makes rows of the array"),
            Remedy::Pad { dimensions, left, right } => {
                let name = if *dimensions == 1 { String::new() } else { dimensions.to_string() };
                format!(
                    "`pad{name}({left}, {right}, clamp)` before `slide{name}` makes as many windows as the \
                     array has elements"
                )
            }
            Remedy::Columns { row, matrix } => {
                format!("`{row}` is a row of `{matrix}`; `transpose({matrix})` has its columns as rows")
            }
            Remedy::Bound { name, bound } => format!("write the bound `{name}: {bound}`"),
            Remedy::EqualSizes(left, right) => format!("add `where {left} == {right}`"),
            Remedy::Divides(whole, divisor) => format!("add `where {whole} % {divisor} == 0`"),
        }
    }
}
