//! Programs that named strategies derive.
//!
//! Every program on the way has types, computes what the first one does, and is what one reads again when it
//! is written down. The steps can be replayed. The last programs become the kernels of the low-level programs
//! that people wrote down.

mod products;
mod reductions;
mod stencils;

use lift_core::compile;
use lift_core::eval::evaluate;
use lift_core::ir::nat::Nat;
use lift_core::ir::typed::Program;
use lift_core::ir::typed::alpha::alpha_eq_programs;
use lift_core::ir::typed::show::show;
use lift_core::middle::rewrite::{Argument, Kind, Rewriter, Rewritten, Strategy, strategies};
use lift_corpus::Topic;

use crate::checked::{assert_well_typed, is_same};
use crate::same_up_to_names::difference;
use crate::support::{typed, typed_kernel, with_needs};
use crate::values::{Sizes, arguments};

/// A program of the corpus.
fn of_corpus(topic: Topic, name: &str) -> Program {
    let function = topic.function(name).unwrap_or_else(|| panic!("there is no program `{name}`"));
    typed_kernel(&function, name).unwrap_or_else(|error| panic!("{function}\n{error}"))
}

/// A named strategy for a program, with numbers as arguments.
fn strategy(program: &Program, name: &str, numbers: &[u8]) -> Strategy {
    let named = strategies::find(name).unwrap_or_else(|| panic!("there is no strategy `{name}`"));
    assert_eq!(numbers.len(), named.parameters.len(), "the arguments of `{name}`");
    let argument = |(number, (_, kind)): (&u8, &(&str, Kind))| match kind {
        Kind::Width => Argument::Width(*number),
        _ => Argument::Size(Nat::constant(i128::from(*number))),
    };
    let arguments = numbers.iter().zip(named.parameters).map(argument).collect();
    named.of(program, arguments).unwrap_or_else(|mismatch| panic!("`{name}`: {mismatch}"))
}

/// What a named strategy makes of a program.
fn derived(program: &Program, name: &str, numbers: &[u8]) -> Rewritten {
    let mut rewriter = Rewriter::new(program);
    let strategy = strategy(program, name, numbers);
    rewriter.run(&strategy).unwrap_or_else(|failure| panic!("{failure}\nat {}", failure.path));
    rewriter.rewritten()
}

/// The kernels of a program, and who executes them.
fn kernels(program: &Program) -> String {
    let compiled = compile(program).unwrap_or_else(|messages| {
        let messages: Vec<String> = messages.iter().map(|message| message.render()).collect();
        panic!("{}", messages.join("\n"))
    });
    let mut text = compiled.plain.source.clone();
    for kernel in &compiled.plain.kernels {
        let ([x, y, z], [i, j, k]) = (&kernel.global, &kernel.local);
        text += &format!("// {x} x {y} x {z} work-items in groups of {i} x {j} x {k}\n");
    }
    text
}

/// Fails where the kernels that a strategy derives are not those of a program of the corpus.
fn assert_derives(topic: Topic, wanted: &str, from: &str, name: &str, numbers: &[u8]) {
    assert_derives_program(&of_corpus(topic, wanted), wanted, from, name, numbers);
}

/// The same for a program that is not in the corpus.
fn assert_derives_program(by_hand: &Program, wanted: &str, from: &str, name: &str, numbers: &[u8]) {
    let program = typed(from).unwrap_or_else(|error| panic!("{from}\n{error}"));
    let rewritten = derived(&program, name, numbers);
    let found = kernels(&with_needs(&rewritten));
    let by_hand = kernels(by_hand);
    if let Some(difference) = difference(&by_hand, &found) {
        panic!("{name} of {from}\nis not `{wanted}`:\n{difference}\n\n{found}");
    }
    let replayed = rewritten.derivation.replay(&program, &mut |_, _| {}).expect("the same steps");
    assert_eq!(kernels(&with_needs(&replayed)), found, "replayed");
}

/// A derivation and the program that it ends with, for people.
fn told(from: &str, name: &str, numbers: &[u8]) -> String {
    let program = typed(from).unwrap_or_else(|error| panic!("{from}\n{error}"));
    let rewritten = derived(&program, name, numbers);
    let text = show(&with_needs(&rewritten)).unwrap_or_else(|unsayable| panic!("{unsayable}"));
    format!("{}\n\n{text}", rewritten.derivation)
}

/// Derives a program step by step, and checks each: types, values for these sizes, and its text, read again.
/// Returns the last program with its needs, and how many of the programs cannot be said.
fn derived_in_steps(text: &str, name: &str, numbers: &[u8], sizes: &[i128]) -> (Program, usize) {
    let program = typed(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let rewritten = derived(&program, name, numbers);
    let variables = program.sizes.iter().map(|size| size.variable.clone());
    let sizes: Sizes = variables.zip(sizes.iter().copied()).collect();
    for need in &rewritten.needs {
        let condition = need.requirement.condition().expect("a condition on sizes");
        let holds = condition.evaluate(&|variable| sizes.get(variable).copied());
        assert_eq!(holds, Some(true), "{text}\nneeds {condition}");
    }
    let arguments = arguments(&program, &sizes, 2016).expect("arguments of these sizes");
    let value = evaluate(&program, &arguments).expect("a value for these sizes");
    let mut unsayable = Vec::new();
    let replayed = rewritten.derivation.replay(&program, &mut |step, rewriter| {
        let now = rewriter.rewritten();
        let what = format!("{text}\n{}\nbehind {step}", rewritten.derivation);
        assert_well_typed(&now, &what);
        let other = evaluate(&now.program, &arguments);
        assert!(other.as_ref().is_ok_and(|other| is_same(other, &value)), "{what}\ncomputes {other:?}");
        unsayable.extend(unsayable_or_same(&with_needs(&now), &what));
    });
    assert_eq!(replayed.as_ref(), Ok(&rewritten), "{text}\nreplayed");
    for reason in &unsayable {
        println!("{name}: {reason}");
    }
    (with_needs(&rewritten), unsayable.len())
}

/// Fails where a program is another one when its text is read again; says why it has no text.
fn unsayable_or_same(program: &Program, what: &str) -> Option<String> {
    let text = match show(program) {
        Ok(text) => text,
        Err(unsayable) => return Some(unsayable.to_string()),
    };
    let again = typed(&text).unwrap_or_else(|error| panic!("{what}\nis shown as\n{text}\n{error}"));
    assert!(alpha_eq_programs(program, &again), "{what}\nis shown as\n{text}\nwhich is another program");
    None
}
