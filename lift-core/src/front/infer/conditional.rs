//! `if`: a choice between two values. What the condition compares of sizes is known in the branches.

use std::rc::Rc;

use super::environment::Environment;
use super::error::{Error, Place, TypeMistake};
use super::inference::Inference;
use super::size::compare;
use crate::front::syntax::Expr;
use crate::ir::nat::{Condition, Nat, too_large};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind};

impl<'a> Inference<'a> {
    /// `if condition { then } else { otherwise }`
    pub(super) fn conditional(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let condition = self.value(condition, names);
        let condition = self.truth(condition, Place::Condition("if"));
        let chosen = self.size_condition(&condition);
        let then =
            self.under_condition(chosen.as_ref(), |this| this.in_frame(|this| this.value(then, names)));
        let chosen = chosen.map(Condition::negate);
        let otherwise =
            self.under_condition(chosen.as_ref(), |this| this.in_frame(|this| this.value(otherwise, names)));
        if self.width(&condition.ty).is_some() {
            return self.builtin(Builtin::Select, vec![condition, then, otherwise], source);
        }
        let then = self.fit(then, &otherwise.ty);
        let otherwise = self.fit(otherwise, &then.ty);
        let (then, otherwise) = (self.sized_integer(then), self.sized_integer(otherwise));
        if let Err(mismatch) = self.unify(&then.ty, &otherwise.ty, "if", source) {
            let mistake = TypeMistake::Branches {
                then: self.known(&then.ty),
                otherwise: self.known(&otherwise.ty),
                mismatch: self.simplified_mismatch(&mismatch),
            };
            return self.fail(Error::new(otherwise.source, mistake));
        }
        if self.unknowns.resolve(&then.ty).rank() > 0 {
            let ty = self.known(&then.ty);
            return self.fail(Error::new(source, TypeMistake::ArrayBranches { ty }));
        }
        let ty = then.ty.clone();
        self.node(ExprKind::If(Rc::new(condition), Rc::new(then), Rc::new(otherwise)), ty, source)
    }

    /// A condition as a comparison of sizes; `None` where it compares anything else.
    fn size_condition(&self, condition: &typed::Expr) -> Option<Condition> {
        let both = |left, right| Some((self.size_condition(left)?, self.size_condition(right)?));
        let sizes = |left, right| Some((self.compared_size(left)?, self.compared_size(right)?));
        match &condition.kind {
            ExprKind::Unary(UnaryOperator::Not, operand) => {
                self.size_condition(operand).map(Condition::negate)
            }
            ExprKind::Binary(BinaryOperator::And, left, right) => {
                both(left, right).map(|(left, right)| left.and(right))
            }
            ExprKind::Binary(BinaryOperator::Or, left, right) => {
                both(left, right).map(|(left, right)| left.or(right))
            }
            ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
                sizes(left, right).and_then(|(left, right)| compare(*operator, left, right))
            }
            _ => None,
        }
    }

    /// A size in a comparison, or a number beside one.
    fn compared_size(&self, value: &typed::Expr) -> Option<Nat> {
        match &value.kind {
            ExprKind::Size(size) => Some(size.clone()),
            // A number that is too large for a size has another type.
            ExprKind::Literal(Literal::Integer(number)) => {
                Some(Nat::constant(*number)).filter(|size| too_large(size).is_none())
            }
            _ => None,
        }
    }
}
