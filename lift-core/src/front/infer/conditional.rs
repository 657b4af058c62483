//! `if`: a choice between two values. What the condition compares of sizes is known in the branches.

use std::sync::Arc;

use super::environment::Environment;
use super::error::{Error, Place, TypeMistake};
use super::inference::Inference;
use crate::front::syntax::Expr;
use crate::ir::nat::Condition;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::source::Source;
use crate::ir::typed::result::type_of_branches;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

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
        // The only condition of a definition in the prelude that a user writes is that of `filter`.
        let whose = match self.derived.last() {
            Some(derivation) if source == Source::UNKNOWN => derivation.name,
            Some(_) | None => "if",
        };
        let condition = self.truth(condition, Place::Condition(whose));
        let compared = condition.size_condition();
        let chosen = compared.clone();
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
        if let Some(ty) = self.type_of_branches(compared.as_ref(), &then, &otherwise) {
            return self.node(
                ExprKind::If(Arc::new(condition), Arc::new(then), Arc::new(otherwise)),
                ty,
                source,
            );
        }
        if let Err(mismatch) = self.unify(&then.ty, &otherwise.ty, "if", source) {
            let mistake = TypeMistake::Branches {
                then: self.known(&then.ty),
                otherwise: self.known(&otherwise.ty),
                mismatch: self.simplified_mismatch(&mismatch),
            };
            return self.fail(Error::new(otherwise.source, mistake));
        }
        let ty = then.ty.clone();
        self.node(ExprKind::If(Arc::new(condition), Arc::new(then), Arc::new(otherwise)), ty, source)
    }

    /// The type of arrays whose lengths are equal only where one of them is taken.
    fn type_of_branches(
        &mut self,
        compared: Option<&Condition>,
        then: &typed::Expr,
        otherwise: &typed::Expr,
    ) -> Option<Type> {
        let (then, otherwise) = (self.unknowns.resolve(&then.ty), self.unknowns.resolve(&otherwise.ty));
        let compared = compared.filter(|_| then != otherwise && !then.is_element())?;
        let compared = self.unknowns.resolve_condition(compared);
        let mut fresh = |name: &str| self.unknowns.vars.fresh(name);
        type_of_branches(&compared, &then, &otherwise, &self.facts, &mut fresh)
    }
}
