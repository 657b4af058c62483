//! Primitives that say where elements are. They copy nothing, but change how the next primitive reads.
//!
//! A restriction on sizes is [proved, refuted or checked before the launch](super::sizes#constraints).
//!
//! ## `split`
//!
//! `split(m, xs)`: the array cut into chunks of `m` elements.
//!
//! - *Type*: `size -> [A; m * k] -> [[A; m]; k]`
//! - *Restrictions*: `m` is at least 1 and divides the length.
//!
//! ## `chunks`
//!
//! `chunks(m, xs)`: the array cut into chunks of `m` elements; the last one has those that are left.
//! It is `split` for arrays of any length. The result is a [position-dependent
//! array](super::sizes#position-dependent-arrays); `join` makes an array of length `n` of it again. Applied
//! twice, it makes tiles of a matrix of any size: `map(chunks(32)) >> transpose` of each chunk of rows.
//!
//! - *Type*: `size -> [A; n] -> [i => [A; min(m, n - m * i)]; (n + m - 1) / m]`
//! - *Restrictions*: `m` is at least 1.
//!
//! ## `partition`
//!
//! `partition(k, g, xs)`: `k` rows, one after another; row `i` takes `g(i)` elements.
//! `g` is a function on positions, `|i| …`, whose body is a [size](super::sizes), or `caseSplit(a, b, c)`,
//! the lengths of all rows one by one. The result is a [position-dependent
//! array](super::sizes#position-dependent-arrays); `join` undoes it.
//!
//! - *Type*: `size -> (size -> size) -> [A; sum(k, g)] -> [i => [A; g(i)]; k]`
//! - *Restrictions*: the rows take all elements: the sum of their lengths is the length; no length is
//!   negative.
//!
//! ## `join`
//!
//! `join(xs)`: the inner arrays, one after another.
//! They may have different lengths: the length of `join` of `[i => [A; g(i)]; n]` is the sum of `g`.
//!
//! - *Type*: `[[A; m]; n] -> [A; m * n]`
//! - *Restrictions*: the array has two dimensions at least.
//!
//! ## `transpose`
//!
//! `transpose(xs)`: rows and columns exchanged.
//! `map(transpose)` exchanges the second and the third dimension.
//!
//! - *Type*: `[[A; m]; n] -> [[A; n]; m]`
//! - *Restrictions*: the array has two dimensions at least, and its rows have one length.
//!
//! ## `deinterleave`
//!
//! `deinterleave(p, xs)`: `p` rows that take the elements in turn: element `i` of row `l` is the one at `l + p * i`.
//! This is the cyclic distribution: where each of `p` work-items has a row, neighbouring work-items read
//! neighbouring elements. It is `split(p) >> transpose` for arrays of any length. Where there are fewer
//! elements than rows, the last rows are empty.
//!
//! - *Type*: `size -> [A; n] -> [l => [A; (n - l + p - 1) / p]; p]`
//! - *Restrictions*: `p` is at least 1.
//!
//! ## `interleave`
//!
//! `interleave(xs)`: the first elements of all rows, then the second ones, and so on: what `deinterleave` took apart.
//! What is computed in rows can be written through it: `deinterleave(p) >> mapGlb0(mapSeq(f)) >> interleave` is
//! `map(f)` by `p` work-items.
//!
//! - *Type*: `[l => [A; (n - l + p - 1) / p]; p] -> [A; n]`
//! - *Restrictions*: the array has two dimensions at least, and the lengths of its rows are those that
//!   `deinterleave` makes, or all the same.
//!
//! ## `reverse`
//!
//! `reverse(xs)`: the elements in the opposite order.
//!
//! - *Type*: `[A; n] -> [A; n]`
//! - *Restrictions*: none.
//!
//! ## `gather`
//!
//! `gather(f, xs)`: the element at `f(i)` for every position `i`.
//! `f` is a function on positions, `|i| …`, whose body is a [size](super::sizes), or one of `reverse`
//! (`n - 1 - i`),
//! `stride(s)` (`i / (n / s) + s * (i % (n / s))`: every `s`th element, then every `s`th from the second on, …) and
//! `rotate(k)` (`(i + k) % n`).
//!
//! - *Type*: `(size -> size) -> [A; n] -> [A; n]`
//! - *Also written*: `reorder`
//! - *Restrictions*: `f(i)` is less than `n` for every position `i` from 0 to `n - 1`; `s` divides `n`.
//!
//! ## `scatter`
//!
//! `scatter(f, xs)`: the element at `i` moved to `f(i)`, for every `i`. `f` must be a permutation: one that the compiler cannot prove to be one is checked before each launch.
//! `f` is what it is for `gather`.
//!
//! - *Type*: `(size -> size) -> [A; n] -> [A; n]`
//! - *Restrictions*: `f` is a permutation: no two positions are moved to one place. The check before a launch
//!   looks at every position. A permutation that depends on the position of a surrounding array cannot be
//!   checked, and must be proved.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1i32, 2, 3, 4, 5, 6];
//! let rows = lift!(split(2, a))?;
//! let columns = lift!(a >> split(2) >> transpose)?;
//! let same = lift!(a >> split(2) >> join)?;
//! let triangle = lift!(a >> partition(3, |i| i + 1) >> map(reduce(add, 0)))?;
//! let sections = lift!(a >> partition(3, caseSplit(1, 4, 1)) >> map(reverse) >> join)?;
//! let chunks = lift!(a >> chunks(4) >> map(reduce(add, 0)))?;
//! let in_turn = lift!(a >> deinterleave(4) >> map(reduce(add, 0)))?;
//! let in_order = lift!(a >> deinterleave(4) >> map(map(|x| 2 * x)) >> interleave)?;
//! let backwards = lift!(reverse(a))?;
//! let apart = lift!(gather(stride(3), a))?;
//! let turned = lift!(gather(rotate(2), a))?;
//! let doubled = lift!(gather(|i| i / 2, a))?;
//! let together = lift!(apart >> scatter(stride(3)))?;
//!
//! assert_eq!(rows, lift::ndarray::arr2(&[[1, 2], [3, 4], [5, 6]]));
//! assert_eq!(columns, lift::ndarray::arr2(&[[1, 3, 5], [2, 4, 6]]));
//! assert_eq!(same.to_vec(), a);
//! assert_eq!(triangle.to_vec(), [1, 2 + 3, 4 + 5 + 6]);
//! assert_eq!(sections.to_vec(), [1, 5, 4, 3, 2, 6]);
//! assert_eq!(chunks.to_vec(), [1 + 2 + 3 + 4, 5 + 6]);
//! assert_eq!(in_turn.to_vec(), [1 + 5, 2 + 6, 3, 4]);
//! assert_eq!(in_order.to_vec(), [2, 4, 6, 8, 10, 12]);
//! assert_eq!(backwards.to_vec(), [6, 5, 4, 3, 2, 1]);
//! assert_eq!(apart.to_vec(), [1, 4, 2, 5, 3, 6]);
//! assert_eq!(turned.to_vec(), [3, 4, 5, 6, 1, 2]);
//! assert_eq!(doubled.to_vec(), [1, 1, 2, 2, 3, 3]);
//! assert_eq!(together.to_vec(), a);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `slide`
//!
//! `slide(size, step, xs)`: the windows of `size` elements that start at multiples of `step`.
//!
//! - *Type*: `size -> size -> [A; n] -> [[A; size]; (n - size + step) / step]`
//! - *Restrictions*: `step` is at least 1, `size` is at most `n`, and the last window ends with the array:
//!   `(n - size + step) % step == 0`. Nothing is left over in silence; [`pad`](super::borders#pad) makes an
//!   array larger.
//!
//! ## `slide2`
//!
//! `slide2(size, step, xs)`: 2D windows, the same in both dimensions.
//! `m'` and `n'` are `(m - size + step) / step` and `(n - size + step) / step`.
//!
//! - *Type*: `size -> size -> [[A; m]; n] -> [[[[A; size]; size]; m']; n']`
//! - *Restrictions*: those of `slide`, in both dimensions.
//!
//! ## `slide3`
//!
//! `slide3(size, step, xs)`: 3D windows, the same in all dimensions.
//! `l'`, `m'` and `n'` are as for `slide2`.
//!
//! - *Type*: `size -> size -> [[[A; l]; m]; n] -> [[[[[[A; size]; size]; size]; l']; m']; n']`
//! - *Restrictions*: those of `slide`, in all three dimensions.
//!
//! ## `slide2d`
//!
//! `slide2d(ny, sy, nx, sx, xs)`: 2D windows of `ny` rows and `nx` columns.
//! `sy` and `sx` are the steps; `m'` is `(m - nx + sx) / sx` and `n'` is `(n - ny + sy) / sy`.
//!
//! - *Type*: `size -> size -> size -> size -> [[A; m]; n] -> [[[[A; nx]; ny]; m']; n']`
//! - *Restrictions*: those of `slide`, in each dimension with its own numbers.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1i32, 2, 3, 4, 5];
//! let sums = lift!(a >> slide(3, 1) >> map(reduce(add, 0)))?;
//! let every_other = lift!(slide(3, 2, a))?;
//!
//! let image = [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]];
//! let largest = lift!(image >> slide2(2, 1) >> map2(|window| window >> join >> reduce(max, 0)))?;
//! let rows_of_two = lift!(image >> slide2d(1, 1, 2, 1) >> map2(|window| window >> join >> reduce(add, 0)))?;
//! let cube = [image, image, image];
//! let middle = lift!(cube >> slide3(3, 1) >> map3(|window| window >> join >> join >> reduce(add, 0)))?;
//!
//! assert_eq!(sums.to_vec(), [6, 9, 12]);
//! assert_eq!(every_other, lift::ndarray::arr2(&[[1, 2, 3], [3, 4, 5]]));
//! assert_eq!(largest, lift::ndarray::arr2(&[[5, 6], [8, 9]]));
//! assert_eq!(rows_of_two, lift::ndarray::arr2(&[[3, 5], [9, 11], [15, 17]]));
//! assert_eq!(middle.iter().copied().collect::<Vec<_>>(), [135]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `concat`
//!
//! `concat(a, b, …)`: the arrays one after another; there may be more than two.
//!
//! - *Type*: `[A; n] -> [A; m] -> [A; n + m]`
//! - *Restrictions*: two arrays at least, of one element type.
//!
//! ## `slice`
//!
//! `slice(start, len, xs)`: the `len` elements from position `start` on; all of them must be inside.
//!
//! - *Type*: `size -> size -> [A; n] -> [A; len]`
//! - *Restrictions*: `start + len` is at most `n`.
//!
//! In `mapGlb0(f) >> slice(start, len)`, and likewise for other maps that name their workers, all elements are
//! computed, but only those of the slice are written.
//!
//! ## `len`
//!
//! `len(xs)`: the length, which may also stand where a size is needed.
//!
//! - *Type*: `[A; n] -> size`
//! - *Restrictions*: none.
//!
//! ## `at`
//!
//! `at(i, xs)`: the element at position `i`. A size must lie inside the array; an integer that is computed from data is clamped into it.
//!
//! - *Type*: `size -> [A; n] -> A`
//! - *Restrictions*: `i` is less than `n` where it is a size.
//!
//! ## `atOr`
//!
//! `atOr(i, default, xs)`: the element at position `i`, or `default` where that is outside the array.
//!
//! - *Type*: `size -> A -> [A; n] -> A`
//! - *Restrictions*: `default` has the type of the elements.
//!
//! ## `update`
//!
//! `update(i, x, xs)`: the array with `x` in place of the element at `i`, a number from data; the same array where `i` is none of its positions.
//! Where a step of a reduction is an `update` of its accumulator, after any `let`s, it writes that one element
//! and copies nothing, however long the array is. So does a step that chooses between updates by `if`, or
//! between an update and the accumulator as it is, and one that updates arrays in a tuple: `(update(k, n, t),
//! n + 1)`. Any other use gives a new array.
//!
//! - *Type*: `integer -> A -> [A; n] -> [A; n]`
//! - *Restrictions*: all elements have one type. Those that are arrays, the rows of a matrix, are computed beside
//!   the accumulator and then copied, unless each of their elements is computed from none of the accumulator but
//!   the one that it replaces.
//!
//! ```
//! use lift::lift;
//!
//! let rows = [[1u8, 3, 1, 0], [2, 2, 2, 9]];
//! // How often each number below 4 occurs in a row.
//! let counts = lift!(rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(4, 0))))?;
//! let keys = [0i32, 1, 0];
//! let sums = lift!(zip(keys, [1.5f32, 2.0, 4.0]) >> reduceSeq(|s, (k, x)| update(k, at(k, s) + x, s), repeat(2, 0.0)))?;
//!
//! assert_eq!(counts.into_iter().collect::<Vec<i32>>(), [1, 2, 0, 1, 0, 0, 3, 0]);
//! assert_eq!(sums.to_vec(), [5.5, 2.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `head`
//!
//! `head(xs)`: the first element of an array that is not empty.
//!
//! - *Type*: `[A; n] -> A`
//! - *Restrictions*: the array is not empty.
//!
//! ## `last`
//!
//! `last(xs)`: the last element of an array that is not empty.
//!
//! - *Type*: `[A; n] -> A`
//! - *Restrictions*: the array is not empty.
//!
//! ## `generate`
//!
//! `generate(n, f)`: `f(i)` for every position `i`, computed where it is used and never stored.
//!
//! - *Type*: `size -> (size -> A) -> [A; n]`
//! - *Restrictions*: `f` takes a position, which is a size, and gives a value.
//!
//! ## `repeat`
//!
//! `repeat(n, x)`: `n` times `x`.
//!
//! - *Type*: `size -> A -> [A; n]`
//! - *Restrictions*: none.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1i32, 2, 3, 4];
//! let both = lift!(concat(a, reverse(a)))?;
//! let middle = lift!(slice(1, 2, a))?;
//! let rotated = lift!(concat(slice(1, len(a) - 1, a), repeat(1, head(a))))?;
//! let squares = lift!(generate(4, |i| (i * i) as i32))?;
//! let ends: i32 = lift!(at(0, a) + last(a))?;
//! let picked = lift!(map(|i| at(i, a), a))?;
//! let checked = lift!(map(|i| atOr(i, -1, a), a))?;
//!
//! assert_eq!(both.to_vec(), [1, 2, 3, 4, 4, 3, 2, 1]);
//! assert_eq!(middle.to_vec(), [2, 3]);
//! assert_eq!(rotated.to_vec(), [2, 3, 4, 1]);
//! assert_eq!(squares.to_vec(), [0, 1, 4, 9]);
//! assert_eq!(ends, 5);
//! assert_eq!(picked.to_vec(), [2, 3, 4, 4]);
//! assert_eq!(checked.to_vec(), [2, 3, 4, -1]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `tile`
//!
//! `tile(n, m, xs)`: tiles of `n` rows and `m` columns.
//! `M` and `N` are the lengths of the matrix, not of a tile.
//!
//! - *Type*: `size -> size -> [[A; M]; N] -> [[[[A; m]; n]; M / m]; N / n]`
//! - *Restrictions*: `n` divides the number of rows, and `m` that of columns.
//!
//! ## `untile`
//!
//! `untile(xs)`: the array that was cut into these tiles.
//!
//! - *Type*: `[[[[A; m]; n]; p]; q] -> [[A; m * p]; n * q]`
//! - *Restrictions*: the array has four dimensions at least.
//!
//! ```
//! use lift::lift;
//!
//! let a = [[1i32, 2, 3, 4], [5, 6, 7, 8]];
//! let sums = lift!(a >> tile(2, 2) >> map2(|tile| tile >> join >> reduce(add, 0)))?;
//! let same = lift!(a >> tile(1, 2) >> untile)?;
//!
//! assert_eq!(sums, lift::ndarray::arr2(&[[14, 22]]));
//! assert_eq!(same, lift::ndarray::arr2(&a));
//! # Ok::<(), lift::Error>(())
//! ```
