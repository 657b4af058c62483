//! The expressions directly inside another one.
//!
//! Every walk over a tree asks for them at every node, and procedural macros are built without optimisation.
//! So they are described by slices and references into the expression, and no list is allocated.

use std::iter::FusedIterator;
use std::sync::Arc;

use super::{Binding, Expr, ExprKind, Position};

/// The children of an expression, in order: those of a list, the values of `let`s, and then a few single ones.
#[derive(Debug, Clone, Copy)]
pub struct Children<'e> {
    list: &'e [Arc<Expr>],
    bindings: &'e [Binding],
    /// Those that there are come first.
    single: [Option<&'e Arc<Expr>>; 3],
}

impl<'e> Children<'e> {
    pub(super) const NONE: Children<'e> = Children { list: &[], bindings: &[], single: [None; 3] };

    pub(super) fn one(child: &'e Arc<Expr>) -> Children<'e> {
        Children { single: [Some(child), None, None], ..Children::NONE }
    }

    pub(super) fn two(first: &'e Arc<Expr>, second: &'e Arc<Expr>) -> Children<'e> {
        Children { single: [Some(first), Some(second), None], ..Children::NONE }
    }

    fn three(first: &'e Arc<Expr>, second: &'e Arc<Expr>, third: &'e Arc<Expr>) -> Children<'e> {
        Children { single: [Some(first), Some(second), Some(third)], ..Children::NONE }
    }

    pub(super) fn of_list(list: &'e [Arc<Expr>]) -> Children<'e> {
        Children { list, ..Children::NONE }
    }

    /// The child at a position; `None` behind the last one.
    pub fn get(&self, position: usize) -> Option<&'e Arc<Expr>> {
        if position < self.list.len() {
            return Some(&self.list[position]);
        }
        let position = position - self.list.len();
        if position < self.bindings.len() {
            return Some(&self.bindings[position].value);
        }
        let position = position - self.bindings.len();
        if position < self.single.len() { self.single[position] } else { None }
    }

    fn count_single(&self) -> usize {
        match self.single {
            [None, ..] => 0,
            [_, None, _] => 1,
            [_, _, None] => 2,
            [_, _, Some(_)] => 3,
        }
    }
}

impl<'e> Iterator for Children<'e> {
    type Item = &'e Arc<Expr>;

    fn next(&mut self) -> Option<&'e Arc<Expr>> {
        if let [first, rest @ ..] = self.list {
            self.list = rest;
            return Some(first);
        }
        if let [first, rest @ ..] = self.bindings {
            self.bindings = rest;
            return Some(&first.value);
        }
        let [first, second, third] = self.single;
        self.single = [second, third, None];
        first
    }

    fn nth(&mut self, position: usize) -> Option<&'e Arc<Expr>> {
        let child = self.get(position);
        for _ in 0..=position {
            self.next();
        }
        child
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.list.len() + self.bindings.len() + self.count_single();
        (count, Some(count))
    }
}

impl ExactSizeIterator for Children<'_> {
    fn len(&self) -> usize {
        self.list.len() + self.bindings.len() + self.count_single()
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if let Some(last) = self.single.iter_mut().rev().find_map(Option::take) {
            return Some(last);
        }
        if let [rest @ .., last] = self.bindings {
            self.bindings = rest;
            return Some(&last.value);
        }
        let (last, rest) = self.list.split_last()?;
        self.list = rest;
        Some(last)
    }
}

impl FusedIterator for Children<'_> {}

impl Expr {
    /// The expressions directly inside this one, lambda bodies included, in order of evaluation.
    pub fn children(&self) -> Children<'_> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => Children::NONE,
            ExprKind::Tuple(parts)
            | ExprKind::ArrayLiteral(parts)
            | ExprKind::Zip(parts)
            | ExprKind::Concat(parts)
            | ExprKind::Builtin(_, parts)
            | ExprKind::Function(_, parts) => Children::of_list(parts),
            ExprKind::Component(input, _)
            | ExprKind::Unary(_, input)
            | ExprKind::Cast(_, input)
            | ExprKind::Broadcast(input)
            | ExprKind::Layout(_, input)
            | ExprKind::Store(_, input)
            | ExprKind::Repeat(_, input)
            | ExprKind::Unzip(input) => Children::one(input),
            ExprKind::Lanewise(function, arguments) => {
                Children { list: arguments, ..Children::one(&function.body) }
            }
            ExprKind::Let { bindings, body } => Children { bindings, ..Children::one(body) },
            ExprKind::Binary(_, left, right) | ExprKind::EndUnless(left, right) => Children::two(left, right),
            ExprKind::If(condition, then, otherwise) => Children::three(condition, then, otherwise),
            ExprKind::Map(_, function, input) => Children::two(input, &function.body),
            ExprKind::Reduce(_, function, initial, input) | ExprKind::Scan(_, function, initial, input) => {
                Children::three(input, initial, &function.body)
            }
            ExprKind::PadConstant { value, input, .. } => Children::two(value, input),
            ExprKind::At(position, input) => match position {
                Position::Size(_) => Children::one(input),
                Position::Clamped(index) => Children::two(index, input),
                Position::OrDefault(index, default) => Children::three(index, default, input),
            },
            ExprKind::Generate(_, function) => Children::one(&function.body),
            ExprKind::Iterate(_, function, input) => Children::two(input, &function.body),
        }
    }

    /// The child at a position; `None` behind the last one.
    pub fn child(&self, position: usize) -> Option<&Arc<Expr>> {
        // Paths mostly lead through these.
        match (&self.kind, position) {
            (ExprKind::Map(_, _, input) | ExprKind::Reduce(_, _, _, input), 0)
            | (ExprKind::Layout(_, input) | ExprKind::Store(_, input) | ExprKind::Component(input, _), 0) => {
                Some(input)
            }
            (ExprKind::Map(_, function, _), 1) | (ExprKind::Reduce(_, function, ..), 2) => {
                Some(&function.body)
            }
            _ => self.children().get(position),
        }
    }
}
