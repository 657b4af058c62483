//! Memories.

use lift_core::ir::nat::Nat;
use lift_core::ir::typed::{AddressSpace, MapKind};
use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, place, with};

fn globally() -> Vec<Argument> {
    vec![Argument::Space(AddressSpace::Global), Argument::Map(MapKind::Unspecified)]
}

fn locally() -> Vec<Argument> {
    vec![Argument::Space(AddressSpace::Local), Argument::Map(MapKind::Local(0))]
}

fn privately() -> Vec<Argument> {
    vec![Argument::Space(AddressSpace::Private), Argument::Map(MapKind::Sequential)]
}

fn by_four_in_pairs() -> Vec<Argument> {
    vec![Argument::Size(Nat::constant(4)), Argument::Width(2)]
}

fn by_two() -> Vec<Argument> {
    vec![Argument::Size(Nat::constant(2)), Argument::Width(1)]
}

fn one_after() -> Vec<Argument> {
    vec![Argument::Size(Nat::zero()), Argument::Size(Nat::one())]
}

fn at_most_three() -> Vec<Argument> {
    vec![Argument::Size(Nat::constant(3))]
}

const ROWS: &str = "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> mapLcl0(|x| x + 1))";

const TILES: &str =
    "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|t| t >> transpose >> mapLcl1(|c| c >> reduceSeq(add, 0)))";

fn elements(space: AddressSpace, outer: MapKind, inner: MapKind, width: u8) -> Vec<Argument> {
    vec![Argument::Space(space), Argument::Map(outer), Argument::Map(inner), Argument::Width(width)]
}

fn elements_privately() -> Vec<Argument> {
    elements(AddressSpace::Private, MapKind::Sequential, MapKind::Sequential, 1)
}

fn elements_as_vectors() -> Vec<Argument> {
    elements(AddressSpace::Private, MapKind::Sequential, MapKind::Sequential, 2)
}

fn elements_locally() -> Vec<Argument> {
    elements(AddressSpace::Local, MapKind::Local(1), MapKind::Local(0), 1)
}

