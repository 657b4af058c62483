//! Checks that an array holds one element for each of its positions.
//!
//! Lengths and elements reach the runtime separately, and kernels trust the lengths. The types that can be
//! passed are sealed, so lengths and elements agree by construction. They are compared all the same, before
//! an array is uploaded and in every call.

use crate::error::{Error, Result};
use crate::program::ScalarType;

/// Compares the lengths of an array with its number of elements; `None` means that they have another type.
pub(crate) fn check(
    argument: &str,
    element: ScalarType,
    lengths: &[usize],
    found: Option<usize>,
) -> Result<()> {
    if found.is_some() && positions(lengths) == found {
        return Ok(());
    }
    let (name, found) = (element.to_string(), found.map_or("no".to_owned(), |count| count.to_string()));
    Err(Error::Internal {
        program: argument.to_owned(),
        message: format!("its lengths are {lengths:?}, and it has {found} elements of type `{name}`"),
    })
}

/// The number of positions of an array of these lengths; `None` if it is too large to count. An empty array
/// has no positions, however long its other dimensions are.
fn positions(lengths: &[usize]) -> Option<usize> {
    if lengths.contains(&0) {
        return Some(0);
    }
    lengths.iter().try_fold(1, |product: usize, length| product.checked_mul(*length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(lengths: &[usize], found: Option<usize>) -> bool {
        check("`a`", ScalarType::F32, lengths, found).is_ok()
    }

    #[test]
    fn an_array_holds_one_element_for_each_position() {
        assert!(holds(&[], Some(1)));
        assert!(holds(&[2, 3], Some(6)));
        assert!(!holds(&[2, 3], Some(5)));
        assert!(!holds(&[2, 3], Some(7)));
        assert!(!holds(&[2, 3], None));
    }

    #[test]
    fn lengths_whose_product_overflows_are_those_of_no_array_but_of_an_empty_one() {
        assert!(!holds(&[1 << 40, 1 << 40], Some(0)));
        assert!(!holds(&[1 << 63, 2], Some(0)));
        assert!(holds(&[1 << 40, 1 << 40, 0], Some(0)));
    }
}
