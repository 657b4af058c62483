//! Rewritten programs, checked node by node.

use lift_core::ir::typed::Obligation;
use lift_core::ir::typed::check::{Binders, FaultKind, check};
use lift_core::middle::rewrite::Rewritten;

/// Fails where a node of a rewritten program has another type than the typing rules say, or mentions what is not
/// bound there, or where a variable is bound twice. What the rules needed counts as checked. A need for all
/// positions is not always seen to imply it for one of them, so that needs without a proof are let pass.
pub(crate) fn assert_well_typed(rewritten: &Rewritten, what: &str) {
    let mut program = rewritten.program.clone();
    program.obligations.extend(rewritten.needs.iter().map(|need| Obligation {
        requirement: need.requirement.clone(),
        text: String::new(),
        source: program.body.source,
    }));
    if let Err(fault) = check(&program, Binders::Unique)
        && !matches!(fault.kind, FaultKind::Unproved(_))
    {
        panic!("{what}\nis ill typed: {fault:?}\n{:#?}", program.body);
    }
}
