//! Kernels for any launch, as a user meets them: sizes are chosen on the compiled kernel, checked at once,
//! and change no result.

use crate::common::samples;
use lift::{Device, DeviceKind, Error, Result, lift};

lift! {
    #[launch(any)]
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| 2 * x)
    }

    /// Neighbours in local memory.
    #[launch(any)]
    fn blurred<const N: usize>(a: [f32; N]) -> [f32; N] where N % 64 == 0 {
        a >> pad(1, 1, clamp) >> slide(66, 64) >> mapWrg0(|tile|
            tile >> toLocal(mapLcl0(id)) >> slide(3, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))
        ) >> join
    }

    /// An accumulator that work-items share.
    #[launch(any)]
    fn columns<const M: usize>(a: [[f32; 24]; M]) -> [f32; 24] {
        a >> split(M) >> mapWrg0(|rows|
            rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(add), repeat(24, 0)) >> mapLcl0(toGlobal(id))
        ) >> join
    }

    #[launch(any)]
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(add, 0)
    }

    /// Two kernels; the second one has its own launch.
    #[launch(any)]
    #[launch(local = 32)]
    fn mirrored<const N: usize>(a: [f32; N]) -> [f32; N] {
        let next = a >> toGlobal(mapGlb0(|x| x + 1));
        next >> reverse >> mapGlb0(|x| 2 * x)
    }

    #[launch(local = 16)]
    fn pinned<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapGlb0(|x| 2 * x)
    }

    /// Work for groups only.
    #[launch(any)]
    fn rows<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> mapWrg0(reduceSeq(add, 0))
    }

    /// Work for the work-items of a group in a dimension without groups.
    #[launch(any)]
    fn planes<const N: usize>(a: [[f32; 8]; N]) -> [[f32; 8]; N] {
        a >> mapWrg0(mapLcl1(|x| 2 * x))
    }
}

/// Launches of one dimension: fewer work-items than there is work, more, and numbers that nothing is divided
/// by.
const LAUNCHES: [(usize, usize); 6] = [(1, 1), (3, 1), (35, 7), (64, 64), (1024, 128), (5000, 50)];

/// The host does not compute with work-groups.
fn has_groups(device: &Device) -> bool {
    device.kind() != DeviceKind::Host
}

#[test]
fn every_launch_gives_the_same_result() -> Result<()> {
    let device = Device::default_device()?;
    let a: Vec<f32> = samples(192);
    let (expected_doubles, expected_blur) = (doubled(&a)?, blurred(&a)?);
    assert_eq!(expected_doubles.to_vec(), a.iter().map(|x| 2.0 * x).collect::<Vec<_>>());
    for (global, local) in LAUNCHES {
        let kernel = doubled::on(&device)?.launch(&[global], &[local])?;
        assert_eq!(kernel.run(&a)?, expected_doubles, "{global} {local}");
        let mut out = vec![0.0; 192];
        kernel.run_into(&a, &mut out)?;
        assert_eq!(out, expected_doubles.to_vec());
        assert_eq!(kernel.enqueue(&device.upload(&a)?)?.download()?, expected_doubles);
        let kernel = blurred::on(&device)?.launch(&[global, 1, 1], &[local])?;
        assert_eq!(kernel.run(&a)?, expected_blur, "{global} {local}");
    }
    Ok(())
}

#[test]
fn an_accumulator_is_shared_by_any_number_of_work_items() -> Result<()> {
    let device = Device::default_device()?;
    let a: Vec<[f32; 24]> =
        (0..5).map(|row| std::array::from_fn(|column| (row * 7 + column) as f32)).collect();
    let expected: Vec<f32> = (0..24).map(|column| a.iter().map(|row| row[column]).sum()).collect();
    for local in [1, 5, 24, 60] {
        let kernel = columns::on(&device)?.launch(&[3 * local], &[local])?;
        assert_eq!(kernel.run(&a)?.to_vec(), expected, "{local}");
    }
    Ok(())
}

#[test]
fn a_program_of_several_kernels_has_a_launch_for_all_or_for_each() -> Result<()> {
    let device = Device::default_device()?;
    let a = samples(1000);
    let expected = sum(&a)?;
    let all = sum::on(&device)?.launch(&[60], &[20])?;
    assert_eq!(all.run(&a)?, expected);
    let each = sum::on(&device)?.launch_of("sum_1", &[14], &[7])?.launch_of("sum_2", &[3], &[3])?;
    assert_eq!(each.run(&a)?, expected);
    assert_eq!(each.specialised().run(&a)?, expected);
    let first = mirrored::on(&device)?.launch_of("mirrored_1", &[12], &[4])?;
    assert_eq!(first.run(&a)?, mirrored(&a)?);
    Ok(())
}

#[test]
fn nothing_is_computed_for_empty_arrays() -> Result<()> {
    let device = Device::default_device()?;
    let kernel = doubled::on(&device)?.launch(&[64], &[8])?;
    assert_eq!(kernel.run(&Vec::<f32>::new())?.len(), 0);
    assert_eq!(sum::on(&device)?.launch(&[64], &[8])?.run(&Vec::<f32>::new())?, 0.0);
    Ok(())
}

/// The message of a choice that is refused.
fn refusal<K: std::fmt::Debug>(chosen: Result<K>) -> String {
    let error = chosen.expect_err("it is refused");
    assert!(matches!(error, Error::Launch { .. } | Error::NoSuchKernel { .. }), "{error}");
    error.to_string()
}

