//! Tables, orders and rows that data decides: histograms, filters and sorts, beside the time that it takes to
//! read the same bytes once; products with sparse matrices, beside the time that it takes to copy as many
//! bytes as they must move. One run on one device, all results checked.
//!
//! The time is that of the kernels. The sum of the array as `u32` reads the bytes. So the last column says
//! how often a program could have read its input in its time.

mod sparse;

use std::process::ExitCode;
use std::time::Duration;

use lift::{Device, Profile, Result, lift};

lift! {
    fn read<const N: usize>(xs: [u32; N]) -> u32 { reduce(add, 0, xs) }
    fn bytes_counted<const N: usize>(xs: [u8; N]) -> [u32; 256] { histogram(256, xs) }
    fn keys_counted<const N: usize>(xs: [u32; N]) -> [u32; 1024] { histogram(1024, map(|x| x % 1024, xs)) }
    fn many_counted<const N: usize>(bins: usize, xs: [u32; N]) -> [u32; bins] where bins >= 1 {
        histogram(bins, map(|x| x % (bins as u32), xs))
    }
    fn kept<const N: usize>(xs: [u32; N]) -> ([u32; N], u32) { filter(|x| x % 2 == 0, xs) }
    fn in_order<const N: usize>(xs: [u32; N]) -> [u32; N] { sort(xs) }
    fn order_of<const N: usize>(xs: [u32; N]) -> [u32; N] { argsort(xs) }
}

const HELP: &str = "\
Measures histograms, filters, sorts and sparse products on a device.

  --device NAME  the first device with NAME in its name (default: the default device)
  --runs N       timed runs of each program (default 7)
  --kernels      the time of each kernel, too
  --tiny         sizes at which times mean nothing: every program is checked
";

struct Options {
    device: Option<String>,
    runs: usize,
    kernels: bool,
    tiny: bool,
}

fn main() -> ExitCode {
    match options(std::env::args().skip(1)) {
        Ok(Some(options)) => match measure(&options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}; --help lists the options");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options { device: None, runs: 7, kernels: false, tiny: false };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value"));
        match argument.as_str() {
            "--device" => options.device = Some(value()?),
            "--runs" => options.runs = value()?.parse().map_err(|_| "`--runs` needs a number".to_owned())?,
            "--kernels" => options.kernels = true,
            "--tiny" => options.tiny = true,
            "--help" => return Ok(None),
            other => return Err(format!("`{other}` is not understood")),
        }
    }
    Ok(Some(options))
}

fn device(options: &Options) -> std::result::Result<Device, String> {
    let Some(name) = &options.device else {
        return Device::default_device().map_err(|error| error.to_string());
    };
    let devices = Device::list().map_err(|error| error.to_string())?;
    let found = devices.into_iter().find(|device| device.to_string().contains(name.as_str()));
    found.ok_or_else(|| format!("there is no device with `{name}` in its name"))
}

fn measure(options: &Options) -> std::result::Result<(), String> {
    let device = device(options)?;
    println!("{device}, kernels, medians of {} runs\n", options.runs);
    println!("| program | elements | ms | times that the input could be read |");
    println!("| --- | --- | --: | --: |");
    let exponent = if options.tiny { 12 } else { 26 };
    rows(&device, 1 << exponent, options).map_err(|error| error.to_string())?;
    println!("\n| sparse product | elements | ms | times that its bytes could be copied |");
    println!("| --- | --- | --: | --: |");
    sparse::rows(&device, 1 << exponent, options).map_err(|error| error.to_string())
}

