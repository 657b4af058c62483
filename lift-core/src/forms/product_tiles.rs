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

/// Its name for very many rows and few columns. A processor is faster alone with these.
const TALL_PRODUCT_TILES: &str = "tallProductTiles";

/// Its name for few pairs that are reduced again.
const SMALL_PRODUCT_TILES: &str = "smallProductTiles";

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
            let (selection, also) = Worth::of(program, reduction)?.alone()?;
            match made(program, &PRODUCT_TILE.tiles.strategy(), selection) {
                Some(form) => Ok(with_vectors(Candidate { also, ..form })),
                None => in_stages(program, reductions, None),
            }
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
    // worth it on GPUs for any number of rows.
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
    let (shared, long_rows) = beside_products(&others);
    let results = one_of(products.iter().map(|(_, worth)| worth.results.clone())).ok_or(Reason::FewPairs)?;
    let long = products.iter().filter_map(|(_, worth)| worth.long.clone());
    let long: Vec<Guard> = long_rows.into_iter().chain(long).collect();
    let sides_of = |wanted: &dyn Fn(Source) -> bool| {
        let products = products.iter().filter(|(source, _)| wanted(*source));
        products.flat_map(|(_, worth)| worth.sides.clone()).collect::<Vec<_>>()
    };
    let main = selection(long.iter().cloned().chain(results).chain(sides_of(&|_| true)).collect());
    let also = (!products.iter().all(|(source, _)| is_in_parallel(*source))).then(|| {
        let thresholds = different(long.into_iter().chain(sides_of(&is_in_parallel)));
        Selection { thresholds, ..Selection::new(SMALL_PRODUCT_TILES, DeviceClass::Accelerator) }
    });
    let products = products.iter().map(|(source, _)| (*source, PRODUCT_TILE.tiles)).collect();
    let pairs_apart = in_parallel.is_some();
    let cooperation = Cooperation { products, reduced_rows_apart: true, pairs_apart, ..shared };
    let form = Candidate { cooperation, also, ..Candidate::new(main, program.clone()) };
    let form = with_vectors(Candidate { coarsening: Coarsening::LightKernels, ..form });
    if !form.is_ever_chosen(program) {
        return Err(Reason::FewPairs);
    }
    // What cannot be lowered must not keep other forms away.
    let lowered = lower_with(&take_apart(program), &form.cooperation).ok();
    let lowered = lowered.filter(|lowered| lowered.obstacle.is_none()).ok_or(Reason::NoProduct)?;
    Ok(Candidate { lowered: Some(lowered), ..form })
}

fn selection(thresholds: Vec<Guard>) -> Selection {
    let selection = Selection::new(PRODUCT_TILES, DeviceClass::Any);
    Selection { thresholds: different(thresholds), ..selection }
}

/// Processors compute tiles as vectors, too, so that what is good for GPUs is good for them.
fn with_vectors(form: Candidate) -> Candidate {
    Candidate { optimised_for: DeviceClass::Accelerator, ..form }
}

/// From which sizes on tiles are worth it for a product.
struct Worth {
    /// That the reductions are long.
    long: Option<Guard>,
    /// That there are several rows and several columns.
    sides: Vec<Guard>,
    /// That there are many pairs.
    results: Condition,
    /// That there are very many rows and at least a few columns. `None` if there are as many columns as rows.
    many_rows: Option<Condition>,
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
            many_rows: (pairs.rows != pairs.columns)
                .then(|| both(has(pairs.rows, tile.many_rows), has(pairs.columns, tile.few_columns))),
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

    /// What selects the form of a program that is this product, and also: on GPUs, with very many rows, a few
    /// columns suffice.
    fn alone(self) -> Result<(Selection, Option<Selection>), Reason> {
        let Worth { long, sides, results, many_rows } = self;
        let possible = |condition| {
            let thresholds = one_of([condition])?;
            Some(long.clone().into_iter().chain(thresholds).collect::<Vec<_>>())
        };
        let sides = sides.into_iter().map(|side| side.condition).reduce(both);
        let many = possible(sides.map_or(results.clone(), |sides| both(sides, results))).map(selection);
        let tall = many_rows.and_then(possible).map(|thresholds| {
            let tall = Selection::new(TALL_PRODUCT_TILES, DeviceClass::Accelerator);
            Selection { thresholds, ..tall }
        });
        match (many, tall) {
            (Some(many), tall) => Ok((many, tall)),
            (None, Some(tall)) => Ok((tall, None)),
            (None, None) => Err(Reason::FewPairs),
        }
    }
}
