//! Forms that a strategy looks for.

use std::fmt;

use super::mismatch::Mismatch;
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind, ReduceKind};

/// A form of an expression. It is data, as strategies are.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// A map of any kind.
    AnyMap,
    /// A map of one kind.
    Map(MapKind),
    /// A reduction of any kind.
    AnyReduce,
    /// A reduction of one kind.
    Reduce(ReduceKind),
    /// `slide`
    Slide,
    /// `zip`
    Zip,
    /// `transpose`
    Transpose,
    /// `asScalar`
    AsScalar,
    /// `iterate`
    Iterate,
    /// An array whose elements are written one by one, and several of them: `[x, y]`.
    ArrayLiteral,
    /// An array of one element.
    Single,
    /// A scalar, a vector or a tuple of them: everything that is no array.
    Element,
    /// A layout of an array, such as `split` or `transpose`.
    Layout,
    /// Layouts of what has a name: nothing is computed.
    View,
    /// A `let` whose first name is one of such layouts.
    NamedView,
    /// An expression that takes one loop outside of functions, which is a reduction of any kind; maps of what
    /// it reduces are part of that loop.
    OneReduction,
    /// An expression that contains another one of a form, or has it itself.
    Contains(Box<Pattern>),
    /// An expression of one form whose function's body has another one.
    Body(Box<Pattern>, Box<Pattern>),
    /// An expression of one form whose input has another one.
    Input(Box<Pattern>, Box<Pattern>),
    /// An expression of one form one of whose parts has another one, such as an array of a `zip`.
    Part(Box<Pattern>, Box<Pattern>),
    /// A `zip` whose array with this number has a form.
    ZipWith(usize, Box<Pattern>),
    /// An expression without a form.
    Not(Box<Pattern>),
}

impl Pattern {
    /// A map of one kind whose function's body contains a reduction.
    pub fn map_of_reductions(kind: MapKind) -> Pattern {
        Pattern::Map(kind).with_body(Pattern::AnyReduce.inside())
    }

    /// An expression that contains one of this form, or has it itself.
    #[must_use]
    pub fn inside(self) -> Pattern {
        Pattern::Contains(Box::new(self))
    }

    /// An expression of this form whose function's body has another one.
    #[must_use]
    pub fn with_body(self, body: Pattern) -> Pattern {
        Pattern::Body(Box::new(self), Box::new(body))
    }

    /// An expression of this form whose input has another one.
    #[must_use]
    pub fn with_input(self, input: Pattern) -> Pattern {
        Pattern::Input(Box::new(self), Box::new(input))
    }

    /// An expression of this form one of whose parts has another one.
    #[must_use]
    pub fn with_part(self, part: Pattern) -> Pattern {
        Pattern::Part(Box::new(self), Box::new(part))
    }

    /// Whether an expression has the form.
    pub fn matches(&self, expr: &Expr) -> bool {
        match self {
            Pattern::AnyMap => matches!(expr.kind, ExprKind::Map(..)),
            Pattern::Map(wanted) => matches!(&expr.kind, ExprKind::Map(kind, ..) if kind == wanted),
            Pattern::AnyReduce => matches!(expr.kind, ExprKind::Reduce(..)),
            Pattern::Reduce(wanted) => matches!(&expr.kind, ExprKind::Reduce(kind, ..) if kind == wanted),
            Pattern::Slide => matches!(expr.kind, ExprKind::Layout(Layout::Slide { .. }, _)),
            Pattern::Zip => matches!(expr.kind, ExprKind::Zip(_)),
            Pattern::Transpose => matches!(expr.kind, ExprKind::Layout(Layout::Transpose, _)),
            Pattern::AsScalar => matches!(expr.kind, ExprKind::Layout(Layout::AsScalar, _)),
            Pattern::Iterate => matches!(expr.kind, ExprKind::Iterate(..)),
            Pattern::ArrayLiteral => {
                matches!(&expr.kind, ExprKind::ArrayLiteral(elements) if elements.len() > 1)
            }
            Pattern::Single => expr.ty.as_array().is_some_and(|array| array.length.as_constant() == Some(1)),
            Pattern::Element => expr.ty.is_element(),
            Pattern::Layout => matches!(expr.kind, ExprKind::Layout(..)),
            Pattern::View => is_view(expr),
            Pattern::NamedView => match &expr.kind {
                ExprKind::Let { bindings, .. } => bindings.first().is_some_and(|first| is_view(&first.value)),
                _ => false,
            },
            Pattern::OneReduction => {
                let mut loops = Vec::new();
                collect_loops(expr, false, &mut loops);
                matches!(loops[..], [Expr { kind: ExprKind::Reduce(..), .. }])
            }
            Pattern::Contains(inner) => {
                inner.matches(expr) || expr.children().any(|child| self.matches(child))
            }
            Pattern::Body(outer, body) => {
                outer.matches(expr) && expr.function_body().is_some_and(|inner| body.matches(inner))
            }
            Pattern::Input(outer, input) => {
                outer.matches(expr) && expr.input().is_some_and(|inner| input.matches(inner))
            }
            Pattern::Part(outer, part) => {
                outer.matches(expr) && expr.children().any(|child| part.matches(child))
            }
            Pattern::ZipWith(number, array) => match &expr.kind {
                ExprKind::Zip(arrays) => arrays.get(*number).is_some_and(|found| array.matches(found)),
                _ => false,
            },
            Pattern::Not(pattern) => !pattern.matches(expr),
        }
    }

