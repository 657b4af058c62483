//! What a host kernel is called with.

use std::fmt::Debug;

use thiserror::Error;

use super::Shared;
use crate::element::Element;
use crate::erased::{ErasedCells, ErasedSlice};

/// The arguments of one kernel. A position is an index into
/// [`Kernel::host_arguments`](crate::__private::Kernel::host_arguments).
///
/// A method returns an error if the argument has another kind or type than it asks for. That is a mistake of
/// the compiler; the kernel returns the error to the call that runs it.
#[derive(Debug)]
pub struct Arguments<'a>(Vec<Bound<'a>>);

/// An argument that is not what a kernel asks for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// There is no such argument.
    #[error("there is no argument {position}, only {arguments}")]
    Missing {
        /// The position that was asked for.
        position: usize,
        /// The number of arguments.
        arguments: usize,
    },
    /// It is of another kind or type.
    #[error("argument {position} is {found}, not {wanted}")]
    Other {
        /// Where it is.
        position: usize,
        /// What it is.
        found: String,
        /// What is asked for.
        wanted: String,
    },
}

/// What one parameter of a kernel is bound to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound<'a> {
    /// An array that is only read.
    Read(ErasedSlice<'a>),
    /// A result or a temporary.
    Shared(ErasedCells<'a>),
    /// The bytes of a scalar, or of the components of a vector.
    Value(&'a [u8]),
    /// A size.
    Size(i64),
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(bound: Vec<Bound<'a>>) -> Arguments<'a> {
        Arguments(bound)
    }

    /// An array parameter.
    ///
    /// # Errors
    /// If it is no array of such elements.
    pub fn read<T: Element>(&self, position: usize) -> Result<&'a [T], Mismatch> {
        match self.bound(position)? {
            Bound::Read(elements) => T::slice(elements),
            Bound::Shared(_) | Bound::Value(_) | Bound::Size(_) => None,
        }
        .ok_or_else(|| self.mismatch::<T>(position, "an array of", " that is read"))
    }

    /// A result or a temporary, which several threads read and write.
    ///
    /// # Errors
    /// If it is no array of such elements.
    pub fn shared<T: Element>(&self, position: usize) -> Result<Shared<'a, T>, Mismatch> {
        match self.bound(position)? {
            Bound::Shared(cells) => T::cells(cells).map(Shared::new),
            Bound::Read(_) | Bound::Value(_) | Bound::Size(_) => None,
        }
        .ok_or_else(|| self.mismatch::<T>(position, "an array of", " that is written"))
    }

    /// A scalar parameter.
    ///
    /// # Errors
    /// If it is no scalar of this type.
    pub fn scalar<T: Element>(&self, position: usize) -> Result<T, Mismatch> {
        self.vector::<T, 1>(position).map(|[scalar]| scalar)
    }

    /// A vector parameter.
    ///
    /// # Errors
    /// If it is no vector of this type with `LANES` components.
    pub fn vector<T: Element, const LANES: usize>(&self, position: usize) -> Result<[T; LANES], Mismatch> {
        let mut lanes = [T::default(); LANES];
        match self.bound(position)? {
            Bound::Value(bytes) if bytes.len() == size_of::<[T; LANES]>() => {
                let elements = bytes.chunks_exact(size_of::<T>());
                lanes.iter_mut().zip(elements).for_each(|(lane, bytes)| *lane = T::from_bytes(bytes));
                Ok(lanes)
            }
            Bound::Read(_) | Bound::Shared(_) | Bound::Value(_) | Bound::Size(_) => {
                Err(self.mismatch::<T>(position, "a value of type", ""))
            }
        }
    }

    /// A size.
    ///
    /// # Errors
    /// If it is no size.
    pub fn size(&self, position: usize) -> Result<isize, Mismatch> {
        match self.bound(position)? {
            Bound::Size(size) => isize::try_from(size).ok(),
            Bound::Read(_) | Bound::Shared(_) | Bound::Value(_) => None,
        }
        .ok_or_else(|| self.mismatch::<i64>(position, "a size of type", ""))
    }

    fn bound(&self, position: usize) -> Result<Bound<'a>, Mismatch> {
        let missing = Mismatch::Missing { position, arguments: self.0.len() };
        self.0.get(position).copied().ok_or(missing)
    }

    fn mismatch<T: Element>(&self, position: usize, wanted: &str, how: &str) -> Mismatch {
        let found = match self.bound(position) {
            Err(missing) => return missing,
            Ok(Bound::Read(elements)) => format!("an array of {} elements that is read", elements.len()),
            Ok(Bound::Shared(cells)) => format!("an array of {} elements that is written", cells.len()),
            Ok(Bound::Value(bytes)) => format!("a value of {} bytes", bytes.len()),
            Ok(Bound::Size(size)) => format!("the size {size}"),
        };
        Mismatch::Other { position, found, wanted: format!("{wanted} {}{how}", T::SCALAR) }
    }
}
