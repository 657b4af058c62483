//! What generated code may use, and how. The contents change without notice.
//!
//! # What is trusted
//!
//! Safe code can do no harm with what is here, whatever it calls. Only one promise is trusted: that of the
//! `unsafe` function [`Generated::new`], that a program and its functions for the host keep to their arrays
//! and do not race. An expansion of `lift!` makes this promise, once. Arguments are not trusted: every call
//! compares types, ranks, lengths, devices and numbers of elements with the program, and the traits of
//! arguments are sealed.
//!
//! # For the author of the macro
//!
//! Generated code consists of one `static` [`Program`], one [`Generated`] and calls of a [`Call`]. All
//! knowledge about sizes is in the program; the types of Rust carry only what rustc has to report itself. A
//! generated function needs
//!
//! - **for each array parameter** a type parameter `A: Input<T, RANK> + ?Sized`, passed as `&A`. This
//!   accepts every kind of host data and device array, and infers the type of literals (`&[1.0, 2.0]`);
//! - **for each open element type** (`ScalarType::Parameter(k)`) a type parameter `Tk: Element`, which rustc
//!   infers from any of the arguments that have it: `A: Input<T0, 1>, B: Input<T0, 1>`, result `Array1<T0>`;
//! - **for each array of any rank** (whose elements an expression only moves)
//!   `A: OpenInput<T0, RANK> + ?Sized`, where `RANK` is the number of dimensions that the program knows. It
//!   is passed with `.array_of_any_rank(a, RANK, 0)`. In the program it has one more dimension, whose length
//!   is the number of elements of a row. A result with rows has the type
//!   `Array<T0, <<A::Dimension as Without<RANK>>::More as Beyond>::Added<Ix1>>`;
//! - **for each two dimensions that are the same plain variable** a bound
//!   `A: SameSizeAs<dimension of A, B, dimension of B>`; to tie each occurrence to the first is enough;
//! - **for each dimension that is a literal** a bound `A: HasSize<dimension, literal>`. Sizes that are
//!   expressions need no bound, they are solved and checked at the call;
//! - **for each scalar** a parameter of the scalar type itself, and `.scalar(x)`; in `enqueue` and
//!   `enqueue_into` a type parameter `X: ValueInput<f32>` and `.value::<f32, _>(x)`; for a size a `usize`, and
//!   `.size(n)`. An open type that only scalars have is `Tk: ByValue<Element: Number>`, and the element type
//!   `<Tk as ByValue>::Element`.
//!
//! Tuples are taken apart: [`Program::parameters`] and [`Program::results`] hold their components, depth
//! first, named `p.0` and so on. An array of tuples still has one generic parameter,
//! `A: Input<(f32, i32), 1>`, and one `.array(a)` passes all its components. A tuple of arrays is a parameter
//! `p: (&A, &B)`, passed as `.array(p.0).array(p.1)`. An array of tuples is returned as `Array1<(f32, i32)>`
//! and stays on a device as `DeviceArray<(f32, i32), Ix1>`.
//!
//! Arguments are given to the [`Call`] in the order of [`Program::parameters`]. A call ends in one of
//!
//! | method | returns | `R` |
//! | --- | --- | --- |
//! | `.run::<R>(&device)` | `Result<R>` | `Array1<T>` …, a scalar, a tuple of these |
//! | `.run_into(&device, out)` | `Result<()>` | `out`: `&mut O` with `O: Place<T, RANK>`, or a tuple of these |
//! | `.enqueue::<R>(&device)` | `Result<R>` | `DeviceArray<T, Ix1>` …, `Ix0` for a scalar, a tuple of these |
//! | `.enqueue_into(&device, out)` | `Result<()>` | `out`: `&mut` of what `enqueue` returns, or a tuple of these |
//! | `.profile::<R>(&device)` | `Result<(R, Profile)>` | as for `run` |
//!
//! `R` is inferred from the declared result of the generated function. In generated code every path begins
//! with the facade (`$crate::__private::…`, `$crate::ndarray::…`); the examples use this crate's own name.
//!
//! ## What the OpenCL C may rely on
//!
//! - `index_t` and `T0`, `T1`, … are macros, given by `-D`. A `bool` is `uchar`, 0 or 1.
//! - Buffers hold exactly the elements of their arrays (at least one byte), and do not overlap, except that
//!   one device array may be passed for several parameters, all of which are only read.
//! - Parameters are never written. Results and temporaries are uninitialised.
//! - `get_global_size(d)` is the kernel's `global[d]` rounded up to a multiple of `local[d]`, the work-group
//!   size is `local`. A kernel with a global size of zero is not launched. Where `launches` is `Any`, these
//!   sizes may be any others, with one work-item or group in each dimension over which nothing is
//!   distributed.
//! - Every size variable satisfies its minimum, every equation between sizes and every obligation holds.
//! - Kernels of a program run one after the other.
//!
//! ## Kernels for the host
//!
//! A program may come with one function of Rust for each of its kernels, generic in the open element types,
//! in the order of the kernels of its [plain form](Program::plain). A function takes its arguments
//! at the positions of the [`Kernel`]'s `host_arguments`. The functions are part of the [`Generated`],
//! `Generated::new(&PROGRAM, &[kernel_0::<T0>, kernel_1::<T0>])`. [`host`] says what they are called with and
//! what they may call. They may rely on what the OpenCL C may rely on; results and temporaries may hold
//! anything at first, and an index is an `isize`. A program without such functions is an error on the host.
//!
//! ## A function item
//!
//! For `#[opencl] fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K])
//! -> [[f32; M]; N]`, which has no functions for the host:
//!
//! ```
//! use lift_runtime::{__private as p, Device, DeviceArray, Profile, Result, ndarray};
//!
//! /// Matrix product.
//! pub fn mm<A, B>(a: &A, b: &B) -> Result<ndarray::Array2<f32>>
//! where
//!     A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!     B: p::Input<f32, 2> + ?Sized,
//! {
//!     let restriction = p::Restriction { program: "mm", devices: p::Devices::OpenCl };
//!     mm::call(a, b).run(&restriction.default_device()?)
//! }
//!
//! pub mod mm {
//!     use lift_runtime::{__private as p, Device, DeviceArray, Profile, Result, ndarray};
//!
//!     /// The generated OpenCL C.
//!     pub const SOURCE: &str = "
//!         kernel void mm(global const float *restrict a, global const float *restrict b,
//!                        global float *restrict out, const index_t N, const index_t M, const index_t K) {
//!             const index_t i = get_global_id(1), j = get_global_id(0);
//!             float sum = 0;
//!             for (index_t k = 0; k < K; ++k) sum += a[i * K + k] * b[k * M + j];
//!             out[i * M + j] = sum;
//!         }";
//!
//!     const N: p::Size = p::Size::Variable(0);
//!     const M: p::Size = p::Size::Variable(1);
//!     const K: p::Size = p::Size::Variable(2);
//!
//!     static PROGRAM: p::Program = p::Program {
//!         name: "mm",
//!         type_parameters: 0,
//!         sizes: &[
//!             p::SizeVariable { name: "N", minimum: 0 },
//!             p::SizeVariable { name: "M", minimum: 0 },
//!             p::SizeVariable { name: "K", minimum: 0 },
//!         ],
//!         parameters: &[
//!             p::Parameter {
//!                 name: "a",
//!                 ty: p::ParameterType::Array { element: p::ScalarType::F32, shape: &[N, K] },
//!             },
//!             p::Parameter {
//!                 name: "b",
//!                 ty: p::ParameterType::Array { element: p::ScalarType::F32, shape: &[K, M] },
//!             },
//!         ],
//!         results: &[p::ArrayType { element: p::ScalarType::F32, shape: &[N, M] }],
//!         obligations: &[],
//!         plain: p::Form {
//!             source: SOURCE,
//!             extents: &[p::Size::Multiply(&[N, K]), p::Size::Multiply(&[K, M]), p::Size::Multiply(&[N, M])],
//!             kernels: &[p::Kernel {
//!                 entry: "mm",
//!                 arguments: &[
//!                     p::Argument::Parameter(0),
//!                     p::Argument::Parameter(1),
//!                     p::Argument::Result(0),
//!                     p::Argument::Size(0),
//!                     p::Argument::Size(1),
//!                     p::Argument::Size(2),
//!                 ],
//!                 host_arguments: &[
//!                     p::Argument::Parameter(0),
//!                     p::Argument::Parameter(1),
//!                     p::Argument::Result(0),
//!                     p::Argument::Size(0),
//!                     p::Argument::Size(1),
//!                     p::Argument::Size(2),
//!                 ],
//!                 global: [M, N, p::Size::Constant(1)],
//!                 local: [1, 1, 1],
//!                 launches: p::Launches::Pinned,
//!                 local_memory: p::Size::Constant(0),
//!             }],
//!             steps: &[p::Action::Launch(0)],
//!             ..p::NO_KERNELS
//!         },
//!         others: &[],
//!         exact: p::ROUNDED_FREELY,
//!         repeated: &[],
//!     };
//!
//!     // SAFETY: the kernel stays inside of its arrays, and every work-item writes an element of its own.
//!     const GENERATED: p::Generated<'static> = unsafe { p::Generated::new(&PROGRAM, &[]) };
//!
//!     pub(super) fn call<'a, A, B>(a: &'a A, b: &'a B) -> p::Call<'a>
//!     where
//!         A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!         B: p::Input<f32, 2> + ?Sized,
//!     {
//!         p::Call::new(GENERATED).array(a).array(b)
//!     }
//!
//!     /// Compiles `mm` for a device.
//!     pub fn on(device: &Device) -> Result<Kernel> {
//!         Ok(Kernel(p::Compiled::new(GENERATED, device, &[])?))
//!     }
//!
//!     /// `mm`, compiled for a device.
//!     #[derive(Debug, Clone)]
//!     pub struct Kernel(p::Compiled);
//!
//!     impl Kernel {
//!         pub fn run<A, B>(&self, a: &A, b: &B) -> Result<ndarray::Array2<f32>>
//!         where
//!             A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!             B: p::Input<f32, 2> + ?Sized,
//!         {
//!             call(a, b).run(self.0.device())
//!         }
//!
//!         pub fn run_into<A, B, O>(&self, a: &A, b: &B, out: &mut O) -> Result<()>
//!         where
//!             A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!             B: p::Input<f32, 2> + ?Sized,
//!             O: p::Place<f32, 2> + p::SameSizeAs<0, A, 0> + p::SameSizeAs<1, B, 1> + ?Sized,
//!         {
//!             call(a, b).run_into(self.0.device(), out)
//!         }
//!
//!         pub fn enqueue<A, B>(&self, a: &A, b: &B) -> Result<DeviceArray<f32, ndarray::Ix2>>
//!         where
//!             A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!             B: p::Input<f32, 2> + ?Sized,
//!         {
//!             call(a, b).enqueue(self.0.device())
//!         }
//!
//!         pub fn profile<A, B>(&self, a: &A, b: &B) -> Result<(ndarray::Array2<f32>, Profile)>
//!         where
//!             A: p::Input<f32, 2> + p::SameSizeAs<1, B, 0> + ?Sized,
//!             B: p::Input<f32, 2> + ?Sized,
//!         {
//!             call(a, b).profile(self.0.device())
//!         }
//!     }
//! }
//!
//! # fn main() -> Result<()> {
//! let a = [[1.0, 2.0], [3.0, 4.0]];
//! let b = vec![[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]];
//! let expected = ndarray::array![[21.0, 24.0, 27.0], [47.0, 54.0, 61.0]];
//! assert_eq!(mm(&a, &b)?, expected);
//!
//! let device = p::Restriction { program: "mm", devices: p::Devices::OpenCl }.default_device()?;
//! let kernel = mm::on(&device)?;
//! let mut out = [[0.0; 3]; 2];
//! kernel.run_into(&a, &b, &mut out)?;
//! assert_eq!(out, [[21.0, 24.0, 27.0], [47.0, 54.0, 61.0]]);
//! assert_eq!(kernel.enqueue(&device.upload(&a)?, &b)?.download()?, expected);
//! # Ok(())
//! # }
//! ```
//!
//! Every kernel has the methods `forms`, `form`, `specialised`, `unspecialised`, `launch` and `launch_of`.
//! The macro [`variants`] writes them; it stands in an `impl Kernel` whose struct has one field, `compiled`.
//!
//! A kernel with open element types has them as parameters of `on` and `Kernel`
//! (`pub fn on<T0: Element>(…) -> Result<Kernel<T0>>`, built by
//! [`Compiled::new`]`(GENERATED, device, &[T0::SCALAR])`).
//!
//! ## An inline expression with an open element type
//!
//! For `lift!(map(|x| x + x, xs))`, where `xs` is any Rust expression in scope, again without functions for
//! the host. The block keeps the names of the items to itself; local variables get the span `mixed_site`.
//!
//! ```
//! # use lift_runtime::{__private as p, Device, Result, ndarray};
//! # fn main() -> Result<()> {
//! # let xs = vec![1i16, 2, 3];
//! let doubled = {
//!     const OPEN: p::ScalarType =
//!         p::ScalarType::Parameter(p::TypeParameter { index: 0, class: p::ScalarClass::Number });
//!     static PROGRAM: p::Program = p::Program {
//!         name: "lift!(map(|x| x + x, xs))",
//!         type_parameters: 1,
//!         sizes: &[p::SizeVariable { name: "len(xs)", minimum: 0 }],
//!         parameters: &[p::Parameter {
//!             name: "xs",
//!             ty: p::ParameterType::Array {
//!                 element: OPEN,
//!                 shape: &[p::Size::Variable(0)],
//!             },
//!         }],
//!         results: &[p::ArrayType {
//!             element: OPEN,
//!             shape: &[p::Size::Variable(0)],
//!         }],
//!         obligations: &[],
//!         plain: p::Form {
//!             source: "kernel void map(global const T0 *restrict xs, global T0 *restrict out) {
//!                          out[get_global_id(0)] = xs[get_global_id(0)] + xs[get_global_id(0)];
//!                      }",
//!             extents: &[p::Size::Variable(0)],
//!             kernels: &[p::Kernel {
//!                 entry: "map",
//!                 arguments: &[p::Argument::Parameter(0), p::Argument::Result(0)],
//!                 host_arguments: &[p::Argument::Parameter(0), p::Argument::Result(0)],
//!                 global: [p::Size::Variable(0), p::Size::Constant(1), p::Size::Constant(1)],
//!                 local: [1, 1, 1],
//!                 launches: p::Launches::Pinned,
//!                 local_memory: p::Size::Constant(0),
//!             }],
//!             steps: &[p::Action::Launch(0)],
//!             ..p::NO_KERNELS
//!         },
//!         others: &[],
//!         exact: p::ROUNDED_FREELY,
//!         repeated: &[],
//!     };
//!     fn __lift_call<T0: p::Element, A: p::Input<T0, 1> + ?Sized>(xs: &A) -> Result<ndarray::Array1<T0>> {
//!         // SAFETY: the kernel stays inside of its arrays, and every work-item writes an element of its own.
//!         let generated = unsafe { p::Generated::new(&PROGRAM, &[]) };
//!         let restriction = p::Restriction { program: PROGRAM.name, devices: p::Devices::OpenCl };
//!         p::Call::new(generated).array(xs).run(&restriction.default_device()?)
//!     }
//!     __lift_call(&(xs))
//! }?;
//! assert_eq!(doubled, ndarray::array![2, 4, 6]);
//! # Ok(())
//! # }
//! ```

pub use crate::__variants as variants;
pub use crate::call::{Call, Compiled};
pub use crate::class::{Bits, Float, Integer, Number};
pub use crate::device_destination::DeviceDestination;
pub use crate::element::{ByValue, Element, Entry, Item, ItemOf, SameType};
pub use crate::erased::ErasedVec;
pub use crate::generated::Generated;
pub use crate::host;
pub use crate::input::{
    Array, AtLeast, Beyond, Dim, Dynamic, HasSize, Input, MayBe, OpenInput, OpenItem, SameSize, SameSizeAs,
    Static, Value, ValueInput, Without,
};
pub use crate::number;
pub use crate::output::{ArrayMut, Destination, DeviceOutput, Output, Place, PlaceOfVectors, Untyped};
pub use crate::program::{
    Action, Alternation, Argument, ArrayType, Condition, DeviceClass, Distribution, End, Exactness, Form,
    Guard, Kernel, Launches, NO_KERNELS, Obligation, Parameter, ParameterType, Portion, Program,
    ROUNDED_FREELY, Relation, Repetition, ScalarClass, ScalarType, Size, SizeVariable, Temporary,
    TypeParameter,
};
pub use crate::restriction::{Devices, Restriction};
