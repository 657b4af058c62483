//! What lowering does in one step to a whole program: a pass, as a rule.
//!
//! The other steps of lowering are rules of `rewrite::rules`, which see one place. What is left of them is
//! the separation of stages, for two reasons:
//!
//! - It decides about a place with the scopes around it in view (`context`), and uses what it has decided
//!   about one place at the next: what is a stage is read and not computed, and a map whose function keeps
//!   arrays is split by what is kept. As single steps, each would be decided anew.
//! - A scan is divided into tiles, and the last tile may be shorter. That the full ones and the last are one
//!   array is beyond the algebra of sizes, and a program cannot say it: the branches of the `if` that tells
//!   them apart have different lengths. So its types are stated (`middle::stated`), and no schedule may apply
//!   it.
//!
//! It is recorded and replayed like the other steps, and a test evaluates the program before and after it.

use std::mem;
use std::rc::Rc;

use super::stages;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Program};
use crate::middle::rewrite::{Mismatch, Redex, Rule};

/// The passes.
pub const PASSES: &[&Rule] = &[&SEPARATE_STAGES];

/// What the whole device computes before anything reads it, and what a work-item computes once.
pub(super) const SEPARATE_STAGES: Rule = Rule {
    name: "separateStages",
    statement: "map(|x| f(x, e)) = { let stage = e >> store; map(|x| f(x, stage)) }, where e costs more than \
                to store it; scans of whole arrays are divided into tiles",
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
