//! How large the groups of a built kernel can be on a device.

use std::collections::BTreeMap;

use crate::backend::Session;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::plan::{self, Plan, launch_sizes};
use crate::program::{Form, Kernel, Launches};

/// Checks the groups of pinned launches: a kernel's registers may limit them further than the device does.
pub(super) fn check_pinned<S: Session>(
    form: &'static Form,
    device: &Device,
    session: &S,
    executable: &S::Executable,
) -> Result<()> {
    let pinned = form.kernels.iter().filter(|kernel| kernel.launches == Launches::Pinned);
    for kernel in pinned {
        check(kernel, kernel.local, device, session, executable)?;
    }
    Ok(())
}

/// The largest group in which a kernel can run.
fn largest<S: Session>(
    kernel: &Kernel,
    device: &Device,
    session: &S,
    executable: &S::Executable,
) -> Result<u64> {
    Ok(session.largest_group(executable, kernel.entry)?.min(device.limits().group))
}

/// Checks that a built kernel can run in such groups.
pub(super) fn check<S: Session>(
    kernel: &Kernel,
    local: [usize; 3],
    device: &Device,
    session: &S,
    executable: &S::Executable,
) -> Result<()> {
    check_size(kernel, local, largest(kernel, device, session, executable)?, device)
}

fn check_size(kernel: &Kernel, local: [usize; 3], available: u64, device: &Device) -> Result<()> {
    let needed = plan::group_size(local);
    if needed <= available {
        return Ok(());
    }
    Err(Error::DeviceLimit {
        device: device.to_string(),
        kernel: kernel.entry.to_owned(),
        resource: "work-items in a work-group of this kernel".to_owned(),
        needed,
        available,
    })
}

/// Whether another build allows groups as large as this one, for the kernels whose groups can be chosen.
pub(super) fn allows_as_large<S: Session>(
    other: &S::Executable,
    than: &S::Executable,
    form: &'static Form,
    device: &Device,
    session: &S,
) -> Result<bool> {
    for kernel in form.kernels.iter().filter(|kernel| kernel.launches != Launches::Pinned) {
        if largest(kernel, device, session, other)? < largest(kernel, device, session, than)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The largest groups of the kernels of a plan whose groups can be chosen, by position. Every launch of the
/// plan fits into them.
pub(super) fn largest_of_plan<S: Session>(
    plan: &Plan,
    device: &Device,
    session: &S,
    executable: &S::Executable,
) -> Result<BTreeMap<usize, u64>> {
    let mut groups = BTreeMap::new();
    for planned in &plan.kernels {
        let Some(kernel) = plan.chosen.form.kernels.get(planned.position) else { continue };
        if kernel.launches == Launches::Pinned {
            continue;
        }
        let most = match groups.get(&planned.position) {
            Some(most) => *most,
            None => largest(kernel, device, session, executable)?,
        };
        check_size(kernel, launch_sizes::on_device(kernel, *planned, device, most).local, most, device)?;
        groups.insert(planned.position, most);
    }
    Ok(groups)
}
