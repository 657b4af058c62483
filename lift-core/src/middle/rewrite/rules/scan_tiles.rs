//! Scans of whole arrays, divided among the work-items of the device; [`super::row_scans`] divides those of
//! rows in the same way.
//!
//! Undivided, one work-item would walk over the array. For an operator that is known to be associative, three
//! kernels compute the same prefixes: the first reduces each tile of neighbouring elements, the second scans
//! the totals of the tiles, and the third scans each tile from what comes before it (Blelloch, *Prefix sums
//! and their applications*, 1990; the reduce-then-scan of Merrill and Garland, *Single-pass parallel prefix
//! scan with decoupled look-back*, 2016, which reads every element twice and writes it once). A tile belongs
//! to a work-group. Inside of it the same scheme is applied twice more: to the elements of each work-item,
//! and to parts of the totals of the work-items.
//!
//! - Operands are always combined in the order of the elements. If the operator is commutative as well, the
//!   first kernel takes the elements of a tile as its work-items find them, and needs no local memory for
//!   them.
//! - Global memory is read and written by neighbouring work-items at neighbouring places; a tile passes
//!   through local memory, where every work-item has consecutive elements. An odd number of them lets
//!   work-items access different banks. There are gaps between the parts of totals for the same reason.
//! - What comes before a tile is read before the tile is, so that no work-item waits for it later.
//! - What the function of the scan first computes of an element, as in `|s, x| s + f(x)`, is a map before.
//! - The initial value enters once, as the start of the second kernel's scan. An inclusive scan is an
//!   exclusive one that starts with the first element and takes the ones after it.
//! - No identity is needed. If a tile or the totals do not fill the work-items of a group, the last element
//!   or the initial value is used for the missing ones. The results from these come after all others, and
//!   nobody reads them.
//!
//! It is one rule for the reasons of [`super::division`], and its right side is made by [`Builder`] as there.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::division::joins_uneven_rows;
use super::parts::{constants, is_outside_functions};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::binders::refreshed;
use crate::ir::typed::build::Build;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind, ScanKind, Variable};
use crate::middle::laws::{Accumulation, Axioms, Operator};
use crate::middle::stated::{Builder, ceiling, length_of};

/// Work-groups scan the tiles of an array. The tile of a group has this number of work-items, this number of
/// elements of each, and one work-item combines the totals of this number of work-items.
pub const SCAN_BY_TILES: Rule = Rule {
    name: "scanByTiles",
    statement: "a >> scan(op, z) >> map(f) = { let totals = a >> chunks(n) >> map(reduce(op)); \
                let starts = totals >> scanSeq(op, z); zip(a >> chunks(n), starts) >> \
                map(|(tile, start)| tile >> scanSeq(op, start) >> map(f)) >> join }, in work-groups",
    origin: "Blelloch, Prefix sums and their applications, 1990; Merrill and Garland, 2016",
    parameters: &[Kind::Size, Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| divided(redex, Tile::of(arguments, redex)?, build),
};

/// The most work-items that scan the totals of a row's tiles.
const SHARING_STARTS_OF_ROWS: i128 = 32;

/// The elements that a work-group scans.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    items: i128,
    /// Elements of each work-item.
    each: i128,
    /// The number of work-items whose totals one work-item combines.
    part: i128,
}

impl Tile {
    /// The tile that a rule has for arguments.
    pub(super) fn of(arguments: &[Argument], redex: &Redex<'_>) -> Result<Tile, Mismatch> {
        let [items, each, part] = constants(arguments)?;
        match items % part {
            0 => Ok(Tile { items, each, part }),
            _ => Err(Mismatch::condition("the work-items are a multiple of those of a part", redex.expr)),
        }
    }

    pub(super) fn length(self) -> i128 {
        self.items * self.each
    }

    fn parts(self) -> i128 {
        self.items / self.part
    }
}

