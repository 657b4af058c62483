//! Random numbers, checksums, hashes and codes, against published values and plain loops.

use crate::common::is_simulated;
use lift::{Device, Result, lift};

include!("../../corpus/programs/bits.rs");

#[test]
fn philox_gives_the_numbers_of_random123() -> Result<()> {
    let counters = [
        (0, 0, 0, 0),
        (u32::MAX, u32::MAX, u32::MAX, u32::MAX),
        (0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344),
    ];
    let keys = [(0, 0), (u32::MAX, u32::MAX), (0xa409_3822, 0x299f_31d0)];
    let expected = [
        (0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8),
        (0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd),
        (0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1),
    ];
    assert_eq!(philox_of_counters(&counters, &keys)?.to_vec(), expected);
    for ((counter, key), numbers) in counters.into_iter().zip(keys).zip(expected) {
        assert_eq!(philox(counter, key), numbers);
    }
    Ok(())
}

/// Philox 4x32-10 as its definition says.
fn philox_in_a_loop(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut c0, mut c1, mut c2, mut c3], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let (a, b) = (0xd251_1f53 * u64::from(c0), 0xcd9e_8d57 * u64::from(c2));
        (c0, c1, c2, c3) = ((b >> 32) as u32 ^ c1 ^ k0, b as u32, (a >> 32) as u32 ^ c3 ^ k1, a as u32);
        (k0, k1) = (k0.wrapping_add(0x9e37_79b9), k1.wrapping_add(0xbb67_ae85));
    }
    [c0, c1, c2, c3]
}

#[test]
fn random_points_estimate_pi_exactly_as_a_loop_does() -> Result<()> {
    let inside_in_a_loop = |counters: usize, (k0, k1): (u32, u32)| {
        let fraction = |x: u32| (x >> 8) as f32 / 16_777_216.0;
        let is_inside = |x, y| u32::from(fraction(x) * fraction(x) + fraction(y) * fraction(y) < 1.0);
        let points = (0..counters).map(|i| philox_in_a_loop([i as u32, 0, 0, 0], [k0, k1]));
        points.map(|[x, y, z, w]| is_inside(x, y) + is_inside(z, w)).sum::<u32>()
    };
    let keys: Vec<(u32, u32)> = (0..20u32).map(|i| (i.wrapping_mul(2_654_435_761), 7 * i)).collect();
    for counters in [0, 1, 30] {
        let expected: Vec<u32> = keys.iter().map(|key| inside_in_a_loop(counters, *key)).collect();
        assert_eq!(points_inside(counters, &keys)?.to_vec(), expected, "{counters} counters");
    }
    let is_simulated = is_simulated(&Device::default_device()?);
    for counters in [1, 1000, 100_000].into_iter().take(if is_simulated { 2 } else { 3 }) {
        let found = pi(counters, (42, 0))?;
        assert_eq!(found, 2.0 * f64::from(inside_in_a_loop(counters, (42, 0))) / counters as f64);
        assert!(counters < 100_000 || (found - std::f64::consts::PI).abs() < 0.02, "{found}");
    }
    Ok(())
}

#[test]
fn pcg32_gives_the_numbers_of_its_demonstration() -> Result<()> {
    // The generator that is seeded with 42 and has the stream 54.
    let (factor, increment) = (6_364_136_223_846_793_005u64, 54 << 1 | 1);
    let state = (increment + 42u64).wrapping_mul(factor).wrapping_add(increment);
    let expected = [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e];
    assert_eq!(pcg32(&[increment; 6], state)?.to_vec(), expected);
    Ok(())
}

#[test]
fn the_crc_32_of_the_digits_is_the_published_one() -> Result<()> {
    assert_eq!(crc32(b"123456789")?, 0xcbf4_3926);
    assert_eq!(crc32(b"")?, 0);
    Ok(())
}

#[test]
fn morton_codes_have_the_bits_of_both_coordinates_in_turn() -> Result<()> {
    let points = [(0, 0), (1, 0), (0, 1), (u16::MAX, 0), (0x1234, 0xfedc)];
    let code = |(x, y): (u16, u16)| {
        let bit = |number: u16, bit: u32| u32::from(number >> bit & 1);
        (0..16).map(|k| bit(x, k) << (2 * k) | bit(y, k) << (2 * k + 1)).sum::<u32>()
    };
    assert_eq!(morton(&points)?.to_vec(), points.map(code));
    Ok(())
}

/// The hash as its specification computes it, of whole words.
fn xxh32_by_loops(words: &[u32], seed: u32) -> u32 {
    let [p1, p2, p3, p4, p5] = [0x9e37_79b1u32, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];
    let mut lanes =
        [seed.wrapping_add(p1).wrapping_add(p2), seed.wrapping_add(p2), seed, seed.wrapping_sub(p1)];
    let stripes = words.chunks_exact(4);
    let rest = stripes.remainder();
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe) {
            *lane = lane.wrapping_add(word.wrapping_mul(p2)).rotate_left(13).wrapping_mul(p1);
        }
    }
    let merged = [1, 7, 12, 18].iter().zip(lanes).map(|(by, lane)| lane.rotate_left(*by));
    let mut hash = match words.len() {
        0..4 => seed.wrapping_add(p5),
        _ => merged.fold(0, u32::wrapping_add),
    };
    hash = hash.wrapping_add(4 * words.len() as u32);
    for word in rest {
        hash = hash.wrapping_add(word.wrapping_mul(p3)).rotate_left(17).wrapping_mul(p4);
    }
    hash = (hash ^ hash >> 15).wrapping_mul(p2);
    hash = (hash ^ hash >> 13).wrapping_mul(p3);
    hash ^ hash >> 16
}

#[test]
fn xxhash_of_words_is_that_of_its_specification() -> Result<()> {
    assert_eq!(xxh32(&[0u32; 0], 0)?, 0x02cc_5d05);
    for n in [0u32, 1, 3, 4, 5, 8, 63, 1000] {
        let words: Vec<u32> = (0..n).map(|position| position.wrapping_mul(2_654_435_761u32)).collect();
        for seed in [0, 1, 0x9e37_79b1] {
            assert_eq!(xxh32(&words, seed)?, xxh32_by_loops(&words, seed), "{n} words");
        }
    }
    Ok(())
}
