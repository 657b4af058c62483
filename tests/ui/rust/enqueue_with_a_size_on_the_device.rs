//! A size is needed for the launch, so that it cannot be on the device.

use lift::{Device, lift};

lift! {
    fn count<const N: usize>(a: [u64; N]) -> u64 {
        a >> reduce(add, 0)
    }

    fn rows<const N: usize>(n: usize, a: [f32; N]) -> [[f32; n]; N] {
        a >> map(repeat(n))
    }
}

fn main() -> lift::Result<()> {
    let device = Device::default_device()?;
    let n = count::on(&device)?.enqueue(&[1, 1])?;
    rows::on(&device)?.enqueue(&n, &[1.0])?;
    Ok(())
}
