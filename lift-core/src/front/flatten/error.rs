//! What cannot be done with rows whose lengths only data knows, and how that is said.

use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, IndexFunctionKind, Layout};
use crate::ir::types::Type;

/// What is wrong with a use of rows that data delimits.
#[derive(Debug, Clone, PartialEq)]
pub enum RowsMistake {
    /// The result of the program has them.
    Result(Type),
    /// A primitive that does not take them.
    Primitive(&'static str),
    /// Another form that does not take them.
    Form(Type),
    /// A reduction of a row whose accumulator is such a row, or holds one.
    Accumulator(Type),
    /// What this needs of sizes never holds: there are no rows, or no elements.
    Refuted(String),
    /// A row is used inside of a function of other rows.
    Nested,
    /// A size, or a position in an array, that depends on the row.
    Position,
    /// The rules do not give what they should. No program is wrong.
    Internal(String),
}

impl RowsMistake {
    /// A form that takes no rows.
    pub(super) fn of_form(expr: &Expr) -> RowsMistake {
        primitive(expr).map_or_else(|| RowsMistake::Form(expr.ty.clone()), RowsMistake::Primitive)
    }

    /// The message for the user.
    pub fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        let possible = "rows of `segments` can be mapped, zipped, reduced, and joined: `segments(offsets, xs) >> \
                        map(|row| row >> reduce(add, 0))`";
        match self {
            RowsMistake::Result(ty) => {
                says(format!("the result is `{ty}`, whose rows have lengths that only the data knows"))
                    .with_help("`>> join` makes one array of them, which has the length of that of `segments`")
            }
            RowsMistake::Primitive(name) => {
                says(format!("`{name}` does not take rows whose lengths only the data knows"))
                    .with_help(possible)
            }
            RowsMistake::Form(ty) => {
                says(format!("rows whose lengths only the data knows cannot be used like this, in `{ty}`"))
                    .with_help(possible)
            }
            RowsMistake::Accumulator(ty) => {
                says(format!("a row of `segments` is reduced to `{ty}`, whose length only the data knows"))
                    .with_help(possible)
            }
            RowsMistake::Refuted(requirement) => says(format!(
                "this computes with rows of `segments` and needs `{requirement}`, which never holds"
            )),
            RowsMistake::Nested => says(
                "a row of `segments` is used inside of a function of other such rows".to_owned(),
            )
            .with_help("bind what is needed of the row by a `let` before: `let sum = row >> reduce(add, 0);`"),
            RowsMistake::Position => says(
                "a size or a position depends on a row of `segments`, whose number and length only the data knows"
                    .to_owned(),
            )
            .with_help("cast first, and compute then: `len(row) as i64`, `(i as i64) * (i as i64)`"),
            RowsMistake::Internal(what) => Diagnostic::internal(source, what),
        }
    }
}

/// The primitive that a form comes from.
fn primitive(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.kind {
        ExprKind::Map(..) => "map",
        ExprKind::Reduce(kind, ..) => kind.name(),
        ExprKind::Scan(..) => "scan",
        ExprKind::Iterate(..) => "iterate",
        ExprKind::Concat(_) => "concat",
        ExprKind::PadConstant { .. } => "padConstant",
        ExprKind::Store(..) => "store",
        ExprKind::At(..) => "at",
        ExprKind::Zip(_) => "zip",
        ExprKind::Unzip(_) => "unzip",
        ExprKind::Generate(..) => "generate",
        ExprKind::Repeat(..) => "repeat",
        ExprKind::Layout(layout, _) => match layout {
            Layout::Split { .. } => "split",
            Layout::Partition(_) => "partition",
            Layout::Join => "join",
            Layout::Transpose => "transpose",
            Layout::Deinterleave { .. } => "deinterleave",
            Layout::Interleave => "interleave",
            Layout::Gather(function) => match function.kind {
                IndexFunctionKind::Reverse => "reverse",
                IndexFunctionKind::Stride(_) | IndexFunctionKind::Rotate(_) | IndexFunctionKind::Custom => {
                    "gather"
                }
            },
            Layout::Scatter(_) => "scatter",
            Layout::Slide { .. } => "slide",
            Layout::Pad { .. } => "pad",
            Layout::Slice { .. } => "slice",
            Layout::Increase { .. } => "increase",
            Layout::AsVector { .. } => "asVector",
            Layout::AsScalar => "asScalar",
        },
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Size(_)
        | ExprKind::Tuple(_)
        | ExprKind::Component(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Let { .. }
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::If(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::EndUnless(..) => return None,
    })
}
