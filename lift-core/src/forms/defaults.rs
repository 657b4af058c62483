//! The parameters of forms: all numbers that the choice of forms goes by, each with its reason; those for rows
//! have a file of their own (`row_defaults`).

use crate::middle::lower::{Group, Pieces, ProductTiles, SharingRowScans, Tiles};

/// The pieces into which a column is cut, for different work-items to reduce. In comparison with 64 pieces
/// of each column, the sums of 33 columns of a million elements take 0.03 times as long, those of 256 columns
/// of 65536 elements 0.16 times, and those of 8192 columns of 8192 elements 0.9 times (measured on an H200).
pub(super) const PIECES: Pieces = Pieces { items: 1 << 17, most: 2048, least: 32 };

/// From this length on, the second kernel, which puts the results of the pieces together, takes little time
/// in comparison with the first.
pub(super) const LONG_COLUMN: i128 = 512;

/// With this many columns, a work-item for each gives a GPU enough to do, and columns are not cut.
pub(super) const MANY_COLUMNS: i128 = 65_536;

/// From this length on, the work-items of a group share the reduction of a pair, although half of them have
/// no element of 64. For 65536 rows and four columns, blocks take 0.8 times as long as the plain form then,
/// and 1.3 times as long with 32 or 33 elements (measured on an H100).
pub(super) const LONG_PAIR: i128 = 64;

/// The same where there are rows and columns enough for tiles ([`ProductTile::many_rows`]): for 65536 rows of
/// 64 elements, with four and eight columns, blocks take 1.3 and 1.5 times as long as tiles, and 0.6 and 0.7
/// times with 256 elements (measured on an H200).
pub(super) const LONG_PAIR_OF_MANY_ROWS: i128 = 128;

/// Blocks of pairs that a group reduces.
pub(super) struct Block {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The rows of a block.
    pub(super) rows: i128,
    /// The columns of a block.
    pub(super) columns: i128,
    /// The number of elements of each reduction from which on it is chosen.
    pub(super) length: i128,
    /// With at most this many columns, it is worth it for any number of pairs.
    pub(super) few_columns: i128,
    /// The least numbers of rows and of columns for which it is chosen; 0 for any.
    pub(super) least_side: i128,
    /// The least number of pairs for which it is chosen; 0 for any.
    pub(super) pairs: i128,
    /// How many pairs there may be, whatever the number of columns.
    pub(super) few_pairs: &'static [FewPairs],
    /// The same where the elements of columns lie side by side in memory.
    pub(super) few_dense_pairs: &'static [FewPairs],
}

/// At most `pairs` pairs count as few if each reduction has at least `length` elements.
pub(super) struct FewPairs {
    /// The most pairs.
    pub(super) pairs: i128,
    /// The least number of elements.
    pub(super) length: i128,
}

