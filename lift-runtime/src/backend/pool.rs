//! Memory of a device that is kept for the next call.
//!
//! Drivers take long to allocate and to free memory: a GPU's driver waits for kernels, a CPU's driver gives
//! pages that are not there yet. Calls of one kernel need the same amounts again and again. So a block that
//! nobody refers to any more waits here for the next request of about the same size.
//!
//! How much is kept:
//!
//! - what is kept and what is in use together are never more than what was recently in use at once, so that
//!   the pool makes nothing need more memory; but [`ALWAYS_KEPT`] bytes are kept in any case;
//! - a block that was not used for `2 * `[`PERIOD`] allocations goes back to the driver, and so do the oldest
//!   blocks beyond [`MOST_BLOCKS`];
//! - if an allocation fails, everything that is kept goes back first, and it is tried again.
//!
//! Amounts are rounded up (by a sixteenth at most), and a block serves any request that is not much smaller.
//! So amounts that vary slowly do not pile up blocks.
//!
//! A block can be used again before the device is done with it, because the commands of a device run in order
//! ([`Session`](crate::backend::Session)).

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::process;

/// The number of bytes that are kept whatever was in use. Two kernels that are called in turn keep their
/// memory, as long as they need little.
const ALWAYS_KEPT: usize = 64 << 20;

/// The greatest number of blocks that are kept.
const MOST_BLOCKS: usize = 128;

/// The number of allocations in a period. What was recently in use is the most in this period and in the one
/// before.
const PERIOD: u64 = 256;

/// The smallest block.
const SMALLEST: usize = 64;

/// The environment variable that can switch the pool off.
pub(crate) const VARIABLE: &str = "LIFT_KEEP_MEMORY";

/// What happens to memory that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// It is kept.
    Lately,
    /// It goes back at once, and nothing is rounded, so that tools see every access out of bounds.
    Nothing,
}

impl Keeping {
    /// What the environment asks for.
    pub(crate) fn of_environment() -> Keeping {
        match std::env::var_os(VARIABLE) {
            Some(value) if value == "0" => Keeping::Nothing,
            Some(_) | None => Keeping::Lately,
        }
    }
}

/// Memory with its size in bytes.
#[derive(Debug)]
pub(crate) struct Block<M> {
    pub(crate) memory: M,
    pub(crate) bytes: usize,
}

/// The memory of a device that is not in use. An `M` is freed when it is dropped.
#[derive(Debug)]
pub(crate) struct Pool<M> {
    keeping: Keeping,
    state: Mutex<State<M>>,
}

#[derive(Debug)]
struct State<M> {
    /// The blocks in the order in which they were put back.
    idle: VecDeque<Idle<M>>,
    idle_bytes: usize,
    in_use: usize,
    /// The number of takes so far.
    takes: u64,
    /// The most that was in use in this period, and in the one before.
    most_in_use: [usize; 2],
}

#[derive(Debug)]
struct Idle<M> {
    block: Block<M>,
    /// The number of takes when it was put back.
    since: u64,
}

/// Memory of a pool, which goes back to it when it is dropped. An `M` is a handle, whose copies share the
/// memory.
#[derive(Debug)]
pub(crate) struct Pooled<M: Clone> {
    memory: M,
    bytes: usize,
    /// The size of the memory in bytes, which may be larger.
    room: usize,
    pool: Arc<Pool<M>>,
}

impl<M: Clone> Pooled<M> {
    /// Memory with any contents: some that is kept, or new memory.
    pub(crate) fn take(
        pool: &Arc<Pool<M>>,
        bytes: usize,
        allocate: impl Fn(usize) -> Result<M>,
    ) -> Result<Pooled<M>> {
        let Block { memory, bytes: room } = pool.take(bytes, allocate)?;
        Ok(Pooled { memory, bytes, room, pool: Arc::clone(pool) })
    }

    /// The number of bytes that were asked for.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn memory(&self) -> &M {
        &self.memory
    }
}

impl<M: Clone> Drop for Pooled<M> {
    fn drop(&mut self) {
        if process::check().is_err() {
            // In a forked process neither the pool nor the driver may be asked for anything; this waits for
            // nothing.
            return mem::forget(self.memory.clone());
        }
        self.pool.put_back(Block { memory: self.memory.clone(), bytes: self.room });
    }
}

