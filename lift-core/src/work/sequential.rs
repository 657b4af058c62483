//! The work of a program's meaning, counted as the evaluator computes it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Work, positions};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::typed::{Expr, ExprKind, Lambda, Position, Program, ScanKind, Variable};
use crate::ir::types::Type;

/// The sequential work of a program; see the [module](super).
pub fn of_program(program: &Program) -> Work {
    let mut count = Count { functions: Vec::new(), ranges: program.ranges() };
    for function in &program.functions {
        // Callees come first.
        let work = count.of(&function.body);
        count.functions.push(work);
    }
    count.of(&program.body).simplified(&count.ranges)
}

/// A part of an element, as the components that lead to it: `x.0.1` is `[0, 1]`.
type Path = Vec<usize>;

struct Count {
    /// The work of the user functions counted so far.
    functions: Vec<Work>,
    /// What is known at the current place.
    ranges: Ranges,
}

impl Count {
    /// The work of an expression.
    fn of(&mut self, expr: &Expr) -> Work {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => Work::none(),
            ExprKind::Tuple(parts)
            | ExprKind::ArrayLiteral(parts)
            | ExprKind::Zip(parts)
            | ExprKind::Concat(parts) => self.of_all(parts),
            ExprKind::Component(input, _)
            | ExprKind::Broadcast(input)
            | ExprKind::Layout(_, input)
            | ExprKind::Store(_, input)
            | ExprKind::Repeat(_, input)
            | ExprKind::Unzip(input) => self.of(input),
            ExprKind::Let { bindings, body } => {
                let values: Work = bindings.iter().map(|binding| self.of(&binding.value)).sum();
                values.and(&self.of(body))
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => {
                self.of(operand).and(&Work::of_operations(lanes(&operand.ty)))
            }
            ExprKind::EndUnless(condition, value) => self.of(condition).and(&self.of(value)),
            ExprKind::Binary(_, left, right) => {
                self.of(left).and(&self.of(right)).and(&Work::of_operations(lanes(&left.ty)))
            }
            ExprKind::Builtin(_, arguments) => {
                let most = arguments.iter().map(|argument| lanes(&argument.ty)).max();
                self.of_all(arguments).and(&Work::of_operations(most.unwrap_or(1)))
            }
            ExprKind::Function(position, arguments) => {
                let function = self.functions.get(*position).cloned().unwrap_or_else(Work::none);
                self.of_all(arguments).and(&function)
            }
            ExprKind::If(condition, then, otherwise) => {
                let branches = self.of(then).or(&self.of(otherwise));
                self.of(condition).and(&branches)
            }
            ExprKind::Lanewise(function, arguments) => {
                let each = self.of(&function.body).times(&Nat::constant(i128::from(lanes(&expr.ty))));
                self.of_all(arguments).and(&each)
            }
            ExprKind::Map(_, function, input) => {
                let elements = self.applied(function, [&Nat::zero(), &length(input)], 0);
                self.of(input).and(&elements)
            }
            ExprKind::Reduce(_, function, initial, input) => {
                let steps = self.applied(function, [&Nat::zero(), &length(input)], 1);
                self.of(initial).and(&self.of(input)).and(&steps)
            }
            ExprKind::PadConstant { value, input, .. } => self.of(value).and(&self.of(input)),
            ExprKind::At(position, input) => {
                let position = match position {
                    Position::Size(_) => Work::none(),
                    Position::Clamped(index) => self.of(index),
                    Position::OrDefault(index, default) => self.of(index).and(&self.of(default)),
                };
                self.of(input).and(&position).and(&Work::of_loads(parts(&expr.ty)))
            }
            ExprKind::Generate(length, function) => self.applied(function, [&Nat::zero(), length], 0),
            ExprKind::Scan(kind, function, initial, input) => self.scan(*kind, function, initial, input),
            ExprKind::Iterate(count, function, input) => {
                let applications = self.repeated(function, [&Nat::zero(), count], &Work::none());
                self.of(input).and(&applications)
            }
        }
    }

    fn of_all(&mut self, parts: &[Arc<Expr>]) -> Work {
        parts.iter().map(|part| self.of(part)).sum()
    }