/// The blocks of the forms. With three and four columns, blocks of four by four are about as fast as the
/// best of five sizes, or faster. With two, half of their loads are in vain: blocks of eight by two take
/// 0.91 times as long for 8192 rows of 8192 elements, 0.86 for 65536 of 1024, 0.6 for 262144 of 256 (also
/// with one column) and 0.93 for 4096 of 1024, as long for 2048 of 2048, but 1.2 for 512 of 4096 and 1.4 for
/// 64 of 65536, which fill too few groups (measured on an H200, with blocks set by `blocksInGroups`). With
/// five to eight columns, blocks of eight by eight read rows once, with four times as many accumulators.
/// With eight columns they take, in multiples of the time of blocks of four by four: 0.6 for 8192 rows of
/// 8192 elements, 0.75 for 4096 of 1024, 0.9 for 1000 of 1000, but 1.3 for 127 of 8191 and 1.5 for 64 of
/// 65536, which fill too few groups (measured on an H100; `lift-bench --regret` prints such times). With 64
/// columns they take 1.2 times as long for 64 rows of 65536, for the same reason (measured on an H200).
///
/// Few pairs with long reductions do not fill a GPU in the plain form, nor in tiles. For 64 vectors, blocks
/// take 0.05 times as long as the plain form with 16 rows of a million elements, 0.12 times with 64 of
/// 65536, 0.2 times with 127 of 8191, 0.6 times with 1024 of 65536, and as long with 1000 of 1000. Where
/// columns are as dense as rows, they take 0.6 times as long as tiles for 512 rows, 512 columns and 4096
/// elements, and 1.4 times as long for 256 elements (measured on an H200).
pub(super) const BLOCKS: [Block; 3] = [
    Block {
        name: "narrowBlocks",
        rows: 8,
        columns: 2,
        length: LONG_PAIR,
        few_columns: 2,
        least_side: 0,
        pairs: 8192,
        few_pairs: &[],
        few_dense_pairs: &[],
    },
    Block {
        name: "wideBlocks",
        rows: 8,
        columns: 8,
        length: LONG_PAIR,
        few_columns: FEW_COLUMNS,
        least_side: 5,
        pairs: 5120,
        few_pairs: &[
            FewPairs { pairs: 16_384, length: LONG_PAIR },
            FewPairs { pairs: 36_864, length: 256 },
            FewPairs { pairs: 65_536, length: 16_384 },
        ],
        few_dense_pairs: &[
            FewPairs { pairs: PRODUCT_TILE.least_results - 1, length: LONG_PAIR },
            FewPairs { pairs: 262_144, length: 1024 },
        ],
    },
    Block {
        name: "blocks",
        rows: 4,
        columns: 4,
        length: LONG_PAIR,
        few_columns: FEW_COLUMNS,
        least_side: 0,
        pairs: 0,
        few_pairs: &[FewPairs { pairs: 16_384, length: LONG_PAIR }],
        few_dense_pairs: &[FewPairs { pairs: 65_536, length: LONG_PAIR }],
    },
];

/// The work-items for such a block.
pub(super) const BLOCK_ITEMS: i128 = 128;

/// The local memory in which each of them leaves a result for each pair. With a gap for each pair, and with
/// what few of them make of these, a group takes a little more, of at least 48 KiB that GPUs have.
pub(super) const BLOCK_BYTES: i128 = 32 * 1024;

/// With at most this many columns, square blocks are worth it for any number of rows: with 16, the plain
/// form is as fast for rows of 256 to 1000 elements (measured on an H100).
pub(super) const FEW_COLUMNS: i128 = 8;

/// Tiles of a product, which a group computes.
pub(super) struct ProductTile {
    /// The tiles.
    pub(super) tiles: ProductTiles,
    /// The most bytes of a result.
    pub(super) bytes: i128,
    /// The least numbers of rows and of columns.
    pub(super) least_side: i128,
    /// The least number of elements of each reduction.
    pub(super) least_length: i128,
    /// The least numbers of rows and of columns among other stages.
    pub(super) least_side_in_stages: i128,
    /// The least number of results.
    pub(super) least_results: i128,
    /// The most elements of a reduction that is short: among other stages, fewer results of these suffice.
    pub(super) short_length: i128,
    /// The least number of results of short reductions among other stages.
    pub(super) least_results_of_short: i128,
    /// On processors, the plain form is faster if all columns have at most this number of elements, and their
    /// numbers are constants.
    pub(super) small_columns: i128,
    /// The least number of results on processors.
    pub(super) least_results_on_processors: i128,
    /// From this number of rows on, [`few_columns`](ProductTile::few_columns) columns suffice.
    pub(super) many_rows: i128,
    /// The least number of columns with many rows.
    pub(super) few_columns: i128,
}

