//! The element types that cross the boundary between Rust and a device.

use std::fmt::Debug;

use crate::by_value::ByValue;
use crate::erased::{Erase, zeros};
use crate::error::Result;
use crate::input::{Item, SameType};
use crate::program::ScalarType;

/// Reads from a device into memory of exactly the right length.
pub(crate) type ReadBytes<'a> = dyn FnMut(&mut [u8]) -> Result<()> + 'a;

/// A scalar that arrays can hold: `bool`, the integers up to 64 bits, `f32`, `f64`, and `half::f16` with the
/// feature `f16`.
///
/// A `bool` is one byte on the device, 0 or 1. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array on a device",
    label = "not an element type",
    note = "element types are `bool`, `i8` to `u64`, `f32`, `f64`, and `half::f16` with the feature `f16`",
    note = "an element that an expression returns by itself or in a tuple is taken for a number; a closure says that it is a row: \
            `lift!(|m: [[f32; M]; N]| head(m)).run(&m)`"
)]
pub trait Element:
    Item<Element = Self>
    + SameType<Self>
    + ByValue<Element = Self>
    + Erase
    + Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
{
    /// This type in the description of a program.
    const SCALAR: ScalarType;

    /// The bytes that a device gets.
    #[doc(hidden)]
    fn bytes(elements: &[Self]) -> &[u8];

    /// The element with these bytes, whose number is the size of an element.
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Overwrites `elements` with those that a device holds.
    #[doc(hidden)]
    fn read_into(elements: &mut [Self], read: &mut ReadBytes<'_>) -> Result<()>;

    /// Reads `count` elements from a device.
    #[doc(hidden)]
    fn read(count: usize, read: &mut ReadBytes<'_>) -> Result<Vec<Self>>;
}

macro_rules! plain_elements {
    ($($ty:ty => $scalar:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Element for $ty {
            const SCALAR: ScalarType = ScalarType::$scalar;

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

plain_elements! {
    i8 => I8;
    u8 => U8;
    i16 => I16;
    u16 => U16;
    i32 => I32;
    u32 => U32;
    i64 => I64;
    u64 => U64;
    f32 => F32;
    f64 => F64;
}

#[cfg(feature = "f16")]
plain_elements! {
    half::f16 => F16;
}

#[diagnostic::do_not_recommend]
impl Element for bool {
    const SCALAR: ScalarType = ScalarType::Bool;

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
