//! What the whole device must have computed before anything that needs it can start.
//!
//! A reduction of a whole array whose value other work-items need (`a >> map(|x| x / reduce(add, 0, a))`) is computed once, by kernels
//! of its own, and lies in global memory for what comes after. Computed where it is read, every work-item would repeat
//! it. A reduction moves out of all functions whose parameters and positions it does not mention; what is short and of a known
//! length stays where it is.
//!
//! So does an array whose elements take loops and are read repeatedly (`repetition`): the product `a * x` in `a^T * (a * x)`, which every
//! work-item would compute again as a whole, or the rows of a separated convolution, which the columns read 17 times.
//! The result of an `iterate` is stored wherever it is read, as what every application makes is: each may read it repeatedly. Inside an
//! application the same holds as inside a program: it may take several kernels.

use std::collections::BTreeSet;

use super::build::Builder;
use super::reduction::divide;
use super::repetition::{Times, overlap, reads_of_parameters, times_of_bound, work};
use super::scan::{self, is_divisible};
use super::{
    FEW_APPLICATIONS, Lowering, is_producer, parallel_levels, rearranged, takes_a_loop, uses_hierarchy,
};
use crate::nat::{Nat, Substitution, Var};
use crate::typed::{AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind, Program, ReduceKind};
use crate::types::Type;

/// A reduction of this many elements is repeated rather than given a kernel of its own.
const QUICKLY_REPEATED: i128 = 64;

/// Gives reductions of whole arrays stages of their own; see the module documentation.
pub(super) fn separate_stages(program: &Program) -> (Expr, u32) {
    let mut stages = Stages {
        program,
        taken_at_its_word: uses_hierarchy(&program.body),
        build: Builder { next_id: program.next_id },
    };
    let body = stages.whole(&program.body);
    (body, stages.build.next_id)
}

struct Stages<'p> {
    program: &'p Program,
    taken_at_its_word: bool,
    build: Builder,
}

/// Whether a value needs arrays on the way whose lengths are not known.
fn stores_any_length(expr: &Expr) -> bool {
    let is_open = expr.ty.shape().iter().any(|length| length.as_constant().is_none());
    is_producer(expr) && is_open || expr.children().into_iter().any(stores_any_length)
}

/// What has a stage of its own: a variable for it, a single value as an array of one element, and how to compute it.
type Lifted = Vec<Binding>;

/// Where an expression stands.
#[derive(Clone)]
struct Inside {
    /// What is bound inside the functions around it.
    variables: BTreeSet<u32>,
    positions: Vec<Var>,
    /// How often its elements are computed.
    times: Times,
    /// Whether they are written where the result goes.
    is_produced: bool,
    destination: Destination,
}

/// Where the elements of a value go that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destination {
    /// To where nothing else is written.
    Whole,
    /// To a part of something.
    Part,
    /// To a memory that the user names, and that belongs to a group or a work-item.
    Named,
}

impl Inside {
    fn of_nothing(times: Times, is_produced: bool) -> Inside {
        let destination = Destination::Whole;
        Inside { variables: BTreeSet::new(), positions: Vec::new(), times, is_produced, destination }
    }

    fn is_in_no_function(&self) -> bool {
        self.variables.is_empty() && self.positions.is_empty()
    }
}

