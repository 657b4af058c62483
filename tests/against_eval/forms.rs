//! Every form of a program computes what the reference evaluator says, at sizes around those that tiles have.

use crate::compare::compare;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Programs, with the names of their forms.
const PROGRAMS: [(&str, &[&str]); 9] = [
    ("fn sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }", SCANS),
    ("fn before<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scan(add, 3) >> map(|x| x + x) }", SCANS),
    ("fn largest<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| 0 - x) >> scan(max, 0) }", SCANS),
    ("#[assoc] fn last(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }
      fn filled<const N: usize>(a: [i32; N]) -> ([i32; N], [i32; N]) { (a >> scan(last, 0), a >> scanInclusive(last)) }", SCANS),
    ("fn shares<const N: usize>(a: [i32; N]) -> [i32; N] { let s = reduce(add, 1, a); a >> scan(add, 0) >> map(|x| x + s) }", SCANS),
    ("fn total<const N: usize>(a: [i32; N]) -> i32 { a >> reduce(add, 7) }", PLAIN),
    ("fn least<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(min, 1000) }", PLAIN),
    ("fn in_order<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scan(|before, x| x - before, 1) }", PLAIN),
    ("fn chosen<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanSeq(add, 0) }", PLAIN),
];

const SCANS: &[&str] = &["scansInOrder", "plain"];
const PLAIN: &[&str] = &["plain"];

/// The lengths that few elements have, those around 16 tiles of 256, and a prime number.
const SIZES: [usize; 8] = [0, 1, 2, 3, 4095, 4096, 4097, 4099];

/// What sums in another order may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

#[test]
fn all_forms_compute_the_same() -> Result<(), String> {
    let device = random::opencl_device();
    let sizes = SIZES.map(|size| vec![size]);
    for (text, forms) in PROGRAMS {
        for kernel in kernels(text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let found: Vec<&str> = compiled.forms().map(|form| &*form.name).collect();
            assert_eq!(found, forms, "{text}");
            assert_eq!(compiled.refused, []);
            compare(&kernel, &sizes, TOLERANCE, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}
