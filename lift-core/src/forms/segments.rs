//! Forms in which several work-items share each segment of a segmented reduction.
//!
//! The plain form has a work-item for each segment. Neighbours read what lies as far apart as their segments
//! begin, and wait for the longest of these. In these forms lanes of a group take the elements of a segment
//! in turns, so that neighbours read neighbours (Bell, Garland, *Implementing Sparse Matrix-Vector
//! Multiplication on Throughput-Oriented Processors*, SC 2009, sections 4.2 and 5). The lengths of segments
//! are data, but a launcher knows the number of segments and of elements, and so their mean. A few segments
//! that are much longer than that have groups of their own, as nobody should wait for them.
//!
//! Where there are many segments, and what an element contributes does not depend on its segment, groups
//! read the elements of neighbouring segments in tiles: then it makes no difference how long each of them
//! is.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::defaults::{SEGMENT_LANES, SEGMENT_TILES, SegmentLanes};
use super::inlining::{self, each_outside_functions, mentions};
use super::left_out::Reason;
use super::{Candidate, at_least, different, is_size};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::segment::Segment;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, Path, Program, ReduceKind, Variable};
use crate::middle::lower::{Cooperation, Tables};
use crate::middle::rewrite::rules::{
    GENERATE_MAP, LET_FLOAT, LET_INLINE, LONG_SEGMENTS_APART, MAP_FUSION, MAP_FUSION_IN_ZIP,
    SEGMENT_BY_LANES, STORE_BETWEEN, has_long_segments, may_be_divided_into_lanes, may_be_in_tiles,
};
use crate::middle::rewrite::{Argument, Rewriter, Rule, Strategy};
use crate::options::{Coarsening, GroupOrder};

/// The forms of a program that reduces segments outside of all functions, for long segments first.
///
/// # Errors
/// Says why there is none.
pub(super) fn forms(program: &Program) -> Result<Vec<Candidate>, Reason> {
    let found = Found::in_program(program);
    if found.is_empty() {
        return Err(Reason::NoSegments);
    }
    let [long, short] = &SEGMENT_LANES;
    let forms =
        [by_lanes(program, &found, long), in_tiles(program, &found), by_lanes(program, &found, short)];
    let forms: Vec<Candidate> = forms.into_iter().flatten().collect();
    if forms.is_empty() { Err(Reason::NoSegments) } else { Ok(forms) }
}

/// Whether a form is one of these.
pub(super) fn is_for_segments(form: &Candidate) -> bool {
    let name = form.selection.name.as_str();
    name == SEGMENT_TILES.name || SEGMENT_LANES.iter().any(|lanes| lanes.name == name)
}

/// The most steps by which maps after the segments are fused with them.
const MOST_FUSIONS: usize = 32;

/// A segmented reduction: the number of its segments and of their elements.
struct Found {
    source: Source,
    segments: Nat,
    elements: Nat,
    may_be_in_tiles: bool,
}

impl Found {
    fn in_program(program: &Program) -> Vec<Found> {
        let mut found = Vec::new();
        each_outside_functions(&program.body, &Path::root(), &mut |expr, _| {
            let ExprKind::Generate(segments, function) = &expr.kind else { return };
            let Some(segment) = Segment::of(&function.body) else { return };
            let numbers = [segments, segment.most];
            let are_sizes = numbers
                .into_iter()
                .flat_map(Nat::variables)
                .all(|variable| is_size(&variable, &program.sizes));
            if are_sizes && may_be_divided_into_lanes(&function.body, program) {
                found.push(Found {
                    source: segment.reduction.source,
                    segments: segments.clone(),
                    elements: segment.most.clone(),
                    may_be_in_tiles: may_be_in_tiles(expr, program),
                });
            }
        });
        found
    }

    /// The segments have at least `least` elements on average.
    fn have_at_least(&self, least: i128) -> Option<Guard> {
        let condition = at_least(&(&self.elements - Nat::constant(least) * &self.segments), 0)?;
        Some(Guard { text: self.compared(">=", least), ..condition })
    }

    /// The segments have less than `too_long` elements on average.
    fn have_less_than(&self, too_long: i128) -> Option<Guard> {
        let condition = at_least(&(Nat::constant(too_long) * &self.segments - &self.elements), 1)?;
        Some(Guard { text: self.compared("<", too_long), ..condition })
    }

    fn compared(&self, relation: &str, mean: i128) -> String {
        format!("{} {relation} {mean} * {}", in_product(&self.elements), in_product(&self.segments))
    }
}

