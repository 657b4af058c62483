//! Programs of several forms on OpenCL devices: which form computes a call, and what is told about it.

mod common;
#[path = "common/events.rs"]
mod events;

use common::{ADD, generated, opencl};
use events::{listen, told};
use lift_runtime::__private::{Call, Compiled, Condition, DeviceClass, Form, Guard, Kernel, Program, Size};
use lift_runtime::Device;
use lift_runtime::ndarray::Array1;

const REST: Size = Size::Remainder(&Size::Variable(0), &Size::Constant(2));

/// A form that takes more local memory than any device has, one for even lengths, and the plain one. The form
/// for even lengths adds 1000, so that its results can be told from the others.
static SUM: Program = Program {
    name: "sum",
    others: &[
        Form {
            name: "huge",
            kernels: &[Kernel { local_memory: Size::Constant(1 << 40), ..ADD.plain.kernels[0] }],
            ..ADD.plain
        },
        Form {
            name: "even",
            devices: DeviceClass::Any,
            guards: &[Guard { text: "N % 2 == 0", condition: Condition::Equal(&REST, &Size::Constant(0)) }],
            source: "
                kernel void add(global const T0 *restrict a, global const T0 *restrict b,
                                global T0 *restrict out, const index_t N) {
                    for (index_t i = get_global_id(0); i < N; i += get_global_size(0)) {
                        out[i] = a[i] + b[i] + 1000;
                    }
                }",
            ..ADD.plain
        },
    ],
    ..ADD
};

fn call(a: &[f32]) -> Call<'_> {
    Call::new(generated(&SUM, &[])).array(a).array(a)
}

fn run(a: &[f32], device: &Device) -> Vec<f32> {
    call(a).run::<Array1<f32>>(device).expect("a form is possible").to_vec()
}

#[test]
fn a_form_that_is_not_for_the_sizes_or_does_not_fit_the_device_makes_room_for_the_next() {
    listen();
    let device = opencl();
    assert_eq!(run(&[1.0, 2.0], &device), [1002.0, 1004.0]);
    assert_eq!(run(&[1.0, 2.0, 3.0], &device), [2.0, 4.0, 6.0]);
    assert_eq!(run(&[], &device), [0.0; 0]);
}

#[test]
fn the_choice_is_told_with_what_stood_in_the_way_of_other_forms() {
    let device = opencl();
    let (_, lines) = told(|| run(&[1.0, 2.0, 3.0], &device));
    let lines: Vec<String> = lines.into_iter().filter(|line| line.contains("chose a form")).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line = &lines[0];
    assert!(line.starts_with("DEBUG ") && line.contains("form=\"plain\""), "{line}");
    assert!(line.contains("`huge`: ") && line.contains("bytes of local memory"), "{line}");
    assert!(line.contains("`even`: it is for sizes with `N % 2 == 0`"), "{line}");
}

#[test]
fn a_form_that_is_asked_for_is_never_another_one() {
    listen();
    let device = opencl();
    let of_form = |name: &str, a: &[f32]| {
        let result = call(a).form(name).and_then(|call| call.run::<Array1<f32>>(&device));
        result.map(|sums| sums.to_vec()).map_err(|error| error.to_string())
    };
    assert_eq!(of_form("plain", &[1.0, 2.0]), Ok(vec![2.0, 4.0]));
    assert_eq!(of_form("even", &[1.0, 2.0]), Ok(vec![1002.0, 1004.0]));
    let message = "the form `even` of `sum` cannot compute this: it is for sizes with `N % 2 == 0`";
    assert_eq!(of_form("even", &[1.0]), Err(message.to_owned()));
    let error = of_form("huge", &[1.0]).expect_err("it does not fit");
    assert!(error.contains("bytes of local memory"), "{error}");
    let compiled = Compiled::new(generated(&SUM, &[]), &device, &[]).expect("it is built");
    let error = compiled.form("odd").map(drop).expect_err("there is no such form").to_string();
    assert_eq!(error, "`sum` has no form `odd`: its forms are `huge`, `even` and `plain`");
}
