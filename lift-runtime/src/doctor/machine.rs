//! What the files of the system say about the machine: its distribution, its graphics processors, registered
//! OpenCL drivers.
//!
//! Everything here is read and nothing is run. What cannot be read counts as missing.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The facts about the machine that decide what to install.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub(super) system: System,
    /// Whether this process may install packages as it is.
    pub(super) is_root: bool,
    /// Who made its graphics processors.
    pub(super) graphics: BTreeSet<Vendor>,
    /// The version of NVIDIA's kernel module, `535`.
    pub(super) nvidia_version: Option<String>,
    /// Whether NVIDIA's OpenCL driver is installed, registered or not.
    pub(super) has_nvidia_library: bool,
    /// The libraries that are registered as OpenCL drivers, where the OpenCL library looks for them.
    pub(super) registered: Vec<String>,
    /// The libraries that are registered where the OpenCL library would look if no environment variable were
    /// set.
    pub(super) hidden: Vec<String>,
    /// Whether an OpenCL library lies where distributions put libraries.
    pub(super) has_loader: bool,
}

/// What decides how packages are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum System {
    Debian,
    Ubuntu,
    Fedora,
    Arch,
    Suse,
    MacOs,
    Windows,
    #[default]
    Other,
}

/// Who made a graphics processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Vendor {
    Amd,
    Intel,
    Nvidia,
}

/// Where drivers are registered.
const VENDORS: &str = "/etc/OpenCL/vendors";

/// The variable that names another folder, or the one file to look at.
pub(super) const VENDORS_VARIABLE: &str = "OCL_ICD_VENDORS";

/// Where distributions put libraries.
const LIBRARIES: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64"];

impl Machine {
    /// The machine that this runs on.
    pub(super) fn here() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let nvidia_version = nvidia_version(&read("/proc/driver/nvidia/version"));
        let mut graphics: BTreeSet<Vendor> = pci_vendors();
        graphics.extend(nvidia_version.as_ref().map(|_| Vendor::Nvidia));
        let has_library = |name: &str| LIBRARIES.iter().any(|folder| Path::new(folder).join(name).exists());
        let chosen = env::var_os(VENDORS_VARIABLE).filter(|chosen| !chosen.is_empty());
        let usual = registered(Path::new(VENDORS));
        let (registered, hidden) = match chosen {
            Some(chosen) => (registered(Path::new(&chosen)), usual),
            None => (usual, Vec::new()),
        };
        Machine {
            system: if cfg!(target_os = "macos") {
                System::MacOs
            } else if cfg!(windows) {
                System::Windows
            } else {
                system(&read("/etc/os-release"))
            },
            is_root: is_root(&read("/proc/self/status")),
            graphics,
            nvidia_version,
            has_nvidia_library: has_library("libnvidia-opencl.so.1"),
            registered,
            hidden,
            has_loader: has_library("libOpenCL.so.1"),
        }
    }
}

/// The distribution, from the contents of `os-release`: its own name before those that it is like.
fn system(os_release: &str) -> System {
    let value = |key: &str| {
        let line = os_release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let names = format!("{} {}", value("ID"), value("ID_LIKE"));
    let known = |name: &str| match name {
        "debian" => Some(System::Debian),
        "ubuntu" => Some(System::Ubuntu),
        "fedora" | "rhel" | "centos" => Some(System::Fedora),
        "arch" => Some(System::Arch),
        "suse" | "opensuse" | "opensuse-tumbleweed" | "opensuse-leap" => Some(System::Suse),
        _ => None,
    };
    names.split_whitespace().find_map(known).unwrap_or_default()
}

/// Whether the effective user is root, from the contents of `/proc/self/status`.
fn is_root(status: &str) -> bool {
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    // Real, effective, saved, of the file system.
    user.and_then(|ids| ids.split_whitespace().nth(1)) == Some("0")
}

/// The first part of the version of NVIDIA's kernel module, from what it says of itself.
fn nvidia_version(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("NVRM version:"))?;
    let version = line.split_whitespace().find(|word| {
        word.split('.').count() >= 2 && word.split('.').all(|part| part.parse::<u32>().is_ok())
    })?;
    version.split('.').next().map(str::to_owned)
}

/// Who made the graphics processors that the kernel knows.
fn pci_vendors() -> BTreeSet<Vendor> {
    let Ok(cards) = fs::read_dir("/sys/class/drm") else { return BTreeSet::new() };
    let vendors = cards.filter_map(|card| fs::read_to_string(card.ok()?.path().join("device/vendor")).ok());
    vendors.filter_map(|vendor| pci_vendor(vendor.trim())).collect()
}

fn pci_vendor(number: &str) -> Option<Vendor> {
    match number {
        "0x1002" => Some(Vendor::Amd),
        "0x8086" => Some(Vendor::Intel),
        "0x10de" => Some(Vendor::Nvidia),
        _ => None,
    }
}

/// The libraries that the files of a folder register; a path that is no folder is one such file.
fn registered(folder: &Path) -> Vec<String> {
    let paths: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(files) => files.filter_map(|file| Some(file.ok()?.path())).collect(),
        Err(_) => vec![folder.to_owned()],
    };
    let paths = paths.into_iter();
    let drivers = paths.filter(|path| path.extension().is_some_and(|ending| ending == "icd"));
    let mut libraries: Vec<String> =
        drivers.filter_map(|path| Some(fs::read_to_string(path).ok()?.trim().to_owned())).collect();
    libraries.sort();
    libraries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_known_by_their_own_name_or_one_that_they_are_like() {
        assert_eq!(system("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"), System::Debian);
        assert_eq!(system("ID=ubuntu\nID_LIKE=debian\n"), System::Ubuntu);
        assert_eq!(system("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), System::Ubuntu);
        assert_eq!(system("ID=\"almalinux\"\nID_LIKE=\"rhel centos fedora\"\n"), System::Fedora);
        assert_eq!(system("ID=manjaro\nID_LIKE=arch"), System::Arch);
        assert_eq!(system("ID=nixos\n"), System::Other);
        assert_eq!(system(""), System::Other);
    }

    #[test]
    fn root_is_who_has_its_effective_number() {
        assert!(is_root("Name:\tx\nUid:\t1000\t0\t0\t0\n"));
        assert!(!is_root("Name:\tx\nUid:\t0\t1000\t0\t0\n"));
        assert!(!is_root(""));
    }

    #[test]
    fn the_version_of_the_kernel_module_is_found() {
        let text = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n\
                    GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n";
        assert_eq!(nvidia_version(text).as_deref(), Some("535"));
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95  Release Build";
        assert_eq!(nvidia_version(open).as_deref(), Some("580"));
        assert_eq!(nvidia_version(""), None);
    }
}
