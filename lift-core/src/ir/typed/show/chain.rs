//! Chains: data, and what is applied to it, `a >> pad(1, 1, clamp) >> slide(3, 1)`.
//!
//! A stage of a chain is a primitive without its data. Inference binds the values among its other arguments
//! before it looks at the data, by a `let` unless they are atomic or constants. So a primitive with any other
//! value is written as a call with all its arguments.

use std::sync::Arc;

use super::document::{Document, all, around, group, indented, list, text};
use super::expression::{Printer, Result, Shown};
use super::strength::Strength;
use super::words::{map_name, scan_name, store_name};
use crate::ir::nat::Nat;
use crate::ir::primitive::Primitive;
use crate::ir::typed::binders::{bound_before, is_atomic, mentions, parted};
use crate::ir::typed::shapes::{Argument, Composition, composition};
use crate::ir::typed::{
    Boundary, Expr, ExprKind, IndexFunction, IndexFunctionKind, Lambda, Layout, MapKind, Position, ScanKind,
};

impl Printer {
    /// Data with what is applied to it; `None` for an expression that applies nothing.
    pub(super) fn chain(&mut self, expr: &Expr) -> Result<Option<Shown>> {
        let (mut stages, data) = self.stages(expr)?;
        let Some(last) = stages.last() else { return Ok(None) };
        let is_single = stages.len() == 1;
        if let (1, Document::Text(name)) = (stages.len(), last) {
            let call = list(&format!("{name}("), vec![self.head(data)?.document], ")");
            return Ok(Some(Shown::operand(call)));
        }
        if let (1, ExprKind::At(Position::Size(position), _)) = (stages.len(), &expr.kind) {
            let position = text(self.names.size_text(position)?);
            let call = list("at(", vec![position, self.head(data)?.document], ")");
            return Ok(Some(Shown::operand(call)));
        }
        let head = self.head(data)?.at_least(Strength::Operand);
        if let Some(stage) = stages.pop_if(|_| is_single) {
            return Ok(Some(Shown { document: all([head, text(" >> "), stage]), strength: Strength::Pipe }));
        }
        let mut parts = vec![head];
        parts.push(indented(stages.into_iter().map(|stage| all([Document::Space, text(">> "), stage]))));
        Ok(Some(Shown { document: group(parts), strength: Strength::Pipe }))
    }

