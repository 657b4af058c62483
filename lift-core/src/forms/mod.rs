//! The forms of a program that stand before the plain one.
//!
//! In: a typed program. Out: what selects each form, the typed program that it is compiled from, and the
//! steps that made it, in the order in which a launcher tries them. They compute what the program computes,
//! for every size that the program accepts and their guards allow. The plain form is right wherever the
//! program is and is none of them. They are for devices only: the host has its own ways to divide loops,
//! which need the plain form.
//!
//! - `survey`: how the loads of the plain form move with the loops around them;
//! - `reductions`, `one_pass`, `row_vectors`, `blocks`, `product_tiles`, `few_results`, `elements`: which
//!   forms follow from that, and for which sizes they are worth it;
//! - `segments`, `tables`, `transposition`, `stencils`: the same from the program itself;
//! - `pairs`: the pairs of rows and columns that two of them are about;
//! - `taken_rows`: what functions take of their rows;
//! - `inlining`: which arrays these compute where they are read;
//! - `defaults`, `row_defaults`: the numbers that they go by;
//! - `left_out`: why a program has no form of a class, for people who ask.
//!
//! A program with a schedule has the form that its strategies make, and no other. A program that says who
//! computes what is taken at its word: it has its plain form only.

mod blocks;
mod defaults;
mod elements;
mod few_results;
mod inlining;
mod left_out;
mod one_pass;
mod pairs;
mod product_tiles;
mod reductions;
mod row_defaults;
mod row_scans;
mod row_vectors;
mod segments;
mod stencils;
mod survey;
mod tables;
mod taken_rows;
mod transposition;

pub use left_out::{Class, LeftOut, Reason};
pub(crate) use product_tiles::PRODUCT_TILES;

use crate::compiled::{DeviceClass, Guard, RefusedForm, SCHEDULED, Selection};
use crate::diagnostic::Diagnostic;
use crate::ir::code::Code;
use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Backend, Obligation, Program, Rounding, SizeVariable, Strategy};
use crate::middle::lower::{
    Cooperation, Lowered, holds_divisible_scan, holds_reduced_pairs, holds_reduced_rows, uses_hierarchy,
};
use crate::middle::rewrite::rules::REDUCE_SEQ;
use crate::middle::rewrite::schedule::{self, Mistake, Scheduled};
use crate::middle::rewrite::{self, Rewriter, Rewritten};
use crate::options::{Coarsening, GroupOrder, Optimisations};
use crate::threads::Threads;

/// The most forms for devices that are no processors, beside the plain one and those for any device: each
/// costs as much time to expand as the plain one.
const MOST_FORMS: usize = 7;

/// A form that may stand before the plain one.
pub(crate) struct Candidate {
    pub(crate) selection: Selection,
    /// What selects the same kernels on some devices under other names, for other sizes.
    pub(crate) also: Vec<Selection>,
    pub(crate) program: Program,
    /// What its work-items do together.
    pub(crate) cooperation: Cooperation,
    /// What the program is lowered to, if that had to be known for the choice.
    pub(crate) lowered: Option<Lowered>,
    /// Whether a work-item computes several elements.
    pub(crate) coarsening: Coarsening,
    /// The order in which groups begin.
    pub(crate) group_order: GroupOrder,
    /// The optimisations that do not pay for it.
    pub(crate) without: Optimisations,
    /// The devices for which its kernels are optimised. It may be for others, too.
    pub(crate) optimised_for: DeviceClass,
    /// Whether the form has the program and the code of the plain one; then only the division of this code
    /// among work-items differs.
    pub(crate) has_plain_code: bool,
    /// What demands it, if that is the user.
    pub(crate) demanded: Option<Demanded>,
}

/// A form that may stand before the plain one, or why it cannot be made.
pub(crate) type Attempt = Result<Candidate, RefusedForm>;

/// The strategy that a user named last.
#[derive(Clone)]
pub(crate) struct Demanded {
    name: String,
    source: Source,
}

/// On processors with fewer compute units than this, one work-item scans faster than all of them together: it
/// reads every element once and writes it once, where three kernels read it twice and pass it through local
/// memory. Measured on two cores, and as one thread's time, from which follows where more cores win: section
/// "Prefix sums" of `docs/performance.md`. Reductions of floats are slower in order on two cores as well.
const ENOUGH_UNITS_TO_DIVIDE_A_SCAN: u32 = 4;

