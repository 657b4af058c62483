//! The form for a reduction of each of many pairs of a row and a column, such as a product of two matrices:
//! a group computes a tile of results from tiles of rows and columns in local memory. If one work-item
//! reduces a pair alone, it loads two elements for each step, and here an element serves a row or a column
//! of a block in registers.
//!
//! A program that is one product is rewritten as a whole. In one with several stages, products among them,
//! each stage is rewritten by itself while the program is lowered: products in tiles, and what else it
//! reduces as in the forms for rows and for columns.

use super::defaults::{LONG_PRODUCT, LongPairs, LongProduct, PRODUCT_TILE};
use super::left_out::Reason;
use super::pairs::{Pairs, bytes_of_result, made};
use super::reductions::{beside_others, may_have};
use super::survey::Reduction;
use super::{Candidate, at_least, both, different, is_ever_chosen, one_of};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::{Program, SizeVariable};
use crate::middle::lower::{Cooperation, ProductTiles, lower_with};
use crate::middle::rewrite::strategies::ceiling;
use crate::middle::tuples::take_apart;
use crate::options::Coarsening;
use crate::threads::Threads;

/// The name of the form.
pub(crate) const PRODUCT_TILES: &str = "productTiles";

/// Its name for very many rows and few columns. A processor is faster alone with these.
const TALL_PRODUCT_TILES: &str = "tallProductTiles";

/// Its name on processors, which compute tiles as vectors, and fewer of them.
const VECTOR_PRODUCT_TILES: &str = "vectorProductTiles";

/// Its name for few pairs that are reduced again.
const SMALL_PRODUCT_TILES: &str = "smallProductTiles";

/// Its name where reductions are cut into pieces.
const LONG_PRODUCT_TILES: &str = "longProductTiles";

/// Its name where only those of the last product are.
const LONG_LAST_PRODUCT_TILES: &str = "longLastProductTiles";

/// The names of these two on processors.
const LONG_VECTOR_PRODUCT_TILES: &str = "longVectorProductTiles";
const LONG_LAST_VECTOR_PRODUCT_TILES: &str = "longLastVectorProductTiles";

/// From which sizes on a product is cut into pieces. `None` if it never is.
type Cut = Option<Vec<Guard>>;

/// The forms of a program with such products. Some of them may be of pairs that the program reduces again
/// (`pairs_apart`). Groups may share blocks of its results instead (`has_blocks`).
///
/// # Errors
/// Says why there are none.
pub(super) fn forms(
    program: &Program,
    (reductions, pairs_apart): (&[Reduction], &[Reduction]),
    has_blocks: bool,
    threads: Threads,
) -> Result<Vec<Candidate>, Reason> {
    let (long, tiles) = threads
        .both(|| long(program, reductions, has_blocks, threads), || form(program, reductions, pairs_apart));
    match tiles {
        Err(reason) if long.is_empty() => Err(reason),
        tiles => Ok(long.into_iter().chain(tiles).collect()),
    }
}

/// The form in which tiles take whole reductions.
///
/// # Errors
/// Says why there is none.
fn form(program: &Program, reductions: &[Reduction], pairs_apart: &[Reduction]) -> Result<Candidate, Reason> {
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
    let Stages { products, others } = Stages::of(reductions, |reduction| {
        let worth = Worth::of(program, reduction)?;
        if is_in_parallel(reduction.source) { worth.with_sides() } else { Ok(worth) }
    })?;
    let (shared, long_rows) = beside_others(&others);
    let results = one_of(products.iter().map(|(_, worth)| worth.results_in_stages.clone()));
    let some_results = one_of(products.iter().map(|(_, worth)| worth.some_results.clone()));
    let long = products.iter().filter_map(|(_, worth)| worth.long.clone());
    let long: Vec<Guard> = long_rows.into_iter().chain(long).collect();
    let sides_of = |wanted: &dyn Fn(Source) -> bool| {
        let products = products.iter().filter(|(reduction, _)| wanted(reduction.source));
        products.flat_map(|(_, worth)| worth.sides_in_stages.clone()).collect::<Vec<_>>()
    };
    let selection = |name, devices, results: Option<Guard>, sides: Vec<Guard>| {
        let thresholds = different(long.iter().cloned().chain(results).chain(sides));
        Selection { thresholds, ..Selection::new(name, devices) }
    };
    let for_processors = products.iter().any(|(_, worth)| !worth.has_small_columns);
    let devices = if for_processors { DeviceClass::Any } else { DeviceClass::Accelerator };
    let ways = [
        (PRODUCT_TILES, devices, results),
        (VECTOR_PRODUCT_TILES, DeviceClass::Processor, some_results.filter(|_| for_processors)),
    ];
    let ways = ways
        .into_iter()
        .filter_map(|(name, devices, results)| Some(selection(name, devices, results?, sides_of(&|_| true))));
    let are_apart = !products.iter().all(|(reduction, _)| is_in_parallel(reduction.source));
    let small = are_apart
        .then(|| selection(SMALL_PRODUCT_TILES, DeviceClass::Accelerator, None, sides_of(&is_in_parallel)));
    let mut also: Vec<Selection> = ways.chain(small).collect();
    also.retain(|selection| is_ever_chosen(selection, program));
    if also.is_empty() {
        return Err(Reason::FewPairs);
    }
    let main = also.remove(0);
    let products = products.iter().map(|(reduction, _)| (reduction.source, PRODUCT_TILE.tiles)).collect();
    let form =
        lowered(program, main, Cooperation { products, pairs_apart: in_parallel.is_some(), ..shared })?;
    Ok(Candidate { also, ..form })
}

