//! Programs written by hand, as the macro would print them, in OpenCL C and in Rust, and their typed callers.

#![allow(dead_code, reason = "each test binary uses some of the programs")]

use std::cell::Cell;
use std::ops::Range;

use lift_runtime::__private::{
    Action, Argument, ArrayType, Call, Element, Form, Generated, HasSize, Input, Kernel, Launches,
    NO_KERNELS, Number, Obligation, Parameter, ParameterType, Program, ROUNDED_FREELY, Relation, SameSizeAs,
    ScalarClass, ScalarType, Size, SizeVariable, Temporary, TypeParameter, host, number,
};
use lift_runtime::ndarray::{Array1, Array2};
use lift_runtime::{Device, DeviceKind, Result};

pub(crate) const N: Size = Size::Variable(0);
pub(crate) const M: Size = Size::Variable(1);
pub(crate) const ONE: Size = Size::Constant(1);
pub(crate) const NOTHING: Size = Size::Constant(0);

const fn array(name: &'static str, element: ScalarType, shape: &'static [Size]) -> Parameter {
    Parameter { name, ty: ParameterType::Array { element, shape } }
}

/// A kernel that gets the same arguments everywhere, for groups of one size.
const fn kernel(
    entry: &'static str,
    arguments: &'static [Argument],
    global: [Size; 3],
    local: [usize; 3],
) -> Kernel {
    Kernel {
        entry,
        arguments,
        host_arguments: arguments,
        global,
        local,
        launches: Launches::Pinned,
        local_memory: NOTHING,
    }
}

const fn size_variable(name: &'static str) -> SizeVariable {
    SizeVariable { name, minimum: 0 }
}

/// The device of most tests: the default one.
pub(crate) fn device() -> Device {
    Device::default_device().expect("the tests need a device")
}

/// The device of the tests that are about OpenCL; they fail without one.
pub(crate) fn opencl() -> Device {
    let devices = Device::list().expect("devices can be listed");
    let opencl = devices.into_iter().find(|device| device.kind() != DeviceKind::Host);
    opencl.expect("the tests need an OpenCL device")
}

/// The host, and an OpenCL device.
pub(crate) fn every_device() -> Vec<Device> {
    let hosts = Device::list().expect("devices can be listed").into_iter();
    hosts.filter(|device| device.kind() == DeviceKind::Host).chain([opencl()]).collect()
}

/// Runs steps in parallel where the crate can.
pub(crate) fn parallel(extent: isize, body: impl Fn(Range<isize>) + Sync) {
    #[cfg(feature = "host")]
    host::parallel(extent, body);
    #[cfg(not(feature = "host"))]
    body(0..extent);
}

/// A program that is written by hand, with its functions for the host, as the macro would hand them over.
pub(crate) const fn generated<'a>(program: &'static Program, host: &'a [host::Kernel]) -> Generated<'a> {
    // SAFETY: the kernels of the tests keep to their arrays, and each element is written by one work-item or
    // thread.
    unsafe { Generated::new(program, host) }
}

/// The only open element type of a program.
const OPEN: ScalarType = ScalarType::Parameter(TypeParameter { index: 0, class: ScalarClass::Number });