/// The program of the plain form. If there is a schedule, the launches that the user states are for the form
/// that the schedule makes, and the plain form has its own. If everything keeps the order of the program, its
/// reductions say so; the host needs that as well, because it uses several accumulators for other reductions.
pub(crate) fn plain(program: &Program) -> Program {
    let launches = if program.schedule.is_empty() { program.launches.clone() } else { Vec::new() };
    let plain = Program { launches, schedule: Vec::new(), ..program.clone() };
    match program.strategy {
        Strategy::Default | Strategy::ScansInOrder => plain,
        Strategy::InOrder => {
            let mut rewriter = Rewriter::new(&plain);
            let in_order = rewrite::Strategy::Everywhere(Box::new(rewrite::Strategy::rule(&REDUCE_SEQ)));
            // It fails where there is no reduction.
            let _ = rewriter.run(&in_order);
            rewriter.program()
        }
    }
}

/// How to lower a program for the survey, if not as for the plain form. Where the results of rows are reduced
/// again, the plain form reduces rows inside of loops, at which the survey does not look. Where kernels are
/// launched for some rows at a time, their loops have no lengths that are known before the launch.
pub(crate) fn lowered_for_survey(program: &Program, plain: &Code) -> Option<Cooperation> {
    let reduced_rows_apart = is_open(program) && holds_reduced_rows(&program.body);
    let has_portions = || plain.repetitions.iter().any(|repetition| repetition.portion.is_some());
    let apart = Cooperation { reduced_rows_apart, ..Cooperation::default() };
    (reduced_rows_apart || is_open(program) && has_portions()).then_some(apart)
}

/// How to lower a program for the survey of the products in it, if not as for the other reductions: the
/// results of pairs of rows may be reduced again.
pub(crate) fn lowered_for_pairs(program: &Program) -> Option<Cooperation> {
    let may_be_shared = is_open(program) && program.strategy != Strategy::InOrder;
    let apart = Cooperation { reduced_rows_apart: true, pairs_apart: true, ..Cooperation::default() };
    (may_be_shared && holds_reduced_pairs(&program.body)).then_some(apart)
}

/// Whether forms are chosen for a program.
fn is_open(program: &Program) -> bool {
    program.schedule.is_empty() && stated(program).is_none()
}

/// The code from which the forms of a program are chosen.
pub(crate) struct Surveyed<'c> {
    /// That of the plain form.
    pub(crate) plain: &'c Code,
    /// That of the program as [`lowered_for_survey`] says, for all rows at once.
    pub(crate) apart: Option<&'c Code>,
    /// That of the program as [`lowered_for_pairs`] says.
    pub(crate) pairs_apart: Option<&'c Code>,
}

/// Whether a program may have other forms than the plain one: not where it states who computes what, unless the
/// user demands a form.
pub(crate) fn may_have_forms(program: &Program) -> bool {
    !program.schedule.is_empty() || stated(program).is_none()
}

/// The forms before the plain one, in the order in which they are tried. What no user demands is chosen by
/// what the code of the plain form says.
///
/// # Errors
/// Reports a schedule that does not fit the program.
pub(crate) fn candidates(
    program: &Program,
    code: &Surveyed<'_>,
    threads: Threads,
) -> Result<Vec<Attempt>, Diagnostic> {
    if !program.schedule.is_empty() {
        return Ok(vec![Ok(scheduled(program)?)]);
    }
    if stated(program).is_some() {
        return Ok(Vec::new());
    }
    let reductions = surveyed(program, code);
    let moving = moving_less(program, &reductions, &surveyed_pairs(program, code), threads);
    let elements = elements(program, code.plain, &moving).ok();
    let mut forms: Vec<Attempt> = moving.into_iter().chain(elements.map(Ok)).collect();
    let mut counted = 0;
    forms.retain(|form| {
        let is_for_any = matches!(form, Ok(form) if form.selection.devices == DeviceClass::Any);
        counted += usize::from(!is_for_any);
        is_for_any || counted <= MOST_FORMS
    });
    let in_order = scans_in_order(program).map(Ok);
    // Processors take columns that are cut into pieces rather than rows of vectors, and both if they can.
    let row_vectors = row_vectors(program, &reductions).unwrap_or_default();
    let (rows, both): (Vec<_>, Vec<_>) = row_vectors.into_iter().partition(|form| form.cooperation.is_none());
    let (rows, both) = (rows.into_iter().map(Ok), both.into_iter().map(Ok));
    Ok(in_order.into_iter().chain(both).chain(forms).chain(rows).collect())
}

