//! An array with one element is no scalar.

use lift::{Device, lift};

lift! {
    fn total<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(add, 0)
    }

    fn scaled<const N: usize>(factor: f32, a: [f32; N]) -> [f32; N] {
        a >> map(|x| x * factor)
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let factor = device.upload(&[2.0f32])?;
    scaled::on(&device)?.enqueue(&factor, &[1.0])?;
    Ok(())
}
