//! Recognises reductions by key: reductions whose accumulator is a table and whose steps update one entry.
//!
//! `reduceByKey(n, f, z, keys, xs)` is `reduce(|table, (key, x)| update(key, f(at(key, table), x), table),
//! repeat(n, z))` (Henriksen et al., *Compiling Generalized Histograms for GPU*, SC 2020, section 2). A step
//! may bind values first. What it reads of the table is the entry that it updates, and nothing else, so that
//! steps with different keys have nothing to do with each other.

use std::sync::Arc;

use super::alpha::alpha_eq;
use super::binders::{mentions, mentions_size};
use super::{Binding, Expr, ExprKind, Lambda, MapKind, Position, ReduceKind, Variable};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::types::Type;

/// An array with another element at a position from data: `update`, as the prelude defines it, and maps like it
/// that compute the new element from the old one.
pub struct Update<'e> {
    /// The position as it is compared, an `i64`.
    pub position: &'e Arc<Expr>,
    /// The new element.
    pub new: &'e Arc<Expr>,
    /// The array before.
    pub array: &'e Arc<Expr>,
    /// The variable of an element before.
    pub old: &'e Variable,
    /// The function of the map.
    pub elements: &'e Lambda,
}

impl<'e> Update<'e> {
    /// `map(|k => old| if i as i64 == k { x } else { old }, xs)`, where `x` may depend on `k` and `old`.
    pub fn of(expr: &'e Expr) -> Option<Update<'e>> {
        let ExprKind::Map(MapKind::Unspecified | MapKind::Sequential, elements, array) = &expr.kind else {
            return None;
        };
        let ([(old, _)], Some(index)) = (elements.parameters.as_slice(), &elements.index) else {
            return None;
        };
        let ExprKind::If(condition, new, kept) = &elements.body.kind else { return None };
        let ExprKind::Binary(BinaryOperator::Equal, position, counted) = &condition.kind else { return None };
        let is_same_everywhere = !mentions(position, old) && !mentions_size(position, index);
        let fits = is(kept, old) && is_counted(counted, index) && is_same_everywhere;
        fits.then_some(Update { position, new, array, old, elements })
    }

    /// The position, of any integer type, if this is `update`: the new element depends on neither its position
    /// nor the old one.
    pub fn key(&self) -> Option<&'e Arc<Expr>> {
        let index = self.elements.index.as_ref()?;
        let is_outside = !mentions(self.new, self.old) && !mentions_size(self.new, index);
        is_outside.then(|| narrow(self.position))
    }
}

/// A step whose accumulator is an array with another element.
pub struct AccumulatorUpdate<'e> {
    /// What the step computes first.
    pub bindings: &'e [Binding],
    /// The rest of the step.
    pub body: &'e Arc<Expr>,
    /// What that is.
    pub update: Update<'e>,
}

