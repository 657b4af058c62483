//! Memory for the temporaries of calls on the host, kept for the next call.
//!
//! The system provides pages one by one, when they are first written. For a kernel that does little with each
//! element, that takes longer than the kernel itself. How much is kept, and how it is given back, is as on a
//! device ([`pool`](super::pool)).

use std::sync::LazyLock;

use super::pool::{Block, Keeping, Pool};
use crate::dense_array::DenseArray;
use crate::erased::{ErasedCells, ErasedVec};
use crate::error::Result;
use crate::program::ScalarType;

/// One pool for each element type: memory is never reinterpreted.
static KEPT: LazyLock<Vec<(ScalarType, Pool<ErasedVec>)>> = LazyLock::new(|| {
    ErasedVec::TYPES.iter().map(|element| (*element, Pool::new(Keeping::of_environment()))).collect()
});

/// The temporaries of a call. They hold anything at first: every kernel writes what later ones read.
#[derive(Default)]
pub(crate) struct Temporaries(Vec<Temporary>);

struct Temporary {
    block: Option<Block<ErasedVec>>,
    pool: Option<&'static Pool<ErasedVec>>,
    length: usize,
}

impl Temporaries {
    /// Memory for these arrays.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn take(arrays: &[DenseArray]) -> Result<Temporaries> {
        let mut taken = Temporaries::default();
        for array in arrays {
            let length: usize = array.shape.iter().product();
            let pool = KEPT.iter().find(|(element, _)| *element == array.element).map(|(_, pool)| pool);
            let bytes = usize::from(array.element.known_bytes().unwrap_or(1));
            let zeros = |bytes_in_all: usize| ErasedVec::zeros(array.element, bytes_in_all / bytes);
            let block = match pool {
                Some(pool) => pool.take(length.saturating_mul(bytes), zeros)?,
                None => Block { memory: ErasedVec::zeros(array.element, length)?, bytes: 0 },
            };
            taken.0.push(Temporary { block: Some(block), pool, length });
        }
        Ok(taken)
    }

    /// The cells of each array, as many as it has elements.
    pub(crate) fn as_cells(&mut self) -> Vec<ErasedCells<'_>> {
        let blocks =
            self.0.iter_mut().filter_map(|Temporary { block, length, .. }| Some((block.as_mut()?, *length)));
        blocks.map(|(block, length)| block.memory.as_cells().first(length)).collect()
    }
}

impl Drop for Temporaries {
    fn drop(&mut self) {
        for Temporary { block, pool, .. } in &mut self.0 {
            if let Some((block, pool)) = block.take().zip(*pool) {
                pool.put_back(block);
            }
        }
    }
}

/// Frees what is kept, and returns its number of bytes.
pub(super) fn release() -> usize {
    KEPT.iter().map(|(_, pool)| pool.release()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(element: ScalarType, shape: &[usize]) -> DenseArray {
        DenseArray { element, shape: shape.to_vec(), bytes: 0 }
    }

    #[test]
    fn every_array_has_its_length_and_its_type_whatever_was_kept() -> Result<()> {
        for shape in [[3usize, 5], [3, 4], [0, 7], [30, 31], [3, 5]] {
            for element in ErasedVec::TYPES {
                let mut taken = Temporaries::take(&[array(*element, &shape), array(*element, &[1])])?;
                let found: Vec<_> =
                    taken.as_cells().into_iter().map(|cells| (cells.element(), cells.len())).collect();
                assert_eq!(found, [(*element, shape.iter().product()), (*element, 1)]);
            }
        }
        Ok(())
    }
}
