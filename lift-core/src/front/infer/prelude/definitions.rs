//! The definitions of the prelude, each a function of the data of its call.

use super::order;
use super::tree::{
    at_position, binary, block, call, cast, choose, columns, difference, equal, function, integer, lambda,
    length_of, map, name, named, node, pattern, sum, then, typed_integer,
};
use crate::front::syntax::{Expr, ExprKind, Identifier, Lambda, PatternKind};
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::source::Source;

/// All definitions.
pub(super) fn all() -> Vec<(Primitive, Expr)> {
    let mut all = compositions();
    all.extend(order::definitions());
    all
}

fn compositions() -> Vec<(Primitive, Expr)> {
    let slide = || call("slide", [name("size"), name("step")]);
    let slide2 = || then([map(slide()), slide(), map(name("transpose"))]);
    let pad = || call("pad", [name("l"), name("r"), name("b")]);
    let pad2 = || then([pad(), map(pad())]);
    let pad_constant = || call("padConstant", [name("l"), name("r"), name("v")]);
    let pad_constant2 = || then([map(pad_constant()), columns(pad_constant())]);
    let zip2 = || then([name("zip"), map(name("zip"))]);
    vec![
        (Primitive::MapNested(2), map(map(name("f")))),
        (Primitive::MapNested(3), map(map(map(name("f"))))),
        (Primitive::ZipNested(2), zip2()),
        (Primitive::ZipNested(3), then([name("zip"), map(zip2())])),
        (Primitive::Reverse, call("gather", [name("reverse")])),
        (Primitive::SlideNested(2), slide2()),
        (
            Primitive::SlideNested(3),
            then([map(slide2()), slide(), map(then([name("transpose"), map(name("transpose"))]))]),
        ),
        (
            Primitive::Slide2d,
            then([
                map(call("slide", [name("nx"), name("sx")])),
                call("slide", [name("ny"), name("sy")]),
                map(name("transpose")),
            ]),
        ),
        (Primitive::PadNested(2), pad2()),
        (Primitive::PadNested(3), then([pad(), map(pad2())])),
        (
            Primitive::Pad2d,
            then([
                call("pad", [name("t"), name("b"), name("bt")]),
                map(call("pad", [name("l"), name("r"), name("bl")])),
            ]),
        ),
        (Primitive::PadConstantNested(2), pad_constant2()),
        (Primitive::PadConstantNested(3), then([map(pad_constant2()), columns(columns(pad_constant()))])),
        (
            Primitive::Tile,
            then([
                call("split", [name("n")]),
                map(then([name("transpose"), call("split", [name("m")]), map(name("transpose"))])),
            ]),
        ),
        (
            Primitive::Increase2d,
            then([call("increase", [name("t"), name("b")]), map(call("increase", [name("l"), name("r")]))]),
        ),
        (
            Primitive::DotProduct,
            function(
                "b",
                then([
                    call("zip", [name("a"), name("b")]),
                    map(name("mult")),
                    call("reduce", [name("add"), integer(0)]),
                ]),
            ),
        ),
        // Positions are compared in a type that holds all of them. An accumulator is updated where it is: code
        // generation looks for this choice (`codegen::update`).
        (
            Primitive::Update,
            map(at_position(
                "k",
                "acc",
                choose(equal(cast(name("i"), "i64"), name("k")), name("x"), name("acc")),
            )),
        ),
        (
            Primitive::ReduceByKey,
            function(
                "xs",
                then([
                    call("zip", [name("keys"), name("xs")]),
                    call("reduce", [by_key(), call("repeat", [name("n"), name("z")])]),
                ]),
            ),
        ),
        (Primitive::ReduceSegments, function("xs", segments())),
        (Primitive::Histogram, call("reduce", [counting(), call("repeat", [name("n"), integer(0)])])),
        (
            Primitive::Untile,
            then([map(then([map(name("transpose")), name("join"), name("transpose")])), name("join")]),
        ),
    ]
}

/// `|table, (key, x)| update(key, f(at(key, table), x), table)`
fn by_key() -> Expr {
    let combined = call("f", [call("at", [name("key"), name("table")]), name("x")]);
    let pair = pattern(PatternKind::Tuple(["key", "x"].map(named).into()));
    lambda([named("table"), pair], call("update", [name("key"), combined, name("table")]))
}

/// `|table, key| update(key, at(key, table) + 1, table)`
fn counting() -> Expr {
    let counted = call("add", [call("at", [name("key"), name("table")]), integer(1)]);
    lambda([named("table"), named("key")], call("update", [name("key"), counted, name("table")]))
}

/// A loop for each segment. Offsets are clamped into `xs`, so that nothing outside is read.
fn segments() -> Expr {
    let wide = |expr: Expr| cast(expr, "i64");
    let place = |position: Expr| {
        let offset = wide(call("at", [position, name("offsets")]));
        call("min", [call("max", [offset, integer(0)]), length_of("xs")])
    };
    let count = difference(place(sum(name("i"), integer(1))), name("first"));
    let goes_on = binary(BinaryOperator::Less, wide(name("k")), name("count"));
    let element = call("at", [sum(name("first"), wide(name("k"))), name("xs")]);
    let next = call("f", [name("acc"), element]);
    let body = node(ExprKind::Tuple(vec![goes_on, next]));
    let position = Some(Identifier { name: "k".to_owned(), source: Source::UNKNOWN });
    let parameters = vec![named("acc"), named("step")];
    let step = node(ExprKind::Lambda(Lambda { position, parameters, body: Box::new(body) }));
    let steps = call("repeat", [length_of("xs"), typed_integer(0, ScalarType::I32)]);
    let segment = call("reduceWhile", [step, name("z"), steps]);
    let segment = block([("first", place(name("i"))), ("count", count)], segment);
    call("generate", [difference(length_of("offsets"), integer(1)), lambda([named("i")], segment)])
}
