//! What terms bind and mention: fresh binders, free variables, free sizes.
//!
//! A rule that copies a part of a term refreshes the copy, so that every binder of a program stays unique.

use std::sync::Arc;

use super::{
    Binding, Boundary, Expr, ExprKind, IndexFunction, IndexFunctionKind, Lambda, Layout, NodeId, Position,
    Rows, Variable,
};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::nat::{Nat, Var};

/// The same term, with node ids and binders that nothing else has: they are numbered from `next_id` on, which
/// becomes the next free number. What the term does not bind stays.
#[must_use]
pub fn refreshed(expr: &Arc<Expr>, next_id: &mut u32) -> Arc<Expr> {
    Refresher { next_id, variables: FlatMap::new() }.expr(expr)
}

/// Whether an expression costs nothing to repeat: inference writes it wherever it is used, and binds no name
/// to it. An accumulator that starts with equal elements may still become an array of vectors.
pub fn is_atomic(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => true,
        ExprKind::Component(of, _) | ExprKind::Repeat(_, of) | ExprKind::Broadcast(of) => is_atomic(of),
        _ => false,
    }
}

/// The bindings that an expression needs, directly or indirectly, and the others.
pub fn parted(bindings: &[Binding], expr: &Expr) -> (Vec<Binding>, Vec<Binding>) {
    let mut read = free_variables(expr);
    let (mut needed, mut others) = (Vec::new(), Vec::new());
    for binding in bindings.iter().rev() {
        match read.contains(&binding.variable) {
            true => {
                read.extend(free_variables(&binding.value));
                needed.push(binding.clone());
            }
            false => others.push(binding.clone()),
        }
    }
    needed.reverse();
    others.reverse();
    (needed, others)
}

/// An expression with bindings before it, in one `let` with its own.
pub fn bound_before(mut bindings: Vec<Binding>, expr: &Arc<Expr>) -> Arc<Expr> {
    if bindings.is_empty() {
        return expr.clone();
    }
    let body = match &expr.kind {
        ExprKind::Let { bindings: own, body } => {
            bindings.extend(own.iter().cloned());
            body
        }
        _ => expr,
    };
    expr.with_kind(ExprKind::Let { bindings, body: body.clone() })
}

/// The bindings of a `let` and its body where what is atomic is written instead of a name for it.
pub fn without_atoms(bindings: Vec<Binding>, body: Arc<Expr>) -> (Vec<Binding>, Arc<Expr>) {
    let mut kept: Vec<Binding> = Vec::new();
    let mut atoms: Vec<Binding> = Vec::new();
    let written = |expr: Arc<Expr>, atoms: &[Binding]| {
        atoms.iter().fold(expr, |expr, Binding { variable, value }| expr.replace(variable, value))
    };
    for Binding { variable, value } in bindings {
        let value = written(value, &atoms);
        if is_atomic(&value) { &mut atoms } else { &mut kept }.push(Binding { variable, value });
    }
    let body = written(body, &atoms);
    (kept, body)
}

struct Refresher<'n> {
    next_id: &'n mut u32,
    variables: FlatMap<u32, Variable>,
}