pub(super) const INSTANCES: &[Instance] = &[
    instance("toGlobal", 2, ROWS),
    instance("toGlobal", 1, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    instance("toGlobal", 0, "|a: [i32; N]| a >> toGlobal(mapSeq(|x| x + 1))"),
    instance("toLocal", 1, ROWS),
    instance("toLocal", 2, TILES),
    instance("toLocal", 0, "|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> mapSeq(|x| x + 1))"),
    instance(
        "toPrivate",
        2,
        "|a: [[i32; 3]; N]| a >> mapGlb0(|r| r >> mapSeq(|x| x + 1) >> reduceSeq(add, 0))",
    ),
    instance("toPrivate", 0, "|a: [i32; N]| a >> mapGlb0(|x| x + 1)"),
    with("copyTo", globally, 2, "|a: [[i32; M]; N]| a >> transpose"),
    with("copyTo", globally, 2, "|a: [(i32, f32); N]| a >> reverse"),
    with("copyTo", locally, 2, ROWS),
    with("copyTo", locally, 2, "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|t| t >> transpose)"),
    with("copyTo", locally, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with("copyTo", privately, 1, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    with(
        "copyTo",
        privately,
        2,
        "|a: [i => [i32; i + 1]; N]| a >> mapGlb0(|r| r >> reduceSeq(add, 0)) >> head",
    ),
    instance("keep", 1, "|a: [[i32; 3]; N]| a >> mapGlb0(|r| r >> reduceSeq(add, 0))"),
    instance("keep", 0, "|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> reduceSeq(add, 0))"),
    with("copyTogether", by_four_in_pairs, 1, "|a: [[i32; M]; N]| a >> mapWrg0(|r| r >> reduceSeq(add, 0))"),
    with("copyTogether", by_four_in_pairs, 4, TILES),
    with("copyTogether", by_two, 4, TILES),
    with("copyTogether", by_two, 2, "|a: [[(i32, f32); M]; N]| a >> mapWrg0(|r| r >> mapLcl0(|(x, y)| y))"),
    with("copyTogether", by_two, 0, "|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> reduceSeq(add, 0))"),
    with("copyTogether", by_four_in_pairs, 0, "|a: [[i32; 6]; N]| a >> mapWrg0(|r| r >> reduceSeq(add, 0))"),
    with(
        "increaseCopy",
        one_after,
        1,
        "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|t| t >> toLocal(mapLcl1(mapLcl0(id))) >> transpose)",
    ),
    with("increaseCopy", one_after, 1, "|a: [i32; N]| a >> toGlobal(mapSeq(id))"),
    with("increaseCopy", one_after, 0, "|a: [i32; N]| a >> mapSeq(id)"),
    instance(
        "transposedCopy",
        1,
        "|a: [[[i32; L]; M]; N]| a >> mapWrg0(|t| t >> toLocal(mapLcl1(mapLcl0(id))) >> \
         map(reduceSeq(add, 0)))",
    ),
    instance("transposedCopy", 0, "|a: [i32; N]| a >> toGlobal(mapSeq(id))"),
    instance("transposedCopy", 0, "|a: [i => [i32; i + 1]; N]| a >> toGlobal(mapSeq(mapSeq(id)))"),
    with(
        "copyElements",
        elements_privately,
        1,
        "|a: [[i32; 4]; N], b: [[i32; 4]; N]| \
         zip(a, b) >> map(|(r, s)| zip(r, s) >> map(|(x, y)| x * y) >> reduce(add, 0))",
    ),
    // An array and a scalar; rows of rows; the element as a whole.
    with(
        "copyElements",
        elements_as_vectors,
        1,
        "|a: [[[i32; 4]; 3]; N], b: [i32; N]| \
         zip(a, b) >> map(|(t, y)| t >> join >> map(|x| x * y) >> reduce(add, 0))",
    ),
    with(
        "copyElements",
        elements_as_vectors,
        1,
        "|a: [[i32; 4]; N]| a >> reduceSeq(|acc, r| zip(acc, r) >> map(|(s, x)| 2 * s + x), repeat(4, 1))",
    ),
    // What a group takes, and what it takes in each step.
    with(
        "copyElements",
        elements_locally,
        2,
        "|a: [[i32; M]; N]| a >> split(2) >> map(|t| t >> split(1)) >> mapWrg0(|tiles| \
         tiles >> reduceSeq(|acc, t| zip(acc, t >> join) >> mapLcl0(|(s, x)| s + x), repeat(M, 0))) >> join",
    ),
    with(
        "copyElements",
        elements_locally,
        0,
        "|a: [[[i32; M]; 2]; N]| a >> map(|t| t >> join >> reduce(add, 0))",
    ),
    with(
        "copyElement",
        || [vec![Argument::Size(Nat::one())], elements_as_vectors()].concat(),
        1,
        "|a: [[i32; M]; N], b: [[i32; 4]; N]| \
         zip(a, b) >> map(|(r, s)| (r >> reduce(add, 0)) * (s >> reduce(max, 0)))",
    ),
    with(
        "copyElement",
        || [vec![Argument::Size(Nat::one())], elements_privately()].concat(),
        0,
        "|a: [[i32; 4]; N]| a >> map(|r| r >> reduce(add, 0))",
    ),
    with("copyElements", elements_privately, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("copyElements", elements_privately, 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    // The condition is one on sizes: what the program means stays the same.
    with("rowsOfAtMost", at_most_three, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("rowsOfAtMost", at_most_three, 2, "|a: [[[i32; L]; 2]; N]| a >> map(|t| t >> map(reduce(add, 0)))"),
    with("rowsOfAtMost", at_most_three, 0, "|a: [[i32; 4]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("rowsOfAtMost", at_most_three, 1, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with("rowsOfAtMost", at_most_three, 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    // The outer rows have a length; those of the inner map depend on the outer one.
    with(
        "rowsOfAtMost",
        at_most_three,
        2,
        "|a: [i => [[i32; i + 1]; 2]; N]| a >> map(|t| t >> map(reduce(add, 0))) >> map(|r| r >> reduce(add, 0))",
    ),
    instance("storeToGlobal", 1, "|a: [i32; N]| a >> map(|x| x + 1) >> store >> reduce(add, 0)"),
    instance(
        "storeToGlobal",
        0,
        "|a: [i32; N]| a >> mapSeq(|x| x + 1) >> toLocal(mapSeq(id)) >> reduce(add, 0)",
    ),
    instance("removeStore", 2, "|a: [[i32; M]; N]| a >> map(|r| r >> reverse >> store) >> store"),
    instance("removeStore", 1, "|a: [i32; N]| toGlobal(mapSeq(|x| x + 1))(a)"),
    instance("removeStore", 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("turnRows", || vec![place(&[0])], 1, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    with(
        "turnRows",
        || vec![place(&[1, 0])],
        1,
        "|a: [i32; N], b: [[i32; M]; K]| a >> map(|x| b >> map(|r| x * (r >> reduce(add, 0))))",
    ),
    with(
        "turnRows",
        || vec![place(&[1, 0])],
        1,
        "|a: [[i32; M]; N]| { let s = a >> map(|r| r >> reduce(add, 0)); \
         a >> map(|r| (r >> reduce(max, 0)) + (s >> head)) }",
    ),
    with(
        "turnRows",
        || vec![place(&[1, 0])],
        0,
        "|a: [[[i32; 2]; M]; N]| a >> map(|r| r >> map(|s| s >> reduce(add, 0)))",
    ),
];