/// A size as a factor.
fn in_product(size: &Nat) -> String {
    match size.as_variable().is_some() || size.as_constant().is_some() {
        true => size.to_string(),
        false => format!("({size})"),
    }
}

/// The form in which groups read segments in tiles, if that is possible for all of them.
fn in_tiles(program: &Program, found: &[Found]) -> Option<Candidate> {
    if !found.iter().all(|found| found.may_be_in_tiles) {
        return None;
    }
    let is_tiled = |expr: &Expr| {
        let source = source_of_segments(expr);
        found.iter().any(|found| Some(found.source) == source)
    };
    let mut rewriter = Rewriter::new(program);
    while let Some(inlined) = inlined(rewriter.body(), found, 1) {
        rewriter.run(&inlined).ok()?;
    }
    while let Some(place) = to_store(rewriter.body(), &Path::root(), true, &is_tiled) {
        rewriter.run(&Strategy::At(place, Box::new(Strategy::rule(&STORE_BETWEEN)))).ok()?;
    }
    let of_each = found.iter().flat_map(|found| {
        let long = found.have_at_least(SEGMENT_TILES.least);
        let short = found.have_less_than(SEGMENT_TILES.too_long);
        [long, short, at_least(&found.segments, SEGMENT_TILES.least_segments)]
    });
    let thresholds = different(of_each.flatten());
    let selection = Selection { thresholds, ..Selection::new(SEGMENT_TILES.name, DeviceClass::Accelerator) };
    let form = Candidate::rewritten(selection, rewriter.rewritten()).ok()?;
    let tiles = found.iter().map(|found| (found.source, SEGMENT_TILES.tiles)).collect();
    let cooperation = Cooperation { tiles, tables: Tables::Shared, ..Cooperation::default() };
    let (coarsening, group_order) = (Coarsening::LightKernels, GroupOrder::LongFirst);
    Some(Candidate { cooperation, coarsening, group_order, ..form })
}

/// The place in the source of the reduction of segments that makes these elements.
fn source_of_segments(expr: &Expr) -> Option<Source> {
    let ExprKind::Generate(_, function) = &expr.kind else { return None };
    Some(Segment::of(&function.body)?.reduction.source)
}

/// The form in which groups share segments so.
fn by_lanes(program: &Program, found: &[Found], shared: &SegmentLanes) -> Option<Candidate> {
    let mut rewriter = Rewriter::new(program);
    let longest = Argument::Size(Nat::constant(shared.longest));
    let apart = Strategy::with(&LONG_SEGMENTS_APART, longest);
    while let Some((place, _)) = segments(&rewriter, found, |expr| has_long_segments(expr, program.next_id)) {
        rewriter.run(&Strategy::At(place, Box::new(apart.clone()))).ok()?;
    }
    while let Some(inlined) = inlined(rewriter.body(), found, 2) {
        rewriter.run(&inlined).ok()?;
    }
    let mut lanes = BTreeMap::new();
    while let Some((place, segments)) = segments(&rewriter, found, |_| true) {
        let group = if segments.is_of_all { shared.group } else { shared.long };
        lanes.insert((segments.source, group.items), group);
        let number = Argument::Size(Nat::constant(i128::from(group.items)));
        let by_lanes = Strategy::with(&SEGMENT_BY_LANES, number).in_function();
        let steps = Strategy::in_order([Strategy::rule(&GENERATE_MAP), by_lanes]);
        rewriter.run(&Strategy::At(place, Box::new(steps))).ok()?;
    }
    for _ in 0..MOST_FUSIONS {
        let Some(fusion) = fusion(rewriter.body(), found) else { break };
        rewriter.run(&fusion).ok()?;
    }
    let is_of_lanes =
        |expr: &Expr| reductions_of_elements(expr, found) > 0 && !matches!(expr.kind, ExprKind::Let { .. });
    for _ in 0..MOST_FUSIONS {
        let Some(place) = to_store(rewriter.body(), &Path::root(), true, &is_of_lanes) else { break };
        rewriter.run(&Strategy::At(place, Box::new(Strategy::rule(&STORE_BETWEEN)))).ok()?;
    }
    let thresholds = different(found.iter().filter_map(|found| found.have_at_least(shared.least)));
    let selection = Selection { thresholds, ..Selection::new(shared.name, DeviceClass::Accelerator) };
    let form = Candidate::rewritten(selection, rewriter.rewritten()).ok()?;
    let cooperation = Cooperation { lanes, tables: Tables::Shared, ..Cooperation::default() };
    // What else is done for each element has more loads on their way where a work-item does it for several.
    Some(Candidate { cooperation, coarsening: Coarsening::LightKernels, ..form })
}

