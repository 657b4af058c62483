//! Attributes of items: `#[opencl]`, `#[host]` and `#[strict]` of kernels, `#[assoc]` and `#[comm]` of functions on
//! scalars. What `#[launch(…)]` fixes is in `launch`, what `#[schedule(…)]` names in `schedule`; whether they
//! stand at the right item is checked here.

use super::error::{AttributeMistake, Error, Law, OfKernels};
use super::inference::Inference;
use crate::front::syntax::{Attribute, ExprKind, Item};
use crate::ir::typed::{Backend, Laws, Rounding, ScheduleTerm, Strategy, Variable};
use crate::ir::types::Type;

/// What the attributes of a kernel say besides its launch.
#[derive(Default)]
pub(super) struct Directives {
    /// How it is lowered.
    pub(super) strategy: Strategy,
    /// The strategies that make a form of it.
    pub(super) schedule: Vec<ScheduleTerm>,
    /// The only backend that it may be compiled for.
    pub(super) backend: Option<Backend>,
    /// How floats are rounded.
    pub(super) rounding: Rounding,
}

impl Inference<'_> {
    /// `#[host]` or `#[opencl]`.
    fn backend(&mut self, attribute: &Attribute, backend: Backend, directives: &mut Directives) {
        self.takes_no_arguments(attribute);
        if directives.backend.is_some_and(|other| other != backend) {
            self.report(Error::new(attribute.name.source, AttributeMistake::BothBackends));
        }
        directives.backend = Some(backend);
    }

    /// The attributes of a kernel.
    pub(super) fn kernel_attributes(&mut self, item: &Item) -> Directives {
        self.repeated_attributes(item);
        let mut directives = Directives::default();
        for attribute in &item.attributes {
            match attribute.name.name.as_str() {
                "launch" | "schedule" => {}
                "opencl" => self.backend(attribute, Backend::OpenCl, &mut directives),
                "host" => self.backend(attribute, Backend::Host, &mut directives),
                "strict" => {
                    self.takes_no_arguments(attribute);
                    directives.rounding = Rounding::Strict;
                }
                "assoc" | "comm" => {
                    let (attribute, source) = (attribute.name.name.clone(), attribute.name.source);
                    let kernel = item.name.name.clone();
                    self.report(Error::new(source, AttributeMistake::OfFunctions { attribute, kernel }));
                }
                _ => self.unknown_attribute(attribute),
            }
        }
        directives
    }

    /// The attributes of a function on scalars with these parameters and this result.
    pub(super) fn function_attributes(
        &mut self,
        item: &Item,
        parameters: &[(Variable, Type)],
        result: &Type,
    ) -> Laws {
        self.repeated_attributes(item);
        let mut laws = Laws::default();
        for attribute in &item.attributes {
            let says = match attribute.name.name.as_str() {
                "assoc" => {
                    self.law(attribute, item, Law::Associative, is_operation(parameters, Some(result)));
                    laws.associative = true;
                    continue;
                }
                "comm" => {
                    self.law(attribute, item, Law::Commutative, is_operation(parameters, None));
                    laws.commutative = true;
                    continue;
                }
                "launch" => OfKernels::Launch,
                "schedule" => OfKernels::Schedule,
                "host" | "opencl" => OfKernels::Backend,
                "strict" => OfKernels::Rounding,
                _ => {
                    self.unknown_attribute(attribute);
                    continue;
                }
            };
            let function = item.name.name.clone();
            self.report(Error::new(attribute.name.source, AttributeMistake::OfKernels { says, function }));
        }
        laws
    }

    fn repeated_attributes(&mut self, item: &Item) {
        for (position, attribute) in item.attributes.iter().enumerate() {
            let name = &attribute.name.name;
            // Each `launch` is for one of the kernels that the program becomes.
            if name != "launch"
                && item.attributes.iter().take(position).any(|earlier| earlier.name.name == *name)
            {
                let mistake = AttributeMistake::Twice { attribute: name.clone() };
                self.report(Error::new(attribute.name.source, mistake));
            }
        }
    }

    fn takes_no_arguments(&mut self, attribute: &Attribute) {
        if let Some((_, first)) = attribute.arguments.first()
            && !matches!(first.kind, ExprKind::Error)
        {
            let attribute = attribute.name.name.clone();
            self.report(Error::new(first.source, AttributeMistake::Arguments { attribute }));
        }
    }

    /// Checks that a function has the form of those that can obey a law.
    fn law(&mut self, attribute: &Attribute, item: &Item, law: Law, can_hold: bool) {
        self.takes_no_arguments(attribute);
        if !can_hold {
            let function = item.name.name.clone();
            self.report(Error::new(attribute.name.source, AttributeMistake::Law { law, function }));
        }
    }

    fn unknown_attribute(&mut self, attribute: &Attribute) {
        let mistake = AttributeMistake::Unknown { attribute: attribute.name.name.clone() };
        self.report(Error::new(attribute.name.source, mistake));
    }
}

/// Whether there are two parameters of one type, which is also that of `result`.
fn is_operation(parameters: &[(Variable, Type)], result: Option<&Type>) -> bool {
    match parameters {
        [(_, left), (_, right)] => left == right && result.is_none_or(|result| result == left),
        _ => false,
    }
}
