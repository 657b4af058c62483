//! Explanations as JSON (RFC 8259) for other programs. Sizes and work are formulas, as text.
//!
//! The structure is fixed and small, so that it is written here and no dependency is needed.

use std::fmt;

use lift_core::ir::nat::Nat;
use lift_core::work::Work;

use crate::cost::{Amount, Compared, Cost, Memory, Share};
use crate::derivation::{Decided, Derived, Place, Shown};
use crate::document::Document;
use crate::explanation::{Becomes, Explanation};
use crate::forms::{Absent, Forms, MadeForm};
use crate::kernels::{Kernels, Launch, Launched};
use crate::mistake::Mistake;

/// A value of JSON.
enum Json {
    Null,
    Truth(bool),
    Number(i128),
    Text(String),
    List(Vec<Json>),
    /// Fields in the order in which they are written.
    Object(Vec<(&'static str, Json)>),
}

/// A file with its explanations, and with the mistakes that leave other programs unexplained.
pub(crate) fn json(explanations: &[Explanation], mistakes: &[Mistake], document: &Document) -> String {
    let value = Json::Object(vec![
        ("file", text(&document.name)),
        ("programs", list(explanations, program)),
        ("mistakes", list(mistakes, mistake)),
    ]);
    format!("{value}\n")
}

fn program(explanation: &Explanation) -> Json {
    let mut fields = vec![
        ("name", text(&explanation.name)),
        ("line", line(explanation.line)),
        ("typed", shown(&explanation.typed)),
        ("derivation", derivation(&explanation.derived)),
        ("places", list(&explanation.places, place)),
    ];
    match &explanation.becomes {
        Ok(Becomes { forms: chosen, lowering: decided, low_level, kernels, cost, memory }) => {
            fields.push(("forms", forms(chosen)));
            fields.push(("lowering", lowering(decided)));
            fields.push(("lowLevel", shown(low_level)));
            fields.push(("kernels", of_kernels(kernels)));
            fields.push(("work", work(cost)));
            fields.push(("memory", of_memory(memory)));
        }
        Err(mistakes) => fields.push(("mistakes", list(mistakes, mistake))),
    }
    Json::Object(fields)
}

fn mistake(mistake: &Mistake) -> Json {
    Json::Object(vec![
        ("message", text(&mistake.message)),
        ("note", optional(mistake.note.as_deref())),
        ("help", optional(mistake.help.as_deref())),
        ("line", mistake.place.map_or(Json::Null, |place| line(place.line))),
        ("column", mistake.place.map_or(Json::Null, |place| line(place.column))),
    ])
}

fn derivation(derived: &Derived) -> Json {
    let stopped = derived.stopped.as_ref().map_or(Json::Null, |stopped| {
        Json::Object(vec![
            ("step", text(&stopped.step)),
            ("reason", text(&stopped.reason)),
            ("expression", optional(stopped.expression.as_deref())),
        ])
    });
    let steps = list(&derived.taken, |taken| {
        Json::Object(vec![
            ("step", text(&taken.step.to_string())),
            ("statement", text(taken.step.rule.statement)),
            ("regroups", Json::Truth(taken.step.rule.regroups)),
            ("needs", texts(&taken.needs)),
            ("program", shown(&taken.shown)),
        ])
    });
    Json::Object(vec![("steps", steps), ("stopped", stopped)])
}

fn forms(forms: &Forms) -> Json {
    let made =
        |form: &MadeForm| Json::Object(vec![("name", text(&form.name)), ("steps", lowering(&form.steps))]);
    let absent = |absent: &Absent| {
        Json::Object(vec![
            ("class", text(&absent.class)),
            ("of", optional(absent.of.as_deref())),
            ("reason", text(&absent.reason)),
        ])
    };
    Json::Object(vec![("made", list(&forms.made, made)), ("leftOut", list(&forms.left_out, absent))])
}

fn lowering(decided: &[Decided]) -> Json {
    list(decided, |decided| {
        Json::Object(vec![
            ("step", text(&decided.step.to_string())),
            ("statement", text(decided.step.rule.statement)),
            ("regroups", Json::Truth(decided.step.rule.regroups)),
            ("expression", text(&decided.expression)),
        ])
    })
}

fn place(place: &Place) -> Json {
    let path = text(&place.path.to_string());
    let rules = list(&place.rules, |rule| text(rule));
    Json::Object(vec![("path", path), ("expression", text(&place.expression)), ("rules", rules)])
}

fn of_kernels(kernels: &Kernels) -> Json {
    Json::Object(vec![
        ("opencl", text(&kernels.opencl)),
        ("host", optional(kernels.host.as_deref())),
        ("forms", texts(&kernels.forms)),
        ("form", text(&kernels.form)),
        ("launched", list(&kernels.launched, launched)),
        ("conditions", texts(&kernels.conditions)),
        ("repeated", texts(&kernels.repeated)),
    ])
}

fn launched(launched: &Launched) -> Json {
    Json::Object(vec![
        ("form", text(&launched.form)),
        ("launches", list(&launched.launches, launch)),
        ("order", texts(&launched.order)),
    ])
}

fn launch(launch: &Launch) -> Json {
    Json::Object(vec![
        ("kernel", text(&launch.kernel)),
        ("arguments", texts(&launch.arguments)),
        ("global", list(&launch.global, formula)),
        ("local", list(&launch.local, |size| line(*size))),
        ("any", Json::Truth(launch.is_any)),
        ("localMemory", formula(&launch.local_memory)),
    ])
}

fn work(cost: &Cost) -> Json {
    let work = |work: &Work| {
        Json::Object(vec![("loads", formula(&work.loads)), ("operations", formula(&work.operations))])
    };
    let compared = |compared: &Compared| {
        Json::Object(vec![
            ("size", compared.size.map_or(Json::Null, Json::Number)),
            ("sequential", Json::Number(compared.sequential)),
            ("kernels", Json::Number(compared.kernels)),
        ])
    };
    Json::Object(vec![
        ("sequential", work(&cost.sequential)),
        ("kernels", cost.kernels.as_ref().map_or(Json::Null, work)),
        ("compared", list(&cost.compared, compared)),
    ])
}

fn of_memory(memory: &Memory) -> Json {
    let share = |share: &Share| {
        let amount = match &share.amount {
            Amount::Bytes(bytes) => ("bytes", formula(bytes)),
            Amount::Elements(elements) => ("elements", formula(elements)),
        };
        Json::Object(vec![("name", text(&share.name)), ("type", text(&share.ty)), amount])
    };
    Json::Object(vec![
        ("arguments", list(&memory.arguments, share)),
        ("results", list(&memory.results, share)),
        ("temporaries", list(&memory.temporaries, share)),
        ("leastBytes", memory.least.as_ref().map_or(Json::Null, formula)),
    ])
}

fn shown(shown: &Shown) -> Json {
    match shown {
        Ok(program) => text(program),
        Err(unsayable) => Json::Object(vec![("unsayable", text(unsayable))]),
    }
}

fn formula(size: &Nat) -> Json {
    Json::Text(size.to_string())
}

fn line(number: usize) -> Json {
    Json::Number(number as i128)
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn optional(given: Option<&str>) -> Json {
    given.map_or(Json::Null, text)
}

fn texts(given: &[String]) -> Json {
    list(given, |one| text(one))
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Json) -> Json {
    Json::List(items.iter().map(value).collect())
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, 0)
    }
}

impl Json {
    fn write(&self, formatter: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Json::Null => formatter.write_str("null"),
            Json::Truth(truth) => write!(formatter, "{truth}"),
            Json::Number(number) => write!(formatter, "{number}"),
            Json::Text(text) => write_text(text, formatter),
            Json::List(items) if items.is_empty() => formatter.write_str("[]"),
            Json::List(items) => {
                formatter.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    new_line(position, depth + 1, formatter)?;
                    item.write(formatter, depth + 1)?;
                }
                new_line(0, depth, formatter)?;
                formatter.write_str("]")
            }
            Json::Object(fields) => {
                formatter.write_str("{")?;
                for (position, (name, value)) in fields.iter().enumerate() {
                    new_line(position, depth + 1, formatter)?;
                    write!(formatter, "\"{name}\": ")?;
                    value.write(formatter, depth + 1)?;
                }
                new_line(0, depth, formatter)?;
                formatter.write_str("}")
            }
        }
    }
}

/// Begins a line, behind a comma where something stands before it.
fn new_line(before: usize, depth: usize, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let comma = if before > 0 { "," } else { "" };
    write!(formatter, "{comma}\n{:width$}", "", width = 2 * depth)
}

fn write_text(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => formatter.write_str("\\\"")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            letter if letter < ' ' => write!(formatter, "\\u{:04x}", u32::from(letter))?,
            letter => write!(formatter, "{letter}")?,
        }
    }
    formatter.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_empty_lists_take_no_lines() {
        let value = Json::Object(vec![("a", text("\"\\\n\t\u{e9}")), ("b", Json::List(Vec::new()))]);
        assert_eq!(value.to_string(), "{\n  \"a\": \"\\\"\\\\\\n\\u0009\u{e9}\",\n  \"b\": []\n}");
    }
}
