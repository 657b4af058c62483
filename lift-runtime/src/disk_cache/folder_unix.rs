//! A folder that nobody else can write to, on Unix.
//!
//! The owner of a file is checked after it is opened, never before, and by its handle: a path may mean
//! something else a moment later. The folder is a handle as well, and files are named relative to it. Nothing
//! is opened through a link, and no open waits for somebody else, as the open of a pipe does.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, open, openat, renameat, unlinkat};
use rustix::process::geteuid;

use super::{LARGEST, TRIES, random_name};

/// A folder that only this user can write to.
#[derive(Debug)]
pub(super) struct Folder(OwnedFd);

impl Folder {
    /// Opens the folder, and creates it for this user alone if there is none.
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let folder = open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        check(&fstat(&folder)?, FileType::Directory)?;
        Ok(Folder(folder))
    }

    /// The contents of a file.
    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::empty())?;
        check(&fstat(&file)?, FileType::RegularFile)?;
        let mut contents = Vec::new();
        File::from(file).take(LARGEST).read_to_end(&mut contents)?;
        Ok(contents)
    }

    /// Writes a file under a name that nobody has, and renames it when it is complete.
    pub(super) fn write(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let (temporary, file) = self.create(name)?;
        let written = File::from(file)
            .write_all(contents)
            .and_then(|()| Ok(renameat(&self.0, &temporary, &self.0, name)?));
        if written.is_err() {
            // There may be nothing to remove, and then nothing is left behind either.
            unlinkat(&self.0, &temporary, AtFlags::empty()).ok();
        }
        written
    }

    /// A new file, with its name.
    fn create(&self, name: &str) -> io::Result<(String, OwnedFd)> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut last = io::ErrorKind::AlreadyExists.into();
        for _ in 0..TRIES {
            let temporary = random_name(name);
            match openat(&self.0, &temporary, flags, Mode::RUSR | Mode::WUSR) {
                Ok(file) => return Ok((temporary, file)),
                Err(error) => last = error.into(),
            }
        }
        Err(last)
    }
}

/// Checks that something is of this kind, belongs to this user, and that nobody else may write to it.
fn check(found: &Stat, wanted: FileType) -> io::Result<()> {
    let problem = if FileType::from_raw_mode(found.st_mode) != wanted {
        "it is no regular file, or no folder"
    } else if found.st_uid != geteuid().as_raw() {
        "it belongs to another user"
    } else if Mode::from_raw_mode(found.st_mode).intersects(Mode::WGRP | Mode::WOTH) {
        "others may write to it: take that away from them with `chmod go-w`"
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Checks the metadata of a file of this user after some changes.
    fn checked(change: impl FnOnce(&mut Stat)) -> Result<(), String> {
        let file = File::open(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect("a file");
        let mut stat = fstat(&file).expect("a file");
        stat.st_uid = geteuid().as_raw();
        stat.st_mode = (FileType::RegularFile.as_raw_mode()) | 0o644;
        change(&mut stat);
        check(&stat, FileType::RegularFile).map_err(|error| error.to_string())
    }

    #[test]
    fn only_what_is_this_users_alone_is_used() {
        assert_eq!(checked(|_| {}), Ok(()));
        assert!(checked(|stat| stat.st_uid += 1).unwrap_err().contains("another user"));
        for mode in [0o664, 0o646, 0o602] {
            let found = checked(|stat| stat.st_mode = FileType::RegularFile.as_raw_mode() | mode);
            assert!(found.unwrap_err().contains("others may write"), "{mode:o}");
        }
        for kind in [FileType::Fifo, FileType::Directory, FileType::Symlink, FileType::CharacterDevice] {
            let found = checked(|stat| stat.st_mode = kind.as_raw_mode() | 0o600);
            assert!(found.unwrap_err().contains("no regular file"), "{kind:?}");
        }
    }
}