    /// The stages of an expression, from the first to the last, and the data that they are applied to.
    pub(super) fn stages<'e>(&mut self, expr: &'e Expr) -> Result<(Vec<Document>, &'e Expr)> {
        let (mut stages, mut data) = (Vec::new(), expr);
        while let Some(input) = input_of_stage(data) {
            stages.push(self.stage(data)?);
            data = input;
        }
        stages.reverse();
        Ok((stages, data))
    }

    /// A stage without its data.
    fn stage(&mut self, expr: &Expr) -> Result<Document> {
        if let Some(composition) = folded(expr) {
            return self.composition(&composition);
        }
        Ok(match &expr.kind {
            ExprKind::Map(MapKind::Sliding, function, input) => {
                let mut arguments = vec![self.function(function, &["x"])?];
                if let ExprKind::Layout(Layout::Slide { size, step }, _) = &input.kind {
                    arguments.extend(self.sizes([size, step])?);
                }
                list("mapSeqSlide(", arguments, ")")
            }
            ExprKind::Map(kind, function, _) => {
                let function = self.function(function, &["x"])?;
                around(&map_name(*kind), vec![function])
            }
            ExprKind::Reduce(kind, function, initial, _) => {
                let arguments =
                    vec![self.function(function, &["acc", "x"])?, self.fitting(initial)?.document];
                list(&format!("{}(", kind.name()), arguments, ")")
            }
            ExprKind::Scan(kind, function, initial, _) => {
                let mut arguments = vec![self.function(function, &["acc", "x"])?];
                if *kind != ScanKind::Inclusive {
                    arguments.push(self.fitting(initial)?.document);
                }
                list(&format!("{}(", scan_name(*kind)), arguments, ")")
            }
            ExprKind::Iterate(count, function, _)
                if let Some((condition, value)) = condition_and_value(&function.body) =>
            {
                let part = |body: Arc<Expr>| Lambda { index: None, body, ..function.clone() };
                let goes_on = self.function(&part(condition), &["z"])?;
                let next = self.function(&part(value), &["z"])?;
                let count = text(self.names.size_text(count)?);
                list("iterateWhile(", vec![count, goes_on, next], ")")
            }
            ExprKind::Iterate(count, function, _) => {
                let function = self.iterated(count, function)?;
                let count = text(self.names.size_text(count)?);
                around("iterate", vec![count, function])
            }
            ExprKind::Layout(layout, _) => self.layout(layout)?,
            ExprKind::PadConstant { left, right, value, .. } => {
                let mut arguments = self.sizes([left, right])?;
                arguments.push(self.fitting(value)?.document);
                list("padConstant(", arguments, ")")
            }
            ExprKind::Store(None, _) => text("store"),
            ExprKind::Store(Some(space), value) => {
                let function = match stores_map(value) {
                    true => self.stage(value)?,
                    false => text("id"),
                };
                around(store_name(*space), vec![function])
            }
            ExprKind::At(Position::Size(position), _) => list("at(", self.sizes([position])?, ")"),
            ExprKind::Unzip(_) => text("unzip"),
            ExprKind::Builtin(builtin, _) => text(builtin.name()),
            ExprKind::Function(function, _) => text(self.names.function(*function)),
            _ => text("id"),
        })
    }

    fn sizes<const N: usize>(&mut self, sizes: [&Nat; N]) -> Result<Vec<Document>> {
        sizes.into_iter().map(|size| self.names.size_text(size).map(text)).collect()
    }

    /// A derived primitive with its arguments, without its data.
    fn composition(&mut self, composition: &Composition<'_>) -> Result<Document> {
        let name = composition.primitive.row().map_or("", |row| row.name);
        let mut arguments = Vec::new();
        for argument in &composition.arguments {
            arguments.push(match argument {
                Argument::Size(size) => text(self.names.size_text(size)?),
                Argument::Boundary(boundary) => self.boundary(boundary)?,
                Argument::Value(value) => self.fitting(value)?.document,
                Argument::Function(function) => {
                    let function = self.function(function, &["x"])?;
                    return Ok(around(name, vec![function]));
                }
            });
        }
        Ok(match arguments.is_empty() {
            true => text(name),
            false => list(&format!("{name}("), arguments, ")"),
        })
    }

    /// `dotProduct(a, b)`, `zip2(a, b, …)`: derived primitives of several arrays.
    pub(super) fn composition_of_several(&mut self, expr: &Expr) -> Result<Option<Document>> {
        let Some(composition) = folded(expr) else { return Ok(None) };
        let mut arguments = Vec::new();
        for argument in &composition.arguments {
            if let Argument::Value(value) = argument {
                arguments.push(self.document(value)?);
            }
        }
        for data in &composition.data {
            arguments.push(self.document(data)?);
        }
        let name = composition.primitive.row().map_or("", |row| row.name);
        Ok(Some(list(&format!("{name}("), arguments, ")")))
    }

    /// A layout. A new one is written here.
    fn layout(&mut self, layout: &Layout) -> Result<Document> {
        let (name, arguments) = match layout {
            Layout::Split { chunk } => ("split", self.sizes([chunk])?),
            Layout::Partition(rows) if let Some(chunk) = rows.all_chunks() => {
                ("chunks", self.sizes([&chunk])?)
            }
            Layout::Partition(rows) => {
                let count = text(self.names.size_text(&rows.count)?);
                let mark = self.names.mark();
                let name = match &rows.index {
                    Some(index) => self.names.add_position(index, &rows.length)?,
                    None => "_".to_owned(),
                };
                let length = self.names.size_text(&rows.length)?;
                self.names.leave(&mark);
                ("partition", vec![count, text(format!("|{name}| {length}"))])
            }
            Layout::Join => return Ok(text("join")),
            Layout::Transpose => return Ok(text("transpose")),
            Layout::Deinterleave { rows } => ("deinterleave", self.sizes([rows])?),
            Layout::Interleave => return Ok(text("interleave")),
            Layout::AsVector { width } => ("asVector", vec![text(width.to_string())]),
            Layout::AsScalar => return Ok(text("asScalar")),
            Layout::Gather(function) => ("gather", vec![self.index_function(function)?]),
            Layout::Scatter(function) => ("scatter", vec![self.index_function(function)?]),
            Layout::Slice { start, length } => ("slice", self.sizes([start, length])?),
            Layout::Increase { left, right } => ("increase", self.sizes([left, right])?),
            Layout::Slide { size, step } => ("slide", self.sizes([size, step])?),
            Layout::Pad { left, right, boundary } => {
                let mut arguments = self.sizes([left, right])?;
                arguments.push(self.boundary(boundary)?);
                ("pad", arguments)
            }
        };
        Ok(list(&format!("{name}("), arguments, ")"))
    }

    fn index_function(&mut self, function: &IndexFunction) -> Result<Document> {
        Ok(text(match &function.kind {
            IndexFunctionKind::Reverse => "reverse".to_owned(),
            IndexFunctionKind::Stride(step) => format!("stride({})", self.names.size_text(step)?),
            IndexFunctionKind::Rotate(distance) => format!("rotate({})", self.names.size_text(distance)?),
            IndexFunctionKind::Custom => self.positions(function, "")?,
        }))
    }

    fn boundary(&mut self, boundary: &Boundary) -> Result<Document> {
        Ok(text(match boundary {
            Boundary::Clamp => "clamp".to_owned(),
            Boundary::Mirror => "mirror".to_owned(),
            Boundary::Wrap => "wrap".to_owned(),
            // The length, which is the second parameter, is written out.
            Boundary::Custom(function) => self.positions(function, ", _")?,
        }))
    }

    fn positions(&mut self, function: &IndexFunction, more: &str) -> Result<String> {
        let mark = self.names.mark();
        let name = self.names.add_position(&function.index, &function.body)?;
        let body = self.names.size_text(&function.body)?;
        self.names.leave(&mark);
        Ok(format!("|{name}{more}| {body}"))
    }
}

