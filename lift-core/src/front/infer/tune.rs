//! `tune(name, [v1, v2, …])`: a size that a tuner chooses.

use super::error::{Error, SizeMistake};
use super::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::nat::Nat;
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::typed::Tunable;

impl<'a> Inference<'a> {
    /// The first choice, which the program uses. The others are recorded for a tuner. `None` after a mistake.
    pub(super) fn tune(&mut self, arguments: &[&'a Expr], source: Source) -> Option<Nat> {
        let [name, choices] = arguments else {
            self.report(Error::new(source, SizeMistake::TuneArguments { given: arguments.len() }));
            return None;
        };
        let ExprKind::Name(written) = &name.kind else {
            self.report(Error::new(name.source, SizeMistake::TuneName));
            return None;
        };
        let values = self.choices(choices)?;
        let first = *values.first()?;
        match self.tunables.iter().find(|known| known.name == *written) {
            Some(known) if known.values != values => {
                let (name, known) = (written.clone(), known.values.clone());
                self.report(Error::new(source, SizeMistake::TuneChoices { name, known }));
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
                    Err(source) => Error::new(source, SizeMistake::TuneChoice),
                }
            }
            ExprKind::Array(_) => Error::new(choices.source, SizeMistake::TuneNothing),
            ExprKind::Error => {
                self.poisoned = true;
                return None;
            }
            _ => Error::new(choices.source, SizeMistake::TuneNoList),
        };
        self.report(mistake);
        None
    }
}

fn literal(expr: &Expr) -> Result<u64, Source> {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(value), _) => u64::try_from(*value).map_err(|_| expr.source),
        _ => Err(expr.source),
    }
}
