//! Kernels in between: what is computed once for all, before what reads it.
//!
//! A kernel ends where an array is complete before it is read (`middle::lower::kernel_ends`): where a `let`
//! outside of all functions or a `store` has it. These rules say so in the program; `middle::lower` says it
//! for who does not.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Apply, Argument, Redex, Rule};
use super::parts::name;
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::binders::free_variables;
use crate::ir::typed::build::Build;
use crate::ir::typed::{
    AddressSpace, Application, Expr, ExprKind, Lambda, Layout, MapKind, Path, Rows, Variable,
};
use crate::ir::types::Type;

/// What is the same at every application of a function is computed before the function is applied.
pub const LET_STAGE: Rule = Rule {
    name: "letStage",
    statement: "map(|x| f(x, e)) = { let stage = e; map(|x| f(x, stage)) }, where e mentions nothing that \
                is bound inside",
    origin: "lambda lifting; extractFromMap of Lift (GPGPU 2016)",
    parameters: &[],
    regroups: false,
    apply: let_stage,
};

fn let_stage(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if redex.expr.function_body().is_none() {
        return Err(redex.is_not("something that applies a function"));
    }
    let mut inside = Inside::default();
    let Some(path) = inside.closed(redex.expr, &Path::root(), false) else {
        let wanted = "its function computes something that mentions nothing of it";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let Some(stage) = redex.expr.at_path(&path) else { return Err(Mismatch::Arguments) };
    // The function may be applied nowhere, where what its body needs of sizes need not hold.
    build.demand(stage)?;
    let variable = build.variable("stage");
    let read = build.read(&variable, &stage.ty);
    let body = redex.expr.with_replaced(&path, read).ok_or(Mismatch::Arguments)?;
    Ok(build.bind(variable, stage.clone(), body)?)
}

/// What is bound between an expression and the places inside it.
#[derive(Default)]
struct Inside {
    variables: Vec<Variable>,
    indices: Vec<Var>,
}

impl Inside {
    /// The first place in a function where something is computed that mentions nothing bound inside, and is
    /// computed in any case, outer places before inner ones. `in_function` says whether this expression is in
    /// one.
    fn closed(&mut self, expr: &Arc<Expr>, here: &Path, in_function: bool) -> Option<Path> {
        if in_function && computes(expr) && self.is_closed(expr) {
            return Some(here.clone());
        }
        let body = expr.function_body().map(|_| expr.children().len() - 1);
        let (variables, indices) = (self.variables.len(), self.indices.len());
        let mut found = None;
        for (position, child) in expr.children().enumerate() {
            // What only one branch computes would be computed in any case.
            if position > 0 && matches!(expr.kind, ExprKind::If(..)) {
                break;
            }
            if Some(position) == body {
                let function = expr.application().map(Application::function);
                self.variables.extend(function.into_iter().flat_map(parameters));
                self.indices.extend(function.and_then(|function| function.index.clone()));
            }
            let in_function = in_function || Some(position) == body;
            found = self.closed(child, &here.child(position), in_function);
            if found.is_some() {
                break;
            }
            if let ExprKind::Let { bindings, .. } = &expr.kind {
                self.variables.extend(bindings.get(position).map(|binding| binding.variable.clone()));
            }
        }
        self.variables.truncate(variables);
        self.indices.truncate(indices);
        found
    }

    fn is_closed(&self, expr: &Arc<Expr>) -> bool {
        let free = free_variables(expr);
        !self.variables.iter().any(|variable| free.contains(variable))
            && !self.indices.iter().any(|index| expr.mentions_index(index))
    }
}

/// Whether an expression computes something that is worth a name.
fn computes(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Map(..) | ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..))
}

fn parameters(function: &Lambda) -> impl Iterator<Item = Variable> + '_ {
    function.parameters.iter().map(|(variable, _)| variable.clone())
}

/// An array is stored before it is read.
pub const STORE_BETWEEN: Rule = Rule {
    name: "storeBetween",
    statement: "a = a >> store, for an array a that is computed or rearranged",
    origin: "`storeInMemory` of Shine (Steuwer et al., 2022)",
    parameters: &[],
    regroups: false,
    apply: store_between,
};

fn store_between(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if redex.expr.ty.is_element() || matches!(redex.expr.kind, ExprKind::Variable(_) | ExprKind::Let { .. }) {
        return Err(redex.is_not("an array that is computed or rearranged"));
    }
    if let ExprKind::Store(..) = &redex.expr.kind {
        return Err(Mismatch::condition("it is not stored yet", redex.expr));
    }
    let parent = redex.around.layers().next();
    if parent.is_some_and(|(parent, _)| matches!(parent.kind, ExprKind::Store(..))) {
        return Err(Mismatch::condition("it is not stored yet", redex.expr));
    }
    Ok(build.expr(ExprKind::Store(None, redex.expr.clone()))?)
}

