//! Decides which reductions of whole arrays are divided among the work-items of the device, and which share
//! one pass over their array.
//!
//! Undivided, one work-item would walk over the array. Where the operator has an identity (`+`, `*`, `&&`,
//! `||`), or parts may start from the initial value (`min`, `max`), the rule is `reduceByGroups`, and else (a
//! function marked `#[assoc]` and `#[comm]`) `reduceByItems`. Reductions by key, whose accumulator is a table,
//! are divided by `reduceByKeyInParts`. In a form for devices with fast atomic operations, work-items update
//! tables of integers together (`reduceByKeyInGroups`, `reduceByKeyTogether`).
//!
//! Input: a program with its stages. Output: steps for the reductions outside of all functions that are a
//! result, and for those that are the one element of a stage, or a stage of their own.

use std::sync::Arc;

use super::cooperation::Tables;
use crate::ir::nat::Nat;
use crate::ir::typed::build::uses;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Path, Program, Variable};
use crate::middle::laws::{Accumulation, Axioms, Operator};
use crate::middle::rewrite::rules::{
    ARRAY_OF_HEAD, FUSE_TOGETHER, LET_INLINE, MAP_FUSION, MAP_FUSION_IN_ZIP, REDUCE_BY_GROUPS,
    REDUCE_BY_ITEMS, REDUCE_BY_KEY_IN_GROUPS, REDUCE_BY_KEY_IN_PARTS, REDUCE_BY_KEY_TOGETHER,
    REDUCE_MAP_INTERCHANGE, REMOVE_STORE, is_small, may_be_divided, may_be_divided_by_key,
    may_be_updated_together, start_of_parts,
};
use crate::middle::rewrite::{Argument, Rule, Strategy};

/// The most work-groups of the first kernel, and the work-items of each: several times what the largest
/// devices run at once, so that none waits for the last groups, and few enough for one group to reduce their
/// results.
const GROUPS_AND_ITEMS: [i128; 2] = [4096, 256];

/// The most partial results of the two kernels where parts start from their first elements.
const PARTIAL_RESULTS: [i128; 2] = [16384, 128];

/// The most tables of a reduction by key. Thousands of work-items would leave little to each of them, and
/// hosts have fewer threads.
const PARTIAL_TABLES: i128 = 1024;

/// The most work-groups that fill tables of their own; each takes a multiple of this number of elements. On an
/// H100, twice as many groups take longer to add up their tables, and half as many read more slowly.
const GROUPS_WITH_TABLES: [i128; 2] = [512, 1024];

/// The largest table of a group with an entry for each key, in bytes: several groups share the local memory of
/// a multiprocessor.
const LARGEST_TABLE: i128 = 16 * 1024;

/// The largest table of a group with several entries for each key, in bytes.
const LARGEST_REPEATED_TABLE: i128 = 32 * 1024;

/// The number of these entries: GPUs have as many banks of local memory, and as many work-items (or a multiple)
/// access it at the same time.
const ENTRIES: i128 = 32;

/// One work-item reduces arrays that are known to be shorter.
pub(super) const WORTH_DIVIDING: i128 = 4096;

/// Independent passes over one array outside of all functions are one. Reductions that a work-item does alone
/// stay as they are.
pub(super) fn fused_together() -> Strategy {
    Strategy::with(&FUSE_TOGETHER, Argument::Size(Nat::constant(WORTH_DIVIDING)))
}

/// Reductions with an accumulator for each column, outside of all functions, become a map that reduces each
/// column: work-items compute columns, and one alone would walk over all rows. Accumulators that a work-item
/// keeps in registers are divided as a whole.
pub(super) fn columns_apart(body: &Arc<Expr>) -> Strategy {
    let mut places = Vec::new();
    collect_large_reductions(body, &Path::root(), &mut places);
    let interchanged = Strategy::rule(&REDUCE_MAP_INTERCHANGE);
    let fusions = [&MAP_FUSION_IN_ZIP, &MAP_FUSION].map(Strategy::rule);
    let fused = Strategy::Choice(fusions.into()).outermost().in_function().repeated(MOST_FUSIONS);
    let apart =
        Strategy::Choice(vec![interchanged.clone(), Strategy::in_order([fused, interchanged])]).tried();
    let apart = |place| Strategy::At(place, Box::new(apart.clone()));
    Strategy::Sequence(places.into_iter().map(apart).collect()).named("columnsApart", Vec::new())
}

/// A step that maps more often stays as it is.
const MOST_FUSIONS: u32 = 4;

