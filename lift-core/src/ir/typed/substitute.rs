//! Replaces sizes in typed expressions, such as the position of a `generate` or the application counter of an
//! `iterate`.

use std::sync::Arc;

use super::{Boundary, Expr, ExprKind, IndexFunction, Lambda, Layout, Position, Rows};
use crate::ir::nat::{Nat, Substitution};
use crate::ir::types::Type;

impl Expr {
    /// The same expression with sizes replaced, in its types too; itself if it mentions none of them.
    pub fn substitute(self: &Arc<Self>, sizes: &Substitution) -> Arc<Expr> {
        let mut replacement = Replacement { sizes, is_same: true };
        let ty = replacement.ty(&self.ty);
        let kind = replacement.kind(&self.kind);
        match replacement.is_same {
            true => self.clone(),
            false => Arc::new(Expr { id: self.id, ty, source: self.source, kind }),
        }
    }
}

impl Lambda {
    /// The same function with sizes replaced.
    pub fn substitute(&self, sizes: &Substitution) -> Lambda {
        Replacement { sizes, is_same: true }.function(self)
    }
}

/// Replaces the sizes in one node and in what lies below it.
struct Replacement<'s> {
    sizes: &'s Substitution,
    /// Whether nothing has changed so far.
    is_same: bool,
}

impl Replacement<'_> {
    fn changed<T: PartialEq>(&mut self, before: &T, after: T) -> T {
        self.is_same &= *before == after;
        after
    }

    fn ty(&mut self, ty: &Type) -> Type {
        self.changed(ty, ty.substitute(self.sizes))
    }

    fn size(&mut self, size: &Nat) -> Nat {
        self.changed(size, size.substitute(self.sizes))
    }

    fn expr(&mut self, expr: &Arc<Expr>) -> Arc<Expr> {
        let after = expr.substitute(self.sizes);
        self.is_same &= Arc::ptr_eq(expr, &after);
        after
    }

    fn all(&mut self, exprs: &[Arc<Expr>]) -> Vec<Arc<Expr>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn function(&mut self, function: &Lambda) -> Lambda {
        let parameters =
            function.parameters.iter().map(|(variable, ty)| (variable.clone(), self.ty(ty))).collect();
        Lambda { parameters, index: function.index.clone(), body: self.expr(&function.body) }
    }

    fn position(&mut self, position: &Position) -> Position {
        match position {
            Position::Size(size) => Position::Size(self.size(size)),
            Position::Clamped(index) => Position::Clamped(self.expr(index)),
            Position::OrDefault(index, default) => Position::OrDefault(self.expr(index), self.expr(default)),
        }
    }

    fn kind(&mut self, kind: &ExprKind) -> ExprKind {
        match kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) => kind.clone(),
            ExprKind::Size(size) => ExprKind::Size(self.size(size)),
            ExprKind::Tuple(parts) => ExprKind::Tuple(self.all(parts)),
            ExprKind::Component(input, position) => ExprKind::Component(self.expr(input), *position),
            ExprKind::ArrayLiteral(elements) => ExprKind::ArrayLiteral(self.all(elements)),
            ExprKind::Let { bindings, body } => {
                let bound = bindings.iter().map(|binding| binding.with_value(self.expr(&binding.value)));
                ExprKind::Let { bindings: bound.collect(), body: self.expr(body) }
            }
            ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, self.expr(operand)),
            ExprKind::Binary(operator, left, right) => {
                ExprKind::Binary(*operator, self.expr(left), self.expr(right))
            }
            ExprKind::Builtin(builtin, arguments) => ExprKind::Builtin(*builtin, self.all(arguments)),
            ExprKind::Function(function, arguments) => ExprKind::Function(*function, self.all(arguments)),
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::Cast(ty, operand) => ExprKind::Cast(*ty, self.expr(operand)),
            ExprKind::Broadcast(operand) => ExprKind::Broadcast(self.expr(operand)),
            ExprKind::Lanewise(function, arguments) => {
                ExprKind::Lanewise(self.function(function), self.all(arguments))
            }
            ExprKind::Map(kind, function, input) => {
                ExprKind::Map(*kind, self.function(function), self.expr(input))
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                ExprKind::Reduce(*kind, self.function(function), self.expr(initial), self.expr(input))
            }
            ExprKind::Zip(parts) => ExprKind::Zip(self.all(parts)),
            ExprKind::Layout(layout, input) => {
                ExprKind::Layout(self.changed(layout, layout.substitute(self.sizes)), self.expr(input))
            }
            ExprKind::PadConstant { left, right, value, input } => ExprKind::PadConstant {
                left: self.size(left),
                right: self.size(right),
                value: self.expr(value),
                input: self.expr(input),
            },
            ExprKind::Store(space, value) => ExprKind::Store(*space, self.expr(value)),
            ExprKind::Concat(parts) => ExprKind::Concat(self.all(parts)),
            ExprKind::At(position, input) => ExprKind::At(self.position(position), self.expr(input)),
            ExprKind::Generate(length, function) => {
                ExprKind::Generate(self.size(length), self.function(function))
            }
            ExprKind::Repeat(length, value) => ExprKind::Repeat(self.size(length), self.expr(value)),
            ExprKind::Unzip(input) => ExprKind::Unzip(self.expr(input)),
            ExprKind::Scan(kind, function, initial, input) => {
                ExprKind::Scan(*kind, self.function(function), self.expr(initial), self.expr(input))
            }
            ExprKind::Iterate(count, function, input) => {
                ExprKind::Iterate(self.size(count), self.function(function), self.expr(input))
            }
            ExprKind::EndUnless(condition, value) => {
                ExprKind::EndUnless(self.expr(condition), self.expr(value))
            }
        }
    }
}

