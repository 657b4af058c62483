//! Lifting: a function on scalars becomes one on vectors, which computes neighbouring results at once.
//!
//! Input: a function whose parameters are scalars, tuples of lifted parts, or arrays of them. Output: the
//! function that takes a vector of a width where the input takes a scalar, and gives one where the input
//! gives a scalar. Lane `k` of its result is the input's result for lane `k` of its arguments.
//!
//! Published rules lift user functions only (Steuwer et al., ICFP 2015, section 4.2; CASES 2016, section 4).
//! Here every form is lifted: what is the same in all lanes stays as it is, and is broadcast where it meets a
//! vector; an `if` on data becomes a choice in each lane, which computes both branches (all operations on
//! scalars have a value); what has no form on vectors is applied lane by lane. An index that is computed from
//! data is refused: its lanes would read different elements.

use std::sync::Arc;

use super::mismatch::Mismatch;
use crate::flat::FlatMap;
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Layout, Position, ReduceKind, ScanKind, Variable};
use crate::ir::types::Type;

/// The function on vectors of a width. Its binders are those of the function where they bind the same value
/// in all lanes, so that it stands in the place of the function, or is made of a copy.
pub(super) fn lift(function: &Lambda, width: u8, build: &mut Build<'_>) -> Result<Lambda, Mismatch> {
    if function.index.as_ref().is_some_and(|index| function.mentions_index(index)) {
        return Err(Mismatch::condition("the function does not use its position", &function.body));
    }
    let mut lifter = Lifter { build, width, variables: FlatMap::new() };
    let lanes = function.parameters.iter().map(|(_, ty)| lifter.everywhere(ty, &function.body));
    let lanes = lanes.collect::<Result<Vec<Lanes>, _>>()?;
    let lifted = lifter.function(function, &lanes, Some(&function.body.ty))?.0;
    Ok(Lambda { index: None, ..lifted })
}

/// Where a value differs from lane to lane.
#[derive(Debug, Clone, PartialEq)]
enum Lanes {
    /// Nowhere: it is what it is without lifting.
    Same,
    /// It is a scalar there, and a vector here.
    Vector,
    /// In components of a tuple.
    Tuple(Vec<Lanes>),
    /// In the elements of an array.
    Array(Box<Lanes>),
}

impl Lanes {
    fn tuple(parts: Vec<Lanes>) -> Lanes {
        if parts.iter().all(|part| *part == Lanes::Same) { Lanes::Same } else { Lanes::Tuple(parts) }
    }

    fn array(element: Lanes) -> Lanes {
        if element == Lanes::Same { Lanes::Same } else { Lanes::Array(Box::new(element)) }
    }

    fn element(&self) -> Lanes {
        match self {
            Lanes::Array(element) => element.as_ref().clone(),
            Lanes::Same | Lanes::Vector | Lanes::Tuple(_) => Lanes::Same,
        }
    }

    fn component(&self, position: usize) -> Lanes {
        match self {
            Lanes::Tuple(parts) => parts.get(position).cloned().unwrap_or(Lanes::Same),
            Lanes::Same | Lanes::Vector | Lanes::Array(_) => Lanes::Same,
        }
    }

    /// Where one of two values differs.
    fn or(self, other: Lanes) -> Lanes {
        match (self, other) {
            (Lanes::Same, other) | (other, Lanes::Same) => other,
            (Lanes::Tuple(left), Lanes::Tuple(right)) => {
                Lanes::Tuple(left.into_iter().zip(right).map(|(left, right)| left.or(right)).collect())
            }
            (Lanes::Array(left), Lanes::Array(right)) => Lanes::Array(Box::new(left.or(*right))),
            // Two values of one type.
            (left, _) => left,
        }
    }
}

/// A lifted value.
struct Lifted {
    expr: Arc<Expr>,
    lanes: Lanes,
}

type Result<T, E = Mismatch> = std::result::Result<T, E>;

struct Lifter<'b, 'p> {
    build: &'b mut Build<'p>,
    width: u8,
    /// The variables whose values differ from lane to lane: what each is replaced by, and where it differs.
    variables: FlatMap<u32, (Arc<Expr>, Lanes)>,
}

