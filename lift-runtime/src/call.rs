//! One call of a program: its arguments, and the ways to finish it.

use std::borrow::Cow;
use std::fmt;

use crate::device::Device;
use crate::device_array::DeviceData;
use crate::element::Element;
use crate::error::Result;
use crate::input::{Array, Source};
use crate::launch::{self, Started};
use crate::opencl::Bits;
use crate::output::{Destination, DeviceOutput, Output, Results};
use crate::plan::{self, IndexWidth, Plan};
use crate::profile::Profile;
use crate::program::{Program, ScalarType};

/// A program that is built for a device.
#[derive(Debug, Clone)]
pub struct Compiled {
    program: &'static Program,
    device: Device,
}

impl Compiled {
    /// Builds a program without type parameters.
    pub fn new(program: &'static Program, device: &Device) -> Result<Compiled> {
        Compiled::with_types(program, device, &[])
    }

    /// Builds a program for given element types, `T0` first. Types that are left out are `f32`.
    pub fn with_types(program: &'static Program, device: &Device, types: &[ScalarType]) -> Result<Compiled> {
        let types: Vec<_> = (0..program.type_parameters)
            .map(|position| types.get(position).copied().unwrap_or(ScalarType::F32))
            .collect();
        launch::executable(program, device, IndexWidth::Narrow, &types)?;
        Ok(Compiled { program, device: device.clone() })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A call without arguments as yet.
    pub fn call<'a>(&self) -> Call<'a> {
        Call::new(self.program)
    }
}

/// A call that collects its arguments in the order of the program's parameters.
#[derive(Debug)]
#[must_use = "a call computes nothing until it is run"]
pub struct Call<'a> {
    program: &'static Program,
    arguments: Vec<Given<'a>>,
}

impl<'a> Call<'a> {
    /// A call without arguments as yet.
    pub fn new(program: &'static Program) -> Call<'a> {
        Call { program, arguments: Vec::with_capacity(program.parameters.len()) }
    }

    /// The next argument is an array.
    pub fn array<A: Array + ?Sized>(mut self, array: &'a A) -> Call<'a> {
        let (element, lengths) = (A::Element::SCALAR, array.lengths());
        self.arguments.push(match array.source() {
            Source::Host(elements) => {
                Given::Host { element, lengths, bytes: HostBytes::from_elements(elements) }
            }
            Source::Device(data) => Given::Device { element, lengths, data },
        });
        self
    }

    /// The next argument is a scalar.
    pub fn scalar<T: Element>(mut self, scalar: T) -> Call<'a> {
        let bits = Bits::from_bytes(T::bytes(&[scalar]));
        self.arguments.push(Given::Scalar { element: T::SCALAR, bits });
        self
    }

    /// The next argument is a size.
    pub fn size(mut self, size: usize) -> Call<'a> {
        self.arguments.push(Given::Size(size as u64));
        self
    }

    /// Computes, and returns the result as host data.
    pub fn run<R: Output>(self, device: &Device) -> Result<R> {
        let plan = self.plan()?;
        let started = self.start(&plan, device)?;
        Results::new(self.program, started.into_results()).host()
    }

    /// Computes, and overwrites the destination with the result. On an error it is left as it was.
    pub fn run_into<D: Destination>(self, device: &Device, mut destination: D) -> Result<()> {
        let plan = self.plan()?;
        destination.check(self.program, &mut plan.results.iter().map(|result| result.shape.as_slice()))?;
        let started = self.start(&plan, device)?;
        // A kernel that fails must not reach the destination.
        started.finish()?;
        Results::new(self.program, started.into_results()).fill(&mut destination)
    }

    /// Starts to compute, and returns the result as device arrays at once.
    pub fn enqueue<R: DeviceOutput>(self, device: &Device) -> Result<R> {
        let plan = self.plan()?;
        let started = self.start(&plan, device)?;
        Results::new(self.program, started.into_results()).device()
    }

    /// Computes, and returns the result as host data together with the times of the kernels.
    pub fn profile<R: Output>(self, device: &Device) -> Result<(R, Profile)> {
        let plan = self.plan()?;
        let started = self.start(&plan, device)?;
        started.finish()?;
        let profile = started.profile()?;
        Ok((Results::new(self.program, started.into_results()).host()?, profile))
    }

    fn plan(&self) -> Result<Plan> {
        plan::plan(self.program, &self.arguments)
    }

    fn start(&self, plan: &Plan, device: &Device) -> Result<Started> {
        launch::start(self.program, plan, &self.arguments, device)
    }
}

/// An argument as it was passed.
#[derive(Debug)]
pub(crate) enum Given<'a> {
    Host { element: ScalarType, lengths: Vec<usize>, bytes: HostBytes<'a> },
    Device { element: ScalarType, lengths: Vec<usize>, data: &'a DeviceData },
    Scalar { element: ScalarType, bits: Bits },
    Size(u64),
}

impl Given<'_> {
    /// The element type; a size has none.
    pub(crate) fn element(&self) -> Option<ScalarType> {
        match *self {
            Given::Host { element, .. } | Given::Device { element, .. } | Given::Scalar { element, .. } => {
                Some(element)
            }
            Given::Size(_) => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Given::Host { .. } | Given::Device { .. } => "an array",
            Given::Scalar { .. } => "a scalar",
            Given::Size(_) => "a size",
        }
    }
}

/// The elements of host data, without their type.
pub(crate) enum HostBytes<'a> {
    /// In the user's memory.
    Borrowed(&'a [u8]),
    /// Copied, because the user's memory has another order.
    Owned(Box<dyn OwnedElements>),
}

impl<'a> HostBytes<'a> {
    fn from_elements<T: Element>(elements: Cow<'a, [T]>) -> HostBytes<'a> {
        match elements {
            Cow::Borrowed(elements) => HostBytes::Borrowed(T::bytes(elements)),
            Cow::Owned(elements) => HostBytes::Owned(Box::new(elements)),
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            HostBytes::Borrowed(bytes) => bytes,
            HostBytes::Owned(elements) => elements.bytes(),
        }
    }
}

impl fmt::Debug for HostBytes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.as_slice().len())
    }
}

/// A vector of elements of some type.
pub(crate) trait OwnedElements {
    fn bytes(&self) -> &[u8];
}

impl<T: Element> OwnedElements for Vec<T> {
    fn bytes(&self) -> &[u8] {
        T::bytes(self)
    }
}
