//! The parts of typed expressions: the parts of a value, and expressions with changed parts.

use super::{Binding, Expr, ExprKind, Lambda, Position, Variable};

impl Expr {
    /// The expressions whose elements are the elements of this value: this one only selects, rearranges,
    /// stores or joins them. Empty for an expression that computes its own elements; the caller decides what
    /// a map or a reduction means.
    pub fn parts_of_value(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Let { body, .. } => vec![body],
            ExprKind::Layout(_, input)
            | ExprKind::Component(input, _)
            | ExprKind::Unzip(input)
            | ExprKind::Store(_, input)
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

    /// A value of the same type, written at the same place, in another form.
    #[must_use]
    pub fn with_kind(&self, kind: ExprKind) -> Expr {
        Expr { id: self.id, ty: self.ty.clone(), source: self.source, kind }
    }

    /// The same expression with every expression directly inside it changed, lambda bodies included.
    #[must_use]
    pub fn with_children(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        self.with_kind(self.kind.with_children(change))
    }

    /// The same expression with a variable replaced.
    #[must_use]
    pub fn replace(&self, variable: &Variable, replacement: &Expr) -> Expr {
        match &self.kind {
            ExprKind::Variable(read) if read.id == variable.id => replacement.clone(),
            _ => self.with_children(&mut |child| child.replace(variable, replacement)),
        }
    }
}

impl Lambda {
    /// The same function with its body changed.
    #[must_use]
    pub fn with_body(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Lambda {
        Lambda {
            parameters: self.parameters.clone(),
            index: self.index.clone(),
            body: Box::new(change(&self.body)),
        }
    }
}

impl Binding {
    /// The same variable with another value.
    #[must_use]
    pub fn with_value(&self, value: Expr) -> Binding {
        Binding { variable: self.variable.clone(), value }
    }
}

impl ExprKind {
    /// A body with `let`s before it.
    pub fn bound(mut bindings: Vec<Binding>, body: Expr) -> ExprKind {
        if bindings.is_empty() {
            return body.kind;
        }
        match body.kind {
            ExprKind::Let { bindings: inner, body } => {
                bindings.extend(inner);
                ExprKind::Let { bindings, body }
            }
            _ => ExprKind::Let { bindings, body: Box::new(body) },
        }
    }

    fn with_children(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> ExprKind {
        let mut one = |expr: &Expr| Box::new(change(expr));
        match self {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => self.clone(),
            ExprKind::Tuple(parts) => ExprKind::Tuple(parts.iter().map(change).collect()),
            ExprKind::Component(input, position) => ExprKind::Component(one(input), *position),
            ExprKind::ArrayLiteral(elements) => ExprKind::ArrayLiteral(elements.iter().map(change).collect()),
            ExprKind::Let { bindings, body } => {
                let bound = |binding: &Binding| binding.with_value(change(&binding.value));
                let bindings = bindings.iter().map(bound).collect();
                ExprKind::bound(bindings, change(body))
            }
            ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, one(operand)),
            ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, one(left), one(right)),
            ExprKind::Builtin(builtin, arguments) => {
                ExprKind::Builtin(*builtin, arguments.iter().map(change).collect())
            }
            ExprKind::Function(function, arguments) => {
                ExprKind::Function(*function, arguments.iter().map(change).collect())
            }
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(one(condition), one(then), one(otherwise))
            }
            ExprKind::Cast(ty, operand) => ExprKind::Cast(*ty, one(operand)),
            ExprKind::Broadcast(operand) => ExprKind::Broadcast(one(operand)),
            ExprKind::Lanewise(function, arguments) => {
                let arguments = arguments.iter().map(&mut *change).collect();
                ExprKind::Lanewise(function.with_body(change), arguments)
            }
            ExprKind::Map(kind, function, input) => {
                let input = one(input);
                ExprKind::Map(*kind, function.with_body(change), input)
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                let (initial, input) = (one(initial), one(input));
                ExprKind::Reduce(*kind, function.with_body(change), initial, input)
            }
            ExprKind::Zip(parts) => ExprKind::Zip(parts.iter().map(change).collect()),
            ExprKind::Layout(layout, input) => ExprKind::Layout(layout.clone(), one(input)),
            ExprKind::PadConstant { left, right, value, input } => ExprKind::PadConstant {
                left: left.clone(),
                right: right.clone(),
                value: one(value),
                input: one(input),
            },
            ExprKind::Store(space, value) => ExprKind::Store(*space, one(value)),
            ExprKind::Concat(parts) => ExprKind::Concat(parts.iter().map(change).collect()),
            ExprKind::At(position, input) => {
                let position = match position {
                    Position::Size(size) => Position::Size(size.clone()),
                    Position::Clamped(index) => Position::Clamped(one(index)),
                    Position::OrDefault(index, default) => Position::OrDefault(one(index), one(default)),
                };
                ExprKind::At(position, one(input))
            }
            ExprKind::Generate(length, function) => {
                ExprKind::Generate(length.clone(), function.with_body(change))
            }
            ExprKind::Repeat(length, value) => ExprKind::Repeat(length.clone(), one(value)),
            ExprKind::Unzip(input) => ExprKind::Unzip(one(input)),
            ExprKind::Scan(kind, function, initial, input) => {
                let (initial, input) = (one(initial), one(input));
                ExprKind::Scan(*kind, function.with_body(change), initial, input)
            }
            ExprKind::Iterate(count, function, input) => {
                let input = one(input);
                ExprKind::Iterate(count.clone(), function.with_body(change), input)
            }
        }
    }
}
