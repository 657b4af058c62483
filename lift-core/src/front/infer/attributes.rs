//! Attributes of items: `#[schedule(…)]`, `#[opencl]` and `#[host]` of kernels, `#[assoc]` and `#[comm]` of functions on
//! scalars. What `#[launch(…)]` fixes is in `launch`; whether it stands at the right item is checked here.

use super::Inference;
use super::error::{counted, enumerated};
use super::message::nearest;
use crate::diagnostic::Diagnostic;
use crate::front::syntax::{Attribute, ExprKind, Item};
use crate::ir::typed::{Backend, Laws, Strategy, Variable};
use crate::ir::types::Type;

/// What the attributes of a kernel say besides its launch.
#[derive(Default)]
pub(super) struct Directives {
    /// How it is lowered.
    pub(super) strategy: Strategy,
    /// The only backend that it may be compiled for.
    pub(super) backend: Option<Backend>,
}

impl Inference<'_> {
    /// `#[host]` or `#[opencl]`.
    fn backend(&mut self, attribute: &Attribute, backend: Backend, directives: &mut Directives) {
        self.takes_no_arguments(attribute);
        if directives.backend.is_some_and(|other| other != backend) {
            let message = "a kernel is restricted to OpenCL devices or to the host, not to both";
            let help = "leave both attributes out: a kernel without them runs everywhere";
            self.report(Diagnostic::new(attribute.name.source, message).with_help(help));
        }
        directives.backend = Some(backend);
    }

    /// The attributes of a kernel.
    pub(super) fn kernel_attributes(&mut self, item: &Item) -> Directives {
        self.repeated_attributes(item);
        let mut directives = Directives::default();
        for attribute in &item.attributes {
            match attribute.name.name.as_str() {
                "launch" => {}
                "schedule" => directives.strategy = self.strategy(attribute).unwrap_or_default(),
                "opencl" => self.backend(attribute, Backend::OpenCl, &mut directives),
                "host" => self.backend(attribute, Backend::Host, &mut directives),
                "assoc" | "comm" => {
                    let message = format!(
                        "`#[{}]` describes a function on scalars, and `{}` is a kernel",
                        attribute.name.name, item.name.name
                    );
                    let help = "it belongs to the function that `reduce` is given";
                    self.report(Diagnostic::new(attribute.name.source, message).with_help(help));
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
            let name = &item.name.name;
            let misplaced = match attribute.name.name.as_str() {
                "assoc" => {
                    self.law(
                        attribute,
                        item,
                        is_operation(parameters, Some(result)),
                        "fn f(a: T, b: T) -> T",
                    );
                    laws.associative = true;
                    continue;
                }
                "comm" => {
                    self.law(attribute, item, is_operation(parameters, None), "fn f(a: T, b: T)");
                    laws.commutative = true;
                    continue;
                }
                "launch" => format!("`{name}` is a function on scalars, and is not launched"),
                "schedule" => {
                    format!("`{name}` is a function on scalars: it has no schedule but that of its callers")
                }
                "host" | "opencl" => {
                    format!("`{name}` is a function on scalars: it is compiled wherever its callers are")
                }
                _ => {
                    self.unknown_attribute(attribute);
                    continue;
                }
            };
            let help =
                "the attribute belongs to a kernel, which has an array among its parameters or as its result";
            self.report(Diagnostic::new(attribute.name.source, misplaced).with_help(help));
        }
        laws
    }

    fn repeated_attributes(&mut self, item: &Item) {
        for (position, attribute) in item.attributes.iter().enumerate() {
            let name = &attribute.name.name;
            // A kernel of its own may be launched by each.
            if name != "launch"
                && item.attributes.iter().take(position).any(|earlier| earlier.name.name == *name)
            {
                let message = format!("`{name}` is given twice");
                self.report(Diagnostic::new(attribute.name.source, message));
            }
        }
    }

    fn takes_no_arguments(&mut self, attribute: &Attribute) {
        if let Some((_, first)) = attribute.arguments.first()
            && !matches!(first.kind, ExprKind::Error)
        {
            let name = &attribute.name.name;
            let message = format!("`{name}` takes no arguments");
            self.report(Diagnostic::new(first.source, message).with_help(format!("write `#[{name}]`")));
        }
    }

    /// A law of a function, which must have the form of those that can obey it.
    fn law(&mut self, attribute: &Attribute, item: &Item, can_hold: bool, form: &str) {
        self.takes_no_arguments(attribute);
        if !can_hold {
            let message = format!("`{}` cannot obey `#[{}]`", item.name.name, attribute.name.name);
            let help = format!("the law is one of functions of two values of one type: `{form}`");
            self.report(Diagnostic::new(attribute.name.source, message).with_help(help));
        }
    }

    /// The strategy that `#[schedule(…)]` names.
    fn strategy(&mut self, attribute: &Attribute) -> Option<Strategy> {
        const HELP: &str = "write `#[schedule(default)]`";
        let [(None, argument)] = attribute.arguments.as_slice() else {
            let (source, message) = match attribute.arguments.as_slice() {
                [] => (attribute.name.source, "`schedule` needs the name of a strategy".to_owned()),
                [(Some(key), _), ..] => (key.source, format!("`schedule` has no `{}`", key.name)),
                several @ [_, (_, second), ..] => {
                    let count = counted(several.len(), "name");
                    (second.source, format!("a kernel has one schedule, and these are {count}"))
                }
                [_] => return None,
            };
            self.report(Diagnostic::new(source, message).with_help(HELP));
            return None;
        };
        let name = match &argument.kind {
            ExprKind::Name(name) => name,
            ExprKind::Error => return None,
            _ => {
                let message = "a schedule is the name of a strategy";
                self.report(Diagnostic::new(argument.source, message).with_help(HELP));
                return None;
            }
        };
        let strategy = Strategy::from_name(name);
        if strategy.is_none() {
            let names = || Strategy::ALL.iter().map(|strategy| strategy.name().to_owned());
            let help = match nearest(name, names()) {
                Some(near) => format!("there is a similar name: `{near}`"),
                None => match enumerated(&names().map(|name| format!("`{name}`")).collect::<Vec<_>>()) {
                    only if Strategy::ALL.len() == 1 => format!("the only strategy is {only}"),
                    several => format!("the strategies are {several}"),
                },
            };
            let message = format!("unknown strategy `{name}`");
            self.report(Diagnostic::new(argument.source, message).with_help(help));
        }
        strategy
    }

    fn unknown_attribute(&mut self, attribute: &Attribute) {
        let message = format!("unknown attribute `{}`", attribute.name.name);
        self.report(Diagnostic::new(attribute.name.source, message));
    }
}

/// Whether these are two parameters of one type, and the result has it, too.
fn is_operation(parameters: &[(Variable, Type)], result: Option<&Type>) -> bool {
    match parameters {
        [(_, left), (_, right)] => left == right && result.is_none_or(|result| result == left),
        _ => false,
    }
}
