//! Where `enqueue_into` writes: device arrays of the caller's.
//!
//! A device array never changes behind somebody's back: what borrows it keeps the caller from passing it as a
//! destination, and one that shares its memory, with a clone, with its components or with an argument of the
//! same call, is refused. So no kernel reads what it is about to overwrite, and no other array changes.

use ndarray::Dimension;

use crate::backend::Memory;
use crate::dense_array::DenseArray;
use crate::device::{Device, DeviceData};
use crate::device_array::DeviceArray;
use crate::element::Entry;
use crate::error::{Error, Result, internal};
use crate::input::contents;
use crate::program::{Program, ScalarType};
use crate::sealed::Sealed;

/// Where `enqueue_into` writes: a mutable reference to a [`DeviceArray`] of the type that `enqueue` returns,
/// or a tuple of these for a tuple. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`enqueue_into` cannot write into `{Self}`",
    label = "not a mutable reference to a device array",
    note = "accepted are mutable references to what `enqueue` returns; `run_into` writes into memory of the host"
)]
pub trait DeviceDestination: Sealed {
    /// Gives the component arrays, in order.
    #[doc(hidden)]
    fn places<'d>(&'d mut self, give: &mut GiveDevicePlace<'_, 'd>);
}

/// Takes the place of a result.
#[doc(hidden)]
pub(crate) type GiveDevicePlace<'g, 'd> = dyn FnMut(DevicePlace<'d>) + 'g;

/// Memory on a device for one result.
#[doc(hidden)]
#[derive(Debug)]
pub struct DevicePlace<'d> {
    /// The type of its elements.
    pub(crate) element: ScalarType,
    /// The lengths, outermost first.
    pub(crate) lengths: Vec<usize>,
    /// The elements, to be overwritten.
    pub(crate) data: &'d mut DeviceData,
}

impl<T: Entry, D: Dimension> DeviceDestination for &mut DeviceArray<T, D> {
    fn places<'d>(&'d mut self, give: &mut GiveDevicePlace<'_, 'd>) {
        let (shape, components) = self.parts_mut();
        let mut components = components.iter_mut();
        T::components(&mut |element, inner| {
            if let Some(data) = components.next() {
                give(DevicePlace { element, lengths: [shape, inner].concat(), data });
            }
        });
    }
}

macro_rules! tuples {
    ($(($($part:ident),*))*) => {$(
        #[allow(non_snake_case, reason = "each part is named after its type parameter")]
        impl<$($part: DeviceDestination),*> DeviceDestination for ($($part,)*) {
            fn places<'d>(&'d mut self, give: &mut GiveDevicePlace<'_, 'd>) {
                let ($($part,)*) = self;
                $($part.places(give);)*
            }
        }
    )*};
}

tuples! {
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

/// The memory for the results of a call, each of which fits there and is seen by nobody else.
pub(crate) fn checked<'d, D: DeviceDestination>(
    program: &'static Program,
    results: &[DenseArray],
    device: &Device,
    destination: &'d mut D,
) -> Result<Vec<&'d mut Memory>> {
    let mut places = Vec::with_capacity(results.len());
    destination.places(&mut |place| places.push(place));
    if places.len() != results.len() {
        let message = format!("{} destinations for {} results", places.len(), results.len());
        return Err(internal(program, message));
    }
    let checked = results.iter().zip(places).map(|(result, place)| {
        check(program, result, device, &place)?;
        let memory = &mut place.data.memory;
        if memory.is_shared() {
            return Err(Error::SharedDestination { program: program.name.to_owned() });
        }
        Ok(memory)
    });
    checked.collect()
}

fn check(
    program: &'static Program,
    result: &DenseArray,
    device: &Device,
    DevicePlace { element, lengths, data }: &DevicePlace<'_>,
) -> Result<()> {
    data.on("out", device)?;
    if *element != result.element {
        return Err(Error::ElementType {
            argument: "out".to_owned(),
            expected: result.element.to_string(),
            found: element.to_string(),
        });
    }
    if *lengths != result.shape {
        return Err(Error::DestinationShape {
            program: program.name.to_owned(),
            expected: result.shape.clone(),
            found: lengths.clone(),
        });
    }
    contents::check("out", *element, lengths, data.memory.count(*element))
}
