//! Built programs on disk, so that the next process does not build them again.
//!
//! This happens only where the environment variable `LIFT_CACHE_DIR` names a folder. An entry is a file; its name is a
//! hash, and what it is for stands in full at its beginning: the source, the options, the device and the version of its
//! driver. An entry that is for something else, is cut short, or has other contents than were written is as good as none.
//!
//! Several processes may use one folder. A file is written under a name of its own and then renamed, so that nobody ever
//! sees half an entry; who comes last has written the same. The cache never makes a call fail: what goes wrong with it is told as a
//! warning.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that names the folder.
pub(crate) const VARIABLE: &str = "LIFT_CACHE_DIR";

/// How a file begins; it changes with the format.
const MAGIC: &[u8] = b"lift program 1\n";

/// The name of a file ends with this.
const ENDING: &str = "liftprogram";

/// A folder with built programs.
#[derive(Debug, Clone)]
pub(crate) struct DiskCache {
    folder: PathBuf,
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
    /// The folder that the environment names; none where it names none.
    pub(crate) fn of_environment() -> Option<DiskCache> {
        env::var_os(VARIABLE)
            .filter(|folder: &OsString| !folder.is_empty())
            .map(|folder| DiskCache::new(folder.into()))
    }

    pub(crate) fn new(folder: PathBuf) -> DiskCache {
        DiskCache { folder }
    }

    /// The binary of a program, if it was built before.
    pub(crate) fn find(&self, key: Key<'_>) -> Option<Vec<u8>> {
        let path = self.path(key);
        let contents = match fs::read(&path) {
            Ok(contents) => contents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "a built program could not be read");
                return None;
            }
        };
        let binary = binary_of(&contents, key);
        if binary.is_none() {
            tracing::debug!(path = %path.display(), "a file in the cache is no entry for this program, and is ignored");
        }
        binary.map(<[u8]>::to_vec)
    }

    /// Keeps the binary of a program.
    pub(crate) fn keep(&self, key: Key<'_>, binary: &[u8]) {
        let path = self.path(key);
        if let Err(error) = self.write(&path, &entry(key, binary)) {
            tracing::warn!(path = %path.display(), %error, "a built program could not be kept");
        }
    }

    fn path(&self, key: Key<'_>) -> PathBuf {
        self.folder.join(format!("{:016x}.{ENDING}", hash(&key.bytes())))
    }

    fn write(&self, path: &Path, contents: &[u8]) -> io::Result<()> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(&self.folder)?;
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{number}.temporary", process::id()));
        let written = fs::write(&temporary, contents).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // There may be nothing to remove, and then nothing is left behind either.
            fs::remove_file(&temporary).ok();
        }
        written
    }
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
}

/// The length of a part, and the part.
fn append(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
}

/// A file: what it is for, the hash of the binary, the binary.
fn entry(key: Key<'_>, binary: &[u8]) -> Vec<u8> {
    let mut contents = MAGIC.to_vec();
    contents.extend(key.bytes());
    contents.extend(hash(binary).to_le_bytes());
    append(&mut contents, binary);
    contents
}

/// The binary in a file, if it is for this key and as it was written.
fn binary_of<'c>(contents: &'c [u8], key: Key<'_>) -> Option<&'c [u8]> {
    let rest = contents.strip_prefix(MAGIC)?.strip_prefix(key.bytes().as_slice())?;
    let (expected, rest) = rest.split_first_chunk()?;
    let (length, binary) = rest.split_first_chunk()?;
    let complete = u64::from_le_bytes(*length) == binary.len() as u64;
    (complete && u64::from_le_bytes(*expected) == hash(binary)).then_some(binary)
}

/// FNV-1a: the same for every version of Rust.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
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
            // The same letters, divided otherwise.
            Key { source: "kernel void f() {}-", options: "D T0=float", ..KEY },
        ] {
            assert_eq!(binary_of(&contents, other), None, "{other:?}");
            assert_ne!(hash(&other.bytes()), hash(&KEY.bytes()));
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
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