/// The tiles of the form `productTiles`. Of ten shapes of tiles, this one is the fastest for products of
/// matrices of 1000 and 1024 rows and columns, and takes 1.5 times as long as the fastest for 512, and 1.1
/// times as long for 2048 and 4096. A GPU needs enough tiles: for 36 of them (384 x 384 results), the form
/// is as fast as the plain one, and for 25 it takes 1.3 to 1.7 times as long. With 16 rows or columns,
/// three quarters of each tile are in vain, and the form is 1.0 to 2.4 times as fast as the plain one for
/// 65536 of the others. The form reads short rows coalesced, which the plain one does not. This pays from
/// four columns on: for 262144 rows of 32 elements, it is 1.8 times as fast (measured on an H200).
///
/// A processor computes tiles as vectors, and the plain form does not: with 64 x 64 x 64 numbers, tiles take
/// half of the time, with 128 x 128 x 128 a sixth, with 256 x 256 x 256 a tenth. With 32 x 32 x 32 numbers
/// they take 1.3 times as long. So they do for 512 rows of 64 numbers and 128 columns if the last two numbers
/// are constants (with 256 columns of 256 numbers, a ninth; measured on two cores with PoCL).
///
/// Among other stages, tiles are worth it earlier: the plain form turns a matrix first if its rows are
/// columns, and the stages between are read and written once more. Two layers of 64 numbers, 31 to 256 and 10
/// take 0.51 to 0.58 times as long for 4096 rows, 0.33 times for 65536 rows (measured on an H200).
pub(super) const PRODUCT_TILE: ProductTile = ProductTile {
    tiles: ProductTiles {
        rows: 64,
        columns: 64,
        elements: 16,
        rows_per_item: 8,
        columns_per_item: 4,
        width: 4,
    },
    bytes: 8,
    least_side: 16,
    least_side_in_stages: 8,
    least_length: 16,
    least_results: 36 * 64 * 64,
    short_length: 512,
    least_results_of_short: 16_384,
    small_columns: 16_384,
    least_results_on_processors: 2048,
    many_rows: 65_536,
    few_columns: 4,
};

/// Tiles of a product with few results, whose reductions are cut into pieces.
pub(super) struct LongProduct {
    /// How many groups compute a tile of a piece each: more gain nothing.
    pub(super) groups: i128,
    /// The least number of elements of a piece: fewer do not pay for the memory that its results take.
    pub(super) piece: i128,
    /// The most tiles.
    pub(super) most_tiles: i128,
    /// From which sizes on they are cut, one of these.
    pub(super) alone: &'static [LongPairs],
    /// The same where groups can share blocks of results instead ([`BLOCKS`]).
    pub(super) beside_blocks: &'static [LongPairs],
    /// The same where groups can share such blocks, and the elements of rows and of columns lie side by side.
    pub(super) beside_dense_blocks: &'static [LongPairs],
    /// The most tiles on processors.
    pub(super) most_tiles_on_processors: i128,
    /// From which sizes on they are cut there.
    pub(super) on_processors: LongPairs,
    /// The same among other stages.
    pub(super) in_stages_on_processors: LongPairs,
}

/// Pairs from these sizes on.
pub(super) struct LongPairs {
    /// The least numbers of rows and of columns, if there is one.
    pub(super) side: i128,
    /// The least number of pairs, if there is one.
    pub(super) pairs: i128,
    /// The least number of elements of each reduction.
    pub(super) length: i128,
    /// The most tiles, if fewer than [`most_tiles`](LongProduct::most_tiles); 0 for these.
    pub(super) tiles: i128,
}