/// The forms in which long reductions are cut into pieces, so that there are tiles for all groups of a
/// device: of all products that may be long, and of the last one of them, which takes what others give.
fn long(program: &Program, reductions: &[Reduction], has_blocks: bool, threads: Threads) -> Vec<Candidate> {
    let on_gpus = |worth: &Worth| worth.in_pieces(program, has_blocks);
    let on_processors = |worth: &Worth| worth.in_pieces_on_processors(reductions.len() == 1);
    let worth = |reduction: &Reduction| {
        let worth = Worth::of(program, reduction)?;
        let is_cut = on_gpus(&worth).or_else(|| on_processors(&worth)).is_some();
        if is_cut { Ok(worth) } else { worth.with_sides() }
    };
    let Ok(stages) = Stages::of(reductions, worth) else { return Vec::new() };
    let of_products = |in_pieces: &dyn Fn(&Worth) -> Cut| -> Vec<Cut> {
        stages.products.iter().map(|(_, worth)| in_pieces(worth)).collect()
    };
    // Where a GPU never needs pieces, a processor may.
    let (devices, mut pieces) = match of_products(&on_gpus) {
        pieces if pieces.iter().any(Option::is_some) => (DeviceClass::Accelerator, pieces),
        _ => (DeviceClass::Processor, of_products(&on_processors)),
    };
    cut_one_of_two(&stages.products, &mut pieces);
    let source = |number: usize| stages.products[number].0.source;
    for (number, (_, worth)) in stages.products.iter().enumerate() {
        // One place in the source has one length of pieces.
        let is_other = |(other, of_other): (usize, &(&Reduction, Worth))| {
            source(other) == source(number) && !of_other.1.has_extents_of(worth)
        };
        if stages.products.iter().enumerate().any(is_other) {
            pieces[number] = None;
        }
    }
    let names = [LONG_PRODUCT_TILES, LONG_VECTOR_PRODUCT_TILES];
    let of_all = (names, pieces.clone());
    let last = pieces.iter().rposition(Option::is_some).unwrap_or_default();
    let is_cut_before = pieces.iter().take(last).any(Option::is_some)
        && (0..last).all(|earlier| source(earlier) != source(last));
    pieces.iter_mut().take(last).for_each(|earlier| *earlier = None);
    let names = [LONG_LAST_PRODUCT_TILES, LONG_LAST_VECTOR_PRODUCT_TILES];
    let of_last = is_cut_before.then_some((names, pieces));
    let wanted: Vec<_> = std::iter::once(of_all).chain(of_last).collect();
    let forms = threads.map(&wanted, |(names, pieces)| stages.in_pieces(program, (devices, *names), pieces));
    forms.into_iter().flatten().collect()
}

/// Of two products whose lengths are each other's numbers of rows or columns, as in an attention, not both
/// have long reductions and few results: the later one may.
fn cut_one_of_two(products: &[(&Reduction, Worth)], pieces: &mut [Cut]) {
    let takes = |one: usize, other: usize| {
        let [(reduction, _), (_, worth)] = [&products[one], &products[other]];
        worth.rows_and_columns.contains(&reduction.length)
    };
    for later in 1..products.len() {
        for earlier in (0..later).filter(|earlier| takes(*earlier, later) && takes(later, *earlier)) {
            if pieces[later].is_some() {
                pieces[earlier] = None;
            }
        }
    }
}

