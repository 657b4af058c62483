//! Where a program of a test runs.

use std::fs;
use std::path::Path;

use lift_core::compiled::Compiled;
use lift_core::options::Options;
use lift_runtime::__private::host::Kernel;
use lift_runtime::Device;

/// A device, and a program's functions for it where it is the host, which compiles nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) device: &'a Device,
    pub(crate) functions: &'a [Kernel],
    pub(crate) launches: LaunchSizes,
    pub(crate) options: Options,
    /// Whether a form beside the plain one runs.
    pub(crate) runs: fn(&str) -> bool,
}

/// How many work-items kernels are launched with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LaunchSizes {
    /// As many as the runtime chooses.
    Usual,
    /// As many as this number leads to; for kernels that are right for any launch.
    Drawn(u32),
}

impl<'a> Target<'a> {
    /// A device that compiles what it runs.
    pub(crate) fn opencl(device: &'a Device) -> Target<'a> {
        let (launches, options) = (LaunchSizes::Usual, Options::default());
        Target { device, functions: &[], launches, options, runs: |_| true }
    }

    /// The same, but for products in tiles: a simulator takes a minute for the groups of a few programs.
    /// `product_forms` and `product_stages` simulate such kernels, launched for all rows at once.
    pub(crate) fn without_product_tiles(self) -> Target<'a> {
        Target { runs: |form| !form.ends_with("ProductTiles") && form != "productTiles", ..self }
    }

    /// Keeps what is about to run in a file for this thread, for the case that a driver crashes.
    pub(crate) fn announce(&self, text: &str) -> Result<(), String> {
        // Only tests have such a folder.
        let folder = option_env!("CARGO_TARGET_TMPDIR").filter(|_| self.functions.is_empty());
        let Some(folder) = folder else { return Ok(()) };
        let name = format!("running-{}.txt", std::thread::current().name().unwrap_or("test"));
        fs::write(Path::new(folder).join(name), text).map_err(|error| error.to_string())
    }

    /// The code that runs there.
    pub(crate) fn code(&self, compiled: &Compiled) -> String {
        match &compiled.host {
            Some(host) if !self.functions.is_empty() => host.text.clone(),
            _ => compiled.text(),
        }
    }
}
