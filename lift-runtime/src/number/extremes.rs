//! Minima and maxima of floats. If one of two numbers is NaN, the result is the other one; of 0.0 and -0.0 it
//! is either.
//!
//! `f32::max` means the same, but is compiled wrongly in some loops, and is not used. rustc 1.95 turns it
//! into `llvm.maxnum`. LLVM's loop vectoriser turns a reduction with that into a vector loop that ends early
//! when it meets NaN and goes on in the scalar loop (llvm-project#148239, LLVM 21). The vectoriser may also
//! fold the iterations that fill no vector into the last vector iteration, by masking. Then it mistakes the
//! plan for one that leaves these iterations to the scalar loop (`materializeConstantVectorTripCount`), and
//! rounds a constant number of iterations down: with vectors of `W`, the last `n % W` iterations are never
//! done. llvm-project#209502 corrects it in LLVM 23. So a loop is wrong if
//!
//! - it reduces with `min` or `max` of `f32` or `f64`, whatever the other operand is,
//! - its number of iterations is a constant below 16 (others are folded only for code that is to be small)
//!   and no multiple of the vector length, and
//! - the processor can load under a mask: AVX2, AVX-512.
//!
//! Tried here: rustc 1.95.0 (LLVM 22.1.2) at `opt-level` 2 and 3, with and without the SLP vectoriser: wrong;
//! with `-C no-vectorize-loops` or at `opt-level` 1: right; at `opt-level` `s` and `z`: right for the loops
//! tried. A nightly 1.97.0 (LLVM 22.1.4) is right, because it turns `f32::max` into `llvm.maximumnum`
//! (rust#153343), which needs no early end at NaN. Reductions of 1 to 37 iterations by minima and maxima of
//! integers, sums, products, differences, selections, and by a comparison as below were all right.
//!
//! For the vectoriser, a comparison and a selection are no reduction as long as NaN and the sign of zero
//! matter, which they do without fast-math flags. It vectorises the loop over lanes around it instead, as it
//! does with sums. That takes as many instructions as `llvm.maxnum`: two comparisons, one of which does not
//! wait for the iteration before, and a selection. A loop along a row has lanes because the compiler prints
//! them (`host::extremes` of `lift-core`). Each lane has an accumulator that is not NaN, so that `larger` and
//! `smaller` are enough, one instruction each. On 512 rows of 2048 that is faster than what LLVM makes of
//! `f32::max`, and seven times as fast as without lanes.

/// Whether it is not NaN.
#[inline(always)]
#[allow(clippy::eq_op, reason = "NaN does not equal itself")]
pub fn is_number<T: PartialEq + Copy>(x: T) -> bool {
    x == x
}

/// The smaller one; `y` if `x` is NaN. `y` must not be NaN.
#[inline(always)]
pub fn smaller<T: PartialOrd + Copy>(x: T, y: T) -> T {
    if x < y { x } else { y }
}

/// The larger one; `y` if `x` is NaN. `y` must not be NaN.
#[inline(always)]
pub fn larger<T: PartialOrd + Copy>(x: T, y: T) -> T {
    if x > y { x } else { y }
}

macro_rules! extremes {
    ($($name:ident: $float:ty),*) => {$(
        pub(super) mod $name {
            /// The smaller one; the other one if one is NaN.
            #[inline(always)]
            pub(crate) fn min(x: $float, y: $float) -> $float {
                let smaller = if x < y { x } else { y };
                if y.is_nan() { x } else { smaller }
            }

            /// The larger one; the other one if one is NaN.
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
