//! The state of typing one program, and the operations that every rule is made of: nodes, `let`s, types made
//! equal.
//!
//! The typing rules are methods of [`Inference`] in files of their own. They use this file and never each
//! other's: a rule calls another rule as a method.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::captures::Captures;
use super::environment::Elaborated;
use super::error::{Error, ProgramMistake};
use super::item_table::ItemTable;
use super::need::{Need, Reason};
use super::unknowns::{ArrayView, Mismatch, Unknowns};
use crate::front::flatten::Delimited;
use crate::ir::nat::{Nat, Ranges, Var, Vars};
use crate::ir::source::Source;
use crate::ir::typed::binders::is_atomic;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{self, NodeId, Rounding, Variable};
use crate::ir::types::Type;

/// How deeply functions and expressions may nest once functions are inlined.
const DEPTH_LIMIT: usize = 200;

/// How many nodes a program may have once functions are inlined.
const NODE_LIMIT: u32 = 100_000;

/// The state of typing one program.
pub(super) struct Inference<'a> {
    /// What is not known yet.
    pub(super) unknowns: Unknowns,
    /// What is known of sizes, assumed obligations included.
    pub(super) facts: Ranges,
    /// Constraints that were neither proved nor refuted so far.
    pub(super) needs: Vec<Need>,
    /// The mistakes.
    pub(super) errors: Vec<Error>,
    /// The next id of a node or a variable.
    pub(super) next_id: u32,
    /// The first id that is too large: [`NODE_LIMIT`] after the first one.
    pub(super) last_id: u32,
    /// The `let`s made so far in each enclosing body or branch, innermost last.
    pub(super) frames: Vec<Vec<typed::Binding>>,
    /// Rust variables; `None` where they cannot be used.
    pub(super) captures: Option<Captures>,
    /// The sizes that the types of the item's parameters mention. The arguments of a call determine them.
    pub(super) sizes_of_parameters: Vec<&'a str>,
    /// The parameters of the program that are values.
    pub(super) parameters: BTreeSet<Variable>,
    /// Rust variables that were used as values before they were used as sizes.
    pub(super) late_sizes: BTreeSet<String>,
    /// The name and the length of the array whose elements the next lambda is given, if that array is a
    /// variable.
    pub(super) mapped: Option<(Arc<str>, Nat)>,
    /// The name and the length of an array, by the variable that is bound to its elements.
    pub(super) rows_of: BTreeMap<Variable, (Arc<str>, Nat)>,
    /// The lengths of rows that data delimits, and where the rows stand.
    pub(super) delimited: Vec<(Var, Delimited)>,
    /// The items that the program may call.
    pub(super) items: &'a ItemTable<'a>,
    /// The types that the item declares whose body is elaborated.
    pub(super) declared_types: BTreeMap<&'a str, Type>,
    /// The choices of `tune` so far.
    pub(super) tunables: Vec<typed::Tunable>,
    /// The derived primitives whose definitions are being elaborated, outermost first.
    pub(super) derived: Vec<Derivation>,
    /// How the program rounds.
    pub(super) rounding: Rounding,
    /// The items whose bodies are being inlined, with their calls, outermost first.
    pub(super) inlined: Vec<(&'a str, Source)>,
    /// How many of the enclosing functions are never applied (`iterate(0, f)`). Nothing is needed of sizes
    /// inside one.
    pub(super) unreached: usize,
    /// How deeply the current expression is nested.
    pub(super) depth: usize,
    /// Whether something did not parse, or a called item is wrong. That is reported elsewhere.
    pub(super) poisoned: bool,
    /// Whether [`DEPTH_LIMIT`] or [`NODE_LIMIT`] was reported.
    pub(super) exhausted: bool,
}

/// A derived primitive whose definition is being elaborated.
pub(super) struct Derivation {
    /// Its name.
    pub(super) name: &'static str,
    /// The call, as messages write it.
    pub(super) call: String,
    /// Where it stands.
    pub(super) source: Source,
}

