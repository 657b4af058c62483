//! Function items: kernels, and the user functions on scalars that they call.
//!
//! Items are typed callees first. A user function becomes a function of the program; a kernel is inlined where
//! another one calls it, with its size parameters solved from the arguments.

use std::collections::BTreeMap;

use super::environment::{Argument, Binding, Environment};
use super::error::{Error, Place, ProgramMistake, TypeMistake};
use super::free::{free_names, names_in_type};
use super::generalise::{Finished, OpenElements, Outline, Slot, scalar_forms_only};
use super::written::{SIZE_NAMES, is_size_name};
use super::{Inference, no_names};
use crate::front::syntax::{Item, TypeExpr, TypeExprKind};
use crate::ir::nat::{Nat, Var, Vars};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind, Function, Program};
use crate::ir::types::Type;

/// What the function items of one `lift!` become.
#[derive(Debug, Clone, PartialEq)]
pub struct Items {
    /// The user functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in the order of the text.
    pub kernels: Vec<Program>,
}

/// The items that a program may call.
#[derive(Default)]
pub(super) struct ItemTable<'a> {
    items: &'a [Item],
    states: Vec<State>,
    functions: Vec<Function>,
}

/// What is known of an item.
#[derive(Clone)]
enum State {
    /// It is wrong, which was reported, or it was not typed yet.
    Failed,
    /// A kernel.
    Kernel,
    /// A user function, by its position and with its result.
    Function(usize, Type),
}

impl<'a> ItemTable<'a> {
    /// The position of the item with this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name.name == name)
    }

    /// The names of all items.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.items.iter().map(|item| item.name.name.as_str())
    }

    /// The number of parameters of an item.
    pub(super) fn arity(&self, item: usize) -> usize {
        self.items.get(item).map_or(0, |item| item.parameters.len())
    }

    /// The name of an item.
    pub(super) fn name(&self, item: usize) -> &'a str {
        self.items.get(item).map_or("?", |item| item.name.name.as_str())
    }

    /// The names of the parameters of an item.
    pub(super) fn parameters(&self, item: usize) -> Vec<String> {
        let parameters = self.items.get(item).map(|item| item.parameters.as_slice()).unwrap_or_default();
        parameters.iter().map(|parameter| parameter.name.name.clone()).collect()
    }
}

/// Types function items, in any order.
pub(super) fn infer_items(items: &[Item]) -> Finished<Items> {
    let mut errors = repeated_names(items);
    let (order, recursive) = callees_first(items, &mut errors);
    let mut table = ItemTable { items, states: vec![State::Failed; items.len()], functions: Vec::new() };
    let mut kernels = BTreeMap::new();
    let mut poisoned = false;
    let (mut next_id, mut vars) = (0, Vars::default());
    for position in order {
        let Some(item) = items.get(position) else { continue };
        if recursive.contains(&position) {
            continue;
        }
        let outcome = if is_user_function(item) {
            type_function(&table, item, &mut vars, &mut next_id).map(|function| {
                let state = State::Function(table.functions.len(), function.body.ty.clone());
                table.functions.push(function);
                state
            })
        } else {
            type_kernel(&table, item, &mut vars, &mut next_id).map(|kernel| {
                kernels.insert(position, kernel);
                State::Kernel
            })
        };
        match outcome {
            Ok(state) => {
                if let Some(place) = table.states.get_mut(position) {
                    *place = state;
                }
            }
            Err(found) => {
                poisoned = true;
                errors.extend(found);
            }
        }
    }
    if poisoned || !errors.is_empty() {
        return Err(errors);
    }
    Ok(Items { functions: table.functions, kernels: kernels.into_values().collect() })
}

fn repeated_names(items: &[Item]) -> Vec<Error> {
    let mut errors = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let name = &item.name.name;
        if items.iter().take(position).any(|earlier| earlier.name.name == *name) {
            errors.push(Error::new(item.name.source, ProgramMistake::DefinedTwice(name.clone())));
        }
    }
    errors
}

/// Whether an item is a function on scalars and tuples of them.
fn is_user_function(item: &Item) -> bool {
    item.generics.is_empty()
        && is_element(&item.result)
        && item.parameters.iter().all(|parameter| is_element(&parameter.ty))
}

