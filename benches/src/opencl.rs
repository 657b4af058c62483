//! The harness's own OpenCL: hand-written kernels, and generated ones that are compiled while the benchmark
//! runs.
//!
//! Its context is separate from that of `lift`, on the same device, with an in-order queue that records
//! times. Only features of OpenCL 1.2 are used.

use std::time::Duration;

use lift_opencl as _;
use ocl::core::{
    self, ArgVal, CommandQueueProperties, DeviceInfo, DeviceType, Event, MemFlags, ProfilingInfo,
    ProgramBuildInfo,
};

use crate::case::Input;
use crate::error::{Error, Result};
use crate::plan::{Argument, Plan};

const NO_EVENTS: Option<&Event> = None;
const NO_NEW_EVENT: Option<&mut Event> = None;

/// An open device.
pub(crate) struct Gpu {
    id: core::DeviceId,
    context: core::Context,
    queue: core::CommandQueue,
}

/// An array on the device.
pub(crate) struct Buffer {
    memory: core::Mem,
    elements: usize,
}

/// A plan that is ready to run: built, with all arguments set.
pub(crate) struct Prepared<'a> {
    gpu: &'a Gpu,
    kernels: Vec<ReadyKernel>,
    outputs: &'a [Buffer],
    // Kernels do not keep alive the buffers that are set as their arguments.
    _scratch: Vec<Buffer>,
}

struct ReadyKernel {
    kernel: core::Kernel,
    global: [usize; 3],
    local: [usize; 3],
}

impl Gpu {
    /// Opens the device that `lift` found: the first one with its name and its platform's name.
    pub(crate) fn open(device: &lift::Device) -> Result<Gpu> {
        let id = find(device)?;
        let context = core::create_context(None, &[id], None, None).map_err(failed("clCreateContext"))?;
        let queue = core::create_command_queue(&context, id, Some(CommandQueueProperties::PROFILING_ENABLE))
            .map_err(failed("clCreateCommandQueue"))?;
        Ok(Gpu { id, context, queue })
    }

    /// Copies an input to the device.
    pub(crate) fn upload(&self, input: &Input) -> Result<Buffer> {
        self.buffer(&input.elements)
    }

    /// A buffer for results, shared by all kernels of a case: where it lies in memory matters as much as how
    /// it is written.
    pub(crate) fn output(&self, elements: usize) -> Result<Buffer> {
        self.buffer(&vec![f32::NAN; elements])
    }

    fn buffer(&self, elements: &[f32]) -> Result<Buffer> {
        let buffer = self.allocate(elements.len())?;
        self.write(&buffer, elements)?;
        Ok(buffer)
    }

    /// Fills a buffer; there must be as many elements as it has.
    fn write(&self, buffer: &Buffer, elements: &[f32]) -> Result<()> {
        // SAFETY: the write blocks, so that the borrow outlives it, and all callers have as many elements as
        // the buffer.
        #[allow(unsafe_code, reason = "`ocl` cannot express that a blocking write only borrows")]
        unsafe {
            core::enqueue_write_buffer(
                &self.queue,
                &buffer.memory,
                true,
                0,
                elements,
                NO_EVENTS,
                NO_NEW_EVENT,
            )
        }
        .map_err(failed("clEnqueueWriteBuffer"))
    }

    fn allocate(&self, elements: usize) -> Result<Buffer> {
        // SAFETY: the flags ask for plain memory of the device's own, and no host memory is handed over.
        #[allow(unsafe_code, reason = "`ocl` marks it unsafe because of flags that are not used here")]
        let memory = unsafe {
            core::create_buffer::<_, f32>(&self.context, MemFlags::READ_WRITE, elements.max(1), None)
        };
        Ok(Buffer { memory: memory.map_err(failed("clCreateBuffer"))?, elements })
    }

    fn read(&self, buffer: &Buffer) -> Result<Vec<f32>> {
        let mut elements = vec![0.0f32; buffer.elements];
        // SAFETY: the read blocks, so that the borrow outlives it, and the buffer has as many elements.
        #[allow(unsafe_code, reason = "`ocl` cannot express that a blocking read only borrows")]
        unsafe {
            core::enqueue_read_buffer(
                &self.queue,
                &buffer.memory,
                true,
                0,
                &mut elements,
                NO_EVENTS,
                NO_NEW_EVENT,
            )
        }
        .map_err(failed("clEnqueueReadBuffer"))?;
        Ok(elements)
    }

    fn build(&self, plan: &Plan) -> Result<core::Program> {
        let text =
            |text: &str| std::ffi::CString::new(text).map_err(|error| Error::opencl("clBuildProgram", error));
        let program = core::create_program_with_source(&self.context, &[text(&plan.source)?])
            .map_err(failed("clCreateProgramWithSource"))?;
        core::build_program(&program, Some(&[self.id]), &text(&plan.options)?, None, None)
            .map_err(failed("clBuildProgram"))?;
        let status = core::get_program_build_info(&program, self.id, ProgramBuildInfo::BuildStatus);
        match status.map_err(failed("clGetProgramBuildInfo"))? {
            core::ProgramBuildInfoResult::BuildStatus(core::ProgramBuildStatus::Error) => {
                Err(Error::opencl("clBuildProgram", "the driver gives no reason"))
            }
            _ => Ok(program),
        }
    }

