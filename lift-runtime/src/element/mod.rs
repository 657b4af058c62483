//! What stands at one position of an array, and what a row of it consists of.
//!
//! - An [`Element`] is a scalar.
//! - An [`Entry`] is what an array holds at one position: an element, a vector of elements, or a tuple of
//!   these. A vector is `[T; W]`, laid out as on a device. There, an array of vectors is an array of elements
//!   with one more dimension. A device never sees tuples: there, an array of tuples is one array per
//!   component. Arrays of Rust tuples are split into components on the way in and joined on the way out, in
//!   one pass each.
//! - An [`Item`] is what a sequence consists of: an entry, or an array of items with a fixed size.
//! - A value passed [`ByValue`] is a number or a truth value, with the element type that represents it on a
//!   device. A `usize` has no type on a device, but an expression may still compute with one, as in
//!   `x * n as f32`: it is an integer as wide as sizes are.
//!
//! The traits refer to each other, so they stand here together; which types have them is said in a file for
//! each kind of type.

mod arrays;
mod scalars;
mod tuples;

use std::borrow::Cow;
use std::fmt::Debug;
use std::vec;

use ndarray::Dimension;

use crate::device::DeviceData;
use crate::erased::{Erase, ErasedCells};
use crate::error::{Error, Result};
use crate::host_elements::HostElements;
use crate::program::ScalarType;
use crate::results::Results;
use crate::sealed::Sealed;

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
}

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

/// What an array can hold at one position: an [`Element`], a vector `[T; 2]`, `[T; 4]`, `[T; 8]` or `[T; 16]`
/// of elements, or a tuple of two to eight entries.
///
/// An array of vectors is passed for a parameter `[f32x4; N]`, from `Vec<[f32; 4]>` as from
/// `Array1<[f32; 4]>`. An array of tuples is one array per component on the device: `Vec<(f32, i32)>` is
/// passed for a parameter `[(f32, i32); N]`, and copied twice, once into its components and once to the
/// device. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array on a device",
    label = "not an element type",
    note = "element types are `bool`, `i8` to `u64`, `f32`, `f64`, `half::f16` with the feature `f16`, and tuples of these"
)]
pub trait Entry: SameType<Self> + Copy + Debug + Default + Send + Sync + 'static {
    /// The number of arrays that hold the entries of one array on a device.
    #[doc(hidden)]
    const COMPONENTS: usize;

    /// Gives the components in order: the type of their elements, and the lengths inside of one entry, which
    /// only a vector has.
    #[doc(hidden)]
    fn components(give: &mut GiveComponent<'_>);

    /// Gives the components of some entries, in order.
    #[doc(hidden)]
    fn split<'a>(entries: Cow<'a, [Self]>, give: &mut GivePart<'_, 'a>);

    /// Moves the next results to the end of `components`, one for each component, and returns the shape of
    /// the array of these entries.
    #[doc(hidden)]
    fn take_components(results: &mut Results, components: &mut Vec<DeviceData>) -> Result<Vec<usize>>;

    /// Copies the next components to the host, and returns the entries; `count` is their number.
    #[doc(hidden)]
    fn join(components: &mut vec::IntoIter<DeviceData>, count: usize) -> Result<Vec<Self>>;

    /// Copies the next results to the host, and returns their shape and one entry for each position.
    #[doc(hidden)]
    fn take(results: &mut Results) -> Result<(Vec<usize>, Vec<Self>)> {
        let mut components = Vec::with_capacity(Self::COMPONENTS);
        let shape = Self::take_components(results, &mut components)?;
        let count = shape.iter().product();
        Ok((shape, Self::join(&mut components.into_iter(), count)?))
    }

    /// Overwrites entries with the next results.
    #[doc(hidden)]
    fn take_into(entries: &mut [Self], results: &mut Results) -> Result<()>;

    /// Gives the memory of each component, in order, if it is laid out as on a device.
    #[doc(hidden)]
    fn places<'a>(entries: &'a mut [Self], give: &mut GivePlace<'_, 'a>);
}

/// Takes the memory of a component; `None` if its elements do not lie one after the other.
#[doc(hidden)]
pub(crate) type GivePlace<'g, 'a> = dyn FnMut(Option<ErasedCells<'a>>) + 'g;

/// Takes what is known of a component by its type: its element type, and the lengths inside of an entry.
#[doc(hidden)]
pub(crate) type GiveComponent<'g> = dyn FnMut(ScalarType, &'static [usize]) + 'g;

/// Takes a component: its element type, the lengths inside of an entry, the elements.
#[doc(hidden)]
pub(crate) type GivePart<'g, 'a> = dyn FnMut(ScalarType, &'static [usize], HostElements<'a>) + 'g;

/// What a sequence consists of: an element, a tuple of elements, or an array of items with a size that is
/// fixed by its type. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a row of an array on a device",
    label = "neither an element nor an array of fixed size",
    note = "elements are `bool`, `i8` to `u64`, `f32`, `f64`, `half::f16` with the feature `f16`, vectors of these, and tuples",
    note = "the rows of a `Vec<Vec<T>>` lie apart and may differ in length: use `Vec<[T; N]>`, or an `ndarray` array of the elements \
            one after another, `lift::ndarray::Array2::from_shape_vec((rows, columns), vectors.concat())`"
)]
pub trait Item: Sealed + Sized {
    /// The type of one element.
    type Element: Entry;
    /// The number of dimensions inside one item, as a type of `ndarray`.
    type Dimension: Dimension;

    /// Appends the lengths of the dimensions inside an item.
    #[doc(hidden)]
    fn append_lengths(lengths: &mut Vec<usize>);

    /// The elements of consecutive items.
    #[doc(hidden)]
    fn elements(items: &[Self]) -> &[Self::Element];

    /// The elements of consecutive items, to be overwritten.
    #[doc(hidden)]
    fn elements_mut(items: &mut [Self]) -> &mut [Self::Element];
}

/// An item that is an array of `T` with `RANK` dimensions, or an element for no dimensions.
pub trait ItemOf<T: Entry, const RANK: usize>: Item {}

/// An element type that is `T` itself.
pub trait SameType<T: Entry>: Item {}

/// The next component of some entries.
pub(crate) fn next_component(components: &mut vec::IntoIter<DeviceData>) -> Result<DeviceData> {
    components.next().ok_or_else(|| Error::Internal {
        program: "an array of tuples".to_owned(),
        message: "it lacks a component".to_owned(),
    })
}
