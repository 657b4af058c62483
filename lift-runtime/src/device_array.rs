//! Arrays that stay on a device.

use ndarray::{Array as HostArray, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};
use std::fmt;
use std::marker::PhantomData;

use crate::backend::Memory;
use crate::device::{Device, DeviceData};
use crate::element::{Element, Entry, SameType};
use crate::error::{Error, Result};
use crate::input::{Array, Input, Part, Source, contents};
use crate::sealed::Sealed;

/// An array on a device, made by [`Device::upload`] or by a kernel's `enqueue`.
///
/// It can be passed wherever host data can, without a copy when the call computes on the same device. Its
/// contents change only when it is given to `enqueue_into` as the destination. A clone shares the memory, which
/// is freed with the last of them. `D` is a dimension of `ndarray`, such as `ndarray::Ix2`; a scalar has none,
/// `ndarray::Ix0`.
///
/// The elements may be tuples: `DeviceArray<(f32, i32), Ix1>` is an array of pairs. On the device it is one
/// array for each component, and [`unzip`](DeviceArray::unzip) gives these.
///
/// ```
/// # use lift_runtime::{Device, DeviceArray, Result, ndarray::Ix1};
/// # fn main() -> Result<()> {
/// let device = Device::default_device()?;
/// let pairs: DeviceArray<(f32, i32), Ix1> = device.upload(&[(0.5f32, 1), (1.5, 2)])?;
/// let (numbers, _) = pairs.unzip();
/// assert_eq!(numbers.download()?.to_vec(), [0.5, 1.5]);
/// assert_eq!(pairs.download()?.to_vec(), [(0.5, 1), (1.5, 2)]);
/// # Ok(())
/// # }
/// ```
pub struct DeviceArray<T, D> {
    device: Device,
    /// One array for each component of the elements, each with an element for each position.
    components: Vec<DeviceData>,
    shape: D,
    element: PhantomData<fn() -> T>,
}

impl<T: Entry, D: Dimension> DeviceArray<T, D> {
    /// Wraps the memory of the components, which holds as many elements as the shape says.
    pub(crate) fn new(components: Vec<DeviceData>, shape: D) -> Result<DeviceArray<T, D>> {
        match components.first() {
            Some(first) if components.len() == T::COMPONENTS => {
                Ok(DeviceArray { device: first.device.clone(), components, shape, element: PhantomData })
            }
            Some(_) | None => {
                Err(disagreement(format!("{} components instead of {}", components.len(), T::COMPONENTS)))
            }
        }
    }

    pub(crate) fn upload<A>(device: &Device, array: &A) -> Result<DeviceArray<T, D>>
    where
        A: Array<Element = T> + ?Sized,
    {
        let lengths = array.lengths();
        let mut parts = Vec::with_capacity(T::COMPONENTS);
        array.parts(&mut |part| parts.push(part));
        check_shapes::<T>(&lengths, &parts)?;
        let components = parts.into_iter().map(|part| uploaded(device, part)).collect::<Result<_>>()?;
        DeviceArray::new(components, dimension(&lengths)?)
    }

    /// The lengths of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        self.shape.slice()
    }

    /// The device that the array is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the array to the host. It waits for the kernels that compute it.
    pub fn download(&self) -> Result<HostArray<T, D>> {
        let elements = T::join(&mut self.components.clone().into_iter(), self.shape.size())?;
        host_array(self.shape.clone(), elements)
    }
}

impl<T, D: Dimension> DeviceArray<T, D> {
    /// The lengths, and the memory of each component, to be overwritten.
    pub(crate) fn parts_mut(&mut self) -> (&[usize], &mut [DeviceData]) {
        (self.shape.slice(), &mut self.components)
    }

    /// The array of the next component, which is a tuple itself if it takes several of `components`.
    fn component<U: Entry>(&self, components: &mut impl Iterator<Item = DeviceData>) -> DeviceArray<U, D> {
        DeviceArray {
            device: self.device.clone(),
            components: components.take(U::COMPONENTS).collect(),
            shape: self.shape.clone(),
            element: PhantomData,
        }
    }
}

