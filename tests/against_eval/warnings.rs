//! PoCL's compiler has nothing to say about kernels: what it warns of, it counts on the terminal of the user.

use crate::events;
use crate::kernels::{kernels, render};
use crate::random;
use lift_core::ir::typed;
use lift_corpus::lists::{FIGURES, POSITION_DEPENDENT};
use lift_corpus::programs;
use lift_runtime::__private::{Compiled, Program};
use lift_runtime::Device;

/// Programs in which a compiler without `-w` finds something to say: a loop that is not unrolled, and a
/// division.
const REMARKABLE: [&str; 2] = [
    "|a: [[f32; M]; N]| a >> map(reduce(max, 0))",
    "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|x, y| x / y + x % y)",
];

/// What the compiler says of a kernel that it builds.
fn said(kernel: &typed::Program, device: &Device) -> Result<Vec<String>, String> {
    let compiled = lift_core::compile(kernel).map_err(|diagnostics| render(&diagnostics))?;
    let program = random::program_from(&compiled)?;
    let mut lines = Vec::new();
    for form in program.others.iter().chain([&program.plain]) {
        let alone: &Program = Box::leak(Box::new(Program { plain: *form, others: &[], ..*program }));
        let (built, told) = events::told(|| Compiled::new(random::generated(alone, &[]), device, &[]));
        built.map_err(|error| error.to_string())?;
        lines.extend(told);
    }
    Ok(lines.into_iter().filter(|line| line.contains("the device's compiler says")).collect())
}

fn check(text: &str, device: &Device) -> Result<(), String> {
    for kernel in kernels(text)? {
        let said = said(&kernel, device).map_err(|error| format!("{text}: {error}"))?;
        if !said.is_empty() {
            return Err(format!("{text}\n{}", said.join("\n")));
        }
    }
    Ok(())
}

#[test]
fn the_kernels_of_the_papers_are_built_without_a_warning() -> Result<(), String> {
    events::listen();
    let devices = Device::list().map_err(|error| error.to_string())?;
    let is_pocl = |device: &&Device| device.platform() == "Portable Computing Language";
    let pocl = devices.iter().find(is_pocl).ok_or("PoCL is not there")?;
    let texts = REMARKABLE.into_iter().chain(FIGURES).chain(POSITION_DEPENDENT);
    texts.chain(programs::THESIS.blocks()).try_for_each(|text| check(text, pocl))
}