impl<'e> AccumulatorUpdate<'e> {
    /// The parts of a step, if it is one.
    pub fn of(step: &'e Lambda) -> Option<AccumulatorUpdate<'e>> {
        let (accumulator, _) = step.parameters.first()?;
        let (bindings, body) = match &step.body.kind {
            ExprKind::Let { bindings, body } => (bindings.as_slice(), body),
            _ => (&[][..], &step.body),
        };
        let update = Update::of(body)?;
        is(update.array, accumulator).then_some(AccumulatorUpdate { bindings, body, update })
    }
}

fn is_counted(expr: &Expr, index: &Var) -> bool {
    expr.ty == Type::Scalar(ScalarType::I64)
        && matches!(&expr.kind, ExprKind::Size(size) if size.as_variable() == Some(index))
}

/// Whether numbers of this type hold every size.
fn is_wide(ty: &Type) -> bool {
    matches!(ty, Type::Size | Type::Scalar(ScalarType::I64 | ScalarType::U64))
}

/// A position before it was widened to be compared.
fn narrow(position: &Arc<Expr>) -> &Arc<Expr> {
    match &position.kind {
        ExprKind::Cast(ScalarType::I64, narrow) => narrow,
        _ => position,
    }
}

fn is(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

/// A reduction by key whose order is open.
pub struct KeyedReduction<'e> {
    /// A step: the table after an element.
    pub step: &'e Lambda,
    /// The table before.
    pub initial: &'e Arc<Expr>,
    /// The elements.
    pub elements: &'e Arc<Expr>,
    /// What a step does with the entry of its key: a function of the entry and of the element. Values that
    /// the step binds are written out in it: it is for looking at, and not for computing with.
    pub combination: Lambda,
}

/// Steps with more bindings are not looked at: each may be written out several times.
pub const MOST_BINDINGS: usize = 8;

impl<'e> KeyedReduction<'e> {
    /// The parts of a reduction by key.
    pub fn of(expr: &'e Expr) -> Option<KeyedReduction<'e>> {
        let ExprKind::Reduce(ReduceKind::Unspecified, step, initial, elements) = &expr.kind else {
            return None;
        };
        let ([(table, table_type), element], None) = (step.parameters.as_slice(), &step.index) else {
            return None;
        };
        let entry_type = &table_type.as_array().filter(|array| array.index.is_none())?.element;
        let combined = combination(step)?;
        let parameters = vec![(table.clone(), entry_type.clone()), element.clone()];
        let combination = Lambda { parameters, index: None, body: combined };
        Some(KeyedReduction { step, initial, elements, combination })
    }
}

/// What a step that updates one entry of its table makes of it, if it reads nothing else of the table: the
/// table's variable is that of the entry. Values that the step binds are written out in it.
pub fn combination(step: &Lambda) -> Option<Arc<Expr>> {
    let (table, _) = step.parameters.first()?;
    let body = written_out(&step.body, &mut MOST_BINDINGS.clone())?;
    let update = Update::of(&body)?;
    let key = update.key()?;
    if !is(update.array, table) || mentions(key, table) {
        return None;
    }
    Entry { table, key, bindings: &[] }.read_in(update.new)
}

/// An expression whose bindings are replaced by their values. `None` if there are more than `left`.
pub fn written_out(expr: &Arc<Expr>, left: &mut usize) -> Option<Arc<Expr>> {
    let ExprKind::Let { bindings, body } = &expr.kind else {
        let mut is_short = true;
        let written = expr.with_children(&mut |child| {
            written_out(child, left).unwrap_or_else(|| {
                is_short = false;
                child.clone()
            })
        });
        return is_short.then_some(written);
    };
    let mut body = body.clone();
    for Binding { variable, value } in bindings.iter().rev() {
        *left = left.checked_sub(1)?;
        body = body.replace(variable, value);
    }
    written_out(&body, left)
}

/// The entry of a table that a step updates.
pub struct Entry<'e> {
    /// The variable of the table.
    pub table: &'e Variable,
    /// The position of the entry.
    pub key: &'e Arc<Expr>,
    /// What the step binds before. Positions that mean the key by it are the key, too.
    pub bindings: &'e [Binding],
}

impl Entry<'_> {
    fn is_key(&self, position: &Arc<Expr>) -> bool {
        alpha_eq(narrow(position), self.key)
            || alpha_eq(narrow(&self.meaning(position)), narrow(&self.meaning(self.key)))
    }

    /// The same for a position that is a size: the key is a number or a size, too.
    fn is_size_of_key(&self, position: &Nat) -> bool {
        let meaning = self.meaning(self.key);
        let key_of = narrow(&meaning);
        match &key_of.kind {
            ExprKind::Literal(Literal::Integer(key)) => position.as_constant() == Some(*key),
            // A size of a narrow type wraps.
            ExprKind::Size(key) => is_wide(&key_of.ty) && key == position,
            _ => false,
        }
    }

    /// An expression in which the bindings are written out.
    fn meaning(&self, expr: &Arc<Expr>) -> Arc<Expr> {
        let bound = self.bindings.iter().rev();
        bound.fold(expr.clone(), |expr, Binding { variable, value }| expr.replace(variable, value))
    }

    /// The expression with the variable of the table in place of each read of the entry. `None` if it uses the
    /// table in any other way.
    pub fn read_in(&self, expr: &Arc<Expr>) -> Option<Arc<Expr>> {
        match &expr.kind {
            ExprKind::At(Position::Clamped(position) | Position::OrDefault(position, _), array)
                if is(array, self.table) && self.is_key(position) =>
            {
                Some(expr.with_kind(ExprKind::Variable(self.table.clone())))
            }
            ExprKind::At(Position::Size(position), array)
                if is(array, self.table) && self.is_size_of_key(position) =>
            {
                Some(expr.with_kind(ExprKind::Variable(self.table.clone())))
            }
            ExprKind::Variable(_) if is(expr, self.table) => None,
            _ => {
                let mut is_entry = true;
                let replaced = expr.with_children(&mut |child| {
                    self.read_in(child).unwrap_or_else(|| {
                        is_entry = false;
                        child.clone()
                    })
                });
                is_entry.then_some(replaced)
            }
        }
    }
}
