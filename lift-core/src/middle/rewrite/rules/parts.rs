//! What rules of several families ask of an expression: its form, its place, and the laws of its operator.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::build::{Build, Built, uses};
use crate::ir::typed::result::{self, Kind};
use crate::ir::typed::{
    Application, Around, Binding, Expr, ExprKind, Lambda, MapKind, Path, ReduceKind, Variable,
};
use crate::ir::types::Type;
use crate::middle::laws::{Axioms, Identity, Operator, Start};

/// The function and the array of a map whose workers are open.
pub(super) fn map<'e>(redex: &Redex<'e>) -> Result<(&'e Lambda, &'e Arc<Expr>), Mismatch> {
    match &redex.expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, array) => Ok((function, array)),
        _ => Err(redex.is_not("a `map`")),
    }
}

/// A reduction.
pub(super) struct Reduction<'e> {
    /// The way in which it is computed.
    pub(super) kind: ReduceKind,
    /// Its function of an accumulator and an element.
    pub(super) function: &'e Lambda,
    /// The first accumulator.
    pub(super) initial: &'e Arc<Expr>,
    /// The array.
    pub(super) array: &'e Arc<Expr>,
}

/// A reduction that is computed in any way.
pub(super) fn reduction<'e>(redex: &Redex<'e>) -> Result<Reduction<'e>, Mismatch> {
    match &redex.expr.kind {
        ExprKind::Reduce(kind, function, initial, array) => {
            Ok(Reduction { kind: *kind, function, initial, array })
        }
        _ => Err(redex.is_not("a reduction")),
    }
}

/// A map or a reduction, which applies a function to every element of an array.
pub(super) struct Traversal<'e> {
    expr: &'e Arc<Expr>,
    /// The function, whose last parameter is the element.
    pub(super) function: &'e Lambda,
    /// The variable of the element.
    pub(super) element: &'e Variable,
    /// The type of the element.
    pub(super) ty: &'e Type,
    /// The array.
    pub(super) array: &'e Arc<Expr>,
}

impl<'e> Traversal<'e> {
    /// Reads a map or a reduction that is computed in any way.
    pub(super) fn read(redex: &Redex<'e>, wanted: &'static str) -> Result<Traversal<'e>, Mismatch> {
        let expr = redex.expr;
        let (ExprKind::Map(_, function, array) | ExprKind::Reduce(_, function, _, array)) = &expr.kind else {
            return Err(redex.is_not(wanted));
        };
        match function.parameters.last() {
            Some((element, ty)) => Ok(Traversal { expr, function, element, ty, array }),
            None => Err(redex.is_not(wanted)),
        }
    }

    /// The same of another array, whose elements have another variable; the function has another body.
    pub(super) fn with(
        &self,
        array: Arc<Expr>,
        element: (Variable, Type),
        body: Arc<Expr>,
        build: &mut Build<'_>,
    ) -> Built {
        let Lambda { parameters, index, .. } = self.function;
        let others = parameters.iter().take(parameters.len() - 1).cloned();
        let function = Lambda { parameters: others.chain([element]).collect(), index: index.clone(), body };
        match &self.expr.kind {
            ExprKind::Reduce(kind, _, initial, _) => build.reduce(*kind, function, initial.clone(), array),
            ExprKind::Map(kind, ..) => build.map(*kind, function, array),
            _ => Ok(array),
        }
    }
}

/// What an expression binds before its result, outermost `let`s first, and its result.
pub(super) fn bound_outside(expr: &Arc<Expr>) -> (Vec<&[Binding]>, &Arc<Expr>) {
    let (mut outside, mut result) = (Vec::new(), expr);
    while let ExprKind::Let { bindings, body } = &result.kind {
        outside.push(bindings.as_slice());
        result = body;
    }
    (outside, result)
}

/// A reduction that may combine partial results, and its operator.
pub(super) fn regroupable<'e>(
    redex: &Redex<'e>,
    axioms: Axioms<'_>,
) -> Result<(Reduction<'e>, Operator<'e>), Mismatch> {
    let reduction = reduction(redex)?;
    if reduction.kind != ReduceKind::Unspecified {
        return Err(redex.is_not("a `reduce`, whose order is open"));
    }
    let operator = Operator::derived(reduction.function, axioms)
        .ok_or_else(|| Mismatch::condition("the operator is known to be associative", redex.expr))?;
    Ok((reduction, operator))
}

