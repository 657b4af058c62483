//! A typing rule for every primitive.
//!
//! A call is saturated here. Its data is elaborated first, so that a function argument finds the types of its
//! parameters known.

use super::environment::{Argument, Elaborated};
use super::error::{CallMistake, Error};
use super::inference::Inference;
use crate::front::syntax::Expr;
use crate::ir::primitive::{Primitive, Row};
use crate::ir::source::Source;
use crate::ir::typed::{self, AddressSpace, MapKind, ReduceKind, ScanKind};

mod algorithmic;
mod border;
pub(super) mod call;
mod element;
mod index;
mod iterate;
mod layout;
mod partition;
mod permutation;
mod prefix;
mod sequence;
mod vector;

pub(super) use sequence::position_name;

use call::Call;

impl<'a> Inference<'a> {
    /// A primitive with all its arguments.
    pub(super) fn primitive(
        &mut self,
        row: &'static Row,
        mut given: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        let call = Call { row, source };
        if super::arity::is_variadic(row.arguments) {
            return self.variadic(&call, given);
        }
        if let Some(error) = self.disordered(row, &given, source) {
            self.look_at(given);
            return Elaborated::Value(self.fail(error));
        }
        match row.primitive {
            Primitive::Generate => return Elaborated::Value(self.generate(&call, given)),
            Primitive::Tune => return Elaborated::Value(self.tuned(&call, &given)),
            Primitive::Vectorize | Primitive::MapVec => {
                return Elaborated::Value(self.lanewise_call(&call, given));
            }
            Primitive::Concat => {
                let values = given.into_iter().map(|argument| self.argument_value(argument)).collect();
                return Elaborated::Value(self.concat(&call, values));
            }
            _ => {}
        }
        let Some(data) = given.pop() else { return Elaborated::Value(self.mistake(source)) };
        let Some(data) = self.data(&call, data) else { return Elaborated::Value(self.mistake(source)) };
        Elaborated::Value(self.rule(&call, given, data))
    }

    fn rule(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        match call.row.primitive {
            Primitive::Map => self.map(call, MapKind::Unspecified, given, data),
            Primitive::MapSeq => self.map(call, MapKind::Sequential, given, data),
            Primitive::MapGlb(dimension) => self.map(call, MapKind::Global(dimension), given, data),
            Primitive::MapWrg(dimension) => self.map(call, MapKind::WorkGroup(dimension), given, data),
            Primitive::MapLcl(dimension) => self.map(call, MapKind::Local(dimension), given, data),
            Primitive::Reduce => self.reduce(call, ReduceKind::Unspecified, given, data),
            Primitive::ReduceSeq => self.reduce(call, ReduceKind::Sequential, given, data),
            Primitive::MapSeqUnroll => self.map(call, MapKind::Unrolled, given, data),
            Primitive::MapSeqSlide => self.map_seq_slide(call, given, data),
            Primitive::ReduceSeqPipelined => self.reduce(call, ReduceKind::Pipelined, given, data),
            Primitive::ReduceSeqUnroll => self.reduce(call, ReduceKind::Unrolled, given, data),
            Primitive::Scan => self.scan(call, ScanKind::Exclusive, given, data),
            Primitive::ScanSeq => self.scan(call, ScanKind::ExclusiveSequential, given, data),
            Primitive::ScanInclusive => self.scan_inclusive(call, given, data),
            Primitive::Iterate => self.iterate(call, given, data),
            Primitive::Scatter => self.scatter(call, given, data),
            Primitive::Slice => self.slice(call, given, data),
            Primitive::Len => self.length_of(call, &data),
            Primitive::At => self.at(call, given, data),
            Primitive::AtOr => self.at_or(call, given, data),
            Primitive::Head => self.head(call, data),
            Primitive::Last => self.last(call, data),
            Primitive::Repeat => self.repeat(call, given, data),
            Primitive::Unzip => self.unzip(call, data),
            Primitive::Increase => self.increase(call, given, data),
            Primitive::Get => self.get(call, given, data),
            Primitive::Partition => self.partition(call, given, data),
            Primitive::Split => self.split(call, given, data),
            Primitive::Join => self.join(call, data),
            Primitive::Transpose => self.transpose(call, data),
            Primitive::AsVector => self.as_vector(call, given, data),
            Primitive::AsScalar => self.as_scalar(call, data),
            Primitive::Gather => self.gather(call, given, data),
            Primitive::Slide => self.slide(call, given, data),
            Primitive::Pad => self.pad(call, given, data),
            Primitive::PadConstant => self.pad_constant(call, given, data),
            Primitive::Store => self.stored(call, data),
            Primitive::ToGlobal => self.store(call, AddressSpace::Global, given, data),
            Primitive::ToLocal => self.store(call, AddressSpace::Local, given, data),
            Primitive::ToPrivate => self.store(call, AddressSpace::Private, given, data),
            // The first seven are elaborated before they come here.
            Primitive::Vectorize
            | Primitive::MapVec
            | Primitive::Zip
            | Primitive::Tuple
            | Primitive::Concat
            | Primitive::Generate
            | Primitive::Tune
            | Primitive::ZipNested(_)
            | Primitive::MapNested(_)
            | Primitive::Reverse
            | Primitive::SlideNested(_)
            | Primitive::Slide2d
            | Primitive::PadNested(_)
            | Primitive::Pad2d
            | Primitive::PadConstantNested(_)
            | Primitive::Increase2d
            | Primitive::DotProduct
            | Primitive::Tile
            | Primitive::Untile => self.derived_call(call, given, data),
        }
    }

    fn variadic(&mut self, call: &Call, given: Vec<Argument<'a>>) -> Elaborated<'a> {
        if given.len() < 2 {
            self.look_at(given);
            let name = self.written_name(call);
            let mistake = CallMistake::TooFew { name, row: call.row };
            return Elaborated::Value(self.fail(Error::new(call.source, mistake)));
        }
        let values: Vec<typed::Expr> =
            given.into_iter().map(|argument| self.argument_value(argument)).collect();
        Elaborated::Value(match call.row.primitive {
            Primitive::ZipNested(_) => self.derived_zip(call, values),
            Primitive::Tuple => self.tuple(call, values),
            _ => self.zip(call, values),
        })
    }

    /// `tune` as a value.
    fn tuned(&mut self, call: &Call, given: &[Argument<'a>]) -> typed::Expr {
        let written: Vec<&'a Expr> = given
            .iter()
            .filter_map(|argument| match argument {
                Argument::Syntax(expr, _) => Some(*expr),
                Argument::Elaborated(_) => None,
            })
            .collect();
        match self.tune(&written, call.source) {
            Some(size) => self.size_value(size, call.source),
            None => self.mistake(call.source),
        }
    }
}
