//! Random chains of layouts: an array that is only looked at, through one layout after the other.

use super::choices::Choices;
use super::layouts::{Wanted, layout};
use super::program::{Generator, RandomProgram, arguments_for};
use super::stage::Pipeline;

/// A program of at most `most` layouts, and nothing else. The last one is written by the whole device.
pub(crate) fn chain_of_layouts(choices: &mut Choices, most: usize) -> RandomProgram {
    let mut generator = Generator::new(choices);
    let rank = 1 + generator.choices.below(3);
    let head = generator.new_array(rank);
    let mut pipeline = Pipeline::new(&head.name, head.ty.clone());
    let mut bindings: Vec<(String, String)> = Vec::new();
    for _ in 0..most {
        // A layout that the array does not admit is left out.
        if let Some((stage, ty)) = layout(generator.choices, &pipeline.ty, Wanted::Any) {
            pipeline.push(stage, ty);
        }
        if generator.choices.one_in(8) {
            let name = generator.fresh("x");
            let text = pipeline.text(generator.choices);
            pipeline = Pipeline::new(&name, pipeline.ty);
            bindings.push((name, text));
        }
    }
    let text = generator.with_bindings(&bindings, &pipeline);
    let parameters: Vec<String> =
        generator.parameters.iter().map(|own| format!("{}: {}", own.name, own.ty.text())).collect();
    let text = format!("|{}| {text}", parameters.join(", "));
    let arguments = arguments_for(&mut generator);
    RandomProgram { text, arguments }
}
