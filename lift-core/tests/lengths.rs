//! No text of a program is long, in either language: what a program does several times is there once where
//! its code would be long.

use lift_core::compile;
use lift_core::compiled::Compiled;

#[allow(dead_code, reason = "no random programs are made here")]
#[path = "support/typed.rs"]
mod typed;

/// The longest text, in bytes.
const LONGEST: usize = 60_000;

fn compiled(text: &str) -> Compiled {
    let program = typed::typed(text).expect("it is typed");
    compile(&program).unwrap_or_else(|errors| {
        let messages: Vec<_> = errors.iter().map(|error| error.render()).collect();
        panic!("{text}\n{}", messages.join("\n"))
    })
}

/// The bytes of OpenCL and of Rust.
fn lengths(text: &str) -> [usize; 2] {
    let compiled = compiled(text);
    [compiled.plain.source.len(), compiled.host.map_or(0, |host| host.text.len())]
}

fn assert_short(text: &str) {
    let lengths = lengths(text);
    assert!(lengths.iter().all(|length| *length <= LONGEST), "{lengths:?} bytes: {text}");
}

/// Scans, `count` of them, each of the result of the one before.
fn scans(count: usize) -> String {
    format!("|a: [f32; N]| a{}", " >> scan(add, 0.0)".repeat(count))
}

#[test]
fn scans_in_a_row_share_their_functions() {
    assert_short(&scans(4));
    let step = " >> scanInclusive(add) >> scan(add, 1)";
    assert_short(&format!("|a: [i32; N], k: [i32; M]| iterate(2, |xs| k{step}, a)"));
    let host = compiled(&scans(3)).host.expect("there is Rust");
    assert_eq!(host.entries.len(), 9);
    let functions = host.text.matches("fn __lift_kernel_").count();
    assert!(functions < 9, "{functions} functions");
    for entry in &host.entries {
        assert_eq!(host.text.matches(&format!("fn {entry}(")).count(), 1, "{entry}");
    }
}

#[test]
fn applications_that_change_the_length_are_written_out_only_where_that_is_short() {
    for (length, times) in [("5", 16), ("5", 60), ("100", 16), ("100", 60), ("M", 16), ("M", 60)] {
        for function in [
            "pad(1, 1, mirror) >> mapSeq(|x| x + 1)",
            "gather(rotate(1)) >> pad(0, 1, clamp)",
            "pad(1, 1, wrap)",
        ] {
            assert_short(&format!(
                "|a: [[i32; {length}]; N]| a >> map(|row| iterate({times}, |s| s >> {function}, row))"
            ));
        }
    }
    let halvings = |levels: u32| {
        let length = 1u64 << levels;
        format!(
            "|a: [[i32; {length} * M]; N]| a >> map(iterate({levels}, |s| s >> split(2) >> map(reduceSeq(add, 0))))"
        )
    };
    for levels in [8, 16, 40] {
        assert_short(&halvings(levels));
    }
}

#[test]
fn loops_in_registers_are_written_out_only_where_their_statements_are_short() {
    for length in [8, 32, 60, 64] {
        assert_short(&format!(
            "|a: [[i32; {length}]; N], b: [[i32; {length}]; N]| zip2(a, b) >> map(|row| iterate(4, |s| s >> gather(rotate(1)) >> \
             mapSeq(|p| (p.1 * p.0 + (p.1 / 3) - p.0 % 7, p.0 - p.1 * p.0 + p.1 * (p.1 + p.0))), row) >> map(|p| [p.0, p.1]))"
        ));
    }
}

/// Strips that reach every position leave nothing to be done alone.
#[test]
fn code_that_is_never_executed_is_not_printed() {
    let rust = |text: &str| compiled(text).host.expect("there is Rust").text;
    let whole = rust("|a: [f32; N]| a >> map(|x| x + 1.0)");
    assert!(whole.contains("__lift_host::one_row("), "{whole}");
    assert_eq!(whole.matches("1.0f32").count(), 1, "{whole}");
    let filled =
        rust("|a: [[f32; 256]; N]| a >> mapWrg0(|row| row >> mapLcl0(|x| { let y = x * x; y + 1.0 }))");
    assert!(!filled.contains("__lift_host::strips"), "{filled}");
}

/// A sum without a formula was evaluated for a million positions, to guess where comparisons come out as in
/// the middle. Of these sums in sums, nobody would live to see that.
#[test]
fn sums_without_a_formula_are_not_evaluated() {
    let text = "|a: [f32; N], m: size| a >> gather(|i| (i + sum(m, |j| sum(m, |k| sum(m, |l| log2(j * k * l + 1))))) % N)";
    let refused = compile(&typed::typed(text).expect("it is typed")).map(|compiled| compiled.plain.source);
    let message =
        refused.expect_err("no formula is known").iter().map(|error| error.render()).collect::<String>();
    assert!(message.contains("no formula is known for the sum"), "{message}");
}

/// Rows that one work-item makes for itself inside a group, of a length that nobody knows.
#[test]
fn rows_of_any_length_between_two_levels_lie_in_global_memory_or_where_they_go() {
    let stored = compiled(
        "|a: [[[f64; N]; K]; M]| a >> mapWrg0(mapLcl0(|q| q >> mapSeq(|x| x + 1) >> pad(1, 1, clamp) >> mapSeq(|x| x * 2)))",
    );
    assert!(stored.plain.source.contains("global double* temporary"), "{}", stored.plain.source);
    // What is only rearranged is written where it goes: the rows are in no memory of their own.
    let rearranged = compiled(
        "|a: [[[[f64; N]; L]; K]; M]| a >> mapWrg1(mapLcl0(|r| reverse(map(|q| q >> mapSeq(|x| x + 1), r)))) >> \
         mapGlb0(mapSeq(mapSeq(mapSeq(id))))",
    );
    assert_eq!(rearranged.plain.source.matches("temporary[").count(), 2, "{}", rearranged.plain.source);
}
