//! Stages of scans that are divided among the work-items of the device.

use std::sync::Arc;

use super::Stages;
use super::tree::{Made, To};
use crate::ir::nat::Nat;
use crate::ir::typed::build::uses;
use crate::ir::typed::{Binding, Expr, ExprKind};
use crate::middle::lower::context::{Context, Destination};
use crate::middle::lower::cooperation::SharingRowScans;
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::producers::takes_a_loop;
use crate::middle::lower::scan::{self, holds_divisible_scan, leaves_scans};
use crate::middle::rewrite::rules::{JOIN_SPLIT, LET_INLINE, STORE_BETWEEN, STORE_TO_GLOBAL, maps_of_values};
use crate::middle::rewrite::{Argument, Failure, Strategy};

/// The positions of the parts of a scan and of a map.
const SCANNED: usize = 0;
const INITIAL: usize = 1;
const MAPPED: usize = 0;
const BODY: usize = 1;

impl Stages<'_, '_> {
    /// The division of a scan in this context. `None` if a work-item computes it in order.
    pub(super) fn division(&self, scan: &Arc<Expr>, context: &Context) -> Option<Strategy> {
        if !matches!(scan.kind, ExprKind::Scan(..)) || context.destination == Destination::Named {
            return None;
        }
        let is_for_device =
            context.is_outside_functions() || (!self.taken_at_its_word && context.is_closed(scan));
        let division = || scan::divided_scan(scan, self.program);
        (is_for_device && self.divides_scans()).then(division).flatten()
    }

    /// Divides a scan that has become a stage, where it is stored.
    pub(super) fn divided_scan(&mut self, scan: &Arc<Expr>, division: Strategy) -> Result<(), Failure> {
        self.tree.enter(0);
        self.parts_of_scan(scan, &[])?;
        let made = self.tree.run_binding(division)?;
        self.tree.float_made(made)?;
        self.tree.leave();
        self.tree.apply(&STORE_TO_GLOBAL)
    }

    /// The same for a scan that a `let` binds outside of all functions.
    pub(super) fn divided_scan_of_let(
        &mut self,
        scan: &Arc<Expr>,
        division: Strategy,
    ) -> Result<(), Failure> {
        self.tree.apply(&STORE_BETWEEN)?;
        self.divided_scan(scan, division)
    }

    /// The input and the initial value of a scan that is divided, which stands at a place that starts here.
    fn parts_of_scan(&mut self, scan: &Arc<Expr>, place: &[usize]) -> Result<(), Failure> {
        let ExprKind::Scan(_, _, initial, input) = &scan.kind else { return Ok(()) };
        // Every element is read twice, for the totals and for the prefixes. The last element also fills the
        // last tile.
        let times = if takes_a_loop(input) { Multiplicity::Many } else { Multiplicity::Known(2) };
        let context = Context::outside_functions(times);
        self.part(&[place, &[SCANNED]].concat(), input, &context, &context)?;
        let context = Context::outside_functions(Multiplicity::ONCE);
        self.part(&[place, &[INITIAL]].concat(), initial, &context, &context)
    }

    /// Divides a scan with the maps over it, which are applied to the prefixes where they are computed.
    /// Returns whether the expression is one.
    pub(super) fn divided_and_mapped(
        &mut self,
        expr: &Arc<Expr>,
        context: &Context,
    ) -> Result<bool, Failure> {
        let (maps, scan) = maps_of_values(expr);
        let Some(division) = self.division(scan, context) else { return Ok(false) };
        if maps.iter().any(|function| takes_a_loop(&function.body)) {
            return Ok(false);
        }
        let mut map = expr;
        let mut bodies = Vec::new();
        for function in maps {
            bodies.push((&function.body, context.of_part(&function.body, map, &self.counting)));
            map = map.input().unwrap_or(map);
        }
        for (depth, (body, inner)) in bodies.iter().enumerate().rev() {
            let place = [vec![MAPPED; depth], vec![BODY]].concat();
            self.part(&place, body, inner, context)?;
        }
        let depth = bodies.len();
        self.parts_of_scan(scan, &vec![MAPPED; depth])?;
        let made = self.tree.run_binding(division)?;
        self.tree.float_made(made)?;
        Ok(true)
    }

