//! The forms of a kernel, as its user sees them.

use std::fmt;

use crate::program::Form;

/// One of the ways in which a kernel is computed. Each has OpenCL kernels of its own. A call has the first
/// form that is for its device and its sizes, and whose kernels the device can launch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelForm {
    /// Its name.
    pub name: String,
    /// The devices that it is for.
    pub devices: String,
    /// What sizes must satisfy: all of these, beyond what the kernel asks of them in every form.
    pub sizes: Vec<String>,
    /// What sizes must satisfy for the form to be worth taking: all of these. A call that asks for the form by
    /// its name has it for other sizes, too.
    pub thresholds: Vec<String>,
}

impl KernelForm {
    pub(crate) fn of(form: &Form) -> KernelForm {
        KernelForm {
            name: form.name.to_owned(),
            devices: form.devices.to_string(),
            sizes: form.guards.iter().map(|guard| guard.text.to_owned()).collect(),
            thresholds: form.thresholds.iter().map(|guard| guard.text.to_owned()).collect(),
        }
    }
}

impl fmt::Display for KernelForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`: on {}", self.name, self.devices)?;
        if !self.sizes.is_empty() {
            write!(formatter, ", where {}", self.sizes.join(" and "))?;
        }
        match self.thresholds.as_slice() {
            [] => Ok(()),
            thresholds => write!(formatter, ", worth it where {}", thresholds.join(" and ")),
        }
    }
}
