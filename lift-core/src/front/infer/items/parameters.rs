//! What all items have: parameters with different names, and a declared result.

use crate::front::infer::error::{Error, ProgramMistake, TypeMistake};
use crate::front::infer::inference::Inference;
use crate::front::syntax::Item;
use crate::ir::typed;
use crate::ir::types::Type;

/// Reports parameters of one name.
pub(super) fn repeated_parameters(inference: &mut Inference<'_>, item: &Item) {
    for (position, parameter) in item.parameters.iter().enumerate() {
        let name = &parameter.name.name;
        if item.parameters.iter().take(position).any(|earlier| earlier.name.name == *name) {
            let mistake = ProgramMistake::ParameterTwice(name.clone());
            inference.report(Error::new(parameter.name.source, mistake));
        }
    }
}

impl Inference<'_> {
    /// The body of an item, which must have the declared type.
    pub(super) fn expect_result(&mut self, body: typed::Expr, declared: &Type, item: &Item) -> typed::Expr {
        let name = &item.name.name;
        let body = self.fit(body, declared);
        let what = format!("the declared result of `{name}`");
        let Err(mismatch) = self.unify(&body.ty, declared, &what, body.source) else {
            // The types are equal, but the declared one may be simpler than what the algebra finds.
            return typed::Expr { ty: declared.clone(), ..body };
        };
        if self.unknowns.is_mistake(&body.ty) {
            return self.mistake(body.source);
        }
        let remedy = self
            .conversion_of(&body, declared)
            .or_else(|| self.missing_border(&body, declared))
            .or_else(|| self.clause_for(&mismatch));
        let mistake = TypeMistake::Result {
            item: name.clone(),
            declared: self.known(declared),
            found: self.known(&body.ty),
            mismatch: self.simplified_mismatch(&mismatch),
            remedy,
        };
        self.fail(Error::new(body.source, mistake))
    }
}
