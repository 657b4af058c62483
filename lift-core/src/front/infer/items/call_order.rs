//! The order in which items are typed: callees before their callers.

use crate::front::infer::error::{Error, ProgramMistake};
use crate::front::infer::free_names::free_names;
use crate::front::syntax::Item;
use crate::ir::source::Source;

/// The items with callees before callers, and those that call themselves, which are reported.
pub(super) fn callees_first(items: &[Item], errors: &mut Vec<Error>) -> (Vec<usize>, Vec<usize>) {
    let calls: Vec<Vec<(usize, Source)>> = items.iter().map(|item| calls_of(item, items)).collect();
    let mut walk =
        CallWalk { items, calls: &calls, order: Vec::new(), path: Vec::new(), recursive: Vec::new() };
    for position in 0..items.len() {
        walk.visit(position, errors);
    }
    (walk.order, walk.recursive)
}

fn calls_of(item: &Item, items: &[Item]) -> Vec<(usize, Source)> {
    let bound: Vec<&str> = item.parameters.iter().map(|parameter| parameter.name.name.as_str()).collect();
    free_names(&item.body, &bound)
        .into_iter()
        .filter_map(|(name, source)| {
            items.iter().position(|item| item.name.name == name).map(|callee| (callee, source))
        })
        .collect()
}

struct CallWalk<'s> {
    items: &'s [Item],
    calls: &'s [Vec<(usize, Source)>],
    order: Vec<usize>,
    path: Vec<usize>,
    recursive: Vec<usize>,
}

impl CallWalk<'_> {
    fn visit(&mut self, position: usize, errors: &mut Vec<Error>) {
        if self.order.contains(&position) {
            return;
        }
        self.path.push(position);
        for (callee, source) in self.calls.get(position).into_iter().flatten() {
            match self.path.iter().position(|on_path| on_path == callee) {
                Some(start) => {
                    let cycle: Vec<usize> = self.path.iter().skip(start).copied().collect();
                    errors.push(Error::new(*source, self.recursion(&cycle)));
                    self.recursive.extend(cycle);
                }
                None => self.visit(*callee, errors),
            }
        }
        self.path.pop();
        self.order.push(position);
    }

    fn recursion(&self, cycle: &[usize]) -> ProgramMistake {
        let items = cycle.iter().filter_map(|position| self.items.get(*position));
        ProgramMistake::Recursion(items.map(|item| item.name.name.clone()).collect())
    }
}
