//! What a kernel text needs before its first function: types that the launcher chooses, and helpers that say what C's
//! operators leave open.
//!
//! The launcher gives `index_t` and, for every type parameter `Tk`, four macros: `Tk` (the OpenCL type), `Tk_WRAPPING` (for
//! integers, an unsigned type at least as wide as `int`, in which arithmetic wraps; the type itself otherwise),
//! `Tk_IS_FLOAT` and `Tk_BITS`. The text defines what is not given, so that it also compiles alone.

use crate::kernel::ValueType;
use crate::scalar::{BinaryOperator, ScalarType};

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
    /// `as` from a type parameter to an integer.
    Cast(ScalarType, ScalarType),
}

/// Functions whose OpenCL name depends on whether a type parameter is a float.
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
}

/// The name of a scalar type in OpenCL C.
pub(super) fn type_name(ty: ScalarType) -> String {
    let name = match ty {
        ScalarType::Bool => "bool",
        ScalarType::I8 => "char",
        ScalarType::U8 => "uchar",
        ScalarType::I16 => "short",
        ScalarType::U16 => "ushort",
        ScalarType::I32 => "int",
        ScalarType::U32 => "uint",
        ScalarType::I64 => "long",
        ScalarType::U64 => "ulong",
        ScalarType::F16 => "half",
        ScalarType::F32 => "float",
        ScalarType::F64 => "double",
        ScalarType::Parameter(parameter) => return format!("T{}", parameter.index),
    };
    name.to_string()
}

/// The name of the type of a value in OpenCL C: `float`, `float4`.
pub(super) fn value_type_name(ty: ValueType) -> String {
    let scalar = type_name(ty.scalar);
    if ty.lanes == 1 { scalar } else { format!("{scalar}{}", ty.lanes) }
}

/// The name of the type in buffers: `bool` has no defined size there.
pub(super) fn storage_name(ty: ScalarType) -> String {
    if ty == ScalarType::Bool { "uchar".to_string() } else { type_name(ty) }
}

/// The unsigned type in which arithmetic of a signed integer type wraps.
fn wrapping_name(ty: ScalarType) -> String {
    match ty {
        ScalarType::I64 => "ulong".to_string(),
        ScalarType::Parameter(parameter) => format!("T{}_WRAPPING", parameter.index),
        _ => "uint".to_string(),
    }
}

impl Helper {
    /// Its name in the kernel text.
    pub(super) fn name(&self) -> String {
        match self {
            Helper::FloorDivide => "floor_divide".to_string(),
            Helper::FloorModulo => "floor_modulo".to_string(),
            Helper::Power => "index_power".to_string(),
            Helper::Log2 => "index_log2".to_string(),
            Helper::Arithmetic(operator, ty) => format!("{}_{}", operator_name(*operator), type_name(*ty)),
            Helper::Number(helper, ty) => format!("{}_{}", number_name(*helper), type_name(*ty)),
            Helper::Cast(from, to) => format!("{}_to_{}", type_name(*from), type_name(*to)),
        }
    }

    /// Its definition.
    pub(super) fn definition(&self) -> String {
        let name = self.name();
        match self {
            Helper::FloorDivide => {
                format!(
                    "index_t {name}(index_t x, index_t y) {{ return x / y - (x % y != 0 && (x < 0) != (y < 0)); }}"
                )
            }
            Helper::FloorModulo => {
                format!("index_t {name}(index_t x, index_t y) {{ return (x % y + y) % y; }}")
            }
            Helper::Power => format!(
                "index_t {name}(index_t x, index_t n) {{\n    index_t power = 1;\n    \
                 for (; n > 0; n -= 1) power *= x;\n    return power;\n}}"
            ),
            Helper::Log2 => format!(
                "index_t {name}(index_t x) {{\n    index_t log = 0;\n    \
                 for (; x > 1; x /= 2) log += 1;\n    return log;\n}}"
            ),
            Helper::Arithmetic(operator, ty) => arithmetic_definition(&name, *operator, *ty),
            Helper::Number(helper, ty) => number_definition(&name, *helper, *ty),
            Helper::Cast(from, to) => cast_definition(&name, *from, *to),
        }
    }
}

