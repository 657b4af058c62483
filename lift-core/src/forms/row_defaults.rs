//! The parameters of forms that reduce rows, each with its reason.

use crate::middle::lower::Group;

/// The groups for long rows. For rows of 2048 to 16384 elements, GPUs are about equally fast with any number
/// of work-items between 32 and 256; with 128, several groups share a multiprocessor.
pub(super) const LONG_ROWS: Group = Group { rows: 1, items: 128 };

/// From this length on, each row has a group of its own. Several rows for each group are about as fast for
/// shorter rows, or faster (measured on an H200, for thousands of rows).
pub(super) const LONG_ROW: i128 = 2048;

/// The groups for shorter rows: for each row the work-items that GPUs execute in lockstep, or half of them;
/// and enough rows that the time to start groups does not matter.
pub(super) const SHORT_ROWS: Group = Group { rows: 8, items: 32 };

/// The groups for rows of what other rows are reduced to. They take little time beside these, and may have
/// few elements: where parts can only start from their own first elements, each work-item needs one.
pub(super) const REDUCED_ROWS: Group = Group { rows: 32, items: 8 };

/// Groups that read rows once: a work-item loads all its elements before the first is needed.
pub(super) struct RowsAtOnce {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The groups.
    pub(super) group: Group,
    /// The most elements of a row.
    pub(super) room: i128,
    /// The number of elements from which on it is chosen: half of the loads are needed.
    pub(super) least: i128,
    /// The number of rows from which on it is chosen: there are groups for all of a GPU.
    pub(super) least_rows: i128,
}

/// Rows that are used once. The sums of 4096 rows of 1000 or 1024 elements take 0.85 times as long as in
/// `shortRows`; those of 65536 rows of 64 elements, which need a sixteenth of the loads, take twice as long
/// (measured on an H100). With 1000 rows, the entropies of 1000 elements take 1.4 times as long (on an H200).
pub(super) const MEDIUM_ROWS: RowsAtOnce =
    RowsAtOnce { name: "mediumRows", group: SHORT_ROWS, room: 1024, least: 513, least_rows: 2048 };

/// Groups that keep the rows that they use several times in registers.
pub(super) struct RegisterRows {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The groups.
    pub(super) group: Group,
    /// The most elements of a row. Of rows of large scalars, half as many.
    pub(super) room: i128,
    /// The width of the vectors in which they are loaded, kept and stored; 1 for scalars. Large scalars have
    /// vectors of half the width.
    pub(super) width: u8,
    /// Whether it is only for rows whose length is a constant.
    pub(super) of_constant_length: bool,
    /// The number of elements from which on it is chosen, where that is less than for other kept rows.
    pub(super) least: Option<i128>,
}

/// These groups, in the order in which they are tried. Registers that a row does not need cost time, because
/// fewer groups share a multiprocessor then: rows of 64 elements take 2.4 times as long with room for 2048 as
/// with room for 256 (65536 rows, divided by their largest elements). In comparison with local memory,
/// vectors in registers take 0.65 times as long for 4096 x 1024 elements, and about 0.9 times for 4096 x 4096
/// and 8192 x 8192 (softmax and layer norm, measured on an H200; `lift-bench --regret` prints such times).
/// Vectors of short rows, in groups of 8 x 16, take 0.63 to 0.68 times as long as scalars in groups of 8 x 32
/// for 65536 rows of 64 and 128 elements and 262144 of 32, and 0.9 times for 65536 of 256 (softmax on an
/// H200, with schedules; other shapes of groups are slower). In schedules with `rowsInRegisters(1, 128,
/// 1024)`, scalars take about as long as in the form `rows` for rows of 257 to 1023 elements. Every form
/// takes time to expand, so that this one is left to lengths for which no other is possible.
///
/// Narrow rows have room for 96 elements, and 8 work-items each. With room for 256 and 32 work-items, a softmax
/// of 262144 rows of 31, 33, 63 and 65 elements takes 1.9, 1.7, 1.4 and 1.4 times as long. With vectors, one of
/// 32 elements takes 1.2 times as long, one of 80 elements 0.87 times, and variances of 32 to 96 elements 1.2 to
/// 1.5 times (measured on an H200, with schedules).
pub(super) const KEPT_REGISTER_ROWS: [RegisterRows; 6] = [
    RegisterRows {
        name: "keptNarrowRows",
        group: Group { rows: 8, items: 8 },
        room: 96,
        width: 1,
        of_constant_length: false,
        least: Some(NARROW_ROWS.least),
    },
    RegisterRows {
        name: "keptShortRowVectors",
        group: Group { rows: 8, items: 16 },
        room: 256,
        width: 4,
        of_constant_length: false,
        least: Some(SHORT_VECTOR_ROW),
    },
    RegisterRows {
        name: "keptShortRows",
        group: SHORT_ROWS,
        room: 256,
        width: 1,
        of_constant_length: false,
        least: None,
    },
    RegisterRows {
        name: "keptRowVectors",
        group: Group { rows: 1, items: 64 },
        room: 2048,
        width: 4,
        of_constant_length: false,
        least: None,
    },
    RegisterRows {
        name: "keptRows",
        group: Group { rows: 1, items: 128 },
        room: 1024,
        width: 1,
        of_constant_length: true,
        least: None,
    },
    RegisterRows {
        name: "keptLongRowVectors",
        group: Group { rows: 1, items: 256 },
        room: 8192,
        width: 4,
        of_constant_length: false,
        least: None,
    },
];

