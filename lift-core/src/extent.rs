//! How large indices become: what a launcher compares with 32 bits before it chooses the type of all indices.
//!
//! Guarantees that no part of an index formula is larger than the largest of these sizes by more than the two bits that
//! launchers leave. An index into an array is below the number of its elements; what the user computes of positions
//! (`gather(|i| (i * i) % n)`) is bounded here term by term, since a part may be far larger than the whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::Module;
use crate::nat::{Atom, Nat, Ranges, Term, Var};
use crate::typed::{
    Boundary, Expr, ExprKind, IndexFunction, IndexFunctionKind, Lambda, Layout, Position, Program,
    SizeVariable,
};
use crate::types::Type;

/// Fewer elements than this are indexed with 32 bits by every launcher.
const CERTAINLY_NARROW: i128 = 1 << 24;

/// The sizes of all arrays and index computations of a program that depend on these sizes, or that 32 bits cannot hold.
pub(crate) fn extents(
    program: &Program,
    sizes: &[SizeVariable],
    module: &Module,
    ranges: &Ranges,
) -> Vec<Nat> {
    let mut walk = Walk { limits: BTreeMap::new(), found: BTreeSet::new() };
    walk.found.extend(module.buffers.iter().map(|buffer| buffer.length.clone()));
    walk.expr(&program.body);
    let mut found: BTreeSet<Nat> = walk.found.iter().map(|extent| ranges.simplify(extent)).collect();
    let closed_forms: Vec<Nat> = found.iter().flat_map(dividends).collect();
    found.extend(closed_forms);
    let is_small = |extent: &Nat| extent.as_constant().is_some_and(|extent| extent < CERTAINLY_NARROW);
    let is_closed = |extent: &Nat| {
        extent.variables().iter().all(|variable| sizes.iter().any(|size| &size.variable == variable))
    };
    found.into_iter().filter(|extent| !is_small(extent) && is_closed(extent)).collect()
}

/// Where a formula for a number of elements divides: the parts of the dividend that are added, since an index is computed by
/// the same formula. A quarter of them, for a launcher leaves two bits for parts of formulas.
fn dividends(count: &Nat) -> Vec<Nat> {
    let atoms = count.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
    let divided = atoms.filter_map(|atom| match atom {
        Atom::Divide(dividend, divisor) if divisor.as_constant().is_some() => Some(dividend),
        _ => None,
    });
    divided
        .map(|dividend| {
            let added = dividend.terms().iter().filter(|term| term.coefficient > 0);
            let sum = added.fold(Nat::zero(), |sum, term| sum + Nat::from_term(term.clone()));
            sum.divide(&Nat::constant(4))
        })
        .collect()
}

struct Walk {
    /// What positions are below.
    limits: BTreeMap<Var, Nat>,
    found: BTreeSet<Nat>,
}

