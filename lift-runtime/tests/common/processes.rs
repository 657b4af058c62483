//! Processes that compute the same with a folder of built programs. The environment of a process is shared by
//! its threads, so that each case runs the test binary again with an environment of its own.

#![allow(dead_code, reason = "each test binary uses some of it")]

#[path = "../../src/disk_cache/digest.rs"]
mod digest;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lift_runtime::ndarray::{Array2, array};

use crate::common::{opencl, transpose_call};
use crate::events::told;

/// What a process of its own does.
pub(crate) fn transpose_and_tell() {
    let (result, lines) =
        told(|| transpose_call(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).run::<Array2<f32>>(&opencl()).unwrap());
    assert_eq!(result, array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    println!("[{}]", lines.join("\n"));
}

pub(crate) fn start(folder: &Path, variables: &[(&str, &str)]) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "transpose_and_tell", "--ignored", "--nocapture"]);
    command.env("LIFT_CACHE_DIR", folder).env_remove("LIFT_SPECIALISED").envs(variables.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a process tells that has computed the right result.
pub(crate) fn finish(child: Child) -> String {
    let output = in_time(child);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let (start, end) = (text.find('[').unwrap(), text.rfind(']').unwrap());
    text[start + 1..end].to_owned()
}

/// What a process leaves behind that does not wait for anybody.
fn in_time(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!(
                "it waits for somebody: {}",
                String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout)
            );
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

pub(crate) fn run(folder: &Path) -> String {
    finish(start(folder, &[]))
}

/// A folder that is not there yet, and is gone in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Folder(env::temp_dir().join(format!("lift-cache-{}-{count}", std::process::id())))
    }

    pub(crate) fn entries(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// The only entry.
    pub(crate) fn entry(&self) -> PathBuf {
        let [entry] = <[PathBuf; 1]>::try_from(self.entries()).unwrap();
        entry
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// The entry with another binary, which is made of the one in it, as everybody can write it.
pub(crate) fn grafted(entry: &[u8], binary: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    // An entry ends with the length of the binary, the binary and the digest of everything before it.
    let written = &entry[..entry.len() - 32];
    assert_eq!(entry[entry.len() - 32..], digest::sha256(written));
    let is_length =
        |length: &usize| written[..written.len() - length].ends_with(&(*length as u64).to_le_bytes());
    let length = (1..written.len() - 8).find(is_length).unwrap();
    let (head, old) = written.split_at(written.len() - length);
    let new = binary(old);
    let mut grafted = head[..head.len() - 8].to_vec();
    grafted.extend((new.len() as u64).to_le_bytes());
    grafted.extend(new);
    grafted.extend(digest::sha256(&grafted));
    grafted
}