fn is_element(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeExprKind::Name(name) => !SIZE_NAMES.contains(&name.as_str()),
        TypeExprKind::Tuple(components) => components.iter().all(is_element),
        TypeExprKind::Array { .. } => false,
        TypeExprKind::Error => true,
    }
}

/// The items with callees before callers, and those that call themselves, which is reported.
fn callees_first(items: &[Item], errors: &mut Vec<Error>) -> (Vec<usize>, Vec<usize>) {
    let calls: Vec<Vec<(usize, Source)>> = items.iter().map(|item| calls_of(item, items)).collect();
    let mut walk =
        CallWalk { items, calls: &calls, order: Vec::new(), path: Vec::new(), recursive: Vec::new() };
    for position in 0..items.len() {
        walk.visit(position, errors);
    }
    (walk.order, walk.recursive)
}

fn calls_of(item: &Item, items: &[Item]) -> Vec<(usize, Source)> {
    let bound: Vec<&str> = item.parameters.iter().map(|parameter| parameter.name.name.as_str()).collect();
    free_names(&item.body, &bound)
        .into_iter()
        .filter_map(|(name, source)| {
            items.iter().position(|item| item.name.name == name).map(|callee| (callee, source))
        })
        .collect()
}

struct CallWalk<'s> {
    items: &'s [Item],
    calls: &'s [Vec<(usize, Source)>],
    order: Vec<usize>,
    path: Vec<usize>,
    recursive: Vec<usize>,
}

impl CallWalk<'_> {
    fn visit(&mut self, position: usize, errors: &mut Vec<Error>) {
        if self.order.contains(&position) {
            return;
        }
        self.path.push(position);
        for (callee, source) in self.calls.get(position).into_iter().flatten() {
            match self.path.iter().position(|on_path| on_path == callee) {
                Some(start) => {
                    let cycle: Vec<usize> = self.path.iter().skip(start).copied().collect();
                    errors.push(Error::new(*source, self.recursion(&cycle)));
                    self.recursive.extend(cycle);
                }
                None => self.visit(*callee, errors),
            }
        }
        self.path.pop();
        self.order.push(position);
    }

    fn recursion(&self, cycle: &[usize]) -> ProgramMistake {
        let items = cycle.iter().filter_map(|position| self.items.get(*position));
        ProgramMistake::Recursion(items.map(|item| item.name.name.clone()).collect())
    }
}

/// Two parameters of one name.
fn repeated_parameters(inference: &mut Inference<'_>, item: &Item) {
    for (position, parameter) in item.parameters.iter().enumerate() {
        let name = &parameter.name.name;
        if item.parameters.iter().take(position).any(|earlier| earlier.name.name == *name) {
            let mistake = ProgramMistake::ParameterTwice(name.clone());
            inference.report(Error::new(parameter.name.source, mistake));
        }
    }
}

/// Conditions on sizes, which only kernels have.
fn no_conditions(inference: &mut Inference<'_>, item: &Item) {
    if let Some(clause) = item.conditions.first() {
        let function = item.name.name.clone();
        inference.report(Error::new(clause.source, ProgramMistake::Conditions { function }));
    }
}

fn type_function(
    table: &ItemTable<'_>,
    item: &Item,
    vars: &mut Vars,
    next_id: &mut u32,
) -> Finished<Function> {
    let mut inference = Inference::new(table, None, vars.clone(), *next_id);
    repeated_parameters(&mut inference, item);
    no_conditions(&mut inference, item);
    let mut scope = no_names();
    let mut parameters = Vec::new();
    for parameter in &item.parameters {
        let ty = inference.written_type(&parameter.ty, &no_names());
        let variable = inference.fresh_variable(&parameter.name.name);
        let value = inference.variable(&variable, &ty, parameter.name.source);
        scope = scope.with(&parameter.name.name, Binding::Value(value, None));
        parameters.push((variable, ty));
    }
    let result = inference.written_type(&item.result, &no_names());
    let body = inference.in_frame(|this| this.value(&item.body, &scope));
    let body = inference.expect_result(body, &result, item);
    if inference.errors.is_empty()
        && let Err(source) = scalar_forms_only(&body)
    {
        let function = item.name.name.clone();
        inference.report(Error::new(source, ProgramMistake::ComputesWithArrays { function }));
    }
    let laws = inference.function_attributes(item, &parameters, &result);
    let function = Function { name: item.name.name.clone(), parameters, body, laws };
    let function = if inference.errors.is_empty() { inference.finish_function(function) } else { function };
    *next_id = inference.next_id;
    *vars = inference.unknowns.vars.clone();
    if inference.poisoned || !inference.errors.is_empty() {
        return Err(inference.errors);
    }
    Ok(function)
}

