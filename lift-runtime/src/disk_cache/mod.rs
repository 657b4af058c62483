//! Built programs on disk, so that the next process does not build them again.
//!
//! This happens only if the environment variable `LIFT_CACHE_DIR` names a folder. An entry is a file, whose
//! name is a digest of its key. The file begins with the full key: the source, the options, the device and
//! the version of its driver. An entry for another key, one that is cut short, and one with other contents
//! than were written all count as missing.
//!
//! An entry is native code, which the driver loads: whoever writes it runs code as this user. Nothing in a
//! file can show who wrote it, since everybody can compute a digest. So a file counts only if nobody else can
//! have written it (`folder`).
//!
//! Several processes may use one folder. A file is written under a name of its own and then renamed, so that
//! nobody ever sees half an entry. If two processes write the same entry, their files are the same. No
//! process waits for another. The cache never makes a call fail: its own errors are logged as warnings.

mod digest;
#[cfg_attr(unix, path = "folder_unix.rs")]
#[cfg_attr(not(unix), path = "folder_elsewhere.rs")]
mod folder;

use std::collections::hash_map::RandomState;
use std::env;
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};

use digest::sha256;
use folder::Folder;

/// The environment variable that names the folder.
pub(crate) const VARIABLE: &str = "LIFT_CACHE_DIR";

/// How a file begins; it changes with the format.
const MAGIC: &[u8] = b"lift program 2\n";

/// The name of a file ends with this.
const ENDING: &str = "liftprogram";

/// The largest size of a file, in bytes. A larger file was not written here.
const LARGEST: u64 = 1 << 28;

/// The number of names that are tried in order to find an unused one.
const TRIES: usize = 4;

/// A folder with built programs.
#[derive(Debug)]
pub(crate) struct DiskCache {
    path: PathBuf,
    folder: Folder,
}

/// What a built program depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'k> {
    /// The OpenCL C.
    pub(crate) source: &'k str,
    /// The options of the compiler.
    pub(crate) options: &'k str,
    /// The device, its platform and the versions of both.
    pub(crate) driver: &'k str,
}

impl DiskCache {
    /// The folder that the environment names; `None` if it names none, or one that cannot be trusted.
    pub(crate) fn of_environment() -> Option<DiskCache> {
        let path = env::var_os(VARIABLE).filter(|path: &OsString| !path.is_empty())?;
        DiskCache::open(Path::new(&path))
    }

    fn open(path: &Path) -> Option<DiskCache> {
        match Folder::open(path) {
            Ok(folder) => Some(DiskCache { path: path.to_owned(), folder }),
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "the folder of built programs is not used");
                None
            }
        }
    }

    /// The binary of a program, if it was built before.
    pub(crate) fn find(&self, key: Key<'_>) -> Option<Vec<u8>> {
        let name = key.file_name();
        let told = || self.path.join(&name).display().to_string();
        let contents = match self.folder.read(&name) {
            Ok(contents) => contents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!(path = told(), %error, "a built program is not used");
                return None;
            }
        };
        let binary = binary_of(&contents, key);
        if binary.is_none() {
            tracing::debug!(
                path = told(),
                "a file in the cache is no entry for this program, and is ignored"
            );
        }
        binary.map(<[u8]>::to_vec)
    }

    /// Keeps the binary of a program.
    pub(crate) fn keep(&self, key: Key<'_>, binary: &[u8]) {
        let name = key.file_name();
        if let Err(error) = self.folder.write(&name, &entry(key, binary)) {
            let path = self.path.join(name);
            tracing::warn!(path = %path.display(), %error, "a built program could not be kept");
        }
    }
}

/// A temporary name for the file that is renamed to `name`. Nobody else can know it beforehand.
fn random_name(name: &str) -> String {
    // The keys of a `RandomState` are random numbers of the system.
    let number = RandomState::new().hash_one(name);
    format!("{name}.{number:016x}.temporary")
}

impl Key<'_> {
    /// All parts with their lengths, so that no two keys have the same bytes.
    fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in [self.source, self.options, self.driver] {
            append(&mut bytes, part.as_bytes());
        }
        bytes
    }

    /// The name of the file.
    fn file_name(self) -> String {
        let digest: String =
            sha256(&self.bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        format!("{digest}.{ENDING}")
    }
}

/// The length of a part, and the part.
fn append(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
}

/// A file: its key, the length of the binary, the binary, and the digest of all that.
fn entry(key: Key<'_>, binary: &[u8]) -> Vec<u8> {
    let mut contents = MAGIC.to_vec();
    contents.extend(key.bytes());
    append(&mut contents, binary);
    contents.extend(sha256(&contents));
    contents
}

/// The binary in a file; `None` if it is for another key or not as it was written.
fn binary_of<'c>(contents: &'c [u8], key: Key<'_>) -> Option<&'c [u8]> {
    let (written, digest) = contents.split_last_chunk()?;
    let rest = written.strip_prefix(MAGIC)?.strip_prefix(key.bytes().as_slice())?;
    let (length, binary) = rest.split_first_chunk()?;
    let complete = u64::from_le_bytes(*length) == binary.len() as u64;
    (complete && *digest == sha256(written)).then_some(binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key<'_> =
        Key { source: "kernel void f() {}", options: "-D T0=float", driver: "a device, 1.0" };

    #[test]
    fn what_was_kept_is_found() {
        let contents = entry(KEY, b"binary");
        assert_eq!(binary_of(&contents, KEY), Some(b"binary".as_slice()));
        assert_eq!(binary_of(&entry(KEY, b""), KEY), Some(b"".as_slice()));
    }

    #[test]
    fn an_entry_for_something_else_is_none() {
        let contents = entry(KEY, b"binary");
        for other in [
            Key { source: "kernel void g() {}", ..KEY },
            Key { options: "", ..KEY },
            Key { driver: "a device, 1.1", ..KEY },
            // The same characters, divided otherwise.
            Key { source: "kernel void f() {}-", options: "D T0=float", ..KEY },
        ] {
            assert_eq!(binary_of(&contents, other), None, "{other:?}");
            assert_ne!(other.file_name(), KEY.file_name());
        }
    }

    #[test]
    fn an_entry_that_is_changed_or_cut_anywhere_is_none() {
        let contents = entry(KEY, b"binary");
        for place in 0..contents.len() {
            let mut changed = contents.clone();
            changed[place] ^= 1;
            assert_eq!(binary_of(&changed, KEY), None, "byte {place} is changed");
            assert_eq!(binary_of(&contents[..place], KEY), None, "cut at byte {place}");
        }
        assert_eq!(binary_of(&[contents.as_slice(), b"!"].concat(), KEY), None);
    }

    #[test]
    fn names_of_new_files_differ() {
        assert_ne!(random_name("a"), random_name("a"));
    }
}
