//! Whole programs: items with their attributes, closures, expressions.

use std::collections::BTreeSet;

use super::document::{Document, all, group, indented, list, text};
use super::expression::{Printer, Result};
use super::literals::Survey;
use super::names::{Names, Spelling, is_name, words_in, written};
use super::size::type_name;
use super::strength::Strength;
use super::unsayable::Unsayable;
use crate::ir::nat::{Condition, Nat, Ranges};
use crate::ir::scalar::{ScalarClass, TypeParameter};
use crate::ir::source::Source;
use crate::ir::typed::check::{Binders, further_needs};
use crate::ir::typed::{
    Backend, Expr, ExprKind, Function, Launch, Obligation, ParameterType, Pinning, Program, Requirement,
    Rounding, ScheduleTerm, ScheduleTermKind, SizeVariable, Strategy, Variable,
};
use crate::ir::types::Type;

/// The columns of a line.
const WIDTH: usize = 100;

/// Numbers of the variables that are lengths while a program is shown. No program has as many.
const FIRST_LENGTH: u32 = 0x6000_0000;

/// A program as the text of what stands between the braces of a `lift!`.
///
/// # Errors
/// Says what the program has that no `lift!` says.
pub fn show(program: &Program) -> std::result::Result<String, Unsayable> {
    // Without the words of the language as names, the words in the text are those that the program uses. All
    // others may be names.
    let text = show_beside(program, Names::default())?;
    show_beside(program, Names::beside(words_in(&text)))
}

/// A program as text, with these names in scope.
fn show_beside(program: &Program, names: Names) -> std::result::Result<String, Unsayable> {
    let form = Form::of(program);
    let mut printer = Printer::new(program, form, names);
    let document = match form {
        Form::Item => printer.items(program)?,
        Form::Closure => printer.closure(program)?,
        Form::Expression => printer.expression(program)?,
    };
    Ok(document.render(WIDTH))
}

/// A part of a program, or of one that it becomes, as text. What it does not bind has its own name.
///
/// # Errors
/// As [`show`].
pub fn show_term(program: &Program, term: &Expr) -> std::result::Result<String, Unsayable> {
    let mut printer = Printer::new(program, Form::of(program), Names::default());
    Ok(printer.document(term)?.render(WIDTH))
}

/// What a program is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A function item, behind the user functions that it calls.
    Item,
    /// A closure: some parameters have no types.
    Closure,
    /// An expression of Rust variables, which may be arrays of any rank.
    Expression,
}

impl Form {
    fn of(program: &Program) -> Form {
        let has_open_sizes = program.sizes.iter().any(|size| !is_name(&size.name));
        if !program.open_ranks.is_empty() {
            Form::Expression
        } else if has_open_sizes || has_undeclared_types(program) || declares_more(program) {
            Form::Closure
        } else {
            Form::Item
        }
    }
}

/// Whether there are open types that no item can declare: those of closures and expressions are what their
/// bodies need, and may have operators on bits without being numbers.
fn has_undeclared_types(program: &Program) -> bool {
    let is_item = !["closure", "expression"].contains(&program.name.as_str());
    let is_declared = |parameter: &TypeParameter| bound_of(parameter.class).is_some();
    !(program.type_parameters.is_empty() || is_item && program.type_parameters.iter().all(is_declared))
}

/// The bound of a type of a class.
fn bound_of(class: ScalarClass) -> Option<&'static str> {
    match class {
        ScalarClass::Any => Some("Element"),
        ScalarClass::Number => Some("Number"),
        ScalarClass::Integer => Some("Integer"),
        ScalarClass::Float => Some("Float"),
        ScalarClass::Bits => None,
    }
}

impl Printer {
    fn new(program: &Program, form: Form, names: Names) -> Printer {
        let mut survey = Survey::default();
        program.functions.iter().for_each(|function| survey.function(function));
        for parameter in &program.parameters {
            if let ParameterType::Value(ty) = &parameter.ty {
                survey.add_variable(parameter.variable.id, ty, form == Form::Item || has_type(ty, program));
            }
        }
        survey.body(&program.body, form == Form::Item);
        let mut names = names;
        program.functions.iter().for_each(|function| names.add_function(&function.name));
        Printer { names, literals: survey.typed_literals(), next_length: FIRST_LENGTH }
    }

    fn items(&mut self, program: &Program) -> Result<Document> {
        let mut items = Vec::new();
        for (position, function) in program.functions.iter().enumerate() {
            items.extend([self.user_function(position, function)?, Document::Line, Document::Line]);
        }
        items.push(self.item(program)?);
        Ok(all(items))
    }