impl Walk {
    fn expr(&mut self, expr: &Expr) {
        if let Type::Array(_) = expr.ty {
            self.found.insert(expr.ty.element_count());
        }
        match &expr.kind {
            ExprKind::Size(size) | ExprKind::At(Position::Size(size), _) => self.computed(size),
            ExprKind::Generate(length, function) => self.limit(function, length),
            ExprKind::Iterate(count, function, _) => self.limit(function, count),
            ExprKind::Map(_, function, input) => {
                if let Some(array) = input.ty.as_array() {
                    self.limit(function, &array.length);
                }
            }
            ExprKind::Layout(layout, input) => {
                if let Some(array) = input.ty.as_array() {
                    self.layout(layout, &array.length);
                }
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }

    fn limit(&mut self, function: &Lambda, count: &Nat) {
        if let Some(index) = &function.index {
            self.limits.insert(index.clone(), count.clone());
        }
    }

    fn layout(&mut self, layout: &Layout, length: &Nat) {
        match layout {
            Layout::Gather(function) | Layout::Scatter(function) => self.index_function(function, length),
            Layout::Pad { left, right, boundary: Boundary::Custom(function) } => {
                self.index_function(function, &(left + length + right));
            }
            _ => {}
        }
    }

    fn index_function(&mut self, function: &IndexFunction, positions: &Nat) {
        if function.kind == IndexFunctionKind::Custom {
            self.limits.insert(function.index.clone(), positions.clone());
            self.computed(&function.body);
        }
    }

    /// Everything that is computed on the way to a size.
    fn computed(&mut self, size: &Nat) {
        if size.as_constant().is_some() || size.as_variable().is_some() {
            return;
        }
        self.found.insert(self.bound(size));
        for (atom, _) in size.terms().iter().flat_map(|term| &term.factors) {
            match atom {
                Atom::Var(_) => {}
                Atom::Divide(left, right)
                | Atom::Modulo(left, right)
                | Atom::Minimum(left, right)
                | Atom::Maximum(left, right)
                | Atom::Power(left, right)
                | Atom::Select(_, left, right) => {
                    self.computed(left);
                    self.computed(right);
                }
                Atom::Log2(operand) => self.computed(operand),
                Atom::Sum { index, from, to, body } => {
                    self.computed(from);
                    self.computed(to);
                    self.limits.insert(index.clone(), to.clone());
                    self.computed(body);
                }
            }
        }
    }

    /// At least the magnitude of a size and of the sums of any of its terms.
    fn bound(&self, size: &Nat) -> Nat {
        let term = |term: &Term| {
            let magnitude = Nat::constant(term.coefficient.saturating_abs());
            term.factors.iter().fold(magnitude, |product, (atom, power)| {
                let factor = self.bound_of_atom(atom);
                (0..*power).fold(product, |product, _| product * &factor)
            })
        };
        size.terms().iter().map(term).fold(Nat::zero(), |sum, term| sum + term)
    }

    fn bound_of_atom(&self, atom: &Atom) -> Nat {
        match atom {
            Atom::Var(variable) => match self.limits.get(variable) {
                Some(limit) => self.bound(limit),
                None => Nat::variable(variable),
            },
            Atom::Divide(dividend, divisor) => match divisor.as_constant() {
                Some(constant) if constant > 0 => self.bound(dividend).divide(divisor) + Nat::one(),
                _ => self.bound(dividend),
            },
            Atom::Log2(operand) => self.bound(operand),
            Atom::Modulo(_, divisor) => self.bound(divisor),
            // Of two numbers that are not negative, the smaller one is no larger than either.
            Atom::Minimum(left, right) if is_not_negative(left) && is_not_negative(right) => {
                Nat::min(&self.bound(left), &self.bound(right))
            }
            Atom::Minimum(left, right) | Atom::Maximum(left, right) | Atom::Select(_, left, right) => {
                Nat::max(&self.bound(left), &self.bound(right))
            }
            Atom::Power(base, exponent) => self.bound(base).pow(&self.bound(exponent)),
            Atom::Sum { from, to, body, .. } => (self.bound(from) + self.bound(to)) * self.bound(body),
        }
    }
}

/// Whether a formula is built so that it cannot be negative: sizes and positions are not.
fn is_not_negative(size: &Nat) -> bool {
    let atom_is = |atom: &Atom| match atom {
        Atom::Var(_) => true,
        Atom::Divide(left, right)
        | Atom::Modulo(left, right)
        | Atom::Minimum(left, right)
        | Atom::Power(left, right)
        | Atom::Select(_, left, right) => is_not_negative(left) && is_not_negative(right),
        Atom::Maximum(left, right) => is_not_negative(left) || is_not_negative(right),
        Atom::Log2(_) | Atom::Sum { .. } => false,
    };
    size.terms()
        .iter()
        .all(|term| term.coefficient >= 0 && term.factors.iter().all(|(atom, _)| atom_is(atom)))
}
