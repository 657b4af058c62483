//! The parts of typed expressions: the parts of a value, the forms that apply functions, and expressions with
//! changed parts.
//!
//! A rule that concerns few forms asks here, instead of matching on them with `_` for all others. So a new
//! form does not compile before it is said here what it does. One that applies a function does not compile
//! before every rule has decided about it.

use std::ptr;
use std::sync::Arc;

use super::child_list::Children;
use super::{Binding, Expr, ExprKind, Lambda, MapKind, Position, ReduceKind, ScanKind, Variable};
use crate::ir::nat::Nat;
use crate::ir::scalar::Literal;

/// A form that applies a function, with the function and the expressions that its arguments come from.
#[derive(Debug, Clone, Copy)]
pub enum Application<'e> {
    /// [`ExprKind::Map`]: to each element of the input.
    Map(MapKind, &'e Lambda, &'e Arc<Expr>),
    /// [`ExprKind::Reduce`]: to the accumulator and to each element of the input. First comes the initial
    /// accumulator, then the input.
    Reduce(ReduceKind, &'e Lambda, &'e Arc<Expr>, &'e Arc<Expr>),
    /// [`ExprKind::Scan`]: the same.
    Scan(ScanKind, &'e Lambda, &'e Arc<Expr>, &'e Arc<Expr>),
    /// [`ExprKind::Iterate`]: to the whole input, and to its own results.
    Iterate(&'e Nat, &'e Lambda, &'e Arc<Expr>),
    /// [`ExprKind::Generate`]: to each position.
    Generate(&'e Lambda),
    /// [`ExprKind::Lanewise`]: to each component of the arguments.
    Lanewise(&'e Lambda, &'e [Arc<Expr>]),
}

impl<'e> Application<'e> {
    /// The function.
    pub fn function(self) -> &'e Lambda {
        match self {
            Application::Map(_, function, _)
            | Application::Reduce(_, function, _, _)
            | Application::Scan(_, function, _, _)
            | Application::Iterate(_, function, _)
            | Application::Generate(function)
            | Application::Lanewise(function, _) => function,
        }
    }

    /// The expressions beside the function.
    pub fn inputs(self) -> Children<'e> {
        match self {
            Application::Map(_, _, input) | Application::Iterate(_, _, input) => Children::one(input),
            Application::Reduce(_, _, initial, input) | Application::Scan(_, _, initial, input) => {
                Children::two(input, initial)
            }
            Application::Generate(_) => Children::NONE,
            Application::Lanewise(_, arguments) => Children::of_list(arguments),
        }
    }

    /// The accumulator before the first element, if there is one.
    pub fn initial(self) -> Option<&'e Arc<Expr>> {
        match self {
            Application::Reduce(_, _, initial, _) | Application::Scan(_, _, initial, _) => Some(initial),
            Application::Map(..)
            | Application::Iterate(..)
            | Application::Generate(_)
            | Application::Lanewise(..) => None,
        }
    }
}

/// Whether two references, both borrowed from the expression around them, are one place in it. The node does
/// not tell, because it may stand in several places: `map(|x| a, a)` may hold one `a`, as the body and as the
/// input.
pub fn is_same_place(left: &Arc<Expr>, right: &Arc<Expr>) -> bool {
    ptr::eq(left, right)
}