/// Whether a scan may be divided: its order is open, its operator is known to be associative, and its
/// elements are of one type and can be found without their neighbours.
pub(in crate::middle) fn may_scan_by_tiles(scan: &Expr, axioms: Axioms<'_>) -> bool {
    let ExprKind::Scan(ScanKind::Exclusive | ScanKind::Inclusive, function, initial, input) = &scan.kind
    else {
        return false;
    };
    let is_regular = input.ty.as_array().is_some_and(|array| array.index.is_none());
    // What is made of the function is not used, and no program has ids like these.
    let mut unused = u32::MAX;
    let mut fresh = || {
        unused -= 1;
        unused
    };
    is_regular
        && initial.ty.is_element()
        && !joins_uneven_rows(input)
        && Accumulation::of(function, axioms, &mut fresh)
            .is_some_and(|accumulation| Operator::of(&accumulation.operator, axioms).is_some())
}

/// The maps over an expression whose functions take and give single values and know no positions, outermost
/// first, and the expression below them.
pub(in crate::middle) fn maps_of_values(expr: &Arc<Expr>) -> (Vec<&Lambda>, &Arc<Expr>) {
    let (mut maps, mut input) = (Vec::new(), expr);
    while let ExprKind::Map(MapKind::Unspecified, function, of) = &input.kind
        && function.index.is_none()
        && function.body.ty.is_element()
    {
        maps.push(function);
        input = of;
    }
    (maps, input)
}

fn divided(redex: &Redex<'_>, tile: Tile, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (then, scan) = maps_of_values(redex.expr);
    let ExprKind::Scan(kind, function, initial, input) = &scan.kind else {
        return Err(redex.is_not("a scan, or maps over one"));
    };
    let axioms = Axioms::of_place(build);
    if !may_scan_by_tiles(scan, axioms) {
        let wanted = "the operator is known to be associative, and elements of one type lie where a formula \
                      says";
        return Err(Mismatch::condition(wanted, scan));
    }
    if !is_outside_functions(redex) {
        return Err(Mismatch::condition("the whole device computes it, outside of all functions", scan));
    }
    let then: Vec<Lambda> = then.into_iter().rev().cloned().collect();
    let divided = build.prover().numbered(|next_id| {
        let mut builder = Builder { next_id: *next_id };
        let Accumulation { element, operator } = Accumulation::of(function, axioms, &mut || builder.fresh())?;
        let operator = Operator::of(&operator, axioms)?;
        let mut stages = Vec::new();
        let input = stage(&mut builder, "elements", input.clone(), &mut stages);
        let (initial, first) = match kind {
            ScanKind::Exclusive | ScanKind::ExclusiveSequential => (initial.clone(), Nat::zero()),
            // The first prefix is the first element as it is.
            ScanKind::Inclusive => (builder.at(&input, Nat::zero()), Nat::one()),
        };
        let elements = match element {
            Some(element) => {
                let elements = builder.map(element, input);
                stage(&mut builder, "combined", elements, &mut stages)
            }
            None => input,
        };
        let build = &mut builder;
        let array = Scanned { elements, initial, first, then, rows: None };
        let prefixes = Division::new(operator, tile, array, build).in_tiles(&mut stages);
        let divided = builder.bind_all(stages, prefixes);
        *next_id = builder.next_id;
        Some(divided)
    });
    divided.ok_or_else(|| Mismatch::condition("the operator is known to be associative", scan))
}

/// An array that the kernels of later stages read.
pub(super) fn stage(
    build: &mut Builder,
    name: &str,
    value: Arc<Expr>,
    stages: &mut Vec<Binding>,
) -> Arc<Expr> {
    if matches!(value.kind, ExprKind::Variable(_)) {
        return value;
    }
    let variable = build.variable(name);
    let read = build.read(&variable, &value.ty, value.source);
    stages.push(Binding { variable, value });
    read
}

/// An array that is scanned, or each row of a matrix.
pub(super) struct Scanned {
    /// What is scanned.
    pub(super) elements: Arc<Expr>,
    /// The initial value.
    pub(super) initial: Arc<Expr>,
    /// The position of the first element that is combined with the initial value.
    pub(super) first: Nat,
    /// The functions that are applied to each prefix.
    pub(super) then: Vec<Lambda>,
    /// The rows. All of the above may read the row.
    pub(super) rows: Option<Rows>,
}

