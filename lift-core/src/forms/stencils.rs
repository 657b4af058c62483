//! The forms of stencils in two dimensions that have a window at every element. In the plain form each
//! work-item reads a window of its own.
//!
//! - `rollingRows`, for small windows: a work-item computes vectors of neighbouring results, down a strip
//!   of rows that roll through its registers, so that it reads each row of the strip once.
//! - `windowTiles`, for reductions of larger ones: a group copies what a tile of results needs to local
//!   memory, and a work-item adds each row that it reads to the results of a block, in registers.
//!
//! Only stencils are taken whose results the plain form stores as they are: the results of the program, and
//! those that other windows are made of. If a program computes something of single results, the plain form
//! does that in the same kernel, but behind a strip or a tile it would need a kernel of its own. Such
//! stencils are left alone.

use std::rc::Rc;

use super::defaults::{
    BLOCK_OF_RESULTS, FULL_WINDOW, LARGE_WINDOW, LONG_STRIP, LONGEST_SIDE, MANY_ELEMENTS, MANY_WINDOWS,
    MOST_REGISTERS, SHORT_STRIP, TALL_WINDOW, TILE_BYTES, TILE_OF_RESULTS, VECTOR_BYTES, WIDE_RESULTS,
    WIDEST_WINDOW, WIDTHS_OF_RESULTS,
};
use super::left_out::Reason;
use super::{Candidate, at_least, different, is_size};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Expr, ExprKind, Layout, Path, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{Neighbourhoods, STORE_BETWEEN};
use crate::middle::rewrite::strategies::{rolling_rows_of_any_number, window_tiles_of_any_size};
use crate::middle::rewrite::{Argument, Pattern, Rewriter, Strategy};

/// The form in which rows roll through registers. Larger windows in other stages of the program have tiles.
///
/// # Errors
/// Says why there is none.
pub(super) fn rolling_rows(program: &Program) -> Result<Candidate, Reason> {
    let found = Found::in_program(program)?;
    if !found.iter().any(Stencil::is_small) {
        return Err(Reason::LargeWindows);
    }
    let of_both: Vec<&Stencil> =
        found.iter().filter(|stencil| stencil.is_small() || stencil.is_large()).collect();
    let strategy =
        |stencil: &Stencil| if stencil.is_small() { stencil.rolled() } else { Some(stencil.tiled()) };
    let worth = |stencil: &Stencil| match stencil.is_small() {
        true => stencil.worth_rolling(),
        false => stencil.worth_tiling(),
    };
    form("rollingRows", program, &of_both, strategy, worth).and_then(|(form, made)| {
        let has_rolled = made.iter().any(|stencil| stencil.is_small());
        if has_rolled { Ok(form) } else { Err(Reason::OtherWindows) }
    })
}

/// The form in which groups copy tiles of windows.
///
/// # Errors
/// Says why there is none.
pub(super) fn window_tiles(program: &Program) -> Result<Candidate, Reason> {
    let found = Found::in_program(program)?;
    let large: Vec<&Stencil> = found.iter().filter(|stencil| stencil.is_large()).collect();
    if large.is_empty() {
        return Err(Reason::SmallWindows);
    }
    let made = form("windowTiles", program, &large, |stencil| Some(stencil.tiled()), Stencil::worth_tiling);
    made.map(|(form, _)| form)
}

/// Whether a form is for vectors, so that there are sizes that it is not for.
pub(super) fn is_for_vectors_of_windows(form: &Candidate) -> bool {
    form.selection.name == "rollingRows"
}

/// The form that a strategy makes, with the thresholds of the stencils that the strategy fits; and these
/// stencils.
fn form<'s>(
    name: &str,
    program: &Program,
    stencils: &[&'s Stencil],
    strategy: fn(&Stencil) -> Option<Strategy>,
    thresholds: fn(&Stencil) -> Vec<Guard>,
) -> Result<(Candidate, Vec<&'s Stencil>), Reason> {
    let mut rewriter = Rewriter::new(program);
    // Inner ones first: those around them stay where they are.
    let stencils = stencils.iter().rev().copied();
    let mut is_made =
        |stencil: &&Stencil| strategy(stencil).is_some_and(|strategy| rewriter.run(&strategy).is_ok());
    let made: Vec<_> = stencils.filter(&mut is_made).collect();
    if made.is_empty() {
        return Err(Reason::OtherWindows);
    }
    let thresholds = different(made.iter().flat_map(|stencil| thresholds(stencil)));
    let selection = Selection { thresholds, ..Selection::new(name, DeviceClass::Accelerator) };
    let form = Candidate::rewritten(selection, rewriter.rewritten()).map_err(|_| Reason::OtherWindows)?;
    if form.is_ever_chosen(program) { Ok((form, made)) } else { Err(Reason::NoSizes) }
}