impl<'a> Inference<'a> {
    pub(super) fn new(
        items: &'a ItemTable<'a>,
        captures: Option<Captures>,
        vars: Vars,
        next_id: u32,
    ) -> Inference<'a> {
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
            delimited: Vec::new(),
            items,
            declared_types: BTreeMap::new(),
            tunables: Vec::new(),
            derived: Vec::new(),
            rounding: Rounding::Free,
            inlined: Vec::new(),
            unreached: 0,
            depth: 0,
            poisoned: false,
            exhausted: false,
        }
    }

    /// A fresh id.
    pub(super) fn fresh_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// A fresh variable.
    pub(super) fn fresh_variable(&mut self, name: &str) -> Variable {
        Variable { id: self.fresh_id(), name: name.into() }
    }

    /// A node.
    pub(super) fn node(&mut self, kind: typed::ExprKind, ty: Type, source: Source) -> typed::Expr {
        let source = self.located(source);
        typed::Expr { id: NodeId(self.fresh_id()), ty, source, kind }
    }

    /// A use of a variable.
    pub(super) fn variable(&mut self, variable: &Variable, ty: &Type, source: Source) -> typed::Expr {
        self.node(typed::ExprKind::Variable(variable.clone()), ty.clone(), source)
    }

    /// A size as a value.
    pub(super) fn size_value(&mut self, size: Nat, source: Source) -> typed::Expr {
        match self.representable(size, source) {
            Some(size) => self.node(typed::ExprKind::Size(size), Type::Size, source),
            None => self.mistake(source),
        }
    }

    /// Makes two types equal. What a launch has to check becomes a need of `call`.
    pub(super) fn unify(
        &mut self,
        left: &Type,
        right: &Type,
        call: &str,
        source: Source,
    ) -> Result<(), Mismatch> {
        let result = self.unknowns.unify(left, right, &mut self.facts);
        self.need_deferred(call, source);
        result
    }

    /// Makes two sizes equal.
    pub(super) fn unify_sizes(
        &mut self,
        left: &Nat,
        right: &Nat,
        call: &str,
        source: Source,
    ) -> Result<(), Mismatch> {
        let result = self.unknowns.unify_sizes(left, right, &mut self.facts);
        self.need_deferred(call, source);
        result
    }

    /// Makes needs of what the equations solved so far leave to be checked.
    fn need_deferred(&mut self, call: &str, source: Source) {
        for requirement in std::mem::take(&mut self.unknowns.deferred) {
            self.need(Need {
                requirement,
                reason: Reason::Primitive(Purpose::SameSize),
                call: call.to_owned(),
                source,
            });
        }
    }

    /// A type as an array. An unknown type becomes one.
    pub(super) fn as_array(&mut self, ty: &Type) -> ArrayView {
        self.unknowns.as_array(ty, &mut self.facts)
    }

    /// A size with all solutions substituted, simplified.
    pub(super) fn simplified(&self, size: &Nat) -> Nat {
        self.facts.simplify(&self.unknowns.resolve_size(size))
    }

    /// Elaborates the body of a function or a branch. The `let`s that it makes stay inside it.
    pub(super) fn in_frame(&mut self, elaborate: impl FnOnce(&mut Self) -> typed::Expr) -> typed::Expr {
        self.frames.push(Vec::new());
        let body = elaborate(self);
        self.close_frame(body)
    }

    /// Like [`Self::in_frame`], for what may turn out to be a function. A function cannot hold `let`s, so
    /// they move to the enclosing frame.
    pub(super) fn in_open_frame(
        &mut self,
        elaborate: impl FnOnce(&mut Self) -> Elaborated<'a>,
    ) -> Elaborated<'a> {
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
        self.node(typed::ExprKind::bound(bound, Arc::new(body)), ty, source)
    }

    /// An atomic expression with this value. A value that is not atomic is bound by a `let`.
    pub(super) fn bind(&mut self, value: typed::Expr, name: &str) -> typed::Expr {
        if is_atomic(&value) || self.unknowns.is_mistake(&value.ty) {
            return value;
        }
        let variable = self.fresh_variable(name);
        let (ty, source) = (value.ty.clone(), value.source);
        if let Some(frame) = self.frames.last_mut() {
            frame.push(typed::Binding { variable: variable.clone(), value: Arc::new(value) });
        }
        self.variable(&variable, &ty, source)
    }

    /// A copy of an atomic expression, of a constant or of an element of a variable, as a use at `source`. No
    /// node of a program that inference makes stands in two places.
    pub(super) fn copy(&mut self, atom: &typed::Expr, source: Source) -> typed::Expr {
        let kind = match &atom.kind {
            typed::ExprKind::Component(tuple, position) => {
                typed::ExprKind::Component(Arc::new(self.copy(tuple, source)), *position)
            }
            typed::ExprKind::Repeat(length, value) => {
                typed::ExprKind::Repeat(length.clone(), Arc::new(self.copy(value, source)))
            }
            typed::ExprKind::Broadcast(scalar) => {
                typed::ExprKind::Broadcast(Arc::new(self.copy(scalar, source)))
            }
            typed::ExprKind::Unary(operator, operand) => {
                typed::ExprKind::Unary(*operator, Arc::new(self.copy(operand, source)))
            }
            typed::ExprKind::Binary(operator, left, right) => typed::ExprKind::Binary(
                *operator,
                Arc::new(self.copy(left, source)),
                Arc::new(self.copy(right, source)),
            ),
            typed::ExprKind::At(typed::Position::Size(position), array) => {
                let position = typed::Position::Size(position.clone());
                typed::ExprKind::At(position, Arc::new(self.copy(array, source)))
            }
            other => other.clone(),
        };
        self.node(kind, atom.ty.clone(), source)
    }

    /// Elaborates one level deeper, or reports that the program is too large or too deeply nested.
    pub(super) fn deeper<T>(
        &mut self,
        source: Source,
        elaborate: impl FnOnce(&mut Self) -> T,
        otherwise: impl FnOnce(typed::Expr) -> T,
    ) -> T {
        if self.depth >= DEPTH_LIMIT || self.next_id >= self.last_id || self.exhausted {
            if !self.exhausted {
                self.exhausted = true;
                self.report(Error::new(source, ProgramMistake::TooLarge));
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

/// Expressions that inference has just made, as the parts of another.
pub(super) fn shared(exprs: Vec<typed::Expr>) -> Vec<Arc<typed::Expr>> {
    exprs.into_iter().map(Arc::new).collect()
}
