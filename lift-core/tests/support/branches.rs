//! Random choices between arrays.

use super::program::{Generator, Threads};
use super::stage::Pipeline;
use super::truth::truth;
use super::types::{Element, Length, Type};

impl Generator<'_> {
    /// Chooses between arrays of one type that are made of the value so far.
    pub(super) fn choose(
        &mut self,
        pipeline: &mut Pipeline,
        bindings: &mut Vec<(String, String)>,
        threads: Threads,
    ) {
        if pipeline.ty.rank() == 0 {
            return;
        }
        self.bind(pipeline, bindings);
        let arrays = arrays(&pipeline.head, &pipeline.ty, threads);
        let condition = self.condition(&pipeline.ty);
        let (then, otherwise) = (self.choices.pick(&arrays), self.choices.pick(&arrays));
        let chosen = format!("(if {condition} {{ {then} }} else {{ {otherwise} }})");
        *pipeline = Pipeline::new(&chosen, pipeline.ty.clone());
    }

    /// A condition on a length, or on the numbers in scope.
    fn condition(&mut self, ty: &Type) -> String {
        if let Some((_, Length::Variable(name, value))) = ty.as_array()
            && self.choices.one_in(3)
        {
            return format!("{name} > {}", self.choices.below(2 * value));
        }
        let scope: Vec<_> = self.parameters.iter().chain(&self.scope).cloned().collect();
        truth(self.choices, &scope, 1).text
    }
}

/// Arrays of a type that are made of one of that type.
fn arrays(array: &str, ty: &Type, threads: Threads) -> Vec<String> {
    let applied = |function: &str| format!("{array} >> {function}");
    let mut arrays = vec![array.to_owned(), applied("reverse")];
    if ty.rank() > 1 {
        arrays.push(applied("map(reverse)"));
    }
    let row = ty.as_array().filter(|_| ty.rank() == 2).map(|(row, _)| row);
    let numbers = ty.as_numbers().or_else(|| row.and_then(Type::as_numbers));
    let is_followed =
        numbers.is_some_and(|(scalar, _)| scalar.element != Element::Bool && scalar.bound.is_finite());
    if threads == Threads::Unspecified && is_followed {
        // Everything of these has the largest magnitude of the numbers.
        arrays.extend(match row {
            None => ["scanInclusive(max)", "iterate(3, map(|x| max(x, 0)))", "map(id)"].map(applied),
            Some(_) => [
                "map(scanInclusive(min))",
                "map(|r| r >> map(|x| min(x, r >> reduce(max, 0))))",
                "map2(|x| max(x, 0))",
            ]
            .map(applied),
        });
    }
    arrays
}
