//! User functions as ordinary Rust functions.
//!
//! They have the same meaning as in a kernel: operators, casts and built-in functions are those of
//! `lift_runtime::number`, which kernels on the host call, too. Nothing in them can panic. A vector is an
//! array of Rust, whose components are computed one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::Item;
use lift_core::ir::primitive::builtin::{Builtin, Native};
use lift_core::ir::scalar::{BinaryOperator, Literal as Value, ScalarClass, ScalarType, UnaryOperator};
use lift_core::ir::source::Source;
use lift_core::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, ReduceKind, Variable};
use lift_core::ir::types::Type;
use lift_parser::RustItem;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::context::{Context, Result};
use crate::element_type::{class_trait, open_type, rust_scalar, rust_vector};
use crate::{index, unused};

/// A function item of Rust with the same name, parameters and meaning.
pub(crate) fn emit(
    context: &Context,
    function: &Function,
    functions: &[Function],
    item: &Item,
    rust: &RustItem,
) -> Result<TokenStream> {
    let RustItem { visibility, attributes, name, parameters, .. } = rust;
    let mut printer = Printer { context, functions, names: BTreeMap::new() };
    let mut arguments = Vec::new();
    for ((variable, ty), token) in function.parameters.iter().zip(parameters) {
        let mut mention = token.clone();
        mention.set_span(Span::call_site().resolved_at(token.span()));
        printer.names.insert(variable.clone(), mention);
        let ty = printer.ty(ty, function.body.source)?;
        arguments.push(quote!(#token: #ty));
    }
    let generics = generics(context, function);
    let result = printer.ty(&function.body.ty, function.body.source)?;
    let body = printer.expr(&function.body)?;
    // Whatever the item mentions counts as used, even if nothing is computed with it.
    let mentioned = unused::mentioned_in(item);
    let used = function.parameters.iter().filter(|(variable, _)| mentioned.contains(&*variable.name));
    let used = used.filter_map(|(variable, _)| printer.names.get(variable));
    let used = quote!(#(let _ = #used;)*);
    let unused = unused::in_item(item, &context.sources);
    Ok(quote! {
        #(#attributes)*
        #[allow(unused_parens, clippy::all, reason = "written from a tree and not by a person")]
        #visibility fn #name<#(#generics),*>(#(#arguments),*) -> #result {
            #used
            #unused
            #body
        }
    })
}

/// The element types that the arguments decide, each with its bound.
fn generics(context: &Context, function: &Function) -> Vec<TokenStream> {
    let lift = &context.lift;
    let mut types = BTreeMap::new();
    function.parameters.iter().for_each(|(_, ty)| collect_types(ty, &mut types));
    let bounded = types.into_iter().map(|(index, class)| {
        let (name, bound) = (open_type(index), class_trait(class));
        quote!(#name: #lift::__private::#bound)
    });
    bounded.collect()
}

fn collect_types(ty: &Type, types: &mut BTreeMap<usize, ScalarClass>) {
    match ty {
        Type::Scalar(ScalarType::Parameter(parameter)) => {
            types.insert(parameter.index, parameter.class);
        }
        Type::Tuple(components) => components.iter().for_each(|component| collect_types(component, types)),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => {}
    }
}

struct Printer<'a> {
    context: &'a Context,
    functions: &'a [Function],
    names: BTreeMap<Variable, Ident>,
}

impl Printer<'_> {
    fn ty(&self, ty: &Type, source: Source) -> Result<TokenStream> {
        match ty {
            Type::Scalar(scalar) => Ok(rust_scalar(&self.context.lift, *scalar)),
            Type::Tuple(components) => {
                let components =
                    components.iter().map(|ty| self.ty(ty, source)).collect::<Result<Vec<_>>>()?;
                Ok(quote!((#(#components),*)))
            }
            Type::Size => Ok(quote!(::core::primitive::i64)),
            Type::Vector(lane, width) => {
                Ok(rust_vector(&rust_scalar(&self.context.lift, *lane), Some(*width)))
            }
            Type::Array(_) => Err(internal(source, "an array in a user function")),
        }
    }

    /// The scalar type of an expression, or of the components of a vector.
    fn scalar(&self, expr: &Expr) -> Result<ScalarType> {
        match &expr.ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => Ok(*scalar),
            Type::Size => Ok(ScalarType::I64),
            Type::Tuple(_) | Type::Array(_) => Err(internal(expr.source, "an operator on no scalar")),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Result<TokenStream> {
        match &expr.kind {
            ExprKind::Literal(value) => self.literal(value, self.scalar(expr)?, expr.source),
            ExprKind::Variable(variable) => match self.names.get(variable) {
                Some(name) => Ok(quote!(#name)),
                None => Err(internal(expr.source, "an unbound variable in a user function")),
            },
            ExprKind::Size(size) => match size.as_constant() {
                Some(value) => self.literal(&Value::Integer(value), self.scalar(expr)?, expr.source),
                // It mentions the number of a step.
                None => {
                    let (cast, ty) =
                        (self.number("cast"), rust_scalar(&self.context.lift, self.scalar(expr)?));
                    let value = index::value(size, expr.source)?;
                    Ok(quote!(#cast::<#ty, _>(#value)))
                }
            },
            ExprKind::Tuple(components) => {
                let components = self.all(components)?;
                Ok(quote!((#(#components),*)))
            }
            ExprKind::Component(tuple, position) => {
                let tuple = self.expr(tuple)?;
                let position = Literal::usize_unsuffixed(*position);
                Ok(quote!((#tuple.#position)))
            }
            ExprKind::Let { bindings, body } => {
                let statements = self.bindings(bindings)?;
                let body = self.expr(body)?;
                Ok(quote!({ #statements #body }))
            }
            ExprKind::Unary(operator, operand) => {
                let function = match operator {
                    UnaryOperator::Negate => self.number("negate"),
                    UnaryOperator::Not => quote!(::core::ops::Not::not),
                };
                self.by_component(&[operand], expr, |operands| Ok(quote!(#function(#(#operands),*))))
            }
            ExprKind::Binary(operator, left, right) if operator.is_arithmetic() => {
                let function = self.number(operator.name());
                self.by_component(&[left, right], expr, |operands| Ok(quote!(#function(#(#operands),*))))
            }
            ExprKind::Binary(operator, left, right) => {
                let symbol = symbol_of(*operator, expr.source)?;
                self.by_component(&[left, right], expr, |operands| match operands {
                    [left, right] => Ok(quote!((#left #symbol #right))),
                    _ => Err(internal(expr.source, "an operator with other than two operands")),
                })
            }
            ExprKind::Builtin(Builtin::Dot, arguments) => {
                let [left, right] = arguments.as_slice() else {
                    return Err(internal(expr.source, "a dot product of other than two vectors"));
                };
                let (lift, left, right) = (&self.context.lift, self.expr(left)?, self.expr(right)?);
                Ok(quote!(#lift::__private::number::lanes::dot(#left, #right)))
            }
            ExprKind::Builtin(builtin, arguments) => {
                let function = self.builtin(*builtin);
                let arguments: Vec<&Expr> = arguments.iter().map(Arc::as_ref).collect();
                self.by_component(&arguments, expr, |arguments| Ok(quote!(#function(#(#arguments),*))))
            }
            ExprKind::Function(position, arguments) => {
                let Some(function) = self.functions.get(*position) else {
                    return Err(internal(expr.source, "a call of an unknown function"));
                };
                let name = crate::place::identifier(&function.name, Span::call_site());
                let arguments = self.all(arguments)?;
                Ok(quote!(#name(#(#arguments),*)))
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.expr(condition)?, self.expr(then)?);
                let otherwise = self.expr(otherwise)?;
                Ok(quote!((if #condition { #then } else { #otherwise })))
            }
            ExprKind::Cast(to, operand) => {
                let from = self.scalar(operand)?;
                if from == *to {
                    return self.expr(operand);
                }
                let (cast, ty) = (self.number("cast"), rust_scalar(&self.context.lift, *to));
                self.by_component(&[operand], expr, |operands| Ok(quote!(#cast::<#ty, _>(#(#operands),*))))
            }
            ExprKind::Broadcast(operand) => {
                let (operand, width) = (self.expr(operand)?, width_of(expr)?);
                Ok(quote!([#operand; #width]))
            }
            ExprKind::Lanewise(function, arguments) => self.lanewise(function, arguments, expr),
            ExprKind::Reduce(ReduceKind::While, function, initial, steps) => {
                self.reduce_while(function, initial, steps)
            }
            ExprKind::ArrayLiteral(_)
            | ExprKind::Map(..)
            | ExprKind::Reduce(..)
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Concat(_)
            | ExprKind::At(..)
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..)
            | ExprKind::Unzip(_)
            | ExprKind::Scan(..)
            | ExprKind::Iterate(..)
            | ExprKind::EndUnless(..)
            | ExprKind::Store(..) => Err(internal(expr.source, "an array operation in a user function")),
        }
    }

    fn all(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<TokenStream>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// The runtime's function for an operator, a cast or a built-in function, for every element type.
    fn number(&self, function: &str) -> TokenStream {
        let (lift, function) = (&self.context.lift, Ident::new(function, Span::call_site()));
        quote!(#lift::__private::number::#function)
    }

    /// The function that computes a built-in one on scalars. An imprecise one is computed like its exact
    /// counterpart, because Rust has nothing faster.
    fn builtin(&self, builtin: Builtin) -> TokenStream {
        match builtin {
            Builtin::Native(Native::Recip) => quote!(::core::primitive::f32::recip),
            Builtin::Native(native) => self.number(native.exact().map_or("divide", Builtin::name)),
            exact => self.number(exact.host_name()),
        }
    }

    /// A literal of its type. A float is printed with all its digits, so that only rustc rounds it.
    fn literal(&self, value: &Value, scalar: ScalarType, source: Source) -> Result<TokenStream> {
        if matches!(scalar, ScalarType::F16 | ScalarType::Parameter(_)) {
            return self.converted_literal(value, scalar, source);
        }
        let text = match (value, scalar) {
            (Value::Bool(value), _) => return Ok(quote!(#value)),
            (Value::Integer(value), ScalarType::F32 | ScalarType::F64) => format!("{value}.0"),
            (Value::Integer(value), _) => wrap(*value, scalar).to_string(),
            (Value::Float(digits), _) => digits.trim_end_matches('.').to_owned(),
        };
        signed_literal(&text, &scalar.to_string(), source)
    }

    /// A literal of a type for which Rust has none, or that is open. A float is there in both precisions, so
    /// that it is rounded once.
    fn converted_literal(&self, value: &Value, scalar: ScalarType, source: Source) -> Result<TokenStream> {
        let ty = rust_scalar(&self.context.lift, scalar);
        match value {
            Value::Bool(value) => Ok(quote!(#value)),
            Value::Integer(value) => {
                let (integer, value) =
                    (self.number("integer"), signed_literal(&value.to_string(), "i128", source)?);
                Ok(quote!(#integer::<#ty>(#value)))
            }
            Value::Float(digits) => {
                let digits = digits.trim_end_matches('.');
                // Half precision is rounded from the longer one.
                let single = if scalar == ScalarType::F16 { "0" } else { digits };
                let float = self.number("float");
                let (single, double) =
                    (signed_literal(single, "f32", source)?, signed_literal(digits, "f64", source)?);
                Ok(quote!(#float::<#ty>(#single, #double)))
            }
        }
    }

    /// An operation on scalars; if an operand is a vector, it is applied to every component.
    fn by_component(
        &mut self,
        operands: &[&Expr],
        expr: &Expr,
        operation: impl FnOnce(&[TokenStream]) -> Result<TokenStream>,
    ) -> Result<TokenStream> {
        let values = operands.iter().map(|operand| self.expr(operand)).collect::<Result<Vec<_>>>()?;
        if !matches!(expr.ty, Type::Vector(..)) {
            return operation(&values);
        }
        let names = names_of_operands(values.len());
        let components: Vec<TokenStream> = operands
            .iter()
            .zip(&names)
            .map(|(operand, name)| match operand.ty {
                Type::Vector(..) => quote!(#name[__lane]),
                Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => quote!(#name),
            })
            .collect();
        let (component, width) = (operation(&components)?, width_of(expr)?);
        Ok(quote!({
            let (#(#names,)*) = (#(#values,)*);
            ::core::array::from_fn::<_, #width, _>(|__lane| #component)
        }))
    }

    /// A loop over steps without elements, which is all that a user function has of reductions.
    fn reduce_while(&mut self, function: &Lambda, initial: &Expr, steps: &Expr) -> Result<TokenStream> {
        let (ExprKind::Repeat(limit, step), [(accumulator, _), (element, _)]) =
            (&steps.kind, function.parameters.as_slice())
        else {
            return Err(internal(steps.source, "an array operation in a user function"));
        };
        let Some(limit) = limit.as_constant().and_then(|limit| i64::try_from(limit).ok()) else {
            return Err(internal(steps.source, "an open size in a user function"));
        };
        let limit = Literal::i64_suffixed(limit);
        let (initial, step) = (self.expr(initial)?, self.expr(step)?);
        let (current, element_name) = (local_name(accumulator), local_name(element));
        self.names.insert(accumulator.clone(), current.clone());
        self.names.insert(element.clone(), element_name.clone());
        let next = self.next_or_break(&function.body, &current)?;
        let number = function
            .index
            .as_ref()
            .map_or_else(|| quote!(_), |number| index::variable(number).into_token_stream());
        Ok(quote!({
            let mut #current = #initial;
            for #number in 0..#limit {
                let #element_name = #step;
                #next
            }
            #current
        }))
    }

    /// The statements that replace the accumulator, or end the loop.
    fn next_or_break(&mut self, body: &Expr, current: &Ident) -> Result<TokenStream> {
        match &body.kind {
            ExprKind::Let { bindings, body } => {
                let mut statements = self.bindings(bindings)?;
                statements.extend(self.next_or_break(body, current)?);
                Ok(statements)
            }
            ExprKind::Tuple(parts) if let [goes_on, next] = parts.as_slice() => {
                let (goes_on, next) = (self.expr(goes_on)?, self.expr(next)?);
                Ok(quote!(if !#goes_on { break; } #current = #next;))
            }
            _ => {
                let step = self.expr(body)?;
                Ok(quote! {
                    let __step = #step;
                    if !__step.0 { break; }
                    #current = __step.1;
                })
            }
        }
    }

    /// The `let`s of these variables.
    fn bindings(&mut self, bindings: &[Binding]) -> Result<TokenStream> {
        let mut statements = TokenStream::new();
        for Binding { variable, value } in bindings {
            let value = self.expr(value)?;
            let name = local_name(variable);
            statements.extend(quote!(let #name = #value;));
            self.names.insert(variable.clone(), name);
        }
        Ok(statements)
    }

    /// A function on scalars, applied to every component of vectors.
    fn lanewise(&mut self, function: &Lambda, arguments: &[Arc<Expr>], expr: &Expr) -> Result<TokenStream> {
        let values = self.all(arguments)?;
        let vectors = names_of_operands(values.len());
        let mut parameters = Vec::new();
        for (variable, _) in &function.parameters {
            let name = local_name(variable);
            self.names.insert(variable.clone(), name.clone());
            parameters.push(name);
        }
        let (body, width) = (self.expr(&function.body)?, width_of(expr)?);
        Ok(quote!({
            let (#(#vectors,)*) = (#(#values,)*);
            ::core::array::from_fn::<_, #width, _>(|__lane| {
                let (#(#parameters,)*) = (#(#vectors[__lane],)*);
                #body
            })
        }))
    }
}

/// A number in digits, with its type as a suffix. The sign is a separate token.
fn signed_literal(digits: &str, suffix: &str, source: Source) -> Result<TokenStream> {
    let (sign, magnitude) = match digits.strip_prefix('-') {
        Some(magnitude) => (Some(quote!(-)), magnitude),
        None => (None, digits),
    };
    match format!("{magnitude}{suffix}").parse::<Literal>() {
        Ok(literal) => Ok(quote!((#sign #literal))),
        Err(_) => Err(internal(source, "a literal cannot be printed")),
    }
}

/// The width of a vector, as an array length.
fn width_of(expr: &Expr) -> Result<Literal> {
    match expr.ty {
        Type::Vector(_, width) => Ok(Literal::usize_unsuffixed(usize::from(width))),
        Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
            Err(internal(expr.source, "a vector was expected"))
        }
    }
}

/// Names for operands that are computed before their components are taken.
fn names_of_operands(count: usize) -> Vec<Ident> {
    (0..count).map(|position| format_ident!("__operand{position}", span = Span::mixed_site())).collect()
}

/// A unique name for a variable.
fn local_name(variable: &Variable) -> Ident {
    format_ident!("{}_{}", &*variable.name, variable.id, span = Span::mixed_site())
}

/// Rust's symbol for a comparison, or for an operator on truth values.
fn symbol_of(operator: BinaryOperator, source: Source) -> Result<TokenStream> {
    operator.symbol().parse().map_err(|_| internal(source, "an operator cannot be printed"))
}

/// An integer modulo 2 to the power of the width of its type.
fn wrap(value: i128, scalar: ScalarType) -> i128 {
    match scalar {
        ScalarType::I8 => i128::from(value as i8),
        ScalarType::U8 => i128::from(value as u8),
        ScalarType::I16 => i128::from(value as i16),
        ScalarType::U16 => i128::from(value as u16),
        ScalarType::I32 => i128::from(value as i32),
        ScalarType::U32 => i128::from(value as u32),
        ScalarType::I64 => i128::from(value as i64),
        ScalarType::U64 => i128::from(value as u64),
        ScalarType::Bool | ScalarType::F16 | ScalarType::F32 | ScalarType::F64 | ScalarType::Parameter(_) => {
            value
        }
    }
}

fn internal(source: Source, what: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::internal(source, what)]
}
