//! Decides which scans of whole arrays are divided among the work-items of the device, by the rule
//! `scanByTiles`, and chooses their tiles.

use super::reduction::WORTH_DIVIDING;
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, Program};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;
use crate::middle::rewrite::rules::{SCAN_BY_TILES, may_scan_by_tiles};
use crate::middle::rewrite::{Argument, Strategy};

/// Work-items of a group, the preferred number first.
const ITEMS: [i128; 5] = [256, 128, 64, 32, 16];

/// The number of work-items whose totals one work-item combines.
const PART: i128 = 16;

/// Elements of a work-item, the preferred number first. With several elements, scanning the totals of
/// work-items takes little time in comparison. A smaller group is better than fewer elements.
const ELEMENTS: [i128; 3] = [7, 3, 1];

/// Bytes of local memory for a group: several groups should fit a multiprocessor, and every device has 32
/// KiB.
const LOCAL_MEMORY: i128 = 20 * 1024;

/// The elements that a work-group scans.
#[derive(Clone, Copy)]
struct Tile {
    items: i128,
    /// Elements of each work-item.
    each: i128,
}

impl Tile {
    /// The tile for elements of a type. `None` if even the smallest tile is too large.
    fn of(element: &Type) -> Option<Tile> {
        let bytes = element.constant_bytes()?;
        let mut tiles = ELEMENTS.into_iter().flat_map(|each| ITEMS.map(|items| Tile { items, each }));
        // The tile before and after the scan, the totals and starts of the work-items, and those of the
        // parts.
        let room = |tile: &Tile| (2 * tile.length() + 2 * tile.items + 2 * (tile.items / PART)) * bytes;
        tiles.find(|tile| room(tile) <= LOCAL_MEMORY)
    }

    fn length(self) -> i128 {
        self.items * self.each
    }
}

/// The division of a scan, where it stands or where maps over it stand. `None` if the scan must be done in
/// order, or is not worth dividing.
pub(super) fn divided_scan(scan: &Expr, program: &Program) -> Option<Strategy> {
    let ExprKind::Scan(_, _, initial, input) = &scan.kind else { return None };
    let array = input.ty.as_array()?;
    let is_short = array.length.as_constant().is_some_and(|length| length < WORTH_DIVIDING);
    if is_short || !may_scan_by_tiles(scan, Axioms::of(program)) {
        return None;
    }
    let Tile { items, each } = Tile::of(&initial.ty)?;
    let sizes = [items, each, PART].map(|size| Argument::Size(Nat::constant(size)));
    Some(Strategy::Apply(&SCAN_BY_TILES, sizes.to_vec()))
}

/// Whether a scan that is divided stands anywhere in an expression.
pub(crate) fn holds_divisible_scan(expr: &Expr, program: &Program) -> bool {
    divided_scan(expr, program).is_some() || expr.children().any(|child| holds_divisible_scan(child, program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::scalar::ScalarType;

    #[test]
    fn every_small_element_has_a_tile_that_fits_and_spreads_over_banks() {
        let scalars = [ScalarType::Bool, ScalarType::I16, ScalarType::F32, ScalarType::F64];
        let vectors = scalars.into_iter().flat_map(|ty| [2, 4, 8, 16].map(|width| Type::Vector(ty, width)));
        for element in scalars.into_iter().map(Type::Scalar).chain(vectors) {
            let tile = Tile::of(&element).expect("it is small");
            let bytes = element.constant_bytes().expect("no size is in it");
            assert!(2 * tile.length() * bytes <= LOCAL_MEMORY, "{element}");
            assert_eq!((tile.each % 2, tile.items % PART), (1, 0), "{element}");
        }
    }

    #[test]
    fn larger_elements_have_smaller_tiles_until_there_is_none() {
        let tuple = |count: usize| Type::Tuple(vec![Type::Scalar(ScalarType::F64); count]);
        let lengths = [1, 2, 4, 8, 16, 32, 64].map(|count| Tile::of(&tuple(count)).map_or(0, Tile::length));
        assert_eq!(lengths, [896, 448, 224, 112, 48, 16, 0]);
    }
}
