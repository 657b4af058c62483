//! Random functions that the whole device applies again and again, to arrays whose length changes each time.

use lift_core::eval::{Argument, Value};

use super::choices::Choices;
use super::program::RandomProgram;

/// No array is longer.
const LONGEST: usize = 700;

/// Applications take a simulator as long as programs.
const MOST_APPLICATIONS: usize = 9;

/// What a step does to the length `n`: `n * factor / divisor + offset`.
#[derive(Clone, Copy)]
struct Change {
    factor: usize,
    divisor: usize,
    offset: isize,
    /// The fewest elements that it takes.
    needed: usize,
}

impl Change {
    fn keeps_length(self) -> bool {
        (self.factor, self.divisor, self.offset) == (1, 1, 0)
    }
}

/// A program whose result is an `iterate`, or is made of one.
pub(crate) fn repeated_program(choices: &mut Choices) -> RandomProgram {
    let (step, change) = step(choices);
    let (times, first) = lengths(choices, change);
    let (count, size) = match choices.below(3) {
        0 if times > 0 => (times.to_string(), None),
        1 if times > 0 => ("m + 1".to_owned(), Some(times - 1)),
        _ => ("m".to_owned(), Some(times)),
    };
    // A number that is known to be wrong for one application is wrong, however many there are.
    let length = if times > 0 && choices.one_in(4) { first.to_string() } else { "N".to_owned() };
    let before = choices.pick(&["", "", "reverse >> ", "map(|x| x * 2 - 1) >> ", "gather(rotate(1)) >> "]);
    let after = choices.pick(&["", "", " >> reverse", " >> map(|x| x + 3)", " >> reverse >> map(|x| x * 5)"]);
    let parameter = if size.is_some() { ", m: size" } else { "" };
    let name = match change.keeps_length() && !choices.one_in(4) {
        true => {
            let goes_on = choices.pick(&[
                "reduce(add, 0, t) % 7 != 3",
                "at(0, t) < 20",
                "reduce(max, -100, t) < 40",
                "{ let s = reduce(add, 0, map(|x| x * x, t)); s < 9000 && s != 1 }",
            ]);
            format!("iterateWhile({count}, |t| {goes_on}, ")
        }
        false => format!("iterate({count}, "),
    };
    let text = format!("|a: [i32; {length}]{parameter}| a >> {before}{name}|t| {step}){after}");
    let a = (0..first).map(|_| choices.below(100) as i32 - 50);
    let mut arguments = vec![Argument::Value(Value::i32_array(a.collect::<Vec<_>>()))];
    arguments.extend(size.map(|size| Argument::Size(size as u64)));
    RandomProgram { text, arguments }
}

/// The body of the function, and what it does to the length.
fn step(choices: &mut Choices) -> (String, Change) {
    let inner = choices.pick(&[
        "",
        "",
        "",
        " >> iterate(2, |u| u >> reverse >> map(|x| x + 1))",
        " >> iterate(7, |u| u >> reverse >> map(|x| x * 3))",
    ]);
    let view = choices.pick(&["", "", " >> reverse", " >> gather(rotate(1))"]);
    let (changed, change) = changed(choices);
    let after = choices.pick(&["", "", " >> reverse", " >> map(|x| x - 2)"]);
    let (sum, plus) = match choices.one_in(6) {
        true => ("let s = reduce(add, 0, t); ", " >> map(|x| x + s % 5)"),
        false => ("", ""),
    };
    (format!("{{ {sum}let u = t{inner}{view}; {changed}{after}{plus} }}"), change)
}

/// What becomes of `u`, and what that does to the length.
fn changed(choices: &mut Choices) -> (String, Change) {
    let same = Change { factor: 1, divisor: 1, offset: 0, needed: 1 };
    match choices.below(8) {
        6 | 7 => {
            let kept = choices.pick(&[
                "u >> map(|x| x + 3)",
                "u >> pad(1, 1, wrap) >> slide(3, 1) >> map(|w| at(0, w) - at(2, w) + 1)",
            ]);
            (kept.to_owned(), same)
        }
        0 | 1 => {
            let divisor = 2 + choices.below(2);
            let function =
                choices.pick(&["reduce(add, 0)", "reduce(max, -100)", "|w| at(0, w) * 3 - at(1, w)"]);
            (format!("u >> split({divisor}) >> map({function})"), Change { divisor, ..same })
        }
        2 => {
            let size = 2 + choices.below(2);
            let function = choices.pick(&["reduce(min, 100)", "|w| at(1, w) - at(0, w)"]);
            let change = Change { offset: 1 - size as isize, needed: size, ..same };
            (format!("u >> slide({size}, 1) >> map({function})"), change)
        }
        3 => {
            let (left, right) = (choices.below(3), 1 + choices.below(2));
            let border = choices.pick(&["clamp", "wrap"]);
            let change = Change { offset: (left + right) as isize, ..same };
            (format!("u >> pad({left}, {right}, {border}) >> map(|x| x + 1)"), change)
        }
        4 => {
            let other = choices.pick(&["reverse(u)", "u >> map(|x| x * 3 + 1)"]);
            (format!("concat(u, {other}) >> map(|x| x + 1)"), Change { factor: 2, ..same })
        }
        _ => {
            let change = Change { offset: 1, ..same };
            ("u >> pad(1, 1, wrap) >> slide(2, 1) >> map(reduce(add, 0))".to_owned(), change)
        }
    }
}

/// A number of applications, and a length that an array may have before them.
fn lengths(choices: &mut Choices, change: Change) -> (usize, usize) {
    let last = change.needed + choices.below(20);
    let mut times = choices.below(MOST_APPLICATIONS + 1);
    loop {
        // An array that becomes shorter is looked at from its end, one that becomes longer from its start.
        let shorter = change.factor == 1 && change.offset <= 0;
        let longest = (0..times).fold(last, |length, _| match shorter {
            true => (length + change.offset.unsigned_abs()) * change.divisor,
            false => length * change.factor + change.offset.unsigned_abs(),
        });
        if longest <= LONGEST {
            return (times, if shorter { longest } else { last });
        }
        times -= 1;
    }
}
