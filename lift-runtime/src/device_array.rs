//! Arrays that stay on a device.

use ndarray::{Array as HostArray, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};
use std::fmt;
use std::marker::PhantomData;

use crate::backend::Memory;
use crate::device::{Device, DeviceData};
use crate::element::{Element, SameType};
use crate::error::{Error, Result};
use crate::input::{Array, Input, Part, Source, contents};
use crate::sealed::Sealed;

/// An array on a device, made by [`Device::upload`] or by a kernel's `enqueue`.
///
/// It can be passed wherever host data can, without a copy when the call computes on the same device. Its
/// contents never change. A clone shares the memory, which is freed with the last of them. `D` is a
/// dimension of `ndarray`, such as `ndarray::Ix2`.
pub struct DeviceArray<T, D> {
    data: DeviceData,
    shape: D,
    element: PhantomData<fn() -> T>,
}

impl<T: Element, D: Dimension> DeviceArray<T, D> {
    /// Wraps memory that holds as many elements as the shape says.
    pub(crate) fn new(data: DeviceData, shape: D) -> DeviceArray<T, D> {
        DeviceArray { data, shape, element: PhantomData }
    }

    pub(crate) fn upload<A>(device: &Device, array: &A) -> Result<DeviceArray<T, D>>
    where
        A: Array<Element = T> + ?Sized,
    {
        let mut only = None;
        array.parts(&mut |part| only = Some(part));
        let Some(Part { element, lengths, source }) = only else {
            return Err(disagreement("the array has no elements at all".to_owned()));
        };
        contents::check("the array", element, &lengths, source.count(element))?;
        let data = match source {
            Source::Host(elements) => DeviceData {
                device: device.clone(),
                memory: Memory::upload(device.backend(), device, elements)?,
            },
            Source::Device(data) => data.on("the array", device)?.clone(),
        };
        Ok(DeviceArray::new(data, dimension(&lengths)?))
    }

    /// The lengths of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        self.shape.slice()
    }

    /// The device that the array is on.
    pub fn device(&self) -> &Device {
        &self.data.device
    }

    /// Copies the array to the host. It waits for the kernels that compute it.
    pub fn download(&self) -> Result<HostArray<T, D>> {
        host_array(self.shape.clone(), self.data.memory.read(self.shape.size())?)
    }

    pub(crate) fn data(&self) -> &DeviceData {
        &self.data
    }
}

impl Device {
    /// Copies host data to the device. An array that is on this device already is shared instead.
    /// The components of an array of tuples are uploaded one by one.
    pub fn upload<A>(&self, array: &A) -> Result<DeviceArray<A::Element, A::Dimension>>
    where
        A: Array<Element: Element> + ?Sized,
    {
        DeviceArray::upload(self, array)
    }
}

impl<T, D: Clone> Clone for DeviceArray<T, D> {
    fn clone(&self) -> Self {
        DeviceArray { data: self.data.clone(), shape: self.shape.clone(), element: PhantomData }
    }
}

impl<T: Element, D: Dimension> fmt::Debug for DeviceArray<T, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DeviceArray")
            .field("element", &T::SCALAR)
            .field("shape", &self.shape())
            .field("device", self.device())
            .finish()
    }
}

#[diagnostic::do_not_recommend]
impl<T, D> Sealed for DeviceArray<T, D> {}

#[diagnostic::do_not_recommend]
impl<T: Element, D: Dimension> Array for DeviceArray<T, D> {
    type Element = T;
    type Dimension = D;

    fn lengths(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
        let source = Source::Device(self.data());
        give(Part { element: T::SCALAR, lengths: self.lengths(), source });
    }
}

/// Implements [`Input`] for device arrays with one type of dimensions.
macro_rules! dimensions {
    ($($dimension:ty => $rank:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element, U: Element + SameType<T>> Input<T, $rank> for DeviceArray<U, $dimension> {}
    )*};
}

dimensions!(Ix0 => 0, Ix1 => 1, Ix2 => 2, Ix3 => 3, Ix4 => 4, Ix5 => 5, Ix6 => 6);

#[diagnostic::do_not_recommend]
impl<T: Element, U: Element + SameType<T>, const RANK: usize> Input<T, RANK> for DeviceArray<U, IxDyn> {}

/// Implements [`Input`] of vectors for device arrays, in which the components of the vectors are one more
/// dimension.
macro_rules! vectors {
    ($($width:literal),*) => {$(
        vectors!(@ranks $width: Ix1 => 0, Ix2 => 1, Ix3 => 2, Ix4 => 3, Ix5 => 4, Ix6 => 5);

        #[diagnostic::do_not_recommend]
        impl<T: Element, U: Element + SameType<T>, const RANK: usize> Input<[T; $width], RANK>
            for DeviceArray<U, IxDyn>
        {
        }
    )*};
    (@ranks $width:literal: $($dimension:ty => $rank:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element, U: Element + SameType<T>> Input<[T; $width], $rank> for DeviceArray<U, $dimension> {}
    )*};
}

vectors!(2, 4, 8, 16);

/// Lengths as a dimension of `ndarray`.
pub(crate) fn dimension<D: Dimension>(lengths: &[usize]) -> Result<D> {
    if D::NDIM.is_some_and(|rank| rank != lengths.len()) {
        return Err(disagreement(format!("{} dimensions were asked for as {:?}", lengths.len(), D::NDIM)));
    }
    let mut dimension = D::zeros(lengths.len());
    dimension.slice_mut().copy_from_slice(lengths);
    Ok(dimension)
}

/// An owned array of this shape.
pub(crate) fn host_array<T, D: Dimension>(shape: D, elements: Vec<T>) -> Result<HostArray<T, D>> {
    HostArray::from_shape_vec(shape, elements).map_err(|error| disagreement(error.to_string()))
}

fn disagreement(message: String) -> Error {
    Error::Internal { program: "a result".to_owned(), message }
}
