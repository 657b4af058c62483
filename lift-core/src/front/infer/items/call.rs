//! Calls of items: a user function is called; a kernel or a generic function is inlined.

use crate::front::infer::annotation::is_size_name;
use crate::front::infer::environment::{Argument, Binding};
use crate::front::infer::error::{Error, Place, ProgramMistake};
use crate::front::infer::generics::Declared;
use crate::front::infer::inference::{Inference, shared};
use crate::front::infer::item_table::ItemState;
use crate::front::syntax::Item;
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind, Rounding};
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// A call of an item with all its arguments.
    pub(in crate::front::infer) fn call_item(
        &mut self,
        item: usize,
        given: Vec<Argument<'a>>,
        source: Source,
    ) -> typed::Expr {
        let items = self.items;
        let (Some(callee), Some(state)) = (items.items.get(item), items.states.get(item)) else {
            return self.mistake(source);
        };
        match state {
            ItemState::Failed => {
                self.poisoned = true;
                self.report_mistakes_in(given);
                self.mistake(source)
            }
            ItemState::Function(function, result) => {
                self.call_function(callee, *function, result, given, source)
            }
            ItemState::Inlined => self.in_frame(|this| this.inline_item(callee, given, source)),
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
        let items = self.items;
        let mut arguments = Vec::new();
        for (parameter, argument) in callee.parameters.iter().zip(given) {
            let ty = self.written_type(&parameter.ty, &items.constants);
            let value = self.argument_value(argument);
            arguments.push(self.expect(value, &ty, parameter_of(callee, &parameter.name.name)));
        }
        if arguments.iter().any(|argument| self.unknowns.is_mistake(&argument.ty)) {
            return self.mistake(source);
        }
        self.node(ExprKind::Function(function, shared(arguments)), result.clone(), source)
    }

    fn inline_item(&mut self, callee: &'a Item, given: Vec<Argument<'a>>, source: Source) -> typed::Expr {
        let mut scope = self.items.constants.clone();
        let types = self.declared_types(callee, Declared::Elsewhere);
        for generic in &callee.generics {
            let size = self.unknowns.fresh_size_for(&generic.name, &mut self.facts);
            scope = scope.with(&generic.name, Binding::Size(size));
        }
        if self.rounding == Rounding::Free && callee.is_strict() {
            let callee = callee.name.name.clone();
            return self.fail(Error::new(source, ProgramMistake::StrictCallee { callee }));
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
            let ty = self.with_types(&types, |this| this.written_type(&parameter.ty, &scope));
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
        let body = self.with_types(&types, |this| {
            let result = this.written_type(&callee.result, &scope);
            let body = this.value(&callee.body, &scope);
            this.expect_result(body, &result, callee)
        });
        self.inlined.pop();
        body
    }
}

fn parameter_of(callee: &Item, name: &str) -> Place {
    Place::Parameter { name: name.to_owned(), item: callee.name.name.clone() }
}
