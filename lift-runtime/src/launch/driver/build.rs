//! Building a program for a device: by the driver's compiler, or from the folder of built programs.

use std::sync::Arc;
use std::time::Instant;

use super::groups;
use crate::backend::{Build, Built, DriverDevice, IndexWidth, Session};
use crate::device::Device;
use crate::disk_cache::{DiskCache, Key};
use crate::error::Result;
use crate::launch::launcher::tell_repeated;
use crate::plan::{Chosen, Plan};
use crate::program::ScalarType;
use crate::specialise::{self, Variant};

/// A built program of a driver.
pub(super) type BuiltBy<S> = Built<<S as Session>::Executable, <S as Session>::Launched>;

/// What is built of a program: its index width, its element types, its sizes if they are constants, and the
/// positions of the parameters that are read from the device although they are values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'p> {
    pub(crate) index: IndexWidth,
    pub(crate) types: &'p [ScalarType],
    pub(crate) constants: Option<&'p [i64]>,
    pub(crate) values_on_device: &'p [usize],
}

impl<'p> Wanted<'p> {
    /// What a plan needs, with its sizes as arguments or as constants.
    pub(crate) fn of(plan: &'p Plan, sizes: Variant, device: &Device) -> Wanted<'p> {
        Wanted {
            index: plan.index.on(device.kind()),
            types: &plan.types,
            constants: match sizes {
                Variant::Arguments => None,
                Variant::Constants => Some(&plan.sizes),
            },
            values_on_device: &plan.values_on_device,
        }
    }

    fn build<S: Session>(&self, chosen: Chosen) -> Build {
        Build {
            source: S::source(chosen.form),
            options: S::build_options(self.index, self.types, &chosen.program.exact),
            constants: self.constants.map(<[i64]>::to_vec),
            values_on_device: self.values_on_device.to_vec(),
        }
    }
}

/// The built form, which is built now unless it was built before.
pub(crate) fn built<S: Session>(
    chosen: Chosen,
    driver: &DriverDevice<S>,
    device: &Device,
    wanted: Wanted<'_>,
) -> Result<Arc<BuiltBy<S>>> {
    driver.programs.get_or_build(wanted.build::<S>(chosen), || new(chosen, driver, device, wanted))
}

/// Builds a form now; nothing keeps it.
pub(crate) fn new<S: Session>(
    chosen: Chosen,
    driver: &DriverDevice<S>,
    device: &Device,
    wanted: Wanted<'_>,
) -> Result<S::Executable> {
    let (program, session) = (chosen.program, driver.session(device)?);
    let build = wanted.build::<S>(chosen);
    let source = specialise::source(build.source, chosen, wanted.constants, wanted.values_on_device)?;
    let start = Instant::now();
    let (executable, origin) = load_or_compile(chosen, session.as_ref(), &source, &build.options)?;
    if let Some(warnings) = session.warnings(&executable) {
        tracing::debug!(program = program.name, %device, %warnings, "the device's compiler says");
    }
    groups::check_pinned(chosen.form, device, session.as_ref(), &executable)?;
    tracing::info!(
        program = program.name,
        form = chosen.form.name,
        %device,
        options = build.options,
        constants = build.constants.as_ref().map(tracing::field::debug),
        milliseconds = start.elapsed().as_secs_f64() * 1e3,
        "{origin} a program"
    );
    if chosen.is_plain() {
        tell_repeated(program, device);
    }
    Ok(executable)
}

/// The program from the folder of built programs, if there is one and the program is in it, else from the
/// driver's compiler. Also says which of the two it was.
fn load_or_compile<S: Session>(
    chosen: Chosen,
    session: &S,
    source: &str,
    options: &str,
) -> Result<(S::Executable, &'static str)> {
    let program = chosen.program;
    let entries = || chosen.form.kernels.iter().map(|kernel| kernel.entry);
    let compile = || session.build(program.name, source, options, entries());
    let Some(cache) = DiskCache::of_environment() else { return Ok((compile()?, "compiled")) };
    let key = Key { source, options, driver: session.driver() };
    if let Some(binary) = cache.find(key) {
        match session.load(program.name, &binary, options, entries()) {
            Ok(executable) => return Ok((executable, "loaded")),
            Err(error) => tracing::warn!(program = program.name, %error, "a built program is compiled again"),
        }
    }
    let executable = compile()?;
    match session.binary(&executable) {
        Ok(binary) if binary.is_empty() => {}
        Ok(binary) => cache.keep(key, &binary),
        Err(error) => tracing::warn!(program = program.name, %error, "a built program could not be kept"),
    }
    Ok((executable, "compiled"))
}
