//! What the choice of forms looks at, and what it tells people who inspect a program.

use super::stages::{code_of, lowered, options_for};
use crate::compiled::RefusedForm;
use crate::diagnostic::Diagnostic;
use crate::forms::{self, Candidate, LeftOut, PRODUCT_TILES, Surveyed};
use crate::ir::code::Code;
use crate::ir::typed::{Program, SizeVariable};
use crate::middle::codegen::generate;
use crate::middle::lower::Cooperation;
use crate::middle::rewrite::{Derivation, Rewritten, read_derivation};
use crate::middle::tuples::take_apart;
use crate::options::{BetweenKernels, Options};
use crate::print::RESERVED;
use crate::threads::Threads;

/// Code for the survey that differs from that of the plain form.
pub(super) struct Separate {
    /// With reduced rows stored before they are reduced again, and all rows at once. `None` where the survey
    /// looks at the code of the plain form.
    rows: Option<Code>,
    /// The same with the results of pairs of rows stored, for the survey of products. `None` where no pairs
    /// are reduced again.
    pairs: Option<Code>,
    /// The form for products, if a stage refuses what it would be chosen by.
    pub(super) refused: Option<RefusedForm>,
}

impl Separate {
    pub(super) fn of(
        program: &Program,
        plain: &Code,
        options: &Options,
    ) -> Result<Separate, Vec<Diagnostic>> {
        let options = Options { between_kernels: BetweenKernels::Whole, ..options_for(program, options) };
        let code = |cooperation: Cooperation| {
            let apart = take_apart(&forms::plain(program));
            let lowered = lowered(&apart, &cooperation)?.rewritten.program;
            generate(&lowered, &RESERVED, &options).map_err(|message| vec![message])
        };
        let rows = forms::lowered_for_survey(program, plain).map(code).transpose()?;
        let (pairs, refused) = match forms::lowered_for_pairs(program).map(code) {
            Some(Ok(code)) => (Some(code), None),
            Some(Err(reasons)) => (None, Some(RefusedForm { name: PRODUCT_TILES.to_owned(), reasons })),
            None => (None, None),
        };
        Ok(Separate { rows, pairs, refused })
    }

    pub(super) fn beside<'c>(&'c self, plain: &'c Code) -> Surveyed<'c> {
        Surveyed { plain, apart: self.rows.as_ref(), pairs_apart: self.pairs.as_ref() }
    }
}

/// The low-level program that a program becomes, and how: what the user left open is decided, as code
/// generation finds it. For people who inspect it.
#[derive(Debug, Clone)]
pub struct LowLevel {
    /// The program with its tuples taken apart, from which the derivation starts.
    pub apart: Program,
    /// The low-level program.
    pub program: Program,
    /// The steps from the one to the other.
    pub derivation: Derivation,
}

/// Lowers a program for people who inspect it.
///
/// # Errors
/// Reports what the thread hierarchy and the memories cannot do.
pub fn low_level(program: &Program) -> Result<LowLevel, Vec<Diagnostic>> {
    let apart = take_apart(&forms::plain(program));
    let Rewritten { program, derivation, .. } = lowered(&apart, &Cooperation::default())?.rewritten;
    Ok(LowLevel { apart, program, derivation })
}

/// How the forms of a program that stand before the plain one are made, and for which classes of forms it has
/// none. For people who inspect it.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The forms, in the order in which a launcher tries them. A stage may refuse one.
    pub made: Vec<Made>,
    /// The classes of forms that the program has none of, with the reason for each.
    pub left_out: Vec<LeftOut>,
}

/// How a form is made.
#[derive(Debug, Clone)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// The program that the derivation starts from.
    pub start: Program,
    /// The steps of rewriting that make the form: those of the strategy that rewrites the program as a whole,
    /// if there is one. Otherwise the form is made while the program is lowered, and they are the steps of
    /// lowering.
    pub derivation: Derivation,
}

/// The choice of forms, for people who inspect it.
///
/// # Errors
/// As [`compile`](fn@crate::compile).
pub fn choice(program: &Program) -> Result<Choice, Vec<Diagnostic>> {
    let plain = take_apart(&forms::plain(program));
    let options = Options::default();
    let code = code_of(&plain, &options_for(program, &options))?;
    let separate = Separate::of(program, &code, &options)?;
    let surveyed = separate.beside(&code);
    let candidates = forms::candidates(program, &surveyed, Threads::ONE).map_err(|message| vec![message])?;
    let made = candidates.into_iter().flatten().filter_map(|candidate| made(program, candidate));
    Ok(Choice { made: made.collect(), left_out: forms::left_out(program, &surveyed) })
}

/// How a form is made; `None` where a stage refuses it.
fn made(program: &Program, candidate: Candidate) -> Option<Made> {
    let Candidate { selection, program: of_form, cooperation, lowered, .. } = candidate;
    if !selection.derivation.is_empty() {
        let derivation = read_derivation(&selection.derivation, program).ok()?;
        return Some(Made { name: selection.name, start: program.clone(), derivation });
    }
    let start = take_apart(&of_form);
    let lowered = lowered.or_else(|| self::lowered(&start, &cooperation).ok())?;
    let derivation = lowered.rewritten.derivation.with_sizes(&SizeVariable::formulas(&start.sizes));
    let sizes = start.sizes.iter().filter(|size| size.value.is_none()).cloned().collect();
    Some(Made { name: selection.name, start: Program { sizes, ..start }, derivation })
}