/// Groups for narrow rows that are taken once.
pub(super) struct NarrowRows {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The groups.
    pub(super) group: Group,
    /// The numbers of elements from which on and up to which it is chosen.
    pub(super) least: i128,
    pub(super) most: i128,
    /// The number of rows from which on it is chosen.
    pub(super) least_rows: i128,
}

/// Narrow rows, with 8 work-items each. For 1048576 rows of 28, 31, 32, 33 and 48 elements, sums take 0.79, 0.57,
/// 0.50, 0.81 and 0.79 times as long as in the best other form for GPUs, and products of two rows 0.62, 0.49,
/// 0.71, 0.56 and 1.05 times. For 262144 rows of 65 elements it is 0.73 and 0.95 times. Rows with fewer elements
/// are faster in the plain form. With fewer rows, there are too few groups of 32 rows for a GPU (measured on an
/// H200, with schedules).
pub(super) const NARROW_ROWS: NarrowRows = NarrowRows {
    name: "narrowRows",
    group: Group { rows: 32, items: 8 },
    least: 28,
    most: 72,
    least_rows: 32768,
};

/// Short rows that are taken once, as vectors. Sums of 65536 rows of 64, 128 and 256 elements take 0.87, 0.73
/// and 0.9 times as long as in `shortRows`, their entropies 0.8 times, and sums of 262144 rows of 32 elements
/// 0.67 times as long as in the plain form (measured on an H200). With 1000 and 1024 elements, groups of 8 x
/// 16 take 1.07 times as long as `mediumRows`, and those of 8 x 32 are slower for fewer than 256 elements.
pub(super) const SHORT_ROW_VECTORS: RegisterRows = RegisterRows {
    name: "shortRowVectors",
    group: Group { rows: 8, items: 16 },
    room: 512,
    width: 4,
    of_constant_length: false,
    least: Some(SHORT_VECTOR_ROW),
};

/// From this number of elements on, half of the work-items have a vector of four: for 262144 rows of 32
/// elements, variances take half the time of the plain form, and sums 0.67 times (measured on an H200).
pub(super) const SHORT_VECTOR_ROW: i128 = 32;

/// Scalars with more bytes than this are large.
pub(super) const LARGE_SCALAR: i128 = 4;

/// A group that keeps rows in local memory.
pub(super) struct LocalRows {
    /// The name of the form.
    pub(super) name: &'static str,
    /// The group.
    pub(super) group: Group,
    /// The number of elements from which on it is worth it, where that is more than for other kept rows.
    pub(super) least: i128,
}

/// Long rows, which vectors do not fill. Where a multiprocessor has 228 KiB of local memory, six groups run on
/// it, which are 1536 of at most 2048 work-items. With 4099 elements, a softmax takes 0.8 times as long as in
/// the form `rows`, which reads rows again, and with 513 elements 1.2 times (4096 rows, measured on an H200).
/// In the registers of groups of 512, without vectors, a layer norm of 8192 elements takes 0.94 times as long
/// (measured on an H100), which is left out, because every form takes time to expand.
pub(super) const KEPT_LONG_ROWS: LocalRows =
    LocalRows { name: "keptLongRows", group: Group { rows: 1, items: 256 }, least: 1536 };

/// Rows whose elements are not always taken by the same work-items.
pub(super) const KEPT_LOCAL_ROWS: [LocalRows; 2] = [
    LocalRows { name: "keptShortRows", group: SHORT_ROWS, least: 0 },
    LocalRows { name: "keptRows", least: 0, ..KEPT_LONG_ROWS },
];

/// The local memory for the rows that a group keeps. With what work-items leave, a group takes a little more
/// than 32 KiB, the least that devices may have; those that have no more take another form.
pub(super) const KEPT_BYTES: i128 = 32 * 1024;

/// From this length on, it is worth it that work-items share a row: they read less memory in vain than one
/// work-item that reads it alone. For a million rows of 33 elements, combining their results takes longer
/// than this saves (measured on an H200). Rows of two arrays that are read side by side count together: for
/// 262144 products of rows of 32 elements, the plain form takes 1.8 times as long (measured on an H100).
pub(super) const SHORT_ROW: i128 = 64;

/// The same for rows whose results are reduced again: what they give is stored for one more kernel. For
/// seven rows of 101 elements this takes a quarter longer than the plain form, and for 4096 rows of 128
/// elements less by a quarter (measured on an H100).
pub(super) const SHORT_REDUCED_ROW: i128 = 128;

/// The same for rows that are read several times and written as well: if a work-item has a row alone, it also
/// writes memory in vain. A softmax of 4096 rows of 33 elements takes 3.6 times as long in the plain form,
/// and one of a million rows 1.5 times as long; only a layer norm of a million such rows takes 0.8 times as
/// long (measured on an H100).
pub(super) const SHORT_WRITTEN_ROW: i128 = 24;

/// From this length on, the groups for long rows are worth it in a program that also reduces columns: each of
/// their work-items has an element.
pub(super) const ROW_BESIDE_COLUMNS: i128 = 128;

/// From this length on, groups share rows in a program with products. Some of their work-items have no
/// element then, which hardly matters beside products: distances of 4096 points to 31 others, and the least
/// one for each point, take a sixth of the time of the plain form (measured on an H200).
pub(super) const ROW_BESIDE_OTHERS: i128 = 16;
