//! Forms for a reduction of each pair of a row and a column: a group computes a block of results, and its
//! work-items share the reductions. If one work-item reduces a pair alone, neighbours take columns, and read
//! one row again and again. With few columns there are few neighbours, and what a GPU fetches of a row serves
//! few of them.
//!
//! Blocks of four columns are for products with so few, which a GPU spends its time on reading the matrix for.
//! With more columns, a larger block reads the rows less often.

use super::defaults::{BLOCK_ITEMS, BLOCKS, Blocks, LONG_PAIR};
use super::left_out::Reason;
use super::reductions::{has_open_reduction, may_have};
use super::survey::{Load, Reduction};
use super::{Candidate, at_least, different};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::Program;
use crate::middle::rewrite::strategies::BLOCKS_IN_GROUPS;
use crate::middle::rewrite::{Argument, Rewriter};

/// The forms of a program that is such a product, in the order in which they are tried.
///
/// # Errors
/// Says why there are none.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Result<Vec<Candidate>, Reason> {
    let [reduction] = reductions else {
        return Err(if reductions.is_empty() { Reason::NothingReduced } else { Reason::NoPairs });
    };
    let [.., rows, columns] = reduction.work_items.as_slice() else { return Err(Reason::NoPairs) };
    if !reduces_pairs(reduction) {
        return Err(Reason::NoPairs);
    }
    if !may_have(&reduction.length, LONG_PAIR) {
        return Err(Reason::ShortPair);
    }
    let mut forms: Vec<Candidate> = Vec::new();
    for blocks in &BLOCKS {
        let few = at_most(rows, columns, blocks.most);
        let are_always_few = few.is_none();
        let thresholds = different(at_least(&reduction.length, LONG_PAIR).into_iter().chain(few));
        let selection = Selection { thresholds, ..Selection::new(blocks.name, DeviceClass::Accelerator) };
        forms.extend(form(program, blocks, selection));
        if are_always_few && !forms.is_empty() {
            break;
        }
    }
    match forms.is_empty() {
        true => Err(Reason::NoPairs),
        false => Ok(forms),
    }
}

/// Whether there are rows that lie side by side in memory and of which neighbouring work-items read the same
/// elements, and columns. What belongs to both would be read for each pair, whatever a group does.
fn reduces_pairs(reduction: &Reduction) -> bool {
    let strides = |load: &Load| match load.across.as_slice() {
        [.., of_rows, of_columns] => Some((*of_rows, *of_columns)),
        _ => None,
    };
    let is_of_row =
        |load: &&Load| matches!(strides(load), Some((rows, Stride::Zero)) if rows != Stride::Zero);
    let is_of_column =
        |load: &&Load| matches!(strides(load), Some((Stride::Zero, columns)) if columns != Stride::Zero);
    let loads = || reduction.loads.iter();
    let is_of_both = |load: &Load| !matches!(strides(load), Some((Stride::Zero, _) | (_, Stride::Zero)));
    loads().filter(is_of_row).any(|load| load.along == Stride::One)
        && loads().any(|load| is_of_column(&load))
        && !loads().any(is_of_both)
}

/// That there are so few rows, or so few columns.
fn at_most(rows: &Nat, columns: &Nat, most: i128) -> Option<Guard> {
    let few = |number: &Nat| Condition::LessOrEqual(number.clone(), Nat::constant(most));
    let condition = few(rows).or(few(columns));
    (condition.as_constant() != Some(true)).then(|| Guard { text: condition.to_string(), condition })
}

/// The form with blocks of one size.
fn form(program: &Program, blocks: &Blocks, selection: Selection) -> Option<Candidate> {
    let arguments = [blocks.rows, blocks.columns, BLOCK_ITEMS];
    let arguments = arguments.map(|argument| Argument::Size(Nat::constant(argument))).into();
    let mut rewriter = Rewriter::new(program);
    rewriter.run(&BLOCKS_IN_GROUPS.of(program, arguments).ok()?).ok()?;
    let made = rewriter.rewritten();
    if has_open_reduction(&made.program.body) {
        return None;
    }
    let form = Candidate::rewritten(selection, made).ok()?;
    form.is_ever_chosen(program).then_some(form)
}
