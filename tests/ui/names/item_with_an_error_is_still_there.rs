use lift::Device;

lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * y, a)
    }

    pub fn sums<const N: usize, const M: usize>(a: [[f32; M]; N], SOURCE: f32) -> [(f32, i32); N] {
        a >> map(reduce(add, SOURCE)) >> map(|x| (x, 1))
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let kernel = doubled::on(&device)?;
    let four: lift::ndarray::Array1<f32> = kernel.run(&[1.0, 2.0])?;
    kernel.run_into(&[1.0, 2.0], &mut [0.0; 2])?;
    let (again, profile) = kernel.profile(&four)?;
    println!("{} {again} {profile:?}", doubled::SOURCE);
    let on_device = kernel.enqueue(&device.upload(&four)?)?.download()?;
    assert_eq!(on_device, four);
    let sums = sums::on(&device)?.run(&[[1.0]], 0.0)?;
    assert_eq!(sums[0].1, 1);
    Ok(())
}
