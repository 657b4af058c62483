//! What a `#[strict]` kernel cannot do: functions that each device rounds as it likes.
//!
//! Only complete types tell which calls round, so that this is checked last. Functions of the mathematical
//! library are allowed: a program that needs a sine has no other, and the rest of it is as strict as it would
//! be without.

use super::error::{Error, ScalarMistake};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::typed::{Expr, ExprKind, Function};

/// The calls of a strict kernel whose results differ from device to device by their definition.
pub(super) fn device_chosen(body: &Expr, functions: &[Function], kernel: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    for function in functions {
        collect(&function.body, kernel, &mut errors);
    }
    collect(body, kernel, &mut errors);
    errors
}

fn collect(expr: &Expr, kernel: &str, errors: &mut Vec<Error>) {
    if let ExprKind::Builtin(builtin, arguments) = &expr.kind {
        let may_round = |argument: &Expr| argument.ty.may_hold_floats();
        let kernel = || kernel.to_owned();
        match builtin {
            Builtin::Native(native) => {
                let mistake = ScalarMistake::NativeInStrict { native: *native, kernel: kernel() };
                errors.push(Error::new(expr.source, mistake));
            }
            Builtin::Mad if arguments.iter().any(|argument| may_round(argument)) => {
                errors.push(Error::new(expr.source, ScalarMistake::MadInStrict { kernel: kernel() }));
            }
            _ => {}
        }
    }
    expr.children().for_each(|child| collect(child, kernel, errors));
}
