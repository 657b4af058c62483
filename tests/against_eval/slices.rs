//! Parts and other views of arrays that work-items compute, on an OpenCL device, against `eval`: elements
//! outside of a part are not written, and what has to be stored first is copied by all work-items.

use crate::compare::compare;
use crate::kernels::kernels;
use crate::random::{self, Target};

/// Programs that say who computes an array, and then take a part of it.
const PROGRAMS: [&str; 16] = [
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
    "fn sliding<const N: usize>(a: [[i32; N + 7]; 6]) -> [[i32; N + 2]; 6] {
        a >> mapGlb0(|row| row >> mapSeqSlide(|w| 2 * at(0, w) - at(2, w), 3, 1) >> slice(1, N + 2)) }",
    "fn sliding_pairs<const N: usize>(a: [[i32; N + 7]; 6]) -> [[(i32, i32); N + 2]; 6] {
        a >> mapGlb0(|row| row >> mapSeqSlide(|w| (at(0, w), at(1, w) * at(2, w)), 3, 1) >> slice(3, N + 2)) }",
    "fn sliding_in_local_memory<const N: usize>(a: [[[i32; 9]; 8]; N]) -> [[[i32; 5]; 8]; N] {
        a >> mapWrg0(|rows| { let part = rows >> toLocal(mapLcl0(|row| row >> mapSeqSlide(reduceSeq(add, 1), 3, 1))) >> map(slice(1, 5));
            zip(part, reverse(part)) >> mapLcl0(|(x, y)| zip(x, y) >> mapSeq(|(x, y)| x * 2 - y)) }) }",
    "fn sliding_in_registers<const N: usize>(a: [[i32; 9]; N]) -> [[i32; 5]; N] {
        a >> mapGlb0(|row| { let part = row >> mapSeqSlide(reduceSeq(max, 0), 3, 1) >> slice(1, 5) >> toPrivate(mapSeq(id));
            zip(part, reverse(part)) >> mapSeq(|(x, y)| x * 2 - y) }) }",
];

const SIZES: [usize; 9] = [0, 1, 2, 3, 31, 32, 33, 64, 97];

/// Programs whose results are views of arrays that have to be stored first, or have parts without workers.
const COPIED: [&str; 19] = [
    "fn part_of_scans<const N: usize>(a: [[i32; 4]; N + 3]) -> [[i32; 4]; N] { a >> mapGlb0(scanSeq(add, 0)) >> slice(2, N) }",
    "fn part_of_columns<const N: usize>(a: [[i32; N]; 5]) -> [[i32; 5]; N / 2] {
        a >> mapGlb0(scanSeq(add, 0)) >> transpose >> slice(0, N / 2) }",
    "fn part_of_repeated<const N: usize>(a: [[i32; 4]; N + 3]) -> [[i32; 4]; N] {
        a >> mapGlb0(|row| iterate(3, |x| map(|y| y * 2, x), row)) >> slice(1, N) }",
    "fn with_borders<const N: usize>(a: [[i32; 4]; N + 1]) -> [[i32; 4]; N + 4] { a >> mapGlb0(scanSeq(add, 0)) >> pad(1, 2, clamp) }",
    "fn with_numbers<const N: usize>(a: [i32; N]) -> [i32; N + 3] { a >> mapGlb0(|x| x * 2) >> padConstant(1, 2, 7) }",
    "fn of_groups_with_numbers<const N: usize>(a: [i32; 8 * N]) -> [i32; 8 * N + 3] {
        a >> split(8) >> mapWrg0(mapLcl0(|x| x * 2)) >> join >> padConstant(1, 2, 7) }",
    "fn with_rows<const N: usize>(a: [[i32; 3]; N]) -> [[i32; 3]; N + 3] {
        a >> mapGlb0(scanSeq(add, 0)) >> padConstant(1, 2, repeat(3, 7)) }",
    "fn windows<const N: usize>(a: [i32; N + 3]) -> [[i32; 3]; N + 1] { a >> mapGlb0(|x| x * 2) >> slide(3, 1) }",
    "fn twice<const N: usize>(a: [i32; N]) -> [i32; 2 * N] { a >> mapGlb0(|x| x * 2) >> pad(0, N, wrap) }",
    "fn both<const N: usize>(a: [i32; N], b: [i32; 2 * N]) -> [i32; 3 * N] { concat(a >> mapGlb0(|x| x * 2), b) }",
    "fn rows_of_both<const N: usize>(a: [[i32; 4]; N], b: [[i32; 4]; N]) -> [[i32; 4]; 2 * N] {
        concat(a >> mapGlb0(mapSeq(|x| x * 2)), b) }",
    "fn of_groups_and_others<const N: usize>(a: [i32; 8 * N], b: [i32; N]) -> [i32; 9 * N] {
        concat(a >> split(8) >> mapWrg0(mapLcl0(|x| x * 2)) >> join, b) }",
    "fn pairs<const N: usize>(a: [[i32; 4]; N], b: [[i32; 4]; N]) -> ([[i32; 4]; N], [[i32; 4]; N]) {
        zip(a >> mapGlb0(mapSeq(|x| x * 2)), b) >> unzip }",
    "fn pairs_of_groups<const N: usize>(a: [i32; 8 * N], b: [i32; 8 * N]) -> [(i32, i32); 8 * N] {
        zip(a >> split(8) >> mapWrg0(mapLcl0(|x| x * 2)) >> join, b) }",
    "fn rows_and_numbers<const N: usize>(a: [[i32; 4]; N], b: [i32; N]) -> ([[i32; 4]; N], [i32; N]) {
        zip(a >> mapGlb1(mapGlb0(|x| x * 2)), b) >> unzip }",
    "fn other_dimensions<const N: usize>(a: [[i32; 4]; N], b: [[i32; 4]; N]) -> [[i32; 4]; 2 * N] {
        concat(a >> mapGlb0(mapGlb1(|x| x * 2)), b) }",
    "fn two_results<const N: usize>(a: [[i32; 4]; N], b: [[i32; 4]; N]) -> ([[i32; 4]; N], [[i32; 4]; N]) {
        (a >> mapGlb0(mapGlb1(|x| x * 2)), b) }",
    "#[launch(local = 64)]
      fn stated_launch<const N: usize>(a: [[i32; 4]; N]) -> ([[i32; 4]; N], [[i32; 4]; N], [[i32; 4]; N]) {
        (a, a >> mapGlb0(mapSeq(|x| x * 2)), reverse(a)) }",
    "#[launch(any)]
      fn any_launch<const N: usize>(a: [i32; N]) -> [i32; 2 * N + 3] {
        concat(a >> mapGlb0(|x| x * 2) >> reverse, a) >> padConstant(1, 2, 7) }",
];