/// The stencils of a program, outer ones first.
#[derive(Default)]
struct Found {
    stencils: Vec<Stencil>,
    /// The names of the arrays that windows are made of.
    read_by_windows: Vec<u32>,
    /// The names of other views of arrays, whose rows may lie elsewhere.
    views: Vec<u32>,
}

impl Found {
    /// The stencils of a program.
    ///
    /// # Errors
    /// Says that there are none.
    fn in_program(program: &Program) -> Result<Vec<Stencil>, Reason> {
        let mut found = Found::default();
        found.look(&program.body, &Path::root(), Place::Result);
        let mut stencils = found.stencils;
        stencils.retain(|stencil| stencil.is_known_before_launch(program) && stencil.may_be_large());
        if stencils.is_empty() { Err(Reason::NoWindows) } else { Ok(stencils) }
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
enum Place {
    /// They are results of the program, or of an application of an `iterate`: written where they belong.
    Result,
    /// Another stage reads them.
    Between,
}

/// A stencil.
struct Stencil {
    path: Path,
    place: Place,
    /// The numbers of rows and of columns of a window.
    sides: [i128; 2],
    /// The size of an element in bytes.
    bytes: i128,
    /// The results.
    results: Type,
    /// The length of the rows that windows are read from, as they lie in memory; `None` where they are not
    /// rows there, or begin elsewhere.
    row: Option<Nat>,
}

impl Stencil {
    fn read(expr: &Rc<Expr>, path: &Path, place: Place, views: &[u32]) -> Option<Stencil> {
        let windows = Neighbourhoods::read(expr)?;
        let [rows, columns] = windows.sides.each_ref().map(Nat::as_constant);
        let sides = [rows?, columns?];
        if sides.iter().any(|side| *side > LONGEST_SIDE) {
            return None;
        }
        let bytes = windows.array.ty.innermost().constant_bytes()?;
        let row = row_in_memory(windows.array, false, views);
        let stencil = Stencil { path: path.clone(), place, sides, bytes, results: expr.ty.clone(), row };
        (stencil.elements() > 1).then_some(stencil)
    }

    /// Whether a launcher knows the numbers of results and of elements in a row before the first kernel. It
    /// does not know them where they depend on the application of an `iterate`.
    fn is_known_before_launch(&self, program: &Program) -> bool {
        let mut variables = self.results.element_count().variables();
        variables.extend(self.row.iter().flat_map(Nat::variables));
        variables.iter().all(|variable| is_size(variable, &program.sizes))
    }

    /// Whether there may be enough results.
    fn may_be_large(&self) -> bool {
        self.results.element_count().as_constant().is_none_or(|count| count >= self.least_results())
    }

    /// The number of results from which on there are enough.
    fn least_results(&self) -> i128 {
        if self.elements() < FULL_WINDOW { MANY_ELEMENTS } else { MANY_WINDOWS }
    }

    /// The number of elements of a window.
    fn elements(&self) -> i128 {
        self.sides[0] * self.sides[1]
    }

    fn is_small(&self) -> bool {
        self.width().is_some() && self.row.is_some()
    }

    fn is_large(&self) -> bool {
        let tile = self.tile();
        self.elements() >= LARGE_WINDOW
            && self.sides[1] <= WIDEST_WINDOW
            && tile[0] * tile[1] * self.bytes <= TILE_BYTES
    }

    /// The rows and columns that a group reads.
    fn tile(&self) -> [i128; 2] {
        [0, 1].map(|side| TILE_OF_RESULTS[side] + self.sides[side] - 1)
    }

    /// The step that lets rows roll through registers.
    fn rolled(&self) -> Option<Strategy> {
        let results = if self.sides[0] > TALL_WINDOW { LONG_STRIP } else { SHORT_STRIP };
        let strip = results + self.sides[0] - 1;
        let strategy = rolling_rows_of_any_number(Argument::Width(self.width()?), results, strip);
        Some(self.stored(strategy))
    }

    /// The step that divides results into tiles.
    fn tiled(&self) -> Strategy {
        let block = [0, 1].map(|side| BLOCK_OF_RESULTS[side] + self.sides[side] - 1);
        let strategy = window_tiles_of_any_size(TILE_OF_RESULTS, self.tile(), block);
        self.stored(strategy)
    }

    /// A strategy at the stencil. Work-items compute results strip by strip or tile by tile. Results that
    /// another stage reads are stored row by row, so that neighbouring work-items read neighbours there.
    fn stored(&self, strategy: Strategy) -> Strategy {
        let strategy = match self.place {
            Place::Result => strategy,
            Place::Between => Strategy::in_order([strategy, Strategy::rule(&STORE_BETWEEN)]),
        };
        Strategy::At(self.path.clone(), strategy.into())
    }

    /// The width of vectors; `None` where those of a window do not fit registers.
    fn width(&self) -> Option<u8> {
        let registers = self.elements() * ((self.bytes + 3) / 4);
        WIDTHS_OF_RESULTS.into_iter().find(|width| {
            let width = i128::from(*width);
            width * self.bytes <= VECTOR_BYTES && registers * width <= MOST_REGISTERS
        })
    }

    /// That there are enough results for all work-items of a GPU, and for those of a group beside each other;
    /// and that vectors begin where memory has them.
    fn worth_rolling(&self) -> Vec<Guard> {
        let are_many = at_least(&self.results.element_count(), self.least_results());
        let width = self.results.as_array().and_then(|rows| rows.element.as_array()).map(|row| &row.length);
        let are_wide = width.and_then(|width| at_least(width, WIDE_RESULTS));
        are_many.into_iter().chain(are_wide).chain(self.begins_with_vectors()).collect()
    }

    /// That vectors fill the rows in memory.
    fn begins_with_vectors(&self) -> Option<Guard> {
        let width = Nat::constant(i128::from(self.width()?));
        let condition = Condition::Equal(self.row.as_ref()?.modulo(&width), Nat::zero());
        match condition.as_constant() {
            Some(true) => None,
            _ => Some(Guard { text: condition.to_string(), condition }),
        }
    }

    /// That there are enough results for all groups of a GPU.
    fn worth_tiling(&self) -> Vec<Guard> {
        at_least(&self.results.element_count(), self.least_results()).into_iter().collect()
    }
}

/// The length of the rows that an array has in memory, where its own rows are these, maybe with borders; or
/// its columns, where it is `turned`. For arrays with these names, `views`, it is not known.
fn row_in_memory(array: &Expr, turned: bool, views: &[u32]) -> Option<Nat> {
    let own = || array.ty.as_array()?.element.as_array().map(|row| row.length.clone()).filter(|_| !turned);
    match &array.kind {
        ExprKind::Variable(variable) => own().filter(|_| !views.contains(&variable.id)),
        ExprKind::Let { body: input, .. }
        | ExprKind::Layout(Layout::Pad { .. }, input)
        | ExprKind::PadConstant { input, .. } => row_in_memory(input, turned, views),
        ExprKind::Layout(Layout::Transpose, input) => row_in_memory(input, !turned, views),
        ExprKind::Map(_, function, input) => match &function.body.kind {
            _ if is_border(&function.body) => row_in_memory(input, turned, views),
            // What is computed of single elements is read where these lie; what windows give is stored.
            ExprKind::Map(_, _, row) if matches!(row.kind, ExprKind::Variable(_)) && !has_windows(input) => {
                row_in_memory(input, turned, views)
            }
            _ => own().filter(|_| !Pattern::View.matches(&function.body)),
        },
        ExprKind::Zip(parts) => {
            let mut rows = parts.iter().map(|part| row_in_memory(part, turned, views));
            let first = rows.next()??;
            rows.all(|row| row.as_ref() == Some(&first)).then_some(first)
        }
        _ => None,
    }
}

/// Whether the body of a function only adds a border to its parameter.
fn is_border(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Layout(Layout::Pad { .. }, row) | ExprKind::PadConstant { input: row, .. } => {
            matches!(row.kind, ExprKind::Variable(_))
        }
        _ => false,
    }
}

/// Whether the elements of an array are windows of another one, or lie beside such.
fn has_windows(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Layout(Layout::Slide { .. }, _) => true,
        ExprKind::Layout(_, input) => has_windows(input),
        ExprKind::Map(_, function, input) => Pattern::View.matches(&function.body) && has_windows(input),
        ExprKind::Zip(parts) => parts.iter().any(|part| has_windows(part)),
        _ => false,
    }
}
