//! The parameters of forms: all numbers that the choice of forms goes by, each with its reason.

/// Work-items for each long row. On GPUs the best number is flat between 32 and 256 for rows of 2048 to 16384
/// elements; 128 lets several groups share a multiprocessor.
pub(super) const ITEMS_OF_LONG_ROWS: u32 = 128;

/// From this length on, rows are long: every work-item has several elements to add before the tree begins.
pub(super) const LONG_ROW: u32 = 512;

/// Work-items for each row of medium length: those that GPUs execute in lockstep, or half of them.
pub(super) const ITEMS_OF_SHORT_ROWS: u32 = 32;

/// From this length on, work-items that share a row read less memory in vain than one that reads it alone.
pub(super) const SHORT_ROW: u32 = 32;
