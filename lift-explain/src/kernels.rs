//! All that is asked of a compiled program, in words. *No other module looks into [`Compiled`].*

use lift_core::compiled::{
    Action, Argument, Compiled, Form, Kernel, Launches, RefusedForm, Repetition, SCHEDULED, used_on,
};
use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{Parameter, ParameterType, Requirement, SizeVariable};
use lift_core::ir::types::Type;

/// The kernels of a program, and what a launcher does with those of each form.
pub(crate) struct Kernels {
    /// The OpenCL C of all forms.
    pub(crate) opencl: String,
    /// The forms of the program, in the order in which a launcher tries them, a line each; empty where the
    /// plain form is the only one.
    pub(crate) forms: Vec<String>,
    /// The forms beside the plain one.
    pub(crate) chosen: Vec<Chosen>,
    /// The name of the form whose arrays are told: the one that a schedule makes if there is one, else the
    /// plain one.
    pub(crate) form: String,
    /// The Rust of the plain form; `None` where the program does not run on the host.
    pub(crate) host: Option<String>,
    /// What is launched of each form, in the order in which a launcher tries them.
    pub(crate) launched: Vec<Launched>,
    /// What is checked before each launch.
    pub(crate) conditions: Vec<String>,
    /// What is computed more often than the program says.
    pub(crate) repeated: Vec<String>,
    /// The arrays and scalars that the caller passes.
    pub(crate) arguments: Vec<Stored>,
    pub(crate) results: Vec<Stored>,
    /// The arrays between kernels.
    pub(crate) temporaries: Vec<Stored>,
}

/// What is launched of a form.
pub(crate) struct Launched {
    /// The name of the form.
    pub(crate) form: String,
    pub(crate) launches: Vec<Launch>,
    /// The actions of the launcher in order, a line each.
    pub(crate) order: Vec<String>,
}

/// A kernel, and how it is launched.
pub(crate) struct Launch {
    pub(crate) kernel: String,
    /// Work-items per dimension.
    pub(crate) global: [Nat; 3],
    /// Work-items of a group per dimension.
    pub(crate) local: [usize; 3],
    /// Whether it is correct for any other launch.
    pub(crate) is_any: bool,
    pub(crate) arguments: Vec<String>,
    /// Bytes.
    pub(crate) local_memory: Nat,
}

/// A form, and the devices and sizes that it is for.
pub(crate) struct Chosen {
    pub(crate) name: String,
    pub(crate) used_on: String,
}

/// Something in global memory.
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) ty: String,
    /// Its elements; a vector has several.
    pub(crate) elements: Nat,
    /// The bytes of an element; `None` where the arguments decide.
    pub(crate) bytes: Option<u8>,
}

impl Kernels {
    pub(crate) fn of(compiled: &Compiled) -> Kernels {
        // Other forms have steps of rewriting as well: only the name tells them apart.
        let is_scheduled = |form: &&Form| form.name == SCHEDULED;
        let form = compiled.others.iter().find(is_scheduled).unwrap_or(&compiled.plain);
        let words = Words { compiled, form };
        let results = compiled.results.iter().enumerate();
        let temporaries = form.temporaries.iter().enumerate();
        Kernels {
            opencl: compiled.text(),
            forms: forms(compiled),
            chosen: compiled.others.iter().map(chosen).collect(),
            form: form.name.clone(),
            host: compiled.host.as_ref().map(|host| host.text.clone()),
            launched: compiled.forms().map(|form| Words { compiled, form }.launched()).collect(),
            conditions: conditions(compiled),
            repeated: compiled.repeated.iter().map(ToString::to_string).collect(),
            arguments: compiled.parameters.iter().filter_map(argument).collect(),
            results: results.map(|(position, ty)| stored(words.result(position), ty)).collect(),
            temporaries: temporaries
                .map(|(position, temporary)| Stored {
                    name: format!("temporary {position}"),
                    ty: format!("[{}; {}]", temporary.element, temporary.length),
                    elements: temporary.length.clone(),
                    bytes: temporary.element.known_bytes(),
                })
                .collect(),
        }
    }
}

/// What selects each form, and why others were refused.
fn forms(compiled: &Compiled) -> Vec<String> {
    if compiled.others.is_empty() && compiled.refused.is_empty() {
        return Vec::new();
    }
    let taken = |form: &Form| format!("`{}`: on {}", form.name, used_on(form));
    let refused = |form: &RefusedForm| {
        let reasons: Vec<&str> = form.reasons.iter().map(|reason| reason.message.as_str()).collect();
        format!("`{}`: refused, because {}", form.name, reasons.join("; "))
    };
    compiled.forms().map(taken).chain(compiled.refused.iter().map(refused)).collect()
}

