//! A look inside of the compiler: kernels after each pass, and how long passes take.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lift_core::compile_observed;
use lift_core::device::Progress;
use lift_core::device::passes::PASSES;
use lift_core::diagnostic::Diagnostic;
use lift_core::ir::typed::Program;
use lift_core::options::Options;
use lift_core::print::print_unfinished;

/// The name for all passes.
const ALL: &str = "all";

/// Whether there is a pass of this name.
pub(crate) fn is_pass(name: &str) -> bool {
    name == ALL || names().any(|pass| pass == name)
}

/// The names of the passes, in their order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|pass| pass.name)
}

/// The kernels of a program after a pass, or after all.
pub(crate) fn after(program: &Program, wanted: &str) -> Result<String, Vec<Diagnostic>> {
    let mut shown = String::new();
    let mut before = None;
    compile_observed(program, &Options::new(), &mut |progress| {
        let Progress::Ends(pass, module) = progress else { return };
        if wanted != ALL && wanted != pass.name {
            return;
        }
        let text = module().and_then(|module| print_unfinished(&module, program));
        match &text {
            None => shown += &format!("// {}: the kernel says nothing in OpenCL C yet\n", pass.name),
            Some(_) if text == before => shown += &format!("// {}: as before\n", pass.name),
            Some(text) => shown += &format!("// {}: {}\n{text}", pass.name, pass.term),
        }
        before = text;
    })?;
    Ok(shown)
}

/// How long each pass takes in the build of the compiler at hand.
pub(crate) fn timings(program: &Program) -> Result<String, Vec<Diagnostic>> {
    let mut spent: BTreeMap<&str, Duration> = BTreeMap::new();
    let begin = Instant::now();
    let mut began = begin;
    compile_observed(program, &Options::new(), &mut |progress| match progress {
        Progress::Begins(_) => began = Instant::now(),
        Progress::Ends(pass, _) => *spent.entry(pass.name).or_default() += began.elapsed(),
    })?;
    let whole = begin.elapsed();
    let line = |time: Duration, what: &str| format!("{:10.3} ms  {what}\n", time.as_secs_f64() * 1e3);
    let mut text = line(whole, &format!("`{}`, all stages after inference", program.name));
    for pass in PASSES {
        text += &spent.get(pass.name).map_or(String::new(), |time| line(*time, pass.name));
    }
    Ok(text)
}