fn rows(device: &Device, n: usize, options: &Options) -> Result<()> {
    let xs: Vec<u32> =
        (0..n as u32).map(|i| (i ^ (i >> 7)).wrapping_mul(0x9e37_79b9).rotate_left(11)).collect();
    let bytes: Vec<u8> = xs.iter().map(|x| (x >> 9) as u8).collect();
    let words: Vec<u32> = xs.iter().take(n / 4).copied().collect();
    let sum = |xs: &[u32]| xs.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
    let counts = |bins: usize, keys: &mut dyn Iterator<Item = usize>| {
        let mut counts = vec![0u32; bins];
        keys.for_each(|key| counts[key] += 1);
        counts
    };
    // Transfers are no part of what is measured, and a kernel that begins behind one would wait for it.
    let (on_device, words_on_device) = (device.upload(&xs)?, device.upload(&words)?);
    let bytes_on_device = device.upload(&bytes)?;
    let once = race("bytes read", n, None, options, || {
        profiled(read::on(device)?.profile(&words_on_device)?, &sum(&words))
    })?;
    let expected = counts(256, &mut bytes.iter().map(|x| usize::from(*x)));
    race("histogram of bytes, 256 bins", n, once, options, || {
        let (found, profile) = bytes_counted::on(device)?.profile(&bytes_on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    let once =
        race("words read", n, None, options, || profiled(read::on(device)?.profile(&on_device)?, &sum(&xs)))?;
    let expected = counts(1024, &mut xs.iter().map(|x| *x as usize % 1024));
    race("histogram of words, 1024 bins", n, once, options, || {
        let (found, profile) = keys_counted::on(device)?.profile(&on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    let bins = n / 8;
    let expected = counts(bins, &mut xs.iter().map(|x| *x as usize % bins));
    race("histogram of words, a bin for every 8", n, once, options, || {
        let (found, profile) = many_counted::on(device)?.profile(bins, &on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    let (even, odd): (Vec<u32>, Vec<u32>) = xs.iter().partition(|x| **x % 2 == 0);
    let count = even.len() as u32;
    let expected = ([even, odd].concat(), count);
    race("filter, half of them", n, once, options, || {
        let ((found, count), profile) = kept::on(device)?.profile(&on_device)?;
        profiled(((found.to_vec(), count), profile), &expected)
    })?;
    let mut expected = xs.clone();
    expected.sort_unstable();
    race("sort", n, once, options, || {
        let (found, profile) = in_order::on(device)?.profile(&on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    let mut expected: Vec<u32> = (0..n as u32).collect();
    expected.sort_by_key(|i| xs[*i as usize]);
    race("argsort", n, once, options, || {
        let (found, profile) = order_of::on(device)?.profile(&on_device)?;
        profiled((found.to_vec(), profile), &expected)
    })?;
    Ok(())
}

/// The times of the kernels, if the result is right.
fn profiled<T: PartialEq>((found, profile): (T, Profile), expected: &T) -> Result<Option<Profile>> {
    Ok((found == *expected).then_some(profile))
}

/// Prints a line, and returns the median.
fn race(
    name: &str,
    n: usize,
    once: Option<Duration>,
    options: &Options,
    run: impl Fn() -> Result<Option<Profile>>,
) -> Result<Option<Duration>> {
    // The first run builds the kernels.
    let first = run()?;
    let mut profiles = Vec::new();
    for _ in 0..options.runs.max(1) {
        profiles.push(run()?);
    }
    let total = |profile: &Profile| profile.kernels.iter().map(|kernel| kernel.duration).sum::<Duration>();
    let mut times: Vec<Option<Duration>> = profiles.iter().map(|of_run| of_run.as_ref().map(total)).collect();
    let wrong = first.is_none() || times.iter().any(Option::is_none);
    times.sort();
    let median = times.get(times.len() / 2).copied().flatten().filter(|_| !wrong);
    let ms = median.map_or_else(|| "wrong".to_owned(), |median| format!("{:.3}", median.as_secs_f64() * 1e3));
    let ratio = match (median, once) {
        (Some(median), Some(once)) => format!("{:.2}", median.as_secs_f64() / once.as_secs_f64()),
        _ => "–".to_owned(),
    };
    println!("| {name} | {n} | {ms} | {ratio} |");
    if wrong {
        std::process::exit(1);
    }
    if options.kernels {
        for kernel in profiles.pop().flatten().into_iter().flat_map(|profile| profile.kernels) {
            println!("    {:9.3} ms {}", kernel.duration.as_secs_f64() * 1e3, kernel.name);
        }
    }
    Ok(median)
}