#[test]
fn a_pinned_kernel_names_the_attribute_that_it_lacks() -> Result<()> {
    let device = Device::default_device()?;
    assert_eq!(
        refusal(pinned::on(&device)?.launch(&[64], &[32])),
        "`pinned` cannot be launched with the global size [64] and the local size [32]: it is compiled for groups of 16 work-items and no \
         others\nhelp: `#[launch(any)]` on `fn pinned` compiles it for any launch"
    );
    assert_eq!(
        refusal(mirrored::on(&device)?.launch(&[64], &[64])),
        "`mirrored_2` cannot be launched with the global size [64] and the local size [64]: it is compiled for groups of 32 work-items and no \
         others\nhelp: `#[launch(any)]` on `fn mirrored` compiles it for any launch"
    );
    Ok(())
}

#[test]
fn sizes_that_are_no_launch_are_refused() -> Result<()> {
    let device = Device::default_device()?;
    let kernel = doubled::on(&device)?;
    let reason = |global: &[usize], local: &[usize]| {
        let message = refusal(kernel.clone().launch(global, local));
        message.split_once(": ").map(|(_, reason)| reason.to_owned()).unwrap_or(message)
    };
    assert_eq!(reason(&[], &[1]), "a launch has 1, 2 or 3 dimensions");
    assert_eq!(reason(&[8], &[1, 1, 1, 1]), "a launch has 1, 2 or 3 dimensions");
    assert_eq!(reason(&[0], &[1]), "there is at least one work-item in dimension 0");
    assert_eq!(reason(&[8], &[4, 0]), "there is at least one work-item in dimension 1");
    assert_eq!(reason(&[100], &[7]), "in dimension 0, 100 work-items are no whole number of groups of 7");
    assert_eq!(
        reason(&[64, 2], &[8]),
        "no map of it distributes work over dimension 1, where a launch has one work-item"
    );
    Ok(())
}

#[test]
fn work_items_without_work_are_refused() -> Result<()> {
    let device = Device::default_device()?;
    assert_eq!(
        refusal(rows::on(&device)?.launch(&[8], &[2])),
        "`rows` cannot be launched with the global size [8] and the local size [2]: a `mapWrg0` of it gives each group work, and no `mapLcl0` \
         distributes that: a group has one work-item in dimension 0"
    );
    assert_eq!(
        refusal(planes::on(&device)?.launch(&[8, 4], &[1, 2])),
        "`planes` cannot be launched with the global size [8, 4] and the local size [1, 2]: a `mapLcl1` of it distributes work over the \
         work-items of a group, and no `mapWrg1` over groups: there is one group in dimension 1"
    );
    let a = vec![[1.0f32; 8]; 3];
    assert_eq!(planes::on(&device)?.launch(&[8, 2], &[1, 2])?.run(&a)?, planes(&a)?);
    assert_eq!(rows::on(&device)?.launch(&[2], &[1])?.run(&a)?.to_vec(), [8.0; 3]);
    Ok(())
}

#[test]
fn a_kernel_that_is_not_there_is_told_from_those_that_are() -> Result<()> {
    let device = Device::default_device()?;
    assert_eq!(
        refusal(sum::on(&device)?.launch_of("total", &[8], &[8])),
        "`sum` has no kernel `total`: there are `sum_1`, `sum_2`"
    );
    Ok(())
}

#[test]
fn groups_that_the_device_cannot_have_are_refused() -> Result<()> {
    let device = Device::default_device()?;
    let chosen = doubled::on(&device)?.launch(&[1 << 20], &[1 << 20]);
    match chosen {
        Ok(_) => assert!(!has_groups(&device)),
        Err(Error::DeviceLimit { kernel, needed, .. }) => {
            assert_eq!((kernel.as_str(), needed), ("doubled", 1 << 20))
        }
        Err(other) => panic!("{other}"),
    }
    Ok(())
}

/// What the next test runs in a process of its own: PoCL takes its limits from the environment.
#[test]
#[ignore = "runs where groups are small"]
fn usual_launches_on_a_device_with_small_groups() -> Result<()> {
    let a: Vec<f32> = samples(192);
    assert_eq!(doubled(&a)?.to_vec(), a.iter().map(|x| 2.0 * x).collect::<Vec<_>>());
    let sums = |at: usize| [at.saturating_sub(1), at, (at + 1).min(191)].iter().map(|at| a[*at]).sum::<f32>();
    assert_eq!(blurred(&a)?.to_vec(), (0..192).map(sums).collect::<Vec<_>>());
    assert_eq!(columns(&vec![[1.0; 24]; 7])?.to_vec(), [7.0; 24]);
    assert_eq!(sum(&vec![1.0; 5000])?, 5000.0);
    // A pinned launch is what it is.
    let is_limited = Device::default_device()?.platform() == "Portable Computing Language";
    assert_eq!(matches!(pinned(&a), Err(Error::DeviceLimit { .. })), is_limited);
    Ok(())
}

#[test]
fn usual_launches_fit_devices_with_small_groups() {
    let tests = std::env::current_exe().expect("this is a program");
    let mut small = std::process::Command::new(tests);
    small.env("POCL_MAX_WORK_GROUP_SIZE", "10");
    small.args(["--exact", "launch_sizes::usual_launches_on_a_device_with_small_groups", "--ignored"]);
    let output = small.output().expect("the tests can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
