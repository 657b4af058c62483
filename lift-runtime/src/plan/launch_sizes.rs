//! The number of work-items that a kernel is launched with: what the caller chooses, or a default.
//!
//! Only kernels that are correct for any launch (`#[launch(any)]`) let their sizes be chosen. A choice is
//! checked as soon as it is made, as far as the kernel and the device decide it; it is kept with the compiled
//! kernel. Without a choice, the launch is the one that the compiler would have pinned. Its groups are
//! smaller if the device or the kernel's registers require it.

use super::planned_kernel::PlannedKernel;
use crate::backend::Limits;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::program::{Distribution, Kernel, Launches, Program};

/// The number of work-items of a launch, and of a group, by dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaunchSizes {
    pub(crate) global: [usize; 3],
    pub(crate) local: [usize; 3],
}

/// The sizes that a user chose for the kernels of a program, by position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Choices(Vec<Option<LaunchSizes>>);

impl Choices {
    /// The choice for a kernel.
    pub(crate) fn of(&self, position: usize) -> Option<LaunchSizes> {
        self.0.get(position).copied().flatten()
    }

    /// Chooses for a kernel.
    pub(crate) fn choose(&mut self, position: usize, sizes: LaunchSizes) {
        if self.0.len() <= position {
            self.0.resize(position + 1, None);
        }
        if let Some(choice) = self.0.get_mut(position) {
            *choice = Some(sizes);
        }
    }
}

/// The positions of the kernels that a choice applies to: all of its plain form, or the one with this name.
pub(crate) fn positions(program: &'static Program, kernel: Option<&str>) -> Result<Vec<usize>> {
    let is_meant = |(_, entry): &(usize, &Kernel)| kernel.is_none_or(|kernel| kernel == entry.entry);
    let found: Vec<usize> =
        program.plain.kernels.iter().enumerate().filter(is_meant).map(|(position, _)| position).collect();
    match kernel {
        Some(kernel) if found.is_empty() => Err(Error::NoSuchKernel {
            program: program.name.to_owned(),
            kernel: kernel.to_owned(),
            kernels: program.plain.kernels.iter().map(|kernel| kernel.entry.to_owned()).collect(),
        }),
        Some(_) | None => Ok(found),
    }
}

/// The sizes for a kernel, dimension 0 first; missing dimensions have one work-item.
pub(crate) fn chosen(
    program: &'static Program,
    kernel: &Kernel,
    global: &[usize],
    local: &[usize],
) -> Result<LaunchSizes> {
    let refuse = |reason: String| {
        Err(Error::Launch {
            kernel: kernel.entry.to_owned(),
            global: global.to_vec(),
            local: local.to_vec(),
            reason,
        })
    };
    let distributions = match kernel.launches {
        Launches::Any(distributions) => distributions,
        Launches::Pinned => {
            let name = program.name;
            return refuse(format!(
                "it is compiled for groups of {} and no others\nhelp: `#[launch(any)]` on `fn {name}` compiles it for any launch",
                counted(&kernel.local)
            ));
        }
    };
    let (global, local) = match (dimensions(global), dimensions(local)) {
        (Some(global), Some(local)) => (global, local),
        _ => return refuse("a launch has 1, 2 or 3 dimensions".to_owned()),
    };
    for (dimension, (items, group)) in global.into_iter().zip(local).enumerate() {
        if items == 0 || group == 0 {
            return refuse(format!("there is at least one work-item in dimension {dimension}"));
        }
        if items % group != 0 {
            return refuse(format!(
                "in dimension {dimension}, {items} work-items are no whole number of groups of {group}"
            ));
        }
    }
    for (dimension, work) in distributions.into_iter().enumerate() {
        let (Some(items), Some(group)) = (global.get(dimension), local.get(dimension)) else { continue };
        if let Some(reason) = idle(work, dimension, items / group, *group) {
            return refuse(reason);
        }
    }
    Ok(LaunchSizes { global, local })
}

/// Up to three dimensions; missing ones have one work-item.
fn dimensions(given: &[usize]) -> Option<[usize; 3]> {
    let is_possible = (1..=3).contains(&given.len());
    let mut sizes = [1; 3];
    sizes.iter_mut().zip(given).for_each(|(size, given)| *size = *given);
    is_possible.then_some(sizes)
}

/// `256 work-items`, `16x8 work-items`
fn counted(local: &[usize; 3]) -> String {
    let used = 3 - local.iter().rev().take_while(|size| **size == 1).count();
    let sizes: Vec<String> = local.iter().take(used.max(1)).map(ToString::to_string).collect();
    match sizes.as_slice() {
        [one] if one == "1" => "1 work-item".to_owned(),
        sizes => format!("{} work-items", sizes.join("x")),
    }
}

