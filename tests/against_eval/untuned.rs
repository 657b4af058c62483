//! Programs that nobody had in mind when the rules for choosing forms were made compute in every form, at
//! random sizes, what the reference evaluator says.

use crate::common::{is_simulated, sample};
use crate::compare::arguments::value_of;
use crate::compare::compare_with;
use crate::forms::{KEPT_ROWS_OF_FLOATS, ROWS, ROWS_OF_FLOATS, ROWS_WITHOUT_VECTORS};
use crate::kernels::kernels_of;
use crate::random::{self, Target};
use crate::seed::seed;
use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_corpus::benchmarks::UNTUNED;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRunner};

/// Programs, with the names of their forms, and of those that are refused.
const FORMS: [(&str, &[&str]); 11] = [
    ("row_wise_products", ROWS_OF_FLOATS),
    ("column_variances", COLUMNS),
    ("divided_by_largest", KEPT_ROWS_OF_FLOATS),
    ("cumulative_products", ROW_SCANS),
    ("cumulative_distributions", ROW_SCANS_OF_FLOATS),
    ("entropies", ROWS),
    ("polynomials", ELEMENTS),
    ("checksums", ROWS_WITHOUT_VECTORS),
    ("counts_above", COLUMNS),
    ("row_differences", ELEMENTS),
    ("permuted", ELEMENTS),
];

const COLUMNS: &[&str] = &["columns", "plain"];
const ELEMENTS: &[&str] = &["elements", "plain"];
const ROW_SCANS: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans", "plain"];
const ROW_SCANS_OF_FLOATS: &[&str] = &["shortRowScans", "wholeRowScans", "rowScans", "rowVectors", "plain"];

/// Sizes that each program is tried at. A simulator would take most of a minute for all of them.
const SIZES: usize = 20;
const SIZES_SIMULATED: usize = 4;

/// Those whose results `f32` does not hold: they divide, or have logarithms.
const ROUNDED: [&str; 4] =
    ["column_variances", "divided_by_largest", "cumulative_distributions", "entropies"];

/// What sums in another order may change of these, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// A length: any small one, and one near the numbers that forms go by.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![1..10_usize, 10..70_usize, 31..34_usize, 63..66_usize, 126..131_usize, 255..262_usize]
}

/// Random rows and columns, the same ones for the same seed, of matrices over which the evaluator is quick.
fn random_sizes(count: usize) -> Vec<Vec<usize>> {
    let config = ProptestConfig {
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: seed(),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new(config);
    let sizes = (length(), length()).prop_filter("large", |(rows, columns)| rows * columns < 5000);
    let mut next = || sizes.new_tree(&mut runner).expect("most sizes are small enough").current();
    (0..count).map(|_| next()).map(|(rows, columns)| vec![rows, columns]).collect()
}

/// Powers of two and their negatives: `f32` holds the product of hundreds of them exactly, and sums of the
/// products of a few.
const NUMBERS: [f32; 6] = [-2.0, -1.0, -0.5, 0.5, 1.0, 2.0];

/// Arguments of a program: such numbers in no obvious order; of `places`, every position once.
fn arguments(kernel: &Program, sizes: &[usize]) -> Option<Vec<Argument>> {
    let length =
        |nat: &Nat| usize::try_from(nat.evaluate(&|variable| value_of(kernel, sizes, variable))?).ok();
    let mut drawn = 0;
    let mut arguments = Vec::new();
    for parameter in &kernel.parameters {
        let ParameterType::Value(ty) = &parameter.ty else { return None };
        let value = match &*parameter.variable.name {
            "places" => {
                let places = length(&ty.as_array()?.length)?;
                let place = |position: usize| integer((position * 1009 % places) as i128);
                Value::Array((0..places).map(place).collect())
            }
            _ => value(ty, &length, &mut drawn)?,
        };
        arguments.push(Argument::Value(value));
    }
    Some(arguments)
}

fn value(ty: &Type, length: &impl Fn(&Nat) -> Option<usize>, drawn: &mut usize) -> Option<Value> {
    match ty {
        Type::Scalar(scalar) => {
            *drawn += 1;
            let number = NUMBERS[(sample(*drawn) * 4.0).rem_euclid(6.0) as usize];
            match scalar {
                ScalarType::F32 => Some(Value::from(number)),
                ScalarType::I32 => Some(integer((number * 2.0) as i128)),
                _ => None,
            }
        }
        Type::Array(array) => {
            let row = |index: usize| array.element_at(&Nat::constant(index as i128));
            let elements = (0..length(&array.length)?).map(|index| value(&row(index), length, drawn));
            elements.collect::<Option<_>>().map(Value::Array)
        }
        _ => None,
    }
}

fn integer(number: i128) -> Value {
    Value::Integer(ScalarType::I32, number)
}

#[test]
fn untuned_programs_compute_the_same_in_all_forms() -> Result<(), String> {
    let device = random::opencl_device();
    let sizes = random_sizes(if is_simulated(&device) { SIZES_SIMULATED } else { SIZES });
    let programs = kernels_of(UNTUNED)?;
    let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    assert_eq!(names, FORMS.map(|(name, _)| name));
    for (program, (name, forms)) in programs.iter().zip(FORMS) {
        let compiled = lift_core::compile(program).map_err(|errors| format!("{name}\n{errors:?}"))?;
        let found = compiled.forms().map(|form| form.name.clone());
        let refused = compiled.refused.iter().map(|form| format!("{}: refused", form.name));
        assert_eq!(found.chain(refused).collect::<Vec<_>>(), forms, "{name}");
        let tolerance = if ROUNDED.contains(&name) { TOLERANCE } else { 0.0 };
        compare_with(program, &sizes, &arguments, &|_| tolerance, Target::opencl(&device))
            .map_err(|error| format!("`{name}`, {error}"))?;
    }
    Ok(())
}
