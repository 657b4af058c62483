//! Elements in another order that data decides: sorting, filtering, moving to positions from data.
//!
//! Where each element goes is computed first, by counts and scans. Then each place finds out who comes there:
//! a table of places, in which each element enters its position (plus 1, and 0 for nobody), is a reduction by
//! key with `max`. So nothing is written twice at a time, and of several elements for one place the last one
//! counts, on every device.
//!
//! Sorting is a radix sort from the least significant digit on (Satish, Harris and Garland, *Designing Efficient
//! Sorting Algorithms for Manycore GPUs*, IPDPS 2009, section 3), with digits of four bits: counts of the digits
//! of each chunk, a scan of these counts, and the rank of each element among those of its chunk with the same
//! digit. It is stable. Keys are integers whose order is that of the elements ([`key_of`]).

use std::sync::OnceLock;

use super::tree::{
    at_position, binary, block, call, cast, choose, difference, equal, function, integer, lambda, length_of,
    map, name, named, node, pattern, product, sum, typed_integer,
};
use crate::front::syntax::{Expr, ExprKind, PatternKind};
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{BinaryOperator, ScalarType, UnaryOperator};

/// The bits of a digit.
pub(in crate::front::infer) const DIGIT_BITS: u32 = 4;

/// The number of values of a digit.
const DIGITS: i128 = 1 << DIGIT_BITS;

/// The number of elements whose digits are counted together.
const CHUNK: i128 = 32;

/// The definitions of these primitives.
pub(super) fn definitions() -> Vec<(Primitive, Expr)> {
    let numbered = node(ExprKind::Tuple(vec![cast(name("i"), "u32"), name("x")]));
    let order = call("argsort", [call("map", [name("key"), name("xs")])]);
    vec![
        (Primitive::Enumerate, map(at_position("i", "x", numbered))),
        (Primitive::ArgMin, function("xs", position_of("min"))),
        (Primitive::ArgMax, function("xs", position_of("max"))),
        (Primitive::ScatterTo, function("xs", scattered())),
        (Primitive::Filter, function("xs", filtered())),
        (Primitive::Sort, function("xs", sorted())),
        (Primitive::ArgSort, function("xs", order_of())),
        (
            Primitive::SortBy,
            function(
                "xs",
                block([("order", order)], at_each("i", call("at", [at_index("order"), name("xs")]))),
            ),
        ),
        (
            Primitive::TopK,
            function(
                "xs",
                call("slice", [integer(0), name("k"), call("reverse", [call("sort", [name("xs")])])]),
            ),
        ),
    ]
}

/// `generate(len(xs), |i| element)`
fn at_each(index: &str, element: Expr) -> Expr {
    call("generate", [length_of("xs"), lambda([named(index)], element)])
}

/// `at(i, array)`
fn at_index(array: &str) -> Expr {
    call("at", [name("i"), name(array)])
}

fn zero() -> Expr {
    typed_integer(0, ScalarType::U32)
}

fn one() -> Expr {
    typed_integer(1, ScalarType::U32)
}

/// The first position of the least or the greatest element. It is 0 where no element equals it, because all
/// are NaN.
fn position_of(extreme: &str) -> Expr {
    let nowhere = || typed_integer(i128::from(u32::MAX), ScalarType::U32);
    let found = call("reduce", [name(extreme), call("head", [name("xs")]), name("xs")]);
    let here = choose(equal(at_index("xs"), name("found")), cast(name("i"), "u32"), nowhere());
    let first = call("reduce", [name("min"), nowhere(), at_each("i", here)]);
    let position = choose(equal(name("first"), nowhere()), zero(), name("first"));
    block([("found", found), ("first", first)], position)
}

/// For each of `count` places 1 more than the position of the last of `places` that is this place, or 0.
fn last_of_each(count: Expr, places: &str) -> Expr {
    let before = call("atOr", [name("place"), zero(), name("from")]);
    let later = call("max", [before, name("number")]);
    let pair = pattern(PatternKind::Tuple(["place", "number"].map(named).into()));
    let step = lambda([named("from"), pair], call("update", [name("place"), later, name("from")]));
    let number = lambda([named("i")], sum(cast(name("i"), "u32"), one()));
    let numbers = call("generate", [length_of(places), number]);
    call("reduce", [step, call("repeat", [count, zero()]), call("zip", [name(places), numbers])])
}

/// The elements of `xs`, moved to `places`, which are a permutation; there may be other places behind them.
fn permuted(xs: &str, places: &str) -> Expr {
    let element = call("at", [difference(at_index("from"), one()), name(xs)]);
    let moved = call("generate", [length_of(xs), lambda([named("i")], element)]);
    block([("from", last_of_each(length_of(xs), places))], moved)
}