/// More tiles are groups enough for a GPU: with 144 tiles and 1024 or 4096 elements, pieces take 0.74 and
/// 0.63 times as long as whole reductions, with 256 tiles 0.97 and 0.89 times. The products of all pairs of
/// 16 to 64 columns of 65536 elements take 0.016 to 0.018 times as long as in the plain form, those of 512
/// columns 0.15 times. Two kernels take 20 microseconds at least, which blocks do not for few and short
/// pairs: they are 2.2 times as fast with 64 x 64 pairs of 1024 elements, equal with 4096 elements, and take
/// 7.9 times as long with 65536. Blocks read the rows of two matrices twice as fast as columns. With 10
/// columns, most of each tile is in vain, but work-items of the plain form have even fewer neighbours: for 64
/// and 127 rows with 65536 and 8191 elements, two layers take 0.03 and 0.17 times as long. So do 16 x 1048576
/// numbers with 4 and 8 vectors beside blocks: 0.1 times; 64 x 65536 numbers: 0.4 times, with 16 groups for
/// blocks, but 1024 x 65536 numbers 1.6 times. With 4096 x 64 pairs of 511 elements, pieces take 0.67 times
/// as long as whole reductions, and with 256 elements 1.05 times (measured on an H200).
///
/// A processor has fewer cores, which are idle where there are fewer tiles. In pieces, products of 64 x 16384
/// numbers with 64 others take 0.1 times as long on 16 cores, those of 128 x 2048 with 128 others 0.3 times,
/// and 1.1 times with 200 x 500 and 200 others, of 16 tiles. On two cores, one tile takes 0.55 times as long
/// in pieces, and more tiles 1.1 times (measured with PoCL).
pub(super) const LONG_PRODUCT: LongProduct = LongProduct {
    groups: 512,
    piece: 256,
    most_tiles: 144,
    alone: &[
        LongPairs { side: 0, pairs: 0, length: 4096, tiles: 0 },
        LongPairs { side: 4, pairs: 0, length: 1024, tiles: 0 },
        LongPairs { side: 4, pairs: 4096, length: 384, tiles: 0 },
    ],
    beside_blocks: &[
        LongPairs { side: 0, pairs: 0, length: 262_144, tiles: 0 },
        LongPairs { side: 0, pairs: 0, length: 16_384, tiles: 2 },
        LongPairs { side: 16, pairs: 0, length: 16_384, tiles: 0 },
        LongPairs { side: 16, pairs: 4096, length: 4096, tiles: 0 },
        LongPairs { side: 16, pairs: 36_864, length: 384, tiles: 0 },
    ],
    beside_dense_blocks: &[
        LongPairs { side: 0, pairs: 0, length: 262_144, tiles: 0 },
        LongPairs { side: 16, pairs: 0, length: 16_384, tiles: 0 },
        LongPairs { side: 32, pairs: 49_152, length: 4096, tiles: 0 },
        LongPairs { side: 32, pairs: 131_072, length: 384, tiles: 0 },
    ],
    most_tiles_on_processors: 16,
    on_processors: LongPairs { side: 16, pairs: 2048, length: 384, tiles: 0 },
    in_stages_on_processors: LongPairs { side: 8, pairs: 0, length: 384, tiles: 0 },
};

/// Groups that share the reductions of few results.
pub(super) struct FewResults {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The groups.
    pub(super) group: Group,
    /// It is chosen for at most this many times as many results as a reduction has elements; `None` for any
    /// number of them.
    pub(super) for_each_element: Option<i128>,
}

/// For up to this many results, one of the forms below is faster than the plain one, with reductions of 512
/// elements and more: the forces between 32768 bodies take 0.33 times as long, and the largest products of
/// 32768 numbers with each of them 0.34 times. For 65536 results, the second form may take 1.2 times as long
/// (measured on an H200).
pub(super) const MOST_RESULTS: i128 = 32_768;

/// The forms. The forces of 1024, 4096, 16384 and 32768 bodies on each other take 0.48, 0.45, 0.8 and 0.81
/// times as long in the first form as in the second. Where there are more results than elements, putting
/// together what a group has takes longer: with 8192 results, the forces of 512, 1024 and 2048 bodies take
/// 1.06, 0.97 and 0.84 times as long, with 32768 those of 2048 and 4096 bodies 1.24 and 1.08 times (measured
/// on an H200).
pub(super) const FEW_RESULTS: [FewResults; 2] = [
    FewResults { name: "veryFewResults", group: Group { rows: 1, items: 128 }, for_each_element: Some(4) },
    FewResults { name: "fewResults", group: Group { rows: 16, items: 16 }, for_each_element: None },
];

/// From this length on, each work-item has several elements of a reduction that a group shares.
pub(super) const LONG_SHARED_REDUCTION: i128 = 512;