/// `fn add(a: [T; N], b: [T; N]) -> [T; N]` with an open element type.
pub(crate) static ADD: Program = Program {
    name: "add",
    type_parameters: 1,
    sizes: &[size_variable("N")],
    parameters: &[array("a", OPEN, &[N]), array("b", OPEN, &[N])],
    results: &[ArrayType { element: OPEN, shape: &[N] }],
    obligations: &[],
    plain: Form {
        source: "
            kernel void add(global const T0 *restrict a, global const T0 *restrict b, global T0 *restrict out,
                            const index_t N) {
                for (index_t i = get_global_id(0); i < N; i += get_global_size(0)) out[i] = a[i] + b[i];
            }",
        extents: &[N],
        kernels: &[kernel(
            "add",
            &[Argument::Parameter(0), Argument::Parameter(1), Argument::Result(0), Argument::Size(0)],
            [N, ONE, ONE],
            [8, 1, 1],
        )],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

fn add_on_host<T: Number>(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let (a, b, out) = (arguments.read::<T>(0)?, arguments.read::<T>(1)?, arguments.shared::<T>(2)?);
    parallel(arguments.size(3)?, |steps| {
        let (start, length) = (steps.start, (steps.end - steps.start) as usize);
        let (a, b) = (host::window(a, start, length), host::window(b, start, length));
        for ((out, a), b) in out.window(start, length).iter().zip(a).zip(b) {
            out.set(number::add(*a, *b));
        }
    });
    Ok(())
}

/// [`ADD`] for the host.
pub(crate) const fn add_kernels<T: Number>() -> &'static [host::Kernel] {
    &[add_on_host::<T>]
}

pub(crate) fn add_call<'a, T, A, B>(a: &'a A, b: &'a B) -> Call<'a>
where
    T: Number,
    A: Input<T, 1> + SameSizeAs<0, B, 0> + ?Sized,
    B: Input<T, 1> + ?Sized,
{
    Call::new(generated(&ADD, add_kernels::<T>())).array(a).array(b)
}

pub(crate) fn add<T, A, B>(a: &A, b: &B) -> Result<Array1<T>>
where
    T: Number,
    A: Input<T, 1> + SameSizeAs<0, B, 0> + ?Sized,
    B: Input<T, 1> + ?Sized,
{
    add_call(a, b).run(&Device::default_device()?)
}

/// `fn transpose(a: [[f32; M]; N]) -> [[f32; N]; M]`.
pub(crate) static TRANSPOSE: Program = Program {
    name: "transpose",
    type_parameters: 0,
    sizes: &[size_variable("N"), size_variable("M")],
    parameters: &[array("a", ScalarType::F32, &[N, M])],
    results: &[ArrayType { element: ScalarType::F32, shape: &[M, N] }],
    obligations: &[],
    plain: Form {
        source: "
            kernel __attribute__((reqd_work_group_size(4, 4, 1)))
            void transposed(global const float *restrict a, global float *restrict out, const index_t N,
                            const index_t M) {
                const index_t i = get_global_id(0), j = get_global_id(1);
                if (i < M && j < N) out[i * N + j] = a[j * M + i];
            }",
        extents: &[Size::Multiply(&[N, M])],
        kernels: &[kernel(
            "transposed",
            &[Argument::Parameter(0), Argument::Result(0), Argument::Size(0), Argument::Size(1)],
            [M, N, ONE],
            [4, 4, 1],
        )],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

fn transpose_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let (a, out) = (arguments.read::<f32>(0)?, arguments.shared::<f32>(1)?);
    let (n, m) = (arguments.size(2)?, arguments.size(3)?);
    parallel(m, |rows| {
        for i in rows {
            for j in 0..n {
                out.set(i * n + j, host::at(a, j * m + i));
            }
        }
    });
    Ok(())
}

pub(crate) fn transpose_call<A: Input<f32, 2> + ?Sized>(a: &A) -> Call<'_> {
    Call::new(generated(&TRANSPOSE, &[transpose_on_host])).array(a)
}

pub(crate) fn transpose<A: Input<f32, 2> + ?Sized>(a: &A) -> Result<Array2<f32>> {
    transpose_call(a).run(&Device::default_device()?)
}

/// `fn split_sums(n: size, a: [i32; N]) -> [i32; N / n]`: the sum of each part of `split(n, a)`.
pub(crate) static SPLIT_SUMS: Program = Program {
    name: "split_sums",
    type_parameters: 0,
    sizes: &[size_variable("len(a)"), SizeVariable { name: "n", minimum: 1 }],
    parameters: &[Parameter { name: "n", ty: ParameterType::Size(1) }, array("a", ScalarType::I32, &[N])],
    results: &[ArrayType { element: ScalarType::I32, shape: &[Size::Divide(&N, &M)] }],
    obligations: &[Obligation {
        text: "`split(n)` needs `n` to divide `len(a)`",
        left: M,
        relation: Relation::Divides,
        right: N,
    }],
    plain: Form {
        source: "
            kernel void sums(global const int *restrict a, global int *restrict out, const index_t N,
                             const index_t n) {
                const index_t i = get_global_id(0);
                int sum = 0;
                for (index_t j = 0; j < n; ++j) sum += a[i * n + j];
                out[i] = sum;
            }",
        extents: &[N],
        kernels: &[kernel(
            "sums",
            &[Argument::Parameter(1), Argument::Result(0), Argument::Size(0), Argument::Size(1)],
            [Size::Divide(&N, &M), ONE, ONE],
            [1, 1, 1],
        )],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

fn split_sums_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let (a, out) = (arguments.read::<i32>(0)?, arguments.shared::<i32>(1)?);
    let (length, n) = (arguments.size(2)?, arguments.size(3)?);
    parallel(length / n, |parts| {
        for part in parts {
            out.set(part, host::window(a, part * n, n as usize).iter().copied().fold(0, number::add));
        }
    });
    Ok(())
}

/// [`SPLIT_SUMS`] for the host.
pub(crate) const SPLIT_SUMS_KERNELS: &[host::Kernel] = &[split_sums_on_host];

pub(crate) fn split_sums_call<A: Input<i32, 1> + ?Sized>(n: usize, a: &A) -> Call<'_> {
    Call::new(generated(&SPLIT_SUMS, SPLIT_SUMS_KERNELS)).size(n).array(a)
}

pub(crate) fn split_sums<A: Input<i32, 1> + ?Sized>(n: usize, a: &A) -> Result<Array1<i32>> {
    split_sums_call(n, a).run(&Device::default_device()?)
}

/// `fn scaled_sum(alpha: f32, a: [f32; N]) -> f32` in two kernels with a temporary.
pub(crate) static SCALED_SUM: Program = Program {
    name: "scaled_sum",
    type_parameters: 0,
    sizes: &[size_variable("N")],
    parameters: &[
        Parameter { name: "alpha", ty: ParameterType::Scalar(ScalarType::F32) },
        array("a", ScalarType::F32, &[N]),
    ],
    results: &[ArrayType { element: ScalarType::F32, shape: &[] }],
    obligations: &[],
    plain: Form {
        source: "
            kernel void scale(const float alpha, global const float *restrict a,
                              global float *restrict scaled) {
                scaled[get_global_id(0)] = alpha * a[get_global_id(0)];
            }
            kernel void total(global const float *restrict scaled, global float *restrict out,
                              const index_t N) {
                float sum = 0;
                for (index_t i = 0; i < N; ++i) sum += scaled[i];
                out[0] = sum;
            }",
        temporaries: &[Temporary { element: ScalarType::F32, length: N }],
        extents: &[N],
        kernels: &[
            kernel(
                "scale",
                &[Argument::Parameter(0), Argument::Parameter(1), Argument::Temporary(0)],
                [N, ONE, ONE],
                [1, 1, 1],
            ),
            kernel(
                "total",
                &[Argument::Temporary(0), Argument::Result(0), Argument::Size(0)],
                [ONE, ONE, ONE],
                [1, 1, 1],
            ),
        ],
        steps: &[Action::Launch(0), Action::Launch(1)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

fn scale_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let (alpha, a, scaled) =
        (arguments.scalar::<f32>(0)?, arguments.read::<f32>(1)?, arguments.shared::<f32>(2)?);
    parallel(a.len() as isize, |steps| {
        for i in steps {
            scaled.set(i, alpha * host::at(a, i));
        }
    });
    Ok(())
}

fn total_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let scaled = arguments.shared::<f32>(0)?.window(0, arguments.size(2)? as usize);
    arguments.shared(1)?.set(0, scaled.iter().map(Cell::get).sum::<f32>());
    Ok(())
}

pub(crate) fn scaled_sum_call<A: Input<f32, 1> + ?Sized>(alpha: f32, a: &A) -> Call<'_> {
    Call::new(generated(&SCALED_SUM, &[scale_on_host, total_on_host])).scalar(alpha).array(a)
}

/// `fn signs(a: [f64; 4]) -> ([bool; 4], [f64; 4])`: two results, a literal size, `bool` and `f64`.
pub(crate) static SIGNS: Program = Program {
    name: "signs",
    type_parameters: 0,
    sizes: &[],
    parameters: &[array("a", ScalarType::F64, &[Size::Constant(4)])],
    results: &[
        ArrayType { element: ScalarType::Bool, shape: &[Size::Constant(4)] },
        ArrayType { element: ScalarType::F64, shape: &[Size::Constant(4)] },
    ],
    obligations: &[],
    plain: Form {
        source: "
            kernel void signs(global const double *restrict a, global uchar *restrict negative,
                              global double *restrict magnitude) {
                const size_t i = get_global_id(0);
                negative[i] = a[i] < 0;
                magnitude[i] = fabs(a[i]);
            }",
        extents: &[Size::Constant(4)],
        kernels: &[kernel(
            "signs",
            &[Argument::Parameter(0), Argument::Result(0), Argument::Result(1)],
            [Size::Constant(4), ONE, ONE],
            [4, 1, 1],
        )],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

pub(crate) fn signs_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let a = host::row::<f64, 4>(arguments.read(0)?, 0);
    let (negative, magnitude) = (arguments.shared::<bool>(1)?.row::<4>(0), arguments.shared::<f64>(2)?);
    number::lanes::store(negative, a.map(|a| a < 0.0));
    number::lanes::store(magnitude.row::<4>(0), a.map(number::abs));
    Ok(())
}

pub(crate) fn signs_call<A: Input<f64, 1> + HasSize<0, 4> + ?Sized>(a: &A) -> Call<'_> {
    Call::new(generated(&SIGNS, &[signs_on_host])).array(a)
}

/// `fn triangle_rows(packed: [u32; N * (N + 1) / 2]) -> [u32; N]`: the sums of the rows of a packed triangle.
pub(crate) static TRIANGLE_ROWS: Program = Program {
    name: "triangle_rows",
    type_parameters: 0,
    sizes: &[size_variable("N")],
    parameters: &[array("packed", ScalarType::U32, &[TRIANGLE])],
    results: &[ArrayType { element: ScalarType::U32, shape: &[N] }],
    obligations: &[],
    plain: Form {
        source: "
            kernel void rows(global const uint *restrict packed, global uint *restrict out) {
                const index_t i = get_global_id(0);
                uint sum = 0;
                for (index_t j = 0; j <= i; ++j) sum += packed[i * (i + 1) / 2 + j];
                out[i] = sum;
            }",
        extents: &[TRIANGLE],
        kernels: &[kernel("rows", &[Argument::Parameter(0), Argument::Result(0)], [N, ONE, ONE], [1, 1, 1])],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

pub(crate) fn triangle_rows_on_host(arguments: &host::Arguments<'_>) -> Result<(), host::Mismatch> {
    let packed = arguments.read::<u32>(0)?;
    let out = arguments.shared::<u32>(1)?;
    let mut start = 0;
    for i in 0.. {
        if start >= packed.len() as isize {
            break;
        }
        out.set(i, host::window(packed, start, i as usize + 1).iter().sum());
        start += i + 1;
    }
    Ok(())
}

const TRIANGLE: Size = Size::Divide(&Size::Multiply(&[N, Size::Add(&[N, ONE])]), &Size::Constant(2));

/// `fn index_bytes(n: size) -> [u32; n]`: the number of bytes of an index, everywhere.
pub(crate) static INDEX_BYTES: Program = Program {
    name: "index_bytes",
    type_parameters: 0,
    sizes: &[size_variable("n")],
    parameters: &[Parameter { name: "n", ty: ParameterType::Size(0) }],
    results: &[ArrayType { element: ScalarType::U32, shape: &[N] }],
    obligations: &[],
    plain: Form {
        source: "
            kernel void index_bytes(global uint *restrict out) { out[get_global_id(0)] = sizeof(index_t); }",
        extents: &[N],
        kernels: &[kernel("index_bytes", &[Argument::Result(0)], [N, ONE, ONE], [1, 1, 1])],
        steps: &[Action::Launch(0)],
        ..NO_KERNELS
    },
    others: &[],
    exact: ROUNDED_FREELY,
    repeated: &[],
};

/// `a + b` on the host.
pub(crate) fn sum_of<T: Element + std::ops::Add<Output = T>>(a: &[T], b: &[T]) -> Vec<T> {
    a.iter().zip(b).map(|(&a, &b)| a + b).collect()
}
