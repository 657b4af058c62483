//! Launch sizes, and how many iterations of a parallel loop one work-item executes (CGO 2017, section 5.5).
//!
//! A launch is pinned unless the user asks for another one (`#[launch(any)]`): the number of work-items of a
//! group is a constant of the kernel, and the number of groups is the number the program needs. So most
//! parallel loops need no loop: one work-item has one iteration, or none.
//!
//! In a kernel for any launch, nothing is known about the numbers of work-items and groups. Every parallel
//! loop begins with the number of the worker and advances by the number of workers, as in the kernels that
//! Lift publishes. A dimension over which a kernel distributes nothing has one work-item, which the launcher
//! checks. So nothing has to be guarded against work-items that have nothing to do.

use super::busiest_loop::busiest_extents;
use super::error::Error;
use crate::flat::FlatMap;
use crate::ir::kernel::{self, Distribution, Launches, Loop, Statement, Trip, Workers};
use crate::ir::nat::{Condition, Nat, Ranges};
use crate::ir::typed::{Launch, Pinning, Program, SizeVariable, is_natural};

/// Work-items per group of a map over global work-items, by the number of its dimensions. They are neighbours
/// along dimension 0, where memory is contiguous, and enough to fill a multiprocessor.
const GLOBAL_GROUPS: [[u64; 3]; 3] = [[256, 1, 1], [32, 8, 1], [32, 4, 2]];

/// Work-items per group of a map in one dimension whose work-items each run a loop that may be long. There
/// may be few of them, which are to be spread over all multiprocessors.
const GROUP_OF_LOOPS: u64 = 64;

/// A loop with at least this many expected iterations counts as long.
const LONG: i128 = 64;

/// Work-items per group where the program does not say how many it has work for.
const UNKNOWN_GROUPS: [[u64; 3]; 3] = [[128, 1, 1], [16, 8, 1], [8, 4, 4]];

/// The same where the work-items of a group update a table together: tables are few, and so are the groups that
/// fill a GPU.
const GROUP_OF_UPDATES: [u64; 3] = [256, 1, 1];

/// The largest group that every OpenCL device of interest offers.
const LARGEST_GROUP: u64 = 256;

/// Exclusive upper bounds for the numbers of workers; workers without an entry have no known bound.
pub(super) type WorkerBounds = FlatMap<Workers, Nat>;

/// The sizes of a launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sizes {
    /// Work-items needed per dimension.
    pub(super) global: [Nat; 3],
    /// Work-items per group and dimension.
    pub(super) local: [u64; 3],
    /// Groups that have nothing to do: those of dimensions in which a stated launch has several and the
    /// kernel has no loop.
    pub(super) idle: Vec<Workers>,
    /// The launches for which the kernel must be correct.
    pub(super) launches: Launches,
    /// The number of workers that a loop over them is distributed over; unknown where any launch will do.
    workers: FlatMap<Workers, Nat>,
}

impl Sizes {
    /// The number of work-items or groups that a loop is distributed over.
    pub(super) fn count(&self, workers: Workers) -> Option<&Nat> {
        self.workers.get(&workers)
    }

    /// Whether a group may have several work-items in a dimension.
    pub(super) fn has_several_items(&self, dimension: u8) -> bool {
        let dimension = usize::from(dimension);
        match self.launches {
            Launches::Pinned => self.local.get(dimension).is_some_and(|items| *items > 1),
            Launches::Any(distributions) => distributions.get(dimension).is_some_and(|work| work.has_items()),
        }
    }

    /// Whether there may be several groups in a dimension.
    pub(super) fn has_several_groups(&self, dimension: u8) -> bool {
        match self.launches {
            Launches::Pinned => {
                let groups = self.count(Workers::WorkGroup(dimension));
                let several = groups.or_else(|| self.count(Workers::Global(dimension)));
                several.is_some_and(|count| count.as_constant() != Some(1))
            }
            Launches::Any(distributions) => {
                distributions.get(usize::from(dimension)).is_some_and(|work| work.has_groups())
            }
        }
    }

    /// Exclusive upper bounds for the numbers of workers. Global work-items have one only where their loop
    /// fills whole groups: otherwise the launch rounds up, and there are more of them than iterations.
    pub(super) fn bounds(&self) -> WorkerBounds {
        let exact = self.workers.iter().filter(|(workers, count)| match workers {
            Workers::Sequential => false,
            Workers::WorkGroup(_) | Workers::Local(_) => true,
            Workers::Global(dimension) => {
                let group = Nat::constant(i128::from(self.local[usize::from(*dimension)]));
                Ranges::new().divides(&group, count) == Some(true)
            }
        });
        exact.map(|(workers, count)| (*workers, count.clone())).collect()
    }
}