/// Groups that read rows once.
pub(super) struct OnePass {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The most groups.
    pub(super) groups: i128,
    /// The work-items of a group.
    pub(super) items: i128,
    /// The most elements of a row, which fill the registers of these work-items.
    pub(super) room: i128,
    /// The number of elements of a row from which on it is chosen.
    pub(super) least: i128,
    /// The same for more rows than [`MANY_ROWS`].
    pub(super) least_of_many: i128,
}

/// With more rows than this, what a group does for each row besides reading it takes longer than to read
/// short rows twice: for 65536 rows of 256 elements, `onePass` takes 2.7 times as long as `rowsAndColumns`,
/// and for 4096 of them as long (measured on an H200).
pub(super) const MANY_ROWS: i128 = 8192;

/// The groups of the forms that read rows once. An H100 has 132 multiprocessors: with 16 elements of a row,
/// of the next one and of the sums for each work-item, one of them has registers for one group of 512, and
/// for two with 8 elements. What is not used of them costs time: rows of 4096 elements take 1.2 times as long
/// in the second form as in the first. Rows of 256 elements, which use a sixteenth of the first, are about as
/// fast as in two passes, and longer ones faster (measured there; `lift-bench --regret` prints such times).
pub(super) const ONE_PASSES: [OnePass; 2] = [
    OnePass { name: "onePass", groups: 264, items: 512, room: 4096, least: 256, least_of_many: 1024 },
    OnePass {
        name: "onePassOfLongRows",
        groups: 132,
        items: 512,
        room: 8192,
        least: 4097,
        least_of_many: 4097,
    },
];

/// The size in bytes of the elements that such a work-item keeps.
pub(super) const REGISTER_BYTES: i128 = 4;

/// The work-items that put the results of these groups together: eight for each of 32 columns, which a GPU
/// reads in lockstep.
pub(super) const COLUMNS_OF_RESULTS: [u64; 3] = [32, 8, 1];

/// The side of the tiles that are transposed: a row of 32 floats has the 128 bytes of a cache line of
/// NVIDIA's GPUs, and a tile of floats takes about 4 KiB of local memory.
pub(super) const SIDE_OF_TILES: i128 = 32;

/// The work-items for such a tile: each moves four elements.
pub(super) const TILE_ITEMS: [u64; 3] = [32, 8, 1];

/// From this number of elements on, there are enough tiles to keep a GPU busy.
pub(super) const LARGE_MATRIX: i128 = 65_536;

/// From this number of elements on, a GPU has enough work-items where each computes several of them.
pub(super) const MANY_ELEMENTS: i128 = 1 << 20;

/// From this width on, it is worth it to compute several elements of neighbouring rows: a row is wider than
/// what a GPU executes in lockstep (measured on an H200).
pub(super) const WIDE_ROW: i128 = 33;

/// The same where a loop computes each element: convolutions of a million rows of 33 elements by 17 of a
/// column take 1.2 times as long with several elements for each work-item, and those of 4096 rows of 513
/// elements 0.9 times (`--regret --only "17 convolution"` on an H200).
pub(super) const WIDE_ROW_OF_LOOPS: i128 = 64;

/// From this number of iterations on, a loop takes most of the time of an element.
pub(super) const SEVERAL_STEPS: i128 = 16;

/// The widths of the vectors of results of a stencil. The first whose windows fit registers is taken.
pub(super) const WIDTHS_OF_RESULTS: [u8; 2] = [4, 2];

/// The most bytes of the elements that such a vector is computed of, with all components of a tuple: GPUs
/// load as many at once.
pub(super) const VECTOR_BYTES: i128 = 16;

/// The most registers of 32 bits for the vectors of a window. A window of 5 x 5 floats has vectors of four,
/// one of 7 x 7 vectors of two: with vectors of four it takes 1.3 to 1.8 times as long, because few
/// work-items find registers (H200, 8192 x 8192).
pub(super) const MOST_REGISTERS: i128 = 128;

/// Windows of a stencil with more rows than this have long strips.
pub(super) const TALL_WINDOW: i128 = 5;

