lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }
}

fn main() -> lift::Result<()> {
    let kernel = doubled::on(&lift::Device::default_device()?)?;
    kernel.run_into(&[1.0, 2.0], &mut vec![0.0f64; 2])
}
