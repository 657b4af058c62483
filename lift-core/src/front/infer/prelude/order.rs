//! Elements in another order that data decides: sorting, filtering, moving to positions from data.
//!
//! Where each element goes is computed first, by counts and scans. Then each place finds out who comes there:
//! a table of places, in which each element enters its position (plus 1, and 0 for nobody), is a reduction by
//! key with `max`. So nothing is written twice at a time, and of several elements for one place the last one
//! counts, on every device. Where only one element comes to each place, and is a `u32`, it enters itself.
//!
//! Sorting is a radix sort from the least significant digit on (Satish, Harris and Garland, *Designing Efficient
//! Sorting Algorithms for Manycore GPUs*, IPDPS 2009, section 3), with digits of four bits: counts of the digits
//! of each chunk, a scan of these counts, and the rank of each element among those of its chunk with the same
//! digit. It is stable. Keys are integers whose order is that of the elements ([`key_of`]).
//!
//! A chunk has as many elements as a word has bits. For each bit of a digit there is a word with this bit of
//! all elements of a chunk. These words say which elements have a digit, and `popcount` how many.

use std::sync::OnceLock;

use super::tree::{
    at_position, binary, block, call, cast, choose, difference, equal, function, integer, lambda, length_of,
    map, name, named, node, pattern, product, sum, typed_integer,
};
use crate::front::syntax::{Expr, ExprKind, PatternKind};
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{BinaryOperator, ScalarType, UnaryOperator};

/// The bits of a digit.
const DIGIT_BITS: u32 = 4;

/// The number of values of a digit.
const DIGITS: i128 = 1 << DIGIT_BITS;

/// The number of elements whose digits are counted together: the bits of a word.
const CHUNK: i128 = 64;

/// A word with a bit for each element of a chunk.
const WORD: ScalarType = ScalarType::U64;

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
        (Primitive::ArgSort, function("xs", ordered())),
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

/// `in_order` and `value` depend on the type of the elements: [`Key`].
fn sorted() -> Expr {
    let keys = call("map", [name("bits"), name("xs")]);
    let in_order = block([("keys", keys)], call("in_order", [name("keys")]));
    call_of(map(name("value")), in_order)
}

fn ordered() -> Expr {
    let keys = call("map", [name("bits"), name("xs")]);
    block([("keys", keys)], call("order_of", [name("keys")]))
}

/// The elements of an array of `u32`, entered at `places`, which are different ones.
fn entered(xs: Expr) -> Expr {
    let before = call("atOr", [name("place"), zero(), name("to")]);
    let pair = pattern(PatternKind::Tuple(["place", "x"].map(named).into()));
    let entered = call("update", [name("place"), call("max", [before, name("x")]), name("to")]);
    let step = lambda([named("to"), pair], entered);
    // What fills up the last chunk goes behind all others, where there is no place.
    let filled = call("padConstant", [integer(0), missing(), zero(), xs]);
    let places = call("zip", [name("places"), filled]);
    call("reduce", [step, call("repeat", [length_of("order"), zero()]), places])
}

/// The keys in their order.
fn keys_in_order(bits: u32) -> Expr {
    let moved = if bits == 64 { permuted("order", "places") } else { entered(name("order")) };
    function("keys", by_digits(bits, name("keys"), name("x"), moved))
}

/// The positions of the keys in their order.
fn order_of_keys(bits: u32) -> Expr {
    let numbers = call("generate", [length_of("keys"), lambda([named("i")], cast(name("i"), "u32"))]);
    let key = call("at", [name("x"), name("keys")]);
    function("keys", by_digits(bits, numbers, key, entered(name("order"))))
}

/// An array, sorted by the keys of its elements. Keys have `bits` bits; `key` computes that of the element
/// `x`. Each pass sorts `order` by one more digit: its elements are `moved` to `places`.
fn by_digits(bits: u32, start: Expr, key: Expr, moved: Expr) -> Expr {
    // The last chunk is filled up with digits that go behind all others.
    let last = typed_integer(DIGITS - 1, ScalarType::U8);
    let filled = call("padConstant", [integer(0), missing(), last, name("digits")]);
    let pass = block(
        [
            ("digits", digits(key)),
            ("chunks", call("split", [integer(CHUNK), filled])),
            ("words", words()),
            ("starts", starts()),
            ("places", places()),
        ],
        moved,
    );
    let passes = integer(i128::from(bits.div_ceil(DIGIT_BITS)));
    call("iterate", [passes, at_position("pass", "order", pass), start])
}

/// The number of elements that fill up the last chunk.
fn missing() -> Expr {
    difference(product(integer(CHUNK), chunk_count()), length_of("order"))
}

