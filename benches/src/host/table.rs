//! What is printed: a line for every computation, and the geometric mean of the ratios.

use crate::computations::Kind;
use crate::race::Row;

/// The table for the README.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from("| computation | size |");
    Kind::ALL.iter().for_each(|kind| text += &format!(" {} ms |", kind.name()));
    text += " hand-written / `lift!` |\n| --- | --- | --: | --: | --: | --: | --: |\n";
    for row in rows {
        text += &format!("| {} | {} |", row.name, row.size);
        for kind in Kind::ALL {
            let time = row.time(kind).map(|time| format!("{:.3}", time.as_secs_f64() * 1e3));
            text += &format!(" {} |", time.unwrap_or_else(|| "–".to_owned()));
        }
        let ratio = row.ratio().map(|ratio| format!("{ratio:.2}"));
        text += &format!(" {} |\n", ratio.unwrap_or_else(|| "–".to_owned()));
    }
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    match geometric_mean(&ratios) {
        Some(mean) => {
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            text + &format!("\nGeometric mean of hand-written / `lift!`: {mean:.2}, the least {least:.2}\n")
        }
        None => text,
    }
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
        assert!(text.contains("| dot product | 2^24 | 1.000 | 2.000 | – | – | 2.00 |"), "{text}");
        assert!(text.contains("`lift!`: 1.00, the least 0.50"), "{text}");
    }
}
