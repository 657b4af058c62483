//! The forms of a kernel: which there are, and how a user takes one of them.

use lift::{Device, DeviceKind, Result, lift};

lift! {
    fn sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }

    #[schedule(plain)]
    fn doubled<const N: usize>(a: [i32; N]) -> [i32; N] { a >> map(|x| x * 2) }
}

#[test]
fn the_forms_are_listed_in_the_order_in_which_they_are_tried() -> Result<()> {
    let device = Device::default_device()?;
    let listed: Vec<String> = sums::on(&device)?.forms().iter().map(ToString::to_string).collect();
    let expected =
        ["`scansInOrder`: on processors with fewer than 4 compute units", "`plain`: on any device"];
    assert_eq!(listed, expected);
    assert_eq!(doubled::on(&device)?.forms().len(), 1);
    Ok(())
}

#[test]
fn a_form_is_taken_by_its_name() -> Result<()> {
    let a: Vec<i32> = (0..5000).collect();
    let expected: Vec<i32> = (0..5000).map(|x| x * (x + 1) / 2).collect();
    for device in Device::list()? {
        let kernel = sums::on(&device)?;
        assert_eq!(kernel.clone().form("plain")?.run(&a)?.to_vec(), expected, "{device}");
        let in_order = kernel.form("scansInOrder")?;
        if device.kind() == DeviceKind::Host {
            let error = in_order.run(&a).expect_err("the host has the plain form only").to_string();
            let text = "the form `scansInOrder` of `sums` cannot compute this: the host computes the form `plain`, \
                        which alone has code for it";
            assert_eq!(error, text);
            continue;
        }
        let (result, profile) = in_order.profile(&a)?;
        assert_eq!(result.to_vec(), expected, "{device}");
        assert_eq!((&*profile.form, profile.kernels.len()), ("scansInOrder", 1), "{device}");
        assert_eq!(in_order.enqueue(&device.upload(&a)?)?.download()?.to_vec(), expected, "{device}");
    }
    Ok(())
}

#[test]
fn a_form_that_there_is_not_is_an_error_with_the_names_of_those_that_there_are() -> Result<()> {
    let device = Device::default_device()?;
    let message = |result: Result<_>| result.map(|_| ()).expect_err("there is no such form").to_string();
    let error = message(sums::on(&device)?.form("tiles").map(|_| ()));
    assert_eq!(error, "`sums` has no form `tiles`: its forms are `scansInOrder` and `plain`");
    let error = message(doubled::on(&device)?.form("tiles").map(|_| ()));
    assert_eq!(error, "`doubled` has no form `tiles`: its only form is `plain`");
    Ok(())
}

#[test]
fn the_source_has_a_heading_for_each_form_where_there_are_several() {
    let headings: Vec<&str> = sums::SOURCE.lines().filter(|line| line.starts_with("// The form")).collect();
    let expected = [
        "// The form `scansInOrder`: on processors with fewer than 4 compute units.",
        "// The form `plain`: on any device.",
    ];
    assert_eq!(headings, expected);
    assert!(!doubled::SOURCE.contains("// The form"), "{}", doubled::SOURCE);
}
