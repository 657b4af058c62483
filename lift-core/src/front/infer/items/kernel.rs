//! Kernels: items with arrays or sizes among their parameters.

use std::collections::BTreeMap;

use super::parameters::repeated_parameters;
use crate::front::infer::annotation::is_size_name;
use crate::front::infer::environment::{Binding, Environment};
use crate::front::infer::error::{Error, Finished, ProgramMistake};
use crate::front::infer::free_names::names_in_type;
use crate::front::infer::generalise::{OpenElements, Outline, Slot};
use crate::front::infer::generics::Declared;
use crate::front::infer::inference::Inference;
use crate::front::infer::item_table::ItemTable;
use crate::front::syntax::Item;
use crate::ir::nat::{Nat, Var, Vars};
use crate::ir::typed::Program;

/// Types a kernel. Its ids begin at `next_id`, which becomes the next free one.
pub(super) fn type_kernel(
    table: &ItemTable<'_>,
    item: &Item,
    vars: &mut Vars,
    next_id: &mut u32,
) -> Finished<Program> {
    let mut inference = Inference::new(table, None, vars.clone(), *next_id);
    repeated_parameters(&mut inference, item);
    inference.declared_types = inference.declared_types(item, Declared::Here);
    let mut directives = inference.kernel_attributes(item);
    inference.rounding = directives.rounding;
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
    inference.schedule(item, &all_sizes, &mut directives);
    inference.launch_of_schedule(&launches, &directives);
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

/// The size parameters of an item. Each must occur in the type of a parameter, or a call could not determine
/// it.
fn declare_generics<'a>(
    inference: &mut Inference<'a>,
    item: &'a Item,
) -> (Environment<'a>, Vec<(Var, String)>) {
    let mut scope = inference.items.constants.clone();
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
