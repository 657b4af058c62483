//! Parts of the indices in kernel code: which there are, and names in their place.

use std::cell::RefCell;
use std::sync::Arc;

use crate::flat::FlatMap;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, BufferId, Expression, Statement, Stored, ValueType};
use crate::ir::names::Fresh;
use crate::ir::nat::{Memo, Nat, Var};

/// Takes an index apart.
type OfIndex<'s> = dyn Fn(&Nat) -> Vec<Nat> + 's;

/// Takes indices apart into the parts of some kind, each index only once.
pub(super) struct Parts<'s> {
    of_index: Box<OfIndex<'s>>,
    known: RefCell<Memo<Nat, Arc<[Nat]>>>,
}

impl<'s> Parts<'s> {
    pub(super) fn new(of_index: impl Fn(&Nat) -> Vec<Nat> + 's) -> Parts<'s> {
        Parts { of_index: Box::new(of_index), known: RefCell::default() }
    }

    fn of(&self, index: &Nat) -> Arc<[Nat]> {
        let mut known = self.known.borrow_mut();
        let parts = known.get_or_insert_with(index, || (self.of_index)(index).into());
        parts.clone()
    }
}

/// A fresh variable for a part of an index into a buffer.
pub(super) fn named_for(buffer: BufferId, buffers: &[Buffer], fresh: &mut Fresh) -> Var {
    let name = buffers.get(buffer.0).map_or("index", |buffer| &*buffer.name);
    fresh.index(&format!("{name}_at"))
}

/// Counts the parts of the indices in a statement.
pub(super) struct Uses<'s> {
    parts: &'s Parts<'s>,
    /// How often each part was found, and a buffer into which an index with it goes.
    pub(super) found: FlatMap<Nat, (usize, BufferId)>,
}

impl<'s> Uses<'s> {
    pub(super) fn new(parts: &'s Parts<'s>) -> Uses<'s> {
        Uses { parts, found: FlatMap::new() }
    }

    /// Counts what is loaded before what is stored.
    pub(super) fn statement(&mut self, statement: &Statement) {
        statement.each_part(&mut |part| {
            if let Expression::Load(buffer, index, _) = part {
                self.count(*buffer, index);
            }
        });
        if let Some(Stored { buffer, index, .. }) = statement.stored() {
            self.count(buffer, index);
        }
    }

    fn count(&mut self, buffer: BufferId, index: &Nat) {
        for part in self.parts.of(index).iter() {
            self.found.get_or_insert_with(part.clone(), || (0, buffer)).0 += 1;
        }
    }
}

/// Replaces parts that have names by these.
pub(super) struct Named<'s> {
    parts: &'s Parts<'s>,
    /// The names.
    pub(super) variables: FlatMap<Nat, Var>,
}

impl<'s> Named<'s> {
    pub(super) fn new(parts: &'s Parts<'s>) -> Named<'s> {
        Named { parts, variables: FlatMap::new() }
    }

    fn index(&self, index: Nat) -> Nat {
        let parts = self.parts.of(&index);
        let known = parts.iter().filter_map(|part| Some((part, self.variables.get(part)?)));
        known.fold(index.clone(), |index, (part, variable)| index - part + Nat::variable(variable))
    }
}

impl Fold for Named<'_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.index(index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.index(index), value)
    }
}
