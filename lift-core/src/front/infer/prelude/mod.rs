//! The prelude: primitives that are compositions of others, as the papers define them.
//!
//! Each is a function of the language, written as a syntax tree over the names of its arguments. `slideN`
//! moves the dimension that `slide` adds past those of the inner neighbourhoods (Hagedorn's thesis, section
//! 2.3; CGO 2018, section 3.4). The trees are built once. Their nodes have no place in the user's source, so
//! that a mistake inside is reported at the use.

mod definitions;
mod order;
mod tree;

pub(super) use order::key_of;

use std::sync::OnceLock;

use super::environment::{Argument, Binding, Elaborated, Environment};
use super::error::{Error, ProgramMistake};
use super::inference::{Derivation, Inference};
use super::primitives::call::{Call, spelled, written_call};
use crate::front::syntax::Expr;
use crate::ir::primitive::{ArgumentKind, Primitive};
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
        self.derived_call_with(call, given, data, Environment::empty())
    }

    /// The same whose definition mentions these names, too.
    pub(super) fn derived_call_with(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
        mut names: Environment<'a>,
    ) -> typed::Expr {
        let Some(rank) = rank(call.row.primitive) else { return self.undefined(call) };
        let sound = self.dimensions(call, &data, rank).is_some();
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
        | Primitive::ReduceSegments
        | Primitive::Histogram
        | Primitive::Enumerate
        | Primitive::ArgMin
        | Primitive::ArgMax
        | Primitive::ScatterTo
        | Primitive::Filter
        | Primitive::Sort
        | Primitive::SortBy
        | Primitive::ArgSort
        | Primitive::TopK => Some(1),
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
        | Primitive::Segments
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
    let prelude = PRELUDE.get_or_init(definitions::all);
    prelude.iter().find(|(defined, _)| *defined == primitive).map(|(_, definition)| definition)
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
            let is_written_out = matches!(
                row.primitive,
                Primitive::ReduceByKey
                    | Primitive::ReduceSegments
                    | Primitive::Histogram
                    | Primitive::Enumerate
                    | Primitive::ArgMin
                    | Primitive::ArgMax
                    | Primitive::ScatterTo
                    | Primitive::Filter
                    | Primitive::Sort
                    | Primitive::SortBy
                    | Primitive::ArgSort
                    | Primitive::TopK
            );
            let is_recognised = is_recognised(row.primitive);
            assert_ne!(is_recognised, is_written_out, "`ir::typed::shapes` has forgotten {}", row.name);
        }
    }
}
