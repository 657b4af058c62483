//! Divides code, in which every parallel loop has all its iterations, into the kernels of a device.
//!
//! Input: the [`Code`] of a program. Output: a [`Module`], whose kernels say what one work-item does. Where
//! that is asked for, `group_order` first adds kernels that let the groups of others begin with those that
//! take long. For each kernel:
//!
//! - `coarsening` lets a work-item compute several elements, where that is asked for;
//! - `launch` chooses the sizes of its launch, and how many iterations of each parallel loop a work-item
//!   executes;
//! - [`passes`] change its code one after the other, in the order of [`passes::PASSES`]: some divide it among
//!   work-items, which need [`barrier`]s and single writers (`guard`), others bring it closer to what an
//!   expert writes.
//!
//! Formulas that a form names are computed where a kernel begins (`named_formulas`). Then temporaries whose
//! lives do not overlap share memory (`buffer_allocation`).

pub mod barrier;
mod buffer_allocation;
mod busiest_loop;
mod coarsening;
mod error;
mod group_order;
mod guard;
mod launch;
mod named_formulas;
pub mod passes;

use crate::diagnostic::Diagnostic;
use crate::flat::FlatSet;
use crate::ir::code::Code;
use crate::ir::kernel::parameters::kernel_parameters;
use crate::ir::kernel::{Buffer, Kernel, Module, Statement, ranges_of_kernel};
use crate::ir::names::Fresh;
use crate::ir::nat::{Ranges, Var};
use crate::ir::typed::Launch;
use crate::options::{Coarsening, GroupOrder, Options};
pub(crate) use coarsening::{Elements, elements};
use error::Error;
use passes::{Context, Pass, Prefetched};

/// A callback that is told what happens to each kernel.
pub type Observer<'o> = dyn FnMut(Progress<'_>) + 'o;

/// What happens to a kernel.
pub enum Progress<'p> {
    /// A pass begins.
    Begins(&'static Pass),
    /// A pass is done. The function returns a module with the kernel as it is now.
    Ends(&'static Pass, &'p dyn Fn() -> Option<Module>),
}

/// Divides code among the work-items of a device.
///
/// # Errors
/// Reports what the thread hierarchy cannot do, in the user's words.
pub fn divide(code: &Code, options: &Options, observer: &mut Observer<'_>) -> Result<Module, Diagnostic> {
    match options.group_order {
        GroupOrder::AsNumbered => divide_in_order(code, options, observer),
        GroupOrder::LongFirst => {
            divide_in_order(&group_order::long_groups_first(code.clone()), options, observer)
        }
    }
}

fn divide_in_order(
    code: &Code,
    options: &Options,
    observer: &mut Observer<'_>,
) -> Result<Module, Diagnostic> {
    let mut division = Division {
        code,
        options,
        sizes: code.size_names.keys().cloned().collect(),
        buffers: code.buffers.clone(),
        fresh: code.fresh.clone(),
        kernels: Vec::new(),
    };
    division.kernels(observer).map_err(|error| error.diagnostic(&code.program, &code.notes))?;
    let Division { mut buffers, kernels, .. } = division;
    buffer_allocation::allocate_temporaries(&kernels, &code.repetitions, &mut buffers, &code.sizes_known);
    Ok(module(code, kernels, buffers))
}

fn module(code: &Code, kernels: Vec<Kernel>, buffers: Vec<Buffer>) -> Module {
    Module {
        functions: code.functions.clone(),
        kernels,
        repetitions: code.repetitions.clone(),
        buffers,
        size_names: code.size_names.clone(),
        rounding: code.program.rounding,
    }
}

struct Division<'c> {
    code: &'c Code,
    options: &'c Options,
    sizes: FlatSet<Var>,
    buffers: Vec<Buffer>,
    fresh: Fresh,
    /// The kernels that are complete.
    kernels: Vec<Kernel>,
}

impl Division<'_> {
    fn kernels(&mut self, observer: &mut Observer<'_>) -> Result<(), Error> {
        let code = self.code;
        let count = code.kernels.len();
        launch::check_count(&code.program, count)?;
        for (position, kernel) in code.kernels.iter().enumerate() {
            self.fresh.with_names(kernel.names.clone());
            let ranges = ranges_of_kernel(position, &code.repetitions, &code.ranges);
            let name = match count {
                1 => code.program.name.clone(),
                _ => format!("{}_{}", code.program.name, position + 1),
            };
            let stated = code.program.launch(position);
            let kernel = self.kernel(&name, kernel.body.clone(), stated, &ranges, observer)?;
            self.kernels.push(kernel);
        }
        Ok(())
    }

    /// Makes one kernel, with a name like `wanted`.
    fn kernel(
        &mut self,
        wanted: &str,
        mut body: Vec<Statement>,
        stated: Option<&Launch>,
        ranges: &Ranges,
        observer: &mut Observer<'_>,
    ) -> Result<Kernel, Error> {
        let code = self.code;
        let mut chosen = None;
        if self.options.coarsening == Coarsening::LightKernels
            && stated.is_none()
            && let Some(coarsened) = coarsening::coarsened(&body, ranges, &code.sizes, &mut self.fresh)
        {
            (body, chosen) = (coarsened.body, Some(coarsened.local));
        }
        let sizes = launch::choose_sizes(&body, ranges, &code.sizes, stated, chosen);
        launch::set_trips(&mut body, &sizes, ranges);
        if launch::mixes_levels(&body, ranges, &code.sizes) {
            return Err(Error::MixedLevels);
        }
        if guard::shared_scratch(&body, &mut Vec::new(), &sizes, &self.buffers).is_some() {
            return Err(Error::SharedScratch);
        }
        let mut context = Context {
            options: self.options,
            launch: &sizes,
            ranges,
            sizes: &self.sizes,
            notes: &code.notes,
            buffers: &mut self.buffers,
            fresh: &mut self.fresh,
            prefetched: Prefetched::default(),
        };
        let kernel = |name: &str, mut body: Vec<Statement>, buffers: &[Buffer]| {
            let mut parameters = kernel_parameters(&body, code, buffers).map_err(Error::Unavailable)?;
            named_formulas::declare(&code.sizes, &mut parameters, &mut body);
            let (global, local, launches) = (sizes.global.clone(), sizes.local, sizes.launches);
            Ok(Kernel { name: name.to_owned(), parameters, global, local, launches, body })
        };
        for pass in passes::PASSES {
            if !pass.when.holds(&context) {
                continue;
            }
            observer(Progress::Begins(pass));
            body = pass.run(body, &mut context)?;
            let buffers = &*context.buffers;
            observer(Progress::Ends(pass, &|| {
                let kernel = kernel(wanted, body.clone(), buffers).ok()?;
                Some(module(code, vec![kernel], buffers.clone()))
            }));
        }
        kernel(&self.fresh.name(wanted), body, &self.buffers)
    }
}
