//! The result is an array of `f32`, and the destination is one of `f64`.

use lift::{Device, lift};

lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| x + x)
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let mut out = device.upload(&[1.0f64, 2.0])?;
    doubled::on(&device)?.enqueue_into(&[1.0, 2.0], &mut out)?;
    Ok(())
}
