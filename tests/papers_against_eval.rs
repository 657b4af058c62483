//! The stencil programs of Hagedorn's thesis and of CGO 2018 compute on a device what the reference evaluator says.
//!
//! The kernels are those of `tests/programs.rs`, as they stand there, where plain loops say what they must compute. Here
//! nothing is known about them but their types: sizes are chosen, arguments made, and the result of the compiler is
//! compared with the meaning of the typed program.

mod common;
mod random;

use common::{SHAPES, SIZES, sample};
use lift_core::diagnostic::Diagnostic;
use lift_core::eval::{Argument, Value, evaluate};
use lift_core::nat::{Nat, Var};
use lift_core::scalar::ScalarType;
use lift_core::syntax::Input;
use lift_core::typed::{ParameterType, Program};
use lift_core::types::Type;
use lift_core::types::infer::{infer_closure, infer_items};
use lift_parser::parse_text;
use lift_runtime::Device;

/// The program text in which the kernels are written.
const PROGRAMS: &str = include_str!("programs.rs");

/// Kernels whose square roots OpenCL rounds as it likes, and by how much, relative to the result.
const ROUNDED: [&str; 2] = ["sobel_magnitude", "sobel"];
const TOLERANCE: f32 = 1e-6;

/// Sizes of triangles.
const SMALL: [usize; 6] = [1, 2, 3, 7, 33, 64];

fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

/// What stands between the braces of the first `lift!` of [`PROGRAMS`].
fn items_text() -> Result<&'static str, String> {
    let (_, from) = PROGRAMS.split_once("\nlift! {\n").ok_or("no `lift!` with items")?;
    let (items, _) = from.split_once("\n}\n").ok_or("a `lift!` that does not end")?;
    Ok(items)
}

/// The kernels of a text of items or of one closure.
fn kernels(text: &str) -> Result<Vec<Program>, String> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(render(&parsed.errors));
    }
    match parsed.input {
        Some(Input::Items(items)) => infer_items(&items).map(|items| items.kernels),
        Some(Input::Closure(closure)) => infer_closure(&closure).map(|kernel| vec![kernel]),
        Some(Input::Inline(_)) | None => return Err("neither items nor a closure".to_owned()),
    }
    .map_err(|diagnostics| render(&diagnostics))
}

/// The sizes to try, one for each of a kernel's size variables.
fn assignments(kernel: &Program) -> Vec<Vec<usize>> {
    match kernel.sizes.len() {
        0 => vec![Vec::new()],
        // The evaluator takes its time over the elements of a large triangle.
        1 if holds_triangles(kernel) => SMALL.map(|n| vec![n]).to_vec(),
        1 => SIZES.map(|n| vec![n]).to_vec(),
        _ => SHAPES.map(|(rows, columns)| vec![rows, columns]).to_vec(),
    }
}

/// Whether a kernel takes or makes position-dependent arrays.
fn holds_triangles(kernel: &Program) -> bool {
    let parameters = kernel.parameters.iter().any(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => ty.is_position_dependent(),
        ParameterType::Size(_) => false,
    });
    parameters || kernel.body.ty.is_position_dependent()
}

/// Numbers for a type: samples, or zeros and ones, that differ from parameter to parameter.
fn value(ty: &Type, length: &impl Fn(&Type) -> Option<usize>, position: &mut usize) -> Option<Value> {
    match ty {
        Type::Scalar(scalar) => {
            *position += 1;
            let number = sample(*position);
            match scalar {
                ScalarType::F32 => Some(Value::from(number)),
                ScalarType::I32 => Some(Value::from(i32::from(number > 20.0))),
                _ => None,
            }
        }
        Type::Array(array) => {
            let row = |index: usize| array.element_at(&Nat::constant(index as i128));
            let elements = (0..length(ty)?).map(|index| value(&row(index), length, position));
            elements.collect::<Option<_>>().map(Value::Array)
        }
        Type::Vector(..) | Type::Size | Type::Tuple(_) => None,
    }
}

/// Arguments for a kernel, given its sizes.
fn arguments(kernel: &Program, sizes: &[usize]) -> Option<Vec<Argument>> {
    let value_of = |variable: &Var| {
        let slot = kernel.sizes.iter().position(|size| size.variable == *variable)?;
        i128::try_from(*sizes.get(slot)?).ok()
    };
    let length = |ty: &Type| usize::try_from(ty.as_array()?.length.evaluate(&value_of)?).ok();
    let mut position = 0;
    let argument = |ty: &ParameterType| match ty {
        ParameterType::Value(ty) => value(ty, &length, &mut position).map(Argument::Value),
        ParameterType::Size(_) => None,
    };
    kernel.parameters.iter().map(|parameter| &parameter.ty).map(argument).collect()
}