/// The products of a program, with from which sizes on tiles are worth it, and what else it reduces.
struct Stages<'r> {
    products: Vec<(&'r Reduction, Worth)>,
    others: Vec<&'r Reduction>,
}

impl<'r> Stages<'r> {
    /// The stages, if there are products among them.
    ///
    /// # Errors
    /// Says why there are none.
    fn of(
        reductions: &'r [Reduction],
        worth: impl Fn(&Reduction) -> Result<Worth, Reason>,
    ) -> Result<Stages<'r>, Reason> {
        let (mut products, mut others) = (Vec::new(), Vec::new());
        let mut reason = None;
        for reduction in reductions {
            match worth(reduction) {
                Ok(worth) => products.push((reduction, worth)),
                Err(why) => {
                    others.push(reduction);
                    reason.get_or_insert(why);
                }
            }
        }
        match products.is_empty() {
            true => Err(reason.unwrap_or(Reason::NoProduct)),
            false => Ok(Stages { products, others }),
        }
    }

    /// The form in which the reductions of some products are cut into pieces, on these devices from these
    /// sizes on. It has two names: on GPUs and on processors.
    fn in_pieces(
        &self,
        program: &Program,
        (devices, [name, on_processors]): (DeviceClass, [&str; 2]),
        pieces: &[Cut],
    ) -> Option<Candidate> {
        let products =
            || self.products.iter().zip(pieces).map(|((reduction, worth), cut)| (reduction, worth, cut));
        let whole: Vec<&Worth> =
            products().filter_map(|(_, worth, cut)| cut.is_none().then_some(worth)).collect();
        let results = match whole.is_empty() {
            true => None,
            false => one_of(whole.iter().map(|worth| worth.results_in_stages.clone()))?,
        };
        if whole.len() == pieces.len() {
            return None;
        }
        let (shared, long_rows) = beside_others(&self.others);
        // What the long ones gain is more than others lose that have few rows or columns.
        let selection = |name, devices, long: &dyn Fn(&Worth, &[Guard]) -> Cut| {
            let of_products = products().map(|(_, worth, cut)| match cut {
                Some(cut) => long(worth, cut),
                None => Some(worth.long.iter().cloned().collect()),
            });
            let of_products = of_products.collect::<Option<Vec<_>>>()?.into_iter().flatten();
            let thresholds =
                different(long_rows.iter().cloned().chain(of_products).chain(results.iter().cloned()));
            Some(Selection { thresholds, ..Selection::new(name, devices) })
        };
        let is_alone = self.products.len() == 1 && self.others.is_empty();
        let is_for_processors = products().any(|(_, worth, _)| !worth.has_small_columns);
        let for_processors = selection(on_processors, DeviceClass::Processor, &|worth, _| {
            worth.in_pieces_on_processors(is_alone)
        });
        let for_processors = for_processors.filter(|_| is_for_processors);
        let (main, also) = match devices {
            DeviceClass::Processor => (for_processors?, None),
            _ => (selection(name, devices, &|_, cut| Some(cut.to_vec()))?, for_processors),
        };
        let mut program = program.clone();
        let cut = products().filter(|(_, _, cut)| cut.is_some());
        let lengths =
            cut.map(|(reduction, worth, _)| (reduction.source, worth.length_of_pieces(&mut program)));
        let product_pieces = lengths.collect();
        let products = products().map(|(reduction, ..)| (reduction.source, PRODUCT_TILE.tiles)).collect();
        let form = lowered(&program, main, Cooperation { products, product_pieces, ..shared }).ok()?;
        let also = also.into_iter().filter(|selection| is_ever_chosen(selection, &program)).collect();
        Some(Candidate { also, ..form })
    }
}

/// The form in which groups compute products while the program is lowered.
///
/// # Errors
/// Says why there is none.
fn lowered(program: &Program, selection: Selection, cooperation: Cooperation) -> Result<Candidate, Reason> {
    let cooperation = Cooperation { reduced_rows_apart: true, ..cooperation };
    let form = Candidate { cooperation, ..Candidate::new(selection, program.clone()) };
    let form = with_vectors(Candidate { coarsening: Coarsening::LightKernels, ..form });
    if !form.is_ever_chosen(program) {
        return Err(Reason::FewPairs);
    }
    // What cannot be lowered must not keep other forms away.
    let lowered = lower_with(&take_apart(program), &form.cooperation).ok();
    let lowered = lowered.filter(|lowered| lowered.obstacle.is_none()).ok_or(Reason::NoProduct)?;
    Ok(Candidate { lowered: Some(lowered), ..form })
}

