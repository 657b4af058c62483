//! The part of a kernel text before its first function: types that the launcher chooses, and functions that
//! settle what C's operators leave open.
//!
//! The launcher gives `index_t` and, for every type parameter `Tk`, four macros: `Tk` (the type),
//! `Tk_WRAPPING` (for integers, an unsigned type at least as wide as `int`, in which arithmetic wraps; the
//! type itself otherwise), `Tk_IS_FLOAT` and `Tk_BITS`. The text defines the macros that are not given, so
//! that it also compiles alone.

use super::dialect::Dialect;
use super::promotion::{cut, has_16_bits, wrapping_name};
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::types::VECTOR_WIDTHS;

/// A function of the preamble, printed only where a kernel uses it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// `left / right` of indices, rounded down.
    FloorDivide,
    /// `left % right` of indices, never negative.
    FloorModulo,
    /// A power of indices.
    Power,
    /// The logarithm of an index to base 2, rounded down.
    Log2,
    /// Arithmetic whose overflow or zero divisor C leaves undefined.
    Arithmetic(BinaryOperator, ScalarType),
    /// `min`, `max`, `abs` or `sign` of a type parameter.
    Number(NumberHelper, ScalarType),
    /// A function of an integer.
    Bits(BitHelper, ScalarType),
    /// `as` from a type parameter to an integer, or from one integer to a smaller one.
    Cast(ScalarType, ScalarType),
    /// Converts a type parameter that is an integer to the nearest position, a `long`.
    Position(ScalarType),
    /// Another helper, applied to every component of vectors with this width.
    Lanes(Box<Helper>, u8),
    /// The truth values of a comparison of vectors of a type parameter.
    Compare(BinaryOperator, ScalarType, u8),
    /// `select` of vectors of a type parameter.
    Choose(ScalarType, u8),
    /// The sum of the products of the components of two vectors.
    Dot(ScalarType, u8),
    /// The same of floats, added in order.
    DotInOrder(ScalarType, u8),
}

/// Functions whose name depends on whether a type parameter is a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NumberHelper {
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// The absolute value.
    Abs,
    /// -1, 0 or 1.
    Sign,
    /// The smaller one, where -0.0 is smaller than 0.0.
    Least,
    /// The larger one, likewise.
    Greatest,
    /// `-x`, also of a zero.
    Negate,
}

impl NumberHelper {
    const ALL: [NumberHelper; 7] = [
        NumberHelper::Min,
        NumberHelper::Max,
        NumberHelper::Abs,
        NumberHelper::Sign,
        NumberHelper::Least,
        NumberHelper::Greatest,
        NumberHelper::Negate,
    ];
}

/// Functions of integers that C does not have for a type, or has only for some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BitHelper {
    /// The bits moved up.
    Shl,
    /// The bits moved down.
    Shr,
    /// The bits rotated up.
    Rotl,
    /// The bits rotated down.
    Rotr,
    /// The number of zeros below the lowest bit that is set.
    TrailingZeros,
    /// A power, whose exponent is unsigned.
    Power,
}

impl BitHelper {
    const ALL: [BitHelper; 6] = [
        BitHelper::Shl,
        BitHelper::Shr,
        BitHelper::Rotl,
        BitHelper::Rotr,
        BitHelper::TrailingZeros,
        BitHelper::Power,
    ];

    fn name(self) -> &'static str {
        match self {
            BitHelper::Shl => "shift_left",
            BitHelper::Shr => "shift_right",
            BitHelper::Rotl => "rotate_left",
            BitHelper::Rotr => "rotate_right",
            BitHelper::TrailingZeros => "trailing_zeros",
            BitHelper::Power => "power",
        }
    }
}

/// The names of the helpers for indices.
pub(super) const NAMES_OF_INDEX_ARITHMETIC: [&str; 4] = [FLOOR_DIVIDE, FLOOR_MODULO, POWER, LOG2];

