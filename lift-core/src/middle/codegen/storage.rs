//! Buffers for values that must be stored.

use super::error::{Error, FixedMemory, Problem, Purpose};
use super::generator::{Around, Generated, Generator};
use super::values::value_in;
use crate::ir::kernel::{BufferRole, Statement, Workers};
use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, is_natural};
use crate::ir::types::{ArrayType, Type};
use crate::middle::lower::is_shared_work;
use crate::middle::memory::{Room, space_of, stated_space};
use crate::middle::view::{Environment, Storage, Value};

/// The largest private array of a work-item if the user states no memory. Larger ones lie in global memory.
const LARGEST_PRIVATE_ARRAY: i128 = 1024;

impl Generator<'_> {
    /// Stores a value, and returns the stored one. The memory is the one that the user states, or follows
    /// from who computes the value.
    pub(super) fn materialise(&mut self, expr: &Expr, environment: &Environment) -> Generated<Value> {
        self.materialise_in(self.space_for(expr), expr, environment)
    }

    /// The memory for a value that must be stored here. A private array that is too large lies in global
    /// memory instead. Inside a work-group that is so only for arrays of unknown length: work-items of a
    /// group divide an array of known length (`device::passes::privatisation`).
    pub(super) fn space_for(&self, expr: &Expr) -> AddressSpace {
        let space = space_of(expr);
        if space != AddressSpace::Private || stated_space(expr).is_some() {
            return space;
        }
        let fits = if self.in_group() { self.room_of(expr).is_some() } else { self.fits_registers(expr) };
        if fits { AddressSpace::Private } else { AddressSpace::Global }
    }

    /// Whether an array is known to be small enough for the private memory of a work-item.
    pub(super) fn fits_registers(&self, expr: &Expr) -> bool {
        self.room_of(expr).is_some_and(|count| count <= LARGEST_PRIVATE_ARRAY)
    }

    /// The number of elements that are allocated for a value, if it is known.
    fn room_of(&self, expr: &Expr) -> Option<i128> {
        let room = self.room_for(&expr.ty)?;
        self.ranges.simplify(&elements_in(&room)).as_constant()
    }

    /// Stores a value in a memory, and returns the stored one.
    pub(super) fn materialise_in(
        &mut self,
        space: AddressSpace,
        expr: &Expr,
        environment: &Environment,
    ) -> Generated<Value> {
        if space == AddressSpace::Private && expr.ty.is_element() {
            let value = self.value(expr, environment)?;
            return Ok(self.keep(value, "value"));
        }
        self.check_space(space, expr)?;
        let name = self.array_name.take().unwrap_or_else(|| default_name(space).into());
        let stored = match space {
            AddressSpace::Local | AddressSpace::Private => self.with_fixed_rows(&expr.ty),
            AddressSpace::Global => expr.ty.clone(),
        };
        let room = self.room(&stored, expr.source)?;
        let storage = self.storage_of_worker(space, &name, &room, expr, &stored)?;
        let place = value_in(&storage, &stored);
        self.write(expr, environment, &place)?;
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(expr.source)?;
        }
        Ok(place)
    }

    /// Makes buffers with room for a value of this type for each worker that shares the memory. Returns the
    /// part of the current worker, in which the value of `expr` lies as one of the type `stored`.
    pub(super) fn storage_of_worker(
        &mut self,
        space: AddressSpace,
        name: &str,
        room: &Type,
        expr: &Expr,
        stored: &Type,
    ) -> Generated<Storage> {
        let frames = self.frames_that_share(space);
        let ty = frames.iter().rev().try_fold(room.clone(), |ty, frame| {
            let extent = self.largest(&frame.extent).ok_or_else(|| unknown_room(&expr.ty, expr.source))?;
            Ok(Type::array(ty, extent))
        })?;
        let mut storage = self.allocate(space, name, &ty, expr.source)?;
        if space == AddressSpace::Local {
            self.pad_rows(&storage, stored, &Room::of(expr), expr.source)?;
        }
        let mut rest = ty;
        for frame in &frames {
            let Type::Array(array) = &rest else { break };
            storage = storage.element(array, &Nat::variable(&frame.index));
            rest = array.element.clone();
        }
        Ok(storage)
    }

    /// The type of an array whose rows have room for the longest one that they can be, where that is a
    /// constant: the rows of a tile that the end of a matrix may cut off, and the elements that each work-item
    /// of a group keeps. The distance of rows is a constant then, as in a tile that is whole. Other types stay.
    fn with_fixed_rows(&self, ty: &Type) -> Type {
        match ty {
            Type::Array(array) => match fixed_element(array, &self.ranges) {
                Some(element) => Type::array(element, array.length.clone()),
                None => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// Adds the room that `increase` asks for to new buffers. A buffer may hold several copies of a value:
    /// one for each worker, and two where they change places.
    fn pad_rows(&mut self, storage: &Storage, stored: &Type, room: &Room, source: Source) -> Generated<()> {
        match storage {
            Storage::Buffer(id, _) => {
                let gaps = room.gaps(stored);
                let Some(buffer) = self.buffers.get_mut(id.0).filter(|_| !gaps.is_empty()) else {
                    return Ok(());
                };
                let room = gaps.iter().map(|gap| &gap.scalars * buffer.length.divide(&gap.every));
                let length =
                    room.fold(buffer.length.clone(), |length, room| length + longest(&room, &self.ranges));
                buffer.length = self.ranges.simplify(&length);
                if buffer.length.as_constant().is_none() {
                    let length = buffer.length.clone();
                    return Err(Error::new(source, Problem::OpenRoom { length }));
                }
                self.notes.gaps.insert(*id, gaps);
                Ok(())
            }
            Storage::Tuple(parts) => parts.iter().enumerate().try_for_each(|(position, part)| {
                let stored = stored.component(position);
                self.pad_rows(part, &stored, &room.component(position), source)
            }),
        }
    }

    /// A type with room for every value of this type, whatever the indices of the loops around are. Rows of
    /// different lengths that share a place in time, or that several work-items store at once, get room for
    /// the longest row.
    pub(super) fn room(&self, ty: &Type, source: Source) -> Generated<Type> {
        self.room_for(ty).ok_or_else(|| unknown_room(ty, source))
    }

    fn room_for(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Tuple(components) => {
                let components = components.iter().map(|component| self.room_for(component));
                Some(Type::Tuple(components.collect::<Option<_>>()?))
            }
            Type::Array(_) if !ty.variables().iter().all(|variable| self.is_size(variable)) => {
                let count = self.largest(&self.ranges.simplify(&ty.entry_count()))?;
                Some(Type::array(ty.innermost().clone(), count))
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => Some(ty.clone()),
        }
    }

    /// The largest value of a number of elements or iterations, for all indices of the loops around. `None`
    /// if it is not known.
    fn largest(&self, count: &Nat) -> Option<Nat> {
        if self.is_of_sizes(count) {
            return Some(count.clone());
        }
        let largest = self.ranges.upper_bound(count).filter(|largest| self.is_of_sizes(largest))?;
        // If a loop has no iterations, such a bound may be negative or undefined: `n - 1`, `pow(2, n - 1)`.
        // Then it counts as 0.
        if is_natural(&largest, &self.program.sizes) {
            return Some(largest);
        }
        let extents = self.around.iter().map(|frame| &frame.extent).chain(&self.launches);
        let extents = extents.filter(|extent| self.is_of_sizes(extent));
        let runs = extents.fold(Condition::from_truth(true), |runs, extent| {
            runs.and(Condition::Less(Nat::zero(), extent.clone()))
        });
        Some(Nat::select(&runs, &largest, &Nat::zero()))
    }

    pub(super) fn is_of_sizes(&self, value: &Nat) -> bool {
        value.variables().iter().all(|variable| self.is_size(variable))
    }

    /// Whether a variable is a size with one value for all launches.
    fn is_size(&self, variable: &Var) -> bool {
        !self.application_counters.contains(variable)
            && self.program.sizes.iter().any(|size| &size.variable == variable)
    }

    /// Whether the number of copies of a value that is stored in local memory here is known: one for each
    /// iteration of the loops around that work-items of the group share.
    pub(super) fn is_bounded_in_group(&self) -> bool {
        let frames = self.frames_that_share(AddressSpace::Local);
        frames.iter().all(|frame| frame.extent.as_constant().is_some())
    }

    fn in_group(&self) -> bool {
        self.around.iter().any(|frame| matches!(frame.workers, Workers::WorkGroup(_)))
    }

    /// Returns an error if a memory cannot hold the value at this point of the program.
    pub(super) fn check_space(&self, space: AddressSpace, expr: &Expr) -> Generated<()> {
        let in_group = self.in_group();
        let is_shared = is_shared_work(expr);
        match space {
            AddressSpace::Local if !in_group => Err(Error::new(expr.source, Problem::LocalOutsideGroup)),
            AddressSpace::Private if is_shared => Err(Error::new(expr.source, Problem::PrivateOfDevice)),
            AddressSpace::Global if is_shared && !self.around.is_empty() => {
                Err(Error::new(expr.source, Problem::GlobalInLoop))
            }
            AddressSpace::Local | AddressSpace::Private | AddressSpace::Global => Ok(()),
        }
    }

    /// The loops around whose iterations each need their own copy of a value in a memory, because several
    /// work-items share that memory.
    fn frames_that_share(&self, space: AddressSpace) -> Vec<Around> {
        let shares = |workers: Workers| match (space, workers) {
            (AddressSpace::Private, _) | (_, Workers::Sequential) => false,
            (AddressSpace::Local, Workers::Local(_)) => true,
            (AddressSpace::Local, Workers::WorkGroup(_) | Workers::Global(_)) => false,
            (AddressSpace::Global, Workers::Local(_) | Workers::WorkGroup(_) | Workers::Global(_)) => true,
        };
        self.around.iter().filter(|frame| shares(frame.workers)).cloned().collect()
    }

    /// Makes buffers for a value of a type: one for each scalar component.
    pub(super) fn allocate(
        &mut self,
        space: AddressSpace,
        wanted: &str,
        ty: &Type,
        source: Source,
    ) -> Generated<Storage> {
        match ty.innermost() {
            Type::Tuple(components) => {
                let parts = (0..components.len())
                    .map(|position| self.allocate(space, wanted, &ty.component(position), source))
                    .collect::<Generated<_>>()?;
                Ok(Storage::Tuple(parts))
            }
            Type::Scalar(element) | Type::Vector(element, _) => {
                self.allocate_buffer(space, wanted, *element, ty, source)
            }
            Type::Size => self.allocate_buffer(space, wanted, ScalarType::I64, ty, source),
            Type::Array(_) => Err(Error::new(source, Problem::NotStorable(ty.clone()))),
        }
    }

    fn allocate_buffer(
        &mut self,
        space: AddressSpace,
        wanted: &str,
        element: ScalarType,
        ty: &Type,
        source: Source,
    ) -> Generated<Storage> {
        let ty = &self.room(ty, source)?;
        let length = match space {
            // The launcher allocates it and does not know that the loops around have iterations. So the
            // length is simplified without that knowledge.
            AddressSpace::Global => self.sizes_known.simplify(&ty.element_count()),
            // Its length is part of the kernel: room for the largest number, if that is known.
            AddressSpace::Local | AddressSpace::Private => longest(&ty.element_count(), &self.ranges),
        };
        let role = match space {
            AddressSpace::Global => {
                let position = self.buffers.iter().filter(|buffer| buffer.role.temporary().is_some()).count();
                let own = self.around.iter().any(|frame| matches!(frame.workers, Workers::Global(_)));
                if own { BufferRole::Scratch(position) } else { BufferRole::Temporary(position) }
            }
            AddressSpace::Local => BufferRole::Local,
            AddressSpace::Private => BufferRole::Private,
        };
        if let Some(memory) = FixedMemory::of(space)
            && length.as_constant().is_none()
        {
            let purpose = Purpose::Value;
            return Err(Error::new(source, Problem::OpenLength { memory, length, purpose }));
        }
        let buffer = self.buffer(wanted, element, length, role);
        if space == AddressSpace::Private {
            self.notes.made_at.insert(buffer, source);
            self.block.push(Statement::DeclareBuffer(buffer));
        }
        Ok(Storage::Buffer(buffer, Nat::zero()))
    }
}

/// The largest value of a length for all sizes, where that is known; else the length.
fn longest(length: &Nat, known: &Ranges) -> Nat {
    let length = known.simplify(length);
    match known.constant_bounds(&length) {
        (_, Some(most)) => Nat::constant(most),
        (_, None) => length,
    }
}

/// The type of the elements of an array, with constants for the lengths of all arrays: each has room for the
/// longest one.
fn fixed_element(array: &ArrayType, known: &Ranges) -> Option<Type> {
    match &array.index {
        Some(index) => fixed(&array.element, &known.in_steps(index, Some(&array.length))),
        None => fixed(&array.element, known),
    }
}

fn fixed(ty: &Type, known: &Ranges) -> Option<Type> {
    match ty {
        Type::Array(array) => {
            let length = longest(&array.length, known);
            length.as_constant()?;
            Some(Type::array(fixed_element(array, known)?, length))
        }
        Type::Tuple(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size => Some(ty.clone()),
    }
}

fn unknown_room(ty: &Type, source: Source) -> Error {
    Error::new(source, Problem::LongestRow { ty: ty.clone(), purpose: Purpose::Value })
}

/// The name of a buffer for which the user has none.
fn default_name(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Global => "temporary",
        AddressSpace::Local => "tile",
        AddressSpace::Private => "block",
    }
}

/// The number of elements in all arrays of a value, those that tuples hold among them.
fn elements_in(ty: &Type) -> Nat {
    match ty {
        Type::Tuple(components) if !ty.is_element() => {
            components.iter().map(elements_in).fold(Nat::zero(), |sum, count| sum + count)
        }
        Type::Array(array) if array.index.is_none() => elements_in(&array.element) * &array.length,
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
            ty.element_count()
        }
    }
}