/// The derived primitive that an expression is written as. Names that the user gave to what its definition
/// binds are kept, and the definition with them; values among its arguments would be bound unless they are
/// atomic.
pub(super) fn folded(expr: &Expr) -> Option<Composition<'_>> {
    let composition = composition(expr)?;
    let has_own_name = |name: &str| !matches!(name, "x" | "acc");
    if composition.binders.iter().any(|binder| has_own_name(&binder.name)) {
        return None;
    }
    let is_atom = |argument: &Argument<'_>| match argument {
        Argument::Value(value) => is_atomic(scalar_of(value)),
        Argument::Size(_) | Argument::Boundary(_) | Argument::Function(_) => true,
    };
    // `dotProduct` is a function of the language, which binds its data as well.
    let binds_data = composition.primitive == Primitive::DotProduct;
    let are_atoms = composition.arguments.iter().all(is_atom)
        && (!binds_data || composition.data.iter().all(|data| is_atomic(data)));
    are_atoms.then_some(composition)
}

fn has_several(composition: &Composition<'_>) -> bool {
    matches!(composition.primitive, Primitive::DotProduct | Primitive::ZipNested(_))
}

/// The data of an expression that can be a stage of a chain.
fn input_of_stage(expr: &Expr) -> Option<&Arc<Expr>> {
    if let Some(composition) = folded(expr) {
        return if has_several(&composition) { None } else { composition.data.first().copied() };
    }
    match &expr.kind {
        ExprKind::Map(MapKind::Sliding, _, windows) => match &windows.kind {
            ExprKind::Layout(Layout::Slide { .. }, input) => Some(input),
            _ => None,
        },
        ExprKind::Map(_, _, input)
        | ExprKind::Layout(_, input)
        | ExprKind::Iterate(_, _, input)
        | ExprKind::Unzip(input)
        | ExprKind::Store(None, input)
        | ExprKind::Scan(ScanKind::Inclusive, _, _, input)
        | ExprKind::At(Position::Size(_), input) => Some(input),
        ExprKind::Store(Some(_), value) => match stores_map(value) {
            true => input_of_stage(value),
            false => Some(value),
        },
        ExprKind::Reduce(_, _, value, input)
        | ExprKind::Scan(_, _, value, input)
        | ExprKind::PadConstant { value, input, .. } => is_given_early(value).then_some(input),
        ExprKind::Builtin(_, arguments) | ExprKind::Function(_, arguments) => match arguments.as_slice() {
            // `x >> sqrt` is written only at the end of a longer chain.
            [input] => input_of_stage(input).map(|_| input),
            _ => None,
        },
        _ => None,
    }
}

/// Whether what is stored in a memory is written as a map into it: `toLocal(mapLcl0(id))`.
fn stores_map(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Map(..)) && input_of_stage(value).is_some()
}

/// Whether a value may be given before the data: inference does not bind it.
fn is_given_early(value: &Expr) -> bool {
    is_atomic(scalar_of(value)) || is_constant(value)
}

fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary(_, operand) | ExprKind::Broadcast(operand) => is_constant(operand),
        ExprKind::Tuple(parts) | ExprKind::ArrayLiteral(parts) => parts.iter().all(|part| is_constant(part)),
        _ => false,
    }
}

/// The scalar that fills a vector; any other value is itself.
fn scalar_of(value: &Expr) -> &Expr {
    match &value.kind {
        ExprKind::Broadcast(scalar) => scalar,
        _ => value,
    }
}

/// What `iterateWhile` takes: the condition and the next value, each with what is computed before it for it
/// alone.
fn condition_and_value(body: &Arc<Expr>) -> Option<(Arc<Expr>, Arc<Expr>)> {
    let (bindings, end) = match &body.kind {
        ExprKind::Let { bindings, body } => (bindings.as_slice(), body),
        _ => ([].as_slice(), body),
    };
    let ExprKind::EndUnless(condition, value) = &end.kind else { return None };
    let (of_condition, of_value) = parted(bindings, condition);
    let value = bound_before(of_value, value);
    let is_shared = of_condition.iter().any(|binding| mentions(&value, &binding.variable));
    (!is_shared).then(|| (bound_before(of_condition, condition), value))
}
