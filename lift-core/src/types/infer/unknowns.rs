//! Unknown types and sizes: what is not known yet, and how two types are made equal.
//!
//! An unknown type is a [`Type::Scalar`] of a [`ScalarType::Parameter`] whose index names an entry of this table;
//! the type parameters of the finished program are numbered anew at the end. An unknown size is a variable of
//! the algebra. Entry 0 is the type of an expression with a reported mistake: it equals every type, so that one
//! mistake gives one message.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::assumption::{every, mentions};
use crate::nat::{
    Condition, Nat, Ranges, Requirement as SolutionRequirement, Solution, Substitution, Var, Vars, solve,
};
use crate::scalar::{ScalarClass, ScalarType, TypeParameter};
use crate::typed::Requirement;
use crate::types::{ArrayType, Type};

/// Which part of a parameter an unknown belongs to: the elements below `depth` dimensions of `parameter`.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// The parameter's name.
    pub(super) parameter: Rc<str>,
    /// The number of dimensions around.
    pub(super) depth: usize,
}

#[derive(Debug, Clone)]
enum Entry {
    Mistake,
    Open { class: Option<ScalarClass>, origin: Option<Origin> },
    Solved(Type),
}

/// Why two types cannot be equal.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mismatch {
    /// Their shapes differ: an array and a scalar, `f32` and `i32`.
    Shape,
    /// These two sizes differ.
    Size(Nat, Nat),
}

/// What is known of the unknowns.
#[derive(Clone)]
pub(super) struct Unknowns {
    types: Vec<Entry>,
    /// Solved sizes; no solution mentions a solved size.
    sizes: Substitution,
    /// Open sizes; whether one has a name that the user understands.
    open: BTreeMap<Var, bool>,
    /// Sizes that a Rust variable holds: equations on them are checked at the launch.
    pub(super) passed: Vec<Var>,
    /// What the equations solved so far leave to be proved.
    pub(super) deferred: Vec<Requirement>,
    /// The source of fresh sizes.
    pub(super) vars: Vars,
    /// The positions of the arrays whose elements are being made equal.
    bound: Vec<Var>,
    /// The variables that stand for a position, not for a size of the program.
    pub(super) positions: BTreeSet<Var>,
}

/// A type seen as an array.
pub(super) enum ArrayView {
    /// An array.
    Array(Rc<ArrayType>),
    /// An expression with a reported mistake.
    Mistake,
    /// Anything else.
    Other,
}

impl Unknowns {
    pub(super) fn new(vars: Vars) -> Unknowns {
        Unknowns {
            types: vec![Entry::Mistake],
            sizes: Substitution::new(),
            open: BTreeMap::new(),
            passed: Vec::new(),
            deferred: Vec::new(),
            vars,
            bound: Vec::new(),
            positions: BTreeSet::new(),
        }
    }

    /// The type of an expression with a reported mistake.
    pub(super) fn mistake() -> Type {
        unknown(0)
    }

    /// A type about which nothing is known.
    pub(super) fn fresh(&mut self) -> Type {
        self.push(Entry::Open { class: None, origin: None })
    }

    /// The type of a part of a parameter.
    pub(super) fn fresh_of(&mut self, origin: Origin) -> Type {
        self.push(Entry::Open { class: None, origin: Some(origin) })
    }

    /// A scalar type of a class.
    pub(super) fn fresh_scalar(&mut self, class: ScalarClass) -> Type {
        self.push(Entry::Open { class: Some(class), origin: None })
    }

    fn push(&mut self, entry: Entry) -> Type {
        self.types.push(entry);
        unknown(self.types.len() - 1)
    }

    /// An unknown size without a name.
    pub(super) fn fresh_size(&mut self, facts: &mut Ranges) -> Nat {
        self.declare_size("_", false, facts)
    }

    /// An unknown size that stands for a size parameter of an item that is called.
    pub(super) fn fresh_size_for(&mut self, name: &str, facts: &mut Ranges) -> Nat {
        self.declare_size(name, false, facts)
    }

    fn declare_size(&mut self, name: &str, named: bool, facts: &mut Ranges) -> Nat {
        let variable = self.vars.fresh(name);
        facts.declare(&variable, Nat::zero(), None);
        self.open.insert(variable.clone(), named);
        Nat::variable(&variable)
    }

