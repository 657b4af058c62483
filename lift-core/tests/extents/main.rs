//! How large the indices of a kernel become: from this a launcher chooses between 32 and 64 bits, and refuses
//! a launch.

mod machine;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::primitive::Primitive;
use lift_core::ir::typed::{ParameterType, Program, Requirement};
use lift_core::middle::tuples::take_apart;
use lift_core::options::Options;
use lift_core::{Stages, compile, stages};
use lift_corpus::benchmarks;
use lift_corpus::lists::EVERY_PRIMITIVE;
use machine::Machine;
use proptest::test_runner::{Config, TestRunner};
use support::{Choices, RandomProgram, Style, random_program, repeated_program, typed};

/// What an extent leaves out at most, and the largest index of a launcher.
const SMALL: i128 = 1 << 24;
const LARGEST: i128 = i64::MAX as i128;

/// The sizes of one call, if the program accepts them.
fn accepted(program: &Program, sizes: &BTreeMap<Var, i128>) -> bool {
    let mut nothing = |_| 0;
    let mut machine = Machine::new(program, sizes.clone(), &mut nothing);
    let are_large_enough = program
        .sizes
        .iter()
        .all(|size| sizes.get(&size.variable).is_some_and(|value| *value >= size.minimum.into()));
    are_large_enough
        && program.obligations.iter().all(|obligation| match &obligation.requirement {
            Requirement::Equal(left, right) => {
                machine.value(left).zip(machine.value(right)).is_some_and(|(l, r)| l == r)
            }
            Requirement::AtMost(left, right) => {
                machine.value(left).zip(machine.value(right)).is_some_and(|(l, r)| l <= r)
            }
            Requirement::Divides(left, right) => {
                machine.value(left).zip(machine.value(right)).is_some_and(|(l, r)| l != 0 && r % l == 0)
            }
            Requirement::Holds(condition) => machine.holds(condition) == Some(true),
            // Too long to look at every position.
            Requirement::Permutation { .. } => true,
        })
}

/// A size: small, large, or near the end of what there is.
fn some_size(choose: &mut dyn FnMut(u128) -> u128) -> i128 {
    let below =
        |bits: u32, choose: &mut dyn FnMut(u128) -> u128| i128::try_from(choose(1 << bits)).unwrap_or(0);
    match choose(8) {
        0 => below(2, choose),
        1 => below(5, choose),
        2 => 1 << choose(63),
        3 => 12 << choose(59),
        4 => LARGEST - below(4, choose),
        5 => 5040 << choose(20),
        6 => (1 << 31) - below(3, choose),
        _ => {
            let bits = u32::try_from(choose(40)).unwrap_or(0);
            below(bits, choose)
        }
    }
}

/// The largest extent where a launcher has room for all; `None` where it refuses a launch.
fn largest_extent(extents: &[Nat], sizes: &BTreeMap<Var, i128>) -> Option<i128> {
    let at_least_one = |variable: &Var| Some((*sizes.get(variable)?).max(1));
    let values = extents.iter().map(|extent| extent.evaluate(&at_least_one));
    let largest = values.chain([Some(0)]).collect::<Option<Vec<i128>>>()?.into_iter().max()?;
    (largest <= LARGEST - SMALL).then_some(largest)
}

/// How often a program was executed, and how often a launcher refuses it.
#[derive(Default)]
struct Counts {
    executed: u32,
    refused: u32,
}

/// Compares the extents of a program with what its kernels compute.
fn verify(program: &Program, tries: u32, choose: &mut dyn FnMut(u128) -> u128) -> Result<Counts, String> {
    let compiled =
        compile(program).map_err(|errors| errors.iter().map(|error| error.render()).collect::<String>())?;
    let Stages { apart, module, planned, .. } = stages(program, &Options::default(), &mut |_| {})
        .map_err(|errors| errors.iter().map(|error| error.render()).collect::<String>())?;
    let mut counts = Counts::default();
    for _ in 0..tries {
        let sizes: BTreeMap<Var, i128> =
            program.sizes.iter().map(|size| (size.variable.clone(), some_size(choose))).collect();
        if !accepted(&apart, &sizes) {
            continue;
        }
        let Some(extent) = largest_extent(&compiled.plain.extents, &sizes) else {
            counts.refused += 1;
            continue;
        };
        counts.executed += 1;
        let room = sizes.values().copied().chain([extent + SMALL]).max().unwrap_or(0).unsigned_abs();
        let mut machine = Machine::new(&apart, sizes.clone(), choose);
        for (position, kernel) in module.kernels.iter().enumerate() {
            let steps = module.repetitions.iter().rev().filter(|around| around.kernels.contains(&position));
            for repetition in steps {
                let Some(step) = &repetition.step else { continue };
                let count = machine.value(&repetition.count).unwrap_or(0);
                machine.variables.insert(step.clone(), (count - 1).max(0));
            }
            machine.kernel(kernel);
            if let Some(kernel) = planned.as_ref().and_then(|host| host.kernels.get(position)) {
                machine.host_kernel(kernel);
            }
        }
        if machine.largest > room {
            let named: Vec<String> =
                sizes.iter().map(|(size, value)| format!("{} = {value}", size.name())).collect();
            return Err(format!(
                "{} is computed, but extents are at most {extent} where {}\n{:?}\n{}",
                machine.largest,
                named.join(", "),
                compiled.plain.extents,
                compiled.plain.source
            ));
        }
    }
    Ok(counts)
}

