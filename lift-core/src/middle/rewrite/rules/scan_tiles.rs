//! Scans of whole arrays, divided among the work-items of the device.
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

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Redex, Rule};
use super::division::joins_uneven_rows;
use super::parts::{constants, is_outside_functions};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::binders::refreshed;
use crate::ir::typed::build::Build;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind, ScanKind};
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
    apply: |redex, arguments, build| {
        let [items, each, part] = constants(arguments)?;
        if items % part != 0 {
            return Err(Mismatch::condition("the work-items are a multiple of those of a part", redex.expr));
        }
        divided(redex, Tile { items, each, part }, build)
    },
};

/// The elements that a work-group scans.
#[derive(Clone, Copy)]
struct Tile {
    items: i128,
    /// Elements of each work-item.
    each: i128,
    /// The number of work-items whose totals one work-item combines.
    part: i128,
}

impl Tile {
    fn length(self) -> i128 {
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
pub(in crate::middle) fn maps_of_values(expr: &Rc<Expr>) -> (Vec<&Lambda>, &Rc<Expr>) {
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

fn divided(redex: &Redex<'_>, tile: Tile, build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
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
        let mut division = Division { operator, tile, elements, first, then, build, stages: Vec::new() };
        let totals = division.totals();
        let totals = stage(division.build, "tile_totals", totals, &mut stages);
        let starts = division.starts(&totals, initial);
        let starts = stage(division.build, "tile_starts", starts, &mut stages);
        let prefixes = division.prefixes(&starts);
        let divided = builder.bind_all(stages, prefixes);
        *next_id = builder.next_id;
        Some(divided)
    });
    divided.ok_or_else(|| Mismatch::condition("the operator is known to be associative", scan))
}

/// An array that the kernels of later stages read.
fn stage(build: &mut Builder, name: &str, value: Rc<Expr>, stages: &mut Vec<Binding>) -> Rc<Expr> {
    if matches!(value.kind, ExprKind::Variable(_)) {
        return value;
    }
    let variable = build.variable(name);
    let read = build.read(&variable, &value.ty, value.source);
    stages.push(Binding { variable, value });
    read
}

struct Division<'d, 'e> {
    operator: Operator<'e>,
    tile: Tile,
    /// What is scanned.
    elements: Rc<Expr>,
    /// The position of the first element that is combined with the initial value.
    first: Nat,
    /// The functions that are applied to each prefix.
    then: Vec<Lambda>,
    build: &'d mut Builder,
    /// The values that the work-items of a group have computed, in order.
    stages: Vec<Binding>,
}

impl Division<'_, '_> {
    fn length(&self) -> Nat {
        length_of(&self.elements)
    }

    fn tiles(&self) -> Nat {
        ceiling(&self.length(), self.tile.length())
    }

    /// The total of each tile except the last one. These tiles are full.
    fn totals(&mut self) -> Rc<Expr> {
        let Tile { items, each, .. } = self.tile;
        let group = self.build.size("group");
        let start = Nat::variable(&group) * Nat::constant(self.tile.length());
        let of_items = if self.operator.laws.commutative {
            self.by_items(items, |division, item| {
                let start = &start + item;
                division.reduced(&Nat::constant(each), |division, step| {
                    division.element(&(&start + step * Nat::constant(items)))
                })
            })
        } else {
            let tile = self.by_columns(|division, position| division.element(&(&start + position)));
            let tile = self.build.stored(AddressSpace::Local, tile);
            let tile = self.keep("tile", tile);
            self.totals_of_items(&tile)
        };
        let of_items = self.in_parts("item_totals", of_items);
        let of_parts = self.totals_of_parts(&of_items);
        let count = Nat::constant(self.tile.parts());
        let total = self.reduced(&count, |division, step| division.build.at(&of_parts, step));
        let total = self.build.distribute(MapKind::Local(0), None, Nat::one(), total);
        let (total, whole) = (self.finish(total), Nat::max(&(self.tiles() - Nat::one()), &Nat::zero()));
        let groups = self.build.distribute(MapKind::WorkGroup(0), Some(group), whole, total);
        self.build.join(groups)
    }