/// A `let` outside of all functions that binds what the accumulators of a reduction start from, for nothing
/// else, is written there: where each accumulator starts from the same value, the rule about columns sees it.
pub(super) fn written_start(body: &Arc<Expr>) -> Option<Strategy> {
    let (place, number) = bound_start(body, &Path::root())?;
    let number = Argument::Size(Nat::constant(i128::try_from(number).ok()?));
    Some(Strategy::At(place, Box::new(Strategy::with(&LET_INLINE, number))))
}

/// The place of such a `let`, and the number of the variable in it.
fn bound_start(expr: &Arc<Expr>, here: &Path) -> Option<(Path, usize)> {
    if let ExprKind::Let { bindings, body } = &expr.kind {
        let is_start = |number: &usize| {
            let Binding { variable, value } = &bindings[*number];
            let later = bindings.iter().skip(number + 1).map(|later| &later.value).chain([body]);
            let uses_later: usize = later.clone().map(|part| uses(part, variable)).sum();
            matches!(&value.kind, ExprKind::Repeat(_, start) if !has_application(start))
                && uses_later == 1
                && later.into_iter().any(|part| starts_from(part, variable))
        };
        if let Some(number) = (0..bindings.len()).find(is_start) {
            return Some((here.clone(), number));
        }
    }
    let outside = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    outside.into_iter().find_map(|(position, child)| bound_start(child, &here.child(position)))
}

/// Whether a reduction outside of functions starts from a variable.
fn starts_from(expr: &Expr, variable: &Variable) -> bool {
    let is_start = match &expr.kind {
        ExprKind::Reduce(_, _, initial, _) => {
            matches!(&initial.kind, ExprKind::Variable(read) if read.id == variable.id)
        }
        _ => false,
    };
    let mut outside = expr.children().enumerate();
    is_start
        || outside.any(|(position, child)| !expr.is_function_body(position) && starts_from(child, variable))
}

/// Whether an expression applies a function to the elements of an array.
fn has_application(expr: &Expr) -> bool {
    expr.application().is_some() || expr.children().any(|child| has_application(child))
}

/// The places of the reductions outside of functions, but those of `iterate`, whose accumulators are large.
fn collect_large_reductions(expr: &Arc<Expr>, here: &Path, places: &mut Vec<Path>) {
    let is_iterate = matches!(expr.kind, ExprKind::Iterate(..));
    for (position, child) in expr.children().enumerate() {
        if is_iterate || !expr.is_function_body(position) {
            collect_large_reductions(child, &here.child(position), places);
        }
    }
    if matches!(expr.kind, ExprKind::Reduce(..)) && !is_small(&expr.ty) {
        places.push(here.clone());
    }
}

/// The division of all reductions of a program that are worth it.
pub(super) fn divided_reductions(body: &Arc<Expr>, program: &Program, tables: Tables) -> Strategy {
    let (axioms, next_id) = (Axioms::of(program), program.next_id);
    let mut divisions = Divisions { axioms, next_id, tables, steps: Vec::new() };
    divisions.whole(body, &Path::root());
    Strategy::Sequence(divisions.steps).named("dividedReductions", Vec::new())
}

/// Whether work-items could update a table in an expression outside of functions together.
pub(super) fn holds_shared_table(expr: &Expr, program: &Program) -> bool {
    let is_one = matches!(expr.kind, ExprKind::Reduce(..))
        && may_be_updated_together(expr, Axioms::of(program), program.next_id).is_some();
    // The applications of an `iterate` are those of the device.
    let is_iterate = matches!(expr.kind, ExprKind::Iterate(..));
    let mut parts = expr.children().enumerate();
    is_one
        || parts.any(|(position, part)| {
            (is_iterate || !expr.is_function_body(position)) && holds_shared_table(part, program)
        })
}

/// Whether an array is not known to be short.
fn is_long(array: &Expr) -> bool {
    let length = array.ty.as_array().and_then(|array| array.length.as_constant());
    length.is_none_or(|length| length >= WORTH_DIVIDING)
}

struct Divisions<'p> {
    axioms: Axioms<'p>,
    /// Numbers for expressions that are only looked at.
    next_id: u32,
    tables: Tables,
    steps: Vec<Strategy>,
}