fn scattered() -> Expr {
    let position = difference(cast(name("place"), "i64"), integer(1));
    let element = call("atOr", [position, name("default"), name("xs")]);
    let moved = map(function("place", element));
    // Both have one length.
    let both = call("zip", [name("positions"), name("xs")]);
    let places = call("map", [function("pair", node(ExprKind::Component(Box::new(name("pair")), 0))), both]);
    block([("places", places), ("from", last_of_each(name("n"), "places"))], call_of(moved, name("from")))
}

/// `function(argument)`
fn call_of(function: Expr, argument: Expr) -> Expr {
    node(ExprKind::Pipe(Box::new(argument), Box::new(function)))
}

/// Elements that hold go behind those before them that hold; the others go behind all that hold.
fn filtered() -> Expr {
    let holds = call("p", [name("x")]);
    let flags = call("map", [function("x", choose(holds, one(), zero())), name("xs")]);
    let padded = call("padConstant", [integer(0), integer(1), zero(), flags]);
    let before = call("scan", [name("add"), zero(), padded]);
    let next = call("at", [sum(name("i"), integer(1)), name("before")]);
    let others = difference(cast(name("i"), "u32"), name("here"));
    let place = choose(equal(next, name("here")), sum(name("count"), others), name("here"));
    let place = block([("here", at_index("before"))], place);
    let result = call("tuple", [permuted("xs", "places"), name("count")]);
    let count = call("at", [length_of("xs"), name("before")]);
    block([("before", before), ("count", count), ("places", at_each("i", place))], result)
}

fn sorted() -> Expr {
    let keys = call("map", [name("bits"), name("xs")]);
    let in_order = block([("keys", keys)], by_digits(name("keys"), name("x")));
    call_of(map(name("value")), in_order)
}

fn order_of() -> Expr {
    let keys = call("map", [name("bits"), name("xs")]);
    let numbers = at_each("i", cast(name("i"), "u32"));
    block([("keys", keys)], by_digits(numbers, call("at", [name("x"), name("keys")])))
}

/// An array in the order of the keys of its elements; `key` is that of the element `x`. The number of digits of
/// a key is `passes`. Each pass brings `order` into the order of one more digit.
fn by_digits(start: Expr, key: Expr) -> Expr {
    let missing = difference(product(integer(CHUNK), chunk_count()), length_of("order"));
    // The last chunk is filled up with digits that go behind all others.
    let filled = call("padConstant", [integer(0), missing, integer(DIGITS - 1), name("digits")]);
    let pass = block(
        [
            ("digits", digits(key)),
            ("chunks", call("split", [integer(CHUNK), filled])),
            ("starts", starts()),
            ("places", places()),
        ],
        permuted("order", "places"),
    );
    call("iterate", [name("passes"), at_position("pass", "order", pass), start])
}

/// The number of chunks.
fn chunk_count() -> Expr {
    let all = sum(length_of("order"), integer(CHUNK - 1));
    binary(BinaryOperator::Divide, all, integer(CHUNK))
}

/// The digit of each element that a pass is about.
fn digits(key: Expr) -> Expr {
    let shifted = call("shr", [key, product(integer(i128::from(DIGIT_BITS)), name("pass"))]);
    let digit = cast(binary(BinaryOperator::BitAnd, shifted, integer(DIGITS - 1)), "i32");
    let digit = block([("x", at_index("order"))], digit);
    call("generate", [length_of("order"), lambda([named("i")], digit)])
}

/// For each digit, and for each chunk, where the elements of the chunk with this digit begin. A chunk is short, so
/// that its elements are compared with each digit; the counts are stored as the scan reads them.
fn starts() -> Expr {
    let is_digit = equal(name("x"), cast(name("digit"), "i32"));
    let ones = call("map", [function("x", choose(is_digit, one(), zero())), name("chunk")]);
    let count = call("reduceSeq", [name("add"), zero(), ones]);
    let of_chunk = call("generate", [integer(DIGITS), lambda([named("digit")], count)]);
    let counts = call("map", [function("chunk", of_chunk), name("chunks")]);
    let by_digit = call("store", [call("join", [call("transpose", [counts])])]);
    call("scan", [name("add"), zero(), by_digit])
}

