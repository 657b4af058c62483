//! Let-floating: what does not depend on the functions and `let`s around it is computed before them.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::is_outside_functions;
use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::typed::binders::free_variables;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Application, Binding, Expr, ExprKind, Path, Variable};

/// An expression, or what a `let` binds, is computed further outside. The first place says where: before
/// which part of the `let` that the rule is applied to, or `.` for before any other expression. The second
/// one says what floats; `.` is the whole expression, which gets a name.
pub const LET_FLOAT: Rule = Rule {
    name: "letFloat",
    statement: "f(e) = { let x = e; f(x) }, f({ let x = e; w }) = { let x = e; f(w) }, where e mentions \
                nothing that is bound between",
    origin: "let-floating (Peyton Jones, Partain, Santos, ICFP 1996); loop-invariant code motion",
    parameters: &[Kind::Place, Kind::Place],
    regroups: false,
    apply: let_float,
};

fn let_float(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let [Argument::Place(before), Argument::Place(place)] = arguments else {
        return Err(Mismatch::Arguments);
    };
    let Floating { bindings, path, rest } = Floating::at(redex, place, build)?;
    let position = insertion(redex.expr, before, place)?;
    Between::of(redex.expr, position, place).refuse_mentions(&bindings)?;
    if may_be_unreached(redex.expr, place, build.ranges()) {
        bindings.iter().try_for_each(|binding| build.demand(&binding.value))?;
    }
    let changed = redex.expr.with_replaced(&path, rest).ok_or(Mismatch::Arguments)?;
    match (position, &changed.kind) {
        (Some(position), ExprKind::Let { bindings: others, body }) => {
            let (outer, inner) = others.split_at(position.min(others.len()));
            let bindings = outer.iter().cloned().chain(bindings).chain(inner.iter().cloned());
            Ok(build.bind_all(bindings.collect(), body.clone())?)
        }
        _ => Ok(build.bind_all(bindings, changed)?),
    }
}

/// Whether a place inside an expression may be reached for fewer sizes than the expression: it is in a
/// branch, or in a function that is perhaps applied nowhere. What is computed there may need more of sizes
/// than holds outside. The body of a function that knows no position needs what it needs even if there are no
/// elements.
pub(in crate::middle) fn may_be_unreached(outer: &Arc<Expr>, place: &Path, ranges: &Ranges) -> bool {
    let mut expr = outer;
    for position in place.positions() {
        let is_conditional = match expr.application() {
            Some(application) if expr.is_function_body(*position) => match application {
                Application::Iterate(count, ..) => {
                    let is_applied = Condition::LessOrEqual(Nat::one(), count.clone());
                    ranges.decide(&is_applied) != Some(true)
                }
                _ => application.function().index.is_some(),
            },
            _ => matches!(expr.kind, ExprKind::If(..)) && *position > 0,
        };
        if is_conditional {
            return true;
        }
        let Some(child) = expr.children().nth(*position) else { return false };
        expr = child;
    }
    false
}

/// What floats, and what stays.
struct Floating {
    bindings: Vec<Binding>,
    /// The place of the expression that changes.
    path: Path,
    /// The expression that stays there.
    rest: Arc<Expr>,
}

impl Floating {
    /// What floats from a place: all that a `let` binds which stands there, a `let` whose value stands there,
    /// or else the expression, which gets a name.
    fn at(redex: &Redex<'_>, place: &Path, build: &mut Build<'_>) -> Result<Floating, Mismatch> {
        let Some((last, outer)) = place.positions().split_last() else {
            return Floating::named(redex, redex.expr, place, build);
        };
        let parent_path = Path::from(outer.to_vec());
        let no_part = || Mismatch::form("an expression with such a part", redex.expr, outer.len() + 1);
        let parent = redex.expr.at_path(&parent_path).ok_or_else(no_part)?;
        let expr = parent.children().nth(*last).ok_or_else(no_part)?;
        match (&expr.kind, &parent.kind) {
            (ExprKind::Let { bindings, body }, _) => {
                Ok(Floating { bindings: bindings.clone(), path: place.clone(), rest: body.clone() })
            }
            (_, ExprKind::Let { bindings, body }) if *last < bindings.len() => {
                let mut others = bindings.clone();
                let own = others.remove(*last);
                let rest = match others.is_empty() {
                    true => body.clone(),
                    false => parent.with_kind(ExprKind::Let { bindings: others, body: body.clone() }),
                };
                Ok(Floating { bindings: vec![own], path: parent_path, rest })
            }
            _ => Floating::named(redex, expr, place, build),
        }
    }