    /// The start of each tile, and some more: one group scans the totals.
    fn starts(&mut self, totals: &Rc<Expr>, initial: Rc<Expr>) -> Rc<Expr> {
        let (tiles, items) = (self.tiles(), self.tile.items);
        let each = ceiling(&tiles, items);
        let initial = self.keep("initial", initial);
        let totals = self.build.filled(totals.clone(), &initial, &(Nat::constant(items) * &each));
        let of_items = self.by_items(items, |division, item| {
            let start = item * &each;
            division.reduced(&each, |division, step| division.build.at(&totals, &start + step))
        });
        let of_items = self.in_parts("item_totals", of_items);
        let starts = self.starts_of_items(&of_items, initial);
        let item = self.build.size("item");
        let from = self.build.at(&starts, Nat::variable(&item));
        let start = Nat::variable(&item) * &each;
        let scanned = self.scanned(from, &each, |division, step| division.build.at(&totals, &start + step));
        let scanned = self.build.stored(AddressSpace::Global, scanned);
        let rows = self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(items), scanned);
        let rows = self.build.join(rows);
        let rows = self.finish(rows);
        // An empty array has no first element, and no tile that needs a start.
        let one = Nat::min(&tiles, &Nat::one());
        let groups = self.build.distribute(MapKind::WorkGroup(0), None, one, rows);
        self.build.join(groups)
    }

    /// The prefixes of each tile, from its start.
    fn prefixes(&mut self, starts: &Rc<Expr>) -> Rc<Expr> {
        let Tile { items, each, .. } = self.tile;
        let group = self.build.size("group");
        let start = Nat::variable(&group) * Nat::constant(self.tile.length());
        let initial = self.build.at(starts, Nat::variable(&group));
        let initial = self.keep("initial", initial);
        let tile = self.loaded(&start);
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
        let written = self.written(scanned, &start);
        let (written, length) = (self.finish(written), self.length());
        let groups = self.build.distribute(MapKind::WorkGroup(0), Some(group), self.tiles(), written);
        self.build.join_to(length, groups)
    }

    /// The results for the prefixes of a tile, without those beyond the end of the array.
    fn written(&mut self, prefixes: Rc<Expr>, start: &Nat) -> Rc<Expr> {
        let left = self.length() - start;
        let then = std::mem::take(&mut self.then);
        let results = then.into_iter().fold(prefixes, |array, function| self.build.map(function, array));
        let whole = self.by_columns(|division, position| division.build.at(&results, position));
        let count = Nat::min(&Nat::constant(self.tile.length()), &left);
        let item = self.build.size("item");
        let results = refreshed(&results, &mut self.build.next_id);
        let element = self.build.at(&results, Nat::variable(&item));
        let part = self.build.distribute(MapKind::Local(0), Some(item), count, element);
        self.build.where_at_least(&left, &Nat::constant(self.tile.length()), whole, part)
    }

    /// The element that is combined with the prefix at a position to give the next prefix.
    fn element(&mut self, position: &Nat) -> Rc<Expr> {
        self.build.at(&self.elements, position + &self.first)
    }

    /// A tile in local memory. Beyond the end of the array, the last element is repeated.
    fn loaded(&mut self, start: &Nat) -> Rc<Expr> {
        let last = self.length() - Nat::one() - &self.first;
        let whole = self.by_columns(|division, position| division.element(&(start + position)));
        let part =
            self.by_columns(|division, position| division.element(&Nat::min(&(start + position), &last)));
        let left = self.length() - &self.first - start;
        let tile = self.build.where_at_least(&left, &Nat::constant(self.tile.length()), whole, part);
        let tile = self.build.stored(AddressSpace::Local, tile);
        self.keep("tile", tile)
    }