    fn user_function(&mut self, position: usize, function: &Function) -> Result<Document> {
        let mark = self.names.mark();
        let mut lines = Vec::new();
        for (law, holds) in [("assoc", function.laws.associative), ("comm", function.laws.commutative)] {
            if holds {
                lines.extend([text(format!("#[{law}]")), Document::Line]);
            }
        }
        let mut parameters = Vec::new();
        let mut taken = BTreeSet::new();
        for (variable, ty) in &function.parameters {
            let name = self.parameter_name(variable, &mut taken);
            parameters.push(text(format!("{name}: {}", self.names.type_text(ty)?)));
        }
        let result = self.names.type_text(&function.body.ty)?;
        let head = list(&format!("fn {}(", self.names.function(position)), parameters, ")");
        lines.extend([head, text(format!(" -> {result} "))]);
        lines.push(self.body(&function.body)?);
        self.names.leave(&mark);
        Ok(all(lines))
    }

    /// The item of a kernel.
    fn item(&mut self, program: &Program) -> Result<Document> {
        let mut taken = BTreeSet::new();
        let passed = |size: &&SizeVariable| {
            let is_it = |ty: &ParameterType| matches!(ty, ParameterType::Size(own) if *own == size.variable);
            program.parameters.iter().any(|parameter| is_it(&parameter.ty))
        };
        let mut generics = Vec::new();
        self.names.declares_types = true;
        for parameter in &program.type_parameters {
            let bound = bound_of(parameter.class).unwrap_or_default();
            generics.push(text(format!("{}: {bound}", type_name(*parameter))));
            taken.insert(type_name(*parameter));
        }
        for size in &program.sizes {
            let name = self.names.add_size(&size.variable, &taken);
            taken.insert(name.clone());
            if !passed(&size) {
                generics.push(text(format!("const {name}: usize")));
            }
        }
        let mut parameters = Vec::new();
        for parameter in &program.parameters {
            parameters.push(text(match &parameter.ty {
                ParameterType::Size(size) => format!("{}: usize", self.names.size(size)?),
                ParameterType::Value(ty) => {
                    let ty = self.names.type_text(ty)?;
                    format!("{}: {ty}", self.parameter_name(&parameter.variable, &mut taken))
                }
            }));
        }
        let mut lines = self.attributes(program)?;
        let name = self.names.free(&program.name, &BTreeSet::new());
        let mut head = vec![text(format!("fn {}", written(&name)))];
        if !generics.is_empty() {
            head.push(list("<", generics, ">"));
        }
        head.push(list("(", parameters, ")"));
        head.push(text(format!(" -> {}", self.names.type_text(&program.body.ty)?)));
        head.extend(self.conditions(program)?);
        lines.push(group(head));
        lines.push(self.body(&program.body)?);
        Ok(all(lines))
    }

    fn parameter_name(&mut self, variable: &Variable, taken: &mut BTreeSet<String>) -> String {
        let name = self.names.free(&variable.name, taken);
        taken.insert(name.clone());
        self.names.add_variable(variable, Spelling::Name(name.clone()));
        written(&name)
    }

    fn body(&mut self, body: &Expr) -> Result<Document> {
        let body = match &body.kind {
            ExprKind::Let { .. } => self.block(body)?,
            _ => self.fitting(body)?.document,
        };
        Ok(all([text("{"), indented([Document::Line, body]), Document::Line, text("}")]))
    }

    fn attributes(&mut self, program: &Program) -> Result<Vec<Document>> {
        let mut attributes = Vec::new();
        match program.strategy {
            Strategy::Default => {}
            Strategy::InOrder => attributes.push(format!("#[schedule({})]", program.strategy.name())),
            Strategy::ScansInOrder => return Err(Unsayable::Strategy { name: program.strategy.name() }),
        }
        if !program.schedule.is_empty() {
            attributes.push(format!("#[schedule({})]", self.schedule_terms(&program.schedule)?));
        }
        match program.backend {
            Some(Backend::OpenCl) => attributes.push("#[opencl]".to_owned()),
            Some(Backend::Host) => attributes.push("#[host]".to_owned()),
            None => {}
        }
        match program.rounding {
            Rounding::Free => {}
            Rounding::Strict => attributes.push("#[strict]".to_owned()),
        }
        for launch in &program.launches {
            attributes.push(self.launch(launch)?);
        }
        Ok(attributes.into_iter().flat_map(|attribute| [text(attribute), Document::Line]).collect())
    }