impl Stages<'_> {
    /// An expression that stands inside no function.
    fn whole(&mut self, expr: &Expr) -> Expr {
        let mut lifted = Lifted::new();
        let staged = match &expr.kind {
            ExprKind::Let { bindings, body } => self.bound_to_whole(bindings, body, &mut lifted),
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.whole(part)).collect();
                Expr { kind: ExprKind::Tuple(parts), ..expr.clone() }
            }
            ExprKind::Reduce(..) => {
                let inner = self.lift_inside(expr, &Inside::of_nothing(Times::ONCE, false), &mut lifted);
                match divide(&inner, &self.program.functions, &mut self.build) {
                    Some(total) => self.build.at(&total, Nat::zero()),
                    None => inner,
                }
            }
            ExprKind::Iterate(..) => self.applied_by_device(expr, &mut lifted),
            _ => self.lift(expr, &Inside::of_nothing(Times::ONCE, true), &mut lifted),
        };
        self.build.bind_all(lifted, staged)
    }

    /// The body of a `let` that stands inside no function; what it gives names to is lifted.
    fn bound_to_whole(&mut self, bindings: &[Binding], body: &Expr, lifted: &mut Lifted) -> Expr {
        let mut values = Vec::new();
        for (binding, times) in bindings.iter().zip(times_of_bound(bindings, body)) {
            let mut stages = Lifted::new();
            let value = self.bound(times, &binding.value, &mut stages);
            values.push((stages, value));
        }
        let body = self.whole(body);
        let mut other_kernels_follow = ends_kernels(&body);
        for (stages, value) in values.iter_mut().rev() {
            if other_kernels_follow && self.is_for_other_kernels(value) {
                let complete = self.complete(value, stages);
                let array = self.stage("computed", complete, stages);
                *value = self.build.at(&array, Nat::zero());
            }
            let parts = stages.iter().map(|stage| &stage.value).chain([&*value]);
            other_kernels_follow |= parts.into_iter().any(ends_kernels);
        }
        for (binding, (stages, value)) in bindings.iter().zip(values) {
            lifted.extend(stages);
            lifted.push(binding.with_value(value));
        }
        body
    }

    /// Whether a value that takes a loop, although a short one, is stored for the kernels after this one: a variable ends
    /// with its kernel.
    fn is_for_other_kernels(&self, value: &Expr) -> bool {
        !self.taken_at_its_word && value.ty.is_element() && takes_a_loop(value)
    }

    /// What a `let` gives a name that stands inside no function.
    fn bound(&mut self, times: Times, value: &Expr, lifted: &mut Lifted) -> Expr {
        let inside = Inside::of_nothing(times, false);
        if self.is_worth_storing(value, &inside) {
            return self.complete_array(value, lifted);
        }
        match self.divided_scan(value, Vec::new(), &inside, lifted) {
            Some(prefixes) => self.build.stored(AddressSpace::Global, prefixes),
            None => self.lift(value, &inside, lifted),
        }
    }

    /// The prefixes that kernels of their own compute; nothing for a scan that one work-item does, or each that needs it for itself.
    fn divided_scan(
        &mut self,
        scan: &Expr,
        then: Vec<Lambda>,
        inside: &Inside,
        lifted: &mut Lifted,
    ) -> Option<Expr> {
        let ExprKind::Scan(kind, function, initial, input) = &scan.kind else { return None };
        let is_for_device =
            inside.is_in_no_function() || (!self.taken_at_its_word && is_closed(scan, inside));
        let functions = &self.program.functions;
        if inside.destination == Destination::Named || !is_for_device || !is_divisible(scan, functions) {
            return None;
        }
        // The totals of tiles are made of the elements, and the prefixes again.
        let input = self.lift(input, &Inside::of_nothing(Times::Known(2), false), lifted);
        let initial = self.lift(initial, &Inside::of_nothing(Times::ONCE, false), lifted);
        let kind = ExprKind::Scan(*kind, function.clone(), Box::new(initial), Box::new(input));
        let scan = Expr { kind, ..scan.clone() };
        let divided = scan::divide(&scan, then, &self.program.functions, &mut self.build)?;
        lifted.extend(divided.stages);
        Some(divided.prefixes)
    }

    /// The same where elements are only mapped, which those who have the prefixes do.
    fn divided_and_mapped(&mut self, expr: &Expr, inside: &Inside, lifted: &mut Lifted) -> Option<Expr> {
        let mut maps = Vec::new();
        let mut input = expr;
        while let ExprKind::Map(MapKind::Unspecified, function, of) = &input.kind {
            let is_simple = function.index.is_none() && function.body.ty.is_element();
            if !is_simple || takes_a_loop(&function.body) {
                return None;
            }
            maps.push((input, function));
            input = of;
        }
        if !is_divisible(input, &self.program.functions) {
            return None;
        }
        let mut then = Vec::new();
        for (map, function) in maps.into_iter().rev() {
            let place = place_of(&function.body, map, inside);
            let body = Box::new(self.lift(&function.body, &place, lifted));
            then.push(Lambda { body, ..function.clone() });
        }
        self.divided_scan(input, then, inside, lifted)
    }

    /// Whether a value takes long to compute.
    fn is_long(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reduce(kind, function, _, input) => {
                let length = input.ty.as_array().and_then(|array| array.length.as_constant());
                let is_quick = length.is_some_and(|length| length <= QUICKLY_REPEATED)
                    && !takes_a_loop(&function.body)
                    && !takes_a_loop(input);
                !is_quick && (*kind == ReduceKind::Unspecified || !self.taken_at_its_word)
            }
            _ => expr.children().into_iter().any(|child| self.is_long(child)),
        }
    }

    /// An expression in which the long reductions that depend on nothing inside the functions around it are read from
    /// where their stages left them.
    fn lift(&mut self, expr: &Expr, inside: &Inside, lifted: &mut Lifted) -> Expr {
        let is_reduction = matches!(expr.kind, ExprKind::Reduce(..));
        if is_reduction && expr.ty.is_element() && self.is_long(expr) && is_closed(expr, inside) {
            let complete = self.complete(expr, lifted);
            let array = self.stage("reduced", complete, lifted);
            return self.build.at(&array, Nat::zero());
        }
        if self.is_worth_storing(expr, inside) && is_closed(expr, inside) {
            let complete = self.complete_array(expr, lifted);
            return self.stage("stored", complete, lifted);
        }
        let is_whole = inside.is_produced && inside.destination == Destination::Whole;
        if is_whole
            && inside.is_in_no_function()
            && let Some(result) = self.divided_and_mapped(expr, inside, lifted)
        {
            return result;
        }
        if let Some(prefixes) = self.divided_scan(expr, Vec::new(), inside, lifted) {
            let complete = self.build.stored(AddressSpace::Global, prefixes);
            return self.stage("prefixes", complete, lifted);
        }
        if let ExprKind::Iterate(..) = &expr.kind
            && inside.is_produced
            && inside.is_in_no_function()
        {
            return self.applied_by_device(expr, lifted);
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let (kept, body) = self.lift_bound(bindings, body, inside, lifted);
                Expr {
                    id: expr.id,
                    ty: expr.ty.clone(),
                    source: expr.source,
                    kind: ExprKind::bound(kept, body),
                }
            }
            _ => self.lift_inside(expr, inside, lifted),
        }
    }

    /// The same for `let`s: those that keep their place, and their body.
    fn lift_bound(
        &mut self,
        bindings: &[Binding],
        body: &Expr,
        inside: &Inside,
        lifted: &mut Lifted,
    ) -> (Vec<Binding>, Expr) {
        let last_scan = match self.holds_divisible_scan(body) {
            true => bindings.len(),
            false => {
                let values = bindings.iter().map(|binding| &binding.value);
                values
                    .rev()
                    .position(|value| self.holds_divisible_scan(value))
                    .map_or(0, |behind| bindings.len() - 1 - behind)
            }
        };
        let mut inside = inside.clone();
        let mut kept = Vec::new();
        for (position, (binding, times)) in bindings.iter().zip(times_of_bound(bindings, body)).enumerate() {
            let value = &binding.value;
            if inside.is_in_no_function() && position < last_scan {
                let complete = self.bound(times, value, lifted);
                lifted.push(binding.with_value(complete));
                continue;
            }
            let inner = Inside { times: inside.times.each(times), is_produced: false, ..inside.clone() };
            if self.is_worth_storing(value, &inner) && is_closed(value, &inside) {
                let complete = self.complete_array(value, lifted);
                lifted.push(binding.with_value(complete));
                continue;
            }
            inside.variables.insert(binding.variable.id);
            let place =
                Inside { variables: inside.variables.clone(), destination: Destination::Whole, ..inner };
            kept.push(binding.with_value(self.lift(value, &place, lifted)));
        }
        let body = self.lift(body, &inside, lifted);
        (kept, body)
    }

    /// A complete value, read from where its stage leaves it.
    fn stage(&mut self, name: &str, complete: Expr, lifted: &mut Lifted) -> Expr {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &complete.ty, complete.source);
        lifted.push(Binding { variable, value: complete });
        read
    }

    fn holds_divisible_scan(&self, expr: &Expr) -> bool {
        is_divisible(expr, &self.program.functions)
            || expr.children().into_iter().any(|child| self.holds_divisible_scan(child))
    }

    /// The same for the parts of an expression.
    fn lift_inside(&mut self, expr: &Expr, inside: &Inside, lifted: &mut Lifted) -> Expr {
        expr.with_children(&mut |child| self.lift(child, &place_of(child, expr, inside), lifted))
    }

    /// Whether a delayed array is better computed once and read from memory. Where its elements need arrays of any length, it must be: only a
    /// kernel of its own has room for them.
    fn is_worth_storing(&self, expr: &Expr, inside: &Inside) -> bool {
        if self.taken_at_its_word || inside.is_produced || !is_regular(&expr.ty) {
            return false;
        }
        match &expr.kind {
            // What a map costs that it reads is another array's.
            ExprKind::Map(MapKind::Unspecified, function, _) => {
                let steps = work(&function.body).each(inside.times);
                let is_repeated = inside.times > Times::ONCE && steps > Times::Known(QUICKLY_REPEATED);
                is_repeated || stores_any_length(&function.body)
            }
            ExprKind::Iterate(count, function, _) => {
                let is_few = count.as_constant().is_some_and(|count| count <= FEW_APPLICATIONS);
                !is_few || !is_view(&function.body)
            }
            _ => false,
        }
    }

    /// An `iterate` whose function the whole device applies: an application may be several kernels, so that what is worth a stage inside
    /// of it gets one.
    fn applied_by_device(&mut self, iterate: &Expr, lifted: &mut Lifted) -> Expr {
        let inside = Inside::of_nothing(Times::ONCE, true);
        let ExprKind::Iterate(count, function, input) = &iterate.kind else {
            return self.lift(iterate, &inside, lifted);
        };
        let input = self.lift(input, &place_of(input, iterate, &inside), lifted);
        let function = Lambda { body: Box::new(self.whole(&function.body)), ..function.clone() };
        Expr { kind: ExprKind::Iterate(count.clone(), function, Box::new(input)), ..iterate.clone() }
    }

    /// The array that kernels of their own leave for others to read.
    fn complete_array(&mut self, array: &Expr, lifted: &mut Lifted) -> Expr {
        let inner = match &array.kind {
            ExprKind::Iterate(..) => self.applied_by_device(array, lifted),
            _ => self.lift_inside(array, &Inside::of_nothing(Times::ONCE, true), lifted),
        };
        let open_ranks = &self.program.open_ranks;
        let parallel_levels = parallel_levels(&inner, open_ranks);
        let mut lowering = Lowering { next_id: self.build.next_id, parallel_levels, open_ranks };
        let produced = lowering.produce(&inner, 0);
        self.build.next_id = lowering.next_id;
        self.build.stored(AddressSpace::Global, produced)
    }

    /// The array of one element that kernels of their own leave for others to read.
    fn complete(&mut self, reduction: &Expr, lifted: &mut Lifted) -> Expr {
        let inner = self.lift_inside(reduction, &Inside::of_nothing(Times::ONCE, false), lifted);
        match divide(&inner, &self.program.functions, &mut self.build) {
            Some(total) => total,
            None => {
                let value = self.build.array_of_one(inner);
                self.build.stored(AddressSpace::Global, value)
            }
        }
    }
}

