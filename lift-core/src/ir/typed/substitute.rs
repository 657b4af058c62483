//! Replaces sizes in typed expressions, such as the position of a `generate` or the application counter of an
//! `iterate`.

use super::{Binding, Boundary, Expr, ExprKind, IndexFunction, Lambda, Layout, Position, Rows};
use crate::ir::nat::Substitution;

impl Expr {
    /// The same expression with sizes replaced, in its types too.
    pub fn substitute(&self, sizes: &Substitution) -> Expr {
        Expr {
            id: self.id,
            ty: self.ty.substitute(sizes),
            source: self.source,
            kind: self.kind.substitute(sizes),
        }
    }
}

impl Lambda {
    /// The same function with sizes replaced.
    pub fn substitute(&self, sizes: &Substitution) -> Lambda {
        let parameters =
            self.parameters.iter().map(|(variable, ty)| (variable.clone(), ty.substitute(sizes)));
        Lambda {
            parameters: parameters.collect(),
            index: self.index.clone(),
            body: Box::new(self.body.substitute(sizes)),
        }
    }
}

impl ExprKind {
    fn substitute(&self, sizes: &Substitution) -> ExprKind {
        let one = |expr: &Expr| Box::new(expr.substitute(sizes));
        let all = |exprs: &[Expr]| exprs.iter().map(|expr| expr.substitute(sizes)).collect();
        match self {
            ExprKind::Literal(_) | ExprKind::Variable(_) => self.clone(),
            ExprKind::Size(size) => ExprKind::Size(size.substitute(sizes)),
            ExprKind::Tuple(parts) => ExprKind::Tuple(all(parts)),
            ExprKind::Component(input, position) => ExprKind::Component(one(input), *position),
            ExprKind::ArrayLiteral(elements) => ExprKind::ArrayLiteral(all(elements)),
            ExprKind::Let { bindings, body } => {
                let bound = |binding: &Binding| binding.with_value(binding.value.substitute(sizes));
                ExprKind::Let { bindings: bindings.iter().map(bound).collect(), body: one(body) }
            }
            ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, one(operand)),
            ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, one(left), one(right)),
            ExprKind::Builtin(builtin, arguments) => ExprKind::Builtin(*builtin, all(arguments)),
            ExprKind::Function(function, arguments) => ExprKind::Function(*function, all(arguments)),
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(one(condition), one(then), one(otherwise))
            }
            ExprKind::Cast(ty, operand) => ExprKind::Cast(*ty, one(operand)),
            ExprKind::Broadcast(operand) => ExprKind::Broadcast(one(operand)),
            ExprKind::Lanewise(function, arguments) => {
                ExprKind::Lanewise(function.substitute(sizes), all(arguments))
            }
            ExprKind::Map(kind, function, input) => {
                ExprKind::Map(*kind, function.substitute(sizes), one(input))
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                ExprKind::Reduce(*kind, function.substitute(sizes), one(initial), one(input))
            }
            ExprKind::Zip(parts) => ExprKind::Zip(all(parts)),
            ExprKind::Layout(layout, input) => ExprKind::Layout(layout.substitute(sizes), one(input)),
            ExprKind::PadConstant { left, right, value, input } => ExprKind::PadConstant {
                left: left.substitute(sizes),
                right: right.substitute(sizes),
                value: one(value),
                input: one(input),
            },
            ExprKind::Store(space, value) => ExprKind::Store(*space, one(value)),
            ExprKind::Concat(parts) => ExprKind::Concat(all(parts)),
            ExprKind::At(position, input) => ExprKind::At(position.substitute(sizes), one(input)),
            ExprKind::Generate(length, function) => {
                ExprKind::Generate(length.substitute(sizes), function.substitute(sizes))
            }
            ExprKind::Repeat(length, value) => ExprKind::Repeat(length.substitute(sizes), one(value)),
            ExprKind::Unzip(input) => ExprKind::Unzip(one(input)),
            ExprKind::Scan(kind, function, initial, input) => {
                ExprKind::Scan(*kind, function.substitute(sizes), one(initial), one(input))
            }
            ExprKind::Iterate(count, function, input) => {
                ExprKind::Iterate(count.substitute(sizes), function.substitute(sizes), one(input))
            }
        }
    }
}

impl Position {
    fn substitute(&self, sizes: &Substitution) -> Position {
        match self {
            Position::Size(size) => Position::Size(size.substitute(sizes)),
            Position::Clamped(index) => Position::Clamped(Box::new(index.substitute(sizes))),
            Position::OrDefault(index, default) => {
                Position::OrDefault(Box::new(index.substitute(sizes)), Box::new(default.substitute(sizes)))
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
