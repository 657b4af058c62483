//! The prelude: primitives that are compositions of others, as the papers define them.
//!
//! Each is a function of the language, written as a syntax tree over the names of its arguments. `slideN`
//! moves the dimension that `slide` adds past those of the inner neighbourhoods (Hagedorn's thesis, section
//! 2.3; CGO 2018, section 3.4). The trees are built once. Their nodes have no place in the user's source, so
//! that a mistake inside is reported at the use.

use std::sync::OnceLock;

use super::environment::{Argument, Binding, Elaborated, Environment};
use super::error::{Error, ProgramMistake};
use super::inference::{Derivation, Inference};
use super::primitives::call::{Call, spelled, written_call};
use crate::front::syntax::{
    Expr, ExprKind, Identifier, Lambda, Notation, Pattern, PatternKind, TypeExpr, TypeExprKind,
};
use crate::ir::primitive::{ArgumentKind, Primitive};
use crate::ir::scalar::{BinaryOperator, Literal};
use crate::ir::source::Source;
use crate::ir::typed;

impl<'a> Inference<'a> {
    /// A derived primitive, given its data.
    pub(super) fn derived_call(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(rank) = rank(call.row.primitive) else { return self.undefined(call) };
        let sound = self.dimensions(call, &data, rank).is_some();
        let mut names = Environment::empty();
        let mut spelling = Vec::new();
        let mut complete = true;
        for ((name, kind), argument) in call.row.arguments.iter().zip(given) {
            match self.prelude_binding(call, *kind, argument) {
                Some(binding) => {
                    match &binding {
                        Binding::Size(size) => spelling.push(size.to_string()),
                        Binding::Alias(argument) => spelling.push(spelled(argument)),
                        Binding::Value(..) | Binding::Constant(_) | Binding::Function(_) => {}
                    }
                    names = names.with(name, binding);
                }
                None => complete = false,
            }
        }
        if !complete {
            return self.mistake(call.source);
        }
        let data = if sound { data } else { self.mistake(call.source) };
        self.elaborate_definition(call, &spelling, vec![data], &names)
    }

    /// `zip2`, `zip3`
    pub(super) fn derived_zip(&mut self, call: &Call, values: Vec<typed::Expr>) -> typed::Expr {
        let Some(rank) = rank(call.row.primitive) else { return self.undefined(call) };
        let mut sound = true;
        for value in &values {
            sound &= self.dimensions(call, value, rank).is_some();
        }
        if !sound {
            return self.mistake(call.source);
        }
        self.elaborate_definition(call, &[], values, &Environment::empty())
    }

    fn prelude_binding(
        &mut self,
        call: &Call,
        kind: ArgumentKind,
        argument: Argument<'a>,
    ) -> Option<Binding<'a>> {
        match kind {
            ArgumentKind::Size => {
                let name = self.written_name(call).to_owned();
                self.natural_argument(argument, &name).map(Binding::Size)
            }
            ArgumentKind::Function
            | ArgumentKind::IndexFunction
            | ArgumentKind::Boundary
            | ArgumentKind::RowLengths
            | ArgumentKind::Position
            | ArgumentKind::Name
            | ArgumentKind::Choices => Some(Binding::Alias(argument)),
            ArgumentKind::Value | ArgumentKind::Values => {
                let value = self.argument_value(argument);
                Some(Binding::Value(self.bind(value, "value"), None))
            }
        }
    }

    fn elaborate_definition(
        &mut self,
        call: &Call,
        spelling: &[String],
        values: Vec<typed::Expr>,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let Some(definition) = definition(call.row.primitive) else { return self.undefined(call) };
        let written = written_call(call.row.name, spelling);
        self.derived.push(Derivation { name: call.row.name, call: written, source: call.source });
        let result = match self.function(definition, names, call.source) {
            Some(function) => {
                let arguments = values.into_iter().map(Argument::value).collect();
                match self.call(function, arguments, Source::UNKNOWN) {
                    Elaborated::Value(value) => value,
                    function @ Elaborated::Function(_) => self.must_be_value(function),
                }
            }
            None => self.mistake(call.source),
        };
        self.derived.pop();
        result
    }

    /// Reports a primitive whose rule is its definition, which is missing.
    fn undefined(&mut self, call: &Call) -> typed::Expr {
        self.fail(Error::new(call.source, ProgramMistake::Undefined { primitive: call.row.name }))
    }
}

