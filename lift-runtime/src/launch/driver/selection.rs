//! Which build of a program a call runs: with its sizes as arguments, or as constants.

use std::sync::Arc;

use super::build::{self, BuiltBy, Wanted};
use super::groups;
use crate::backend::{DriverDevice, Session};
use crate::device::Device;
use crate::error::Result;
use crate::plan::Plan;
use crate::specialise::{self, Afterwards, Decision, PassedSizes, Variant};

/// The greatest number of launches of a call that are timed. They are kept until the next call with these
/// sizes.
const MOST_WATCHED: usize = 64;

/// The build that a call runs.
pub(super) struct Selected<'c, S: Session> {
    plan: &'c Plan,
    driver: &'c DriverDevice<S>,
    device: &'c Device,
    executable: Arc<S::Executable>,
    /// The build with arguments, and which variant this build is; `None` once it is decided which is faster.
    open: Option<(Arc<BuiltBy<S>>, Variant)>,
}

impl<'c, S: Session> Selected<'c, S> {
    /// The build for a call with kernels.
    pub(super) fn new(
        plan: &'c Plan,
        sizes: PassedSizes,
        driver: &'c DriverDevice<S>,
        device: &'c Device,
    ) -> Result<Selected<'c, S>> {
        let build = |sizes| build::built(plan.chosen, driver, device, Wanted::of(plan, sizes, device));
        let selected = |executable, open| Selected { plan, driver, device, executable, open };
        match sizes.or_environment() {
            PassedSizes::AsConstants => {
                let executable = Arc::clone(&build(Variant::Constants)?.executable);
                Ok(selected(executable, None))
            }
            PassedSizes::WhicheverIsFaster if specialise::has_sizes(plan.chosen.form) => {
                let built = build(Variant::Arguments)?;
                let session = driver.session(device)?;
                let turn = built.trials.next(&plan.sizes, |launched| session.timing(launched));
                if let Some(decision) = turn.decision {
                    tell(plan, device, decision);
                }
                let (executable, variant) = match turn.constants {
                    Some(constants) => (constants, Variant::Constants),
                    None => (Arc::clone(&built.executable), Variant::Arguments),
                };
                Ok(selected(executable, turn.is_open.then_some((built, variant))))
            }
            PassedSizes::WhicheverIsFaster | PassedSizes::AsArguments => {
                let executable = Arc::clone(&build(Variant::Arguments)?.executable);
                Ok(selected(executable, None))
            }
        }
    }

    pub(super) fn executable(&self) -> &S::Executable {
        &self.executable
    }

    /// Called when the kernels are on their way. If it is time to try constants, they are compiled now, while
    /// the device is busy. `gives_the_same` says whether another build gives the same results.
    pub(super) fn launched(
        self,
        launched: &[(&'static str, S::Launched)],
        gives_the_same: impl FnOnce(&S::Executable) -> Result<bool>,
    ) {
        let Some((built, variant)) = &self.open else { return };
        let running = || launched.iter().take(MOST_WATCHED).map(|(_, launched)| launched.clone()).collect();
        match built.trials.launched(&self.plan.sizes, *variant, running) {
            Afterwards::Nothing => {}
            Afterwards::Compile => {
                let constants = self.with_constants(built, gives_the_same);
                built.trials.compiled(&self.plan.sizes, constants);
            }
        }
    }

    /// The program with constants; `None` if it cannot be built, cannot be launched wherever the other one
    /// can, or gives other results for this call: a compiler may round a formula differently, or have a bug.
    fn with_constants(
        &self,
        built: &BuiltBy<S>,
        gives_the_same: impl FnOnce(&S::Executable) -> Result<bool>,
    ) -> Option<Arc<S::Executable>> {
        let Selected { plan, driver, device, .. } = *self;
        let refused = || -> Result<std::result::Result<S::Executable, &'static str>> {
            let executable =
                build::new(plan.chosen, driver, device, Wanted::of(plan, Variant::Constants, device))?;
            let session = driver.session(device)?;
            if !groups::allows_as_large(
                &executable,
                built.executable.as_ref(),
                plan.chosen.form,
                device,
                session.as_ref(),
            )? {
                return Ok(Err("its work-groups cannot be as large"));
            }
            Ok(if gives_the_same(&executable)? {
                Ok(executable)
            } else {
                Err("its results are not the same")
            })
        };
        let reason = match refused() {
            Ok(Ok(executable)) => return Some(Arc::new(executable)),
            Ok(Err(reason)) => reason.to_owned(),
            Err(error) => error.to_string(),
        };
        let program = plan.chosen.program.name;
        tracing::info!(program, %device, sizes = ?plan.sizes, reason, "sizes stay arguments");
        None
    }
}

fn tell(plan: &Plan, device: &Device, decision: Decision) {
    let Decision { taken, arguments, constants } = decision;
    let text = match taken {
        Variant::Arguments => "sizes stay arguments",
        Variant::Constants => "sizes become constants",
    };
    tracing::info!(
        program = plan.chosen.program.name,
        %device,
        sizes = ?plan.sizes,
        milliseconds_with_arguments = arguments.as_secs_f64() * 1e3,
        milliseconds_with_constants = constants.as_secs_f64() * 1e3,
        "{text}"
    );
}
