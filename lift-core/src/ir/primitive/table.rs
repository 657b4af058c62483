//! The rows of the table of primitives.

use super::ArgumentKind::{
    Boundary, Choices, Function, IndexFunction, Name, Position, RowLengths, Size, Value, Values,
};
use super::{ArgumentKind, Primitive, Row};

type Arguments = &'static [(&'static str, ArgumentKind)];

const MAP: Arguments = &[("f", Function), ("xs", Value)];
const REDUCE: Arguments = &[("f", Function), ("z", Value), ("xs", Value)];
const ARRAYS: Arguments = &[("arrays", Values)];
const DATA: Arguments = &[("xs", Value)];
const SLIDE: Arguments = &[("size", Size), ("step", Size), ("xs", Value)];
const PAD: Arguments = &[("l", Size), ("r", Size), ("b", Boundary), ("xs", Value)];
const PAD_CONSTANT: Arguments = &[("l", Size), ("r", Size), ("v", Value), ("xs", Value)];
const MAP_VECTOR: Arguments = &[("f", Function), ("vectors", Values)];
const STORE: Arguments = &[("f", Function), ("x", Value)];

const SCAN: Arguments = REDUCE;
const PAIR: Arguments = &[("a", Value), ("b", Value)];

const MAP_TYPE: &str = "(A -> B) -> [A; n] -> [B; n]";
const REDUCE_TYPE: &str = "((B, A) -> B) -> B -> [A; n] -> B";
const UPDATES_TYPE: &str = "(([B; k], A) -> [B; k]) -> [B; k] -> [A; n] -> [B; k]";
const SCAN_TYPE: &str = "((B, A) -> B) -> B -> [A; n] -> [B; n]";
const STORE_TYPE: &str = "(A -> B) -> A -> B";

/// A row without synonyms.
const fn row(
    primitive: Primitive,
    name: &'static str,
    arguments: Arguments,
    signature: &'static str,
    meaning: &'static str,
) -> Row {
    Row { primitive, name, synonyms: &[], arguments, signature, meaning }
}

/// The same row with other names.
const fn also(row: Row, synonyms: &'static [&'static str]) -> Row {
    Row { synonyms, ..row }
}

