//! The rules, a file for each family.
//!
//! - `fusion`, `fission`: passes over an array become one, or two; `horizontal`: independent ones become one;
//! - `singles`: arrays of one element;
//! - `sections`: a first part, a middle and a last part;
//! - `separation`: what the function of a map binds is made by a map of its own;
//! - `split`: chunks, for maps of maps and reductions of reductions;
//! - `reduction`: partial reductions; `division`: those of whole arrays, for the whole device,
//!   `keyed`: those by key, `scan_tiles`: scans, and `row_scans`: those of rows;
//! - `accumulators`: the form of accumulators that are arrays; `lanes`: those that are computed side by side;
//! - `choices`: `if`s between arrays, and `chosen_updates`: those between updates of one;
//! - `identity`: what computes nothing;
//! - `segments`, `long_segments`, `segment_tiles`: rows that data delimits;
//! - `vectors`, `vector_reductions`: neighbouring elements at once; `scalars_of_vectors`: vectors in place of
//!   scalars;
//! - `memories`: where values are stored, and copies; `registers`: what the work-items of a group keep;
//! - `interchange`: maps and reductions change places;
//! - `zips`: arrays that are zipped, and layouts of them;
//! - `layouts`, `movement`, `pads`: layouts cancel, and move past maps and each other;
//! - `stencils`: windows and borders; `tiling`: tiles that overlap; `axes`: one axis after the other;
//!   `windows`: how these rules read windows;
//! - `transposition`: rows and columns in tiles;
//! - `lets`: `let`s in values of others, and tuples that they bind; `floating`: what is computed further
//!   outside;
//! - `kernels`: what is computed before what reads it;
//! - `passes`: the order and the number of passes over an array; `lengths`: arrays that are filled up;
//! - `lowering`: who computes what;
//! - `parts`: what rules of several families ask of an expression.

mod accumulators;
mod axes;
mod choices;
mod chosen_updates;
mod division;
mod fission;
mod floating;
mod fusion;
mod horizontal;
mod identity;
mod interchange;
mod kernels;
mod keyed;
mod lanes;
mod layouts;
mod lengths;
mod lets;
mod long_segments;
mod lowering;
mod memories;
mod movement;
mod nests;
mod pads;
mod parts;
mod passes;
mod reduction;
mod registers;
mod row_scans;
mod scalars_of_vectors;
mod scan_tiles;
mod sections;
mod segment_tiles;
mod segments;
mod separation;
mod shared_tables;
mod singles;
mod split;
mod stencils;
mod tiling;
mod transposition;
mod vector_reductions;
mod vectors;
mod windows;
mod zips;

pub use accumulators::*;
pub use axes::*;
pub use choices::*;
pub use chosen_updates::*;
pub use division::*;
pub use fission::*;
pub use floating::*;
pub use fusion::*;
pub use horizontal::*;
pub use identity::*;
pub use interchange::*;
pub use kernels::*;
pub use keyed::*;
pub use lanes::*;
pub use layouts::*;
pub use lengths::*;
pub use lets::*;
pub use long_segments::*;
pub use lowering::*;
pub use memories::*;
pub use movement::*;
pub(crate) use nests::arrays_of_nest;
pub use pads::*;
pub use passes::*;
pub use reduction::*;
pub use registers::*;
pub use row_scans::*;
pub use scalars_of_vectors::*;
pub use scan_tiles::*;
pub use sections::*;
pub use segment_tiles::*;
pub use segments::*;
pub use separation::*;
pub use shared_tables::*;
pub use singles::*;
pub use split::*;
pub use stencils::*;
pub use tiling::*;
pub use transposition::*;
pub use vector_reductions::*;
pub use vectors::*;
pub(crate) use windows::Neighbourhoods;
pub use zips::*;

use super::rule::Rule;

