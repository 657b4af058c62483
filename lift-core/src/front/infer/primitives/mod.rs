//! A typing rule for every primitive.
//!
//! A call is saturated here. Its data is elaborated first, so that a function argument finds the types of its
//! parameters known.

use std::rc::Rc;

use super::Inference;
use super::environment::{Argument, Binding, Elaborated};
use super::error::{ArrayMistake, CallMistake, Error, Meant};
use super::unknowns::ArrayView;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::{Primitive, Row};
use crate::ir::source::Source;
use crate::ir::typed::{self, AddressSpace, MapKind, ReduceKind, ScanKind};
use crate::ir::types::{ArrayType, Type};

mod algorithmic;
mod border;
mod element;
mod index;
mod iterate;
mod layout;
mod partition;
mod permutation;
mod prefix;
mod sequence;
mod vector;

pub(super) use index::mentions_only;
pub(super) use permutation::enumerated;
pub(super) use sequence::position_name;

/// A saturated call of a primitive.
pub(super) struct Call {
    /// Its row.
    pub(super) row: &'static Row,
    /// Where it stands.
    pub(super) source: Source,
}

impl<'a> Inference<'a> {
    /// A primitive with all its arguments.
    pub(super) fn primitive(
        &mut self,
        row: &'static Row,
        mut given: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        let call = Call { row, source };
        if super::head::is_variadic(row.arguments) {
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

    /// The data of a call. None after a mistake that makes the other arguments meaningless.
    fn data(&mut self, call: &Call, data: Argument<'a>) -> Option<typed::Expr> {
        match self.argument(data) {
            Elaborated::Value(value) => Some(value),
            Elaborated::Function(function) => {
                if let Some(error) = self.incomplete(&function) {
                    self.report(error);
                    return None;
                }
                let meant = match function.given.as_slice() {
                    [] => self.meant_by(&self.callee(&function.head)),
                    [_, ..] => Meant::Function,
                };
                let (name, row) = (self.written_name(call), call.row);
                self.report(Error::new(function.source, CallMistake::FunctionAsData { name, row, meant }));
                None
            }
        }
    }

    /// The data of a call as an array. None after a mistake.
    pub(super) fn array(&mut self, call: &Call, data: &typed::Expr) -> Option<Rc<ArrayType>> {
        match self.as_array(&data.ty) {
            ArrayView::Array(array) => {
                let length = self.simplified(&array.length);
                Some(Rc::new(ArrayType { length, ..array.as_ref().clone() }))
            }
            ArrayView::Mistake => None,
            ArrayView::Other => {
                let error = self.wrong_rank(call, data, 1);
                self.report(error);
                None
            }
        }
    }

    /// The data of a call as an array whose elements all have one type. None after a mistake.
    pub(super) fn regular(&mut self, call: &Call, data: &typed::Expr) -> Option<(Type, Nat)> {
        let array = self.array(call, data)?;
        if array.index.is_none() {
            return Some((array.element.clone(), array.length.clone()));
        }
        let (name, ty) = (self.written_name(call), self.known(&data.ty));
        self.report(Error::new(call.source, ArrayMistake::Irregular { name, ty }));
        None
    }

    /// Elaborates where an element of an array is known: at a position of its own where the elements differ.
    pub(super) fn at_position<T>(
        &mut self,
        array: &ArrayType,
        elaborate: impl FnOnce(&mut Self, Option<Var>, Type) -> T,
    ) -> T {
        match &array.index {
            None => elaborate(self, None, array.element.clone()),
            Some(named) => {
                let index = self.unknowns.vars.fresh(named.name());
                let element = array.element_at(&Nat::variable(&index));
                self.under_index(&index, &array.length, |this| elaborate(this, Some(index.clone()), element))
            }
        }
    }

    /// An array whose element at a position is that of another array at a position computed from it.
    pub(super) fn moved(&mut self, array: &ArrayType, length: &Nat, from: impl FnOnce(&Nat) -> Nat) -> Type {
        let length = self.simplified(length);
        let Some(named) = &array.index else { return Type::array(array.element.clone(), length) };
        let index = self.unknowns.vars.fresh(named.name());
        let element = array.element_at(&from(&Nat::variable(&index)));
        Type::array_at(&index, element, length)
    }

    /// The type of what a function gives at a position, as the elements of an array.
    pub(super) fn array_of_results(&self, index: Option<&Var>, element: &Type, length: Nat) -> Type {
        match index {
            Some(index) if self.unknowns.resolve(element).mentions(index) => {
                Type::array_at(index, self.unknowns.resolve(element), length)
            }
            Some(_) | None => Type::array(element.clone(), length),
        }
    }

    /// The type below `rank` dimensions and their lengths, outermost first; inner ones may mention positions. None after a
    /// mistake.
    pub(super) fn dimensions(
        &mut self,
        call: &Call,
        data: &typed::Expr,
        rank: usize,
    ) -> Option<(Type, Vec<Nat>)> {
        let mut lengths = Vec::new();
        let mut ty = data.ty.clone();
        for _ in 0..rank {
            match self.as_array(&ty) {
                ArrayView::Array(array) => {
                    lengths.push(self.simplified(&array.length));
                    ty = array.element.clone();
                }
                ArrayView::Mistake => return None,
                ArrayView::Other => {
                    let error = self.wrong_rank(call, data, rank);
                    self.report(error);
                    return None;
                }
            }
        }
        Some((ty, lengths))
    }

    fn wrong_rank(&self, call: &Call, data: &typed::Expr, rank: usize) -> Error {
        let (name, row, ty) = (self.written_name(call), call.row, self.known_roughly(&data.ty));
        let source = if rank == 1 { data.source } else { call.source };
        Error::new(source, CallMistake::Rank { name, row, rank, ty })
    }

    /// The sizes among the arguments of a call, by position. None after a mistake.
    fn sizes(&mut self, call: &Call, given: Vec<Argument<'a>>) -> Option<Vec<Nat>> {
        let name = self.written_name(call).to_owned();
        let sizes: Vec<Option<Nat>> =
            given.into_iter().map(|argument| self.natural_argument(argument, &name)).collect();
        sizes.into_iter().collect()
    }

    /// The call as messages write it: `split(4)`; inside a derived primitive, the derived call.
    fn written_call(&self, call: &Call, arguments: &[String]) -> String {
        match self.derived.last() {
            Some(derivation) if call.source == Source::UNKNOWN => derivation.call.clone(),
            Some(_) | None => written_call(call.row.name, arguments),
        }
    }
}

/// `name(arguments)`
pub(super) fn written_call(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(", ")) }
}

/// An argument that is no size, as messages write it.
pub(super) fn spelled(argument: &Argument<'_>) -> String {
    match argument {
        Argument::Syntax(Expr { kind: ExprKind::Name(name), .. }, names) => match names.get(name) {
            Some(Binding::Alias(aliased)) => spelled(aliased),
            Some(_) | None => name.clone(),
        },
        Argument::Syntax(..) | Argument::Elaborated(_) => "…".to_owned(),
    }
}
