//! Puts an empty library named `OpenCL` on the link path.
//!
//! `cl-sys` asks the linker for `-lOpenCL`. The entry points come from this crate, so that an empty archive
//! satisfies the request, and no OpenCL file is needed to build. A link search path that a build script
//! prints reaches every final link that this crate takes part in.

use std::path::PathBuf;
use std::{env, fs, io};

/// The archive header that Unix `ar` and Microsoft's `lib` share; an archive may end after it.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |key: &str| env::var(key).unwrap_or_default();
    if target("CARGO_CFG_TARGET_VENDOR") == "apple" {
        // The OpenCL framework is part of the system.
        return Ok(());
    }
    let name = match target("CARGO_CFG_TARGET_ENV").as_str() {
        "msvc" => "OpenCL.lib",
        _ => "libOpenCL.a",
    };
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(folder.join(name), EMPTY_ARCHIVE)?;
    println!("cargo::rustc-link-search=native={}", folder.display());
    Ok(())
}
