//! Type inference, on programs as the user writes them.

#[path = "infer/support.rs"]
mod support;

use support::{mistakes, typed};

#[test]
fn probe() {
    let Ok(text) = std::env::var("PROBE") else { return };
    for program in text.split("@@") {
        println!("--- {program}\n{}\n{}", typed(program), mistakes(program));
    }
}