fn agree(found: &Value, expected: &Value, tolerance: f32) -> bool {
    match (found, expected) {
        (Value::F32(found), Value::F32(expected)) => (found - expected).abs() <= expected.abs() * tolerance,
        _ => found == expected,
    }
}

/// Compares a kernel with its meaning at every size.
fn check(kernel: &Program, device: &Device) -> Result<(), String> {
    let compiled = lift_core::compile(kernel).map_err(|diagnostics| render(&diagnostics))?;
    let launched = random::program_from(&compiled)?;
    let tolerance = if ROUNDED.contains(&kernel.name.as_str()) { TOLERANCE } else { 0.0 };
    for sizes in assignments(kernel) {
        let too_small = kernel.sizes.iter().zip(&sizes).any(|(size, value)| (*value as u64) < size.minimum);
        if too_small {
            continue;
        }
        let arguments = arguments(kernel, &sizes).ok_or("a parameter of an unexpected type")?;
        let expected = evaluate(kernel, &arguments).map_err(|error| format!("{sizes:?}: {error}"))?;
        let (shape, found) = random::run(launched, &arguments, device)?;
        let packed = vec![expected.flatten().len()];
        let wanted = if kernel.body.ty.is_position_dependent() { packed } else { random::shape(&expected) };
        if shape != wanted {
            return Err(format!("{sizes:?}: a result of the shape {shape:?}"));
        }
        let pairs = expected.flatten().into_iter().zip(found);
        for (position, (expected, found)) in pairs.enumerate() {
            if !agree(&found, &expected, tolerance) {
                return Err(format!(
                    "{sizes:?}, element {position}: expected {expected:?}, found {found:?}\n{}",
                    compiled.source
                ));
            }
        }
    }
    Ok(())
}

fn check_all(kernels: &[Program]) -> Result<(), String> {
    let device = random::opencl_device();
    kernels
        .iter()
        .try_for_each(|kernel| check(kernel, &device).map_err(|error| format!("`{}`: {error}", kernel.name)))
}

#[test]
fn the_kernels_of_the_papers_compute_what_they_mean() -> Result<(), String> {
    let kernels = kernels(items_text()?)?;
    // A kernel that is added there is checked here; none may get lost.
    let names: Vec<_> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    for name in ["founding", "heat", "convolve_wrap", "jacobi9", "game_of_life", "gaussian3", "sobel"] {
        assert!(names.contains(&name), "`{name}` is not among {names:?}");
    }
    check_all(&kernels)
}

#[test]
fn the_figures_of_padding_and_sliding_in_two_dimensions_mean_what_they_show() -> Result<(), String> {
    for text in [
        "|a: [[f32; M]; N]| pad2d(1, 2, 1, 2, clamp, wrap, a)",
        "|a: [[f32; M]; N]| a >> pad(1, 2, clamp) >> transpose >> pad(1, 2, wrap) >> transpose",
        "|a: [[f32; M]; N]| slide2d(2, 1, 2, 1, a)",
        "|a: [[f32; M]; N]| a >> slide(2, 1) >> map(|rows| rows >> transpose >> slide(2, 1) >> map(transpose))",
    ] {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}

#[test]
fn position_dependent_arrays_compute_what_they_mean() -> Result<(), String> {
    for text in [
        "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(max, 0))",
        "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(padConstant(0, N - len(row), 0, row), v) >> map(add))",
        "|u: [i => [f32; N - i]; N]| u >> reverse >> map(map(|x| x + 1))",
        "|u: [i => [f32; N - i]; N]| u >> slice(0, N) >> map(reverse) >> join",
        "|u: [i => [f32; N - i]; N]| u >> map(map(|x| x * 2)) >> join >> map(|x| x + 1)",
        "|m: [i => [f32; i + 1]; N]| m >> map(reverse) >> join >> map(|x| (x, x)) >> map(|(x, y)| x - y * 3)",
        "|a: [f32; N]| generate(N, |i| slice(i / 2, i + 1 - i / 2, a)) >> map(scanInclusive(max))",
        "|b: [i => [f32; min(i + 3, N) - max(i - 2, 0)]; N]| b >> map(|row| row >> map(|x| x + len(row) as f32))",
        "|m: [i => [j => [f32; i + j + 1]; i + 1]; 9]| m >> map(map(reduce(max, 0)))",
        "|m: [i => [j => [f32; i + j + 1]; i % 3]; 7]| m >> map(join) >> join >> map(|x| x * 2)",
        "|m: [[i => [f32; i + 1]; 5]; N]| m >> join >> map(map(|x| x + 1))",
        "|m: [i => [f32; if i % 2 == 0 { 3 } else { 1 }]; N]| m >> map(reverse) >> join",
        "|m: [i => [f32; if i < 4 || i > 9 { 2 } else { i }]; 20]| m >> map(map(|x| x - 1)) >> join",
    ] {
        check_all(&kernels(text)?).map_err(|error| format!("{text}\n{error}"))?;
    }
    Ok(())
}