/// Whether a lowered expression takes several kernels.
pub(crate) fn ends_kernels(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Store(AddressSpace::Global, _) => true,
        ExprKind::Iterate(_, function, _) if !is_view(&function.body) => true,
        _ => expr.children().into_iter().any(ends_kernels),
    }
}

/// Where a part of an expression stands that is no `let`.
fn place_of(child: &Expr, parent: &Expr, inside: &Inside) -> Inside {
    let mut inner = Inside {
        is_produced: inside.is_produced && is_written_for(child, parent),
        destination: destination_of(child, parent, inside.destination),
        ..inside.clone()
    };
    let function: Option<&Lambda> = match &parent.kind {
        ExprKind::Map(_, function, _)
        | ExprKind::Reduce(_, function, _, _)
        | ExprKind::Generate(_, function)
        | ExprKind::Scan(_, function, _, _)
        | ExprKind::Iterate(_, function, _)
        | ExprKind::Lanewise(function, _) => Some(function),
        _ => None,
    };
    if let Some(function) = function {
        inner.variables.extend(function.parameters.iter().map(|(variable, _)| variable.id));
        inner.positions.extend(function.index.clone());
    }
    let is_body = function.is_some_and(|function| std::ptr::eq(child, function.body.as_ref()));
    let repeated = match &parent.kind {
        ExprKind::Lanewise(..) => Times::ONCE,
        _ if is_body => Times::Many,
        ExprKind::Map(_, function, _)
        | ExprKind::Reduce(_, function, _, _)
        | ExprKind::Iterate(_, function, _) => reads_of_parameters(function),
        // One work-item takes all elements in order, and should not compute them as well.
        ExprKind::Scan(..) => Times::Many,
        ExprKind::Layout(layout, _) => overlap(layout),
        _ => Times::ONCE,
    };
    inner.times = inner.times.each(repeated);
    inner
}