    /// Whether a mistake was reported for what has this type.
    pub(super) fn is_mistake(&self, ty: &Type) -> bool {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => parameter.index == 0,
            Type::Tuple(components) => components.iter().any(|component| self.is_mistake(component)),
            Type::Array(array) => self.is_mistake(&array.element),
            Type::Vector(lane, _) => self.is_mistake(&Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => false,
        }
    }

    /// The class of an unknown type; none when the type is known, or may also be no scalar.
    pub(super) fn class(&self, ty: &Type) -> Option<ScalarClass> {
        match self.open_entry(ty) {
            Some((_, Entry::Open { class, .. })) => *class,
            _ => None,
        }
    }

    /// Whether nothing at all is known about this type.
    pub(super) fn is_open(&self, ty: &Type) -> bool {
        matches!(self.open_entry(ty), Some((_, Entry::Open { class: None, .. })))
    }

    /// The unknown at a table position.
    pub(super) fn at_index(index: usize) -> Type {
        unknown(index)
    }

    /// The table position of an unsolved type.
    pub(super) fn index(&self, ty: &Type) -> Option<usize> {
        self.open_entry(ty).map(|(index, _)| index)
    }

    fn open_entry(&self, ty: &Type) -> Option<(usize, &Entry)> {
        let Type::Scalar(ScalarType::Parameter(parameter)) = self.outermost(ty) else { return None };
        let entry = self.types.get(parameter.index)?;
        matches!(entry, Entry::Open { .. }).then_some((parameter.index, entry))
    }

