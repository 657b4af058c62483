//! A compiled program as the constant that the macro would print, leaked to live as long.

use lift_core::compiled::{self, Compiled};
use lift_core::ir::nat::{self, Atom, Nat, Term, Var};
use lift_core::ir::typed::{self, Requirement};
use lift_core::ir::types::Type;
use lift_runtime::__private::{
    Action, Alternation, Argument, ArrayType, Condition, End, Exactness, Form, Guard, Kernel, Obligation,
    Parameter, ParameterType, Portion, Program, Relation, Repetition, Size, SizeVariable, Temporary,
};

/// The runtime's description of a compiled program; an error says what the runtime cannot launch.
pub(crate) fn program_from(compiled: &Compiled) -> Result<&'static Program, String> {
    let sizes = Slots(compiled.sizes.iter().map(|size| size.variable.clone()).collect());
    Ok(Box::leak(Box::new(Program {
        name: leak_text(&compiled.name),
        type_parameters: compiled.type_parameters,
        sizes: leak_all(&compiled.sizes, |size| {
            Ok(SizeVariable { name: leak_text(&size.name), minimum: size.minimum })
        })?,
        parameters: leak_all(&compiled.parameters, |parameter| sizes.parameter(parameter))?,
        results: leak_all(&compiled.results, |part| sizes.array(part))?,
        obligations: leak_all(&compiled.obligations, |obligation| sizes.obligation(obligation))?,
        plain: sizes.form(&compiled.plain)?,
        others: leak_all(&compiled.others, |form| sizes.form(form))?,
        exact: Exactness {
            computed: compiled.exact.computed.clone().leak(),
            divided: compiled.exact.divided.clone().leak(),
        },
        repeated: &[],
    })))
}

fn leak_text(text: &str) -> &'static str {
    Box::leak(text.into())
}

fn leak_all<A, B>(from: &[A], convert: impl Fn(&A) -> Result<B, String>) -> Result<&'static [B], String> {
    Ok(Box::leak(from.iter().map(convert).collect::<Result<_, _>>()?))
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Size variables by their slots: those of the program, then what a launcher counts, then the indices of the
/// sums around.
#[derive(Clone)]
struct Slots(Vec<Var>);

impl Slots {
    fn slot(&self, variable: &Var) -> Result<usize, String> {
        let slot = self.0.iter().rposition(|slot| slot == variable);
        slot.ok_or_else(|| format!("the size variable `{}` is unknown", variable.name()))
    }

    fn size(&self, nat: &Nat) -> Result<Size, String> {
        Ok(match leak_all(nat.terms(), |term| self.term(term))? {
            [] => Size::Constant(0),
            [term] => *term,
            terms => Size::Add(terms),
        })
    }

    fn term(&self, term: &Term) -> Result<Size, String> {
        let mut factors = vec![constant(term.coefficient)?];
        for (atom, power) in &term.factors {
            let exponent = leak(Size::Constant(i64::from(*power)));
            factors.push(Size::Power(leak(self.atom(atom)?), exponent));
        }
        Ok(Size::Multiply(factors.leak()))
    }

    fn atom(&self, atom: &Atom) -> Result<Size, String> {
        let size = |nat: &Nat| self.size(nat).map(leak);
        Ok(match atom {
            Atom::Var(variable) => Size::Variable(self.slot(variable)?),
            Atom::Divide(left, right) => Size::Divide(size(left)?, size(right)?),
            Atom::Modulo(left, right) => Size::Remainder(size(left)?, size(right)?),
            Atom::Minimum(left, right) => Size::Minimum(size(left)?, size(right)?),
            Atom::Maximum(left, right) => Size::Maximum(size(left)?, size(right)?),
            Atom::Power(base, exponent) => Size::Power(size(base)?, size(exponent)?),
            Atom::Log2(operand) => Size::Log2(size(operand)?),
            Atom::Sum { index, from, to, body } => {
                let mut inside = self.clone();
                inside.0.push(index.clone());
                let body = leak(inside.size(body)?);
                Size::Sum { slot: self.0.len(), from: size(from)?, to: size(to)?, body }
            }
            Atom::Select(condition, then, otherwise) => {
                Size::If(leak(self.condition(condition)?), size(then)?, size(otherwise)?)
            }
        })
    }

    fn condition(&self, condition: &nat::Condition) -> Result<Condition, String> {
        let size = |nat: &Nat| self.size(nat).map(leak);
        let inner = |condition: &nat::Condition| self.condition(condition).map(leak);
        Ok(match condition {
            nat::Condition::Less(left, right) => Condition::Less(size(left)?, size(right)?),
            nat::Condition::LessOrEqual(left, right) => Condition::LessOrEqual(size(left)?, size(right)?),
            nat::Condition::Equal(left, right) => Condition::Equal(size(left)?, size(right)?),
            nat::Condition::And(left, right) => Condition::And(inner(left)?, inner(right)?),
            nat::Condition::Or(left, right) => Condition::Or(inner(left)?, inner(right)?),
            nat::Condition::Not(operand) => Condition::Not(inner(operand)?),
        })
    }

    fn array(&self, ty: &Type) -> Result<ArrayType, String> {
        let (scalar, lengths) = match ty.innermost() {
            Type::Scalar(scalar) => (*scalar, ty.shape()),
            // The components of vectors are one more dimension.
            Type::Vector(lane, width) => {
                (*lane, ty.shape().into_iter().chain([Nat::constant(i128::from(*width))]).collect())
            }
            Type::Size | Type::Tuple(_) | Type::Array(_) => {
                return Err(format!("`{ty}` has no scalars as elements"));
            }
        };
        let shape = leak_all(&lengths, |length| self.size(length))?;
        Ok(ArrayType { element: scalar, shape })
    }