const FLOOR_DIVIDE: &str = "floor_divide";
const FLOOR_MODULO: &str = "floor_modulo";
const POWER: &str = "index_power";
const LOG2: &str = "index_log2";

/// What stands between the two types in the name of a conversion.
pub(super) const TO: &str = "_to_";

const POSITION: &str = "position";
const CHOOSE: &str = "choose";
const DOT: &str = "dot";
const DOT_IN_ORDER: &str = "dot_in_order";

/// The beginnings of the names of helpers that there are for several types; `_` and the name of a type
/// follow. Conversions have two types and [`TO`] instead.
pub(super) fn stems() -> impl Iterator<Item = &'static str> {
    let operators =
        BinaryOperator::ALL.into_iter().filter(|operator| !(operator.is_lazy() || operator.is_bitwise()));
    operators
        .map(BinaryOperator::name)
        .chain(NumberHelper::ALL.map(number_name))
        .chain(BitHelper::ALL.map(BitHelper::name))
        .chain([POSITION, CHOOSE, DOT, DOT_IN_ORDER])
}

impl Helper {
    /// Its name in the kernel text.
    pub(super) fn name(&self, dialect: &dyn Dialect) -> String {
        match self {
            Helper::FloorDivide => FLOOR_DIVIDE.to_string(),
            Helper::FloorModulo => FLOOR_MODULO.to_string(),
            Helper::Power => POWER.to_string(),
            Helper::Log2 => LOG2.to_string(),
            Helper::Arithmetic(operator, ty) => format!("{}_{}", operator.name(), dialect.type_name(*ty)),
            Helper::Number(helper, ty) => format!("{}_{}", number_name(*helper), dialect.type_name(*ty)),
            Helper::Bits(helper, ty) => format!("{}_{}", helper.name(), dialect.type_name(*ty)),
            Helper::Cast(from, to) => format!("{}{TO}{}", dialect.type_name(*from), dialect.type_name(*to)),
            Helper::Position(ty) => format!("{POSITION}_{}", dialect.type_name(*ty)),
            Helper::Lanes(helper, lanes) => {
                let of_parameter = matches!(helper.result(), Some(ScalarType::Parameter(_)));
                format!("{}{}{lanes}", helper.name(dialect), if of_parameter { "_" } else { "" })
            }
            Helper::Compare(operator, ty, lanes) => {
                format!("{}_{}", operator.name(), dialect.vector_name(*ty, *lanes))
            }
            Helper::Choose(ty, lanes) => format!("{CHOOSE}_{}", dialect.vector_name(*ty, *lanes)),
            Helper::Dot(ty, lanes) => format!("{DOT}_{}", dialect.vector_name(*ty, *lanes)),
            Helper::DotInOrder(ty, lanes) => format!("{DOT_IN_ORDER}_{}", dialect.vector_name(*ty, *lanes)),
        }
    }

