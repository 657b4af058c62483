//! Collects what a launcher must know about a program and its forms from the results of all stages.

use super::exactness::exactness;
use super::interface::{packed, packed_parameter};
use super::launchable::unlaunchable;
use super::launches::{arguments, launched, steps, temporaries};
use super::{Compiled, DeviceClass, Form, Guard, Kernel, PLAIN, RefusedForm, Texts};
use crate::diagnostic::Diagnostic;
use crate::host::HostModule;
use crate::ir::code::Code;
use crate::ir::kernel::Module;
use crate::ir::nat::Ranges;
use crate::ir::typed::{Program, SizeVariable};
use crate::middle::lower::repeated;
use crate::middle::tuples::components;
use crate::print::HostCode;
use crate::print::extent::Unbounded;

/// What selects a form: its name, its devices, its guards and its thresholds; and how its program was made.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) name: String,
    pub(crate) devices: DeviceClass,
    pub(crate) guards: Vec<Guard>,
    pub(crate) thresholds: Vec<Guard>,
    /// The steps that made its program, a line for each.
    pub(crate) derivation: String,
}

impl Selection {
    /// What selects the plain form: nothing.
    pub(crate) fn plain() -> Selection {
        Selection::new(PLAIN, DeviceClass::Any)
    }

    /// What selects a form for devices, whatever the sizes are.
    pub(crate) fn new(name: &str, devices: DeviceClass) -> Selection {
        Selection {
            name: name.to_owned(),
            devices,
            guards: Vec::new(),
            thresholds: Vec::new(),
            derivation: String::new(),
        }
    }

    /// The kernels of a form with this selection.
    pub(crate) fn of(self, form: &Form) -> Form {
        let Selection { name, devices, guards, thresholds, .. } = self;
        Form { name, devices, guards, thresholds, ..form.clone() }
    }

    /// Whether the form is possible and worth it for all sizes.
    pub(crate) fn is_unconditional(&self) -> bool {
        let mut conditions = self.guards.iter().chain(&self.thresholds);
        conditions.all(|guard| guard.condition.as_constant() == Some(true))
    }
}

impl Compiled {
    /// A compiled program from the `program`, from the same program with its tuples taken `apart`, from the
    /// code and the kernels of its plain form, and from its forms.
    pub(crate) fn new(
        program: &Program,
        apart: &Program,
        (code, module): (&Code, &Module),
        host: Option<HostCode>,
        plain: Form,
        others: Vec<Form>,
        refused: Vec<RefusedForm>,
    ) -> Compiled {
        let packed_parameters =
            |of: &Program| of.parameters.iter().map(|parameter| packed_parameter(parameter, apart)).collect();
        let result = packed(&apart.body.ty, apart);
        Compiled {
            name: apart.name.clone(),
            host,
            backend: apart.backend,
            exact: exactness(module),
            type_parameters: apart.type_parameters.len(),
            open_ranks: apart.open_ranks.clone(),
            sizes: apart.sizes.clone(),
            interface: packed_parameters(program),
            parameters: packed_parameters(apart),
            results: components(&result),
            result,
            obligations: apart.obligations.clone(),
            plain,
            others,
            refused,
            repeated: repeated(&code.program, code.sizes_known.clone()),
        }
    }
}

/// A form, from the program with its tuples taken `apart`, its kernels, their texts, and what is known of its
/// sizes.
pub(crate) fn form(
    selection: Selection,
    apart: &Program,
    module: &Module,
    host: Option<&HostModule>,
    texts: Texts,
    sizes_known: &Ranges,
) -> Result<Form, Vec<Diagnostic>> {
    let formulas = SizeVariable::formulas(&apart.sizes);
    let module = &module.clone().with_sizes(&formulas);
    let mut kernels: Vec<Kernel> = module.kernels.iter().map(|kernel| launched(kernel, module)).collect();
    for (launched, kernel) in kernels.iter_mut().zip(host.iter().flat_map(|host| &host.kernels)) {
        launched.host_arguments = arguments(&kernel.parameters, module);
    }
    let extents = texts.extents.finish(sizes_known).map_err(|Unbounded(variable)| {
        let problem = format!("nothing says how large `{}` becomes in a kernel", variable.name());
        vec![Diagnostic::internal(apart.body.source, &problem)]
    })?;
    let extents = extents.into_iter().map(|extent| extent.substitute(&formulas)).collect();
    let Selection { name, devices, guards, thresholds, derivation } = selection;
    let form = Form {
        name,
        devices,
        guards,
        thresholds,
        derivation,
        source: texts.opencl,
        temporaries: temporaries(module),
        extents,
        steps: steps(0..module.kernels.len(), &module.repetitions, module),
        kernels,
    };
    match unlaunchable(&form, apart) {
        Some(diagnostic) => Err(vec![diagnostic]),
        None => Ok(form),
    }
}
