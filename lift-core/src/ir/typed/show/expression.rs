//! Expressions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::document::{Document, all, around, group, indented, list, text};
use super::literals::TypedLiterals;
use super::names::{Names, Spelling, written};
use super::size::scalar_text;
use super::strength::Strength;
use super::unsayable::Unsayable;
use super::words::scan_name;
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::typed::binders::{free_sizes, free_variables, is_atomic, mentions};
use crate::ir::typed::{Binding, Expr, ExprKind, MapKind, Position, Variable};
use crate::ir::types::Type;

/// The state of showing one program.
pub(super) struct Printer {
    /// The names in scope.
    pub(super) names: Names,
    /// The literals with types.
    pub(super) literals: TypedLiterals,
    /// The numbers of variables that are made to name lengths.
    pub(super) next_length: u32,
}

/// A shown expression.
pub(super) struct Shown {
    pub(super) document: Document,
    pub(super) strength: Strength,
}

pub(super) type Result<T> = std::result::Result<T, Unsayable>;

impl Shown {
    /// A name, a number, a call.
    pub(super) fn operand(document: Document) -> Shown {
        Shown { document, strength: Strength::Operand }
    }

    /// In parentheses where it binds more weakly than `least`.
    pub(super) fn at_least(self, least: Strength) -> Document {
        match self.strength < least {
            true => all([text("("), self.document, text(")")]),
            false => self.document,
        }
    }
}

impl Printer {
    /// An expression where nothing stands beside it.
    pub(super) fn document(&mut self, expr: &Expr) -> Result<Document> {
        Ok(self.expr(expr)?.document)
    }

    /// An expression as an operand.
    pub(super) fn operand(&mut self, expr: &Expr, least: Strength) -> Result<Document> {
        Ok(self.expr(expr)?.at_least(least))
    }

    /// An expression where the type says that it becomes a vector.
    pub(super) fn fitting(&mut self, expr: &Expr) -> Result<Shown> {
        match &expr.kind {
            ExprKind::Broadcast(scalar) => self.expr(scalar),
            ExprKind::Tuple(parts) => Ok(Shown::operand(list("(", self.all_fitting(parts)?, ")"))),
            ExprKind::ArrayLiteral(elements) => {
                Ok(Shown::operand(list("[", self.all_fitting(elements)?, "]")))
            }
            ExprKind::Repeat(length, value) => {
                let (length, value) = (text(self.names.size_text(length)?), self.fitting(value)?.document);
                Ok(Shown::operand(list("repeat(", vec![length, value], ")")))
            }
            // An array becomes an array of vectors, as the accumulator of an enclosing reduction does.
            ExprKind::Map(MapKind::Unspecified, function, input)
                if matches!(&function.body.kind, ExprKind::Broadcast(element)
                    if matches!(element.kind, ExprKind::Variable(_))) =>
            {
                self.expr(input)
            }
            _ => self.expr(expr),
        }
    }

