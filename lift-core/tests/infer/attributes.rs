//! Attributes of items: what they say of a program, and what each mistake gets.

use crate::support::{check, elaborated, infer, mistakes, signatures};
use lift_core::front::infer::infer_items;
use lift_core::front::syntax::Input;
use lift_core::ir::nat::Nat;
use lift_core::ir::typed::{Backend, Laws, Program, Rounding, Strategy};
use lift_parser::parse_text;

#[test]
fn a_kernel_keeps_its_strategy_and_its_backend() {
    let programs = infer(
        "#[schedule(default)] #[opencl] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }
         fn g<const N: usize>(a: [f32; N]) -> [f32; N] { f(a) }
         #[host] fn h<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
    );
    let found: Vec<_> =
        programs.iter().flatten().map(|program| (program.strategy, program.backend)).collect();
    let backends = [Some(Backend::OpenCl), None, Some(Backend::Host)];
    assert_eq!(found, backends.map(|backend| (Strategy::Default, backend)));
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
    let schedules = "help: write `#[schedule(fuse)]` or another strategy: `cargo lift-explain --strategies` lists \
                     them";
    let cases: &[(&str, &str, &str)] = &[
        ("#[schedule]", kernel, &format!("`schedule`: `schedule` needs the name of a strategy\n{schedules}")),
        (
            "#[schedule()]",
            kernel,
            &format!("`schedule`: `schedule` needs the name of a strategy\n{schedules}"),
        ),
        (
            "#[schedule(fuse, plain)]",
            kernel,
            "`plain`: `plain` is a whole schedule, and others stand beside it\nhelp: write `#[schedule(plain)]`, or \
             leave `plain` out: it is what other devices and sizes get",
        ),
        (
            "#[schedule(splitJoin(K), fuse(3.5))]",
            kernel,
            "`3.5`: a size is needed here, but this is a floating-point number\nhelp: sizes are integers, `const` \
             generics and `usize` variables with `+ - * / %`, `min`, `max`, `pow`, `log2`, `sum`, `len` and `if`",
        ),
        ("#[schedule(name = default)]", kernel, &format!("`name`: `schedule` has no `name`\n{schedules}")),
        (
            "#[schedule(2)]",
            kernel,
            &format!("`2`: a schedule names strategies, and this is a size\n{schedules}"),
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
            "#[opencl] #[host]",
            kernel,
            "`host`: a kernel is restricted to OpenCL devices or to the host, not to both\nhelp: leave both attributes out: a kernel without them runs everywhere",
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
        assert_eq!(mistakes(&format!("{attributes} {item}")), *expected, "{attributes}");
    }
}

#[test]
fn wrong_launches_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "#[launch(local = 64, global = 100)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`launch`: `launch`: groups of 64 work-items do not fill 100",
            ),
            (
                "#[launch(local = N, globl = 100)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`N`: a number of work-items in a group is a number, and at least 1\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `globl`: `launch` has no `globl`: it fixes `local` and `global`\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension",
            ),
            (
                "#[launch(local = (1, 2, 3, 4), local = 0, 7)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] \
                 { a }",
                "`(1, 2, 3, 4)`: a launch has up to 3 dimensions, and these are 4\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `0`: a number of work-items in a group is a number, and at least 1\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `7`: this says neither `local =` nor `global =`, nor `any`\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]` fixes a launch, dimension 0 first; \
                 `#[launch(any)]` leaves it to whoever calls",
            ),
            (
                "#[launch(global = M)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`M`: unknown size `M`\n\
                 help: make it a parameter, `M: size`, or a constant of this `lift!`, `const M: usize = …;`: an item sees no constants of Rust",
            ),
            (
                "#[launch] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`launch`: `launch` fixes nothing here\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]` fixes a launch, dimension 0 first; \
                 `#[launch(any)]` leaves it to whoever calls",
            ),
            (
                "#[launch(any, local = 64)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`launch`: `any` leaves the sizes of a launch to whoever launches, and this fixes some of them\n\
                 help: write `#[launch(any)]`, and choose the sizes of a launch with `.launch(&[global], &[local])?` on what \
                 `on(&device)?` gives; or leave `any` out",
            ),
            (
                "#[launch(any, any)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`any`: `any` is given twice",
            ),
            (
                "#[launch(every)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`every`: this says neither `local =` nor `global =`, nor `any`\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]` fixes a launch, dimension 0 first; \
                 `#[launch(any)]` leaves it to whoever calls",
            ),
        ],
    );
}

#[test]
fn what_devices_round_as_they_like_is_refused_only_where_it_rounds() {
    let program = |attribute: &str, body: &str| {
        infer(&format!("{attribute} fn f<const N: usize>(a: [i32; N], x: [f32; N]) -> [f32; N] {{ {body} }}"))
    };
    let integers = "zip(a, x) >> map(|(k, x)| mad(k, k, 1) as f32 * fma(x, x, 1) + sin(x))";
    let strict = program("#[strict]", integers).expect("integers do not round, and `fma` rounds once");
    assert!(strict.iter().all(|program| program.rounding == Rounding::Strict));
    let floats = "zip(a, x) >> map(|(_, x)| mad(x, x, 1))";
    let free = program("", floats).expect("nothing is strict");
    assert!(free.iter().all(|program| program.rounding == Rounding::Free));
    assert!(program("#[strict]", floats).is_err());
}

/// The one program of a text that is right.
fn program(text: &str) -> Program {
    let programs = infer(text).expect("it is right");
    programs.into_iter().next_back().expect("there is one")
}

#[test]
fn a_fixed_launch_has_three_dimensions() {
    let text = "#[launch(local = (16, 8), global = (M, N / 2))]
                fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a }";
    let program = program(text);
    let size = |name: &str| {
        let size = program.sizes.iter().find(|size| size.name == name).expect("it is declared");
        Nat::variable(&size.variable)
    };
    let global = [size("M"), size("N").divide(&Nat::constant(2)), Nat::one()];
    let launch = program.launch(0).expect("it is fixed");
    assert_eq!((launch.local, launch.global.clone()), (Some([16, 8, 1]), Some(global)));
    let obligations: Vec<&str> =
        program.obligations.iter().map(|obligation| obligation.text.as_str()).collect();
    assert!(obligations.contains(&"`launch` needs 16 to divide `M`"), "{obligations:?}");
}

#[test]
fn several_launches_are_one_for_each_kernel() {
    let program =
        program("#[launch(local = 64)] #[launch()] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    let local: Vec<_> = (0..3).map(|kernel| program.launch(kernel).map(|launch| launch.local)).collect();
    assert_eq!(local, [Some(Some([64, 1, 1])), Some(None), None]);
}

#[test]
fn one_launch_is_that_of_all_kernels() {
    let program = program("#[launch(local = 64)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    assert!(
        (0..3).all(|kernel| program.launch(kernel).is_some_and(|launch| launch.local == Some([64, 1, 1])))
    );
}

#[test]
fn a_launch_may_fix_the_groups_alone() {
    let program = program("#[launch(local = 64)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    let launch = program.launch(0).expect("it is fixed");
    assert_eq!((launch.local, launch.global.clone()), (Some([64, 1, 1]), None));
}