const fn of_stored(name: &'static str, statement: &'static str, apply: Apply) -> Rule {
    let origin = "CGO 2017, section 3.2: one kernel leaves in global memory what the next one reads";
    Rule { name, statement, origin, parameters: &[], regroups: false, apply }
}

/// A reduction to a single value is stored before it is read.
pub const STORE_REDUCTION: Rule = of_stored(
    "storeReduction",
    "reduce(f, z, a) = { let reduced = [reduce(f, z, a)] >> toGlobal; reduced >> head }, for a single value",
    |redex, _, build| match &redex.expr.kind {
        ExprKind::Reduce(..) => stored_value(redex, "reduced", build),
        _ => Err(redex.is_not("a reduction")),
    },
);

/// A single value is stored before it is read.
pub const STORE_VALUE: Rule = of_stored(
    "storeValue",
    "x = { let computed = [x] >> toGlobal; computed >> head }, for a single value x that is computed",
    |redex, _, build| stored_value(redex, "computed", build),
);

fn stored_value(redex: &Redex<'_>, name: &str, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let is_computed = !matches!(
        redex.expr.kind,
        ExprKind::Variable(_) | ExprKind::Literal(_) | ExprKind::Size(_) | ExprKind::Let { .. }
    );
    if !redex.expr.ty.is_element() || !is_computed {
        return Err(redex.is_not("a single value that is computed"));
    }
    let array = build.array_literal(vec![redex.expr.clone()])?;
    let array = build.store(AddressSpace::Global, array)?;
    let variable = build.variable(name);
    let read = build.read(&variable, &array.ty);
    let value = build.at(Nat::zero(), read)?;
    Ok(build.bind(variable, array, value)?)
}

/// A scan is stored before it is read.
pub const STORE_SCAN: Rule = of_stored(
    "storeScan",
    "scan(f, z, a) = { let prefixes = scan(f, z, a) >> store; prefixes }",
    |redex, _, build| {
        let ExprKind::Scan(..) = &redex.expr.kind else { return Err(redex.is_not("a scan")) };
        let variable = build.variable("prefixes");
        let read = build.read(&variable, &redex.expr.ty);
        let stored = build.keep(redex.expr.clone())?;
        Ok(build.bind(variable, stored, read)?)
    },
);

/// An array that is computed from positions is a map over positions, whose elements do not matter.
pub const GENERATE_MAP: Rule = Rule {
    name: "generateMap",
    statement: "generate(n, |i| f(i)) = repeat(n, 0) >> map(|i => x| f(i))",
    origin: "new: rules about maps apply to arrays that are computed from positions",
    parameters: &[],
    regroups: false,
    apply: generate_map,
};

fn generate_map(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Generate(count, function) = &redex.expr.kind else {
        return Err(redex.is_not("a `generate`"));
    };
    let nothing = Type::Scalar(ScalarType::I32);
    let zero = build.literal(Literal::Integer(0), &nothing)?;
    let input = build.repeat(count.clone(), zero)?;
    let parameters = vec![(build.variable("worker"), nothing)];
    Ok(build.map(MapKind::Unspecified, Lambda { parameters, ..function.clone() }, input)?)
}

/// A map over the elements of rows is a map over the rows.
pub const MAP_JOIN_ROWS: Rule = Rule {
    name: "mapJoinRows",
    statement: "join >> map(f) = map(map(f)) >> join",
    origin: "FHPNC 2019, section 4.4, from right to left",
    parameters: &[],
    regroups: false,
    apply: map_join_rows,
};

fn map_join_rows(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Map(MapKind::Unspecified, function, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `map`"));
    };
    let ExprKind::Layout(Layout::Join, rows) = &input.kind else {
        return Err(Mismatch::form("a `map` of a `join`", input, 1));
    };
    let array = build.array_type(rows)?;
    let Some(lengths) = Rows::of(&array) else { return Err(Mismatch::form("a `join` of rows", rows, 2)) };
    let mapped = build.map_at(MapKind::Unspecified, rows.clone(), "row", |build, row, elements| {
        let start = build.simplified(&lengths.start(row));
        build.map_at(MapKind::Unspecified, elements, name(function, 0), |build, column, element| {
            let position = &start + column;
            build.apply(function, function.index.as_ref().map(|_| &position), vec![element])
        })
    })?;
    Ok(build.join(mapped)?)
}
