//! What a driver offers for one of its devices: memory, built programs, launches.
//!
//! All that is done with a device of a driver is written against [`Session`]: [`launch`](crate::launch)
//! builds, uploads and enqueues, [`cache`](super::cache) keeps what was built, and [`pool`](super::pool)
//! keeps memory. OpenCL is the only one ([`opencl`](crate::opencl)).

use std::any::Any;
use std::fmt::{Debug, Display};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::cache::ProgramCache;
use super::index_width::IndexWidth;
use super::pool::{Pool, Pooled};
use crate::bits::Bits;
use crate::error::{Error, Result};
use crate::process;
use crate::program::{Exactness, Form, ScalarType};
use crate::specialise::Timing;

/// An open device of a driver.
///
/// Its commands run in order, from whichever thread they come. So memory can be used again as soon as nobody
/// refers to it, even if kernels that use it have not run.
pub(crate) trait Session: Debug + Send + Sync + Sized + 'static {
    /// Identifies a device as long as this process runs.
    type DeviceId: Debug + Copy + Send + Sync;
    /// A handle of memory on the device, which is freed when its last copy is dropped.
    type Memory: Debug + Clone + Send + Sync;
    /// A built program.
    type Executable: Debug + Send + Sync;
    /// A launched kernel.
    type Launched: Debug + Clone + Send + Sync;

    /// Opens a device. The name is for messages.
    fn open(id: Self::DeviceId, name: String) -> Result<Self>;

    /// The device, its platform and the versions of both, as far as built programs depend on them.
    fn driver(&self) -> &str;

    /// The text of a form in the language of the driver.
    fn source(form: &'static Form) -> &'static str;

    /// What a program is built with for an index type, type parameters, and what it asks of arithmetic.
    fn build_options(index: IndexWidth, types: &[ScalarType], exact: &Exactness) -> String;

    /// Compiles a text. The name is for messages.
    fn build(
        &self,
        name: &str,
        source: &str,
        options: &str,
        entries: impl Iterator<Item = &'static str>,
    ) -> Result<Self::Executable>;

    /// Loads a program that was built before, from its [`binary`](Self::binary).
    fn load(
        &self,
        name: &str,
        binary: &[u8],
        options: &str,
        entries: impl Iterator<Item = &'static str>,
    ) -> Result<Self::Executable>;

    /// The binary of a built program, as the driver takes it back; empty if it gives none.
    fn binary(&self, executable: &Self::Executable) -> Result<Vec<u8>>;

    /// What the driver's compiler said of a program that it built: its warnings.
    fn warnings(&self, executable: &Self::Executable) -> Option<String>;

    /// The largest work-group in which the device can run a kernel.
    fn largest_group(&self, executable: &Self::Executable, entry: &'static str) -> Result<u64>;

    /// New memory with undefined contents.
    fn create(&self, bytes: usize) -> Result<Self::Memory>;

    /// The memory of the device that is kept for later calls.
    fn pool(&self) -> &Arc<Pool<Self::Memory>>;

    /// Overwrites memory from its beginning; it must be large enough. Returns when the host's memory has been
    /// read.
    fn write(&self, memory: &Self::Memory, bytes: &[u8]) -> Result<()>;

    /// Copies as many bytes as these to the host, from `offset` on. Returns when that is complete.
    fn read_from(&self, memory: &Self::Memory, offset: usize, bytes: &mut [u8]) -> Result<()>;

    /// Waits until the device has done everything.
    fn finish(&self) -> Result<()>;

    /// Enqueues a kernel; no size may be zero, and `global` must be a multiple of `local`.
    fn launch(
        &self,
        executable: &Self::Executable,
        entry: &'static str,
        arguments: &[KernelArgument<Self::Memory>],
        global: [usize; 3],
        local: [usize; 3],
    ) -> Result<Self::Launched>;

    /// Makes the device start on the commands enqueued so far.
    fn flush(&self) -> Result<()>;

    /// Waits until a kernel and all kernels launched before it are complete. A failure of the kernel shows
    /// here.
    fn wait(&self, launched: &Self::Launched) -> Result<()>;

    /// The time that a kernel ran. It must be complete.
    fn duration(&self, launched: &Self::Launched) -> Result<Duration>;

    /// The time that the kernels of one call ran, if they are complete.
    fn timing(&self, launched: &[Self::Launched]) -> Timing;

    /// Memory with undefined contents, which may have been in use before.
    fn allocate(&self, bytes: usize) -> Result<Buffer<Self>> {
        Pooled::take(self.pool(), bytes, |bytes| self.create(bytes))
    }

    /// A buffer with these bytes. Returns when the host's memory has been read.
    fn upload(&self, bytes: &[u8]) -> Result<Buffer<Self>> {
        let buffer = self.allocate(bytes.len())?;
        if !bytes.is_empty() {
            self.write(buffer.memory(), bytes)?;
        }
        Ok(buffer)
    }

    /// Copies a buffer to the host; the lengths must be equal. Returns when that is complete.
    fn read(&self, buffer: &Buffer<Self>, bytes: &mut [u8]) -> Result<()> {
        process::check()?;
        if buffer.bytes() != bytes.len() {
            let message =
                format!("a buffer of {} bytes was to be copied as {} bytes", buffer.bytes(), bytes.len());
            return Err(Error::Internal { program: "a result".to_owned(), message });
        }
        match bytes {
            [] => Ok(()),
            bytes => self.read_from(buffer.memory(), 0, bytes),
        }
    }

    /// Whether two buffers hold the same bytes. Returns when the kernels that write them are done.
    fn is_equal(&self, a: &Buffer<Self>, b: &Buffer<Self>) -> Result<bool> {
        let mut pieces = [a, b].map(|buffer| vec![0; buffer.bytes().min(COMPARED_AT_ONCE)]);
        for offset in (0..a.bytes().max(b.bytes())).step_by(COMPARED_AT_ONCE) {
            for (buffer, piece) in [a, b].into_iter().zip(&mut pieces) {
                piece.truncate(buffer.bytes().saturating_sub(offset));
                if !piece.is_empty() {
                    self.read_from(buffer.memory(), offset, piece)?;
                }
            }
            let [of_a, of_b] = &pieces;
            if of_a != of_b {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Frees the memory that is kept for later calls, and returns its number of bytes. Returns when the
    /// driver has it back.
    fn release_memory(&self) -> Result<usize> {
        let bytes = self.pool().release();
        if bytes > 0 {
            // Memory is freed when the commands that use it are complete.
            self.finish()?;
        }
        Ok(bytes)
    }

    /// Runs something that needs memory. If it fails for lack of memory, what is kept is freed, and it runs
    /// once more. Many drivers look for the memory of a buffer only when a command uses it.
    fn with_room<R>(&self, run: impl Fn() -> Result<R>) -> Result<R> {
        match run() {
            Err(Error::OutOfDeviceMemory { .. }) if self.release_memory()? > 0 => run(),
            result => result,
        }
    }
}

/// The number of bytes of each of two buffers that are compared on the host at a time.
pub(crate) const COMPARED_AT_ONCE: usize = 4 << 20;

/// Memory on a device, which goes back to the pool when it is dropped.
pub(crate) type Buffer<S> = Pooled<<S as Session>::Memory>;

/// What a kernel parameter is bound to.
#[derive(Debug, Clone)]
pub(crate) enum KernelArgument<M: Clone> {
    Buffer(Arc<Pooled<M>>),
    Bits(Bits),
}

/// A device of a driver, which is opened when it is first needed, and the programs that were built for it.
#[derive(Debug)]
pub(crate) struct DriverDevice<S: Session> {
    id: S::DeviceId,
    session: Mutex<Option<Arc<S>>>,
    pub(crate) programs: ProgramCache<S::Executable, S::Launched>,
}

impl<S: Session> DriverDevice<S> {
    pub(crate) fn new(id: S::DeviceId) -> DriverDevice<S> {
        DriverDevice { id, session: Mutex::new(None), programs: ProgramCache::new() }
    }

    /// The session of the device, which is opened first if necessary; the name is for messages.
    pub(crate) fn session(&self, name: &dyn Display) -> Result<Arc<S>> {
        process::check()?;
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match session.as_ref() {
            Some(session) => Ok(Arc::clone(session)),
            None => {
                let opened = Arc::new(S::open(self.id, name.to_string())?);
                *session = Some(Arc::clone(&opened));
                Ok(opened)
            }
        }
    }
}

/// A device of any driver, which is opened when it is first needed.
pub(super) trait AnyDriverDevice {
    /// A copy of these bytes on the device; its name is for messages.
    fn upload(&self, name: &dyn Display, bytes: &[u8]) -> Result<Arc<dyn DriverMemory>>;

    /// Frees the memory that is kept for later calls, and returns its number of bytes.
    fn release_memory(&self) -> Result<usize>;
}

impl<S: Session> AnyDriverDevice for DriverDevice<S> {
    fn upload(&self, name: &dyn Display, bytes: &[u8]) -> Result<Arc<dyn DriverMemory>> {
        let session = self.session(name)?;
        let buffer = session.with_room(|| session.upload(bytes))?;
        Ok(Arc::new(DeviceMemory { session, buffer: Arc::new(buffer) }))
    }

    fn release_memory(&self) -> Result<usize> {
        process::check()?;
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        session.map_or(Ok(0), |session| session.release_memory())
    }
}

/// An array in a buffer of a device, whose elements have no type.
#[derive(Debug)]
pub(crate) struct DeviceMemory<S: Session> {
    pub(crate) session: Arc<S>,
    pub(crate) buffer: Arc<Buffer<S>>,
}

/// An array in memory of a device of any driver.
pub(crate) trait DriverMemory: Any + Debug + Send + Sync {
    /// The number of bytes of its elements.
    fn byte_count(&self) -> usize;

    /// Copies all bytes to the host; the lengths must be equal. Waits for the kernels that write them.
    fn read(&self, bytes: &mut [u8]) -> Result<()>;
}

impl<S: Session> DriverMemory for DeviceMemory<S> {
    fn byte_count(&self) -> usize {
        self.buffer.bytes()
    }

    fn read(&self, bytes: &mut [u8]) -> Result<()> {
        self.session.read(&self.buffer, bytes)
    }
}