    /// The type with its outermost constructor known, where it is.
    pub(super) fn outermost(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Scalar(ScalarType::Parameter(parameter)) = ty {
            match self.types.get(parameter.index) {
                Some(Entry::Solved(solution)) => ty = solution,
                Some(Entry::Mistake | Entry::Open { .. }) | None => break,
            }
        }
        match ty {
            Type::Vector(lane @ ScalarType::Parameter(_), width) => {
                match self.outermost(&Type::Scalar(*lane)) {
                    Type::Scalar(lane) => Type::Vector(lane, *width),
                    Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => ty.clone(),
                }
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => ty.clone(),
        }
    }

    /// The type with everything known put in.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        match self.outermost(ty) {
            known @ (Type::Scalar(_) | Type::Vector(..) | Type::Size) => known,
            Type::Tuple(components) => {
                Type::Tuple(components.iter().map(|component| self.resolve(component)).collect())
            }
            Type::Array(array) => {
                let (element, length) = (self.resolve(&array.element), self.resolve_size(&array.length));
                match &array.index {
                    None => Type::array(element, length),
                    Some(index) => Type::array_at(index, element, length),
                }
            }
        }
    }

    /// The size with everything known put in.
    pub(super) fn resolve_size(&self, size: &Nat) -> Nat {
        if self.sizes.is_empty() { size.clone() } else { size.substitute(&self.sizes) }
    }

    /// The condition with everything known put in.
    pub(super) fn resolve_condition(&self, condition: &Condition) -> Condition {
        condition.substitute(&self.sizes)
    }

    /// The sizes without a value that are newer than the variable with this number.
    pub(super) fn sizes_since(&self, number: u32) -> Vec<Var> {
        self.open.keys().chain(&self.passed).filter(|size| size.id() > number).cloned().collect()
    }

    /// Gives a value to a size that stood for one so far.
    pub(super) fn settle_size(&mut self, variable: &Var, value: &Nat) {
        self.solve_size(variable, value);
    }

    /// Whether this size is still open.
    pub(super) fn is_open_size(&self, variable: &Var) -> bool {
        self.open.contains_key(variable)
    }

    /// Whether a size mentions one that a launch, or what is still to come, decides.
    fn is_flexible(&self, size: &Nat) -> bool {
        size.variables()
            .iter()
            .any(|variable| self.open.contains_key(variable) || self.passed.contains(variable))
    }

    /// The type seen as an array. An unknown type becomes one: with a length of its own, `len(a)` where it
    /// belongs to the parameter `a`.
    pub(super) fn as_array(&mut self, ty: &Type, facts: &mut Ranges) -> ArrayView {
        match self.outermost(ty) {
            Type::Array(array) => ArrayView::Array(array),
            Type::Scalar(ScalarType::Parameter(parameter)) => match self.types.get(parameter.index) {
                Some(Entry::Open { class: None, origin }) => {
                    let (element, length) = self.expand(origin.clone(), facts);
                    let array = Rc::new(ArrayType { index: None, element, length });
                    self.set(parameter.index, Entry::Solved(Type::Array(array.clone())));
                    ArrayView::Array(array)
                }
                Some(Entry::Mistake) => ArrayView::Mistake,
                Some(Entry::Open { class: Some(_), .. } | Entry::Solved(_)) | None => ArrayView::Other,
            },
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => ArrayView::Other,
        }
    }

    fn expand(&mut self, origin: Option<Origin>, facts: &mut Ranges) -> (Type, Nat) {
        match origin {
            None => (self.fresh(), self.fresh_size(facts)),
            Some(Origin { parameter, depth }) => {
                let name = length_name(&parameter, depth);
                let length = self.declare_size(&name, true, facts);
                (self.fresh_of(Origin { parameter, depth: depth + 1 }), length)
            }
        }
    }

    fn set(&mut self, index: usize, entry: Entry) {
        if let Some(place) = self.types.get_mut(index) {
            *place = entry;
        }
    }

    /// Makes two types equal.
    pub(super) fn unify(&mut self, left: &Type, right: &Type, facts: &mut Ranges) -> Result<(), Mismatch> {
        let (left, right) = (self.outermost(left), self.outermost(right));
        match (unknown_index(&left), unknown_index(&right)) {
            (Some(left), Some(right)) if left == right => Ok(()),
            (Some(left), Some(right)) => self.link(left, right),
            (Some(index), None) => self.bind(index, &right, facts),
            (None, Some(index)) => self.bind(index, &left, facts),
            (None, None) => self.unify_known(&left, &right, facts),
        }
    }

    fn unify_known(&mut self, left: &Type, right: &Type, facts: &mut Ranges) -> Result<(), Mismatch> {
        match (left, right) {
            (Type::Tuple(lefts), Type::Tuple(rights)) if lefts.len() == rights.len() => {
                lefts.iter().zip(rights).try_for_each(|(left, right)| self.unify(left, right, facts))
            }
            (Type::Array(left), Type::Array(right)) => {
                self.unify_sizes(&left.length, &right.length, facts)?;
                match left.index.as_ref().or(right.index.as_ref()) {
                    None => self.unify(&left.element, &right.element, facts),
                    Some(index) => {
                        let index = index.clone();
                        self.unify_elements(left, right, &index, facts)
                    }
                }
            }
            (Type::Scalar(left), Type::Scalar(right)) if left == right => Ok(()),
            (Type::Vector(left, m), Type::Vector(right, n)) if m == n => {
                self.unify(&Type::Scalar(*left), &Type::Scalar(*right), facts)
            }
            (Type::Size, Type::Size) => Ok(()),
            (
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
            ) => Err(Mismatch::Shape),
        }
    }

    /// Makes the element types of two arrays equal at every position, whatever either calls it. What is solved on the way
    /// is the same at every position.
    fn unify_elements(
        &mut self,
        left: &ArrayType,
        right: &ArrayType,
        named: &Var,
        facts: &mut Ranges,
    ) -> Result<(), Mismatch> {
        let index = self.vars.fresh(named.name());
        let (position, earlier) = (Nat::variable(&index), self.deferred.len());
        let length = self.resolve_size(&left.length);
        let mut inside = facts.clone();
        inside.declare(&index, Nat::zero(), Some(length.clone()));
        self.bound.push(index.clone());
        self.positions.insert(index.clone());
        let result = self.unify(&left.element_at(&position), &right.element_at(&position), &mut inside);
        self.bound.pop();
        for size in self.sizes_since(index.id()) {
            facts.declare(&size, Nat::zero(), None);
        }
        for requirement in self.deferred.split_off(earlier) {
            let everywhere = if mentions(&requirement, &index) {
                every(&requirement, &index, &Nat::zero(), &length, facts)
            } else {
                requirement
            };
            self.deferred.push(everywhere);
        }
        result
    }

    /// Whether a size is the same at all positions of the arrays around.
    fn is_unbound(&self, size: &Nat) -> bool {
        !self.bound.iter().any(|index| size.mentions(index))
    }

    /// Makes two unknown types one; the older one stays, since it is nearer to a parameter.
    fn link(&mut self, left: usize, right: usize) -> Result<(), Mismatch> {
        let (older, newer) = (left.min(right), left.max(right));
        let (Some(first), Some(second)) = (self.types.get(older), self.types.get(newer)) else {
            return Err(Mismatch::Shape);
        };
        let merged = match (first, second) {
            (Entry::Open { class, origin }, Entry::Open { class: other, origin: from }) => Entry::Open {
                class: meet(*class, *other).ok_or(Mismatch::Shape)?,
                origin: origin.clone().or_else(|| from.clone()),
            },
            (Entry::Mistake, Entry::Open { .. } | Entry::Mistake | Entry::Solved(_))
            | (Entry::Open { .. } | Entry::Solved(_), Entry::Mistake | Entry::Solved(_))
            | (Entry::Solved(_), Entry::Open { .. }) => first.clone(),
        };
        self.set(older, merged);
        self.set(newer, Entry::Solved(unknown(older)));
        Ok(())
    }

    fn bind(&mut self, index: usize, ty: &Type, facts: &mut Ranges) -> Result<(), Mismatch> {
        match self.types.get(index) {
            Some(Entry::Mistake) => {
                self.spoil(ty);
                Ok(())
            }
            Some(Entry::Open { class: Some(class), .. }) => match ty {
                Type::Scalar(scalar) if scalar.satisfies(*class) => {
                    self.set(index, Entry::Solved(ty.clone()));
                    Ok(())
                }
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                    Err(Mismatch::Shape)
                }
            },
            Some(Entry::Open { class: None, origin }) => {
                if self.occurs(index, ty) || self.bound.iter().any(|bound| self.resolve(ty).mentions(bound)) {
                    return Err(Mismatch::Shape);
                }
                let is_array = matches!(ty, Type::Array(_));
                match origin.clone().filter(|_| is_array) {
                    Some(origin) => {
                        let (element, length) = self.expand(Some(origin), facts);
                        let array = Type::array(element, length);
                        self.set(index, Entry::Solved(array.clone()));
                        self.unify_known(&array, ty, facts)
                    }
                    None => {
                        self.set(index, Entry::Solved(ty.clone()));
                        Ok(())
                    }
                }
            }
            Some(Entry::Solved(_)) | None => Err(Mismatch::Shape),
        }
    }

    /// What was unknown inside the type of something that met a mistake stays a mistake.
    fn spoil(&mut self, ty: &Type) {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => {
                if parameter.index != 0 {
                    self.set(parameter.index, Entry::Solved(unknown(0)));
                }
            }
            Type::Tuple(components) => components.iter().for_each(|component| self.spoil(component)),
            Type::Array(array) => self.spoil(&array.element),
            Type::Vector(lane, _) => self.spoil(&Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => {}
        }
    }

    fn occurs(&self, index: usize, ty: &Type) -> bool {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => parameter.index == index,
            Type::Tuple(components) => components.iter().any(|component| self.occurs(index, component)),
            Type::Array(array) => self.occurs(index, &array.element),
            Type::Vector(lane, _) => self.occurs(index, &Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => false,
        }
    }

    /// Makes two sizes equal: by the algebra, by solving for an open one, or, where the launch decides, by
    /// deferring the equation.
    pub(super) fn unify_sizes(
        &mut self,
        left: &Nat,
        right: &Nat,
        facts: &mut Ranges,
    ) -> Result<(), Mismatch> {
        let (left, right) = (self.resolve_size(left), self.resolve_size(right));
        let decided = facts.is_equal(&left, &right);
        if decided == Some(true) {
            return Ok(());
        }
        for unknown in self.open_in(&left, &right) {
            if let Some(solution) = solve(&left, &right, &unknown)
                && self.is_unbound(&solution.value)
                && let Some(required) = required(&solution, facts)
            {
                self.solve_size(&unknown, &solution.value);
                self.deferred.extend(required);
                return Ok(());
            }
        }
        // What is the same at every position cannot be what is not.
        let differs = [&left, &right].iter().any(|size| !self.is_unbound(size));
        let waits = !differs || self.open_in(&left, &right).is_empty();
        if decided.is_none() && waits && (self.is_flexible(&left) || self.is_flexible(&right)) {
            self.deferred.push(Requirement::Equal(left, right));
            return Ok(());
        }
        Err(Mismatch::Size(left, right))
    }

    /// The open sizes of an equation in the order in which to solve for them: those without a name first,
    /// then the newest.
    fn open_in(&self, left: &Nat, right: &Nat) -> Vec<Var> {
        let mut candidates: Vec<Var> = left.variables().into_iter().chain(right.variables()).collect();
        candidates.retain(|variable| self.open.contains_key(variable));
        candidates.sort_by_key(|variable| {
            (self.open.get(variable).copied().unwrap_or(false), std::cmp::Reverse(variable.id()))
        });
        candidates.dedup();
        candidates
    }

    fn solve_size(&mut self, variable: &Var, value: &Nat) {
        let solution = Substitution::from([(variable.clone(), value.clone())]);
        for known in self.sizes.values_mut() {
            *known = known.substitute(&solution);
        }
        self.sizes.insert(variable.clone(), value.clone());
        self.open.remove(variable);
    }

    /// Makes an unknown type a size; whether that was possible.
    pub(super) fn make_size(&mut self, ty: &Type) -> bool {
        match self.open_entry(ty) {
            Some((index, Entry::Open { class: None, .. })) => {
                self.set(index, Entry::Solved(Type::Size));
                true
            }
            _ => matches!(self.outermost(ty), Type::Size),
        }
    }
}

