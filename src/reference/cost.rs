//! How often things are computed: the cost of a program can be read from its source.
//!
//! Everything is computed as often as the program says. A `let` is computed once each time the place where it
//! stands is reached. The function of a `map` is computed once for each element, and that of a `reduce`, a
//! `scan` or an `iterate` once for each step. This holds however the result is used: an array that a later
//! function reads several times, even at positions from data, is stored, unless its elements cost about as
//! little as reading them.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// Every row divided by its sum, which is computed once for each row.
//!     pub fn normalised<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
//!         rows >> map(|row| row >> map(|x| x / reduce(add, 0, row)))
//!     }
//!
//!     /// How many elements are at most as large as each: the 16 counts are computed once.
//!     pub fn ranks<const N: usize>(a: [i32; N]) -> [i32; N] {
//!         let counts = generate(16, |b| a >> map(|x| select(x == b as i32, 1, 0)) >> reduce(add, 0));
//!         let upTo = scanInclusive(add, counts);
//!         a >> map(|x| at(x, upTo))
//!     }
//! }
//!
//! # fn main() -> lift::Result<()> {
//! assert_eq!(normalised(&[[1.0, 3.0], [2.0, 2.0]])?, lift::ndarray::arr2(&[[0.25, 0.75], [0.5, 0.5]]));
//! assert_eq!(ranks(&[3, 1, 3, 0])?.to_vec(), [4, 2, 4, 1]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where it is stored
//!
//! - What mentions nothing that is bound in the functions around it is computed before them, by kernels of
//!   its own, and lies in the memory of the device.
//! - What depends on the arguments of a function is computed once for each application of the function. A
//!   `map` that stands in no other function is divided into several: maps that compute such values, or
//!   arrays, for all elements, and one that reads them. Normally there is room for all elements. If such an
//!   array may be much larger than everything that the program takes and gives (the scores of an attention),
//!   its kernels are launched for some elements at a time, and it takes at most 512 MiB, or the room for one
//!   element. Short arrays (at most 32 elements), and arrays of at most 1024 elements that belong to a window
//!   (`slide`), stay with the work-item. If a function computes nothing longer, and its result is short or
//!   takes no such value, its map stays whole. A `generate` of rows is divided like a map. Maps over rows of
//!   different lengths, and an `iterate` inside a function, are not divided: there, one work-item computes
//!   what its element needs.
//! - What an `iterate` of the whole device computes in every application is computed once, before the first
//!   one, if it mentions neither the array of the `iterate` nor the number of the application.
//! - Rows that work-items reduce side by side are copied first, with their columns side by side.
//! - Reductions of one array that do not need each other become one, which reads the array once.
//!
//! An array whose elements take no loop and few operations is computed where it is read. So is an array that
//! is read a few times, if storing it would take a kernel of its own. In a chain of such arrays, each
//! computed from several elements of the one before, some are stored, so that the whole chain takes at most
//! about four times the operations that the source says.
//! [`store`](super::algorithmic#store) stores an array in any case.
//!
//! # What is not counted
//!
//! A program that says who computes what (`mapGlb0`, `mapWrg0`, `mapLcl0` and their like anywhere in it) is
//! taken at its word. There, arrays that nothing stores are computed where they are read, by every work-item
//! that reads them; `toLocal`, `toPrivate` and `toGlobal` store them. If that is more often than the source
//! says, the documentation of the generated function tells how often each such `let` is computed. So does an
//! event of the crate `tracing` at the level `info`, when the program is built for a device or first called
//! on the host.
