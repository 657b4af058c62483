//! What can go wrong in the harness.

use std::fmt;
use std::path::Path;

use thiserror::Error as Derive;

/// The harness's results.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// What can go wrong.
#[derive(Debug, Derive)]
pub(crate) enum Error {
    /// Something on the command line is not understood.
    #[error("{0}; --help lists the options")]
    Usage(String),
    /// No benchmark has such a name.
    #[error("no benchmark has `{0}` in its name; --list shows them")]
    NothingChosen(String),
    /// The device that was asked for is not there.
    #[error("no device has `{wanted}` in its name; there are: {available}")]
    NoSuchDevice {
        /// As on the command line.
        wanted: String,
        /// The names of all devices.
        available: String,
    },
    /// `lift` returned an error.
    #[error(transparent)]
    Lift(#[from] lift::Error),
    /// OpenCL returned an error.
    #[error("{call}: {error}")]
    OpenCl {
        /// The function that was called.
        call: &'static str,
        /// What it answered.
        error: String,
    },
    /// A program that is compiled while the benchmark runs does not compile.
    #[error("{0}")]
    Program(String),
    /// A file cannot be written.
    #[error("{path}: {error}")]
    File {
        /// Where.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A plan or a case contradicts itself.
    #[error("the benchmark is wrong: {0}")]
    Inconsistent(String),
}

impl Error {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Error {
        Error::File { path: path.display().to_string(), error }
    }

    pub(crate) fn opencl(call: &'static str, error: impl fmt::Display) -> Error {
        Error::OpenCl { call, error: error.to_string() }
    }
}
