//! A step of a tuple accumulator says all components in terms of the old ones: on an OpenCL device, against
//! `eval`. On the host they are checked by `tests/on-host`.

use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::random::{self, Target};
use crate::steps;

#[test]
fn components_of_accumulators_change_at_once() -> Result<(), String> {
    let device = random::opencl_device();
    let mut wrong = Vec::new();
    for text in lift_corpus::steps::texts() {
        let compared = kernels(&text).and_then(|kernels| {
            kernels.iter().try_for_each(|kernel| {
                let sizes = steps::sizes(kernel);
                compare_with(kernel, &sizes, &steps::arguments, &|_| 0.0, Target::opencl(&device))
            })
        });
        wrong.extend(compared.err().map(|error| format!("{text}\n{error}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} programs\n{}", wrong.len(), wrong.join("\n\n"))) }
}