    /// Its definition.
    pub(super) fn definition(&self, dialect: &dyn Dialect) -> String {
        let (name, function) = (self.name(dialect), dialect.function());
        match self {
            Helper::FloorDivide => {
                format!(
                    "{function}index_t {name}(index_t x, index_t y) {{ return x / y - (x % y != 0 && (x < 0) != (y < 0)); }}"
                )
            }
            Helper::FloorModulo => {
                format!("{function}index_t {name}(index_t x, index_t y) {{ return (x % y + y) % y; }}")
            }
            Helper::Power => format!(
                "{function}index_t {name}(index_t x, index_t n) {{\n    index_t power = 1;\n    \
                 for (; n > 0; n -= 1) power *= x;\n    return power;\n}}"
            ),
            Helper::Log2 => format!(
                "{function}index_t {name}(index_t x) {{\n    index_t log = 0;\n    \
                 for (; x > 1; x /= 2) log += 1;\n    return log;\n}}"
            ),
            Helper::Arithmetic(operator, ty) => arithmetic_definition(dialect, &name, *operator, *ty),
            Helper::Number(helper, ty) => number_definition(dialect, &name, *helper, *ty),
            Helper::Bits(helper, ty) => bits_definition(dialect, &name, *helper, *ty),
            Helper::Cast(from, to) => cast_definition(dialect, &name, *from, *to),
            Helper::Position(ty) => {
                let (ty, long) = (dialect.type_name(*ty), dialect.type_name(ScalarType::I64));
                let greatest = dialect.greatest_long();
                // Only unsigned numbers of 64 bits can be too large.
                format!(
                    "{function}{long} {name}({ty} x) {{\n    {long} position = ({long})x;\n    \
                     return ({ty})-1 > 0 && position < 0 ? {greatest} : position;\n}}"
                )
            }
            Helper::Lanes(helper, lanes) => lanes_definition(dialect, &name, helper, *lanes),
            Helper::Compare(operator, ty, lanes) => {
                let component = |lane: u8| {
                    let lane = dialect.components(lane..lane + 1);
                    format!("x.{lane} {} y.{lane}", operator.symbol())
                };
                let (result, vector) =
                    (dialect.vector_name(ScalarType::Bool, *lanes), dialect.vector_name(*ty, *lanes));
                let body = components(dialect, &result, *lanes, component);
                format!("{function}{result} {name}({vector} x, {vector} y) {{ return {body}; }}")
            }
            Helper::Choose(ty, lanes) => {
                let component = |lane: u8| {
                    let lane = dialect.components(lane..lane + 1);
                    format!("c.{lane} ? x.{lane} : y.{lane}")
                };
                let (truth, vector) =
                    (dialect.vector_name(ScalarType::Bool, *lanes), dialect.vector_name(*ty, *lanes));
                let body = components(dialect, &vector, *lanes, component);
                format!("{function}{vector} {name}({truth} c, {vector} x, {vector} y) {{ return {body}; }}")
            }
            Helper::Dot(ty, lanes) => dot_definition(dialect, &name, *ty, *lanes),
            Helper::DotInOrder(ty, lanes) => {
                let product = |lane: u8| {
                    let lane = dialect.components(lane..lane + 1);
                    format!("x.{lane} * y.{lane}")
                };
                let sum = (0..*lanes).map(product).collect::<Vec<_>>().join(" + ");
                let (scalar, vector) = (dialect.type_name(*ty), dialect.vector_name(*ty, *lanes));
                format!("{function}{scalar} {name}({vector} x, {vector} y) {{ return {sum}; }}")
            }
        }
    }

    /// The helpers that its definition calls.
    pub(super) fn needs(&self) -> Vec<Helper> {
        match self {
            Helper::Lanes(helper, _)
                if unsigned_twin(helper).is_some()
                    || signed_magnitude(helper).is_some()
                    || narrow_arithmetic(helper).is_some() =>
            {
                Vec::new()
            }
            Helper::Lanes(helper, _) => vec![helper.as_ref().clone()],
            Helper::Dot(ty, _) if !ty.is_float() => [BinaryOperator::Add, BinaryOperator::Multiply]
                .into_iter()
                .map(|operator| Helper::Arithmetic(operator, *ty))
                .collect(),
            Helper::FloorDivide
            | Helper::FloorModulo
            | Helper::Power
            | Helper::Log2
            | Helper::Arithmetic(..)
            | Helper::Number(..)
            | Helper::Bits(..)
            | Helper::Cast(..)
            | Helper::Position(_)
            | Helper::Compare(..)
            | Helper::Choose(..)
            | Helper::Dot(..)
            | Helper::DotInOrder(..) => Vec::new(),
        }
    }