/// The rows of a matrix.
#[derive(Clone)]
pub(super) struct Rows {
    /// The row in expressions that are the same for all rows.
    pub(super) parameter: Variable,
    /// An array that kernels read.
    pub(super) matrix: Arc<Expr>,
    /// Single values of a row, which groups compute first. Each may read those before it.
    pub(super) values: Vec<Binding>,
}

/// The row that the expression at hand is for.
struct Row {
    number: Nat,
    /// The names of the row and of its values, with the expression that replaces each.
    reads: Vec<(Variable, Arc<Expr>)>,
}

pub(super) struct Division<'d, 'e> {
    operator: Operator<'e>,
    tile: Tile,
    array: Scanned,
    build: &'d mut Builder,
    row: Option<Row>,
    /// The values that the work-items of a group have computed, in order.
    stages: Vec<Binding>,
}

impl<'d, 'e> Division<'d, 'e> {
    pub(super) fn new(
        operator: Operator<'e>,
        tile: Tile,
        array: Scanned,
        build: &'d mut Builder,
    ) -> Division<'d, 'e> {
        Division { operator, tile, array, build, row: None, stages: Vec::new() }
    }

    /// The prefixes, for any number of tiles. Two kernels run before the last one: they become stages.
    pub(super) fn in_tiles(&mut self, stages: &mut Vec<Binding>) -> Arc<Expr> {
        let totals = self.totals();
        let totals = stage(self.build, "tile_totals", totals, stages);
        let starts = self.starts(&totals);
        let starts = stage(self.build, "tile_starts", starts, stages);
        self.prefixes(&starts)
    }

    /// The prefixes, where one tile has room for all elements of a row, and there are some.
    pub(super) fn in_one_tile(&mut self) -> Arc<Expr> {
        self.for_each_row(|division| {
            let initial = division.of_row(&division.array.initial.clone());
            let prefixes = division.prefixes_of_tile(&Nat::zero(), initial);
            division.finish(prefixes)
        })
    }

    /// What groups compute for the array, or for each row: `tiles` says how many groups, and their number
    /// among these is the argument of `of_group`.
    fn in_groups(
        &mut self,
        tiles: Nat,
        of_group: impl FnOnce(&mut Self, &Nat) -> Arc<Expr>,
        joined: impl FnOnce(&mut Builder, Arc<Expr>) -> Arc<Expr>,
    ) -> Arc<Expr> {
        let dimension = u8::from(self.array.rows.is_some());
        self.for_each_row(|division| {
            let group = division.build.size("group");
            let value = of_group(division, &Nat::variable(&group));
            let value = division.finish(value);
            let group = Some(group).filter(|group| value.mentions_index(group));
            let groups = division.build.distribute(MapKind::WorkGroup(dimension), group, tiles, value);
            joined(division.build, groups)
        })
    }

    /// What a kernel computes for each row, or for the array.
    fn for_each_row(&mut self, kernel: impl FnOnce(&mut Self) -> Arc<Expr>) -> Arc<Expr> {
        let Some(rows) = self.array.rows.clone() else { return kernel(self) };
        let row = self.build.size("row");
        let number = Nat::variable(&row);
        let element = self.build.at(&rows.matrix, number.clone());
        self.row = Some(Row { number, reads: vec![(rows.parameter, element)] });
        for Binding { variable, value } in &rows.values {
            let value = self.of_row(value);
            let read = self.keep(&variable.name, value);
            self.row.iter_mut().for_each(|row| row.reads.push((variable.clone(), read.clone())));
        }
        let value = kernel(self);
        self.build.distribute(MapKind::WorkGroup(0), Some(row), length_of(&rows.matrix), value)
    }

    /// An expression that may read the row, for the row at hand.
    fn of_row(&mut self, expr: &Arc<Expr>) -> Arc<Expr> {
        let Some(row) = &self.row else { return expr.clone() };
        let read = row.reads.iter().fold(expr.clone(), |expr, (name, read)| expr.replace(name, read));
        refreshed(&read, &mut self.build.next_id)
    }