impl Lifter<'_, '_> {
    /// All scalars of a type. `at` is an expression that has something of this type.
    fn everywhere(&self, ty: &Type, at: &Expr) -> Result<Lanes> {
        match ty {
            Type::Scalar(_) => Ok(Lanes::Vector),
            Type::Tuple(parts) => {
                Ok(Lanes::Tuple(parts.iter().map(|part| self.everywhere(part, at)).collect::<Result<_>>()?))
            }
            Type::Array(array) => Ok(Lanes::Array(Box::new(self.everywhere(&array.element, at)?))),
            Type::Vector(..) => Err(Mismatch::condition("no lane of a vector is a vector", at)),
            Type::Size => Err(Mismatch::condition("sizes are the same in all lanes", at)),
        }
    }

    fn ty(&self, ty: &Type, lanes: &Lanes) -> Type {
        match (ty, lanes) {
            (Type::Scalar(lane), Lanes::Vector) => Type::Vector(*lane, self.width),
            (Type::Tuple(parts), Lanes::Tuple(lanes)) => {
                Type::Tuple(parts.iter().zip(lanes).map(|(part, lanes)| self.ty(part, lanes)).collect())
            }
            (Type::Array(array), Lanes::Array(lanes)) => {
                let element = self.ty(&array.element, lanes);
                match &array.index {
                    Some(index) => Type::array_at(index, element, array.length.clone()),
                    None => Type::array(element, array.length.clone()),
                }
            }
            _ => ty.clone(),
        }
    }

    /// A value that differs at least where `wanted` says: what is the same in all lanes is broadcast there.
    fn widened(&mut self, value: Lifted, wanted: &Lanes) -> Result<Arc<Expr>> {
        if value.lanes == *wanted {
            return Ok(value.expr);
        }
        match wanted {
            Lanes::Same => Ok(value.expr),
            Lanes::Vector => Ok(self.build.broadcast(value.expr, self.width)?),
            Lanes::Tuple(wanted) => {
                let lanes = value.lanes;
                self.named("parts", value.expr, |lifter, tuple| {
                    let part = |(position, wanted): (usize, &Lanes)| {
                        let expr = lifter.build.component(&tuple, position)?;
                        lifter.widened(Lifted { expr, lanes: lanes.component(position) }, wanted)
                    };
                    let parts = wanted.iter().enumerate().map(part).collect::<Result<_>>()?;
                    Ok(lifter.build.tuple(parts)?)
                })
            }
            Lanes::Array(wanted) => {
                let (lanes, width) = (value.lanes.element(), self.width);
                let variables = self.variables.clone();
                self.build.map_over(value.expr, "x", |build, expr| {
                    Lifter { build, width, variables }.widened(Lifted { expr, lanes }, wanted)
                })
            }
        }
    }

    /// What is built from a value that it may mention more than once.
    fn named(
        &mut self,
        name: &str,
        value: Arc<Expr>,
        body: impl FnOnce(&mut Lifter<'_, '_>, Arc<Expr>) -> Result<Arc<Expr>>,
    ) -> Result<Arc<Expr>> {
        if matches!(value.kind, ExprKind::Tuple(_)) {
            return body(self, value);
        }
        let (width, variables) = (self.width, self.variables.clone());
        self.build.shared(name, value, |build, read| body(&mut Lifter { build, width, variables }, read))
    }

