//! Programs and their parts.

use std::sync::Arc;

use lift_core::front::infer::infer_closure;
use lift_core::front::syntax::Input;
use lift_core::ir::typed::{Expr, Program};

/// A closure, typed.
pub(crate) fn program(text: &str) -> Program {
    let parsed = lift_parser::parse_text(text);
    match &parsed.input {
        Some(Input::Closure(closure)) => infer_closure(closure).expect("it has a type"),
        _ => panic!("no closure: {text}"),
    }
}

/// The first expression of a kind, outermost first.
pub(crate) fn first(expr: &Arc<Expr>, is: &dyn Fn(&Expr) -> bool) -> Option<Arc<Expr>> {
    if is(expr) {
        return Some(expr.clone());
    }
    expr.children().find_map(|child| first(child, is))
}
