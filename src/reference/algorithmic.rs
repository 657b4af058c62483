//! Primitives that say what is computed. The compiler decides who computes it and where it is stored.
//!
//! A restriction on sizes is [proved, refuted or checked before the launch](super::sizes#constraints).
//!
//! ## `map`
//!
//! `map(f, xs)`: `f` applied to every element.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Restrictions*: `f` takes one element, or the components of an element that is a tuple, and gives a
//!   value, not a function.
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
//! - *Restrictions*: `f` takes the accumulator first and then an element, and gives a value of the
//!   accumulator's type. If `f` combines the accumulator by a built-in associative and commutative operator or
//!   by a function marked [`#[assoc]` and `#[comm]`](super::items#attributes) with what it computes of the
//!   element, elements are combined in any order, so that sums of floats may be rounded differently on another
//!   device. Each component of a tuple and each element of a small array may have another operator, as in
//!   `|[s, q], x| [s + x, q + x * x]`. Otherwise elements are combined in order.
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
//! ## `scan`
//!
//! `scan(f, z, xs)`: for every position `reduce` of the elements before it: the first result is `z`.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> [B; n]`
//! - *Restrictions*: an accumulator that is an array, or holds one, is the last row of the result: one
//!   work-item computes the rows, one from the other, or those of a group do with `mapLcl` in `f`. All other
//!   accumulators are scalars, vectors or tuples of them. If `f` is then a built-in
//!   associative operator (`add`, `mult`, `min`, `max`, `&&`, `||`, `&`, `|`, `^`) or a function marked
//!   [`#[assoc]`](super::items#attributes), or combines the accumulator by one with what it computes of the
//!   element, as `|s, x| s + x * x` does, the work-items of the device scan a whole array together.
//!   Neighbouring elements are combined first, always in their order, so that `f` need not be commutative;
//!   sums of floats may be rounded differently than by a loop. Any other `f` is applied by one work-item,
//!   from the first element to the last, and so is every `f` on processors with few cores, in a
//!   [form](super::items#forms) of its own. A scan inside a `map` is also done by one work-item, the one that
//!   has the row, and so is a scan of an array that is known to be short.
//!
//! ## `scanInclusive`
//!
//! `scanInclusive(f, xs)`: for every position the elements up to and with it, combined by `f`: the first result is the first element.
//!
//! - *Type*: `((A, A) -> A) -> [A; n] -> [A; n]`
//! - *Restrictions*: those of `scan`; `f` combines two elements and gives a third of their type.
//!
//! ## `reduceWhile`
//!
//! `reduceWhile(f, z, xs)`: `reduceSeq` that ends early: `f` also says whether to go on; where it does not, the result is the accumulator before.
//! `f(acc, x)` is a pair. `(true, next)` makes `next` the accumulator, `(false, _)` ends with `acc`.
//!
//! - *Type*: `((B, A) -> (bool, B)) -> B -> [A; n] -> B`
//! - *Restrictions*: joined rows of different lengths must be stored: `store(rows)`. One work-item takes the
//!   elements in order, and reads none behind the one that ends it. What only `next` needs is mostly not
//!   computed there. An accumulator that is an array lies where that of a `reduceSeq` does. Where an `if`
//!   chooses between two pairs, arrays of both are computed, but for an `update` of the accumulator.
//!
//! ```
//! use lift::lift;
//!
//! // Counts until one of them is 2.
//! let keys = [1u8, 0, 1, 2, 1];
//! let counts = lift!(
//!     keys >> reduceWhile(|t, key| (at(key, t) < 2, update(key, at(key, t) + 1, t)), [0, 0, 0])
//! )?;
//!
//! assert_eq!(counts.to_vec(), [1, 2, 1]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `reduceByKey`
//!
//! `reduceByKey(n, f, z, keys, xs)`: for every key below `n` the elements with this key, combined by `f`, and `z` once.
//! The result is a table of `n` entries; an element whose key is none of its positions is left out. Entries may
//! be tuples, such as sums and counts for means, and arrays, such as sums of points.
//!
//! - *Type*: `size -> ((B, A) -> B) -> B -> [integer; m] -> [A; m] -> [B; n]`
//! - *Restrictions*: `n` is at least 1. If `f` combines an entry by a built-in associative operator, or by a
//!   function marked [`#[assoc]`](super::items#attributes) with a body that shows its identity, with what it
//!   computes of the element, parts of the array have tables of their own, which are combined in order: results
//!   are the same in each run, also sums of floats. Each component of a tuple and each element of an array may
//!   have another operator, as in `|(s, m), x| (s + x, max(m, x))`, `|[n, s], x| [n + 1, s + x * x]` and
//!   `|acc, row| zip(acc, row) >> map(|a, x| a + x * x)`.
//!   Otherwise one work-item takes all elements, in order. Tables that are long in comparison with the array
//!   are not divided, either. On GPUs, work-items update tables of `i32` or `u32` together where `f` is `add`,
//!   `min`, `max`, `&`, `|` or `^` (or a tuple of such), in the [form](super::items#forms) `tables`, whatever
//!   the lengths are.
//!
//! ```
//! use lift::lift;
//!
//! let (keys, xs) = ([2u8, 0, 2, 9], [1.5f32, 2.0, 4.0, 8.0]);
//! let sums = lift!(reduceByKey(3, add, 0, keys, xs))?;
//! let means = lift!(
//!     reduceByKey(3, |(sum, count), x| (sum + x, count + 1.0), (0.0, 0.0), keys, xs)
//!         >> map(|(sum, count)| if count > 0 { sum / count } else { 0 })
//! )?;
//!
//! assert_eq!(sums.to_vec(), [2.0, 0.0, 5.5]);
//! assert_eq!(means.to_vec(), [2.0, 0.0, 2.75]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `segments`
//!
//! `segments(offsets, xs)`: rows of `xs`, for every two neighbours of `offsets` the elements from the first up to the second.
//! So `offsets` are those of rows of different lengths, one after the other, as of a sparse matrix in
//! compressed rows (CSR). Only the data knows the length of a row, `_`; it may be 0.
//!
//! The rows are an array to map over, also together with other arrays that have an element for each row
//! (`zip(segments(offsets, xs), ys)`), or with rows between the same offsets. In the function, a row is an array
//! that is mapped, zipped, reduced, measured (`len(row) as f32`), and read where it may have no element
//! (`atOr(k, default, row)`). Where the function gives rows, `join` puts them one after the other, and the
//! result has the length of `xs`.
//!
//! - *Type*: `[integer; n + 1] -> [A; m] -> [[A; _]; n]`
//! - *Restrictions*: other primitives do not take the rows, and the result of a kernel has none. A row is
//!   not reduced to another one. Offsets are taken as `i64`, and clamped into `xs`. For what is joined, they
//!   begin with 0, never fall and end with the length of `xs`, and there is a row: with other offsets nothing
//!   outside is read, but it is open to which row an element belongs. Each element of what is joined searches
//!   for its row among the offsets, unless the function needs nothing of the row. On GPUs, several work-items
//!   share each row that is reduced, as in `reduceSegments`.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// The softmax of each row.
//!     fn softmax<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; K] {
//!         segments(offsets, xs)
//!             >> map(|row| {
//!                 let most = row >> reduce(max, f32::MIN);
//!                 let powers = row >> map(|x| exp(x - most));
//!                 let sum = powers >> reduce(add, 0);
//!                 powers >> map(|x| x / sum)
//!             })
//!             >> join
//!     }
//! }
//!
//! // The rows are (1, 1), () and (5).
//! let y = softmax(&[0, 2, 2, 3], &[1.0, 1.0, 5.0])?;
//! let (offsets, xs) = ([0u32, 2, 2, 3], [1.0f32, 3.0, 5.0]);
//! let means = lift!(segments(offsets, xs) >> map(|row| reduce(add, 0, row) / max(1, len(row) as f32)))?;
//!
//! assert_eq!(y.to_vec(), [0.5, 0.5, 1.0]);
//! assert_eq!(means.to_vec(), [2.0, 0.0, 5.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `reduceSegments`
//!
//! `reduceSegments(f, z, offsets, xs)`: for every two neighbours of `offsets` the elements from the first up to the second, combined by `f` in their order, starting from `z`.
//! So `offsets` are those of rows of different lengths, one after the other, as of a sparse matrix in
//! compressed rows (CSR). They are clamped into `xs`: nothing outside is read, whatever they are, and a
//! segment that ends before it begins is empty. Segments may overlap, and leave elements out.
//!
//! - *Type*: `((B, A) -> B) -> B -> [integer; n + 1] -> [A; m] -> [B; n]`
//! - *Restrictions*: a result is a number, a vector or a tuple of such. Offsets are taken as `i64`. On GPUs,
//!   several work-items share each segment where segments are long on average and the order of `f` is open, and
//!   a group reduces each of those that are much longer than others.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// A sparse matrix times a vector.
//!     fn product<const N: usize, const M: usize, const K: usize>(
//!         offsets: [u32; N + 1],
//!         columns: [u32; K],
//!         values: [f32; K],
//!         x: [f32; M],
//!     ) -> [f32; N] where M >= 1 {
//!         zip(columns, values)
//!             >> map(|column, value| value * at(column, x))
//!             >> reduceSegments(add, 0, offsets)
//!     }
//! }
//!
//! // The rows are (2, 0, 3), (0, 0, 0) and (0, 5, 0).
//! let y = product(&[0, 2, 2, 3], &[0, 2, 1], &[2.0, 3.0, 5.0], &[1.0, 10.0, 100.0])?;
//!
//! assert_eq!(y.to_vec(), [302.0, 0.0, 50.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `histogram`
//!
//! `histogram(n, keys)`: how often each key below `n` occurs.
//! That is `reduceByKey` of ones with `add`. The counts have the type that the context asks for, or else `i32`.
//!
//! - *Type*: `size -> [integer; m] -> [integer; n]`
//! - *Restrictions*: those of `reduceByKey`.
//!
//! ```
//! use lift::lift;
//!
//! let keys = [1u8, 3, 1, 200];
//! let counts = lift!(histogram(4, keys))?;
//!
//! assert_eq!(counts.to_vec(), [0, 2, 0, 1]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `enumerate`
//!
//! `enumerate(xs)`: every element with its position, from 0.
//! A function that names its position, `|i => x| …`, has it as a size, without an array of pairs.
//!
//! - *Type*: `[A; n] -> [(u32, A); n]`
//! - *Restrictions*: there are fewer than 2^32 - 1 elements.
//!
//! ## `argmin`
//!
//! `argmin(xs)`: the position of the first least element.
//! NaN is not looked at; where all elements are NaN, the position is 0.
//!
//! - *Type*: `[number; n] -> u32`
//! - *Restrictions*: there is an element, and there are fewer than 2^32 - 1. The elements are read twice: for the
//!   least one, and for its position.
//!
//! ```
//! use lift::lift;
//!
//! let a = [3.0f32, -1.0, 7.0, -1.0];
//! let (least, greatest) = lift!(tuple(argmin(a), argmax(a)))?;
//! let numbered = lift!(enumerate(a))?;
//!
//! assert_eq!((least, greatest), (1, 2));
//! assert_eq!(numbered[2], (2, 7.0));
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `argmax`
//!
//! `argmax(xs)`: the position of the first greatest element.
//!
//! - *Type*: `[number; n] -> u32`
//! - *Restrictions*: those of `argmin`.
//!
//! ## `scatterTo`
//!
//! `scatterTo(n, default, positions, xs)`: an array of `n` elements, with those of `xs` at their `positions` and `default` elsewhere; of several for one place the last one counts.
//! Elements whose position lies outside are left out. What `scatter` does for a formula, this does for positions
//! from data. `reduceByKey` combines several elements for one place.
//!
//! - *Type*: `size -> A -> [integer; m] -> [A; m] -> [A; n]`
//! - *Restrictions*: there are fewer than 2^32 - 1 elements.
//!
//! ```
//! use lift::lift;
//!
//! let (positions, xs) = ([4i32, 1, -1, 1], [10.0f32, 20.0, 30.0, 40.0]);
//! let moved = lift!(scatterTo(5, 0.0, positions, xs))?;
//!
//! assert_eq!(moved.to_vec(), [0.0, 40.0, 0.0, 0.0, 10.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `filter`
//!
//! `filter(p, xs)`: the elements for which `p` holds, in their order, then the others, in theirs; and how many hold.
//! The length of the array is known before `p` is, so the others stay behind those that are kept.
//!
//! - *Type*: `(A -> bool) -> [A; n] -> ([A; n], u32)`
//! - *Restrictions*: there are fewer than 2^32 - 1 elements.
//!
//! ```
//! use lift::lift;
//!
//! let a = [5i32, -2, 7, -9];
//! let (ys, count) = lift!(filter(|x| x > 0, a))?;
//!
//! assert_eq!(ys.to_vec(), [5, 7, -2, -9]);
//! assert_eq!(ys.to_vec()[..count as usize], [5, 7]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `sort`
//!
//! `sort(xs)`: the elements in ascending order.
//! Floats are in the order of Rust's `total_cmp`: -0 before 0, NaN behind all numbers (before them if its sign is
//! negative).
//!
//! - *Type*: `[A; n] -> [A; n]`
//! - *Restrictions*: the elements are numbers or truth values of a type that the program says; there are fewer
//!   than 2^32 - 1. It is a radix sort with digits of four bits: the time does not depend on the order of the
//!   elements, but on their width.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     fn median<const N: usize>(xs: [f32; N]) -> f32 where N >= 1 { at(N / 2, sort(xs)) }
//!     fn names_by_age<const N: usize>(people: [(u16, u32); N]) -> [(u16, u32); N] {
//!         people >> sortBy(|(age, _)| age)
//!     }
//!     fn best<const N: usize>(xs: [f32; N]) -> ([u32; N], [f32; 2]) where N >= 2 {
//!         tuple(argsort(xs), topK(2, xs))
//!     }
//! }
//!
//! let (order, greatest) = best(&[0.5, 0.25, 4.0])?;
//!
//! assert_eq!(median(&[3.0, -1.0, 2.0])?, 2.0);
//! assert_eq!(names_by_age(&[(40, 1), (31, 2), (40, 3)])?.to_vec(), [(31, 2), (40, 1), (40, 3)]);
//! assert_eq!((order.to_vec(), greatest.to_vec()), (vec![1, 0, 2], vec![4.0, 0.5]));
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `sortBy`
//!
//! `sortBy(key, xs)`: the elements in ascending order of their keys; those with equal keys stay in their order.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [A; n]`
//! - *Restrictions*: keys are what `sort` takes. Elements may be anything, also tuples and arrays.
//!
//! ## `argsort`
//!
//! `argsort(xs)`: the positions of the elements in ascending order; those of equal elements stay in their order.
//!
//! - *Type*: `[A; n] -> [u32; n]`
//! - *Restrictions*: those of `sort`.
//!
//! ## `topK`
//!
//! `topK(k, xs)`: the `k` greatest elements, in descending order.
//!
//! - *Type*: `size -> [A; n] -> [A; k]`
//! - *Restrictions*: those of `sort`, and `k` is at most `n`. All elements are sorted.
//!
//! ## `iterateWhile`
//!
//! `iterateWhile(limit, c, f, z)`: `f` applied to `z`, and to its own results, while `c` holds of them, but at most `limit` times.
//! The limit makes it end always; it is a number or a size.
//!
//! - *Type*: `size -> (A -> bool) -> (A -> A) -> A -> A`
//! - *Restrictions*: `z` is an array, or a scalar, a vector or a tuple of such. An array keeps its length, and
//!   stands outside of all functions: the whole device computes each step, and the launcher reads what `c` says
//!   before it launches the next one, so that also `enqueue` returns only when the last step has begun. Several
//!   arrays of one length are one array of tuples, `zip(a, b)`. All other values are computed by one work-item:
//!   there, `|k => z| …` gives `f` the number of the step. A function on scalars may contain an `iterateWhile`
//!   whose limit is a number.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// A square root by Newton's method.
//!     fn root(a: f64) -> f64 {
//!         iterateWhile(60, |x| abs(x * x - a) > 1e-12 * a, |x| 0.5 * (x + a / x), a)
//!     }
//!
//!     fn roots<const N: usize>(a: [f64; N]) -> [f64; N] { map(root, a) }
//! }
//!
//! // Smoothed until neighbours hardly differ.
//! let a = [0.0f32, 0.0, 8.0, 0.0, 0.0];
//! let smooth = lift!(a >> iterateWhile(
//!     1000,
//!     |t| reduce(max, 0.0, t >> slide(2, 1) >> map(|w| abs(at(0, w) - at(1, w)))) > 0.01,
//!     |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| 0.25 * (at(0, w) + 2.0 * at(1, w) + at(2, w))),
//! ))?;
//! let rows = [[1.0f32, 5.0, 7.0], [9.0, 1.0, 1.0]];
//! // The sum of each row up to the element with which it would exceed 10.
//! let sums = lift!(rows >> map(reduceWhile(|sum, x| (sum + x <= 10.0, sum + x), 0.0)))?;
//! let roots = roots(&[4.0, 9.0])?;
//! let numbers = [27i32, 6];
//! let steps = lift!(numbers >> map(|n| iterateWhile(
//!     1000,
//!     |(n, _)| n != 1,
//!     |(n, k)| (if n % 2 == 0 { n / 2 } else { 3 * n + 1 }, k + 1),
//!     (n, 0u32),
//! ).1))?;
//!
//! assert!(smooth.iter().all(|x| (x - 1.6).abs() < 0.1));
//! assert_eq!(sums.to_vec(), [6.0, 10.0]);
//! assert!((roots.to_vec()[1] - 3.0).abs() < 1e-9 && (root(4.0) - 2.0).abs() < 1e-9);
//! assert_eq!(steps.to_vec(), [111, 8]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `iterate`
//!
//! `iterate(m, f, xs)`: `f` applied `m` times. It may change the length by a fixed amount or a fixed factor, or in any way where `m` is a number.
//! The length of the result has a closed form, such as `n / pow(2, m)` where `f` halves the length.
//!
//! - *Type*: `size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; g(g(…n))]`
//! - *Restrictions*: `f` changes the length by a fixed amount or factor unless `m` is a number of at most 64,
//!   and it keeps the type of the elements. `m` is any number or size, also 0. The whole device applies `f`
//!   by launching kernels again and again, with two arrays on the device that change places; if `f` changes
//!   the length, or names its step, `|k => xs| …`, the kernels get the number of the application. In a
//!   work-group or a work-item it is a loop.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1i32, 2, 3, 4, 5, 6, 7, 8];
//! let before = lift!(scan(add, 0, a))?;
//! let with = lift!(scanInclusive(add, a))?;
//! let fibonacci = lift!(a >> scan(|[before, last], _| [last, before + last], [0i32, 1]) >> map(head))?;
//! let pairwise = lift!(a >> iterate(3, |xs| xs >> split(2) >> map(reduceSeq(add, 0))))?;
//! let times: usize = 1000;
//! let fewer: usize = 2;
//! let sums = lift!(a >> iterate(fewer, |xs| xs >> split(2) >> map(reduce(add, 0))))?;
//! let spread = lift!(a >> iterate(times, |xs| xs >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(max, 0))))?;
//!
//! assert_eq!(before.to_vec(), [0, 1, 3, 6, 10, 15, 21, 28]);
//! assert_eq!(with.to_vec(), [1, 3, 6, 10, 15, 21, 28, 36]);
//! assert_eq!(fibonacci.to_vec(), [0, 1, 1, 2, 3, 5, 8, 13]);
//! assert_eq!(pairwise.to_vec(), [36]);
//! assert_eq!(sums.to_vec(), [10, 26]);
//! assert_eq!(spread.to_vec(), [8; 8]);
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
//! ## `unzip`
//!
//! `unzip(xs)`: the arrays of first components, of second ones, and so on.
//!
//! - *Type*: `[(A, B); n] -> ([A; n], [B; n])`
//! - *Restrictions*: the elements are tuples.
//!
//! ## `store`
//!
//! `store(xs)`: the same array, computed once and stored where this stands.
//!
//! - *Type*: `A -> A`
//! - *Restrictions*: an array, or a tuple in which there is one. In a program that says who computes what,
//!   the work-items that read it must be those that made it; `toLocal` and `toGlobal` share it.
//!
//! The compiler by itself stores what would be computed again and again ([cost](super::cost)). So `store` is
//! for arrays whose elements are cheap to compute but better read from memory, such as those that a gather
//! finds far apart.
//!
//! ```
//! use lift::lift;
//!
//! let a = [3.0f32, 1.0, 2.0];
//! let sums = lift!(a >> reverse >> store >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0)))?;
//! assert_eq!(sums.to_vec(), [5.0, 6.0, 7.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `tuple`
//!
//! `tuple(a, b, …)`: its two or more arguments as one value.
//! `tuple(a, b)` is also written `(a, b)`.
//!
//! - *Type*: `A -> B -> (A, B)`
//! - *Restrictions*: two values at least. It is not curried.
//!
//! ## `dotProduct`
//!
//! `dotProduct(a, b)`: the sum of the products of elements at one position.
//!
//! - *Type*: `[A; n] -> [A; n] -> A`
//! - *Restrictions*: two arrays of numbers, of one length and one element type.
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
//! let swapped = lift!(zip(a, b) >> unzip >> |p, q| zip(q, p) >> map(sub))?;
//! let pairs = lift!(zip(a, b) >> map(|x, y| tuple(y, x)) >> map(get(0)))?;
//! let product: f32 = lift!(dotProduct(a, b))?;
//! let (m, n) = ([a, b], [b, c]);
//! let products = lift!(zip2(m, n) >> map2(mult))?;
//! let (p, q) = ([m, n], [n, m]);
//! let differences = lift!(zip3(p, q) >> map3(sub))?;
//!
//! assert_eq!(sums.to_vec(), [9.0, 12.0]);
//! assert_eq!(second.to_vec(), b);
//! assert_eq!(swapped.to_vec(), [2.0, 2.0]);
//! assert_eq!(pairs.to_vec(), b);
//! assert_eq!(product, 11.0);
//! assert_eq!(products, lift::ndarray::arr2(&[[3.0, 8.0], [15.0, 24.0]]));
//! assert!(differences.iter().all(|x| x.abs() == 2.0));
//! # Ok::<(), lift::Error>(())
//! ```
