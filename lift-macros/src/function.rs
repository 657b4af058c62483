//! User functions as ordinary Rust functions.
//!
//! They mean what they mean in a kernel: integers wrap, an integer division by zero has a value (`x / 0` is `0`, `x % 0`
//! is `x`), floats are computed in their own precision. Nothing in them can panic. A vector is an array of Rust, whose components are
//! computed one by one.

use std::collections::BTreeMap;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::syntax::Item;
use lift_core::ir::primitive::builtin::{Builtin, Native};
use lift_core::ir::scalar::{BinaryOperator, Literal as Value, ScalarType, UnaryOperator};
use lift_core::ir::source::Source;
use lift_core::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, Variable};
use lift_core::ir::types::Type;
use lift_parser::RustItem;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::expand::{Context, Result};
use crate::interface::rust_vector;
use crate::signature::rust_scalar;
use crate::unused;

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
    let result = printer.ty(&function.body.ty, function.body.source)?;
    let body = printer.expr(&function.body)?;
    // What the item mentions is used, also where nothing is computed with it.
    let mentioned = unused::mentioned_in(item);
    let used = function.parameters.iter().filter(|(variable, _)| mentioned.contains(&*variable.name));
    let used = used.filter_map(|(variable, _)| printer.names.get(variable));
    let used = quote!(#(let _ = #used;)*);
    let unused = unused::in_item(item, &context.sources);
    Ok(quote! {
        #(#attributes)*
        #[allow(unused_parens, clippy::all, reason = "written from a tree and not by a person")]
        #visibility fn #name(#(#arguments),*) -> #result {
            #used
            #unused
            #body
        }
    })
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
                None => Err(internal(expr.source, "an open size in a user function")),
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
                let mut statements = TokenStream::new();
                for Binding { variable, value } in bindings {
                    let value = self.expr(value)?;
                    let name = local_name(variable);
                    statements.extend(quote!(let #name = #value;));
                    self.names.insert(variable.clone(), name);
                }
                let body = self.expr(body)?;
                Ok(quote!({ #statements #body }))
            }
            ExprKind::Unary(operator, operand) => {
                let scalar = self.scalar(operand)?;
                self.by_component(&[operand], expr, |operands| Ok(unary(*operator, scalar, operands)))
            }
            ExprKind::Binary(operator, left, right) => {
                let scalar = self.scalar(left)?;
                self.by_component(&[left, right], expr, |operands| binary(*operator, scalar, operands))
            }
            ExprKind::Builtin(Builtin::Dot, arguments) => self.dot(arguments, expr),
            ExprKind::Builtin(builtin, arguments) => {
                let (scalar, ty) = self.type_of_builtin(arguments, expr)?;
                let all: Vec<&Expr> = arguments.iter().collect();
                if scalar == ScalarType::F16 {
                    let of_number = self.number(builtin.name());
                    return self
                        .by_component(&all, expr, |arguments| Ok(quote!(#of_number(#(#arguments),*))));
                }
                self.by_component(&all, expr, |arguments| {
                    self::builtin(*builtin, scalar, &ty, arguments).ok_or_else(|| {
                        internal(expr.source, "a built-in function with a wrong number of arguments")
                    })
                })
            }
            ExprKind::Function(position, arguments) => {
                let Some(function) = self.functions.get(*position) else {
                    return Err(internal(expr.source, "a call of an unknown function"));
                };
                let name = crate::diagnostics::identifier(&function.name, Span::call_site());
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
                let ty = rust_scalar(&self.context.lift, *to);
                if from != *to && (from == ScalarType::F16 || *to == ScalarType::F16) {
                    let of_number = self.number("cast");
                    return self.by_component(&[operand], expr, |operands| {
                        Ok(quote!(#of_number::<#ty, _>(#(#operands),*)))
                    });
                }
                self.by_component(&[operand], expr, |operands| Ok(cast(from, *to, &ty, operands)))
            }
            ExprKind::Broadcast(operand) => {
                let (operand, width) = (self.expr(operand)?, width_of(expr)?);
                Ok(quote!([#operand; #width]))
            }
            ExprKind::Lanewise(function, arguments) => self.lanewise(function, arguments, expr),
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
            | ExprKind::Store(..) => Err(internal(expr.source, "an array operation in a user function")),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<TokenStream>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// What a function does to numbers for which Rust has neither literals nor casts nor functions.
    fn number(&self, function: &str) -> TokenStream {
        let (lift, function) = (&self.context.lift, Ident::new(function, Span::call_site()));
        quote!(#lift::__private::number::#function)
    }

    /// A literal of its type. A float is printed with all its digits, so that rustc rounds it, once.
    fn literal(&self, value: &Value, scalar: ScalarType, source: Source) -> Result<TokenStream> {
        if scalar == ScalarType::F16 {
            return self.half_literal(value, source);
        }
        let text = match (value, scalar) {
            (Value::Bool(value), _) => return Ok(quote!(#value)),
            (Value::Integer(value), ScalarType::F32 | ScalarType::F64) => format!("{value}.0"),
            (Value::Integer(value), _) => wrap(*value, scalar).to_string(),
            (Value::Float(digits), _) => digits.trim_end_matches('.').to_owned(),
        };
        signed_literal(&text, &scalar.to_string(), source)
    }

    /// A literal of a type for which Rust has none.
    fn half_literal(&self, value: &Value, source: Source) -> Result<TokenStream> {
        let ty = rust_scalar(&self.context.lift, ScalarType::F16);
        match value {
            Value::Bool(value) => Ok(quote!(#value)),
            Value::Integer(value) => {
                let (integer, value) =
                    (self.number("integer"), signed_literal(&value.to_string(), "i128", source)?);
                Ok(quote!(#integer::<#ty>(#value)))
            }
            Value::Float(digits) => {
                let (float, value) =
                    (self.number("float"), signed_literal(digits.trim_end_matches('.'), "f64", source)?);
                Ok(quote!(#float::<#ty>(0f32, #value)))
            }
        }
    }

    /// An operation on scalars; where a vector is among its operands, on every component.
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

    /// A function on scalars, on every component of vectors.
    fn lanewise(&mut self, function: &Lambda, arguments: &[Expr], expr: &Expr) -> Result<TokenStream> {
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

    /// The products of the components, added in order.
    fn dot(&mut self, arguments: &[Expr], expr: &Expr) -> Result<TokenStream> {
        let [left, right] = arguments else {
            return Err(internal(expr.source, "a dot product of other than two vectors"));
        };
        let Type::Vector(scalar, width) = left.ty else {
            return Err(internal(expr.source, "a dot product of no vectors"));
        };
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let mut sum: Option<TokenStream> = None;
        for lane in 0..usize::from(width) {
            let lane = Literal::usize_unsuffixed(lane);
            let product =
                binary(BinaryOperator::Multiply, scalar, &[quote!(__x[#lane]), quote!(__y[#lane])])?;
            sum = Some(match sum {
                None => product,
                Some(sum) => binary(BinaryOperator::Add, scalar, &[sum, product])?,
            });
        }
        Ok(quote!({ let (__x, __y) = (#left, #right); #sum }))
    }

    /// The scalar type that a built-in works on: that of the last argument, since the first one of `select` is a
    /// condition.
    fn type_of_builtin(&self, arguments: &[Expr], call: &Expr) -> Result<(ScalarType, TokenStream)> {
        let Some(last) = arguments.last() else {
            return Err(internal(call.source, "a built-in function without arguments"));
        };
        let scalar = self.scalar(last)?;
        Ok((scalar, rust_scalar(&self.context.lift, scalar)))
    }
}

/// A number in digits, with a type as its suffix. The sign is a token of its own.
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

/// A name of its own for a variable.
fn local_name(variable: &Variable) -> Ident {
    format_ident!("{}_{}", &*variable.name, variable.id, span = Span::mixed_site())
}

fn unary(operator: UnaryOperator, scalar: ScalarType, operands: &[TokenStream]) -> TokenStream {
    match operator {
        UnaryOperator::Negate if scalar.is_integer() => quote!(#(#operands)*.wrapping_neg()),
        UnaryOperator::Negate => quote!((-#(#operands)*)),
        UnaryOperator::Not => quote!((!#(#operands)*)),
    }
}

fn binary(operator: BinaryOperator, scalar: ScalarType, operands: &[TokenStream]) -> Result<TokenStream> {
    let [left, right] = operands else {
        return Err(internal(Source::UNKNOWN, "an operator with other than two operands"));
    };
    let symbol: TokenStream = match operator.symbol().parse() {
        Ok(symbol) => symbol,
        Err(_) => return Err(internal(Source::UNKNOWN, "an operator cannot be printed")),
    };
    if !scalar.is_integer() {
        return Ok(quote!((#left #symbol #right)));
    }
    Ok(match operator {
        BinaryOperator::Add => quote!(#left.wrapping_add(#right)),
        BinaryOperator::Subtract => quote!(#left.wrapping_sub(#right)),
        BinaryOperator::Multiply => quote!(#left.wrapping_mul(#right)),
        BinaryOperator::Divide => {
            quote!(match (#left, #right) { (_, 0) => 0, (x, y) => x.wrapping_div(y) })
        }
        BinaryOperator::Remainder => {
            quote!(match (#left, #right) { (x, 0) => x, (x, y) => x.wrapping_rem(y) })
        }
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => quote!((#left #symbol #right)),
    })
}

/// Rust's `as`, and from truth values through `u8`.
fn cast(from: ScalarType, to: ScalarType, ty: &TokenStream, operands: &[TokenStream]) -> TokenStream {
    match (from, to) {
        (from, to) if from == to => quote!(#(#operands)*),
        (_, ScalarType::Bool) => quote!((#(#operands)* != (0 as _))),
        (ScalarType::Bool, _) => quote!((#(#operands)* as ::core::primitive::u8 as #ty)),
        _ => quote!((#(#operands)* as #ty)),
    }
}

fn builtin(
    builtin: Builtin,
    scalar: ScalarType,
    ty: &TokenStream,
    arguments: &[TokenStream],
) -> Option<TokenStream> {
    match arguments {
        [x] => unary_builtin(builtin, scalar, ty, x),
        [x, y] => binary_builtin(builtin, scalar, ty, x, y),
        [x, y, z] => ternary_builtin(builtin, scalar, ty, x, y, z),
        _ => None,
    }
}

fn unary_builtin(
    builtin: Builtin,
    scalar: ScalarType,
    ty: &TokenStream,
    x: &TokenStream,
) -> Option<TokenStream> {
    let method = match builtin {
        Builtin::Rsqrt | Builtin::Native(Native::Rsqrt) => return Some(quote!((1.0 / <#ty>::sqrt(#x)))),
        Builtin::Abs if is_unsigned(scalar) => return Some(x.clone()),
        Builtin::Abs if scalar.is_integer() => "wrapping_abs",
        Builtin::Sign if is_unsigned(scalar) => return Some(quote!((#x).min(1))),
        Builtin::Sign if scalar.is_integer() => "signum",
        Builtin::Sign => {
            return Some(quote!(match #x {
                x if x.is_nan() => 0.0,
                x if x == 0.0 => x,
                x => x.signum(),
            }));
        }
        Builtin::Abs => "abs",
        Builtin::Sqrt | Builtin::Native(Native::Sqrt) => "sqrt",
        Builtin::Cbrt => "cbrt",
        Builtin::Exp | Builtin::Native(Native::Exp) => "exp",
        Builtin::Exp2 | Builtin::Native(Native::Exp2) => "exp2",
        Builtin::Log | Builtin::Native(Native::Log) => "ln",
        Builtin::Log2 | Builtin::Native(Native::Log2) => "log2",
        Builtin::Log10 | Builtin::Native(Native::Log10) => "log10",
        Builtin::Sin | Builtin::Native(Native::Sin) => "sin",
        Builtin::Cos | Builtin::Native(Native::Cos) => "cos",
        Builtin::Tan | Builtin::Native(Native::Tan) => "tan",
        Builtin::Native(Native::Recip) => "recip",
        Builtin::Asin => "asin",
        Builtin::Acos => "acos",
        Builtin::Atan => "atan",
        Builtin::Sinh => "sinh",
        Builtin::Cosh => "cosh",
        Builtin::Tanh => "tanh",
        Builtin::Floor => "floor",
        Builtin::Ceil => "ceil",
        Builtin::Round => "round",
        Builtin::Trunc => "trunc",
        Builtin::Min
        | Builtin::Max
        | Builtin::Pow
        | Builtin::Atan2
        | Builtin::Fma
        | Builtin::Mad
        | Builtin::ClampValue
        | Builtin::Select
        | Builtin::Dot
        | Builtin::Native(Native::Divide | Native::Powr) => return None,
    };
    let method = Ident::new(method, Span::call_site());
    Some(quote!(<#ty>::#method(#x)))
}

fn binary_builtin(
    builtin: Builtin,
    scalar: ScalarType,
    ty: &TokenStream,
    x: &TokenStream,
    y: &TokenStream,
) -> Option<TokenStream> {
    match builtin {
        Builtin::Min => Some(extremum("min", scalar, ty, x, y)),
        Builtin::Max => Some(extremum("max", scalar, ty, x, y)),
        Builtin::Pow | Builtin::Native(Native::Powr) => Some(quote!(<#ty>::powf(#x, #y))),
        Builtin::Atan2 => Some(quote!(<#ty>::atan2(#x, #y))),
        Builtin::Native(Native::Divide) => Some(quote!((#x / #y))),
        _ => None,
    }
}

/// The smaller or the larger one; of floats, the other one where one is NaN.
fn extremum(
    method: &str,
    scalar: ScalarType,
    ty: &TokenStream,
    x: &TokenStream,
    y: &TokenStream,
) -> TokenStream {
    let method = Ident::new(method, Span::call_site());
    if scalar.is_float() { quote!(<#ty>::#method(#x, #y)) } else { quote!(::core::cmp::Ord::#method(#x, #y)) }
}

fn ternary_builtin(
    builtin: Builtin,
    scalar: ScalarType,
    ty: &TokenStream,
    x: &TokenStream,
    y: &TokenStream,
    z: &TokenStream,
) -> Option<TokenStream> {
    match builtin {
        Builtin::Fma => Some(quote!(<#ty>::mul_add(#x, #y, #z))),
        Builtin::Mad if scalar.is_integer() => Some(quote!(#x.wrapping_mul(#y).wrapping_add(#z))),
        Builtin::Mad => Some(quote!((#x * #y + #z))),
        Builtin::ClampValue => {
            let raised = extremum("max", scalar, ty, x, y);
            Some(extremum("min", scalar, ty, &raised, z))
        }
        Builtin::Select => Some(quote!((if #x { #y } else { #z }))),
        _ => None,
    }
}

fn is_unsigned(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64)
}

/// An integer modulo two to the width of its type.
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