    /// The types of its result and of its arguments; `None` for indices and vectors.
    fn signature(&self) -> Option<(ScalarType, Vec<ScalarType>)> {
        match self {
            Helper::Arithmetic(_, ty)
            | Helper::Number(
                NumberHelper::Min | NumberHelper::Max | NumberHelper::Least | NumberHelper::Greatest,
                ty,
            ) => Some((*ty, vec![*ty, *ty])),
            Helper::Number(NumberHelper::Abs | NumberHelper::Sign | NumberHelper::Negate, ty)
            | Helper::Bits(BitHelper::TrailingZeros, ty) => Some((*ty, vec![*ty])),
            Helper::Bits(BitHelper::Power, ty) => Some((*ty, vec![*ty, ScalarType::U32])),
            Helper::Bits(BitHelper::Shl | BitHelper::Shr | BitHelper::Rotl | BitHelper::Rotr, ty) => {
                Some((*ty, vec![*ty, *ty]))
            }
            Helper::Cast(from, to) => Some((*to, vec![*from])),
            Helper::FloorDivide
            | Helper::FloorModulo
            | Helper::Power
            | Helper::Log2
            | Helper::Position(_)
            | Helper::Lanes(..)
            | Helper::Compare(..)
            | Helper::Choose(..)
            | Helper::Dot(..)
            | Helper::DotInOrder(..) => None,
        }
    }

    fn result(&self) -> Option<ScalarType> {
        self.signature().map(|(result, _)| result)
    }
}

fn number_name(helper: NumberHelper) -> &'static str {
    match helper {
        NumberHelper::Min => "min",
        NumberHelper::Max => "max",
        NumberHelper::Abs => "abs",
        NumberHelper::Sign => "sign",
        NumberHelper::Least => "least",
        NumberHelper::Greatest => "greatest",
        NumberHelper::Negate => "negate",
    }
}

fn arithmetic_definition(
    dialect: &dyn Dialect,
    name: &str,
    operator: BinaryOperator,
    ty: ScalarType,
) -> String {
    let function = dialect.function();
    let (scalar, wrapping, symbol) = (dialect.type_name(ty), wrapping_name(dialect, ty), operator.symbol());
    let head = format!("{function}{scalar} {name}({scalar} x, {scalar} y)");
    let is_division = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
    if !is_division {
        let result = cut(dialect, ty, &format!("({wrapping})x {symbol} ({wrapping})y"));
        return format!("{head} {{ return {result}; }}");
    }
    // Division by zero returns 0, and its remainder is the dividend; the smallest number divided by -1 wraps.
    let by_zero = if operator == BinaryOperator::Divide { "0" } else { "x" };
    let by_minus_one = match operator {
        BinaryOperator::Divide => cut(dialect, ty, &format!("({wrapping})0 - ({wrapping})x")),
        _ => "0".to_string(),
    };
    let is_minus_one = match ty {
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => None,
        // Clang warns about constants at the right of `&&`.
        ScalarType::Parameter(_) => Some(format!("({scalar})-1 < 0 && y == ({scalar})-1")),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::I16
        | ScalarType::I32
        | ScalarType::I64
        | ScalarType::F16
        | ScalarType::F32
        | ScalarType::F64 => Some("y == -1".to_owned()),
    };
    let integers = match is_minus_one {
        None => format!("return y == 0 ? {by_zero} : x {symbol} y;"),
        Some(condition) => {
            format!("return y == 0 ? {by_zero} : {condition} ? {by_minus_one} : x {symbol} y;")
        }
    };
    let ScalarType::Parameter(parameter) = ty else { return format!("{head} {{ {integers} }}") };
    let floats = if operator == BinaryOperator::Divide { "return x / y;" } else { "return fmod(x, y);" };
    by_kind(parameter.index, &head, floats, &integers)
}

