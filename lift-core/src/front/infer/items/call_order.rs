//! The order in which items are typed: callees before their callers.

use crate::front::infer::dependencies::{Order, dependencies_first};
use crate::front::infer::error::{Error, ProgramMistake};
use crate::front::infer::free_names::free_names;
use crate::front::syntax::Item;
use crate::ir::source::Source;

/// The items with callees before callers, and those that call themselves, which are reported.
pub(super) fn callees_first(items: &[Item], errors: &mut Vec<Error>) -> (Vec<usize>, Vec<usize>) {
    let calls: Vec<Vec<(usize, Source)>> = items.iter().map(|item| calls_of(item, items)).collect();
    let Order { order, cycles } = dependencies_first(&calls);
    let mut recursive = Vec::new();
    for (source, cycle) in cycles {
        let names = cycle.iter().filter_map(|position| items.get(*position));
        let names = names.map(|item| item.name.name.clone()).collect();
        errors.push(Error::new(source, ProgramMistake::Recursion(names)));
        recursive.extend(cycle);
    }
    (order, recursive)
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
