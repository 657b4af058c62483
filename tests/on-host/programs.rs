//! Which programs there are. The build script prints their functions, and the tests make them again.

use std::ops::Range;

use lift_core::ir::typed::Program;
use lift_corpus::lists::{FIGURES, POSITION_DEPENDENT};
use lift_corpus::pinned::{IN_PORTIONS, PINNED};
use lift_corpus::programs::{PAPERS, THESIS};

use crate::extremes::{ExtremeProgram, extreme_programs};
use crate::generator::{
    Choices, RandomProgram, Style, chain_of_layouts, group_program, order_program, random_program,
    repeated_program, staged_program,
};
use crate::operators::{OperatorProgram, operator_program};
use crate::text::{kernels, kernels_of};

/// Inline expressions, whose element types are open.
const OPEN: [&str; 10] = [
    "map(|x| x + 1, a)",
    "map(|x| max(x * 2 - 3, 4), a)",
    "a >> reduce(add, 0)",
    "zip(a, b) >> map(|x, y| if x < y { y - x } else { x * y }) >> reduce(max, 0)",
    "a >> slide(3, 1) >> map(reduce(add, 0))",
    "a >> scan(max, 1) >> map(|x| x + x)",
    "a >> pad(1, 2, mirror) >> map(|x| (x, x * x)) >> map(|x, y| y - x)",
    "a >> map(|row| row >> map(|x| x % 3) >> scanInclusive(add))",
    "a >> map(|x| sqrt(abs(x)) / 2)",
    "zip(a, a >> reverse) >> map(|x, y| (x as f32) * (y as f32))",
];

/// The number of programs for a seed that apply operators in loops. They are short.
const OPERATORS_PER_SEED: u64 = 3;

/// The layouts of a chain at most.
const MOST_LAYOUTS: usize = 16;

/// A random program of each style for a seed, one for groups, one that applies a function again and again,
/// one of layouts only, and one whose elements take several arrays or, for odd seeds, one in which data says
/// where elements go.
pub(crate) fn random(seed: u64) -> [RandomProgram; 6] {
    let choices = || Choices::from_seed(seed);
    let styled = |style| random_program(&mut choices(), style);
    let (high, low) = (styled(Style::HighLevel), styled(Style::LowLevel));
    let chain = chain_of_layouts(&mut choices(), MOST_LAYOUTS);
    let (group, repeated) = (group_program(&mut choices()), repeated_program(&mut choices()));
    let last =
        if seed.is_multiple_of(2) { staged_program(&mut choices()) } else { order_program(&mut choices()) };
    [high, low, group, repeated, chain, last]
}

/// The random program of half precision for a seed. It takes a feature to run it.
#[cfg_attr(not(feature = "f16"), allow(dead_code, reason = "only the build script mentions it"))]
pub(crate) fn halves(seed: u64) -> RandomProgram {
    random_program(&mut Choices::from_seed(seed), Style::Halves)
}

/// The programs of the papers whose meaning is known from nothing but the evaluator.
pub(crate) fn papers() -> Result<Vec<Program>, String> {
    kernels_of(PAPERS)
}

/// Those that `tests/against_eval/papers_programs.rs` runs.
pub(crate) fn stencils() -> Result<Vec<Program>, String> {
    collect(THESIS.blocks().into_iter().chain(FIGURES).chain(POSITION_DEPENDENT))
}

/// Those with open element types.
pub(crate) fn open() -> Result<Vec<Program>, String> {
    collect(OPEN)
}

/// Those in which components of accumulators move.
pub(crate) fn steps() -> Result<Vec<Program>, String> {
    collect(lift_corpus::steps::texts().iter().map(String::as_str))
}

/// Those that apply operators in loops, each with its type.
pub(crate) fn operators(seeds: Range<u64>) -> Result<Vec<(OperatorProgram, Program)>, String> {
    let typed = |seed| {
        let program = operator_program(seed);
        let typed = kernels(&program.text).map_err(|error| format!("{}\n{error}", program.text))?;
        Ok((program, typed.into_iter().next().ok_or("no kernel")?))
    };
    (seeds.start * OPERATORS_PER_SEED..seeds.end * OPERATORS_PER_SEED).map(typed).collect()
}

/// Those that take extremes of rows.
pub(crate) fn extremes() -> Result<Vec<(ExtremeProgram, Program)>, String> {
    let typed = |program: ExtremeProgram| {
        let typed = kernels(&program.text).map_err(|error| format!("{}\n{error}", program.text))?;
        Ok((program, typed.into_iter().next().ok_or("no kernel")?))
    };
    extreme_programs().into_iter().map(typed).collect()
}

/// The random programs of three seeds.
pub(crate) fn pinned() -> Result<Vec<Program>, String> {
    collect(PINNED)
}

/// Those that compute a portion of their rows after the other.
pub(crate) fn in_portions() -> Result<Vec<Program>, String> {
    collect(IN_PORTIONS)
}

fn collect<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<Program>, String> {
    let programs = texts.into_iter().map(|text| kernels(text).map_err(|error| format!("{text}\n{error}")));
    Ok(programs.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}
