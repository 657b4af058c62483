//! The forms for a reduction of each pair of a row and a column: a group computes a block of results, and
//! its work-items share the reductions. If one work-item reduces a pair alone, neighbours take columns, and
//! read one row again and again. With few columns there are few neighbours, and what a GPU fetches of a row
//! serves few of them. With five columns or more, a larger block reads less, for more accumulators; with
//! two, a block with two columns reads nothing in vain.

use super::defaults::{
    BLOCK_BYTES, BLOCK_ITEMS, BLOCKS, Block, FewPairs, LONG_PAIR, LONG_PAIR_OF_MANY_ROWS, PRODUCT_TILE,
    ProductTile,
};
use super::left_out::Reason;
use super::pairs::{Pairs, bytes_of_result, made, only, size};
use super::reductions::may_have;
use super::survey::Reduction;
use super::{Candidate, at_least, different, one_of};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::Program;
use crate::middle::rewrite::strategies::BLOCKS_IN_GROUPS;
use crate::threads::Threads;

/// The forms of a program that is such a product, in the order in which they are tried.
///
/// # Errors
/// Says why there is none.
pub(super) fn forms(
    program: &Program,
    reductions: &[Reduction],
    threads: Threads,
) -> Result<Vec<Candidate>, Reason> {
    let reduction = only(reductions)?;
    let pairs = Pairs::of(reduction, program).filter(|pairs| pairs.are_rows_dense).ok_or(Reason::NoPairs)?;
    let bytes = bytes_of_result(&program.body, reduction.source).ok_or(Reason::NoPairs)?;
    let mut blocks: Vec<&'static Block> = BLOCKS.iter().collect();
    blocks.retain(|block| block.rows * block.columns * BLOCK_ITEMS * bytes <= BLOCK_BYTES);
    if blocks.is_empty() {
        return Err(Reason::LargeResults);
    }
    let is_square = pairs.rows == pairs.columns;
    blocks.retain(|block| !is_square || block.rows == block.columns);
    blocks.retain(|block| may_have(&reduction.length, block.length));
    if blocks.is_empty() {
        return Err(Reason::ShortPair { least: LONG_PAIR });
    }
    let few = |block: &'static Block| Some((block, pairs.few(block, reduction)?));
    let few: Vec<(&Block, Option<Guard>)> = blocks.into_iter().filter_map(few).collect();
    if few.is_empty() {
        return Err(Reason::ManyPairs);
    }
    let form = |(block, few): &(&Block, Option<Guard>)| {
        let sides = [pairs.rows, pairs.columns].into_iter().filter(|_| block.least_side > 0);
        let sides = sides.filter_map(|side| at_least(side, block.least_side));
        let enough = (block.pairs > 0).then(|| at_least(&pairs.results(reduction), block.pairs));
        let thresholds =
            at_least(&reduction.length, block.length).into_iter().chain(sides).chain(few.clone());
        let beside_tiles = pairs.longer_than_in_tiles(block, reduction)?;
        let thresholds = thresholds.chain(enough.flatten()).chain(beside_tiles);
        let selection = Selection::new(block.name, DeviceClass::Accelerator);
        let selection = Selection { thresholds: different(thresholds), ..selection };
        let arguments = [block.rows, block.columns, BLOCK_ITEMS].map(size).into();
        made(program, &BLOCKS_IN_GROUPS.of(program, arguments).ok()?, selection)
    };
    let forms: Vec<Candidate> = threads.map(&few, form).into_iter().flatten().collect();
    if forms.is_empty() { Err(Reason::NoPairs) } else { Ok(forms) }
}

impl Pairs<'_> {
    /// The condition that pairs are long, where tiles may take those of many rows: blocks have as few columns
    /// as these, or fewer. `None` if that never holds.
    fn longer_than_in_tiles(&self, block: &Block, reduction: &Reduction) -> Option<Option<Guard>> {
        let ProductTile { many_rows, few_columns, .. } = PRODUCT_TILE;
        let has_fewer = |number: &Nat, least| Condition::Less(number.clone(), Nat::constant(least));
        let is_long = Condition::LessOrEqual(Nat::constant(LONG_PAIR_OF_MANY_ROWS), reduction.length.clone());
        if block.columns < few_columns || self.rows == self.columns {
            return Some(None);
        }
        let few = (block.least_side < few_columns).then(|| has_fewer(self.columns, few_columns));
        one_of([is_long, has_fewer(self.rows, many_rows)].into_iter().chain(few))
    }

    /// The condition that there are few columns, or few pairs for a GPU. Where columns are as good to read
    /// as rows, few rows will do for a square block, too. `None` if that never holds.
    fn few(&self, block: &Block, reduction: &Reduction) -> Option<Option<Guard>> {
        let few = if self.are_columns_dense { block.few_dense_pairs } else { block.few_pairs };
        let few_rows_do = self.are_columns_dense && block.rows == block.columns;
        let sides = [Some(self.columns), few_rows_do.then_some(self.rows)];
        let results = self.results(reduction);
        let at_most = |number: &Nat, most| Condition::LessOrEqual(number.clone(), Nat::constant(most));
        let few_results = few.iter().map(|FewPairs { pairs, length }| {
            let long = (*length > block.length).then(|| at_least(&reduction.length, *length)).flatten();
            let few = at_most(&results, *pairs);
            long.map_or(few.clone(), |long| few.and(long.condition))
        });
        let possible =
            sides.into_iter().flatten().map(|side| at_most(side, block.few_columns)).chain(few_results);
        one_of(possible)
    }
}
