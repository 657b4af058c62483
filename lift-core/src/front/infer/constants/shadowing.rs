//! Names that hide constants. Rust takes the name of a constant in a pattern for the constant, so that a
//! variable of that name would mean one thing here and another there.

use crate::front::infer::environment::Environment;
use crate::front::infer::error::{ConstantMistake, Error};
use crate::front::infer::free_names::bound_names;
use crate::front::syntax::Item;

/// The mistakes of an item whose parameters or variables have the names of constants.
pub(in crate::front::infer) fn shadowed_constants(item: &Item, constants: &Environment<'_>) -> Vec<Error> {
    bound_names(item)
        .into_iter()
        .filter(|(name, _)| constants.get(name).is_some())
        .map(|(name, source)| Error::new(source, ConstantMistake::Hidden(name.to_owned())))
        .collect()
}
