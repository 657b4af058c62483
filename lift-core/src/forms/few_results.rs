//! The forms for few results, each reduced from many elements that all work-items take, as the forces between
//! bodies or a Fourier transform by its definition. A work-item for each result leaves most of a GPU idle. In
//! these forms the work-items of a group share a reduction. They read neighbours then, where in the plain form
//! all read the same element.

use super::defaults::{FEW_RESULTS, FewResults, LONG_SHARED_REDUCTION, MOST_RESULTS};
use super::left_out::Reason;
use super::reductions::{in_groups, may_have};
use super::survey::{Load, Reduction};
use super::{Candidate, at_least, one_of};
use crate::compiled::Guard;
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::Program;

/// The forms of a program that is such a reduction, in the order in which they are tried.
///
/// # Errors
/// Says why there is none.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Result<Vec<Candidate>, Reason> {
    let [reduction] = reductions else {
        return Err(if reductions.is_empty() { Reason::NothingReduced } else { Reason::SeveralReductions });
    };
    if reduction.work_items.is_empty() || !takes_the_same(reduction) {
        return Err(Reason::OwnElements);
    }
    if !may_have(&reduction.length, LONG_SHARED_REDUCTION) {
        return Err(Reason::ShortRow { least: LONG_SHARED_REDUCTION });
    }
    let results = reduction.work_items.iter().fold(Nat::one(), |results, items| results * items);
    let few = one_of([Condition::LessOrEqual(results.clone(), Nat::constant(MOST_RESULTS))]);
    let few = few.ok_or(Reason::ManyResults)?;
    let ranges = program.ranges();
    let mut forms = Vec::new();
    for FewResults { name, group, for_each_element } in &FEW_RESULTS {
        let most = for_each_element.map(|most| Nat::constant(most) * &reduction.length);
        let fewer = most.map(|most| Condition::LessOrEqual(results.clone(), most));
        let holds = fewer.as_ref().map_or(Some(true), |fewer| ranges.decide(fewer));
        let fewer = fewer.filter(|_| holds.is_none());
        let fewer = fewer.map(|condition| Guard { text: condition.to_string(), condition });
        let long = at_least(&reduction.length, LONG_SHARED_REDUCTION);
        let thresholds = long.into_iter().chain(few.clone()).chain(fewer).collect();
        if holds != Some(false)
            && let Some(form) = in_groups(program, name, reduction, *group, thresholds)
        {
            let is_last = holds == Some(true) && form.selection.guards.is_empty();
            forms.push(form);
            // Those behind it would never be chosen.
            if is_last {
                break;
            }
        }
    }
    if forms.is_empty() { Err(Reason::ManyResults) } else { Ok(forms) }
}

/// Whether a form is one of these.
pub(super) fn is_for_few_results(form: &Candidate) -> bool {
    FEW_RESULTS.iter().any(|few| few.name == form.selection.name)
}

/// Whether all work-items take the same elements, step by step.
fn takes_the_same(reduction: &Reduction) -> bool {
    let is_fixed = |load: &Load| load.along == Stride::Zero;
    let is_shared = |load: &Load| load.across.iter().all(|stride| *stride == Stride::Zero);
    let loads = || reduction.loads.iter();
    loads().any(|load| !is_fixed(load)) && loads().all(|load| is_fixed(load) || is_shared(load))
}
