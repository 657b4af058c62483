//! Counts of values.

use lift::lift;
use lift::ndarray::Array1;
use rayon::prelude::*;

use super::{Place, case};
use crate::computations::{Case, Kind, timed};

lift! {
    fn counts_at<const N: usize>(a: [i32; N]) -> [i32; N] {
        let counts = generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0));
        a >> map(|x| at(x, counts))
    }

    fn ranks_at<const N: usize>(a: [i32; N]) -> [i32; N] {
        let counts = generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0));
        let up_to = scanInclusive(add, counts);
        a >> map(|x| at(x, up_to))
    }

    fn counts_of<const N: usize>(a: [i32; N]) -> [i32; 256] {
        generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0))
    }

    fn prefixes_of(counts: [i32; 256]) -> [i32; 256] { scanInclusive(add, counts) }

    fn looked_up<const N: usize>(a: [i32; N], counts: [i32; 256]) -> [i32; N] { a >> map(|x| at(x, counts)) }

    fn by_parts<const N: usize>(a: [i32; N]) -> [i32; 256] where N % 1024 == 0 {
        a >> split(1024)
            >> map(reduce(|counts, x| zip(counts, generate(256, |value| value as i32))
                >> map(|(count, value)| select(value == x, count + 1, count)), repeat(256, 0)))
            >> transpose >> map(reduce(add, 0))
    }

    fn of_each_part<const N: usize>(a: [i32; N]) -> [[i32; 256]; N / 1024] where N % 1024 == 0 {
        a >> split(1024)
            >> map(reduce(|counts, x| zip(counts, generate(256, |value| value as i32))
                >> map(|(count, value)| select(value == x, count + 1, count)), repeat(256, 0)))
    }

    fn together<const M: usize>(parts: [[i32; 256]; M]) -> [i32; 256] { parts >> transpose >> map(reduce(add, 0)) }
}

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
    let plain = a.to_vec();
    let expected = doubles(counted(&plain));
    // As the program says it: a new array of counts for each element costs 256 steps; nobody writes that by hand.
    let by_hand = move || {
        let add = |left: Vec<i32>, right: Vec<i32>| left.iter().zip(&right).map(|(x, y)| x + y).collect();
        Ok(plain.par_chunks(1024).map(counted).reduce(|| vec![0; 256], add))
    };
    contestants.push(timed(Kind::HandWritten, by_hand, |counts| floats(Array1::from_vec(counts))));
    Ok(case(expected, 0.0, contestants))
}
