//! Attributes of items: what they say of a program, and what each mistake gets.

#[path = "infer/support.rs"]
mod support;

use lift_core::syntax::Input;
use lift_core::typed::{Backend, Laws, Strategy};
use lift_core::types::infer::infer_items;
use lift_parser::parse_text;
use support::{elaborated, infer, mistakes, signatures};

#[test]
fn a_kernel_keeps_its_strategy_and_its_backend() {
    let programs = infer(
        "#[schedule(default)] #[opencl] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }
         fn g<const N: usize>(a: [f32; N]) -> [f32; N] { f(a) }",
    );
    let found: Vec<_> =
        programs.iter().flatten().map(|program| (program.strategy, program.backend)).collect();
    assert_eq!(found, [(Strategy::Default, Some(Backend::OpenCl)), (Strategy::Default, None)]);
}

#[test]
fn a_function_keeps_its_laws() {
    let text = "fn none(x: f32, y: f32) -> f32 { x - y }
         #[assoc] fn first(x: f32, y: f32) -> f32 { x }
         #[comm] fn near(x: f32, y: f32) -> bool { x - y < 1 && y - x < 1 }
         #[assoc] #[comm] fn larger(x: (f32, i32), y: (f32, i32)) -> (f32, i32) { if x.0 < y.0 { y } else { x } }";
    let Some(Input::Items(items)) = parse_text(text).input else { panic!("items") };
    let laws: Vec<Laws> =
        infer_items(&items).iter().flat_map(|items| &items.functions).map(|function| function.laws).collect();
    let [associative, commutative] =
        [true, false].map(|associative| Laws { associative, commutative: !associative });
    let both = Laws { associative: true, commutative: true };
    assert_eq!(laws, [Laws::default(), associative, commutative, both]);
    assert!(infer(text).is_ok());
}

#[test]
fn attributes_change_no_type() {
    let plain = "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }";
    let marked = format!("#[opencl] #[schedule(default)] {plain}");
    assert_eq!(signatures(&marked), signatures(plain));
    assert_eq!(elaborated(&marked), elaborated(plain));
}

#[test]
fn wrong_attributes_are_a_mistake() {
    let kernel = "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }";
    let function = "fn f(x: f32, y: f32) -> f32 { x + y }";
    let belongs =
        "help: the attribute belongs to a kernel, which has an array among its parameters or as its result";
    let cases = [
        (
            "#[schedule]",
            kernel,
            "`schedule`: `schedule` needs the name of a strategy\nhelp: write `#[schedule(default)]`",
        ),
        (
            "#[schedule()]",
            kernel,
            "`schedule`: `schedule` needs the name of a strategy\nhelp: write `#[schedule(default)]`",
        ),
        (
            "#[schedule(defualt)]",
            kernel,
            "`defualt`: unknown strategy `defualt`\nhelp: there is a similar name: `default`",
        ),
        (
            "#[schedule(tiled)]",
            kernel,
            "`tiled`: unknown strategy `tiled`\nhelp: the only strategy is `default`",
        ),
        (
            "#[schedule(default, default)]",
            kernel,
            "`default`: a kernel has one schedule, and these are 2 names\nhelp: write `#[schedule(default)]`",
        ),
        (
            "#[schedule(name = default)]",
            kernel,
            "`name`: `schedule` has no `name`\nhelp: write `#[schedule(default)]`",
        ),
        (
            "#[schedule(2)]",
            kernel,
            "`2`: a schedule is the name of a strategy\nhelp: write `#[schedule(default)]`",
        ),
        (
            "#[schedule = default]",
            kernel,
            "`schedule`: this attribute takes its arguments in parentheses\nhelp: write `#[schedule(…)]`",
        ),
        (
            "#[schedule(default)]",
            function,
            &format!(
                "`schedule`: `f` is a function on scalars: it has no schedule but that of its callers\n{belongs}"
            ),
        ),
        (
            "#[schedule(default)] #[opencl] #[schedule(default)]",
            kernel,
            "`schedule`: `schedule` is given twice",
        ),
        ("#[opencl(1)]", kernel, "`1`: `opencl` takes no arguments\nhelp: write `#[opencl]`"),
        (
            "#[opencl]",
            function,
            &format!(
                "`opencl`: `f` is a function on scalars: it is compiled wherever its callers are\n{belongs}"
            ),
        ),
        (
            "#[host]",
            kernel,
            "`host`: there is no host backend yet: kernels run on OpenCL devices only\nhelp: leave the attribute out; an OpenCL driver for the processor, such as PoCL, runs kernels on the host",
        ),
        (
            "#[assoc]",
            kernel,
            "`assoc`: `#[assoc]` describes a function on scalars, and `f` is a kernel\nhelp: it belongs to the function that `reduce` is given",
        ),
        ("#[assoc(exact)]", function, "`exact`: `assoc` takes no arguments\nhelp: write `#[assoc]`"),
        ("#[comm] #[comm]", function, "`comm`: `comm` is given twice"),
        (
            "#[assoc]",
            "fn f(x: f32, y: i32) -> f32 { x }",
            "`assoc`: `f` cannot obey `#[assoc]`\nhelp: the law is one of functions of two values of one type: `fn f(a: T, b: T) -> T`",
        ),
        (
            "#[assoc]",
            "fn f(x: f32, y: f32) -> bool { x < y }",
            "`assoc`: `f` cannot obey `#[assoc]`\nhelp: the law is one of functions of two values of one type: `fn f(a: T, b: T) -> T`",
        ),
        (
            "#[comm]",
            "fn f(x: f32) -> f32 { x }",
            "`comm`: `f` cannot obey `#[comm]`\nhelp: the law is one of functions of two values of one type: `fn f(a: T, b: T)`",
        ),
    ];
    for (attributes, item, expected) in cases {
        assert_eq!(mistakes(&format!("{attributes} {item}")), expected, "{attributes}");
    }
}
