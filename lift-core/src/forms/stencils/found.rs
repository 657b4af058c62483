//! Where a program has stencils: in what it stores, which are its results and what other stages read.

use std::rc::Rc;

use super::rows::is_border;
use super::stencil::{Around, Place, Stencil};
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind, Path};
use crate::middle::rewrite::Pattern;

/// The stencils of a program.
#[derive(Default)]
pub(super) struct Found {
    /// Outer ones first.
    pub(super) stencils: Vec<Stencil>,
    /// Where maps are whose results are stored, outer ones first.
    pub(super) maps: Vec<Path>,
    /// The names of the arrays that windows are made of.
    read_by_windows: Vec<u32>,
    /// The names of other views of arrays, whose rows may lie elsewhere.
    views: Vec<u32>,
}

impl Found {
    /// Looks through the body of a program.
    pub(super) fn in_body(body: &Rc<Expr>) -> Found {
        let mut found = Found::default();
        found.look(body, &Path::root(), Place::Result);
        found
    }

    /// Looks at an expression whose value is stored.
    fn look(&mut self, expr: &Rc<Expr>, here: &Path, place: Place) {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let views = bindings.iter().filter(|binding| Pattern::View.matches(&binding.value));
                self.views.extend(views.map(|binding| binding.variable.id));
                self.look(body, &here.child(bindings.len()), place);
                for (position, binding) in bindings.iter().enumerate().rev() {
                    if self.read_by_windows.contains(&binding.variable.id) {
                        self.look(&binding.value, &here.child(position), Place::Between);
                    }
                }
            }
            ExprKind::Iterate(_, function, input) => {
                self.look(&function.body, &here.child(1), Place::Result);
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
    fn look_at_map(&mut self, map: &Rc<Expr>, here: &Path, place: Place, around: &Around) {
        let ExprKind::Map(MapKind::Unspecified, function, input) = &map.kind else { return };
        self.maps.push(here.clone());
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
    fn look_behind_windows(&mut self, array: &Rc<Expr>, here: &Path, in_windows: bool) {
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
