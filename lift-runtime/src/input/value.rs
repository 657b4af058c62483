//! Scalars and vectors as arguments of `enqueue`: by value, or on the device, where another `enqueue` left
//! them.

use ndarray::{Dimension, Ix0, Ix1};

use super::{Array, Part, Source};
use crate::bits::Bits;
use crate::device::DeviceData;
use crate::device_array::DeviceArray;
use crate::element::Element;
use crate::program::ScalarType;
use crate::sealed::Sealed;

/// A scalar or a vector that `enqueue` takes for a parameter of type `T`: a `T`, or a reference to the
/// [`DeviceArray`] that another `enqueue` returned for a `T`. Kernels read it there, so that nobody waits for
/// it. This trait is sealed.
///
/// ```
/// # use lift_runtime::{Device, DeviceArray, ValueInput, ndarray::Ix0};
/// fn scaled<F: ValueInput<f32>>(_: F) {}
///
/// # fn example(on_device: DeviceArray<f32, Ix0>) {
/// scaled(2.0);
/// scaled(&on_device);
/// # }
/// ```
///
/// ```compile_fail,E0277
/// # fn scaled<F: lift_runtime::ValueInput<f32>>(_: F) {}
/// scaled(2.0f64);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as a value of type `{T}`",
    label = "not of type `{T}`",
    note = "accepted are `{T}` itself and a reference to what `enqueue` returns for one: a `DeviceArray` without dimensions \
            for a scalar, with one for a vector"
)]
pub trait ValueInput<T>: Sealed {
    /// Gives what is passed.
    #[doc(hidden)]
    fn give<'a>(self, give: &mut dyn FnMut(Value<'a>))
    where
        Self: 'a;
}

/// A scalar or a vector.
#[doc(hidden)]
#[derive(Debug)]
pub struct Value<'a> {
    /// The type of the scalar or of the components.
    pub(crate) element: ScalarType,
    pub(crate) place: ValuePlace<'a>,
}

/// Where a scalar or a vector is.
#[derive(Debug)]
pub(crate) enum ValuePlace<'a> {
    /// In the call: the number of components, and their bits.
    Call(usize, Bits),
    /// In a buffer on a device: the lengths of the array, and its elements.
    Device(Vec<usize>, &'a DeviceData),
}

#[diagnostic::do_not_recommend]
impl<T: Element> ValueInput<T> for T {
    fn give<'a>(self, give: &mut dyn FnMut(Value<'a>))
    where
        Self: 'a,
    {
        let bits = Bits::from_bytes(T::bytes(&[self]));
        give(Value { element: T::SCALAR, place: ValuePlace::Call(1, bits) });
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> ValueInput<T> for &DeviceArray<T, Ix0> {
    fn give<'a>(self, give: &mut dyn FnMut(Value<'a>))
    where
        Self: 'a,
    {
        on_device(self, give);
    }
}

macro_rules! vectors {
    ($($width:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> ValueInput<[T; $width]> for [T; $width] {
            fn give<'a>(self, give: &mut dyn FnMut(Value<'a>))
    where
        Self: 'a,
    {
                let bits = Bits::from_bytes(T::bytes(&self));
                give(Value { element: T::SCALAR, place: ValuePlace::Call($width, bits) });
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element> ValueInput<[T; $width]> for &DeviceArray<T, Ix1> {
            fn give<'a>(self, give: &mut dyn FnMut(Value<'a>))
    where
        Self: 'a,
    {
                on_device(self, give);
            }
        }
    )*};
}

vectors!(2, 4, 8, 16);

fn on_device<'a, T: Element, D: Dimension>(array: &'a DeviceArray<T, D>, give: &mut dyn FnMut(Value<'a>)) {
    array.parts(&mut |Part { element, lengths, source }| {
        if let Source::Device(data) = source {
            give(Value { element, place: ValuePlace::Device(lengths, data) });
        }
    });
}
