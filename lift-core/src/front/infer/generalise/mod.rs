//! The way out: unknowns become type parameters, size variables or defaults, and the program is complete.
//!
//! Assumes that elaboration reported no mistake; guarantees that no unknown is left in the program, that
//! every size is simplified with the obligations assumed, and that obligations mention size variables only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::error::{Error, Finished, NeedMistake, ProgramMistake, Side, Unsupported};
use super::inference::Inference;
use super::strict::device_chosen;
use super::unknowns::length_name;
use crate::front::flatten::flatten;
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::scalar::{ScalarClass, ScalarType, TypeParameter};
use crate::ir::source::Source;
use crate::ir::typed::{
    Expr, Function, Obligation, Parameter, ParameterType, Program, Requirement, Rounding, SizeVariable,
};
use crate::ir::types::Type;

mod literals;
mod open_rank;
mod outline;
mod rebuild;

pub(super) use outline::{OpenElements, Outline, Slot};

use rebuild::Rebuild;

impl Inference<'_> {
    /// Completes a program.
    pub(super) fn finish(mut self, outline: Outline, body: Expr) -> Finished<Program> {
        if self.poisoned || !self.errors.is_empty() {
            return Err(self.errors);
        }
        let body = self.size_as_integer(body, &Type::Scalar(ScalarType::U64));
        let body = self.as_stored(body);
        let blocks = match outline.elements {
            OpenElements::Scalars => Vec::new(),
            OpenElements::OfAnyRank => self.open_ranks(&outline.parameters, &body),
        };
        let type_parameters = self.type_parameters(&outline.parameters);
        self.integer_literals(&body, &type_parameters);
        let open_ranks = blocks
            .iter()
            .filter_map(|scalar| type_parameters.get(&self.unknowns.index(scalar)?))
            .map(|parameter| parameter.index)
            .collect();
        let (sizes, renamed) = self.size_variables(&outline);
        let mut facts = Ranges::default();
        for size in &sizes {
            facts.declare(&size.variable, Nat::zero(), None);
        }
        let declared = facts.clone();
        for (length, _) in &self.delimited {
            facts.declare(length, Nat::zero(), None);
        }
        let obligations = self.final_obligations(&mut facts, &sizes, &renamed);
        let mut rebuild = Rebuild::new(&self, &facts, &renamed, &type_parameters);
        let body = rebuild.expr(body);
        let parameters: Vec<Parameter> = {
            // As declared, because a launch finds the sizes by them before it checks what makes them equal to
            // others.
            let mut rebuild = Rebuild::new(&self, &declared, &renamed, &type_parameters);
            outline.parameters.into_iter().map(|slot| rebuild.parameter(slot)).collect()
        };
        let delimited = rebuild.delimited();
        let launches = outline.launches.into_iter().map(|launch| rebuild.launch(launch)).collect();
        let schedule = outline.directives.schedule.into_iter().map(|term| rebuild.schedule(term)).collect();
        let errors = rebuild.errors;
        self.errors.extend(errors);
        self.errors.extend(unsupported_boundary(&parameters, &body));
        if delimited.is_empty() {
            self.errors.extend(undetermined(&parameters, &body, &sizes));
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let (functions, body) = used_functions(outline.functions, &Arc::new(body));
        if outline.directives.rounding == Rounding::Strict {
            self.errors.extend(device_chosen(&body, &functions, &outline.name));
            if !self.errors.is_empty() {
                return Err(self.errors);
            }
        }
        let next_id = self.next_id.max(self.unknowns.vars.fresh("").id());
        let sizes = with_minima(sizes, &obligations);
        let mut named: Vec<TypeParameter> = type_parameters.into_values().collect();
        named.sort_by_key(|parameter| parameter.index);
        let program = Program {
            name: outline.name,
            sizes,
            type_parameters: named,
            open_ranks,
            parameters,
            functions,
            obligations,
            body,
            launches,
            strategy: outline.directives.strategy,
            schedule,
            backend: outline.directives.backend,
            rounding: outline.directives.rounding,
            tunables: self.tunables,
            next_id,
        };
        if delimited.is_empty() {
            return Ok(program);
        }
        let program = flatten(program, delimited, facts)
            .map_err(|(source, mistake)| vec![Error::new(source, mistake)])?;
        let sizes = with_minima(program.sizes, &program.obligations);
        let program = Program { sizes, ..program };
        let open = undetermined(&program.parameters, &program.body, &program.sizes);
        open.map_or(Ok(program), |error| Err(vec![error]))
    }

    /// Completes a user function, whose types are all declared.
    pub(super) fn finish_function(&mut self, function: Function) -> Function {
        let facts = Ranges::default();
        let mut types = BTreeMap::new();
        function.parameters.iter().for_each(|(_, ty)| self.collect_type_parameters(ty, &mut types));
        self.integer_literals(&function.body, &types);
        let renamed = Substitution::new();
        let mut rebuild = Rebuild::new(self, &facts, &renamed, &types);
        let body = rebuild.part(function.body);
        let parameters =
            function.parameters.into_iter().map(|(variable, ty)| (variable, rebuild.ty(&ty))).collect();
        for error in rebuild.errors {
            self.report(error);
        }
        Function { body, parameters, ..function }
    }

    /// The element types that the arguments decide, by their place among the unknowns.
    fn type_parameters(&self, parameters: &[Slot]) -> BTreeMap<usize, TypeParameter> {
        let mut found = BTreeMap::new();
        for slot in parameters {
            if let Slot::Value { ty, .. } = slot {
                self.collect_type_parameters(ty, &mut found);
            }
        }
        found
    }

    fn collect_type_parameters(&self, ty: &Type, found: &mut BTreeMap<usize, TypeParameter>) {
        match self.unknowns.outermost(ty) {
            Type::Tuple(components) => {
                components.iter().for_each(|component| self.collect_type_parameters(component, found));
            }
            Type::Array(array) => self.collect_type_parameters(&array.element, found),
            Type::Vector(lane, _) => self.collect_type_parameters(&Type::Scalar(lane), found),
            scalar @ (Type::Scalar(_) | Type::Size) => {
                if let Some(unknown) = self.unknowns.index(&scalar) {
                    let class = self.unknowns.class(&scalar).unwrap_or(ScalarClass::Any);
                    let index = found.len();
                    found.entry(unknown).or_insert(TypeParameter { index, class });
                }
            }
        }
    }

    /// The size variables in the order of their first appearance, and new names for those of called items.
    fn size_variables(&mut self, outline: &Outline) -> (Vec<SizeVariable>, Substitution) {
        let mut sizes: Vec<SizeVariable> = Vec::new();
        let mut renamed = Substitution::new();
        for (variable, name) in &outline.sizes {
            sizes.push(SizeVariable::new(variable.clone(), name.clone()));
        }
        for slot in &outline.parameters {
            match slot {
                Slot::Size { size, .. } => {
                    sizes.push(SizeVariable::new(size.clone(), size.name().to_owned()));
                }
                Slot::Value { variable, ty, .. } => {
                    for (name, shape) in named_shapes(&variable.name, &self.unknowns.resolve(ty)) {
                        for (depth, length) in shape.iter().enumerate() {
                            let Some(open) = length.as_variable() else { continue };
                            let known = sizes.iter().any(|size| size.variable == *open);
                            if known || renamed.contains_key(open) || !self.unknowns.is_open_size(open) {
                                continue;
                            }
                            let name = length_name(&name, depth);
                            let fresh = self.unknowns.vars.fresh(&name);
                            renamed.insert(open.clone(), Nat::variable(&fresh));
                            sizes.push(SizeVariable::new(fresh, name));
                        }
                    }
                }
            }
        }
        (sizes, renamed)
    }

    fn final_obligations(
        &mut self,
        facts: &mut Ranges,
        sizes: &[SizeVariable],
        renamed: &Substitution,
    ) -> Vec<Obligation> {
        let known: BTreeSet<Var> = sizes.iter().map(|size| size.variable.clone()).collect();
        let (obligations, unprovable): (Vec<Obligation>, Vec<Obligation>) =
            self.obligations(facts, renamed).into_iter().partition(|obligation| {
                obligation.requirement.mentions_only(&|variable| known.contains(variable))
            });
        for obligation in unprovable {
            let Obligation { requirement, text, source } = obligation;
            let is_of_row = self.delimited.iter().any(|(length, _)| requirement.mentions(length));
            let mistake = match is_of_row {
                true => NeedMistake::OfAnyRow { text },
                false => NeedMistake::Unproved { text },
            };
            self.report(Error::new(source, mistake));
        }
        obligations
    }
}