fn number_definition(dialect: &dyn Dialect, name: &str, helper: NumberHelper, ty: ScalarType) -> String {
    let function = dialect.function();
    let scalar = dialect.type_name(ty);
    // The smallest number has no opposite and stays as it is. PoCL 3.1 computes `abs` of it by an overflow,
    // and concludes that it is positive.
    let absolute = format!("return x < 0 ? ({scalar})-({})x : x;", wrapping_name(dialect, ty));
    let negated = format!("return ({scalar})-({})x;", wrapping_name(dialect, ty));
    let (of_one, of_two) = (format!("{scalar} x"), format!("{scalar} x, {scalar} y"));
    let (parameters, floats, integers) = match helper {
        NumberHelper::Min => (of_two, "return fmin(x, y);", "return min(x, y);"),
        NumberHelper::Max => (of_two, "return fmax(x, y);", "return max(x, y);"),
        NumberHelper::Abs => (of_one, "return fabs(x);", absolute.as_str()),
        NumberHelper::Sign => (of_one, "return sign(x);", "return (x > 0) - (x < 0);"),
        NumberHelper::Least => {
            (of_two, "return x < y || isnan(y) || (x == y && signbit(x)) ? x : y;", "return min(x, y);")
        }
        NumberHelper::Greatest => {
            (of_two, "return x > y || isnan(y) || (x == y && !signbit(x)) ? x : y;", "return max(x, y);")
        }
        NumberHelper::Negate => (of_one, "return -x;", negated.as_str()),
    };
    let head = format!("{function}{scalar} {name}({parameters})");
    match ty {
        ScalarType::Parameter(parameter) => by_kind(parameter.index, &head, floats, integers),
        _ if ty.is_float() => format!("{head} {{ {floats} }}"),
        _ => format!("{head} {{ {integers} }}"),
    }
}

/// Of a type that is left open, the launcher gives the width. A narrow number is computed in `int`, and a
/// signed one in the unsigned type.
fn bits_definition(dialect: &dyn Dialect, name: &str, helper: BitHelper, ty: ScalarType) -> String {
    let (function, scalar, wrapping) =
        (dialect.function(), dialect.type_name(ty), wrapping_name(dialect, ty));
    let bits = match ty {
        ScalarType::Parameter(parameter) => format!("T{}_BITS", parameter.index),
        known => (8 * known.bytes()).to_string(),
    };
    let count = format!("(k & ({bits} - 1))");
    let with_count = || format!("{scalar} x, {scalar} k");
    let (parameters, result) = match helper {
        BitHelper::Shl => (with_count(), cut(dialect, ty, &format!("({wrapping})x << {count}"))),
        BitHelper::Shr => (with_count(), format!("({scalar})(x >> {count})")),
        BitHelper::Rotl => (with_count(), format!("rotate(x, ({scalar}){count})")),
        BitHelper::Rotr => (with_count(), format!("rotate(x, ({scalar})({bits} - {count}))")),
        BitHelper::TrailingZeros => {
            let zeros = cut(dialect, ty, &format!("~({wrapping})x & (({wrapping})x - 1)"));
            (format!("{scalar} x"), format!("popcount({zeros})"))
        }
        BitHelper::Power => return power_definition(dialect, name, ty),
    };
    format!("{function}{scalar} {name}({parameters}) {{ return {result}; }}")
}

/// A power by squares, in an unsigned type, where it wraps.
fn power_definition(dialect: &dyn Dialect, name: &str, ty: ScalarType) -> String {
    let (function, scalar, wrapping) =
        (dialect.function(), dialect.type_name(ty), wrapping_name(dialect, ty));
    let (unsigned, result) = (dialect.type_name(ScalarType::U32), cut(dialect, ty, "power"));
    format!(
        "{function}{scalar} {name}({scalar} x, {unsigned} n) {{\n    {wrapping} power = 1, square = x;\n    \
         for (; n > 0; n >>= 1) {{\n        if (n & 1) power *= square;\n        square *= square;\n    }}\n    \
         return {result};\n}}"
    )
}

/// A conversion with Rust's meaning. OpenCL leaves open what a saturating conversion returns for NaN, and
/// only recommends 0. NVIDIA's GPUs return powers of two for conversions from `double` and to 64 bits (PTX
/// ISA, instruction `cvt`); Oclgrind returns the smallest `char`.
fn cast_definition(dialect: &dyn Dialect, name: &str, from: ScalarType, to: ScalarType) -> String {
    let function = dialect.function();
    let (from_name, to_name) = (dialect.type_name(from), dialect.type_name(to));
    let head = format!("{function}{to_name} {name}({from_name} x)");
    let floats = format!("return isnan(x) ? ({to_name})0 : {};", dialect.convert_saturated(&to_name, "x"));
    let integers = format!("return ({to_name})x;");
    match from {
        ScalarType::Parameter(parameter) => by_kind(parameter.index, &head, &floats, &integers),
        _ if from.is_float() => format!("{head} {{ {floats} }}"),
        _ => format!("{head} {{ {integers} }}"),
    }
}