/// Checks that each component of an array has the lengths of the array. Arrays side by side, which count as an
/// array of tuples, may differ.
fn check_shapes<T: Entry>(lengths: &[usize], parts: &[Part<'_>]) -> Result<()> {
    let (mut checked, mut component) = (Ok(()), 0);
    T::components(&mut |_, inner| {
        let expected = [lengths, inner].concat();
        if let Some(Part { lengths: found, .. }) = parts.get(component)
            && *found != expected
            && checked.is_ok()
        {
            checked = Err(Error::ComponentShape { component, expected, found: found.clone() });
        }
        component += 1;
    });
    checked
}

/// A component on the device: its memory if it is there already, else a copy.
fn uploaded(device: &Device, Part { element, lengths, source }: Part<'_>) -> Result<DeviceData> {
    contents::check("the array", element, &lengths, source.count(element))?;
    match source {
        Source::Host(elements) => Ok(DeviceData {
            device: device.clone(),
            memory: Memory::upload(device.backend(), device, elements)?,
        }),
        Source::Device(data) => data.on("the array", device).cloned(),
    }
}

impl Device {
    /// Copies host data to the device. An array that is on this device already is shared instead.
    ///
    /// The elements may be tuples: `Vec<(f32, i32)>` is copied into its components, and these to the device.
    /// A tuple of arrays of one shape is an array of tuples, too: `device.upload(&(xs, ks))`.
    ///
    /// # Errors
    /// If the arrays of such a tuple differ in their shape or are on another device, and if the device or its
    /// memory fails.
    pub fn upload<A>(&self, array: &A) -> Result<DeviceArray<A::Element, A::Dimension>>
    where
        A: Array + ?Sized,
    {
        DeviceArray::upload(self, array)
    }
}

impl<T, D: Clone> Clone for DeviceArray<T, D> {
    fn clone(&self) -> Self {
        DeviceArray {
            device: self.device.clone(),
            components: self.components.clone(),
            shape: self.shape.clone(),
            element: PhantomData,
        }
    }
}

impl<T: Entry, D: Dimension> fmt::Debug for DeviceArray<T, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut elements = Vec::with_capacity(T::COMPONENTS);
        T::components(&mut |element, _| elements.push(element));
        let element: &dyn fmt::Debug = match elements.as_slice() {
            [only] => only,
            [..] => &elements,
        };
        formatter
            .debug_struct("DeviceArray")
            .field("element", element)
            .field("shape", &self.shape())
            .field("device", self.device())
            .finish()
    }
}

#[diagnostic::do_not_recommend]
impl<T, D> Sealed for DeviceArray<T, D> {}

#[diagnostic::do_not_recommend]
impl<T: Entry, D: Dimension> Array for DeviceArray<T, D> {
    type Element = T;
    type Dimension = D;

    fn lengths(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    fn parts<'a>(&'a self, give: &mut dyn FnMut(Part<'a>)) {
        let mut components = self.components.iter();
        T::components(&mut |element, inner| {
            if let Some(data) = components.next() {
                let lengths = [self.shape(), inner].concat();
                give(Part { element, lengths, source: Source::Device(data) });
            }
        });
    }
}

/// Implements [`Input`] for device arrays with one type of dimensions.
macro_rules! dimensions {
    ($($dimension:ty => $rank:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Entry, U: Entry + SameType<T>> Input<T, $rank> for DeviceArray<U, $dimension> {}
    )*};
}

dimensions!(Ix0 => 0, Ix1 => 1, Ix2 => 2, Ix3 => 3, Ix4 => 4, Ix5 => 5, Ix6 => 6);

#[diagnostic::do_not_recommend]
impl<T: Element, U: Element + SameType<T>, const RANK: usize> Input<T, RANK> for DeviceArray<U, IxDyn> {}

/// Implements [`Input`] of tuples for device arrays whose rank is compared at the call, and the way from an
/// array of tuples to its components.
macro_rules! tuples {
    ($(($($part:ident),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($part: Entry,)* Tuple: Entry + SameType<($($part,)*)>, const RANK: usize>
            Input<($($part,)*), RANK> for DeviceArray<Tuple, IxDyn>
        {
        }

        impl<$($part: Entry,)* D: Dimension> DeviceArray<($($part,)*), D> {
            /// The arrays of the components, which share their memory with this array.
            pub fn unzip(&self) -> ($(DeviceArray<$part, D>,)*) {
                let mut components = self.components.iter().cloned();
                ($(self.component::<$part>(&mut components),)*)
            }
        }
    )*};
}

tuples! {
    (A, B)
    (A, B, C)
    (A, B, C, D0)
    (A, B, C, D0, E)
    (A, B, C, D0, E, F)
    (A, B, C, D0, E, F, G)
    (A, B, C, D0, E, F, G, H)
}

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
