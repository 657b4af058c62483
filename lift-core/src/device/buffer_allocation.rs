//! Temporaries whose lives do not overlap share device memory.
//!
//! A temporary lives from the first kernel that uses it to the last one, in launch order. It lives as long as
//! a repetition if it goes from one application of an `iterate` to the next, comes from outside of the
//! repetition, or is read after it. Only elements of one type share memory: a launcher allocates arrays of
//! elements, and checks that a device knows their type. Where neither of two lengths is proved to be at least
//! the other, the larger one is allocated.
//!
//! This comes last. Kernels stay as they are, except that two parameters may become one temporary of the
//! launcher ([`BufferRole::temporary`]). Inside one kernel all buffers live at once, so no two of them become
//! one array: `restrict` holds.

use std::ops::RangeInclusive;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{Alternation, Buffer, BufferId, BufferRole, Kernel, KernelParameter, Repetition};
use crate::ir::nat::{Nat, Ranges};
use crate::ir::scalar::ScalarType;

/// Lets temporaries share memory; see the module documentation.
pub(crate) fn allocate_temporaries(
    kernels: &[Kernel],
    repetitions: &[Repetition],
    buffers: &mut [Buffer],
    ranges: &Ranges,
) {
    let mut lives: Vec<(BufferId, RangeInclusive<usize>)> = lives(kernels, repetitions)
        .into_iter()
        .filter(|(id, _)| buffers.get(id.0).is_some_and(|buffer| buffer.role.temporary().is_some()))
        .collect();
    lives.sort_by_key(|(id, life)| (*life.start(), *id));
    let mut shared: Vec<Room> = Vec::new();
    let mut positions = FlatMap::new();
    for (id, life) in lives {
        let Some(buffer) = buffers.get(id.0) else { continue };
        let is_free = |room: &&mut Room| room.element == buffer.element && room.free_after < *life.start();
        let free = shared.iter_mut().enumerate().filter(|(_, room)| is_free(room));
        // Memory that is long enough comes before memory that has to grow.
        let best = free.max_by_key(|(position, room)| {
            let fits = ranges.proves_at_most(&buffer.length, &room.length);
            (fits, std::cmp::Reverse(*position))
        });
        let position = match best {
            Some((position, room)) => {
                room.length = longer(&room.length, &buffer.length, ranges);
                room.free_after = *life.end();
                position
            }
            None => {
                let length = buffer.length.clone();
                shared.push(Room { element: buffer.element, length, free_after: *life.end() });
                shared.len() - 1
            }
        };
        positions.insert(id, position);
    }
    place(buffers, &positions, &shared);
}

/// Memory that buffers share.
struct Room {
    element: ScalarType,
    length: Nat,
    /// The last kernel that uses what lies there now.
    free_after: usize,
}

/// The length that suffices for both.
fn longer(one: &Nat, other: &Nat, ranges: &Ranges) -> Nat {
    match (ranges.is_at_most(one, other), ranges.is_at_most(other, one)) {
        (Some(true), _) => other.clone(),
        (_, Some(true)) => one.clone(),
        _ => ranges.simplify(&Nat::max(one, other)),
    }
}

/// Gives the temporaries their positions; those that no kernel uses come last.
fn place(buffers: &mut [Buffer], positions: &FlatMap<BufferId, usize>, shared: &[Room]) {
    let mut unused = shared.len();
    for (id, buffer) in buffers.iter_mut().enumerate() {
        let position = match &mut buffer.role {
            BufferRole::Temporary(position) | BufferRole::Scratch(position) => position,
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Local
            | BufferRole::Private
            | BufferRole::Constant(_) => continue,
        };
        match positions.get(&BufferId(id)) {
            Some(room) => *position = *room,
            None => {
                *position = unused;
                unused += 1;
            }
        }
        if let Some(room) = positions.get(&BufferId(id)).and_then(|position| shared.get(*position)) {
            buffer.length = room.length.clone();
        }
    }
}

/// The first and the last kernel that use each buffer.
fn lives(kernels: &[Kernel], repetitions: &[Repetition]) -> FlatMap<BufferId, RangeInclusive<usize>> {
    let mut lives: FlatMap<BufferId, RangeInclusive<usize>> = FlatMap::new();
    for (position, kernel) in kernels.iter().enumerate() {
        for parameter in &kernel.parameters {
            let KernelParameter::Buffer(id) = parameter else { continue };
            extend(&mut lives, *id, &(position..=position));
        }
    }
    // Inner repetitions come first: a buffer that outlives one of them is compared with those around it.
    for repetition in repetitions.iter().filter(|repetition| !repetition.kernels.is_empty()) {
        let all = repetition.kernels.start..=repetition.kernels.end - 1;
        let buffers = |array: &Alternation| [array.input, array.before, array.after, array.output];
        let goes_on = repetition.end.iter().map(|end| end.goes_on);
        let exchanged: FlatSet<BufferId> =
            repetition.arrays.iter().flat_map(buffers).chain(goes_on).collect();
        for id in &exchanged {
            extend(&mut lives, *id, &all);
        }
        for life in lives.values_mut() {
            let overlaps = life.start() <= all.end() && all.start() <= life.end();
            let is_inside = all.start() <= life.start() && life.end() <= all.end();
            if overlaps && !is_inside {
                *life = *life.start().min(all.start())..=*life.end().max(all.end());
            }
        }
    }
    lives
}

