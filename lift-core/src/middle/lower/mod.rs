//! From high-level programs to programs that say who computes what.
//!
//! Input: a typed program. Output: the same program in which every expression whose elements are *produced* (written
//! one by one into the result) is a map of the thread hierarchy or a sequential one, and every result that would only be a
//! view of its inputs is an explicit copy. What is merely *consumed* by a producer stays a high-level `map`: it is not
//! stored, its elements are computed inside the loop that reads them.
//!
//! What the whole device must have computed before it is used becomes a stage of its own (`stages`), and a reduction of a whole
//! array is divided among the work-items of the device (`reduction`).
//!
//! A result without any map of the thread hierarchy gets a simple default: up to three nested producing maps become
//! `mapGlb`, the innermost in dimension 0, where neighbouring work-items touch neighbouring elements; what lies deeper
//! is sequential. A result that uses the hierarchy is taken at its word (Steuwer et al., CGO 2017, section 3.2), and
//! whatever is left high-level in it is sequential.

mod bindings;
mod build;
mod chains;
mod division;
mod fusion;
mod identity;
mod kernel_ends;
mod operator;
mod place;
mod reduction;
mod repeated;
mod repetition;
mod rows;
mod scan;
mod stages;
mod times;
mod turning;
mod views;

use std::collections::BTreeSet;

use self::build::Builder;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::typed::{
    Binding, Expr, ExprKind, IndexFunction, Lambda, Layout, MapKind, NodeId, Program, Strategy, Variable,
};
use crate::ir::types::Type;
use crate::middle::memory::computed_by;

pub(crate) use kernel_ends::Boundaries;
pub use repeated::Repeated;
pub(crate) use repeated::repeated;

/// The number of dimensions of an OpenCL launch.
const DIMENSIONS: usize = 3;

/// So many applications of an `iterate` that keeps the type of its array have code each.
pub const FEW_APPLICATIONS: i128 = 4;

/// Lowers a program; see the module documentation.
pub fn lower(program: &Program) -> Program {
    match program.strategy {
        Strategy::Default => lower_by_default(program),
    }
}

fn lower_by_default(program: &Program) -> Program {
    let program = &chains::store_in_chains(&fusion::fuse(&rows::map_rows(&bindings::flatten(program))));
    let (staged, next_id) = stages::separate_stages(program);
    let open_ranks = &program.open_ranks;
    let mut lowering =
        Lowering { next_id, parallel_levels: parallel_levels(&staged, open_ranks), open_ranks };
    let body = lowering.produce(&staged, 0);
    if uses_hierarchy(&program.body) {
        return Program { body, next_id: lowering.next_id, ..program.clone() };
    }
    let body = lowering.kept_by_work_items(&body);
    let mut build = Builder { next_id: lowering.next_id };
    let body =
        turning::turn_rows(&body, &mut build, |build, array| stages::completed(&array, open_ranks, build));
    Program { body, next_id: build.next_id, ..program.clone() }
}

/// The number of nested maps of a result that become parallel: none where the result says itself who computes it.
fn parallel_levels(expr: &Expr, open_ranks: &BTreeSet<usize>) -> usize {
    if says_who_computes(expr) { 0 } else { producing_depth(expr, 0, open_ranks).min(DIMENSIONS) }
}

/// Whether the maps that produce a result say who computes them. Those that produce what it is made from are other kernels.
fn says_who_computes(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(kind, function, input) => {
            is_level(*kind)
                || uses_hierarchy(&function.body)
                || (rearranged(expr).is_some() && says_who_computes(input))
        }
        ExprKind::Reduce(_, function, _, _) | ExprKind::Scan(_, function, _, _) => {
            uses_hierarchy(&function.body)
        }
        ExprKind::Iterate(_, function, _) => says_who_computes(&function.body),
        _ => expr.parts_of_value().into_iter().any(says_who_computes),
    }
}

/// Whether a map is one of the thread hierarchy.
fn is_level(kind: MapKind) -> bool {
    match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) | MapKind::Local(_) => true,
        MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => false,
    }
}

/// Whether an expression says anywhere who computes a map.
pub fn uses_hierarchy(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Map(kind, _, _) if is_level(*kind));
    here || expr.children().into_iter().any(uses_hierarchy)
}

/// Whether more work-items than those of a group share the work of writing the elements of a value.
pub fn is_shared_work(expr: &Expr) -> bool {
    computed_by(expr, |kind| match kind {
        MapKind::Global(_) | MapKind::WorkGroup(_) => true,
        MapKind::Local(_)
        | MapKind::Unspecified
        | MapKind::Sequential
        | MapKind::Unrolled
        | MapKind::Sliding => false,
    })
}