impl<M> Pool<M> {
    pub(crate) fn new(keeping: Keeping) -> Pool<M> {
        let state = State { idle: VecDeque::new(), idle_bytes: 0, in_use: 0, takes: 0, most_in_use: [0, 0] };
        Pool { keeping, state: Mutex::new(state) }
    }

    /// A block of at least `bytes` bytes with any contents: one that is kept, or a new one.
    pub(crate) fn take(&self, bytes: usize, allocate: impl Fn(usize) -> Result<M>) -> Result<Block<M>> {
        let wanted = match self.keeping {
            Keeping::Lately => rounded(bytes),
            Keeping::Nothing => bytes,
        };
        let (found, superfluous) = self.state().take(wanted);
        drop(superfluous);
        if let Some(block) = found {
            tracing::trace!(bytes = block.bytes, "memory is used again");
            return Ok(block);
        }
        tracing::trace!(bytes = wanted, "memory is allocated");
        let (memory, allocated) = match allocate(wanted) {
            Err(Error::OutOfDeviceMemory { .. } | Error::OutOfHostMemory { .. })
                if self.keeping == Keeping::Lately =>
            {
                self.release();
                (allocate(bytes), bytes)
            }
            result => (result, wanted),
        };
        let unused = if memory.is_ok() { wanted - allocated } else { wanted };
        self.state().in_use -= unused;
        Ok(Block { memory: memory?, bytes: allocated })
    }

    /// Takes back a block that nobody refers to any more.
    pub(crate) fn put_back(&self, block: Block<M>) {
        let mut state = self.state();
        let superfluous = state.put_back(block, self.keeping);
        drop(state);
        drop(superfluous);
    }

    /// Frees everything that is kept, and returns its number of bytes.
    pub(crate) fn release(&self) -> usize {
        let mut state = self.state();
        let bytes = mem::take(&mut state.idle_bytes);
        let idle = mem::take(&mut state.idle);
        drop(state);
        drop(idle);
        bytes
    }

    fn state(&self) -> MutexGuard<'_, State<M>> {
        // Nothing that can panic happens while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Memory to be freed after the lock is released.
type Superfluous<M> = Vec<Idle<M>>;

impl<M> State<M> {
    /// Takes the block that fits best, if one does; otherwise makes room for a new one of this size.
    fn take(&mut self, wanted: usize) -> (Option<Block<M>>, Superfluous<M>) {
        self.takes += 1;
        if self.takes.is_multiple_of(PERIOD) {
            self.most_in_use = [self.in_use, self.most_in_use[0]];
        }
        let best = self.best(wanted).and_then(|position| self.idle.remove(position));
        let found = best.map(|idle| idle.block);
        let taken = found.as_ref().map_or(wanted, |block| block.bytes);
        if found.is_some() {
            self.idle_bytes -= taken;
        }
        self.in_use += taken;
        self.most_in_use[0] = self.most_in_use[0].max(self.in_use);
        (found, self.superfluous())
    }

    /// The position of the smallest block that is large enough and not much larger; among equals, the one
    /// used last.
    fn best(&self, wanted: usize) -> Option<usize> {
        let most = wanted + wanted / 4;
        let fitting =
            self.idle.iter().enumerate().filter(|(_, idle)| (wanted..=most).contains(&idle.block.bytes));
        fitting.rev().min_by_key(|(_, idle)| idle.block.bytes).map(|(position, _)| position)
    }

    fn put_back(&mut self, block: Block<M>, keeping: Keeping) -> Superfluous<M> {
        self.in_use -= block.bytes;
        let idle = Idle { block, since: self.takes };
        match keeping {
            Keeping::Nothing => vec![idle],
            Keeping::Lately => {
                self.idle_bytes += idle.block.bytes;
                self.idle.push_back(idle);
                self.superfluous()
            }
        }
    }

