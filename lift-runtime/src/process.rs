//! The process that everything here belongs to.
//!
//! After `fork`, the child has a copy of the memory and one thread. The threads of the host and of OpenCL
//! drivers do not exist there, and locks that they held are never released. So whatever waits for them waits
//! forever. Everything that may wait checks here first. A process that was forked before the first use is not
//! affected: it makes threads and opens drivers of its own.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Error, Result};

/// The id of the process that was the first to check; 0 before that.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Checks that threads, locks and drivers may be used: this process must be the first that uses them.
///
/// # Errors
/// In a process that was forked from the first one.
pub(crate) fn check() -> Result<()> {
    match OWNER.load(Ordering::Relaxed) {
        0 => {
            let first = OWNER.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
            first.map_or_else(belongs_to, |_| Ok(()))
        }
        owner => belongs_to(owner),
    }
}

fn belongs_to(owner: u32) -> Result<()> {
    if owner == process::id() { Ok(()) } else { Err(Error::Forked) }
}
