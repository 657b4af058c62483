//! Built programs on disk: found again by the next process, and never trusted.

mod common;
#[path = "common/events.rs"]
mod events;
#[path = "common/processes.rs"]
mod processes;

use std::fs;
use std::path::Path;
use std::process::Child;

use processes::{Folder, finish, grafted, run, start};

#[test]
#[ignore = "the other tests run it with an environment of their own"]
fn transpose_and_tell() {
    processes::transpose_and_tell();
}

#[test]
fn the_next_process_loads_what_this_one_compiled() {
    let folder = Folder::new();
    assert!(run(&folder.0).contains("INFO compiled a program"));
    let written = fs::read(folder.entry()).unwrap();
    let told = run(&folder.0);
    assert!(told.contains("INFO loaded a program") && !told.contains("compiled"), "{told}");
    assert_eq!(fs::read(folder.entry()).unwrap(), written);
    // The same program with its sizes as constants is another one.
    let specialised = finish(start(&folder.0, &[("LIFT_SPECIALISED", "1")]));
    assert!(specialised.contains("INFO compiled a program") && specialised.contains("constants=[2, 3]"));
    assert_eq!(folder.entries().len(), 2);
}

#[test]
fn an_entry_that_is_damaged_or_foreign_is_compiled_again_and_replaced() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    let good = fs::read(&entry).unwrap();
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    let foreign = String::from_utf8_lossy(&good).replace("transposed", "transpozed").into_bytes();
    for bad in [Vec::new(), b"something else".to_vec(), good[..good.len() / 2].to_vec(), changed, foreign] {
        fs::write(&entry, &bad).unwrap();
        let told = run(&folder.0);
        assert!(told.contains("INFO compiled a program"), "{told}");
        assert!(told.contains("no entry for this program"), "{told}");
        assert!(run(&folder.0).contains("INFO loaded a program"));
    }
}

#[test]
fn an_entry_that_the_driver_does_not_take_is_compiled_again_and_replaced() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    let good = fs::read(&entry).unwrap();
    fs::write(&entry, grafted(&good, |_| b"no program of any driver".to_vec())).unwrap();
    let told = run(&folder.0);
    assert!(told.contains("WARN a built program is compiled again"), "{told}");
    assert!(told.contains("INFO compiled a program"), "{told}");
    assert!(run(&folder.0).contains("INFO loaded a program"));
}

#[test]
fn processes_share_a_folder() {
    let folder = Folder::new();
    for round in 0..3 {
        let children: Vec<Child> = (0..4).map(|_| start(&folder.0, &[])).collect();
        let told: Vec<String> = children.into_iter().map(finish).collect();
        assert!(told.iter().all(|told| !told.contains("WARN")), "{told:?}");
        if round > 0 {
            assert!(told.iter().all(|told| told.contains("INFO loaded a program")), "{told:?}");
        }
        folder.entry();
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning_only() {
    let folder = Folder::new();
    fs::write(&folder.0, "a file").unwrap();
    let told = run(&folder.0);
    assert!(told.contains("INFO compiled a program"), "{told}");
    assert!(told.contains("WARN the folder of built programs is not used"), "{told}");
    fs::remove_file(&folder.0).unwrap();
}

#[test]
fn without_the_variable_nothing_is_kept() {
    let told = finish(start(Path::new(""), &[]));
    assert!(told.contains("INFO compiled a program"), "{told}");
    assert!(!told.contains("WARN"), "{told}");
}