    /// Removes what is not to be kept, the oldest first.
    fn superfluous(&mut self) -> Superfluous<M> {
        let most = self.most_in_use[0].max(self.most_in_use[1]);
        let mut superfluous = Vec::new();
        while let Some(oldest) = self.idle.front() {
            let is_too_much = self.idle_bytes > ALWAYS_KEPT && self.idle_bytes + self.in_use > most;
            let is_unused = self.takes - oldest.since >= 2 * PERIOD;
            if !is_too_much && !is_unused && self.idle.len() <= MOST_BLOCKS {
                break;
            }
            self.idle_bytes -= oldest.block.bytes;
            superfluous.extend(self.idle.pop_front());
        }
        superfluous
    }
}

/// Rounds up a number of bytes, by a sixteenth at most, so that amounts that differ a little become the same.
fn rounded(bytes: usize) -> usize {
    let bytes = bytes.max(SMALLEST);
    let unit = (bytes.checked_next_power_of_two().unwrap_or(bytes) / 32).max(1);
    bytes.checked_next_multiple_of(unit).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeSet;
    use std::rc::Rc;

    use proptest::prelude::*;

    use super::*;

    /// A device that knows which memory it has handed out.
    #[derive(Clone, Default)]
    struct Driver {
        allocated: Rc<RefCell<BTreeSet<(usize, usize)>>>,
        count: Rc<Cell<usize>>,
        /// Its memory in bytes; `None` if it has any amount.
        capacity: Option<usize>,
    }

    struct Memory {
        number: usize,
        bytes: usize,
        driver: Driver,
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            self.driver.allocated.borrow_mut().remove(&(self.number, self.bytes));
        }
    }

    impl Driver {
        fn with_capacity(capacity: usize) -> Driver {
            Driver { capacity: Some(capacity), ..Driver::default() }
        }

        fn bytes(&self) -> usize {
            self.allocated.borrow().iter().map(|(_, bytes)| bytes).sum()
        }

        fn allocate(&self, bytes: usize) -> Result<Memory> {
            if self.capacity.is_some_and(|capacity| self.bytes() + bytes > capacity) {
                let (device, call) = ("a test".to_owned(), "allocate".to_owned());
                return Err(Error::OutOfDeviceMemory { device, call });
            }
            let number = self.count.get();
            self.count.set(number + 1);
            self.allocated.borrow_mut().insert((number, bytes));
            Ok(Memory { number, bytes, driver: self.clone() })
        }

        fn take(&self, pool: &Pool<Memory>, bytes: usize) -> Result<Block<Memory>> {
            let block = pool.take(bytes, |bytes| self.allocate(bytes))?;
            assert!(block.bytes >= bytes, "{} bytes for {bytes}", block.bytes);
            assert_eq!(block.bytes, block.memory.bytes, "as many as there are");
            Ok(block)
        }
    }

    const MEBIBYTE: usize = 1 << 20;