/// All rules, for the documentation, for tests and for schedules.
pub const ALL: &[&Rule] = &[
    // Accumulators.
    &ACCUMULATOR_LAYOUT,
    &PARTIAL_REDUCE_LANES,
    &REDUCE_MAP_INTERCHANGE,
    // Axes of stencils.
    &SLIDE_2_BY_COLUMNS,
    &SLIDE_2_BY_ROWS,
    &SLIDE_3_BY_ROWS,
    // Choices.
    &CHOOSE_ELEMENTS,
    &MAP_OUTSIDE_IF,
    &CHOOSE_UPDATE,
    // Fission.
    &MAP_FISSION,
    &REDUCE_MAP_FISSION,
    // Fusion.
    &FUSE_TOGETHER,
    &MAP_FUSION,
    &MAP_FUSION_IN_ZIP,
    &MAP_2_FUSION,
    &MAP_3_FUSION,
    &REDUCE_FUSION_IN_ZIP,
    &REDUCE_MAP_FUSION,
    &SCAN_MAP_FUSION,
    &TUPLE_MAP,
    // Identities.
    &COMPONENT_OF_TUPLE,
    &ID_MAP,
    &ITERATE_ONE,
    &ITERATE_ZERO,
    &LAYOUT_OF_REPEAT,
    &LET_INLINE,
    &LET_INTRODUCE,
    &MAP_ID,
    &MAP_OF_LITERAL,
    &MAP_OF_REPEAT,
    &UNZIP_ZIP,
    &ZIP_SAME,
    // Interchange.
    &MAP_MAP_INTERCHANGE,
    &MAP_REDUCE_INTERCHANGE,
    &TRANSPOSE_BOTH_SIDES,
    // Kernels in between.
    &GENERATE_MAP,
    &LET_STAGE,
    &MAP_JOIN_ROWS,
    &STORE_BETWEEN,
    &STORE_REDUCTION,
    &STORE_SCAN,
    &STORE_VALUE,
    // Layouts.
    &REMOVE_INVERSES,
    &REMOVE_EMPTY_PAD,
    &REMOVE_WHOLE_SLICE,
    &SLICE_SLICE,
    &SPLIT_SPLIT,
    &REORDER_OUTSIDE_ZIP,
    &ROWS_OUTSIDE_ZIP,
    &TRANSPOSE_OUTSIDE_ZIP,
    &JOIN_OUTSIDE_ZIP,
    // Lets.
    &LET_FLOAT,
    &LET_OF_LET,
    &LET_OF_TUPLE,
    // Lowering to OpenCL.
    &MAP_GLB,
    &MAP_LCL,
    &MAP_SEQ,
    &MAP_SEQ_UNROLL,
    &MAP_WRG,
    &REDUCE_SEQ,
    &REDUCE_SEQ_PIPELINED,
    &REDUCE_SEQ_UNROLL,
    &REDUCE_TO_ARRAY,
    &SCAN_SEQ,
    // Memories.
    &COPY_ELEMENT,
    &COPY_ELEMENTS,
    &COPY_TO,
    &COPY_TOGETHER,
    &INCREASE_COPY,
    &KEEP,
    &REMOVE_STORE,
    &ROWS_OF_AT_MOST,
    &STORE_TO_GLOBAL,
    &TO_GLOBAL,
    &TO_LOCAL,
    &TO_PRIVATE,
    &TRANSPOSED_COPY,
    &TURN_ROWS,
    // Movement.
    &MAP_MAP_F_BEFORE_TRANSPOSE,
    &TRANSPOSE_BEFORE_MAP_MAP_F,
    &MAP_F_BEFORE_DEINTERLEAVE,
    &MAP_F_BEFORE_SPLIT,
    &SPLIT_BEFORE_MAP_MAP_F,
    &MAP_MAP_F_BEFORE_JOIN,
    &JOIN_BEFORE_MAP_F,
    &MAP_F_BEFORE_REORDER,
    &REORDER_BEFORE_MAP_F,
    &TRANSPOSE_BEFORE_SPLIT,
    &TRANSPOSE_BEFORE_MAP_SPLIT,
    &MAP_SPLIT_BEFORE_TRANSPOSE,
    &TRANSPOSE_BEFORE_SLIDE,
    &JOIN_BEFORE_TRANSPOSE,
    &TRANSPOSE_BEFORE_MAP_JOIN,
    &MAP_TRANSPOSE_BEFORE_JOIN,
    &MAP_JOIN_BEFORE_TRANSPOSE,
    &JOIN_BEFORE_JOIN,
    &MAP_JOIN_BEFORE_JOIN,
    &MAP_TRANSPOSE_BEFORE_TRANSPOSE,
    &PAD_OF_ELEMENTS,
    &TRANSPOSE_BEFORE_MAP_PAD,
    &TRANSPOSE_BEFORE_REORDER,
    &REORDER_IN_ROWS,
    // Divided reductions and scans.
    &REDUCE_BY_GROUPS,
    &REDUCE_BY_ITEMS,
    &REDUCE_BY_KEY_IN_PARTS,
    &REDUCE_BY_KEY_IN_GROUPS,
    &REDUCE_BY_KEY_TOGETHER,
    &SCAN_BY_TILES,
    &SCAN_ROWS_BY_TILES,
    &SCAN_ROWS_IN_GROUPS,
    &SEGMENT_BY_LANES,
    &LONG_SEGMENTS_APART,
    &SEGMENTS_IN_TILES,
    // Partial reductions.
    &CYCLIC_REDUCE,
    &PARTIAL_REDUCE,
    &PARTIAL_REDUCE_UNEVEN,
    &TREE_REDUCE,
    // Passes over an array.
    &ONE_PASS,
    &ROUND_UP,
    &FILL_UP,
    &FILL_UP_TO_MULTIPLE,
    &FILL_UP_LANES,
    &FILL_UP_REDUCE,
    &ROUND_UP_REDUCE,
    &COPY_FILLED,
    &KEEP_ZIPPED,
    &KEEP_ROW,
    &KEEP_BOUND,
    &ROW_REVERSAL,
    // Separation.
    &LET_TOGETHER,
    &MAP_LET_FISSION,
    &MAP_STORED,
    // Single elements.
    &ARRAY_OF_HEAD,
    &MAP_OF_HEAD,
    &REDUCE_IN_ONE_ROW,
    &VALUE_TO_ARRAY,
    &REDUCE_OF_ONE,
    // Sections.
    &SECTIONS,
    // Split and join.
    &JOIN_BEFORE_REDUCE,
    &JOIN_SPLIT,
    &JOIN_SPLIT_ID,
    &REDUCE_JOIN,
    &SPLIT_JOIN,
    &SPLIT_JOIN_ID,
    &SPLIT_JOIN_UNEVEN,
    &DEAL_OUT,
    &STRIP_MINE,
    &STRIP_MINE_UNEVEN,
    // Stencils.
    &SLIDE_SLIDE,
    &MAP_F_BEFORE_SLIDE,
    &SLIDE_BEFORE_MAP_MAP_F,
    &MAP_F_BEFORE_PAD,
    &PAD_BEFORE_MAP_F,
    &SLIDE_OUTSIDE_ZIP,
    &MAP_SEQ_SLIDE,
    &INPUT_STATIONARY,
    // Tiles that overlap.
    &SLIDE_TILING,
    &SLIDE_TILING_2,
    &MAP_SLIDE_TILING,
    &MAP_SLIDE_TILING_2,
    &MAP_SLIDE_TILING_3,
    &ROUND_UP_STENCIL_2,
    // Transposition.
    &TRANSPOSE_IN_TILES,
    // Vectors.
    &AS_SCALAR_AFTER_LET,
    &AS_SCALAR_AFTER_MAP,
    &AS_VECTORS,
    &DOT_PRODUCTS,
    &REDUCE_VECTORS,
    &ROWS_OF_VECTORS,
    &VECTORISE_MAP,
    &VECTORISE_NEIGHBOURHOOD,
    &VECTORISE_REDUCE,
    &VECTORISE_REDUCE_WITH_REST,
    // Zips.
    &JOIN_INSIDE_ZIP,
    &ROWS_FIRST,
    &ROWS_INSIDE_ZIP,
    &ZIP_OF_USED,
];