impl Refresher<'_> {
    fn fresh_id(&mut self) -> u32 {
        let id = *self.next_id;
        *self.next_id += 1;
        id
    }

    fn bind(&mut self, variable: &Variable) -> Variable {
        let fresh = Variable { id: self.fresh_id(), name: variable.name.clone() };
        self.variables.insert(variable.id, fresh.clone());
        fresh
    }

    fn expr(&mut self, expr: &Arc<Expr>) -> Arc<Expr> {
        let around = self.variables.clone();
        let id = NodeId(self.fresh_id());
        let renamed = match &expr.kind {
            ExprKind::Variable(variable) => {
                let renamed = self.variables.get(&variable.id).unwrap_or(variable).clone();
                expr.with_kind(ExprKind::Variable(renamed))
            }
            ExprKind::Let { bindings, body } => {
                let mut fresh = Vec::new();
                for binding in bindings {
                    let value = self.expr(&binding.value);
                    let variable = self.bind(&binding.variable);
                    fresh.push(Binding { variable, value });
                }
                let body = self.expr(body);
                expr.with_kind(ExprKind::bound(fresh, body))
            }
            ExprKind::Lanewise(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
                expr.with_kind(ExprKind::Lanewise(self.lambda(function), arguments))
            }
            ExprKind::Generate(length, function) => {
                expr.with_kind(ExprKind::Generate(length.clone(), self.lambda(function)))
            }
            ExprKind::Layout(layout, input) => {
                let layout = self.layout(layout);
                expr.with_kind(ExprKind::Layout(layout, self.expr(input)))
            }
            ExprKind::Map(..) | ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) => {
                self.applied(expr)
            }
            ExprKind::Literal(_)
            | ExprKind::Size(_)
            | ExprKind::Tuple(_)
            | ExprKind::Component(..)
            | ExprKind::ArrayLiteral(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::If(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_)
            | ExprKind::Zip(_)
            | ExprKind::PadConstant { .. }
            | ExprKind::Store(..)
            | ExprKind::Concat(_)
            | ExprKind::At(..)
            | ExprKind::Repeat(..)
            | ExprKind::EndUnless(..)
            | ExprKind::Unzip(_) => expr.with_children(&mut |child| self.expr(child)),
        };
        self.variables = around;
        Arc::new(Expr { id, ..Arc::unwrap_or_clone(renamed) })
    }

    /// A primitive with one function: first its other parts, then the function, whose body is the last child.
    fn applied(&mut self, expr: &Expr) -> Arc<Expr> {
        let kind = match &expr.kind {
            ExprKind::Map(kind, function, input) => {
                let function = self.lambda(function);
                ExprKind::Map(*kind, function, input.clone())
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                let function = self.lambda(function);
                ExprKind::Reduce(*kind, function, initial.clone(), input.clone())
            }
            ExprKind::Scan(kind, function, initial, input) => {
                let function = self.lambda(function);
                ExprKind::Scan(*kind, function, initial.clone(), input.clone())
            }
            ExprKind::Iterate(count, function, input) => {
                let function = self.lambda(function);
                ExprKind::Iterate(count.clone(), function, input.clone())
            }
            other => other.clone(),
        };
        let renamed = expr.with_kind(kind);
        let body = renamed.children().len().saturating_sub(1);
        let mut position = 0;
        renamed.with_children(&mut |child| {
            position += 1;
            if position > body { child.clone() } else { self.expr(child) }
        })
    }

    fn lambda(&mut self, function: &Lambda) -> Lambda {
        let around = self.variables.clone();
        let (index, function) = match &function.index {
            None => (None, function.clone()),
            Some(index) => {
                let fresh = Var::new(self.fresh_id(), index.name());
                let renamed = function.substitute(&[(index.clone(), Nat::variable(&fresh))].into());
                (Some(fresh), renamed)
            }
        };
        let parameters =
            function.parameters.iter().map(|(variable, ty)| (self.bind(variable), ty.clone())).collect();
        let renamed = function.with_body(&mut |body| self.expr(body));
        self.variables = around;
        Lambda { parameters, index, ..renamed }
    }

    fn layout(&mut self, layout: &Layout) -> Layout {
        match layout {
            Layout::Partition(rows) => {
                let Some(index) = &rows.index else { return layout.clone() };
                let fresh = Var::new(self.fresh_id(), index.name());
                let length = rows.length_at(&Nat::variable(&fresh));
                Layout::Partition(Rows { index: Some(fresh), length, count: rows.count.clone() })
            }
            Layout::Gather(function) => Layout::Gather(self.index_function(function)),
            Layout::Scatter(function) => Layout::Scatter(self.index_function(function)),
            Layout::Pad { left, right, boundary: Boundary::Custom(function) } => Layout::Pad {
                left: left.clone(),
                right: right.clone(),
                boundary: Boundary::Custom(self.index_function(function)),
            },
            Layout::Split { .. }
            | Layout::Join
            | Layout::Transpose
            | Layout::Deinterleave { .. }
            | Layout::Interleave
            | Layout::AsVector { .. }
            | Layout::AsScalar
            | Layout::Slice { .. }
            | Layout::Increase { .. }
            | Layout::Slide { .. }
            | Layout::Pad { .. } => layout.clone(),
        }
    }

    fn index_function(&mut self, function: &IndexFunction) -> IndexFunction {
        let index = Var::new(self.fresh_id(), function.index.name());
        let body = function.apply(&Nat::variable(&index));
        IndexFunction { kind: function.kind.clone(), index, body }
    }
}

/// The variables that a term mentions and does not bind.
pub fn free_variables(expr: &Expr) -> FlatSet<Variable> {
    let mut free = FlatSet::new();
    collect_free(expr, &mut Vec::new(), &mut free);
    free
}

/// Whether a term mentions a variable that it does not bind.
pub fn mentions(expr: &Expr, variable: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Variable(read) => read.id == variable.id,
        ExprKind::Let { bindings, body } => {
            for binding in bindings {
                if mentions(&binding.value, variable) {
                    return true;
                }
                if binding.variable.id == variable.id {
                    return false;
                }
            }
            mentions(body, variable)
        }
        _ => {
            let bound = function_of(expr).is_some_and(|function| function.binds(variable));
            let children = expr.children();
            let outside = if bound { children.len().saturating_sub(1) } else { children.len() };
            children.into_iter().take(outside).any(|child| mentions(child, variable))
        }
    }
}

fn collect_free(expr: &Expr, bound: &mut Vec<u32>, free: &mut FlatSet<Variable>) {
    let around = bound.len();
    match &expr.kind {
        ExprKind::Variable(variable) => {
            if !bound.contains(&variable.id) {
                free.insert(variable.clone());
            }
        }
        ExprKind::Let { bindings, body } => {
            for binding in bindings {
                collect_free(&binding.value, bound, free);
                bound.push(binding.variable.id);
            }
            collect_free(body, bound, free);
        }
        _ => {
            let children = expr.children();
            let function = function_of(expr);
            let last = children.len().saturating_sub(1);
            for (position, child) in children.into_iter().enumerate() {
                if let Some(function) = function
                    && position == last
                {
                    bound.extend(function.parameters.iter().map(|(variable, _)| variable.id));
                }
                collect_free(child, bound, free);
            }
        }
    }
    bound.truncate(around);
}