    /// The elements of a tile, in the order in which neighbouring work-items access neighbouring elements.
    fn by_columns(&mut self, element: impl FnOnce(&mut Self, Nat) -> Rc<Expr>) -> Rc<Expr> {
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
    fn totals_of_items(&mut self, tile: &Rc<Expr>) -> Rc<Expr> {
        let each = Nat::constant(self.tile.each);
        self.by_items(self.tile.items, |division, item| {
            let start = item * &each;
            division.reduced(&each, |division, step| division.build.at(tile, &start + step))
        })
    }

    /// The total of each part, from the totals of its work-items.
    fn totals_of_parts(&mut self, totals: &Rc<Expr>) -> Rc<Expr> {
        let count = Nat::constant(self.tile.part);
        let of_parts = self.by_items(self.tile.parts(), |division, part| {
            let start = part * &count;
            division.reduced(&count, |division, step| division.build.at(totals, &start + step))
        });
        let of_parts = self.build.stored(AddressSpace::Local, of_parts);
        self.keep("part_totals", of_parts)
    }

    /// The start of each work-item of a group: the scanned totals of the work-items.
    fn starts_of_items(&mut self, totals: &Rc<Expr>, initial: Rc<Expr>) -> Rc<Expr> {
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
    fn in_parts(&mut self, name: &str, values: Rc<Expr>) -> Rc<Expr> {
        let parts = self.build.split(Nat::constant(self.tile.part), values);
        self.rows_apart(name, parts)
    }

    /// The elements of rows that lie in local memory. Where the rows have an even number of elements, there
    /// are gaps between them: neighbouring work-items, which access neighbouring rows, access different
    /// banks.
    fn rows_apart(&mut self, name: &str, rows: Rc<Expr>) -> Rc<Expr> {
        let rows = match self.tile.part % 2 {
            0 => self.build.increase_rows(rows, Nat::one()),
            _ => rows,
        };
        let rows = self.build.stored(AddressSpace::Local, rows);
        let elements = self.build.join(rows);
        self.keep(name, elements)
    }

    /// A value of each work-item of a group.
    fn by_items(&mut self, count: i128, value: impl FnOnce(&mut Self, &Nat) -> Rc<Expr>) -> Rc<Expr> {
        let item = self.build.size("item");
        let value = value(self, &Nat::variable(&item));
        self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(count), value)
    }

    /// The combination of `count` elements, in order; there is at least one.
    fn reduced(&mut self, count: &Nat, mut element: impl FnMut(&mut Self, Nat) -> Rc<Expr>) -> Rc<Expr> {
        let first = element(self, Nat::zero());
        let others =
            self.generated(&(count - Nat::one()), |division, step| element(division, step + Nat::one()));
        let operator = self.build.copy_of(self.operator.function);
        self.build.reduce_in_order(&operator, first, others)
    }

    /// The start of each of `count` elements: the exclusive scan from an initial value.
    fn scanned(
        &mut self,
        initial: Rc<Expr>,
        count: &Nat,
        element: impl FnOnce(&mut Self, Nat) -> Rc<Expr>,
    ) -> Rc<Expr> {
        let elements = self.generated(count, element);
        let operator = self.build.copy_of(self.operator.function);
        self.build.scan_in_order(&operator, initial, elements)
    }

    fn generated(&mut self, count: &Nat, element: impl FnOnce(&mut Self, Nat) -> Rc<Expr>) -> Rc<Expr> {
        let step: Var = self.build.size("step");
        let element = element(self, Nat::variable(&step));
        self.build.generate(step, count.clone(), element)
    }

    /// Binds a value that the work-items of a group compute before what follows.
    fn keep(&mut self, name: &str, value: Rc<Expr>) -> Rc<Expr> {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &value.ty, value.source);
        self.stages.push(Binding { variable, value });
        read
    }

    /// The body of a group: the bound values, and `last`.
    fn finish(&mut self, last: Rc<Expr>) -> Rc<Expr> {
        let stages = std::mem::take(&mut self.stages);
        self.build.bind_all(stages, last)
    }
}
