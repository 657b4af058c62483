//! Lists the devices of this machine, shows which one is the default, and what the doctor says.
//!
//! It builds, starts and answers on a machine without any OpenCL file.

use lift_runtime::{Device, Error};

fn main() -> Result<(), Error> {
    let devices = Device::list()?;
    println!(
        "{} found",
        if devices.len() == 1 { "1 device".to_owned() } else { format!("{} devices", devices.len()) }
    );
    for device in &devices {
        println!("  {device}, {:?}", device.kind());
    }
    match Device::default_device() {
        Ok(device) => println!("default: {device}"),
        Err(error) => println!("no default: {error}"),
    }
    print!("\n{}", lift_runtime::doctor());
    Ok(())
}