/// The function that a node applies. Its body is the last of the node's children.
fn function_of(expr: &Expr) -> Option<&Lambda> {
    match &expr.kind {
        ExprKind::Map(_, function, _)
        | ExprKind::Reduce(_, function, _, _)
        | ExprKind::Scan(_, function, _, _)
        | ExprKind::Iterate(_, function, _)
        | ExprKind::Generate(_, function)
        | ExprKind::Lanewise(function, _) => Some(function),
        _ => None,
    }
}

impl Lambda {
    /// Whether a variable is one of the parameters.
    fn binds(&self, variable: &Variable) -> bool {
        self.parameters.iter().any(|(parameter, _)| parameter.id == variable.id)
    }
}

/// The size variables that a term mentions and does not bind, without what follows from the lengths of
/// arrays: those of its types, and of positions read backwards.
pub fn free_sizes(expr: &Expr) -> FlatSet<Var> {
    let mut found = own_sizes(expr);
    for child in expr.children() {
        found.extend(free_sizes(child));
    }
    if let Some(index) = function_of(expr).and_then(|function| function.index.as_ref()) {
        found.remove(index);
    }
    found
}

/// Whether a term mentions a size variable that it does not bind, outside of its types.
pub fn mentions_size(expr: &Expr, size: &Var) -> bool {
    states(expr, size) || expr.children().any(|child| mentions_size(child, size))
}

impl Lambda {
    /// Whether a parameter's type or the body mentions a position, in a size or in a type.
    pub fn mentions_index(&self, index: &Var) -> bool {
        self.parameters.iter().any(|(_, ty)| ty.mentions(index)) || self.body.mentions_index(index)
    }
}

impl Expr {
    /// Whether the expression mentions a position, in a size or in a type.
    pub fn mentions_index(&self, index: &Var) -> bool {
        let of_function = |function: &Lambda| function.parameters.iter().any(|(_, ty)| ty.mentions(index));
        self.ty.mentions(index)
            || states(self, index)
            || function_of(self).is_some_and(of_function)
            || self.children().any(|child| child.mentions_index(index))
    }
}

/// Whether a node itself states a size that mentions a variable.
fn states(expr: &Expr, variable: &Var) -> bool {
    let mut is_mentioned = false;
    each_own_size(expr, &mut |size, bound| {
        is_mentioned |= bound != Some(variable) && size.mentions(variable);
    });
    is_mentioned
}

/// The size variables that a node itself mentions.
fn own_sizes(expr: &Expr) -> FlatSet<Var> {
    let mut found = FlatSet::new();
    each_own_size(expr, &mut |size, bound| {
        let variables = size.variables();
        found.extend(variables.into_iter().filter(|variable| bound != Some(variable)));
    });
    found
}

/// Visits the sizes that a node itself states, each with the position that is bound in it.
fn each_own_size(expr: &Expr, visit: &mut dyn FnMut(&Nat, Option<&Var>)) {
    match &expr.kind {
        ExprKind::Size(size)
        | ExprKind::Generate(size, _)
        | ExprKind::Repeat(size, _)
        | ExprKind::Iterate(size, _, _)
        | ExprKind::At(Position::Size(size), _) => visit(size, None),
        ExprKind::PadConstant { left, right, .. } => {
            visit(left, None);
            visit(right, None);
        }
        ExprKind::Layout(layout, _) => each_size_of_layout(layout, visit),
        _ => {}
    }
}

fn each_size_of_layout(layout: &Layout, visit: &mut dyn FnMut(&Nat, Option<&Var>)) {
    match layout {
        Layout::Split { chunk: size } | Layout::Deinterleave { rows: size } => visit(size, None),
        Layout::Partition(rows) => {
            visit(&rows.length, rows.index.as_ref());
            visit(&rows.count, None);
        }
        Layout::Gather(function) | Layout::Scatter(function) => each_size_of_index(function, visit),
        Layout::Pad { left, right, boundary } => {
            visit(left, None);
            visit(right, None);
            if let Boundary::Custom(function) = boundary {
                each_size_of_index(function, visit);
            }
        }
        Layout::Slice { start: first, length: second }
        | Layout::Increase { left: first, right: second }
        | Layout::Slide { size: first, step: second } => {
            visit(first, None);
            visit(second, None);
        }
        Layout::Join
        | Layout::Transpose
        | Layout::Interleave
        | Layout::AsVector { .. }
        | Layout::AsScalar => {}
    }
}

fn each_size_of_index(function: &IndexFunction, visit: &mut dyn FnMut(&Nat, Option<&Var>)) {
    match &function.kind {
        // It follows from the length of the array.
        IndexFunctionKind::Reverse => {}
        IndexFunctionKind::Stride(size) | IndexFunctionKind::Rotate(size) => {
            visit(size, Some(&function.index));
        }
        IndexFunctionKind::Custom => visit(&function.body, Some(&function.index)),
    }
}