/// The lengths of a parameter, or of each component of a tuple, with the name that the user knows it by.
fn named_shapes(name: &str, ty: &Type) -> Vec<(String, Vec<Nat>)> {
    match ty {
        Type::Tuple(components) => components
            .iter()
            .enumerate()
            .flat_map(|(position, component)| named_shapes(&format!("{name}.{position}"), component))
            .collect(),
        Type::Array(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size => {
            vec![(name.to_owned(), ty.shape())]
        }
    }
}

/// The largest tuple that crosses the boundary.
const LARGEST_TUPLE: usize = 8;

/// Tuples that have no form in Rust yet.
fn unsupported_boundary(parameters: &[Parameter], body: &Expr) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut check = |side: Side, ty: &Type, source: Source| {
        if let Some(unsupported) = unsupported_tuple(ty) {
            let mistake = ProgramMistake::Boundary { side, ty: ty.clone(), unsupported };
            errors.push(Error::new(source, mistake));
        }
    };
    for parameter in parameters {
        if let ParameterType::Value(ty) = &parameter.ty {
            check(Side::Parameter(parameter.variable.name.to_string()), ty, parameter.source);
        }
    }
    check(Side::Result, &body.ty, body.source);
    errors
}

fn unsupported_tuple(ty: &Type) -> Option<Unsupported> {
    match ty {
        Type::Tuple(components) if components.len() > LARGEST_TUPLE => Some(Unsupported::LargeTuple),
        Type::Tuple(components) => components.iter().find_map(unsupported_tuple),
        Type::Array(_) if !ty.innermost().is_element() => Some(Unsupported::ArraysInTuples),
        Type::Array(_) => unsupported_tuple(ty.innermost()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => None,
    }
}

/// Lengths of the parameters and of the result that no launch decides.
fn undetermined(parameters: &[Parameter], body: &Expr, sizes: &[SizeVariable]) -> Option<Error> {
    let known: BTreeSet<&Var> = sizes.iter().map(|size| &size.variable).collect();
    let is_open = |ty: &Type| ty.variables().iter().any(|variable| !known.contains(variable));
    for parameter in parameters {
        if let ParameterType::Value(ty) = &parameter.ty
            && is_open(ty)
        {
            let (name, ty) = (parameter.variable.name.to_string(), ty.clone());
            return Some(Error::new(parameter.source, ProgramMistake::OpenParameter { name, ty }));
        }
    }
    is_open(&body.ty).then(|| Error::new(body.source, ProgramMistake::OpenResult))
}

/// The functions that a body calls, callees first, with the calls renumbered.
fn used_functions(functions: Vec<Function>, body: &Arc<Expr>) -> (Vec<Function>, Arc<Expr>) {
    let mut used = BTreeSet::new();
    rebuild::called(body, &mut used);
    // Callees stand before their callers, so one walk backwards finds all.
    for (position, function) in functions.iter().enumerate().rev() {
        if used.contains(&position) {
            rebuild::called(&function.body, &mut used);
        }
    }
    let numbers: BTreeMap<usize, usize> = used.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let kept = functions
        .into_iter()
        .enumerate()
        .filter(|(position, _)| used.contains(position))
        .map(|(_, function)| Function { body: rebuild::renumber(&function.body, &numbers), ..function })
        .collect();
    (kept, rebuild::renumber(body, &numbers))
}

/// The size variables, with the least values that obligations on one variable alone allow.
fn with_minima(mut sizes: Vec<SizeVariable>, obligations: &[Obligation]) -> Vec<SizeVariable> {
    for size in &mut sizes {
        for obligation in obligations {
            if let Requirement::AtMost(least, most) = &obligation.requirement
                && let Some(minimum) = lower_bound(&(most - least), &size.variable)
            {
                size.minimum = size.minimum.max(minimum);
            }
        }
    }
    sizes
}

/// The smallest natural `v` with `0 <= difference`, where that is `a * v + b` with a positive `a`.
fn lower_bound(difference: &Nat, variable: &Var) -> Option<u64> {
    let at = |value: i128| {
        difference.substitute(&Substitution::from([(variable.clone(), Nat::constant(value))])).as_constant()
    };
    let (zero, one, two) = (at(0)?, at(1)?, at(2)?);
    let slope = one.checked_sub(zero)?;
    let linear = difference - Nat::constant(zero) - Nat::constant(slope) * Nat::variable(variable);
    if slope <= 0 || two.checked_sub(one)? != slope || linear.as_constant() != Some(0) {
        return None;
    }
    let least = zero.checked_neg()?.max(0);
    let minimum = least / slope + i128::from(least % slope != 0);
    u64::try_from(minimum).ok()
}
