//! Built-in functions on scalars and, component by component, on [vectors](super::vectors).
//!
//! They are called as functions or as methods, `sqrt(x)` and `x.sqrt()`, and can be passed as functions,
//! `map(sqrt, a)`. The arguments of a call have one type, except the condition of `select`. The result has it
//! too, except that of `dot`. "Floats" are `f16`, `f32` and `f64`; "numbers" are all scalars but `bool`. A
//! literal takes the type that the function takes.
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
//! | `floor(x)` | floats | rounded down |
//! | `ceil(x)` | floats | rounded up |
//! | `round(x)` | floats | rounded to the nearest, ties away from zero |
//! | `trunc(x)` | floats | rounded towards zero |
//! | `fma(x, y, z)` | floats | `x * y + z`, rounded once |
//! | `mad(x, y, z)` | numbers | `x * y + z`, rounded as the device likes |
//! | `clampv(x, lo, hi)` | numbers | `lo` where `x` is smaller, `hi` where it is larger, else `x` |
//! | `sign(x)` | numbers | -1, 0 or 1, as `x` is |
//! | `select(c, x, y)` | numbers | `x` where the condition `c` holds, else `y` |
//! | `dot(x, y)` | numbers | of two [vectors](super::vectors), the sum of the products of their components |
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
//! let quick = lift!(map(|x| native_sqrt(abs(x)), a))?;
//! let largest: f32 = lift!(a >> map(id) >> reduce(max, 0))?;
//!
//! assert_eq!(roots.to_vec(), [0.5, 2.0, 3.0]);
//! assert_eq!(signs.to_vec(), [1.0, 1.0, -1.0]);
//! assert_eq!(limited.to_vec(), [0.25, 1.0, 0.0]);
//! assert_eq!(chosen.to_vec(), [0.5625, 16.5, 1.0]);
//! assert_eq!(largest, 4.0);
//! assert!((quick[2] - 3.0).abs() < 1e-4);
//! # Ok::<(), lift::Error>(())
//! ```
