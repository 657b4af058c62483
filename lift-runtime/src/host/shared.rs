//! Access to arrays: checked once, for the range that a loop runs over.

use std::cell::Cell;
use std::ops::Deref;
use std::panic::resume_unwind;

use crate::element::Element;
use crate::error::Error;

/// Memory of a part of a kernel that one thread has for itself; rustc keeps all others from it.
///
/// ```compile_fail,E0277
/// # use lift_runtime::__private::host::Cells;
/// let mut elements = [0.0f32; 8];
/// let cells = Cells::over(&mut elements);
/// std::thread::scope(|scope| {
///     scope.spawn(|| cells.set(0, 1.0));
///     cells.set(0, 2.0);
/// });
/// ```
#[derive(Debug)]
pub struct Cells<'a, T: Copy>(&'a [Cell<T>]);

impl<T: Copy> Clone for Cells<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Cells<'_, T> {}

/// Memory that several threads of one kernel write at different places: results and temporaries. Only the
/// [`Arguments`](super::Arguments) of a kernel provide it.
#[derive(Debug, Clone, Copy)]
pub struct Shared<'a, T: Element>(Cells<'a, T>);

// SAFETY: cells may be used from several threads as long as no two of them access one cell at the same time,
// unless both only read it. Only `Arguments` give out a `Shared`, only the kernels of a `Generated` get
// `Arguments`, and whoever made that `Generated` promised just this of its kernels (`Generated::new`).
// `lift!` may promise it because the stage `check` of the compiler accepts a program only if one work-item
// writes each element of a result or temporary, and another one reads it only after a barrier or after the
// end of the kernel. In host code a barrier is the end of a loop over all work-items of a group, in one
// thread. The generated code gives each work-item, and each group as a whole, to one thread, and `parallel`
// returns after all its threads are done. So within one kernel no two threads access a cell that one of them
// writes, and accesses of different kernels are ordered. An `Element` is plain data, which any thread may
// read and write.
#[allow(
    unsafe_code,
    reason = "which places a work-item writes is known to the compiler of `lift!`, not to rustc"
)]
unsafe impl<T: Element> Sync for Shared<'_, T> {}

// SAFETY: as for `Sync`; a `Shared` owns nothing.
#[allow(
    unsafe_code,
    reason = "which places a work-item writes is known to the compiler of `lift!`, not to rustc"
)]
unsafe impl<T: Element> Send for Shared<'_, T> {}

impl<'a, T: Element> Shared<'a, T> {
    pub(super) fn new(cells: &'a [Cell<T>]) -> Shared<'a, T> {
        Shared(Cells(cells))
    }
}

impl<'a, T: Element> Deref for Shared<'a, T> {
    type Target = Cells<'a, T>;

    #[inline(always)]
    fn deref(&self) -> &Cells<'a, T> {
        &self.0
    }
}

impl<'a, T: Copy> Cells<'a, T> {
    /// Memory of a part of a kernel.
    #[inline(always)]
    pub fn over(elements: &'a mut [T]) -> Cells<'a, T> {
        Cells(Cell::from_mut(elements).as_slice_of_cells())
    }

    /// A copy of all elements.
    pub fn to_vec(self) -> Vec<T> {
        self.0.iter().map(Cell::get).collect()
    }

    /// The element at an index.
    #[inline(always)]
    pub fn get(self, index: isize) -> T {
        match self.0.get(index as usize) {
            Some(cell) => cell.get(),
            None => outside(index, 1, self.0.len()),
        }
    }

    /// Overwrites the element at an index.
    #[inline(always)]
    pub fn set(self, index: isize, value: T) {
        match self.0.get(index as usize) {
            Some(cell) => cell.set(value),
            None => outside(index, 1, self.0.len()),
        }
    }

    /// The `length` elements from `start` on.
    #[inline(always)]
    pub fn window(self, start: isize, length: usize) -> &'a [Cell<T>] {
        window(self.0, start, length)
    }

    /// The `W` elements from `start` on.
    #[inline(always)]
    pub fn row<const W: usize>(self, start: isize) -> &'a [Cell<T>; W] {
        row(self.0, start)
    }
}

/// The initial contents of memory.
#[inline(always)]
pub fn zero<T: Default>() -> T {
    T::default()
}

/// Memory for this many elements. If there is not enough, the call that runs the kernel returns
/// [`Error::OutOfHostMemory`].
///
/// That is a matter of the sizes that a user passes. But the loops of a kernel have no results that could
/// hold an error. So this unwinds with the error, past the loops and their threads, up to the call of the
/// kernel, which catches it. It is no panic, so nothing is written to the terminal.
pub fn memory<T: Default + Clone>(length: usize) -> Vec<T> {
    let mut elements = Vec::new();
    if elements.try_reserve_exact(length).is_err() {
        let bytes = (length as u64).saturating_mul(size_of::<T>() as u64);
        resume_unwind(Box::new(Error::OutOfHostMemory { bytes }));
    }
    elements.resize(length, T::default());
    elements
}

