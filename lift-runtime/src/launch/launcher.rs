//! What runs the kernels of programs on the devices of a back end, and what it gives back.

use std::fmt::Debug;
use std::time::Duration;

use crate::backend::Memory;
use crate::dense_array::DenseArray;
use crate::device::{Device, DeviceData};
use crate::error::Result;
use crate::generated::Generated;
use crate::host::Kernel;
use crate::input::Given;
use crate::output::Destination;
use crate::plan::{Plan, Wish};
use crate::profile::KernelProfile;
use crate::program::{self, Program, ScalarType};
use crate::specialise::PassedSizes;

/// A program with its functions for the host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'a> {
    /// The description.
    pub(crate) program: &'static Program,
    /// The kernels as functions of Rust, one for each kernel of its plain form; empty if there are no such
    /// functions.
    pub(crate) host: &'a [Kernel],
    /// How the kernels of a driver get their sizes.
    pub(crate) sizes: PassedSizes,
    /// The forms that may compute it.
    pub(crate) wish: Wish,
}

/// A call whose kernels are running or done: its results are on the device, or will be.
#[derive(Debug)]
pub(crate) struct Started {
    pub(super) results: Vec<(DenseArray, DeviceData)>,
    pub(super) kernels: Kernels,
}

/// The kernels of a call with their names, in launch order.
#[derive(Debug)]
pub(super) enum Kernels {
    /// They are enqueued.
    Enqueued(Box<dyn Enqueued>),
    /// They are done, and took these times.
    Done(Vec<(&'static str, Duration)>),
}

/// The kernels of a call on their way through a device.
pub(super) trait Enqueued: Debug {
    /// Waits for the kernels. A failure of one of them shows here.
    fn finish(&self) -> Result<()>;

    /// The times that they took, in launch order. They must be complete.
    fn times(&self) -> Result<Vec<(&'static str, Duration)>>;
}

/// What runs the kernels of programs on the devices of a back end.
pub(crate) trait Launcher {
    /// Prepares a program for these types, so that the first call need not.
    fn prepare(&self, code: Code<'_>, types: &[ScalarType], device: &Device) -> Result<()>;

    /// Builds the kernels of a plan, which the next call with it need not then.
    fn build(&self, code: Code<'_>, plan: &Plan, device: &Device) -> Result<()>;

    /// Checks that a kernel can run in groups that the user chose.
    fn check_chosen(
        &self,
        code: Code<'_>,
        types: &[ScalarType],
        kernel: &program::Kernel,
        local: [usize; 3],
        device: &Device,
    ) -> Result<()>;

    /// Starts the kernels of a call, which was checked.
    fn start(&self, code: Code<'_>, plan: &Plan, arguments: &[Given<'_>], device: &Device)
    -> Result<Started>;

    /// The same for results that the user has memory for. If kernels can write there, they have when this
    /// returns `None`. Otherwise the results are to be copied.
    fn start_into(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        destination: &mut dyn Destination,
    ) -> Result<Option<Started>>;

    /// The same for results that go to memory on the device: it fits them, and no other array has it.
    fn start_on_device(
        &self,
        code: Code<'_>,
        plan: &Plan,
        arguments: &[Given<'_>],
        device: &Device,
        results: Vec<&mut Memory>,
    ) -> Result<()>;
}

impl<'a> Code<'a> {
    pub(crate) fn new(generated: Generated<'a>, sizes: PassedSizes, wish: Wish) -> Code<'a> {
        Code { program: generated.program(), host: generated.host(), sizes, wish }
    }
}

impl Started {
    /// Waits for the kernels. A failure of one of them shows here.
    pub(crate) fn finish(&self) -> Result<()> {
        match &self.kernels {
            Kernels::Enqueued(kernels) => kernels.finish(),
            Kernels::Done(_) => Ok(()),
        }
    }

    /// The times that the kernels ran, after [`finish`](Self::finish).
    pub(crate) fn times(&self) -> Result<Vec<KernelProfile>> {
        let profile = |(name, duration): (&str, Duration)| KernelProfile { name: name.to_owned(), duration };
        Ok(match &self.kernels {
            Kernels::Enqueued(kernels) => kernels.times()?.into_iter().map(profile).collect(),
            Kernels::Done(kernels) => kernels.iter().copied().map(profile).collect(),
        })
    }

    pub(crate) fn into_results(self) -> Vec<(DenseArray, DeviceData)> {
        self.results
    }
}

/// Logs what a program computes more often than its source says.
pub(super) fn tell_repeated(program: &Program, device: &Device) {
    for repeated in program.repeated {
        tracing::info!(program = program.name, %device, "it computes {repeated}");
    }
}