/// The rows of results that a work-item computes in a strip of a stencil, without the rows that their
/// windows reach into. In longer strips fewer rows are read twice, but there are fewer work-items, and more
/// results that nobody wants at the end. On an H200, windows of 3 x 3 are slower with eight than with four,
/// those of 5 x 5 about as fast, and those of 7 x 7 take 0.54 times as long (8192 x 8192 floats, vectors of
/// four).
pub(super) const SHORT_STRIP: i128 = 4;
/// The same for tall windows.
pub(super) const LONG_STRIP: i128 = 8;

/// From this number of results on, it is worth it to compute several results of windows of at least
/// [`FULL_WINDOW`] elements in vectors. With 2^18 results, convolutions of 17 elements take 0.9 to 1.1 times
/// as long, with 2^19 0.76 to 0.9 (`--regret --only "17 convolution"` on an H200).
pub(super) const MANY_WINDOWS: i128 = 1 << 18;

/// The same for smaller windows: with 10^6 results, they take 0.85 to 0.95 times as long in vectors, with
/// 2^18 as long (`--regret --only Jacobi`).
pub(super) const MANY_SMALL_WINDOWS: i128 = 1 << 19;

/// The number of elements of a window, of those that the function takes, from which on a work-item has enough
/// to do for each result.
pub(super) const FULL_WINDOW: i128 = 16;

/// From this number of elements of all windows together on, tiles of results are worth it: 512 x 512 windows
/// of 5 x 5. A convolution of 17 x 17 takes as long in tiles for 31 x 509 results, and 0.4 times as long for
/// 4096 x 33 (`--regret --only "17x17"`).
pub(super) const MANY_ELEMENTS_OF_WINDOWS: i128 = 25 << 18;

/// The rows and columns of results from which on tiles are worth it. One row of 1048576 results takes 4.3
/// times as long in tiles, which compute 32 rows of them; 16 rows take 0.38 times as long.
pub(super) const LEAST_TILED: [i128; 2] = [8, 16];

/// The rows and columns of results that a group computes of larger windows, after it has copied what they
/// need. On an H200, convolutions of 9 x 9 to 17 x 17 floats are as fast with 64 x 64 or 32 x 128.
pub(super) const TILE_OF_RESULTS: [i128; 2] = [32, 64];

/// The rows and columns of these results that a work-item computes. With 4 x 8, a convolution of 17 x 17
/// takes 0.9 times as long, and has twice as much code.
pub(super) const BLOCK_OF_RESULTS: [i128; 2] = [4, 4];

/// The most dimensions of work-items.
pub(super) const MOST_DIMENSIONS: usize = 3;

/// The most rows and columns of a window for both forms: local memory has no room for more.
pub(super) const LONGEST_SIDE: i128 = 1024;

/// The number of elements of a window from which on there are tiles: 6 x 6. Smaller ones are faster in
/// `rollingRows`. Where vectors do not fill their rows they have `elements`; tiles would take 0.6 times as
/// long for 5 x 5, but a third form takes time to expand.
pub(super) const LARGE_WINDOW: i128 = 36;

/// The most columns of a window in tiles: a kernel has a statement for each column of a window and each
/// result of a block.
pub(super) const WIDEST_WINDOW: i128 = 32;

/// The most bytes that a group copies for a tile.
pub(super) const TILE_BYTES: i128 = 32_768;

/// The columns from which on the work-items of a group have results beside each other. Of 65536 x 64
/// results, half of them have: convolutions of 17 elements take 0.5 to 0.85 times as long in vectors,
/// stencils of 5 and 9 points 0.85 to 1.07 times. Of 262144 x 32, a quarter: 0.8 to 1.2 times.
pub(super) const WIDE_RESULTS: i128 = 64;

/// The same for windows of one matrix with at most [`FEW_SIDES`] columns: most rows of vectors that they read
/// serve several results. Of 1048576 x 16 results, an eighth have neighbours: stencils of 5 points and
/// convolutions of 17 elements of a column take 0.7 times as long, for 65536 x 16 results 0.75 and 0.9 times.
pub(super) const WIDE_RESULTS_OF_COLUMNS: i128 = 16;

