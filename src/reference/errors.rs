//! When each kind of mistake is found.
//!
//! **While your crate is built**, by the macro, at the smallest part of the expression that is wrong. In a
//! pipeline that is the call, and the message says in words what reaches it. Independent mistakes are all
//! reported:
//!
//! | mistake | message |
//! | --- | --- |
//! | syntax, unknown names | what was expected; the nearest name that there is |
//! | a wrong number of arguments | the primitive with its type |
//! | types and sizes that differ | both types with their sizes |
//! | a constraint that never holds | the constraint, and which sizes would do |
//! | `mapLcl` outside `mapWrg`, a dimension that is nested twice, memory that its readers do not see | what the rule is for, and what to write instead |
//! | recursion, functions in arrays | what to write instead |
//!
//! ```text
//! error: `split(3)`: 3 does not divide the length 8
//!        help: 1, 2, 4 and 8 would
//! ```
//!
//! **While your crate is built**, by rustc, at a call: an array where the kernel has a number, a wrong
//! element type, static arrays of the wrong size.
//!
//! **When a kernel is called**, before anything is launched, as an [`Error`](crate::Error):
//!
//! | mistake | error |
//! | --- | --- |
//! | slices, vectors and `ndarray`s of a wrong size | [`SizeMismatch`](crate::Error::SizeMismatch), [`NoSuchSize`](crate::Error::NoSuchSize), [`SizeTooSmall`](crate::Error::SizeTooSmall) |
//! | a wrong number of dimensions | [`Rank`](crate::Error::Rank) |
//! | arrays of different shapes that are uploaded as one array of tuples | [`ComponentShape`](crate::Error::ComponentShape) |
//! | a constraint that these sizes do not meet | [`Obligation`](crate::Error::Obligation) |
//! | a destination of the wrong shape | [`DestinationShape`](crate::Error::DestinationShape) |
//! | a destination on a device that shares its memory, or is on another device | [`SharedDestination`](crate::Error::SharedDestination), [`OtherDevice`](crate::Error::OtherDevice) |
//! | no device, no device of this name | [`NoDevice`](crate::Error::NoDevice), [`DeviceNotFound`](crate::Error::DeviceNotFound), [`HostBackendMissing`](crate::Error::HostBackendMissing) |
//! | no instructions of this name, a process that was forked after the first use | [`NoSuchInstructions`](crate::Error::NoSuchInstructions), [`Forked`](crate::Error::Forked) |
//! | a kernel for OpenCL only on the host | [`NoHostCode`](crate::Error::NoHostCode) |
//! | more memory or work-items than the device has | [`DeviceLimit`](crate::Error::DeviceLimit) |
//! | sizes of a launch that a kernel does not allow, a kernel that a program does not have | [`Launch`](crate::Error::Launch), [`NoSuchKernel`](crate::Error::NoSuchKernel) |
//! | a form that a kernel does not have, or that is not for the sizes or the device of a call | [`NoSuchForm`](crate::Error::NoSuchForm), [`Form`](crate::Error::Form) |
//! | a [strict](super::items#strict-kernels) kernel on a device that rounds otherwise | [`Inexact`](crate::Error::Inexact) |
//! | `f16` or `f64` on a device without | [`MissingExtension`](crate::Error::MissingExtension) |
//!
//! ```
//! use lift::{Error, lift};
//!
//! let (a, b) = (vec![1.0f32, 2.0], vec![1.0f32, 2.0, 3.0]);
//! let error = lift!(zip(a, b) >> map(mult) >> reduce(add, 0)).expect_err("2 is not 3");
//! assert!(matches!(error, Error::SizeMismatch(_)), "{error}");
//! # Ok::<(), lift::Error>(())
//! ```