    /// Whether an expression mentions a variable whose value differs from lane to lane.
    fn differs(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(variable) => self.variables.contains_key(&variable.id),
            _ => expr.children().any(|child| self.differs(child)),
        }
    }

    /// Binds a variable to a value that differs as `lanes` says, until the map of variables is restored.
    /// Returns the variable that replaces it.
    fn bind(&mut self, variable: &Variable, ty: &Type, lanes: &Lanes) -> (Variable, Type) {
        if *lanes == Lanes::Same {
            return (variable.clone(), ty.clone());
        }
        let ty = self.ty(ty, lanes);
        let fresh = self.build.variable(&variable.name);
        let read = self.build.read(&fresh, &ty);
        self.variables.insert(variable.id, (read, lanes.clone()));
        (fresh, ty)
    }

    /// A function whose arguments differ as `lanes` says. Its result differs everywhere, if its type is
    /// given.
    fn function(
        &mut self,
        function: &Lambda,
        lanes: &[Lanes],
        result: Option<&Type>,
    ) -> Result<(Lambda, Lanes)> {
        let around = self.variables.clone();
        let parameters = function.parameters.iter().zip(lanes);
        let parameters = parameters.map(|((variable, ty), lanes)| self.bind(variable, ty, lanes)).collect();
        let body = self.expr(&function.body)?;
        let wanted = match result {
            Some(ty) => self.everywhere(ty, &function.body)?,
            None => body.lanes.clone(),
        };
        let body = self.widened(body, &wanted)?;
        self.variables = around;
        Ok((Lambda { parameters, index: function.index.clone(), body }, wanted))
    }

    /// The same for a function that is applied at positions below a count.
    fn function_at(
        &mut self,
        function: &Lambda,
        count: &Nat,
        lanes: &[Lanes],
        result: Option<&Type>,
    ) -> Result<(Lambda, Lanes)> {
        let (width, variables) = (self.width, self.variables.clone());
        self.build.under_index(function.index.as_ref(), count, |build| {
            Lifter { build, width, variables }.function(function, lanes, result)
        })
    }

    fn expr(&mut self, expr: &Arc<Expr>) -> Result<Lifted> {
        if !self.differs(expr) {
            return Ok(Lifted { expr: expr.clone(), lanes: Lanes::Same });
        }
        match &expr.kind {
            ExprKind::Variable(variable) => match self.variables.get(&variable.id) {
                Some((read, lanes)) => Ok(Lifted { expr: read.clone(), lanes: lanes.clone() }),
                None => Ok(Lifted { expr: expr.clone(), lanes: Lanes::Same }),
            },
            ExprKind::Literal(_) | ExprKind::Size(_) => Ok(Lifted { expr: expr.clone(), lanes: Lanes::Same }),
            ExprKind::Unary(operator, operand) => {
                let operand = self.vector(operand)?;
                self.vectors(ExprKind::Unary(*operator, operand))
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.vector(left)?, self.vector(right)?);
                self.vectors(ExprKind::Binary(*operator, left, right))
            }
            ExprKind::Builtin(builtin, arguments) => {
                let arguments = self.all_vectors(arguments)?;
                self.vectors(ExprKind::Builtin(*builtin, arguments))
            }
            ExprKind::Cast(scalar, operand) => {
                let operand = self.vector(operand)?;
                self.vectors(ExprKind::Cast(*scalar, operand))
            }
            ExprKind::Function(called, arguments) => self.call(*called, arguments),
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            ExprKind::Let { bindings, body } => self.bindings(bindings, body),
            ExprKind::Tuple(parts) => {
                let parts = self.all(parts)?;
                let lanes = Lanes::tuple(parts.iter().map(|part| part.lanes.clone()).collect());
                let parts = parts.into_iter().map(|part| part.expr).collect();
                Ok(Lifted { expr: self.build.tuple(parts)?, lanes })
            }
            ExprKind::Component(tuple, position) => {
                let tuple = self.expr(tuple)?;
                let lanes = tuple.lanes.component(*position);
                Ok(Lifted { expr: self.build.component(&tuple.expr, *position)?, lanes })
            }
            ExprKind::Store(space, value) => {
                let Lifted { expr, lanes } = self.expr(value)?;
                Ok(Lifted { expr: self.build.expr(ExprKind::Store(*space, expr))?, lanes })
            }
            ExprKind::EndUnless(..) => Err(Mismatch::condition("all lanes end together", expr)),
            ExprKind::Broadcast(_) | ExprKind::Lanewise(..) => {
                Err(Mismatch::condition("no lane of a vector is a vector", expr))
            }
            ExprKind::Map(kind, function, input) => {
                let (input, count) = (self.expr(input)?, length(&input.ty));
                let (function, lanes) = self.function_at(function, &count, &[input.lanes.element()], None)?;
                let expr = self.build.map(*kind, function, input.expr)?;
                Ok(Lifted { expr, lanes: Lanes::array(lanes) })
            }
            ExprKind::Reduce(kind, function, initial, input) => self.reduce(*kind, function, initial, input),
            ExprKind::Scan(kind, function, initial, input) => self.scan(*kind, function, initial, input),
            ExprKind::Iterate(count, function, input) => self.iterate(count, function, input),
            ExprKind::ArrayLiteral(elements) => {
                let (elements, lanes) = self.alike(elements)?;
                let expr = self.build.expr(ExprKind::ArrayLiteral(elements))?;
                Ok(Lifted { expr, lanes: Lanes::array(lanes) })
            }
            ExprKind::Concat(parts) => {
                let (parts, lanes) = self.alike(parts)?;
                Ok(Lifted { expr: self.build.expr(ExprKind::Concat(parts))?, lanes })
            }
            ExprKind::Zip(parts) => {
                let parts = self.all(parts)?;
                let lanes = Lanes::tuple(parts.iter().map(|part| part.lanes.element()).collect());
                let parts = parts.into_iter().map(|part| part.expr).collect();
                Ok(Lifted { expr: self.build.zip(parts)?, lanes: Lanes::array(lanes) })
            }
            ExprKind::Unzip(input) => {
                let input = self.expr(input)?;
                let lanes = match input.lanes.element() {
                    Lanes::Tuple(parts) => Lanes::tuple(parts.into_iter().map(Lanes::array).collect()),
                    other => Lanes::array(other),
                };
                Ok(Lifted { expr: self.build.expr(ExprKind::Unzip(input.expr))?, lanes })
            }
            ExprKind::Layout(layout, input) => self.layout(layout, input, expr),
            ExprKind::PadConstant { left, right, value, input } => {
                let (value, input) = (self.expr(value)?, self.expr(input)?);
                let lanes = value.lanes.clone().or(input.lanes.element());
                let (value, input) =
                    (self.widened(value, &lanes)?, self.widened(input, &Lanes::array(lanes.clone()))?);
                let kind = ExprKind::PadConstant { left: left.clone(), right: right.clone(), value, input };
                Ok(Lifted { expr: self.build.expr(kind)?, lanes: Lanes::array(lanes) })
            }
            ExprKind::At(position, input) => self.at(position, input),
            ExprKind::Generate(count, function) => {
                let (function, lanes) = self.function_at(function, count, &[], None)?;
                let expr = self.build.expr(ExprKind::Generate(count.clone(), function))?;
                Ok(Lifted { expr, lanes: Lanes::array(lanes) })
            }
            ExprKind::Repeat(count, value) => {
                let value = self.expr(value)?;
                let expr = self.build.repeat(count.clone(), value.expr)?;
                Ok(Lifted { expr, lanes: Lanes::array(value.lanes) })
            }
        }
    }

    fn all(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<Lifted>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// A scalar as a vector.
    fn vector(&mut self, expr: &Arc<Expr>) -> Result<Arc<Expr>> {
        let lifted = self.expr(expr)?;
        self.widened(lifted, &Lanes::Vector)
    }

    fn all_vectors(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<Arc<Expr>>> {
        exprs.iter().map(|expr| self.vector(expr)).collect()
    }

    fn vectors(&mut self, kind: ExprKind) -> Result<Lifted> {
        Ok(Lifted { expr: self.build.expr(kind)?, lanes: Lanes::Vector })
    }

    /// Values that differ alike, as the elements of one array do.
    fn alike(&mut self, exprs: &[Arc<Expr>]) -> Result<(Vec<Arc<Expr>>, Lanes)> {
        let lifted = self.all(exprs)?;
        let lanes = lifted.iter().fold(Lanes::Same, |lanes, value| lanes.or(value.lanes.clone()));
        let widened = lifted.into_iter().map(|value| self.widened(value, &lanes)).collect::<Result<_>>()?;
        Ok((widened, lanes))
    }

    /// A call: lane by lane if it takes and gives scalars, else by its body.
    fn call(&mut self, called: usize, arguments: &[Arc<Expr>]) -> Result<Lifted> {
        let functions = self.build.functions();
        let function = functions.get(called).ok_or(crate::ir::typed::result::Mismatch::NoFunction(called))?;
        let is_scalar = |ty: &Type| matches!(ty, Type::Scalar(_));
        if is_scalar(&function.body.ty) && function.parameters.iter().all(|(_, ty)| is_scalar(ty)) {
            let vectors = self.all_vectors(arguments)?;
            let parameters = function.parameters.iter();
            let parameters: Vec<(Variable, Type)> =
                parameters.map(|(named, ty)| (self.build.variable(&named.name), ty.clone())).collect();
            let reads = parameters.iter().map(|(variable, ty)| self.build.read(variable, ty)).collect();
            let body = self.build.expr(ExprKind::Function(called, reads))?;
            let of_lane = Lambda { parameters, index: None, body };
            return self.vectors(ExprKind::Lanewise(of_lane, vectors));
        }
        let parameters = function.parameters.clone();
        let of_body = Lambda { parameters, index: None, body: function.body.clone() };
        let applied = self.build.apply_copy(&of_body, None, arguments.to_vec())?;
        self.expr(&applied)
    }

    fn bindings(&mut self, bindings: &[Binding], body: &Arc<Expr>) -> Result<Lifted> {
        let around = self.variables.clone();
        let mut lifted = Vec::new();
        for binding in bindings {
            let Lifted { expr, lanes } = self.expr(&binding.value)?;
            let (variable, _) = self.bind(&binding.variable, &binding.value.ty, &lanes);
            lifted.push(Binding { variable, value: expr });
        }
        let Lifted { expr, lanes } = self.expr(body)?;
        self.variables = around;
        Ok(Lifted { expr: self.build.expr(ExprKind::bound(lifted, expr))?, lanes })
    }

    fn conditional(
        &mut self,
        condition: &Arc<Expr>,
        then: &Arc<Expr>,
        otherwise: &Arc<Expr>,
    ) -> Result<Lifted> {
        let lifted = self.expr(condition)?;
        if lifted.lanes == Lanes::Same {
            let (branches, lanes) = self.alike(&[then.clone(), otherwise.clone()])?;
            let [then, otherwise] = branches.as_slice() else { return Err(Mismatch::Arguments) };
            let kind = ExprKind::If(lifted.expr, then.clone(), otherwise.clone());
            return Ok(Lifted { expr: self.build.expr(kind)?, lanes });
        }
        let lanes = self.everywhere(&then.ty, then)?;
        let (first, second) = (self.expr(then)?, self.expr(otherwise)?);
        let (first, second) = (self.widened(first, &lanes)?, self.widened(second, &lanes)?);
        let expr = self.chosen(lifted.expr, first, second, &lanes, then)?;
        Ok(Lifted { expr, lanes })
    }

    /// In each lane, one of two values that differ everywhere.
    fn chosen(
        &mut self,
        condition: Arc<Expr>,
        then: Arc<Expr>,
        otherwise: Arc<Expr>,
        lanes: &Lanes,
        at: &Expr,
    ) -> Result<Arc<Expr>> {
        match lanes {
            Lanes::Vector => {
                Ok(self.build.expr(ExprKind::Builtin(Builtin::Select, vec![condition, then, otherwise]))?)
            }
            Lanes::Tuple(parts) => self.named("condition", condition, |lifter, condition| {
                lifter.named("then", then, |lifter, then| {
                    lifter.named("otherwise", otherwise, |lifter, otherwise| {
                        let chosen = |(position, lanes): (usize, &Lanes)| {
                            let then = lifter.build.component(&then, position)?;
                            let otherwise = lifter.build.component(&otherwise, position)?;
                            lifter.chosen(condition.clone(), then, otherwise, lanes, at)
                        };
                        let chosen = parts.iter().enumerate().map(chosen).collect::<Result<_>>()?;
                        Ok(lifter.build.tuple(chosen)?)
                    })
                })
            }),
            Lanes::Same | Lanes::Array(_) => {
                Err(Mismatch::condition("which of two arrays is taken is the same in all lanes", at))
            }
        }
    }

    /// The accumulator differs everywhere: from the second element on it does, if the elements do.
    fn reduce(
        &mut self,
        kind: ReduceKind,
        function: &Lambda,
        initial: &Arc<Expr>,
        input: &Arc<Expr>,
    ) -> Result<Lifted> {
        let (array, count) = (self.expr(input)?, length(&input.ty));
        let (function, initial, lanes) =
            self.accumulation(function, initial, &count, array.lanes.element())?;
        Ok(Lifted { expr: self.build.reduce(kind, function, initial, array.expr)?, lanes })
    }

    fn scan(
        &mut self,
        kind: ScanKind,
        function: &Lambda,
        initial: &Arc<Expr>,
        input: &Arc<Expr>,
    ) -> Result<Lifted> {
        let (mut array, count) = (self.expr(input)?, length(&input.ty));
        if kind == ScanKind::Inclusive {
            // The first element is the first result.
            let lanes = self.everywhere(&input.ty, input)?;
            array = Lifted { expr: self.widened(array, &lanes)?, lanes };
        }
        let (function, initial, lanes) =
            self.accumulation(function, initial, &count, array.lanes.element())?;
        let expr = self.build.expr(ExprKind::Scan(kind, function, initial, array.expr))?;
        Ok(Lifted { expr, lanes: Lanes::array(lanes) })
    }

    /// The function and the initial value of a reduction or a scan.
    fn accumulation(
        &mut self,
        function: &Lambda,
        initial: &Arc<Expr>,
        count: &Nat,
        element: Lanes,
    ) -> Result<(Lambda, Arc<Expr>, Lanes)> {
        let lanes = self.everywhere(&initial.ty, initial)?;
        let lifted = self.expr(initial)?;
        let lifted = self.widened(lifted, &lanes)?;
        let (function, _) =
            self.function_at(function, count, &[lanes.clone(), element], Some(&initial.ty))?;
        Ok((function, lifted, lanes))
    }

    fn iterate(&mut self, count: &Nat, function: &Lambda, input: &Arc<Expr>) -> Result<Lifted> {
        let lanes = self.everywhere(&input.ty, input)?;
        let lifted = self.expr(input)?;
        let lifted = self.widened(lifted, &lanes)?;
        let result = &function.body.ty;
        let (function, lanes) = self.function_at(function, count, &[lanes], Some(result))?;
        Ok(Lifted { expr: self.build.expr(ExprKind::Iterate(count.clone(), function, lifted))?, lanes })
    }

    fn layout(&mut self, layout: &Layout, input: &Arc<Expr>, at: &Expr) -> Result<Lifted> {
        let Lifted { expr, lanes } = self.expr(input)?;
        let element = lanes.element();
        let lanes = match layout {
            Layout::Split { .. }
            | Layout::Partition(_)
            | Layout::Deinterleave { .. }
            | Layout::Slide { .. } => Lanes::array(Lanes::array(element)),
            Layout::Join | Layout::Interleave => element,
            Layout::Transpose
            | Layout::Gather(_)
            | Layout::Scatter(_)
            | Layout::Slice { .. }
            | Layout::Increase { .. }
            | Layout::Pad { .. } => lanes,
            Layout::AsVector { .. } | Layout::AsScalar => {
                return Err(Mismatch::condition("no lane of a vector is a vector", at));
            }
        };
        Ok(Lifted { expr: self.build.layout(layout.clone(), expr)?, lanes })
    }

    fn at(&mut self, position: &Position, input: &Arc<Expr>) -> Result<Lifted> {
        let index = match position {
            Position::Size(_) => None,
            Position::Clamped(index) | Position::OrDefault(index, _) => Some(index),
        };
        if let Some(index) = index.filter(|index| self.differs(index)) {
            return Err(Mismatch::condition("an index is the same in all lanes", index));
        }
        let array = self.expr(input)?;
        let element = array.lanes.element();
        let Position::OrDefault(index, default) = position else {
            let expr = self.build.expr(ExprKind::At(position.clone(), array.expr))?;
            return Ok(Lifted { expr, lanes: element });
        };
        let default = self.expr(default)?;
        let lanes = element.or(default.lanes.clone());
        let default = self.widened(default, &lanes)?;
        let array = self.widened(array, &Lanes::array(lanes.clone()))?;
        let position = Position::OrDefault(index.clone(), default);
        Ok(Lifted { expr: self.build.expr(ExprKind::At(position, array))?, lanes })
    }
}

/// The number of elements of an array.
fn length(ty: &Type) -> Nat {
    ty.as_array().map_or(Nat::zero(), |array| array.length.clone())
}
