//! Tables of remembered answers.
//!
//! Expressions keep their hashes, so that looking one up compares it with hardly any other. Nothing may
//! depend on the order of entries, so nobody walks over them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::summary::mix;

/// The answers to questions.
pub(crate) type Memo<Question, Answer> = HashMap<Question, Answer, BuildHasherDefault<KeptHashes>>;

/// Combines the hashes that the parts of a question keep. It is the same for every build.
#[derive(Default)]
pub(crate) struct KeptHashes(u64);

impl Hasher for KeptHashes {
    fn finish(&self) -> u64 {
        // Multiplication mixes the upper bits best, and tables are divided by the lower ones.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0, number);
    }
}