    /// The row at hand of what a kernel has computed for each row.
    fn made_of_row(&mut self, made: &Arc<Expr>) -> Arc<Expr> {
        match &self.row {
            Some(Row { number, .. }) => self.build.at(made, number.clone()),
            None => made.clone(),
        }
    }

    fn length(&self) -> Nat {
        length_of(&self.array.elements)
    }

    fn tiles(&self) -> Nat {
        ceiling(&self.length(), self.tile.length())
    }

    /// The total of each tile except the last one. These tiles are full.
    fn totals(&mut self) -> Arc<Expr> {
        let Tile { items, each, .. } = self.tile;
        let whole = Nat::max(&(self.tiles() - Nat::one()), &Nat::zero());
        let of_group = |division: &mut Self, group: &Nat| {
            let start = group * Nat::constant(division.tile.length());
            let of_items = if division.operator.laws.commutative {
                division.by_items(items, |division, item| {
                    let start = &start + item;
                    division.reduced(&Nat::constant(each), |division, step| {
                        division.element(&(&start + step * Nat::constant(items)))
                    })
                })
            } else {
                let tile = division.by_columns(|division, position| division.element(&(&start + position)));
                let tile = division.build.stored(AddressSpace::Local, tile);
                let tile = division.keep("tile", tile);
                division.totals_of_items(&tile)
            };
            let of_items = division.in_parts("item_totals", of_items);
            let of_parts = division.totals_of_parts(&of_items);
            let count = Nat::constant(division.tile.parts());
            let total = division.reduced(&count, |division, step| division.build.at(&of_parts, step));
            division.build.distribute(MapKind::Local(0), None, Nat::one(), total)
        };
        self.in_groups(whole, of_group, Builder::join)
    }

    /// The start of each tile, and some more: one group scans the totals.
    fn starts(&mut self, totals: &Arc<Expr>) -> Arc<Expr> {
        let (tiles, whole) = (self.tiles(), self.tile);
        // A row has few tiles.
        let items = match self.array.rows {
            Some(_) => whole.items.min(whole.part * (SHARING_STARTS_OF_ROWS / whole.part).max(1)),
            None => whole.items,
        };
        self.tile = Tile { items, ..whole };
        let each = ceiling(&tiles, items);
        // An empty array has no first element, and no tile that needs a start.
        let one = Nat::min(&tiles, &Nat::one());
        let of_group = |division: &mut Self, _: &Nat| {
            let initial = division.of_row(&division.array.initial.clone());
            let totals = division.made_of_row(totals);
            let initial = division.keep("initial", initial);
            let totals = division.build.filled(totals, &initial, &(Nat::constant(items) * &each));
            let of_items = division.by_items(items, |division, item| {
                let start = item * &each;
                division.reduced(&each, |division, step| division.build.at(&totals, &start + step))
            });
            let of_items = division.in_parts("item_totals", of_items);
            let starts = division.starts_of_items(&of_items, initial);
            let item = division.build.size("item");
            let from = division.build.at(&starts, Nat::variable(&item));
            let start = Nat::variable(&item) * &each;
            let scanned =
                division.scanned(from, &each, |division, step| division.build.at(&totals, &start + step));
            let scanned = division.build.stored(AddressSpace::Global, scanned);
            let rows =
                division.build.distribute(MapKind::Local(0), Some(item), Nat::constant(items), scanned);
            division.build.join(rows)
        };
        let starts = self.in_groups(one, of_group, Builder::join);
        self.tile = whole;
        starts
    }

    /// The prefixes of each tile, from its start.
    fn prefixes(&mut self, starts: &Arc<Expr>) -> Arc<Expr> {
        let (tiles, length) = (self.tiles(), self.length());
        let of_group = |division: &mut Self, group: &Nat| {
            let starts = division.made_of_row(starts);
            let initial = division.build.at(&starts, group.clone());
            division.prefixes_of_tile(&(group * Nat::constant(division.tile.length())), initial)
        };
        self.in_groups(tiles, of_group, |build, groups| build.join_to(length, groups))
    }

