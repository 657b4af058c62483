//! What kernel code reads and writes, and the distance of the elements that neighbouring positions of a loop
//! access.

use super::{BufferId, Expression, Statement, StoreWay, Stored, ValueType, any};
use crate::flat::FlatSet;
use crate::ir::nat::{Nat, Var};

/// The distance of the elements that neighbouring positions of a loop access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stride {
    /// All positions access one element.
    Zero,
    /// Neighbouring positions access neighbouring elements.
    One,
    /// Neighbours access elements with a constant distance.
    Constant(i128),
    /// Anything else.
    Other,
}

/// The stride of an index in a loop; `varying` are indices that are computed inside the loop.
pub(crate) fn stride(nat: &Nat, index: &Var, varying: &FlatSet<Var>) -> Stride {
    if varying.iter().any(|variable| nat.mentions(variable)) {
        return Stride::Other;
    }
    match coefficient(nat, index) {
        Some(0) => Stride::Zero,
        Some(1) => Stride::One,
        Some(constant) => Stride::Constant(constant),
        None => Stride::Other,
    }
}

/// The largest distance of elements that are cut out as one piece.
const LARGEST_STRIDE: i128 = 16;

/// Whether elements at this distance are cut out as one piece for all lanes.
pub(crate) fn is_piece(distance: i128) -> bool {
    (2..=LARGEST_STRIDE).contains(&distance)
}

/// The constant factor of a variable in an index that is linear in it.
pub(crate) fn coefficient(nat: &Nat, variable: &Var) -> Option<i128> {
    nat.linear_in(variable)?.0.as_constant()
}

/// Whether an access happens whenever the statement is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// Yes.
    Always,
    /// Only where a condition holds.
    Perhaps,
}

/// A load or a store.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Access {
    pub(crate) buffer: BufferId,
    pub(crate) index: Nat,
    pub(crate) ty: ValueType,
    pub(crate) certainty: Certainty,
    /// The number of loops of the body around it.
    pub(crate) depth: usize,
}

impl Access {
    /// Whether it touches exactly the elements that another access touches.
    pub(crate) fn is_of_same_elements(&self, other: &Access) -> bool {
        (self.buffer, &self.index, self.ty) == (other.buffer, &other.index, other.ty)
    }
}

/// All accesses of a body.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    pub(crate) loads: Vec<Access>,
    pub(crate) stores: Vec<Access>,
}

impl Accesses {
    /// The accesses of statements.
    pub(crate) fn of(body: &[Statement]) -> Accesses {
        let mut accesses = Accesses::default();
        accesses.block(body, Certainty::Always, 0);
        accesses
    }

    /// The buffers that are loaded from.
    pub(crate) fn loaded(&self) -> FlatSet<BufferId> {
        self.loads.iter().map(|access| access.buffer).collect()
    }

    /// The buffers that are stored to.
    pub(crate) fn stored(&self) -> FlatSet<BufferId> {
        self.stores.iter().map(|access| access.buffer).collect()
    }

    fn block(&mut self, body: &[Statement], mut certainty: Certainty, depth: usize) {
        for statement in body {
            if let Some(Stored { buffer, index, value, way }) = statement.stored() {
                let (index, ty) = (index.clone(), value.ty());
                let access = Access { buffer, index, ty, certainty, depth };
                self.loads.extend((way == StoreWay::Update).then(|| access.clone()));
                self.stores.push(access);
            }
            for expression in statement.expressions() {
                self.expression(expression, certainty, depth);
            }
            let (inside, depth) = match statement {
                Statement::If(..) => (Certainty::Perhaps, depth),
                Statement::Loop(_) => (certainty, depth + 1),
                _ => (certainty, depth),
            };
            statement.blocks().for_each(|block| self.block(block, inside, depth));
            if let Statement::BreakUnless(_) = statement {
                certainty = Certainty::Perhaps;
            }
        }
    }

    fn expression(&mut self, expression: &Expression, certainty: Certainty, depth: usize) {
        if let Expression::Load(buffer, index, ty) = expression {
            self.loads.push(Access { buffer: *buffer, index: index.clone(), ty: *ty, certainty, depth });
        }
        let mut rest = expression.children().into_iter();
        match expression {
            // The right operand of `&&` and `||`, and the branches of a choice, are not always evaluated.
            Expression::Select(..) | Expression::Binary(..) => {
                let always = match expression {
                    Expression::Binary(operator, ..) if !operator.is_lazy() => 2,
                    _ => 1,
                };
                rest.by_ref().take(always).for_each(|child| self.expression(child, certainty, depth));
                rest.for_each(|child| self.expression(child, Certainty::Perhaps, depth));
            }
            _ => rest.for_each(|child| self.expression(child, certainty, depth)),
        }
    }
}

/// The indices that a body computes; in a strip, each lane has its own.
pub(crate) fn computed_indices(body: &[Statement]) -> FlatSet<Var> {
    let mut computed = FlatSet::new();
    any(body, &mut |statement| {
        if let Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } = statement {
            computed.insert(index.clone());
        }
        false
    });
    computed
}
