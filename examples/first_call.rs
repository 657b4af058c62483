//! What the first call of a kernel costs on every device of this machine, what later ones cost, and how much
//! memory a call takes with an array of 1 GiB.
//!
//!     cargo run --release --example first_call            # all devices
//!     cargo run --release --example first_call -- host    # those with this name, as LIFT_DEVICE has it
//!
//! The most memory that a process ever had is known of a process as a whole, so that every line is measured
//! in one of its own.

use std::env;
use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use lift::{Device, lift};

lift! {
    /// Every element mixed with its two neighbours.
    fn smooth<const N: usize>(weights: [f32; 3], a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(weights, nbh) >> map(mult) >> reduce(add, 0))
    }
}

const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

/// The elements of the array whose times are measured: 4 MiB.
const ELEMENTS: usize = 1 << 20;

/// The elements of 1 GiB.
const GIBIBYTE: usize = 1 << 28;

/// The number of runs; the median of their times is printed.
const RUNS: usize = 51;

fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1).as_deref() {
        Some("--times") => print_times(),
        Some("--memory") => print_memory(),
        wanted => print_table(wanted),
    }
}

fn print_table(wanted: Option<&str>) -> Result<(), Box<dyn Error>> {
    let devices = match wanted {
        Some(name) => vec![name.to_owned()],
        None => Device::list()?.iter().map(|device| device.name().to_owned()).collect(),
    };
    println!(
        "| device | device opened | kernel built | first call | later calls | most memory with 1 GiB in, 1 GiB out |"
    );
    println!("| --- | --: | --: | --: | --: | --: |");
    for device in devices {
        println!(
            "| {device} | {} | {} |",
            in_a_process("--times", &device)?,
            in_a_process("--memory", &device)?
        );
    }
    Ok(())
}

/// What this program prints with an argument, when it computes on a device.
fn in_a_process(argument: &str, device: &str) -> Result<String, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?).arg(argument).env("LIFT_DEVICE", device).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn print_times() -> Result<(), Box<dyn Error>> {
    let a = vec![1.0f32; ELEMENTS];
    let (opened, device) = timed(|| {
        let device = Device::default_device()?;
        device.upload(&WEIGHTS)?;
        Ok(device)
    })?;
    let (built, kernel) = timed(|| smooth::on(&device))?;
    let mut out = vec![0.0f32; ELEMENTS];
    let (first, ()) = timed(|| kernel.run_into(&WEIGHTS, &a, &mut out))?;
    let mut later = Vec::new();
    for _ in 0..RUNS {
        later.push(timed(|| kernel.run_into(&WEIGHTS, &a, &mut out))?.0);
    }
    later.sort();
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let times = [opened, built, first, later[RUNS / 2]].map(milliseconds);
    println!("{}", times.join(" | "));
    Ok(())
}

fn timed<R>(run: impl FnOnce() -> lift::Result<R>) -> lift::Result<(Duration, R)> {
    let start = Instant::now();
    let result = run()?;
    Ok((start.elapsed(), result))
}

/// The input, the result, and everything that is copied in between.
fn print_memory() -> Result<(), Box<dyn Error>> {
    let kernel = smooth::on(&Device::default_device()?)?;
    let a = vec![1.0f32; GIBIBYTE];
    let result = kernel.run(&WEIGHTS, &a)?;
    assert!([0, GIBIBYTE / 2, GIBIBYTE - 1].iter().all(|&place| result[place] == 1.0));
    println!("{}", most_memory().unwrap_or_else(|| "unknown on this system".to_owned()));
    Ok(())
}

/// The most memory that this process ever had, as Linux says.
fn most_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.2} GiB", kibibytes / f64::from(1 << 20)))
}
