//! Runs a kernel that nobody checked, without `unsafe`.

use lift::__private::host::{Arguments, Mismatch};
use lift::__private::{Call, Form, Generated, NO_KERNELS, Program, ROUNDED_FREELY};

static PROGRAM: Program = Program {
    name: "by_hand",
    type_parameters: 0,
    sizes: &[],
    parameters: &[],
    results: &[],
    obligations: &[],
    plain: Form { source: "kernel void by_hand(global float *out) { out[1000000] = 1; }", ..NO_KERNELS },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

fn by_hand(_: &Arguments<'_>) -> Result<(), Mismatch> {
    Ok(())
}

fn main() {
    let _ = Call::new(Generated::new(&PROGRAM, &[by_hand]));
}
