//! Function items: kernels, and the user functions on scalars that they call.
//!
//! Callees are typed before their callers. A user function becomes a function of the program. A kernel is
//! inlined where another one calls it, and its size parameters are solved from the arguments.

use std::collections::BTreeMap;

use super::error::{Error, Finished, ProgramMistake};
use super::item_table::{ItemState, ItemTable};
use crate::front::syntax::Item;
use crate::ir::nat::Vars;
use crate::ir::typed::{Function, Program};

mod call;
mod call_order;
mod function;
mod kernel;
mod parameters;

use call_order::callees_first;
use function::{is_user_function, type_function};
use kernel::type_kernel;

/// What the function items of one `lift!` become.
#[derive(Debug, Clone, PartialEq)]
pub struct Items {
    /// The user functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in the order of the text.
    pub kernels: Vec<Program>,
}

/// Types function items, in any order.
pub(super) fn infer_items(items: &[Item]) -> Finished<Items> {
    let mut errors = repeated_names(items);
    let (order, recursive) = callees_first(items, &mut errors);
    let mut table = ItemTable { items, states: vec![ItemState::Failed; items.len()], functions: Vec::new() };
    let mut kernels = BTreeMap::new();
    let mut poisoned = false;
    let (mut next_id, mut vars) = (0, Vars::default());
    for position in order {
        let Some(item) = items.get(position) else { continue };
        if recursive.contains(&position) {
            continue;
        }
        let outcome = if is_user_function(item) {
            type_function(&table, item, &mut vars, &mut next_id).map(|function| {
                let state = ItemState::Function(table.functions.len(), function.body.ty.clone());
                table.functions.push(function);
                state
            })
        } else {
            type_kernel(&table, item, &mut vars, &mut next_id).map(|kernel| {
                kernels.insert(position, kernel);
                ItemState::Kernel
            })
        };
        match outcome {
            Ok(state) => {
                if let Some(place) = table.states.get_mut(position) {
                    *place = state;
                }
            }
            Err(found) => {
                poisoned = true;
                errors.extend(found);
            }
        }
    }
    if poisoned || !errors.is_empty() {
        return Err(errors);
    }
    Ok(Items { functions: table.functions, kernels: kernels.into_values().collect() })
}

fn repeated_names(items: &[Item]) -> Vec<Error> {
    let mut errors = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let name = &item.name.name;
        if items.iter().take(position).any(|earlier| earlier.name.name == *name) {
            errors.push(Error::new(item.name.source, ProgramMistake::DefinedTwice(name.clone())));
        }
    }
    errors
}
