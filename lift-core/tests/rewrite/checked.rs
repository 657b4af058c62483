//! Rewritten programs, checked node by node.

use lift_core::eval::Value;
use lift_core::ir::typed::Obligation;
use lift_core::ir::typed::check::{Binders, Fault, FaultKind, check};
use lift_core::ir::typed::result::Mismatch;
use lift_core::middle::rewrite::Rewritten;

/// Fails where a node of a rewritten program has another type than the typing rules say, or mentions what is
/// not bound there, where a variable is bound twice, or where a need does not follow from what the rules
/// needed.
pub(crate) fn assert_well_typed(rewritten: &Rewritten, what: &str) {
    if let Err(fault) = checked(rewritten) {
        panic!("{what}\nis ill typed: {fault:?}\n{:#?}", rewritten.program.body);
    }
}

/// The same for single rules anywhere, and for rules in an order that nobody would choose. Two of them may
/// need what only holds together where nothing is computed, and a need for all positions is not always seen
/// to imply it for one of them: needs that never hold or have no proof are let pass.
pub(crate) fn assert_well_typed_but_for_needs(rewritten: &Rewritten, what: &str) {
    if let Err(fault) = checked(rewritten)
        && !matches!(fault.kind, FaultKind::Unproved(_) | FaultKind::Mismatch(Mismatch::Refuted(_)))
    {
        panic!("{what}\nis ill typed: {fault:?}\n{:#?}", rewritten.program.body);
    }
}

/// Checks a rewritten program, which knows what the rules needed.
fn checked(rewritten: &Rewritten) -> Result<(), Fault> {
    let mut program = rewritten.program.clone();
    program.obligations.extend(rewritten.needs.iter().map(|need| Obligation {
        requirement: need.requirement.clone(),
        text: String::new(),
        source: program.body.source,
    }));
    check(&program, Binders::Unique)
}

/// Whether two values are the same. What is not a number is equal to itself here, and zeros are equal
/// whatever their signs.
pub(crate) fn is_same(left: &Value, right: &Value) -> bool {
    let all = |left: &[Value], right: &[Value]| {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
    };
    match (left, right) {
        (Value::F16(left), Value::F16(right)) | (Value::F32(left), Value::F32(right)) => {
            left == right || (left.is_nan() && right.is_nan())
        }
        (Value::F64(left), Value::F64(right)) => left == right || (left.is_nan() && right.is_nan()),
        (Value::Array(left), Value::Array(right)) => all(left, right),
        (Value::Tuple(left), Value::Tuple(right)) | (Value::Vector(left), Value::Vector(right)) => {
            all(left, right)
        }
        _ => left == right,
    }
}
