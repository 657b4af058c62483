//! How long the kernels of a call ran.

use std::fmt;
use std::time::Duration;

/// The time that each kernel of a call took on the device, without transfers and waiting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Profile {
    /// The name of the [form](crate::KernelForm) that the call had.
    pub form: String,
    /// The kernels in launch order; one with no work-items is not launched and not listed.
    pub kernels: Vec<KernelProfile>,
}

/// The time that one kernel took.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelProfile {
    /// The kernel's name in the OpenCL C.
    pub name: String,
    /// From its start to its end on the device.
    pub duration: Duration,
}

impl Profile {
    /// The time of all kernels together.
    pub fn total(&self) -> Duration {
        self.kernels.iter().map(|kernel| kernel.duration).sum()
    }
}

impl fmt::Display for Profile {
    /// One line for each kernel, and one for the sum when there are several.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.kernels.iter().map(|kernel| kernel.name.len()).max().unwrap_or(0).max("total".len());
        let mut line = |name: &str, duration: Duration| {
            writeln!(formatter, "{name:width$} {:>12.3} us", duration.as_secs_f64() * 1e6)
        };
        for kernel in &self.kernels {
            line(&kernel.name, kernel.duration)?;
        }
        if self.kernels.len() == 1 { Ok(()) } else { line("total", self.total()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(name: &str, microseconds: u64) -> KernelProfile {
        KernelProfile { name: name.to_owned(), duration: Duration::from_micros(microseconds) }
    }

    #[test]
    fn the_total_is_the_sum_and_is_shown_for_several_kernels() {
        let profile =
            Profile { form: "plain".to_owned(), kernels: vec![kernel("partial", 20), kernel("last", 5)] };
        assert_eq!(profile.total(), Duration::from_micros(25));
        let lines: Vec<String> = profile.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines, ["partial       20.000 us", "last           5.000 us", "total         25.000 us"]);
    }
}
