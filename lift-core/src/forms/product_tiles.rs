//! The form for a reduction of each of many pairs of a row and a column, such as a product of two matrices:
//! a group computes a tile of results from tiles of rows and columns in local memory. If one work-item
//! reduces a pair alone, it loads two elements for each step, and here an element serves a row or a column
//! of a block in registers.
//!
//! A program that is one product is rewritten as a whole. In one with several stages, products among them, each
//! stage is rewritten by itself while the program is lowered: products in tiles, and what else it reduces as in
//! the forms for rows and for columns.

use std::collections::BTreeMap;

use super::defaults::{PRODUCT_TILE, ProductTile};
use super::left_out::Reason;
use super::pairs::{Pairs, bytes_of_result, made};
use super::reductions::{beside_products, may_have};
use super::survey::Reduction;
use super::{Candidate, at_least, both, different, one_of};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::Program;
use crate::middle::lower::{Cooperation, lower_with};
use crate::middle::tuples::take_apart;

/// From which sizes on tiles are worth it for a product.
struct Worth {
    /// That the reductions are long.
    long: Option<Guard>,
    /// That there are many pairs: one of these.
    many: Vec<Condition>,
}

/// The form of a program with such products. Some of them may be of pairs that the program reduces again
/// (`pairs_apart`).
///
/// # Errors
/// Says why there is none.
pub(super) fn form(
    program: &Program,
    reductions: &[Reduction],
    pairs_apart: &[Reduction],
) -> Result<Candidate, Reason> {
    match (reductions, pairs_apart) {
        ([], []) => Err(Reason::NothingReduced),
        ([reduction], []) => {
            let selection = selection([Worth::of(program, reduction)?]).ok_or(Reason::FewPairs)?;
            let whole = made(program, &PRODUCT_TILE.tiles.strategy(), selection);
            whole.map_or_else(|| in_stages(program, reductions, false), Ok)
        }
        (several, []) => in_stages(program, several, false),
        (_, several) => in_stages(program, several, true),
    }
}

/// The form of a program that reduces several arrays.
fn in_stages(program: &Program, reductions: &[Reduction], pairs_apart: bool) -> Result<Candidate, Reason> {
    let worth = |reduction: &Reduction| Worth::of(program, reduction);
    let (products, others): (Vec<&Reduction>, Vec<&Reduction>) =
        reductions.iter().partition(|reduction| worth(reduction).is_ok());
    if products.is_empty() {
        return Err(reductions
            .iter()
            .find_map(|reduction| worth(reduction).err())
            .unwrap_or(Reason::NoPairs));
    }
    let of_products = selection(products.iter().filter_map(|product| worth(product).ok()));
    let mut selection = of_products.ok_or(Reason::FewPairs)?;
    let (shared, long_rows) = beside_products(&others);
    selection.thresholds = different(selection.thresholds.into_iter().chain(long_rows));
    let products =
        products.iter().map(|product| (product.source, PRODUCT_TILE.tiles)).collect::<BTreeMap<_, _>>();
    let cooperation = Cooperation { products, reduced_rows_apart: true, pairs_apart, ..shared };
    // What cannot be lowered must not keep other forms away.
    let lowered = lower_with(&take_apart(program), &cooperation);
    if !lowered.is_ok_and(|lowered| lowered.obstacle.is_none()) {
        return Err(Reason::NoPairs);
    }
    let form = Candidate { cooperation, ..Candidate::new(selection, program.clone()) };
    form.is_ever_chosen(program).then_some(form).ok_or(Reason::FewPairs)
}

/// What selects the form: all products are long, and one of them has many pairs. Tiles of a product that has
/// few pairs are at most as slow as what each pair takes alone. `None` if that never holds.
fn selection(products: impl IntoIterator<Item = Worth>) -> Option<Selection> {
    let (mut thresholds, mut many) = (Vec::new(), Vec::new());
    for product in products {
        thresholds.extend(product.long);
        many.extend(product.many);
    }
    thresholds.extend(one_of(many)?);
    let selection = Selection::new("productTiles", DeviceClass::Accelerator);
    Some(Selection { thresholds: different(thresholds), ..selection })
}

impl Worth {
    /// From which sizes on tiles are worth it for a reduction.
    ///
    /// # Errors
    /// Says why they never are.
    fn of(program: &Program, reduction: &Reduction) -> Result<Worth, Reason> {
        let tile = &PRODUCT_TILE;
        let pairs = Pairs::of(reduction, program).ok_or(Reason::NoPairs)?;
        let bytes = bytes_of_result(&program.body, reduction.source).ok_or(Reason::NoPairs)?;
        if bytes > tile.bytes {
            return Err(Reason::LargeResults);
        }
        if !may_have(&reduction.length, tile.least_length) {
            return Err(Reason::ShortPair { least: tile.least_length });
        }
        let many = many_pairs(&pairs, reduction, tile);
        if many.iter().all(|condition| condition.as_constant() == Some(false)) {
            return Err(Reason::FewPairs);
        }
        Ok(Worth { long: at_least(&reduction.length, tile.least_length), many })
    }
}

/// The conditions that there are many rows and columns, and that there are very many rows.
fn many_pairs(pairs: &Pairs<'_>, reduction: &Reduction, tile: &ProductTile) -> Vec<Condition> {
    let at_least = |number: &Nat, least| Condition::LessOrEqual(Nat::constant(least), number.clone());
    let rows = at_least(pairs.rows, tile.least_side);
    let sides = match pairs.rows == pairs.columns {
        true => rows,
        false => both(rows, at_least(pairs.columns, tile.least_side)),
    };
    let results = at_least(&pairs.results(reduction), tile.least_results);
    let many_rows = both(at_least(pairs.rows, tile.many_rows), at_least(pairs.columns, tile.few_columns));
    vec![both(sides, results), many_rows]
}
