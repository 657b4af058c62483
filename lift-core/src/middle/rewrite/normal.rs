//! Normal forms: rules applied until none applies.

use super::rule::Rule;
use super::rules::{
    LAYOUT_OF_REPEAT, MAP_F_BEFORE_REORDER, MAP_F_BEFORE_SPLIT, MAP_FUSION, MAP_ID, MAP_MAP_F_BEFORE_JOIN,
    MAP_MAP_F_BEFORE_TRANSPOSE, MAP_OF_REPEAT, REMOVE_EMPTY_PAD, REMOVE_INVERSES, REMOVE_WHOLE_SLICE,
    SLICE_SLICE, ZIP_OF_USED,
};
use crate::ir::typed::{Expr, ExprKind};

/// Maps are fused as far as possible. Each step leaves fewer maps.
pub const FUSED: Normal = Normal { name: "fused", rules: &[&MAP_ID, &MAP_FUSION] };

/// Layouts stand as near to the inputs as maps let them, where they cancel; maps are fused. A step leaves
/// fewer maps or layouts, or brings a layout past a map for good, since no rule here brings one back.
///
/// Nothing is computed more often: windows and borders stay where they are. Layouts keep their order among
/// themselves, because each order of two joins hides another pair that cancels.
pub const CANONICAL_LAYOUTS: Normal = Normal {
    name: "canonicalLayouts",
    rules: &[
        &REMOVE_INVERSES,
        &MAP_ID,
        &REMOVE_EMPTY_PAD,
        &REMOVE_WHOLE_SLICE,
        &SLICE_SLICE,
        &MAP_FUSION,
        &MAP_MAP_F_BEFORE_TRANSPOSE,
        &MAP_MAP_F_BEFORE_JOIN,
        &MAP_F_BEFORE_SPLIT,
        &MAP_F_BEFORE_REORDER,
    ],
};

/// What rules leave behind that computes nothing is gone: parts of a `zip` that nobody reads, layouts that
/// cancel, layouts of one value that is repeated. Each step leaves fewer arrays, maps or layouts.
pub const TIDY: Normal = Normal {
    name: "tidy",
    rules: &[&REMOVE_INVERSES, &MAP_ID, &ZIP_OF_USED, &LAYOUT_OF_REPEAT, &MAP_OF_REPEAT],
};

/// A layout cancels with its inverse on the other side of a `split` or inside the next map. As
/// [`CANONICAL_LAYOUTS`], without what moves a `transpose`.
pub const CANCELLED_LAYOUTS: Normal = Normal {
    name: "cancelledLayouts",
    rules: &[&REMOVE_INVERSES, &MAP_ID, &LAYOUT_OF_REPEAT, &MAP_OF_REPEAT, &MAP_FUSION, &MAP_F_BEFORE_SPLIT],
};

/// All normal forms.
pub const ALL: &[&Normal] = &[&FUSED, &CANONICAL_LAYOUTS, &TIDY, &CANCELLED_LAYOUTS];

/// A normal form: no rule of a list applies anywhere without a condition on sizes. The rules make every
/// program smaller in some order, so that there is an end.
pub struct Normal {
    /// Its name.
    pub name: &'static str,
    /// The rules, first the one that is tried first.
    pub rules: &'static [&'static Rule],
}

impl Normal {
    /// Whether the rules of normal forms are about an expression. None of them applies to others, and most
    /// expressions are others.
    pub fn is_about(expr: &Expr) -> bool {
        matches!(
            expr.kind,
            ExprKind::Map(..) | ExprKind::Reduce(..) | ExprKind::Layout(..) | ExprKind::PadConstant { .. }
        )
    }
}

/// Two normal forms are one if they have one name.
impl PartialEq for Normal {
    fn eq(&self, other: &Normal) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Normal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}
