//! What is printed: a line for every computation, and the geometric mean of the ratios.

use crate::computations::Kind;
use crate::race::Row;

/// A comparison: how many times as fast the second contestant is.
struct Ratio {
    name: &'static str,
    of: [Kind; 2],
}

const RATIOS: [Ratio; 3] = [
    Ratio { name: "hand-written / `lift!`", of: [Kind::HandWritten, Kind::Lift] },
    Ratio { name: "in parts / one", of: [Kind::InParts, Kind::Lift] },
    Ratio { name: "PoCL in parts / one", of: [Kind::OpenClInParts, Kind::OpenCl] },
];

/// The table for `docs/performance.md`, without columns that have no numbers.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let kinds = Kind::ALL.into_iter().filter(|kind| rows.iter().any(|row| row.time(*kind).is_some()));
    let kinds: Vec<Kind> = kinds.collect();
    let ratios = RATIOS.iter().filter(|ratio| rows.iter().any(|row| row.ratio(ratio.of).is_some()));
    let ratios: Vec<&Ratio> = ratios.collect();
    let names = kinds.iter().map(|kind| format!("{} ms", kind.name()));
    let names: Vec<String> = names.chain(ratios.iter().map(|ratio| ratio.name.to_owned())).collect();
    let mut text = format!("| computation | size | {} |\n", names.join(" | "));
    text += &format!("| --- | --- |{}\n", " --: |".repeat(names.len()));
    let number = |number: Option<String>| number.unwrap_or_else(|| "–".to_owned());
    for row in rows {
        let times = kinds
            .iter()
            .map(|kind| number(row.time(*kind).map(|time| format!("{:.3}", time.as_secs_f64() * 1e3))));
        let found = ratios.iter().map(|ratio| number(row.ratio(ratio.of).map(|ratio| format!("{ratio:.2}"))));
        let cells: Vec<String> = times.chain(found).collect();
        text += &format!("| {} | {} | {} |\n", row.name, row.size, cells.join(" | "));
    }
    for ratio in ratios {
        let found: Vec<f64> = rows.iter().filter_map(|row| row.ratio(ratio.of)).collect();
        if let Some(mean) = geometric_mean(&found) {
            let least = found.iter().copied().fold(f64::INFINITY, f64::min);
            text += &format!("\nGeometric mean of {}: {mean:.2}, the least {least:.2}\n", ratio.name);
        }
    }
    text
}

fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let count = ratios.len();
    (count > 0).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_mean_of_twice_and_half_is_one() {
        let row = |lift, hand| Row {
            name: "dot product",
            size: "2^24".to_owned(),
            times: vec![
                (Kind::Lift, Duration::from_millis(lift)),
                (Kind::HandWritten, Duration::from_millis(hand)),
            ],
            problems: Vec::new(),
        };
        let text = markdown(&[row(1, 2), row(2, 1)]);
        assert!(text.contains("| dot product | 2^24 | 1.000 | 2.000 | 2.00 |"), "{text}");
        assert!(text.contains("`lift!`: 1.00, the least 0.50"), "{text}");
    }
}
