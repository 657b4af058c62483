//! A choice between updates of an array is one update.
//!
//! `if c { xs >> update(i, x) } else { xs }` is how a program says that a step changes an entry, or none. As a
//! choice between arrays it would copy the array, whatever is chosen; as an update it writes one entry where
//! the array is, and a reduction whose steps are such updates is one by key. An update at a position outside
//! changes nothing, so the choice is one between positions.
//!
//! What a branch binds for its new element alone is computed there, and what its position needs, before the
//! choice. A tuple that holds such arrays is chosen part by part.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::keyed::{Entry, Update};
use crate::ir::typed::{Binding, Expr, ExprKind};
use crate::ir::types::Type;
use crate::middle::stated::Builder;

/// An `if` between updates of one array is an update of it.
pub const CHOOSE_UPDATE: Rule = Rule {
    name: "chooseUpdate",
    statement: "if c { update(i, x, a) } else { update(j, y, a) } = let p = if c { i } else { j }; \
                update(p, if c { x } else { y }, a), with p = -1 where a branch is `a` itself, and x, y read a \
                at p where they read it at i, j",
    origin: "if-conversion (Allen, Kennedy, Porterfield, Warren, POPL 1983), of positions",
    parameters: &[],
    regroups: false,
    apply: choose_update,
};

fn choose_update(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::If(condition, then, otherwise) = &redex.expr.kind else {
        return Err(redex.is_not("an `if`"));
    };
    if then.ty.is_element() {
        return Err(Mismatch::form("an `if` between arrays", redex.expr, 1));
    }
    // A branch may need what a comparison of sizes says.
    if condition.size_condition().is_some() {
        return Err(Mismatch::condition("the condition is about data", redex.expr));
    }
    let chosen = build.prover().numbered(|next_id| {
        let mut builder = Builder { next_id: *next_id };
        let name = builder.variable("condition");
        let (ty, source) = (condition.ty.clone(), condition.source);
        let first = Binding { variable: name.clone(), value: condition.clone() };
        let mut choice = Choice {
            condition: Expr { id: redex.expr.id, ty, source, kind: ExprKind::Variable(name) },
            bindings: vec![first],
            build: &mut builder,
        };
        let body = choice.between(then, otherwise)?;
        let bindings = std::mem::take(&mut choice.bindings);
        let chosen = builder.bind_all(bindings, body);
        *next_id = builder.next_id;
        Some(chosen)
    });
    chosen.ok_or_else(|| {
        let wanted = "both branches are one array, with at most one other element each";
        Mismatch::condition(wanted, redex.expr)
    })
}

struct Choice<'b> {
    /// Reads the condition.
    condition: Expr,
    /// What is computed before the choice.
    bindings: Vec<Binding>,
    build: &'b mut Builder,
}

