//! What the tool prints: explanations of programs of the corpus, which are reviewed, and what it says where
//! there is nothing to explain.
//!
//! `INSTA_UPDATE=always cargo test -p lift-explain` writes the explanations anew; read the difference.

use lift_corpus::{Topic, interface, language, programs};
use lift_explain::{Colour, Document, Form, Report, Request, Wanted, read, report, rules, strategies};

/// What a command line asks for.
fn wanted(arguments: &[&str]) -> Wanted {
    match read(arguments.iter().map(|&argument| argument.to_owned())) {
        Ok(Request::Explain(wanted)) => wanted,
        other => panic!("{other:?}"),
    }
}

/// The file of a topic, under the name that it has in the repository.
fn file(topic: Topic) -> Document {
    Document::new(format!("corpus/{}/{}.rs", topic.group, topic.name), topic.text)
}

fn explained(document: &Document, arguments: &[&str]) -> Report {
    let arguments: Vec<&str> = [document.name.as_str()].iter().chain(arguments).copied().collect();
    report(document, &wanted(&arguments), Colour::Never).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn refused(text: &str, arguments: &[&str]) -> String {
    let arguments: Vec<&str> = ["a.rs"].iter().chain(arguments).copied().collect();
    match report(&Document::new("a.rs", text), &wanted(&arguments), Colour::Never) {
        Err(refusal) => refusal.to_string(),
        Ok(report) => panic!("{}", report.text),
    }
}

macro_rules! explanations {
    ($($name:ident: $topic:expr, $arguments:expr;)*) => {$(
        #[test]
        fn $name() {
            let report = explained(&file($topic), &$arguments);
            assert!(report.is_complete);
            insta::assert_snapshot!(stringify!($name), report.text);
        }
    )*};
}

explanations! {
    photograph_in_chunks_of_rows: programs::PHOTOGRAPH, [
        "gaussian3", "--apply", "reduceMapFusion @ 1.1", "--apply", "splitJoin(4) @ .", "--host",
    ];
    dot_product_by_groups: programs::ALGORITHMS, ["partial_dot"];
    softmax_of_rows: programs::ALGORITHMS, ["softmax"];
    blur_again_and_again: language::ITERATIONS, ["blurred"];
    arrays_of_tuples: interface::TUPLES, ["described"];
}

/// The program of most tests here.
const TWICE: &str = "fn f() {\n    lift!(|a: [f32; N]| a >> map(|x| x + 1) >> map(|x| x * x));\n}\n";

#[test]
fn a_step_that_does_not_apply_is_told_with_the_reason_and_the_place() {
    let report = explained(
        &Document::new("a.rs", TWICE),
        &["--apply", "mapFusion @ .", "--apply", "mapFusion @ 1", "--apply", "mapFusion @ 0"],
    );
    assert!(!report.is_complete);
    let (_, derivation) = report.text.split_once("derivation\n").expect("a derivation");
    let (derivation, _) = derivation.split_once("low-level").expect("another section");
    insta::assert_snapshot!("steps", derivation);
}

#[test]
fn steps_that_are_none_are_told() {
    for (step, reason) in [
        ("mapFussion @ .", "there is no rule `mapFussion`; `--rules` lists them"),
        ("mapFusion @ 7", "there is no expression at `7`; `--places` lists them"),
    ] {
        let report = explained(&Document::new("a.rs", TWICE), &["--apply", step]);
        assert!(!report.is_complete);
        assert!(report.text.contains(&format!("`{step}` does not apply: {reason}")), "{}", report.text);
    }
}

/// The section about forms.
fn forms(text: &str) -> String {
    let report = explained(&Document::new("a.rs", text), &[]);
    assert!(report.is_complete);
    let (_, forms) = report.text.split_once("\nforms\n").expect("the section");
    forms.split_once("\nlowering\n").expect("another section").0.to_owned()
}

#[test]
fn forms_that_are_made_while_a_program_is_lowered_have_their_steps() {
    let text = "lift! {\n    fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {\n        \
                a >> transpose >> map(reduce(add, 0))\n    }\n}\n";
    insta::assert_snapshot!("forms", forms(text));
}

#[test]
fn launches_and_memory_are_told_of_the_plain_form_unless_there_is_a_schedule() {
    let softmax = file(programs::ALGORITHMS);
    let text = explained(&softmax, &["softmax"]).text;
    assert!(text.contains("The form `rows` is for"), "{text}");
    assert!(text.contains("\n    The plain form:\n        softmax_1(a, temporary 0, N, M)\n"), "{text}");
    assert!(text.contains("\n    both   temporary 0: [f32; N], 4 * N bytes\n"), "{text}");
    let scheduled = Document::new("a.rs", SCHEDULED);
    let text = explained(&scheduled, &["shifted"]).text;
    assert!(text.contains("\n    The form `scheduled`:\n        shifted("), "{text}");
    for (document, program, form) in [(&softmax, "softmax", "plain"), (&scheduled, "shifted", "scheduled")] {
        let data = explained(document, &[program, "--json"]).text;
        assert!(data.contains(&format!("\"form\": \"{form}\"")), "{data}");
    }
}

#[test]
fn classes_without_a_form_are_listed_with_the_reason() {
    let says_who = "fn f() {\n    lift!(|a: [f32; N]| a >> mapGlb0(|x| x + 1));\n}\n";
    let reason = "    None is chosen, because the program says who computes what.\n";
    assert_eq!(forms(says_who), reason);
    let rows = "fn f() {\n    lift!(|a: [[f32; M]; N]| a >> map(reduce(add, 0)));\n}\n";
    for line in [
        "`columns`: not for `x >> reduce(add, 0)`, because neighbouring work-items do not read neighbours",
        "`tiledTranspose`: not, because the program does more than transpose a matrix that is passed",
    ] {
        assert!(forms(rows).lines().any(|told| told.trim_start() == line), "{line}\n{}", forms(rows));
    }
    let short = "fn f() {\n    lift!(|a: [[f32; 16]; N]| a >> map(reduce(add, 0)));\n}\n";
    let line = "`rows`: not for `x >> reduce(add, 0)`, because it has fewer than 64 elements";
    assert!(forms(short).lines().any(|told| told.trim_start() == line), "{}", forms(short));
}

#[test]
fn places_are_listed_with_the_rules_that_apply_there() {
    let report = explained(&Document::new("a.rs", TWICE), &["--places"]);
    let (_, places) = report.text.split_once("\nplaces, and the rules that apply there\n").expect("places");
    let (places, _) = places.split_once("\n\n").expect("another section");
    let mut lines = places.lines().map(|line| line.trim_start_matches("    "));
    assert_eq!(lines.next(), Some(".           a >> map(|x| x + 1) >> map(|x| x * x)"));
    assert!(lines.next().is_some_and(|rules| rules.split(", ").any(|rule| rule == "mapFusion")), "{places}");
    for place in ["0           a >> map(|x| x + 1)", "0.0         a", "0.1.1       1", "1           x * x"] {
        assert!(places.lines().any(|line| line.trim_start() == place), "{place}\n{places}");
    }
}

#[test]
fn mistakes_are_shown_above_their_lines_and_other_programs_are_explained() {
    let text = "fn f() {\n    lift!(map(|x| x + true, a));\n}\nlift! {\n    \
                fn one(a: [i32; 8]) -> i32 { head(a) }\n}\n\
                lift! {\n    fn two<const N: usize>(a: [f32; N]) -> [f32; N] {\n        \
                a >> mapLcl0(|x| x)\n    }\n}\n";
    let document = Document::new("a.rs", text);
    let report = explained(&document, &[]);
    assert!(!report.is_complete);
    assert!(report.text.starts_with("one, a.rs:5\n"));
    let mistakes = report.rendered_mistakes(&document, Colour::Never).join("\n\n");
    let (_, refused) = report.text.split_once("\ntwo, a.rs:8\n").expect("the second program");
    insta::assert_snapshot!("mistakes", format!("{mistakes}\n{refused}"));
    assert!(explained(&document, &["one"]).is_complete);
}

#[test]
fn a_file_that_is_not_rust_is_a_mistake_at_its_line() {
    let document = Document::new("a.rs", "fn f() {\n)\n");
    let report = explained(&document, &[]);
    assert!(!report.is_complete && report.text.is_empty());
    let [mistake] = &report.rendered_mistakes(&document, Colour::Never)[..] else { panic!("one mistake") };
    assert!(mistake.contains(" --> a.rs:2:1\n"), "{mistake}");
}

#[test]
fn where_there_is_nothing_to_explain_the_reason_is_told() {
    let two = "lift! { fn one(a: [i32; 8]) -> i32 { head(a) } fn other(a: [i32; 8]) -> i32 { last(a) } }\n\
               fn f() { lift!(reverse(a)); }";
    assert_eq!(refused("fn f() {}", &[]), "there is no `lift!` in a.rs");
    assert_eq!(refused(two, &["three"]), "there is no program `three`; there are one, other, 2");
    assert_eq!(
        refused(two, &["--apply", "mapFusion @ ."]),
        "`--apply` changes one program: which of one, other, 2?"
    );
    let message = refused(two, &["--print-after", "none"]);
    assert!(message.starts_with("there is no pass `none`; the passes are "), "{message}");
    let only_functions = "lift! { fn square(x: f32) -> f32 { x * x } }";
    assert_eq!(
        refused(only_functions, &["square"]),
        "the `lift!`s in a.rs have functions of numbers only, which are no programs"
    );
}

#[test]
fn a_program_is_called_by_its_line_too() {
    let text = "lift! { fn one(a: [i32; 8]) -> i32 { head(a) } }\nfn f() { lift!(reverse(a)); }";
    let report = explained(&Document::new("a.rs", text), &["2"]);
    assert!(report.text.starts_with("expression, a.rs:2\n"), "{}", report.text);
}

#[test]
fn data_and_pages_have_what_the_text_has() {
    let document = Document::new("a.rs", TWICE);
    let apply = ["--apply", "mapFusion @ ."];
    let data = explained(&document, &[&apply[..], &["--json"]].concat()).text;
    insta::assert_snapshot!("data", data);
    let page = explained(&document, &[&apply[..], &["--html"]].concat()).text;
    insta::assert_snapshot!("page", page);
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn colours_are_for_terminals() {
    let document = Document::new("a.rs", TWICE);
    let with = report(&document, &wanted(&["a.rs"]), Colour::Always).expect("a report").text;
    assert!(with.contains("\u{1b}[1;36mtyped program\u{1b}[0m"));
    assert!(!explained(&document, &[]).text.contains('\u{1b}'));
}

#[test]
fn passes_are_shown_one_by_one() {
    let document = Document::new("a.rs", TWICE);
    let after = explained(&document, &["--print-after", "all"]);
    assert!(after.is_complete && after.text.contains("kernel "), "{}", after.text);
    let timings = explained(&document, &["--timings"]);
    assert!(timings.text.contains("all stages after inference"), "{}", timings.text);
    assert_eq!(wanted(&["a.rs", "--timings"]).form, Form::Timings);
}

/// A program with a schedule, and one whose schedule does not fit.
const SCHEDULED: &str = "fn f() {
    lift! {
        #[schedule(splitJoin(64), mapWrg(0), innermost(mapLcl(0)))]
        fn shifted<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x + 1) >> map(|x| 2 * x) }
    }
}
";

