//! The instruction set that the loops of host kernels are compiled for.
//!
//! A crate is compiled for the oldest processor of its target unless it says otherwise, for x86-64 with vectors of 16 bytes. The functions
//! here are compiled for newer processors whatever the flags are, and what is inlined into them as well; which of them runs is
//! decided by what the processor has.

use std::fmt;
use std::sync::OnceLock;

/// The instruction sets that loops are compiled for, of which one runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstructionSet {
    /// What the crate is compiled for.
    Compiled,
    /// Vectors of 32 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 64 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            InstructionSet::Compiled => std::env::consts::ARCH,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "x86_64 with AVX2 and FMA",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "x86_64 with AVX-512",
        })
    }
}

/// The best instruction set that this processor has.
pub fn instruction_set() -> InstructionSet {
    static DETECTED: OnceLock<InstructionSet> = OnceLock::new();
    *DETECTED.get_or_init(detect)
}

#[cfg(target_arch = "x86_64")]
fn detect() -> InstructionSet {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("f16c");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    if avx512 {
        InstructionSet::Avx512
    } else if avx2 {
        InstructionSet::Avx2
    } else {
        InstructionSet::Compiled
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> InstructionSet {
    InstructionSet::Compiled
}

#[cfg(feature = "host")]
pub(super) use compiled::{Work, on_best};

/// Functions that are compiled for an instruction set, and what is inlined into them.
#[cfg(feature = "host")]
mod compiled {
    use super::{InstructionSet, instruction_set};

    /// A piece of work, compiled for every instruction set. An implementation has to be `#[inline(always)]`.
    pub(in super::super) trait Work {
        fn run(self);
    }

    /// Does the work, compiled for the best instruction set of this processor.
    #[inline]
    pub(in super::super) fn on_best(work: impl Work) {
        match instruction_set() {
            InstructionSet::Compiled => as_compiled(work),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` found all the features that the function is compiled for.
            #[allow(unsafe_code, reason = "the features were detected, which rustc cannot know")]
            InstructionSet::Avx2 => unsafe { with_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` found all the features that the function is compiled for.
            #[allow(unsafe_code, reason = "the features were detected, which rustc cannot know")]
            InstructionSet::Avx512 => unsafe { with_avx512(work) },
        }
    }

    // Each is a function of its own, so that work that is done in several places is compiled once.
    #[inline(never)]
    fn as_compiled(work: impl Work) {
        work.run();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
    fn with_avx2(work: impl Work) {
        work.run();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn with_avx512(work: impl Work) {
        work.run();
    }
}