/// Refuses several launches where there is not one for each kernel.
pub(super) fn check_count(program: &Program, kernels: usize) -> Result<(), Error> {
    let stated = program.launches.len();
    let is_meant = stated <= 1 || stated == kernels;
    let superfluous = program.launches.get(kernels).or(program.launches.last());
    match superfluous.filter(|_| !is_meant) {
        None => Ok(()),
        Some(launch) => Err(Error::LaunchCount { source: launch.source, stated, kernels }),
    }
}

/// Chooses the launch sizes for a kernel body, as far as neither the user has chosen them nor the work-items
/// of a group are `known`.
pub(super) fn choose_sizes(
    body: &[Statement],
    ranges: &Ranges,
    sizes: &[SizeVariable],
    stated: Option<&Launch>,
    known: Option<[u64; 3]>,
) -> Sizes {
    let mut extents = FlatMap::new();
    collect_extents(body, &Inside::new(ranges), sizes, &mut extents);
    let has_groups = extents.keys().any(|workers| matches!(workers, Workers::WorkGroup(_)));
    let chosen = || match has_groups {
        true => group_sizes(&extents, body),
        false => global_group_sizes(&extents, body),
    };
    let local = stated.and_then(|launch| launch.local).or(known).unwrap_or_else(chosen);
    let mut global = [Nat::one(), Nat::one(), Nat::one()];
    let mut workers = FlatMap::new();
    for dimension in 0..3u8 {
        let items = local[usize::from(dimension)];
        let group_size = Nat::constant(i128::from(items));
        let is_needed_when_empty = stores_outside(body, dimension);
        let enough =
            |items: &Nat| if is_needed_when_empty { Nat::max(items, &Nat::one()) } else { items.clone() };
        let largest = |workers: Workers| -> Option<Nat> {
            let known = extents.get(&workers)?;
            let all = known.iter().flatten().cloned().reduce(|left, right| Nat::max(&left, &right))?;
            Some(ranges.simplify(&enough(&all)))
        };
        let groups = largest(Workers::WorkGroup(dimension));
        let items_needed = largest(Workers::Global(dimension));
        global[usize::from(dimension)] = match (&groups, &items_needed) {
            (Some(groups), None) => groups * &group_size,
            (None, Some(items)) => items.clone(),
            (Some(groups), Some(items)) => Nat::max(&(groups * &group_size), items),
            (None, None) => group_size.clone(),
        };
        workers.extend(groups.map(|groups| (Workers::WorkGroup(dimension), groups)));
        workers.extend(items_needed.map(|items| (Workers::Global(dimension), items)));
        workers.insert(Workers::Local(dimension), group_size);
    }
    let mut idle = Vec::new();
    if let Some(stated) = stated.and_then(|launch| launch.global.clone()) {
        for (dimension, items) in (0u8..).zip(&stated) {
            let group_size = Nat::constant(i128::from(local[usize::from(dimension)]));
            // The launcher rounds up to whole groups.
            let groups = (items + &group_size - Nat::one()).divide(&group_size);
            let groups = ranges.simplify(&groups);
            let used = [Workers::WorkGroup(dimension), Workers::Global(dimension)];
            if used.iter().any(|level| extents.contains_key(level)) {
                workers.insert(Workers::WorkGroup(dimension), groups);
                workers.insert(Workers::Global(dimension), items.clone());
            } else if groups.as_constant() != Some(1) {
                idle.push(Workers::WorkGroup(dimension));
            }
        }
        global = stated;
    }
    match stated.map(|launch| launch.pinning).unwrap_or_default() {
        Pinning::Pinned => Sizes { global, local, idle, launches: Launches::Pinned, workers },
        Pinning::Any => {
            let launches = Launches::Any([0, 1, 2].map(|dimension| distribution(dimension, &extents)));
            Sizes { global, local, idle: Vec::new(), launches, workers: FlatMap::new() }
        }
    }
}

/// What the loops over workers distribute over a dimension.
fn distribution(dimension: u8, extents: &FlatMap<Workers, Vec<Option<Nat>>>) -> Distribution {
    let has = |workers| extents.contains_key(&workers);
    if has(Workers::Global(dimension)) {
        return Distribution::Items;
    }
    match (has(Workers::WorkGroup(dimension)), has(Workers::Local(dimension))) {
        (false, false) => Distribution::Nothing,
        (true, false) => Distribution::Groups,
        (false, true) => Distribution::ItemsOfGroup,
        (true, true) => Distribution::GroupsAndItems,
    }
}