/// The `length` elements from `start` on.
#[inline(always)]
pub fn window<T>(data: &[T], start: isize, length: usize) -> &[T] {
    // A negative start is a large number here, beyond the end of every slice.
    match data.get(start as usize..).and_then(|rest| rest.get(..length)) {
        Some(window) => window,
        None => outside(start, length, data.len()),
    }
}

/// The `W` elements from `start` on.
#[inline(always)]
pub fn row<T, const W: usize>(data: &[T], start: isize) -> &[T; W] {
    match data.get(start as usize..).and_then(|rest| rest.first_chunk()) {
        Some(row) => row,
        None => outside(start, W, data.len()),
    }
}

/// The element at an index.
#[inline(always)]
pub fn at<T: Copy>(data: &[T], index: isize) -> T {
    match data.get(index as usize) {
        Some(element) => *element,
        None => outside(index, 1, data.len()),
    }
}

/// The `length` elements from `start` on; none where that is no positive number, wherever they would begin.
/// The length of the slice is plain to LLVM, so that loops over it check nothing.
#[inline(always)]
pub fn elements<T>(data: &[T], start: isize, length: isize) -> &[T] {
    let start = if length > 0 { start } else { 0 };
    window(data, start, length.max(0) as usize)
}

/// The element at a position, or the nearest one.
#[inline(always)]
pub fn nearest<T: Copy>(data: &[T], position: i64) -> T {
    match usize::try_from(position).ok().and_then(|position| data.get(position)) {
        Some(element) => *element,
        None => first_or_last(data, position),
    }
}

/// The element that is nearest to a position outside of the array.
#[cold]
#[inline(never)]
fn first_or_last<T: Copy>(data: &[T], position: i64) -> T {
    at(data, super::index::clamped(position, data.len() as isize))
}

/// Refuses an access outside of an array.
///
/// No user gets here: the compiler prints only kernels whose indices lie in their arrays for all sizes that
/// pass the checks of the call, and it clamps what it takes from data. If it has a mistake, this panics
/// instead of reading or writing elsewhere, and the call that runs the kernel makes an error of the panic.
#[cold]
#[inline(never)]
fn outside(start: isize, length: usize, available: usize) -> ! {
    let end = start.saturating_add_unsigned(length);
    panic!("the elements {start}..{end} are outside of an array of {available}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn windows_and_rows_lie_within_the_array() {
        let data = [1, 2, 3, 4, 5];
        assert_eq!(window(&data, 1, 3), [2, 3, 4]);
        assert_eq!(window(&data, 5, 0), [0; 0]);
        assert_eq!(*row::<_, 2>(&data, 3), [4, 5]);
        assert_eq!(at(&data, 4), 5);
        assert_eq!(elements(&data, 1, 3), [2, 3, 4]);
        assert_eq!(elements(&data, 9, 0), [0; 0]);
        assert_eq!(elements(&data, -9, -1), [0; 0]);
    }

    #[test]
    fn the_nearest_element_is_found() {
        let data = [1, 2, 3];
        let found = [i64::MIN, -1, 0, 2, 3, i64::MAX].map(|position| nearest(&data, position));
        assert_eq!(found, [1, 1, 1, 3, 3, 3]);
        assert!(catch_unwind(|| nearest(&[0; 0], 0)).is_err());
    }

    #[test]
    fn what_lies_outside_is_never_read() {
        let data = [1, 2, 3, 4, 5];
        assert!(catch_unwind(|| window(&data, 3, 3).len()).is_err());
        assert!(catch_unwind(|| window(&data, -1, 1).len()).is_err());
        assert!(catch_unwind(|| window(&data, 1, usize::MAX).len()).is_err());
        assert!(catch_unwind(|| row::<_, 3>(&data, 3).len()).is_err());
        assert!(catch_unwind(|| row::<_, 1>(&data, -1).len()).is_err());
        assert!(catch_unwind(|| at(&data, 5)).is_err());
        assert!(catch_unwind(|| at(&data, -1)).is_err());
        assert!(catch_unwind(|| elements(&data, 3, 3).len()).is_err());
        assert!(catch_unwind(|| elements(&data, -1, 1).len()).is_err());
    }

    #[test]
    fn shared_memory_is_written_through_every_copy() {
        let mut data = [0i64; 8];
        let shared = Shared::new(Cell::from_mut(data.as_mut_slice()).as_slice_of_cells());
        std::thread::scope(|scope| {
            for part in 0..4 {
                scope.spawn(move || {
                    shared.set(2 * part, part as i64);
                    let [_, odd] = shared.row::<2>(2 * part);
                    odd.set(10 * part as i64);
                });
            }
        });
        assert_eq!(shared.get(6), 3);
        assert_eq!(shared.window(2, 2).iter().map(Cell::get).collect::<Vec<_>>(), [1, 10]);
        assert_eq!(data, [0, 0, 1, 10, 2, 20, 3, 30]);
    }
}