    /// Divides the scans of the rows of a matrix, or of all matrices of an array. Returns whether everything
    /// about the expression is decided, because it was divided or the matrices have been joined.
    pub(super) fn divided_rows(&mut self, expr: &Arc<Expr>) -> Result<bool, Failure> {
        let ExprKind::Map(_, _, matrix) = &expr.kind else { return Ok(false) };
        let is_open = !self.taken_at_its_word;
        if is_open && scan::scans_rows_of_matrices(expr, self.tree.body(), self.program, self.row_scans) {
            self.tree.apply(&JOIN_SPLIT)?;
            self.tree.enter(0);
            let rows = self.tree.expr();
            if !self.divided_rows(&rows)? {
                self.inside(&rows, &Context::of_produced())?;
            }
            self.tree.leave();
            return Ok(true);
        }
        let division = scan::divided_rows(expr, self.tree.body(), self.program, self.row_scans);
        let Some(division) = division.filter(|_| is_open) else { return Ok(false) };
        // Tiles are read for their totals, and for the prefixes.
        let times = match self.row_scans {
            _ if takes_a_loop(matrix) => Multiplicity::Many,
            SharingRowScans::Alone | SharingRowScans::InTiles => Multiplicity::Known(2),
            SharingRowScans::InGroups | SharingRowScans::InSmallGroups => Multiplicity::ONCE,
        };
        let context = Context::outside_functions(times);
        self.part(&[MAPPED], matrix, &context, &context)?;
        let made = self.tree.run_binding(division)?;
        // Where one kernel does it, nothing is bound.
        if matches!(made, Made::Around(_)) || matches!(self.tree.expr().kind, ExprKind::Let { .. }) {
            self.tree.float_made(made)?;
        }
        Ok(true)
    }

    /// Divides the scans of rows that a stage stores, which a split has made.
    pub(super) fn divided_stage(&mut self, stage: usize) -> Result<(), Failure> {
        if self.row_scans == SharingRowScans::Alone {
            return Ok(());
        }
        self.tree.begin_floated(To::Stages, stage);
        // Inside of the store.
        self.tree.enter(0);
        self.divided_rest()?;
        self.tree.leave();
        self.tree.end();
        Ok(())
    }

    /// Divides the scans of rows that a split has left: what a row is reduced to, and arrays that are stored,
    /// have maps of their own now. Other arrays are computed where the scan reads them, unless that does work
    /// again.
    pub(super) fn divided_rest(&mut self) -> Result<(), Failure> {
        let rest = self.tree.expr();
        if self.row_scans == SharingRowScans::Alone || !leaves_scans(&rest, self.tree.body(), self.program) {
            return Ok(());
        }
        let Some(function) = rest.function_body() else { return Ok(()) };
        if let ExprKind::Let { bindings, .. } = &function.kind {
            let arrays = bindings.iter().enumerate().rev().filter(|(_, own)| !own.value.ty.is_element());
            let works_again = |own: &Binding| takes_a_loop(&own.value) || uses(function, &own.variable) > 1;
            if arrays.clone().any(|(_, own)| works_again(own)) {
                return Ok(());
            }
            for (position, _) in arrays {
                let position = Argument::Size(Nat::constant(position as i128));
                self.tree.run(Strategy::with(&LET_INLINE, position).in_function())?;
            }
        }
        self.divided_rows(&self.tree.expr())?;
        Ok(())
    }

    /// Whether a scan that is divided stands anywhere in an expression.
    pub(super) fn holds_divided_scan(&self, expr: &Expr) -> bool {
        self.divides_scans() && holds_divisible_scan(expr, self.program)
    }

    /// Whether scans are divided wherever they may be.
    fn divides_scans(&self) -> bool {
        self.program.strategy.divides_scans()
    }
}
