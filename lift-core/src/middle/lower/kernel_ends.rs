//! Where one kernel ends and the next begins: an array that the whole device computes must be complete before
//! anything reads it.
//!
//! Code generation ends a kernel after each array of the device that it stores outside of all loops, and
//! between parts of a result that distribute their work in different ways. A variable lives as long as its
//! kernel, so lowering has to know where kernels will end. Writing the result of the program ends no kernel;
//! computing an array of the device that something else reads does.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::producers::{is_view, takes_a_loop};
use crate::ir::nat::Nat;
use crate::ir::typed::{
    AddressSpace, Application, Expr, ExprKind, MapKind, Program, ReduceKind, Variable, is_same_place,
};

/// Decides where the kernels of a program end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundaries {
    /// Whether the user leaves the launches to the compiler.
    is_free: bool,
}

impl Boundaries {
    pub(crate) fn of(program: &Program) -> Boundaries {
        Boundaries { is_free: program.launches.is_empty() }
    }

    /// Whether a lowered expression takes several kernels, if its result is written to existing memory.
    pub(crate) fn ends_kernels(self, expr: &Expr) -> bool {
        if is_complete_at_once(expr) {
            return true;
        }
        let written = expr.parts_of_value();
        let is_written = |child: &Arc<Expr>| written.iter().any(|part| is_same_place(part, child));
        let lie_between =
            matches!(&expr.kind, ExprKind::Tuple(parts) | ExprKind::Concat(parts) if self.lie_between(parts));
        lie_between
            || expr.children_outside_functions().into_iter().any(|child| match is_written(child) {
                true => self.ends_kernels(child),
                false => is_complete_before_use(child),
            })
    }

    /// Whether kernels end between these parts of a result, because the parts distribute their work in
    /// different ways. With different numbers of groups, the barriers of one part would stand under a
    /// condition, at which some OpenCL compilers crash. With different numbers of dimensions, a common launch
    /// would repeat the part with fewer dimensions.
    pub(crate) fn lie_between(self, parts: &[Arc<Expr>]) -> bool {
        let groups: Vec<BTreeMap<u8, Nat>> =
            parts.iter().map(|part| groups_of(part, BTreeMap::new())).collect();
        groups.windows(2).any(|pair| pair.first() != pair.last())
            || (self.is_free && parts.windows(2).any(differ_in_dimensions))
    }

    /// Whether a variable is read in a later kernel. `is_behind`, in and out: whether a kernel has ended so
    /// far.
    pub(super) fn is_read_in_later_kernel(
        self,
        expr: &Expr,
        variable: &Variable,
        is_behind: &mut bool,
    ) -> bool {
        if let ExprKind::Variable(read) = &expr.kind {
            return *is_behind && read.id == variable.id;
        }
        // One application of an `iterate` comes after another one.
        *is_behind |=
            matches!(&expr.kind, ExprKind::Iterate(_, function, _) if self.ends_kernels(&function.body));
        let written = expr.parts_of_value();
        let is_written = |child: &Arc<Expr>| written.iter().any(|part| is_same_place(part, child));
        let lie_between =
            matches!(&expr.kind, ExprKind::Tuple(parts) | ExprKind::Concat(parts) if self.lie_between(parts));
        let is_read = expr.children().any(|child| {
            let is_read = self.is_read_in_later_kernel(child, variable, is_behind);
            // The launcher looks at the condition before it goes on.
            let is_condition = matches!(&expr.kind, ExprKind::EndUnless(..)) && !is_written(child);
            *is_behind |= lie_between || is_condition || !is_written(child) && is_complete_before_use(child);
            is_read
        });
        *is_behind |= is_complete_at_once(expr);
        is_read
    }
}

/// Whether a kernel ends after an expression if something else reads its value. No kernel ends inside of a
/// function.
pub(super) fn is_complete_before_use(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Map(MapKind::Global(_) | MapKind::WorkGroup(_), ..))
        || is_complete_at_once(expr)
        || expr.children_outside_functions().into_iter().any(|part| is_complete_before_use(part))
}

/// Whether a kernel ends after an expression, even if nothing else reads its value.
fn is_complete_at_once(expr: &Expr) -> bool {
    match expr.application() {
        Some(Application::Iterate(_, function, _)) => !is_view(&function.body),
        // Its table is complete after a kernel of its own, and filled by another one.
        Some(Application::Reduce(ReduceKind::Global, ..)) => true,
        Some(
            Application::Map(..)
            | Application::Reduce(..)
            | Application::Scan(..)
            | Application::Generate(_)
            | Application::Lanewise(..),
        ) => false,
        None => {
            matches!(&expr.kind, ExprKind::Store(Some(AddressSpace::Global), _) | ExprKind::EndUnless(..))
        }
    }
}

/// The numbers of work-groups that compute a value, by dimension. Of several maps over groups, the last one
/// counts.
fn groups_of(expr: &Expr, mut groups: BTreeMap<u8, Nat>) -> BTreeMap<u8, Nat> {
    if let (ExprKind::Map(MapKind::WorkGroup(dimension), ..), Some(array)) = (&expr.kind, expr.ty.as_array())
    {
        groups.insert(*dimension, array.length.clone());
    }
    expr.children().fold(groups, |groups, child| groups_of(child, groups))
}

/// Whether two parts use different numbers of dimensions of work-items, and both take long.
fn differ_in_dimensions(pair: &[Arc<Expr>]) -> bool {
    let dimensions = pair.iter().map(|part| global_dimensions(part));
    let [one, other] = dimensions.collect::<Vec<_>>()[..] else { return false };
    let take_loops = || pair.iter().all(|part| global_dimensions(part) > 0 || takes_a_loop(part));
    one != other && take_loops()
}

/// The number of dimensions of work-items among which the work for a value is divided.
fn global_dimensions(expr: &Expr) -> usize {
    let own = matches!(
        &expr.kind,
        ExprKind::Map(MapKind::Global(_), ..) | ExprKind::Reduce(ReduceKind::Global, ..)
    );
    usize::from(own) + expr.children().map(|child| global_dimensions(child)).max().unwrap_or(0)
}
