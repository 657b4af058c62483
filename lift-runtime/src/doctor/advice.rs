//! What is missing for OpenCL, and the command that installs it.

use super::PlatformReport;
use super::machine::{Machine, System, Vendor};

/// What to install for more devices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Advice {
    /// What is missing.
    pub(super) missing: Vec<String>,
    /// The command that installs all of it; `None` if it is not known.
    pub(super) command: Option<String>,
}

/// Something that can be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Loader,
    DriverForCpu,
    DriverOf(Vendor),
    /// NVIDIA's driver is there, but no file says so.
    Registration,
}

/// What is missing on a machine, given whether there is an OpenCL library and which platforms answer.
pub(super) fn of(machine: &Machine, has_loader: bool, platforms: &[PlatformReport]) -> Advice {
    let parts = missing_parts(machine, has_loader, platforms);
    let commands: Option<Vec<String>> = commands(machine, &parts);
    Advice {
        missing: parts.iter().map(|part| describe(machine, *part)).collect(),
        command: commands.filter(|commands| !commands.is_empty()).map(|commands| commands.join(" && ")),
    }
}

fn missing_parts(machine: &Machine, has_loader: bool, platforms: &[PlatformReport]) -> Vec<Part> {
    let mut parts = Vec::new();
    if !has_loader {
        parts.push(Part::Loader);
    }
    for vendor in &machine.graphics {
        if !platforms.iter().any(|platform| is_of(platform, *vendor)) && !is_registered(machine, *vendor) {
            let has_library = *vendor == Vendor::Nvidia && machine.has_nvidia_library;
            parts.push(if has_library { Part::Registration } else { Part::DriverOf(*vendor) });
        }
    }
    let has_device =
        platforms.iter().flat_map(|platform| &platform.devices).any(|device| device.obstacle.is_none());
    if !has_device && parts.iter().all(|part| *part == Part::Loader) && drivers(machine).next().is_none() {
        parts.push(Part::DriverForCpu);
    }
    parts
}

/// Whether a platform drives the graphics processors of a vendor.
fn is_of(platform: &PlatformReport, vendor: Vendor) -> bool {
    let name = platform.name.to_lowercase();
    let names: &[&str] = match vendor {
        Vendor::Amd => &["amd", "clover", "rusticl"],
        Vendor::Intel => &["intel", "rusticl"],
        Vendor::Nvidia => &["nvidia"],
    };
    names.iter().any(|part| name.contains(part))
}

/// Whether a driver of a vendor is registered. If a registered driver does not answer, the loader reports it
/// or nobody does; installing it again does not help.
fn is_registered(machine: &Machine, vendor: Vendor) -> bool {
    let names: &[&str] = match vendor {
        Vendor::Amd => &["amdocl", "MesaOpenCL", "RusticlOpenCL"],
        Vendor::Intel => &["igdrcl", "RusticlOpenCL"],
        Vendor::Nvidia => &["nvidia"],
    };
    drivers(machine).any(|library| names.iter().any(|part| library.contains(part)))
}

/// All registered drivers, including those in places where nobody looks now.
fn drivers(machine: &Machine) -> impl Iterator<Item = &String> {
    machine.registered.iter().chain(&machine.hidden)
}

fn describe(machine: &Machine, part: Part) -> String {
    let driver =
        |vendor: &str| format!("an OpenCL driver for the {vendor} graphics processor of this machine");
    match part {
        Part::Loader if machine.system == System::Windows => {
            "an OpenCL library (OpenCL.dll): it comes with the driver of a graphics processor".to_owned()
        }
        Part::Loader => "an OpenCL library (libOpenCL.so.1), which finds the drivers".to_owned(),
        Part::DriverForCpu => "an OpenCL driver; PoCL computes on any processor".to_owned(),
        Part::DriverOf(Vendor::Amd) => driver("AMD"),
        Part::DriverOf(Vendor::Intel) => driver("Intel"),
        Part::DriverOf(Vendor::Nvidia) => driver("NVIDIA"),
        Part::Registration => {
            "a file in /etc/OpenCL/vendors that names NVIDIA's OpenCL driver, which is installed".to_owned()
        }
    }
}

/// The commands that install these parts; `None` if the way to install one of them is not known.
fn commands(machine: &Machine, parts: &[Part]) -> Option<Vec<String>> {
    let sudo = if machine.is_root { "" } else { "sudo " };
    let mut packages = Vec::new();
    let mut commands = Vec::new();
    for part in parts {
        match part {
            Part::Registration => commands.push(format!(
                "{sudo}sh -c 'mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd'"
            )),
            Part::Loader | Part::DriverForCpu | Part::DriverOf(_) => packages.push(package(machine, *part)?),
        }
    }
    if !packages.is_empty() {
        let install = match machine.system {
            System::Debian | System::Ubuntu => "apt install",
            System::Fedora => "dnf install",
            System::Arch => "pacman -S",
            System::Suse => "zypper install",
            System::MacOs | System::Windows | System::Other => return None,
        };
        commands.insert(0, format!("{sudo}{install} {}", packages.join(" ")));
    }
    Some(commands)
}

