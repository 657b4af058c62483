//! Stages of scans that are divided among the work-items of the device.

use std::rc::Rc;

use super::{Lifted, Stages};
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind};
use crate::middle::lower::context::{Context, Destination};
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::producers::takes_a_loop;
use crate::middle::lower::scan::{self, holds_divisible_scan, is_divisible};

impl Stages<'_> {
    /// The prefixes of a divided scan; its stages are added to `lifted`. `None` if a work-item computes the
    /// scan in order.
    pub(super) fn divided_scan(
        &mut self,
        scan: &Rc<Expr>,
        then: Vec<Lambda>,
        context: &Context,
        lifted: &mut Lifted,
    ) -> Option<Rc<Expr>> {
        let ExprKind::Scan(kind, function, initial, input) = &scan.kind else { return None };
        let is_for_device =
            context.is_outside_functions() || (!self.taken_at_its_word && context.is_closed(scan));
        let functions = &self.program.functions;
        let is_divided = self.divides_scans() && is_divisible(scan, functions);
        if context.destination == Destination::Named || !is_for_device || !is_divided {
            return None;
        }
        // Every element is read twice, for the totals and for the prefixes. The last element also fills the
        // last tile.
        let times = if takes_a_loop(input) { Multiplicity::Many } else { Multiplicity::Known(2) };
        let input = self.lift(input, &Context::outside_functions(times), lifted);
        let initial = self.lift(initial, &Context::outside_functions(Multiplicity::ONCE), lifted);
        let kind = ExprKind::Scan(*kind, function.clone(), initial, input);
        let scan = scan.with_kind(kind);
        let divided = scan::divide(&scan, then, &self.program.functions, &mut self.build)?;
        lifted.extend(divided.stages);
        Some(divided.prefixes)
    }

    /// The same for maps over a scan, which are applied to the prefixes where they are computed.
    pub(super) fn divided_and_mapped(
        &mut self,
        expr: &Rc<Expr>,
        context: &Context,
        lifted: &mut Lifted,
    ) -> Option<Rc<Expr>> {
        let mut maps = Vec::new();
        let mut input = expr;
        while let ExprKind::Map(MapKind::Unspecified, function, of) = &input.kind {
            let is_simple = function.index.is_none() && function.body.ty.is_element();
            if !is_simple || takes_a_loop(&function.body) {
                return None;
            }
            maps.push((input, function));
            input = of;
        }
        if !self.divides_scans() || !is_divisible(input, &self.program.functions) {
            return None;
        }
        let mut then = Vec::new();
        for (map, function) in maps.into_iter().rev() {
            let body = self.lift_part(&function.body, map, context, lifted);
            then.push(Lambda { body, ..function.clone() });
        }
        self.divided_scan(input, then, context, lifted)
    }

    /// Whether a scan that is divided stands anywhere in an expression.
    pub(super) fn holds_divided_scan(&self, expr: &Expr) -> bool {
        self.divides_scans() && holds_divisible_scan(expr, &self.program.functions)
    }

    /// Whether scans are divided wherever they may be.
    fn divides_scans(&self) -> bool {
        self.program.strategy.divides_scans()
    }
}
