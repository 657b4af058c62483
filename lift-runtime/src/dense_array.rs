//! Arrays as a call needs them: results and temporaries.

use crate::program::ScalarType;

/// A dense array with its actual shape.
#[derive(Debug, Clone)]
pub(crate) struct DenseArray {
    pub(crate) element: ScalarType,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: usize,
}
