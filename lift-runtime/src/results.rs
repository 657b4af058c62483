//! The results of a call, on their way from the memory of a device to its user.

use std::vec;

use crate::dense_array::DenseArray;
use crate::device::DeviceData;
use crate::erased::{Erase, ErasedVec, scalar_type};
use crate::error::{Error, Result, internal};
use crate::program::Program;

/// The results of a call, to be taken in order.
#[doc(hidden)]
#[derive(Debug)]
pub struct Results {
    program: &'static Program,
    remaining: vec::IntoIter<(DenseArray, DeviceData)>,
}

impl Results {
    pub(crate) fn new(program: &'static Program, results: Vec<(DenseArray, DeviceData)>) -> Results {
        Results { program, remaining: results.into_iter() }
    }

    /// The program that computed them.
    pub(crate) fn program(&self) -> &'static Program {
        self.program
    }

    /// Checks that nothing is left.
    pub(crate) fn all_taken(&self) -> Result<()> {
        match self.remaining.len() {
            0 => Ok(()),
            left => Err(internal(self.program, format!("{left} results were not asked for"))),
        }
    }

    /// The next result, which must hold elements of type `T`.
    pub(crate) fn next<T: Erase>(&mut self) -> Result<(Vec<usize>, DeviceData)> {
        let Some((array, data)) = self.remaining.next() else {
            return Err(internal(self.program, "more results were asked for than there are".to_owned()));
        };
        let wanted = scalar_type::<T>();
        if array.element == wanted {
            return Ok((array.shape, data));
        }
        Err(Error::ElementType {
            argument: "the destination".to_owned(),
            expected: array.element.to_string(),
            found: wanted.to_string(),
        })
    }

    /// The elements of the next result, with its shape.
    pub(crate) fn next_elements<T: Erase>(&mut self) -> Result<(Vec<usize>, Vec<T>)> {
        let (shape, data) = self.next::<T>()?;
        let elements = data.memory.into_vec(shape.iter().product())?;
        Ok((shape, elements))
    }

    /// All results that are left, of any type, each with its shape.
    pub(crate) fn rest(&mut self) -> Result<Vec<(Vec<usize>, ErasedVec)>> {
        let rest = self.remaining.by_ref().map(|(array, data)| {
            let count = array.shape.iter().product();
            Ok((array.shape, data.memory.into_erased(array.element, count)?))
        });
        rest.collect()
    }

    /// Overwrites elements with those of the next result.
    pub(crate) fn next_elements_into<T: Erase>(&mut self, elements: &mut [T]) -> Result<()> {
        let (_, data) = self.next::<T>()?;
        data.memory.read_into(elements)
    }
}