/// Where each element goes: behind those before it in its chunk that have its digit.
fn places() -> Expr {
    let is_before = binary(BinaryOperator::Less, name("i"), name("j"));
    let is_same = equal(at_index("chunk"), name("digit"));
    let counted = choose(binary(BinaryOperator::And, is_before, is_same), one(), zero());
    let counted = call("generate", [integer(CHUNK), lambda([named("i")], counted)]);
    let before = call("reduceSeq", [name("add"), zero(), counted]);
    let of_digit = sum(product(name("digit"), cast(chunk_count(), "i32")), cast(name("c"), "i32"));
    let place = sum(name("before"), call("at", [of_digit, name("starts")]));
    let place = block([("digit", call("at", [name("j"), name("chunk")])), ("before", before)], place);
    let of_chunk = call("generate", [integer(CHUNK), lambda([named("j")], place)]);
    call("join", [call("map", [at_position("c", "chunk", of_chunk), name("chunks")])])
}

/// How the elements of a type are sorted.
pub(in crate::front::infer) struct Key {
    /// The type.
    ty: ScalarType,
    /// The digits of a key.
    pub(in crate::front::infer) digits: u32,
    /// From an element to its key, an unsigned integer.
    pub(in crate::front::infer) bits: Expr,
    /// The way back.
    pub(in crate::front::infer) value: Expr,
}

/// How elements of a type are sorted; `None` for types whose bits are not known yet. Numbers are in their
/// order, and floats in that of `f32::total_cmp` of Rust.
pub(in crate::front::infer) fn key_of(ty: ScalarType) -> Option<&'static Key> {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(keys).iter().find(|key| key.ty == ty)
}

fn keys() -> Vec<Key> {
    let unsigned = [ScalarType::U8, ScalarType::U16, ScalarType::U32, ScalarType::U64];
    let signed = [ScalarType::I8, ScalarType::I16, ScalarType::I32, ScalarType::I64];
    let floats = [ScalarType::F16, ScalarType::F32, ScalarType::F64];
    let x = || name("x");
    let key = |ty: ScalarType, bits: u32, to: Expr, from: Expr| Key {
        ty,
        digits: bits.div_ceil(DIGIT_BITS),
        bits: function("x", to),
        value: function("x", from),
    };
    let mut keys = vec![key(ScalarType::Bool, 1, cast(x(), "u8"), differs_from_zero(x()))];
    keys.extend(unsigned.map(|ty| key(ty, width(ty), x(), x())));
    keys.extend(signed.map(|ty| {
        let unsigned = unsigned_of(ty);
        let flipped = |value: Expr| binary(BinaryOperator::BitXor, value, typed_integer(top(ty), unsigned));
        key(ty, width(ty), flipped(cast(x(), &unsigned.to_string())), cast(flipped(x()), &ty.to_string()))
    }));
    keys.extend(floats.map(|ty| {
        let unsigned = unsigned_of(ty);
        let top = || typed_integer(top(ty), unsigned);
        let has_top = |value: Expr| {
            let bit = binary(BinaryOperator::BitAnd, value, top());
            binary(BinaryOperator::NotEqual, bit, typed_integer(0, unsigned))
        };
        let flipped = |value: Expr| binary(BinaryOperator::BitXor, value, top());
        let inverted = |value: Expr| node(ExprKind::Unary(UnaryOperator::Not, Box::new(value)));
        let bits = || name("bits_of_x");
        let to = choose(has_top(bits()), inverted(bits()), flipped(bits()));
        let to = block([("bits_of_x", call("toBits", [x()]))], to);
        let from = call("fromBits", [choose(has_top(x()), flipped(x()), inverted(x()))]);
        key(ty, width(ty), to, cast(from, &ty.to_string()))
    }));
    keys
}

fn differs_from_zero(value: Expr) -> Expr {
    binary(BinaryOperator::NotEqual, value, typed_integer(0, ScalarType::U8))
}

fn width(ty: ScalarType) -> u32 {
    match unsigned_of(ty) {
        ScalarType::U8 => 8,
        ScalarType::U16 => 16,
        ScalarType::U64 => 64,
        _ => 32,
    }
}

/// The sign bit.
fn top(ty: ScalarType) -> i128 {
    1 << (width(ty) - 1)
}

/// The unsigned integers of as many bits.
fn unsigned_of(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Bool | ScalarType::I8 | ScalarType::U8 => ScalarType::U8,
        ScalarType::I16 | ScalarType::U16 | ScalarType::F16 => ScalarType::U16,
        ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => ScalarType::U64,
        ScalarType::I32 | ScalarType::U32 | ScalarType::F32 | ScalarType::Parameter(_) => ScalarType::U32,
    }
}