/// A reduction that may take its elements in any order, and its operator.
pub(super) fn reorderable<'e>(
    redex: &Redex<'e>,
    axioms: Axioms<'_>,
) -> Result<(Reduction<'e>, Operator<'e>), Mismatch> {
    let (reduction, operator) = regroupable(redex, axioms)?;
    if !operator.laws.commutative {
        return Err(Mismatch::condition("the operator is known to be commutative", redex.expr));
    }
    Ok((reduction, operator))
}

/// The identity element as a value of a type; in every element of an array, and in every component of a
/// vector.
pub(super) fn identity(identity: &Identity, ty: &Type, build: &mut Build<'_>) -> Built {
    match (identity, ty) {
        (Identity::Array(parts), Type::Array(array)) => {
            let parts = parts.iter().map(|part| self::identity(part, &array.element, build));
            let parts = parts.collect::<Result<_, _>>()?;
            build.array_literal(parts)
        }
        (_, Type::Array(array)) => {
            result::array::regular(array)?;
            let element = self::identity(identity, &array.element, build)?;
            build.repeat(array.length.clone(), element)
        }
        (Identity::Literal(literal), Type::Vector(scalar, width)) => {
            let scalar = build.literal(literal.clone(), &Type::Scalar(*scalar))?;
            build.broadcast(scalar, *width)
        }
        (Identity::Literal(literal), ty) => build.literal(literal.clone(), ty),
        (Identity::Tuple(parts), Type::Tuple(types)) => {
            let parts = parts.iter().zip(types);
            let parts = parts.map(|(part, ty)| self::identity(part, ty, build)).collect::<Result<_, _>>()?;
            build.tuple(parts)
        }
        (Identity::Tuple(_), ty) => {
            let found = ty.clone();
            Err(result::Mismatch::Kind { wanted: Kind::Tuple, found })
        }
        (Identity::Array(parts), ty) => {
            let array = Type::array(ty.clone(), Nat::constant(parts.len() as i128));
            Err(result::Mismatch::Types { wanted: array, found: ty.clone(), sizes: None })
        }
    }
}

/// What a part of a reduction starts from, where all of it starts from `before`.
pub(super) fn start(start: &Start, before: &Arc<Expr>, build: &mut Build<'_>) -> Built {
    match start {
        Start::Identity(found) => identity(found, &before.ty, build),
        Start::Before => Ok(build.copy(before)),
        Start::Tuple(starts) => {
            let parts = starts.iter().enumerate().map(|(position, part)| {
                let before = build.component(before, position)?;
                self::start(part, &before, build)
            });
            let parts = parts.collect::<Result<_, _>>()?;
            build.tuple(parts)
        }
        Start::Array(starts) => {
            let parts = starts.iter().enumerate().map(|(position, part)| {
                let array = build.copy(before);
                let before = build.at(Nat::constant(position as i128), array)?;
                self::start(part, &before, build)
            });
            let parts = parts.collect::<Result<_, _>>()?;
            build.array_literal(parts)
        }
    }
}

/// The function of a reduction for a second place, with names of its own.
pub(super) fn operator_copy(function: &Lambda, build: &mut Build<'_>) -> Result<Lambda, result::Mismatch> {
    let [(left, left_type), (right, right_type)] = function.parameters.as_slice() else {
        let found = function.parameters.len();
        return Err(result::Mismatch::Count { wanted: 2, found });
    };
    build.function_of_two([&left.name, &right.name], [left_type, right_type], |build, left, right| {
        build.apply_copy(function, None, vec![left, right])
    })
}

/// The name of a parameter of a function.
pub(super) fn name(function: &Lambda, position: usize) -> &str {
    function.parameters.get(position).map_or("x", |(variable, _)| &variable.name)
}

/// The names of the accumulator and the element of the function of a reduction.
pub(super) fn names(function: &Lambda) -> [&str; 2] {
    [name(function, 0), name(function, 1)]
}

/// The size that a rule takes.
pub(super) fn size(arguments: &[Argument]) -> Result<&Nat, Mismatch> {
    match arguments.first() {
        Some(Argument::Size(size)) => Ok(size),
        _ => Err(Mismatch::Arguments),
    }
}

/// The constants that a rule takes.
pub(super) fn constants<const N: usize>(arguments: &[Argument]) -> Result<[i128; N], Mismatch> {
    let constant = |argument: &Argument| match argument {
        Argument::Size(size) => size.as_constant().filter(|size| *size > 0),
        _ => None,
    };
    let constants = arguments.iter().map(constant).collect::<Option<Vec<i128>>>();
    constants.and_then(|constants| constants.try_into().ok()).ok_or(Mismatch::Arguments)
}

