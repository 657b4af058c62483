//! What a host kernel is called with.

use std::fmt::Debug;

use super::Shared;
use crate::element::Element;
use crate::erased::{ErasedCells, ErasedSlice};

/// The arguments of one kernel. A position is that in [`Kernel::host_arguments`](crate::__private::Kernel::host_arguments).
///
/// An argument of another kind or type than the kernel asks for is a mistake of the compiler; the methods panic then, and the
/// call that runs the kernel returns an error.
#[derive(Debug)]
pub struct Arguments<'a>(Vec<Bound<'a>>);

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
    pub fn read<T: Element>(&self, position: usize) -> &'a [T] {
        match self.bound(position) {
            Bound::Read(elements) => T::slice(elements),
            Bound::Shared(_) | Bound::Value(_) | Bound::Size(_) => None,
        }
        .unwrap_or_else(|| self.mismatch::<T>(position, "an array of", " that is read"))
    }

    /// A result or a temporary, which several threads read and write.
    pub fn shared<T: Element>(&self, position: usize) -> Shared<'a, T> {
        match self.bound(position) {
            Bound::Shared(cells) => T::cells(cells),
            Bound::Read(_) | Bound::Value(_) | Bound::Size(_) => None,
        }
        .map_or_else(|| self.mismatch::<T>(position, "an array of", " that is written"), Shared::new)
    }

    /// A scalar parameter.
    pub fn scalar<T: Element>(&self, position: usize) -> T {
        let [scalar] = self.vector::<T, 1>(position);
        scalar
    }

    /// A vector parameter.
    pub fn vector<T: Element, const LANES: usize>(&self, position: usize) -> [T; LANES] {
        let mut lanes = [T::default(); LANES];
        match self.bound(position) {
            Bound::Value(bytes) if bytes.len() == size_of::<[T; LANES]>() => {
                let elements = bytes.chunks_exact(size_of::<T>());
                lanes.iter_mut().zip(elements).for_each(|(lane, bytes)| *lane = T::from_bytes(bytes));
                lanes
            }
            Bound::Read(_) | Bound::Shared(_) | Bound::Value(_) | Bound::Size(_) => {
                self.mismatch::<T>(position, "a value of type", "")
            }
        }
    }

    /// A size.
    pub fn size(&self, position: usize) -> isize {
        match self.bound(position) {
            Bound::Size(size) => isize::try_from(size).ok(),
            Bound::Read(_) | Bound::Shared(_) | Bound::Value(_) => None,
        }
        .unwrap_or_else(|| self.mismatch::<i64>(position, "a size of type", ""))
    }

    fn bound(&self, position: usize) -> Bound<'a> {
        match self.0.get(position) {
            Some(bound) => *bound,
            None => panic!("there is no argument {position}, only {}", self.0.len()),
        }
    }

    fn mismatch<T: Element>(&self, position: usize, wanted: &str, how: &str) -> ! {
        let found = match self.bound(position) {
            Bound::Read(elements) => format!("an array of {} elements that is read", elements.len()),
            Bound::Shared(cells) => format!("an array of {} elements that is written", cells.len()),
            Bound::Value(bytes) => format!("a value of {} bytes", bytes.len()),
            Bound::Size(size) => format!("the size {size}"),
        };
        panic!("argument {position} is {found}, not {wanted} {}{how}", T::SCALAR.rust_name())
    }
}
