//! Overlapped tiling: an array is cut into tiles that overlap as far as windows do, so that every window lies
//! in one tile (Hagedorn's thesis, chapter 4; CGO 2018, section 4.1).
//!
//! A stencil may take windows of several arrays, and elements of others, side by side. Its tiles hold the
//! same results of all of them: a tile of windows is longer than a tile of elements.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::lengths::{first, rounded_up};
use super::nests::map_nest;
use super::windows::{Grid, Part, Stencil, inwards, outwards, wanted};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{Boundary, Expr, Layout, Requirement};

type Right = Result<Arc<Expr>, Mismatch>;

/// Windows, tile by tile.
pub const SLIDE_TILING: Rule = Rule {
    name: "slideTiling",
    statement: "slide(n, s) = slide(u, u - n + s) >> map(slide(n, s)) >> join",
    origin: "Hagedorn's thesis, section 4.2; CGO 2018, section 4.1; SHINE (slideOverlap)",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| tiled_windows(redex, arguments, build),
};

/// Windows in two dimensions, tile by tile.
pub const SLIDE_TILING_2: Rule = Rule {
    name: "slideTiling2",
    statement: "slide2d(m, t, n, s) = slide2d(u, u - m + t, v, v - n + s) \
                >> map2(slide2d(m, t, n, s)) >> untile",
    origin: "Hagedorn's thesis, section 4.2.2; Lift (tileSlide2D)",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| tiled_windows(redex, arguments, build),
};

/// A stencil, tile by tile.
pub const MAP_SLIDE_TILING: Rule = Rule {
    name: "mapSlideTiling",
    statement: "slide(n, s) >> map(f) = slide(u, u - n + s) >> map(|t| t >> slide(n, s) >> map(f)) >> join; \
                elements that are zipped with windows are split into as many as a tile has windows",
    origin: "CGO 2018, section 4.1; Lift (tileStencils); for zips new: part by part",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| tiled_stencil(redex, arguments, build),
};

/// A stencil in two dimensions, tile by tile.
pub const MAP_SLIDE_TILING_2: Rule = Rule {
    name: "mapSlideTiling2",
    statement: "slide2d(m, t, n, s) >> map2(f) = slide2d(u, u - m + t, v, v - n + s) \
                >> map2(|tile| tile >> slide2d(m, t, n, s) >> map2(f)) >> untile; \
                elements that are zipped with windows are tiled into as many as a tile has windows",
    origin: "Hagedorn's thesis, section 4.2.2; Lift (tile2DStencils); for zips new: part by part",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| tiled_stencil(redex, arguments, build),
};

/// A stencil in three dimensions, tile by tile.
pub const MAP_SLIDE_TILING_3: Rule = Rule {
    name: "mapSlideTiling3",
    statement: "slide3(n, s) >> map3(f), tiled by boxes of u x v x w elements as mapSlideTiling2 tiles it",
    origin: "Hagedorn's thesis, section 4.2.2, for one more dimension",
    parameters: &[Kind::Size, Kind::Size, Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| tiled_stencil(redex, arguments, build),
};

/// A stencil in two dimensions of more results, whose numbers tiles divide.
pub const ROUND_UP_STENCIL_2: Rule = Rule {
    name: "roundUpStencil2",
    statement: "slide2d(m, 1, n, 1) >> map2(f) = pad2d(0, r, 0, c, clamp, clamp) >> slide2d(m, 1, n, 1) \
                >> map2(f) >> map(slice(0, M)) >> slice(0, N), where N + r and M + c are the next multiples of \
                two numbers; elements that are zipped with windows are repeated, too",
    origin: "`RoundUp` of Halide (PLDI 2013); for windows: new",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: rounded_up_stencil,
};

fn rounded_up_stencil(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Right {
    const WANTED: &str = "windows begin at every element";
    let multiples = lengths(arguments)?;
    let stencil = Stencil::read(redex.expr, multiples.len())?;
    if stencil.nest.maps.iter().any(|map| map.is_position_mentioned_in(map.body())) {
        return Err(Mismatch::condition("a function that knows no position", redex.expr));
    }
    stencil.windows()?;
    let is_elsewhere = |part: &Part<'_>| match part {
        Part::Windows(grid, _) => grid.0.iter().any(|windows| windows.step != Nat::one()),
        Part::Elements(_) => false,
    };
    if stencil.parts.iter().any(is_elsewhere) {
        return Err(Mismatch::condition(WANTED, redex.expr));
    }
    let mut counts = redex.expr.ty.lengths();
    counts.truncate(multiples.len());
    let mut added = Vec::new();
    for (count, multiple) in counts.iter().zip(&multiples) {
        build.need(Requirement::AtMost(Nat::one(), (*multiple).clone()), Purpose::Positive)?;
        build.need(Requirement::AtMost(Nat::one(), count.clone()), Purpose::Positive)?;
        added.push(build.simplified(&(rounded_up(count, multiple) - count)));
    }
    let parts = stencil.parts.iter().map(|part| match part {
        Part::Windows(grid, array) => grid.of(longer(&added, (*array).clone(), build)?, build),
        Part::Elements(array) => longer(&added, (*array).clone(), build),
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let input = stencil.nest.side_by_side(multiples.len(), parts, build)?;
    let apply = &mut |build: &mut Build<'_>, at: &[Nat], element| stencil.nest.apply(at, element, build);
    let results = map_nest(&stencil.nest.names(), input, &mut Vec::new(), build, apply)?;
    shorter(&counts, &added, results, build)
}

/// An array with its last elements repeated: as often as `added` says for each dimension, the outermost
/// first.
fn longer(added: &[Nat], array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let Some((right, inner)) = added.split_first() else { return Ok(array) };
    let array = match inner.iter().all(Nat::is_zero) {
        true => array,
        false => build.map_over(array, "row", |build, row| longer(inner, row, build))?,
    };
    if right.is_zero() {
        return Ok(array);
    }
    let border = Layout::Pad { left: Nat::zero(), right: right.clone(), boundary: Boundary::Clamp };
    Ok(build.layout(border, array)?)
}

/// An array without the elements that were added, with these lengths again.
fn shorter(lengths: &[Nat], added: &[Nat], array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let (Some((length, inner)), Some((more, inner_added))) = (lengths.split_first(), added.split_first())
    else {
        return Ok(array);
    };
    let array = match inner_added.iter().all(Nat::is_zero) {
        true => array,
        false => build.map_over(array, "row", |build, row| shorter(inner, inner_added, row, build))?,
    };
    if more.is_zero() { Ok(array) } else { Ok(first(length, array, build)?) }
}

/// The lengths of a tile, the outermost dimension first.
fn lengths<'a>(arguments: &'a [Argument]) -> Result<Vec<&'a Nat>, Mismatch> {
    let length = |argument: &'a Argument| match argument {
        Argument::Size(length) => Ok(length),
        _ => Err(Mismatch::Arguments),
    };
    arguments.iter().map(length).collect()
}

