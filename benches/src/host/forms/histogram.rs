//! Counts of values.

use lift::lift;
use lift::ndarray::Array1;

use super::{Place, case};
use crate::computations::{Case, timed};

include!("../../../../corpus/host/histogram.rs");

fn values(n: usize) -> Array1<i32> {
    (0..n as u32).map(|position| (position.wrapping_mul(2_654_435_761) >> 20) as i32 % 256).collect()
}

fn counted(a: &[i32]) -> Vec<i32> {
    let mut counts = vec![0; 256];
    a.iter().for_each(|&x| counts[x as usize] += 1);
    counts
}

fn summed(counts: &[i32]) -> Vec<i32> {
    let mut sum = 0;
    let with = |count: &i32| {
        sum += count;
        sum
    };
    counts.iter().map(with).collect()
}

fn floats(numbers: Array1<i32>) -> Vec<f32> {
    numbers.iter().map(|&x| x as f32).collect()
}

fn doubles(numbers: impl IntoIterator<Item = i32>) -> Vec<f64> {
    numbers.into_iter().map(f64::from).collect()
}

pub(super) fn counts(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = values(n);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, counts_at::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), floats));
        let (x, first, second) = (device.upload(&a)?, counts_of::on(device)?, looked_up::on(device)?);
        contestants.push(timed(*parts, move || second.run(&x, &first.enqueue(&x)?), floats));
    }
    let counts = counted(&a.to_vec());
    let expected = doubles(a.iter().map(|&x| counts[x as usize]));
    Ok(case(expected, 0.0, contestants))
}

pub(super) fn ranks(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = values(n);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, ranks_at::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), floats));
        let (x, first) = (device.upload(&a)?, counts_of::on(device)?);
        let (second, third) = (prefixes_of::on(device)?, looked_up::on(device)?);
        let call = move || third.run(&x, &second.enqueue(&first.enqueue(&x)?)?);
        contestants.push(timed(*parts, call, floats));
    }
    let up_to = summed(&counted(&a.to_vec()));
    let expected = doubles(a.iter().map(|&x| up_to[x as usize]));
    Ok(case(expected, 0.0, contestants))
}

pub(super) fn of_parts(n: usize, places: &[Place]) -> lift::Result<Case> {
    let a = values(n);
    let mut contestants = Vec::new();
    for Place { device, one, parts } in places {
        let (x, kernel) = (device.upload(&a)?, by_parts::on(device)?);
        contestants.push(timed(*one, move || kernel.run(&x), floats));
        let (x, first, second) = (device.upload(&a)?, of_each_part::on(device)?, together::on(device)?);
        contestants.push(timed(*parts, move || second.run(&first.enqueue(&x)?), floats));
    }
    let expected = doubles(counted(&a.to_vec()));
    Ok(case(expected, 0.0, contestants))
}