    /// Why an expression does not have the form: the part of it that has another one.
    pub(super) fn mismatch(&self, expr: &Expr, depth: usize) -> Mismatch {
        let inner = match self {
            Pattern::Body(outer, body) if outer.matches(expr) => {
                expr.function_body().map(|inner| (body, inner))
            }
            Pattern::Input(outer, input) if outer.matches(expr) => expr.input().map(|inner| (input, inner)),
            _ => None,
        };
        match inner {
            Some((pattern, inner)) => pattern.mismatch(inner, depth + 1),
            None => Mismatch::form(self.wanted(), expr, depth),
        }
    }

    /// The form in words, or that of its outermost expression.
    fn wanted(&self) -> &'static str {
        match self {
            Pattern::AnyMap => "a `map`",
            Pattern::Map(MapKind::Unspecified) => "a `map` whose workers are open",
            Pattern::Map(_) => "a `map` with other workers",
            Pattern::AnyReduce => "a reduction",
            Pattern::Reduce(ReduceKind::Unspecified) => "a `reduce`, whose order is open",
            Pattern::Reduce(_) => "a reduction that is computed in another way",
            Pattern::Slide => "a `slide`",
            Pattern::Zip => "a `zip`",
            Pattern::Transpose => "a `transpose`",
            Pattern::AsScalar => "an `asScalar`",
            Pattern::Single => "an array of one element",
            Pattern::ZipWith(..) => "a `zip` of other arrays",
            Pattern::Iterate => "an `iterate`",
            Pattern::ArrayLiteral => "an array of several elements that are written one by one",
            Pattern::Element => "a scalar, a vector or a tuple of them",
            Pattern::Layout => "a layout",
            Pattern::View => "layouts of what has a name",
            Pattern::NamedView => "a `let` that names a layout",
            Pattern::OneReduction => "one reduction and no other loop",
            Pattern::Contains(inner) => match **inner {
                Pattern::AnyReduce | Pattern::Reduce(_) => "something with a reduction",
                Pattern::AnyMap | Pattern::Map(_) => "something with a `map`",
                _ => "something with another part",
            },
            Pattern::Body(outer, _) | Pattern::Input(outer, _) | Pattern::Part(outer, _) => outer.wanted(),
            Pattern::Not(_) => "an expression of another form",
        }
    }
}

/// Collects what takes a loop outside of functions. A map inside a reduction is part of its loop.
fn collect_loops<'e>(expr: &'e Expr, is_reduced: bool, loops: &mut Vec<&'e Expr>) {
    let (is_loop, is_reduced) = match expr.kind {
        ExprKind::Reduce(..) => (true, true),
        ExprKind::Scan(..) | ExprKind::Iterate(..) => (true, is_reduced),
        ExprKind::Map(..) | ExprKind::Generate(..) => (!is_reduced, is_reduced),
        _ => (false, is_reduced),
    };
    if is_loop {
        loops.push(expr);
    }
    for (position, child) in expr.children().enumerate() {
        if !expr.is_function_body(position) {
            collect_loops(child, is_reduced, loops);
        }
    }
}

fn is_view(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) | ExprKind::Component(input, _) | ExprKind::Unzip(input) => is_view(input),
        ExprKind::Zip(parts) => parts.iter().all(|part| is_view(part)),
        ExprKind::Map(MapKind::Unspecified, function, input) => is_view(&function.body) && is_view(input),
        // Anything else is taken to compute something.
        _ => false,
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::AnyMap => formatter.write_str("anyMap"),
            Pattern::Map(kind) => write!(formatter, "{}", super::rule::Argument::Map(*kind)),
            Pattern::AnyReduce => formatter.write_str("anyReduce"),
            Pattern::Reduce(kind) => write!(formatter, "{}", super::rule::Argument::Reduce(*kind)),
            Pattern::Slide => formatter.write_str("slide"),
            Pattern::Zip => formatter.write_str("zip"),
            Pattern::Transpose => formatter.write_str("transpose"),
            Pattern::AsScalar => formatter.write_str("asScalar"),
            Pattern::ZipWith(number, array) => write!(formatter, "zip[{number}: {array}]"),
            Pattern::Iterate => formatter.write_str("iterate"),
            Pattern::ArrayLiteral => formatter.write_str("arrayLiteral"),
            Pattern::Single => formatter.write_str("single"),
            Pattern::Element => formatter.write_str("element"),
            Pattern::Layout => formatter.write_str("layout"),
            Pattern::View => formatter.write_str("view"),
            Pattern::NamedView => formatter.write_str("namedView"),
            Pattern::OneReduction => formatter.write_str("oneReduction"),
            Pattern::Contains(pattern) => write!(formatter, "contains({pattern})"),
            Pattern::Body(outer, body) => write!(formatter, "{outer}({body})"),
            Pattern::Input(outer, input) => write!(formatter, "({input} >> {outer})"),
            Pattern::Part(outer, part) => write!(formatter, "{outer}[{part}]"),
            Pattern::Not(pattern) => write!(formatter, "not({pattern})"),
        }
    }
}
