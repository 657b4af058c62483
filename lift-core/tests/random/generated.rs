//! Properties of random well-typed programs: they parse, they type-check, and they have a value.

use crate::seed::seed;
use crate::support::{
    Choices, RandomProgram, Style, group_program, order_program, random_program, repeated_program, typed,
};
use lift_core::compile;
use lift_core::diagnostic::Diagnostic;
use lift_core::eval::{Value, evaluate};
use lift_core::ir::nat::Var;
use lift_core::ir::typed::check::{Binders, Fault, FaultKind, check};
use lift_core::ir::typed::result::Need;
use lift_core::ir::typed::{Program, Requirement, SizeVariable};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn value_of(program: &RandomProgram) -> Result<Value, String> {
    let typed = typed(&program.text).map_err(|error| format!("{}\n{error}", program.text))?;
    evaluate(&typed, &program.arguments).map_err(|error| format!("{}\n{error}", program.text))
}

fn programs(style: Style) -> impl Strategy<Value = RandomProgram> {
    vec(any::<u32>(), 0..300).prop_map(move |choices| random_program(&mut Choices::new(choices), style))
}

/// The sizes for which a need that was not proved is tried.
const TRIED_SIZES: std::ops::Range<i128> = 0..25;

/// What is wrong with the types of a program. A need may follow from the obligations in a way that the
/// algebra does not see; then no sizes for which these hold refute it.
fn fault_in(program: &RandomProgram) -> Option<String> {
    let checked = typed(&program.text).map(|typed| (check(&typed, Binders::Unique), typed));
    match checked {
        Ok((Ok(()), _)) => None,
        Ok((Err(Fault { kind: FaultKind::Unproved(need), .. }), typed)) if !is_refuted(&need, &typed) => None,
        Ok((Err(fault), _)) => Some(format!("{}\n{fault:?}", program.text)),
        Err(message) => Some(format!("{}\n{message}", program.text)),
    }
}

/// Whether there are small sizes for which the obligations of a program hold and a need does not.
fn is_refuted(need: &Need, program: &Program) -> bool {
    let holds = |requirement: &Requirement, sizes: &BTreeMap<Var, i128>| {
        let condition = requirement.condition()?;
        condition.evaluate(&|size: &Var| sizes.get(size).copied())
    };
    assignments(&program.sizes).iter().any(|sizes| {
        let obligations = program.obligations.iter().map(|obligation| &obligation.requirement);
        let accepted = obligations.into_iter().all(|known| holds(known, sizes) == Some(true));
        accepted && holds(&need.requirement, sizes) != Some(true)
    })
}

fn assignments(sizes: &[SizeVariable]) -> Vec<BTreeMap<Var, i128>> {
    sizes.iter().fold(vec![BTreeMap::new()], |assigned, size| {
        let with = |value: i128, others: &BTreeMap<Var, i128>| {
            let mut sizes = others.clone();
            sizes.insert(size.variable.clone(), value);
            sizes
        };
        TRIED_SIZES.flat_map(|value| assigned.iter().map(move |others| with(value, others))).collect()
    })
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
    fn a_random_program_in_which_data_says_where_elements_go_has_a_value(choices in vec(any::<u32>(), 0..60)) {
        let program = order_program(&mut Choices::new(choices));
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
            format!("a >> chunks({distance} + 1) >> join"),
            format!("a >> chunks({distance} + 1) >> map(reverse) >> join >> chunks({distance} + 1) >> map(reverse) >> join"),
            format!("a >> deinterleave({distance} + 1) >> interleave"),
            format!("a >> split({chunk}) >> interleave >> deinterleave({width}) >> join"),
            format!("a >> partition(3, caseSplit({chunk}, N - {chunk}, 0)) >> join"),
            format!("a >> partition({width}, |i| if i % 2 == 0 {{ {chunk} }} else {{ {chunk} }}) >> map(reverse) >> map(reverse) >> join"),
        ] {
            round_trip(&layout, &numbers)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn random_programs_have_the_types_that_the_typing_rules_derive(
        choices in vec(any::<u32>(), 0..300),
    ) {
        let choices = || Choices::new(choices.clone());
        for program in [
            random_program(&mut choices(), Style::HighLevel),
            random_program(&mut choices(), Style::LowLevel),
            repeated_program(&mut choices()),
            group_program(&mut choices()),
        ] {
            prop_assert!(fault_in(&program).is_none(), "{:?}", fault_in(&program));
        }
    }
}

#[test]
fn a_seed_always_makes_the_same_program() {
    let text = |seed| random_program(&mut Choices::from_seed(seed), Style::LowLevel).text;
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}
