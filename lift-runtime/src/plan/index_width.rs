//! The type of indices in a kernel: 32 bits if they hold all numbers that it computes with indices, else 64.
//!
//! If 64 bits do not hold them either, the call fails before anything is launched: an index that wraps would
//! read or write elsewhere.

use super::choice::Chosen;
use super::planned_kernel::PlannedKernel;
use super::solve::Sizes;
use crate::backend::IndexWidth;
use crate::error::Result;

/// Extents leave out numbers up to this limit ([`Form::extents`](crate::program::Form)).
const LEFT_OUT: i64 = 1 << 24;

/// The type that holds every size, every extent, and the index of a loop over workers after its last
/// iteration.
///
/// # Errors
/// Names the extent that 64 bits do not hold.
pub(crate) fn index_width(chosen: Chosen, kernels: &[PlannedKernel], sizes: &Sizes) -> Result<IndexWidth> {
    // The index of a loop over workers grows by their number. Rounding up to whole groups may add one group.
    let workers = |kernel: &PlannedKernel| {
        let dimensions = kernel.global.into_iter().zip(kernel.local);
        dimensions.map(|(global, local)| global.saturating_add(local)).max().unwrap_or(0)
    };
    let steps = kernels.iter().map(workers).max().unwrap_or(0);
    let steps = i64::try_from(steps).unwrap_or(i64::MAX).saturating_add(LEFT_OUT);
    let largest_size =
        (0..chosen.program.sizes.len()).filter_map(|slot| sizes.variable(slot)).max().unwrap_or(0);
    let largest_extent = sizes.largest_extent(chosen.form.extents, i64::MAX.saturating_sub(steps))?;
    let largest = largest_size.max(largest_extent.saturating_add(steps));
    Ok(if i32::try_from(largest).is_ok() { IndexWidth::Narrow } else { IndexWidth::Wide })
}
