//! Scalars as bytes: how a device gets them and gives them back.
//!
//! A `bool` is one byte on a device, 0 or 1, and every byte but 0 that a device gives back is `true`. All
//! other scalars are the same bytes on both sides.

use crate::error::{Error, Result};

/// Reads from a device into memory of exactly the right length.
pub(crate) type ReadBytes<'a> = dyn FnMut(&mut [u8]) -> Result<()> + 'a;

/// A scalar that can be copied to a device and back.
#[doc(hidden)]
pub trait Bytes: Sized {
    /// The bytes that a device gets.
    fn bytes(elements: &[Self]) -> &[u8];

    /// The element with these bytes, whose number is the size of an element.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Overwrites `elements` with those that a device holds.
    fn read_into(elements: &mut [Self], read: &mut ReadBytes<'_>) -> Result<()>;

    /// Reads `count` elements from a device.
    fn read(count: usize, read: &mut ReadBytes<'_>) -> Result<Vec<Self>>;
}

macro_rules! plain {
    ($($(#[$condition:meta])? $ty:ty),*) => {$(
        $(#[$condition])?
        impl Bytes for $ty {
            fn bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                bytemuck::try_pod_read_unaligned(bytes).unwrap_or_default()
            }

            fn read_into(elements: &mut [Self], read: &mut ReadBytes<'_>) -> Result<()> {
                read(bytemuck::cast_slice_mut(elements))
            }

            fn read(count: usize, read: &mut ReadBytes<'_>) -> Result<Vec<Self>> {
                let mut elements = zeros(count)?;
                Self::read_into(&mut elements, read)?;
                Ok(elements)
            }
        }
    )*};
}

plain!(
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    #[cfg(feature = "f16")]
    half::f16,
    f32,
    f64
);

impl Bytes for bool {
    fn bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.first().is_some_and(|byte| *byte != 0)
    }

    fn read_into(elements: &mut [Self], read: &mut ReadBytes<'_>) -> Result<()> {
        let mut bytes = zeros::<u8>(elements.len())?;
        read(&mut bytes)?;
        elements.iter_mut().zip(bytes).for_each(|(element, byte)| *element = byte != 0);
        Ok(())
    }

    fn read(count: usize, read: &mut ReadBytes<'_>) -> Result<Vec<Self>> {
        let mut bytes = zeros::<u8>(count)?;
        read(&mut bytes)?;
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }
}

/// Zeros, which the allocator provides without writing them where it can.
pub(crate) fn zeros<T: bytemuck::Zeroable>(count: usize) -> Result<Vec<T>> {
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    bytemuck::allocation::try_zeroed_vec(count).map_err(|()| Error::OutOfHostMemory { bytes })
}
