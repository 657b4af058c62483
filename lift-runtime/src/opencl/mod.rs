//! OpenCL through `ocl`: the one module that mentions it.
//!
//! It turns `ocl`'s core functions into a small safe interface: enumerate devices, open one, allocate, copy,
//! build, launch. What `ocl` leaves open is settled here:
//!
//! - `Platform::list` and the `ProQue` defaults sleep and panic without a platform. So only the core
//!   functions are used, and only `lift_opencl` makes these answer "no platform" at once;
//! - OpenCL refuses a buffer of no bytes. So at least one byte is allocated;
//! - `clSetKernelArg` on a shared kernel object is a data race. So a kernel object belongs to one launch at a
//!   time and waits in a pool between launches;
//! - a failed build without a log passes for a success. So the status is asked for.
//!
//! Commands of one device run in order, from whichever thread they come: there is one queue, it is in order,
//! and the entry points of OpenCL that enqueue may be called from several threads at once (appendix A.2 of
//! OpenCL 1.2). A buffer is written once, by the upload or the kernels of the call that made it, before any
//! other thread can see it.
//!
//! So memory can be used again as soon as nobody refers to it, even if kernels that use it have not run. A
//! [`Buffer`] gives its memory back to the pool when the last reference to it is dropped. By then its holder
//! has enqueued everything that uses the buffer, and transfers block. Whoever takes the memory from the pool
//! locks the pool later, and enqueues later still. Since the queue is in order, the old commands are complete
//! before the new ones begin. No event is needed, not even between threads. With a second queue for one
//! context that would no longer be true.

mod discovery;
mod element;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ocl::core::{self, ArgVal, CommandExecutionStatus, CommandQueueProperties, MemFlags, Status};

use crate::backend::{IndexWidth, Keeping, KernelArgument, Pool, Session};
use crate::bits::{AlignedBytes, Bits};
use crate::error::{Error, Result};
use crate::program::{Exactness, Form, ScalarType};
use crate::specialise::Timing;

pub(crate) use discovery::loader;

/// An open device: its context and its in-order, profiling queue.
#[derive(Debug)]
pub(crate) struct OpenCl {
    device: String,
    /// The device, its platform and the versions of both, as far as built programs depend on them.
    driver: String,
    id: core::DeviceId,
    context: core::Context,
    queue: core::CommandQueue,
    pool: Arc<Pool<core::Mem>>,
}

/// A built program with the kernel objects that are not in use.
#[derive(Debug)]
pub(crate) struct Executable {
    program: core::Program,
    idle: BTreeMap<&'static str, Mutex<Vec<core::Kernel>>>,
}

/// A launched kernel.
#[derive(Debug, Clone)]
pub(crate) struct Launched(core::Event);

impl Session for OpenCl {
    type DeviceId = core::DeviceId;
    type Memory = core::Mem;
    type Executable = Executable;
    type Launched = Launched;

    fn open(id: core::DeviceId, device: String) -> Result<OpenCl> {
        let context = core::create_context(None, &[id], None, None)
            .map_err(|error| failure(&device, "clCreateContext", &error))?;
        let queue = core::create_command_queue(&context, id, Some(CommandQueueProperties::PROFILING_ENABLE))
            .map_err(|error| failure(&device, "clCreateCommandQueue", &error))?;
        let pool = Arc::new(Pool::new(Keeping::of_environment()));
        Ok(OpenCl { device, driver: discovery::driver(id), id, context, queue, pool })
    }

    fn driver(&self) -> &str {
        &self.driver
    }

