//! Parts of arrays: elements outside of a part that work-items compute are not written, on an OpenCL device,
//! against `eval`.

use crate::compare::compare;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Programs that say who computes an array, and then take a part of it.
const PROGRAMS: [&str; 12] = [
    "fn first<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> padConstant(0, (N + 31) / 32 * 32 - N, 7) >> split(32) >> mapWrg0(mapLcl0(|x| x + 1)) >> join >> slice(0, N) }",
    "fn middle<const N: usize>(a: [i32; N + 5]) -> [i32; N + 1] { a >> mapGlb0(|x| x * x) >> slice(3, N + 1) }",
    "fn no_element<const N: usize>(a: [i32; N]) -> [i32; 0] { a >> mapGlb0(|x| x + 2) >> slice(N, 0) }",
    "fn part_of_a_part<const N: usize>(a: [i32; N + 9]) -> [i32; N] {
        a >> mapGlb0(|x| x - 3) >> slice(2, N + 5) >> reverse >> slice(1, N) }",
    "fn rows<const N: usize>(a: [[i32; 5]; N + 3]) -> [[i32; 5]; N + 1] { a >> mapGlb0(mapSeq(|x| x * 2)) >> slice(1, N + 1) }",
    "fn columns<const N: usize>(a: [[i32; 3]; N + 4]) -> [[i32; N + 1]; 3] {
        a >> mapGlb0(mapSeq(|x| x * 2)) >> slice(2, N + 1) >> transpose }",
    "fn two<const N: usize>(a: [i32; N + 2], b: [f32; N + 2]) -> ([i32; N], [f32; N]) {
        zip(a, b) >> mapGlb0(|(x, y)| (x + 1, y * 2)) >> slice(1, N) >> unzip }",
    "fn of_vectors<const N: usize>(a: [f32; 4 * N + 4]) -> [f32; 4 * N + 1] {
        a >> asVector(4) >> mapGlb0(|x| x * 2) >> asScalar >> slice(2, 4 * N + 1) }",
    "fn in_local_memory<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 33]; N] {
        a >> mapWrg0(|row| row >> toLocal(mapLcl0(|x| x + 1)) >> slice(5, 33) >> mapLcl0(|x| x * 3)) }",
    "fn part_in_local_memory<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 33]; N] {
        a >> mapWrg0(|row| { let part = row >> toLocal(mapLcl0(|x| x + 1)) >> slice(5, 33) >> toLocal(mapLcl0(id));
            zip(part, reverse(part)) >> mapLcl0(|(x, y)| x * y) }) }",
    "fn accumulated<const N: usize>(a: [[i32; N + 3]; 6]) -> [i32; N + 1] {
        a >> reduceSeq(|s, row| zip(s, row) >> mapSeq(|(s, x)| 2 * s + x), repeat(N + 3, 1)) >> slice(1, N + 1) }",
    "fn scanned<const N: usize>(a: [[i32; N + 3]; 6]) -> [[i32; N + 1]; 6] {
        a >> mapGlb0(|row| row >> scanSeq(|s, x| 3 * s + x, 0) >> slice(2, N + 1)) }",
];

const SIZES: [usize; 9] = [0, 1, 2, 3, 31, 32, 33, 64, 97];

#[test]
fn what_is_cut_off_is_not_written() -> Result<(), String> {
    let device = random::opencl_device();
    let sizes: Vec<Vec<usize>> = SIZES.iter().map(|size| vec![*size]).collect();
    for text in PROGRAMS {
        for kernel in kernels(text)? {
            compare(&kernel, &sizes, 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}
