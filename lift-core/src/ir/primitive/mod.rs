//! The one table of primitives: names, arguments and documentation.
//!
//! A primitive is added here first: a variant of [`Primitive`] and a row in [`Primitive::ALL`]. Type
//! inference matches on it exhaustively, and does not compile until it has a typing rule. The evaluator, the
//! lowering and the code generator match exhaustively on the typed form that it elaborates to.

pub mod builtin;
mod table;
pub(crate) mod vocabulary;

/// A primitive of the language, by its canonical name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Primitive {
    /// `map(f, xs)`
    Map,
    /// `mapSeq(f, xs)`
    MapSeq,
    /// `mapGlb0(f, xs)`, …
    MapGlb(u8),
    /// `mapWrg0(f, xs)`, …
    MapWrg(u8),
    /// `mapLcl0(f, xs)`, …
    MapLcl(u8),
    /// `map2(f, xs)`, `map3(f, xs)`: `map` of `map`.
    MapNested(u8),
    /// `reduce(f, z, xs)`
    Reduce,
    /// `reduceSeq(f, z, xs)`
    ReduceSeq,
    /// `zip(a, b, …)`
    Zip,
    /// `zip2(a, b, …)`, `zip3(a, b, …)`: element-wise on 2D and 3D arrays.
    ZipNested(u8),
    /// `get(k, t)`
    Get,
    /// `split(m, xs)`
    Split,
    /// `chunks(m, xs)`
    Chunks,
    /// `partition(k, g, xs)`
    Partition,
    /// `deinterleave(p, xs)`
    Deinterleave,
    /// `interleave(xs)`
    Interleave,
    /// `join(xs)`
    Join,
    /// `transpose(xs)`
    Transpose,
    /// `asVector(n, xs)`
    AsVector,
    /// `asScalar(xs)`
    AsScalar,
    /// `vectorize(n, f, x)`
    Vectorize,
    /// `mapVec(f, x)`
    MapVec,
    /// `gather(f, xs)`
    Gather,
    /// `reverse(xs)`
    Reverse,
    /// `slide(size, step, xs)`
    Slide,
    /// `slide2(size, step, xs)`, `slide3(size, step, xs)`
    SlideNested(u8),
    /// `slide2d(size y, step y, size x, step x, xs)`
    Slide2d,
    /// `pad(l, r, b, xs)`
    Pad,
    /// `pad2(l, r, b, xs)`, `pad3(l, r, b, xs)`
    PadNested(u8),
    /// `pad2d(t, b, l, r, bt, bl, xs)`
    Pad2d,
    /// `padConstant(l, r, v, xs)`
    PadConstant,
    /// `padConstant2(l, r, v, xs)`, `padConstant3(l, r, v, xs)`
    PadConstantNested(u8),
    /// `tile(n, m, xs)`
    Tile,
    /// `untile(xs)`
    Untile,
    /// `mapSeqUnroll(f, xs)`
    MapSeqUnroll,
    /// `mapSeqSlide(f, size, step, xs)`
    MapSeqSlide,
    /// `reduceSeqPipelined(f, z, xs)`
    ReduceSeqPipelined,
    /// `reduceGlb(f, z, xs)`
    ReduceGlb,
    /// `reduceLcl(f, z, xs)`
    ReduceLcl,
    /// `reduceSeqUnroll(f, z, xs)`
    ReduceSeqUnroll,
    /// `reduceWhile(f, z, xs)`
    ReduceWhile,
    /// `enumerate(xs)`
    Enumerate,
    /// `argmin(xs)`
    ArgMin,
    /// `argmax(xs)`
    ArgMax,
    /// `scatterTo(n, default, positions, xs)`
    ScatterTo,
    /// `filter(p, xs)`
    Filter,
    /// `sort(xs)`
    Sort,
    /// `sortBy(key, xs)`
    SortBy,
    /// `argsort(xs)`
    ArgSort,
    /// `topK(k, xs)`
    TopK,
    /// `iterateWhile(limit, c, f, z)`
    IterateWhile,
    /// `scan(f, z, xs)`
    Scan,
    /// `scanInclusive(f, xs)`
    ScanInclusive,
    /// `scanSeq(f, z, xs)`
    ScanSeq,
    /// `iterate(m, f, xs)`
    Iterate,
    /// `scatter(f, xs)`
    Scatter,
    /// `concat(a, b)`
    Concat,
    /// `slice(start, len, xs)`
    Slice,
    /// `len(xs)`
    Len,
    /// `at(i, xs)`
    At,
    /// `atOr(i, default, xs)`
    AtOr,
    /// `update(i, x, xs)`
    Update,
    /// `reduceByKey(n, f, z, keys, xs)`
    ReduceByKey,
    /// `segments(offsets, xs)`
    Segments,
    /// `reduceSegments(f, z, offsets, xs)`
    ReduceSegments,
    /// `histogram(n, keys)`
    Histogram,
    /// `head(xs)`
    Head,
    /// `last(xs)`
    Last,
    /// `generate(n, f)`
    Generate,
    /// `repeat(n, x)`
    Repeat,
    /// `unzip(xs)`
    Unzip,
    /// `tuple(a, b, …)`
    Tuple,
    /// `increase(l, r, xs)`
    Increase,
    /// `increase2d(t, b, l, r, xs)`
    Increase2d,
    /// `dotProduct(a, b)`
    DotProduct,
    /// `tune(name, [v1, v2, …])`
    Tune,
    /// `store(xs)`
    Store,
    /// `toGlobal(f)`
    ToGlobal,
    /// `toLocal(f)`
    ToLocal,
    /// `toPrivate(f)`
    ToPrivate,
}

/// The kind of an argument of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A function.
    Function,
    /// A size expression.
    Size,
    /// A function on positions, or `reverse`, `stride(s)`, `rotate(k)`.
    IndexFunction,
    /// A function from positions to lengths, or `caseSplit(a, b, c)`.
    RowLengths,
    /// `clamp`, `mirror`, `wrap` or `|i, n| …`.
    Boundary,
    /// The position of an element: a size, or an integer computed from data.
    Position,
    /// A name that stands for itself.
    Name,
    /// `[v1, v2, …]`: numbers to choose from.
    Choices,
    /// A value.
    Value,
    /// One or more values: `zip(a, b, …)`. Such primitives are not curried.
    Values,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The primitive.
    pub primitive: Primitive,
    /// Its name.
    pub name: &'static str,
    /// Its other names.
    pub synonyms: &'static [&'static str],
    /// Its arguments: name and kind, the data last.
    pub arguments: &'static [(&'static str, ArgumentKind)],
    /// Its type, as in the language reference.
    pub signature: &'static str,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
}

impl Row {
    /// A call with all its arguments: `map(f, xs)`, `zip(a, b, …)`.
    pub fn call(&self) -> String {
        let is_variadic = |kind: ArgumentKind| kind == ArgumentKind::Values;
        let names = self.arguments.iter().map(|&(name, kind)| match self.arguments.len() {
            1 if is_variadic(kind) => "a, b, …".to_owned(),
            _ if is_variadic(kind) => format!("{name}, …"),
            _ => name.to_owned(),
        });
        format!("{}({})", self.name, names.collect::<Vec<_>>().join(", "))
    }
}
