//! Stores arrays in chains of delayed arrays that would multiply their cost.
//!
//! A delayed array is computed wherever it is read. `cost` decides whether that is cheap enough, but for each
//! array alone. In a chain (stencils one after the other, differences of differences) every array may be
//! cheap, and yet the last one of `n` arrays may cost `3^n`. So two costs of an element are added up along
//! the chain: with every element computed wherever it is read, and with every element of each array computed
//! once, as the program says. If the first is more than [`FACTOR`] times the second, an array in between is
//! stored, as if the user had written `store`.
//!
//! The same is done for rows inside the function of a map. They are kept for each call of the function
//! (`stages`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::context::ReadBy;
use super::cost::{ElementCost, FACTOR, operations};
use super::layout_reads::shown_by;
use super::multiplicity::Multiplicity;
use super::producers::takes_a_loop;
use super::reads::collect_reads;
use crate::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, MapKind, NodeId, Path, Program, Variable};
use crate::ir::types::Type;
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::STORE_BETWEEN;

/// The assumed number of reads where it is not known.
const MANY: i128 = 16;

/// Arrays of chains are stored, inner ones first: what is stored moves deeper.
pub(super) fn stored_in_chains(program: &Program) -> Strategy {
    let mut chains =
        Chains { functions: &program.functions, known: BTreeMap::new(), stored: BTreeSet::new() };
    chains.array(&program.body);
    let mut steps = Vec::new();
    if !chains.stored.is_empty() {
        collect(&program.body, &mut Vec::new(), &chains.stored, &mut steps);
    }
    Strategy::Sequence(steps).named("storedInChains", Vec::new())
}

/// The cost of an element of an array for its reader.
#[derive(Clone, Copy)]
enum Cost {
    /// It is loaded.
    Read,
    /// It is computed, by this map.
    Delayed {
        map: NodeId,
        element: ElementCost,
        /// Operations and loads, including those of delayed arrays for every read.
        computed: i128,
        /// The same, but including those of each delayed array only once.
        stated: i128,
        /// Whether it reads delayed arrays.
        is_chain: bool,
    },
}

impl Cost {
    fn computed(self) -> i128 {
        match self {
            Cost::Read => 1,
            Cost::Delayed { computed, .. } => computed,
        }
    }
}

/// An array that a function reads: the number of elements in each call, and the cost of an element.
struct Reader {
    reads: i128,
    cost: Cost,
}

impl Reader {
    fn computed(&self) -> i128 {
        self.reads.saturating_mul(self.cost.computed())
    }
}

struct Chains<'p> {
    functions: &'p [Function],
    /// The costs of arrays that have names.
    known: BTreeMap<u32, Cost>,
    /// The maps that are to be stored, wherever they stand.
    stored: BTreeSet<NodeId>,
}

