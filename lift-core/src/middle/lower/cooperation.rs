//! Gives work-groups to reductions that the work-items of the plain form do alone.
//!
//! Which ones, is decided elsewhere, by what the loops and addresses of the plain form say, and named by
//! places in the source: see [`forms`](crate::forms). Here they are found in the program with its stages, and
//! given workers. What is left high-level gets its workers as in the plain form.
//!
//! Input: a program with its stages, none of which has workers. Output: steps for the maps, outside of all
//! functions, whose function makes an element of such reductions, for maps of maps of them, which groups
//! compute in tiles, and for arrays of reductions of segments.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::producers::rearranged;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::segment::Segment;
use crate::ir::typed::{DIMENSIONS, Expr, ExprKind, Lambda, MapKind, Path, ReduceKind};
use crate::middle::rewrite::rules::{ID_MAP, MAP_FUSION, MAP_FUSION_IN_ZIP, SEGMENTS_IN_TILES};
use crate::middle::rewrite::strategies::{
    Kept, Pieces, RowGroups, bare_pairs, columns_in_pieces, filled_tile_product, product_in_pieces,
    reductions_bound, rows_in_grid_of_groups,
};
use crate::middle::rewrite::{Argument, Failure, Pattern, Rewriter, Strategy};

/// What work-items do together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cooperation {
    /// Reductions of rows, by their places in the source, with the groups that share a row.
    pub rows: BTreeMap<Source, Group>,
    /// Reductions of what lanes have found, by their places in the source and the number of lanes, with the
    /// groups that share them.
    pub lanes: BTreeMap<(Source, u32), Group>,
    /// Reductions of segments, with the groups and the tiles in which they read them.
    pub tiles: BTreeMap<Source, Tiles>,
    /// Reductions of each pair of a row and a column, with the tiles of results that groups compute.
    pub products: BTreeMap<Source, ProductTiles>,
    /// The lengths of the pieces into which reductions of products are cut. Groups compute all tiles for each
    /// piece. Products that are not cut have none.
    pub product_pieces: BTreeMap<Source, Nat>,
    /// Reductions of columns, with how each is cut into pieces that are reduced on their own.
    pub columns: BTreeMap<Source, Pieces>,
    /// Who scans the rows of matrices.
    pub row_scans: SharingRowScans,
    /// Who fills the tables of reductions by key.
    pub tables: Tables,
    /// Whether what rows or columns are reduced to is stored before it is reduced again, so that
    /// work-items can share them.
    pub reduced_rows_apart: bool,
    /// Whether the results of pairs of a row and a column are stored before those of each row are reduced
    /// again.
    pub pairs_apart: bool,
}

/// Who fills the tables of reductions by key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tables {
    /// A work-item fills a table.
    #[default]
    Own,
    /// Work-items update tables of integers together, by atomic operations.
    Shared,
}

/// Who scans the rows of matrices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SharingRowScans {
    /// A work-item scans a row.
    #[default]
    Alone,
    /// Groups scan the tiles of rows.
    InTiles,
    /// A group scans a row that has at most as many elements as its tile.
    InGroups,
    /// The same for a small group.
    InSmallGroups,
}

/// How groups read segments in tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiles {
    /// The number of work-items of a group, and of segments that it reduces.
    pub items: u32,
    /// The number of elements of a tile.
    pub elements: u32,
}

/// How groups compute the results of a product in tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductTiles {
    /// The rows of a tile.
    pub rows: u32,
    /// The columns of a tile.
    pub columns: u32,
    /// How many elements of each row and column are in local memory.
    pub elements: u32,
    /// The rows of a block, which a work-item computes.
    pub rows_per_item: u32,
    /// The columns of a block.
    pub columns_per_item: u32,
    /// The width of the vectors in which it computes them.
    pub width: u8,
}

impl ProductTiles {
    /// The strategy for a product of any size.
    pub(crate) fn strategy(self) -> Strategy {
        let ProductTiles { rows, columns, elements, rows_per_item, columns_per_item, width } = self;
        let sizes = [rows, columns, elements, rows_per_item, columns_per_item];
        filled_tile_product(sizes.map(|size| Nat::constant(i128::from(size))), width)
    }
}

/// A work-group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The number of rows that it computes.
    pub rows: u32,
    /// The number of its work-items for each row.
    pub items: u32,
}

impl Group {
    /// How such groups share rows that are in this memory.
    pub(crate) fn sharing(self, kept: Kept) -> RowGroups {
        let (rows, items) = (i128::from(self.rows), i128::from(self.items));
        RowGroups { rows: Nat::constant(rows), items: Nat::constant(items), kept }
    }
}