/// Whether something is stored outside of all loops over the groups or the global work-items of a dimension.
/// Then the kernel is launched for it even where these loops have no iterations.
pub(super) fn stores_outside(body: &[Statement], dimension: u8) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Loop(repetition)
            if [Workers::WorkGroup(dimension), Workers::Global(dimension)].contains(&repetition.workers) =>
        {
            false
        }
        _ => statement.stored().is_some() || statement.blocks().any(|block| stores_outside(block, dimension)),
    })
}

/// Whether a kernel distributes work over groups and, elsewhere, over the work-items of the device.
pub(super) fn mixes_levels(body: &[Statement], ranges: &Ranges, sizes: &[SizeVariable]) -> bool {
    let mut extents = FlatMap::new();
    collect_extents(body, &Inside::new(ranges), sizes, &mut extents);
    extents.keys().any(|workers| matches!(workers, Workers::WorkGroup(_)))
        && extents.keys().any(|workers| matches!(workers, Workers::Global(_)))
}

/// What is known inside the loops around a statement.
struct Inside {
    ranges: Ranges,
    /// The condition that these loops have iterations.
    runs: Condition,
}

impl Inside {
    fn new(ranges: &Ranges) -> Inside {
        Inside { ranges: ranges.clone(), runs: Condition::from_truth(true) }
    }

    /// What is known inside one more loop.
    fn enter(&self, repetition: &Loop, sizes: &[SizeVariable]) -> Inside {
        let mut inside = Inside { ranges: self.ranges.in_loop(repetition), runs: self.runs.clone() };
        if is_size(&repetition.extent, sizes) {
            inside.runs = inside.runs.and(Condition::Less(Nat::zero(), repetition.extent.clone()));
        }
        inside
    }

    /// The largest value of an extent that changes between iterations of the loops around it; `None` where it
    /// is not known.
    fn largest(&self, extent: &Nat, sizes: &[SizeVariable]) -> Option<Nat> {
        let largest = self.ranges.upper_bound(extent).filter(|largest| is_size(largest, sizes))?;
        // A bound for the iterations of a loop need not be a natural number where the loop has none: `pow(2,
        // n - 1)`, `n - 1`.
        match is_natural(&largest, sizes) {
            true => Some(largest),
            false => Some(Nat::select(&self.runs, &largest, &Nat::zero())),
        }
    }
}

/// Whether a value depends on sizes only.
pub(super) fn is_size(value: &Nat, sizes: &[SizeVariable]) -> bool {
    let known = |variable: &_| sizes.iter().any(|size| &size.variable == variable);
    value.variables().iter().all(known)
}

/// The extents of all parallel loops. Where the extent of a loop changes between iterations of a loop around
/// it, as over the rows of a triangle, it is the largest one; `None` where that is not known.
fn collect_extents(
    body: &[Statement],
    around: &Inside,
    sizes: &[SizeVariable],
    extents: &mut FlatMap<Workers, Vec<Option<Nat>>>,
) {
    for statement in body {
        let Statement::Loop(repetition) = statement else {
            for block in statement.blocks() {
                collect_extents(block, around, sizes, extents);
            }
            continue;
        };
        if repetition.workers != Workers::Sequential {
            let extent = &repetition.extent;
            let largest = match is_size(extent, sizes) {
                true => Some(extent.clone()),
                false => around.largest(extent, sizes),
            };
            extents.get_or_default(repetition.workers).push(largest);
        }
        collect_extents(&repetition.body, &around.enter(repetition, sizes), sizes, extents);
    }
}

/// The largest extent of loops over these workers; `None` where one of them is not constant.
fn largest_constant(extents: &FlatMap<Workers, Vec<Option<Nat>>>, workers: Workers) -> Option<u64> {
    let constants = extents.get(&workers)?.iter().map(|extent| extent.as_ref()?.as_constant());
    let largest = constants.collect::<Option<Vec<i128>>>()?.into_iter().max()?;
    u64::try_from(largest.max(1)).ok()
}

fn dimensions(extents: &FlatMap<Workers, Vec<Option<Nat>>>, level: fn(u8) -> Workers) -> usize {
    (0..3).rev().find(|dimension| extents.contains_key(&level(*dimension))).map_or(0, usize::from)
}