    #[test]
    fn the_next_call_gets_the_memory_of_the_one_before() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        for _ in 0..1000 {
            let blocks = [1000, 4, 0, 1000].map(|bytes| driver.take(&pool, bytes).unwrap());
            blocks.into_iter().for_each(|block| pool.put_back(block));
        }
        assert_eq!(driver.count.get(), 4);
        assert_eq!(pool.release(), 2 * 1024 + 2 * 64);
        assert_eq!(driver.bytes(), 0);
    }

    #[test]
    fn what_is_in_use_is_given_to_nobody_else() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        let first = driver.take(&pool, 1000).unwrap();
        let second = driver.take(&pool, 1000).unwrap();
        assert_ne!(first.memory.number, second.memory.number);
        let number = first.memory.number;
        pool.put_back(first);
        assert_eq!(driver.take(&pool, 1000).unwrap().memory.number, number);
    }

    #[test]
    fn sizes_that_vary_slowly_share_blocks() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        for round in 0..1000 {
            pool.put_back(driver.take(&pool, 1_000_000 + 100 * round).unwrap());
        }
        assert!(driver.count.get() <= 5, "{}", driver.count.get());
        for round in 0..1000 {
            pool.put_back(driver.take(&pool, 1_100_000 - 100 * round).unwrap());
        }
        assert!(driver.count.get() <= 10, "{}", driver.count.get());
    }

    #[test]
    fn a_block_does_not_serve_for_much_less_than_it_has() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        pool.put_back(driver.take(&pool, 1000).unwrap());
        driver.take(&pool, 500).unwrap();
        assert_eq!(driver.count.get(), 2);
    }

    #[test]
    fn no_more_is_allocated_than_was_in_use_at_once() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        let sizes = [100, 300, 500, 200, 50].map(|size| size * MEBIBYTE);
        for size in sizes {
            pool.put_back(driver.take(&pool, size).unwrap());
            assert!(driver.bytes() <= 512 * MEBIBYTE, "{}", driver.bytes() / MEBIBYTE);
        }
        assert!(driver.bytes() >= 250 * MEBIBYTE, "the last two");
    }

    #[test]
    fn what_is_not_used_for_long_goes_back() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        pool.put_back(driver.take(&pool, 1024 * MEBIBYTE).unwrap());
        assert_eq!(driver.bytes(), 1024 * MEBIBYTE);
        for _ in 0..2 * PERIOD {
            pool.put_back(driver.take(&pool, MEBIBYTE).unwrap());
        }
        assert_eq!(driver.bytes(), MEBIBYTE);
    }

    #[test]
    fn many_small_blocks_are_not_all_kept() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Lately));
        let blocks: Vec<_> = (0..1000).map(|_| driver.take(&pool, 1).unwrap()).collect();
        blocks.into_iter().for_each(|block| pool.put_back(block));
        assert_eq!(driver.allocated.borrow().len(), MOST_BLOCKS);
    }

    #[test]
    fn what_is_kept_goes_back_where_an_allocation_fails() {
        let capacity = 1000 * MEBIBYTE + 1;
        let (driver, pool) = (Driver::with_capacity(capacity), Pool::new(Keeping::Lately));
        let pair = [300, 600].map(|size| driver.take(&pool, size * MEBIBYTE).unwrap());
        pair.into_iter().for_each(|block| pool.put_back(block));
        assert!(driver.bytes() > 900 * MEBIBYTE);
        let block = driver.take(&pool, 900 * MEBIBYTE).unwrap();
        // Not even the bytes are left that rounding up would add.
        let last = capacity - block.bytes;
        let other = driver.take(&pool, last).unwrap();
        assert_eq!(other.bytes, last);
        assert!(matches!(driver.take(&pool, MEBIBYTE), Err(Error::OutOfDeviceMemory { .. })));
        [block, other].into_iter().for_each(|block| pool.put_back(block));
        assert_eq!(pool.state().in_use, 0);
    }

    #[test]
    fn nothing_is_kept_and_nothing_is_rounded_where_that_is_asked_for() {
        let (driver, pool) = (Driver::default(), Pool::new(Keeping::Nothing));
        for bytes in [0, 1, 1001] {
            let block = driver.take(&pool, bytes).unwrap();
            assert_eq!(block.bytes, bytes);
            pool.put_back(block);
            assert_eq!(driver.bytes(), 0);
        }
    }

    #[test]
    fn sizes_are_rounded_up_by_a_sixteenth_at_most() {
        for bytes in (0..10_000).chain([usize::MAX, usize::MAX / 2 + 2, 1 << 30]) {
            let rounded = rounded(bytes);
            assert!(rounded >= bytes && rounded - bytes <= (bytes / 16).max(SMALLEST), "{bytes}: {rounded}");
        }
        assert_eq!(rounded(1 << 30), 1 << 30);
    }

    proptest! {
        #[test]
        fn whatever_is_taken_and_put_back_the_sums_are_right(
            steps in prop::collection::vec((0usize..400 * MEBIBYTE, 0usize..4), 1..200),
        ) {
            let (driver, pool) = (Driver::with_capacity(2000 * MEBIBYTE), Pool::new(Keeping::Lately));
            let mut taken: Vec<Block<Memory>> = Vec::new();
            let mut most = 0;
            for (bytes, choice) in steps {
                match choice {
                    0 | 1 => taken.extend(driver.take(&pool, bytes).ok()),
                    _ if taken.is_empty() => {}
                    _ => pool.put_back(taken.swap_remove(bytes % taken.len())),
                }
                let in_use: usize = taken.iter().map(|block| block.bytes).sum();
                most = most.max(in_use);
                let state = pool.state();
                prop_assert_eq!(state.in_use, in_use);
                prop_assert_eq!(state.idle_bytes + in_use, driver.bytes());
                prop_assert_eq!(state.idle.iter().map(|idle| idle.block.bytes).sum::<usize>(), state.idle_bytes);
                let numbers: BTreeSet<usize> = taken.iter().map(|block| block.memory.number).collect();
                prop_assert_eq!(numbers.len(), taken.len());
            }
        }
    }
}
