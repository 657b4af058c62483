//! The kernels of a pair as files, for those who want to know why one is faster: in OpenCL C, and as the
//! driver compiled them. That is PTX on NVIDIA's, which its disassemblers take further, and a container of
//! machine code on PoCL.

use std::fs;
use std::path::Path;

use lift::DeviceKind;

use crate::ablation;
use crate::case::{Benchmark, ByHand, Case, Pair};
use crate::error::{Error, Result};
use crate::opencl::Gpu;

/// Writes `NAME.hand.cl`, `NAME.hand.binary`, `NAME.lift.cl` and `NAME.lift.binary`.
pub(crate) fn write(
    folder: &Path,
    benchmark: &Benchmark,
    case: &Case,
    pair: &Pair,
    kind: DeviceKind,
    gpu: &Gpu,
) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
    let generated = ablation::shipped(&pair.program, &case.inputs, kind)?;
    for ByHand { structure, plan } in &pair.by_hand {
        let name = file_name(&format!("{} {} {structure}", benchmark.name, benchmark.size));
        for (side, plan) in [("hand", plan), ("lift", &generated)] {
            for (what, bytes) in [("cl", plan.source.clone().into_bytes()), ("binary", gpu.binary(plan)?)] {
                let path = folder.join(format!("{name}.{side}.{what}"));
                fs::write(&path, bytes).map_err(|error| Error::file(&path, error))?;
            }
        }
    }
    Ok(())
}

/// Letters and digits, with single hyphens between them.
fn file_name(text: &str) -> String {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_have_no_special_characters() {
        assert_eq!(file_name("A^T (A x) 8192 x 8192, float4"), "A-T-A-x-8192-x-8192-float4");
    }
}
