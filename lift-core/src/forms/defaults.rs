//! The parameters of forms: all numbers that the choice of forms goes by, each with its reason.

use crate::middle::lower::Group;

/// The groups for long rows. On GPUs the best number of work-items is flat between 32 and 256 for rows of 2048 to
/// 16384 elements; with 128, several groups share a multiprocessor.
pub(super) const LONG_ROWS: Group = Group { rows: 1, items: 128 };

/// From this length on, a row keeps a group busy longer than a GPU takes to start one (measured on an H200, which
/// starts 1.6 groups in a nanosecond).
pub(super) const LONG_ROW: i128 = 1024;

/// The groups for shorter rows: for each row the work-items that GPUs execute in lockstep, or half of them, and
/// enough rows that starting groups takes no time.
pub(super) const SHORT_ROWS: Group = Group { rows: 8, items: 32 };

/// The groups for long rows that they keep in local memory: seven of them fill a multiprocessor's local memory and
/// nearly all of its work-items.
pub(super) const KEPT_ROWS: Group = Group { rows: 1, items: 256 };

/// The local memory of a group for rows that it keeps: the least that OpenCL devices have.
pub(super) const KEPT_BYTES: i128 = 32 * 1024;

/// From this length on, work-items that share a row read less memory in vain than one that reads it alone. With a
/// million rows of 33 elements, the tree takes longer than that saves (measured on an H200).
pub(super) const SHORT_ROW: i128 = 64;

/// From this length on, groups for long rows are worth it in a program that has columns, too: each of their
/// work-items has an element.
pub(super) const ROW_BESIDE_COLUMNS: i128 = 128;

/// The pieces of a column that different work-items reduce: with a few thousand columns, they fill a GPU.
pub(super) const PIECES: u32 = 64;

/// From this length on, the second kernel, which reduces what pieces come to, takes little time in comparison.
pub(super) const LONG_COLUMN: i128 = 512;

/// So many columns give a GPU enough to do.
pub(super) const MANY_COLUMNS: i128 = 65_536;

/// The side of the tiles that are transposed: as many elements as lie in four lines of a GPU's cache, of which a
/// group keeps 4 KiB.
pub(super) const SIDE_OF_TILES: i128 = 32;

/// The work-items for such a tile: each moves four elements.
pub(super) const TILE_ITEMS: [u64; 3] = [32, 8, 1];

/// From so many elements on, tiles keep a GPU busy.
pub(super) const LARGE_MATRIX: i128 = 65_536;

/// From this number of elements on, a GPU has enough work-items where each computes several of them.
pub(super) const MANY_ELEMENTS: i128 = 1 << 20;

/// From this width on, rows keep the work-items of a group busy that lie side by side.
pub(super) const WIDE_ROW: i128 = 128;