impl Layout {
    /// The same layout with sizes replaced.
    pub fn substitute(&self, sizes: &Substitution) -> Layout {
        match self {
            Layout::Split { chunk } => Layout::Split { chunk: chunk.substitute(sizes) },
            Layout::Partition(rows) => Layout::Partition(rows.substitute(sizes)),
            Layout::Join => Layout::Join,
            Layout::Transpose => Layout::Transpose,
            Layout::Deinterleave { rows } => Layout::Deinterleave { rows: rows.substitute(sizes) },
            Layout::Interleave => Layout::Interleave,
            Layout::AsVector { width } => Layout::AsVector { width: *width },
            Layout::AsScalar => Layout::AsScalar,
            Layout::Gather(function) => Layout::Gather(function.substitute(sizes)),
            Layout::Scatter(function) => Layout::Scatter(function.substitute(sizes)),
            Layout::Slice { start, length } => {
                Layout::Slice { start: start.substitute(sizes), length: length.substitute(sizes) }
            }
            Layout::Increase { left, right } => {
                Layout::Increase { left: left.substitute(sizes), right: right.substitute(sizes) }
            }
            Layout::Slide { size, step } => {
                Layout::Slide { size: size.substitute(sizes), step: step.substitute(sizes) }
            }
            Layout::Pad { left, right, boundary } => Layout::Pad {
                left: left.substitute(sizes),
                right: right.substitute(sizes),
                boundary: match boundary {
                    Boundary::Clamp => Boundary::Clamp,
                    Boundary::Mirror => Boundary::Mirror,
                    Boundary::Wrap => Boundary::Wrap,
                    Boundary::Custom(function) => Boundary::Custom(function.substitute(sizes)),
                },
            },
        }
    }
}

impl Rows {
    /// The same rows with sizes replaced; the position of a row is no size.
    pub fn substitute(&self, sizes: &Substitution) -> Rows {
        Rows {
            index: self.index.clone(),
            length: self.length.substitute(sizes),
            count: self.count.substitute(sizes),
        }
    }
}

impl IndexFunction {
    /// The same function with sizes replaced; its own position is no size.
    pub fn substitute(&self, sizes: &Substitution) -> IndexFunction {
        let kind = match &self.kind {
            super::IndexFunctionKind::Stride(step) => {
                super::IndexFunctionKind::Stride(step.substitute(sizes))
            }
            super::IndexFunctionKind::Rotate(distance) => {
                super::IndexFunctionKind::Rotate(distance.substitute(sizes))
            }
            super::IndexFunctionKind::Reverse => super::IndexFunctionKind::Reverse,
            super::IndexFunctionKind::Custom => super::IndexFunctionKind::Custom,
        };
        IndexFunction { kind, index: self.index.clone(), body: self.body.substitute(sizes) }
    }
}
