//! What differs between C-like languages.
//!
//! A [`Dialect`] is all that the printer asks of a language. OpenCL C is the only one there is
//! ([`OpenCl`](super::OpenCl)). Another one is a folder beside it, an entry of the list in `words`, so that
//! no kernel has a name that it reserves, and a call of [`print_c`](super::print_c) with it. What it would
//! fill in:
//!
//! - *CUDA and HIP*: atomic updates are `atomicAdd(…)` and its like. Functions are `__device__`, kernels `extern "C" __global__` with `__launch_bounds__`.
//!   Pointers say nothing of memory; arrays are `__shared__` or `__constant__`. A work-item has the number
//!   `threadIdx.x` in its group and `(blockIdx.x * blockDim.x + threadIdx.x)` on the device. Every barrier is
//!   `__syncthreads()`. The header has a `typedef` for `uchar` and its like. It also has what OpenCL has of
//!   vectors and CUDA does not: operators, comparisons that return masks, `vload`, `vstore`, conversions.
//!   Vectors are made by `make_float4(…)`, and their components are `x` to `w`.
//! - *Metal*: pointers are `device`, `threadgroup` or `constant`. [`Dialect::kernel`] gives each parameter
//!   its `[[buffer(n)]]` and adds parameters for the numbers of threads, which [`Dialect::worker`] then
//!   mentions; a value is passed by reference ([`Dialect::value_parameter`]). Barriers are
//!   `threadgroup_barrier(…)`.
//! - *WGSL* is no dialect of C: its declarations are `var x: f32`, and it has no pointers into buffers. It
//!   needs a printer of its own, beside `c` and `rust`.
//!
//! The printer itself calls `abs clamp clz dot fabs fmax fmin fmod isfinite isnan max min mul_hi popcount pown
//! rotate select sign signbit`, and the built-in functions of the language under their own names, with OpenCL's
//! meanings. The header of a dialect defines those that its language does not have. `index_t` and the macros of type parameters
//! (see [`helper`](super::helper)) are given by whoever builds the text.

use std::ops::Range;

use crate::ir::kernel::{BufferRole, UpdateOperator, ValueType, Workers};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::AddressSpace;

/// Where an array lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// In memory that the launcher allocates.
    Global,
    /// In memory that the work-items of a group share.
    Local,
    /// In memory of one work-item.
    Private,
    /// In a table at file scope.
    Constant,
}

impl Memory {
    /// The memory of a buffer with this role.
    pub(super) fn of(role: &BufferRole) -> Memory {
        match role {
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Temporary(_)
            | BufferRole::Scratch(_) => Memory::Global,
            BufferRole::Local => Memory::Local,
            BufferRole::Private => Memory::Private,
            BufferRole::Constant(_) => Memory::Constant,
        }
    }
}

/// A C-like language. Qualifiers end with a space where they are not empty.
pub(crate) trait Dialect {
    /// Whether the language takes a name from kernels, as a keyword or as a function of its own.
    fn reserves(&self, name: &str) -> bool;

    /// Whether the language gives a meaning to names that begin or end like this one.
    fn reserves_family_of(&self, name: &str) -> bool;

    /// The first lines of a text: what it must ask for, given which element types it `uses`.
    fn header(&self, uses: &dyn Fn(ScalarType) -> bool) -> String;

    /// The lines that forbid `a * b + c` to be rounded once, for all functions that follow.
    fn no_contraction(&self) -> &'static str;

    /// The macro by which a text recognises NVIDIA's compiler, which is asked to unroll loops differently.
    fn macro_of_nvidia(&self) -> &'static str;

    /// The qualifier of a function that kernels call.
    fn function(&self) -> &'static str;

    /// The first lines of a kernel, up to `{`. `group` is the number of work-items of a group in each
    /// dimension; `None` if the kernel is correct for any.
    fn kernel(&self, name: &str, parameters: &[String], group: Option<[u64; 3]>) -> String;

    /// A parameter that is passed by value.
    fn value_parameter(&self, ty: &str, name: &str) -> String;

    /// The qualifier of what a pointer into a memory points to.
    fn pointer(&self, memory: Memory) -> &'static str;

    /// The qualifier of an array that is declared in a memory.
    fn array(&self, memory: Memory) -> &'static str;

    /// What follows the `*` of a pointer through which alone its array is accessed, with a space before it.
    fn restrict(&self) -> &'static str;

    /// What follows the declaration of an array that begins at a multiple of `bytes` bytes, with a space
    /// before it.
    fn aligned(&self, bytes: i128) -> String;

    /// The number of the worker that executes the text.
    fn worker(&self, workers: Workers) -> String;

    /// The number of workers.
    fn workers(&self, workers: Workers) -> String;

    /// A barrier for the work-items of a group, after which they see what the others stored in these
    /// memories.
    fn barrier(&self, spaces: &[AddressSpace]) -> String;

    /// The name of an element type.
    fn type_name(&self, ty: ScalarType) -> String;

    /// The suffix of a literal of 64 bits.
    fn long_suffix(&self) -> &'static str;

    /// The largest signed number of 64 bits.
    fn greatest_long(&self) -> &'static str;

    /// The infinite number, in single precision.
    fn infinity(&self) -> &'static str;

    /// The line before a loop that asks to unroll it, by a factor or fully.
    fn unroll(&self, steps: Option<u64>) -> String;

    /// The same, by a factor, as the text of a macro.
    fn unroll_in_macro(&self, steps: u64) -> String;

    /// A vector with these components, or with one value in all components. `ty` is its type's name.
    fn vector(&self, ty: &str, components: &str) -> String;

    /// Some neighbouring components of a vector, after the dot.
    fn components(&self, lanes: Range<u8>) -> String;

    /// The vector at the address of its first component, which need not be aligned.
    fn load(&self, lanes: u8, address: &str) -> String;

    /// Stores a vector at such an address.
    fn store(&self, lanes: u8, value: &str, address: &str) -> String;

    /// An atomic update of the element at an address.
    fn update(&self, operator: UpdateOperator, address: &str, value: &str) -> String;

    /// A value as a type, whose name is `ty`.
    fn convert(&self, ty: &str, value: &str) -> String;

    /// A value as an integer type; what is beyond its limits becomes the nearest limit.
    fn convert_saturated(&self, ty: &str, value: &str) -> String;

    /// The same bits as a type.
    fn reinterpret(&self, ty: &str, value: &str) -> String;

    /// The name of the type of a value: `float`, `float4`.
    fn value_type_name(&self, ty: ValueType) -> String {
        match (ty.scalar, ty.lanes) {
            (scalar, 1) => self.type_name(scalar),
            // There are no vectors of truth values: their components are 0 or 1, as in memory.
            (ScalarType::Bool, lanes) => format!("{}{lanes}", self.type_name(ScalarType::U8)),
            // A macro, as `##` does not expand its operands.
            (ScalarType::Parameter(parameter), lanes) => format!("T{}_{lanes}", parameter.index),
            (scalar, lanes) => format!("{}{lanes}", self.type_name(scalar)),
        }
    }

    /// The name of a vector type.
    fn vector_name(&self, scalar: ScalarType, lanes: u8) -> String {
        self.value_type_name(ValueType { scalar, lanes })
    }

    /// The name of the type in buffers: `bool` has no defined size there.
    fn storage_name(&self, ty: ScalarType) -> String {
        self.type_name(if ty == ScalarType::Bool { ScalarType::U8 } else { ty })
    }
}
