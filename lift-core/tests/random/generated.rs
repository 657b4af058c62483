//! Properties of random well-typed programs: they parse, they type-check, and they have a value.

use crate::seed::seed;
use crate::support::{Choices, RandomProgram, Style, group_program, random_program, repeated_program, typed};
use lift_core::compile;
use lift_core::diagnostic::Diagnostic;
use lift_core::eval::{Value, evaluate};
use proptest::collection::vec;
use proptest::prelude::*;

fn value_of(program: &RandomProgram) -> Result<Value, String> {
    let typed = typed(&program.text).map_err(|error| format!("{}\n{error}", program.text))?;
    evaluate(&typed, &program.arguments).map_err(|error| format!("{}\n{error}", program.text))
}

fn programs(style: Style) -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..300).prop_map(move |choices| random_program(&mut Choices::new(choices), style))
}

/// `[i32; 12]` under a layout and what undoes it.
fn round_trip(layout: &str, numbers: &[i32]) -> Result<(), TestCaseError> {
    let text = format!("|a: [i32; N]| {layout}");
    let argument = Value::i32_array(numbers.iter().copied());
    let arguments = vec![lift_core::eval::Argument::Value(argument.clone())];
    let result = value_of(&RandomProgram { text, arguments });
    prop_assert_eq!(result, Ok(argument));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn a_random_high_level_program_is_well_typed_and_has_a_value(program in programs(Style::HighLevel)) {
        prop_assert!(value_of(&program).is_ok(), "{}", value_of(&program).unwrap_err());
    }

    #[test]
    fn a_random_low_level_program_is_well_typed_and_has_a_value(program in programs(Style::LowLevel)) {
        prop_assert!(value_of(&program).is_ok(), "{}", value_of(&program).unwrap_err());
    }

    #[test]
    fn a_random_program_of_half_precision_has_a_value_and_kernels(program in programs(Style::Halves)) {
        prop_assert!(value_of(&program).is_ok(), "{}\n{:?}", program.text, value_of(&program));
        let typed = typed(&program.text).expect("it has a value");
        if let Err(problems) = compile(&typed) {
            let messages: Vec<String> = problems.iter().map(Diagnostic::render).collect();
            prop_assert!(!messages.iter().any(|message| message.contains("internal error")), "{messages:?}");
        }
    }

    #[test]
    fn a_random_function_that_changes_the_length_can_be_applied_again_and_again(
        choices in vec(any::<u32>(), 0..100),
    ) {
        let program = repeated_program(&mut Choices::new(choices));
        prop_assert!(value_of(&program).is_ok(), "{}", value_of(&program).unwrap_err());
    }

    #[test]
    fn a_random_program_for_groups_is_well_typed_and_has_a_value(choices in vec(any::<u32>(), 0..100)) {
        let program = group_program(&mut Choices::new(choices));
        prop_assert!(value_of(&program).is_ok(), "{}", value_of(&program).unwrap_err());
    }

    #[test]
    fn a_layout_and_its_inverse_are_the_identity(
        chunk in 1usize..6,
        rows in 1usize..6,
        columns in 1usize..4,
        distance in 0usize..40,
        seed in any::<i32>(),
    ) {
        let length = chunk * rows * columns;
        let numbers: Vec<i32> = (0..length as i32).map(|position| position.wrapping_mul(seed)).collect();
        let back = length - distance % length;
        let width = rows * columns;
        for layout in [
            format!("a >> split({chunk}) >> join"),
            format!("a >> split({chunk}) >> transpose >> transpose >> join"),
            format!("a >> split({width}) >> map(split({columns})) >> map(join) >> join"),
            format!("a >> split({width}) >> tile(1, {columns}) >> untile >> join"),
            "a >> reverse >> reverse".to_owned(),
            format!("a >> gather(rotate({distance})) >> gather(rotate({back}))"),
            format!("a >> gather(stride({chunk})) >> gather(stride({width}))"),
            format!("a >> slide({columns}, {columns}) >> join"),
            "zip(a, a) >> map(get(1))".to_owned(),
            format!("a >> partition(3, caseSplit({chunk}, N - {chunk}, 0)) >> join"),
            format!("a >> partition({width}, |i| if i % 2 == 0 {{ {chunk} }} else {{ {chunk} }}) >> map(reverse) >> map(reverse) >> join"),
        ] {
            round_trip(&layout, &numbers)?;
        }
    }
}

#[test]
fn a_seed_always_makes_the_same_program() {
    let text = |seed| random_program(&mut Choices::from_seed(seed), Style::LowLevel).text;
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}