impl Cooperation {
    /// Carries it out as far as possible. A reduction whose operator lacks the laws stays as it is, and so do
    /// others of its stage. Returns why nothing was possible, if anything was asked for. If products were,
    /// the other reductions do not matter, and it returns why one of the products cannot be computed in
    /// tiles.
    pub(super) fn carry_out(&self, rewriter: &mut Rewriter<'_>) -> Option<Obstacle> {
        if self.is_none() {
            return None;
        }
        rewriter.run(&with_what_follows()).ok();
        if let Err(obstacle) = self.compute_in_tiles(rewriter) {
            return Some(obstacle);
        }
        let mut obstacle = self.products.is_empty().then_some(Obstacle::NoPlace);
        for strategy in self.strategies(rewriter.body()) {
            obstacle = match (rewriter.run(&strategy), obstacle) {
                (Ok(()), _) | (Err(_), None) => None,
                (Err(failure), Some(Obstacle::NoPlace)) => Some(Obstacle::Failure(Box::new(failure))),
                (Err(_), first @ Some(Obstacle::Failure(_))) => first,
            };
        }
        obstacle
    }

    /// Computes all products in tiles. A place in the source may stand for several: a function is called more
    /// than once.
    fn compute_in_tiles(&self, rewriter: &mut Rewriter<'_>) -> Result<(), Obstacle> {
        let place = |rewriter: &Rewriter<'_>, source| {
            place_of_product(rewriter.body(), source, &Path::root()).ok_or(Obstacle::NoPlace)
        };
        let run = |rewriter: &mut Rewriter<'_>, place, strategy| {
            let strategy = Strategy::At(place, Box::new(strategy));
            rewriter.run(&strategy).map_err(|failure| Obstacle::Failure(Box::new(failure)))
        };
        for source in self.products.keys() {
            place(rewriter, *source)?;
        }
        for (source, tiles) in &self.products {
            // What is computed in tiles is no open reduction any longer.
            while let Ok(whole) = place(rewriter, *source) {
                if let Some(length) = self.product_pieces.get(source) {
                    run(rewriter, whole, bare_pairs())?;
                    let pairs = place(rewriter, *source)?;
                    let product = rewriter.body().at_path(&pairs).ok_or(Obstacle::NoPlace)?;
                    let cut = product_in_pieces(product, length).ok_or(Obstacle::NoPlace)?;
                    run(rewriter, pairs, cut)?;
                }
                let of_tiles = place(rewriter, *source)?;
                run(rewriter, of_tiles, tiles.strategy())?;
            }
        }
        Ok(())
    }

    /// Whether no rows, no columns, no products and no segments are shared.
    pub(crate) fn is_none(&self) -> bool {
        self.rows.is_empty()
            && self.lanes.is_empty()
            && self.products.is_empty()
            && self.columns.is_empty()
            && self.tiles.is_empty()
    }

    /// The group that shares a reduction.
    fn group_for(&self, reduction: &Expr) -> Option<&Group> {
        self.rows.get(&reduction.source).or_else(|| {
            let ExprKind::Reduce(_, _, _, elements) = &reduction.kind else { return None };
            let lanes = elements.ty.as_array()?.length.as_constant()?;
            self.lanes.get(&(reduction.source, u32::try_from(lanes).ok()?))
        })
    }

    /// The strategies that carry it out, each for one stage or result.
    fn strategies(&self, body: &Arc<Expr>) -> Vec<Strategy> {
        let mut found = Found { cooperation: self, strategies: Vec::new() };
        found.whole(body, &Path::root());
        found.strategies
    }
}

/// What is made of the results of reductions becomes part of the map that reduces: by another map, and by a
/// `zip` with other arrays of single elements.
fn with_what_follows() -> Strategy {
    let map = Pattern::Map(MapKind::Unspecified);
    let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
    let follows = Pattern::Not(Box::new(reductions.clone()));
    let fused = Strategy::rule(&MAP_FUSION)
        .where_it_is(map.clone().with_input(reductions.clone()))
        .where_it_is(follows);
    let zipped = Pattern::Zip.with_part(reductions);
    let of_elements = map.with_body(Pattern::Element).with_input(zipped.clone());
    let fused_in_zip = Strategy::rule(&MAP_FUSION_IN_ZIP).where_it_is(of_elements);
    let beside = Strategy::in_order([
        Strategy::rule(&ID_MAP),
        fused_in_zip.clone(),
        fused_in_zip.repeated(MOST_ZIPPED),
    ]);
    Strategy::Choice(vec![beside.where_it_is(zipped), fused]).everywhere().tried()
}

/// More arrays of a `zip` stay as they are.
const MOST_ZIPPED: u32 = 8;

/// Why work-items share none of the reductions that they were asked to share.
pub(crate) enum Obstacle {
    /// None stands where they could.
    NoPlace,
    /// The first that does cannot be divided.
    Failure(Box<Failure>),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoPlace => formatter
                .write_str("no reduction stands alone in a map whose elements work-items could share"),
            Obstacle::Failure(failure) => write!(formatter, "work-items cannot share a reduction: {failure}"),
        }
    }
}

struct Found<'c> {
    cooperation: &'c Cooperation,
    strategies: Vec<Strategy>,
}

