//! Takes tuples apart at the boundary of a program.
//!
//! Input: a typed program as the user wrote it. Output: the same program in which every parameter is a
//! scalar, a size or an array of scalars, and every tuple in the result is an explicit tuple. So memory never
//! holds tuples: an array of tuples crosses the boundary as one array for each component (structure of
//! arrays), so that neighbouring work-items read neighbouring elements. Inside of the program, parameters are
//! put together again:
//! - `p: (A, B)` becomes `p.0: A` and `p.1: B`, with `let p = (p.0, p.1)` around the body;
//! - `p: [(A, B); n]` becomes `p.0: [A; n]` and `p.1: [B; n]`, with `let p = zip(p.0, p.1)`;
//! - deeper arrays are zipped inside `map`s, tuples in tuples component by component.
//!
//! The order of the components is that of a depth-first walk from the left: [`components`].

use std::sync::Arc;

use crate::ir::source::Source;
use crate::ir::typed::{
    Binding, Expr, ExprKind, Lambda, MapKind, NodeId, Parameter, ParameterType, Program, Variable,
};
use crate::ir::types::{ArrayType, Type};

/// The types of the components of a value; the type itself if it contains no tuple.
pub fn components(ty: &Type) -> Vec<Type> {
    match ty.innermost() {
        Type::Tuple(parts) => {
            (0..parts.len()).flat_map(|position| components(&ty.component(position))).collect()
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => vec![ty.clone()],
    }
}

/// The same program without tuples at its boundary; see the module documentation.
pub fn take_apart(program: &Program) -> Program {
    let mut builder = Builder { next_id: program.next_id, parameters: Vec::new() };
    let mut body = builder.result(program.body.clone());
    for parameter in &program.parameters {
        match &parameter.ty {
            ParameterType::Value(ty) if matches!(ty.innermost(), Type::Tuple(_)) => {
                let value = builder.whole(ty, &parameter.variable.name, parameter.source);
                body = builder.bind(parameter.variable.clone(), value, body);
            }
            ParameterType::Value(_) | ParameterType::Size(_) => builder.parameters.push(parameter.clone()),
        }
    }
    let Builder { next_id, parameters } = builder;
    Program { parameters, body, next_id, ..program.clone() }
}

struct Builder {
    next_id: u32,
    /// The parameters of the new program.
    parameters: Vec<Parameter>,
}

impl Builder {
    fn fresh(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn node(&mut self, kind: ExprKind, ty: Type, source: Source) -> Arc<Expr> {
        Arc::new(Expr { id: NodeId(self.fresh()), ty, source, kind })
    }

    fn bind(&mut self, variable: Variable, value: Arc<Expr>, body: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (body.ty.clone(), body.source);
        self.node(ExprKind::bound(vec![Binding { variable, value }], body), ty, source)
    }

    /// The value of a parameter, put together from new parameters for its components.
    fn whole(&mut self, ty: &Type, name: &str, source: Source) -> Arc<Expr> {
        let Type::Tuple(parts) = ty.innermost() else {
            let variable = Variable { id: self.fresh(), name: name.into() };
            let parameter =
                Parameter { variable: variable.clone(), ty: ParameterType::Value(ty.clone()), source };
            self.parameters.push(parameter);
            return self.node(ExprKind::Variable(variable), ty.clone(), source);
        };
        let parts = (0..parts.len())
            .map(|position| self.whole(&ty.component(position), &format!("{name}.{position}"), source))
            .collect();
        self.zipped(ty, parts, source)
    }

    /// Puts a value of a type together from its components.
    fn zipped(&mut self, ty: &Type, parts: Vec<Arc<Expr>>, source: Source) -> Arc<Expr> {
        let Type::Array(array) = ty else {
            return self.node(ExprKind::Tuple(parts), ty.clone(), source);
        };
        let rows = parts.iter().map(|part| element_of(&part.ty)).collect();
        let beside = Type::Array(Arc::new(ArrayType { element: Type::Tuple(rows), ..(**array).clone() }));
        let zip = self.node(ExprKind::Zip(parts), beside.clone(), source);
        if let Type::Tuple(_) = array.element {
            return zip;
        }
        let row = Variable { id: self.fresh(), name: "row".into() };
        let row_ty = element_of(&beside);
        let parts = self.parts(&row, &row_ty, source);
        let body = self.zipped(&array.element, parts, source);
        let function = Lambda { parameters: vec![(row, row_ty)], index: array.index.clone(), body };
        let map = ExprKind::Map(MapKind::Unspecified, function, zip);
        self.node(map, ty.clone(), source)
    }

    /// The components of a variable that is a tuple.
    fn parts(&mut self, variable: &Variable, ty: &Type, source: Source) -> Vec<Arc<Expr>> {
        let Type::Tuple(parts) = ty else { return Vec::new() };
        let mut components = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            let tuple = self.node(ExprKind::Variable(variable.clone()), ty.clone(), source);
            components.push(self.node(ExprKind::Component(tuple, position), part.clone(), source));
        }
        components
    }

    /// The result of the program, in which every tuple that contains an array is an explicit tuple or an
    /// `unzip`.
    fn result(&mut self, body: Arc<Expr>) -> Arc<Expr> {
        if body.ty.is_element() || !matches!(body.ty, Type::Tuple(_)) {
            return body;
        }
        let kind = match &body.kind {
            // One map computes all components.
            ExprKind::Unzip(_) => return body,
            ExprKind::Tuple(parts) => {
                ExprKind::Tuple(parts.iter().map(|part| self.result(part.clone())).collect())
            }
            ExprKind::Let { bindings, body } => ExprKind::bound(bindings.clone(), self.result(body.clone())),
            _ => {
                let (ty, source) = (body.ty.clone(), body.source);
                let variable = Variable { id: self.fresh(), name: "parts".into() };
                let parts = self.parts(&variable, &ty, source);
                let parts = parts.into_iter().map(|part| self.result(part)).collect();
                let tuple = self.node(ExprKind::Tuple(parts), ty, source);
                return self.bind(variable, body, tuple);
            }
        };
        body.with_kind(kind)
    }
}

/// The type of the elements of an array.
fn element_of(ty: &Type) -> Type {
    ty.as_array().map_or_else(|| ty.clone(), |array| array.element.clone())
}