/// Whether the work-items of the device share any of the work that an expression takes.
pub fn uses_device(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Map(kind, ..) if matches!(kind, MapKind::Global(_) | MapKind::WorkGroup(_)));
    here || expr.children().into_iter().any(uses_device)
}

/// Whether a value of this expression is written element by element, by maps inside it that are not delayed.
pub fn is_producer(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            function.inverse_layout().is_some() && is_producer(input)
        }
        ExprKind::Map(..) | ExprKind::Store(..) | ExprKind::Scan(..) => true,
        ExprKind::Layout(Layout::Scatter(function), input) => {
            !is_readable(function, input) || is_producer(input)
        }
        ExprKind::Iterate(count, function, input) => {
            stores_applications(count, function) || is_producer(input)
        }
        ExprKind::Reduce(..) => !expr.ty.is_element(),
        _ => expr.parts_of_value().into_iter().any(is_producer),
    }
}

/// Whether the arrays that an `iterate` makes are stored. A few layouts one after the other are one.
fn stores_applications(count: &Nat, function: &Lambda) -> bool {
    let are_few = count.as_constant().is_some_and(|count| count <= FEW_APPLICATIONS);
    !are_few || !kernel_ends::is_view(&function.body)
}

/// Whether whoever makes an element of this value has to write an array: the value is produced, or it is a delayed map whose
/// elements are, seen through layouts that can be written through.
pub fn makes_arrays(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => match function.inverse_layout() {
            Some(_) => makes_arrays(input),
            None => !function.body.ty.is_element() && makes_arrays(&function.body),
        },
        ExprKind::Layout(layout, input) if writes_through(layout, input) => makes_arrays(input),
        _ => is_producer(expr),
    }
}

/// Whether a scatter can be read through: its inverse is known. Otherwise it can only be written through.
pub fn is_readable(function: &IndexFunction, input: &Expr) -> bool {
    input.ty.as_array().is_some_and(|array| function.inverse(&array.length).is_some())
}

/// Whether a layout of this input can be applied to the destination instead of to the value.
pub fn writes_through(layout: &Layout, input: &Expr) -> bool {
    match layout {
        // Whoever writes an element must find the row it belongs to.
        Layout::Partition(rows) => rows.index.is_none() || rows.are_few(),
        _ => layout.inverse(&input.ty).is_some(),
    }
}

/// The array that an expression only rearranges, in a way that can be written through.
fn rearranged(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Layout(layout, input) if writes_through(layout, input) => Some(input),
        ExprKind::Map(MapKind::Unspecified, function, input) if function.inverse_layout().is_some() => {
            Some(input)
        }
        _ => None,
    }
}

/// The number of nested maps that produce the value of an expression; copies that lowering adds count too.
fn producing_depth(expr: &Expr, level: usize, open_ranks: &BTreeSet<usize>) -> usize {
    if let Some(input) =
        rearranged(expr).filter(|input| holds_map(input) || rows::scattered_rows(expr).is_some())
    {
        return producing_depth(input, level, open_ranks);
    }
    match &expr.kind {
        _ if moves_blocks(expr, open_ranks) => 1,
        ExprKind::Map(_, _, input) if level > 0 && stores(input) => 0,
        ExprKind::Let { bindings, .. } if level > 0 && bind_loops(bindings) => 0,
        ExprKind::Map(_, _, input) if stores_per_element(input) => 1,
        ExprKind::Map(_, function, _) => 1 + producing_depth(&function.body, level + 1, open_ranks),
        ExprKind::Let { body, .. } => producing_depth(body, level, open_ranks),
        ExprKind::Unzip(input) => producing_depth(input, level, open_ranks),
        ExprKind::Concat(parts) | ExprKind::Tuple(parts) => {
            parts.iter().map(|part| producing_depth(part, level, open_ranks)).max().unwrap_or(0)
        }
        // Inside a map, the one who has the element iterates alone: nobody else's results are needed.
        ExprKind::Iterate(_, function, _) if level == 0 => producing_depth(&function.body, level, open_ranks),
        ExprKind::Iterate(..) => 0,
        _ if is_producer(expr) || (level > 0 && stores(expr)) => 0,
        _ if stores_per_element(expr) => expr.ty.rank().min(1),
        // One array of all their elements; one block alone is for the work-item that has it.
        _ if is_made_of_blocks(&expr.ty, open_ranks) => expr.ty.rank() - 1,
        _ => expr.ty.rank(),
    }
}