    /// The results of a tile that starts here, from what comes before it.
    fn prefixes_of_tile(&mut self, start: &Nat, initial: Arc<Expr>) -> Arc<Expr> {
        let Tile { items, each, .. } = self.tile;
        let initial = self.keep("initial", initial);
        let tile = self.loaded(start);
        let totals = self.totals_of_items(&tile);
        let totals = self.in_parts("item_totals", totals);
        let starts = self.starts_of_items(&totals, initial);
        let scanned = self.by_items(items, |division, item| {
            let from = division.build.at(&starts, item.clone());
            let start = item * Nat::constant(each);
            division
                .scanned(from, &Nat::constant(each), |division, step| division.build.at(&tile, &start + step))
        });
        let scanned = self.build.stored(AddressSpace::Local, scanned);
        let scanned = self.build.join(scanned);
        let scanned = self.keep("scanned", scanned);
        self.written(scanned, start)
    }

    /// The results for the prefixes of a tile, without those beyond the end of the array.
    fn written(&mut self, prefixes: Arc<Expr>, start: &Nat) -> Arc<Expr> {
        let left = self.length() - start;
        let then = std::mem::take(&mut self.array.then);
        let results = then.into_iter().fold(prefixes, |array, function| {
            let body = self.of_row(&function.body);
            self.build.map(Lambda { body, ..function }, array)
        });
        let whole = self.by_columns(|division, position| division.build.at(&results, position));
        let count = Nat::min(&Nat::constant(self.tile.length()), &left);
        let item = self.build.size("item");
        let results = refreshed(&results, &mut self.build.next_id);
        let element = self.build.at(&results, Nat::variable(&item));
        let part = self.build.distribute(MapKind::Local(0), Some(item), count, element);
        self.build.where_at_least(&left, &Nat::constant(self.tile.length()), whole, part)
    }

    /// The element that is combined with the prefix at a position to give the next prefix.
    fn element(&mut self, position: &Nat) -> Arc<Expr> {
        let elements = self.of_row(&self.array.elements.clone());
        self.build.at(&elements, position + &self.array.first)
    }

    /// A tile in local memory. Beyond the end of the array, the last element is repeated.
    fn loaded(&mut self, start: &Nat) -> Arc<Expr> {
        let last = self.length() - Nat::one() - &self.array.first;
        let whole = self.by_columns(|division, position| division.element(&(start + position)));
        let part =
            self.by_columns(|division, position| division.element(&Nat::min(&(start + position), &last)));
        let left = self.length() - &self.array.first - start;
        let tile = self.build.where_at_least(&left, &Nat::constant(self.tile.length()), whole, part);
        let tile = self.build.stored(AddressSpace::Local, tile);
        self.keep("tile", tile)
    }

    /// The elements of a tile, in the order in which neighbouring work-items access neighbouring elements.
    fn by_columns(&mut self, element: impl FnOnce(&mut Self, Nat) -> Arc<Expr>) -> Arc<Expr> {
        let items = Nat::constant(self.tile.items);
        let item = self.build.size("item");
        let column = self.generated(&Nat::constant(self.tile.each), |division, step| {
            element(division, Nat::variable(&item) + step * &items)
        });
        let columns = self.build.distribute(MapKind::Local(0), Some(item), items, column);
        let rows = self.build.transpose(columns);
        self.build.join(rows)
    }

    /// The total of each work-item of a group, from its elements of a tile.
    fn totals_of_items(&mut self, tile: &Arc<Expr>) -> Arc<Expr> {
        let each = Nat::constant(self.tile.each);
        self.by_items(self.tile.items, |division, item| {
            let start = item * &each;
            division.reduced(&each, |division, step| division.build.at(tile, &start + step))
        })
    }

    /// The total of each part, from the totals of its work-items.
    fn totals_of_parts(&mut self, totals: &Arc<Expr>) -> Arc<Expr> {
        let count = Nat::constant(self.tile.part);
        let of_parts = self.by_items(self.tile.parts(), |division, part| {
            let start = part * &count;
            division.reduced(&count, |division, step| division.build.at(totals, &start + step))
        });
        let of_parts = self.build.stored(AddressSpace::Local, of_parts);
        self.keep("part_totals", of_parts)
    }

