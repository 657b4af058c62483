//! Normal forms: rules applied until none applies.

use super::rule::Rule;
use super::rules::{
    LAYOUT_OF_REPEAT, MAP_F_BEFORE_REORDER, MAP_F_BEFORE_SPLIT, MAP_FUSION, MAP_ID, MAP_MAP_F_BEFORE_JOIN,
    MAP_MAP_F_BEFORE_TRANSPOSE, MAP_OF_REPEAT, REMOVE_EMPTY_PAD, REMOVE_INVERSES, REMOVE_WHOLE_SLICE,
    SLICE_SLICE, ZIP_OF_USED,
};
use crate::ir::typed::{Expr, ExprKind, Layout};

/// Maps are fused as far as possible. Each step leaves fewer maps.
pub const FUSED: Normal = Normal {
    name: "fused",
    rules: &[(Head::Map(Input::Any), &MAP_ID), (Head::Map(Input::Map), &MAP_FUSION)],
};

/// Layouts stand as near to the inputs as maps let them, where they cancel; maps are fused. A step leaves
/// fewer maps or layouts, or brings a layout past a map for good, since no rule here brings one back.
///
/// Nothing is computed more often: windows and borders stay where they are. Layouts keep their order among
/// themselves, because each order of two joins hides another pair that cancels.
pub const CANONICAL_LAYOUTS: Normal = Normal {
    name: "canonicalLayouts",
    rules: &[
        (Head::Layout(Input::Layout), &REMOVE_INVERSES),
        (Head::Map(Input::Any), &MAP_ID),
        (Head::Pad, &REMOVE_EMPTY_PAD),
        (Head::Layout(Input::Any), &REMOVE_WHOLE_SLICE),
        (Head::Layout(Input::Layout), &SLICE_SLICE),
        (Head::Map(Input::Map), &MAP_FUSION),
        (Head::Layout(Input::Map), &MAP_MAP_F_BEFORE_TRANSPOSE),
        (Head::Layout(Input::Map), &MAP_MAP_F_BEFORE_JOIN),
        (Head::Layout(Input::Map), &MAP_F_BEFORE_SPLIT),
        (Head::Layout(Input::Map), &MAP_F_BEFORE_REORDER),
    ],
};

/// What rules leave behind that computes nothing is gone: parts of a `zip` that nobody reads, layouts that
/// cancel, layouts of one value that is repeated. Each step leaves fewer arrays, maps or layouts.
pub const TIDY: Normal = Normal {
    name: "tidy",
    rules: &[
        (Head::Layout(Input::Layout), &REMOVE_INVERSES),
        (Head::Map(Input::Any), &MAP_ID),
        (Head::Traversal(Input::Zip), &ZIP_OF_USED),
        (Head::Layout(Input::Repeat), &LAYOUT_OF_REPEAT),
        (Head::Map(Input::Repeat), &MAP_OF_REPEAT),
    ],
};

/// A layout cancels with its inverse on the other side of a `split` or inside the next map. As
/// [`CANONICAL_LAYOUTS`], without what moves a `transpose`.
pub const CANCELLED_LAYOUTS: Normal = Normal {
    name: "cancelledLayouts",
    rules: &[
        (Head::Layout(Input::Layout), &REMOVE_INVERSES),
        (Head::Map(Input::Any), &MAP_ID),
        (Head::Layout(Input::Repeat), &LAYOUT_OF_REPEAT),
        (Head::Map(Input::Repeat), &MAP_OF_REPEAT),
        (Head::Map(Input::Map), &MAP_FUSION),
        (Head::Layout(Input::Map), &MAP_F_BEFORE_SPLIT),
    ],
};

/// All normal forms.
pub const ALL: &[&Normal] = &[&FUSED, &CANONICAL_LAYOUTS, &TIDY, &CANCELLED_LAYOUTS];

/// A normal form: no rule of a list applies anywhere without a condition on sizes. The rules make every
/// program smaller in some order, so that there is an end.
pub struct Normal {
    /// Its name.
    pub name: &'static str,
    /// The rules, first the one that is tried first, each with the head of the expressions that it is about.
    /// It applies to no others, and most expressions are others.
    pub rules: &'static [(Head, &'static Rule)],
}

/// What an expression applies to an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// A map.
    Map(Input),
    /// A map or a reduction.
    Traversal(Input),
    /// A layout.
    Layout(Input),
    /// A border.
    Pad,
}

/// What that array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// It does not matter.
    Any,
    /// A map.
    Map,
    /// A layout.
    Layout,
    /// A `repeat`.
    Repeat,
    /// A `zip`.
    Zip,
}

impl Normal {
    /// The rules that may apply to an expression.
    pub(super) fn rules_for(&self, expr: &Expr) -> impl Iterator<Item = &'static Rule> {
        self.rules.iter().filter(|(head, _)| head.is_of(expr)).map(|(_, rule)| *rule)
    }
}

impl Head {
    fn is_of(self, expr: &Expr) -> bool {
        match (self, &expr.kind) {
            (Head::Map(input), ExprKind::Map(_, _, array))
            | (Head::Layout(input), ExprKind::Layout(_, array))
            | (Head::Traversal(input), ExprKind::Map(_, _, array) | ExprKind::Reduce(_, _, _, array)) => {
                input.is(array)
            }
            (Head::Pad, ExprKind::Layout(Layout::Pad { .. }, _) | ExprKind::PadConstant { .. }) => true,
            (Head::Map(_) | Head::Layout(_) | Head::Traversal(_) | Head::Pad, _) => false,
        }
    }
}

impl Input {
    fn is(self, array: &Expr) -> bool {
        match self {
            Input::Any => true,
            Input::Map => matches!(array.kind, ExprKind::Map(..)),
            Input::Layout => matches!(array.kind, ExprKind::Layout(..)),
            Input::Repeat => matches!(array.kind, ExprKind::Repeat(..)),
            Input::Zip => matches!(array.kind, ExprKind::Zip(_)),
        }
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
