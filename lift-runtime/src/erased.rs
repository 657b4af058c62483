//! Elements whose type is known only at run time: borrowed, shared between threads, and owned.
//!
//! The description of a program says at run time what its arrays hold, and generated code knows it as a type
//! of Rust. Between the two, arrays are values of the enums here, so that no array is ever reinterpreted:
//! what comes out is the slice or the vector that went in, with the alignment of its own type.

use std::cell::Cell;

use crate::bytes::{Bytes, ReadBytes, zeros};
use crate::error::{Error, Result};
use crate::program::ScalarType;

/// An element type, seen from the enums of this module.
#[doc(hidden)]
pub trait Erase: Bytes + Copy {
    /// A slice without its type.
    fn erase_slice(elements: &[Self]) -> ErasedSlice<'_>;

    /// The slice; `None` if its elements have another type.
    fn slice(erased: ErasedSlice<'_>) -> Option<&[Self]>;

    /// Elements to be written from several places, without their type.
    fn erase_cells(elements: &mut [Self]) -> ErasedCells<'_>;

    /// The cells; `None` if their elements have another type.
    fn cells(erased: ErasedCells<'_>) -> Option<&[Cell<Self>]>;

    /// A vector without its type.
    fn erase_vec(elements: Vec<Self>) -> ErasedVec;

    /// The vector; if its elements have another type, the argument as it was.
    fn vec(erased: ErasedVec) -> Result<Vec<Self>, ErasedVec>;

    /// Elements as vectors of `WIDTH`; they are not moved if the type allows it.
    fn vectors<const WIDTH: usize>(elements: Vec<Self>) -> Vec<[Self; WIDTH]>;
}

macro_rules! erased {
    ($($(#[$condition:meta])? $variant:ident: $element:ty, $vectors:path;)*) => {
        /// A slice of elements of any type.
        #[doc(hidden)]
        #[derive(Debug, Clone, Copy)]
        pub enum ErasedSlice<'a> {
            $($(#[$condition])? $variant(&'a [$element]),)*
        }

        /// Cells with elements of any type.
        #[doc(hidden)]
        #[derive(Debug, Clone, Copy)]
        pub enum ErasedCells<'a> {
            $($(#[$condition])? $variant(&'a [Cell<$element>]),)*
        }

        /// A vector of elements of any type.
        #[doc(hidden)]
        #[derive(Debug, Clone)]
        pub enum ErasedVec {
            $($(#[$condition])? $variant(Vec<$element>),)*
        }

        $(
            $(#[$condition])?
            impl Erase for $element {
                fn erase_slice(elements: &[Self]) -> ErasedSlice<'_> {
                    ErasedSlice::$variant(elements)
                }

                fn slice(erased: ErasedSlice<'_>) -> Option<&[Self]> {
                    if let ErasedSlice::$variant(elements) = erased { Some(elements) } else { None }
                }

                fn erase_cells(elements: &mut [Self]) -> ErasedCells<'_> {
                    ErasedCells::$variant(Cell::from_mut(elements).as_slice_of_cells())
                }

                fn cells(erased: ErasedCells<'_>) -> Option<&[Cell<Self>]> {
                    if let ErasedCells::$variant(cells) = erased { Some(cells) } else { None }
                }

                fn erase_vec(elements: Vec<Self>) -> ErasedVec {
                    ErasedVec::$variant(elements)
                }

                fn vec(erased: ErasedVec) -> Result<Vec<Self>, ErasedVec> {
                    if let ErasedVec::$variant(elements) = erased { Ok(elements) } else { Err(erased) }
                }

                fn vectors<const WIDTH: usize>(elements: Vec<Self>) -> Vec<[Self; WIDTH]> {
                    $vectors(elements)
                }
            }
        )*

        impl<'a> ErasedSlice<'a> {
            /// The element type.
            pub(crate) fn element(self) -> ScalarType {
                match self {
                    $($(#[$condition])? ErasedSlice::$variant(_) => ScalarType::$variant,)*
                }
            }

            /// A copy.
            pub(crate) fn to_vec(self) -> Result<ErasedVec> {
                Ok(match self {
                    $($(#[$condition])? ErasedSlice::$variant(elements) => ErasedVec::$variant(copy(elements)?),)*
                })
            }

            /// The number of elements.
            pub(crate) fn len(self) -> usize {
                match self {
                    $($(#[$condition])? ErasedSlice::$variant(elements) => elements.len(),)*
                }
            }

            /// The bytes that a device gets.
            pub(crate) fn bytes(self) -> &'a [u8] {
                match self {
                    $($(#[$condition])? ErasedSlice::$variant(elements) => bytemuck::cast_slice(elements),)*
                }
            }
        }

        impl ErasedCells<'_> {
            /// The first `count` cells; all of them if there are fewer.
            pub(crate) fn first(self, count: usize) -> Self {
                match self {
                    $($(#[$condition])? ErasedCells::$variant(cells) => {
                        ErasedCells::$variant(cells.get(..count).unwrap_or(cells))
                    })*
                }
            }

            /// The element type.
            pub(crate) fn element(self) -> ScalarType {
                match self {
                    $($(#[$condition])? ErasedCells::$variant(_) => ScalarType::$variant,)*
                }
            }

            /// The number of elements.
            pub(crate) fn len(self) -> usize {
                match self {
                    $($(#[$condition])? ErasedCells::$variant(cells) => cells.len(),)*
                }
            }
        }

        impl ErasedVec {
            /// All element types.
            pub(crate) const TYPES: &[ScalarType] = &[$($(#[$condition])? ScalarType::$variant,)*];

            /// Zeros, which the allocator provides without writing them where it can.
            pub(crate) fn zeros(element: ScalarType, count: usize) -> Result<ErasedVec> {
                Ok(match element {
                    $($(#[$condition])? ScalarType::$variant => ErasedVec::$variant(zeros(count)?),)*
                    other => {
                        let message = format!("elements of type {} have no memory", other);
                        return Err(Error::Internal { program: "the host".to_owned(), message });
                    }
                })
            }

            /// Reads `count` elements from a device.
            pub(crate) fn read(
                element: ScalarType,
                count: usize,
                read: &mut ReadBytes<'_>,
            ) -> Result<ErasedVec> {
                Ok(match element {
                    $($(#[$condition])? ScalarType::$variant => ErasedVec::$variant(Bytes::read(count, read)?),)*
                    other => {
                        let message = format!("elements of type {} have no memory", other);
                        return Err(Error::Internal { program: "a result".to_owned(), message });
                    }
                })
            }

            /// The elements, to be read.
            pub(crate) fn as_slice(&self) -> ErasedSlice<'_> {
                match self {
                    $($(#[$condition])? ErasedVec::$variant(elements) => ErasedSlice::$variant(elements),)*
                }
            }

            /// The elements, to be written from several places.
            pub(crate) fn as_cells(&mut self) -> ErasedCells<'_> {
                match self {
                    $($(#[$condition])? ErasedVec::$variant(elements) => Erase::erase_cells(elements),)*
                }
            }
        }
    };
}

erased! {
    Bool: bool, copied;
    I8: i8, cast;
    U8: u8, cast;
    I16: i16, cast;
    U16: u16, cast;
    I32: i32, cast;
    U32: u32, cast;
    I64: i64, cast;
    U64: u64, cast;
    #[cfg(feature = "f16")] F16: half::f16, cast;
    F32: f32, cast;
    F64: f64, cast;
}

/// The type of elements in the description of a program.
pub(crate) fn scalar_type<T: Erase>() -> ScalarType {
    T::erase_slice(&[]).element()
}

fn copy<T: Copy>(elements: &[T]) -> Result<Vec<T>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(elements.len())
        .map_err(|_| Error::OutOfHostMemory { bytes: size_of_val(elements) as u64 })?;
    copy.extend_from_slice(elements);
    Ok(copy)
}

/// Elements as vectors, for types in which every pattern of bits is a value.
fn cast<T: bytemuck::Pod, const WIDTH: usize>(elements: Vec<T>) -> Vec<[T; WIDTH]> {
    bytemuck::allocation::try_cast_vec(elements).unwrap_or_else(|(_, elements)| copied(elements))
}

fn copied<T: Copy, const WIDTH: usize>(elements: Vec<T>) -> Vec<[T; WIDTH]> {
    elements.as_chunks().0.to_vec()
}