impl Choice<'_> {
    /// The choice between two values of one type. `None` if it would copy an array.
    fn between(&mut self, then: &Arc<Expr>, otherwise: &Arc<Expr>) -> Option<Arc<Expr>> {
        if then.ty.is_element() {
            return Some(self.chosen(then, otherwise));
        }
        let ((of_then, then), (of_otherwise, otherwise)) = (parts_of(then), parts_of(otherwise));
        match (&then.kind, &otherwise.kind) {
            (ExprKind::Tuple(of_parts), ExprKind::Tuple(of_others)) => {
                let of_parts = self.separated(of_then, of_parts);
                let of_others = self.separated(of_otherwise, of_others);
                let parts = of_parts.iter().zip(&of_others);
                let parts = parts.map(|(then, otherwise)| self.between(then, otherwise));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(self.build.tuple(parts, then.source))
            }
            _ => {
                let branches = [Branch::of(of_then, then)?, Branch::of(of_otherwise, otherwise)?];
                self.between_updates(branches)
            }
        }
    }

    /// An `if` between two values.
    fn chosen(&mut self, then: &Arc<Expr>, otherwise: &Arc<Expr>) -> Arc<Expr> {
        let condition = self.build.renumbered(&Arc::new(self.condition.clone()));
        self.build.choose(condition, then.clone(), otherwise.clone())
    }

    fn between_updates(&mut self, branches: [Branch<'_>; 2]) -> Option<Arc<Expr>> {
        let [array, other] = branches.each_ref().map(|branch| branch.array);
        if !alpha_eq(array, other) {
            return None;
        }
        let array = array.clone();
        if branches.iter().all(|branch| branch.update.is_none()) {
            return Some(array);
        }
        let source = array.source;
        let changes = branches.each_ref().map(|branch| {
            let (key, new) = branch.update.as_ref()?;
            let separated = self.separated(branch.bindings, &[(*key).clone(), (*new).clone()]);
            let [key, new]: [Arc<Expr>; 2] = separated.try_into().ok()?;
            Some((key, new))
        });
        let number = Type::Scalar(ScalarType::I64);
        let [then, otherwise] = changes.each_ref().map(|change| match change {
            Some((key, _)) => key.clone(),
            None => self.build.literal(Literal::Integer(-1), &number, source),
        });
        let chosen = self.between(&then, &otherwise)?;
        let position = self.build.variable("position");
        self.bindings.push(Binding { variable: position.clone(), value: chosen });
        let position = self.build.read(&position, &number, source);
        let news = changes.iter().zip(&branches).filter_map(|(change, branch)| {
            let (key, new) = change.as_ref()?;
            Some(self.read_at(&position, (key, new), branch))
        });
        let news: Vec<Arc<Expr>> = news.collect();
        let new = match news.as_slice() {
            [new] => new.clone(),
            // New elements that are arrays stay a choice between arrays.
            [then, otherwise] => self.chosen(then, otherwise),
            _ => return None,
        };
        Some(self.build.update(&position, new, array))
    }

    /// A new element that reads the array at the position that is chosen, where it reads it at its own.
    fn read_at(
        &mut self,
        position: &Arc<Expr>,
        (key, new): (&Arc<Expr>, &Arc<Expr>),
        branch: &Branch<'_>,
    ) -> Arc<Expr> {
        let ExprKind::Variable(table) = &branch.array.kind else { return new.clone() };
        let entry = Entry { table, key, bindings: branch.bindings };
        let Some(of_entry) = entry.read_in(new) else { return new.clone() };
        let position = self.build.renumbered(position);
        let old = self.build.at_data(branch.array, &position);
        of_entry.replace(table, &old)
    }

    /// The parts of a value, each with the bindings that only it needs. Those that several need are computed
    /// before the choice.
    fn separated(&mut self, bindings: &[Binding], parts: &[Arc<Expr>]) -> Vec<Arc<Expr>> {
        let mut inside: Vec<Vec<Binding>> = parts.iter().map(|_| Vec::new()).collect();
        let mut before: Vec<Binding> = Vec::new();
        for binding in bindings.iter().rev() {
            let is_needed_by = |value: &Expr| mentions(value, &binding.variable);
            let is_needed_in = |position: usize| {
                is_needed_by(&parts[position])
                    || inside[position].iter().any(|later| is_needed_by(&later.value))
            };
            let users: Vec<usize> = (0..parts.len()).filter(|position| is_needed_in(*position)).collect();
            match users.as_slice() {
                [only] if !before.iter().any(|later| is_needed_by(&later.value)) => {
                    inside[*only].insert(0, binding.clone());
                }
                [] if !before.iter().any(|later| is_needed_by(&later.value)) => {}
                _ => before.insert(0, binding.clone()),
            }
        }
        self.bindings.extend(before);
        let parts = parts.iter().zip(inside);
        parts.map(|(part, bindings)| self.bound(bindings, part)).collect()
    }

    /// A value behind bindings; no name for the value itself.
    fn bound(&mut self, mut bindings: Vec<Binding>, value: &Arc<Expr>) -> Arc<Expr> {
        match (&value.kind, bindings.pop()) {
            (ExprKind::Variable(read), Some(last)) if read.id == last.variable.id => {
                self.build.bind_all(bindings, last.value)
            }
            (_, last) => {
                bindings.extend(last);
                self.build.bind_all(bindings, value.clone())
            }
        }
    }
}

/// A value behind what it binds.
fn parts_of(value: &Arc<Expr>) -> (&[Binding], &Arc<Expr>) {
    match &value.kind {
        ExprKind::Let { bindings, body } => (bindings, body),
        _ => (&[], value),
    }
}

/// A branch: an array with another element, or as it is.
struct Branch<'e> {
    bindings: &'e [Binding],
    /// The array, which is a variable or a component of one.
    array: &'e Arc<Expr>,
    /// The position, and the element.
    update: Option<(&'e Arc<Expr>, &'e Arc<Expr>)>,
}

impl<'e> Branch<'e> {
    fn of(bindings: &'e [Binding], value: &'e Arc<Expr>) -> Option<Branch<'e>> {
        let (array, update) = match Update::of(value) {
            Some(update) => {
                update.key()?;
                (update.array, Some((update.position, update.new)))
            }
            None => (value, None),
        };
        is_variable(array).then_some(Branch { bindings, array, update })
    }
}

fn is_variable(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Component(tuple, _) => is_variable(tuple),
        _ => false,
    }
}