    fn schedule_terms(&mut self, terms: &[ScheduleTerm]) -> Result<String> {
        let mut texts = Vec::new();
        for term in terms {
            texts.push(match &term.kind {
                ScheduleTermKind::Size(size) => self.names.size_text(size)?,
                ScheduleTermKind::Name(name, arguments) if arguments.is_empty() => name.clone(),
                ScheduleTermKind::Name(name, arguments) => {
                    format!("{name}({})", self.schedule_terms(arguments)?)
                }
            });
        }
        Ok(texts.join(", "))
    }

    fn launch(&mut self, launch: &Launch) -> Result<String> {
        let mut arguments = Vec::new();
        if launch.pinning == Pinning::Any {
            arguments.push("any".to_owned());
        }
        if let Some(local) = &launch.local {
            arguments.push(format!("local = {}", dimensions(local.map(|size| size.to_string()))));
        }
        if let Some(global) = &launch.global {
            let [x, y, z] = global;
            let sizes = [self.names.size_text(x)?, self.names.size_text(y)?, self.names.size_text(z)?];
            arguments.push(format!("global = {}", dimensions(sizes)));
        }
        Ok(match arguments.is_empty() {
            true => "#[launch]".to_owned(),
            false => format!("#[launch({})]", arguments.join(", ")),
        })
    }

    /// The `where` clause and the space before the body. It states what no primitive of the body needs.
    fn conditions(&mut self, program: &Program) -> Result<Vec<Document>> {
        let mut conditions: Vec<Document> = Vec::new();
        let mut written = BTreeSet::new();
        for tunable in &program.tunables {
            // A choice has been made wherever it stood: the clause says which.
            let values: Vec<String> = tunable.values.iter().map(u64::to_string).collect();
            let first = values.first().cloned().unwrap_or_default();
            conditions.push(text(format!("tune({}, [{}]) == {first}", tunable.name, values.join(", "))));
        }
        for obligation in stated(program) {
            if let Some(condition) = self.obligation(obligation)?
                && written.insert(condition.clone())
            {
                conditions.push(text(condition));
            }
        }
        if conditions.is_empty() {
            return Ok(vec![text(" ")]);
        }
        let last = conditions.len() - 1;
        let mut clause = vec![Document::Space, text("where")];
        let mut inside = Vec::new();
        for (position, condition) in conditions.into_iter().enumerate() {
            inside.extend([Document::Space, condition]);
            inside.push(if position < last { text(",") } else { Document::IfBroken(",") });
        }
        clause.extend([indented(inside), Document::Space]);
        Ok(clause)
    }

    /// What a launch checks, as a condition. `None` for what no condition says, which the body needs anyway.
    fn obligation(&mut self, obligation: &Obligation) -> Result<Option<String>> {
        let condition = match &obligation.requirement {
            Requirement::Equal(left, right) => Condition::Equal(left.clone(), right.clone()),
            Requirement::AtMost(least, size) if least.as_constant().is_some() => {
                let (size, least) = (self.names.size_operand(size, Strength::Sum)?, least);
                return Ok(Some(format!("{size} >= {}", self.names.size_text(least)?)));
            }
            Requirement::AtMost(left, right) => Condition::LessOrEqual(left.clone(), right.clone()),
            Requirement::Divides(divisor, size) => {
                let size = self.names.size_operand(size, Strength::Product)?;
                let divisor = self.names.size_operand(divisor, Strength::Unary)?;
                return Ok(Some(format!("{size} % {divisor} == 0")));
            }
            Requirement::Holds(condition) => condition.clone(),
            Requirement::Permutation { .. } => return Ok(None),
        };
        Ok(Some(self.names.condition(&condition)?.0))
    }

    fn closure(&mut self, program: &Program) -> Result<Document> {
        only_of_items(program)?;
        let mut taken = BTreeSet::new();
        self.open_sizes(program, &mut taken);
        let mut parameters = Vec::new();
        for parameter in &program.parameters {
            let name = match &parameter.ty {
                ParameterType::Size(size) => format!("{}: usize", self.names.size(size)?),
                ParameterType::Value(ty) => {
                    let name = self.parameter_name(&parameter.variable, &mut taken);
                    match has_type(ty, program) {
                        true => format!("{name}: {}", self.names.type_text(ty)?),
                        false => name,
                    }
                }
            };
            parameters.push(name);
        }
        self.body_of_lambda(format!("|{}| ", parameters.join(", ")), &program.body)
    }

    fn expression(&mut self, program: &Program) -> Result<Document> {
        only_of_items(program)?;
        let mut taken = BTreeSet::new();
        self.open_sizes(program, &mut taken);
        for parameter in &program.parameters {
            if let ParameterType::Value(_) = &parameter.ty {
                self.parameter_name(&parameter.variable, &mut taken);
            }
        }
        self.document(&program.body)
    }

