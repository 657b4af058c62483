//! An explanation in sentences: headings, and what stands below them. Text and pages show the same sections.

use lift_core::compiled::PLAIN;
use lift_core::ir::nat::Nat;
use lift_core::work::Work;

use crate::arguments::Extras;
use crate::cost::{Amount, Cost, Memory, Share};
use crate::derivation::{Decided, Derived, Place, Shown, Stopped, Taken};
use crate::explanation::{Becomes, Explanation};
use crate::forms::{Absent, Forms, MadeForm};
use crate::kernels::{Kernels, Launch, Launched};
use crate::mistake::Mistake;

/// A heading, and what stands below it.
pub(crate) struct Section<'e> {
    pub(crate) heading: &'static str,
    /// On which side of a page it stands.
    pub(crate) side: Side,
    pub(crate) blocks: Vec<Block<'e>>,
}

/// What a section is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Program,
    Kernels,
}

/// A part of a section.
pub(crate) enum Block<'e> {
    Sentence(String),
    /// Lines that belong together, and to the sentence before them.
    Lines(Vec<String>),
    Code(&'e str),
    /// Something that does not go.
    Refusal(String),
    Mistake(&'e Mistake),
}

/// The sections of an explanation.
pub(crate) fn sections(explanation: &Explanation, extras: Extras) -> Vec<Section<'_>> {
    let program = |heading, blocks| Section { heading, side: Side::Program, blocks };
    let kernels = |heading, blocks| Section { heading, side: Side::Kernels, blocks };
    let mut sections = vec![
        program("typed program", vec![code(&explanation.typed)]),
        program("derivation", derivation(&explanation.derived)),
    ];
    if extras.places {
        let places = explanation.places.iter().flat_map(place).collect();
        sections.push(program("places, and the rules that apply there", vec![Block::Lines(places)]));
    }
    let becomes = match &explanation.becomes {
        Ok(becomes) => becomes,
        Err(mistakes) => {
            sections.push(kernels("kernels", mistakes.iter().map(Block::Mistake).collect()));
            return sections;
        }
    };
    let Becomes { forms: chosen, lowering: decided, low_level, kernels: compiled, cost, memory } = becomes;
    if !chosen.is_empty() {
        sections.push(program("forms", forms(chosen)));
    }
    sections.push(program("lowering", lowering(decided)));
    sections.push(program("low-level program", vec![code(low_level)]));
    sections.push(program("conditions", conditions(compiled)));
    sections.push(program("work", work(cost)));
    sections.push(program("global memory", of_memory(memory)));
    sections.push(kernels("launches", launches(compiled)));
    sections.push(kernels("kernels in OpenCL C", vec![Block::Code(&compiled.opencl)]));
    if extras.host {
        let rust = compiled.host.as_deref().map(Block::Code);
        let none = || Block::Refusal("the program does not run on the host".to_owned());
        sections.push(kernels("kernels in Rust", vec![rust.unwrap_or_else(none)]));
    }
    sections
}

fn code(shown: &Shown) -> Block<'_> {
    match shown {
        Ok(text) => Block::Code(text),
        Err(unsayable) => Block::Refusal(format!("the language does not say it: {unsayable}")),
    }
}

fn derivation(derived: &Derived) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = derived.taken.iter().flat_map(step).collect();
    if let Some(stopped) = &derived.stopped {
        blocks.extend(refusal(stopped));
    } else if derived.taken.is_empty() {
        blocks.push(Block::Sentence(
            "No steps: a `#[schedule(…)]` takes some, and `--places` lists what applies where.".to_owned(),
        ));
    }
    blocks
}

fn step(taken: &Taken) -> Vec<Block<'_>> {
    let rule = taken.step.rule;
    let mut lines = vec![taken.step.to_string(), format!("  {}", rule.statement)];
    if rule.regroups {
        lines.push("  sums of floats may be rounded differently".to_owned());
    }
    lines.extend(taken.needs.iter().map(|need| format!("  needs {need}")));
    vec![Block::Lines(lines), code(&taken.shown)]
}

/// The steps of the compiler, and the expression that each is applied to.
fn lowering(decided: &[Decided]) -> Vec<Block<'_>> {
    if decided.is_empty() {
        return vec![Block::Sentence("No steps: the program says who computes what.".to_owned())];
    }
    vec![steps(decided)]
}

/// The forms beside the plain one: the steps that make each, and the classes that there are none of.
fn forms(forms: &Forms) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    for MadeForm { name, used_on, steps: decided } in &forms.made {
        let is_made = if decided.is_empty() { "It takes no steps." } else { "These steps make it:" };
        blocks.push(Block::Sentence(format!("The form `{name}` is for {used_on}. {is_made}")));
        if !decided.is_empty() {
            blocks.push(steps(decided));
        }
    }
    if let Some(reason) = the_one_reason(&forms.left_out) {
        blocks.push(Block::Sentence(format!("None is chosen, because {reason}.")));
    } else if !forms.left_out.is_empty() {
        blocks.push(Block::Sentence("There are none of these classes:".to_owned()));
        let mut lines: Vec<String> = forms.left_out.iter().map(left_out).collect();
        lines.dedup();
        blocks.push(Block::Lines(lines));
    }
    blocks
}

/// The reason why a program has no form of any class, if that is one.
fn the_one_reason(left_out: &[Absent]) -> Option<&str> {
    let (first, others) = left_out.split_first()?;
    let is_the_same = |other: &Absent| other.of.is_none() && other.reason == first.reason;
    (!others.is_empty() && is_the_same(first) && others.iter().all(is_the_same)).then_some(&first.reason)
}

