//! Decides which maps of the whole device become several maps, because their functions compute arrays on the
//! way (map fission, loop distribution; `map(g . f) = map(g) . map(f)` read from left to right, Steuwer et
//! al., ICFP 2015, figure 3d).
//!
//! Input: a map outside of all functions. In its function, `stages` has bound what is computed once for each
//! element: single values in `let`s, arrays as `Store(None, …)`. Output: whether the map is split, and how:
//! what of this gets a map of its own. The steps are `mapLetFission` for each of these; before it,
//! `letTogether` for single values that one map computes, and `mapStored` for an array that all these maps
//! read and that takes long to compute. Maps in functions are split first, so that what they leave is bound
//! in the function.
//!
//! As one map, each work-item computes everything for an element in order. Split, each stage has as many
//! parallel maps as it produces dimensions, so that neighbouring work-items touch neighbouring elements: a
//! softmax of rows is a reduction of each row, a map over all elements, and so on. That takes memory for each
//! stage: for all elements of the map, or for some of them at a time (`memory::contraction`).
//!
//! Short arrays stay with the work-item, in registers. So do arrays of a known length of at most 1024
//! elements that are computed for windows, because there are many more windows than elements.

use std::sync::Arc;

use super::cost::ElementCost;
use super::producers::{is_producer, rearranged, takes_a_loop};
use crate::ir::typed::binders::mentions;
use crate::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, Layout, MapKind, Path};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{LET_FLOAT, LET_TOGETHER, MAP_LET_FISSION, MAP_STORED, needed};
use crate::middle::rewrite::{Argument, Strategy};

/// Arrays of at most this many elements stay with the work-item that needs them.
const SHORT: i128 = 32;

/// Whether a map that may be seen through layouts is split.
pub(super) fn is_split(expr: &Arc<Expr>, functions: &[Function]) -> bool {
    stages_of(expr, functions).is_some()
}

/// Whether an array that the function of such a map binds gets a map of its own.
pub(super) fn is_stored(binding: &Binding, functions: &[Function]) -> bool {
    Kind::of(binding, functions) == Kind::Array
}

/// A step of the separation of one map.
pub(super) enum Step {
    /// It binds nothing.
    Inside(Strategy),
    /// It puts a `let` before the map.
    Binding(Strategy),
}

/// A map that is split.
pub(super) struct Level {
    /// Its place in the outermost one.
    pub(super) place: Vec<usize>,
    /// The number of layouts directly around it.
    pub(super) layouts: usize,
}

/// The maps in the functions of a map that are split before it, innermost first.
pub(super) fn inner_levels(map: &Arc<Expr>, functions: &[Function]) -> Vec<Level> {
    let mut levels = Vec::new();
    collect_levels(map, &[], functions, &mut levels);
    levels.reverse();
    levels
}

fn collect_levels(map: &Arc<Expr>, here: &[usize], functions: &[Function], levels: &mut Vec<Level>) {
    let Some(mut inner) = map.function_body() else { return };
    let mut place = [here, &[map.children().len() - 1]].concat();
    if let ExprKind::Let { bindings, body } = &inner.kind {
        place.push(bindings.len());
        inner = body;
    }
    if !is_split(inner, functions) {
        return;
    }
    let (inner, layouts) = below_layouts(inner);
    place.extend(std::iter::repeat_n(0, layouts));
    levels.push(Level { place: place.clone(), layouts });
    collect_levels(inner, &place, functions, levels);
}

/// The expression that layouts show, and their number.
pub(super) fn below_layouts(expr: &Arc<Expr>) -> (&Arc<Expr>, usize) {
    let mut below = (expr, 0);
    while let Some(input) = rearranged(below.0) {
        below = (input, below.1 + 1);
    }
    below
}

/// What takes the `let`s before the array of a layout out of it.
pub(super) fn before_layout() -> Strategy {
    let places = [Path::root(), Path::root().child(0)].map(Argument::Place);
    Strategy::Apply(&LET_FLOAT, places.to_vec())
}

/// The steps that split a map, once those in its function are.
pub(super) fn steps(map: &Arc<Expr>, functions: &[Function]) -> Vec<Step> {
    let ExprKind::Map(_, function, input) = &map.kind else { return Vec::new() };
    let (bindings, body) = bound_in(function);
    let mut steps = Vec::new();
    if !is_quickly_read(input, functions) {
        steps.push(Step::Binding(Strategy::rule(&MAP_STORED)));
    }
    // The parts of the `let` that are left, by their first positions.
    let mut left: Vec<usize> = (0..bindings.len()).collect();
    for group in groups(bindings, body, functions) {
        let own = group.first();
        if let Group::Values(values) = &group {
            let positions = values.iter().filter_map(|value| left.iter().position(|part| part == value));
            let positions = Argument::Place(Path::from(positions.collect::<Vec<_>>()));
            steps.push(Step::Inside(Strategy::with(&LET_TOGETHER, positions).in_function()));
            left.retain(|part| *part == own || !values.contains(part));
        }
        let position = left.iter().take_while(|part| **part != own).count();
        let position = Argument::Place(Path::root().child(position));
        steps.push(Step::Binding(Strategy::with(&MAP_LET_FISSION, position)));
        // What nobody needs any more is left out.
        let others = left.iter().filter(|part| **part != own).map(|part| bindings[*part].clone());
        let needed = needed(&others.collect::<Vec<_>>(), body);
        left.retain(|part| {
            *part != own && needed.iter().any(|needed| needed.variable == bindings[*part].variable)
        });
    }
    steps
}

