//! Runs a kernel that nobody checked, without `unsafe`.

use lift::__private::host::{Arguments, Mismatch};
use lift::__private::{Call, Generated, Program};

static PROGRAM: Program = Program {
    name: "by_hand",
    source: "kernel void by_hand(global float *out) { out[1000000] = 1; }",
    type_parameters: 0,
    sizes: &[],
    parameters: &[],
    results: &[],
    obligations: &[],
    temporaries: &[],
    extents: &[],
    kernels: &[],
    steps: &[],
    repeated: &[],
};

fn by_hand(_: &Arguments<'_>) -> Result<(), Mismatch> {
    Ok(())
}

fn main() {
    let _ = Call::new(Generated::new(&PROGRAM, &[by_hand]));
}