fn left_out(absent: &Absent) -> String {
    let Absent { class, of, reason } = absent;
    let of = of.as_ref().map_or(String::new(), |of| format!(" for `{of}`"));
    format!("`{class}`: not{of}, because {reason}")
}

fn steps(decided: &[Decided]) -> Block<'_> {
    let steps: Vec<String> = decided.iter().map(|decided| decided.step.to_string()).collect();
    let widest = steps.iter().map(String::len).max().unwrap_or(0);
    let lines = steps.iter().zip(decided);
    Block::Lines(lines.map(|(step, decided)| format!("{step:widest$}  {}", decided.expression)).collect())
}

/// A place, with the rules that apply there below it.
fn place(place: &Place) -> Vec<String> {
    let mut lines = vec![format!("{:10}  {}", place.path.to_string(), place.expression)];
    if !place.rules.is_empty() {
        lines.push(format!("{:12}{}", "", place.rules.join(", ")));
    }
    lines
}

fn refusal(stopped: &Stopped) -> Vec<Block<'_>> {
    let mut blocks = vec![Block::Refusal(stopped.to_string())];
    if let Some(expression) = &stopped.expression {
        blocks.push(Block::Sentence("This stands there:".to_owned()));
        blocks.push(Block::Code(expression));
    }
    blocks
}

fn launches(kernels: &Kernels) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    if !kernels.forms.is_empty() {
        blocks.push(Block::Sentence("The first of these forms that is possible is launched:".to_owned()));
        blocks.push(Block::Lines(kernels.forms.clone()));
    }
    for Launched { form, launches, order } in &kernels.launched {
        if !kernels.forms.is_empty() {
            blocks.push(Block::Sentence(match form.as_str() {
                PLAIN => "The plain form:".to_owned(),
                form => format!("The form `{form}`:"),
            }));
        }
        blocks.push(Block::Lines(launches.iter().flat_map(of_launch).collect()));
        if order.len() > 1 {
            blocks.push(Block::Sentence("In this order:".to_owned()));
            blocks.push(Block::Lines(order.clone()));
        }
    }
    blocks
}

fn of_launch(launch: &Launch) -> Vec<String> {
    let global = dimensions(&launch.global, &Nat::one());
    let local = dimensions(&launch.local, &1);
    let mut lines = vec![
        format!("{}({})", launch.kernel, launch.arguments.join(", ")),
        format!("  {global} work-items in groups of {local}"),
    ];
    if launch.is_any {
        lines.push("  or any other launch".to_owned());
    }
    if launch.local_memory != Nat::zero() {
        lines.push(format!("  {} bytes of local memory", launch.local_memory));
    }
    lines
}

/// The sizes of three dimensions without the ones at the end.
fn dimensions<T: ToString + PartialEq>(sizes: &[T; 3], one: &T) -> String {
    let used = sizes.iter().rposition(|size| size != one).map_or(1, |last| last + 1);
    sizes.iter().take(used).map(ToString::to_string).collect::<Vec<_>>().join(" x ")
}

fn conditions(kernels: &Kernels) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    if kernels.conditions.is_empty() {
        blocks.push(Block::Sentence("None: every size will do.".to_owned()));
    } else {
        blocks.push(Block::Sentence("Each call checks this:".to_owned()));
        blocks.push(Block::Lines(kernels.conditions.clone()));
    }
    if !kernels.repeated.is_empty() {
        blocks.push(Block::Sentence("Computed more often than the program says:".to_owned()));
        blocks.push(Block::Lines(kernels.repeated.clone()));
    }
    blocks
}

fn work(cost: &Cost) -> Vec<Block<'_>> {
    let mut blocks = counted("The program says:", &cost.sequential);
    blocks.extend(cost.kernels.iter().flat_map(|kernels| counted("The kernels do:", kernels)));
    if cost.compared.is_empty() {
        return blocks;
    }
    let compared = cost.compared.iter().map(|compared| {
        let at = compared.size.map_or("always".to_owned(), |size| format!("at size {size}"));
        let ratio = compared.ratio().map_or(String::new(), |ratio| format!(" = {ratio:.2}"));
        format!("{at}: {} / {}{ratio}", compared.kernels, compared.sequential)
    });
    blocks.push(Block::Sentence(
        "Loads and operations of the kernels, divided by those of the program:".to_owned(),
    ));
    blocks.push(Block::Lines(compared.collect()));
    blocks
}

fn counted<'e>(whose: &str, work: &Work) -> Vec<Block<'e>> {
    let lines = vec![format!("loads       {}", work.loads), format!("operations  {}", work.operations)];
    vec![Block::Sentence(whose.to_owned()), Block::Lines(lines)]
}

fn of_memory(memory: &Memory) -> Vec<Block<'_>> {
    let line = |does: &str, share: &Share| {
        let amount = match &share.amount {
            Amount::Bytes(bytes) => format!("{bytes} bytes"),
            Amount::Elements(elements) => format!("{elements} elements"),
        };
        format!("{does:5}  {}: {}, {amount}", share.name, share.ty)
    };
    let mut lines: Vec<String> = memory.arguments.iter().map(|share| line("read", share)).collect();
    lines.extend(memory.results.iter().map(|share| line("write", share)));
    lines.extend(memory.temporaries.iter().map(|share| line("both", share)));
    lines.extend(memory.least.as_ref().map(|least| format!("at least {least} bytes are moved")));
    vec![Block::Lines(lines)]
}
