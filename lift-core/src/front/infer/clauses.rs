//! `where` clauses: conditions on sizes that the user states.
//!
//! The launch checks what is stated. From there on it is known, and discharges what primitives need. Clauses
//! are therefore elaborated before everything that may rely on them.

use super::environment::Environment;
use super::error::Remedy;
use super::inference::Inference;
use super::need::{Need, Reason};
use crate::front::syntax::{Expr, ExprKind, Item};
use crate::ir::nat::{Atom, Condition, Nat};
use crate::ir::scalar::{BinaryOperator, Literal, UnaryOperator};
use crate::ir::typed::Requirement;

impl<'a> Inference<'a> {
    /// Demands what the clauses of an item state. `None` after a mistake.
    pub(super) fn clauses(&mut self, item: &'a Item, names: &Environment<'a>) -> Option<()> {
        let stated: Vec<Option<()>> =
            item.conditions.iter().map(|clause| self.clause(&item.name.name, clause, names)).collect();
        stated.into_iter().collect()
    }

    fn clause(&mut self, item: &str, clause: &'a Expr, names: &Environment<'a>) -> Option<()> {
        if let ExprKind::Binary(BinaryOperator::And, left, right) = &clause.kind {
            let (left, right) = (self.clause(item, left, names), self.clause(item, right, names));
            return left.and(right);
        }
        let requirement = self.requirement(clause, names)?;
        let reason = Reason::Clause(spelling(clause));
        self.need(Need { requirement, reason, call: item.to_owned(), source: clause.source })
    }

    fn requirement(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<Requirement> {
        let ExprKind::Binary(operator, left, right) = &expr.kind else {
            return self.condition(expr, names).map(Requirement::Holds);
        };
        if let (BinaryOperator::Equal, Some((size, divisor))) = (operator, remainder_is_zero(left, right)) {
            let (size, divisor) = (self.size(size, names), self.size(divisor, names));
            let (size, divisor) = (size?, divisor?);
            if divisor.as_constant() == Some(0) {
                self.positive(&divisor, &spelling(expr), expr.source)?;
            }
            return Some(Requirement::Divides(divisor, size));
        }
        match self.condition(expr, names)? {
            Condition::Equal(left, right) => Some(Requirement::Equal(left, right)),
            Condition::LessOrEqual(left, right) => Some(Requirement::AtMost(left, right)),
            Condition::Less(left, right) => Some(Requirement::AtMost(left + Nat::one(), right)),
            other @ (Condition::And(..) | Condition::Or(..) | Condition::Not(_)) => {
                Some(Requirement::Holds(other))
            }
        }
    }

    /// The clause that would make two sizes equal which are not always equal. `None` outside of items,
    /// because only they have clauses.
    pub(super) fn clause_for_equality(&self, left: &Nat, right: &Nat) -> Option<Remedy> {
        if self.captures.is_some() || self.facts.is_equal(left, right).is_some() {
            return None;
        }
        let rows = self.delimited.iter().map(|(length, _)| length);
        let mut unstated = self.unknowns.positions.iter().chain(rows);
        if unstated.any(|unstated| left.mentions(unstated) || right.mentions(unstated)) {
            return None;
        }
        for (quotients, whole) in [(left, right), (right, left)] {
            let remainder = self.facts.simplify(&(whole - quotients));
            if let Some(divisor) = divisor_left_over(whole, quotients)
                && !remainder.variables().is_empty()
            {
                return Some(Remedy::Divides(whole.clone(), divisor));
            }
        }
        let known = |size: &Nat| size.variables().iter().all(|size| !self.unknowns.is_open_size(size));
        // `N + 2 * m == N` is no advice.
        let is_shared = left.variables().iter().any(|size| right.variables().contains(size));
        (known(left) && known(right) && !is_shared).then(|| Remedy::EqualSizes(left.clone(), right.clone()))
    }
}

/// The `d` of `quotients`, which is `d * (n / d)`, where `n` is `whole`.
fn divisor_left_over(whole: &Nat, quotients: &Nat) -> Option<Nat> {
    let divisors =
        quotients.terms().iter().flat_map(|term| &term.factors).filter_map(|(atom, _)| match atom {
            Atom::Divide(dividend, divisor) if dividend == whole => Some(divisor),
            _ => None,
        });
    divisors.into_iter().find(|divisor| whole.divide(divisor) * *divisor == *quotients).cloned()
}

/// The size and the divisor of `size % divisor == 0`.
fn remainder_is_zero<'e>(left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    match (&left.kind, &right.kind) {
        (
            ExprKind::Binary(BinaryOperator::Remainder, size, divisor),
            ExprKind::Literal(Literal::Integer(0), _),
        ) => Some((size, divisor)),
        _ => None,
    }
}

/// An expression on sizes as the user wrote it.
pub(super) fn spelling(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(number), _) => number.to_string(),
        ExprKind::Literal(Literal::Bool(truth), _) => truth.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Path(path) => path.join("::"),
        ExprKind::Component(inner, position) => format!("{}.{position}", operand_spelling(inner)),
        ExprKind::Field(inner, field) => format!("{}.{}", operand_spelling(inner), field.name),
        ExprKind::Unary(UnaryOperator::Negate, operand) => format!("-{}", operand_spelling(operand)),
        ExprKind::Unary(UnaryOperator::Not, operand) => format!("!{}", operand_spelling(operand)),
        ExprKind::Binary(operator, left, right) => {
            let side = |side: &Expr| {
                if binds_tighter(side, *operator) { spelling(side) } else { operand_spelling(side) }
            };
            format!("{} {} {}", side(left), operator.symbol(), side(right))
        }
        ExprKind::Call(callee, arguments, _) => {
            let arguments: Vec<String> = arguments.iter().map(spelling).collect();
            format!("{}({})", spelling(callee), arguments.join(", "))
        }
        _ => "…".to_owned(),
    }
}

fn operand_spelling(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Binary(..) => format!("({})", spelling(expr)),
        _ => spelling(expr),
    }
}

/// Whether no parentheses are needed around an operand of an operator.
fn binds_tighter(operand: &Expr, around: BinaryOperator) -> bool {
    match &operand.kind {
        ExprKind::Binary(operator, ..) => tightness(*operator) > tightness(around),
        _ => true,
    }
}

fn tightness(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::Or => 0,
        BinaryOperator::And => 1,
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => 2,
        BinaryOperator::BitOr => 3,
        BinaryOperator::BitXor => 4,
        BinaryOperator::BitAnd => 5,
        BinaryOperator::Add | BinaryOperator::Subtract => 6,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => 7,
    }
}
