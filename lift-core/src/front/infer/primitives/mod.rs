//! How every primitive is called: its arguments are read, its function is typed for the elements of its data,
//! and what is wrong becomes a message. The type of the call, and what that needs of sizes, is left to
//! [`typed::result`].
//!
//! A call is saturated here. Its data is elaborated first, so that a function argument finds the types of its
//! parameters known.

use super::arity::is_variadic;
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
mod early_end;
mod element;
mod index;
mod interleave;
mod iterate;
mod keyed;
mod layout;
mod order;
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
        given: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        if !is_variadic(row.arguments)
            && let Some(error) = self.disordered(row, &given, source)
        {
            self.report_mistakes_in(given);
            return Elaborated::Value(self.fail(error));
        }
        Elaborated::Value(self.rule(&Call { row, source }, given))
    }

    /// The rule of a primitive. Every primitive is named here, so that a new one does not compile without a
    /// rule.
    fn rule(&mut self, call: &Call, given: Vec<Argument<'a>>) -> typed::Expr {
        match call.row.primitive {
            // All arguments are values, in any number.
            Primitive::Zip => self.with_values(call, given, Self::zip),
            Primitive::Tuple => self.with_values(call, given, Self::tuple),
            Primitive::ZipNested(_) => self.with_values(call, given, Self::derived_zip),

            // There is no data, or the rule types it itself.
            Primitive::Concat => self.concat(call, given),
            Primitive::Generate => self.generate(call, given),
            Primitive::Tune => self.tuned(call, &given),
            Primitive::Vectorize | Primitive::MapVec => self.lanewise_call(call, given),

            // The data comes last and is typed first.
            Primitive::Map => self.map_of_kind(call, MapKind::Unspecified, given),
            Primitive::MapSeq => self.map_of_kind(call, MapKind::Sequential, given),
            Primitive::MapSeqUnroll => self.map_of_kind(call, MapKind::Unrolled, given),
            Primitive::MapGlb(dimension) => self.map_of_kind(call, MapKind::Global(dimension), given),
            Primitive::MapWrg(dimension) => self.map_of_kind(call, MapKind::WorkGroup(dimension), given),
            Primitive::MapLcl(dimension) => self.map_of_kind(call, MapKind::Local(dimension), given),
            Primitive::MapSeqSlide => self.with_data(call, given, Self::map_seq_slide),
            Primitive::Reduce => self.reduce_of_kind(call, ReduceKind::Unspecified, given),
            Primitive::ReduceSeq => self.reduce_of_kind(call, ReduceKind::Sequential, given),
            Primitive::ReduceSeqPipelined => self.reduce_of_kind(call, ReduceKind::Pipelined, given),
            Primitive::ReduceGlb => self.reduce_of_kind(call, ReduceKind::Global, given),
            Primitive::ReduceLcl => self.reduce_of_kind(call, ReduceKind::Local, given),
            Primitive::ReduceSeqUnroll => self.reduce_of_kind(call, ReduceKind::Unrolled, given),
            Primitive::ReduceWhile => self.with_data(call, given, Self::reduce_while),
            Primitive::IterateWhile => self.with_data(call, given, Self::iterate_while),
            Primitive::Scan => self.scan_of_kind(call, ScanKind::Exclusive, given),
            Primitive::ScanSeq => self.scan_of_kind(call, ScanKind::ExclusiveSequential, given),
            Primitive::ScanInclusive => self.with_data(call, given, Self::scan_inclusive),
            Primitive::Iterate => self.with_data(call, given, Self::iterate),
            Primitive::Gather => self.with_data(call, given, Self::gather),
            Primitive::Scatter => self.with_data(call, given, Self::scatter),
            Primitive::Split => self.with_data(call, given, Self::split),
            Primitive::Chunks => self.with_data(call, given, Self::chunks),
            Primitive::Partition => self.with_data(call, given, Self::partition),
            Primitive::Join => self.with_data_alone(call, given, Self::join),
            Primitive::Transpose => self.with_data_alone(call, given, Self::transpose),
            Primitive::Deinterleave => self.with_data(call, given, Self::deinterleave),
            Primitive::Interleave => self.with_data_alone(call, given, Self::interleave),
            Primitive::AsVector => self.with_data(call, given, Self::as_vector),
            Primitive::AsScalar => self.with_data_alone(call, given, Self::as_scalar),
            Primitive::Slide => self.with_data(call, given, Self::slide),
            Primitive::Pad => self.with_data(call, given, Self::pad),
            Primitive::PadConstant => self.with_data(call, given, Self::pad_constant),
            Primitive::Slice => self.with_data(call, given, Self::slice),
            Primitive::Increase => self.with_data(call, given, Self::increase),
            Primitive::Len => {
                self.with_data_alone(call, given, |this, call, data| this.length_of(call, &data))
            }
            Primitive::At => self.with_data(call, given, Self::at),
            Primitive::Update => self.with_data(call, given, Self::update),
            Primitive::ReduceByKey => self.with_data(call, given, Self::reduce_by_key),
            Primitive::Segments => self.with_data(call, given, Self::segments),
            Primitive::ReduceSegments => self.with_data(call, given, Self::reduce_segments),
            Primitive::Histogram => self.with_data(call, given, Self::histogram),
            Primitive::Enumerate | Primitive::Filter => self.with_data(call, given, Self::numbered),
            Primitive::ArgMin | Primitive::ArgMax => self.with_data(call, given, Self::position_of_extreme),
            Primitive::ScatterTo => self.with_data(call, given, Self::scatter_to),
            Primitive::Sort | Primitive::ArgSort => self.with_data(call, given, Self::in_order),
            Primitive::AtOr => self.with_data(call, given, Self::at_or),
            Primitive::Head => self.with_data_alone(call, given, Self::head),
            Primitive::Last => self.with_data_alone(call, given, Self::last),
            Primitive::Repeat => self.with_data(call, given, Self::repeat),
            Primitive::Get => self.with_data(call, given, Self::get),
            Primitive::Unzip => self.with_data_alone(call, given, Self::unzip),
            Primitive::Store => self.with_data_alone(call, given, Self::stored),
            Primitive::ToGlobal => self.stored_in(call, AddressSpace::Global, given),
            Primitive::ToLocal => self.stored_in(call, AddressSpace::Local, given),
            Primitive::ToPrivate => self.stored_in(call, AddressSpace::Private, given),

            // The data is typed first, and the definition in the prelude is the rule.
            Primitive::MapNested(_)
            | Primitive::Reverse
            | Primitive::SlideNested(_)
            | Primitive::Slide2d
            | Primitive::PadNested(_)
            | Primitive::Pad2d
            | Primitive::PadConstantNested(_)
            | Primitive::Increase2d
            | Primitive::DotProduct
            | Primitive::SortBy
            | Primitive::TopK
            | Primitive::Tile
            | Primitive::Untile => self.with_data(call, given, Self::derived_call),
        }
    }

    /// Types the arguments of a primitive that takes any number of values.
    fn with_values(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        rule: impl FnOnce(&mut Self, &Call, Vec<typed::Expr>) -> typed::Expr,
    ) -> typed::Expr {
        if given.len() < 2 {
            self.report_mistakes_in(given);
            let name = self.written_name(call);
            return self.fail(Error::new(call.source, CallMistake::TooFew { name, row: call.row }));
        }
        let values = given.into_iter().map(|argument| self.argument_value(argument)).collect();
        rule(self, call, values)
    }

    /// Types the data of a call, its last argument, before the rule looks at the others.
    fn with_data(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        rule: impl FnOnce(&mut Self, &Call, Vec<Argument<'a>>, typed::Expr) -> typed::Expr,
    ) -> typed::Expr {
        match given.pop().and_then(|data| self.data(call, data)) {
            Some(data) => rule(self, call, given, data),
            None => self.mistake(call.source),
        }
    }

    /// The same for a primitive that takes nothing but data.
    fn with_data_alone(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        rule: impl FnOnce(&mut Self, &Call, typed::Expr) -> typed::Expr,
    ) -> typed::Expr {
        self.with_data(call, given, |this, call, _, data| rule(this, call, data))
    }

    fn map_of_kind(&mut self, call: &Call, kind: MapKind, given: Vec<Argument<'a>>) -> typed::Expr {
        self.with_data(call, given, |this, call, given, data| this.map(call, kind, given, data))
    }

    fn reduce_of_kind(&mut self, call: &Call, kind: ReduceKind, given: Vec<Argument<'a>>) -> typed::Expr {
        self.with_data(call, given, |this, call, given, data| this.reduce(call, kind, given, data))
    }

    fn scan_of_kind(&mut self, call: &Call, kind: ScanKind, given: Vec<Argument<'a>>) -> typed::Expr {
        self.with_data(call, given, |this, call, given, data| this.scan(call, kind, given, data))
    }

    fn stored_in(&mut self, call: &Call, space: AddressSpace, given: Vec<Argument<'a>>) -> typed::Expr {
        self.with_data(call, given, |this, call, given, data| this.store(call, space, given, data))
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