    fn source(form: &'static Form) -> &'static str {
        form.source
    }

    fn build_options(index: IndexWidth, types: &[ScalarType], exact: &Exactness) -> String {
        element::build_options(index, types, exact)
    }

    fn build(
        &self,
        name: &str,
        source: &str,
        options: &str,
        entries: impl Iterator<Item = &'static str>,
    ) -> Result<Executable> {
        let source = self.terminated(name, source)?;
        let program = core::create_program_with_source(&self.context, &[source]);
        let program = self.check("clCreateProgramWithSource", program)?;
        self.finish_build(name, program, options, entries)
    }

    fn load(
        &self,
        name: &str,
        binary: &[u8],
        options: &str,
        entries: impl Iterator<Item = &'static str>,
    ) -> Result<Executable> {
        let program = core::create_program_with_binary(&self.context, &[self.id], &[binary]);
        let program = self.check("clCreateProgramWithBinary", program)?;
        self.finish_build(name, program, options, entries)
    }

    fn binary(&self, executable: &Executable) -> Result<Vec<u8>> {
        let binaries = core::get_program_info(&executable.program, core::ProgramInfo::Binaries);
        match self.check("clGetProgramInfo", binaries)? {
            core::ProgramInfoResult::Binaries(mut binaries) => Ok(binaries.pop().unwrap_or_default()),
            _ => Ok(Vec::new()),
        }
    }

    fn warnings(&self, executable: &Executable) -> Option<String> {
        self.build_log(&executable.program)
    }

    /// A kernel that states its group was built for that. For such kernels NVIDIA's driver reports 256, and
    /// yet runs them with the 512 that they state.
    fn largest_group(&self, executable: &Executable, entry: &'static str) -> Result<u64> {
        use core::{KernelWorkGroupInfo, KernelWorkGroupInfoResult};
        let kernel = self.kernel(executable, entry)?;
        let largest = core::get_kernel_work_group_info(&kernel, self.id, KernelWorkGroupInfo::WorkGroupSize);
        let stated =
            core::get_kernel_work_group_info(&kernel, self.id, KernelWorkGroupInfo::CompileWorkGroupSize);
        executable.put_back(entry, kernel);
        let largest = match self.check("clGetKernelWorkGroupInfo", largest)? {
            KernelWorkGroupInfoResult::WorkGroupSize(size) => size as u64,
            // Some drivers do not say; then the launch itself will.
            _ => u64::MAX,
        };
        Ok(match stated {
            Ok(KernelWorkGroupInfoResult::CompileWorkGroupSize(sizes)) => {
                largest.max(sizes.iter().map(|size| *size as u64).product())
            }
            _ => largest,
        })
    }

    fn create(&self, bytes: usize) -> Result<core::Mem> {
        // SAFETY: the flags ask for plain memory of the device's own, and no host memory is handed over.
        #[allow(unsafe_code, reason = "`ocl` marks it unsafe because of flags that are not used here")]
        let memory =
            unsafe { core::create_buffer::<_, u8>(&self.context, MemFlags::READ_WRITE, bytes.max(1), None) };
        self.check("clCreateBuffer", memory)
    }

    fn pool(&self) -> &Arc<Pool<core::Mem>> {
        &self.pool
    }

    fn write(&self, memory: &core::Mem, bytes: &[u8]) -> Result<()> {
        // SAFETY: the call blocks until the transfer is complete, so that the borrow outlives it; OpenCL
        // refuses to write beyond the end.
        #[allow(unsafe_code, reason = "`ocl` cannot express that a blocking write only borrows")]
        let written = unsafe {
            core::enqueue_write_buffer(&self.queue, memory, true, 0, bytes, NO_EVENTS, NO_NEW_EVENT)
        };
        self.check("clEnqueueWriteBuffer", written)
    }

    fn read_from(&self, memory: &core::Mem, offset: usize, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: the call blocks until the transfer is complete, so that the borrow outlives it; OpenCL
        // refuses to read beyond the end.
        #[allow(unsafe_code, reason = "`ocl` cannot express that a blocking read only borrows")]
        let read = unsafe {
            core::enqueue_read_buffer(&self.queue, memory, true, offset, bytes, NO_EVENTS, NO_NEW_EVENT)
        };
        self.check("clEnqueueReadBuffer", read)
    }

    fn finish(&self) -> Result<()> {
        self.check("clFinish", core::finish(&self.queue))
    }

    fn launch(
        &self,
        executable: &Executable,
        entry: &'static str,
        arguments: &[KernelArgument<core::Mem>],
        global: [usize; 3],
        local: [usize; 3],
    ) -> Result<Launched> {
        let kernel = self.kernel(executable, entry)?;
        for (index, argument) in (0u32..).zip(arguments) {
            self.check("clSetKernelArg", core::set_kernel_arg(&kernel, index, value(argument)))?;
        }
        let mut event = core::Event::null();
        // SAFETY: the kernel was generated for these arguments: its bounds are functions of the sizes that
        // were checked against every buffer, and the types of all arguments were compared. OpenCL keeps the
        // buffers alive until the kernel has run.
        #[allow(unsafe_code, reason = "running a kernel cannot be checked by `ocl`")]
        let enqueued = unsafe {
            core::enqueue_kernel(
                &self.queue,
                &kernel,
                3,
                None,
                &global,
                Some(local),
                NO_EVENTS,
                Some(&mut event),
            )
        };
        self.check("clEnqueueNDRangeKernel", enqueued)?;
        executable.put_back(entry, kernel);
        Ok(Launched(event))
    }

    fn flush(&self) -> Result<()> {
        self.check("clFlush", core::flush(&self.queue))
    }

    fn wait(&self, launched: &Launched) -> Result<()> {
        self.check("clWaitForEvents", core::wait_for_event(&launched.0))
    }

    fn duration(&self, launched: &Launched) -> Result<Duration> {
        let time = |moment| {
            let info = core::get_event_profiling_info(&launched.0, moment);
            let info = self.check("clGetEventProfilingInfo", info)?;
            self.check("clGetEventProfilingInfo", info.time())
        };
        let (start, end) = (time(core::ProfilingInfo::Start)?, time(core::ProfilingInfo::End)?);
        Ok(Duration::from_nanos(end.saturating_sub(start)))
    }

    fn timing(&self, launched: &[Launched]) -> Timing {
        // The commands of a device run in order.
        let Some(Launched(last)) = launched.last() else { return Timing::Unknown };
        match core::event_status(last) {
            Ok(CommandExecutionStatus::Complete) => launched
                .iter()
                .map(|launched| self.duration(launched))
                .sum::<Result<Duration>>()
                .map_or(Timing::Unknown, Timing::Took),
            Ok(_) => Timing::Running,
            // This includes a kernel that failed.
            Err(_) => Timing::Unknown,
        }
    }
}

impl OpenCl {
    fn check<T>(&self, call: &str, result: core::Result<T>) -> Result<T> {
        result.map_err(|error| failure(&self.device, call, &error))
    }

