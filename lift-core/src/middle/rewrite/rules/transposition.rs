//! Transposition, tile by tile.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::split::uneven;
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::{Expr, ExprKind, Layout};

/// Any number of rows and columns, in square tiles. The tiles at the end may be smaller. Each tile is copied
/// as it lies in the array, and copied again as it lies in the result.
pub const TRANSPOSE_IN_TILES: Rule = Rule {
    name: "transposeInTiles",
    statement: "transpose = chunks(n) >> map(|rows| rows >> transpose >> chunks(n) >> map(|tile| tile >> \
                transpose >> map(map(id)) >> transpose >> map(map(id))) >> join >> transpose) >> join >> \
                transpose",
    origin: "Ruetsch, Micikevicius, Optimizing matrix transpose in CUDA, 2009; for any size: new",
    parameters: &[Kind::Size],
    regroups: false,
    apply: transpose_in_tiles,
};

fn transpose_in_tiles(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let [Argument::Size(side)] = arguments else { return Err(Mismatch::Arguments) };
    let ExprKind::Layout(Layout::Transpose, array) = &redex.expr.kind else {
        return Err(redex.is_not("`transpose`"));
    };
    let of_rows = uneven(side, array.clone(), build)?;
    let of_rows = build.map_over(of_rows, "rows", |build, rows| columns_in_tiles(rows, side, build))?;
    let joined = build.join(of_rows)?;
    Ok(build.transpose(joined)?)
}

/// Some rows, copied in tiles.
fn columns_in_tiles(rows: Arc<Expr>, side: &Nat, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let columns = build.transpose(rows)?;
    let tiles = uneven(side, columns, build)?;
    let tiles = build.map_over(tiles, "tile", |build, tile| {
        let in_array = build.transpose(tile)?;
        let copied = copied(in_array, build)?;
        let in_result = build.transpose(copied)?;
        Ok::<_, Mismatch>(self::copied(in_result, build)?)
    })?;
    let joined = build.join(tiles)?;
    Ok(build.transpose(joined)?)
}

/// A copy of the elements of an array of rows.
fn copied(rows: Arc<Expr>, build: &mut Build<'_>) -> Built {
    build.map_over(rows, "row", |build, row| build.map_over(row, "x", |_, element| Ok(element)))
}