/// Why groups or work-items of a launch would have nothing to do; `None` if all have work.
fn idle(work: Distribution, dimension: usize, groups: usize, items: usize) -> Option<String> {
    let maps = match work {
        Distribution::Items | Distribution::GroupsAndItems => return None,
        Distribution::Nothing if groups * items > 1 => {
            format!(
                "no map of it distributes work over dimension {dimension}, where a launch has one work-item"
            )
        }
        Distribution::Groups if items > 1 => format!(
            "a `mapWrg{dimension}` of it gives each group work, and no `mapLcl{dimension}` distributes that: a group has one work-item in \
             dimension {dimension}"
        ),
        Distribution::ItemsOfGroup if groups > 1 => format!(
            "a `mapLcl{dimension}` of it distributes work over the work-items of a group, and no `mapWrg{dimension}` over groups: there is \
             one group in dimension {dimension}"
        ),
        Distribution::Nothing | Distribution::Groups | Distribution::ItemsOfGroup => return None,
    };
    Some(maps)
}

/// The launch on a device. It is the planned one if it was chosen or the kernel is compiled for it. Otherwise
/// its groups are those that the device can have, with at most `most` work-items.
pub(crate) fn on_device(
    kernel: &Kernel,
    planned: PlannedKernel,
    device: &Device,
    most: u64,
) -> PlannedKernel {
    match kernel.launches {
        Launches::Any(distributions) if !planned.is_chosen => {
            let sizes = LaunchSizes { global: planned.global, local: planned.local };
            let LaunchSizes { global, local } = fitting(sizes, distributions, device.limits(), most);
            PlannedKernel { global, local, ..planned }
        }
        Launches::Any(_) | Launches::Pinned => planned,
    }
}

/// The same launch in groups that are small enough.
fn fitting(sizes: LaunchSizes, distributions: [Distribution; 3], limits: &Limits, most: u64) -> LaunchSizes {
    let most = usize::try_from(most.min(limits.group)).unwrap_or(usize::MAX);
    let mut local = sizes.local;
    for (size, limit) in local.iter_mut().zip(limits.group_dimensions) {
        *size = (*size).min(usize::try_from(limit).unwrap_or(usize::MAX)).max(1);
    }
    while local.iter().fold(1usize, |product, size| product.saturating_mul(*size)) > most.max(1) {
        let largest = local.iter().copied().max().unwrap_or(1);
        if let Some(size) = local.iter_mut().find(|size| **size == largest) {
            *size = size.div_ceil(2);
        }
    }
    let mut global = sizes.global;
    let groups = global.iter_mut().zip(sizes.local.iter().zip(&local)).zip(distributions);
    for ((global, (before, after)), work) in groups {
        *global = match work {
            // The number of work-items stays.
            Distribution::Items => global.next_multiple_of(*after),
            // The number of groups stays.
            Distribution::Nothing
            | Distribution::Groups
            | Distribution::ItemsOfGroup
            | Distribution::GroupsAndItems => *global / before * after,
        };
    }
    LaunchSizes { global, local }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(group: u64, group_dimensions: [u64; 3]) -> Limits {
        Limits { group, group_dimensions, ..Limits::of_the_host() }
    }

    #[test]
    fn groups_become_smaller_and_their_number_stays() {
        let sizes = LaunchSizes { global: [160, 24, 1], local: [16, 8, 1] };
        let work = [Distribution::GroupsAndItems, Distribution::GroupsAndItems, Distribution::Nothing];
        let fitted = fitting(sizes, work, &limits(64, [64, 64, 64]), u64::MAX);
        assert_eq!(fitted, LaunchSizes { global: [80, 24, 1], local: [8, 8, 1] });
    }

    #[test]
    fn work_items_of_the_device_stay_as_many_in_smaller_groups() {
        let sizes = LaunchSizes { global: [768, 1, 1], local: [256, 1, 1] };
        let work = [Distribution::Items, Distribution::Nothing, Distribution::Nothing];
        let fitted = fitting(sizes, work, &limits(1024, [1024; 3]), 100);
        assert_eq!(fitted, LaunchSizes { global: [768, 1, 1], local: [64, 1, 1] });
        let alone = fitting(sizes, work, &limits(1, [1; 3]), 100);
        assert_eq!(alone, LaunchSizes { global: [768, 1, 1], local: [1, 1, 1] });
    }

    #[test]
    fn a_dimension_has_a_limit_of_its_own() {
        let sizes = LaunchSizes { global: [8, 8, 8], local: [4, 4, 4] };
        let work = [Distribution::GroupsAndItems; 3];
        let fitted = fitting(sizes, work, &limits(64, [64, 64, 2]), 64);
        assert_eq!(fitted, LaunchSizes { global: [8, 8, 4], local: [4, 4, 2] });
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let sizes = LaunchSizes { global: [64, 2, 1], local: [32, 2, 1] };
        let work = [Distribution::Items, Distribution::Items, Distribution::Nothing];
        assert_eq!(fitting(sizes, work, &limits(64, [64; 3]), 64), sizes);
    }
}