/// The forms that load or store less memory in vain than the plain one: those in which work-items share rows,
/// columns, blocks of pairs, or tables, and the one that transposes tiles in local memory.
fn moving_less(
    program: &Program,
    reductions: &[survey::Reduction],
    pairs: &[survey::Reduction],
    threads: Threads,
) -> Vec<Attempt> {
    let in_one_pass = one_pass(program, reductions).unwrap_or_default();
    let shared = match program.strategy {
        Strategy::InOrder => Vec::new(),
        Strategy::Default | Strategy::ScansInOrder => {
            reductions::forms(program, reductions, !in_one_pass.is_empty(), threads)
        }
    };
    let blocks = blocks(program, reductions, threads).unwrap_or_default();
    let segments = segments(program).unwrap_or_default();
    let tiles = product_tiles(program, (reductions, pairs), !blocks.is_empty(), threads).unwrap_or_default();
    let few_results = few_results(program, reductions).unwrap_or_default();
    let scans = row_scans(program, reductions).unwrap_or_default();
    // Products take longest in a program that also reduces or scans something else.
    let (among_others, tiles): (Vec<_>, Vec<_>) =
        tiles.into_iter().partition(|form| !form.cooperation.is_none() || !scans.is_empty());
    let shared: Vec<_> =
        shared.into_iter().filter(|form| !scans.iter().any(|scans| form.is_hidden_by(scans))).collect();
    let shared = among_others.into_iter().chain(scans).chain(in_one_pass).chain(shared);
    let shared = shared.chain(blocks).chain(tiles).chain(few_results);
    let windows =
        [rolling_rows(program), window_vectors(program), window_tiles(program)].into_iter().flatten();
    let shared = shared.chain(tables::form(program).ok()).chain(segments).chain(windows).map(Ok);
    transposition::form(program).into_iter().chain(shared).collect()
}

/// The form in which work-items go down strips of small windows.
fn rolling_rows(program: &Program) -> Result<Candidate, Reason> {
    in_any_order(program, || stencils::rolling_rows(program))
}

/// The form in which work-items compute vectors of neighbouring results of lines.
fn window_vectors(program: &Program) -> Result<Candidate, Reason> {
    in_any_order(program, || stencils::window_vectors(program))
}

/// The form in which groups copy what tiles of larger windows need.
fn window_tiles(program: &Program) -> Result<Candidate, Reason> {
    in_any_order(program, || stencils::window_tiles(program))
}

/// The forms in which groups share the scans of rows.
fn row_scans(program: &Program, reductions: &[survey::Reduction]) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || row_scans::forms(program, reductions))
}

/// The forms in which groups share segments.
fn segments(program: &Program) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || segments::forms(program))
}

/// The forms in which groups read rows once, for themselves and for columns.
fn one_pass(program: &Program, reductions: &[survey::Reduction]) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || one_pass::forms(program, reductions))
}

/// The forms in which groups share reductions of pairs of rows and columns.
fn blocks(
    program: &Program,
    reductions: &[survey::Reduction],
    threads: Threads,
) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || blocks::forms(program, reductions, threads))
}

/// The forms in which groups compute tiles of products.
fn product_tiles(
    program: &Program,
    (reductions, pairs): (&[survey::Reduction], &[survey::Reduction]),
    has_blocks: bool,
    threads: Threads,
) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || product_tiles::forms(program, (reductions, pairs), has_blocks, threads))
}

/// The forms in which groups share the reductions of few results.
fn few_results(program: &Program, reductions: &[survey::Reduction]) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || few_results::forms(program, reductions))
}

/// The forms in which processors reduce rows as vectors.
fn row_vectors(program: &Program, reductions: &[survey::Reduction]) -> Result<Vec<Candidate>, Reason> {
    in_any_order(program, || row_vectors::forms(program, reductions))
}