/// `(float4)(…, …, …, …)`
fn components(dialect: &dyn Dialect, vector: &str, lanes: u8, component: impl Fn(u8) -> String) -> String {
    let components: Vec<String> = (0..lanes).map(component).collect();
    dialect.vector(vector, &components.join(", "))
}

/// The operator of a helper that wraps 16 bits, with its type: vectors are computed in a wider type.
fn narrow_arithmetic(helper: &Helper) -> Option<(BinaryOperator, ScalarType)> {
    match helper {
        Helper::Arithmetic(
            operator @ (BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply),
            ty,
        ) if has_16_bits(*ty) => Some((*operator, *ty)),
        _ => None,
    }
}

/// The operator of a helper that wraps, with its signed type and the unsigned one of the same width, in which
/// vectors wrap.
fn unsigned_twin(helper: &Helper) -> Option<(BinaryOperator, ScalarType, ScalarType)> {
    let Helper::Arithmetic(
        operator @ (BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply),
        signed,
    ) = helper
    else {
        return None;
    };
    let unsigned = match signed {
        ScalarType::I8 => ScalarType::U8,
        ScalarType::I32 => ScalarType::U32,
        ScalarType::I64 => ScalarType::U64,
        ScalarType::Bool
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::U32
        | ScalarType::U64
        | ScalarType::F16
        | ScalarType::F32
        | ScalarType::F64
        | ScalarType::Parameter(_) => return None,
    };
    Some((*operator, *signed, unsigned))
}

/// The type of `abs` of signed numbers that overflow, and the unsigned one of the same width.
fn signed_magnitude(helper: &Helper) -> Option<(ScalarType, ScalarType)> {
    match helper {
        Helper::Number(NumberHelper::Abs, ScalarType::I32) => Some((ScalarType::I32, ScalarType::U32)),
        Helper::Number(NumberHelper::Abs, ScalarType::I64) => Some((ScalarType::I64, ScalarType::U64)),
        _ => None,
    }
}

fn lanes_definition(dialect: &dyn Dialect, name: &str, helper: &Helper, lanes: u8) -> String {
    let function = dialect.function();
    if let Some((signed, unsigned)) = signed_magnitude(helper) {
        let (signed, unsigned) = (dialect.vector_name(signed, lanes), dialect.vector_name(unsigned, lanes));
        let opposite = format!("-{}", dialect.reinterpret(&unsigned, "x"));
        let opposite = dialect.reinterpret(&signed, &opposite);
        return format!("{function}{signed} {name}({signed} x) {{ return x < 0 ? {opposite} : x; }}");
    }
    if let Some((operator, signed, unsigned)) = unsigned_twin(helper) {
        let (signed, unsigned) = (dialect.vector_name(signed, lanes), dialect.vector_name(unsigned, lanes));
        let symbol = operator.symbol();
        let [x, y] = ["x", "y"].map(|operand| dialect.reinterpret(&unsigned, operand));
        let result = dialect.reinterpret(&signed, &format!("{x} {symbol} {y}"));
        return format!("{function}{signed} {name}({signed} x, {signed} y) {{ return {result}; }}");
    }
    if let Some((operator, ty)) = narrow_arithmetic(helper) {
        let (vector, wide) = (dialect.vector_name(ty, lanes), dialect.vector_name(ScalarType::U32, lanes));
        let symbol = operator.symbol();
        let [x, y] = ["x", "y"].map(|operand| dialect.convert(&wide, operand));
        let result = dialect.convert(&vector, &format!("{x} {symbol} {y}"));
        return format!("{function}{vector} {name}({vector} x, {vector} y) {{ return {result}; }}");
    }
    let Some((result, arguments)) = helper.signature() else { return String::new() };
    let names = ["x", "y"];
    let parameters: Vec<String> = arguments
        .iter()
        .zip(names)
        .map(|(ty, name)| format!("{} {name}", dialect.vector_name(*ty, lanes)))
        .collect();
    let component = |lane: u8| {
        let lane = dialect.components(lane..lane + 1);
        let of_lane: Vec<String> =
            arguments.iter().zip(names).map(|(_, name)| format!("{name}.{lane}")).collect();
        format!("{}({})", helper.name(dialect), of_lane.join(", "))
    };
    let result = dialect.vector_name(result, lanes);
    let body = components(dialect, &result, lanes, component);
    format!("{function}{result} {name}({}) {{ return {body}; }}", parameters.join(", "))
}

