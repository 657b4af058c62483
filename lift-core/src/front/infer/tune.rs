//! `tune(name, [v1, v2, …])`: a size that a tuner chooses.

use super::Inference;
use crate::diagnostic::Diagnostic;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::nat::Nat;
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::typed::Tunable;

impl<'a> Inference<'a> {
    /// The first choice, which the program uses; the others are noted. None after a mistake.
    pub(super) fn tune(&mut self, arguments: &[&'a Expr], source: Source) -> Option<Nat> {
        let [name, choices] = arguments else {
            let message = format!("`tune` takes 2 arguments, and is given {}", arguments.len());
            self.report(Diagnostic::new(source, message).with_help("`tune(TILE, [8, 16, 32])`"));
            return None;
        };
        let ExprKind::Name(written) = &name.kind else {
            let message = "the first argument of `tune` is a name for the choice";
            self.report(Diagnostic::new(name.source, message).with_help("`tune(TILE, [8, 16, 32])`"));
            return None;
        };
        let values = self.choices(choices)?;
        let first = *values.first()?;
        match self.tunables.iter().find(|known| known.name == *written) {
            Some(known) if known.values != values => {
                let known: Vec<String> = known.values.iter().map(u64::to_string).collect();
                let message = format!("`{written}` has the choices [{}] elsewhere", known.join(", "));
                let help = "one name is one choice in the whole kernel; use another name for another choice";
                self.report(Diagnostic::new(source, message).with_help(help));
                return None;
            }
            Some(_) => {}
            None => self.tunables.push(Tunable { name: written.clone(), values }),
        }
        Some(Nat::constant(i128::from(first)))
    }

    fn choices(&mut self, choices: &'a Expr) -> Option<Vec<u64>> {
        let mistake = match &choices.kind {
            ExprKind::Array(elements) if !elements.is_empty() => {
                let values: Result<Vec<u64>, Source> = elements.iter().map(literal).collect();
                match values {
                    Ok(values) => return Some(values),
                    Err(source) => Diagnostic::new(source, "a choice of `tune` is a number"),
                }
            }
            ExprKind::Array(_) => Diagnostic::new(choices.source, "`tune` needs at least one choice"),
            ExprKind::Error => {
                self.poisoned = true;
                return None;
            }
            _ => Diagnostic::new(choices.source, "the second argument of `tune` lists the choices"),
        };
        self.report(mistake.with_help("`tune(TILE, [8, 16, 32])`: the first is used where nothing is tuned"));
        None
    }
}

fn literal(expr: &Expr) -> Result<u64, Source> {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(value), _) => u64::try_from(*value).map_err(|_| expr.source),
        _ => Err(expr.source),
    }
}