/// Forms of a program that does not keep its order.
fn in_any_order<T>(program: &Program, forms: impl FnOnce() -> Result<T, Reason>) -> Result<T, Reason> {
    match program.strategy {
        Strategy::InOrder => Err(Reason::InOrder),
        Strategy::Default | Strategy::ScansInOrder => forms(),
    }
}

/// The form in which work-items compute several elements, where none of `moving`, the forms of
/// [`moving_less`], can be made: what other programs take long for has a form already. Those for segments
/// are for long ones, and what is done for each element of short ones remains; those for few results leave
/// many, and that in which rows roll leaves rows that no vectors fill.
fn elements(program: &Program, plain: &Code, moving: &[Attempt]) -> Result<Candidate, Reason> {
    match program.strategy {
        Strategy::InOrder => Err(Reason::InOrder),
        _ if moving.iter().flatten().any(|form| !leaves_elements(form)) => Err(Reason::OtherForms),
        Strategy::Default | Strategy::ScansInOrder => elements::form(&self::plain(program), plain),
    }
}

/// Whether a form leaves sizes for which work-items may compute several elements.
fn leaves_elements(form: &Candidate) -> bool {
    segments::is_for_segments(form)
        || few_results::is_for_few_results(form)
        || stencils::is_for_vectors_of_windows(form)
        || row_scans::is_for_row_scans(form)
}

/// What a program states, so that nothing is chosen for it.
fn stated(program: &Program) -> Option<Reason> {
    let says_who_computes = || !program.launches.is_empty() || uses_hierarchy(&program.body);
    match program.backend {
        Some(Backend::Host) => Some(Reason::ForHost),
        Some(Backend::OpenCl) | None => says_who_computes().then_some(Reason::SaysWhoComputes),
    }
}

/// The classes of forms that [`candidates`] does not choose, and why. A schedule leaves no choice.
pub(crate) fn left_out(program: &Program, code: &Surveyed<'_>) -> Vec<LeftOut> {
    if !program.schedule.is_empty() {
        return Vec::new();
    }
    let all = |class, reason| LeftOut { class, of: None, reason };
    if let Some(reason) = stated(program) {
        return Class::ALL.map(|class| all(class, reason)).to_vec();
    }
    let reductions = surveyed(program, code);
    let mut left_out = match program.strategy {
        Strategy::InOrder => [Class::Rows, Class::Columns].map(|class| all(class, Reason::InOrder)).to_vec(),
        _ if reductions.is_empty() => {
            [Class::Rows, Class::Columns].map(|class| all(class, Reason::NothingReduced)).to_vec()
        }
        _ => reductions::left_out(program, &reductions),
    };
    if let Err(reason) = one_pass(program, &reductions) {
        left_out.push(all(Class::OnePass, reason));
    }
    let blocks = blocks(program, &reductions, Threads::ONE);
    let has_blocks = blocks.is_ok();
    if let Err(reason) = blocks {
        left_out.push(all(Class::Blocks, reason));
    }
    let pairs = surveyed_pairs(program, code);
    if let Err(reason) = product_tiles(program, (&reductions, &pairs), has_blocks, Threads::ONE) {
        left_out.push(all(Class::ProductTiles, reason));
    }
    if let Err(reason) = few_results(program, &reductions) {
        left_out.push(all(Class::FewResults, reason));
    }
    if let Err(reason) = segments(program) {
        left_out.push(all(Class::Segments, reason));
    }
    if let Err(reason) = tables::form(program) {
        left_out.push(all(Class::Tables, reason));
    }
    if transposition::form(program).is_none() {
        left_out.push(all(Class::Transposition, Reason::NoTransposition));
    }
    if let Err(reason) = row_vectors(program, &reductions) {
        left_out.push(all(Class::RowVectors, reason));
    }
    if let Err(reason) = rolling_rows(program) {
        left_out.push(all(Class::RollingRows, reason));
    }
    if let Err(reason) = window_vectors(program) {
        left_out.push(all(Class::WindowVectors, reason));
    }
    if let Err(reason) = window_tiles(program) {
        left_out.push(all(Class::WindowTiles, reason));
    }
    if let Err(reason) =
        elements(program, code.plain, &moving_less(program, &reductions, &pairs, Threads::ONE))
    {
        left_out.push(all(Class::Elements, reason));
    }
    if let Err(reason) = row_scans(program, &reductions) {
        left_out.push(all(Class::RowScans, reason));
    }
    if scans_in_order(program).is_none() {
        left_out.push(all(Class::ScansInOrder, Reason::NoDividedScan));
    }
    // What is reduced in order is no reduction for the survey.
    let is_for_reductions = |left_out: &&mut LeftOut| left_out.reason == Reason::NothingReduced;
    if program.rounding == Rounding::Strict {
        left_out.iter_mut().filter(is_for_reductions).for_each(|left_out| left_out.reason = Reason::Strict);
    }
    left_out
}