    fn all_fitting(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<Document>> {
        exprs.iter().map(|expr| Ok(self.fitting(expr)?.document)).collect()
    }

    pub(super) fn documents(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<Document>> {
        exprs.iter().map(|expr| self.document(expr)).collect()
    }

    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Shown> {
        match self.chain(expr)? {
            Some(chain) => Ok(chain),
            None => self.head(expr),
        }
    }

    /// An expression that is no stage applied to data.
    pub(super) fn head(&mut self, expr: &Expr) -> Result<Shown> {
        if let Some(call) = self.composition_of_several(expr)? {
            return Ok(Shown::operand(call));
        }
        let document = match &expr.kind {
            ExprKind::Literal(literal) => return self.literal(literal, expr),
            ExprKind::Variable(_) => text(self.path(expr, &[])?),
            ExprKind::Component(..) => return self.component(expr),
            ExprKind::Size(size) => {
                let size = self.size_value(size)?;
                return match &expr.ty {
                    Type::Scalar(scalar) if !matches!(scalar, ScalarType::Parameter(_)) => {
                        self.cast(size, self.names.scalar_text(*scalar)?)
                    }
                    _ => Ok(size),
                };
            }
            ExprKind::Tuple(parts) => list("(", self.documents(parts)?, ")"),
            ExprKind::ArrayLiteral(elements) => list("[", self.all_fitting(elements)?, "]"),
            ExprKind::Let { .. } => {
                all([text("{"), indented([Document::Line, self.block(expr)?]), Document::Line, text("}")])
            }
            ExprKind::Unary(operator, operand) => return self.unary(*operator, operand),
            ExprKind::Binary(operator, left, right) => return self.binary(*operator, left, right),
            ExprKind::Builtin(builtin, arguments) => {
                let arguments = self.operands(*builtin, arguments)?;
                list(&format!("{}(", builtin.name()), arguments, ")")
            }
            ExprKind::Function(function, arguments) => {
                let name = self.names.function(*function);
                list(&format!("{name}("), self.all_fitting(arguments)?, ")")
            }
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise)?,
            ExprKind::Cast(scalar, operand) => {
                let mut target = self.names.scalar_text(*scalar)?;
                if let Type::Vector(_, width) = &expr.ty {
                    target = format!("{target}x{width}");
                }
                let operand = self.expr(operand)?;
                return self.cast(operand, target);
            }
            ExprKind::Broadcast(_) => return Err(Unsayable::Broadcast),
            ExprKind::Lanewise(function, arguments) => {
                let Type::Vector(_, width) = &expr.ty else { return Err(Unsayable::Broadcast) };
                let mut given = vec![text(width.to_string()), self.function(function, &["x"])?];
                given.extend(self.all_fitting(arguments)?);
                list("vectorize(", given, ")")
            }
            ExprKind::Zip(parts) => list("zip(", self.documents(parts)?, ")"),
            ExprKind::Concat(parts) => list("concat(", self.documents(parts)?, ")"),
            ExprKind::Generate(length, function) => {
                let length = text(self.names.size_text(length)?);
                around("generate", vec![length, self.generator(function)?])
            }
            ExprKind::Repeat(length, value) => {
                let length = text(self.names.size_text(length)?);
                list("repeat(", vec![length, self.document(value)?], ")")
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                let function = self.function(function, &["acc", "x"])?;
                let arguments = vec![function, self.fitting(initial)?.document, self.document(input)?];
                list(&format!("{}(", kind.name()), arguments, ")")
            }
            ExprKind::Scan(kind, function, initial, input) => {
                let function = self.function(function, &["acc", "x"])?;
                let arguments = vec![function, self.fitting(initial)?.document, self.document(input)?];
                list(&format!("{}(", scan_name(*kind)), arguments, ")")
            }
            ExprKind::PadConstant { left, right, value, input } => {
                let (left, right) = (self.names.size_text(left)?, self.names.size_text(right)?);
                let value = self.fitting(value)?.document;
                list("padConstant(", vec![text(left), text(right), value, self.document(input)?], ")")
            }
            ExprKind::At(position, input) => match position {
                Position::Size(size) => {
                    let size = text(self.names.size_text(size)?);
                    list("at(", vec![size, self.document(input)?], ")")
                }
                Position::Clamped(index) => {
                    list("at(", vec![self.document(index)?, self.document(input)?], ")")
                }
                Position::OrDefault(index, default) => {
                    let (index, default) = (self.document(index)?, self.fitting(default)?.document);
                    list("atOr(", vec![index, default, self.document(input)?], ")")
                }
            },
            ExprKind::Map(MapKind::Sliding, ..) => return Err(Unsayable::SlidingWithoutWindows),
            ExprKind::EndUnless(..) => return Err(Unsayable::End),
            // These are always stages.
            ExprKind::Map(_, _, input)
            | ExprKind::Layout(_, input)
            | ExprKind::Store(_, input)
            | ExprKind::Unzip(input)
            | ExprKind::Iterate(_, _, input) => self.document(input)?,
        };
        Ok(Shown::operand(document))
    }

    /// A size as a value. A number alone would be a literal, and no size.
    fn size_value(&mut self, size: &Nat) -> Result<Shown> {
        let (written, strength) = match size.as_constant() {
            None => self.names.size_as_value(size)?,
            Some(number) if number < 0 => {
                (format!("-len(repeat({}, 0))", number.unsigned_abs()), Strength::Unary)
            }
            Some(number) => (format!("len(repeat({number}, 0))"), Strength::Operand),
        };
        Ok(Shown { document: text(written), strength })
    }

    fn cast(&mut self, operand: Shown, target: String) -> Result<Shown> {
        let operand = operand.at_least(Strength::Cast);
        Ok(Shown { document: all([operand, text(format!(" as {target}"))]), strength: Strength::Cast })
    }

    fn literal(&mut self, literal: &Literal, expr: &Expr) -> Result<Shown> {
        let scalar = match &expr.ty {
            Type::Scalar(scalar) => *scalar,
            Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => ScalarType::I64,
        };
        let is_typed = self.literals.contains(expr);
        let suffix = if is_typed { scalar_text(scalar)? } else { String::new() };
        let digits = match literal {
            Literal::Bool(truth) => return Ok(Shown::operand(text(truth.to_string()))),
            Literal::Integer(number) => {
                u64::try_from(number.unsigned_abs())
                    .map_err(|_| Unsayable::Number { digits: number.to_string() })?;
                format!("{number}{suffix}")
            }
            Literal::Float(digits) if digits.contains(['e', 'E']) => format!("{digits}{suffix}"),
            Literal::Float(digits) => match digits.split_once('.') {
                Some((_, "")) => format!("{digits}0{suffix}"),
                Some(_) => format!("{digits}{suffix}"),
                None => format!("{digits}.0{suffix}"),
            },
        };
        let strength = if digits.starts_with('-') { Strength::Unary } else { Strength::Operand };
        Ok(Shown { document: text(digits), strength })
    }

    fn component(&mut self, expr: &Expr) -> Result<Shown> {
        let (mut root, mut path) = (expr, Vec::new());
        while let ExprKind::Component(input, position) = &root.kind {
            path.insert(0, *position);
            root = input;
        }
        match &root.kind {
            ExprKind::Variable(_) => Ok(Shown::operand(text(self.path(root, &path)?))),
            ExprKind::Tuple(_) => Err(Unsayable::ComponentOfTuple),
            _ => {
                let mut document = vec![self.operand(root, Strength::Operand)?];
                document.extend(path.iter().map(|position| text(format!(".{position}"))));
                Ok(Shown::operand(all(document)))
            }
        }
    }

    /// A component of a component … of a variable.
    fn path(&mut self, expr: &Expr, path: &[usize]) -> Result<String> {
        let ExprKind::Variable(variable) = &expr.kind else { return Err(Unsayable::ComponentOfTuple) };
        let mut spelling = self.names.variable(variable);
        let mut path = path;
        while let Spelling::Components(parts) = &spelling {
            let Some((first, rest)) = path.split_first() else { return Err(Unsayable::ComponentOfTuple) };
            let Some(Some(part)) = parts.get(*first) else { return Err(Unsayable::ComponentOfTuple) };
            spelling = part.clone();
            path = rest;
        }
        let components: String = path.iter().map(|position| format!(".{position}")).collect();
        Ok(format!("{}{components}", spelling.pattern()))
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr) -> Result<Shown> {
        let symbol = match operator {
            UnaryOperator::Negate => "-",
            UnaryOperator::Not => "!",
        };
        if matches!(
            (operator, &operand.kind),
            (UnaryOperator::Negate, ExprKind::Literal(Literal::Integer(1..)))
        ) {
            return Err(Unsayable::NegatedNumber);
        }
        let operand = self.operand(operand, Strength::Operand)?;
        Ok(Shown { document: all([text(symbol), operand]), strength: Strength::Unary })
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Result<Shown> {
        let strength = strength_of(operator);
        let least = match strength {
            // Comparisons do not chain.
            Strength::Comparison => Strength::BitOr,
            other => other,
        };
        let operands = self.beside([left, right])?;
        let [left, right] = <[Shown; 2]>::try_from(operands).map_err(|_| Unsayable::Broadcast)?;
        let (left, right) = (left.at_least(least), right.at_least(strength.stronger()));
        let rest = indented([Document::Space, text(format!("{} ", operator.symbol())), right]);
        Ok(Shown { document: group([left, rest]), strength })
    }

    /// Operands of one type: a scalar beside a vector becomes one, and sizes are compared as they are.
    fn beside<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>) -> Result<Vec<Shown>> {
        let operands: Vec<&Expr> = operands.into_iter().collect();
        let is_vector = |operand: &&Expr| !matches!(operand.kind, ExprKind::Broadcast(_));
        let has_vector = operands.iter().any(is_vector);
        operands
            .into_iter()
            .map(|operand| match &operand.kind {
                ExprKind::Broadcast(scalar) if has_vector => self.expr(scalar),
                _ => self.expr(operand),
            })
            .collect()
    }

    fn operands(&mut self, builtin: Builtin, arguments: &[Arc<Expr>]) -> Result<Vec<Document>> {
        let (condition, operands) = match (builtin, arguments.split_first()) {
            (Builtin::Select, Some((condition, operands))) => (Some(condition), operands),
            _ => (None, arguments),
        };
        let is_wide = condition.is_some_and(|condition| matches!(condition.ty, Type::Vector(..)));
        let mut shown =
            condition.map(|condition| self.document(condition)).transpose()?.into_iter().collect::<Vec<_>>();
        if is_wide {
            shown.extend(self.all_fitting(operands)?);
        } else {
            shown.extend(
                self.beside(operands.iter().map(Arc::as_ref))?.into_iter().map(|operand| operand.document),
            );
        }
        Ok(shown)
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Result<Document> {
        let condition = self.document(condition)?;
        let mut parts = vec![text("if "), condition, text(" {"), self.branch(then)?, text("} else ")];
        match &otherwise.kind {
            ExprKind::If(condition, then, otherwise) => {
                parts.push(self.conditional(condition, then, otherwise)?);
            }
            _ => parts.extend([text("{"), self.branch(otherwise)?, text("}")]),
        }
        Ok(group(parts))
    }

    /// A branch of an `if`, between its braces.
    fn branch(&mut self, branch: &Expr) -> Result<Document> {
        let inside = match &branch.kind {
            ExprKind::Let { .. } => self.block(branch)?,
            _ => self.fitting(branch)?.document,
        };
        Ok(all([indented([Document::Space, inside]), Document::Space]))
    }

    /// `let`s and what stands behind them, without braces. Any other expression is just itself.
    pub(super) fn block(&mut self, expr: &Expr) -> Result<Document> {
        let ExprKind::Let { bindings, body } = &expr.kind else { return self.document(expr) };
        let mark = self.names.mark();
        let mut lines = Vec::new();
        for (position, Binding { variable, value }) in bindings.iter().enumerate() {
            if is_atomic(value) {
                return Err(Unsayable::LetOfAtom { name: variable.name.to_string() });
            }
            let value = self.document(value)?;
            let later: Vec<&Expr> = bindings
                .iter()
                .skip(position + 1)
                .map(|binding| binding.value.as_ref())
                .chain([body.as_ref()])
                .collect();
            if !later.iter().any(|expr| mentions(expr, variable)) {
                return Err(Unsayable::UnusedLet { name: variable.name.to_string() });
            }
            // Those of later bindings get their names when it is their turn.
            let bound: Vec<&Variable> =
                bindings.iter().skip(position).map(|binding| &binding.variable).collect();
            let name = self.add_variable(variable, &later, &bound);
            lines.push(all([text(format!("let {name} = ")), value, text(";"), Document::Line]));
        }
        lines.push(self.document(body)?);
        self.names.leave(&mark);
        Ok(all(lines))
    }

    /// Adds a variable that these expressions may mention, and returns its name. It and others are `bound`
    /// for them.
    pub(super) fn add_variable(
        &mut self,
        variable: &Variable,
        scope: &[&Expr],
        bound: &[&Variable],
    ) -> String {
        let avoided = self.texts_in(scope, bound, None);
        let name = self.names.free(&variable.name, &avoided);
        self.names.add_variable(variable, Spelling::Name(name.clone()));
        written(&name)
    }

    /// All names that expressions mention, those of some variables and of a position left out.
    pub(super) fn texts_in(
        &self,
        scope: &[&Expr],
        except: &[&Variable],
        position: Option<&Var>,
    ) -> BTreeSet<String> {
        let is_kept = |free: &Variable| except.iter().all(|variable| variable.id != free.id);
        let mut texts = BTreeSet::new();
        for expr in scope {
            for free in free_variables(expr).into_iter().filter(is_kept) {
                texts.extend(self.names.variable(&free).names().into_iter().map(str::to_owned));
            }
            let sizes = free_sizes(expr).into_iter().filter(|size| Some(size) != position);
            // A size without a text is reported where it is written.
            texts.extend(sizes.filter_map(|size| self.names.size(&size).ok()));
        }
        texts
    }
}

fn strength_of(operator: BinaryOperator) -> Strength {
    match operator {
        BinaryOperator::Or => Strength::Or,
        BinaryOperator::And => Strength::And,
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => Strength::Comparison,
        BinaryOperator::BitOr => Strength::BitOr,
        BinaryOperator::BitXor => Strength::BitXor,
        BinaryOperator::BitAnd => Strength::BitAnd,
        BinaryOperator::Add | BinaryOperator::Subtract => Strength::Sum,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => Strength::Product,
    }
}
