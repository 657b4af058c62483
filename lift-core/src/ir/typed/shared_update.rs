//! Recognises steps that many work-items may do at the same time: updates of one element of a table of
//! integers by `+`, `min`, `max`, `&`, `|` or `^`.
//!
//! A step is `|table, x| update(key, f(at(key, table), x), table)`; it may bind values first. Where `f` combines
//! each integer of the old element with a value that does not depend on the table, a device can do that in one
//! step that no other work-item disturbs (Henriksen et al., *Compiling Generalized Histograms for GPU*, SC 2020,
//! section 4.2). All these operators are associative and commutative, and integers wrap around, so that the
//! table is the same for every order of the steps. If the element is an array, `f` updates one of its elements
//! in the same way: a table may have several entries for a key (section 4.1). A step may also do several such
//! steps, one for each element of an array: `|table, xs| reduceSeq(step, table, xs)`.

use std::sync::Arc;

use super::binders::mentions;
use super::keyed::{Entry, Update};
use super::{Binding, Expr, ExprKind, Lambda, ReduceKind, Variable};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::types::Type;

/// What a step does.
pub struct SharedUpdate {
    /// What it computes first. Nothing in it depends on the table.
    pub bindings: Vec<Binding>,
    /// The position of the element, an integer, and the position in it where it is an array, from the outside
    /// in. Outside of the table, and of the element, nothing changes.
    pub positions: Vec<Arc<Expr>>,
    /// What happens to the integers of the element, one after the other; to an element that is no tuple there
    /// is one. `None` where an integer stays.
    pub changes: Vec<Option<Change>>,
}

/// What happens to an integer: it is combined with a value.
pub struct Change {
    /// The operator.
    pub operator: Combining,
    /// The value, which does not depend on the table.
    pub value: Arc<Expr>,
}

/// An associative and commutative operator of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combining {
    /// `+`, `&`, `|` or `^`.
    Operator(BinaryOperator),
    /// `min` or `max`.
    Function(Builtin),
}

/// Whether every device updates elements of this type in one step: integers of 32 bits, and tuples of them,
/// whose components are updated one after the other, and arrays of either.
pub fn is_updated_at_once(element: &Type) -> bool {
    match element {
        Type::Array(array) => array.index.is_none() && is_updated_at_once(&array.element),
        Type::Scalar(ty) => matches!(ty, ScalarType::I32 | ScalarType::U32),
        Type::Tuple(components) => components
            .iter()
            .all(|component| matches!(component, Type::Scalar(_)) && is_updated_at_once(component)),
        Type::Vector(..) | Type::Size => false,
    }
}

impl SharedUpdate {
    /// The step of a reduction, if it is one.
    pub fn of(step: &Lambda) -> Option<SharedUpdate> {
        let [(table, table_type), _] = step.parameters.as_slice() else { return None };
        let mut bindings = Vec::new();
        let mut new = without_reads(&step.body, table, &mut bindings)?;
        let (mut positions, mut element) = (Vec::new(), table_type);
        while let Type::Array(array) = element {
            // From here on, the variable of the table means the old element.
            let (key, inside) = updated(&new, table, &bindings).filter(|_| array.index.is_none())?;
            new = written_out(&inside);
            positions.push(key);
            element = &array.element;
        }
        if positions.is_empty() {
            return None;
        }
        let of_part = |part: &Arc<Expr>, path: &[usize]| {
            let old = Old { variable: table, path };
            if old.is(part) { Some(None) } else { old.change(part).map(Some) }
        };
        let changes = match (&new.kind, element) {
            (ExprKind::Tuple(parts), Type::Tuple(_)) => {
                let parts = parts.iter().enumerate();
                parts.map(|(position, part)| of_part(part, &[position])).collect::<Option<Vec<_>>>()?
            }
            (_, Type::Scalar(_)) => vec![of_part(&new, &[])?],
            _ => return None,
        };
        Some(SharedUpdate { bindings, positions, changes })
    }
}

/// Whether work-items may do steps at the same time: each is an update, or several.
pub fn is_shared_step(step: &Lambda) -> bool {
    match steps_inside(step) {
        Some(inner) => is_shared_step(inner),
        None => SharedUpdate::of(step).is_some(),
    }
}

/// The steps that a step does one after the other, if it is no update itself.
pub fn steps_inside(step: &Lambda) -> Option<&Lambda> {
    let [(table, _), _] = step.parameters.as_slice() else { return None };
    let ExprKind::Reduce(ReduceKind::Sequential | ReduceKind::Unrolled, inner, initial, input) =
        &step.body.kind
    else {
        return None;
    };
    let is_table = matches!(&initial.kind, ExprKind::Variable(read) if read.id == table.id);
    (is_table && !mentions(input, table)).then_some(inner)
}

