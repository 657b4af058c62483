//! What is wrong with a name: it means nothing, is misspelt, is no method, or is a variable that hides a
//! function.

use crate::front::infer::environment::Environment;
use crate::front::infer::error::{Error, Mistake, NameMistake, Scope};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::primitive::vocabulary::{
    BOUNDARIES, INDEX_FUNCTIONS, OPERATORS, ROW_LENGTHS, is_function_of_the_language, is_reserved,
};
use crate::ir::primitive::{ArgumentKind, Primitive};
use crate::ir::typed;
use crate::similar::{is_upper, nearest};

impl<'a> Inference<'a> {
    /// The mistake of an unknown name.
    pub(in crate::front::infer) fn unknown_name(&self, name: &str, names: &Environment<'_>) -> NameMistake {
        let owned = name.to_owned();
        if INDEX_FUNCTIONS.contains(&name) {
            return NameMistake::Positions(owned);
        }
        if ROW_LENGTHS.contains(&name) {
            return NameMistake::RowLengths(owned);
        }
        if BOUNDARIES.contains(&name) {
            return NameMistake::Boundary(owned);
        }
        let scope = if self.captures.is_some() { Scope::RustVariables } else { Scope::Items };
        NameMistake::Unknown { name: owned, similar: self.nearest_name(name, names), scope }
    }

    /// The mistake of an unknown name where a function is needed.
    pub(in crate::front::infer) fn unknown_function(
        &self,
        name: &str,
        names: &Environment<'_>,
    ) -> NameMistake {
        match self.unknown_name(name, names) {
            NameMistake::Unknown { name, similar, .. } => NameMistake::UnknownFunction { name, similar },
            other => other,
        }
    }

    /// The mistake of an unknown size. `None` if the name was reported before: one declaration corrects all
    /// of its uses.
    pub(in crate::front::infer) fn unknown_size(
        &self,
        name: &str,
        names: &Environment<'_>,
    ) -> Option<NameMistake> {
        let mistake = match self.unknown_name(name, names) {
            NameMistake::Unknown { name, similar: None, .. } if is_upper(&name) => {
                match self.sizes_of_parameters.contains(&name.as_str()) {
                    true => NameMistake::UndeclaredSize(name),
                    false => NameMistake::UnknownSize(name),
                }
            }
            other => other,
        };
        let is_known =
            |error: &Error| matches!(&error.mistake, Mistake::Name(known) if mistake.repeats(known));
        (!self.errors.iter().any(is_known)).then_some(mistake)
    }

    fn nearest_name(&self, name: &str, names: &Environment<'_>) -> Option<String> {
        let mut candidates: Vec<String> = names.names().into_iter().map(str::to_owned).collect();
        candidates.extend(self.items.names().map(str::to_owned));
        for row in Primitive::ALL {
            candidates.push(row.name.to_owned());
            candidates.extend(row.synonyms.iter().map(|&synonym| synonym.to_owned()));
        }
        candidates.extend(Builtin::ALL.iter().map(|row| row.1.to_owned()));
        candidates.extend(OPERATORS.iter().map(|&operator| operator.to_owned()));
        nearest(name, candidates)
    }

    /// The mistake of `xs.split(4)`: a receiver is the first argument, and the data of a primitive is its
    /// last.
    pub(in crate::front::infer) fn no_method(&self, method: &Expr, names: &Environment<'a>) -> Option<Error> {
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
    pub(in crate::front::infer) fn hidden_function(&self, expr: &Expr, value: &typed::Expr) -> Option<Error> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        if !is_function_of_the_language(name) && !is_reserved(name) {
            return None;
        }
        let mistake = NameMistake::Hidden { name: name.clone(), ty: self.known_roughly(&value.ty) };
        Some(Error::new(expr.source, mistake))
    }
}
