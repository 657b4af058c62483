//! The report as text.

use std::fmt;

use super::{DeviceReport, HostReport, PlatformReport, Report};
use crate::backend::DeviceKind;

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "OpenCL")?;
        match &self.loader {
            Ok(library) => writeln!(formatter, "  library: {library}")?,
            Err(reason) => writeln!(formatter, "  {reason}")?,
        }
        if self.loader.is_ok() && self.platforms.is_empty() {
            writeln!(formatter, "  no driver answers")?;
        }
        self.platforms.iter().try_for_each(|platform| write!(formatter, "{platform}"))?;
        self.problems.iter().try_for_each(|problem| writeln!(formatter, "  problem: {problem}"))?;
        writeln!(formatter, "\nhost")?;
        match &self.host {
            Some(host) => writeln!(formatter, "  {host}")?,
            None => writeln!(formatter, "  `lift` is built without its feature `host`")?,
        }
        match &self.default_device {
            Ok(device) => writeln!(formatter, "\ndefault device: {device}")?,
            Err(error) => writeln!(formatter, "\nno default device: {error}")?,
        }
        if !self.settings.is_empty() {
            writeln!(formatter, "\nenvironment")?;
        }
        self.settings.iter().try_for_each(|(name, value)| writeln!(formatter, "  {name}={value}"))?;
        self.show_missing(formatter)
    }
}

impl Report {
    fn show_missing(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.missing.is_empty() {
            let but = if self.problems.is_empty() {
                ""
            } else {
                ", but not everything works: see the problems above"
            };
            return writeln!(formatter, "\nnothing is missing{but}");
        }
        match &self.host {
            Some(_) => writeln!(formatter, "\nmissing for OpenCL, which the host computes without")?,
            None => writeln!(formatter, "\nmissing")?,
        }
        self.missing.iter().try_for_each(|missing| writeln!(formatter, "  {missing}"))?;
        match &self.command {
            Some(command) => writeln!(formatter, "\nto install it:\n  {command}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PlatformReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "  platform: {} ({})", self.name, self.version)?;
        if self.devices.is_empty() {
            writeln!(formatter, "    no devices")?;
        }
        self.devices.iter().try_for_each(|device| write!(formatter, "{device}"))
    }
}

impl fmt::Display for DeviceReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DeviceKind::Gpu => "GPU",
            DeviceKind::Cpu => "CPU",
            DeviceKind::Accelerator => "accelerator",
            DeviceKind::Host => "host",
        };
        let [x, y, z] = self.group_dimensions;
        let yes = |extension| if self.has(extension) { "yes" } else { "no" };
        writeln!(formatter, "    device: {} ({kind})", self.name)?;
        if let Some(obstacle) = &self.obstacle {
            writeln!(formatter, "      cannot be used: {obstacle}")?;
        }
        writeln!(formatter, "      {}, driver {}", self.version, self.driver)?;
        writeln!(
            formatter,
            "      {} compute units, {} of memory, arrays of up to {}",
            self.compute_units,
            bytes(self.memory),
            bytes(self.largest_array)
        )?;
        writeln!(
            formatter,
            "      work-groups of up to {} work-items ({x} x {y} x {z}), {} of local memory",
            self.group,
            bytes(self.local_memory)
        )?;
        writeln!(formatter, "      f64: {}, f16: {}", yes("cl_khr_fp64"), yes("cl_khr_fp16"))?;
        writeln!(formatter, "      extensions: {}", self.extensions.join(" "))
    }
}

impl fmt::Display for HostReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        write!(formatter, "{} {threads}, {}", self.threads, self.instructions)
    }
}

/// A number of bytes in a readable unit.
fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| count >= *unit) {
        Some((unit, name)) if count.is_multiple_of(*unit) => format!("{} {name}", count / unit),
        Some((unit, name)) => format!("{:.1} {name}", count as f64 / *unit as f64),
        None => format!("{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn report() -> Report {
        let device = DeviceReport {
            name: "a processor".to_owned(),
            kind: DeviceKind::Cpu,
            version: "OpenCL 3.0".to_owned(),
            driver: "7.1".to_owned(),
            compute_units: 2,
            memory: 3 << 30,
            largest_array: 1_610_612_736,
            local_memory: 512 << 10,
            group: 4096,
            group_dimensions: [4096, 4096, 64],
            extensions: vec!["cl_khr_fp64".to_owned(), "cl_khr_spir".to_owned()],
            obstacle: None,
        };
        Report {
            loader: Ok("libOpenCL.so.1".to_owned()),
            platforms: vec![PlatformReport {
                name: "a driver".to_owned(),
                version: "OpenCL 3.0 driver 7".to_owned(),
                devices: vec![device],
            }],
            host: Some(HostReport { threads: 2, instructions: "x86_64".to_owned() }),
            default_device: Err(Error::HostBackendMissing),
            settings: vec![("LIFT_DEVICE".to_owned(), "host".to_owned())],
            problems: Vec::new(),
            missing: Vec::new(),
            command: None,
        }
    }

    #[test]
    fn a_report_is_text_that_a_person_reads() {
        let text = report().to_string();
        let (start, rest) = text.split_once("no default device").unwrap();
        assert_eq!(
            start,
            "OpenCL\n  library: libOpenCL.so.1\n  platform: a driver (OpenCL 3.0 driver 7)\n    device: a processor (CPU)\n      \
             OpenCL 3.0, driver 7.1\n      2 compute units, 3 GiB of memory, arrays of up to 1.5 GiB\n      work-groups of up to \
             4096 work-items (4096 x 4096 x 64), 512 KiB of local memory\n      f64: yes, f16: no\n      extensions: cl_khr_fp64 \
             cl_khr_spir\n\nhost\n  2 threads, x86_64\n\n"
        );
        assert!(rest.ends_with("\n\nenvironment\n  LIFT_DEVICE=host\n\nnothing is missing\n"), "{rest}");
    }

    #[test]
    fn what_is_missing_comes_last_with_its_command() {
        let mut report = Report {
            loader: Err("no OpenCL library could be opened".to_owned()),
            platforms: Vec::new(),
            host: None,
            missing: vec!["an OpenCL library".to_owned()],
            command: Some("sudo apt install something".to_owned()),
            ..report()
        };
        let text = report.to_string();
        assert!(
            text.starts_with(
                "OpenCL\n  no OpenCL library could be opened\n\nhost\n  `lift` is built without"
            ),
            "{text}"
        );
        assert!(
            text.ends_with("missing\n  an OpenCL library\n\nto install it:\n  sudo apt install something\n"),
            "{text}"
        );
        report.command = None;
        report.host = Some(HostReport { threads: 1, instructions: "aarch64".to_owned() });
        let text = report.to_string();
        assert!(text.contains("host\n  1 thread, aarch64\n"), "{text}");
        assert!(text.ends_with("without\n  an OpenCL library\n"), "{text}");
    }

    #[test]
    fn bytes_have_the_unit_that_fits() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(49_152), "48 KiB");
        assert_eq!(bytes(150_754_820_096), "140.4 GiB");
    }
}