    /// The work of a function at all positions from one to another. Its parameters from `first_element` on
    /// are elements of an array.
    fn applied(&mut self, function: &Lambda, positions: [&Nat; 2], first_element: usize) -> Work {
        let elements = function.parameters.iter().skip(first_element);
        let loads = elements.map(|(variable, ty)| loads_of(variable, ty, &function.body)).sum();
        self.repeated(function, positions, &Work::of_loads(loads))
    }

    /// The work of a function's body at all positions from one to another, plus the work `beside` it at each.
    fn repeated(&mut self, function: &Lambda, [from, to]: [&Nat; 2], beside: &Work) -> Work {
        let Some(index) = &function.index else {
            return self.of(&function.body).and(beside).times(&(to - from));
        };
        let each = self.inside(index, [from, to], &function.body).and(beside);
        positions::over(&self.ranges, index, [from, to], &each)
    }

    fn inside(&mut self, index: &Var, [from, to]: [&Nat; 2], body: &Expr) -> Work {
        let outside = self.ranges.clone();
        self.ranges.declare(index, from.clone(), Some(to.clone()));
        let work = self.of(body);
        self.ranges = outside;
        work
    }

    fn scan(&mut self, kind: ScanKind, function: &Lambda, initial: &Expr, input: &Expr) -> Work {
        let count = length(input);
        match kind {
            ScanKind::Exclusive | ScanKind::ExclusiveSequential => {
                let steps = self.applied(function, [&Nat::zero(), &count], 1);
                self.of(initial).and(&self.of(input)).and(&steps)
            }
            ScanKind::Inclusive => {
                // The first element is the first result, unchanged.
                let element = input.ty.as_array().map_or(0, |array| parts(&array.element));
                let first = Nat::min(&count, &Nat::one());
                let steps = self.applied(function, [&first, &count], 1);
                let first = Work::of_loads(element).times(&first);
                self.of(input).and(&first).and(&steps)
            }
        }
    }
}

/// The number of elements of an array.
fn length(array: &Expr) -> Nat {
    array.ty.as_array().map_or_else(Nat::zero, |array| array.length.clone())
}

/// The number of components of a vector; a number is one.
fn lanes(ty: &Type) -> u64 {
    match ty {
        Type::Vector(_, width) => u64::from(*width),
        Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => 1,
    }
}

/// The number of scalars in an element, without those in arrays.
fn parts(ty: &Type) -> u64 {
    match ty {
        Type::Scalar(_) | Type::Size | Type::Vector(..) => lanes(ty),
        Type::Tuple(components) => components.iter().map(parts).sum(),
        Type::Array(_) => 0,
    }
}

/// The number of scalars of an element that a body mentions; each counts once.
fn loads_of(variable: &Variable, ty: &Type, body: &Expr) -> u64 {
    let mut mentioned = BTreeSet::new();
    collect_mentions(variable, body, &mut mentioned);
    mentioned_parts(ty, &mut Vec::new(), &mentioned)
}

fn mentioned_parts(ty: &Type, path: &mut Path, mentioned: &BTreeSet<Path>) -> u64 {
    if mentioned.contains(path) {
        return parts(ty);
    }
    let Type::Tuple(components) = ty else { return 0 };
    let mut total = 0;
    for (position, component) in components.iter().enumerate() {
        path.push(position);
        total += mentioned_parts(component, path, mentioned);
        path.pop();
    }
    total
}

fn collect_mentions(variable: &Variable, expr: &Expr, mentioned: &mut BTreeSet<Path>) {
    match path(expr) {
        Some((read, path)) => {
            if read.id == variable.id {
                mentioned.insert(path);
            }
        }
        None => {
            expr.children().for_each(|child| collect_mentions(variable, child, mentioned));
        }
    }
}

/// The variable that an expression is a part of, and the path to the part.
fn path(expr: &Expr) -> Option<(&Variable, Path)> {
    match &expr.kind {
        ExprKind::Variable(variable) => Some((variable, Path::new())),
        ExprKind::Component(input, position) => {
            let (variable, mut path) = path(input)?;
            path.push(*position);
            Some((variable, path))
        }
        _ => None,
    }
}
