//! The result of compilation: what a program takes and gives, and its forms: kernel text, and everything a
//! launcher must know about it.

use std::collections::BTreeSet;
use std::fmt::Debug;

use lift_description::Notation;
pub use lift_description::{DeviceClass, PLAIN};

use crate::diagnostic::Diagnostic;
use crate::ir::kernel::{BufferId, BufferRole, KernelParameter, Module};
pub use crate::ir::kernel::{Distribution, Launches, Portion};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::typed::{Backend, Obligation, Parameter, SizeVariable};
use crate::ir::types::Type;
use crate::middle::lower::Repeated;
pub use crate::print::HostCode;
use crate::print::extent::Extents;

mod collect;
mod exactness;
mod interface;
mod launchable;
mod launches;

pub(crate) use collect::{Selection, form};

/// The name of the form that a schedule makes.
pub const SCHEDULED: &str = "scheduled";

/// A compiled program: its interface, and its forms.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The program's name.
    pub name: String,
    /// The kernels of the plain form as Rust functions, if these were requested.
    pub host: Option<HostCode>,
    /// The only backend that may run it; `None` where the user allows any.
    pub backend: Option<Backend>,
    /// What it asks of the arithmetic of a device.
    pub exact: Exactness,
    /// The number of element types that the arguments fix.
    pub type_parameters: usize,
    /// The indices of those whose arrays may have any rank: see
    /// [`Program::open_ranks`](crate::ir::typed::Program::open_ranks).
    pub open_ranks: BTreeSet<usize>,
    /// The size variables.
    pub sizes: Vec<SizeVariable>,
    /// The parameters as the user passes them. A position-dependent array is one array of all its elements,
    /// row by row.
    pub interface: Vec<Parameter>,
    /// The parameters as kernels take them, in the same order, with tuples taken apart (see
    /// [`crate::middle::tuples`]): `p: (A, B)` becomes `p.0` and `p.1`.
    pub parameters: Vec<Parameter>,
    /// The type of the result that the user gets.
    pub result: Type,
    /// The arrays and scalars that kernels write: the components of the result.
    pub results: Vec<Type>,
    /// The obligations that the launcher checks first.
    pub obligations: Vec<Obligation>,
    /// The form that is right wherever the program is: the last one that a launcher tries.
    pub plain: Form,
    /// The forms that a launcher tries before, in order.
    pub others: Vec<Form>,
    /// The forms that would stand among the others, if rewriting could make them and no stage refused them.
    pub refused: Vec<RefusedForm>,
    /// The arrays that the plain form computes more often than the program states.
    pub repeated: Vec<Repeated>,
}

/// A form that rewriting cannot make, or that a stage refused.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedForm {
    /// Its name.
    pub name: String,
    /// What stands in its way.
    pub reasons: Vec<Diagnostic>,
}

/// The printed OpenCL C, and the magnitude of the indices in all printed texts.
pub(crate) struct Texts {
    pub(crate) opencl: String,
    pub(crate) extents: Extents,
}

impl Compiled {
    /// All forms, in the order in which a launcher tries them.
    pub fn forms(&self) -> impl Iterator<Item = &Form> {
        self.others.iter().chain([&self.plain])
    }

    /// The OpenCL C of all forms. Where there are several, a line above each says which devices and sizes it
    /// is for. Kernels that several forms have stand there once.
    pub fn text(&self) -> String {
        if self.others.is_empty() {
            return self.plain.source.clone();
        }
        let headed = |form: &Form| {
            let head = format!("// The form `{}`: on {}", form.name, used_on(form));
            match self.first_with_kernels_of(form) {
                Some(first) => format!("{head}, with the kernels of `{}`.\n", first.name),
                None => format!("{head}.\n{}", form.source),
            }
        };
        self.forms().map(headed).collect::<Vec<_>>().join("\n")
    }

    /// A form before this one that has the same kernels.
    fn first_with_kernels_of(&self, form: &Form) -> Option<&Form> {
        let before = self.others.iter().take_while(|other| other.name != form.name);
        before.into_iter().find(|other| have_the_same_kernels(other, form))
    }