fn extend(lives: &mut FlatMap<BufferId, RangeInclusive<usize>>, id: BufferId, by: &RangeInclusive<usize>) {
    let life = lives.get_or_insert_with(id, || by.clone());
    *life = *life.start().min(by.start())..=*life.end().max(by.end());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::nat::Var;

    fn length(name: u32) -> Nat {
        Nat::variable(&Var::new(name, format!("N{name}")))
    }

    fn temporaries(lengths: &[(Nat, ScalarType)]) -> Vec<Buffer> {
        let one = |(position, (length, element)): (usize, &(Nat, ScalarType))| Buffer {
            name: format!("temporary_{position}").into(),
            element: *element,
            length: length.clone(),
            role: BufferRole::Temporary(position),
        };
        lengths.iter().enumerate().map(one).collect()
    }

    fn kernel(buffers: &[usize]) -> Kernel {
        let parameters = buffers.iter().map(|id| KernelParameter::Buffer(BufferId(*id))).collect();
        let one = [Nat::one(), Nat::one(), Nat::one()];
        let (launches, body) = (crate::ir::kernel::Launches::Pinned, Vec::new());
        Kernel { name: String::new(), parameters, global: one, local: [1; 3], launches, body }
    }

    fn shared(
        kernels: &[Kernel],
        repetitions: &[Repetition],
        lengths: &[(Nat, ScalarType)],
    ) -> Vec<(usize, String)> {
        let mut buffers = temporaries(lengths);
        let mut ranges = Ranges::new();
        (0..4).for_each(|name| ranges.declare(&Var::new(name, format!("N{name}")), Nat::zero(), None));
        allocate_temporaries(kernels, repetitions, &mut buffers, &ranges);
        let one = |buffer: &Buffer| (buffer.role.temporary().unwrap_or(99), buffer.length.to_string());
        buffers.iter().map(one).collect()
    }

    /// A chain of kernels, each of which reads what the one before wrote.
    fn chain() -> Vec<Kernel> {
        vec![kernel(&[0]), kernel(&[0, 1]), kernel(&[1, 2]), kernel(&[2])]
    }

    #[test]
    fn what_is_not_needed_any_more_makes_room() {
        let same = [(length(0), ScalarType::F32), (length(0), ScalarType::F32), (length(0), ScalarType::F32)];
        let positions: Vec<usize> = shared(&chain(), &[], &same).into_iter().map(|(at, _)| at).collect();
        assert_eq!(positions, [0, 1, 0]);
    }

    #[test]
    fn of_different_lengths_the_larger_one_is_allocated() {
        let lengths =
            [(length(0), ScalarType::F32), (length(1), ScalarType::F32), (length(2), ScalarType::F32)];
        let found = shared(&chain(), &[], &lengths);
        assert_eq!(found[0], (0, "max(N0, N2)".to_string()));
        assert_eq!(found[2], (0, "max(N0, N2)".to_string()));
        let lengths = [
            (length(0), ScalarType::F32),
            (length(1), ScalarType::F32),
            (length(0) + Nat::one(), ScalarType::F32),
        ];
        assert_eq!(shared(&chain(), &[], &lengths)[0], (0, "N0 + 1".to_string()));
    }

    #[test]
    fn elements_of_different_types_do_not_share() {
        let lengths =
            [(length(0), ScalarType::F32), (length(0), ScalarType::F32), (length(0), ScalarType::I32)];
        let positions: Vec<usize> = shared(&chain(), &[], &lengths).into_iter().map(|(at, _)| at).collect();
        assert_eq!(positions, [0, 1, 2]);
    }

    #[test]
    fn what_a_repetition_exchanges_lives_as_long_as_it_does() {
        // The application is two kernels; 0 and 3 change places, 1 and 2 live inside of an application.
        let kernels = vec![kernel(&[0, 1]), kernel(&[1, 2]), kernel(&[2, 3]), kernel(&[3, 4]), kernel(&[4])];
        let arrays = vec![Alternation {
            input: BufferId(0),
            before: BufferId(0),
            after: BufferId(3),
            output: BufferId(3),
        }];
        let repetition =
            Repetition { kernels: 0..3, count: length(3), step: None, portion: None, arrays, end: None };
        let same: Vec<_> = (0..5).map(|_| (length(0), ScalarType::F32)).collect();
        let positions: Vec<usize> =
            shared(&kernels, &[repetition], &same).into_iter().map(|(at, _)| at).collect();
        let different: FlatSet<usize> = positions[..4].iter().copied().collect();
        assert_eq!(different.len(), 4, "what changes places has no guests, and 1 and 2 meet: {positions:?}");
        assert_ne!(positions[4], positions[3], "one kernel reads one and writes the other");
        assert!(positions[..3].contains(&positions[4]), "{positions:?}");
    }

    #[test]
    fn what_a_repetition_reads_from_outside_is_there_every_time() {
        // 0 is read only by the first kernel of each application; 1 must not take its place.
        let kernels = vec![kernel(&[0]), kernel(&[0]), kernel(&[1]), kernel(&[1])];
        let repetition = Repetition {
            kernels: 1..4,
            count: length(3),
            step: None,
            portion: None,
            arrays: Vec::new(),
            end: None,
        };
        let same: Vec<_> = (0..2).map(|_| (length(0), ScalarType::F32)).collect();
        let positions: Vec<usize> =
            shared(&kernels, &[repetition], &same).into_iter().map(|(at, _)| at).collect();
        assert_eq!(positions, [0, 1]);
    }
}