impl Chains<'_> {
    /// The cost of an element of an array. Looks for chains on the way.
    fn array(&mut self, expr: &Expr) -> Cost {
        if let Some(shown) = shown_by(expr) {
            return self.array(shown);
        }
        match &expr.kind {
            ExprKind::Variable(variable) => self.known.get(&variable.id).copied().unwrap_or(Cost::Read),
            ExprKind::Let { bindings, body } => {
                for Binding { variable, value } in bindings {
                    let cost = self.array(value);
                    self.known.insert(variable.id, cost);
                }
                self.array(body)
            }
            ExprKind::Map(MapKind::Unspecified, function, input) if !function.body.ty.is_element() => {
                let rows = self.array(input);
                let parameters = function.parameters.iter();
                self.known.extend(parameters.map(|(variable, _)| (variable.id, rows)));
                match self.array(&function.body) {
                    Cost::Delayed { element, computed, stated, is_chain, .. } => {
                        Cost::Delayed { map: expr.id, element, computed, stated, is_chain }
                    }
                    Cost::Read => Cost::Read,
                }
            }
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                let inputs = self.inputs(function, input);
                self.delayed(expr, function, inputs)
            }
            ExprKind::Generate(_, function) => self.delayed(expr, function, Vec::new()),
            ExprKind::Reduce(_, function, initial, input) | ExprKind::Scan(_, function, initial, input) => {
                self.array(initial);
                let inputs = self.inputs(function, input);
                self.delayed(expr, function, inputs);
                Cost::Read
            }
            ExprKind::Iterate(_, function, input) => {
                self.array(input);
                self.array(&function.body);
                Cost::Read
            }
            ExprKind::PadConstant { input, .. } | ExprKind::Component(input, _) => self.array(input),
            ExprKind::Zip(parts) | ExprKind::Tuple(parts) => {
                let costs: Vec<Cost> = parts.iter().map(|part| self.array(part)).collect();
                costs.into_iter().max_by_key(|cost| cost.computed()).unwrap_or(Cost::Read)
            }
            _ => {
                expr.children().for_each(|child| {
                    self.array(child);
                });
                Cost::Read
            }
        }
    }

    /// The arrays that a function takes its elements from.
    fn inputs(&mut self, function: &Lambda, input: &Expr) -> Vec<Reader> {
        // A single value is computed once, however often it is mentioned.
        let reads_of = |component: Option<usize>| match function.parameters.last() {
            None => 1,
            Some((_, ty)) if component_of(ty, component).is_element() => 1,
            Some((variable, _)) => reads(&function.body, variable, component).max(1),
        };
        match &input.kind {
            ExprKind::Zip(parts) => parts
                .iter()
                .enumerate()
                .map(|(position, part)| Reader { reads: reads_of(Some(position)), cost: self.array(part) })
                .collect(),
            _ => vec![Reader { reads: reads_of(None), cost: self.array(input) }],
        }
    }

    /// The cost of an element of a delayed map, after its most expensive inputs were marked to be stored.
    fn delayed(&mut self, map: &Expr, function: &Lambda, mut readers: Vec<Reader>) -> Cost {
        let body = &function.body;
        let mut read = BTreeSet::new();
        collect_reads(body, &mut read);
        for (id, cost) in read.into_iter().filter_map(|id| Some((id, *self.known.get(&id)?))) {
            let variable = Variable { id, name: "".into() };
            readers.push(Reader { reads: reads(body, &variable, None), cost });
        }
        for reader in &mut readers {
            if let Cost::Delayed { map, element, .. } = reader.cost {
                let times =
                    if reader.reads < MANY { Multiplicity::Known(reader.reads) } else { Multiplicity::Many };
                let is_stored = self.stored.contains(&map) || element.is_worth_a_kernel(times, ReadBy::Row);
                reader.cost = if is_stored { Cost::Read } else { reader.cost };
            }
        }
        let operations = operations(body, self.functions);
        loop {
            let reads: i128 = readers.iter().map(|reader| reader.reads).fold(0, i128::saturating_add);
            let computed = readers.iter().map(Reader::computed).fold(operations, i128::saturating_add);
            let own = operations.saturating_add(reads);
            let (mut stated, mut is_chain, mut is_chain_below) = (own, false, false);
            for reader in &readers {
                if let Cost::Delayed { stated: below, is_chain: has_chain, .. } = reader.cost {
                    stated = stated.saturating_add(below);
                    is_chain = true;
                    is_chain_below |= has_chain;
                }
            }
            let most_expensive = readers
                .iter_mut()
                .filter(|reader| matches!(reader.cost, Cost::Delayed { .. }))
                .max_by_key(|reader| reader.computed());
            match most_expensive {
                Some(reader) if is_chain_below && computed > stated.saturating_mul(FACTOR) => {
                    if let Cost::Delayed { map, .. } = reader.cost {
                        self.stored.insert(map);
                    }
                    reader.cost = Cost::Read;
                }
                _ if !body.ty.is_element() || takes_a_loop(body) => return Cost::Read,
                _ => {
                    let element = ElementCost::of(body, self.functions);
                    return Cost::Delayed { map: map.id, element, computed, stated, is_chain };
                }
            }
        }
    }
}

fn component_of(ty: &Type, component: Option<usize>) -> &Type {
    match (ty, component) {
        (Type::Tuple(parts), Some(position)) => parts.get(position).unwrap_or(ty),
        _ => ty,
    }
}

/// The number of elements of a variable, or of one of its components, that an expression reads.
fn reads(expr: &Expr, variable: &Variable, component: Option<usize>) -> i128 {
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id);
    let all = |expr: &Expr| expr.ty.element_count().as_constant().unwrap_or(MANY).min(MANY);
    match &expr.kind {
        ExprKind::Component(tuple, position) if is_it(tuple) => match component {
            Some(wanted) if wanted != *position => 0,
            Some(_) | None => all(expr),
        },
        _ if is_it(expr) => all(expr),
        ExprKind::At(_, array) if expr.ty.is_element() => {
            let own: i128 = reads(array, variable, component);
            own.min(1)
        }
        _ => {
            let children = expr.children().map(|child| reads(child, variable, component));
            children.fold(0, i128::saturating_add)
        }
    }
}

/// The steps that store some maps, wherever they stand.
fn collect(expr: &Arc<Expr>, here: &mut Vec<usize>, stored: &BTreeSet<NodeId>, steps: &mut Vec<Strategy>) {
    let is_stored = matches!(&expr.kind, ExprKind::Store(..));
    for (position, child) in expr.children().enumerate() {
        here.push(position);
        collect(child, here, stored, steps);
        if stored.contains(&child.id) && !is_stored {
            let place = Path::from(here.clone());
            steps.push(Strategy::At(place, Box::new(Strategy::rule(&STORE_BETWEEN))));
        }
        here.pop();
    }
}
