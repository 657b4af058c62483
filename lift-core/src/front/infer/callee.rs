//! What is wrong with what is called: no method, or a variable of that name.

use super::Inference;
use super::environment::Environment;
use super::error::{Error, NameMistake};
use super::message::is_function_of_the_language;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::primitive::{ArgumentKind, Primitive};
use crate::ir::typed;

impl<'a> Inference<'a> {
    /// A receiver is the first argument, which the data of a primitive is not.
    pub(super) fn no_method(&self, method: &Expr, names: &Environment<'a>) -> Option<Error> {
        let ExprKind::Name(name) = &method.kind else { return None };
        if names.get(name).is_some() || self.items.position(name).is_some() {
            return None;
        }
        let row = Primitive::from_name(name)?;
        match row.arguments.first()? {
            (_, ArgumentKind::Value | ArgumentKind::Values | ArgumentKind::Position) => None,
            (
                _,
                ArgumentKind::Function
                | ArgumentKind::Size
                | ArgumentKind::IndexFunction
                | ArgumentKind::RowLengths
                | ArgumentKind::Boundary
                | ArgumentKind::Name
                | ArgumentKind::Choices,
            ) => {
                let mistake = NameMistake::Method { name: name.clone(), row };
                Some(Error::new(method.source, mistake))
            }
        }
    }

    /// A value that has the name of a function of the language, where that function was meant.
    pub(super) fn hidden_function(&self, expr: &Expr, value: &typed::Expr) -> Option<Error> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        if !is_function_of_the_language(name) && !Self::is_reserved(name) {
            return None;
        }
        let mistake = NameMistake::Hidden { name: name.clone(), ty: self.known_roughly(&value.ty) };
        Some(Error::new(expr.source, mistake))
    }
}