/// Every primitive, in the order of the language reference.
const ROWS: &[Row] = &[
    row(Primitive::Map, "map", MAP, MAP_TYPE, "`f` applied to every element"),
    row(Primitive::MapSeq, "mapSeq", MAP, MAP_TYPE, "`map` by one work-item, in a loop"),
    row(
        Primitive::MapSeqUnroll,
        "mapSeqUnroll",
        MAP,
        MAP_TYPE,
        "`map` by one work-item, in straight-line code; the length must be a number",
    ),
    row(
        Primitive::MapSeqSlide,
        "mapSeqSlide",
        &[("f", Function), ("size", Size), ("step", Size), ("xs", Value)],
        "([A; size] -> B) -> size -> size -> [A; n] -> [B; (n - size + step) / step]",
        "`f` applied to every window of `slide(size, step)`, by one work-item that keeps the window at hand",
    ),
    also(
        row(Primitive::MapGlb(0), "mapGlb0", MAP, MAP_TYPE, "`map` by global work-items, in dimension 0"),
        &["mapGlb", "mapGlobal", "mapGlobal0"],
    ),
    also(
        row(Primitive::MapGlb(1), "mapGlb1", MAP, MAP_TYPE, "`map` by global work-items, in dimension 1"),
        &["mapGlobal1"],
    ),
    also(
        row(Primitive::MapGlb(2), "mapGlb2", MAP, MAP_TYPE, "`map` by global work-items, in dimension 2"),
        &["mapGlobal2"],
    ),
    also(
        row(Primitive::MapWrg(0), "mapWrg0", MAP, MAP_TYPE, "`map` by work-groups, in dimension 0"),
        &["mapWrg", "mapWorkgroup", "mapWorkgroup0"],
    ),
    also(
        row(Primitive::MapWrg(1), "mapWrg1", MAP, MAP_TYPE, "`map` by work-groups, in dimension 1"),
        &["mapWorkgroup1"],
    ),
    also(
        row(Primitive::MapWrg(2), "mapWrg2", MAP, MAP_TYPE, "`map` by work-groups, in dimension 2"),
        &["mapWorkgroup2"],
    ),
    also(
        row(
            Primitive::MapLcl(0),
            "mapLcl0",
            MAP,
            MAP_TYPE,
            "`map` by the work-items of a group, in dimension 0",
        ),
        &["mapLcl", "mapLocal", "mapLocal0"],
    ),
    also(
        row(
            Primitive::MapLcl(1),
            "mapLcl1",
            MAP,
            MAP_TYPE,
            "`map` by the work-items of a group, in dimension 1",
        ),
        &["mapLocal1"],
    ),
    also(
        row(
            Primitive::MapLcl(2),
            "mapLcl2",
            MAP,
            MAP_TYPE,
            "`map` by the work-items of a group, in dimension 2",
        ),
        &["mapLocal2"],
    ),
    row(
        Primitive::MapNested(2),
        "map2",
        MAP,
        "(A -> B) -> [[A; m]; n] -> [[B; m]; n]",
        "`f` applied to every element of a 2D array",
    ),
    row(
        Primitive::MapNested(3),
        "map3",
        MAP,
        "(A -> B) -> [[[A; l]; m]; n] -> [[[B; l]; m]; n]",
        "`f` applied to every element of a 3D array",
    ),
    row(Primitive::Reduce, "reduce", REDUCE, REDUCE_TYPE, "all elements combined by `f`, and `z` once"),
    row(
        Primitive::ReduceSeq,
        "reduceSeq",
        REDUCE,
        REDUCE_TYPE,
        "all elements combined by `f` in order, starting from `z`",
    ),
    row(
        Primitive::ReduceSeqPipelined,
        "reduceSeqPipelined",
        REDUCE,
        REDUCE_TYPE,
        "`reduceSeq` whose steps load from global memory what the next step needs",
    ),
    also(
        row(
            Primitive::ReduceGlb,
            "reduceGlb",
            REDUCE,
            UPDATES_TYPE,
            "a table in global memory that global work-items update together, a step for each element, in any order",
        ),
        &["reduceGlobal"],
    ),
    also(
        row(
            Primitive::ReduceLcl,
            "reduceLcl",
            REDUCE,
            UPDATES_TYPE,
            "a table in local memory that the work-items of a group update together, a step for each element, in \
             any order",
        ),
        &["reduceLocal"],
    ),
    row(
        Primitive::ReduceSeqUnroll,
        "reduceSeqUnroll",
        REDUCE,
        REDUCE_TYPE,
        "`reduceSeq` in straight-line code; the length must be a number",
    ),
    row(
        Primitive::ReduceWhile,
        "reduceWhile",
        REDUCE,
        "((B, A) -> (bool, B)) -> B -> [A; n] -> B",
        "`reduceSeq` that ends early: `f` also says whether to go on; where it does not, the result is the \
         accumulator before",
    ),
    row(
        Primitive::ReduceByKey,
        "reduceByKey",
        &[("n", Size), ("f", Function), ("z", Value), ("keys", Value), ("xs", Value)],
        "size -> ((B, A) -> B) -> B -> [integer; m] -> [A; m] -> [B; n]",
        "for every key below `n` the elements with this key, combined by `f`, and `z` once",
    ),
    row(
        Primitive::Segments,
        "segments",
        &[("offsets", Value), ("xs", Value)],
        "[integer; n + 1] -> [A; m] -> [[A; _]; n]",
        "rows of `xs`, for every two neighbours of `offsets` the elements from the first up to the second",
    ),
    row(
        Primitive::ReduceSegments,
        "reduceSegments",
        &[("f", Function), ("z", Value), ("offsets", Value), ("xs", Value)],
        "((B, A) -> B) -> B -> [integer; n + 1] -> [A; m] -> [B; n]",
        "for every two neighbours of `offsets` the elements from the first up to the second, combined by `f` in their \
         order, starting from `z`",
    ),
    row(
        Primitive::Histogram,
        "histogram",
        &[("n", Size), ("keys", Value)],
        "size -> [integer; m] -> [integer; n]",
        "how often each key below `n` occurs",
    ),
    row(
        Primitive::Enumerate,
        "enumerate",
        DATA,
        "[A; n] -> [(u32, A); n]",
        "every element with its position, from 0",
    ),
    row(Primitive::ArgMin, "argmin", DATA, "[number; n] -> u32", "the position of the first least element"),
    row(
        Primitive::ArgMax,
        "argmax",
        DATA,
        "[number; n] -> u32",
        "the position of the first greatest element",
    ),
    row(
        Primitive::ScatterTo,
        "scatterTo",
        &[("n", Size), ("default", Value), ("positions", Value), ("xs", Value)],
        "size -> A -> [integer; m] -> [A; m] -> [A; n]",
        "an array of `n` elements, with those of `xs` at their `positions` and `default` elsewhere; of several for \
         one place the last one counts",
    ),
    row(
        Primitive::Filter,
        "filter",
        &[("p", Function), ("xs", Value)],
        "(A -> bool) -> [A; n] -> ([A; n], u32)",
        "the elements for which `p` holds, in their order, then the others, in theirs; and how many hold",
    ),
    row(Primitive::Sort, "sort", DATA, "[A; n] -> [A; n]", "the elements in ascending order"),
    row(
        Primitive::SortBy,
        "sortBy",
        &[("key", Function), ("xs", Value)],
        "(A -> B) -> [A; n] -> [A; n]",
        "the elements in ascending order of their keys; those with equal keys stay in their order",
    ),
    row(
        Primitive::ArgSort,
        "argsort",
        DATA,
        "[A; n] -> [u32; n]",
        "the positions of the elements in ascending order; those of equal elements stay in their order",
    ),
    row(
        Primitive::TopK,
        "topK",
        &[("k", Size), ("xs", Value)],
        "size -> [A; n] -> [A; k]",
        "the `k` greatest elements, in descending order",
    ),
    row(
        Primitive::IterateWhile,
        "iterateWhile",
        &[("limit", Size), ("c", Function), ("f", Function), ("z", Value)],
        "size -> (A -> bool) -> (A -> A) -> A -> A",
        "`f` applied to `z`, and to its own results, while `c` holds of them, but at most `limit` times",
    ),
    row(
        Primitive::Scan,
        "scan",
        SCAN,
        SCAN_TYPE,
        "for every position `reduce` of the elements before it: the first result is `z`",
    ),
    row(
        Primitive::ScanInclusive,
        "scanInclusive",
        MAP,
        "((A, A) -> A) -> [A; n] -> [A; n]",
        "for every position the elements up to and with it, combined by `f`: the first result is the first element",
    ),
    row(Primitive::ScanSeq, "scanSeq", SCAN, SCAN_TYPE, "`scan` by one work-item, in order"),
    row(
        Primitive::Iterate,
        "iterate",
        &[("m", Size), ("f", Function), ("xs", Value)],
        "size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; g(g(…n))]",
        "`f` applied `m` times. It may change the length by a fixed amount or a fixed factor, or in any way where \
         `m` is a number",
    ),
    row(
        Primitive::Zip,
        "zip",
        ARRAYS,
        "[A; n] -> [B; n] -> [(A, B); n]",
        "the tuples of elements at one position",
    ),
    row(
        Primitive::ZipNested(2),
        "zip2",
        ARRAYS,
        "[[A; m]; n] -> [[B; m]; n] -> [[(A, B); m]; n]",
        "`zip` of 2D arrays, element by element",
    ),
    row(
        Primitive::ZipNested(3),
        "zip3",
        ARRAYS,
        "[[[A; l]; m]; n] -> [[[B; l]; m]; n] -> [[[(A, B); l]; m]; n]",
        "`zip` of 3D arrays, element by element",
    ),
    row(
        Primitive::Unzip,
        "unzip",
        DATA,
        "[(A, B); n] -> ([A; n], [B; n])",
        "the arrays of first components, of second ones, and so on",
    ),
    row(
        Primitive::Store,
        "store",
        DATA,
        "A -> A",
        "the same array, computed once and stored where this stands",
    ),
    row(
        Primitive::Tuple,
        "tuple",
        &[("values", Values)],
        "A -> B -> (A, B)",
        "its two or more arguments as one value",
    ),
    row(
        Primitive::Get,
        "get",
        &[("k", Size), ("t", Value)],
        "size -> (A, B) -> A or B",
        "the component at position `k`, from 0",
    ),
    row(
        Primitive::Split,
        "split",
        &[("m", Size), ("xs", Value)],
        "size -> [A; m * k] -> [[A; m]; k]",
        "the array cut into chunks of `m` elements",
    ),
    row(
        Primitive::Chunks,
        "chunks",
        &[("m", Size), ("xs", Value)],
        "size -> [A; n] -> [i => [A; min(m, n - m * i)]; (n + m - 1) / m]",
        "the array cut into chunks of `m` elements; the last one has those that are left",
    ),
    row(
        Primitive::Partition,
        "partition",
        &[("k", Size), ("g", RowLengths), ("xs", Value)],
        "size -> (size -> size) -> [A; sum(k, g)] -> [i => [A; g(i)]; k]",
        "`k` rows, one after another; row `i` takes `g(i)` elements",
    ),
    row(Primitive::Join, "join", DATA, "[[A; m]; n] -> [A; m * n]", "the inner arrays, one after another"),
    row(Primitive::Transpose, "transpose", DATA, "[[A; m]; n] -> [[A; n]; m]", "rows and columns exchanged"),
    row(
        Primitive::Deinterleave,
        "deinterleave",
        &[("p", Size), ("xs", Value)],
        "size -> [A; n] -> [l => [A; (n - l + p - 1) / p]; p]",
        "`p` rows that take the elements in turn: element `i` of row `l` is the one at `l + p * i`",
    ),
    row(
        Primitive::Interleave,
        "interleave",
        DATA,
        "[l => [A; (n - l + p - 1) / p]; p] -> [A; n]",
        "the first elements of all rows, then the second ones, and so on: what `deinterleave` took apart",
    ),
    also(
        row(
            Primitive::Gather,
            "gather",
            &[("f", IndexFunction), ("xs", Value)],
            "(size -> size) -> [A; n] -> [A; n]",
            "the element at `f(i)` for every position `i`",
        ),
        &["reorder"],
    ),
    row(
        Primitive::Scatter,
        "scatter",
        &[("f", IndexFunction), ("xs", Value)],
        "(size -> size) -> [A; n] -> [A; n]",
        "the element at `i` moved to `f(i)`, for every `i`. `f` must be a permutation: one that the \
         compiler cannot prove to be one is checked before each launch",
    ),
    row(Primitive::Reverse, "reverse", DATA, "[A; n] -> [A; n]", "the elements in the opposite order"),
    row(
        Primitive::Slide,
        "slide",
        SLIDE,
        "size -> size -> [A; n] -> [[A; size]; (n - size + step) / step]",
        "the windows of `size` elements that start at multiples of `step`",
    ),
    row(
        Primitive::SlideNested(2),
        "slide2",
        SLIDE,
        "size -> size -> [[A; m]; n] -> [[[[A; size]; size]; m']; n']",
        "2D windows, the same in both dimensions",
    ),
    row(
        Primitive::SlideNested(3),
        "slide3",
        SLIDE,
        "size -> size -> [[[A; l]; m]; n] -> [[[[[[A; size]; size]; size]; l']; m']; n']",
        "3D windows, the same in all dimensions",
    ),
    row(
        Primitive::Slide2d,
        "slide2d",
        &[("ny", Size), ("sy", Size), ("nx", Size), ("sx", Size), ("xs", Value)],
        "size -> size -> size -> size -> [[A; m]; n] -> [[[[A; nx]; ny]; m']; n']",
        "2D windows of `ny` rows and `nx` columns",
    ),
    row(
        Primitive::Pad,
        "pad",
        PAD,
        "size -> size -> boundary -> [A; n] -> [A; l + n + r]",
        "`l` and `r` more elements at the ends, taken from inside",
    ),
    row(
        Primitive::PadNested(2),
        "pad2",
        PAD,
        "size -> size -> boundary -> [[A; m]; n] -> [[A; l + m + r]; l + n + r]",
        "`pad` in both dimensions",
    ),
    row(
        Primitive::PadNested(3),
        "pad3",
        PAD,
        "size -> size -> boundary -> [[[A; k]; m]; n] -> [[[A; l + k + r]; l + m + r]; l + n + r]",
        "`pad` in all three dimensions",
    ),
    row(
        Primitive::Pad2d,
        "pad2d",
        &[
            ("t", Size),
            ("b", Size),
            ("l", Size),
            ("r", Size),
            ("bt", Boundary),
            ("bl", Boundary),
            ("xs", Value),
        ],
        "size -> size -> size -> size -> boundary -> boundary -> [[A; m]; n] -> [[A; l + m + r]; t + n + b]",
        "`pad` with its own numbers and boundary in each dimension",
    ),
    row(
        Primitive::PadConstant,
        "padConstant",
        PAD_CONSTANT,
        "size -> size -> A -> [A; n] -> [A; l + n + r]",
        "`l` and `r` more elements at the ends, all `v`",
    ),
    row(
        Primitive::PadConstantNested(2),
        "padConstant2",
        PAD_CONSTANT,
        "size -> size -> A -> [[A; m]; n] -> [[A; l + m + r]; l + n + r]",
        "`padConstant` in both dimensions",
    ),
    row(
        Primitive::PadConstantNested(3),
        "padConstant3",
        PAD_CONSTANT,
        "size -> size -> A -> [[[A; k]; m]; n] -> [[[A; l + k + r]; l + m + r]; l + n + r]",
        "`padConstant` in all three dimensions",
    ),
    row(
        Primitive::Concat,
        "concat",
        &[("a", Value), ("b", Values)],
        "[A; n] -> [A; m] -> [A; n + m]",
        "the arrays one after another; there may be more than two",
    ),
    row(
        Primitive::Slice,
        "slice",
        &[("start", Size), ("len", Size), ("xs", Value)],
        "size -> size -> [A; n] -> [A; len]",
        "the `len` elements from position `start` on; all of them must be inside",
    ),
    row(
        Primitive::Len,
        "len",
        DATA,
        "[A; n] -> size",
        "the length, which may also stand where a size is needed",
    ),
    row(
        Primitive::At,
        "at",
        &[("i", Position), ("xs", Value)],
        "size -> [A; n] -> A",
        "the element at position `i`. A size must lie inside the array; an integer that is computed from data is \
         clamped into it",
    ),
    row(
        Primitive::AtOr,
        "atOr",
        &[("i", Position), ("default", Value), ("xs", Value)],
        "size -> A -> [A; n] -> A",
        "the element at position `i`, or `default` where that is outside the array",
    ),
    row(
        Primitive::Update,
        "update",
        &[("i", Value), ("x", Value), ("xs", Value)],
        "integer -> A -> [A; n] -> [A; n]",
        "the array with `x` in place of the element at `i`, a number from data; the same array where `i` is none of \
         its positions",
    ),
    row(Primitive::Head, "head", DATA, "[A; n] -> A", "the first element of an array that is not empty"),
    row(Primitive::Last, "last", DATA, "[A; n] -> A", "the last element of an array that is not empty"),
    row(
        Primitive::Generate,
        "generate",
        &[("n", Size), ("f", Function)],
        "size -> (size -> A) -> [A; n]",
        "`f(i)` for every position `i`, computed where it is used and never stored",
    ),
    row(Primitive::Repeat, "repeat", &[("n", Size), ("x", Value)], "size -> A -> [A; n]", "`n` times `x`"),
    row(
        Primitive::DotProduct,
        "dotProduct",
        PAIR,
        "[A; n] -> [A; n] -> A",
        "the sum of the products of elements at one position",
    ),
    row(
        Primitive::Tile,
        "tile",
        &[("n", Size), ("m", Size), ("xs", Value)],
        "size -> size -> [[A; M]; N] -> [[[[A; m]; n]; M / m]; N / n]",
        "tiles of `n` rows and `m` columns",
    ),
    row(
        Primitive::Untile,
        "untile",
        DATA,
        "[[[[A; m]; n]; p]; q] -> [[A; m * p]; n * q]",
        "the array that was cut into these tiles",
    ),
    row(
        Primitive::AsVector,
        "asVector",
        &[("n", Size), ("xs", Value)],
        "size -> [T; n * k] -> [Txn; k]",
        "every `n` scalars as one vector; `n` is 2, 4, 8 or 16, and no data moves",
    ),
    row(
        Primitive::AsScalar,
        "asScalar",
        DATA,
        "[Txn; k] -> [T; n * k]",
        "the components of all vectors, one after the other; no data moves",
    ),
    row(
        Primitive::Vectorize,
        "vectorize",
        &[("n", Size), ("f", Function), ("vectors", Values)],
        "size -> (T -> U) -> Txn -> Uxn",
        "`f`, a function on scalars, on every component of vectors of width `n`",
    ),
    row(
        Primitive::MapVec,
        "mapVec",
        MAP_VECTOR,
        "(T -> U) -> Txn -> Uxn",
        "`f`, a function on scalars, on every component of vectors of any width",
    ),
    row(
        Primitive::Increase,
        "increase",
        &[("l", Size), ("r", Size), ("xs", Value)],
        "size -> size -> [A; n] -> [A; n]",
        "the same array; the buffer that holds it has room for `l` and `r` more elements at its ends",
    ),
    row(
        Primitive::Increase2d,
        "increase2d",
        &[("t", Size), ("b", Size), ("l", Size), ("r", Size), ("xs", Value)],
        "size -> size -> size -> size -> [[A; m]; n] -> [[A; m]; n]",
        "`increase` in both dimensions: the rows lie further apart",
    ),
    row(
        Primitive::Tune,
        "tune",
        &[("name", Name), ("values", Choices)],
        "name -> [size] -> size",
        "a size that a tuner may choose from the list; without one, it is the first",
    ),
    row(Primitive::ToGlobal, "toGlobal", STORE, STORE_TYPE, "`f`, its result stored in global memory"),
    row(Primitive::ToLocal, "toLocal", STORE, STORE_TYPE, "`f`, its result stored in local memory"),
    row(Primitive::ToPrivate, "toPrivate", STORE, STORE_TYPE, "`f`, its result stored in private memory"),
];

