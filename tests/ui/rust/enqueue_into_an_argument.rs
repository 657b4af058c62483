//! One array is read and overwritten by the same call.

use lift::{Device, lift};

lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| x + x)
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let mut a = device.upload(&[1.0f32, 2.0])?;
    doubled::on(&device)?.enqueue_into(&a, &mut a)?;
    Ok(())
}
