// Random numbers, checksums, hashes and codes, which are made of the bits of integers.

lift! {
    /// A round of Philox 4x32, and the next key (Salmon, Moraes, Dror, Shaw, SC 2011, section 3.2).
    fn philox_round(s: ((u32, u32, u32, u32), (u32, u32))) -> ((u32, u32, u32, u32), (u32, u32)) {
        let ((c0, c1, c2, c3), (k0, k1)) = s;
        (
            (
                mulHi(0xcd9e_8d57, c2) ^ c1 ^ k0,
                0xcd9e_8d57 * c2,
                mulHi(0xd251_1f53, c0) ^ c3 ^ k1,
                0xd251_1f53 * c0
            ),
            (k0 + 0x9e37_79b9, k1 + 0xbb67_ae85)
        )
    }

    /// Four random numbers: the ten rounds of a counter and a key.
    fn philox(counter: (u32, u32, u32, u32), key: (u32, u32)) -> (u32, u32, u32, u32) {
        let s = philox_round(philox_round((counter, key)));
        let s = philox_round(philox_round(s));
        let s = philox_round(philox_round(s));
        let s = philox_round(philox_round(s));
        philox_round(philox_round(s)).0
    }

    /// The random numbers of many counters.
    fn philox_of_counters<const N: usize>(
        counters: [(u32, u32, u32, u32); N],
        keys: [(u32, u32); N],
    ) -> [(u32, u32, u32, u32); N] {
        zip(counters, keys) >> map(philox)
    }

    /// Whether a random point of the unit square lies in the quarter of a circle around its corner.
    fn is_inside(x: u32, y: u32) -> u32 {
        let a = ldexp((x >> 8) as f32, -24);
        let b = ldexp((y >> 8) as f32, -24);
        if a * a + b * b < 1.0 { 1 } else { 0 }
    }

    /// How many of the points that each key gives lie there, two points for each of its counters.
    #[strict]
    fn points_inside<const N: usize>(counters: usize, keys: [(u32, u32); N]) -> [u32; N] {
        keys >> map(|key| generate(counters, |i| philox((i as u32, 0, 0, 0), key))
            >> map(|(x, y, z, w)| is_inside(x, y) + is_inside(z, w))
            >> reduce(add, 0))
    }

    /// Pi by the points of one key: their share there is a quarter of it.
    #[strict]
    fn pi(counters: usize, key: (u32, u32)) -> f64 {
        let inside = generate(counters, |i| philox((i as u32, 0, 0, 0), key))
            >> map(|(x, y, z, w)| is_inside(x, y) + is_inside(z, w))
            >> reduce(add, 0);
        2.0 * inside as f64 / counters as f64
    }

    /// The number that PCG32 makes of a state (O'Neill, HMC-CS-2014-0905, section 6.3).
    fn pcg32_output(state: u64) -> u32 {
        rotr(((state >> 18 ^ state) >> 27) as u32, (state >> 59) as u32)
    }

    /// The numbers of PCG32 from a state on; all increments are the same.
    fn pcg32<const N: usize>(increments: [u64; N], state: u64) -> [u32; N] {
        increments >> scan(|s, increment| s * 6364136223846793005 + increment, state) >> map(pcg32_output)
    }

    /// A bit of CRC-32 (ISO 3309, reflected).
    fn crc32_bit(crc: u32) -> u32 {
        crc >> 1 ^ (if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    }

    fn crc32_byte(crc: u32, byte: u8) -> u32 {
        let x = crc32_bit(crc32_bit(crc ^ byte as u32));
        crc32_bit(crc32_bit(crc32_bit(crc32_bit(crc32_bit(crc32_bit(x))))))
    }

    /// The checksum CRC-32 of bytes.
    fn crc32<const N: usize>(bytes: [u8; N]) -> u32 {
        !reduce(crc32_byte, 0xffff_ffff, bytes)
    }

    /// The bits of a number of 16 bits, each before a zero.
    fn spread(x: u32) -> u32 {
        let bytes = (x | x << 8) & 0x00ff_00ff;
        let halves = (bytes | bytes << 4) & 0x0f0f_0f0f;
        let pairs = (halves | halves << 2) & 0x3333_3333;
        (pairs | pairs << 1) & 0x5555_5555
    }

    /// The Morton codes of points: the bits of both coordinates in turn.
    fn morton<const N: usize>(points: [(u16, u16); N]) -> [u32; N] {
        points >> map(|x, y| spread(x as u32) | shl(spread(y as u32), 1))
    }

    /// A step of a lane of xxHash32 (Collet, the specification of XXH32, step 2).
    fn xxh32_lane(lane: u32, word: u32) -> u32 {
        rotl(lane + word * 0x85eb_ca77, 13) * 0x9e37_79b1
    }

    /// The same for a word that fills no stripe of four (step 5).
    fn xxh32_rest(hash: u32, word: u32) -> u32 {
        rotl(hash + word * 0xc2b2_ae3d, 17) * 0x27d4_eb2f
    }

    /// Mixes all bits (step 6).
    fn xxh32_avalanche(hash: u32) -> u32 {
        let once = (hash ^ hash >> 15) * 0x85eb_ca77;
        let twice = (once ^ once >> 13) * 0xc2b2_ae3d;
        twice ^ twice >> 16
    }

    /// The hash xxHash32 of words.
    fn xxh32<const N: usize>(words: [u32; N], seed: u32) -> u32 {
        let lanes = (seed + 0x2423_4428, seed + 0x85eb_ca77, seed, seed - 0x9e37_79b1);
        let (a, b, c, d) = words >> slice(0, N / 4 * 4) >> split(4) >> reduce(
            |(a, b, c, d), stripe| (
                xxh32_lane(a, at(0, stripe)),
                xxh32_lane(b, at(1, stripe)),
                xxh32_lane(c, at(2, stripe)),
                xxh32_lane(d, at(3, stripe))
            ),
            lanes
        );
        let start = if N >= 4 {
            rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18)
        } else {
            seed + 0x1656_67b1
        };
        let hash = start + 4 * N as u32;
        words >> slice(N / 4 * 4, N % 4) >> reduce(xxh32_rest, hash) >> xxh32_avalanche
    }
}