/// The place that a rule takes.
pub(super) fn place(arguments: &[Argument]) -> Result<&Path, Mismatch> {
    match arguments.first() {
        Some(Argument::Place(path)) => Ok(path),
        _ => Err(Mismatch::Arguments),
    }
}

/// An expression inside another one that can be computed before it: it is computed in any case, and mentions
/// nothing that is bound on the way to it.
pub(super) fn inner<'e>(outer: &'e Arc<Expr>, path: &Path) -> Result<&'e Arc<Expr>, Mismatch> {
    let mut around = outer;
    for position in path.positions() {
        let Some(child) = around.children().nth(*position) else { break };
        if matches!(around.kind, ExprKind::If(..)) && *position > 0 {
            return Err(Mismatch::condition("the inner expression is computed in any case", child));
        }
        around = child;
    }
    let expr = unbound(outer, path)?;
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Literal(_) | ExprKind::Size(_) => {
            Err(Mismatch::form("an expression that computes something", expr, path.positions().len() + 1))
        }
        _ => Ok(expr),
    }
}

/// Whether a path from an expression leads into a function.
pub(super) fn enters_function(outer: &Arc<Expr>, path: &Path) -> bool {
    Around::on_way(outer, path).layers().any(|(expr, position)| expr.is_function_body(position))
}

/// An expression inside another one that mentions nothing that is bound on the way to it.
pub(super) fn unbound<'e>(outer: &'e Arc<Expr>, path: &Path) -> Result<&'e Arc<Expr>, Mismatch> {
    let mut expr = outer;
    let mut variables: Vec<&Variable> = Vec::new();
    let mut indices: Vec<&Var> = Vec::new();
    for (depth, position) in path.positions().iter().enumerate() {
        let child = expr.children().nth(*position);
        let child = child.ok_or_else(|| Mismatch::form("an expression with such a part", expr, depth + 1))?;
        if let ExprKind::Let { bindings, .. } = &expr.kind {
            variables.extend(bindings.iter().take(*position).map(|binding| &binding.variable));
        }
        if let Some(function) = expr.application().map(Application::function)
            && expr.is_function_body(*position)
        {
            variables.extend(function.parameters.iter().map(|(variable, _)| variable));
            indices.extend(&function.index);
        }
        expr = child;
    }
    let is_bound = variables.into_iter().any(|variable| uses(expr, variable) > 0)
        || indices.into_iter().any(|index| expr.mentions_index(index));
    match is_bound {
        true => {
            let wanted = "the inner expression mentions nothing that is bound between";
            Err(Mismatch::condition(wanted, expr))
        }
        false => Ok(expr),
    }
}

/// Whether an expression is in no function but those of `iterate`, so that the whole device may compute it.
pub(super) fn is_outside_functions(redex: &Redex<'_>) -> bool {
    !redex.around.layers().any(|(expr, position)| {
        expr.is_function_body(position) && !matches!(expr.kind, ExprKind::Iterate(..))
    })
}

/// The first part that is a map: its place among the parts, its function and its array.
pub(super) fn first_map(parts: &[Arc<Expr>]) -> Option<(usize, &Lambda, &Arc<Expr>)> {
    parts.iter().enumerate().find_map(|(position, part)| match &part.kind {
        ExprKind::Map(MapKind::Unspecified, function, array) => Some((position, function, array)),
        _ => None,
    })
}

/// A function whose last parameter, a tuple, has become a parameter for each component.
pub(super) fn of_components(function: &Lambda, build: &mut Build<'_>) -> Result<Lambda, result::Mismatch> {
    let Some(((tuple, ty), others)) = function.parameters.split_last() else {
        return Err(result::Mismatch::Count { wanted: 1, found: 0 });
    };
    let Type::Tuple(types) = ty else {
        return Err(result::Mismatch::Kind { wanted: Kind::Tuple, found: ty.clone() });
    };
    let components: Vec<(Variable, Type)> =
        types.iter().map(|ty| (build.variable(&tuple.name), ty.clone())).collect();
    let reads: Vec<Arc<Expr>> = components.iter().map(|(variable, ty)| build.read(variable, ty)).collect();
    let body = function.body.replace_components(tuple, &reads);
    let whole = build.tuple(reads)?;
    let body = body.replace(tuple, &whole);
    let parameters = others.iter().cloned().chain(components).collect();
    Ok(Lambda { parameters, index: function.index.clone(), body })
}
