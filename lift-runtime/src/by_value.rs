//! Numbers and truth values that are passed by value, and the element types that stand for them on a device.
//!
//! An element stands for itself. A `usize` has no type on a device, but an expression may still compute with
//! one, as in `x * n as f32`: it is an integer as wide as sizes are.

use std::fmt::Debug;

use crate::element::Element;
use crate::sealed::Sealed;

/// A value that an expression may take where only the argument decides the type. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a device",
    label = "neither a number nor a truth value",
    note = "element types are `bool`, `i8` to `u64`, `f32`, `f64`, and `half::f16` with the feature `f16`"
)]
pub trait ByValue: Copy + Debug + Sealed {
    /// The type on a device.
    type Element: Element;

    /// The value on a device.
    ///
    /// # Errors
    /// Returns the number if it is larger than any size.
    fn element(self) -> Result<Self::Element, u64>;
}

macro_rules! elements {
    ($($ty:ty),*) => {$(
        impl ByValue for $ty {
            type Element = $ty;

            #[inline]
            fn element(self) -> Result<$ty, u64> {
                Ok(self)
            }
        }
    )*};
}

elements!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

#[cfg(feature = "f16")]
elements!(half::f16);

impl ByValue for usize {
    type Element = i64;

    fn element(self) -> Result<i64, u64> {
        i64::try_from(self).map_err(|_| self as u64)
    }
}

impl ByValue for isize {
    type Element = i64;

    fn element(self) -> Result<i64, u64> {
        Ok(self as i64)
    }
}