/// Processors compute tiles as vectors, too, so that what is good for GPUs is good for them.
fn with_vectors(form: Candidate) -> Candidate {
    Candidate { optimised_for: DeviceClass::Accelerator, ..form }
}

/// From which sizes on tiles are worth it for a product.
struct Worth {
    /// The number of elements of each reduction.
    length: Nat,
    /// The numbers of rows and of columns.
    rows_and_columns: [Nat; 2],
    /// The number of pairs, of all products if there are several at once.
    pairs: Nat,
    /// Whether the elements of columns lie side by side in memory.
    are_columns_dense: bool,
    /// Whether there are few columns of few elements, and both numbers are constants: the compiler of a
    /// processor writes out the loops of the plain form, and makes vectors of them.
    has_small_columns: bool,
    /// That the reductions are long.
    long: Option<Guard>,
    /// That there are several rows and several columns.
    sides: Vec<Guard>,
    /// The same among other stages, for fewer of both.
    sides_in_stages: Vec<Guard>,
    /// That there are many pairs.
    results: Condition,
    /// The same among other stages, for fewer pairs if they are short.
    results_in_stages: Condition,
    /// That there are enough pairs for a processor.
    some_results: Condition,
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
        let sides = |least| {
            let sides = [pairs.rows, pairs.columns].map(|side| at_least(side, least));
            different(sides.into_iter().flatten())
        };
        let has = |number: &Nat, least| Condition::LessOrEqual(Nat::constant(least), number.clone());
        let results = pairs.results(reduction);
        let short_length = Nat::constant(tile.short_length);
        let is_short = Condition::LessOrEqual(reduction.length.clone(), short_length);
        let short = both(has(&results, tile.least_results_of_short), is_short);
        Ok(Worth {
            length: reduction.length.clone(),
            rows_and_columns: [pairs.rows, pairs.columns].map(Nat::clone),
            pairs: results.clone(),
            are_columns_dense: pairs.are_columns_dense,
            has_small_columns: (&reduction.length * pairs.columns)
                .as_constant()
                .is_some_and(|elements| elements <= tile.small_columns),
            long: at_least(&reduction.length, tile.least_length),
            sides: sides(tile.least_side),
            sides_in_stages: sides(tile.least_side_in_stages),
            results: has(&results, tile.least_results),
            results_in_stages: has(&results, tile.least_results).or(short),
            some_results: has(&results, tile.least_results_on_processors),
            many_rows: (pairs.rows != pairs.columns)
                .then(|| both(has(pairs.rows, tile.many_rows), has(pairs.columns, tile.few_columns))),
        })
    }

    /// From which sizes on the reductions are cut into pieces. `None` if that can never be, and for several
    /// products at once, which have groups enough.
    fn in_pieces(&self, program: &Program, has_blocks: bool) -> Cut {
        let LongProduct { most_tiles, alone, beside_blocks, beside_dense_blocks, .. } = LONG_PRODUCT;
        let Worth { pairs, rows_and_columns: [rows, columns], are_columns_dense, .. } = self;
        if *pairs != rows * columns {
            return None;
        }
        let sizes = match (has_blocks, are_columns_dense) {
            (false, _) => alone,
            (true, false) => beside_blocks,
            (true, true) => beside_dense_blocks,
        };
        let mut long: Vec<Condition> = Vec::new();
        for least in sizes {
            let least = self.has_at_least(least);
            // One that is harder to meet says nothing more.
            long.retain(|harder| !program.ranges().with_assumed(harder).proves(&least));
            long.push(least);
        }
        self.of_few_tiles(long, most_tiles)
    }

    /// The same on processors, for a program that is this product or has other stages.
    fn in_pieces_on_processors(&self, is_alone: bool) -> Cut {
        let LongProduct { most_tiles_on_processors, on_processors, in_stages_on_processors, .. } =
            LONG_PRODUCT;
        let least = if is_alone { on_processors } else { in_stages_on_processors };
        self.of_few_tiles(vec![self.has_at_least(&least)], most_tiles_on_processors)
    }

    /// That one of these holds, and that there are few tiles. `None` if that can never be.
    fn of_few_tiles(&self, long: Vec<Condition>, most: i128) -> Cut {
        let few = one_of([Condition::LessOrEqual(self.tiles(), Nat::constant(most))])?;
        Some(one_of(long)?.into_iter().chain(few).collect())
    }

    /// That the product has at least these sizes, and few tiles if that is asked.
    fn has_at_least(&self, least: &LongPairs) -> Condition {
        let Worth { length, pairs, rows_and_columns: [rows, columns], .. } = self;
        let has = |number: &Nat, least| Condition::LessOrEqual(Nat::constant(least), number.clone());
        let sides = if rows == columns { vec![rows] } else { vec![rows, columns] };
        let of_sides = sides.iter().map(|side| (*side, least.side));
        let others = [(pairs, least.pairs)].into_iter().chain(of_sides).filter(|(_, least)| *least > 0);
        let others = others.map(|(number, least)| has(number, least));
        let few = (least.tiles > 0).then(|| Condition::LessOrEqual(self.tiles(), Nat::constant(least.tiles)));
        others.chain(few).fold(has(length, least.length), both)
    }

    /// The number of tiles.
    fn tiles(&self) -> Nat {
        let ProductTiles { rows, columns, .. } = PRODUCT_TILE.tiles;
        let [of_rows, of_columns] = &self.rows_and_columns;
        ceiling(of_rows, &Nat::constant(rows.into())) * ceiling(of_columns, &Nat::constant(columns.into()))
    }

    /// The length of pieces of the reductions: about `length * tiles / groups`, and at least the least. The
    /// program gets a name for the number of steps in which a tile takes a piece.
    fn length_of_pieces(&self, program: &mut Program) -> Nat {
        let elements = Nat::constant(PRODUCT_TILE.tiles.elements.into());
        // Steps are counted, so that no product of sizes is larger than an array.
        let shared = ceiling(&self.length, &elements) * (self.tiles() + Nat::one());
        let steps = ceiling(&shared, &Nat::constant(LONG_PRODUCT.groups));
        let least = Nat::constant(LONG_PRODUCT.piece).divide(&elements);
        let variable = Var::new(program.next_id, "steps");
        program.next_id += 1;
        program.sizes.push(SizeVariable {
            minimum: least.as_constant().and_then(|least| least.try_into().ok()).unwrap_or(1),
            value: Some(Nat::max(&steps, &least)),
            ..SizeVariable::new(variable.clone(), "steps".to_owned())
        });
        Nat::variable(&variable) * elements
    }

    /// Demands a few rows and columns, as of a product among other stages: of tiles of one with three
    /// columns, nearly everything is in vain.
    ///
    /// # Errors
    /// Says so if there never are.
    fn with_sides(self) -> Result<Worth, Reason> {
        let is_possible = |side: &Guard| side.condition.as_constant() != Some(false);
        if self.sides_in_stages.iter().all(is_possible) { Ok(self) } else { Err(Reason::FewPairs) }
    }

    /// Whether another product has as many rows, columns and elements.
    fn has_extents_of(&self, other: &Worth) -> bool {
        (&self.length, &self.rows_and_columns) == (&other.length, &other.rows_and_columns)
    }

    /// What selects the form of a program that is this product, and also: on GPUs, with very many rows, a few
    /// columns suffice.
    fn alone(self) -> Result<(Selection, Vec<Selection>), Reason> {
        let for_processors = !self.has_small_columns;
        let devices = if for_processors { DeviceClass::Any } else { DeviceClass::Accelerator };
        let Worth { long, sides, results, some_results, many_rows, .. } = self;
        let sides = sides.into_iter().map(|side| side.condition).reduce(both);
        let and_sides = |results: Condition| match &sides {
            Some(sides) => both(sides.clone(), results),
            None => results,
        };
        let ways = [
            (PRODUCT_TILES, devices, Some(and_sides(results))),
            (VECTOR_PRODUCT_TILES, DeviceClass::Processor, for_processors.then(|| and_sides(some_results))),
            (TALL_PRODUCT_TILES, DeviceClass::Accelerator, many_rows),
        ];
        let possible = ways.into_iter().filter_map(|(name, devices, condition)| {
            let thresholds = long.clone().into_iter().chain(one_of([condition?])?).collect();
            Some(Selection { thresholds, ..Selection::new(name, devices) })
        });
        let mut possible = possible.collect::<Vec<_>>().into_iter();
        let first = possible.next().ok_or(Reason::FewPairs)?;
        Ok((first, possible.collect()))
    }
}