fn tiled_windows(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Right {
    let lengths = lengths(arguments)?;
    let dimensions = lengths.len();
    let (grid, array) = Grid::read(redex.expr, dimensions, wanted(dimensions), 0)?;
    grid.demand_room(&lengths, build)?;
    let tiles = grid.tiles(&lengths).of(array.clone(), build)?;
    let names = vec!["tile"; dimensions];
    let windows =
        map_nest(&names, tiles, &mut Vec::new(), build, &mut |build, _, tile| grid.of(tile, build))?;
    untiled(dimensions, windows, build)
}

fn tiled_stencil(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Right {
    let lengths = lengths(arguments)?;
    let dimensions = lengths.len();
    let stencil = Stencil::read(redex.expr, dimensions)?;
    let windows = stencil.windows()?;
    windows.demand_room(&lengths, build)?;
    let counts = windows.counts(&lengths);
    let tiles = stencil.parts.iter().map(|part| part.tiles(windows, &lengths, &counts, build));
    let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
    let tiles = stencil.nest.side_by_side(dimensions, tiles, build)?;
    let names = stencil.nest.names();
    let tile_names: Vec<&str> = (1..dimensions).map(|_| "x").chain(["tile"]).collect();
    let results = map_nest(&tile_names, tiles, &mut Vec::new(), build, &mut |build, tile_at, tile| {
        let tiles = stencil.nest.taken_apart(&tile, build)?;
        let parts = stencil.parts.iter().zip(tiles).map(|(part, tile)| part.of_tile(tile, build));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let inner = stencil.nest.side_by_side(dimensions, parts, build)?;
        map_nest(&names, inner, &mut Vec::new(), build, &mut |build, result_at, element| {
            let at = |dimension: usize| &counts[dimension] * &tile_at[dimension] + &result_at[dimension];
            stencil.nest.apply(&(0..dimensions).map(at).collect::<Vec<_>>(), element, build)
        })
    })?;
    untiled(dimensions, results, build)
}

impl Part<'_> {
    /// The tiles that hold `counts` results, one number for each dimension. Where the windows are those that
    /// tiles are measured by, these are the tiles of these lengths.
    fn tiles(&self, measure: &Grid, lengths: &[&Nat], counts: &[Nat], build: &mut Build<'_>) -> Right {
        match self {
            Part::Windows(grid, array) if grid == measure => grid.tiles(lengths).of((*array).clone(), build),
            Part::Windows(grid, array) => {
                let lengths = grid.lengths_of(counts);
                grid.tiles(&lengths.iter().collect::<Vec<_>>()).of((*array).clone(), build)
            }
            Part::Elements(array) => blocks(counts, (*array).clone(), build),
        }
    }

    /// The part of a stencil that is made of a tile.
    fn of_tile(&self, tile: Arc<Expr>, build: &mut Build<'_>) -> Right {
        match self {
            Part::Windows(grid, _) => grid.of(tile, build),
            Part::Elements(_) => Ok(tile),
        }
    }
}

/// Tiles that do not overlap, as `tile` makes them in two dimensions.
fn blocks(lengths: &[Nat], array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let Some((length, inner)) = lengths.split_first() else { return Ok(array) };
    let split = build.split(length, array)?;
    match inner {
        [] => Ok(split),
        [width] => build.map_over(split, "x", |build, rows| {
            let columns = build.transpose(rows)?;
            let groups = build.split(width, columns)?;
            build.map_over(groups, "x", |build, group| Ok(build.transpose(group)?))
        }),
        _ => build.map_over(split, "x", |build, slab| {
            let blocks = build.map_over(slab, "x", |build, plane| blocks(inner, plane, build))?;
            inwards(blocks, inner.len(), build)
        }),
    }
}

/// The results of tiles as one array: a `join`, an `untile`, or the same in more dimensions.
fn untiled(dimensions: usize, tiles: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let slabs = match dimensions {
        0 => return Ok(tiles),
        1 => tiles,
        2 => build.map_over(tiles, "x", |build, tiles| {
            let columns =
                build.map_over(tiles, "x", |build, tile| Ok::<_, Mismatch>(build.transpose(tile)?))?;
            let joined = build.join(columns)?;
            Ok::<_, Mismatch>(build.transpose(joined)?)
        })?,
        _ => build.map_over(tiles, "x", |build, tiles| {
            let planes = outwards(tiles, dimensions - 1, build)?;
            build.map_over(planes, "x", |build, tiles| untiled(dimensions - 1, tiles, build))
        })?,
    };
    Ok(build.join(slabs)?)
}
