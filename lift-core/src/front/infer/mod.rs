//! Type inference and elaboration: from what the user wrote to the typed program.
//!
//! Assumes a parsed program; guarantees what [`crate::ir::typed`] promises, or reports every independent mistake.
//!
//! Inference is bidirectional along applications: `f(a)(b)`, `b >> f(a)` and `f(a, b)` are one saturated call, its
//! data is typed first, and a function that a primitive takes is typed when its parameter types are known. What
//! is left open (element types and lengths of free variables) is unified (`unknowns`), with sizes compared and
//! solved by the algebra of [`crate::ir::nat`]. Functions are values only here: they are inlined or become a
//! [`typed::Lambda`] under the primitive that takes them.
//!
//! The map of this folder, in the order of reading: `environment` says what names mean, `unknowns` what is not known yet,
//! `constraint` what primitives need; `expression`, `scalar`, `vector`, `size` and `written` elaborate the forms of the language,
//! `application` calls and `pipe` pipelines (`head` says what can be called, `lambda` what primitives apply; `callee`, `missing`, `bitwise` and `elsewhere`
//! say what is wrong with calls, `conversion` what would help against other types), `primitives` has a typing rule for each
//! primitive, `derived` the prelude; `assumption` is for what is known of a position or below an `if`, `clauses` for what the user
//! states, `snapshot` for what is tried; `tune`, `attributes` and `launch` note what the program hands on; `items` and `free` are the
//! ways in, `generalise` is the way out. `error` has everything that can be wrong, as data, with its sentences; `message` says what a
//! mistake keeps of where it was found.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::front::syntax;
use crate::ir::nat::{Nat, Ranges, Vars};
use crate::ir::source::Source;
use crate::ir::typed::{self, NodeId, Variable};
use crate::ir::types::Type;

mod application;
mod assumption;
mod attributes;
mod bitwise;
mod callee;
mod clauses;
mod constraint;
mod conversion;
mod derived;
mod elsewhere;
mod environment;
mod error;
mod expression;
mod free;
mod generalise;
mod head;
mod items;
mod lambda;
mod launch;
mod message;
mod missing;
mod pattern;
mod pipe;
mod primitives;
mod scalar;
mod size;
mod snapshot;
mod tune;
mod unknowns;
mod vector;
mod written;

use constraint::{Need, Reason};
use environment::{Elaborated, Environment};
use error::Error;
use free::Captures;
use items::ItemTable;
use unknowns::{ArrayView, Mismatch, Unknowns};

pub use items::Items;

/// How deeply functions and expressions may nest once functions are inlined.
const DEPTH_LIMIT: usize = 200;

/// How many nodes a program may have once functions are inlined.
const NODE_LIMIT: u32 = 100_000;

/// Types an inline expression: its free variables are Rust variables, and become parameters in the order of
/// their first use.
pub fn infer_inline(expr: &syntax::Expr) -> Result<typed::Program, Vec<Diagnostic>> {
    free::infer_inline(expr).map_err(|errors| error::diagnostics(&errors))
}

/// Types a closure: its parameters come first, then the Rust variables it captures.
pub fn infer_closure(expr: &syntax::Expr) -> Result<typed::Program, Vec<Diagnostic>> {
    free::infer_closure(expr).map_err(|errors| error::diagnostics(&errors))
}

/// Types function items, in any order.
pub fn infer_items(items: &[syntax::Item]) -> Result<Items, Vec<Diagnostic>> {
    items::infer_items(items).map_err(|errors| error::diagnostics(&errors))
}

/// The state of typing one program.
struct Inference<'a> {
    /// What is not known yet.
    unknowns: Unknowns,
    /// What is known of sizes, assumed obligations included.
    facts: Ranges,
    /// Constraints that were neither proved nor refuted so far.
    needs: Vec<Need>,
    /// The mistakes.
    errors: Vec<Error>,
    /// The next id of a node or a variable.
    next_id: u32,
    /// Where ids end: [`NODE_LIMIT`] after the first.
    last_id: u32,
    /// `let`s on their way to the expression that closes the frame.
    frames: Vec<Vec<typed::Binding>>,
    /// Rust variables; none where they cannot be used.
    captures: Option<Captures>,
    /// The names in the types of the parameters of the item, each of which a call can tell.
    sizes_of_parameters: Vec<&'a str>,
    /// The parameters of the program that are values.
    parameters: BTreeSet<Variable>,
    /// Rust variables that were used as values before they were used as sizes.
    late_sizes: BTreeSet<String>,
    /// The array that the next lambda gets the elements of, where it is a variable: its name and its length.
    mapped: Option<(Rc<str>, Nat)>,
    /// The arrays, by the variables that stand for their elements.
    rows_of: BTreeMap<Variable, (Rc<str>, Nat)>,
    /// The other items.
    items: &'a ItemTable<'a>,
    /// The choices of `tune` so far.
    tunables: Vec<typed::Tunable>,
    /// The derived primitives whose definitions are being elaborated, outermost first.
    derived: Vec<derived::Derivation>,
    /// The items whose bodies are being inlined, with their calls, outermost first.
    inlined: Vec<(&'a str, Source)>,
    /// How many functions around what is elaborated are applied no times: nothing is needed of sizes inside of one.
    unreached: usize,
    /// How deeply the current expression is nested.
    depth: usize,
    /// Whether something did not parse: reported already.
    poisoned: bool,
    /// Whether [`DEPTH_LIMIT`] or [`NODE_LIMIT`] was reported.
    exhausted: bool,
}