/// Whether a dense array is a block of which a launch decides the length, or holds such blocks. They may be as short as one
/// element, and too few for the work-items of a dimension.
fn is_made_of_blocks(ty: &Type, open_ranks: &BTreeSet<usize>) -> bool {
    let Type::Scalar(ScalarType::Parameter(parameter)) = ty.innermost() else { return false };
    open_ranks.contains(&parameter.index) && ty.rank() > 0 && !ty.is_position_dependent()
}

/// Whether a map only says where the blocks come from that it puts into a row: they are copied element by element.
fn moves_blocks(expr: &Expr, open_ranks: &BTreeSet<usize>) -> bool {
    matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..))
        && expr.ty.rank() == 2
        && is_made_of_blocks(&expr.ty, open_ranks)
        && !takes_a_loop(expr)
}

/// Whether reading a value stores arrays on the way: whoever reads it makes them.
fn stores(expr: &Expr) -> bool {
    is_producer(expr) || expr.children().into_iter().any(stores)
}

/// Whether a value takes a loop to compute: work-items that share what depends on it would each repeat that loop.
pub(crate) fn takes_a_loop(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..))
        || is_producer(expr)
        || expr.children().into_iter().any(takes_a_loop)
}

/// Whether the value of one of these `let`s takes a loop to compute.
fn bind_loops(bindings: &[Binding]) -> bool {
    bindings.iter().any(|binding| takes_a_loop(&binding.value))
}

/// Whether reading an element stores arrays on the way: a delayed map makes them, and whoever reads the element does it.
fn stores_per_element(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map(_, function, input) => stores(&function.body) || stores_per_element(input),
        ExprKind::Generate(_, function) => stores(&function.body),
        _ => expr.children().into_iter().any(stores_per_element),
    }
}

/// Whether a map stands where its elements are the value's elements, under nothing but invertible layouts.
fn holds_map(expr: &Expr) -> bool {
    match &expr.kind {
        _ if rearranged(expr).is_some_and(holds_map) => true,
        ExprKind::Map(_, function, _) => function.inverse_layout().is_none(),
        ExprKind::Let { body, .. } => holds_map(body),
        ExprKind::Concat(parts) => parts.iter().any(holds_map),
        ExprKind::Iterate(_, function, _) => holds_map(&function.body),
        _ => is_producer(expr),
    }
}

struct Lowering<'p> {
    next_id: u32,
    parallel_levels: usize,
    open_ranks: &'p BTreeSet<usize>,
}

