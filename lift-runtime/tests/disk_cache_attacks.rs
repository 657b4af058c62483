//! Somebody else writes to the folder of built programs: nothing of theirs runs, and no call waits for them
//! or writes where they want.

#![cfg(unix)]

mod common;
#[path = "common/events.rs"]
mod events;
#[path = "common/processes.rs"]
mod processes;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use processes::{Folder, finish, grafted, run, start};

#[test]
#[ignore = "the other tests run it with an environment of their own"]
fn transpose_and_tell() {
    processes::transpose_and_tell();
}

fn allow(path: &std::path::Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// What is refused is compiled again, and the next process loads what is there instead.
fn is_refused_and_replaced(folder: &Folder, why: &str) {
    let told = run(&folder.0);
    assert!(told.contains("WARN a built program is not used") && told.contains(why), "{told}");
    assert!(told.contains("INFO compiled a program"), "{told}");
    let told = run(&folder.0);
    assert!(told.contains("INFO loaded a program") && !told.contains("WARN"), "{told}");
}

#[test]
fn the_folder_and_its_files_are_this_users_alone() {
    let folder = Folder::new();
    let inner = folder.0.join("a/b");
    run(&inner);
    assert_eq!((mode(&folder.0), mode(&inner)), (0o700, 0o700));
    let entry = fs::read_dir(&inner).unwrap().next().unwrap().unwrap();
    assert_eq!(mode(&entry.path()), 0o600);
}

#[test]
fn an_entry_that_others_can_have_written_is_never_loaded() {
    let folder = Folder::new();
    run(&folder.0);
    for others in [0o666, 0o620, 0o602] {
        // A program of theirs would look just like this one.
        allow(&folder.entry(), others);
        is_refused_and_replaced(&folder, "others may write");
        assert_eq!(mode(&folder.entry()), 0o600);
    }
}

#[test]
fn a_folder_that_others_can_write_to_is_not_used() {
    let folder = Folder::new();
    run(&folder.0);
    for others in [0o777, 0o720, 0o1777] {
        allow(&folder.0, others);
        let told = run(&folder.0);
        assert!(told.contains("INFO compiled a program"), "{told}");
        assert!(told.contains("WARN the folder of built programs is not used"), "{told}");
        assert_eq!(told.matches("WARN").count(), 1, "{told}");
    }
    allow(&folder.0, 0o755);
    assert!(run(&folder.0).contains("INFO loaded a program"));
}

/// A driver believes what it loads: PoCL ends the process when it is given half of a program.
#[test]
fn half_a_binary_with_the_right_digest_reaches_no_driver() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    let half = grafted(&fs::read(&entry).unwrap(), |binary| binary[..binary.len() / 2].to_vec());
    fs::write(&entry, half).unwrap();
    allow(&entry, 0o666);
    is_refused_and_replaced(&folder, "others may write");
}

#[test]
fn a_pipe_in_the_place_of_an_entry_holds_nobody() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    fs::remove_file(&entry).unwrap();
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&entry).status().unwrap().success());
    is_refused_and_replaced(&folder, "no regular file");
}

#[test]
fn an_entry_is_not_read_through_a_link() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    let elsewhere = Folder::new();
    fs::create_dir(&elsewhere.0).unwrap();
    fs::rename(&entry, elsewhere.0.join("entry")).unwrap();
    symlink(elsewhere.0.join("entry"), &entry).unwrap();
    is_refused_and_replaced(&folder, "symbolic link");
    assert!(fs::symlink_metadata(&entry).unwrap().is_file());
}

/// Links wait under the names that files had before they were complete: those of processes that are to come.
#[test]
fn nothing_is_written_through_a_link() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    fs::remove_file(&entry).unwrap();
    let victims = Folder::new();
    fs::create_dir(&victims.0).unwrap();
    let victim = victims.0.join("letter");
    fs::write(&victim, "dear").unwrap();
    symlink(&victim, &entry).unwrap();
    let process = std::process::id();
    for next in process..process + 5000 {
        symlink(&victim, entry.with_extension(format!("{next}-0.temporary"))).unwrap();
    }
    let told = finish(start(&folder.0, &[]));
    assert!(told.contains("INFO compiled a program"), "{told}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "dear");
    assert!(fs::symlink_metadata(&entry).unwrap().is_file());
    assert!(run(&folder.0).contains("INFO loaded a program"));
}
