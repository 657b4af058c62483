//! Vectors: several scalars that are computed together, as OpenCL's `float4` (Steuwer, Remmelg, Dubach, CGO
//! 2017, section 3.2).
//!
//! `f32x4` is a vector of four components; every scalar type has vectors of 2, 4, 8 and 16. In Rust a vector
//! is an array: `[f32x4; N]` is passed as `Vec<[f32; 4]>`, `[[f32; 4]; N]` or `Array1<[f32; 4]>`, and
//! returned as `Array1<[f32; 4]>`; a vector alone is passed and returned as `[f32; 4]`. On a device the
//! components are the last dimension: `enqueue` takes and gives a `DeviceArray<f32, Ix2>` for `[f32x4; N]`.
//!
//! Operators, comparisons, [built-in functions](super::functions), `if`, `select` and casts (`v as i32x4`)
//! work component by component; `if` on vectors of truth values computes both branches. A scalar where a
//! vector is expected stands in every component. This also holds for the initial value of a reduction:
//! `reduce(add, 0)` of vectors starts with a vector of zeros. Vectors that are combined have the same number
//! of components, of the same type.
//!
//! ## `asVector`
//!
//! `asVector(n, xs)`: every `n` scalars as one vector; `n` is 2, 4, 8 or 16, and no data moves.
//! What lies in memory is loaded and stored as vectors; the components of anything else are computed one by
//! one.
//!
//! - *Type*: `size -> [T; n * k] -> [Txn; k]`
//! - *Restrictions*: the elements are scalars; `n` divides the length, which is proved or checked before the
//!   launch.
//!
//! ## `asScalar`
//!
//! `asScalar(xs)`: the components of all vectors, one after the other; no data moves.
//! What a map of vectors writes through it is stored as vectors.
//!
//! - *Type*: `[Txn; k] -> [T; n * k]`
//! - *Restrictions*: the width of the vectors is known.
//!
//! ## `vectorize`
//!
//! `vectorize(n, f, vectors, …)`: `f`, a function on scalars, on every component of vectors of width `n`.
//! A function of several parameters takes as many vectors, or a tuple of them. Arithmetic becomes arithmetic
//! of vectors; anything else, such as a user function, is applied to one component after the other.
//!
//! - *Type*: `size -> (T -> U) -> Txn -> Uxn`
//! - *Restrictions*: the function gives a scalar.
//!
//! ## `mapVec`
//!
//! `mapVec(f, vectors, …)`: `f`, a function on scalars, on every component of vectors of any width.
//!
//! - *Type*: `(T -> U) -> Txn -> Uxn`
//! - *Restrictions*: those of `vectorize`; one of the vectors has a known width.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     fn scaled(v: f32x4, by: f32) -> f32x4 { v * by + 1 }
//!
//!     fn scale<const N: usize>(a: [f32x4; N], by: f32) -> [f32x4; N] {
//!         map(|v| scaled(v, by), a)
//!     }
//!
//!     fn product<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
//!         zip(asVector(4, a), asVector(4, b)) >> map(vectorize(4, mult)) >> reduce(add, 0) >> (|sums| dot(sums, 1))
//!     }
//!
//!     fn positive<const N: usize>(a: [i32; N]) -> [i32; N] {
//!         asVector(2, a) >> map(mapVec(|x| if x > 0 { x } else { 0 })) >> asScalar
//!     }
//! }
//! assert_eq!(scaled([1.0, 2.0, 3.0, 4.0], 2.0), [3.0, 5.0, 7.0, 9.0]);
//! assert_eq!(scale(&[[1.0, 2.0, 3.0, 4.0]], 2.0)?[0], [3.0, 5.0, 7.0, 9.0]);
//! assert_eq!(product(&[1.0, 2.0, 3.0, 4.0], &[1.0, 1.0, 1.0, 2.0])?, 14.0);
//! assert_eq!(positive(&[1, -2, -3, 4])?.to_vec(), [1, 0, 0, 4]);
//! assert!(positive(&vec![1, 2, 3]).is_err());
//! # Ok::<(), lift::Error>(())
//! ```
