//! The function items that a program may call.

use super::environment::Environment;
use crate::front::syntax::Item;
use crate::ir::typed::Function;
use crate::ir::types::Type;

/// The items that a program may call.
#[derive(Default)]
pub(super) struct ItemTable<'a> {
    /// The constants, which all items see.
    pub(super) constants: Environment<'a>,
    pub(super) items: &'a [Item],
    pub(super) states: Vec<ItemState>,
    pub(super) functions: Vec<Function>,
}

/// What is known of an item.
#[derive(Clone)]
pub(super) enum ItemState {
    /// It is wrong, and that was reported, or it is not typed yet.
    Failed,
    /// A kernel or a generic function, which is inlined where it is called.
    Inlined,
    /// A user function, by its position and with its result.
    Function(usize, Type),
}

impl<'a> ItemTable<'a> {
    /// The position of the item with this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name.name == name)
    }

    /// The names of all items.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.items.iter().map(|item| item.name.name.as_str())
    }

    /// The number of parameters of an item.
    pub(super) fn arity(&self, item: usize) -> usize {
        self.items.get(item).map_or(0, |item| item.parameters.len())
    }

    /// The name of an item.
    pub(super) fn name(&self, item: usize) -> &'a str {
        self.items.get(item).map_or("?", |item| item.name.name.as_str())
    }

    /// The names of the parameters of an item.
    pub(super) fn parameters(&self, item: usize) -> Vec<String> {
        let parameters = self.items.get(item).map(|item| item.parameters.as_slice()).unwrap_or_default();
        parameters.iter().map(|parameter| parameter.name.name.clone()).collect()
    }
}
