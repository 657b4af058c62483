//! Numbers in programs that are larger than any size: each is a message for the user, or compiles; nothing
//! overflows.

use lift_core::compile;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_items};
use lift_core::front::syntax::Input;
use lift_corpus::lists::EVERY_PRIMITIVE;

/// The messages about a program; none where it compiles.
fn messages(text: &str) -> Vec<Diagnostic> {
    let parsed = lift_parser::parse_text(text);
    if !parsed.errors.is_empty() {
        return parsed.errors;
    }
    let programs = match parsed.input {
        Some(Input::Closure(closure)) => infer_closure(&closure).map(|program| vec![program]),
        Some(Input::Items(items)) => infer_items(&items).map(|items| items.kernels),
        Some(Input::Inline(_)) | None => panic!("neither a closure nor items: {text}"),
    };
    match programs {
        Ok(programs) => programs.iter().filter_map(|program| compile(program).err()).flatten().collect(),
        Err(messages) => messages,
    }
}

/// What the user is told about a program, without help.
fn told(text: &str) -> Vec<String> {
    messages(text).into_iter().map(|message| message.message).collect()
}

/// The text with each of its numbers, one at a time, replaced by another one.
fn with_number(text: &str, number: &str) -> Vec<String> {
    let is_word = |character: Option<char>| {
        character.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_' || it == '.')
    };
    let mut changed = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|it: char| it.is_ascii_digit()).map(|offset| at + offset) {
        let end =
            text[start..].find(|it: char| !it.is_ascii_digit()).map_or(text.len(), |offset| start + offset);
        let (before, after) = (&text[..start], &text[end..]);
        if !is_word(before.chars().last()) && !is_word(after.chars().next()) {
            changed.push(format!("{before}{number}{after}"));
        }
        at = end;
    }
    changed
}

#[test]
fn any_number_is_accepted_or_refused_with_a_message_for_the_user() {
    let numbers = ["4294967297", "9223372036854775807", "18446744073709551615"];
    let mut tried = 0;
    for text in EVERY_PRIMITIVE {
        for number in numbers {
            for changed in with_number(text, number) {
                tried += 1;
                let internal =
                    messages(&changed).into_iter().find(|message| message.message.contains("internal error"));
                assert_eq!(internal, None, "{changed}");
            }
        }
    }
    assert!(tried > 400, "{tried}");
}

#[test]
fn numbers_above_all_integers_are_refused_where_they_are_read() {
    for text in [
        "|a: [f32; N]| slide(1, 170141183460469231731687303715884105727, a)",
        "|a: [f32; N]| a >> map(|x| x + 18446744073709551616)",
        "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 18446744073709551616 == 0 { a }",
        "|a: [f32; 99999999999999999999999999999999999999999999]| a >> map(id)",
    ] {
        assert_eq!(told(text), ["this number is too large"], "{text}");
    }
    assert_eq!(told("|a: [f32; N]| a >> map(|x| x + 100000000000000000000f32)"), [""; 0]);
    assert_eq!(told("|a: [u64; N]| a >> map(|x| x + 18446744073709551615)"), [""; 0]);
}

#[test]
fn sizes_of_more_than_63_bits_are_refused() {
    for (text, message) in [
        ("|a: [f32; N]| a >> split(9223372036854775808)", "the size 9223372036854775808 is too large"),
        ("|a: [f32; N]| a >> split(4611686018427387904 * 2)", "the size 9223372036854775808 is too large"),
        ("|a: [f32; 18446744073709551615]| a >> map(id)", "the size 18446744073709551615 is too large"),
        (
            "|a: [f32; N]| a >> gather(|i| (i * 9223372036854775807 * 2) % N)",
            "this size is computed with 18446744073709551614, which is too large",
        ),
        (
            "|a: [f32; N]| a >> slice(9223372036854775807, 9223372036854775807)",
            "on the way to an index this program computes with 18446744073709551613, which 64 bits do not hold",
        ),
        (
            "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> tile(4, 9223372036854775807) >> untile }",
            "64 bits do not hold the number of elements of this array, which has the type \
             `[[[f32; 4]; 9223372036854775807]; M / 9223372036854775807]`",
        ),
        (
            "#[launch(local = 18446744073709551615)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> mapGlb0(id) }",
            "a group has no 18446744073709551615 work-items on any device",
        ),
    ] {
        assert_eq!(told(text), [message], "{text}");
    }
}

#[test]
fn large_divisors_are_no_riddle() {
    let text = "fn f<const N: usize, const K: usize>(a: [[f32; K]; N]) -> [[f32; K]; N] where K % 9223372036854775807 == 0, \
                K % 9223372036854775783 == 0, K % 9223372036854775643 == 0, N % 32 == 0 { \
                a >> split(32) >> mapWrg0(|t| t >> transpose >> mapLcl0(|c| c >> toGlobal(mapSeq(id))) >> transpose) >> join }";
    assert_eq!(told(text), [""; 0]);
}

#[test]
fn rows_start_at_sums_that_have_formulas() {
    for text in [
        "|a: [f32; N]| a >> partition(3, |i| log2(N)) >> map(reduce(add, 0))",
        "|a: [f32; N], m: size| a >> partition(m, |i| N / m) >> map(reduce(add, 0))",
        "|a: [f32; N], m: size| a >> partition(m, |i| i * log2(m) + N % m) >> map(reduce(add, 0))",
        "|a: [f32; N]| a >> partition(5, |i| log2(i + 1)) >> map(reduce(add, 0))",
    ] {
        assert_eq!(told(text), [""; 0], "{text}");
    }
    assert_eq!(
        told("|a: [f32; N], m: size| a >> partition(m, |i| log2(i + 1)) >> map(reduce(add, 0))"),
        [
            "rows start at sums of their lengths, and no formula is known for the sum of `log2(i + 1)` over every `i`"
        ]
    );
    assert_eq!(
        told("|a: [f32; N], m: size| a >> gather(|i| (i + sum(m, |k| log2(k + 1))) % N)"),
        [
            "an index is computed from a sum, and no formula is known for the sum of `log2(k + 1)` over every `k`"
        ]
    );
}

#[test]
fn room_in_local_memory_is_a_number() {
    let text = "|a: [[f32; 64]; N]| a >> mapWrg0(|r| r >> toLocal(increase(16, N) >> mapLcl0(id)) >> mapLcl0(toGlobal(id)))";
    let message = "an array in local memory needs a length that is known during compilation, but with the room that `increase` makes \
                   this has `N + 80` elements";
    assert_eq!(told(text), [message]);
}

/// Two sums and room for five more: rows that nobody stores need none.
#[test]
fn room_is_for_what_is_stored() {
    let text = "|a: [[[f32; N]; 2]; M]| a >> mapWrg0(toLocal(increase(3, 2) >> mapLcl0(reduceSeq(add, 0))) >> mapLcl0(id))";
    assert_eq!(told(text), [""; 0]);
}
