//! Built programs on disk: found again by the next process, and never trusted.
//!
//! The environment of a process is shared by its threads, so that each case runs this test binary again with an
//! environment of its own.

mod common;
#[path = "common/events.rs"]
mod events;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{opencl, transpose_call};
use events::told;
use lift_runtime::ndarray::{Array2, array};

#[test]
#[ignore = "the other tests run it with an environment of their own"]
fn transpose_and_tell() {
    let (result, lines) =
        told(|| transpose_call(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).run::<Array2<f32>>(&opencl()).unwrap());
    assert_eq!(result, array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    println!("[{}]", lines.join("\n"));
}

fn start(folder: &Path, variables: &[(&str, &str)]) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "transpose_and_tell", "--ignored", "--nocapture"]);
    command.env("LIFT_CACHE_DIR", folder).env_remove("LIFT_SPECIALISED").envs(variables.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a process tells that has computed the right result.
fn finish(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let (start, end) = (text.find('[').unwrap(), text.rfind(']').unwrap());
    text[start + 1..end].to_owned()
}

fn run(folder: &Path) -> String {
    finish(start(folder, &[]))
}

/// A folder that is not there yet, and is gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Folder(env::temp_dir().join(format!("lift-cache-{}-{count}", std::process::id())))
    }

    fn entries(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// The only entry.
    fn entry(&self) -> PathBuf {
        let [entry] = <[PathBuf; 1]>::try_from(self.entries()).unwrap();
        entry
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
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

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn an_entry_that_the_driver_does_not_take_is_compiled_again_and_replaced() {
    let folder = Folder::new();
    run(&folder.0);
    let entry = folder.entry();
    let good = fs::read(&entry).unwrap();
    // An entry ends with the hash of the binary, its length and the binary.
    let length = (0..good.len() - 16)
        .find(|length| {
            let (head, binary) = good.split_at(good.len() - length);
            let head = &head[head.len() - 16..];
            head[8..] == (*length as u64).to_le_bytes() && head[..8] == hash(binary).to_le_bytes()
        })
        .unwrap();
    let binary = b"no program of any driver";
    let mut bad = good[..good.len() - length - 16].to_vec();
    bad.extend(hash(binary).to_le_bytes());
    bad.extend((binary.len() as u64).to_le_bytes());
    bad.extend(binary);
    fs::write(&entry, &bad).unwrap();
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
    assert!(told.contains("WARN a built program could not be kept"), "{told}");
    fs::remove_file(&folder.0).unwrap();
}

#[test]
fn without_the_variable_nothing_is_kept() {
    let told = finish(start(Path::new(""), &[]));
    assert!(told.contains("INFO compiled a program"), "{told}");
    assert!(!told.contains("WARN"), "{told}");
}