impl Divisions<'_> {
    /// An expression outside of all functions whose value is a result, of the program or of an application.
    fn whole(&mut self, expr: &Arc<Expr>, here: &Path) {
        match &expr.kind {
            ExprKind::Reduce(..) => self.divide(expr, here),
            ExprKind::Tuple(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.whole(part, &here.child(position));
                }
            }
            ExprKind::Let { bindings, body } => {
                for (position, Binding { value, .. }) in bindings.iter().enumerate() {
                    self.bound(value, &here.child(position));
                }
                self.whole(body, &here.child(bindings.len()));
            }
            _ => self.applications(expr, here),
        }
    }

    /// The value of a `let` outside of all functions.
    fn bound(&mut self, value: &Arc<Expr>, here: &Path) {
        if let ExprKind::Store(Some(AddressSpace::Global), array) = &value.kind
            && let ExprKind::ArrayLiteral(elements) = &array.kind
            && let [reduction] = elements.as_slice()
            && let Some((rule, arguments)) = self.division(reduction)
        {
            // What the device makes is an array of one element already, and in global memory.
            self.step(here, &REMOVE_STORE, Vec::new());
            self.step(&here.child(0), rule, arguments);
            return self.step(here, &ARRAY_OF_HEAD, Vec::new());
        }
        if let ExprKind::Store(None | Some(AddressSpace::Global), table) = &value.kind
            && let Some((rule, arguments)) = self.division_by_key(table)
        {
            self.step(here, &REMOVE_STORE, Vec::new());
            return self.step(here, rule, arguments);
        }
        self.applications(value, here);
    }

    /// The applications of each `iterate` in an expression outside of all functions.
    fn applications(&mut self, expr: &Arc<Expr>, here: &Path) {
        let is_iterate = matches!(expr.kind, ExprKind::Iterate(..));
        for (position, child) in expr.children().enumerate() {
            match expr.is_function_body(position) {
                true if is_iterate => self.whole(child, &here.child(position)),
                true => {}
                false => self.applications(child, &here.child(position)),
            }
        }
    }

    fn divide(&mut self, reduction: &Arc<Expr>, here: &Path) {
        let division = self.division_by_key(reduction).or_else(|| self.division(reduction));
        if let Some((rule, arguments)) = division {
            self.step(here, rule, arguments);
        }
    }

    /// The rule that divides a reduction by key. `None` if it is none, must be done in order, or is not worth
    /// dividing.
    fn division_by_key(&self, reduction: &Expr) -> Option<(&'static Rule, Vec<Argument>)> {
        let ExprKind::Reduce(_, _, _, input) = &reduction.kind else { return None };
        if reduction.ty.is_element() {
            return None;
        }
        let sizes = |sizes: &[i128]| sizes.iter().map(|size| Argument::Size(Nat::constant(*size))).collect();
        if self.tables == Tables::Shared
            && let Some(sharing) = may_be_updated_together(reduction, self.axioms, self.next_id)
        {
            return Some(match sharing.bytes {
                Some(bytes) if bytes <= LARGEST_TABLE => {
                    let [groups, items] = GROUPS_WITH_TABLES;
                    (&REDUCE_BY_KEY_IN_GROUPS, sizes(&[groups, items, entries_of_key(bytes)]))
                }
                Some(_) | None => (&REDUCE_BY_KEY_TOGETHER, Vec::new()),
            });
        }
        let is_divided = is_long(input) && may_be_divided_by_key(reduction, self.axioms, self.next_id);
        is_divided.then(|| (&REDUCE_BY_KEY_IN_PARTS, sizes(&[PARTIAL_TABLES])))
    }

    /// The rule that divides a reduction. `None` if it must be done in order or is not worth dividing.
    fn division(&mut self, reduction: &Expr) -> Option<(&'static Rule, Vec<Argument>)> {
        let ExprKind::Reduce(_, function, initial, input) = &reduction.kind else { return None };
        if !is_long(input) || !may_be_divided(reduction) {
            return None;
        }
        let mut fresh = || {
            self.next_id += 1;
            self.next_id
        };
        let Accumulation { operator, .. } = Accumulation::derived(function, self.axioms, &mut fresh)?;
        let operator =
            Operator::derived(&operator, self.axioms).filter(|operator| operator.laws.commutative)?;
        let (rule, arguments): (&Rule, _) = match start_of_parts(&operator, initial) {
            Some(_) => (&REDUCE_BY_GROUPS, GROUPS_AND_ITEMS),
            None => (&REDUCE_BY_ITEMS, PARTIAL_RESULTS),
        };
        Some((rule, arguments.map(|size| Argument::Size(Nat::constant(size))).to_vec()))
    }

    fn step(&mut self, place: &Path, rule: &'static Rule, arguments: Vec<Argument>) {
        self.steps.push(Strategy::At(place.clone(), Box::new(Strategy::Apply(rule, arguments))));
    }
}

/// The number of entries for each key, if a table with one entry for each has this size in bytes.
fn entries_of_key(bytes: i128) -> i128 {
    match bytes.checked_mul(ENTRIES) {
        Some(bytes) if bytes <= LARGEST_REPEATED_TABLE => ENTRIES,
        _ => 1,
    }
}