fn operator_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "add",
        BinaryOperator::Subtract => "subtract",
        BinaryOperator::Multiply => "multiply",
        BinaryOperator::Divide => "divide",
        BinaryOperator::Remainder => "remainder",
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => "compare",
    }
}

fn number_name(helper: NumberHelper) -> &'static str {
    match helper {
        NumberHelper::Min => "min",
        NumberHelper::Max => "max",
        NumberHelper::Abs => "abs",
        NumberHelper::Sign => "sign",
    }
}

fn arithmetic_definition(name: &str, operator: BinaryOperator, ty: ScalarType) -> String {
    let (scalar, wrapping, symbol) = (type_name(ty), wrapping_name(ty), operator.symbol());
    let head = format!("{scalar} {name}({scalar} x, {scalar} y)");
    let is_division = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
    if !is_division {
        return format!("{head} {{ return ({scalar})(({wrapping})x {symbol} ({wrapping})y); }}");
    }
    // Division by zero gives 0, the remainder of it the dividend; the smallest number divided by -1 wraps.
    let by_zero = if operator == BinaryOperator::Divide { "0" } else { "x" };
    let by_minus_one = match operator {
        BinaryOperator::Divide => format!("({scalar})(({wrapping})0 - ({wrapping})x)"),
        _ => "0".to_string(),
    };
    let unsigned = matches!(ty, ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64);
    let integers = if unsigned {
        format!("return y == 0 ? {by_zero} : x {symbol} y;")
    } else {
        format!(
            "return y == 0 ? {by_zero} : y == ({scalar})-1 && ({scalar})-1 < 0 ? {by_minus_one} : x {symbol} y;"
        )
    };
    let ScalarType::Parameter(parameter) = ty else { return format!("{head} {{ {integers} }}") };
    let floats = if operator == BinaryOperator::Divide { "return x / y;" } else { "return fmod(x, y);" };
    by_kind(parameter.index, &head, floats, &integers)
}

fn number_definition(name: &str, helper: NumberHelper, ty: ScalarType) -> String {
    let scalar = type_name(ty);
    let absolute = format!("return ({scalar})abs(x);");
    let (head, floats, integers) = match helper {
        NumberHelper::Min => {
            (format!("{scalar} {name}({scalar} x, {scalar} y)"), "return fmin(x, y);", "return min(x, y);")
        }
        NumberHelper::Max => {
            (format!("{scalar} {name}({scalar} x, {scalar} y)"), "return fmax(x, y);", "return max(x, y);")
        }
        NumberHelper::Abs => (format!("{scalar} {name}({scalar} x)"), "return fabs(x);", absolute.as_str()),
        NumberHelper::Sign => {
            (format!("{scalar} {name}({scalar} x)"), "return sign(x);", "return (x > 0) - (x < 0);")
        }
    };
    match ty {
        ScalarType::Parameter(parameter) => by_kind(parameter.index, &head, floats, integers),
        _ if ty.is_float() => format!("{head} {{ {floats} }}"),
        _ => format!("{head} {{ {integers} }}"),
    }
}

fn cast_definition(name: &str, from: ScalarType, to: ScalarType) -> String {
    let (from_name, to_name) = (type_name(from), type_name(to));
    let head = format!("{to_name} {name}({from_name} x)");
    let (floats, integers) = (format!("return convert_{to_name}_sat(x);"), format!("return ({to_name})x;"));
    match from {
        ScalarType::Parameter(parameter) => by_kind(parameter.index, &head, &floats, &integers),
        _ => format!("{head} {{ {integers} }}"),
    }
}

fn by_kind(parameter: usize, head: &str, floats: &str, integers: &str) -> String {
    format!("#if T{parameter}_IS_FLOAT\n{head} {{ {floats} }}\n#else\n{head} {{ {integers} }}\n#endif")
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
