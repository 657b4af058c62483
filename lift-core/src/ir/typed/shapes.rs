//! Recognisers of the prelude's compositions: the derived primitives that inference has elaborated away.
//!
//! `slide2(3, 1)` is `map(slide(3, 1)) >> slide(3, 1) >> map(transpose)` in a typed program (Hagedorn's
//! thesis, section 2.3). Who shows a program to a user, or looks for a tile or a neighbourhood, finds the
//! primitive again here, with its arguments. A recogniser is the definition of the prelude, read from its end
//! to its beginning; every definition has one, but for those of `reduceByKey` and `histogram`: the function that
//! they take is part of a step, and nobody can tell it from the rest (`keyed` recognises them for rules).

use std::sync::Arc;

use super::alpha::alpha_eq;
use super::binders::{mentions, mentions_size};
use super::keyed::Update;
use super::{
    Boundary, Expr, ExprKind, IndexFunction, IndexFunctionKind, Lambda, Layout, MapKind, ReduceKind, Variable,
};
use crate::ir::nat::Nat;
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{BinaryOperator, Literal};

/// A derived primitive with its arguments.
#[derive(Debug, Clone)]
pub struct Composition<'e> {
    /// The primitive.
    pub primitive: Primitive,
    /// Its arguments without its data, in the order of the table of primitives.
    pub arguments: Vec<Argument<'e>>,
    /// Its data: one array, or the arrays of `zip2` and `zip3`.
    pub data: Vec<&'e Arc<Expr>>,
    /// The variables that its definition binds.
    pub binders: Vec<&'e Variable>,
}