    /// The steps of rewriting that made the forms of the program, a line for each; a line above says which
    /// form where several have steps.
    pub fn derivation(&self) -> String {
        let made: Vec<&Form> = self.others.iter().filter(|form| !form.derivation.is_empty()).collect();
        match made.as_slice() {
            [] => String::new(),
            [only] => only.derivation.clone(),
            several => {
                let headed = |form: &&Form| match self.first_with_kernels_of(form) {
                    Some(first) => format!("The form `{}`: as `{}`.\n", form.name, first.name),
                    None => format!("The form `{}`:\n{}", form.name, form.derivation),
                };
                several.iter().map(headed).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// Whether two forms, for different devices or sizes, have the same kernels, made in the same way.
pub fn have_the_same_kernels(form: &Form, other: &Form) -> bool {
    form.source == other.source && form.derivation == other.derivation
}

/// The devices and the sizes that a form is for, in words: "any device, where N % 4 == 0, worth it where
/// N >= 512".
pub fn used_on(form: &Form) -> String {
    let all = |before: &str, guards: &[Guard]| match guards {
        [] => String::new(),
        _ => {
            let texts: Vec<&str> = guards.iter().map(|guard| guard.text.as_str()).collect();
            format!(", {before} {}", texts.join(" and "))
        }
    };
    format!("{}{}{}", form.devices, all("where", &form.guards), all("worth it where", &form.thresholds))
}

/// The variables that a launcher gives values: [`Repetition::step`] and [`Repetition::portion`] of every
/// repetition that has one.
pub fn counted(actions: &[Action]) -> BTreeSet<Var> {
    let mut counted = BTreeSet::new();
    collect_counted(actions, &mut counted);
    counted
}

/// The description of a program as the compiler writes it: sizes are formulas over named variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formulas {}

impl Notation for Formulas {
    type Text = String;
    type Variable = Var;
    type Size = Nat;
    type Condition = Condition;
    type List<T: Clone + Debug + PartialEq + 'static> = Vec<T>;
}

/// What a program asks of the arithmetic of a device.
pub type Exactness = lift_description::Exactness<Formulas>;
/// One way to compute a program.
pub type Form = lift_description::Form<Formulas>;
/// A condition on sizes for which a form was compiled.
pub type Guard = lift_description::Guard<Formulas>;
/// A device buffer between kernels of one form.
pub type Temporary = lift_description::Temporary<Formulas>;
/// The next action of a launcher.
pub type Action = lift_description::Action<Formulas>;
/// Actions that are repeated: the applications of an `iterate`, or the portions of rows.
pub type Repetition = lift_description::Repetition<Formulas>;
/// How a repetition ends early.
pub type End = lift_description::End<Formulas>;
/// Two arrays that change places from one application to the next.
pub type Alternation = lift_description::Alternation<Argument>;
/// A kernel and its launch.
pub type Kernel = lift_description::Kernel<Formulas>;
/// The value of a kernel parameter.
pub type Argument = lift_description::Argument<Var>;

/// Adds the variables to which actions give values.
fn collect_counted(actions: &[Action], counted: &mut BTreeSet<Var>) {
    for action in actions {
        match action {
            Action::Launch(_) => {}
            Action::Repeat(Repetition { count: _, step, portion, arrays: _, body, end }) => {
                if let Some(end) = end {
                    collect_counted(&end.condition, counted);
                    collect_counted(&end.copies, counted);
                }
                counted.extend(step.clone());
                let variables = portion.iter().flat_map(|portion| [&portion.first, &portion.count]);
                counted.extend(variables.cloned());
                collect_counted(body, counted);
            }
        }
    }
}

impl KernelParameter {
    /// The value of the parameter; `None` for memory of the kernel itself.
    pub fn argument(&self, module: &Module) -> Option<Argument> {
        match self {
            KernelParameter::Buffer(id) => id.argument(module),
            KernelParameter::Scalar(position, _) => Some(Argument::Parameter(*position)),
            KernelParameter::Size(variable) => {
                Some(match module.repetitions.iter().any(|repetition| repetition.gives(variable)) {
                    true => Argument::Counter(variable.clone()),
                    false => Argument::Size(variable.clone()),
                })
            }
        }
    }
}

impl BufferId {
    /// The argument for a buffer in global memory; `None` for other memory.
    pub fn argument(self, module: &Module) -> Option<Argument> {
        match module.buffers.get(self.0)?.role {
            BufferRole::Parameter(position) => Some(Argument::Parameter(position)),
            BufferRole::Result(position) => Some(Argument::Result(position)),
            BufferRole::Temporary(position) | BufferRole::Scratch(position) => {
                Some(Argument::Temporary(position))
            }
            BufferRole::Local | BufferRole::Private | BufferRole::Constant(_) => None,
        }
    }
}
