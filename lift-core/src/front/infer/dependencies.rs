//! The order in which things are done that need each other.

use crate::ir::source::Source;

/// An order of things by their positions.
pub(super) struct Order {
    /// All positions, what is needed before what needs it.
    pub(super) order: Vec<usize>,
    /// Circles of things that need the next one, each with the place of the use that closes it.
    pub(super) cycles: Vec<(Source, Vec<usize>)>,
}

/// The order of things, given what each of them uses, and where.
pub(super) fn dependencies_first(uses: &[Vec<(usize, Source)>]) -> Order {
    let mut walk = Walk { uses, path: Vec::new(), found: Order { order: Vec::new(), cycles: Vec::new() } };
    for position in 0..uses.len() {
        walk.visit(position);
    }
    walk.found
}

struct Walk<'u> {
    uses: &'u [Vec<(usize, Source)>],
    path: Vec<usize>,
    found: Order,
}

impl Walk<'_> {
    fn visit(&mut self, position: usize) {
        if self.found.order.contains(&position) {
            return;
        }
        self.path.push(position);
        for (used, source) in self.uses.get(position).into_iter().flatten() {
            match self.path.iter().position(|on_path| on_path == used) {
                Some(start) => {
                    let cycle = self.path.iter().skip(start).copied().collect();
                    self.found.cycles.push((*source, cycle));
                }
                None => self.visit(*used),
            }
        }
        self.path.pop();
        self.found.order.push(position);
    }
}