/// An argument of a derived primitive.
#[derive(Debug, Clone)]
pub enum Argument<'e> {
    /// A size.
    Size(&'e Nat),
    /// The element at a position outside.
    Boundary(&'e Boundary),
    /// A value.
    Value(&'e Arc<Expr>),
    /// A function.
    Function(&'e Lambda),
}

/// A stage of a definition, with the names of its arguments.
enum Stage {
    Split(&'static str),
    Join,
    Transpose,
    Slide(&'static str, &'static str),
    Pad(&'static str, &'static str, &'static str),
    PadConstant(&'static str, &'static str, &'static str),
    Increase(&'static str, &'static str),
    Reverse,
    /// A map over stages.
    Map(&'static [Stage]),
    /// A map of the function that is an argument.
    Apply(&'static str),
}

use Stage::{Apply, Increase, Join, Map, Pad, PadConstant, Reverse, Slide, Split, Transpose};

const SLIDE: Stage = Slide("size", "step");
const SLIDE2: [Stage; 3] = [Map(&[SLIDE]), SLIDE, Map(&[Transpose])];
const PAD: Stage = Pad("l", "r", "b");
const PAD_CONSTANT: Stage = PadConstant("l", "r", "v");

/// Compositions of stages, from the first stage to the last. One that is a special case of another, or has it
/// as a part, comes first.
const DEFINITIONS: &[(Primitive, &[Stage])] = &[
    (Primitive::MapNested(3), &[Map(&[Map(&[Apply("f")])])]),
    (Primitive::MapNested(2), &[Map(&[Apply("f")])]),
    (Primitive::Reverse, &[Reverse]),
    (Primitive::SlideNested(3), &[Map(&SLIDE2), SLIDE, Map(&[Transpose, Map(&[Transpose])])]),
    (Primitive::SlideNested(2), &SLIDE2),
    (Primitive::Slide2d, &[Map(&[Slide("nx", "sx")]), Slide("ny", "sy"), Map(&[Transpose])]),
    (Primitive::PadNested(3), &[PAD, Map(&[PAD, Map(&[PAD])])]),
    (Primitive::PadNested(2), &[PAD, Map(&[PAD])]),
    (Primitive::Pad2d, &[Pad("t", "b", "bt"), Map(&[Pad("l", "r", "bl")])]),
    (
        Primitive::PadConstantNested(3),
        &[
            Map(&[Map(&[PAD_CONSTANT]), Transpose, Map(&[PAD_CONSTANT]), Transpose]),
            Transpose,
            Map(&[Transpose, Map(&[PAD_CONSTANT]), Transpose]),
            Transpose,
        ],
    ),
    (Primitive::PadConstantNested(2), &[Map(&[PAD_CONSTANT]), Transpose, Map(&[PAD_CONSTANT]), Transpose]),
    (Primitive::Tile, &[Split("n"), Map(&[Transpose, Split("m"), Map(&[Transpose])])]),
    (Primitive::Untile, &[Map(&[Map(&[Transpose]), Join, Transpose]), Join]),
    (Primitive::Increase2d, &[Increase("t", "b"), Map(&[Increase("l", "r")])]),
];

/// The derived primitive whose definition this expression is, with its arguments; `None` for any other
/// expression. Of several, it is the largest.
pub fn composition(expr: &Expr) -> Option<Composition<'_>> {
    if let Some(composition) = dot_product(expr).or_else(|| update(expr)) {
        return Some(composition);
    }
    for rank in [3, 2] {
        let mut binders = Vec::new();
        if let Some(data) = zipped(expr, rank, &mut binders) {
            let primitive = Primitive::ZipNested(rank);
            return Some(Composition { primitive, arguments: Vec::new(), data, binders });
        }
    }
    DEFINITIONS.iter().find_map(|(primitive, stages)| {
        let mut arguments = Arguments::default();
        let data = vec![arguments.undo_all(stages, expr)?];
        let binders = std::mem::take(&mut arguments.binders);
        Some(Composition { primitive: *primitive, arguments: arguments.in_order(*primitive)?, data, binders })
    })
}

/// Whether the composition that defines a primitive is recognised.
pub fn is_recognised(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::DotProduct | Primitive::Update | Primitive::ZipNested(2 | 3))
        || DEFINITIONS.iter().any(|(defined, _)| *defined == primitive)
}

/// The arguments found so far, by their names.
#[derive(Default)]
struct Arguments<'e> {
    found: Vec<(&'static str, Argument<'e>)>,
    /// The variables that the definition binds.
    binders: Vec<&'e Variable>,
}

impl<'e> Arguments<'e> {
    /// What the stages are applied to; `None` where the expression does not end with them.
    fn undo_all(&mut self, stages: &[Stage], expr: &'e Expr) -> Option<&'e Arc<Expr>> {
        let (last, before) = stages.split_last()?;
        let input = self.undo(last, expr)?;
        before.iter().rev().try_fold(input, |expr, stage| self.undo(stage, expr))
    }

    fn undo(&mut self, stage: &Stage, expr: &'e Expr) -> Option<&'e Arc<Expr>> {
        match (stage, &expr.kind) {
            (Map(stages), ExprKind::Map(MapKind::Unspecified, function, input)) => {
                let known = self.found.len();
                let parameter = only_parameter(function)?;
                self.binders.push(parameter);
                let data = self.undo_all(stages, &function.body)?;
                // What is an argument of the whole cannot be an argument of one application.
                let is_outside =
                    |(_, argument): &(_, Argument<'_>)| !argument.depends_on(function, parameter);
                (is(data, parameter) && self.found.iter().skip(known).all(is_outside)).then_some(input)
            }
            (Apply(name), ExprKind::Map(MapKind::Unspecified, function, input))
                // `map2` gives its function no position.
                if !function.index.as_ref().is_some_and(|index| mentions_size(&function.body, index)) =>
            {
                self.find(name, Argument::Function(function))?;
                Some(input)
            }
            (PadConstant(l, r, v), ExprKind::PadConstant { left, right, value, input }) => {
                self.sizes([(l, left), (r, right)])?;
                self.find(v, Argument::Value(value))?;
                Some(input)
            }
            (_, ExprKind::Layout(layout, input)) => {
                self.layout(stage, layout)?;
                Some(input)
            }
            _ => None,
        }
    }

    fn layout(&mut self, stage: &Stage, layout: &'e Layout) -> Option<()> {
        match (stage, layout) {
            (Split(name), Layout::Split { chunk }) => self.sizes([(name, chunk)]),
            (Join, Layout::Join) | (Transpose, Layout::Transpose) => Some(()),
            (Slide(n, s), Layout::Slide { size, step }) => self.sizes([(n, size), (s, step)]),
            (Increase(l, r), Layout::Increase { left, right }) => self.sizes([(l, left), (r, right)]),
            (Pad(l, r, b), Layout::Pad { left, right, boundary }) => {
                self.sizes([(l, left), (r, right)])?;
                self.find(b, Argument::Boundary(boundary))
            }
            (Reverse, Layout::Gather(function)) => {
                (function.kind == IndexFunctionKind::Reverse).then_some(())
            }
            _ => None,
        }
    }

    fn sizes<const N: usize>(&mut self, sizes: [(&&'static str, &'e Nat); N]) -> Option<()> {
        sizes.into_iter().try_for_each(|(name, size)| self.find(name, Argument::Size(size)))
    }

    /// Notes an argument. `None` if another one of this name was found.
    fn find(&mut self, name: &'static str, argument: Argument<'e>) -> Option<()> {
        match self.found.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => known.is_same(&argument).then_some(()),
            None => {
                self.found.push((name, argument));
                Some(())
            }
        }
    }

    /// The arguments as the table of primitives lists them.
    fn in_order(self, primitive: Primitive) -> Option<Vec<Argument<'e>>> {
        let row = primitive.row()?;
        let (_, names) = row.arguments.split_last()?;
        let argument = |name: &str| self.found.iter().find(|(found, _)| *found == name);
        names.iter().map(|(name, _)| argument(name).map(|(_, argument)| argument.clone())).collect()
    }
}

impl Argument<'_> {
    fn is_same(&self, other: &Argument<'_>) -> bool {
        match (self, other) {
            (Argument::Size(left), Argument::Size(right)) => left == right,
            (Argument::Boundary(left), Argument::Boundary(right)) => same_boundary(left, right),
            (Argument::Value(left), Argument::Value(right)) => alpha_eq(left, right),
            (
                Argument::Size(_) | Argument::Boundary(_) | Argument::Value(_) | Argument::Function(_),
                Argument::Size(_) | Argument::Boundary(_) | Argument::Value(_) | Argument::Function(_),
            ) => false,
        }
    }

    /// Whether it depends on the parameter of a function, or on its position.
    fn depends_on(&self, function: &Lambda, parameter: &Variable) -> bool {
        let has_position = |size: &Nat| function.index.as_ref().is_some_and(|index| size.mentions(index));
        let expr_has_position =
            |expr: &Expr| function.index.as_ref().is_some_and(|index| mentions_size(expr, index));
        match self {
            Argument::Size(size) => has_position(size),
            Argument::Boundary(Boundary::Custom(function)) => has_position(&function.body),
            Argument::Boundary(Boundary::Clamp | Boundary::Mirror | Boundary::Wrap) => false,
            Argument::Value(value) => mentions(value, parameter) || expr_has_position(value),
            Argument::Function(function) => {
                mentions(&function.body, parameter) || expr_has_position(&function.body)
            }
        }
    }
}

fn same_boundary(left: &Boundary, right: &Boundary) -> bool {
    match (left, right) {
        (Boundary::Custom(left), Boundary::Custom(right)) => same_positions(left, right),
        _ => left == right,
    }
}

fn same_positions(left: &IndexFunction, right: &IndexFunction) -> bool {
    left.kind == right.kind && left.apply(&Nat::variable(&right.index)) == right.body
}

fn only_parameter(function: &Lambda) -> Option<&Variable> {
    match function.parameters.as_slice() {
        [(parameter, _)] => Some(parameter),
        _ => None,
    }
}

fn is(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

/// The arrays that `zip`, `zip2`, … zips element by element.
fn zipped<'e>(expr: &'e Expr, rank: u8, binders: &mut Vec<&'e Variable>) -> Option<Vec<&'e Arc<Expr>>> {
    match &expr.kind {
        ExprKind::Zip(parts) if rank == 1 => Some(parts.iter().collect()),
        ExprKind::Map(MapKind::Unspecified, function, input) if rank > 1 => {
            let ExprKind::Zip(parts) = &input.kind else { return None };
            let parameter = only_parameter(function)?;
            binders.push(parameter);
            let rows = zipped(&function.body, rank - 1, binders)?;
            let is_component = |(position, row): (usize, &&Arc<Expr>)| is_component(row, parameter, position);
            let are_components = rows.iter().enumerate().all(is_component);
            (are_components && rows.len() == parts.len()).then(|| parts.iter().collect())
        }
        _ => None,
    }
}

fn is_component(expr: &Expr, tuple: &Variable, position: usize) -> bool {
    matches!(&expr.kind, ExprKind::Component(input, taken) if *taken == position && is(input, tuple))
}

/// `zip(a, b) >> map(mult) >> reduce(add, 0)`
fn dot_product(expr: &Expr) -> Option<Composition<'_>> {
    let ExprKind::Reduce(ReduceKind::Unspecified, sum, initial, products) = &expr.kind else { return None };
    let ExprKind::Map(MapKind::Unspecified, product, pairs) = &products.kind else { return None };
    let (ExprKind::Zip(parts), [(accumulator, _), (element, _)]) = (&pairs.kind, sum.parameters.as_slice())
    else {
        return None;
    };
    let [left, right] = parts.as_slice() else { return None };
    let pair = only_parameter(product)?;
    let adds = matches!(&sum.body.kind, ExprKind::Binary(BinaryOperator::Add, left, right)
        if is(left, accumulator) && is(right, element));
    let multiplies = matches!(&product.body.kind, ExprKind::Binary(BinaryOperator::Multiply, left, right)
        if is_component(left, pair, 0) && is_component(right, pair, 1));
    (adds && multiplies && is_zero(initial)).then(|| Composition {
        primitive: Primitive::DotProduct,
        arguments: vec![Argument::Value(left)],
        data: vec![right],
        binders: vec![accumulator, element, pair],
    })
}

fn update(expr: &Expr) -> Option<Composition<'_>> {
    let update = Update::of(expr)?;
    let (position, Update { new, array, old, .. }) = (update.key()?, update);
    Some(Composition {
        primitive: Primitive::Update,
        arguments: vec![Argument::Value(position), Argument::Value(new)],
        data: vec![array],
        binders: vec![old],
    })
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(literal) => *literal == Literal::Integer(0),
        ExprKind::Broadcast(scalar) => is_zero(scalar),
        _ => false,
    }
}
