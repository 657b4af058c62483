//! Late-bound OpenCL entry points: programs that use `ocl` build, link and start without an OpenCL loader.
//!
//! `ocl` reaches OpenCL through `cl-sys`, which declares the `cl*` functions and asks the linker for
//! `-lOpenCL`. Without this crate such a program does not link if no development files are installed, and
//! does not start if there is no loader. This crate
//!
//! - **defines every `cl*` function that `cl-sys` declares** (`entry_points`): each looks the real function
//!   up when it is first called and answers like an installation without platforms when there is none;
//! - **puts an empty `libOpenCL` on the link path** (`build.rs`), which satisfies `-lOpenCL`;
//! - **finds the real library at run time** (`library`): one that is already loaded first, so that
//!   `oclgrind ./program` and other preloaded tools keep working, then those named by the environment
//!   variable `OPENCL_DYLIB_PATH` (separated by `;`), else the platform's usual names.
//!
//! A crate that uses `ocl` writes `use lift_opencl as _;`, because rustc links only crates that are
//! mentioned.
//!
//! Three things must stay true. This is the only crate of the workspace with foreign functions. The
//! signatures are those of `cl-sys` (a test compares all of them). Nothing here panics, because unwinding
//! must not cross into C.
//!
//! Known limits: a `cdylib` that contains this crate exports the `cl*` symbols; cargo refuses two versions of
//! this crate in one program (`links`); a static musl program cannot load libraries, so it sees no device.

mod entry_points;
mod library;

pub use library::{LibraryNotFound, LibrarySource, PATH_VARIABLE, library_source};