    /// A plan's kernels as the driver compiled them.
    pub(crate) fn binary(&self, plan: &Plan) -> Result<Vec<u8>> {
        let program = self.build(plan)?;
        let info = core::get_program_info(&program, core::ProgramInfo::Binaries);
        match info.map_err(failed("clGetProgramInfo"))? {
            core::ProgramInfoResult::Binaries(binaries) => Ok(binaries.concat()),
            _ => Err(Error::opencl("clGetProgramInfo", "the answer has another form")),
        }
    }

    /// Builds a plan, makes its buffers and sets its arguments.
    pub(crate) fn prepare<'a>(
        &'a self,
        plan: &Plan,
        inputs: &'a [Buffer],
        outputs: &'a [Buffer],
    ) -> Result<Prepared<'a>> {
        let program = self.build(plan)?;
        let scratch = plan.scratch.iter().map(|&elements| self.buffer(&vec![0.0; elements]));
        let scratch = scratch.collect::<Result<Vec<_>>>()?;
        let missing = |argument| Error::Inconsistent(format!("there is no {argument:?}"));
        let mut kernels = Vec::new();
        for launch in &plan.launches {
            let kernel = core::create_kernel(&program, &launch.entry).map_err(failed("clCreateKernel"))?;
            for (position, &argument) in (0u32..).zip(&launch.arguments) {
                let value = match &argument {
                    Argument::Input(input) => {
                        ArgVal::mem(&inputs.get(*input).ok_or_else(|| missing(argument))?.memory)
                    }
                    Argument::Output(output) => {
                        ArgVal::mem(&outputs.get(*output).ok_or_else(|| missing(argument))?.memory)
                    }
                    Argument::Scratch(buffer) => {
                        ArgVal::mem(&scratch.get(*buffer).ok_or_else(|| missing(argument))?.memory)
                    }
                    Argument::Int(number) => ArgVal::scalar(number),
                    Argument::Long(number) => ArgVal::scalar(number),
                    Argument::Float(number) => ArgVal::scalar(number),
                };
                core::set_kernel_arg(&kernel, position, value).map_err(failed("clSetKernelArg"))?;
            }
            kernels.push(ReadyKernel { kernel, global: launch.global, local: launch.local });
        }
        Ok(Prepared { gpu: self, kernels, outputs, _scratch: scratch })
    }
}

impl Prepared<'_> {
    /// Launches all kernels and waits for them. Returns the sum of their times.
    pub(crate) fn run(&self) -> Result<Duration> {
        let mut events = Vec::with_capacity(self.kernels.len());
        for ReadyKernel { kernel, global, local } in &self.kernels {
            let mut event = Event::null();
            let queue = &self.gpu.queue;
            // SAFETY: the kernels of a benchmark stay within the buffers that their plan gives them, which
            // live as long as `self` and the case's inputs.
            #[allow(unsafe_code, reason = "running a kernel cannot be checked by `ocl`")]
            unsafe {
                core::enqueue_kernel(
                    queue,
                    kernel,
                    3,
                    None,
                    global,
                    Some(*local),
                    NO_EVENTS,
                    Some(&mut event),
                )
            }
            .map_err(failed("clEnqueueNDRangeKernel"))?;
            events.push(event);
        }
        core::finish(&self.gpu.queue).map_err(failed("clFinish"))?;
        events.iter().map(duration).sum()
    }

    /// The results of one more run, one after the other. Elements that the kernels do not write are NaN,
    /// whatever an earlier kernel wrote there.
    pub(crate) fn result(&self) -> Result<Vec<f32>> {
        for output in self.outputs {
            self.gpu.write(output, &vec![f32::NAN; output.elements])?;
        }
        self.run()?;
        let results = self.outputs.iter().map(|output| self.gpu.read(output));
        Ok(results.collect::<Result<Vec<_>>>()?.concat())
    }
}

fn duration(event: &Event) -> Result<Duration> {
    let time = |moment| {
        let info = core::get_event_profiling_info(event, moment);
        info.and_then(|info| info.time()).map_err(failed("clGetEventProfilingInfo"))
    };
    Ok(Duration::from_nanos(time(ProfilingInfo::End)?.saturating_sub(time(ProfilingInfo::Start)?)))
}

fn find(device: &lift::Device) -> Result<core::DeviceId> {
    let is_named =
        |name: &str, wanted: &str| name.trim_matches(|c: char| c == '\0' || c.is_whitespace()) == wanted;
    for platform in core::get_platform_ids().map_err(failed("clGetPlatformIDs"))? {
        let name = core::get_platform_info(platform, core::PlatformInfo::Name)
            .map_err(failed("clGetPlatformInfo"))?;
        if !is_named(&name.to_string(), device.platform()) {
            continue;
        }
        for id in
            core::get_device_ids(platform, Some(DeviceType::ALL), None).map_err(failed("clGetDeviceIDs"))?
        {
            let name = core::get_device_info(id, DeviceInfo::Name).map_err(failed("clGetDeviceInfo"))?;
            if is_named(&name.to_string(), device.name()) {
                return Ok(id);
            }
        }
    }
    Err(Error::opencl("clGetDeviceIDs", format!("{device} is gone")))
}

fn failed(call: &'static str) -> impl Fn(core::Error) -> Error {
    move |error| Error::opencl(call, error)
}
