//! What is printed: one line for every pair, and the geometric mean of the ratios.

use std::time::Duration;

use crate::ablation;
use crate::case::Work;
use crate::measure::{CALLS, Outcome, Row};

/// The table for a terminal.
pub(crate) fn text(rows: &[Row]) -> String {
    let cells = cells(rows);
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        cells.iter().filter_map(|line| line.get(column)).map(|cell: &String| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in &cells {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            // Words to the left, numbers to the right.
            text += &if column < WORDS { format!("{cell:width$}  ") } else { format!("{cell:>width$}  ") };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text + &notes(rows) + &summary(rows)
}

/// The table for `docs/performance.md`.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let cells = cells(rows);
    let mut text = String::new();
    for (position, line) in cells.iter().enumerate() {
        text += &format!("| {} |\n", line.join(" | "));
        if position == 0 {
            let rule: Vec<&str> =
                (0..line.len()).map(|column| if column < WORDS { "---" } else { "--:" }).collect();
            text += &format!("| {} |\n", rule.join(" | "));
        }
    }
    text + "\n" + &summary(rows)
}

/// A line for each finished pair, for those who wait.
pub(crate) fn progress(rows: &[Row]) -> String {
    let line = |row| {
        let ratio = ratio(row).map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
        format!("    {ratio}  {}\n", row.structure)
    };
    rows.iter().map(line).collect()
}

/// The number of columns of words; the columns after them are numbers.
const WORDS: usize = 3;

fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let with_calls = rows.iter().any(|row| !row.calls.is_empty());
    let calls = CALLS.iter().filter(|_| with_calls);
    let with_ablation = rows.iter().any(|row| !row.ablation.is_empty());
    let variants = ablation::VARIANTS.iter().filter(|_| with_ablation);
    let head = [
        "computation",
        "size",
        "structure",
        "hand-written ms",
        "generated ms",
        "ratio",
        "hand-written",
        "generated",
    ];
    let head = head
        .into_iter()
        .chain(calls.clone().map(|(name, _)| *name))
        .chain(variants.clone().map(|variant| variant.name));
    let mut cells = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for row in rows {
        let mut line = vec![
            row.computation.to_owned(),
            row.size.clone(),
            row.structure.to_owned(),
            milliseconds(&row.reference),
            milliseconds(&row.generated),
            ratio(row).map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
            rate(row.work, &row.reference),
            rate(row.work, &row.generated),
        ];
        let cell = |outcome: Option<&Outcome>| outcome.map_or_else(|| "–".to_owned(), milliseconds);
        line.extend(calls.clone().enumerate().map(|(position, _)| cell(row.calls.get(position))));
        line.extend(variants.clone().enumerate().map(|(position, _)| cell(row.ablation.get(position))));
        cells.push(line);
    }
    cells
}

// Four digits after the point: tenths of a microsecond, finer than the clocks of devices.
fn milliseconds(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Time(time) => format!("{:.4}", time.as_secs_f64() * 1e3),
        Outcome::Missing(_) => "–".to_owned(),
        Outcome::Failed(_) => "failed".to_owned(),
    }
}

fn rate(work: Work, outcome: &Outcome) -> String {
    let Outcome::Time(time) = outcome else { return "–".to_owned() };
    let per_second = |amount: f64| amount / time.as_secs_f64().max(1e-9) / 1e9;
    match work {
        Work::Bytes(bytes) => format!("{:.1} GB/s", per_second(bytes)),
        Work::Operations(operations) => format!("{:.1} GFLOP/s", per_second(operations)),
    }
}

/// How many times as fast the generated kernel is.
fn ratio(row: &Row) -> Option<f64> {
    speed(&row.reference, &row.generated)
}

/// How many times as fast a kernel is with its sizes as constants.
fn gain_of_constants(row: &Row) -> Option<f64> {
    speed(row.calls.first()?, row.calls.get(1)?)
}

fn speed(before: &Outcome, after: &Outcome) -> Option<f64> {
    let seconds = |outcome: &Outcome| match outcome {
        Outcome::Time(time) if *time > Duration::ZERO => Some(time.as_secs_f64()),
        Outcome::Time(_) | Outcome::Missing(_) | Outcome::Failed(_) => None,
    };
    Some(seconds(before)? / seconds(after)?)
}

/// Why cells are empty.
fn notes(rows: &[Row]) -> String {
    let mut notes = String::new();
    for row in rows {
        let outcomes = [("hand-written", &row.reference), ("generated", &row.generated)];
        let calls = CALLS.iter().map(|(name, _)| *name).zip(&row.calls);
        let variants = ablation::VARIANTS.iter().map(|variant| variant.name).zip(&row.ablation);
        for (side, outcome) in outcomes.into_iter().chain(calls).chain(variants) {
            let place = format!("{} {}, {}, {side}", row.computation, row.size, row.structure);
            match outcome {
                Outcome::Missing(_) if side != "generated" => {}
                Outcome::Missing(reason) => notes += &format!("{place}: not there yet: {reason}\n"),
                Outcome::Failed(problem) => notes += &format!("{place}: FAILED: {problem}\n"),
                Outcome::Time(_) => {}
            }
        }
    }
    notes
}

/// The geometric means of all ratios.
fn summary(rows: &[Row]) -> String {
    let line = |what: &str, ratios: Vec<f64>| {
        let mean = geometric_mean(&ratios)?;
        Some(format!("Geometric mean of {what} over {} of {} pairs: {mean:.3}\n", ratios.len(), rows.len()))
    };
    let ratios = line("hand-written/generated", rows.iter().filter_map(ratio).collect());
    let gains = line("called/called with constants", rows.iter().filter_map(gain_of_constants).collect());
    ratios.unwrap_or_else(|| "No pair has both sides.\n".to_owned()) + &gains.unwrap_or_default()
}

fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let count = ratios.len();
    (count > 0).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(reference: u64, generated: Outcome) -> Row {
        Row {
            computation: "dot product",
            size: "2^24".to_owned(),
            structure: "two stages",
            work: Work::Bytes(8e6),
            reference: Outcome::Time(Duration::from_micros(reference)),
            generated,
            calls: Vec::new(),
            ablation: Vec::new(),
        }
    }

    #[test]
    fn a_ratio_above_one_means_that_the_generated_kernel_is_faster() {
        let rows = [
            row(200, Outcome::Time(Duration::from_micros(100))),
            row(100, Outcome::Missing("vectors".to_owned())),
        ];
        let text = text(&rows);
        assert!(text.contains("   0.2000        0.1000   2.00     40.0 GB/s  80.0 GB/s"), "{text}");
        assert!(text.contains("not there yet: vectors"), "{text}");
        assert!(text.contains("over 1 of 2 pairs: 2.000"), "{text}");
    }

    #[test]
    fn the_mean_of_twice_and_half_is_one() {
        let mean = geometric_mean(&[2.0, 0.5]).expect("there are numbers");
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