/// The types of the arrays that a map leaves to others once it is split. `None` if that gains nothing.
fn stages_of(expr: &Arc<Expr>, functions: &[Function]) -> Option<Vec<Type>> {
    if let Some(input) = rearranged(expr) {
        return stages_of(input, functions);
    }
    let ExprKind::Map(MapKind::Unspecified, function, input) = &expr.kind else { return None };
    // Stages are arrays of regular rows, so neither the input nor the result may have rows of different
    // lengths.
    let is_uneven = |array: &Expr| array.ty.as_array().is_none_or(|array| array.index.is_some());
    if is_uneven(expr) || is_uneven(input) {
        return None;
    }
    let (bindings, body) = bound_in(function);
    let inner = stages_of(body, functions).unwrap_or_default();
    let types = bindings.iter().map(|binding| &binding.value.ty).chain(&inner);
    if let Some(index) = &function.index
        && types.clone().any(|ty| ty.mentions(index))
    {
        return None;
    }
    let is_long = |ty: &Type| match ty.element_count().as_constant() {
        Some(count) => count > SHORT && !has_windows(input),
        None => true,
    };
    let is_array = |binding: &&Binding| Kind::of(binding, functions) == Kind::Array;
    let arrays = || bindings.iter().filter(is_array).map(|binding| &binding.value.ty).chain(&inner);
    let has_loop =
        || bindings.iter().any(|binding| binding.value.ty.is_element() && takes_a_loop(&binding.value));
    if !(arrays().any(is_long) || has_loop() && !body.ty.is_element() && is_long(&body.ty)) {
        return None;
    }
    let length = &expr.ty.as_array()?.length;
    let made = groups(bindings, body, functions).into_iter().map(|group| group.ty(bindings));
    let of_all = |ty: Type| Type::array(ty, length.clone());
    let stored = (!is_quickly_read(input, functions)).then(|| input.ty.clone());
    Some(stored.into_iter().chain(made.chain(inner.iter().cloned()).map(of_all)).collect())
}

fn bound_in(function: &Lambda) -> (&[Binding], &Arc<Expr>) {
    match &function.body.kind {
        ExprKind::Let { bindings, body } => (bindings, body),
        _ => (&[], &function.body),
    }
}

/// The treatment of a `let` in the function of a map that is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An array that is computed once for each element.
    Array,
    /// A single value that takes long to compute.
    Values,
    /// It is computed where it is needed.
    Cheap,
}

impl Kind {
    fn of(binding: &Binding, functions: &[Function]) -> Kind {
        let value = &binding.value;
        match &value.kind {
            ExprKind::Store(None, _) => Kind::Array,
            _ if !value.ty.is_element() && is_producer(value) => Kind::Array,
            _ if !value.ty.is_element() => Kind::Cheap,
            _ if takes_a_loop(value) || !ElementCost::of(value, functions).is_cheap() => Kind::Values,
            _ => Kind::Cheap,
        }
    }
}

/// What gets a map of its own, by the positions of the `let`s that bind it.
enum Group {
    /// An array.
    Array(usize),
    /// Single values, which are computed together.
    Values(Vec<usize>),
}

impl Group {
    fn first(&self) -> usize {
        match self {
            Group::Array(position) => *position,
            Group::Values(positions) => positions.first().copied().unwrap_or(0),
        }
    }

    /// The type of what it computes for each element.
    fn ty(&self, bindings: &[Binding]) -> Type {
        let of = |position: &usize| bindings[*position].value.ty.clone();
        match self {
            Group::Array(position) => of(position),
            Group::Values(positions) => match positions.as_slice() {
                [one] => of(one),
                several => Type::Tuple(several.iter().map(of).collect()),
            },
        }
    }
}

/// What of the `let`s before a body gets a map of its own. Values that stand between the same arrays are
/// computed together, as far as something else needs them.
fn groups(bindings: &[Binding], body: &Arc<Expr>, functions: &[Function]) -> Vec<Group> {
    let kinds: Vec<Kind> = bindings.iter().map(|binding| Kind::of(binding, functions)).collect();
    let mut groups = Vec::new();
    let mut start = 0;
    for (position, kind) in kinds.iter().enumerate().chain([(kinds.len(), &Kind::Array)]) {
        if *kind != Kind::Array {
            continue;
        }
        let is_used = |value: &usize| {
            let others = (start..position).filter(|other| kinds[*other] == Kind::Cheap);
            let mut readers = others.chain(position..bindings.len()).map(|other| &bindings[other].value);
            let variable = &bindings[*value].variable;
            mentions(body, variable) || readers.any(|reader| mentions(reader, variable))
        };
        let values = (start..position).filter(|value| kinds[*value] == Kind::Values);
        let values: Vec<usize> = values.filter(is_used).collect();
        if !values.is_empty() {
            groups.push(Group::Values(values));
        }
        if position < bindings.len() {
            groups.push(Group::Array(position));
        }
        start = position + 1;
    }
    groups
}

/// Whether an array shows its elements in several windows.
fn has_windows(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Layout(Layout::Slide { .. }, _));
    here || expr.children().any(|child| has_windows(child))
}

/// Whether an element is computed about as fast as it is loaded.
fn is_quickly_read(expr: &Expr, functions: &[Function]) -> bool {
    match &expr.kind {
        ExprKind::Map(_, function, input) => {
            ElementCost::of(&function.body, functions).is_cheap() && is_quickly_read(input, functions)
        }
        ExprKind::Generate(_, function) => ElementCost::of(&function.body, functions).is_cheap(),
        ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) | ExprKind::Store(..) => false,
        _ => expr.children().all(|child| is_quickly_read(child, functions)),
    }
}