impl Expr {
    /// The function that this expression applies, if it applies one.
    pub fn application(&self) -> Option<Application<'_>> {
        match &self.kind {
            ExprKind::Map(kind, function, input) => Some(Application::Map(*kind, function, input)),
            ExprKind::Reduce(kind, function, initial, input) => {
                Some(Application::Reduce(*kind, function, initial, input))
            }
            ExprKind::Scan(kind, function, initial, input) => {
                Some(Application::Scan(*kind, function, initial, input))
            }
            ExprKind::Iterate(count, function, input) => Some(Application::Iterate(count, function, input)),
            ExprKind::Generate(_, function) => Some(Application::Generate(function)),
            ExprKind::Lanewise(function, arguments) => Some(Application::Lanewise(function, arguments)),
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
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Store(..)
            | ExprKind::Concat(_)
            | ExprKind::At(..)
            | ExprKind::Repeat(..)
            | ExprKind::EndUnless(..)
            | ExprKind::Unzip(_) => None,
        }
    }

    /// The expressions directly inside this one that are in no function.
    pub fn children_outside_functions(&self) -> Children<'_> {
        self.application().map_or_else(|| self.children(), Application::inputs)
    }

    /// The expressions whose elements are the elements of this value: this one only selects, rearranges,
    /// stores or joins them. Empty for an expression that computes its own elements; the caller decides what
    /// a map or a reduction means.
    pub fn parts_of_value(&self) -> Vec<&Arc<Expr>> {
        match &self.kind {
            ExprKind::Let { body, .. } => vec![body],
            ExprKind::Layout(_, input)
            | ExprKind::Component(input, _)
            | ExprKind::Unzip(input)
            | ExprKind::Store(_, input)
            | ExprKind::EndUnless(_, input)
            | ExprKind::PadConstant { input, .. } => vec![input],
            ExprKind::Tuple(parts) | ExprKind::Zip(parts) | ExprKind::Concat(parts) => parts.iter().collect(),
            ExprKind::If(_, then, otherwise) => vec![then, otherwise],
            ExprKind::Map(..)
            | ExprKind::Reduce(..)
            | ExprKind::Scan(..)
            | ExprKind::Iterate(..)
            | ExprKind::At(..)
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..)
            | ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Size(_)
            | ExprKind::ArrayLiteral(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_)
            | ExprKind::Lanewise(..) => Vec::new(),
        }
    }

    /// Whether it is this truth value, written out.
    pub fn is_literal(&self, truth: bool) -> bool {
        matches!(&self.kind, ExprKind::Literal(Literal::Bool(known)) if *known == truth)
    }

    /// What the body of a function says of the end of an `iterate`: the condition, and the next value.
    pub fn end(&self) -> Option<(&Arc<Expr>, &Arc<Expr>)> {
        match &self.kind {
            ExprKind::EndUnless(condition, value) => Some((condition, value)),
            ExprKind::Let { body, .. } => body.end(),
            _ => None,
        }
    }

    /// A value of the same type, written at the same place, in another form.
    #[must_use]
    pub fn with_kind(&self, kind: ExprKind) -> Arc<Expr> {
        Arc::new(Expr { id: self.id, ty: self.ty.clone(), source: self.source, kind })
    }

    /// The same expression with every expression directly inside it changed, lambda bodies included; itself
    /// if none of them changes.
    #[must_use]
    pub fn with_children(self: &Arc<Self>, change: &mut dyn FnMut(&Arc<Expr>) -> Arc<Expr>) -> Arc<Expr> {
        let mut is_same = true;
        let kind = self.kind.with_children(&mut |child| {
            let changed = change(child);
            is_same &= Arc::ptr_eq(child, &changed);
            changed
        });
        if is_same { self.clone() } else { self.with_kind(kind) }
    }

    /// The same expression with a variable replaced; itself if it does not mention the variable. A component
    /// of a tuple that is written out is just that component.
    #[must_use]
    pub fn replace(self: &Arc<Self>, variable: &Variable, replacement: &Arc<Expr>) -> Arc<Expr> {
        if let ExprKind::Tuple(parts) = &replacement.kind {
            return self.replace_tuple(variable, replacement, parts);
        }
        match &self.kind {
            ExprKind::Variable(read) if read.id == variable.id => replacement.clone(),
            _ => self.with_children(&mut |child| child.replace(variable, replacement)),
        }
    }

    fn replace_tuple(
        self: &Arc<Self>,
        variable: &Variable,
        tuple: &Arc<Expr>,
        parts: &[Arc<Expr>],
    ) -> Arc<Expr> {
        match &self.kind {
            ExprKind::Variable(read) if read.id == variable.id => tuple.clone(),
            ExprKind::Component(of, position) if of.reads(variable) && *position < parts.len() => {
                parts[*position].clone()
            }
            _ => self.with_children(&mut |child| child.replace_tuple(variable, tuple, parts)),
        }
    }

    /// The same expression where the components of a tuple, which is a variable, are written out.
    #[must_use]
    pub fn replace_components(self: &Arc<Self>, tuple: &Variable, parts: &[Arc<Expr>]) -> Arc<Expr> {
        match &self.kind {
            ExprKind::Component(of, position) if of.reads(tuple) && *position < parts.len() => {
                parts[*position].clone()
            }
            _ => self.with_children(&mut |child| child.replace_components(tuple, parts)),
        }
    }

    /// Whether the expression is just a variable.
    fn reads(&self, variable: &Variable) -> bool {
        matches!(&self.kind, ExprKind::Variable(read) if read.id == variable.id)
    }
}

impl Lambda {
    /// Whether an `iterate` of the function may end before it has applied the function as often as it says.
    pub fn may_end(&self) -> bool {
        self.body.end().is_some()
    }

