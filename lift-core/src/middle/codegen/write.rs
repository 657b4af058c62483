//! How the elements of a result reach their destination.
//!
//! A destination is a value whose scalars are places in memory. It is seen through the inverses of the
//! layouts between the map that writes and the memory. So a `join` after a map changes where the map writes,
//! and nothing is copied. After a `slice`, an element outside of it has no place, and is not written
//! (predicated stores, as for Halide's `RoundUp`; Ragan-Kelley et al., PLDI 2013).

use std::sync::Arc;

use super::applications::Iterate;
use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::layouts::layout_view;
use super::reduce::Reduction;
use super::scan::Scan;
use super::sliding::sliding_window;
use super::values::{destination_view, nowhere, side_by_side};
use crate::ir::kernel::{Expression, Order, Statement, Workers};
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Layout, MapKind, Position};
use crate::ir::types::Type;
use crate::middle::lower::{Boundaries, is_producer, makes_arrays, writes_through};
use crate::middle::memory::workers_by_dimension;
use crate::middle::view::{Environment, Storage, Value, View};

/// The origin of loops that only copy: no primitive of the program.
pub(super) const COPY: &str = "";

impl Generator<'_> {
    /// Writes the value of an expression to a destination of the same type.
    pub(super) fn write(
        &mut self,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        match &expr.kind {
            ExprKind::Map(MapKind::Unspecified, function, input)
                if makes_arrays(input) && function.inverse_layout().is_some() =>
            {
                let Some(inverse) = function.inverse_layout() else {
                    return Err(Error::internal(source, "a layout lost its inverse"));
                };
                let view = destination_view(destination, source)?;
                let through = View::Mapped {
                    function: Arc::new(inverse),
                    environment: Environment::default(),
                    input: Arc::new(view.clone()),
                };
                self.write(input, environment, &Value::Array(through))
            }
            ExprKind::Map(kind, function, input) => {
                self.write_map(*kind, function, input, environment, expr, destination)
            }
            ExprKind::Layout(layout, input)
                if (is_producer(expr) || makes_arrays(input)) && writes_through(layout, input) =>
            {
                let view = destination_view(destination, source)?.clone();
                let through = match layout {
                    Layout::Slice { start, length } => View::PaddedConstant {
                        input: Arc::new(view),
                        length: length.clone(),
                        left: start.clone(),
                        value: Arc::new(nowhere(expr)?),
                    },
                    _ => match layout.inverse(&input.ty) {
                        Some(inverse) => layout_view(&inverse, view, &expr.ty, source)?,
                        None => return Err(Error::internal(source, "a layout lost its inverse")),
                    },
                };
                self.write(input, environment, &Value::Array(through))
            }
            ExprKind::Let { bindings, body } => {
                let environment = self.bound(bindings, body, environment)?;
                self.write(body, &environment, destination)
            }
            ExprKind::Zip(parts) if parts.iter().any(|part| is_producer(part)) => {
                let view = destination_view(destination, source)?.clone();
                for (position, part) in parts.iter().enumerate() {
                    let component = View::Component(Arc::new(view.clone()), position);
                    self.write(part, environment, &Value::Array(component))?;
                }
                Ok(())
            }
            // Each work-item writes the elements of the accumulator that it has computed.
            ExprKind::Reduce(kind, function, initial, input) if !expr.ty.is_element() => {
                let reduction = Reduction { kind: *kind, function, initial, input };
                if kind.sharing().is_some() {
                    return self.write_together(&reduction, expr, environment, destination);
                }
                if self.is_updated(&reduction) && self.may_be_updated_in(&reduction, destination) {
                    return self.write_by_updates(&reduction, destination, environment, source);
                }
                let value = self.value(expr, environment)?;
                self.copy_by(&workers_by_dimension(reduction.next()), &value, destination, &expr.ty, source)
            }
            ExprKind::Tuple(parts) => match destination {
                Value::Tuple(places) if places.len() == parts.len() => {
                    for (position, (part, place)) in parts.iter().zip(places).enumerate() {
                        self.end_kernel_between(parts, position)?;
                        self.write(part, environment, place)?;
                    }
                    Ok(())
                }
                _ => self.write_value(expr, environment, destination),
            },
            ExprKind::Unzip(input) => match side_by_side(destination) {
                Some(view) => self.write(input, environment, &Value::Array(view)),
                None => self.write_value(expr, environment, destination),
            },
            ExprKind::Store(Some(space), value) => {
                self.write_stored(*space, value, environment, destination, source)
            }
            // Writing it to its destination stores it.
            ExprKind::Store(None, value) => self.write(value, environment, destination),
            ExprKind::If(condition, then, otherwise) if !expr.ty.is_element() => {
                let chosen = condition.size_condition();
                let condition = self.scalar(condition, environment)?;
                let then = self.write_branch(chosen.as_ref(), then, environment, destination)?;
                let chosen = chosen.map(Condition::negate);
                let otherwise = self.write_branch(chosen.as_ref(), otherwise, environment, destination)?;
                self.block.push(Statement::If(condition, then, otherwise));
                Ok(())
            }
            ExprKind::Concat(parts) => {
                let view = Arc::new(destination_view(destination, source)?.clone());
                let mut offset = Nat::zero();
                for (position, part) in parts.iter().enumerate() {
                    self.end_kernel_between(parts, position)?;
                    let place = View::Shifted { input: view.clone(), offset: offset.clone() };
                    self.write(part, environment, &Value::Array(place))?;
                    offset = offset + part.ty.as_array().map_or(Nat::zero(), |array| array.length.clone());
                }
                Ok(())
            }
            ExprKind::Scan(kind, function, initial, input) => {
                let scan = Scan { kind: *kind, function, initial, input };
                self.write_scan(&scan, expr, environment, destination)
            }
            ExprKind::EndUnless(..) => Err(Error::internal(source, "the end of an `iterate` outside of one")),
            ExprKind::Iterate(count, function, input) => {
                self.write_iterated(&Iterate { count, function, input }, expr, environment, destination)
            }
            // The only element of an array that the device computes: the array is written to the destination
            // of the element.
            ExprKind::At(Position::Size(_), input) if is_producer(input) && has_one_element(&input.ty) => {
                let view = View::Constant(Arc::new(destination.clone()));
                self.write(input, environment, &Value::Array(view))
            }
            ExprKind::ArrayLiteral(elements) => {
                let view = destination_view(destination, source)?.clone();
                for (position, element) in elements.iter().enumerate() {
                    let place = self.access(&view, &Nat::constant(position as i128), source)?;
                    self.write(element, environment, &place)?;
                }
                Ok(())
            }
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Size(_)
            | ExprKind::Component(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::If(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_)
            | ExprKind::Lanewise(..)
            | ExprKind::Reduce(..)
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::At(..)
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..)
            | ExprKind::PadConstant { .. } => self.write_value(expr, environment, destination),
        }
    }

    /// Writes a branch of a choice between arrays, where a condition may hold that compares sizes.
    fn write_branch(
        &mut self,
        chosen: Option<&Condition>,
        branch: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<Vec<Statement>> {
        let outside = self.ranges.clone();
        if let Some(chosen) = chosen {
            self.ranges = self.ranges.with_assumed(chosen);
        }
        let written = self.in_block(|generator| generator.write(branch, environment, destination));
        self.ranges = outside;
        Ok(written?.0)
    }

    /// Ends the kernel between parts of a result that cannot share one: see [`Boundaries::lie_between`].
    fn end_kernel_between(&mut self, parts: &[Arc<Expr>], position: usize) -> Generated<()> {
        let is_outside = self.around.is_empty() && self.open_blocks == 0;
        match parts.get(position) {
            Some(part) if position > 0 && is_outside && Boundaries::of(self.program).lie_between(parts) => {
                self.finish_kernel(part.source)
            }
            _ => Ok(()),
        }
    }

    fn write_map(
        &mut self,
        kind: MapKind,
        function: &Lambda,
        input: &Expr,
        environment: &Environment,
        expr: &Expr,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        let Some(array) = expr.ty.as_array() else {
            return Err(Error::internal(source, "a map of a scalar"));
        };
        if kind == MapKind::Sliding
            && let Some((window, elements)) = sliding_window(function, input)
        {
            return self.write_sliding(window, function, elements, environment, expr, destination);
        }
        let input = self.view(input, environment)?;
        let view = destination_view(destination, source)?.clone();
        let (workers, origin) = workers_of(kind);
        let iteration = |generator: &mut Self, index: Nat| {
            let element = generator.access(&input, &index, source)?;
            let function = generator.positioned(function, &index)?;
            let environment = generator.bind(&function, vec![element], environment, source)?;
            let place = generator.access(&view, &index, source)?;
            generator.write(&function.body, &environment, &place)
        };
        if kind == MapKind::Unrolled {
            return self.unrolled(&array.length, "mapSeqUnroll", source, iteration);
        }
        match workers {
            Workers::Sequential => self.in_loop_over(
                &[&input, &view],
                &array.length,
                Order::Stated,
                (&origin, source),
                iteration,
            ),
            Workers::Global(_) | Workers::WorkGroup(_) | Workers::Local(_) => {
                self.in_loop(workers, &array.length, &origin, source, iteration)
            }
        }
    }

    /// Evaluates an expression and copies its value.
    fn write_value(&mut self, expr: &Expr, environment: &Environment, destination: &Value) -> Generated<()> {
        let value = self.value(expr, environment)?;
        self.copy(&value, destination, &expr.ty, expr.source)
    }

    /// Writes a value that the user stores in a stated memory. If the destination lies there, it is written
    /// directly; otherwise it is stored first and then copied.
    fn write_stored(
        &mut self,
        space: AddressSpace,
        value: &Expr,
        environment: &Environment,
        destination: &Value,
        source: Source,
    ) -> Generated<()> {
        let actual = self.space_of_place(destination);
        if actual == Some(space) || actual.is_none() {
            return self.write(value, environment, destination);
        }
        if space == AddressSpace::Global {
            return Err(Error::new(source, Problem::GlobalElsewhere));
        }
        if actual == Some(AddressSpace::Global) && value.ty.is_element() && space == AddressSpace::Local {
            return Err(Error::new(source, Problem::LocalResult));
        }
        let stored = self.materialise_in(space, value, environment)?;
        self.copy(&stored, destination, &value.ty, source)
    }

    /// The memory that a destination lies in.
    pub(super) fn space_of_place(&self, place: &Value) -> Option<AddressSpace> {
        match place {
            Value::Scalar(expression) => self.space_of_expression(expression),
            Value::Tuple(parts) => parts.iter().find_map(|part| self.space_of_place(part)),
            Value::Array(view) => self.space_of_view(view),
        }
    }

    fn space_of_expression(&self, place: &Expression) -> Option<AddressSpace> {
        match place {
            Expression::Load(buffer, _, _) => self.buffers.get(buffer.0).map(|buffer| buffer.space()),
            // A vector whose components are no neighbours in memory.
            Expression::Components(places) => places.iter().find_map(|place| self.space_of_expression(place)),
            // A choice between two places, or a component of a place.
            Expression::Component(place, _) | Expression::Select(_, place, _) => {
                self.space_of_expression(place)
            }
            _ => None,
        }
    }

    pub(super) fn space_of_view(&self, view: &View) -> Option<AddressSpace> {
        match view {
            View::Memory(storage, _) => self.space_of_storage(storage),
            _ => view.inputs().into_iter().find_map(|input| self.space_of_view(input)),
        }
    }

    fn space_of_storage(&self, storage: &Storage) -> Option<AddressSpace> {
        match storage {
            Storage::Buffer(buffer, _) => self.buffers.get(buffer.0).map(|buffer| buffer.space()),
            Storage::Tuple(parts) => parts.iter().find_map(|part| self.space_of_storage(part)),
        }
    }

    /// Copies a value to a destination; the outer dimensions are divided among these workers.
    pub(super) fn copy_by(
        &mut self,
        workers: &[Workers],
        value: &Value,
        destination: &Value,
        ty: &Type,
        source: Source,
    ) -> Generated<()> {
        match (workers.split_first(), ty, value, destination) {
            (Some((first, others)), Type::Array(array), Value::Array(from), Value::Array(to)) => self
                .in_loop(*first, &array.length, COPY, source, |generator, index| {
                    let element = generator.access(from, &index, source)?;
                    let place = generator.access(to, &index, source)?;
                    generator.copy_by(others, &element, &place, &array.element_at(&index), source)
                }),
            _ => self.copy(value, destination, ty, source),
        }
    }

    /// Copies a value to a destination, element by element, in the current work-item.
    pub(super) fn copy(
        &mut self,
        value: &Value,
        destination: &Value,
        ty: &Type,
        source: Source,
    ) -> Generated<()> {
        match (ty, value, destination) {
            (Type::Array(array), Value::Array(from), Value::Array(to)) => self.in_loop_over(
                &[from, to],
                &array.length,
                Order::Stated,
                (COPY, source),
                |generator, index| {
                    let element = generator.access(from, &index, source)?;
                    let place = generator.access(to, &index, source)?;
                    generator.copy(&element, &place, &array.element_at(&index), source)
                },
            ),
            (Type::Tuple(types), Value::Tuple(values), Value::Tuple(places)) if !ty.is_element() => {
                let parts = types.iter().zip(values).zip(places);
                parts.into_iter().try_for_each(|((ty, value), place)| self.copy(value, place, ty, source))
            }
            _ => self.assign(destination, value.clone(), source),
        }
    }
}

fn has_one_element(ty: &Type) -> bool {
    ty.as_array().is_some_and(|array| array.length.as_constant() == Some(1))
}

fn workers_of(kind: MapKind) -> (Workers, String) {
    match kind {
        MapKind::Unspecified => (Workers::Sequential, "map".to_string()),
        MapKind::Sequential => (Workers::Sequential, "mapSeq".to_string()),
        MapKind::Unrolled => (Workers::Sequential, "mapSeqUnroll".to_string()),
        MapKind::Sliding => (Workers::Sequential, "mapSeqSlide".to_string()),
        MapKind::Global(dimension) => (Workers::Global(dimension), format!("mapGlb{dimension}")),
        MapKind::WorkGroup(dimension) => (Workers::WorkGroup(dimension), format!("mapWrg{dimension}")),
        MapKind::Local(dimension) => (Workers::Local(dimension), format!("mapLcl{dimension}")),
    }
}