/// What must hold for a solution to be the one; none where the facts leave several.
fn required(solution: &Solution, facts: &Ranges) -> Option<Vec<Requirement>> {
    let mut required = Vec::new();
    for condition in &solution.requires {
        match condition {
            SolutionRequirement::Divides { divisor, dividend } => {
                required.push(Requirement::Divides(divisor.clone(), dividend.clone()));
            }
            SolutionRequirement::ExactDivision { divisor, dividend } => {
                if facts.divides(divisor, dividend) != Some(true) {
                    return None;
                }
            }
        }
    }
    required.push(Requirement::AtMost(Nat::zero(), solution.value.clone()));
    Some(required)
}

/// How a size without a name is called: `len(a)`, `len(a, 1)`.
pub(super) fn length_name(parameter: &str, depth: usize) -> String {
    if depth == 0 { format!("len({parameter})") } else { format!("len({parameter}, {depth})") }
}

fn unknown(index: usize) -> Type {
    Type::Scalar(ScalarType::Parameter(TypeParameter { index, class: ScalarClass::Any }))
}

fn unknown_index(ty: &Type) -> Option<usize> {
    match ty {
        Type::Scalar(ScalarType::Parameter(parameter)) => Some(parameter.index),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => None,
    }
}

/// The class of what has both classes; none when nothing has.
fn meet(left: Option<ScalarClass>, right: Option<ScalarClass>) -> Option<Option<ScalarClass>> {
    let (Some(left), Some(right)) = (left, right) else { return Some(left.or(right)) };
    match (left, right) {
        (ScalarClass::Any, other) | (other, ScalarClass::Any) => Some(Some(other)),
        (ScalarClass::Number, other) | (other, ScalarClass::Number) => Some(Some(other)),
        (ScalarClass::Integer, ScalarClass::Integer) => Some(Some(ScalarClass::Integer)),
        (ScalarClass::Float, ScalarClass::Float) => Some(Some(ScalarClass::Float)),
        (ScalarClass::Integer, ScalarClass::Float) | (ScalarClass::Float, ScalarClass::Integer) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting() -> (Unknowns, Ranges) {
        (Unknowns::new(Vars::default()), Ranges::new())
    }

    fn origin(parameter: &str) -> Origin {
        Origin { parameter: parameter.into(), depth: 0 }
    }

    fn length(unknowns: &Unknowns, ty: &Type) -> String {
        unknowns.resolve(ty).shape().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn lengths_of_parameters_have_names_that_the_user_understands() {
        let (mut unknowns, mut facts) = setting();
        let a = unknowns.fresh_of(origin("a"));
        let ArrayView::Array(rows) = unknowns.as_array(&a, &mut facts) else { panic!("it becomes an array") };
        unknowns.as_array(&rows.element, &mut facts);
        assert_eq!(length(&unknowns, &a), "len(a), len(a, 1)");
    }

    #[test]
    fn a_size_without_a_name_is_solved_before_one_with_a_name() {
        let (mut unknowns, mut facts) = setting();
        let a = unknowns.fresh_of(origin("a"));
        let nameless = unknowns.fresh_size(&mut facts);
        let other = Type::array(unknowns.fresh(), nameless.clone() + Nat::constant(2));
        assert_eq!(unknowns.unify(&a, &other, &mut facts), Ok(()));
        assert_eq!(length(&unknowns, &a), "len(a)");
        assert_eq!(unknowns.resolve_size(&nameless).to_string(), "len(a) - 2");
    }

    #[test]
    fn sizes_that_nothing_decides_later_must_be_equal_now() {
        let (mut unknowns, mut facts) = setting();
        let (n, m) = (unknowns.vars.fresh("N"), unknowns.vars.fresh("M"));
        let (n, m) = (Nat::variable(&n), Nat::variable(&m));
        let float = Type::Scalar(ScalarType::F32);
        let (left, right) = (Type::array(float.clone(), n.clone()), Type::array(float, m.clone()));
        assert_eq!(unknowns.unify(&left, &right, &mut facts), Err(Mismatch::Size(n, m)));
    }

    #[test]
    fn a_size_that_is_passed_is_compared_at_the_launch() {
        let (mut unknowns, mut facts) = setting();
        let n = unknowns.vars.fresh("n");
        unknowns.passed.push(n.clone());
        let n = Nat::variable(&n);
        assert_eq!(unknowns.unify_sizes(&n, &Nat::constant(3), &mut facts), Ok(()));
        assert_eq!(unknowns.deferred, [Requirement::Equal(n, Nat::constant(3))]);
    }

    #[test]
    fn classes_of_scalars_meet() {
        let (mut unknowns, mut facts) = setting();
        let (number, float) =
            (unknowns.fresh_scalar(ScalarClass::Number), unknowns.fresh_scalar(ScalarClass::Float));
        assert_eq!(unknowns.unify(&number, &float, &mut facts), Ok(()));
        assert_eq!(unknowns.class(&number), Some(ScalarClass::Float));
        let integer = Type::Scalar(ScalarType::I32);
        assert_eq!(unknowns.unify(&number, &integer, &mut facts), Err(Mismatch::Shape));
        assert_eq!(unknowns.unify(&number, &Type::Scalar(ScalarType::F64), &mut facts), Ok(()));
    }

    fn triangle(unknowns: &mut Unknowns, name: &str, growth: i128) -> Type {
        let index = unknowns.vars.fresh(name);
        let length = Nat::variable(&index) + Nat::constant(growth);
        Type::array_at(&index, Type::array(Type::Scalar(ScalarType::F32), length), Nat::constant(4))
    }

    #[test]
    fn position_dependent_types_are_equal_whatever_they_call_the_position() {
        let (mut unknowns, mut facts) = setting();
        let (left, right) = (triangle(&mut unknowns, "i", 1), triangle(&mut unknowns, "row", 1));
        assert_eq!(unknowns.unify(&left, &right, &mut facts), Ok(()));
        let larger = triangle(&mut unknowns, "i", 2);
        let Err(Mismatch::Size(one, other)) = unknowns.unify(&left, &larger, &mut facts) else {
            panic!("the rows differ")
        };
        assert_eq!((one.to_string(), other.to_string()), ("i + 1".to_owned(), "i + 2".to_owned()));
    }

    #[test]
    fn a_size_that_is_the_same_everywhere_is_not_solved_by_a_position() {
        let (mut unknowns, mut facts) = setting();
        let uneven = triangle(&mut unknowns, "i", 1);
        let size = unknowns.fresh_size(&mut facts);
        let even = Type::array(Type::array(Type::Scalar(ScalarType::F32), size), Nat::constant(4));
        assert!(unknowns.unify(&even, &uneven, &mut facts).is_err());
        let open = Type::array(unknowns.fresh(), Nat::constant(4));
        assert!(unknowns.unify(&open, &uneven, &mut facts).is_err());
    }

    #[test]
    fn a_type_does_not_contain_itself() {
        let (mut unknowns, mut facts) = setting();
        let a = unknowns.fresh();
        let array = Type::array(a.clone(), Nat::constant(2));
        assert_eq!(unknowns.unify(&a, &array, &mut facts), Err(Mismatch::Shape));
    }

    #[test]
    fn a_mistake_equals_every_type_and_spreads() {
        let (mut unknowns, mut facts) = setting();
        let a = unknowns.fresh();
        assert_eq!(unknowns.unify(&a, &Unknowns::mistake(), &mut facts), Ok(()));
        assert!(unknowns.is_mistake(&a));
        assert_eq!(unknowns.unify(&a, &Type::Scalar(ScalarType::F32), &mut facts), Ok(()));
    }
}
