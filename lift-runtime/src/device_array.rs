//! Arrays that stay on a device.

use ndarray::{Array as HostArray, Dimension};
use std::fmt;
use std::marker::PhantomData;

use crate::backend::Memory;
use crate::contents;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::input::{Array, Part, Source};

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

/// Elements and the device that they are on.
#[doc(hidden)]
#[derive(Clone)]
pub struct DeviceData {
    pub(crate) device: Device,
    pub(crate) memory: Memory,
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

impl DeviceData {
    /// Returns itself if it is on `device`.
    pub(crate) fn on(&self, argument: &str, device: &Device) -> Result<&DeviceData> {
        if self.device == *device {
            return Ok(self);
        }
        Err(Error::OtherDevice {
            argument: argument.to_owned(),
            expected: device.to_string(),
            found: self.device.to_string(),
        })
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

impl fmt::Debug for DeviceData {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeviceData").field("device", &self.device).finish_non_exhaustive()
    }
}

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
