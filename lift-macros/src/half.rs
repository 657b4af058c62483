//! Half precision, which is a feature of `lift`. A program that names it without the feature gets a message
//! at that place.

use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::Input;

use crate::mistake::Mistake;
use crate::unused;

/// Whether `lift` has half precision.
pub(crate) const IS_BUILT_IN: bool = cfg!(feature = "f16");

/// The first place where a program names a type of half precision, if this is built without them.
pub(crate) fn without_feature(input: &Input) -> Option<Diagnostic> {
    if IS_BUILT_IN {
        return None;
    }
    let types = match input {
        Input::Inline(expression) | Input::Closure(expression) => unused::types_in_expression(expression),
        Input::Items(items) => unused::types_in_items(items),
    };
    let (name, source) = types.into_iter().find(|(name, _)| is_half(name))?;
    Some(Mistake::HalfPrecision { name: name.to_owned() }.at(source))
}

/// `f16`, `f16x4`
fn is_half(name: &str) -> bool {
    name.strip_prefix("f16").is_some_and(|rest| rest.is_empty() || rest.starts_with('x'))
}
