//! One call of a program: its arguments, and the ways to finish it.

use std::ptr;

use crate::bits::Bits;
use crate::bytes::Bytes;
use crate::device::Device;
use crate::device_destination::{self, DeviceDestination};
use crate::element::{ByValue, Element};
use crate::error::{Result, internal};
use crate::form::KernelForm;
use crate::generated::Generated;
use crate::input::{Array, Given, Part, Rows, Source, Value, ValueInput, ValuePlace, check_rows, reshape};
use crate::launch::{self, Code, Started};
use crate::output::{Destination, DeviceOutput, Output};
use crate::plan::launch_sizes::{self, Choices};
use crate::plan::{self, Plan, Wish};
use crate::profile::Profile;
use crate::program::{Program, ScalarType};
use crate::results::Results;
use crate::specialise::PassedSizes;

/// A program that is built for a device.
#[derive(Debug, Clone)]
pub struct Compiled {
    code: Generated<'static>,
    types: Vec<ScalarType>,
    sizes: PassedSizes,
    launches: Choices,
    wish: Wish,
    device: Device,
}

impl Compiled {
    /// Builds a program for given element types, `T0` first. Types that are left out are `f32`.
    pub fn new(code: Generated<'static>, device: &Device, types: &[ScalarType]) -> Result<Compiled> {
        let types: Vec<_> = (0..code.program().type_parameters)
            .map(|position| types.get(position).copied().unwrap_or(ScalarType::F32))
            .collect();
        let (sizes, launches) = (PassedSizes::default(), Choices::default());
        launch::prepare(Code::new(code, sizes, Wish::default()), &types, device)?;
        Ok(Compiled { code, types, sizes, launches, wish: Wish::default(), device: device.clone() })
    }

    /// A program that is built by the first call with given element types. Calls are made with
    /// [`call_with`](Self::call_with). `types` are those for which launches are checked where they are chosen,
    /// `T0` first; types that are left out are `f32`.
    pub fn unbuilt(code: Generated<'static>, device: &Device, types: &[ScalarType]) -> Compiled {
        let (sizes, launches) = (PassedSizes::default(), Choices::default());
        let types = (0..code.program().type_parameters)
            .map(|position| types.get(position).copied().unwrap_or(ScalarType::F32))
            .collect();
        Compiled { code, types, sizes, launches, wish: Wish::default(), device: device.clone() }
    }

    /// The same program with the sizes of each call as constants; see [`Call::specialised`].
    #[must_use]
    pub fn specialised(self) -> Compiled {
        Compiled { sizes: PassedSizes::AsConstants, ..self }
    }

    /// The same program with its sizes as arguments in every call.
    #[must_use]
    pub fn unspecialised(self) -> Compiled {
        Compiled { sizes: PassedSizes::AsArguments, ..self }
    }

    /// The same program with these numbers of work-items in each launch of all its kernels, and in each
    /// group, dimension 0 first. These sizes can be chosen only for kernels that are compiled for any launch
    /// (`#[launch(any)]`). The host ignores them.
    ///
    /// # Errors
    /// If a kernel is compiled for one launch only, if some of these work-items would have no work, if they
    /// do not form whole groups, or if the device cannot have such groups.
    pub fn launch(self, global: &[usize], local: &[usize]) -> Result<Compiled> {
        self.choose(None, global, local)
    }

    /// The same for the kernel of this name.
    ///
    /// # Errors
    /// As [`launch`](Self::launch); and if there is no such kernel.
    pub fn launch_of(self, kernel: &str, global: &[usize], local: &[usize]) -> Result<Compiled> {
        self.choose(Some(kernel), global, local)
    }

    /// The forms of the program, in the order in which they are tried.
    pub fn forms(&self) -> Vec<KernelForm> {
        self.code.program().forms().map(KernelForm::of).collect()
    }

    /// The same program, always in the form with this name.
    ///
    /// # Errors
    /// If it has no such form. A call is an error where the form is not for its sizes; on the host, where it
    /// is not the plain one.
    pub fn form(self, name: &str) -> Result<Compiled> {
        let wish = Wish::named(self.code.program(), name)?;
        Ok(Compiled { wish, ..self })
    }