fn chosen(form: &Form) -> Chosen {
    Chosen { name: form.name.clone(), used_on: used_on(form) }
}

/// What is checked, each thing once.
fn conditions(compiled: &Compiled) -> Vec<String> {
    let is_stated = |size: &&SizeVariable| {
        let least = Nat::constant(i128::from(size.minimum));
        let minimum = Requirement::AtMost(least, Nat::variable(&size.variable));
        compiled.obligations.iter().any(|obligation| obligation.requirement == minimum)
    };
    let sizes = compiled.sizes.iter().filter(|size| size.minimum > 0 && !is_stated(size));
    let minima = sizes.map(|size| format!("`{}` is at least {}", size.name, size.minimum));
    minima.chain(compiled.obligations.iter().map(|obligation| obligation.text.clone())).collect()
}

fn argument(parameter: &Parameter) -> Option<Stored> {
    match &parameter.ty {
        ParameterType::Value(ty) => Some(stored(parameter.variable.name.to_string(), ty)),
        ParameterType::Size(_) => None,
    }
}

fn stored(name: String, ty: &Type) -> Stored {
    let scalar = match ty.innermost() {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => Some(*scalar),
        Type::Size | Type::Tuple(_) | Type::Array(_) => None,
    };
    let bytes = scalar.and_then(ScalarType::known_bytes);
    Stored { name, ty: ty.to_string(), elements: ty.element_count(), bytes }
}

/// The names that a program's kernels are told with.
struct Words<'c> {
    compiled: &'c Compiled,
    form: &'c Form,
}

impl Words<'_> {
    fn launched(&self) -> Launched {
        let mut order = Vec::new();
        self.order(&self.form.steps, "", &mut order);
        let launches = self.form.kernels.iter().map(|kernel| self.launch(kernel)).collect();
        Launched { form: self.form.name.clone(), launches, order }
    }

    fn launch(&self, kernel: &Kernel) -> Launch {
        Launch {
            kernel: kernel.entry.clone(),
            global: kernel.global.clone(),
            local: kernel.local,
            is_any: match kernel.launches {
                Launches::Pinned => false,
                Launches::Any(_) => true,
            },
            arguments: kernel.arguments.iter().map(|argument| self.argument(argument)).collect(),
            local_memory: kernel.local_memory.clone(),
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Parameter(position) => {
                let parameter = self.compiled.parameters.get(*position);
                parameter.map_or_else(|| "?".to_owned(), |parameter| parameter.variable.name.to_string())
            }
            Argument::Result(position) => self.result(*position),
            Argument::Temporary(position) => format!("temporary {position}"),
            Argument::Size(variable) | Argument::Counter(variable) => variable.name().to_owned(),
        }
    }

    fn result(&self, position: usize) -> String {
        match self.compiled.results.len() {
            1 => "the result".to_owned(),
            _ => format!("result {position}"),
        }
    }

    fn order(&self, actions: &[Action], indentation: &str, lines: &mut Vec<String>) {
        for action in actions {
            match action {
                Action::Launch(position) => {
                    let name = self.form.kernels.get(*position).map_or("?", |kernel| &kernel.entry);
                    lines.push(format!("{indentation}launch `{name}`"));
                }
                Action::Repeat(repetition) => {
                    lines.push(format!("{indentation}{}:", self.repetition(repetition)));
                    let inside = format!("{indentation}  ");
                    if let Some(end) = &repetition.end {
                        self.order(&end.condition, &inside, lines);
                        lines.push(format!("{inside}go on if {} says so", self.argument(&end.goes_on)));
                    }
                    self.order(&repetition.body, &inside, lines);
                    if let Some(end) = &repetition.end {
                        lines.push(format!("{indentation}where the last result lies in the other array:"));
                        self.order(&end.copies, &inside, lines);
                    }
                }
            }
        }
    }

    fn repetition(&self, repetition: &Repetition) -> String {
        if let Some(portion) = &repetition.portion {
            return format!("for {} rows at a time, of {}", portion.most, portion.rows);
        }
        let exchanged: Vec<String> = repetition
            .arrays
            .iter()
            .map(|arrays| format!("{} with {}", self.argument(&arrays.before), self.argument(&arrays.after)))
            .collect();
        let between = match exchanged.as_slice() {
            [] => String::new(),
            exchanged => format!(", exchanging {} in between", exchanged.join(", ")),
        };
        format!("repeat (count: {}){between}", repetition.count)
    }
}