    fn terminated(&self, name: &str, text: &str) -> Result<CString> {
        CString::new(text).map_err(|_| self.build_error(name, "the source contains a NUL".to_owned()))
    }

    fn build_error(&self, name: &str, log: String) -> Error {
        Error::Build { device: self.device.clone(), program: name.to_owned(), log }
    }

    fn finish_build(
        &self,
        name: &str,
        program: core::Program,
        options: &str,
        entries: impl Iterator<Item = &'static str>,
    ) -> Result<Executable> {
        let options = self.terminated(name, options)?;
        match core::build_program(&program, Some(&[self.id]), &options, None, None) {
            Ok(()) => {}
            Err(core::Error::ProgramBuild(_)) => {
                return Err(self.build_error(name, self.reason(&program)));
            }
            Err(other) => return Err(failure(&self.device, "clBuildProgram", &other)),
        }
        let status = core::get_program_build_info(&program, self.id, core::ProgramBuildInfo::BuildStatus);
        match self.check("clGetProgramBuildInfo", status)? {
            core::ProgramBuildInfoResult::BuildStatus(core::ProgramBuildStatus::Error) => {
                Err(self.build_error(name, self.reason(&program)))
            }
            _ => Ok(Executable { program, idle: entries.map(|entry| (entry, Mutex::default())).collect() }),
        }
    }

    /// Why a build failed.
    fn reason(&self, program: &core::Program) -> String {
        self.build_log(program).unwrap_or_else(|| "the driver gives no reason".to_owned())
    }

    /// What the driver's compiler said of a program, if anything.
    fn build_log(&self, program: &core::Program) -> Option<String> {
        match core::get_program_build_info(program, self.id, core::ProgramBuildInfo::BuildLog) {
            Ok(core::ProgramBuildInfoResult::BuildLog(log)) if !log.trim().is_empty() => Some(log),
            Ok(_) | Err(_) => None,
        }
    }