impl Primitive {
    /// Every primitive.
    pub const ALL: &'static [Row] = ROWS;

    /// The row of the primitive with this name.
    pub fn from_name(name: &str) -> Option<&'static Row> {
        Self::ALL.iter().find(|row| row.name == name || row.synonyms.contains(&name))
    }

    /// This primitive's row.
    pub fn row(self) -> Option<&'static Row> {
        Self::ALL.iter().find(|row| row.primitive == self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_means_one_primitive() {
        let mut names = BTreeSet::new();
        for row in ROWS {
            assert!(names.insert(row.name), "{} is defined twice", row.name);
            for synonym in row.synonyms {
                assert!(names.insert(synonym), "{synonym} is defined twice");
            }
        }
    }

    /// A variant without a row would be a primitive that nobody can name.
    #[test]
    fn every_primitive_has_a_row() {
        let (_, rest) = include_str!("mod.rs").split_once("pub enum Primitive {\n").unwrap();
        let (variants, _) = rest.split_once("\n}").unwrap();
        let variants = variants.lines().map(str::trim).filter(|line| !line.starts_with("///"));
        let without_data = |variant: &str| variant.split(['(', ',']).next().unwrap().to_owned();
        let rows: BTreeSet<String> =
            ROWS.iter().map(|row| without_data(&format!("{:?}", row.primitive))).collect();
        assert_eq!(variants.map(without_data).collect::<BTreeSet<_>>(), rows);
    }

    #[test]
    fn the_data_comes_last() {
        let without_data = [Primitive::Generate, Primitive::Tune];
        for row in ROWS.iter().filter(|row| !without_data.contains(&row.primitive)) {
            let last = row.arguments.last().map(|argument| argument.1);
            assert!(matches!(last, Some(Value | Values)), "{} has no data", row.name);
        }
    }

    #[test]
    fn synonyms_of_the_reference_are_accepted() {
        for (synonym, primitive) in [
            ("mapGlobal", Primitive::MapGlb(0)),
            ("mapWorkgroup1", Primitive::MapWrg(1)),
            ("mapLocal2", Primitive::MapLcl(2)),
            ("reorder", Primitive::Gather),
        ] {
            assert_eq!(Primitive::from_name(synonym).map(|row| row.primitive), Some(primitive));
        }
    }
}
