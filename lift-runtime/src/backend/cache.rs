//! Built programs. Each is built once per device, element types and index width, and once more for each
//! combination of sizes that are passed as constants, and of values that are read from the device.
//!
//! The lock of the table is held only to find an entry; a build holds the lock of its own entry, so that two
//! threads never build the same program twice and unrelated builds do not wait for each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::specialise::Trials;

/// The greatest number of programs with constants that are kept. The least recently used one makes room.
const MOST_SPECIALISED: usize = 64;

/// Identifies one build of a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Build {
    /// The source, with sizes as arguments.
    pub(crate) source: &'static str,
    /// The options of the compiler.
    pub(crate) options: String,
    /// The sizes that are constants; `None` where they are arguments.
    pub(crate) constants: Option<Vec<i64>>,
    /// The positions of the parameters that are read from the device although they are values.
    pub(crate) values_on_device: Vec<usize>,
}

/// A built program: what a driver makes of it, and of a launch of one of its kernels.
#[derive(Debug)]
pub(crate) struct Built<Executable, Launched> {
    pub(crate) executable: Arc<Executable>,
    /// What is known about its calls, if its sizes are arguments.
    pub(crate) trials: Trials<Executable, Vec<Launched>>,
}

/// Empty until the build has succeeded, or has shown that the device cannot run the program.
type Slot<Executable, Launched> = Arc<Mutex<Option<Result<Arc<Built<Executable, Launched>>>>>>;

/// The programs of one device.
#[derive(Debug)]
pub(crate) struct ProgramCache<Executable, Launched> {
    table: Mutex<Table<Executable, Launched>>,
}

#[derive(Debug)]
struct Table<Executable, Launched> {
    entries: BTreeMap<Build, Entry<Executable, Launched>>,
    uses: u64,
}

#[derive(Debug)]
struct Entry<Executable, Launched> {
    built: Slot<Executable, Launched>,
    last_use: u64,
}

impl<Executable, Launched> ProgramCache<Executable, Launched> {
    pub(crate) fn new() -> Self {
        ProgramCache { table: Mutex::new(Table::new()) }
    }

    /// The built program, which is built first if necessary. A failed build is tried again by the next call,
    /// unless the device lacks what the program needs, which it will lack then.
    pub(crate) fn get_or_build(
        &self,
        wanted: Build,
        build: impl FnOnce() -> Result<Executable>,
    ) -> Result<Arc<Built<Executable, Launched>>> {
        let entry = self.table.lock().unwrap_or_else(PoisonError::into_inner).entry(&wanted);
        let mut built = entry.lock().unwrap_or_else(PoisonError::into_inner);
        match built.as_ref() {
            Some(known) => known.clone(),
            None => {
                let start = Instant::now();
                let made = build().map(|executable| {
                    Arc::new(Built { executable: Arc::new(executable), trials: Trials::new(start.elapsed()) })
                });
                if matches!(made, Ok(_) | Err(Error::DeviceLimit { .. })) {
                    *built = Some(made.clone());
                }
                made
            }
        }
    }
}

impl<Executable, Launched> Table<Executable, Launched> {
    fn new() -> Self {
        Table { entries: BTreeMap::new(), uses: 0 }
    }

    fn entry(&mut self, wanted: &Build) -> Slot<Executable, Launched> {
        self.uses += 1;
        if let Some(entry) = self.entries.get_mut(wanted) {
            entry.last_use = self.uses;
            return Arc::clone(&entry.built);
        }
        if wanted.constants.is_some() {
            self.make_room();
        }
        let entry = self
            .entries
            .entry(wanted.clone())
            .or_insert_with(|| Entry { built: Slot::default(), last_use: 0 });
        entry.last_use = self.uses;
        Arc::clone(&entry.built)
    }

    /// Drops a program with constants if there are too many. A call that uses it keeps it alive.
    fn make_room(&mut self) {
        let specialised = || self.entries.iter().filter(|(build, _)| build.constants.is_some());
        if specialised().count() < MOST_SPECIALISED {
            return;
        }
        let oldest = specialised().min_by_key(|(_, entry)| entry.last_use).map(|(build, _)| build.clone());
        if let Some(oldest) = oldest {
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(constants: Option<i64>) -> Build {
        Build {
            source: "",
            options: String::new(),
            constants: constants.map(|size| vec![size]),
            values_on_device: Vec::new(),
        }
    }

    #[test]
    fn programs_with_constants_make_room_for_each_other_only() {
        let mut table = Table::<(), ()>::new();
        let general = table.entry(&build(None));
        let first = table.entry(&build(Some(0)));
        for size in 1..MOST_SPECIALISED as i64 {
            table.entry(&build(Some(size)));
            assert!(Arc::ptr_eq(&first, &table.entry(&build(Some(0)))));
        }
        assert_eq!(table.entries.len(), 1 + MOST_SPECIALISED);
        table.entry(&build(Some(-1)));
        assert_eq!(table.entries.len(), 1 + MOST_SPECIALISED);
        assert!(Arc::ptr_eq(&general, &table.entry(&build(None))));
        assert!(Arc::ptr_eq(&first, &table.entry(&build(Some(0)))));
        assert!(!table.entries.contains_key(&build(Some(1))), "it was not used for longest");
    }
}