fn type_kernel(table: &ItemTable<'_>, item: &Item, vars: &mut Vars, next_id: &mut u32) -> Finished<Program> {
    let mut inference = Inference::new(table, None, vars.clone(), *next_id);
    repeated_parameters(&mut inference, item);
    let directives = inference.kernel_attributes(item);
    inference.sizes_of_parameters =
        item.parameters.iter().flat_map(|parameter| names_in_type(&parameter.ty)).collect();
    let (mut scope, sizes) = declare_generics(&mut inference, item);
    let passed = declare_size_parameters(&mut inference, item);
    let mut all_sizes = scope.clone();
    for (name, size) in &passed {
        all_sizes = all_sizes.with(name, Binding::Size(Nat::variable(size)));
    }
    inference.clauses(item, &all_sizes);
    let launches = inference.launches(item, &all_sizes);
    let mut slots = Vec::new();
    for parameter in &item.parameters {
        let name = &parameter.name;
        let variable = inference.fresh_variable(&name.name);
        if let Some(size) = passed.get(name.name.as_str()).filter(|_| is_size_name(&parameter.ty)) {
            let size = size.clone();
            scope = scope.with(&name.name, Binding::Size(Nat::variable(&size)));
            slots.push(Slot::Size { variable, size, source: name.source });
            continue;
        }
        // A type may mention the sizes among the parameters before it.
        let ty = inference.written_type(&parameter.ty, &scope);
        inference.parameters.insert(variable.clone());
        let value = inference.variable(&variable, &ty, name.source);
        scope = scope.with(&name.name, Binding::Value(value, None));
        slots.push(Slot::Value { variable, ty, source: name.source });
    }
    let result = inference.written_type(&item.result, &scope);
    let body = inference.in_frame(|this| this.value(&item.body, &scope));
    let body = inference.expect_result(body, &result, item);
    let functions = table.functions.clone();
    let name = item.name.name.clone();
    let outline = Outline {
        name,
        parameters: slots,
        sizes,
        functions,
        launches,
        directives,
        elements: OpenElements::Scalars,
    };
    *next_id = inference.next_id;
    let mut later = inference.unknowns.vars.clone();
    let program = inference.finish(outline, body)?;
    while later.fresh("").id() < program.next_id {}
    *next_id = (*next_id).max(program.next_id);
    *vars = later;
    Ok(program)
}

/// The sizes among the parameters of an item.
fn declare_size_parameters<'a>(inference: &mut Inference<'a>, item: &'a Item) -> BTreeMap<&'a str, Var> {
    let mut sizes = BTreeMap::new();
    for parameter in item.parameters.iter().filter(|parameter| is_size_name(&parameter.ty)) {
        let name = parameter.name.name.as_str();
        let size = inference.unknowns.vars.fresh(name);
        inference.facts.declare(&size, Nat::zero(), None);
        sizes.insert(name, size);
    }
    sizes
}

/// The size parameters of an item. Each must be found in a parameter, or a call could not give it.
fn declare_generics<'a>(
    inference: &mut Inference<'a>,
    item: &'a Item,
) -> (Environment<'a>, Vec<(Var, String)>) {
    let mut scope = no_names();
    let mut sizes = Vec::new();
    for generic in &item.generics {
        let used = item
            .parameters
            .iter()
            .any(|parameter| names_in_type(&parameter.ty).contains(&generic.name.as_str()));
        if !used {
            let mistake = ProgramMistake::UnusedSize(generic.name.clone());
            inference.report(Error::new(generic.source, mistake));
        }
        let size = inference.unknowns.vars.fresh(&generic.name);
        inference.facts.declare(&size, Nat::zero(), None);
        scope = scope.with(&generic.name, Binding::Size(Nat::variable(&size)));
        sizes.push((size, generic.name.clone()));
    }
    (scope, sizes)
}