/// The surveyed reductions whose lengths and numbers of work-items a launcher knows before the first kernel.
/// It does not know them where they depend on the application of an `iterate`.
fn surveyed(program: &Program, code: &Surveyed<'_>) -> Vec<survey::Reduction> {
    reductions_in(program, code.apart.unwrap_or(code.plain))
}

/// The same where the results of pairs of rows are stored, if the program reduces them again.
fn surveyed_pairs(program: &Program, code: &Surveyed<'_>) -> Vec<survey::Reduction> {
    code.pairs_apart.map(|code| reductions_in(program, code)).unwrap_or_default()
}

fn reductions_in(program: &Program, code: &Code) -> Vec<survey::Reduction> {
    let mut reductions = survey::reductions(code);
    reductions.retain(|reduction| {
        let numbers = reduction.work_items.iter().chain([&reduction.length]);
        numbers.flat_map(Nat::variables).all(|variable| is_size(&variable, &program.sizes))
    });
    reductions
}

/// The form that the strategies of a schedule make, for the sizes that they need.
fn scheduled(program: &Program) -> Result<Candidate, Diagnostic> {
    let Scheduled { rewritten, stopped } = schedule::scheduled(program);
    if let Some(error) = stopped {
        return Err(error.diagnostic());
    }
    let demanded = program.schedule.last().map(|last| Demanded { name: last.name(), source: last.source });
    let refused = |reason: Diagnostic| match &demanded {
        Some(demanded) => demanded.refused(&[reason]),
        None => reason,
    };
    let selection = Selection::new(SCHEDULED, DeviceClass::Any);
    let mut form = Candidate::rewritten(selection, rewritten).map_err(refused)?;
    form.program.schedule = Vec::new();
    Ok(Candidate { demanded, ..form })
}

/// What a form needs of sizes, as what selects it; `None` where that is no condition.
fn guard(need: &Need) -> Option<Guard> {
    let stated = need.requirement.condition()?;
    let condition = stated.without_quotients();
    let text = match condition == stated {
        true => need.requirement.to_string(),
        false => condition.to_string(),
    };
    Some(Guard { text, condition })
}

/// What a form needs of sizes, as what selects it.
///
/// # Errors
/// Reports at `source` what a launcher cannot check, because it is about the number of an application, or no
/// condition.
pub(crate) fn guards(
    needs: &[Need],
    sizes: &[SizeVariable],
    source: Source,
) -> Result<Vec<Guard>, Diagnostic> {
    let is_checked =
        |guard: &Guard| guard.condition.variables().iter().all(|variable| is_size(variable, sizes));
    let checked = |need: &Need| {
        let message = || format!("it needs what no call can check: {}", need.requirement);
        guard(need).filter(is_checked).ok_or_else(|| Diagnostic::new(source, message()))
    };
    needs.iter().map(checked).collect()
}

/// That a number is large enough; `None` where it is known to be.
fn at_least(number: &Nat, least: i128) -> Option<Guard> {
    let condition = Condition::LessOrEqual(Nat::constant(least), number.clone());
    match condition.as_constant() {
        Some(true) => None,
        _ => Some(Guard { text: format!("{number} >= {least}"), condition }),
    }
}

/// That a number is small enough; `None` where it is known to be.
fn at_most(number: &Nat, most: i128) -> Option<Guard> {
    let condition = Condition::LessOrEqual(number.clone(), Nat::constant(most));
    match condition.as_constant() {
        Some(true) => None,
        _ => Some(Guard { text: format!("{number} <= {most}"), condition }),
    }
}