impl Lowering<'_> {
    /// Lowers an expression whose value is written; `level` producing maps stand around it.
    fn produce(&mut self, expr: &Expr, level: usize) -> Expr {
        if expr.ty.is_element() {
            return expr.clone();
        }
        if moves_blocks(expr, self.open_ranks) {
            return self.copy(expr, level);
        }
        let must_write = is_producer(expr);
        let through = rearranged(expr)
            .filter(|input| must_write || holds_map(input) || rows::scattered_rows(expr).is_some());
        let kind = match (&expr.kind, through) {
            (ExprKind::Layout(layout, _), Some(input)) => {
                ExprKind::Layout(layout.clone(), Box::new(self.produce(input, level)))
            }
            (ExprKind::Map(kind, function, _), Some(input)) => {
                ExprKind::Map(*kind, function.clone(), Box::new(self.produce(input, level)))
            }
            (ExprKind::Map(kind, function, input), None) if level == 0 || !stores(input) => {
                let body = if stores_per_element(input) {
                    self.sequentially(|lowering| lowering.produce(&function.body, level + 1))
                } else {
                    self.produce(&function.body, level + 1)
                };
                let kind = if *kind == MapKind::Unspecified { self.kind_of_level(level) } else { *kind };
                let function = Lambda { body: Box::new(body), ..function.clone() };
                ExprKind::Map(kind, function, input.clone())
            }
            (ExprKind::Map(kind, function, input), None) => {
                let produced = |lowering: &mut Self| lowering.produce(&function.body, level + 1);
                let body = Box::new(self.sequentially(produced));
                let kind = if *kind == MapKind::Unspecified { MapKind::Sequential } else { *kind };
                ExprKind::Map(kind, Lambda { body, ..function.clone() }, input.clone())
            }
            (ExprKind::Let { bindings, body }, _) => {
                let body = if level > 0 && bind_loops(bindings) {
                    self.sequentially(|lowering| lowering.produce(body, level))
                } else {
                    self.produce(body, level)
                };
                ExprKind::bound(bindings.clone(), body)
            }
            (ExprKind::Unzip(input), _) => ExprKind::Unzip(Box::new(self.produce(input, level))),
            (ExprKind::Tuple(parts), _) => {
                ExprKind::Tuple(parts.iter().map(|part| self.produce_part(part, level)).collect())
            }
            (ExprKind::Concat(parts), _) => {
                ExprKind::Concat(parts.iter().map(|part| self.produce(part, level)).collect())
            }
            (ExprKind::Iterate(count, function, input), _) => {
                let body = if level > 0 {
                    self.sequentially(|lowering| lowering.produce(&function.body, level))
                } else {
                    self.produce(&function.body, level)
                };
                let body = Box::new(body);
                ExprKind::Iterate(count.clone(), Lambda { body, ..function.clone() }, input.clone())
            }
            (ExprKind::Store(space, value), _) => {
                ExprKind::Store(*space, Box::new(self.produce(value, level)))
            }
            _ if is_producer(expr) => return expr.clone(),
            _ if level > 0 && stores(expr) => {
                return self.sequentially(|lowering| lowering.copy(expr, level));
            }
            _ => return self.copy(expr, level),
        };
        Expr { kind, ..expr.clone() }
    }

    /// Lowers a component of a tuple. Those of a program's result are computed one after the other, each with as many
    /// parallel levels as it has maps.
    fn produce_part(&mut self, part: &Expr, level: usize) -> Expr {
        let levels = self.parallel_levels;
        if level == 0 {
            self.parallel_levels = parallel_levels(part, self.open_ranks);
        }
        let lowered = self.produce(part, level);
        self.parallel_levels = levels;
        lowered
    }

    /// Arrays that functions keep for themselves (`Store(None, …)`) are written by the work-item that applies the function.
    fn kept_by_work_items(&mut self, expr: &Expr) -> Expr {
        let inner = expr.with_children(&mut |child| self.kept_by_work_items(child));
        match inner.kind {
            ExprKind::Store(None, value) => self.sequentially(|lowering| lowering.produce(&value, 1)),
            _ => inner,
        }
    }

    /// Wraps a value that is only a view in maps that copy its elements.
    fn copy(&mut self, expr: &Expr, level: usize) -> Expr {
        let Type::Array(array) = &expr.ty else { return expr.clone() };
        if let Type::Array(block) = &array.element
            && expr.ty.rank() == 2
            && is_made_of_blocks(&expr.ty, self.open_ranks)
        {
            return self.copy_blocks(expr, &block.length, level);
        }
        let variable = Variable { id: self.fresh(), name: "element".into() };
        let index = array.index.clone();
        let element = Expr {
            id: NodeId(self.fresh()),
            ty: array.element.clone(),
            source: expr.source,
            kind: ExprKind::Variable(variable.clone()),
        };
        let parameters = vec![(variable, array.element.clone())];
        let body = if stores_per_element(expr) {
            self.sequentially(|lowering| lowering.copy(&element, level + 1))
        } else {
            self.copy(&element, level + 1)
        };
        let body = Box::new(body);
        let function = Lambda { parameters, index, body };
        Expr {
            id: NodeId(self.fresh()),
            ty: expr.ty.clone(),
            source: expr.source,
            kind: ExprKind::Map(self.kind_of_level(level), function, Box::new(expr.clone())),
        }
    }

    /// Copies the elements of an array of blocks one after the other, as those of one array.
    fn copy_blocks(&mut self, blocks: &Expr, length: &Nat, level: usize) -> Expr {
        let scalar = blocks.ty.innermost().clone();
        let all = Type::array(scalar, blocks.ty.element_count());
        let join = ExprKind::Layout(Layout::Join, Box::new(blocks.clone()));
        let joined = Expr { id: NodeId(self.fresh()), ty: all, source: blocks.source, kind: join };
        let copied = self.copy(&joined, level);
        let split = Layout::Split { chunk: length.clone() };
        let kind = ExprKind::Layout(split, Box::new(copied));
        Expr { id: NodeId(self.fresh()), kind, ..blocks.clone() }
    }

    /// Lowers something that one work-item does alone, because it depends on an array that this work-item makes.
    fn sequentially(&mut self, lower: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let levels = std::mem::take(&mut self.parallel_levels);
        let lowered = lower(self);
        self.parallel_levels = levels;
        lowered
    }

    fn kind_of_level(&self, level: usize) -> MapKind {
        let innermost = self.parallel_levels.checked_sub(level + 1);
        match innermost.and_then(|dimension| u8::try_from(dimension).ok()) {
            Some(dimension) => MapKind::Global(dimension),
            None => MapKind::Sequential,
        }
    }

    fn fresh(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}