impl<'a> Inference<'a> {
    /// A call of an item with all its arguments.
    pub(super) fn call_item(&mut self, item: usize, given: Vec<Argument<'a>>, source: Source) -> typed::Expr {
        let items = self.items;
        let (Some(callee), Some(state)) = (items.items.get(item), items.states.get(item)) else {
            return self.mistake(source);
        };
        match state {
            State::Failed => {
                self.poisoned = true;
                self.look_at(given);
                self.mistake(source)
            }
            State::Function(function, result) => self.call_function(callee, *function, result, given, source),
            State::Kernel => self.in_frame(|this| this.inline_kernel(callee, given, source)),
        }
    }

    fn call_function(
        &mut self,
        callee: &'a Item,
        function: usize,
        result: &Type,
        given: Vec<Argument<'a>>,
        source: Source,
    ) -> typed::Expr {
        let mut arguments = Vec::new();
        for (parameter, argument) in callee.parameters.iter().zip(given) {
            let ty = self.written_type(&parameter.ty, &no_names());
            let value = self.argument_value(argument);
            arguments.push(self.expect(value, &ty, parameter_of(callee, &parameter.name.name)));
        }
        if arguments.iter().any(|argument| self.unknowns.is_mistake(&argument.ty)) {
            return self.mistake(source);
        }
        self.node(ExprKind::Function(function, arguments), result.clone(), source)
    }

    fn inline_kernel(&mut self, callee: &'a Item, given: Vec<Argument<'a>>, source: Source) -> typed::Expr {
        let mut scope = no_names();
        for generic in &callee.generics {
            let size = self.unknowns.fresh_size_for(&generic.name, &mut self.facts);
            scope = scope.with(&generic.name, Binding::Size(size));
        }
        let mut sound = true;
        for (parameter, argument) in callee.parameters.iter().zip(given) {
            let name = &parameter.name.name;
            if is_size_name(&parameter.ty) {
                match self.natural_argument(argument, &callee.name.name) {
                    Some(size) => scope = scope.with(name, Binding::Size(size)),
                    None => sound = false,
                }
                continue;
            }
            let ty = self.written_type(&parameter.ty, &scope);
            let value = self.argument_value(argument);
            let value = self.expect(value, &ty, parameter_of(callee, name));
            sound &= !self.unknowns.is_mistake(&value.ty);
            let value = self.bind(value, name);
            scope = scope.with(name, Binding::Value(value, None));
        }
        if !sound {
            return self.mistake(source);
        }
        self.inlined.push((&callee.name.name, source));
        if self.clauses(callee, &scope).is_none() {
            self.inlined.pop();
            return self.mistake(source);
        }
        let result = self.written_type(&callee.result, &scope);
        let body = self.value(&callee.body, &scope);
        let body = self.expect_result(body, &result, callee);
        self.inlined.pop();
        body
    }

    /// The body of an item, which must have the declared type.
    fn expect_result(&mut self, body: typed::Expr, declared: &Type, item: &Item) -> typed::Expr {
        let name = &item.name.name;
        let body = self.fit(body, declared);
        let what = format!("the declared result of `{name}`");
        let Err(mismatch) = self.unify(&body.ty, declared, &what, body.source) else {
            // Equal, but perhaps written more simply than the algebra can prove.
            return typed::Expr { ty: declared.clone(), ..body };
        };
        if self.unknowns.is_mistake(&body.ty) {
            return self.mistake(body.source);
        }
        let remedy = self
            .conversion_of(&body, declared)
            .or_else(|| self.missing_border(&body, declared))
            .or_else(|| self.clause_for(&mismatch));
        let mistake = TypeMistake::Result {
            item: name.clone(),
            declared: self.known(declared),
            found: self.known(&body.ty),
            mismatch: self.settled(&mismatch),
            remedy,
        };
        self.fail(Error::new(body.source, mistake))
    }
}

fn parameter_of(callee: &Item, name: &str) -> Place {
    Place::Parameter { name: name.to_owned(), item: callee.name.name.clone() }
}
