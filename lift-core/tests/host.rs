//! Kernels as the host executes them: a program and its Rust functions, side by side, reviewed like code.
//!
//! `INSTA_UPDATE=always cargo test -p lift-core --test host` writes the snapshots anew; read the difference.

use lift_core::compile_with;
use lift_core::front::infer::infer_items;
use lift_core::front::syntax::Input;
use lift_core::options::{Host, Options};

/// The Rust functions of an item, behind its text; none where they are not wanted.
fn functions(text: &str, host: Host) -> Option<String> {
    let parsed = lift_parser::parse_text(text);
    let Some(Input::Items(items)) = &parsed.input else { panic!("{:?}", parsed.errors) };
    let programs = infer_items(items).expect("they have types").kernels;
    let [program] = programs.as_slice() else { panic!("one kernel") };
    let compiled = compile_with(program, &Options { host, ..Options::default() }).expect("it compiles");
    compiled.host.map(|host| format!("{}\n----\n{}", text.trim(), host.text))
}

macro_rules! golden {
    ($($(#[$documentation:meta])* $name:ident: $text:literal;)*) => {$(
        $(#[$documentation])*
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), functions($text, Host::Printed).expect("functions"));
        }
    )*};
}

golden! {
    /// Four rows of the result at once load a strip of a row of `b` once.
    rows_share_what_they_load: "fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        map(|row| map(|col| zip(row, col) >> map(mult) >> reduce(add, 0), transpose(b)), a) }";
    /// Strips clamp no column, positions at the borders are done one by one.
    strips_leave_borders_out: "fn five<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| 0.2 * (at(1, at(0, n)) + at(0, at(1, n)) + at(1, at(1, n)) + at(2, at(1, n)) + at(1, at(2, n)))) }";
    /// What five steps read is checked before them, once; at borders it is copied. Narrow strips may lie
    /// anywhere.
    steps_slide_along_windows: "fn blur<const N: usize>(a: [f32; N], weights: [f32; 5]) -> [f32; N] {
        a >> pad(2, 2, clamp) >> slide(5, 1) >> map(|n| zip(n, weights) >> map(mult) >> reduce(add, 0)) }";
    /// Rows of three elements are one row of all.
    packed_rows_are_one: "fn scaled<const N: usize>(a: [[f32; 3]; N], b: [[f32; 3]; N]) -> [[f32; 3]; N] {
        zip(a, b) >> map(|(a, b)| zip(a, b) >> map(|(a, b)| 3.0 * a + b)) }";
    /// Lanes have rows of different lengths: what all have first, then the rest of each.
    lanes_of_different_lengths: "fn sums<const N: usize>(a: [i => [f32; i + 1]; N]) -> [f32; N] { a >> map(reduceSeq(add, 0)) }";
    /// Maxima of a row are taken in lanes along it; each row is one of eight lanes for the sum, whose order
    /// is the program's.
    extremes_have_lanes_along_rows: "fn spread<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| { let m = row >> reduce(max, 0); row >> map(|x| exp(x - m)) >> reduceSeq(add, 0) }) }";
    /// A `reduce` has no order: its sum has lanes along the row, and what fills no strip is added one by one.
    sums_have_lanes_along_rows: "fn mv<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| dotProduct(row, x)) }";
    /// A strict sum has no lanes along the row, and the lanes of neighbouring rows instead.
    strict_sums_of_rows: "#[strict] fn mv<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [(f32, f32); N] {
        a >> map(|row| (dotProduct(row, x), reduce(max, 0, row))) }";
    /// Where threads and strips share the rows, all rows are added in one order: a sum along columns has the
    /// lanes of the rows.
    sums_along_columns: "fn columns<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(reduce(add, 0)) }";
    /// Where only data says how long a row is, its elements are sliced before the loop.
    rows_that_data_delimits: "fn spmv<const N: usize, const M: usize, const K: usize>(e: [u32; N + 1], c: [u32; K], v: [f32; K], x: [f32; M]) -> [f32; N] {
        zip(c, v) >> map(|c, v| v * at(c, x)) >> reduceSegments(add, 0, e) }";
    /// Several accumulators at once, in narrow strips of a row of known length.
    extremes_of_short_rows: "fn range<const N: usize>(a: [[f32; 40]; N]) -> [f32; N] {
        a >> map(|row| reduce(|(l, h), x| (min(l, x), max(h, x)), (9, -9), row) >> |l, h| h - l) }";
    /// A tile is an array of the thread, refilled by each group.
    tiles_belong_to_threads: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] where N % 512 == 0 {
        a >> pad(1, 1, clamp) >> slide(514, 512) >> mapWrg0(|tile| tile >> toLocal(mapLcl0(id)) >> slide(3, 1) >> mapLcl0(|n| n >> reduceSeq(add, 0) >> toGlobal(id))) >> join }";
    /// A private array that is made before threads share a loop: each has a copy.
    threads_copy_private_arrays: "fn powers<const N: usize>(a: [f32; 4], b: [f32; N]) -> [f32; N] {
        let t = a >> toPrivate(mapSeq(|x| x * x)); b >> mapGlb0(|y| y + reduceSeq(add, 0, t)) }";
}

#[test]
fn functions_are_printed_only_where_they_are_wanted() {
    let plain = "fn twice<const N: usize>(a: [f32; N]) -> [f32; N] { map(|x| 2 * x, a) }";
    assert!(functions(plain, Host::Printed).is_some());
    assert_eq!(functions(plain, Host::Omitted), None);
    assert_eq!(functions(&format!("#[opencl] {plain}"), Host::Printed), None);
}