/// Segments that one work-item reduces each.
struct Segments {
    source: Source,
    /// Whether they are all segments, and not the long ones only.
    is_of_all: bool,
}

/// The first of these segments that are wanted, in what the program has become.
fn segments(
    rewriter: &Rewriter<'_>,
    found: &[Found],
    is_wanted: impl Fn(&Expr) -> bool,
) -> Option<(Path, Segments)> {
    let mut first = None;
    each_outside_functions(rewriter.body(), &Path::root(), &mut |expr, place| {
        let ExprKind::Generate(count, function) = &expr.kind else { return };
        let Some(segment) = Segment::of(&function.body) else { return };
        let source = segment.reduction.source;
        let same = found.iter().filter(|found| found.source == source);
        let counts: Vec<&Nat> = same.map(|found| &found.segments).collect();
        if first.is_none() && !counts.is_empty() && is_wanted(expr) {
            first = Some((place.clone(), Segments { source, is_of_all: counts.contains(&count) }));
        }
    });
    first
}

/// The next step by which those who reduce segments, in at least `least` places, compute an element where
/// they need it: each is an element of a long segment, or of another one.
fn inlined(body: &Arc<Expr>, found: &[Found], least: usize) -> Option<Strategy> {
    let by_segments = |expr: &Arc<Expr>, variable: &Variable| reads_of_segments(expr, variable, found);
    inlining::inlined(body, &|_, reads| reads >= least, &by_segments)
}

/// How often the reductions of segments mention a variable.
fn reads_of_segments(expr: &Expr, variable: &Variable, found: &[Found]) -> usize {
    if let ExprKind::Generate(_, function) = &expr.kind
        && let Some(segment) = Segment::of(&function.body)
        && found.iter().any(|found| found.source == segment.reduction.source)
    {
        return mentions(&function.body, variable, true);
    }
    let parts = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    parts.map(|(_, part)| reads_of_segments(part, variable, found)).sum()
}

/// The next step by which a map over what lanes have reduced takes over their function, also where that has
/// a name, and that by which what the function binds for the reduction is bound first.
fn fusion(body: &Arc<Expr>, found: &[Found]) -> Option<Strategy> {
    let mut fusion = None;
    each_outside_functions(body, &Path::root(), &mut |expr, here| {
        let step = match &expr.kind {
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                map_fusion(function, input, found).or_else(|| let_float(&function.body, found))
            }
            ExprKind::Let { bindings, body } => let_inline(bindings, body, found),
            _ => None,
        };
        fusion = fusion.take().or(step.map(|step| Strategy::At(here.clone(), Box::new(step))));
    });
    fusion
}

/// The step for a `let` of what lanes have reduced, if it is mentioned once, outside of all functions.
fn let_inline(bindings: &[Binding], body: &Expr, found: &[Found]) -> Option<Strategy> {
    bindings.iter().enumerate().find_map(|(number, Binding { variable, value })| {
        let place = Path::root().child(number);
        let (step, map) = match &value.kind {
            ExprKind::Let { body, .. } => {
                let before_it = vec![Argument::Place(place.clone()), Argument::Place(place)];
                (Strategy::Apply(&LET_FLOAT, before_it), body)
            }
            _ => {
                let number = Argument::Size(Nat::constant(i128::try_from(number).ok()?));
                (Strategy::with(&LET_INLINE, number), value)
            }
        };
        let others = || bindings[number + 1..].iter().map(|other| &*other.value).chain([body]);
        let count =
            |in_functions| others().map(|other| mentions(other, variable, in_functions)).sum::<usize>();
        let is_read_once = reductions_of_elements(map, found) == 1 && count(true) == 1 && count(false) == 1;
        is_read_once.then_some(step)
    })
}