/// The package that holds a part.
fn package(machine: &Machine, part: Part) -> Option<String> {
    use System::{Arch, Debian, Fedora, MacOs, Other, Suse, Ubuntu, Windows};
    let name = match (machine.system, part) {
        (_, Part::Registration) | (MacOs | Windows | Other, _) => return None,
        (Debian | Ubuntu, Part::Loader) => "ocl-icd-libopencl1",
        (Fedora | Arch, Part::Loader) => "ocl-icd",
        (Suse, Part::Loader) => "libOpenCL1",
        (Debian | Ubuntu, Part::DriverForCpu) => "pocl-opencl-icd",
        (Fedora | Arch | Suse, Part::DriverForCpu) => "pocl",
        (Debian | Ubuntu, Part::DriverOf(Vendor::Amd)) => "mesa-opencl-icd",
        (Fedora, Part::DriverOf(Vendor::Amd)) => "rocm-opencl",
        (Arch, Part::DriverOf(Vendor::Amd)) => "rocm-opencl-runtime",
        (Suse, Part::DriverOf(Vendor::Amd)) => "Mesa-libOpenCL",
        (Debian | Ubuntu, Part::DriverOf(Vendor::Intel)) => "intel-opencl-icd",
        (Fedora | Arch, Part::DriverOf(Vendor::Intel)) => "intel-compute-runtime",
        (Suse, Part::DriverOf(Vendor::Intel)) => "intel-opencl",
        (Debian, Part::DriverOf(Vendor::Nvidia)) => "nvidia-opencl-icd",
        (Arch, Part::DriverOf(Vendor::Nvidia)) => "opencl-nvidia",
        // The package has to be of the version of the kernel module.
        (Ubuntu, Part::DriverOf(Vendor::Nvidia)) => {
            return machine.nvidia_version.as_ref().map(|version| format!("libnvidia-compute-{version}"));
        }
        (Fedora | Suse, Part::DriverOf(Vendor::Nvidia)) => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::backend::DeviceKind;
    use crate::doctor::DeviceReport;

    fn machine(system: System, graphics: &[Vendor]) -> Machine {
        Machine { system, graphics: BTreeSet::from_iter(graphics.iter().copied()), ..Machine::default() }
    }

    fn platform(name: &str) -> PlatformReport {
        let device = DeviceReport {
            name: name.to_owned(),
            kind: DeviceKind::Gpu,
            version: String::new(),
            driver: String::new(),
            compute_units: 1,
            memory: 1,
            largest_array: 1,
            local_memory: 1,
            group: 1,
            group_dimensions: [1; 3],
            extensions: Vec::new(),
            obstacle: None,
        };
        PlatformReport { name: name.to_owned(), version: String::new(), devices: vec![device] }
    }

    fn command(machine: &Machine, has_loader: bool, platforms: &[PlatformReport]) -> String {
        of(machine, has_loader, platforms).command.unwrap_or_default()
    }

    #[test]
    fn where_nothing_is_installed_one_command_installs_all() {
        let bare = machine(System::Debian, &[]);
        let advice = of(&bare, false, &[]);
        assert_eq!(advice.missing.len(), 2);
        assert_eq!(advice.command.unwrap(), "sudo apt install ocl-icd-libopencl1 pocl-opencl-icd");
        let root = Machine { is_root: true, ..bare };
        assert_eq!(command(&root, false, &[]), "apt install ocl-icd-libopencl1 pocl-opencl-icd");
        assert_eq!(command(&machine(System::Fedora, &[]), false, &[]), "sudo dnf install ocl-icd pocl");
        assert_eq!(command(&machine(System::Arch, &[]), true, &[]), "sudo pacman -S pocl");
        assert_eq!(command(&machine(System::Suse, &[]), false, &[]), "sudo zypper install libOpenCL1 pocl");
    }

    #[test]
    fn a_graphics_processor_without_a_driver_gets_its_own() {
        let intel = machine(System::Ubuntu, &[Vendor::Intel]);
        assert_eq!(command(&intel, false, &[]), "sudo apt install ocl-icd-libopencl1 intel-opencl-icd");
        assert_eq!(of(&intel, true, &[platform("Intel(R) OpenCL Graphics")]), Advice::default());
        let both = machine(System::Debian, &[Vendor::Amd, Vendor::Nvidia]);
        assert_eq!(command(&both, true, &[platform("NVIDIA CUDA")]), "sudo apt install mesa-opencl-icd");
        assert_eq!(of(&both, true, &[platform("NVIDIA CUDA"), platform("rusticl")]), Advice::default());
    }

    #[test]
    fn nvidias_driver_is_of_the_version_of_the_kernel_module() {
        let nvidia =
            Machine { nvidia_version: Some("535".to_owned()), ..machine(System::Ubuntu, &[Vendor::Nvidia]) };
        assert_eq!(command(&nvidia, true, &[]), "sudo apt install libnvidia-compute-535");
        let installed = Machine { has_nvidia_library: true, ..nvidia };
        assert_eq!(
            command(&installed, false, &[]),
            "sudo apt install ocl-icd-libopencl1 && sudo sh -c 'mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > \
             /etc/OpenCL/vendors/nvidia.icd'"
        );
    }

    #[test]
    fn what_is_there_is_not_missing() {
        assert_eq!(
            of(&machine(System::Debian, &[]), true, &[platform("Portable Computing Language")]),
            Advice::default()
        );
        // Installing a registered driver again does not make it answer.
        let registered = Machine {
            registered: vec!["libnvidia-opencl.so.1".to_owned()],
            ..machine(System::Debian, &[Vendor::Nvidia])
        };
        assert_eq!(of(&registered, true, &[]), Advice::default());
        // Nor does it help a driver that a variable hides.
        let hidden = Machine { hidden: registered.registered, registered: Vec::new(), ..registered };
        assert_eq!(of(&hidden, true, &[]), Advice::default());
    }

    #[test]
    fn where_packages_are_not_known_there_is_no_command() {
        for system in [System::Other, System::Windows, System::MacOs] {
            let advice = of(&machine(system, &[]), false, &[]);
            assert_eq!((advice.missing.len(), advice.command), (2, None));
        }
    }
}
