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
    /// The type that stands for it in OpenCL C.
    const OPENCL_NAME: &'static str;

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
    ($($ty:ty => $scalar:ident, $name:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Element for $ty {
            const SCALAR: ScalarType = ScalarType::$scalar;
            const OPENCL_NAME: &'static str = $name;

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
    i8 => I8, "char";
    u8 => U8, "uchar";
    i16 => I16, "short";
    u16 => U16, "ushort";
    i32 => I32, "int";
    u32 => U32, "uint";
    i64 => I64, "long";
    u64 => U64, "ulong";
    f32 => F32, "float";
    f64 => F64, "double";
}

#[cfg(feature = "f16")]
plain_elements! {
    half::f16 => F16, "half";
}

#[diagnostic::do_not_recommend]
impl Element for bool {
    const SCALAR: ScalarType = ScalarType::Bool;
    const OPENCL_NAME: &'static str = "uchar";

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

impl ScalarType {
    /// How many bytes an element takes on a device; `None` for a type parameter.
    pub(crate) fn bytes(self) -> Option<usize> {
        match self {
            ScalarType::Bool | ScalarType::I8 | ScalarType::U8 => Some(1),
            ScalarType::I16 | ScalarType::U16 | ScalarType::F16 => Some(2),
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => Some(4),
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => Some(8),
            ScalarType::Parameter(_) => None,
        }
    }

    /// The name in Rust.
    pub(crate) fn rust_name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "i8",
            ScalarType::U8 => "u8",
            ScalarType::I16 => "i16",
            ScalarType::U16 => "u16",
            ScalarType::I32 => "i32",
            ScalarType::U32 => "u32",
            ScalarType::I64 => "i64",
            ScalarType::U64 => "u64",
            ScalarType::F16 => "f16",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::Parameter(_) => "an open type",
        }
    }

    /// The name in OpenCL C; `None` for a type parameter.
    pub(crate) fn opencl_name(self) -> Option<&'static str> {
        match self {
            ScalarType::Bool => Some(bool::OPENCL_NAME),
            ScalarType::I8 => Some(i8::OPENCL_NAME),
            ScalarType::U8 => Some(u8::OPENCL_NAME),
            ScalarType::I16 => Some(i16::OPENCL_NAME),
            ScalarType::U16 => Some(u16::OPENCL_NAME),
            ScalarType::I32 => Some(i32::OPENCL_NAME),
            ScalarType::U32 => Some(u32::OPENCL_NAME),
            ScalarType::I64 => Some(i64::OPENCL_NAME),
            ScalarType::U64 => Some(u64::OPENCL_NAME),
            ScalarType::F16 => Some("half"),
            ScalarType::F32 => Some(f32::OPENCL_NAME),
            ScalarType::F64 => Some(f64::OPENCL_NAME),
            ScalarType::Parameter(_) => None,
        }
    }

    /// The extension that a device needs for arithmetic on this type.
    pub(crate) fn extension(self) -> Option<&'static str> {
        match self {
            ScalarType::F16 => Some("cl_khr_fp16"),
            ScalarType::F64 => Some("cl_khr_fp64"),
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64
            | ScalarType::F32
            | ScalarType::Parameter(_) => None,
        }
    }
}
