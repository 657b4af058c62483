//! Primitives that say what is computed: who computes it and where it is stored is left to the compiler.
//!
//! Where a restriction is on sizes, it is [proved, refuted or checked before the launch](super::sizes#constraints).
//!
//! ## `map`
//!
//! `map(f, xs)`: `f` applied to every element.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Restrictions*: `f` takes one element, or the components of an element that is a tuple, and gives a value, not a function.
//!
//! ## `map2`
//!
//! `map2(f, xs)`: `f` applied to every element of a 2D array.
//!
//! - *Type*: `(A -> B) -> [[A; m]; n] -> [[B; m]; n]`
//! - *Restrictions*: as for `map`; the array has two dimensions at least.
//!
//! ## `map3`
//!
//! `map3(f, xs)`: `f` applied to every element of a 3D array.
//!
//! - *Type*: `(A -> B) -> [[[A; l]; m]; n] -> [[[B; l]; m]; n]`
//! - *Restrictions*: as for `map`; the array has three dimensions at least.
//!
//! ## `reduce`
//!
//! `reduce(f, z, xs)`: all elements combined by `f`, and `z` once.
//! `z` is the result for an empty array, and enters once: `reduce(add, 10, xs)` is 10 more than the sum.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> B`
//! - *Restrictions*: `f` takes the accumulator first and then an element, and gives a value of the accumulator's type. The
//!   elements are combined in any order where `f` is a built-in associative and commutative operator or a function marked
//!   [`#[assoc]` and `#[comm]`](super::items#attributes), so that sums of floats may be rounded differently on another
//!   device; they are combined in order where it is not.
//!
//! ```
//! use lift::lift;
//!
//! let a = [[1.0f32, 2.0], [3.0, 4.0]];
//! let doubled = lift!(map2(|x| 2 * x, a))?;
//! let row_sums = lift!(map(reduce(add, 0), a))?;
//! let total: f32 = lift!(a >> map(reduce(add, 0)) >> reduce(add, 10))?;
//! let cube = [a, a];
//! let negated = lift!(map3(neg, cube))?;
//!
//! assert_eq!(doubled, lift::ndarray::arr2(&[[2.0, 4.0], [6.0, 8.0]]));
//! assert_eq!(row_sums.to_vec(), [3.0, 7.0]);
//! assert_eq!(total, 20.0);
//! assert_eq!(negated[[1, 0, 1]], -2.0);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `zip`
//!
//! `zip(a, b, …)`: the tuples of elements at one position.
//! With three arrays it makes triples, and so on.
//!
//! - *Type*: `[A; n] -> [B; n] -> [(A, B); n]`
//! - *Restrictions*: two arrays at least, of one length. It is not curried: all arrays are given at once.
//!
//! ## `zip2`
//!
//! `zip2(a, b, …)`: `zip` of 2D arrays, element by element.
//!
//! - *Type*: `[[A; m]; n] -> [[B; m]; n] -> [[(A, B); m]; n]`
//! - *Restrictions*: two arrays at least, of the same two lengths. It is not curried.
//!
//! ## `zip3`
//!
//! `zip3(a, b, …)`: `zip` of 3D arrays, element by element.
//!
//! - *Type*: `[[[A; l]; m]; n] -> [[[B; l]; m]; n] -> [[[(A, B); l]; m]; n]`
//! - *Restrictions*: two arrays at least, of the same three lengths. It is not curried.
//!
//! ## `get`
//!
//! `get(k, t)`: the component at position `k`, from 0.
//! `get(0, t)` is also written `t.0`.
//!
//! - *Type*: `size -> (A, B) -> A or B`
//! - *Restrictions*: `k` is a number, less than the number of components.
//!
//! ```
//! use lift::lift;
//!
//! let (a, b, c) = ([1.0f32, 2.0], [3.0f32, 4.0], [5.0f32, 6.0]);
//! let sums = lift!(zip(a, b, c) >> map(|x, y, z| x + y + z))?;
//! let second = lift!(zip(a, b) >> map(get(1)))?;
//! let (m, n) = ([a, b], [b, c]);
//! let products = lift!(zip2(m, n) >> map2(mult))?;
//! let (p, q) = ([m, n], [n, m]);
//! let differences = lift!(zip3(p, q) >> map3(sub))?;
//!
//! assert_eq!(sums.to_vec(), [9.0, 12.0]);
//! assert_eq!(second.to_vec(), b);
//! assert_eq!(products, lift::ndarray::arr2(&[[3.0, 8.0], [15.0, 24.0]]));
//! assert!(differences.iter().all(|x| x.abs() == 2.0));
//! # Ok::<(), lift::Error>(())
//! ```
