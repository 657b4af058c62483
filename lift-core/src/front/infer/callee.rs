//! What is wrong with what is called: no such function, no method, or a variable of that name.

use super::Inference;
use super::environment::Environment;
use super::message::{SCOPE_OF_ITEMS, is_function_of_the_language};
use crate::diagnostic::Diagnostic;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::primitive::{ArgumentKind, Primitive};
use crate::ir::source::Source;
use crate::ir::typed;

impl<'a> Inference<'a> {
    /// What an unknown name gets where a function is needed.
    pub(super) fn unknown_function(&self, name: &str, source: Source, names: &Environment<'a>) -> Diagnostic {
        if let Some(help) = outside_of_dimensions(name) {
            return Diagnostic::new(source, format!("unknown function `{name}`")).with_help(help);
        }
        let mut diagnostic = self.unknown_name(name, source, names);
        diagnostic.message = diagnostic.message.replace("unknown name", "unknown function");
        if diagnostic.help.as_deref().is_none_or(|help| help == SCOPE_OF_ITEMS) {
            let help = "functions are those of the language, `|x| …`, and the items of this `lift!`";
            diagnostic.help = Some(help.to_owned());
        }
        diagnostic
    }

    /// A receiver is the first argument, which the data of a primitive is not.
    pub(super) fn no_method(&self, method: &Expr, names: &Environment<'a>) -> Option<Diagnostic> {
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
                let message = format!("arrays have no method `{name}`");
                let help = match row.arguments.split_last() {
                    Some(((data, ArgumentKind::Value | ArgumentKind::Values), before)) => {
                        let before: Vec<&str> = before.iter().map(|(name, _)| *name).collect();
                        format!("write `{data} >> {name}({})`, or `{}`", before.join(", "), row.call())
                    }
                    Some(_) | None => format!("write `{}`", row.call()),
                };
                Some(Diagnostic::new(method.source, message).with_help(help))
            }
        }
    }

    /// A value that has the name of a function of the language, where that function was meant.
    pub(super) fn hidden_function(&self, expr: &Expr, value: &typed::Expr) -> Option<Diagnostic> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        if !is_function_of_the_language(name) && !Self::is_reserved(name) {
            return None;
        }
        let ty = match self.unknowns.class(&value.ty) {
            Some(_) => "a number".to_owned(),
            None => self.show(&value.ty),
        };
        let message = format!("`{name}` is a variable here, {ty}, which hides the `{name}` of the language");
        Some(Diagnostic::new(expr.source, message).with_help("give the variable another name"))
    }
}

/// What to say of `mapGlb3`: OpenCL has three dimensions.
fn outside_of_dimensions(name: &str) -> Option<String> {
    let level = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let known = ["mapGlb", "mapWrg", "mapLcl", "mapGlobal", "mapWorkgroup", "mapLocal"];
    (known.contains(&level) && level != name)
        .then(|| format!("OpenCL has three dimensions: `{level}0`, `{level}1` and `{level}2`"))
}