    /// Adds the sizes of a program that has no declarations of them. A length is written as it is called.
    fn open_sizes(&mut self, program: &Program, taken: &mut BTreeSet<String>) {
        for size in &program.sizes {
            if is_name(&size.name) {
                let name = self.names.add_size(&size.variable, taken);
                taken.insert(name);
                continue;
            }
            let text = match size.name.contains(',') {
                true => Err(Unsayable::Length { name: size.name.clone() }),
                false => Ok(size.name.clone()),
            };
            self.names.add_size_as(&size.variable, text);
        }
    }
}

/// Whether an item would demand more of sizes than the program does: it declares its result, and demands that
/// the lengths of that are sizes. A program that states something of sizes is an item already.
fn declares_more(program: &Program) -> bool {
    let mut facts = Ranges::default();
    for size in &program.sizes {
        facts.declare(&size.variable, Nat::zero(), None);
    }
    let is_size =
        |length: &Nat| facts.decide(&Condition::LessOrEqual(Nat::zero(), length.clone())) == Some(true);
    // A length that depends on a position is one because of the array that has the position.
    let is_closed = |length: &Nat| {
        let is_size = |variable| program.sizes.iter().any(|size| size.variable == variable);
        length.variables().into_iter().all(is_size)
    };
    let mut lengths = program.body.ty.shape();
    lengths.retain(is_closed);
    let is_item = only_of_items(program).is_err() || !stated(program).is_empty();
    !is_item && !lengths.iter().all(is_size)
}

/// What the program states of sizes. All else that a launch checks is needed by a primitive of the body, and
/// is needed again when the text is read; an equation only where the sizes of the body have not been
/// simplified by it.
fn stated(program: &Program) -> Vec<&Obligation> {
    let mut sources = BTreeSet::new();
    collect_sources(&program.body, &mut sources);
    let is_stated = |obligation: &Obligation| !sources.contains(&obligation.source);
    let is_equation = |obligation: &Obligation| matches!(obligation.requirement, Requirement::Equal(..));
    let mut stated: Vec<&Obligation> = program.obligations.iter().filter(|it| is_stated(it)).collect();
    let equations = || program.obligations.iter().filter(|it| is_equation(it) && !is_stated(it));
    if equations().next().is_some() {
        let obligations = stated.iter().map(|obligation| (*obligation).clone()).collect();
        let known = Program { obligations, ..program.clone() };
        let mut facts = known.ranges();
        // Where sizes are simplified by an equation, the body may have no type without it.
        for need in further_needs(&known, Binders::Repeated).unwrap_or_default() {
            need.assume(&mut facts);
        }
        stated.extend(equations().filter(|equation| equation.requirement.decide(&facts) != Some(true)));
    }
    stated
}

/// Refuses what closures and expressions do not have.
fn only_of_items(program: &Program) -> Result<()> {
    let has = [
        (!program.launches.is_empty(), "#[launch]"),
        (program.backend.is_some(), "a backend"),
        (program.rounding == Rounding::Strict, "`#[strict]`"),
        (!program.functions.is_empty(), "a user function"),
        (!program.tunables.is_empty(), "`tune`"),
    ];
    match has.iter().find(|(has, _)| *has) {
        Some((_, what)) => Err(Unsayable::OnlyOfItems { what }),
        None => Ok(()),
    }
}

/// Whether the type of a closure's parameter is written: it has no open element type, and no open lengths.
fn has_type(ty: &Type, program: &Program) -> bool {
    let has_name = |size: &SizeVariable| is_name(&size.name);
    let named = |ty: &Type| {
        ty.variables()
            .iter()
            .all(|variable| program.sizes.iter().any(|size| size.variable == *variable && has_name(size)))
    };
    !has_open_element(ty) && named(ty)
}

fn has_open_element(ty: &Type) -> bool {
    use crate::ir::scalar::ScalarType::Parameter;
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => matches!(scalar, Parameter(_)),
        Type::Size => false,
        Type::Tuple(components) => components.iter().any(has_open_element),
        Type::Array(array) => has_open_element(&array.element),
    }
}

/// Where the nodes of an expression were written.
fn collect_sources(expr: &Expr, sources: &mut BTreeSet<Source>) {
    if expr.source != Source::UNKNOWN {
        sources.insert(expr.source);
    }
    expr.children().for_each(|child| collect_sources(child, sources));
}

/// One number, or a tuple without the ones at its end.
fn dimensions(sizes: [String; 3]) -> String {
    let mut sizes = sizes.to_vec();
    while sizes.len() > 1 && sizes.last().is_some_and(|size| size == "1") {
        sizes.pop();
    }
    match sizes.as_slice() {
        [single] => single.clone(),
        several => format!("({})", several.join(", ")),
    }
}
