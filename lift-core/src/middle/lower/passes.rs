//! What lowering does in one step to a whole program: passes as rules.
//!
//! The other steps of lowering are rules of [`rules`](crate::middle::rewrite::rules), which see one place. A
//! pass decides with the whole program in view, and what it decides about one place it uses at the next. So
//! it is one step of the derivation, recorded and replayed like the others. Its right side is made by
//! [`Builder`](crate::middle::stated), whose types are stated and not proved, because a divided scan states lengths that the
//! algebra of sizes does not see; so no schedule may apply it.

use std::mem;
use std::rc::Rc;

use super::stages;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Program};
use crate::middle::rewrite::{Mismatch, Redex, Rule};

/// The passes, in the order in which they run.
pub const PASSES: &[&Rule] = &[&SEPARATE_STAGES];

/// What the whole device computes before anything reads it, and what a work-item computes once.
pub(super) const SEPARATE_STAGES: Rule = Rule {
    name: "separateStages",
    statement: "map(|x| f(x, e)) = { let stage = e >> store; map(|x| f(x, stage)) }, where e costs more than \
                to store it; scans of whole arrays are divided among the work-items",
    origin: "lambda lifting; map fission (ICFP 2015, figure 3d)",
    parameters: &[],
    regroups: true,
    apply: |redex, _, build| whole(redex, stages::separate_stages, build),
};

/// The body that a pass makes of the body of a program.
fn whole(
    redex: &Redex<'_>,
    pass: fn(&Program) -> Program,
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    if redex.around.layers().next().is_some() {
        return Err(redex.is_not("the body of a program"));
    }
    let body = build.prover().numbered(|next_id| {
        let changed = pass(&redex.around.program().with_body(redex.expr.clone(), *next_id));
        *next_id = changed.next_id;
        changed.body
    });
    match is_unchanged(&body, redex.expr) {
        true => Err(Mismatch::condition("it changes something", redex.expr)),
        false => Ok(body),
    }
}

/// Whether a pass has left an expression as it was, even where it has put it together again.
fn is_unchanged(after: &Rc<Expr>, before: &Rc<Expr>) -> bool {
    let has_same_form = || match (&after.kind, &before.kind) {
        (ExprKind::Let { bindings: after, .. }, ExprKind::Let { bindings: before, .. }) => {
            let variables = |bindings: &[Binding]| -> Vec<u32> {
                bindings.iter().map(|binding| binding.variable.id).collect()
            };
            variables(after) == variables(before)
        }
        (new, old) => after.id == before.id && mem::discriminant(new) == mem::discriminant(old),
    };
    let has_same_parts = || {
        let (after, before) = (after.children(), before.children());
        after.len() == before.len()
            && after.into_iter().zip(before).all(|(after, before)| is_unchanged(after, before))
    };
    Rc::ptr_eq(after, before) || (has_same_form() && has_same_parts())
}