#[test]
fn the_steps_of_a_schedule_are_shown_with_the_form_that_they_make() {
    let report = explained(&Document::new("a.rs", SCHEDULED), &["shifted"]);
    assert!(report.is_complete);
    insta::assert_snapshot!("schedule", report.text);
    let refused = SCHEDULED.replace("mapWrg(0)", "mapWrg(7)");
    let report = explained(&Document::new("a.rs", refused), &["shifted"]);
    assert!(!report.is_complete);
    assert!(report.text.contains("`mapWrg` takes a dimension here, and this is `7`"), "{}", report.text);
}

#[test]
fn a_form_whose_work_items_cannot_cooperate_is_shown_with_the_reason() {
    let text = "lift! {
        fn last_negative<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
            a >> map(|row| row >> reduce(|before, x| if x < 0 { x } else { before }, 0))
        }
    }
    ";
    let report = explained(&Document::new("a.rs", text), &["last_negative"]);
    assert!(report.is_complete);
    let reason = "`rows`: refused, because work-items cannot share a reduction: `cyclicReduce` of `rowsInGroups` \
                  does not apply: it has to hold that the operator is known to be associative";
    assert!(report.text.contains(reason), "{}", report.text);
}

#[test]
fn every_strategy_is_listed() {
    let listed = strategies();
    for start in ["plain\n", "fuse\n    Fuses maps", "everywhere(s)\n", "nth(n, s)\n"] {
        assert!(listed.contains(start), "{start}\n{listed}");
    }
    assert_eq!(read(["--strategies".to_owned()].into_iter()), Ok(Request::Strategies));
}

#[test]
fn every_rule_is_listed_with_its_statement() {
    let listed = rules();
    assert!(listed.contains("mapFusion\n    map(f) >> map(g) = map(|x| g(f(x)))\n"), "{listed}");
}
