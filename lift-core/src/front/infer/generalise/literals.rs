//! Types for literals that nothing gives a type: `i32` for an integer that only integers surround, else
//! `f32`.
//!
//! What surrounds a literal is the smallest expression that holds the literal, all literals of the same type,
//! and a number of a known type. An element type that the arguments decide counts as a type of floats, unless
//! something needs integers. An integer without any other number around it counts as surrounded by integers.

use std::collections::BTreeMap;

use crate::front::infer::inference::Inference;
use crate::front::infer::unknowns::Unknowns;
use crate::ir::scalar::{ScalarClass, ScalarType, TypeParameter};
use crate::ir::typed::{Expr, ExprKind};
use crate::ir::types::Type;

/// The numbers in an expression.
#[derive(Default)]
struct Numbers {
    /// The types of literals that nothing decides, with how many literals have each.
    undecided: BTreeMap<usize, usize>,
    /// Whether some are floats, or may be.
    floats: bool,
    /// Whether some are integers.
    integers: bool,
}

impl Numbers {
    fn add(&mut self, other: Numbers) {
        for (unknown, count) in other.undecided {
            *self.undecided.entry(unknown).or_default() += count;
        }
        self.floats |= other.floats;
        self.integers |= other.integers;
    }
}

impl Inference<'_> {
    /// Decides that the literals of a program are `i32` where only integers surround them. All others stay
    /// open, and become `f32`.
    pub(super) fn integer_literals(&mut self, body: &Expr, parameters: &BTreeMap<usize, TypeParameter>) {
        let total =
            Survey { inference: self, parameters, total: None, integers: Vec::new() }.numbers(body).undecided;
        if total.is_empty() {
            return;
        }
        let mut survey = Survey { inference: self, parameters, total: Some(&total), integers: Vec::new() };
        let left = survey.numbers(body);
        let mut integers = survey.integers;
        integers.extend(left.undecided.into_keys());
        for unknown in integers {
            // A number may be an `i32`, so that this cannot fail.
            let _ = self.unknowns.unify(
                &Unknowns::at_index(unknown),
                &Type::Scalar(ScalarType::I32),
                &mut self.facts,
            );
        }
    }
}

struct Survey<'s, 'a> {
    inference: &'s Inference<'a>,
    parameters: &'s BTreeMap<usize, TypeParameter>,
    /// How many literals of the whole program have each undecided type; `None` while they are counted.
    total: Option<&'s BTreeMap<usize, usize>>,
    /// The types that turned out to be surrounded by integers.
    integers: Vec<usize>,
}

impl Survey<'_, '_> {
    /// The numbers in an expression, without literals that it surrounds, whose types are decided here.
    fn numbers(&mut self, expr: &Expr) -> Numbers {
        let mut numbers = Numbers::default();
        match (&expr.kind, self.undecided(&expr.ty)) {
            (ExprKind::Literal(_), Some(unknown)) => {
                numbers.undecided.insert(unknown, 1);
            }
            _ => self.in_type(&expr.ty, &mut numbers),
        }
        for child in expr.children() {
            let inside = self.numbers(child);
            numbers.add(inside);
        }
        if let Some(total) = self.total
            && (numbers.floats || numbers.integers)
        {
            let Numbers { undecided, floats, .. } = &mut numbers;
            let is_inside = |unknown: &usize, count: &usize| total.get(unknown) == Some(count);
            let surrounded = undecided.iter().filter(|(unknown, count)| is_inside(unknown, count));
            if !*floats {
                self.integers.extend(surrounded.map(|(unknown, _)| *unknown));
            }
            undecided.retain(|unknown, count| !is_inside(unknown, count));
        }
        numbers
    }

    /// The type of a literal that nothing decides.
    fn undecided(&self, ty: &Type) -> Option<usize> {
        let unknown = self.inference.unknowns.index(ty)?;
        let is_number = self.inference.unknowns.class(ty) == Some(ScalarClass::Number);
        (is_number && !self.parameters.contains_key(&unknown)).then_some(unknown)
    }

    fn in_type(&self, ty: &Type, numbers: &mut Numbers) {
        match self.inference.unknowns.outermost(ty) {
            Type::Size => numbers.integers = true,
            Type::Tuple(components) => {
                components.iter().for_each(|component| self.in_type(component, numbers));
            }
            Type::Array(array) => self.in_type(&array.element, numbers),
            Type::Scalar(scalar) | Type::Vector(scalar, _) => {
                let lane = Type::Scalar(scalar);
                match (self.inference.unknowns.index(&lane), self.inference.unknowns.class(&lane)) {
                    (Some(_), Some(ScalarClass::Integer | ScalarClass::Bits)) => numbers.integers = true,
                    (Some(_), Some(ScalarClass::Float)) => numbers.floats = true,
                    (Some(unknown), _) => numbers.floats |= self.parameters.contains_key(&unknown),
                    (None, _) => {
                        numbers.floats |= scalar.is_float();
                        numbers.integers |= scalar.is_integer();
                    }
                }
            }
        }
    }
}
