//! Where a program has stencils: in what it stores, which are its results and what other stages read.

use std::sync::Arc;

use super::rows::{Memory, is_border};
use super::stencil::{Around, Place, Stencil};
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind, Path};
use crate::middle::rewrite::Pattern;
use crate::middle::rewrite::rules::arrays_of_nest;

/// The stencils of a program.
#[derive(Default)]
pub(super) struct Found {
    /// Outer ones first.
    pub(super) stencils: Vec<Stencil>,
    /// Where maps are whose results are stored, outer ones first.
    pub(super) maps: Vec<Path>,
    /// The names of what maps compute.
    named_maps: Vec<u32>,
    /// Those of them from outside of the `iterate` around. A stencil there that reads their elements would
    /// compute these in every application.
    outside: Vec<u32>,
    /// The names of the arrays that windows are made of.
    read_by_windows: Vec<u32>,
    /// The variables whose rows do not lie in memory as they are.
    views: Vec<u32>,
}

impl Found {
    /// Looks through the body of a program.
    pub(super) fn in_body(body: &Arc<Expr>) -> Found {
        let mut found = Found::default();
        found.look(body, &Path::root(), Place::Result);
        found
    }

    /// Looks at an expression whose value is stored.
    fn look(&mut self, expr: &Arc<Expr>, here: &Path, place: Place) {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                for binding in bindings {
                    if matches!(binding.value.kind, ExprKind::Map(..)) {
                        self.named_maps.push(binding.variable.id);
                    }
                    let memory = Memory { views: &self.views, is_stored: true };
                    if memory.is_view(&binding.value) {
                        self.views.push(binding.variable.id);
                    }
                }
                self.look(body, &here.child(bindings.len()), place);
                for (position, binding) in bindings.iter().enumerate().rev() {
                    if self.read_by_windows.contains(&binding.variable.id) {
                        self.look(&binding.value, &here.child(position), Place::Between);
                    }
                }
            }
            ExprKind::Iterate(_, function, input) => {
                let outside = std::mem::replace(&mut self.outside, self.named_maps.clone());
                self.look(&function.body, &here.child(1), Place::Result);
                self.outside = outside;
                self.look(input, &here.child(0), Place::Between);
            }
            ExprKind::Tuple(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.look(part, &here.child(position), place);
                }
            }
            ExprKind::Map(_, _, input) => {
                self.look_at_map(expr, here, place, &Around::default());
                self.look_behind_windows(input, &here.child(0), false);
            }
            _ => {}
        }
    }

    /// Looks at a map whose results are stored: it is a stencil, or each of its results has stencils.
    fn look_at_map(&mut self, map: &Arc<Expr>, here: &Path, place: Place, around: &Around) {
        let ExprKind::Map(MapKind::Unspecified, function, input) = &map.kind else { return };
        self.maps.push(here.clone());
        let is_outside = |array: &Arc<Expr>| match &array.kind {
            ExprKind::Variable(read) => self.outside.contains(&read.id),
            _ => false,
        };
        if arrays_of_nest(map).is_some_and(|arrays| arrays.iter().any(is_outside)) {
            return;
        }
        if let Some(stencil) = Stencil::read(map, here, place, around, &self.views) {
            self.stencils.push(stencil);
        } else {
            // The rows of a part lie where those of the whole lie.
            let are_parts = matches!(&input.kind, ExprKind::Variable(read) if !self.views.contains(&read.id));
            if !are_parts {
                self.views.extend(function.parameters.iter().map(|(parameter, _)| parameter.id));
            }
            self.look_at_map(&function.body, &here.child(1), place, &around.and(map, here));
        }
    }

    /// Looks for what windows are made of, which is stored because several of them read it.
    fn look_behind_windows(&mut self, array: &Arc<Expr>, here: &Path, in_windows: bool) {
        match &array.kind {
            ExprKind::Layout(layout, input) => {
                let in_windows = in_windows || matches!(layout, Layout::Slide { .. });
                self.look_behind_windows(input, &here.child(0), in_windows);
            }
            ExprKind::PadConstant { input, .. } => {
                self.look_behind_windows(input, &here.child(1), in_windows);
            }
            ExprKind::Zip(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.look_behind_windows(part, &here.child(position), in_windows);
                }
            }
            ExprKind::Map(_, function, input)
                if Pattern::View.matches(&function.body) || is_border(function) =>
            {
                self.look_behind_windows(input, &here.child(0), in_windows);
            }
            ExprKind::Variable(variable) if in_windows => self.read_by_windows.push(variable.id),
            _ if in_windows => self.look(array, here, Place::Between),
            _ => {}
        }
    }
}
