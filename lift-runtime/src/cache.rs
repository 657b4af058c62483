//! Built programs, each built once per device, element types and index width.
//!
//! The lock of the table is held only to find an entry; a build holds the lock of its own entry, so that two
//! threads never build the same program twice and unrelated builds do not wait for each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::opencl::Executable;

/// An entry; empty until its build has succeeded.
type Entry = Arc<Mutex<Option<Arc<Executable>>>>;

/// The programs of one device, by source and build options.
#[derive(Debug, Default)]
pub(crate) struct ProgramCache {
    entries: Mutex<BTreeMap<(&'static str, String), Entry>>,
}

impl ProgramCache {
    /// The built program, built now if need be. A failed build is tried again by the next call.
    pub(crate) fn get_or_build(
        &self,
        source: &'static str,
        options: String,
        build: impl FnOnce(&str) -> Result<Executable>,
    ) -> Result<Arc<Executable>> {
        let key = (source, options);
        let entry = {
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            match entries.get(&key) {
                Some(entry) => Arc::clone(entry),
                None => Arc::clone(entries.entry(key.clone()).or_default()),
            }
        };
        let mut built = entry.lock().unwrap_or_else(PoisonError::into_inner);
        match built.as_ref() {
            Some(executable) => Ok(Arc::clone(executable)),
            None => {
                let executable = Arc::new(build(&key.1)?);
                *built = Some(Arc::clone(&executable));
                Ok(executable)
            }
        }
    }
}
