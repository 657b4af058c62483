//! Items and closures: kernels with a name, user functions, constants, and what they may carry.
//!
//! **Kernels** are functions with an array or a size among their parameters or in their result. The
//! parameters of a kernel are arrays, which a call borrows, scalars, tuples of these, and sizes (`m: size`, a
//! `usize` in Rust). Its result is an array, a scalar or a tuple of these. The elements of arrays are scalars
//! or tuples of scalars. Its generics are sizes and [element types](#generic-element-types). Each occurs in
//! the type of a parameter, so that a call can determine it.
//!
//! **User functions** are functions on scalars and tuples of scalars. They become OpenCL functions, and
//! ordinary Rust functions with the same meaning, which do not return a `Result`. Since their bodies are often
//! copied from Rust, `<<` and `>>` shift bits there, and bind as in Rust. The count may be an integer of any type
//! and is taken modulo the number of bits, as in `wrapping_shl`. A literal that is shifted has the type of its
//! count, unless that is computed from literals and constants. Where a function stands at the right of `>>`, it is applied as elsewhere.
//!
//! **Closures** are kernels that are values. Names of sizes in upper case need no declaration, and numbers of
//! the environment are captured when the closure is made.
//!
//! **Expressions** are computed at once; their free variables are Rust variables. An element type comes from
//! use; where use leaves it open, it comes from the Rust variable. So does a number of dimensions. If an
//! array is only rearranged, as in `lift!(reverse(a))`, its elements are what they are in Rust, numbers or
//! rows of any shape, and the result has the same rows. If such elements end up in one array, as in
//! `concat(a, b)`, their shapes are compared when the expression is computed. An element is a number if it is
//! returned by itself, as in `lift!(head(a))`, or in a tuple in an array. It is also a number if it is
//! computed with, compared, chosen, accumulated, or given to a primitive of the OpenCL level. For rows, write
//! a closure: `lift!(|a: [[f32; M]; N]| head(a)).run(&a)`.
//!
//! Items may stand in any order, and inside of functions. A kernel may call another, which then becomes a
//! part of it; recursion is an error.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// `acc + x.0 * x.1`
//!     fn multiply_add(acc: f32, x: (f32, f32)) -> f32 {
//!         acc + x.0 * x.1
//!     }
//!
//!     /// The dot product.
//!     fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
//!         zip(a, b) >> reduceSeq(multiply_add, 0)
//!     }
//!
//!     /// A step of the random generator xorshift.
//!     fn xorshift(x: u32) -> u32 {
//!         let x = x ^ x << 13;
//!         let x = x ^ x >> 17;
//!         x ^ x << 5
//!     }
//!
//!     /// A matrix times a vector.
//!     fn apply<const N: usize, const M: usize>(m: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
//!         m >> map(|row| dot(row, x))
//!     }
//! }
//! assert_eq!(multiply_add(1.0, (2.0, 3.0)), 7.0);
//! assert_eq!(xorshift(1), 270_369);
//! assert_eq!(apply(&[[1.0, 2.0], [3.0, 4.0]], &[1.0, 1.0])?.to_vec(), [3.0, 7.0]);
//! assert!(dot::SOURCE.contains("multiply_add"));
//!
//! let factor = 2.0f32;
//! let scale = lift!(|a: [f32; N]| map(|x| factor * x, a));
//! assert_eq!(scale.run(&[1.0, 2.0])?.to_vec(), [2.0, 4.0]);
//!
//! let (list, rows) = ([1, 2, 3], vec![[1.5, 2.5], [3.5, 4.5]]);
//! assert_eq!(lift!(reverse(list))?, lift::ndarray::array![3, 2, 1]);
//! assert_eq!(lift!(reverse(rows))?, lift::ndarray::array![[3.5, 4.5], [1.5, 2.5]]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Generic element types
//!
//! `fn f<T: Float, const N: usize>(k: T, x: [T; N]) -> [T; N]` takes elements of every type that is a
//! [`Float`](crate::Float). The other bounds are [`Number`](crate::Number), [`Integer`](crate::Integer) and
//! [`Element`](crate::Element), for elements that are only moved and compared; they may stand in the `where`
//! clause. The function in Rust is as generic, and Rust code that is generic itself calls it with the same traits.
//! Kernels are compiled for a type when they are first called with it. A type occurs in the type of a parameter,
//! so that a call can determine it.
//!
//! The body may do what the bound allows and nothing else: `sqrt(x)` of a `T: Number` is a mistake, whose message
//! says which bound to write. A literal takes the type `T` as any other, `x as f32` converts from it, and `n as T`
//! to it, from integers and sizes, and from floats where `T` is a `Float`.
//!
//! User functions may be generic, too. They are a part of the kernels that call them, so that `#[assoc]` and
//! `#[comm]` are not for them.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     fn square<T: Number>(x: T) -> T {
//!         x * x
//!     }
//!
//!     /// `k * x + y`
//!     fn axpy<T: Float, const N: usize>(k: T, x: [T; N], y: [T; N]) -> [T; N] {
//!         zip(x, y) >> map(|x, y| k * x + y)
//!     }
//!
//!     fn norm<T, const N: usize>(a: [T; N]) -> T
//!     where
//!         T: Float,
//!     {
//!         sqrt(reduce(add, 0, map(square, a)))
//!     }
//! }
//! fn longest<T: lift::Float>(rows: &[Vec<T>]) -> lift::Result<Option<T>> {
//!     let lengths: Vec<T> = rows.iter().map(norm).collect::<Result<_, _>>()?;
//!     Ok(lengths.into_iter().reduce(|x, y| if x < y { y } else { x }))
//! }
//!
//! assert_eq!(axpy(2.0f32, &[1.0, 2.0], &[0.5, 0.25])?.to_vec(), [2.5, 4.25]);
//! assert_eq!(axpy(2.0f64, &[1.0], &[0.5])?.to_vec(), [2.5]);
//! assert_eq!(longest(&[vec![3.0f64, 4.0], vec![1.0]])?, Some(5.0));
//! assert_eq!((square(3u8), square(-1.5f32)), (9, 2.25));
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Constants
//!
//! `const NAME: T = value;` among the items is a constant of Rust with its visibility, and all items of the
//! same `lift!` see it, in any order. A `usize` is a [size](super::sizes): it stands in types, as an argument of
//! primitives, and in computations as every size does. Any other constant is a scalar. Its value is computed
//! during the build from literals and other constants, with operators (Rust's shifts among them, `1 << 5`), `as`,
//! `if` and blocks; that of a size as [sizes](super::sizes) are. A literal takes its type from the constant, as
//! everywhere: `const HALF: f32 = 1 / 2;` is 0.5. An integer that does not fit, a division of integers by zero and
//! a shift by as many bits as there are or more are errors. No parameter and no
//! variable may have the name of a constant, as in Rust. rustc warns of a constant that neither an item nor Rust
//! code uses.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     /// How far a window reaches.
//!     pub const RADIUS: usize = 2;
//!     const WIDTH: usize = 2 * RADIUS + 1;
//!     const WEIGHT: f32 = 1.0 / (WIDTH as f32);
//!
//!     fn blur<const N: usize>(a: [f32; N]) -> [f32; N] {
//!         a >> pad(RADIUS, RADIUS, clamp) >> slide(WIDTH, 1) >> map(|window| WEIGHT * reduce(add, 0, window))
//!     }
//! }
//! assert_eq!(blur(&[0.0, 5.0, 10.0])?.to_vec(), [3.0, 5.0, 7.0]);
//! assert_eq!(RADIUS, 2);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Attributes
//!
//! | attribute | of | meaning |
//! | --- | --- | --- |
//! | `#[assoc]` | a user function `fn f(a: T, b: T) -> T` | it is associative: [`scan`](super::algorithmic#scan) and, if it is `#[comm]` as well, [`reduce`](super::algorithmic#reduce) may combine partial results with it |
//! | `#[comm]` | a user function of two values of one type | it is commutative: `reduce` may exchange its operands |
//! | `#[launch(local = (64, 1), global = (N, M))]` | a kernel | how many work-items a group and the whole launch have, dimension 0 first; a plain number for one dimension. Otherwise the compiler chooses. A program that runs as several kernels may have one for all, or one for each in the order in which they run: `#[launch()]` leaves its kernel to the compiler |
//! | `#[launch(any)]` | a kernel | it is right for any launch, and has no `reqd_work_group_size`; see [below](#launches) |
//! | `#[schedule(splitJoin(64), mapWrg(0))]` | a kernel | the strategies that make a form of it, in order: names with arguments, which `cargo lift-explain --strategies` and `--rules` list, and the page `docs/schedules.md` explains; what they need of sizes selects the form. `#[schedule(default)]` is what a kernel without the attribute gets; `#[schedule(plain)]` applies every operator in the order of the program, and makes no other form |
//! | `#[strict]` | a kernel | every device computes the same bits; see [below](#strict-kernels) |
//! | `#[opencl]`, `#[host]` | a kernel | it runs on OpenCL devices only, or on the host only: by default on the first device of that kind in the usual order, and a call on another one is an [`Error::RestrictedKernel`](crate::Error::RestrictedKernel) |
//!
//! Documentation comments, visibility and all other attributes are passed on to the Rust function.
//!
//! ## Strict kernels
//!
//! A kernel with `#[strict]` computes the bits that a plain loop of Rust computes, on every device: each
//! operation on floats is rounded once, to the nearest number, and `reduce`, `scan`, `reduceByKey` and `dot`
//! combine floats in their order. Of two zeros, the negative one is the smaller one.
//!
//! - *Restrictions*: no `mad` of floats and no `native_` functions, which each device rounds as it likes;
//!   `fma` rounds once everywhere. No strategy of a schedule that combines floats in another order. A kernel
//!   that calls a strict one is strict itself. A device that rounds otherwise is an
//!   [`Error::Inexact`](crate::Error::Inexact).
//! - The bits of a NaN, and the last bits of the functions of the mathematical library, are those of the
//!   device. [These functions](super::functions) are all but `sqrt`, `abs`, `sign`, `min`, `max`, `clampv`,
//!   `floor`, `ceil`, `round`, `trunc`, `rint`, `fmod`, `ldexp`, `copysign` and `fma`.
//! - Laws that are stated of functions on floats do not count. A whole array of floats is reduced by one
//!   work-item, unless by `min` or `max`.
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     #[strict]
//!     fn norm<const N: usize>(a: [f32; N]) -> f32 { sqrt(reduce(|sum, x| sum + x * x, 0, a)) }
//! }
//! let a: Vec<f32> = (1..1000).map(|i| 1.0 / i as f32).collect();
//! let in_a_loop = a.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
//! assert_eq!(norm(&a)?.to_bits(), in_a_loop.to_bits());
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Forms
//!
//! A kernel may have several forms: OpenCL programs that compute the same in different ways, each for some
//! devices and sizes. A call has the first one that is for its device and its sizes and whose kernels the
//! device can launch; the last one, `plain`, is for all of them, and the host always computes it. `forms()`
//! lists them, and `form(name)` gives the same kernel, always in that form. A form may combine the elements
//! of an associative function in another way, so that sums of floats are rounded differently; for one device
//! and one size the form is always the same.
//!
//! ## Launches
//!
//! A kernel is compiled for one launch: its loops over work-items know how many there are. With
//! `#[launch(any)]` these loops find out how many there are, so that the kernel is correct for any launch.
//! The sizes are then chosen on the compiled kernel: `launch(global, local)` for all kernels of the program,
//! `launch_of(name, global, local)` for one of several, by its name in `SOURCE`. `global` is the number of
//! work-items of the launch and `local` that of a group, dimension 0 first; dimensions that are left out have
//! one. If nothing is chosen, a launch is the one that the compiler would have stated, in groups that the
//! device can have.
//!
//! - *Restrictions*: one to three dimensions, no zeros, whole groups, and groups no larger than the device
//!   and the kernel's registers allow. A dimension has several groups only if a `mapGlb` or a `mapWrg`
//!   distributes work over it, and several work-items in a group only if a `mapGlb` or a `mapLcl` does.
//!   Anything else, and a choice for a kernel without the attribute, is an
//!   [`Error::Launch`](crate::Error::Launch).
//! - An array that the work-items of a group make together, such as the accumulator of a `reduceSeq` over a
//!   `mapLcl`, lies in local memory and not in registers. Where a `mapLcl` stands around it, the number of
//!   its iterations must be known during compilation.
//! - Loads of `reduceSeqPipelined` are made early only by loops over work-items that have a single iteration.
//!   Other loops load when it is their turn.
//! - The host has no work-groups: a choice is checked, and changes nothing.
//!
//! ```
//! use lift::{Device, Error, lift};
//!
//! lift! {
//!     #[launch(any)]
//!     fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
//!         a >> mapGlb0(|x| 2 * x)
//!     }
//! }
//! let kernel = doubled::on(&Device::default_device()?)?;
//! for (global, local) in [(1, 1), (6, 3), (64, 16)] {
//!     assert_eq!(kernel.clone().launch(&[global], &[local])?.run(&[1.0, 2.0, 3.0])?.to_vec(), [2.0, 4.0, 6.0]);
//! }
//! assert!(matches!(kernel.launch(&[64, 2], &[16]), Err(Error::Launch { .. })));
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## `where`
//!
//! A `where` clause states [constraints](super::sizes#constraints) on sizes. The compiler uses them, and a
//! call whose sizes do not meet them is an [`Error::Obligation`](crate::Error::Obligation).
//!
//! ```
//! use lift::lift;
//!
//! lift! {
//!     #[launch(local = 4, global = 8)]
//!     fn doubled<const N: usize>(a: [f32; N]) -> [f32; 4 * (N / 4)]
//!     where
//!         N % 4 == 0,
//!     {
//!         a >> split(4) >> mapWrg0(mapLcl0(|x| 2 * x)) >> join
//!     }
//! }
//! assert_eq!(doubled(&[1.0, 2.0, 3.0, 4.0])?.to_vec(), [2.0, 4.0, 6.0, 8.0]);
//! assert!(doubled(&[1.0, 2.0, 3.0]).is_err());
//! # Ok::<(), lift::Error>(())
//! ```
