//! Independent parts of a compilation on several threads.
//!
//! A thread that is started ends before the call that starts it returns: a procedural macro leaves none behind
//! in the compiler or the editor that loads it.

use std::iter::from_fn;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{ScopedJoinHandle, scope};

/// The number of threads that work at the same time; the caller's is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads(usize);

impl Threads {
    /// Only the caller's.
    pub const ONE: Threads = Threads(1);

    /// At most this many, and at least the caller's.
    pub fn at_most(threads: usize) -> Threads {
        Threads(threads.max(1))
    }

    /// The number of threads beside the caller's.
    pub(crate) fn others(self) -> usize {
        self.0 - 1
    }

    /// The threads of each of several parts, if these share them evenly.
    pub(crate) fn for_each_of(self, parts: usize) -> Threads {
        Threads::at_most(self.0 / parts.max(1))
    }

    /// Both results. The second is found on another thread, if there may be one.
    pub(crate) fn both<First, Second: Send>(
        self,
        first: impl FnOnce() -> First,
        second: impl FnOnce() -> Second + Send,
    ) -> (First, Second) {
        if self.others() == 0 {
            return (first(), second());
        }
        scope(|scope| {
            let second = scope.spawn(second);
            (first(), joined(second))
        })
    }

    /// The results for all items, in their order. Each thread takes the next item until none is left.
    pub(crate) fn map<Item: Sync, Found: Send>(
        self,
        items: &[Item],
        find: impl Fn(&Item) -> Found + Sync,
    ) -> Vec<Found> {
        let others = self.others().min(items.len().saturating_sub(1));
        if others == 0 {
            return items.iter().map(find).collect();
        }
        let taken = AtomicUsize::new(0);
        let next = || {
            let number = taken.fetch_add(1, Ordering::Relaxed);
            items.get(number).map(|item| (number, find(item)))
        };
        let find_all = || from_fn(next).collect::<Vec<(usize, Found)>>();
        let mut found = scope(|scope| {
            let others: Vec<_> = (0..others).map(|_| scope.spawn(find_all)).collect();
            let mut found = find_all();
            found.extend(others.into_iter().flat_map(joined));
            found
        });
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, found)| found).collect()
    }
}

/// What a thread found. Its panic goes on in this one.
pub(crate) fn joined<Found>(thread: ScopedJoinHandle<'_, Found>) -> Found {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_number_of_threads() {
        for threads in 0..5 {
            let threads = Threads::at_most(threads);
            for count in 0..7 {
                let items: Vec<usize> = (0..count).collect();
                let squares: Vec<usize> = items.iter().map(|item| item * item).collect();
                assert_eq!(threads.map(&items, |item| item * item), squares);
            }
            assert_eq!(threads.both(|| 1, || "two"), (1, "two"));
        }
    }

    #[test]
    fn the_panic_of_another_thread_is_not_lost() {
        let fails = || Threads::at_most(2).both(|| 1, || -> u32 { panic!("no result") });
        assert!(std::panic::catch_unwind(fails).is_err());
    }
}
