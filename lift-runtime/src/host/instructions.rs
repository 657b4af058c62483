//! The instruction set that the loops of host kernels are compiled for.
//!
//! A crate is compiled for the oldest processor of its target unless it says otherwise; for x86-64 that means
//! vectors of 16 bytes. The functions here are compiled for newer processors whatever the flags are, and so
//! is what is inlined into them. The features of the processor decide which of them runs, or the environment
//! variable `LIFT_HOST_INSTRUCTIONS`, so that each can be tested on one machine.

use std::env;
use std::fmt;
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// The environment variable that names the instruction set: `compiled`, `avx2` or `avx512`. It is read once.
pub(crate) const VARIABLE: &str = "LIFT_HOST_INSTRUCTIONS";

/// The instruction sets that loops are compiled for; one of them runs.
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

impl InstructionSet {
    /// Its name in [`VARIABLE`].
    fn name(self) -> &'static str {
        match self {
            InstructionSet::Compiled => "compiled",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
        }
    }

    /// The instruction sets that this processor has, the best one last.
    pub(crate) fn available() -> &'static [InstructionSet] {
        static DETECTED: OnceLock<Vec<InstructionSet>> = OnceLock::new();
        DETECTED.get_or_init(detect)
    }
}

/// The instruction set that loops run with: the one that [`VARIABLE`] names, or else the best one that this
/// processor has.
///
/// # Errors
/// If the variable names no instruction set of this processor.
pub(crate) fn chosen() -> Result<InstructionSet> {
    static CHOSEN: OnceLock<Result<InstructionSet>> = OnceLock::new();
    let choose = || {
        let wanted = env::var_os(VARIABLE).map(|name| name.to_string_lossy().trim().to_lowercase());
        named(wanted.as_deref().unwrap_or_default(), InstructionSet::available())
    };
    CHOSEN.get_or_init(choose).clone()
}

/// The instruction set of a name; the best one for an empty name.
fn named(wanted: &str, available: &[InstructionSet]) -> Result<InstructionSet> {
    let best = available.last().copied().unwrap_or(InstructionSet::Compiled);
    if wanted.is_empty() {
        return Ok(best);
    }
    available.iter().copied().find(|set| set.name() == wanted).ok_or_else(|| Error::NoSuchInstructions {
        wanted: wanted.to_owned(),
        available: available.iter().map(|set| set.name().to_owned()).collect(),
    })
}

/// The instruction set that loops run with, after the call has checked it with `chosen`.
pub fn instruction_set() -> InstructionSet {
    chosen().unwrap_or(InstructionSet::Compiled)
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Vec<InstructionSet> {
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
    let newer = [(avx2, InstructionSet::Avx2), (avx512, InstructionSet::Avx512)];
    let newer = newer.into_iter().filter(|(is_there, _)| *is_there).map(|(_, set)| set);
    [InstructionSet::Compiled].into_iter().chain(newer).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Vec<InstructionSet> {
    vec![InstructionSet::Compiled]
}

#[cfg(all(test, feature = "host"))]
pub(crate) use compiled::on;
#[cfg(feature = "host")]
pub(crate) use compiled::{Work, on_chosen};

/// Functions that are compiled for an instruction set, together with what is inlined into them.
#[cfg(feature = "host")]
mod compiled {
    use super::{InstructionSet, instruction_set};

    /// A piece of work, compiled for every instruction set. An implementation has to be `#[inline(always)]`.
    pub(crate) trait Work {
        fn run(self);
    }

    /// Does the work, compiled for the instruction set that loops run with.
    #[inline]
    pub(crate) fn on_chosen(work: impl Work) {
        // SAFETY: the set is one of those that were detected.
        #[allow(unsafe_code, reason = "the features were detected, which rustc cannot know")]
        unsafe {
            on_detected(instruction_set(), work);
        }
    }

    /// Does the work, compiled for an instruction set that this processor must have.
    #[cfg(test)]
    pub(crate) fn on(set: InstructionSet, work: impl Work) {
        assert!(InstructionSet::available().contains(&set), "this processor has no {set}");
        // SAFETY: the set is one of those that were detected.
        #[allow(unsafe_code, reason = "the features were detected, which rustc cannot know")]
        unsafe {
            on_detected(set, work);
        }
    }

    /// # Safety
    /// The set must be one of [`InstructionSet::available`].
    #[inline]
    #[allow(unsafe_code, reason = "the features were detected, which rustc cannot know")]
    unsafe fn on_detected(set: InstructionSet, work: impl Work) {
        match set {
            InstructionSet::Compiled => as_compiled(work),
            // SAFETY: `detect` lists the set only where it found all the features that the function is
            // compiled for.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { with_avx512(work) },
        }
    }

    // These are separate functions, so that work that is done in several places is compiled once.
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

#[cfg(all(test, feature = "host"))]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_set_is_chosen_by_its_name() {
        let sets = InstructionSet::available();
        assert_eq!(sets[0], InstructionSet::Compiled);
        for set in sets {
            assert_eq!(named(set.name(), sets), Ok(*set));
        }
        assert_eq!(named("", sets), Ok(sets[sets.len() - 1]));
    }

    #[test]
    fn one_that_the_processor_does_not_have_is_an_error() {
        let error = named("avx1024", &[InstructionSet::Compiled]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`LIFT_HOST_INSTRUCTIONS=avx1024` names no instruction set of this processor: there is only `compiled`"
        );
    }
}
