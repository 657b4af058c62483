//! Decides who computes the elements of a value: high-level maps get a level of the thread hierarchy or
//! become sequential.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::build::Builder;
use super::hierarchy::says_who_computes;
use super::producers::{holds_map, is_producer, rearranged, stores, stores_per_element, takes_a_loop};
use super::rows;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Lambda, Layout, MapKind, NodeId, Variable};
use crate::ir::types::Type;

/// The number of dimensions of an OpenCL launch.
const DIMENSIONS: usize = 3;

/// An array that kernels of its own write.
pub(super) fn completed(inner: &Rc<Expr>, open_ranks: &BTreeSet<usize>, build: &mut Builder) -> Rc<Expr> {
    let produced = produced(inner, open_ranks, build);
    build.stored(AddressSpace::Global, produced)
}

/// An expression whose value is written, lowered: every producer says who computes its elements.
pub(super) fn produced(expr: &Rc<Expr>, open_ranks: &BTreeSet<usize>, build: &mut Builder) -> Rc<Expr> {
    let mut lowering = Lowering::new(expr, open_ranks, build.next_id);
    let produced = lowering.produce(expr, 0);
    build.next_id = lowering.next_id;
    produced
}

/// The number of nested maps of a result that become parallel: none if the result uses the hierarchy itself.
fn parallel_levels(expr: &Expr, open_ranks: &BTreeSet<usize>) -> usize {
    if says_who_computes(expr) { 0 } else { producing_depth(expr, 0, open_ranks).min(DIMENSIONS) }
}

/// The number of nested maps that produce the value of an expression, including copies that lowering adds.
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
        // Inside a map, the work-item of the element iterates alone, because it needs no results of others.
        ExprKind::Iterate(_, function, _) if level == 0 => producing_depth(&function.body, level, open_ranks),
        ExprKind::Iterate(..) => 0,
        _ if is_producer(expr) || (level > 0 && stores(expr)) => 0,
        _ if stores_per_element(expr) => expr.ty.rank().min(1),
        // The elements of all blocks are copied as one array; a single block belongs to one work-item.
        _ if is_made_of_blocks(&expr.ty, open_ranks) => expr.ty.rank() - 1,
        _ => expr.ty.rank(),
    }
}

/// Whether a dense array consists of blocks whose length only a launch knows (see
/// [`open_ranks`](crate::ir::typed::Program::open_ranks)). A block may be as short as one element, too short
/// for a dimension of work-items.
fn is_made_of_blocks(ty: &Type, open_ranks: &BTreeSet<usize>) -> bool {
    let Type::Scalar(ScalarType::Parameter(parameter)) = ty.innermost() else { return false };
    open_ranks.contains(&parameter.index) && ty.rank() > 0 && !ty.is_position_dependent()
}

/// Whether a map only rearranges blocks, which are then copied element by element.
fn moves_blocks(expr: &Expr, open_ranks: &BTreeSet<usize>) -> bool {
    matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..))
        && expr.ty.rank() == 2
        && is_made_of_blocks(&expr.ty, open_ranks)
        && !takes_a_loop(expr)
}

/// Whether the value of one of these `let`s takes a loop to compute.
fn bind_loops(bindings: &[Binding]) -> bool {
    bindings.iter().any(|binding| takes_a_loop(&binding.value))
}

pub(super) struct Lowering<'p> {
    pub(super) next_id: u32,
    parallel_levels: usize,
    open_ranks: &'p BTreeSet<usize>,
}