    /// The same function with its body changed.
    #[must_use]
    pub fn with_body(&self, change: &mut dyn FnMut(&Arc<Expr>) -> Arc<Expr>) -> Lambda {
        Lambda { parameters: self.parameters.clone(), index: self.index.clone(), body: change(&self.body) }
    }
}

impl Binding {
    /// The same variable with another value.
    #[must_use]
    pub fn with_value(&self, value: Arc<Expr>) -> Binding {
        Binding { variable: self.variable.clone(), value }
    }
}

impl ExprKind {
    /// A body with `let`s before it.
    pub fn bound(mut bindings: Vec<Binding>, body: Arc<Expr>) -> ExprKind {
        if bindings.is_empty() {
            return Arc::unwrap_or_clone(body).kind;
        }
        match &body.kind {
            ExprKind::Let { bindings: inner, body } => {
                bindings.extend(inner.iter().cloned());
                ExprKind::Let { bindings, body: body.clone() }
            }
            _ => ExprKind::Let { bindings, body },
        }
    }

    fn with_children(&self, change: &mut dyn FnMut(&Arc<Expr>) -> Arc<Expr>) -> ExprKind {
        match self {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => self.clone(),
            ExprKind::Tuple(parts) => ExprKind::Tuple(parts.iter().map(change).collect()),
            ExprKind::Component(input, position) => ExprKind::Component(change(input), *position),
            ExprKind::ArrayLiteral(elements) => ExprKind::ArrayLiteral(elements.iter().map(change).collect()),
            ExprKind::Let { bindings, body } => {
                let bound = |binding: &Binding| binding.with_value(change(&binding.value));
                let bindings = bindings.iter().map(bound).collect();
                ExprKind::bound(bindings, change(body))
            }
            ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, change(operand)),
            ExprKind::Binary(operator, left, right) => {
                ExprKind::Binary(*operator, change(left), change(right))
            }
            ExprKind::Builtin(builtin, arguments) => {
                ExprKind::Builtin(*builtin, arguments.iter().map(change).collect())
            }
            ExprKind::Function(function, arguments) => {
                ExprKind::Function(*function, arguments.iter().map(change).collect())
            }
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(change(condition), change(then), change(otherwise))
            }
            ExprKind::Cast(ty, operand) => ExprKind::Cast(*ty, change(operand)),
            ExprKind::Broadcast(operand) => ExprKind::Broadcast(change(operand)),
            ExprKind::Lanewise(function, arguments) => {
                let arguments = arguments.iter().map(&mut *change).collect();
                ExprKind::Lanewise(function.with_body(change), arguments)
            }
            ExprKind::Map(kind, function, input) => {
                let input = change(input);
                ExprKind::Map(*kind, function.with_body(change), input)
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                let (initial, input) = (change(initial), change(input));
                ExprKind::Reduce(*kind, function.with_body(change), initial, input)
            }
            ExprKind::Zip(parts) => ExprKind::Zip(parts.iter().map(change).collect()),
            ExprKind::Layout(layout, input) => ExprKind::Layout(layout.clone(), change(input)),
            ExprKind::PadConstant { left, right, value, input } => ExprKind::PadConstant {
                left: left.clone(),
                right: right.clone(),
                value: change(value),
                input: change(input),
            },
            ExprKind::Store(space, value) => ExprKind::Store(*space, change(value)),
            ExprKind::Concat(parts) => ExprKind::Concat(parts.iter().map(change).collect()),
            ExprKind::At(position, input) => {
                let position = match position {
                    Position::Size(size) => Position::Size(size.clone()),
                    Position::Clamped(index) => Position::Clamped(change(index)),
                    Position::OrDefault(index, default) => {
                        Position::OrDefault(change(index), change(default))
                    }
                };
                ExprKind::At(position, change(input))
            }
            ExprKind::Generate(length, function) => {
                ExprKind::Generate(length.clone(), function.with_body(change))
            }
            ExprKind::Repeat(length, value) => ExprKind::Repeat(length.clone(), change(value)),
            ExprKind::Unzip(input) => ExprKind::Unzip(change(input)),
            ExprKind::Scan(kind, function, initial, input) => {
                let (initial, input) = (change(initial), change(input));
                ExprKind::Scan(*kind, function.with_body(change), initial, input)
            }
            ExprKind::Iterate(count, function, input) => {
                let input = change(input);
                ExprKind::Iterate(count.clone(), function.with_body(change), input)
            }
            ExprKind::EndUnless(condition, value) => ExprKind::EndUnless(change(condition), change(value)),
        }
    }
}
