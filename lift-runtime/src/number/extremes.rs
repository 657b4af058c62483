//! Minima and maxima of floats: of two numbers the smaller or larger one, the other one where one is NaN, and of 0.0 and -0.0 either.
//!
//! `f32::max` means the same, but is compiled wrongly in some loops, and is not used. rustc 1.95 makes `llvm.maxnum` of it. LLVM's loop
//! vectoriser turns a reduction of that into a vector loop that ends early where it meets NaN and goes on in the scalar loop
//! (llvm-project#148239, LLVM 21). Where it also folds the steps that fill no vector into the last one by masking, that loop makes it take
//! the plan for one that leaves them to the scalar loop (`materializeConstantVectorTripCount`), and a constant number of steps is rounded
//! down: the last `n % W` steps of vectors of `W` are never done. llvm-project#209502 corrects it in LLVM 23. So a loop is wrong if
//!
//! - it reduces with `min` or `max` of `f32` or `f64`, whatever the other operand is,
//! - its number of steps is a constant below 16 (others are folded only for code that is to be small), that the vectors do not divide, and
//! - the processor can load under a mask: AVX2, AVX-512.
//!
//! Tried here: rustc 1.95.0 (LLVM 22.1.2) at `opt-level` 2 and 3, with and without the SLP vectoriser: wrong; with `-C no-vectorize-loops` or
//! at `opt-level` 1: right; at `opt-level` `s` and `z`: right for the loops tried. A nightly 1.97.0 (LLVM 22.1.4) is right, for it makes
//! `llvm.maximumnum` of `f32::max` (rust#153343), which needs no end at NaN. Reductions of 1 to 37 steps by minima and maxima of integers,
//! sums, products, differences, selections, and by a comparison as below were all right.
//!
//! A comparison and a selection are no reduction for the vectoriser as long as NaN and the sign of zero matter, as they do without flags for
//! fast mathematics. It vectorises the loop over lanes around it instead, as it does with sums, with as many instructions as `llvm.maxnum`
//! has: two comparisons of which one does not wait for the step before, and a selection. A loop along a row has lanes because the compiler
//! prints them (`host::extremes` of `lift-core`): an accumulator for each, which is a number, so that `larger` and `smaller` are enough, one
//! instruction each. On 512 rows of 2048 that is faster than what LLVM makes of `f32::max`, and seven times as fast as without lanes.

/// Whether it is not NaN.
#[inline(always)]
#[allow(clippy::eq_op, reason = "NaN does not equal itself")]
pub fn is_number<T: PartialEq + Copy>(x: T) -> bool {
    x == x
}

/// The smaller one, `y` where `x` is NaN; `y` is not NaN.
#[inline(always)]
pub fn smaller<T: PartialOrd + Copy>(x: T, y: T) -> T {
    if x < y { x } else { y }
}

/// The larger one, `y` where `x` is NaN; `y` is not NaN.
#[inline(always)]
pub fn larger<T: PartialOrd + Copy>(x: T, y: T) -> T {
    if x > y { x } else { y }
}

macro_rules! extremes {
    ($($name:ident: $float:ty),*) => {$(
        pub(super) mod $name {
            /// The smaller one; the other one where one is NaN.
            #[inline(always)]
            pub(crate) fn min(x: $float, y: $float) -> $float {
                let smaller = if x < y { x } else { y };
                if y.is_nan() { x } else { smaller }
            }

            /// The larger one; the other one where one is NaN.
            #[inline(always)]
            pub(crate) fn max(x: $float, y: $float) -> $float {
                let larger = if x > y { x } else { y };
                if y.is_nan() { x } else { larger }
            }
        }
    )*};
}

extremes!(single: f32, double: f64);

#[cfg(all(test, feature = "host"))]
mod tests;
