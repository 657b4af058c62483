//! Types, and the sizes in them.
//!
//! | type | written | note |
//! | --- | --- | --- |
//! | scalar | `bool`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `f16`, `f32`, `f64` | `f16` is `half::f16` in Rust and needs the feature `f16` of this crate; `f16` and `f64` need a device that has them |
//! | array | `[A; n]` | nested for more dimensions, row by row |
//! | position-dependent array | `[i => A; n]` | the sizes in `A` may mention the position `i`, from 0 to `n - 1` |
//! | tuple | `(A, B)`, `(A, B, C)`, … | also in arrays: `[(A, B); n]`; Rust tuples at the boundary of a kernel, whatever the layout on the device |
//!
//! Types are inferred; they are written only at the parameters and results of functions. If the use of a Rust
//! variable leaves its element type open, the type is that of the variable.
//!
//! ## Sizes
//!
//! A **size** is a natural number that is known before a kernel starts:
//!
//! - a literal, a `const` generic, a parameter `m: size`, a [constant](super::items#constants) `const M: usize = 3;`,
//! - in an inline expression a `usize` variable of Rust,
//! - `len(xs)`, the length of an array, and [`tune(name, [4, 8])`](super::opencl#tune),
//! - `+ - * / %`, `min(a, b)`, `max(a, b)`, `pow(a, b)`, `log2(a)` of sizes; `/` rounds down,
//! - `sum(n, |k| …)`, the sum of a size for every `k` below `n`,
//! - `if c { a } else { b }`, where `c` compares sizes.
//!
//! Two types are equal if their sizes are equal for all values of their variables: `[f32; 2 * N + N]` is
//! `[f32; 3 * N]`. A size may be used as an integer in a computation, and so may these functions of sizes; a
//! cast makes it a float.
//!
//! Sizes, and all numbers that indices are computed from, are below 2^63. A call that would need larger ones
//! is an error, and nothing is launched.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// Sums of chunks of `m`, divided by `m`.
//!     fn means<const N: usize>(m: size, a: [f32; N]) -> [f32; N / m] {
//!         a >> split(m) >> map(|chunk| reduce(add, 0, chunk) / (m as f32))
//!     }
//!
//!     /// Sums of pairs: `N` is found from the length of the array.
//!     fn pairs<const N: usize>(a: [f32; 2 * N]) -> [f32; N] {
//!         a >> split(2) >> map(reduce(add, 0))
//!     }
//! }
//! assert_eq!(means(2, &[1.0, 3.0, 5.0, 7.0])?.to_vec(), [2.0, 6.0]);
//! assert_eq!(pairs(&[1.0, 3.0, 5.0, 7.0])?.to_vec(), [4.0, 12.0]);
//! assert!(pairs(&vec![1.0; 3]).is_err());
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Position-dependent arrays
//!
//! The rows of `[i => [f32; i + 1]; N]` have the lengths 1, 2, …, `N`: a triangle, stored row by row without
//! holes. Binary trees are `[i => [f32; pow(2, i)]; n]`, and rows may depend on several positions:
//! `[i => [j => [f32; i + j]; 2]; N]`. All primitives take them where that has a meaning. Inside a `map`, a
//! row is an array of its length, `len(row)`. Rows of different lengths are joined by `join` and made by
//! [`partition`](super::layout#partition), [`chunks`](super::layout#chunks) and
//! [`deinterleave`](super::layout#deinterleave). `pad`, `concat`, `scan`, `iterate` and an `at` whose position is
//! computed from data take only arrays whose elements have one type. Elements of joined rows that are
//! computed where they are read, and not stored, are read in order or, for chunks and for up to 8 rows, in any
//! order.
//!
//! At the boundary of a kernel such an array is one packed array of all its elements; sizes are found from
//! its length.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// The product of a triangular matrix with a vector.
//!     fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
//!         m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0))
//!     }
//!
//!     /// The same rows, twice as large.
//!     fn twice<const N: usize>(m: [i => [f32; i + 1]; N]) -> [i => [f32; i + 1]; N] {
//!         m >> map(map(|x| x * 2))
//!     }
//! }
//! assert_eq!(trmv(&[1.0, 2.0, 3.0], &[1.0, 10.0])?.to_vec(), [1.0, 2.0 + 30.0]);
//! assert_eq!(twice(&[1.0, 2.0, 3.0])?.to_vec(), [2.0, 4.0, 6.0]);
//! assert!(twice(&[1.0, 2.0]).is_err()); // no triangle has two elements
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Constraints
//!
//! Some primitives need more than equal sizes: `split(m)` needs `m` to divide the length. Such a need is
//!
//! - *proved* when it holds for all values of the variables: nothing remains of it,
//! - *refuted* when it holds for none: an error of the build,
//! - otherwise an *obligation*, which is checked before a kernel is launched:
//!   [`Error::Obligation`](crate::Error::Obligation) names the constraint and the actual sizes. The
//!   obligations of a function are listed in its generated documentation.
//!
//! ```
//! use lift::lift;
//!
//! let (a, n) = (vec![1.0f32; 8], 3usize);
//! let error = lift!(a >> split(n) >> map(reduce(add, 0))).expect_err("3 does not divide 8");
//! assert!(matches!(error, lift::Error::Obligation { .. }), "{error}");
//! # Ok::<(), lift::Error>(())
//! ```
