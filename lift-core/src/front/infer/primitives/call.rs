//! The call of a primitive: its data and its other arguments as the rules need them, and how messages write
//! it.

use std::sync::Arc;

use crate::front::infer::environment::{Argument, Binding, Elaborated, Function};
use crate::front::infer::error::{ArrayMistake, CallMistake, Error, Meant};
use crate::front::infer::inference::Inference;
use crate::front::infer::unknowns::ArrayView;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::Row;
use crate::ir::source::Source;
use crate::ir::typed::result::Mismatch;
use crate::ir::typed::{self, ExprKind, Layout};
use crate::ir::types::{ArrayType, Type};

/// A saturated call of a primitive.
pub(in crate::front::infer) struct Call {
    /// Its row.
    pub(in crate::front::infer) row: &'static Row,
    /// Where it stands.
    pub(in crate::front::infer) source: Source,
}

impl<'a> Inference<'a> {
    /// The name of the primitive that the user wrote. For a call in the prelude, that is the derived
    /// primitive.
    pub(in crate::front::infer) fn written_name(&self, call: &Call) -> &'static str {
        match self.derived.last() {
            Some(derivation) if call.source == Source::UNKNOWN => derivation.name,
            Some(_) | None => call.row.name,
        }
    }

    /// The data of a call. `None` after a mistake that makes the other arguments meaningless.
    pub(super) fn data(&mut self, call: &Call, data: Argument<'a>) -> Option<typed::Expr> {
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

    /// The data of a call as an array. `None` after a mistake.
    pub(in crate::front::infer) fn array(
        &mut self,
        call: &Call,
        data: &typed::Expr,
    ) -> Option<Arc<ArrayType>> {
        match self.as_array(&data.ty) {
            ArrayView::Array(array) => {
                let length = self.simplified(&array.length);
                Some(Arc::new(ArrayType { length, ..array.as_ref().clone() }))
            }
            ArrayView::Mistake => None,
            ArrayView::Other => {
                let error = self.wrong_rank(call, data, 1);
                self.report(error);
                None
            }
        }
    }

    /// The data of a call as an array whose elements all have one type. `None` after a mistake.
    pub(in crate::front::infer) fn regular(
        &mut self,
        call: &Call,
        data: &typed::Expr,
    ) -> Option<(Type, Nat)> {
        let array = self.array(call, data)?;
        if array.index.is_none() {
            return Some((array.element.clone(), array.length.clone()));
        }
        let (name, ty) = (self.written_name(call), self.known(&data.ty));
        self.report(Error::new(call.source, ArrayMistake::Irregular { name, ty }));
        None
    }

    /// Elaborates the application of a function to the elements of an array. If their type depends on the
    /// position, or the function mentions it, this is done at a position of its own.
    pub(in crate::front::infer) fn at_position<T>(
        &mut self,
        array: &ArrayType,
        function: Function<'a>,
        elaborate: impl FnOnce(&mut Self, Option<Var>, Function<'a>, Type) -> T,
    ) -> T {
        let own = function.position().filter(|_| function.mentions_position());
        let own = own.map(|position| position.name.as_str());
        let Some(name) = own.or(array.index.as_ref().map(Var::name)) else {
            let (function, element) = (function.at(&Nat::zero()), array.element.clone());
            return self.for_elements(&array.length, |this| elaborate(this, None, function, element));
        };
        let index = self.unknowns.vars.fresh(name);
        let position = Nat::variable(&index);
        let (function, element) = (function.at(&position), array.element_at(&position));
        self.under_index(&index, &array.length, |this| {
            elaborate(this, Some(index.clone()), function, element)
        })
    }

    /// A layout of data, with everything that it needs of sizes.
    pub(super) fn layout(
        &mut self,
        call: &Call,
        written: &str,
        layout: Layout,
        array: &ArrayType,
        data: typed::Expr,
    ) -> typed::Expr {
        let ty = layout.result(array, &mut self.asked(written, call.source));
        self.layout_of_type(call, layout, ty, data)
    }

    /// A layout whose needs have been demanded.
    pub(super) fn satisfied_layout(
        &mut self,
        call: &Call,
        layout: Layout,
        array: &ArrayType,
        data: typed::Expr,
    ) -> typed::Expr {
        let name = self.written_name(call);
        let ty = layout.rearranged(array, &mut self.asked(name, call.source));
        self.layout_of_type(call, layout, ty, data)
    }

    fn layout_of_type(
        &mut self,
        call: &Call,
        layout: Layout,
        ty: Result<Type, Mismatch>,
        data: typed::Expr,
    ) -> typed::Expr {
        match ty {
            Ok(ty) => self.node(ExprKind::Layout(layout, Arc::new(data)), ty, call.source),
            Err(mismatch) => self.mismatched(call, &data, mismatch),
        }
    }

    /// What is said of data that a primitive cannot take.
    pub(super) fn mismatched(&mut self, call: &Call, data: &typed::Expr, mismatch: Mismatch) -> typed::Expr {
        let (name, ty) = (self.written_name(call), self.known(&data.ty));
        let mistake = match mismatch {
            // It was reported where it was demanded.
            Mismatch::Refuted(_) => return self.mistake(call.source),
            Mismatch::Columns { row, length } => ArrayMistake::Columns { name, row, ty, length },
            Mismatch::Joined(_) => ArrayMistake::Joined { ty },
            Mismatch::NotInTurn { row, length } => ArrayMistake::Interleaved { ty, row, length },
            Mismatch::Irregular(_) => ArrayMistake::Irregular { name, ty },
            // Anything else about the data was found out before the typing rule was asked.
            Mismatch::NoArray(_)
            | Mismatch::Types { .. }
            | Mismatch::Sizes(..)
            | Mismatch::Outside { .. }
            | Mismatch::NeverInside(_)
            | Mismatch::Collision { .. }
            | Mismatch::Kind { .. }
            | Mismatch::Count { .. }
            | Mismatch::NoComponent { .. }
            | Mismatch::Width(_)
            | Mismatch::NoFunction(_)
            | Mismatch::NoIndex => {
                let error = self.wrong_rank(call, data, 1);
                return self.fail(error);
            }
        };
        self.fail(Error::new(call.source, mistake))
    }

    /// The type of the elements below `rank` dimensions, and the lengths of these, outermost first. Inner
    /// lengths may mention positions. `None` after a mistake.
    pub(in crate::front::infer) fn dimensions(
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

    /// The arguments of a call as sizes. `None` after a mistake.
    pub(super) fn sizes(&mut self, call: &Call, given: Vec<Argument<'a>>) -> Option<Vec<Nat>> {
        let name = self.written_name(call).to_owned();
        let sizes: Vec<Option<Nat>> =
            given.into_iter().map(|argument| self.natural_argument(argument, &name)).collect();
        sizes.into_iter().collect()
    }

    /// The call as messages write it: `split(4)`; inside a derived primitive, the derived call.
    pub(in crate::front::infer) fn written_call(&self, call: &Call, arguments: &[String]) -> String {
        match self.derived.last() {
            Some(derivation) if call.source == Source::UNKNOWN => derivation.call.clone(),
            Some(_) | None => written_call(call.row.name, arguments),
        }
    }
}

/// `name(arguments)`
pub(in crate::front::infer) fn written_call(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(", ")) }
}

/// An argument that is no size, as messages write it.
pub(in crate::front::infer) fn spelled(argument: &Argument<'_>) -> String {
    match argument {
        Argument::Syntax(Expr { kind: Syntax::Name(name), .. }, names) => match names.get(name) {
            Some(Binding::Alias(aliased)) => spelled(aliased),
            Some(_) | None => name.clone(),
        },
        Argument::Syntax(..) | Argument::Elaborated(_) => "…".to_owned(),
    }
}