/// Programs whose groups store arrays and then write views of them, or parts that have no workers.
const COPIED_IN_GROUPS: [&str; 25] = [
    "fn parts<const N: usize>(a: [[i32; N]; 5], q: [i32; N + 2]) -> [[i32; 2 * N + 2]; 5] {
        a >> mapWrg0(|r| concat(r >> mapLcl0(|x| x + 1), q)) }",
    "fn three_parts<const N: usize>(a: [[i32; 40]; N], b: [[i32; 3]; N], q: [i32; N]) -> [[i32; N + 43]; N] {
        zip(a, b) >> mapWrg0(|(r, s)| concat(q >> map(|x| x * x), r >> mapLcl0(|x| x + 1), reverse(s))) }",
    "fn border<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 43]; N] {
        a >> mapWrg0(|r| r >> mapLcl0(|x| x + 1) >> padConstant(1, 2, 7)) }",
    "fn windows<const N: usize>(a: [[i32; 40]; N]) -> [[[i32; 3]; 38]; N] { a >> mapWrg0(|r| r >> mapLcl0(|x| x + 1) >> slide(3, 1)) }",
    "fn reversed<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 40]; N] { a >> mapWrg0(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> reverse) }",
    "fn as_it_is<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 40]; N] { a >> mapWrg0(|r| r >> toLocal(mapLcl0(|x| x + 1))) }",
    "fn part<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 33]; N] { a >> mapWrg0(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> slice(5, 33)) }",
    "fn of_two_dimensions<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 8]; 5]; N] {
        a >> mapWrg0(|t| t >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> map(reverse)) }",
    "fn flat<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[i32; 41]; N] {
        a >> mapWrg0(|t| t >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> join >> padConstant(0, 1, 7)) }",
    "fn turned<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 5]; 8]; N] {
        a >> mapWrg0(|t| t >> toLocal(mapLcl0(mapSeq(|x| x + 1))) >> transpose >> reverse) }",
    "fn rows_of_a_group<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 10]; 5]; N] {
        a >> mapWrg0(mapLcl1(|r| r >> mapLcl0(|x| x + 1) >> padConstant(1, 1, 7))) }",
    "fn named<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 40]; N] { a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); reverse(t) }) }",
    "fn named_twice<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 80]; N] {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); concat(t, reverse(t)) }) }",
    "fn two_results<const N: usize>(a: [[i32; 40]; N]) -> ([[i32; 40]; N], [[i32; 30]; N]) {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); (t >> reverse, t >> slice(0, 30)) }) >> unzip }",
    "fn products<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 40]; N] {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); zip(t, reverse(t)) >> map(|(x, y)| x * y) }) }",
    "fn sums<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 5]; N] {
        a >> mapWrg0(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> split(8) >> map(reduce(add, 0))) }",
    "fn wrapped<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 10]; 7]; N] {
        a >> mapWrg0(|r| r >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> pad2(1, 1, wrap)) }",
    "fn framed<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 10]; 7]; N] {
        a >> mapWrg0(|r| r >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> padConstant2(1, 1, 7)) }",
    "fn windows_in_two_dimensions<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[[[i32; 2]; 2]; 7]; 4]; N] {
        a >> mapWrg0(|r| r >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> slide2(2, 1)) }",
    "fn part_in_two_dimensions<const N: usize>(a: [[[i32; 8]; 5]; N]) -> [[[i32; 4]; 3]; N] {
        a >> mapWrg0(|r| r >> toLocal(mapLcl1(mapLcl0(|x| x + 1))) >> slice(1, 3) >> map(slice(1, 4))) }",
    "fn parts_of_rows<const N: usize>(a: [[i32; N]; 5], q: [i32; N]) -> [[i32; 2 * N]; 5] { a >> mapGlb1(|r| concat(r >> mapGlb0(|x| x + 1), q)) }",
    "fn rows_of_two_results<const N: usize>(a: [[i32; N]; 5]) -> ([[i32; N]; 5], [[i32; N]; 5]) {
        a >> mapGlb1(|r| (r >> mapGlb0(|x| x + 1), reverse(r))) >> unzip }",
    "fn of_an_item<const N: usize>(a: [[i32; 8]; N]) -> [[i32; 8]; N] {
        a >> mapGlb0(|r| { let t = r >> toPrivate(mapSeq(|x| x + 1)); reverse(t) }) }",
    "fn again<const N: usize>(a: [[i32; 8]; N]) -> [[i32; 9]; N] {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); let u = zip(t, reverse(t)) >> toLocal(mapLcl0(|(x, y)| x * y));
            concat(u, [t >> reduceSeq(add, 0)]) }) }",
    "fn of_rows<const N: usize>(a: [[i32; N + 2]; 5]) -> [[i32; N]; 5] { a >> mapGlb1(mapGlb0(|x| x + 1)) >> map(|r| r >> slice(1, N)) }",
];

