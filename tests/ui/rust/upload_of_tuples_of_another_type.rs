//! The second components on the device are `i64`, and `i32` is needed.

use lift::{Device, lift};

lift! {
    fn products<const N: usize>(pairs: [(f32, i32); N]) -> [f32; N] {
        pairs >> map(|(x, k)| x * (k as f32))
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let pairs = device.upload(&[(1.0f32, 2i64)])?;
    products::on(&device)?.enqueue(&pairs)?;
    Ok(())
}
