//! Maps that are split: `fission` says into which ones, and the steps are applied here.

use std::sync::Arc;

use super::Stages;
use crate::ir::typed::{Expr, ExprKind};
use crate::middle::lower::fission::{Level, Step, before_layout, below_layouts, inner_levels, steps};
use crate::middle::rewrite::Failure;

impl Stages<'_, '_> {
    /// Splits a map that is seen through layouts, and those in its function.
    pub(super) fn split(&mut self, expr: &Arc<Expr>) -> Result<(), Failure> {
        let (map, layouts) = below_layouts(expr);
        (0..layouts).for_each(|_| self.tree.enter(0));
        for level in inner_levels(map, &self.program.functions) {
            self.split_in_function(&level)?;
        }
        for step in steps(&self.tree.expr(), &self.program.functions) {
            match step {
                Step::Inside(strategy) => self.tree.run(strategy)?,
                Step::Binding(strategy) => {
                    let made = self.tree.run_binding(strategy)?;
                    let stage = self.tree.float_made(made)?;
                    self.divided_stage(stage)?;
                }
            }
        }
        (0..layouts).for_each(|_| self.tree.leave());
        Ok(())
    }

    /// Splits a map in the function of the map here. What it leaves is bound in that function.
    fn split_in_function(&mut self, Level { place, layouts }: &Level) -> Result<(), Failure> {
        let mut map = place.clone();
        for step in steps(&self.tree.inside(place), &self.program.functions) {
            match step {
                Step::Inside(strategy) => self.tree.run_inside(&map, strategy)?,
                Step::Binding(strategy) => {
                    self.tree.run_inside(&map, strategy)?;
                    // It has become the body of a `let`, or goes on to be one.
                    let is_let =
                        |place: &[usize]| matches!(self.tree.inside(place).kind, ExprKind::Let { .. });
                    match map.split_last_mut() {
                        Some((last, outer)) if is_let(outer) => *last += 1,
                        _ => map.push(1),
                    }
                }
            }
        }
        let is_bound = map != *place;
        for inside in (1..=*layouts).filter(|_| is_bound) {
            self.tree.run_inside(&place[..place.len() - inside], before_layout())?;
        }
        Ok(())
    }
}