    /// An expression, which gets a name.
    fn named(
        redex: &Redex<'_>,
        expr: &Arc<Expr>,
        place: &Path,
        build: &mut Build<'_>,
    ) -> Result<Floating, Mismatch> {
        const COMPUTED: &str = "an expression that computes something";
        if let ExprKind::Let { .. } | ExprKind::Variable(_) | ExprKind::Literal(_) | ExprKind::Size(_) =
            &expr.kind
        {
            return Err(Mismatch::form(COMPUTED, expr, place.positions().len()));
        }
        let name = if is_outside_functions(redex) { "stored" } else { "kept" };
        let variable = build.variable(name);
        let rest = build.read(&variable, &expr.ty);
        let bindings = vec![Binding { variable, value: expr.clone() }];
        Ok(Floating { bindings, path: place.clone(), rest })
    }
}

/// The part of a `let` before which something floats that stands at a place inside it; `None` for before an
/// expression of another form.
fn insertion(expr: &Arc<Expr>, before: &Path, place: &Path) -> Result<Option<usize>, Mismatch> {
    match (&expr.kind, before.positions(), place.positions()) {
        // What stands directly before a part stays there.
        (ExprKind::Let { bindings, .. }, [position], [from])
            if position == from && *from < bindings.len() =>
        {
            match &bindings[*from].value.kind {
                ExprKind::Let { .. } => Ok(Some(*position)),
                _ => Err(Mismatch::condition("it floats past something", expr)),
            }
        }
        (ExprKind::Let { .. }, [position], [from, ..]) if position <= from => Ok(Some(*position)),
        (ExprKind::Let { .. }, ..) => Err(Mismatch::form("a part of the `let` before what floats", expr, 1)),
        (_, [], _) => Ok(None),
        _ => Err(Mismatch::form("a `let`", expr, 0)),
    }
}

/// What is bound between a place and another one inside it.
#[derive(Default)]
struct Between<'e> {
    variables: Vec<&'e Variable>,
    indices: Vec<&'e Var>,
}

impl<'e> Between<'e> {
    fn of(outer: &'e Arc<Expr>, position: Option<usize>, place: &Path) -> Between<'e> {
        let mut between = Between::default();
        let mut expr = outer;
        let mut first = position.unwrap_or(0);
        for position in place.positions() {
            if let ExprKind::Let { bindings, .. } = &expr.kind {
                let passed = bindings.iter().take(*position).skip(first);
                between.variables.extend(passed.map(|binding| &binding.variable));
            }
            if let Some(function) = expr.application().map(Application::function)
                && expr.is_function_body(*position)
            {
                between.variables.extend(function.parameters.iter().map(|(variable, _)| variable));
                between.indices.extend(&function.index);
            }
            let Some(child) = expr.children().nth(*position) else { break };
            (expr, first) = (child, 0);
        }
        between
    }

    fn refuse_mentions(&self, bindings: &[Binding]) -> Result<(), Mismatch> {
        for Binding { value, .. } in bindings {
            let free = free_variables(value);
            if self.variables.iter().any(|variable| free.contains(*variable))
                || self.indices.iter().any(|index| value.mentions_index(index))
            {
                let wanted = "what floats mentions nothing that is bound between";
                return Err(Mismatch::condition(wanted, value));
            }
        }
        Ok(())
    }
}