impl<'p> Lowering<'p> {
    /// The lowering of a value that is written, with as many levels of the hierarchy as there are maps that
    /// produce it.
    pub(super) fn new(expr: &Expr, open_ranks: &'p BTreeSet<usize>, next_id: u32) -> Lowering<'p> {
        Lowering { next_id, parallel_levels: parallel_levels(expr, open_ranks), open_ranks }
    }

    /// Lowers an expression whose value is written; `level` producing maps stand around it.
    pub(super) fn produce(&mut self, expr: &Rc<Expr>, level: usize) -> Rc<Expr> {
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
                ExprKind::Layout(layout.clone(), self.produce(input, level))
            }
            (ExprKind::Map(kind, function, _), Some(input)) => {
                ExprKind::Map(*kind, function.clone(), self.produce(input, level))
            }
            (ExprKind::Map(kind, function, input), None) if level == 0 || !stores(input) => {
                let body = if stores_per_element(input) {
                    self.sequentially(|lowering| lowering.produce(&function.body, level + 1))
                } else {
                    self.produce(&function.body, level + 1)
                };
                let kind = if *kind == MapKind::Unspecified { self.kind_of_level(level) } else { *kind };
                let function = Lambda { body, ..function.clone() };
                ExprKind::Map(kind, function, input.clone())
            }
            (ExprKind::Map(kind, function, input), None) => {
                let produced = |lowering: &mut Self| lowering.produce(&function.body, level + 1);
                let body = self.sequentially(produced);
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
            (ExprKind::Unzip(input), _) => ExprKind::Unzip(self.produce(input, level)),
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
                ExprKind::Iterate(count.clone(), Lambda { body, ..function.clone() }, input.clone())
            }
            (ExprKind::Store(space, value), _) => ExprKind::Store(*space, self.produce(value, level)),
            _ if is_producer(expr) => return expr.clone(),
            _ if level > 0 && stores(expr) => {
                return self.sequentially(|lowering| lowering.copy(expr, level));
            }
            _ => return self.copy(expr, level),
        };
        expr.with_kind(kind)
    }

    /// Lowers a component of a tuple. The components of a program's result are computed one after the other,
    /// each with as many parallel levels as it has maps.
    fn produce_part(&mut self, part: &Rc<Expr>, level: usize) -> Rc<Expr> {
        let levels = self.parallel_levels;
        if level == 0 {
            self.parallel_levels = parallel_levels(part, self.open_ranks);
        }
        let lowered = self.produce(part, level);
        self.parallel_levels = levels;
        lowered
    }

    /// Lowers kept arrays (`Store(None, …)`): the work-item that enters their home writes them.
    pub(super) fn kept_by_work_items(&mut self, expr: &Rc<Expr>) -> Rc<Expr> {
        let inner = expr.with_children(&mut |child| self.kept_by_work_items(child));
        match &inner.kind {
            ExprKind::Store(None, value) => self.sequentially(|lowering| lowering.produce(value, 1)),
            _ => inner,
        }
    }

    /// Wraps a value that is only a view in maps that copy its elements.
    fn copy(&mut self, expr: &Rc<Expr>, level: usize) -> Rc<Expr> {
        let Type::Array(array) = &expr.ty else { return expr.clone() };
        if let Type::Array(block) = &array.element
            && expr.ty.rank() == 2
            && is_made_of_blocks(&expr.ty, self.open_ranks)
        {
            return self.copy_blocks(expr, &block.length, level);
        }
        let variable = Variable { id: self.fresh(), name: "element".into() };
        let index = array.index.clone();
        let read = ExprKind::Variable(variable.clone());
        let element = self.node(read, array.element.clone(), expr.source);
        let parameters = vec![(variable, array.element.clone())];
        let body = if stores_per_element(expr) {
            self.sequentially(|lowering| lowering.copy(&element, level + 1))
        } else {
            self.copy(&element, level + 1)
        };
        let function = Lambda { parameters, index, body };
        let map = ExprKind::Map(self.kind_of_level(level), function, expr.clone());
        self.node(map, expr.ty.clone(), expr.source)
    }

    /// Copies an array of blocks as one array of all their elements.
    fn copy_blocks(&mut self, blocks: &Rc<Expr>, length: &Nat, level: usize) -> Rc<Expr> {
        let scalar = blocks.ty.innermost().clone();
        let all = Type::array(scalar, blocks.ty.element_count());
        let join = ExprKind::Layout(Layout::Join, blocks.clone());
        let joined = self.node(join, all, blocks.source);
        let copied = self.copy(&joined, level);
        let split = Layout::Split { chunk: length.clone() };
        let kind = ExprKind::Layout(split, copied);
        self.node(kind, blocks.ty.clone(), blocks.source)
    }

    /// Lowers something that one work-item does alone, because it depends on an array of that work-item.
    fn sequentially(&mut self, lower: impl FnOnce(&mut Self) -> Rc<Expr>) -> Rc<Expr> {
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

    fn node(&mut self, kind: ExprKind, ty: Type, source: Source) -> Rc<Expr> {
        Rc::new(Expr { id: NodeId(self.fresh()), ty, source, kind })
    }

    fn fresh(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}
