//! The form for a reduction of each of many pairs of a row and a column, such as a product of two matrices:
//! a group computes a tile of results from tiles of rows and columns in local memory. If one work-item
//! reduces a pair alone, it loads two elements for each step, and here an element serves a row or a column
//! of a block in registers.
//!
//! A program that is one product is rewritten as a whole. In one with several stages, products among them,
//! each stage is rewritten by itself while the program is lowered: products in tiles, and what else it
//! reduces as in the forms for rows and for columns.

use super::defaults::PRODUCT_TILE;
use super::left_out::Reason;
use super::pairs::{Pairs, bytes_of_result, made};
use super::reductions::{beside_products, may_have};
use super::survey::Reduction;
use super::{Candidate, at_least, both, different, one_of};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::Program;
use crate::middle::lower::{Cooperation, lower_with};
use crate::middle::tuples::take_apart;
use crate::options::Coarsening;

/// The name of the form.
pub(crate) const PRODUCT_TILES: &str = "productTiles";

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
            let selection = selection(Worth::of(program, reduction)?.alone()?);
            let whole = made(program, &PRODUCT_TILE.tiles.strategy(), selection);
            whole.map_or_else(|| in_stages(program, reductions, None), Ok)
        }
        (several, []) => in_stages(program, several, None),
        (in_parallel, several) => in_stages(program, several, Some(in_parallel)),
    }
}

/// The form of a program that reduces several arrays. Where the reductions of pairs are stored before they
/// are reduced again, there are also those that the plain form does in parallel.
fn in_stages(
    program: &Program,
    reductions: &[Reduction],
    in_parallel: Option<&[Reduction]>,
) -> Result<Candidate, Reason> {
    // A work-item of the plain form computes all pairs of a row where it reduces these again: then tiles are
    // worth it for any number of rows.
    let is_in_parallel = |source: Source| {
        in_parallel.is_none_or(|plain| plain.iter().any(|reduction| reduction.source == source))
    };
    let worth = |reduction: &Reduction| match is_in_parallel(reduction.source) {
        true => Worth::of(program, reduction)?.with_sides(),
        false => Worth::of(program, reduction),
    };
    let (mut products, mut others) = (Vec::new(), Vec::new());
    let mut reason = None;
    for reduction in reductions {
        match worth(reduction) {
            Ok(worth) => products.push((reduction.source, worth)),
            Err(why) => {
                others.push(reduction);
                reason.get_or_insert(why);
            }
        }
    }
    if products.is_empty() {
        return Err(reason.unwrap_or(Reason::NoProduct));
    }
    let (shared, mut thresholds) = beside_products(&others);
    if products.iter().all(|(source, _)| is_in_parallel(*source)) {
        let results = products.iter().map(|(_, worth)| worth.results.clone());
        thresholds.extend(one_of(results).ok_or(Reason::FewPairs)?);
    }
    let products = products.into_iter().map(|(source, worth)| {
        let sides = worth.sides.into_iter().filter(|_| is_in_parallel(source));
        thresholds.extend(worth.long.into_iter().chain(sides));
        (source, PRODUCT_TILE.tiles)
    });
    let products = products.collect();
    let pairs_apart = in_parallel.is_some();
    let cooperation = Cooperation { products, reduced_rows_apart: true, pairs_apart, ..shared };
    // What cannot be lowered must not keep other forms away.
    let lowered = lower_with(&take_apart(program), &cooperation);
    if !lowered.is_ok_and(|lowered| lowered.obstacle.is_none()) {
        return Err(Reason::NoProduct);
    }
    let form = Candidate::new(selection(thresholds), program.clone());
    let form = Candidate { cooperation, coarsening: Coarsening::LightKernels, ..form };
    form.is_ever_chosen(program).then_some(form).ok_or(Reason::FewPairs)
}

fn selection(thresholds: Vec<Guard>) -> Selection {
    let selection = Selection::new(PRODUCT_TILES, DeviceClass::Accelerator);
    Selection { thresholds: different(thresholds), ..selection }
}

/// From which sizes on tiles are worth it for a product.
struct Worth {
    /// That the reductions are long.
    long: Option<Guard>,
    /// That there are several rows and several columns.
    sides: Vec<Guard>,
    /// That there are many pairs.
    results: Condition,
    /// That there are very many rows and at least a few columns.
    many_rows: Condition,
}

impl Worth {
    /// From which sizes on tiles are worth it for a reduction.
    ///
    /// # Errors
    /// Says why they never are.
    fn of(program: &Program, reduction: &Reduction) -> Result<Worth, Reason> {
        let tile = &PRODUCT_TILE;
        let pairs = Pairs::of(reduction, program).ok_or(Reason::NoProduct)?;
        let bytes = bytes_of_result(&program.body, reduction.source).ok_or(Reason::NoProduct)?;
        if bytes > tile.bytes {
            return Err(Reason::LargeResults);
        }
        if !may_have(&reduction.length, tile.least_length) {
            return Err(Reason::ShortPair { least: tile.least_length });
        }
        let sides = [pairs.rows, pairs.columns].map(|side| at_least(side, tile.least_side));
        let has = |number: &Nat, least| Condition::LessOrEqual(Nat::constant(least), number.clone());
        Ok(Worth {
            long: at_least(&reduction.length, tile.least_length),
            sides: different(sides.into_iter().flatten()),
            results: has(&pairs.results(reduction), tile.least_results),
            many_rows: both(has(pairs.rows, tile.many_rows), has(pairs.columns, tile.few_columns)),
        })
    }

    /// Demands several rows and columns, as of a product among other stages: tiles of one with ten columns do
    /// more in vain than the others gain. (Alone, and with very many rows, it is worth it.)
    ///
    /// # Errors
    /// Says so if there never are.
    fn with_sides(self) -> Result<Worth, Reason> {
        let is_possible = |side: &Guard| side.condition.as_constant() != Some(false);
        if self.sides.iter().all(is_possible) { Ok(self) } else { Err(Reason::FewPairs) }
    }

    /// What selects the form of a program that is this product.
    fn alone(self) -> Result<Vec<Guard>, Reason> {
        let Worth { long, sides, results, many_rows } = self;
        let sides = sides.into_iter().map(|side| side.condition).reduce(both);
        let many = sides.map_or(results.clone(), |sides| both(sides, results));
        let many = one_of([many, many_rows]).ok_or(Reason::FewPairs)?;
        Ok(long.into_iter().chain(many).collect())
    }
}