/// Programs whose work-items have arrays of their own, which nobody else can write for them.
const OWN: [&str; 5] = [
    "fn private<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 44]; N] {
        a >> mapWrg0(|r| { let p = r >> slice(0, 4) >> toPrivate(mapSeq(|x| x * 3)); concat(r >> mapLcl0(|x| x + 1), reverse(p)) }) }",
    "fn scanned_alone<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 44]; N] {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); let p = t >> slice(0, 4) >> scanSeq(add, 0); concat(t, reverse(p)) }) }",
    "fn literal<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 2]; N] {
        a >> mapWrg0(|r| { let t = r >> toLocal(mapLcl0(|x| x + 1)); [at(0, t), at(39, t)] >> map(|x| x * 2) }) }",
    "fn literal_beside<const N: usize>(a: [[i32; 40]; N], k: i32) -> [[i32; 43]; N] {
        a >> mapWrg0(|r| concat(r >> mapLcl0(|x| x + 1), [k, 2 * k, 3] >> reverse)) }",
    "fn iterated<const N: usize>(a: [[i32; 40]; N]) -> [[i32; 44]; N] {
        a >> mapWrg0(|r| { let p = iterate(3, |t| t >> map(|x| x * 3), slice(0, 4, r)); concat(r >> mapLcl0(|x| x + 1), reverse(p)) }) }",
];

/// A size, and more work-items for each element than anything here takes.
const LARGE: i128 = 1000;
const FEW: i128 = 20;

#[test]
fn all_work_items_copy_what_is_stored() -> Result<(), String> {
    for text in COPIED {
        for kernel in kernels(text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            for kernel in compiled.forms().flat_map(|form| &form.kernels) {
                let items = kernel.global.iter().map(|items| items.evaluate(&|_| Some(LARGE)));
                let items = items.product::<Option<i128>>();
                assert!(items.is_some_and(|items| (2..FEW * LARGE).contains(&items)), "{text}\n{items:?}");
            }
        }
    }
    compute_the_same(&COPIED)
}

/// Work-items copy that differ in dimension 0: kernels that choose one of them ask for its local number.
#[test]
fn all_work_items_of_a_group_copy_what_they_have_stored() -> Result<(), String> {
    for text in COPIED_IN_GROUPS {
        for kernel in kernels(text)? {
            let compiled = lift_core::compile(&kernel).map_err(|errors| format!("{text}\n{errors:?}"))?;
            let source = &compiled.plain.source;
            assert!(!source.contains("get_local_id(0) == 0"), "{text}\n{source}");
        }
    }
    compute_the_same(&COPIED_IN_GROUPS)
}

#[test]
fn work_items_write_what_they_have_alone() -> Result<(), String> {
    compute_the_same(&OWN)
}

#[test]
fn what_is_cut_off_is_not_written() -> Result<(), String> {
    compute_the_same(&PROGRAMS)
}

/// Compares programs with `eval` at all sizes.
fn compute_the_same(programs: &[&str]) -> Result<(), String> {
    let device = random::opencl_device();
    let sizes: Vec<Vec<usize>> = SIZES.iter().map(|size| vec![*size]).collect();
    for text in programs {
        for kernel in kernels(text)? {
            compare(&kernel, &sizes, 0.0, Target::opencl(&device))
                .map_err(|error| format!("{text}\n{error}"))?;
        }
    }
    Ok(())
}