impl SharedUpdate {
    /// What it computes behind its bindings.
    pub fn read(&self) -> Vec<Arc<Expr>> {
        let values = self.changes.iter().flatten().map(|change| change.value.clone());
        self.positions.iter().cloned().chain(values).collect()
    }
}

/// The parts of an expression that updates one element of the array in a variable: the position, and the new
/// element. In the latter, the variable means the old element.
fn updated(expr: &Expr, array: &Variable, bindings: &[Binding]) -> Option<(Arc<Expr>, Arc<Expr>)> {
    let update = Update::of(expr)?;
    let key = update.key()?;
    let is_array = matches!(&update.array.kind, ExprKind::Variable(read) if read.id == array.id);
    if !is_array || mentions(key, array) {
        return None;
    }
    let entry = Entry { table: array, key, bindings };
    Some((key.clone(), entry.read_in(update.new)?))
}

/// The body of a step behind its `let`s. Those that do not depend on the table go to `bindings`; the others are
/// written out, so that what they read of the table stands in the body.
fn without_reads(expr: &Arc<Expr>, table: &Variable, bindings: &mut Vec<Binding>) -> Option<Arc<Expr>> {
    let ExprKind::Let { bindings: bound, body } = &expr.kind else { return Some(expr.clone()) };
    let mut rest = bound.clone();
    let mut body = body.clone();
    while !rest.is_empty() {
        let binding = rest.remove(0);
        if !mentions(&binding.value, table) {
            bindings.push(binding);
            continue;
        }
        for later in &mut rest {
            later.value = later.value.replace(&binding.variable, &binding.value);
        }
        body = body.replace(&binding.variable, &binding.value);
    }
    without_reads(&body, table, bindings)
}

/// A component of a tuple that is written down is that part.
fn written_out(expr: &Arc<Expr>) -> Arc<Expr> {
    let expr = match &expr.kind {
        ExprKind::Let { bindings, body } => {
            let bound = bindings.iter().rev();
            written_out(
                &bound.fold(body.clone(), |body, Binding { variable, value }| body.replace(variable, value)),
            )
        }
        _ => expr.with_children(&mut written_out),
    };
    match &expr.kind {
        ExprKind::Component(tuple, position) => match &tuple.kind {
            ExprKind::Tuple(parts) => parts.get(*position).cloned().unwrap_or(expr),
            _ => expr,
        },
        _ => expr,
    }
}

/// An integer of the old element.
struct Old<'e> {
    /// The old element.
    variable: &'e Variable,
    /// The components that lead to the integer.
    path: &'e [usize],
}

impl Old<'_> {
    /// Whether an expression is the integer.
    fn is(&self, expr: &Expr) -> bool {
        match (&expr.kind, self.path.split_last()) {
            (ExprKind::Variable(read), None) => read.id == self.variable.id,
            (ExprKind::Component(tuple, position), Some((last, outer))) => {
                position == last && Old { path: outer, ..*self }.is(tuple)
            }
            _ => false,
        }
    }

    /// What is done with the integer to make the new one.
    fn change(&self, new: &Arc<Expr>) -> Option<Change> {
        let (operator, left, right) = match &new.kind {
            ExprKind::Binary(
                operator @ (BinaryOperator::Add
                | BinaryOperator::BitAnd
                | BinaryOperator::BitOr
                | BinaryOperator::BitXor),
                left,
                right,
            ) => (Combining::Operator(*operator), left, right),
            ExprKind::Builtin(function @ (Builtin::Min | Builtin::Max), operands) => {
                let [left, right] = operands.as_slice() else { return None };
                (Combining::Function(*function), left, right)
            }
            _ => return None,
        };
        let (old, value, is_left) = match (mentions(left, self.variable), mentions(right, self.variable)) {
            (true, false) => (left, right, true),
            (false, true) => (right, left, false),
            (true, true) | (false, false) => return None,
        };
        if self.is(old) {
            return Some(Change { operator, value: value.clone() });
        }
        // `(old + x) + y` is `old + (x + y)`.
        let inner = self.change(old).filter(|inner| inner.operator == operator)?;
        let both = match is_left {
            true => [inner.value, value.clone()],
            false => [value.clone(), inner.value],
        };
        let value = match (operator, both) {
            (Combining::Operator(operator), [left, right]) => ExprKind::Binary(operator, left, right),
            (Combining::Function(function), both) => ExprKind::Builtin(function, both.to_vec()),
        };
        Some(Change { operator, value: new.with_kind(value) })
    }
}
