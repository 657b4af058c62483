//! Built-in functions on scalars and, component by component, on [vectors](super::vectors).
//!
//! They are called as functions or as methods, `sqrt(x)` and `x.sqrt()`, and can be passed as functions,
//! `map(sqrt, a)`. The arguments of a call have one type, except the condition of `select` and the exponents
//! of `powi`, `ldexp` and `wrappingPow`. The result has it too, except that of `dot`, `toBits` and `fromBits`,
//! and the truth values of `isNan` and `isFinite`. "Floats" are `f16`, `f32` and `f64`; "integers" are `i8` to
//! `u64`; "numbers" are both. A literal takes the type that the function takes.
//!
//! | function | takes | value |
//! | --- | --- | --- |
//! | `min(x, y)` | numbers | the smaller one; of two floats, the other one where one is NaN |
//! | `max(x, y)` | numbers | the larger one; of two floats, the other one where one is NaN |
//! | `abs(x)` | numbers | the absolute value |
//! | `sqrt(x)` | floats | the square root |
//! | `rsqrt(x)` | floats | `1 / sqrt(x)` |
//! | `cbrt(x)` | floats | the cube root |
//! | `exp(x)` | floats | e to the power of `x` |
//! | `exp2(x)` | floats | 2 to the power of `x` |
//! | `log(x)` | floats | the natural logarithm |
//! | `log2(x)` | floats | the logarithm to base 2 |
//! | `log10(x)` | floats | the logarithm to base 10 |
//! | `pow(x, y)` | floats | `x` to the power of `y` |
//! | `sin(x)` | floats | the sine of an angle in radians |
//! | `cos(x)` | floats | the cosine |
//! | `tan(x)` | floats | the tangent |
//! | `asin(x)` | floats | the arc sine |
//! | `acos(x)` | floats | the arc cosine |
//! | `atan(x)` | floats | the arc tangent |
//! | `atan2(y, x)` | floats | the arc tangent of `y / x`, in the right quadrant |
//! | `sinh(x)` | floats | the hyperbolic sine |
//! | `cosh(x)` | floats | the hyperbolic cosine |
//! | `tanh(x)` | floats | the hyperbolic tangent |
//! | `asinh(x)` | floats | the inverse hyperbolic sine |
//! | `acosh(x)` | floats | the inverse hyperbolic cosine |
//! | `atanh(x)` | floats | the inverse hyperbolic tangent |
//! | `log1p(x)` | floats | `log(1 + x)`, also precise for small `x` |
//! | `expm1(x)` | floats | `exp(x) - 1`, also precise for small `x` |
//! | `erf(x)` | floats | the error function |
//! | `erfc(x)` | floats | `1 - erf(x)`, also precise for large `x` |
//! | `lgamma(x)` | floats | the natural logarithm of the absolute value of the gamma function |
//! | `tgamma(x)` | floats | the gamma function |
//! | `hypot(x, y)` | floats | `sqrt(x * x + y * y)`, also where a square would be too large or too small |
//! | `powi(x, k)` | floats | `x` to the power of `k`, an `i32` |
//! | `floor(x)` | floats | rounded down |
//! | `ceil(x)` | floats | rounded up |
//! | `round(x)` | floats | rounded to the nearest, ties away from zero |
//! | `trunc(x)` | floats | rounded towards zero |
//! | `rint(x)` | floats | rounded to the nearest, ties to the even one |
//! | `fmod(x, y)` | floats | `x % y`: the remainder of the quotient rounded towards zero |
//! | `ldexp(x, k)` | floats | `x` times 2 to the power of `k`, an `i32`; it is rounded once |
//! | `copysign(x, y)` | floats | the absolute value of `x` with the sign of `y` |
//! | `isNan(x)` | floats | whether `x` is NaN |
//! | `isFinite(x)` | floats | whether `x` is neither NaN nor infinite |
//! | `fma(x, y, z)` | floats | `x * y + z`, rounded once |
//! | `mad(x, y, z)` | numbers | `x * y + z`, rounded as the device likes |
//! | `clampv(x, lo, hi)` | numbers | `lo` where `x` is smaller, `hi` where it is larger, else `x` |
//! | `sign(x)` | numbers | -1, 0 or 1, as `x` is |
//! | `select(c, x, y)` | numbers | `x` where the condition `c` holds, else `y` |
//! | `dot(x, y)` | numbers | of two [vectors](super::vectors), the sum of the products of their components |
//! | `shl(x, k)` | integers | the bits of `x` moved up by `k` |
//! | `shr(x, k)` | integers | the bits of `x` moved down by `k`; a signed number keeps its sign |
//! | `rotl(x, k)` | integers | the bits of `x` moved up by `k`; those that fall out come in again |
//! | `rotr(x, k)` | integers | the bits of `x` moved down by `k`; those that fall out come in again |
//! | `mulHi(x, y)` | integers | the upper half of the product, which has twice as many bits |
//! | `wrappingPow(x, k)` | integers | `x` to the power of `k`, a `u32`; `pow(x, k)` of an integer is the same |
//! | `popcount(x)` | integers | the number of bits that are set |
//! | `leadingZeros(x)` | integers | the number of zeros above the highest bit that is set; of 0, all bits |
//! | `trailingZeros(x)` | integers | the number of zeros below the lowest bit that is set; of 0, all bits |
//! | `toBits(x)` | `f32`, `f64` | the bits of a float, as a `u32` or a `u64` |
//! | `fromBits(x)` | `u32`, `u64` | the `f32` or the `f64` with these bits |
//! | `native_recip(x)` | `f32` | `1 / x`, quickly |
//! | `native_divide(x, y)` | `f32` | `x / y`, quickly |
//! | `native_sqrt(x)` | `f32` | `sqrt(x)`, quickly |
//! | `native_rsqrt(x)` | `f32` | `rsqrt(x)`, quickly |
//! | `native_exp(x)` | `f32` | `exp(x)`, quickly |
//! | `native_exp2(x)` | `f32` | `exp2(x)`, quickly |
//! | `native_log(x)` | `f32` | `log(x)`, quickly |
//! | `native_log2(x)` | `f32` | `log2(x)`, quickly |
//! | `native_log10(x)` | `f32` | `log10(x)`, quickly |
//! | `native_powr(x, y)` | `f32` | `pow(x, y)` for `x` of 0 or more, quickly |
//! | `native_sin(x)` | `f32` | `sin(x)`, quickly |
//! | `native_cos(x)` | `f32` | `cos(x)`, quickly |
//! | `native_tan(x)` | `f32` | `tan(x)`, quickly |
//!
//! The counts of shifts and rotations are taken modulo the number of bits, on every device and on the host:
//! `shl(x, 32)` of a `u32` is `x`. Rust's operators `<<` and `>>` are there in the bodies of
//! [user functions](super::items). Elsewhere `>>` applies functions.
//!
//! ```text
//! error: `>>` applies a function to a value, and shifts no bits
//!        help: write `shr(x, 16)`
//! ```
//!
//! Values are as precise as OpenCL C asks of a device (OpenCL 1.2, section 7.4). Those of functions that only
//! round, scale or compare are exact. Others differ from the exact value by a few units in the last place, and
//! those of `erf`, `erfc`, `tgamma`, `pow` and `powi` by up to 16. For `lgamma` OpenCL states no bound. A device
//! may take the smallest numbers of `f32`, below about 1.2e-38, for zero. In a
//! [strict](super::items#strict-kernels) kernel none does, and all that is no function of the mathematical
//! library is exact.
//!
//! Floats also have the methods of Rust that have other names here: `ln`, `ln_1p`, `exp_m1`, `powf`,
//! `mul_add`, `round_ties_even`, `is_nan`, `is_finite` and `to_bits`.
//!
//! ```text
//! error: the exponent of `powi` is an `i32`, but this is `f32`
//!        help: `pow(x, y)` takes an exponent that is a float
//! ```
//!
//! Integers also have the methods `wrapping_add`, `wrapping_sub`, `wrapping_mul`, `wrapping_pow`,
//! `wrapping_shl`, `wrapping_shr`, `rotate_left`, `rotate_right`, and `count_ones`, `count_zeros`,
//! `leading_zeros`, `leading_ones`, `trailing_zeros` and `trailing_ones`, with the types that they have in Rust: counts are
//! `u32`. So the body of such a Rust function is also that of a user function.
//!
//! The functions that begin with `native_` mean the same as those without, but are computed by whatever
//! instruction the device has for them (OpenCL C 1.2, section 6.12.2, table 6.9). So the device decides how
//! exact they are. On current GPUs the relative error is at most about 2^-21. `native_sin` and `native_cos`
//! are within about 2^-20 of the value for angles between -π and π, and useless for large ones. Infinities,
//! zeros and the smallest numbers may come out wrong. As ordinary Rust functions they are exact.
//!
//! ```text
//! error: `native_sqrt` takes only `f32`, the type that devices have quick functions for, but this is `f64`
//!        help: write `sqrt(x)`, which takes every float
//! ```
//!
//! Operators have names too, so that they can be passed as functions: `add`, `sub`, `mult` (or `mul`), `div`,
//! `rem`, `neg`, `bitAnd`, `bitOr` and `bitXor`. `id` gives its argument.
//!
//! ```
//! use lift::lift;
//!
//! let a = [0.25f32, 4.0, -9.0];
//! let roots = lift!(map(|x| x.abs().sqrt(), a))?;
//! let signs = lift!(map(sign, a))?;
//! let limited = lift!(map(|x| clampv(x, 0, 1), a))?;
//! let chosen = lift!(map(|x| select(x < 0, 1, fma(x, x, 0.5)), a))?;
//! let whole = lift!(map(|x| if isFinite(x) { rint(x) } else { 0 }, [2.5f32, 0.0 / 0.0]))?;
//! let scaled = lift!(map(|x| ldexp(copysign(1, x), 3) + powi(x, 2), a))?;
//! let near = lift!(map(|x| (erf(x), log1p(x)), [0.0f64, 1e-20]))?;
//! let words = [0x8000_0001u32, 6];
//! let cubes = lift!(map(|x: u32| pow(x, 3), words))?;
//! let mixed = lift!(map(|x| rotl(x, 3) ^ shr(x, 1) & 0xff, words))?;
//! let counted = lift!(map(|x| (popcount(x), leadingZeros(x), trailingZeros(x)), words))?;
//! let fourfold: f32 = lift!(reduce(add, 0, map(|x: f32| fromBits(toBits(x) + shl(2, 23)), a)))?;
//! let quick = lift!(map(|x| native_sqrt(abs(x)), a))?;
//! let largest: f32 = lift!(a >> map(id) >> reduce(max, 0))?;
//!
//! assert_eq!(roots.to_vec(), [0.5, 2.0, 3.0]);
//! assert_eq!(signs.to_vec(), [1.0, 1.0, -1.0]);
//! assert_eq!(limited.to_vec(), [0.25, 1.0, 0.0]);
//! assert_eq!(chosen.to_vec(), [0.5625, 16.5, 1.0]);
//! assert_eq!(whole.to_vec(), [2.0, 0.0]);
//! assert_eq!(scaled.to_vec(), [8.0625, 24.0, 73.0]);
//! assert_eq!(near.to_vec()[1].1, 1e-20);
//! assert_eq!(cubes.to_vec(), [1 | 3 << 31, 216]);
//! assert_eq!(mixed.to_vec(), [0x0000_000c, 0x0000_0033]);
//! assert_eq!(counted.to_vec(), [(2, 0, 0), (2, 29, 1)]);
//! assert_eq!(fourfold, 4.0 * (0.25 + 4.0 - 9.0));
//! assert_eq!(largest, 4.0);
//! assert!((quick[2] - 3.0).abs() < 1e-4);
//! # Ok::<(), lift::Error>(())
//! ```