/// Both conditions, without one that always holds.
fn both(first: Condition, second: Condition) -> Condition {
    match (first.as_constant(), second.as_constant()) {
        (Some(true), _) => second,
        (_, Some(true)) => first,
        _ => first.and(second),
    }
}

/// That one of some conditions holds: `None` where none ever does, and no guard where one always does.
fn one_of(conditions: impl IntoIterator<Item = Condition>) -> Option<Option<Guard>> {
    let mut possible: Vec<Condition> = Vec::new();
    for condition in conditions {
        if condition.as_constant() != Some(false) && !possible.contains(&condition) {
            possible.push(condition);
        }
    }
    let condition = possible.into_iter().reduce(Condition::or)?;
    let text = match &condition {
        Condition::Or(..) => format!("({condition})"),
        _ => condition.to_string(),
    };
    let is_known = condition.as_constant() == Some(true);
    Some((!is_known).then_some(Guard { text, condition }))
}

/// What selects a form of this program, without the conditions that follow from others. Thresholds are only
/// asked where the guards hold; guards do not depend on thresholds, because users may name a form.
pub(crate) fn without_redundant(selection: Selection, program: &Program) -> Selection {
    let mut ranges = program.ranges();
    let guards = match selection.guards.len() {
        0 | 1 => selection.guards,
        _ => necessary(selection.guards, &ranges),
    };
    for guard in &guards {
        ranges.assume(&guard.condition);
    }
    let thresholds = necessary(selection.thresholds, &ranges);
    Selection { guards, thresholds, ..selection }
}

/// Those of some conditions that do not follow from what is known and from the others.
fn necessary(conditions: Vec<Guard>, known: &Ranges) -> Vec<Guard> {
    let mut necessary = conditions;
    for position in (0..necessary.len()).rev() {
        let condition = &necessary[position].condition;
        let others = necessary.iter().enumerate().filter(|(other, _)| *other != position);
        let others = others.map(|(_, other)| &other.condition);
        let all = || others.clone().fold(known.clone(), |known, other| known.with_assumed(other));
        if others.clone().any(|other| implies(other, condition)) || all().proves(condition) {
            necessary.remove(position);
        }
    }
    necessary
}

/// Whether one inequality follows from another because they differ by a constant. [`Ranges`] learns nothing from
/// bounds on products of sizes, such as `H * W <= 1024`.
fn implies(known: &Condition, asked: &Condition) -> bool {
    let not_negative = |condition: &Condition| match condition {
        Condition::LessOrEqual(less, more) => Some(more - less),
        Condition::Less(less, more) => Some(more - less - Nat::one()),
        Condition::Equal(..) | Condition::And(..) | Condition::Or(..) | Condition::Not(_) => None,
    };
    let (Some(known), Some(asked)) = (not_negative(known), not_negative(asked)) else { return false };
    (asked - known).as_constant().is_some_and(|difference| difference >= 0)
}

/// Each of these once, in their order.
fn different(guards: impl IntoIterator<Item = Guard>) -> Vec<Guard> {
    let mut different: Vec<Guard> = Vec::new();
    for guard in guards {
        if !different.contains(&guard) {
            different.push(guard);
        }
    }
    different
}

/// Whether a variable is one of the sizes of a program, which have one value for a call.
fn is_size(variable: &Var, sizes: &[SizeVariable]) -> bool {
    sizes.iter().any(|size| &size.variable == variable)
}

/// What a form needs of sizes, as what is known of them in it.
pub(crate) fn assumed(need: Need) -> Obligation {
    let text = format!("the form needs `{}`", need.requirement);
    Obligation { requirement: need.requirement, text, source: Source::UNKNOWN }
}

/// The form in which one work-item computes each scan, where the plain form divides one.
fn scans_in_order(program: &Program) -> Option<Candidate> {
    let is_divided = program.strategy.divides_scans();
    (is_divided && holds_divisible_scan(&program.body, program)).then(|| {
        let devices = DeviceClass::ProcessorBelow(ENOUGH_UNITS_TO_DIVIDE_A_SCAN);
        let program = Program { strategy: Strategy::ScansInOrder, ..program.clone() };
        Candidate::new(Selection::new("scansInOrder", devices), program)
    })
}

