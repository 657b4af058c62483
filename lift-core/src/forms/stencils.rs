//! The form of stencils in two dimensions that have a window at every element: a work-item computes vectors of
//! neighbouring results, down a strip of rows that roll through its registers, so that it reads each row of
//! the strip once. In the plain form each work-item reads a window of its own.
//!
//! Only stencils whose results the plain form stores as well are taken: those that a program ends with, and
//! those that other windows are made of. What is computed of single results goes on where these are computed
//! then; it would become a kernel of its own behind such a strip.

use std::rc::Rc;

use super::defaults::{
    LARGEST_WINDOW, LONG_STRIP, MANY_ELEMENTS, REGISTER_VECTOR, SHORT_STRIP, TALL_WINDOW, WIDE_RESULTS,
};
use super::left_out::Reason;
use super::{Candidate, at_least, different};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, Layout, Path, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::Neighbourhoods;
use crate::middle::rewrite::strategies::rolling_rows;
use crate::middle::rewrite::{Argument, Pattern, Rewriter, Strategy};

/// The name of the form.
const NAME: &str = "rollingRows";

/// The form of a program with such stencils.
///
/// # Errors
/// Says why there is none.
pub(super) fn form(program: &Program) -> Result<Candidate, Reason> {
    let mut found = Found::default();
    found.look(&program.body, &Path::root());
    if found.stencils.is_empty() {
        return Err(Reason::NoWindows);
    }
    found.stencils.retain(Stencil::is_small);
    if found.stencils.is_empty() {
        return Err(Reason::LargeWindows);
    }
    let mut rewriter = Rewriter::new(program);
    // Inner ones first: those around them stay where they are.
    let stencils = found.stencils.iter().rev();
    let rolled: Vec<&Stencil> = stencils.filter(|stencil| rewriter.run(&stencil.rolled()).is_ok()).collect();
    if rolled.is_empty() {
        return Err(Reason::NoVectorsOfWindows);
    }
    let thresholds = different(rolled.iter().flat_map(|stencil| stencil.thresholds()));
    let selection = Selection { thresholds, ..Selection::new(NAME, DeviceClass::Accelerator) };
    let form =
        Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::NoVectorsOfWindows)?;
    if form.is_ever_chosen(program) { Ok(form) } else { Err(Reason::FewElements) }
}

/// Whether a form is this one. It is for sizes that vectors and strips divide, and leaves others.
pub(super) fn is_for_stencils(form: &Candidate) -> bool {
    form.selection.name == NAME
}

/// The stencils of a program, outer ones first.
#[derive(Default)]
struct Found {
    stencils: Vec<Stencil>,
    /// The names of the arrays that windows are made of.
    read_by_windows: Vec<u32>,
}

impl Found {
    /// Looks at an expression whose value is stored.
    fn look(&mut self, expr: &Rc<Expr>, here: &Path) {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                self.look(body, &here.child(bindings.len()));
                for (position, binding) in bindings.iter().enumerate().rev() {
                    if self.read_by_windows.contains(&binding.variable.id) {
                        self.look(&binding.value, &here.child(position));
                    }
                }
            }
            ExprKind::Iterate(_, function, input) => {
                self.look(&function.body, &here.child(1));
                self.look(input, &here.child(0));
            }
            ExprKind::Tuple(parts) => {
                parts.iter().enumerate().for_each(|(position, part)| self.look(part, &here.child(position)));
            }
            ExprKind::Map(_, _, input) => {
                self.stencils.extend(Stencil::read(expr, here));
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
            ExprKind::Map(_, function, input) if Pattern::View.matches(&function.body) => {
                self.look_behind_windows(input, &here.child(0), in_windows);
            }
            ExprKind::Variable(variable) if in_windows => self.read_by_windows.push(variable.id),
            _ if in_windows => self.look(array, here),
            _ => {}
        }
    }
}

/// A stencil that work-items can compute in strips.
struct Stencil {
    place: Path,
    /// The number of rows of a window.
    rows: i128,
    /// The size of a window in registers of 32 bits.
    registers: i128,
    /// The size of an element in bytes.
    bytes: i128,
    /// The results.
    results: Type,
}

impl Stencil {
    fn read(expr: &Rc<Expr>, place: &Path) -> Option<Stencil> {
        let windows = Neighbourhoods::read(expr)?;
        let [rows, columns] = windows.sides.each_ref().map(Nat::as_constant);
        let (rows, columns) = (rows?, columns?);
        let bytes = windows.array.ty.innermost().constant_bytes()?;
        let registers = rows * columns * (bytes + 3) / 4;
        let place = place.clone();
        (rows * columns > 1).then(|| Stencil { place, rows, registers, bytes, results: expr.ty.clone() })
    }

    fn is_small(&self) -> bool {
        self.registers <= LARGEST_WINDOW
    }

    /// The step that divides it among work-items.
    fn rolled(&self) -> Strategy {
        let results = if self.rows > TALL_WINDOW { LONG_STRIP } else { SHORT_STRIP };
        let strip = Nat::constant(results + self.rows - 1);
        let width = if self.bytes > 4 { REGISTER_VECTOR / 2 } else { REGISTER_VECTOR };
        Strategy::At(self.place.clone(), rolling_rows(Argument::Width(width), &strip).into())
    }

    /// That there are enough results for all work-items of a GPU, and for those of a group beside each other.
    fn thresholds(&self) -> impl Iterator<Item = Guard> {
        let are_many = at_least(&self.results.element_count(), MANY_ELEMENTS);
        let width = self.results.as_array().and_then(|rows| rows.element.as_array()).map(|row| &row.length);
        let are_wide = width.and_then(|width| at_least(width, WIDE_RESULTS));
        are_many.into_iter().chain(are_wide)
    }
}
