//! Where a program has stencils: in what it stores, which are its results and what other stages read.

use std::rc::Rc;

use super::rows::is_border;
use super::stencil::Stencil;
use crate::ir::typed::{Expr, ExprKind, Layout, Path};
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
                self.maps.push(here.clone());
                self.stencils.extend(Stencil::read(expr, here, place, &self.views));
                self.look_behind_windows(input, &here.child(0), false);
            }
            _ => {}
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
                if Pattern::View.matches(&function.body) || is_border(&function.body) =>
            {
                self.look_behind_windows(input, &here.child(0), in_windows);
            }
            ExprKind::Variable(variable) if in_windows => self.read_by_windows.push(variable.id),
            _ if in_windows => self.look(array, here, Place::Between),
            _ => {}
        }
    }
}

/// Where the results of a stencil go.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// They are results of the program, or of an application of an `iterate`: written where they belong.
    Result,
    /// Another stage reads them.
    Between,
}