impl Candidate {
    /// A form that no user demands, and whose work-items do what the program says.
    fn new(selection: Selection, program: Program) -> Candidate {
        Candidate {
            optimised_for: selection.devices,
            selection,
            also: Vec::new(),
            program,
            cooperation: Cooperation::default(),
            lowered: None,
            coarsening: Coarsening::Off,
            group_order: GroupOrder::AsNumbered,
            without: Optimisations::NONE,
            has_plain_code: false,
            demanded: None,
        }
    }

    /// Whether there may be sizes for which a launcher chooses the form of this program.
    fn is_ever_chosen(&self, program: &Program) -> bool {
        is_ever_chosen(&self.selection, program)
    }

    /// Whether an earlier form, in which groups share the same rows, is chosen wherever this one is worth it.
    fn is_hidden_by(&self, earlier: &Candidate) -> bool {
        let shares_rows = |row| earlier.cooperation.rows.contains_key(row);
        let needs = earlier.lowered.iter().flat_map(|lowered| &lowered.rewritten.needs);
        let is_for_all = earlier.selection.guards.is_empty() && needs.count() == 0;
        let follows = |threshold: &Guard| {
            let mut own = self.selection.thresholds.iter();
            own.any(|own| implies(&own.condition, &threshold.condition))
        };
        let is_same_class = earlier.selection.devices == self.selection.devices;
        is_same_class
            && is_for_all
            && self.cooperation.rows.keys().all(shares_rows)
            && earlier.selection.thresholds.iter().all(follows)
    }

    /// The form that rewriting has made, for the sizes that it needs. Its program knows what it needs.
    ///
    /// # Errors
    /// As [`guards`].
    fn rewritten(selection: Selection, made: Rewritten) -> Result<Candidate, Diagnostic> {
        let Rewritten { mut program, needs, derivation } = made;
        let guards = guards(&needs, &program.sizes, program.body.source)?;
        let selection = Selection { guards, derivation: derivation.to_string(), ..selection };
        program.obligations.extend(needs.into_iter().map(assumed));
        Ok(Candidate::new(selection, program))
    }
}

/// Whether there may be sizes for which this selects a form of a program.
fn is_ever_chosen(selection: &Selection, program: &Program) -> bool {
    let mut ranges = program.ranges();
    for threshold in &selection.thresholds {
        ranges.assume(&threshold.condition);
    }
    let never = |threshold: &Guard| threshold.condition.as_constant() == Some(false);
    if selection.thresholds.iter().any(never) {
        return false;
    }
    selection.guards.iter().all(|guard| ranges.decide(&guard.condition) != Some(false))
}

impl Demanded {
    /// The message where what a schedule makes cannot be compiled.
    pub(crate) fn refused(&self, reasons: &[Diagnostic]) -> Diagnostic {
        let reasons = reasons.iter().map(|reason| reason.message.clone()).collect();
        let mistake = Mistake::Uncompilable { strategy: self.name.clone(), reasons };
        schedule::Error { source: self.source, mistake }.diagnostic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::typed::Requirement;
    use crate::ir::typed::result::Purpose;

    #[test]
    fn what_is_no_condition_about_sizes_is_refused_with_the_reason() {
        let (size, counter) = (Var::new(1, "N"), Var::new(2, "application"));
        let sizes = [SizeVariable::new(size.clone(), "N".to_owned())];
        let divides = |number: &Var| Need {
            requirement: Requirement::Divides(Nat::constant(4), Nat::variable(number)),
            purpose: Purpose::ChunksFill,
        };
        let found = |needs: &[Need]| guards(needs, &sizes, Source::UNKNOWN);
        let guards = found(&[divides(&size)]).expect("a call can check it");
        assert_eq!(guards.len(), 1);
        let message = "it needs what no call can check: application % 4 == 0";
        let refused = Err(Diagnostic::new(Source::UNKNOWN, message));
        assert_eq!(found(&[divides(&size), divides(&counter)]), refused);
        let (image, length) = (Nat::variable(&counter), Nat::variable(&size));
        let permutation = Requirement::Permutation { index: counter, image, length };
        assert!(found(&[Need { requirement: permutation, purpose: Purpose::ChunksFill }]).is_err());
    }
}
