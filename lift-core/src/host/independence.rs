//! Whether the iterations of a loop depend on each other.

use crate::flat::FlatSet;
use crate::ir::kernel::accesses::computed_indices;
use crate::ir::kernel::accesses::{Accesses, coefficient};
use crate::ir::kernel::{self, BufferId, Loop, Statement, Workers, Writes};

/// Whether the iterations of a loop are independent: the loop says so, or no iteration reads what another one
/// writes and no two write the same element.
pub(super) fn is_independent(repetition: &Loop) -> bool {
    let body = &repetition.body;
    let writes = Writes::of(body);
    if !writes.assigns_only_its_own() || has_parallel_loops(body) {
        return false;
    }
    repetition.workers != Workers::Sequential
        || writes_elements_of_its_own(repetition, &writes.declared_buffers)
}

/// Whether every iteration writes only elements that no other iteration accesses: one of each array, at a
/// position that is a linear function of the iteration.
fn writes_elements_of_its_own(repetition: &Loop, own: &FlatSet<BufferId>) -> bool {
    let accesses = Accesses::of(&repetition.body);
    let loaded = accesses.loaded();
    let computed = computed_indices(&repetition.body);
    let mut written = FlatSet::new();
    accesses.stores.iter().filter(|store| !own.contains(&store.buffer)).all(|store| {
        let is_only_access = written.insert(store.buffer) && !loaded.contains(&store.buffer);
        let is_one_element = store.depth == 0 && store.ty.lanes == 1;
        is_only_access
            && is_one_element
            && !computed.iter().any(|index| store.index.mentions(index))
            && coefficient(&store.index, &repetition.index).is_some_and(|coefficient| coefficient != 0)
    })
}

fn has_parallel_loops(body: &[Statement]) -> bool {
    kernel::any(
        body,
        &mut |statement| matches!(statement, Statement::Loop(inner) if inner.workers != Workers::Sequential),
    )
}
