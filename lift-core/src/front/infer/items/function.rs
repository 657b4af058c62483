//! User functions: items on scalars and tuples of them, which kernels call.

use std::sync::Arc;

use super::parameters::repeated_parameters;
use crate::front::infer::environment::Binding;
use crate::front::infer::error::{Error, Finished, GenericMistake, ProgramMistake};
use crate::front::infer::generics::Declared;
use crate::front::infer::inference::Inference;
use crate::front::infer::item_table::ItemTable;
use crate::front::syntax::Item;
use crate::ir::nat::Vars;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Function, Laws, ReduceKind};

/// Whether an item is a function on scalars and tuples of them.
pub(super) fn is_user_function(item: &Item) -> bool {
    item.generics.is_empty()
        && item.result.is_element()
        && item.parameters.iter().all(|parameter| parameter.ty.is_element())
}

/// Types a user function. Its ids begin at `next_id`, which becomes the next free one.
pub(super) fn type_function(
    table: &ItemTable<'_>,
    item: &Item,
    vars: &mut Vars,
    next_id: &mut u32,
) -> Finished<Function> {
    let mut inference = Inference::new(table, None, vars.clone(), *next_id);
    repeated_parameters(&mut inference, item);
    inference.declared_types = inference.declared_types(item, Declared::Here);
    no_conditions(&mut inference, item);
    let mut scope = table.constants.clone();
    let mut parameters = Vec::new();
    for parameter in &item.parameters {
        let ty = inference.written_type(&parameter.ty, &table.constants);
        let variable = inference.fresh_variable(&parameter.name.name);
        let value = inference.variable(&variable, &ty, parameter.name.source);
        scope = scope.with(&parameter.name.name, Binding::Value(value, None));
        parameters.push((variable, ty));
    }
    let result = inference.written_type(&item.result, &table.constants);
    let body = inference.in_frame(|this| this.value(&item.body, &scope));
    let body = inference.expect_result(body, &result, item);
    if inference.errors.is_empty()
        && let Err(source) = scalar_forms_only(&body)
    {
        let function = item.name.name.clone();
        inference.report(Error::new(source, ProgramMistake::ComputesWithArrays { function }));
    }
    let laws = inference.function_attributes(item, &parameters, &result);
    no_laws_of_generics(&mut inference, item, laws);
    let function = Function { name: item.name.name.clone(), parameters, body: Arc::new(body), laws };
    let function = if inference.errors.is_empty() { inference.finish_function(function) } else { function };
    *next_id = inference.next_id;
    *vars = inference.unknowns.vars.clone();
    if inference.poisoned || !inference.errors.is_empty() {
        return Err(inference.errors);
    }
    Ok(function)
}

/// Reports conditions on sizes, which only kernels have.
fn no_conditions(inference: &mut Inference<'_>, item: &Item) {
    if let Some(clause) = item.conditions.first() {
        let function = item.name.name.clone();
        inference.report(Error::new(clause.source, ProgramMistake::Conditions { function }));
    }
}

/// Reports laws of a function that no program has as a function, because it is inlined.
fn no_laws_of_generics(inference: &mut Inference<'_>, item: &Item, laws: Laws) {
    if let Some(attribute) = item.attributes.first()
        && !item.types.is_empty()
        && laws != Laws::default()
    {
        let function = item.name.name.clone();
        inference.report(Error::new(attribute.name.source, GenericMistake::Laws { function }));
    }
}

/// Whether a user function may have this body; if not, the place of what it may not have.
fn scalar_forms_only(expr: &Expr) -> Result<(), Source> {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Size(_)
        | ExprKind::Tuple(_)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::Component(..)
        | ExprKind::Unary(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Binary(..)
        | ExprKind::Let { .. }
        | ExprKind::If(..) => expr.children().try_for_each(|part| scalar_forms_only(part)),
        // Such a loop has steps without elements: it is an `iterateWhile`.
        ExprKind::Reduce(ReduceKind::While, function, initial, steps)
            if let ExprKind::Repeat(_, step) = &steps.kind =>
        {
            [initial, step, &function.body].into_iter().try_for_each(|part| scalar_forms_only(part))
        }
        ExprKind::ArrayLiteral(_)
        | ExprKind::Map(..)
        | ExprKind::Reduce(..)
        | ExprKind::Zip(_)
        | ExprKind::Layout(..)
        | ExprKind::PadConstant { .. }
        | ExprKind::Concat(_)
        | ExprKind::At(..)
        | ExprKind::Generate(..)
        | ExprKind::Repeat(..)
        | ExprKind::Unzip(_)
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..)
        | ExprKind::EndUnless(..)
        | ExprKind::Store(..) => Err(expr.source),
    }
}
