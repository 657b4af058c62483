//! `run` takes scalars by value; `enqueue` would take one on the device.

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
    let factor = total::on(&device)?.enqueue(&[1.0])?;
    scaled::on(&device)?.run(&factor, &[1.0])?;
    Ok(())
}
