//! Buffers for values that must be stored.

use super::error::{Error, FixedMemory, Problem, Purpose};
use super::generator::{Around, Generated, Generator};
use super::values::value_in;
use crate::ir::code::Gap;
use crate::ir::kernel::{BufferRole, Statement, Workers};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, MapKind, is_natural};
use crate::ir::types::Type;
use crate::middle::memory::{computed_by, gaps, space_of, stated_space};
use crate::middle::view::{Environment, Storage, Value};

/// The elements that a work-item may keep to itself where the user states no memory; larger arrays lie in global memory.
const LARGEST_PRIVATE_ARRAY: i128 = 1024;

impl Generator<'_> {
    /// Stores a value and gives the stored one: in the memory that the user states, or in the one that fits who
    /// computes it.
    pub(super) fn materialise(&mut self, expr: &Expr, environment: &Environment) -> Generated<Value> {
        self.materialise_in(self.space_for(expr), expr, environment)
    }

    /// The memory for a value that must be stored here. What a work-item would keep to itself lies in global memory where it is large, in
    /// a group where nobody knows how large: work-items of a group share a known length among them (`device::passes::privatisation`).
    pub(super) fn space_for(&self, expr: &Expr) -> AddressSpace {
        let space = space_of(expr);
        if space != AddressSpace::Private || stated_space(expr).is_some() {
            return space;
        }
        let fits = if self.in_group() { self.room_of(expr).is_some() } else { self.fits_registers(expr) };
        if fits { AddressSpace::Private } else { AddressSpace::Global }
    }

    /// Whether an array is small enough, for all that is known, for the private memory of a work-item.
    pub(super) fn fits_registers(&self, expr: &Expr) -> bool {
        self.room_of(expr).is_some_and(|count| count <= LARGEST_PRIVATE_ARRAY)
    }

    /// How many elements the room for a value has, where that is known.
    fn room_of(&self, expr: &Expr) -> Option<i128> {
        let room = self.room_for(&expr.ty)?;
        self.ranges.simplify(&room.element_count()).as_constant()
    }

    /// Stores a value in a memory and gives the stored one.
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
        let room = self.room(&expr.ty, expr.source)?;
        let storage = self.storage_of_worker(space, &name, &room, expr)?;
        let place = value_in(&storage, &expr.ty);
        self.write(expr, environment, &place)?;
        if self.around.is_empty() && space == AddressSpace::Global {
            self.finish_kernel(expr.source)?;
        }
        Ok(place)
    }

    /// New buffers with room for a value of this type for each of the workers that share the memory, and in them the place of
    /// the worker at hand.
    pub(super) fn storage_of_worker(
        &mut self,
        space: AddressSpace,
        name: &str,
        room: &Type,
        expr: &Expr,
    ) -> Generated<Storage> {
        let frames = self.frames_that_share(space);
        let ty = frames.iter().rev().try_fold(room.clone(), |ty, frame| {
            let extent = self.largest(&frame.extent).ok_or_else(|| unknown_room(&expr.ty, expr.source))?;
            Ok(Type::array(ty, extent))
        })?;
        let mut storage = self.allocate(space, name, &ty, expr.source)?;
        if space == AddressSpace::Local {
            self.pad_rows(&storage, &gaps(expr), expr.source)?;
        }
        let mut stored = ty;
        for frame in &frames {
            let Type::Array(array) = &stored else { break };
            storage = storage.element(array, &Nat::variable(&frame.index));
            stored = array.element.clone();
        }
        Ok(storage)
    }

    /// Makes room in new buffers.
    fn pad_rows(&mut self, storage: &Storage, gaps: &[Gap], source: Source) -> Generated<()> {
        match storage {
            Storage::Buffer(id, _) => {
                let Some(buffer) = self.buffers.get_mut(id.0).filter(|_| !gaps.is_empty()) else {
                    return Ok(());
                };
                let room = gaps.iter().map(|gap| &gap.scalars * buffer.length.divide(&gap.every));
                let length = room.fold(buffer.length.clone(), |length, room| length + room);
                buffer.length = self.ranges.simplify(&length);
                if buffer.length.as_constant().is_none() {
                    let length = buffer.length.clone();
                    return Err(Error::new(source, Problem::OpenRoom { length }));
                }
                self.notes.gaps.insert(*id, gaps.to_vec());
                Ok(())
            }
            Storage::Tuple(parts) => parts.iter().try_for_each(|part| self.pad_rows(part, gaps, source)),
        }
    }

    /// A type that has room for every value of this type, whatever the positions of the loops around are: rows of different
    /// lengths that are stored one after the other in time, or by several work-items at once, have room for the longest.
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

    /// The largest value of a number of elements or steps, at any position of the loops around; none where it is not known.
    fn largest(&self, count: &Nat) -> Option<Nat> {
        if self.is_of_sizes(count) {
            return Some(count.clone());
        }
        let largest = self.ranges.upper_bound(count).filter(|largest| self.is_of_sizes(largest))?;
        // A bound for the steps of a loop need not be a number of anything where the loop has none: `pow(2, n - 1)`, `n - 1`.
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

    /// Whether the whole launch has one value for it.
    fn is_size(&self, variable: &Var) -> bool {
        !self.application_counters.contains(variable)
            && self.program.sizes.iter().any(|size| &size.variable == variable)
    }

    /// Whether what is stored in local memory here is there a known number of times: once for each step of the loops around that the
    /// work-items of a group share.
    pub(super) fn is_bounded_in_group(&self) -> bool {
        let frames = self.frames_that_share(AddressSpace::Local);
        frames.iter().all(|frame| frame.extent.as_constant().is_some())
    }

    fn in_group(&self) -> bool {
        self.around.iter().any(|frame| matches!(frame.workers, Workers::WorkGroup(_)))
    }

    /// Refuses memories that cannot hold the value where it is computed.
    pub(super) fn check_space(&self, space: AddressSpace, expr: &Expr) -> Generated<()> {
        let in_group = self.in_group();
        let shared = computed_by(expr, |kind| matches!(kind, MapKind::WorkGroup(_) | MapKind::Global(_)));
        let by_device = computed_by(expr, |kind| matches!(kind, MapKind::WorkGroup(_) | MapKind::Global(_)));
        match space {
            AddressSpace::Local if !in_group => Err(Error::new(expr.source, Problem::LocalOutsideGroup)),
            AddressSpace::Private if shared => Err(Error::new(expr.source, Problem::PrivateOfDevice)),
            AddressSpace::Global if by_device && !self.around.is_empty() => {
                Err(Error::new(expr.source, Problem::GlobalInLoop))
            }
            AddressSpace::Local | AddressSpace::Private | AddressSpace::Global => Ok(()),
        }
    }

    /// The loops whose steps need their own copy of a value stored here: several work-items share the memory.
    fn frames_that_share(&self, space: AddressSpace) -> Vec<Around> {
        let shares = |workers: Workers| match (space, workers) {
            (AddressSpace::Private, _) | (_, Workers::Sequential) => false,
            (AddressSpace::Local, Workers::Local(_)) => true,
            (AddressSpace::Local, Workers::WorkGroup(_) | Workers::Global(_)) => false,
            (AddressSpace::Global, Workers::Local(_) | Workers::WorkGroup(_) | Workers::Global(_)) => true,
        };
        self.around.iter().filter(|frame| shares(frame.workers)).cloned().collect()
    }

    /// New buffers for a value of a type: one per scalar component.
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
            // It is allocated by the launch, where no loop says that it has steps.
            AddressSpace::Global => self.program.ranges().simplify(&ty.element_count()),
            AddressSpace::Local | AddressSpace::Private => self.ranges.simplify(&ty.element_count()),
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

fn unknown_room(ty: &Type, source: Source) -> Error {
    Error::new(source, Problem::LongestRow { ty: ty.clone(), purpose: Purpose::Value })
}

/// What a buffer is called that the user has no name for.
fn default_name(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Global => "temporary",
        AddressSpace::Local => "tile",
        AddressSpace::Private => "block",
    }
}