impl Found<'_> {
    /// An expression outside of all functions whose value is a result, of the program or of an application.
    fn whole(&mut self, expr: &Arc<Expr>, here: &Path) {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                for (position, binding) in bindings.iter().enumerate() {
                    if let ExprKind::Store(None, array) = &binding.value.kind {
                        self.whole(array, &here.child(position).child(0));
                    }
                }
                self.whole(body, &here.child(bindings.len()));
            }
            ExprKind::Tuple(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.whole(part, &here.child(position));
                }
            }
            ExprKind::Iterate(_, function, _) => {
                self.whole(&function.body, &here.child(expr.children().len() - 1));
            }
            _ => self.nest(expr, here, &mut Vec::new()),
        }
    }

    /// Nested maps; the function of the innermost one makes single elements. `outer` are the places of the
    /// maps around.
    fn nest(&mut self, expr: &Arc<Expr>, here: &Path, outer: &mut Vec<Path>) {
        if let Some(input) = rearranged(expr) {
            return self.nest(input, &here.child(0), outer);
        }
        match &expr.kind {
            ExprKind::Unzip(input) => self.nest(input, &here.child(0), outer),
            ExprKind::Generate(_, function) if outer.is_empty() => {
                self.strategies.extend(self.tiled(function, here));
            }
            ExprKind::Concat(parts) if outer.is_empty() => {
                for (position, part) in parts.iter().enumerate() {
                    self.nest(part, &here.child(position), outer);
                }
            }
            ExprKind::Map(MapKind::Unspecified, function, _) if !function.body.ty.is_element() => {
                outer.push(here.clone());
                self.nest(&function.body, &here.child(expr.children().len() - 1), outer);
                outer.pop();
            }
            ExprKind::Map(MapKind::Unspecified, function, _) if outer.len() < usize::from(DIMENSIONS) => {
                let reductions = reductions_in(&function.body).unwrap_or_default();
                self.strategies.extend(self.shared(expr, &reductions, here, outer));
            }
            _ => {}
        }
    }

    /// The strategy for an array whose elements this function makes, each a reduction of a segment.
    fn tiled(&self, function: &Lambda, here: &Path) -> Option<Strategy> {
        let source = Segment::of(&function.body)?.reduction.source;
        let Tiles { items, elements } = self.cooperation.tiles.get(&source)?;
        let sizes = [items, elements].map(|size| Argument::Size(Nat::constant(i128::from(*size))));
        let tiled = Strategy::Apply(&SEGMENTS_IN_TILES, sizes.into());
        Some(Strategy::At(here.clone(), Box::new(tiled)))
    }

    /// The strategy for a map whose elements are made of these reductions: groups share all of them, or the
    /// only one is cut into pieces.
    fn shared(&self, map: &Expr, reductions: &[&Arc<Expr>], here: &Path, outer: &[Path]) -> Option<Strategy> {
        let (first, others) = reductions.split_first()?;
        if let Some(group) = self.cooperation.group_for(first) {
            let is_for_all = others.iter().all(|other| self.cooperation.group_for(other) == Some(group));
            let shared = || rows_in_grid_of_groups(here, outer, &group.sharing(Kept::No));
            let bound = reductions_bound(map).map(|bound| Strategy::At(here.clone(), Box::new(bound)));
            return is_for_all.then(|| Strategy::Sequence(bound.into_iter().chain([shared()]).collect()));
        }
        let pieces = self.cooperation.columns.get(&first.source);
        let pieces = pieces.filter(|_| others.is_empty() && outer.is_empty())?;
        let strategy = columns_in_pieces(map, |column, columns| pieces.length(column, columns))?;
        Some(Strategy::At(here.clone(), Box::new(strategy)))
    }
}

/// The place of the first map of a map with an open reduction from this place in the source, the outermost of
/// them.
fn place_of_product(expr: &Arc<Expr>, source: Source, here: &Path) -> Option<Path> {
    let pairs = |body: &Arc<Expr>| holds(body, &|inner| is_open_map(inner) && reduces(inner, source));
    if is_open_map(expr) && expr.function_body().is_some_and(pairs) {
        return Some(here.clone());
    }
    expr.children()
        .enumerate()
        .find_map(|(position, child)| place_of_product(child, source, &here.child(position)))
}

fn is_open_map(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..))
}

/// Whether the function of a map holds the open reduction from this place in the source.
fn reduces(map: &Expr, source: Source) -> bool {
    let is_it = |expr: &Expr| {
        matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..)) && expr.source == source
    };
    map.function_body().is_some_and(|body| holds(body, &is_it))
}

fn holds(expr: &Expr, is_wanted: &dyn Fn(&Expr) -> bool) -> bool {
    is_wanted(expr) || expr.children().any(|child| holds(child, is_wanted))
}

/// The reductions that an element is made of, unless something else takes a loop, too.
fn reductions_in(element: &Arc<Expr>) -> Option<Vec<&Arc<Expr>>> {
    let mut loops = Vec::new();
    collect_loops(element, &mut loops);
    loops.iter().all(|one| matches!(one.kind, ExprKind::Reduce(..))).then_some(loops)
}

/// What takes a loop in an expression, outside of functions.
fn collect_loops<'e>(expr: &'e Arc<Expr>, loops: &mut Vec<&'e Arc<Expr>>) {
    if matches!(expr.kind, ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..)) {
        loops.push(expr);
    }
    for (position, child) in expr.children().enumerate() {
        if !expr.is_function_body(position) {
            collect_loops(child, loops);
        }
    }
}