/// Languages have `dot` for floats, of up to four components.
fn dot_definition(dialect: &dyn Dialect, name: &str, ty: ScalarType, lanes: u8) -> String {
    let function = dialect.function();
    let (scalar, vector) = (dialect.type_name(ty), dialect.vector_name(ty, lanes));
    let body = if ty.is_float() {
        let parts: Vec<String> = (0..lanes / 4)
            .map(|part| {
                let lanes = dialect.components(4 * part..4 * part + 4);
                format!("dot(x.{lanes}, y.{lanes})")
            })
            .collect();
        parts.join(" + ")
    } else {
        let (add, multiply) = (
            Helper::Arithmetic(BinaryOperator::Add, ty).name(dialect),
            Helper::Arithmetic(BinaryOperator::Multiply, ty).name(dialect),
        );
        let product = |lane: u8| {
            let lane = dialect.components(lane..lane + 1);
            format!("{multiply}(x.{lane}, y.{lane})")
        };
        (1..lanes).fold(product(0), |sum, lane| format!("{add}({sum}, {})", product(lane)))
    };
    format!("{function}{scalar} {name}({vector} x, {vector} y) {{ return {body}; }}")
}

fn by_kind(parameter: usize, head: &str, floats: &str, integers: &str) -> String {
    format!("#if T{parameter}_IS_FLOAT\n{head} {{ {floats} }}\n#else\n{head} {{ {integers} }}\n#endif")
}

/// Defines the vector types of the type parameters that a text uses: `T0_4` is the vector of four of whatever
/// `T0` is.
pub(super) fn vector_definitions(type_parameters: &[usize], text: &str) -> String {
    let uses = |name: &String| {
        text.match_indices(name.as_str()).any(|(start, _)| {
            let rest = text.get(start + name.len()..).unwrap_or_default();
            !rest.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let vectors: Vec<String> = type_parameters
        .iter()
        .flat_map(|index| VECTOR_WIDTHS.iter().map(move |width| (index, width)))
        .filter(|(index, width)| uses(&format!("T{index}_{width}")))
        .map(|(index, width)| format!("#define T{index}_{width} VECTOR(T{index}, {width})\n"))
        .collect();
    if vectors.is_empty() {
        return String::new();
    }
    format!(
        "#define VECTOR_(type, width) type##width\n#define VECTOR(type, width) VECTOR_(type, width)\n{}",
        vectors.concat()
    )
}

/// The definitions of types that the launcher may override.
pub(super) fn type_definitions(type_parameters: &[usize]) -> String {
    let mut text = String::from("#ifndef index_t\n#define index_t int\n#endif\n");
    for index in type_parameters {
        text += &format!(
            "#ifndef T{index}\n#define T{index} float\n#define T{index}_WRAPPING float\n#define T{index}_IS_FLOAT 1\n\
             #define T{index}_BITS 32\n#endif\n\
             #if T{index}_BITS == 64\n#define T{index}_LITERAL(x) x\n#else\n#define T{index}_LITERAL(x) ((T{index})x##f)\n#endif\n"
        );
    }
    text
}
