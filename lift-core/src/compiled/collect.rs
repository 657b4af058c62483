//! Collects what a launcher must know about a program from the results of all stages.

use super::interface::{packed, packed_parameter};
use super::launchable::unlaunchable;
use super::launches::{arguments, launched, steps, temporaries};
use super::{Compiled, Kernel, Texts};
use crate::diagnostic::Diagnostic;
use crate::host::HostModule;
use crate::ir::code::Code;
use crate::ir::kernel::Module;
use crate::ir::typed::Program;
use crate::middle::lower::repeated;
use crate::middle::tuples::components;
use crate::print::extent::Unbounded;

impl Compiled {
    /// Collects what a launcher must know from the `program`, from the same program with its tuples taken
    /// `apart`, and from the results of its compilation.
    pub(crate) fn new(
        program: &Program,
        apart: &Program,
        code: &Code,
        module: &Module,
        host: Option<&HostModule>,
        texts: Texts,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let mut kernels: Vec<Kernel> = module.kernels.iter().map(|kernel| launched(kernel, module)).collect();
        for (launched, kernel) in kernels.iter_mut().zip(host.iter().flat_map(|host| &host.kernels)) {
            launched.host_arguments = arguments(&kernel.parameters, module);
        }
        let extents = texts.extents.finish(&apart.ranges()).map_err(|Unbounded(variable)| {
            let problem = format!("nothing says how large `{}` becomes in a kernel", variable.name());
            vec![Diagnostic::internal(apart.body.source, &problem)]
        })?;
        let packed_parameters =
            |of: &Program| of.parameters.iter().map(|parameter| packed_parameter(parameter, apart)).collect();
        let result = packed(&apart.body.ty, apart);
        let compiled = Compiled {
            name: apart.name.clone(),
            source: texts.opencl,
            host: texts.host,
            backend: apart.backend,
            type_parameters: apart.type_parameters.len(),
            open_ranks: apart.open_ranks.clone(),
            sizes: apart.sizes.clone(),
            interface: packed_parameters(program),
            parameters: packed_parameters(apart),
            results: components(&result),
            result,
            obligations: apart.obligations.clone(),
            temporaries: temporaries(module),
            extents,
            steps: steps(0..module.kernels.len(), &module.repetitions, module),
            kernels,
            repeated: repeated(&code.program, code.sizes_known.clone()),
        };
        match unlaunchable(&compiled, apart) {
            Some(diagnostic) => Err(vec![diagnostic]),
            None => Ok(compiled),
        }
    }
}
