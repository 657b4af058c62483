//! A hash that is the same in every run and on every machine.

use std::hash::{Hash, Hasher};

/// The hash of a list.
pub(super) fn hash<T: Hash>(list: &[T]) -> u64 {
    let mut hasher = Fnv::default();
    list.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a (Fowler, Noll, Vo), which has no random state. All numbers are as wide, and in one order of bytes,
/// on every machine.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    }

    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_i128(&mut self, number: i128) {
        self.write(&number.to_le_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as i64 as u64);
    }
}