    fn choose(mut self, kernel: Option<&str>, global: &[usize], local: &[usize]) -> Result<Compiled> {
        let (code, program) = (Code::new(self.code, self.sizes, self.wish), self.code.program());
        self.wish.leaves_launches_open(program)?;
        for position in launch_sizes::positions(program, kernel)? {
            let Some(kernel) = program.plain.kernels.get(position) else { continue };
            let sizes = launch_sizes::chosen(program, kernel, global, local)?;
            launch::check_chosen(code, &self.types, kernel, sizes.local, &self.device)?;
            self.launches.choose(position, sizes);
        }
        // These are the launches of its kernels, and of no others.
        self.wish = Wish::Only(&program.plain);
        Ok(self)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A call without arguments yet.
    pub fn call<'a>(&self) -> Call<'a> {
        self.call_of(self.code)
    }

    /// A call without arguments yet, of the same program with the functions for the host that its element
    /// types need.
    ///
    /// # Errors
    /// If it is another program.
    pub fn call_with<'a>(&self, code: Generated<'a>) -> Result<Call<'a>> {
        // The launches that were chosen are those of this program.
        if ptr::eq(code.program(), self.code.program()) {
            return Ok(self.call_of(code));
        }
        let message = format!("it is called as `{}`", code.program().name);
        Err(internal(self.code.program(), message))
    }

    fn call_of<'a>(&self, code: Generated<'a>) -> Call<'a> {
        Call { sizes: self.sizes, launches: self.launches.clone(), wish: self.wish, ..Call::new(code) }
    }
}

/// A call that collects its arguments in the order of the program's parameters.
#[derive(Debug)]
#[must_use = "a call computes nothing until it is run"]
pub struct Call<'a> {
    code: Generated<'a>,
    sizes: PassedSizes,
    launches: Choices,
    wish: Wish,
    arguments: Vec<Given<'a>>,
    /// The arguments with dimensions beyond those that the program knows.
    open: Vec<Rows>,
}

impl<'a> Call<'a> {
    /// A call without arguments yet.
    pub fn new(code: Generated<'a>) -> Call<'a> {
        let arguments = Vec::with_capacity(code.program().parameters.len());
        let (sizes, launches) = (PassedSizes::default(), Choices::default());
        Call { code, sizes, launches, wish: Wish::default(), arguments, open: Vec::new() }
    }

    /// Builds OpenCL kernels for the sizes of this call, unless they were built before. The host ignores
    /// this.
    pub fn specialised(mut self) -> Call<'a> {
        self.sizes = PassedSizes::AsConstants;
        self
    }

