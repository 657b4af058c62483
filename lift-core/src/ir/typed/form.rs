//! The names of forms, for messages.

use super::{Expr, ExprKind, Layout, MapKind, Position, ReduceKind, ScanKind};

impl Expr {
    /// The form of the expression in words, as "`map`" or "a variable".
    pub fn form(&self) -> &'static str {
        match &self.kind {
            ExprKind::Literal(_) => "a literal",
            ExprKind::Variable(_) => "a variable",
            ExprKind::Size(_) => "a size",
            ExprKind::Tuple(_) => "a tuple",
            ExprKind::Component(..) => "a component of a tuple",
            ExprKind::ArrayLiteral(_) => "an array literal",
            ExprKind::Let { .. } => "a `let`",
            ExprKind::Unary(..) | ExprKind::Binary(..) => "an operator",
            ExprKind::Builtin(..) => "a built-in function",
            ExprKind::Function(..) => "a call of a function",
            ExprKind::If(..) => "an `if`",
            ExprKind::Cast(..) => "a cast",
            ExprKind::Broadcast(_) => "a scalar as a vector",
            ExprKind::Lanewise(..) => "`vectorize`",
            ExprKind::Map(kind, ..) => match kind {
                MapKind::Unspecified => "`map`",
                MapKind::Sequential => "`mapSeq`",
                MapKind::Unrolled => "`mapSeqUnroll`",
                MapKind::Sliding => "`mapSeqSlide`",
                MapKind::Global(_) => "`mapGlb`",
                MapKind::WorkGroup(_) => "`mapWrg`",
                MapKind::Local(_) => "`mapLcl`",
            },
            ExprKind::Reduce(kind, ..) => match kind {
                ReduceKind::Unspecified => "`reduce`",
                ReduceKind::Sequential => "`reduceSeq`",
                ReduceKind::Pipelined => "`reduceSeqPipelined`",
                ReduceKind::Unrolled => "`reduceSeqUnroll`",
                ReduceKind::While => "`reduceWhile`",
                ReduceKind::Global => "`reduceGlb`",
                ReduceKind::Local => "`reduceLcl`",
            },
            ExprKind::Zip(_) => "`zip`",
            ExprKind::Layout(layout, _) => layout.form(),
            ExprKind::PadConstant { .. } => "`padConstant`",
            ExprKind::Store(..) => "a stored value",
            ExprKind::Concat(_) => "`concat`",
            ExprKind::At(Position::Size(_) | Position::Clamped(_), _) => "`at`",
            ExprKind::At(Position::OrDefault(..), _) => "`atOr`",
            ExprKind::Generate(..) => "`generate`",
            ExprKind::Repeat(..) => "`repeat`",
            ExprKind::Unzip(_) => "`unzip`",
            ExprKind::Scan(kind, ..) => match kind {
                ScanKind::Exclusive => "`scan`",
                ScanKind::ExclusiveSequential => "`scanSeq`",
                ScanKind::Inclusive => "`scanInclusive`",
            },
            ExprKind::Iterate(..) => "`iterate`",
            ExprKind::EndUnless(..) => "the end of an `iterate`",
        }
    }
}

impl Layout {
    /// The name of the primitive.
    fn form(&self) -> &'static str {
        match self {
            Layout::Split { .. } => "`split`",
            Layout::Partition(_) => "`partition`",
            Layout::Join => "`join`",
            Layout::Transpose => "`transpose`",
            Layout::Deinterleave { .. } => "`deinterleave`",
            Layout::Interleave => "`interleave`",
            Layout::AsVector { .. } => "`asVector`",
            Layout::AsScalar => "`asScalar`",
            Layout::Gather(_) => "`gather`",
            Layout::Scatter(_) => "`scatter`",
            Layout::Slice { .. } => "`slice`",
            Layout::Increase { .. } => "`increase`",
            Layout::Slide { .. } => "`slide`",
            Layout::Pad { .. } => "`pad`",
        }
    }
}