/// The number of dimensions that the data of a derived primitive must have; `None` for primitives with a rule
/// of their own.
fn rank(primitive: Primitive) -> Option<usize> {
    match primitive {
        Primitive::MapNested(rank)
        | Primitive::ZipNested(rank)
        | Primitive::SlideNested(rank)
        | Primitive::PadNested(rank)
        | Primitive::PadConstantNested(rank) => Some(usize::from(rank)),
        Primitive::Slide2d | Primitive::Pad2d | Primitive::Tile | Primitive::Increase2d => Some(2),
        Primitive::Untile => Some(4),
        Primitive::Reverse
        | Primitive::DotProduct
        | Primitive::Update
        | Primitive::ReduceByKey
        | Primitive::Histogram => Some(1),
        Primitive::Map
        | Primitive::MapSeq
        | Primitive::MapGlb(_)
        | Primitive::MapWrg(_)
        | Primitive::MapLcl(_)
        | Primitive::MapSeqUnroll
        | Primitive::MapSeqSlide
        | Primitive::Reduce
        | Primitive::ReduceSeqPipelined
        | Primitive::ReduceGlb
        | Primitive::ReduceLcl
        | Primitive::ReduceSeqUnroll
        | Primitive::ReduceWhile
        | Primitive::IterateWhile
        | Primitive::Scan
        | Primitive::ScanInclusive
        | Primitive::ScanSeq
        | Primitive::Iterate
        | Primitive::Scatter
        | Primitive::Concat
        | Primitive::Slice
        | Primitive::Len
        | Primitive::At
        | Primitive::AtOr
        | Primitive::Head
        | Primitive::Last
        | Primitive::Generate
        | Primitive::Repeat
        | Primitive::Unzip
        | Primitive::Store
        | Primitive::Tuple
        | Primitive::Increase
        | Primitive::Tune
        | Primitive::ReduceSeq
        | Primitive::Zip
        | Primitive::Get
        | Primitive::Split
        | Primitive::Chunks
        | Primitive::Partition
        | Primitive::Join
        | Primitive::Transpose
        | Primitive::Deinterleave
        | Primitive::Interleave
        | Primitive::AsVector
        | Primitive::AsScalar
        | Primitive::Vectorize
        | Primitive::MapVec
        | Primitive::Gather
        | Primitive::Slide
        | Primitive::Pad
        | Primitive::PadConstant
        | Primitive::ToGlobal
        | Primitive::ToLocal
        | Primitive::ToPrivate => None,
    }
}

/// The definition of a derived primitive: a function of its data.
fn definition(primitive: Primitive) -> Option<&'static Expr> {
    static PRELUDE: OnceLock<Vec<(Primitive, Expr)>> = OnceLock::new();
    let prelude = PRELUDE.get_or_init(prelude);
    prelude.iter().find(|(defined, _)| *defined == primitive).map(|(_, definition)| definition)
}

fn prelude() -> Vec<(Primitive, Expr)> {
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
                node(ExprKind::If(
                    Box::new(node(ExprKind::Binary(
                        BinaryOperator::Equal,
                        Box::new(node(ExprKind::Cast(Box::new(name("i")), type_name("i64")))),
                        Box::new(name("k")),
                    ))),
                    Box::new(name("x")),
                    Box::new(name("acc")),
                )),
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

/// A function applied to every column of a 2D array.
fn columns(function: Expr) -> Expr {
    then([name("transpose"), map(function), name("transpose")])
}

fn node(kind: ExprKind) -> Expr {
    Expr { kind, source: Source::UNKNOWN }
}

fn name(name: &str) -> Expr {
    node(ExprKind::Name(name.to_owned()))
}

fn call<const N: usize>(function: &str, arguments: [Expr; N]) -> Expr {
    node(ExprKind::Call(Box::new(name(function)), arguments.into(), Notation::Function))
}

fn integer(number: i128) -> Expr {
    node(ExprKind::Literal(Literal::Integer(number), None))
}

fn type_name(name: &str) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Name(name.to_owned()), source: Source::UNKNOWN }
}

/// `|position => parameter| body`
fn at_position(position: &str, parameter: &str, body: Expr) -> Expr {
    let parameters = vec![named(parameter)];
    let position = Some(Identifier { name: position.to_owned(), source: Source::UNKNOWN });
    node(ExprKind::Lambda(Lambda { position, parameters, body: Box::new(body) }))
}

/// `|parameter| body`
fn function(parameter: &str, body: Expr) -> Expr {
    lambda([named(parameter)], body)
}

/// `|parameters| body`
fn lambda<const N: usize>(parameters: [Pattern; N], body: Expr) -> Expr {
    let parameters = parameters.into();
    node(ExprKind::Lambda(Lambda { position: None, parameters, body: Box::new(body) }))
}

fn named(name: &str) -> Pattern {
    pattern(PatternKind::Name(name.to_owned()))
}

fn pattern(kind: PatternKind) -> Pattern {
    Pattern { kind, source: Source::UNKNOWN }
}

fn map(function: Expr) -> Expr {
    call("map", [function])
}

/// The functions, applied in this order.
fn then<const N: usize>(functions: [Expr; N]) -> Expr {
    functions
        .into_iter()
        .reduce(|first, second| node(ExprKind::Pipe(Box::new(first), Box::new(second))))
        .unwrap_or_else(|| name("id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::typed::shapes::is_recognised;

    #[test]
    fn every_derived_primitive_is_defined_and_no_other() {
        for row in Primitive::ALL {
            assert_eq!(definition(row.primitive).is_some(), rank(row.primitive).is_some(), "{}", row.name);
        }
    }

    #[test]
    fn every_composition_is_recognised() {
        for row in Primitive::ALL.iter().filter(|row| definition(row.primitive).is_some()) {
            let is_part_of_a_step = matches!(row.primitive, Primitive::ReduceByKey | Primitive::Histogram);
            let is_recognised = is_recognised(row.primitive);
            assert_ne!(is_recognised, is_part_of_a_step, "`ir::typed::shapes` has forgotten {}", row.name);
        }
    }
}