/// The step by which a function takes over what makes its elements, if that is one reduction by lanes.
fn map_fusion(function: &Lambda, input: &Expr, found: &[Found]) -> Option<Strategy> {
    // What one of two branches needs, work-items do not share.
    if chooses(&function.body) {
        return None;
    }
    let place = Path::root().child(0);
    let zipped = match &input.kind {
        ExprKind::Zip(arrays) => arrays.as_slice(),
        _ => {
            return fused(input, place, &MAP_FUSION, found)
                .filter(|_| reductions(&function.body, found) == 0);
        }
    };
    // The lanes of a group reduce one segment each.
    let reduced: usize = zipped.iter().map(|array| reductions_of_elements(array, found)).sum();
    if reduced != 1 || reductions(&function.body, found) > 0 {
        return None;
    }
    let mut arrays = zipped.iter().enumerate();
    arrays.find_map(|(position, array)| fused(array, place.child(position), &MAP_FUSION_IN_ZIP, found))
}

/// Whether an expression chooses between values, outside of its functions.
fn chooses(expr: &Expr) -> bool {
    let mut parts = expr.children().enumerate();
    matches!(expr.kind, ExprKind::If(..))
        || parts.any(|(position, part)| !expr.is_function_body(position) && chooses(part))
}

/// The step for an array at a place of the map that is perhaps what lanes have reduced.
fn fused(array: &Expr, place: Path, fusion: &'static Rule, found: &[Found]) -> Option<Strategy> {
    if reductions_of_elements(array, found) != 1 {
        return None;
    }
    let places = vec![Argument::Place(Path::root()), Argument::Place(place)];
    Some(match &array.kind {
        ExprKind::Let { .. } => Strategy::Apply(&LET_FLOAT, places),
        _ => Strategy::rule(fusion),
    })
}

/// The number of reductions by lanes for each element of an array that is a map.
fn reductions_of_elements(array: &Expr, found: &[Found]) -> usize {
    match &array.kind {
        ExprKind::Let { body, .. } => reductions_of_elements(body, found),
        ExprKind::Map(MapKind::Unspecified, function, _) => reductions(&function.body, found),
        _ => 0,
    }
}

/// The number of reductions by lanes in an expression, outside of its functions.
fn reductions(expr: &Expr, found: &[Found]) -> usize {
    let parts = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    let inside: usize = parts.map(|(_, part)| reductions(part, found)).sum();
    inside + usize::from(is_by_lanes(expr, found))
}

/// The place of an array that work-items compute together, and which is neither a result nor stored: what
/// reads it finds it stored then. What one of two branches computes stays.
fn to_store(
    expr: &Expr,
    here: &Path,
    is_whole: bool,
    is_computed_together: &impl Fn(&Expr) -> bool,
) -> Option<Path> {
    if is_computed_together(expr) && !is_whole {
        return Some(here.clone());
    }
    let last = expr.children().len().saturating_sub(1);
    let is_part_whole = |position: usize| match &expr.kind {
        ExprKind::Let { .. } => is_whole && position == last,
        ExprKind::Tuple(_) | ExprKind::Layout(..) | ExprKind::Unzip(_) => is_whole,
        ExprKind::Store(..) => true,
        ExprKind::Iterate(..) => position == last,
        _ => false,
    };
    let is_looked_at = |position: usize| match &expr.kind {
        ExprKind::If(..) => false,
        ExprKind::Iterate(..) => true,
        _ => !expr.is_function_body(position),
    };
    let mut parts = expr.children().enumerate().filter(|(position, _)| is_looked_at(*position));
    parts.find_map(|(position, part)| {
        to_store(part, &here.child(position), is_part_whole(position), is_computed_together)
    })
}

/// The step by which the function of a map binds first what it binds for the reduction by lanes.
fn let_float(body: &Arc<Expr>, found: &[Found]) -> Option<Strategy> {
    let mut inner = None;
    each_outside_functions(body, &Path::root(), &mut |expr, here| {
        if inner.is_none() && *here != Path::root() && is_let_of_lanes(expr, found) {
            inner = Some(here.clone());
        }
    });
    let first = match &body.kind {
        ExprKind::Let { .. } => Path::root().child(0),
        _ => Path::root(),
    };
    let places = [first, inner?].map(Argument::Place);
    Some(Strategy::Apply(&LET_FLOAT, places.into()).in_function())
}

/// Whether it is a `let` of what lanes reduce.
fn is_let_of_lanes(expr: &Expr, found: &[Found]) -> bool {
    matches!(&expr.kind, ExprKind::Let { body, .. } if is_by_lanes(body, found))
}

/// Whether it is the reduction of what lanes have found.
fn is_by_lanes(expr: &Expr, found: &[Found]) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        && found.iter().any(|found| found.source == expr.source)
}
