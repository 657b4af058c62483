//! Primitives that say how something is computed: by which work-items, in which order, and in which memory
//! (Steuwer, Remmelg, Dubach, CGO 2017, section 3).
//!
//! A program without them is lowered by the compiler. A program with them is taken at its word, and whatever
//! it leaves open is lowered within the work-items that it states. What could be a race does not compile.
//!
//! Dimensions are numbered from 0, the fastest one; `mapGlb` is `mapGlb0`. If there are more elements than
//! work-items, the work-items take them in turns.
//!
//! ## `mapSeq`
//!
//! `mapSeq(f, xs)`: `map` by one work-item, in a loop.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Restrictions*: none; the work-item is the one that a surrounding map gives.
//!
//! ## `mapGlb0`
//!
//! `mapGlb0(f, xs)`: `map` by global work-items, in dimension 0.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapGlb`, `mapGlobal`, `mapGlobal0`
//! - *Restrictions*: not inside another `mapGlb0`, nor inside `mapWrg` or `mapLcl`.
//!
//! ## `mapGlb1`
//!
//! `mapGlb1(f, xs)`: `map` by global work-items, in dimension 1.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapGlobal1`
//! - *Restrictions*: those of `mapGlb0`, for its own dimension.
//!
//! ## `mapGlb2`
//!
//! `mapGlb2(f, xs)`: `map` by global work-items, in dimension 2.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapGlobal2`
//! - *Restrictions*: those of `mapGlb0`, for its own dimension.
//!
//! ## `reduceSeq`
//!
//! `reduceSeq(f, z, xs)`: all elements combined by `f` in order, starting from `z`.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> B`
//! - *Restrictions*: those of [`reduce`](super::algorithmic#reduce), but the order is always that of the
//!   array. An accumulator that is an array lies in private memory, as far as it fits. If `f` makes it with
//!   `mapLcl`, each work-item of the group has a share of it, and may read its own elements only. With
//!   `toLocal` or `toGlobal` around what `f` makes, the group keeps it in that memory, and a step may read
//!   any element of it. What `z` says of memory only decides where `z` itself is.
//!
//! ## `mapSeqUnroll`
//!
//! `mapSeqUnroll(f, xs)`: `map` by one work-item, in straight-line code; the length must be a number.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Restrictions*: the length is a number.
//!
//! ## `reduceSeqPipelined`
//!
//! `reduceSeqPipelined(f, z, xs)`: `reduceSeq` whose steps load from global memory what the next step needs.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> B`
//! - *Restrictions*: those of `reduceSeq`.
//!
//! Each step first issues the loads of the next one, so that they are on their way while it computes. A load
//! is made early if it reads an array that the kernel does not write, at a position that depends on nothing
//! that a step computes. Early loads take registers, 128 scalars at most. A tile that a step makes of them
//! with `toLocal` is there twice, if local memory suffices, and needs one barrier for each step instead of
//! two. The comment on the loop in the kernel says when there is nothing to load early.
//!
//! ## `reduceGlb`
//!
//! `reduceGlb(f, z, xs)`: a table in global memory that global work-items update together, a step for each element, in any order.
//!
//! - *Type*: `(([B; k], A) -> [B; k]) -> [B; k] -> [A; n] -> [B; k]`
//! - *Also written*: `reduceGlobal`
//! - *Restrictions*: a step is `update(key, at(key, table) + value, table)`, with `+`, `min`, `max`, `&`, `|` or
//!   `^`, where `key` and `value` do not depend on the table; elements are `i32`, `u32`, or tuples of them, each
//!   component updated by an operator of its own; or arrays of these, of which a step updates one in the same way:
//!   `update(i, update(j, at(j, at(i, table)) + value, at(i, table)), table)`; outside of all functions. A step may
//!   also do several such steps: `xs >> reduceSeq(step, table)`.
//!
//! The table is initialised by one kernel and updated by the next, with atomic operations. Their order makes no
//! difference to integers, so that results are the same each time. `reduceByKey` writes such steps. Where `z` is
//! a `reduceGlb` itself, its table is updated where it is.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// How often each remainder of a division by `k` occurs.
//!     fn remainders<const N: usize>(k: size, xs: [u32; N]) -> [i32; k] {
//!         reduceGlb(|table, x| {
//!             let key = x % (k as u32);
//!             update(key, at(key, table) + 1, table)
//!         }, repeat(k, 0), xs)
//!     }
//! }
//!
//! # fn main() -> Result<(), lift::Error> {
//! let counts = remainders(3, &[3, 4, 7, 9, 10])?;
//! assert_eq!(counts.to_vec(), [2, 3, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! ## `reduceLcl`
//!
//! `reduceLcl(f, z, xs)`: a table in local memory that the work-items of a group update together, a step for each element, in any order.
//!
//! - *Type*: `(([B; k], A) -> [B; k]) -> [B; k] -> [A; n] -> [B; k]`
//! - *Also written*: `reduceLocal`
//! - *Restrictions*: those of `reduceGlb` on steps and elements; the length of the table is a number; inside a
//!   `mapWrg`, and not inside a `mapLcl0`.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// The histogram of each chunk of 1024 bytes.
//!     fn histograms<const N: usize>(bytes: [u8; N]) -> [[u32; 256]; N / 1024] where N % 1024 == 0 {
//!         bytes >> split(1024) >> mapWrg0(|chunk| {
//!             chunk >> reduceLcl(|table, byte| update(byte, at(byte, table) + 1, table), repeat(256, 0))
//!                 >> mapLcl0(toGlobal(id))
//!         })
//!     }
//! }
//!
//! # fn main() -> Result<(), lift::Error> {
//! let counts = histograms(&vec![7u8; 2048])?;
//! assert_eq!(counts.dim(), (2, 256));
//! assert_eq!(counts[(1, 7)], 1024);
//! # Ok(())
//! # }
//! ```
//!
//! ## `reduceSeqUnroll`
//!
//! `reduceSeqUnroll(f, z, xs)`: `reduceSeq` in straight-line code; the length must be a number.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> B`
//! - *Restrictions*: those of `reduceSeq`; the length is a number.
//!
//! ## `mapSeqSlide`
//!
//! `mapSeqSlide(f, size, step, xs)`: `f` applied to every window of `slide(size, step)`, by one work-item that keeps the window at hand.
//!
//! - *Type*: `([A; size] -> B) -> size -> size -> [A; n] -> [B; (n - size + step) / step]`
//! - *Restrictions*: those of [`slide`](super::layout#slide).
//!
//! ## `scanSeq`
//!
//! `scanSeq(f, z, xs)`: `scan` by one work-item, in order.
//!
//! - *Type*: `((B, A) -> B) -> B -> [A; n] -> [B; n]`
//! - *Restrictions*: those of `reduceSeq`.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     fn row_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
//!         a >> mapGlb0(reduceSeq(add, 0))
//!     }
//!
//!     fn doubled<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
//!         a >> mapGlb2(mapGlb1(mapGlb0(|x| 2 * x)))
//!     }
//!
//!     /// Work-item `i` adds to the element that work-item `i + 1` has added to before.
//!     fn turning_sums<const N: usize>(a: [[[f32; 8]; 4]; N]) -> [[f32; 8]; N] {
//!         a >> mapWrg0(|rows| rows
//!             >> reduceSeq(|acc, row| zip(acc >> gather(rotate(1)), row) >> toLocal(mapLcl0(add)), repeat(8, 0))
//!             >> mapLcl0(toGlobal(id)))
//!     }
//!
//!     fn doubled_by_few<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
//!         a >> mapGlb0(mapSeq(|x| 2 * x))
//!     }
//! }
//! lift! {
//!     fn sums_of_columns<const N: usize>(a: [[f32; 64]; N]) -> [f32; 64] {
//!         a >> split(N) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
//!             let tile = row >> toLocal(mapLcl0(id));
//!             zip(sums, tile) >> mapLcl0(add)
//!         }, repeat(64, 0)) >> mapLcl0(toGlobal(id))) >> join
//!     }
//! }
//! let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! assert_eq!(sums_of_columns(&[[2.0; 64]; 5])?.to_vec(), [10.0; 64]);
//! assert_eq!(row_sums(&a)?.to_vec(), [6.0, 15.0]);
//! assert_eq!(doubled(&[a])?.sum(), 42.0);
//! assert_eq!(turning_sums(&[[[1.0; 8]; 4]])?.sum(), 32.0);
//! assert_eq!(doubled_by_few(&a)?[[1, 2]], 12.0);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     fn short_sums<const N: usize>(a: [[f32; 3]; N]) -> [f32; N] {
//!         a >> mapGlb0(|row| row >> mapSeqUnroll(|x| 2 * x) >> reduceSeqUnroll(add, 0))
//!     }
//!
//!     fn row_scans<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
//!         a >> mapGlb0(scanSeq(add, 0))
//!     }
//!
//!     fn neighbours<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
//!         a >> mapGlb0(|row| row >> pad(1, 1, clamp) >> mapSeqSlide(reduceSeq(add, 0), 3, 1))
//!     }
//!
//!     fn spread<const N: usize>(a: [[f32; 8]; N]) -> [[f32; 8]; N] {
//!         a >> mapWrg0(|row| row >> split(tune(rows, [2, 4])) >> increase2d(0, 0, 0, 1) >> join
//!                                >> toLocal(mapLcl0(id)) >> increase(0, 1) >> reverse >> mapLcl0(toGlobal(id)))
//!     }
//! }
//! let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! assert_eq!(short_sums(&a)?.to_vec(), [12.0, 30.0]);
//! assert_eq!(row_scans(&a)?.row(1).to_vec(), [0.0, 4.0, 9.0]);
//! assert_eq!(neighbours(&a)?.row(0).to_vec(), [4.0, 6.0, 8.0]);
//! assert_eq!(spread(&[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]])?[[0, 0]], 8.0);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `mapWrg0`
//!
//! `mapWrg0(f, xs)`: `map` by work-groups, in dimension 0.
//! One work-item of the group computes `f` where there is no `mapLcl` inside.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapWrg`, `mapWorkgroup`, `mapWorkgroup0`
//! - *Restrictions*: not inside another `mapWrg0`, nor inside `mapLcl` or `mapGlb`.
//!
//! ## `mapWrg1`
//!
//! `mapWrg1(f, xs)`: `map` by work-groups, in dimension 1.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapWorkgroup1`
//! - *Restrictions*: those of `mapWrg0`, for its own dimension.
//!
//! ## `mapWrg2`
//!
//! `mapWrg2(f, xs)`: `map` by work-groups, in dimension 2.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapWorkgroup2`
//! - *Restrictions*: those of `mapWrg0`, for its own dimension.
//!
//! ## `mapLcl0`
//!
//! `mapLcl0(f, xs)`: `map` by the work-items of a group, in dimension 0.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapLcl`, `mapLocal`, `mapLocal0`
//! - *Restrictions*: inside a `mapWrg`, and not inside another `mapLcl0`. The compiler sets the barriers that
//!   the work-items of a group need to read what others wrote.
//!
//! ## `mapLcl1`
//!
//! `mapLcl1(f, xs)`: `map` by the work-items of a group, in dimension 1.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapLocal1`
//! - *Restrictions*: those of `mapLcl0`, for its own dimension.
//!
//! ## `mapLcl2`
//!
//! `mapLcl2(f, xs)`: `map` by the work-items of a group, in dimension 2.
//!
//! - *Type*: `(A -> B) -> [A; n] -> [B; n]`
//! - *Also written*: `mapLocal2`
//! - *Restrictions*: those of `mapLcl0`, for its own dimension.
//!
//! ## `toGlobal`
//!
//! `toGlobal(f, x)`: `f`, its result stored in global memory.
//!
//! - *Type*: `(A -> B) -> A -> B`
//! - *Restrictions*: what the whole device computes is complete only when the kernel ends, so it cannot be
//!   read inside the same loop. Not inside `toLocal` or `toPrivate`.
//!
//! ## `toLocal`
//!
//! `toLocal(f, x)`: `f`, its result stored in local memory.
//!
//! - *Type*: `(A -> B) -> A -> B`
//! - *Restrictions*: inside a `mapWrg`, whose work-items share the memory; the length of an array is known
//!   during compilation. The elements of a kernel's result lie in global memory.
//!
//! ## `toPrivate`
//!
//! `toPrivate(f, x)`: `f`, its result stored in private memory.
//!
//! - *Type*: `(A -> B) -> A -> B`
//! - *Restrictions*: the length of an array is known during compilation; the work-items of a group do not
//!   compute it together, because each sees its own elements only.
//!
//! ## `increase`
//!
//! `increase(l, r, xs)`: the same array; the buffer that holds it has room for `l` and `r` more elements at its ends.
//!
//! - *Type*: `size -> size -> [A; n] -> [A; n]`
//! - *Restrictions*: none; the value does not change.
//!
//! ## `increase2d`
//!
//! `increase2d(t, b, l, r, xs)`: `increase` in both dimensions: the rows lie further apart.
//!
//! - *Type*: `size -> size -> size -> size -> [[A; m]; n] -> [[A; m]; n]`
//! - *Restrictions*: the array has two dimensions at least.
//!
//! ## `tune`
//!
//! `tune(name, values)`: a size that a tuner may choose from the list; without one, it is the first.
//! `name` is an identifier.
//!
//! - *Type*: `name -> [size] -> size`
//! - *Restrictions*: the values are numbers; one name stands for one choice in a kernel.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// Every chunk of 4 reversed by a work-group, through local memory.
//!     fn reverse_chunks<const N: usize>(a: [f32; N]) -> [f32; N] {
//!         a >> split(4)
//!           >> mapWrg0(|chunk| chunk >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(toGlobal(id)))
//!           >> join
//!     }
//!
//!     /// Sums of squares of pairs, which wait in registers.
//!     fn pairs<const N: usize>(a: [f32; 2 * N]) -> [f32; N] {
//!         a >> split(2) >> mapGlb0(|pair| pair >> toPrivate(mapSeq(|x| x * x)) >> reduceSeq(add, 0))
//!     }
//!
//!     /// Tiles of a matrix, one for each work-group of two dimensions.
//!     fn tiles<const N: usize, const M: usize>(a: [[f32; 2 * M]; 2 * N]) -> [[f32; 2 * M]; 2 * N] {
//!         a >> tile(2, 2) >> mapWrg1(mapWrg0(mapLcl1(mapLcl0(|x| x + 1)))) >> untile
//!     }
//!
//!     /// Groups and work-items of three dimensions.
//!     fn blocks<const N: usize>(a: [[[f32; 2]; 2]; N]) -> [[[f32; 2]; 2]; N] {
//!         a >> split(1) >> mapWrg2(mapLcl2(mapLcl1(mapLcl0(|x| x + 1)))) >> join
//!     }
//! }
//! assert_eq!(reverse_chunks(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?.to_vec(), [4.0, 3.0, 2.0, 1.0, 8.0, 7.0, 6.0, 5.0]);
//! assert_eq!(pairs(&[1.0, 2.0, 3.0, 4.0])?.to_vec(), [5.0, 25.0]);
//! assert_eq!(tiles(&[[0.0; 4]; 2])?.sum(), 8.0);
//! assert_eq!(blocks(&[[[0.0; 2]; 2]; 3])?.sum(), 12.0);
//! # Ok::<(), lift::Error>(())
//! ```
