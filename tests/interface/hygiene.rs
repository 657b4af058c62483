//! The expansion takes no name from its surroundings and gives none to them. What it promises to the runtime
//! is not `unsafe` of the user's crate, which may forbid it.

#![forbid(unsafe_code)]

/// The facade under another name, as a dependent crate may rename it.
mod renamed {
    pub(crate) extern crate lift as elevator;
}

use renamed::elevator;

/// Names that generated code must not pick up.
#[allow(dead_code, reason = "they are there to be picked up by mistake")]
mod decoys {
    pub(crate) struct Option;
    pub(crate) struct Device;
    pub(crate) struct Kernel;
    pub(crate) struct Out;
    #[allow(non_camel_case_types, reason = "the name of a primitive type")]
    pub(crate) struct usize;
    #[allow(non_camel_case_types, reason = "the name of a primitive type")]
    pub(crate) struct f32;
}

mod user {
    #[allow(unused_imports, reason = "no name of theirs is used, which is what this tests")]
    use super::decoys::*;
    use super::elevator;

    elevator::lift! {
        /// Every element twice.
        pub(crate) fn twice<const N: usize>(out: [f32; N], device: f32) -> [f32; N] {
            map(|result| result + result * device, out)
        }
    }
}

#[test]
fn generated_code_names_everything_by_its_full_path() -> elevator::Result<()> {
    assert_eq!(user::twice(&[1.0, 2.0], 1.0)?.to_vec(), [2.0, 4.0]);
    Ok(())
}

#[test]
fn items_can_stand_in_a_function_body() -> elevator::Result<()> {
    elevator::lift! {
        fn half(x: f32) -> f32 { x / 2 }
        fn halves<const N: usize>(a: [f32; N]) -> [f32; N] { map(half, a) }
    }
    assert_eq!(halves(&[1.0, 2.0])?.to_vec(), [0.5, 1.0]);
    let kernel = halves::on(&elevator::Device::default_device()?)?;
    assert_eq!(kernel.run(&[1.0, 2.0])?.to_vec(), [0.5, 1.0]);
    assert!(halves::SOURCE.contains("half"));
    Ok(())
}

#[test]
fn fragments_of_other_macros_keep_their_meaning() -> elevator::Result<()> {
    macro_rules! scale {
        ($array:ident, $factor:expr) => {
            elevator::lift!(map(|x| x * $factor, $array))
        };
    }
    let a = [1.0f32, 2.0];
    assert_eq!(scale!(a, 1.0 + 1.0)?.to_vec(), [2.0, 4.0]);
    Ok(())
}

#[test]
fn a_closure_captures_numbers_by_value() -> elevator::Result<()> {
    let mut factor = 2.0f32;
    let kernel = elevator::lift!(|a: [f32; N]| map(|x| x * factor, a));
    factor += 1.0;
    assert_eq!(kernel.run(&[1.0, factor])?.to_vec(), [2.0, 6.0]);
    let copy = kernel.clone();
    assert_eq!(copy.run(&[1.0])?.to_vec(), [2.0]);
    Ok(())
}

const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
static BORDER: [f32; 2] = [8.0, 4.0];
const FACTOR: f32 = 2.0;
static SHIFT: f32 = 1.0;

#[test]
fn constants_and_statics_are_rust_variables_too() -> elevator::Result<()> {
    let sums = elevator::lift!(
        zip(WEIGHTS, concat(BORDER, WEIGHTS) >> slice(0, 3)) >> map(mult) >> reduce(add, SHIFT)
    )?;
    assert_eq!(sums, 5.0625);
    assert_eq!(elevator::lift!(map(|x| x * FACTOR + SHIFT, BORDER))?.to_vec(), [17.0, 9.0]);
    let scaled = elevator::lift!(|a: [f32; N]| map(|x| x * FACTOR + SHIFT, a));
    assert_eq!(scaled.run(&BORDER)?.to_vec(), [17.0, 9.0]);
    Ok(())
}

elevator::lift! {
    #[allow(non_snake_case, reason = "no other name is as likely to be in the way")]
    fn SOURCE<const N: usize>(SOURCE: [f32; N], HOST: f32, PROGRAM: f32) -> [f32; N] {
        SOURCE >> map(|x| x * HOST + PROGRAM)
    }
}

#[test]
fn parameters_may_be_called_like_the_constants_of_the_module() -> elevator::Result<()> {
    let kernel = SOURCE::on(&elevator::Device::default_device()?)?;
    assert_eq!(kernel.run(&[1.0, 2.0], 2.0, 1.0)?.to_vec(), SOURCE(&[1.0, 2.0], 2.0, 1.0)?.to_vec());
    Ok(())
}

/// Clippy reads the expansion with the lints of the user's crate.
#[warn(clippy::pedantic)]
mod pedantic {
    use super::elevator;

    elevator::lift! {
        /// What is not used says so.
        pub(super) fn without_some<const N: usize>(a: [f32; N], _b: f32) -> [f32; N] {
            let _unused = 1.0;
            a >> map(|x| { let _sum = x; next(x, 0) })
        }
        fn next(x: f32, _y: f32) -> f32 { let _z = 1; x + 1 }
    }

    pub(super) fn closure(a: &[f32]) -> elevator::Result<elevator::ndarray::Array1<f32>> {
        elevator::lift!(|a: [f32; N], _c: f32| {
            let _d = 1.0;
            a >> map(|x| x + 1)
        })
        .run(a, 0.0)
    }
}

#[test]
fn names_that_start_with_an_underscore_need_no_use() -> elevator::Result<()> {
    assert_eq!(pedantic::without_some(&[1.0], 0.0)?.to_vec(), [2.0]);
    assert_eq!(pedantic::closure(&[1.0])?.to_vec(), [2.0]);
    Ok(())
}

#[test]
fn variables_may_have_any_name() -> elevator::Result<()> {
    let r#type = vec![1i32, 2];
    let __lift = 3i32;
    let doubled = elevator::lift!(r#type >> map(|x| x * __lift))?;
    assert_eq!(doubled.to_vec(), [3, 6]);
    Ok(())
}

#[test]
fn every_form_works_where_unsafe_is_forbidden() -> elevator::Result<()> {
    elevator::lift! {
        fn powers<const N: usize>(a: [f32; 4], b: [f32; N]) -> [f32; N] {
            let t = a >> toPrivate(mapSeq(|x| x * x));
            b >> mapGlb0(|y| y + reduceSeq(add, 0, t))
        }
    }
    let (a, b) = ([1.0, 2.0, 3.0, 4.0], vec![1.0f32; 100]);
    assert_eq!(powers(&a, &b)?.to_vec(), [31.0; 100]);
    for device in elevator::Device::list()? {
        assert_eq!(powers::on(&device)?.run(&a, &b)?.to_vec(), [31.0; 100]);
        let scale = 3;
        let scaled = elevator::lift!(|a| map(|x| x * scale, a)).on(&device)?;
        assert_eq!(scaled.run(&[1, 2, 3])?.to_vec(), [3, 6, 9]);
        let sum = elevator::lift!(|a: [f32; N]| reduce(add, 0, a)).on(&device)?;
        assert_eq!(sum.run(&b)?, 100.0);
    }
    assert_eq!(elevator::lift!(reverse(b))?.to_vec(), b);
    Ok(())
}
