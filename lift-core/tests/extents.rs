//! How large the indices of a kernel become: from this a launcher chooses between 32 and 64 bits.

use lift_core::compile;
use lift_core::syntax::Input;
use lift_core::types::infer::infer_items;

/// The largest extent of the one kernel of a program, for one size.
fn largest_extent(program: &str, size: i128) -> i128 {
    let parsed = lift_parser::parse_text(program);
    let Some(Input::Items(items)) = parsed.input else { panic!("items were expected") };
    let kernels = infer_items(&items).expect("they have types").kernels;
    let compiled = compile(kernels.first().expect("a kernel")).expect("it compiles");
    let values = compiled.extents.iter().map(|extent| extent.evaluate(&|_| Some(size)).expect("a number"));
    values.max().expect("an extent")
}

#[test]
fn sums_of_whole_arrays_need_no_wider_indices_than_the_array() {
    let sum = "fn sum<const N: usize>(a: [i32; N]) -> i32 { reduce(add, 0, a) }";
    for size in [1, 3, 11_800_000, 1 << 28] {
        assert!(
            largest_extent(sum, size) <= 2 * size + (1 << 20),
            "{} for {size}",
            largest_extent(sum, size)
        );
    }
}

#[test]
fn smallest_elements_of_whole_arrays_need_no_wider_indices_than_the_array() {
    let least = "fn least<const N: usize>(a: [i32; N]) -> i32 { reduce(min, 0, a) }";
    for size in [1, 3, 1 << 28] {
        assert!(
            largest_extent(least, size) <= 3 * size + (1 << 26),
            "{} for {size}",
            largest_extent(least, size)
        );
    }
}