/// Numbers from a seed (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
fn numbers(mut state: u64) -> impl FnMut(u128) -> u128 {
    move |end| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ (z >> 31)) % end.max(1)
    }
}

#[test]
fn no_number_of_a_kernel_leaves_its_extents() {
    let mut failures = Vec::new();
    for (seed, text) in (0..).zip(EVERY_PRIMITIVE) {
        match typed(text).and_then(|program| verify(&program, 150, &mut numbers(seed))) {
            Ok(Counts { executed, refused }) if executed <= 2 => {
                failures.push(format!("{text}\nexecuted {executed} times, refused {refused} times"));
            }
            Ok(_) => {}
            Err(message) => failures.push(format!("{text}\n{message}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_primitive_is_among_the_programs() {
    let words: BTreeSet<&str> = EVERY_PRIMITIVE
        .iter()
        .flat_map(|text| text.split(|character: char| !character.is_ascii_alphanumeric()))
        .collect();
    let missing: Vec<&str> =
        Primitive::ALL.iter().map(|row| row.name).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn no_number_of_a_random_kernel_leaves_its_extents() {
    let config = Config { cases: 60, rng_seed: seed::seed(), ..Config::default() };
    let strategy = proptest::collection::vec(proptest::num::u32::ANY, 100..300);
    let verified = TestRunner::new(config).run(&strategy, |values| {
        let seed = u64::from(values.first().copied().unwrap_or(0));
        let mut choices = Choices::new(values);
        let program: RandomProgram = match seed % 4 {
            0 => repeated_program(&mut choices),
            1 => random_program(&mut choices, Style::LowLevel),
            _ => random_program(&mut choices, Style::HighLevel),
        };
        let Ok(typed) = typed(&program.text) else { return Ok(()) };
        if compile(&typed).is_err() {
            return Ok(());
        }
        verify(&typed, 20, &mut numbers(seed)).map(drop).map_err(|message| {
            proptest::test_runner::TestCaseError::fail(format!("{}\n{message}", program.text))
        })
    });
    verified.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn reductions_of_whole_arrays_need_no_wider_indices_than_the_array() {
    for reduction in ["reduce(add, 0, a)", "reduce(min, 0, a)"] {
        let text = format!("fn result<const N: usize>(a: [i32; N]) -> i32 {{ {reduction} }}");
        let compiled = compile(&typed(&text).expect("it has a type")).expect("it compiles");
        for size in [1, 3, 11_800_000, 1 << 28, 900_000_000] {
            for extent in &compiled.plain.extents {
                let value = extent.evaluate(&|_| Some(size)).expect("a number");
                assert!(value <= 2 * size + size / 4 + (1 << 20), "{extent} for {size}");
            }
        }
    }
}

/// The largest number of elements that an array of a program has.
fn elements(program: &Program, sizes: &BTreeMap<Var, i128>) -> i128 {
    let value = |nat: Nat| nat.evaluate(&|variable| sizes.get(variable).copied()).unwrap_or(i128::MAX);
    let parameters = program.parameters.iter().filter_map(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => Some(value(ty.element_count())),
        ParameterType::Size(_) => None,
    });
    parameters.chain([value(program.body.ty.element_count())]).max().unwrap_or(0)
}

#[test]
fn kernels_of_the_benchmarks_have_narrow_indices_over_two_hundred_million_elements() {
    let mut checked = 0;
    for text in benchmarks::ALL.iter().flat_map(|topic| topic.blocks()) {
        let program = typed(text).unwrap_or_else(|message| panic!("{message}\n{text}"));
        let apart = take_apart(&program);
        let compiled = compile(&program).unwrap_or_else(|_| panic!("{text}"));
        let largest = (10..29).rev().find_map(|bits| {
            let sizes: BTreeMap<Var, i128> =
                program.sizes.iter().map(|size| (size.variable.clone(), 1 << bits)).collect();
            (accepted(&apart, &sizes) && elements(&program, &sizes) < 200_000_000).then_some(sizes)
        });
        let Some(sizes) = largest else { continue };
        checked += 1;
        let extent = largest_extent(&compiled.plain.extents, &sizes).unwrap_or(i128::MAX);
        assert!(extent < i128::from(i32::MAX) - 2 * SMALL, "{extent}: {:?}\n{text}", compiled.plain.extents);
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn pieces_of_columns_have_narrow_indices() {
    let program = typed("|a: [[f32; M]; N]| a >> transpose >> map(reduce(add, 0))").expect("it has types");
    let compiled = compile(&program).expect("it is compiled");
    let columns = compiled.others.iter().find(|form| form.name == "columns").expect("it has the form");
    for [rows, width] in [[200_000_000, 1], [12_500_000, 16], [14_142, 14_142], [3_000, 65_535]] {
        let sizes = program.sizes.iter().map(|size| &size.variable);
        let sizes: BTreeMap<Var, i128> =
            sizes.map(|size| (size.clone(), if size.name() == "N" { rows } else { width })).collect();
        let extent = largest_extent(&columns.extents, &sizes).unwrap_or(i128::MAX);
        assert!(extent < i128::from(i32::MAX) - 2 * SMALL, "{rows} x {width}: {extent}");
    }
}