    fn kernel(&self, executable: &Executable, entry: &'static str) -> Result<core::Kernel> {
        match executable.pool(entry).and_then(|mut idle| idle.pop()) {
            Some(kernel) => Ok(kernel),
            None => self.check("clCreateKernel", core::create_kernel(&executable.program, entry)),
        }
    }
}

const NO_EVENTS: Option<&core::Event> = None;
const NO_NEW_EVENT: Option<&mut core::Event> = None;

impl Executable {
    fn pool(&self, entry: &'static str) -> Option<MutexGuard<'_, Vec<core::Kernel>>> {
        // A panic elsewhere cannot leave the pool half changed.
        Some(self.idle.get(entry)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put_back(&self, entry: &'static str, kernel: core::Kernel) {
        if let Some(mut idle) = self.pool(entry) {
            idle.push(kernel);
        }
    }
}

/// An argument as OpenCL takes it.
fn value(argument: &KernelArgument<core::Mem>) -> ArgVal<'_> {
    match argument {
        KernelArgument::Buffer(buffer) => ArgVal::mem(buffer.memory()),
        KernelArgument::Bits(Bits::Bits8(bits)) => ArgVal::scalar(bits),
        KernelArgument::Bits(Bits::Bits16(bits)) => ArgVal::scalar(bits),
        KernelArgument::Bits(Bits::Bits32(bits)) => ArgVal::scalar(bits),
        KernelArgument::Bits(Bits::Bits64(bits)) => ArgVal::scalar(bits),
        KernelArgument::Bits(Bits::Bytes(count, aligned)) => {
            let AlignedBytes(bytes) = aligned.as_ref();
            let size = (*count).min(bytes.len());
            // SAFETY: the pointer is to at least `size` bytes, which live as long as the value; it is no
            // memory object.
            #[allow(unsafe_code, reason = "`ocl` has no vectors of every type")]
            unsafe {
                ArgVal::from_raw(size, bytes.as_ptr().cast(), false)
            }
        }
    }
}

fn failure(device: &str, call: &str, error: &core::Error) -> Error {
    match error.api_status() {
        Some(
            Status::CL_MEM_OBJECT_ALLOCATION_FAILURE
            | Status::CL_OUT_OF_RESOURCES
            | Status::CL_OUT_OF_HOST_MEMORY
            | Status::CL_INVALID_BUFFER_SIZE,
        ) => Error::OutOfDeviceMemory { device: device.to_owned(), call: call.to_owned() },
        Some(status) => Error::OpenCl {
            device: device.to_owned(),
            call: call.to_owned(),
            status: format!("{status:?} ({})", status as i32),
        },
        None => Error::OpenCl { device: device.to_owned(), call: call.to_owned(), status: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::backend::{COMPARED_AT_ONCE, Driver, Found};

    /// A session of the tests' own, so that nobody else uses its memory.
    fn session() -> OpenCl {
        let (platforms, _) = OpenCl::platforms();
        let found = platforms.into_iter().flat_map(|platform| platform.devices).next();
        let Found { device, name, .. } = found.expect("the tests need an OpenCL device");
        OpenCl::open(device, name).expect("the device can be opened")
    }

    fn shortage() -> Error {
        Error::OutOfDeviceMemory { device: "a test".to_owned(), call: "clEnqueueNDRangeKernel".to_owned() }
    }

    #[test]
    fn what_fails_for_want_of_memory_runs_once_more_when_what_was_kept_is_gone() {
        let session = session();
        drop(session.upload(&[1, 2, 3]).expect("a few bytes"));
        let runs = Cell::new(0);
        let result = session.with_room(|| {
            runs.set(runs.get() + 1);
            if runs.get() == 1 { Err(shortage()) } else { Ok(session.release_memory()?) }
        });
        assert_eq!((result.expect("there is room"), runs.get()), (0, 2), "nothing was kept any more");
    }

    #[test]
    fn what_fails_for_want_of_memory_does_not_run_again_where_nothing_was_kept() {
        let session = session();
        let _in_use = session.upload(&[1, 2, 3]).expect("a few bytes");
        let runs = Cell::new(0);
        let result: Result<()> = session.with_room(|| {
            runs.set(runs.get() + 1);
            Err(shortage())
        });
        assert!(matches!(result, Err(Error::OutOfDeviceMemory { .. })));
        assert_eq!(runs.get(), 1);
    }

    #[test]
    fn a_buffer_that_gets_memory_with_more_room_has_its_own_length() {
        let session = session();
        drop(session.upload(&[7; 1000]).expect("a kilobyte"));
        let buffer = session.upload(&[1; 990]).expect("a kilobyte");
        assert_eq!(session.release_memory().expect("it is a number"), 0, "the same memory");
        let mut bytes = [0; 990];
        session.read(&buffer, &mut bytes).expect("as many as there are");
        assert_eq!(bytes, [1; 990]);
        assert!(session.read(&buffer, &mut [0; 1000]).is_err());
    }

    #[test]
    fn buffers_are_equal_if_all_of_their_bytes_are() {
        let session = session();
        let long: Vec<u8> = (0..COMPARED_AT_ONCE * 2 + 10).map(|byte| (byte % 251) as u8).collect();
        let buffer = |bytes: &[u8]| session.upload(bytes).expect("a few megabytes");
        let a = buffer(&long);
        assert!(session.is_equal(&a, &buffer(&long)).expect("they can be read"));
        assert!(session.is_equal(&buffer(&[]), &buffer(&[])).expect("they can be read"));
        for position in [0, COMPARED_AT_ONCE, long.len() - 1] {
            let mut other = long.clone();
            other[position] ^= 1;
            assert!(!session.is_equal(&a, &buffer(&other)).expect("they can be read"), "{position}");
        }
        for shorter in [0, COMPARED_AT_ONCE, long.len() - 1] {
            let other = buffer(&long[..shorter]);
            assert!(!session.is_equal(&a, &other).expect("they can be read"), "{shorter}");
            assert!(!session.is_equal(&other, &a).expect("they can be read"), "{shorter}");
        }
    }

    #[test]
    fn buffers_may_outlive_their_session() {
        let session = session();
        let buffer = session.upload(&[1, 2, 3]).expect("a few bytes");
        drop(session);
        drop(buffer);
    }
}
