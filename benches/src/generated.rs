//! The `lift!` programs of the benchmarks, called as any user calls them: `name::on(&device)?`, with arrays
//! on the device, and the times from `.profile`.

use std::time::Duration;

use lift::ndarray::{Array, Dimension, ShapeBuilder};
use lift_corpus::Topic;

use crate::case::Input;

/// A program as text, for a compiler that runs within the benchmark.
pub(crate) struct Text {
    /// The kernel's name.
    pub(crate) name: &'static str,
    /// The programs among which it is.
    pub(crate) topic: Topic,
    /// The positions of the inputs that are its arguments, in order.
    pub(crate) inputs: Vec<usize>,
    /// The arguments after these, which are numbers.
    pub(crate) numbers: Vec<f32>,
}

/// A `lift!` program of a benchmark.
pub(crate) struct Generated {
    /// The same program as text.
    pub(crate) text: Text,
    /// The kernels in OpenCL C, as the macro made them.
    pub(crate) source: &'static str,
    /// Builds it for a device and uploads its inputs.
    pub(crate) prepare: Prepare,
    /// The same for calls that leave their results on the device; the runtime decides how kernels get their
    /// sizes.
    pub(crate) prepare_enqueued: PrepareEnqueued,
}

/// Builds a program for a device and uploads its inputs.
pub(crate) type Prepare = Box<dyn Fn(&lift::Device, &[Input], Sizes, Forms) -> lift::Result<Call>>;

/// Builds a program for a device and uploads its inputs.
pub(crate) type PrepareEnqueued = Box<dyn Fn(&lift::Device, &[Input]) -> lift::Result<EnqueuedCall>>;

/// One call, which may still run when it returns.
pub(crate) type EnqueuedCall = Box<dyn FnMut() -> lift::Result<()>>;

/// How kernels get the sizes of their arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sizes {
    /// As arguments.
    Arguments,
    /// As constants in their text.
    Constants,
}

/// The forms of a program that may compute it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forms {
    /// The plain one.
    Plain,
    /// The one that the runtime chooses.
    Chosen,
}

/// One call: the results, one after the other, and the time that the kernels took.
pub(crate) type Call = Box<dyn FnMut() -> lift::Result<(Vec<f32>, Duration)>>;

/// The text of the plain form, the last one of a program. Hand-written kernels have the structure of its
/// kernels.
pub(crate) fn plain_form(source: &'static str) -> &'static str {
    source.rsplit_once("// The form `plain`: on any device.\n").map_or(source, |(_, plain)| plain)
}

/// How a program is called: `generated!(name, TOPIC, (a @ 0: Ix2, b @ 1: Ix1))` passes the case's inputs 0
/// and 1 as arrays of two dimensions and of one; `(a @ 0: Ix2; 1.5)` passes a number after them. The module
/// expands the programs of the topic.
macro_rules! generated {
    (
        $name:ident,
        $topic:ident,
        ($($parameter:ident @ $input:literal: $dimension:ident),* $(; $($number:expr),+)?)
    ) => {
        $crate::generated::Generated {
            text: $crate::generated::Text {
                name: stringify!($name),
                topic: $topic,
                inputs: vec![$($input),*],
                numbers: vec![$($($number),+)?],
            },
            source: $crate::generated::plain_form($name::SOURCE),
            prepare: Box::new(|device, inputs, sizes, forms| {
                let kernel = $name::on(device)?;
                let kernel = match forms {
                    $crate::generated::Forms::Plain => kernel.form("plain")?,
                    $crate::generated::Forms::Chosen => kernel,
                };
                let kernel = match sizes {
                    $crate::generated::Sizes::Arguments => kernel.unspecialised(),
                    $crate::generated::Sizes::Constants => kernel.specialised(),
                };
                $(let $parameter = device.upload(
                    &$crate::generated::array::<lift::ndarray::$dimension>(&inputs[$input]),
                )?;)*
                Ok(Box::new(move || {
                    let (result, profile) = kernel.profile($(&$parameter),* $(, $($number),+)?)?;
                    Ok(($crate::generated::Elements::elements(result), profile.total()))
                }))
            }),
            prepare_enqueued: Box::new(|device, inputs| {
                let kernel = $name::on(device)?.form("plain")?;
                $(let $parameter = device.upload(
                    &$crate::generated::array::<lift::ndarray::$dimension>(&inputs[$input]),
                )?;)*
                Ok(Box::new(move || kernel.enqueue($(&$parameter),* $(, $($number),+)?).map(drop)))
            }),
        }
    };
}

pub(crate) use generated;

/// An input as an array with `D` dimensions.
///
/// # Panics
/// If the benchmark gives it another number of dimensions.
pub(crate) fn array<D: Dimension>(input: &Input) -> Array<f32, D> {
    let mut shape = D::zeros(input.shape.len());
    shape.slice_mut().copy_from_slice(&input.shape);
    Array::from_shape_vec(shape.into_shape_with_order(), input.elements.clone())
        .expect("an input has as many elements as its shape says")
}

/// Results as their elements in order.
pub(crate) trait Elements {
    /// The elements, row by row.
    fn elements(self) -> Vec<f32>;
}

impl Elements for f32 {
    fn elements(self) -> Vec<f32> {
        vec![self]
    }
}

impl<D: Dimension> Elements for Array<f32, D> {
    fn elements(self) -> Vec<f32> {
        self.into_raw_vec_and_offset().0
    }
}

/// Whole numbers as the nearest `f32`.
impl<D: Dimension> Elements for Array<i32, D> {
    fn elements(self) -> Vec<f32> {
        self.iter().map(|&number| number as f32).collect()
    }
}

impl<A: Elements, B: Elements> Elements for (A, B) {
    fn elements(self) -> Vec<f32> {
        [self.0.elements(), self.1.elements()].concat()
    }
}