    /// The start of each work-item of a group: the scanned totals of the work-items.
    fn starts_of_items(&mut self, totals: &Arc<Expr>, initial: Arc<Expr>) -> Arc<Expr> {
        let of_parts = self.totals_of_parts(totals);
        let count = Nat::constant(self.tile.parts());
        let starts = self.scanned(initial, &count, |division, step| division.build.at(&of_parts, step));
        let starts = self.build.stored(AddressSpace::Local, starts);
        let starts = self.build.distribute(MapKind::Local(0), None, Nat::one(), starts);
        let starts = self.build.join(starts);
        let starts = self.keep("part_starts", starts);
        let count = Nat::constant(self.tile.part);
        let of_items = self.by_items(self.tile.parts(), |division, part| {
            let from = division.build.at(&starts, part.clone());
            let start = part * &count;
            division.scanned(from, &count, |division, step| division.build.at(totals, &start + step))
        });
        self.rows_apart("item_starts", of_items)
    }

    /// Values of the work-items of a group, for others that read the values of a part each.
    fn in_parts(&mut self, name: &str, values: Arc<Expr>) -> Arc<Expr> {
        let parts = self.build.split(Nat::constant(self.tile.part), values);
        self.rows_apart(name, parts)
    }

    /// The elements of rows that lie in local memory. Where the rows have an even number of elements, there
    /// are gaps between them: neighbouring work-items, which access neighbouring rows, access different
    /// banks.
    fn rows_apart(&mut self, name: &str, rows: Arc<Expr>) -> Arc<Expr> {
        let rows = match self.tile.part % 2 {
            0 => self.build.increase_rows(rows, Nat::one()),
            _ => rows,
        };
        let rows = self.build.stored(AddressSpace::Local, rows);
        let elements = self.build.join(rows);
        self.keep(name, elements)
    }

    /// A value of each work-item of a group.
    fn by_items(&mut self, count: i128, value: impl FnOnce(&mut Self, &Nat) -> Arc<Expr>) -> Arc<Expr> {
        let item = self.build.size("item");
        let value = value(self, &Nat::variable(&item));
        self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(count), value)
    }

    /// The combination of `count` elements, in order; there is at least one.
    fn reduced(&mut self, count: &Nat, mut element: impl FnMut(&mut Self, Nat) -> Arc<Expr>) -> Arc<Expr> {
        let first = element(self, Nat::zero());
        let others =
            self.generated(&(count - Nat::one()), |division, step| element(division, step + Nat::one()));
        let operator = self.build.copy_of(self.operator.function);
        self.build.reduce_in_order(&operator, first, others)
    }

    /// The start of each of `count` elements: the exclusive scan from an initial value.
    fn scanned(
        &mut self,
        initial: Arc<Expr>,
        count: &Nat,
        element: impl FnOnce(&mut Self, Nat) -> Arc<Expr>,
    ) -> Arc<Expr> {
        let elements = self.generated(count, element);
        let operator = self.build.copy_of(self.operator.function);
        self.build.scan_in_order(&operator, initial, elements)
    }

    fn generated(&mut self, count: &Nat, element: impl FnOnce(&mut Self, Nat) -> Arc<Expr>) -> Arc<Expr> {
        let step: Var = self.build.size("step");
        let element = element(self, Nat::variable(&step));
        self.build.generate(step, count.clone(), element)
    }

    /// Binds a value that the work-items of a group compute before what follows.
    fn keep(&mut self, name: &str, value: Arc<Expr>) -> Arc<Expr> {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &value.ty, value.source);
        self.stages.push(Binding { variable, value });
        read
    }

    /// The body of a group: the bound values, and `last`.
    fn finish(&mut self, last: Arc<Expr>) -> Arc<Expr> {
        let stages = std::mem::take(&mut self.stages);
        self.build.bind_all(stages, last)
    }
}
