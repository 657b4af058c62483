//! Primitives that make an array larger at its ends, for stencils.
//!
//! A **boundary** says which element of the array stands at a position outside of it
//! (Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, section 3.2):
//!
//! | boundary | the array `1 2 3` with two more on both sides |
//! | --- | --- |
//! | `clamp` | `1 1` `1 2 3` `3 3` |
//! | `mirror` | `2 1` `1 2 3` `3 2` |
//! | `wrap` | `2 3` `1 2 3` `1 2` |
//! | <code>\|i, n\| …</code> | the element at the position that the function gives |
//!
//! `mirror` reflects again if the border is wider than the array. A function of your own is given the
//! position `i`, which is negative before the array, and the length `n`. `/` and `%` round down there, so
//! that `(i + n) % n` is never negative.
//!
//! A restriction on sizes is [proved, refuted or checked before the launch](super::sizes#constraints).
//!
//! ## `pad`
//!
//! `pad(l, r, b, xs)`: `l` and `r` more elements at the ends, taken from inside.
//!
//! - *Type*: `size -> size -> boundary -> [A; n] -> [A; l + n + r]`
//! - *Restrictions*: the array is not empty unless nothing is added; a function of your own gives positions
//!   from 0 to `n - 1`.
//!
//! ## `pad2`
//!
//! `pad2(l, r, b, xs)`: `pad` in both dimensions.
//!
//! - *Type*: `size -> size -> boundary -> [[A; m]; n] -> [[A; l + m + r]; l + n + r]`
//! - *Restrictions*: those of `pad`.
//!
//! ## `pad3`
//!
//! `pad3(l, r, b, xs)`: `pad` in all three dimensions.
//!
//! - *Type*: `size -> size -> boundary -> [[[A; k]; m]; n] -> [[[A; l + k + r]; l + m + r]; l + n + r]`
//! - *Restrictions*: those of `pad`.
//!
//! ## `pad2d`
//!
//! `pad2d(t, b, l, r, bt, bl, xs)`: `pad` with its own numbers and boundary in each dimension.
//! `t`, `b`, `l` and `r` are the numbers at the top, bottom, left and right; `bt` is the boundary of the rows
//! and `bl` that of the columns.
//!
//! - *Type*: `size -> size -> size -> size -> boundary -> boundary -> [[A; m]; n] -> [[A; l + m + r]; t + n + b]`
//! - *Restrictions*: those of `pad`, in each dimension with its own numbers and boundary.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1i32, 2, 3];
//! assert_eq!(lift!(pad(2, 2, clamp, a))?.to_vec(), [1, 1, 1, 2, 3, 3, 3]);
//! assert_eq!(lift!(pad(2, 2, mirror, a))?.to_vec(), [2, 1, 1, 2, 3, 3, 2]);
//! assert_eq!(lift!(pad(2, 2, wrap, a))?.to_vec(), [2, 3, 1, 2, 3, 1, 2]);
//! assert_eq!(lift!(pad(2, 2, |i, n| (i + n) % n, a))?.to_vec(), [2, 3, 1, 2, 3, 1, 2]);
//!
//! let image = [[1i32, 2], [3, 4]];
//! let framed = lift!(pad2(1, 1, clamp, image))?;
//! let wider = lift!(pad2d(0, 0, 1, 0, clamp, wrap, image))?;
//! let cube = [image];
//! let shape = lift!(pad3(1, 1, mirror, cube))?.dim();
//!
//! assert_eq!(framed.row(0).to_vec(), [1, 1, 2, 2]);
//! assert_eq!(wider, lift::ndarray::arr2(&[[2, 1, 2], [4, 3, 4]]));
//! assert_eq!(shape, (3, 4, 4));
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `padConstant`
//!
//! `padConstant(l, r, v, xs)`: `l` and `r` more elements at the ends, all `v`.
//!
//! - *Type*: `size -> size -> A -> [A; n] -> [A; l + n + r]`
//! - *Restrictions*: `v` has the type of the elements. So it is a number only for an array of one dimension.
//!
//! ## `padConstant2`
//!
//! `padConstant2(l, r, v, xs)`: `padConstant` in both dimensions.
//!
//! - *Type*: `size -> size -> A -> [[A; m]; n] -> [[A; l + m + r]; l + n + r]`
//! - *Restrictions*: `v` has the type of the innermost elements.
//!
//! ## `padConstant3`
//!
//! `padConstant3(l, r, v, xs)`: `padConstant` in all three dimensions.
//!
//! - *Type*: `size -> size -> A -> [[[A; k]; m]; n] -> [[[A; l + k + r]; l + m + r]; l + n + r]`
//! - *Restrictions*: `v` has the type of the innermost elements.
//!
//! ```
//! use lift::lift;
//!
//! let image = [[1i32, 2], [3, 4]];
//! let row = [7i32, 8];
//! let cube = [image];
//! assert_eq!(lift!(padConstant(1, 2, 0, row))?.to_vec(), [0, 7, 8, 0, 0]);
//! assert_eq!(lift!(padConstant2(1, 0, 9, image))?, lift::ndarray::arr2(&[[9, 9, 9], [9, 1, 2], [9, 3, 4]]));
//! assert_eq!(lift!(padConstant3(1, 1, 0, cube))?.sum(), 10);
//! # Ok::<(), lift::Error>(())
//! ```