/// The most columns of such windows.
pub(super) const FEW_SIDES: i128 = 3;

/// The lanes of the vectors by which a processor reduces a row: 512 bits of floats. Narrower registers take
/// several for a vector, which also hides how long an addition takes.
pub(super) const LANES: u8 = 16;

/// From this length on, a row has several vectors.
pub(super) const VECTOR_ROW: i128 = 64;

/// A form in which lanes share segments.
pub(super) struct SegmentLanes {
    pub(super) name: &'static str,
    pub(super) group: Group,
    /// The mean length of segments from which on it is chosen.
    pub(super) least: i128,
    /// Segments with more elements than this are reduced before the others.
    pub(super) longest: i128,
    /// The groups for these.
    pub(super) long: Group,
}

/// The forms for segments. Over rows of one length, the second takes 0.39 times as long as the plain form at
/// 32 elements; at 64 elements it takes 0.71 times as long as the first, and at 512 elements 1.3 times. To
/// look for long segments takes 0.06 ms of that for 2^26 elements (measured on an H100; `order-bench` prints
/// such times).
pub(super) const SEGMENT_LANES: [SegmentLanes; 2] = [
    SegmentLanes {
        name: "segments",
        group: Group { rows: 8, items: 32 },
        least: 256,
        longest: 8192,
        long: Group { rows: 1, items: 256 },
    },
    SegmentLanes {
        name: "shortSegments",
        group: Group { rows: 16, items: 8 },
        least: 20,
        longest: 2048,
        long: Group { rows: 1, items: 256 },
    },
];

/// The form in which groups read their segments in tiles.
pub(super) struct SegmentTiles {
    pub(super) name: &'static str,
    pub(super) tiles: Tiles,
    /// The mean length of segments from which on it is chosen.
    pub(super) least: i128,
    /// The mean length from which on it is not.
    pub(super) too_long: i128,
    /// The number of segments from which on it is chosen.
    pub(super) least_segments: i128,
}

/// Where few rows are long, with 21 elements on average, the form takes half as long as `shortSegments`; tiles
/// of 768, 1024 and 1280 elements take 1.06, 1.05 and 1.2 times as long as these (on an H200), because they
/// need other numbers of registers. Over rows of one length, it takes 1.4 times as long as the plain form at 5
/// elements, 1.3 times at 8 and 0.9 times at 16. If only few rows are long, the plain form takes 17 times as
/// long, so that a mean of 8 suffices. At 32 and 64 elements it takes 1.6 times as long as `shortSegments`:
/// work-items that read their rows in turns meet in one bank of local memory. A group takes its tiles one
/// after the other, so that a large device needs several hundred groups.
pub(super) const SEGMENT_TILES: SegmentTiles = SegmentTiles {
    name: "tiledSegments",
    tiles: Tiles { items: 128, elements: 896 },
    least: 8,
    too_long: 32,
    least_segments: 32768,
};

/// From this number of elements on, groups share the scans of rows. In the plain form, a work-item scans a
/// row: neighbours read and write far apart, and with few rows most of a GPU is idle. Groups of 32 take 0.55
/// times as long for 128 elements, 0.6 to 0.8 times for 64, and 1.1 times for 32 and 33 (measured on an
/// H200).
pub(super) const SCANNED_ROW: i128 = 48;

/// The forms for scans of rows: by name, how groups share them. Groups of 256 take 0.18 times as long as the
/// plain form for 4096 rows of 1024 elements, and 0.6 times for 256 elements, where most work-items have one.
/// In tiles, sums of 8192 rows of 8192 elements take 0.2 times as long, of 1024 rows of 65536 elements 0.04
/// times, of 64 rows 0.005 times, and of 16 rows of a million elements 0.0013 times (measured on an H200).
pub(super) const ROW_SCANS: [(&str, SharingRowScans); 3] = [
    ("shortRowScans", SharingRowScans::InSmallGroups),
    ("wholeRowScans", SharingRowScans::InGroups),
    ("rowScans", SharingRowScans::InTiles),
];
