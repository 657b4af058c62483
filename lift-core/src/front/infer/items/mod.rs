//! Items: kernels, the user functions on scalars that they call, and constants.
//!
//! Callees are typed before their callers. A user function becomes a function of the program. A kernel is
//! inlined where another one calls it, and its size parameters are solved from the arguments. So is a user
//! function that is generic in its types, which OpenCL C has no notation for.

use std::collections::BTreeMap;

use super::constants::{self, Constant, shadowed_constants};
use super::error::{Error, Finished, ProgramMistake};
use super::item_table::{ItemState, ItemTable};
use crate::front::syntax::{self, Identifier};
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

/// What the items of one `lift!` become.
#[derive(Debug, Clone, PartialEq)]
pub struct Items {
    /// The constants, in the order of the text.
    pub constants: Vec<Constant>,
    /// The user functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in the order of the text.
    pub kernels: Vec<Program>,
}

/// Types items, in any order.
pub(super) fn infer_items(all: &syntax::Items) -> Finished<Items> {
    let items = all.functions.as_slice();
    let mut errors = repeated_names(all);
    let constants = constants::evaluate(all);
    errors.extend(constants.errors);
    errors.extend(items.iter().flat_map(|item| shadowed_constants(item, &constants.names)));
    let (order, recursive) = callees_first(items, &mut errors);
    let mut table = ItemTable {
        constants: constants.names,
        items,
        states: vec![ItemState::Failed; items.len()],
        functions: Vec::new(),
    };
    let mut kernels = BTreeMap::new();
    let mut poisoned = false;
    let (mut next_id, mut vars) = (constants.next_id, Vars::default());
    for position in order {
        let Some(item) = items.get(position) else { continue };
        if recursive.contains(&position) {
            continue;
        }
        let outcome = if is_user_function(item) {
            type_function(&table, item, &mut vars, &mut next_id).map(|function| {
                let state = match item.types.is_empty() {
                    true => ItemState::Function(table.functions.len(), function.body.ty.clone()),
                    false => ItemState::Inlined,
                };
                table.functions.push(function);
                state
            })
        } else {
            type_kernel(&table, item, &mut vars, &mut next_id).map(|kernel| {
                kernels.insert(position, kernel);
                ItemState::Inlined
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
    // A constant that did not parse has no value, and no message here.
    let values: Option<Vec<Constant>> = constants.values.into_iter().collect();
    match values {
        Some(constants) if !poisoned && errors.is_empty() => {
            Ok(Items { constants, functions: table.functions, kernels: kernels.into_values().collect() })
        }
        Some(_) | None => Err(errors),
    }
}

fn repeated_names(items: &syntax::Items) -> Vec<Error> {
    let constants = items.constants.iter().map(|constant| &constant.name);
    let names: Vec<&Identifier> = constants.chain(items.functions.iter().map(|item| &item.name)).collect();
    let mut errors = Vec::new();
    for (position, Identifier { name, source }) in names.iter().copied().enumerate() {
        if names.iter().take(position).any(|earlier| earlier.name == *name) {
            errors.push(Error::new(*source, ProgramMistake::DefinedTwice(name.clone())));
        }
    }
    errors
}
