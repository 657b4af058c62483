//! Which OpenCL library the entry points call.
//!
//! It is chosen once per process, when the first entry point is called, and stays loaded to its end.

use std::env;
use std::fmt;
use std::sync::OnceLock;

use libloading::Library;

/// The environment variable that may hold a list of libraries, separated by `;`, to be tried instead of the
/// usual ones.
pub const PATH_VARIABLE: &str = "OPENCL_DYLIB_PATH";

/// The function that identifies an OpenCL library.
const FIRST_FUNCTION: &str = "clGetPlatformIDs";

#[cfg(target_os = "macos")]
const USUAL_LIBRARIES: &[&str] = &["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
#[cfg(windows)]
const USUAL_LIBRARIES: &[&str] = &["OpenCL.dll"];
#[cfg(not(any(target_os = "macos", windows)))]
const USUAL_LIBRARIES: &[&str] = &["libOpenCL.so.1", "libOpenCL.so"];

/// Where the OpenCL functions of this process come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibrarySource {
    /// From a library that was loaded before this crate looked: linked, or preloaded by a tool.
    AlreadyLoaded,
    /// From the library that was opened under this name.
    Opened(String),
}

/// Why there is no OpenCL in this process: what was tried, and what the dynamic linker said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryNotFound {
    /// The value of [`PATH_VARIABLE`], if it said what to try.
    pub chosen: Option<String>,
    /// One pair of library name and message for each attempt, in order.
    pub attempts: Vec<(String, String)>,
}

impl fmt::Display for LibraryNotFound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.chosen {
            Some(chosen) => write!(formatter, "`{PATH_VARIABLE}={chosen}` names no OpenCL library")?,
            None => write!(formatter, "no OpenCL library could be opened")?,
        }
        self.attempts.iter().try_for_each(|(name, message)| write!(formatter, "; {name}: {message}"))
    }
}

impl std::error::Error for LibraryNotFound {}

struct Loaded {
    library: Library,
    source: LibrarySource,
}

/// The OpenCL library of this process, or why there is none. The first call searches for it.
pub fn library_source() -> Result<&'static LibrarySource, &'static LibraryNotFound> {
    match loaded() {
        Ok(loaded) => Ok(&loaded.source),
        Err(reason) => Err(reason),
    }
}

/// The address of `name` in the OpenCL library; `None` if it is missing or is `own`, the caller itself.
pub(crate) fn address_of(name: &str, own: *const ()) -> Option<*const ()> {
    address_in(&loaded().as_ref().ok()?.library, name, own)
}

fn loaded() -> &'static Result<Loaded, LibraryNotFound> {
    static LOADED: OnceLock<Result<Loaded, LibraryNotFound>> = OnceLock::new();
    LOADED.get_or_init(find_library)
}

fn find_library() -> Result<Loaded, LibraryNotFound> {
    if let Some(library) = already_loaded_library() {
        return Ok(Loaded { library, source: LibrarySource::AlreadyLoaded });
    }
    let chosen = chosen();
    let mut attempts = Vec::new();
    for name in candidates(chosen.as_deref()) {
        // SAFETY: opening a library runs its initialisers. An OpenCL loader's are fit to run at any time; a
        // library that the user names in the environment is trusted like one named in `LD_PRELOAD`.
        match unsafe { Library::new(&name) } {
            Ok(library) if is_opencl(&library) => {
                return Ok(Loaded { library, source: LibrarySource::Opened(name) });
            }
            Ok(_) => {
                attempts.push((
                    name,
                    format!("it has no function `{FIRST_FUNCTION}`, so that it is no OpenCL library"),
                ));
            }
            Err(error) => {
                let message = message_of(&error);
                let reason = message.strip_prefix(&format!("{name}: ")).unwrap_or(&message).to_owned();
                attempts.push((name, reason));
            }
        }
    }
    Err(LibraryNotFound { chosen, attempts })
}

/// The value of [`PATH_VARIABLE`]; `None` if it is unset or blank.
fn chosen() -> Option<String> {
    env::var(PATH_VARIABLE).ok().filter(|paths| !paths.trim().is_empty())
}

fn candidates(chosen: Option<&str>) -> Vec<String> {
    match chosen {
        Some(paths) => {
            paths.split(';').map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect()
        }
        None => USUAL_LIBRARIES.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// The dynamic linker's own text, which `libloading` keeps as the source of its error.
fn message_of(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// The process itself; `None` unless something other than this crate defines OpenCL in it.
#[cfg(unix)]
fn already_loaded_library() -> Option<Library> {
    let process = Library::from(libloading::os::unix::Library::this());
    is_opencl(&process).then_some(process)
}

/// Whether a library defines OpenCL: it must have the function that every program calls first, and that must
/// not be this crate's.
fn is_opencl(library: &Library) -> bool {
    let own = crate::entry_points::clGetPlatformIDs as *const ();
    address_in(library, FIRST_FUNCTION, own).is_some()
}

/// Always `None`: Windows has no search through all loaded modules, and opening `OpenCL.dll` finds a loaded
/// one by its name.
#[cfg(not(unix))]
fn already_loaded_library() -> Option<Library> {
    None
}

fn address_in(library: &Library, name: &str, own: *const ()) -> Option<*const ()> {
    // SAFETY: a function pointer and a data pointer have the same representation on every platform that has
    // dynamic libraries; it is only compared here, and called by `entry_points` with the right signature.
    let address = unsafe { library.get::<*const ()>(name) }.ok().map(|symbol| *symbol)?;
    (!address.is_null() && address != own).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_reported_with_every_attempt() {
        let error = LibraryNotFound {
            chosen: None,
            attempts: vec![("libA.so".into(), "no such file".into()), ("libB.so".into(), "bad ELF".into())],
        };
        assert_eq!(
            error.to_string(),
            "no OpenCL library could be opened; libA.so: no such file; libB.so: bad ELF"
        );
        let chosen = LibraryNotFound { chosen: Some("libA.so;libB.so".into()), ..error };
        assert_eq!(
            chosen.to_string(),
            "`OPENCL_DYLIB_PATH=libA.so;libB.so` names no OpenCL library; libA.so: no such file; libB.so: bad ELF"
        );
    }

    #[test]
    fn the_dynamic_linkers_text_is_kept() {
        // SAFETY: there is no such library, so nothing is run.
        let error = unsafe { Library::new("libno-such-opencl.so.7") }.expect_err("no such library");
        assert!(message_of(&error).contains("libno-such-opencl.so.7"), "{}", message_of(&error));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_library_without_opencl_is_no_opencl_library() {
        // SAFETY: the C library is loaded already.
        let library = unsafe { Library::new("libc.so.6") }.expect("every program has it");
        assert!(!is_opencl(&library));
    }

    #[test]
    fn the_installed_library_is_found_and_is_not_this_crate() {
        let source = library_source().expect("an OpenCL loader is installed for the tests");
        assert!(matches!(source, LibrarySource::Opened(_) | LibrarySource::AlreadyLoaded));
        let own = crate::entry_points::clFinish as *const ();
        assert!(address_of("clFinish", own).is_some_and(|address| address != own));
        assert!(address_of("clNoSuchFunction", own).is_none());
    }
}
