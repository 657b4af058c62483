//! The scalar on the device is an `f32`, and `f64` is needed.

use lift::{Device, lift};

lift! {
    fn total<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(add, 0)
    }

    fn scaled<const N: usize>(factor: f64, a: [f64; N]) -> [f64; N] {
        a >> map(|x| x * factor)
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let factor = total::on(&device)?.enqueue(&[1.0])?;
    scaled::on(&device)?.enqueue(&factor, &[1.0])?;
    Ok(())
}