/// Where a part of an expression goes that goes somewhere.
fn destination_of(child: &Expr, parent: &Expr, whole: Destination) -> Destination {
    match &parent.kind {
        ExprKind::Store(AddressSpace::Local | AddressSpace::Private, _) => Destination::Named,
        _ if !is_written_for(child, parent) => Destination::Whole,
        ExprKind::Concat(_) if whole == Destination::Whole => Destination::Part,
        _ => whole,
    }
}

/// Whether a part of an expression whose value is written is written itself.
fn is_written_for(child: &Expr, parent: &Expr) -> bool {
    match &parent.kind {
        ExprKind::Tuple(_) | ExprKind::Concat(_) | ExprKind::Unzip(_) | ExprKind::Store(..) => true,
        _ => rearranged(parent).is_some_and(|input| std::ptr::eq(child, input)),
    }
}

/// Whether a value is an array of which every row is equally long.
fn is_regular(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => {
            array.index.is_none() && (array.element.is_element() || is_regular(&array.element))
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => false,
    }
}

/// Whether a function only rearranges what it takes.
fn is_view(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) => is_view(input),
        _ => false,
    }
}

/// Whether an expression mentions nothing that is bound inside the functions around it.
fn is_closed(expr: &Expr, inside: &Inside) -> bool {
    let positions: Substitution =
        inside.positions.iter().map(|position| (position.clone(), Nat::constant(-1))).collect();
    !reads(expr, &inside.variables) && (positions.is_empty() || expr.substitute(&positions) == *expr)
}

fn reads(expr: &Expr, variables: &BTreeSet<u32>) -> bool {
    match &expr.kind {
        ExprKind::Variable(read) => variables.contains(&read.id),
        _ => expr.children().into_iter().any(|child| reads(child, variables)),
    }
}