/// The number of chunks.
fn chunk_count() -> Expr {
    let all = sum(length_of("order"), integer(CHUNK - 1));
    binary(BinaryOperator::Divide, all, integer(CHUNK))
}

/// The digit of each element that a pass is about.
fn digits(key: Expr) -> Expr {
    let shifted = call("shr", [key, product(integer(i128::from(DIGIT_BITS)), name("pass"))]);
    let digit = cast(binary(BinaryOperator::BitAnd, shifted, integer(DIGITS - 1)), "u8");
    let digit = block([("x", at_index("order"))], digit);
    call("generate", [length_of("order"), lambda([named("i")], digit)])
}

/// A bit of a digit: 0 or 1.
fn bit_of(digit: Expr, bit: &str) -> Expr {
    binary(BinaryOperator::BitAnd, call("shr", [cast(digit, "u32"), name(bit)]), one())
}

/// A number as a word whose bits begin at a place.
fn at_place(number: Expr, place: &str) -> Expr {
    call("shl", [cast(number, &WORD.to_string()), name(place)])
}

/// For each chunk, and for each bit of a digit, a word with this bit of all elements.
fn words() -> Expr {
    let of_element = at_place(bit_of(name("digit"), "b"), "i");
    let bits = call("map", [at_position("i", "digit", of_element), name("chunk")]);
    let word = call("reduceSeq", [name("bitOr"), typed_integer(0, WORD), bits]);
    let of_chunk = call("generate", [integer(i128::from(DIGIT_BITS)), lambda([named("b")], word)]);
    call("store", [call("map", [function("chunk", of_chunk), name("chunks")])])
}

/// The elements of a chunk with these words that have a digit: a word with a bit for each.
fn with_digit(words: Expr, digit: Expr) -> Expr {
    let others = node(ExprKind::Unary(UnaryOperator::Not, Box::new(name("word"))));
    let agree = choose(equal(bit_of(digit, "b"), one()), name("word"), others);
    let all = typed_integer((1 << CHUNK) - 1, WORD);
    call("reduceSeq", [name("bitAnd"), all, call("map", [at_position("b", "word", agree), words])])
}

/// The number of bits in a word.
fn count(word: Expr) -> Expr {
    cast(call("popcount", [word]), "u32")
}

/// For each digit, and for each chunk, where the elements of the chunk with this digit begin. The counts are
/// stored as the scan reads them.
fn starts() -> Expr {
    let counted = count(with_digit(name("of_chunk"), name("digit")));
    let of_digit = call("map", [function("of_chunk", counted), name("words")]);
    let counts = call("generate", [integer(DIGITS), lambda([named("digit")], of_digit)]);
    let by_digit = call("store", [call("join", [counts])]);
    call("scan", [name("add"), zero(), by_digit])
}

/// Where each element goes: behind those before it in its chunk that have its digit.
fn places() -> Expr {
    let before = difference(at_place(one(), "j"), typed_integer(1, WORD));
    let same = with_digit(call("at", [name("c"), name("words")]), name("digit"));
    let before = count(binary(BinaryOperator::BitAnd, same, before));
    let of_digit = product(cast(name("digit"), "i32"), cast(chunk_count(), "i32"));
    let start = call("at", [sum(of_digit, cast(name("c"), "i32")), name("starts")]);
    let place = block([("digit", call("at", [name("j"), name("chunk")]))], sum(before, start));
    let of_chunk = call("generate", [integer(CHUNK), lambda([named("j")], place)]);
    call("join", [call("map", [at_position("c", "chunk", of_chunk), name("chunks")])])
}

/// How the elements of a type are sorted. Keys of at most 32 bits are `u32`, those of 64 bits `u64`.
pub(in crate::front::infer) struct Key {
    /// The type.
    ty: ScalarType,
    /// From an element to its key, an unsigned integer.
    pub(in crate::front::infer) bits: Expr,
    /// The way back.
    pub(in crate::front::infer) value: Expr,
    /// From keys to the same in their order.
    pub(in crate::front::infer) in_order: Expr,
    /// From keys to their positions in their order.
    pub(in crate::front::infer) order_of: Expr,
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
    let key = |ty: ScalarType, bits: u32, to: Expr, from: Expr| {
        let unsigned = unsigned_of(ty);
        let (to, from) = match width(ty) {
            32 | 64 => (to, from),
            _ => (cast(to, "u32"), block([("x", cast(x(), &unsigned.to_string()))], from)),
        };
        Key {
            ty,
            bits: function("x", to),
            value: function("x", from),
            in_order: keys_in_order(bits),
            order_of: order_of_keys(bits),
        }
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