impl<'a> Inference<'a> {
    fn new(items: &'a ItemTable<'a>, captures: Option<Captures>, vars: Vars, next_id: u32) -> Inference<'a> {
        Inference {
            unknowns: Unknowns::new(vars),
            facts: Ranges::default(),
            needs: Vec::new(),
            errors: Vec::new(),
            next_id,
            last_id: next_id.saturating_add(NODE_LIMIT),
            frames: vec![Vec::new()],
            captures,
            sizes_of_parameters: Vec::new(),
            parameters: BTreeSet::new(),
            late_sizes: BTreeSet::new(),
            mapped: None,
            rows_of: BTreeMap::new(),
            items,
            tunables: Vec::new(),
            derived: Vec::new(),
            inlined: Vec::new(),
            unreached: 0,
            depth: 0,
            poisoned: false,
            exhausted: false,
        }
    }

    /// A fresh id.
    fn fresh_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// A fresh variable.
    fn fresh_variable(&mut self, name: &str) -> Variable {
        Variable { id: self.fresh_id(), name: name.into() }
    }

    /// A node.
    fn node(&mut self, kind: typed::ExprKind, ty: Type, source: Source) -> typed::Expr {
        let source = self.located(source);
        typed::Expr { id: NodeId(self.fresh_id()), ty, source, kind }
    }

    /// What stands for an expression whose mistake was reported.
    fn mistake(&mut self, source: Source) -> typed::Expr {
        self.node(typed::ExprKind::Tuple(Vec::new()), Unknowns::mistake(), source)
    }

    /// A use of a variable.
    fn variable(&mut self, variable: &Variable, ty: &Type, source: Source) -> typed::Expr {
        self.node(typed::ExprKind::Variable(variable.clone()), ty.clone(), source)
    }

    /// A size as a value.
    fn size_value(&mut self, size: Nat, source: Source) -> typed::Expr {
        match self.representable(size, source) {
            Some(size) => self.node(typed::ExprKind::Size(size), Type::Size, source),
            None => self.mistake(source),
        }
    }

    /// Where to point for something at `source`: definitions of the prelude stand at their use.
    fn located(&self, source: Source) -> Source {
        if source != Source::UNKNOWN {
            return source;
        }
        self.derived.last().map_or(Source::UNKNOWN, |derivation| derivation.source)
    }

    /// Reports a mistake. Inside an inlined item, which is right by itself, the mistake is in the call.
    fn report(&mut self, error: Error) {
        let error = match self.inlined.first() {
            Some((name, source)) => Error { source: *source, in_call_of: Some((*name).to_owned()), ..error },
            None => Error { source: self.located(error.source), ..error },
        };
        let is_known = |reported: &Error| {
            let is_same = || reported.diagnostic().message == error.diagnostic().message;
            reported.source == error.source && (error.source != Source::UNKNOWN || is_same())
        };
        if !self.errors.iter().any(is_known) {
            self.errors.push(error);
        }
    }

    /// Reports a mistake and stands for the expression that has it.
    fn fail(&mut self, error: Error) -> typed::Expr {
        let source = error.source;
        self.report(error);
        self.mistake(source)
    }

    /// Makes two types equal; what is left to the launch is noted for `call`.
    fn unify(&mut self, left: &Type, right: &Type, call: &str, source: Source) -> Result<(), Mismatch> {
        let result = self.unknowns.unify(left, right, &mut self.facts);
        self.need_deferred(call, source);
        result
    }

    /// Makes two sizes equal.
    fn unify_sizes(&mut self, left: &Nat, right: &Nat, call: &str, source: Source) -> Result<(), Mismatch> {
        let result = self.unknowns.unify_sizes(left, right, &mut self.facts);
        self.need_deferred(call, source);
        result
    }

    /// Demands what the equations solved so far leave open.
    fn need_deferred(&mut self, call: &str, source: Source) {
        for requirement in std::mem::take(&mut self.unknowns.deferred) {
            self.need(Need { requirement, reason: Reason::SameSize, call: call.to_owned(), source });
        }
    }

    /// The type seen as an array.
    fn as_array(&mut self, ty: &Type) -> ArrayView {
        self.unknowns.as_array(ty, &mut self.facts)
    }

    /// `[element; length]`, its length simplified.
    fn array_type(&self, element: Type, length: &Nat) -> Type {
        Type::array(element, self.simplified(length))
    }

    /// A size with everything known put in and simplified.
    fn simplified(&self, size: &Nat) -> Nat {
        self.facts.simplify(&self.unknowns.resolve_size(size))
    }

    /// Elaborates something as one function body or branch: the `let`s it makes stay in it.
    fn in_frame(&mut self, elaborate: impl FnOnce(&mut Self) -> typed::Expr) -> typed::Expr {
        self.frames.push(Vec::new());
        let body = elaborate(self);
        self.close_frame(body)
    }

    /// Like [`Self::in_frame`] for what may be a function: the `let`s that a function needs go further out.
    fn in_open_frame(&mut self, elaborate: impl FnOnce(&mut Self) -> Elaborated<'a>) -> Elaborated<'a> {
        self.frames.push(Vec::new());
        match elaborate(self) {
            Elaborated::Value(body) => Elaborated::Value(self.close_frame(body)),
            function @ Elaborated::Function(_) => {
                let bound = self.frames.pop().unwrap_or_default();
                if let Some(outer) = self.frames.last_mut() {
                    outer.extend(bound);
                }
                function
            }
        }
    }

    fn close_frame(&mut self, body: typed::Expr) -> typed::Expr {
        let bound = self.frames.pop().unwrap_or_default();
        if bound.is_empty() {
            return body;
        }
        let (ty, source) = (body.ty.clone(), body.source);
        self.node(typed::ExprKind::bound(bound, body), ty, source)
    }

    /// An atomic expression with this value: bound by a `let` where it is none yet.
    fn bind(&mut self, value: typed::Expr, name: &str) -> typed::Expr {
        if is_atomic(&value) || self.unknowns.is_mistake(&value.ty) {
            return value;
        }
        let variable = self.fresh_variable(name);
        let (ty, source) = (value.ty.clone(), value.source);
        if let Some(frame) = self.frames.last_mut() {
            frame.push(typed::Binding { variable: variable.clone(), value });
        }
        self.variable(&variable, &ty, source)
    }

    /// A copy of an atomic expression, as a use at `source`.
    fn copy(&mut self, atom: &typed::Expr, source: Source) -> typed::Expr {
        let kind = match &atom.kind {
            typed::ExprKind::Component(tuple, position) => {
                typed::ExprKind::Component(Box::new(self.copy(tuple, source)), *position)
            }
            typed::ExprKind::Repeat(length, value) => {
                typed::ExprKind::Repeat(length.clone(), Box::new(self.copy(value, source)))
            }
            other => other.clone(),
        };
        self.node(kind, atom.ty.clone(), source)
    }

    /// Elaborates one level deeper, or reports that functions nest without end.
    fn deeper<T>(
        &mut self,
        source: Source,
        elaborate: impl FnOnce(&mut Self) -> T,
        otherwise: impl FnOnce(typed::Expr) -> T,
    ) -> T {
        if self.depth >= DEPTH_LIMIT || self.next_id >= self.last_id || self.exhausted {
            if !self.exhausted {
                self.exhausted = true;
                self.report(Error::new(source, error::ProgramMistake::TooLarge));
            }
            let mistake = self.mistake(source);
            return otherwise(mistake);
        }
        self.depth += 1;
        let result = elaborate(self);
        self.depth -= 1;
        result
    }
}

/// Whether an expression costs nothing to repeat.
fn is_atomic(expr: &typed::Expr) -> bool {
    match &expr.kind {
        typed::ExprKind::Literal(_) | typed::ExprKind::Variable(_) | typed::ExprKind::Size(_) => true,
        typed::ExprKind::Component(tuple, _) => is_atomic(tuple),
        // An array that nothing stores. An accumulator that starts as one may still become one of vectors.
        typed::ExprKind::Repeat(_, value) => is_atomic(value),
        _ => false,
    }
}

/// The names in scope where nothing is.
fn no_names<'a>() -> Environment<'a> {
    Environment::default()
}
