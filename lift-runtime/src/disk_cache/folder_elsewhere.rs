//! A folder on systems other than Unix. The system itself controls who may write to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::{LARGEST, TRIES, random_name};

/// A folder.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, and creates it if there is none.
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        Ok(Folder(path.to_owned()))
    }

    /// The contents of a file.
    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = File::open(self.0.join(name))?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no file"));
        }
        let mut contents = Vec::new();
        file.take(LARGEST).read_to_end(&mut contents)?;
        Ok(contents)
    }

    /// Writes a file under a name that nobody has, and renames it when it is complete.
    pub(super) fn write(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let (temporary, mut file) = self.create(name)?;
        let written = file.write_all(contents);
        drop(file);
        let written = written.and_then(|()| fs::rename(&temporary, self.0.join(name)));
        if written.is_err() {
            // There may be nothing to remove, and then nothing is left behind either.
            fs::remove_file(&temporary).ok();
        }
        written
    }

    /// A new file, with its path.
    fn create(&self, name: &str) -> io::Result<(PathBuf, File)> {
        let mut last = io::ErrorKind::AlreadyExists.into();
        for _ in 0..TRIES {
            let temporary = self.0.join(random_name(name));
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => return Ok((temporary, file)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}
