//! A string has no place on a device.

use lift::Device;

fn main() -> lift::Result<()> {
    let named = vec![(1.0f32, "one")];
    Device::default_device()?.upload(&named)?;
    Ok(())
}