    fn parameter(&self, parameter: &typed::Parameter) -> Result<Parameter, String> {
        let ty = match &parameter.ty {
            typed::ParameterType::Size(variable) => ParameterType::Size(self.slot(variable)?),
            typed::ParameterType::Value(ty) => match self.array(ty)? {
                ArrayType { element, shape: [] } => ParameterType::Scalar(element),
                ArrayType { element, shape } => ParameterType::Array { element, shape },
            },
        };
        Ok(Parameter { name: leak_text(&parameter.variable.name), ty })
    }

    fn obligation(&self, obligation: &typed::Obligation) -> Result<Obligation, String> {
        let (left, relation, right) = match &obligation.requirement {
            Requirement::Equal(left, right) => (self.size(left)?, Relation::Equal, self.size(right)?),
            Requirement::AtMost(left, right) => (self.size(left)?, Relation::AtMost, self.size(right)?),
            Requirement::Divides(left, right) => (self.size(left)?, Relation::Divides, self.size(right)?),
            Requirement::Holds(condition) => {
                let (holds, fails) = (leak(Size::Constant(1)), leak(Size::Constant(0)));
                let truth = Size::If(leak(self.condition(condition)?), holds, fails);
                (truth, Relation::Equal, Size::Constant(1))
            }
            Requirement::Permutation { index, image, length } => {
                let mut inside = self.clone();
                inside.0.push(index.clone());
                (inside.size(image)?, Relation::Permutes { slot: self.0.len() }, self.size(length)?)
            }
        };
        Ok(Obligation { text: leak_text(&obligation.text), left, relation, right })
    }

    fn form(&self, form: &compiled::Form) -> Result<Form, String> {
        let counting = Slots(self.0.iter().cloned().chain(compiled::counted(&form.steps)).collect());
        Ok(Form {
            name: leak_text(&form.name),
            devices: form.devices,
            guards: leak_all(&form.guards, |guard| self.guard(guard))?,
            thresholds: leak_all(&form.thresholds, |guard| self.guard(guard))?,
            derivation: leak_text(&form.derivation),
            source: leak_text(&form.source),
            temporaries: leak_all(&form.temporaries, |temporary| {
                Ok(Temporary { element: temporary.element, length: self.size(&temporary.length)? })
            })?,
            extents: leak_all(&form.extents, |extent| self.size(extent))?,
            kernels: leak_all(&form.kernels, |kernel| counting.kernel(kernel))?,
            steps: counting.steps(&form.steps)?,
        })
    }

    fn guard(&self, guard: &compiled::Guard) -> Result<Guard, String> {
        Ok(Guard { text: leak_text(&guard.text), condition: self.condition(&guard.condition)? })
    }

    fn kernel(&self, kernel: &compiled::Kernel) -> Result<Kernel, String> {
        let [x, y, z] = &kernel.global;
        Ok(Kernel {
            entry: leak_text(&kernel.entry),
            arguments: leak_all(&kernel.arguments, |argument| self.argument(argument))?,
            global: [self.size(x)?, self.size(y)?, self.size(z)?],
            local: kernel.local,
            launches: kernel.launches,
            host_arguments: leak_all(&kernel.host_arguments, |argument| self.argument(argument))?,
            local_memory: self.size(&kernel.local_memory)?,
        })
    }

    fn steps(&self, steps: &[compiled::Action]) -> Result<&'static [Action], String> {
        leak_all(steps, |step| match step {
            compiled::Action::Launch(position) => Ok(Action::Launch(*position)),
            compiled::Action::Repeat(repetition) => Ok(Action::Repeat(Repetition {
                count: self.size(&repetition.count)?,
                step: repetition.step.as_ref().map(|step| self.slot(step)).transpose()?,
                portion: repetition.portion.as_ref().map(|portion| self.portion(portion)).transpose()?,
                arrays: leak_all(&repetition.arrays, |array| {
                    Ok(Alternation {
                        input: self.argument(&array.input)?,
                        before: self.argument(&array.before)?,
                        after: self.argument(&array.after)?,
                        output: self.argument(&array.output)?,
                    })
                })?,
                body: self.steps(&repetition.body)?,
                end: match &repetition.end {
                    Some(end) => Some(End {
                        condition: self.steps(&end.condition)?,
                        goes_on: self.argument(&end.goes_on)?,
                        copies: self.steps(&end.copies)?,
                    }),
                    None => None,
                },
            })),
        })
    }

    fn portion(&self, portion: &compiled::Portion) -> Result<Portion, String> {
        Ok(Portion {
            first: self.slot(&portion.first)?,
            count: self.slot(&portion.count)?,
            rows: self.size(&portion.rows)?,
            most: self.size(&portion.most)?,
        })
    }

    fn argument(&self, argument: &compiled::Argument) -> Result<Argument, String> {
        Ok(match argument {
            compiled::Argument::Parameter(position) => Argument::Parameter(*position),
            compiled::Argument::Result(position) => Argument::Result(*position),
            compiled::Argument::Temporary(position) => Argument::Temporary(*position),
            compiled::Argument::Size(variable) => Argument::Size(self.slot(variable)?),
            compiled::Argument::Counter(variable) => Argument::Counter(self.slot(variable)?),
        })
    }
}

fn constant(value: i128) -> Result<Size, String> {
    i64::try_from(value)
        .map(Size::Constant)
        .map_err(|_| format!("the size {value} does not fit into 64 bits"))
}