    /// The same call in the form with this name.
    ///
    /// # Errors
    /// As [`Compiled::form`].
    pub fn form(self, name: &str) -> Result<Call<'a>> {
        let wish = Wish::named(self.program(), name)?;
        Ok(Call { wish, ..self })
    }

    /// Passes an array as the next argument; an array of tuples is one argument for each component.
    pub fn array<A: Array + ?Sized>(mut self, array: &'a A) -> Call<'a> {
        array.parts(&mut |Part { element, lengths, source }| {
            self.arguments.push(match source {
                Source::Host(elements) => Given::Host { element, lengths, elements },
                Source::Device(data) => Given::Device { element, lengths, data },
            });
        });
        self
    }

    /// Passes an array as the next argument. It has at least `rank` dimensions, and elements of the type
    /// parameter at `element`. For the program, all further dimensions are one.
    pub fn array_of_any_rank<A: Array + ?Sized>(
        mut self,
        array: &'a A,
        rank: usize,
        element: usize,
    ) -> Call<'a> {
        let position = self.arguments.len();
        self = self.array(array);
        for given in self.arguments.iter_mut().skip(position) {
            if let Given::Host { lengths, .. } | Given::Device { lengths, .. } = given {
                let rows = Rows::new(position, rank, element, std::mem::take(lengths));
                *lengths = rows.known_lengths();
                self.open.push(rows);
            }
        }
        self
    }

    /// The next argument is a scalar.
    pub fn scalar<T: ByValue>(mut self, scalar: T) -> Call<'a> {
        self.arguments.push(match scalar.element() {
            Ok(scalar) => {
                let bits = Bits::from_bytes(T::Element::bytes(&[scalar]));
                Given::Scalar { element: T::Element::SCALAR, width: 1, bits }
            }
            Err(too_large) => Given::Size(too_large),
        });
        self
    }

    /// The next argument is a scalar or a vector `T`, which may be on a device.
    pub fn value<T, V: ValueInput<T> + 'a>(mut self, value: V) -> Call<'a> {
        value.give(&mut |Value { element, place }| {
            self.arguments.push(match place {
                ValuePlace::Call(width, bits) => Given::Scalar { element, width, bits },
                ValuePlace::Device(lengths, data) => Given::DeviceValue { element, lengths, data },
            });
        });
        self
    }

    /// The next argument is a vector.
    pub fn vector<T: Element, const WIDTH: usize>(mut self, vector: [T; WIDTH]) -> Call<'a> {
        let bits = Bits::from_bytes(T::bytes(&vector));
        self.arguments.push(Given::Scalar { element: T::SCALAR, width: WIDTH, bits });
        self
    }

    /// The next argument is a size.
    pub fn size(mut self, size: usize) -> Call<'a> {
        self.arguments.push(Given::Size(size as u64));
        self
    }

    /// Computes, and returns the result as host data.
    pub fn run<R: Output>(self, device: &Device) -> Result<R> {
        let plan = self.plan(device)?;
        let started = self.start(&plan, device)?;
        Results::new(self.program(), started.into_results()).host()
    }

    /// Computes, and overwrites the destination with the result. An error leaves the destination as it was,
    /// except when a mistake in the compiler comes to light while a kernel runs on the host.
    pub fn run_into<D: Destination>(self, device: &Device, mut destination: D) -> Result<()> {
        let plan = self.plan(device)?;
        destination.check(self.program(), &mut plan.results.iter().map(|result| result.shape.as_slice()))?;
        match launch::start_into(self.code(), &plan, &self.arguments, device, &mut destination)? {
            None => Ok(()),
            Some(started) => {
                // A kernel that fails must not reach the destination.
                started.finish()?;
                Results::new(self.program(), started.into_results()).fill(&mut destination)
            }
        }
    }

    /// Starts the computation, and returns the result as device arrays at once.
    pub fn enqueue<R: DeviceOutput>(self, device: &Device) -> Result<R> {
        let plan = self.plan(device)?;
        let started = self.start(&plan, device)?;
        Results::new(self.program(), started.into_results()).device()
    }

    /// Starts the computation, which overwrites device arrays of the caller's with the results. An error that
    /// is found before kernels are launched leaves them as they were.
    pub fn enqueue_into<D: DeviceDestination>(self, device: &Device, mut destination: D) -> Result<()> {
        let plan = self.plan(device)?;
        let places = device_destination::checked(self.program(), &plan.results, device, &mut destination)?;
        launch::start_on_device(self.code(), &plan, &self.arguments, device, places)
    }

    /// Computes, and returns the result as host data together with the times of the kernels.
    pub fn profile<R: Output>(self, device: &Device) -> Result<(R, Profile)> {
        let plan = self.plan(device)?;
        let started = self.start(&plan, device)?;
        started.finish()?;
        let profile = Profile { form: plan.chosen.form.name.to_owned(), kernels: started.times()? };
        Ok((Results::new(self.program(), started.into_results()).host()?, profile))
    }

    fn plan(&self, device: &Device) -> Result<Plan> {
        check_rows(self.program(), &self.open)?;
        let build = |plan: &Plan| launch::build(self.code(), plan, device);
        let mut plan =
            plan::plan(self.program(), &self.arguments, &self.launches, self.wish, device, &build)?;
        reshape(self.program(), &self.open, &mut plan.results);
        Ok(plan)
    }

    fn start(&self, plan: &Plan, device: &Device) -> Result<Started> {
        launch::start(self.code(), plan, &self.arguments, device)
    }

    fn program(&self) -> &'static Program {
        self.code.program()
    }

    fn code(&self) -> Code<'a> {
        Code::new(self.code, self.sizes, self.wish)
    }
}