/// Group sizes for a kernel whose work-items are independent.
fn global_group_sizes(extents: &FlatMap<Workers, Vec<Option<Nat>>>, body: &[Statement]) -> [u64; 3] {
    if !extents.keys().any(|workers| matches!(workers, Workers::Global(_))) {
        return [1, 1, 1];
    }
    let mut local = match dimensions(extents, Workers::Global) {
        0 if has_long_loop(body) => [GROUP_OF_LOOPS, 1, 1],
        dimensions => GLOBAL_GROUPS[dimensions],
    };
    // Where a dimension is known to be short, a group takes more of the next one: to start a group takes
    // time.
    let mut spare = 1;
    for (dimension, size) in (0u8..).zip(local.iter_mut()) {
        let workers = Workers::Global(dimension);
        let wanted = *size * spare;
        *size = match (extents.contains_key(&workers), largest_constant(extents, workers)) {
            (false, _) => 1,
            (true, Some(needed)) => wanted.min(needed),
            (true, None) => wanted,
        };
        spare = 1 << (wanted / *size).ilog2();
    }
    local
}

/// Whether a work-item runs a sequential loop that is not known to be short.
fn has_long_loop(body: &[Statement]) -> bool {
    kernel::any(body, &mut |statement| match statement {
        Statement::Loop(repetition) if repetition.workers == Workers::Sequential => {
            repetition.expected_iterations().is_none_or(|steps| steps >= LONG)
        }
        _ => false,
    })
}

/// Group sizes for a kernel that says what the work-items of a group do: the number of iterations of the
/// busiest loop.
fn group_sizes(extents: &FlatMap<Workers, Vec<Option<Nat>>>, body: &[Statement]) -> [u64; 3] {
    let update_together = kernel::any(body, &mut |statement| statement.updated_buffer().is_some());
    let unknown = match dimensions(extents, Workers::Local) {
        0 if update_together => GROUP_OF_UPDATES,
        dimensions => UNKNOWN_GROUPS[dimensions],
    };
    let busiest = busiest_extents(body);
    let mut local = [1; 3];
    for (dimension, size) in (0u8..).zip(local.iter_mut()) {
        let workers = Workers::Local(dimension);
        if extents.contains_key(&workers) {
            *size = match (largest_constant(extents, workers), busiest.get(&dimension).copied()) {
                (Some(largest), Some(busiest)) => busiest.unwrap_or(largest).clamp(1, largest),
                (Some(largest), None) => largest,
                (None, Some(Some(busiest))) => busiest.max(1),
                (None, Some(None) | None) => unknown[usize::from(dimension)],
            };
        }
    }
    while local.iter().fold(1, |product: u64, items| product.saturating_mul(*items)) > LARGEST_GROUP {
        let largest = local.iter().copied().max().unwrap_or(1);
        for size in local.iter_mut().filter(|size| **size == largest).take(1) {
            *size = size.div_ceil(2);
        }
    }
    local
}

/// Decides for every parallel loop how many iterations one worker executes.
pub(super) fn set_trips(body: &mut [Statement], sizes: &Sizes, ranges: &Ranges) {
    for statement in body {
        let mut inside = ranges.clone();
        if let Statement::Loop(repetition) = statement {
            repetition.trip = trip(repetition, sizes, ranges);
            inside = ranges.in_loop(repetition);
        }
        statement.blocks_mut().into_iter().for_each(|block| set_trips(block, sizes, &inside));
    }
}

fn trip(repetition: &Loop, sizes: &Sizes, ranges: &Ranges) -> Trip {
    let extent = &repetition.extent;
    if let Launches::Any(_) = sizes.launches {
        let is_parallel = repetition.workers != Workers::Sequential;
        let has_one_step = || ranges.proves_at_most(extent, &Nat::one());
        return if is_parallel && has_one_step() { Trip::AtMostOne } else { Trip::Any };
    }
    let Some(count) = sizes.count(repetition.workers) else { return Trip::Any };
    match repetition.workers {
        Workers::Sequential => Trip::Any,
        Workers::Global(dimension) => {
            // The launch rounds the work-items up to whole groups.
            let group = Nat::constant(i128::from(sizes.local[usize::from(dimension)]));
            if extent == count && ranges.divides(&group, extent) == Some(true) {
                Trip::One
            } else if extent == count || ranges.proves_at_most(extent, count) {
                Trip::AtMostOne
            } else {
                Trip::Any
            }
        }
        Workers::WorkGroup(_) | Workers::Local(_) => {
            if ranges.is_equal(extent, count) == Some(true) {
                Trip::One
            } else if ranges.proves_at_most(extent, count) {
                Trip::AtMostOne
            } else if ranges.divides(count, extent) == Some(true) {
                Trip::AnyUniform
            } else {
                Trip::Any
            }
        }
    }
}
