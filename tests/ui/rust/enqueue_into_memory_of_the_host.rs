//! `enqueue_into` writes on the device; `run_into` would write here.

use lift::{Device, lift};

lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| x + x)
    }
}

fn main() -> lift::Result<()> {
    let mut out = vec![0.0f32; 2];
    doubled::on(&Device::default_device()?)?.enqueue_into(&[1.0, 2.0], &mut out)?;
    Ok(())
}
