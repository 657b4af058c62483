//! Every form of expression has the type in a kernel's text that it has in the program: C promotes integers
//! of 8 and 16 bits to `int`, which no overload takes beside them and no vector of them. Everything that
//! makes a number is put into everything that takes one, for every integer type, and random expressions mix
//! all types; both at the edges of the types, on an OpenCL device, against `eval`.

use crate::compare::compare_with;
use crate::kernels::kernels;
use crate::random::{self, Target};
use lift_core::eval::{Argument, Value};
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;

const INTEGERS: [&str; 8] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];

/// How many of them C promotes.
const NARROW: usize = 4;

/// What makes a number of type `T`, from `x` and `y` of that type and `z: i32`.
const PRODUCERS: [&str; 26] = [
    "x",
    "5",
    "(x + y)",
    "(x * y - 7)",
    "(x / y)",
    "(x % 3)",
    "(0 - x)",
    "(if z < 3 { x } else { y })",
    "select(z < 3, y, x)",
    "(if z < 0 { x } else { if z < 3 { y } else { 5 } })",
    "(z as T)",
    "halved(x)",
    "max(x, y)",
    "abs(x)",
    "sign(y)",
    "mad(x, y, 3)",
    "at(z, [x, y, 1])",
    "{ let t = if z > 2 { y } else { x }; t - t * t }",
    "reduce(add, 1, [x, y, x])",
    "(x & y)",
    "(x ^ 5 | y)",
    "(!x)",
    "reduce(bitXor, 1, [x, y, x])",
    "shl(x, y)",
    "rotr(x, 3)",
    "popcount(x)",
];

/// What takes numbers `P` and `Q` of type `T` and makes another one.
const CONSUMERS: [&str; 35] = [
    "-P",
    "min(P, Q)",
    "max(Q, P)",
    "clampv(P, 2, Q)",
    "abs(P)",
    "sign(P)",
    "mad(P, Q, P)",
    "P + Q",
    "P - Q",
    "P * Q",
    "P / Q",
    "P % Q",
    "if P < Q { P } else { Q }",
    "select(P == Q, x, P)",
    "if P >= 3 && Q != P { P } else { 1 }",
    "(P as i64) as T",
    "(P as f32) as T",
    "halved(P)",
    "reduce(max, P, [Q, x])",
    "P & Q",
    "P | Q ^ x",
    "shl(P, Q)",
    "shl(P, 3) ^ Q",
    "shr(P, Q)",
    "shr(P, 2) & shr(Q, -1 as T)",
    "rotl(P, Q)",
    "rotl(P, 5) | rotl(Q, 0)",
    "rotr(Q, P)",
    "mulHi(P, Q)",
    "min(popcount(P), Q)",
    "leadingZeros(P) + trailingZeros(Q)",
    "max(trailingZeros(P ^ P), leadingZeros(Q & 3))",
    "!P",
    "min(P ^ x, !Q)",
    "if (P & 3 == 2) ^ ((Q < 3) | !(P < 5)) { P } else { Q | 1 }",
];

/// What takes a vector `v`, numbers `P` and `Q`, and makes a vector.
const VECTOR_CONSUMERS: [&str; 26] = [
    "-(v + P)",
    "v + P",
    "P - v",
    "v * P",
    "v / P",
    "P % v",
    "min(v, P)",
    "max(P, v)",
    "clampv(v, P, Q)",
    "mad(v, P, v)",
    "abs(v - P)",
    "select(v < P, v, v + v)",
    "if z < 3 { v + P } else { v }",
    "mapVec(|l| if l < P { Q } else { l }, v)",
    "at(0, [P, x, Q, P] >> asVector(4))",
    "v & P",
    "P ^ v | Q",
    "!v + P",
    "shl(v, P)",
    "shr(v, v) ^ shl(v, 3)",
    "shr(v, 2) | shl(P, v)",
    "rotl(v, P) ^ rotr(v, 3)",
    "rotr(v, v) + rotl(v, 1)",
    "mulHi(v, P)",
    "popcount(v) + leadingZeros(v) * trailingZeros(v)",
    "select((v < P) ^ !(v == Q), !v, v & v)",
];

/// Choices of narrow numbers where C takes no `int`, and absolute values.
const CHOICES: [&str; 10] = [
    "|a: [i32; N], b: [u32; N]| zip(a, b) >> map(|x, y| min(if x < 3 { x as u8 } else { y as u8 }, y as u8) as u32)",
    "|a: [i32; N], b: [u32; N]| zip(a, b) >> map(|x, y| max(select(x < 3, x as i16, y as i16), y as i16) as u32)",
    "|a: [i32; N], b: [u32; N], c: [u64; N]| zip(a, b, c) >> map(|x, y, z| clampv(if x < 3 { x as u8 } else { y as u8 }, y as u8, z as u8))",
    "|a: [i32; N], b: [u32; N]| zip(a, b) >> map(|x, y| abs(if x < 3 { x as i8 } else { y as i8 }) as u32)",
    "|a: [i32; N], b: [u32; N]| zip(a, b) >> map(|x, y| sign(if x < 3 { x as i8 } else { y as i8 }) as u32)",
    "|a: [i32; N], b: [u32; N]| zip(a, b) >> map(|x, y| (if x < 3 { x as i8 } else { y as i8 }) as u32)",
    "|a: [u8; N], v: [u8x4; N]| zip(a, v) >> map(|x, v| v + (if x < 3 { x } else { 7 }))",
    // The smallest number is its own absolute value.
    "|a: [i32; N], b: [i64; N]| zip(a, b) >> map(|x, y| (abs(x) < 3, sign(abs(y))))",
    "|v: [i32x4; N]| v >> map(|v| sign(abs(v)))",
    "|v: [i64x2; N]| v >> map(|v| abs(v) as i32x2)",
];

/// The text with letters replaced by parts.
fn with(text: &str, parts: &[(char, &str)]) -> String {
    let part = |letter: char| parts.iter().find(|(name, _)| *name == letter).map(|(_, part)| *part);
    text.chars().map(|letter| part(letter).map_or(letter.to_string(), str::to_owned)).collect()
}

/// What consumers make of what the producers of two numbers make.
fn consumed(consumers: &[&str], number: usize, element: &str) -> Vec<String> {
    let producer = |number: usize| with(PRODUCERS[number % PRODUCERS.len()], &[('T', element)]);
    let (first, second) = (producer(number), producer(number + 7));
    let parts = [('T', element), ('P', first.as_str()), ('Q', second.as_str())];
    // Only signed numbers are negated.
    let fits = |text: &&&str| element.starts_with('i') || !text.starts_with('-');
    consumers.iter().filter(fits).map(|text| with(text, &parts)).collect()
}

/// Programs of types and producers: of every `every[0]`-th producer for narrow types, and of every
/// `every[1]`-th one for others.
fn programs(program: impl Fn(&str, usize) -> String, every: [usize; 2]) -> Vec<String> {
    let mut programs = Vec::new();
    for (position, element) in INTEGERS.iter().enumerate() {
        let every = every[usize::from(position >= NARROW)];
        let numbers = (0..PRODUCERS.len()).filter(|number| (number + position) % every == 0);
        programs.extend(numbers.map(|number| program(element, number)));
    }
    programs
}

/// Programs of scalars.
fn scalar_programs() -> Vec<String> {
    let program = |element: &str, number: usize| {
        let values = consumed(&CONSUMERS, number, element);
        format!(
            "fn halved(x: {element}) -> {element} {{ if x < 3 {{ x }} else {{ x / 2 }} }}
             fn f<const N: usize>(a: [{element}; N], b: [{element}; N], c: [i32; N]) -> [[{element}; {}]; N] {{
             zip(a, b, c) >> mapGlb0(|x, y, z| [{}]) }}",
            values.len(),
            values.join(", ")
        )
    };
    programs(program, [1, 4])
}

/// The same beside vectors.
fn vector_programs() -> Vec<String> {
    let program = |element: &str, number: usize| {
        let values = consumed(&VECTOR_CONSUMERS, number, element);
        format!(
            "fn halved(x: {element}) -> {element} {{ if x < 3 {{ x }} else {{ x / 2 }} }}
             fn f<const N: usize>(v: [{element}x4; N], a: [{element}; N], b: [{element}; N], c: [i32; N]) -> [[{element}x4; {}]; N] {{
             zip(v, a, b, c) >> mapGlb0(|v, x, y, z| [{}]) }}",
            values.len(),
            values.join(", ")
        )
    };
    programs(program, [2, 5])
}

/// A source of random choices.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    /// A random expression of a type over a parameter of each type. Floating-point numbers are only
    /// converted, compared and chosen, so that they are exact.
    fn expression(&mut self, element: &str, depth: usize) -> String {
        if depth == 0 || self.below(8) == 0 {
            return if self.below(4) == 0 {
                format!("({} as {element})", self.below(9))
            } else {
                format!("x_{element}")
            };
        }
        let mut of = |element: &str| self.expression(element, depth - 1);
        let (first, second) = (of(element), of(element));
        let others: Vec<&str> = INTEGERS.iter().copied().chain(["f32", "f64"]).collect();
        let other = self.pick(&others);
        let (third, fourth) = (self.expression(other, depth - 1), self.expression(other, depth - 1));
        let compared = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let condition = format!("{third} {compared} {fourth}");
        let operator = self.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]);
        match self.below(if element.starts_with('f') { 6 } else { 13 }) {
            0 => format!("(if {condition} {{ {first} }} else {{ {second} }})"),
            1 => format!("select({condition}, {first}, {second})"),
            2 => format!("min({first}, {second})"),
            3 => format!("max({first}, {second})"),
            4 => format!("({third} as {element})"),
            5 => format!("clampv({first}, (2 as {element}), {second})"),
            6 => format!("abs({first})"),
            7 => format!("sign({first})"),
            8 => format!("mad({first}, {second}, {first})"),
            9 => format!("(!{first})"),
            10 => format!("{}({first}, {second})", self.pick(&["shl", "shr", "rotl", "rotr", "mulHi"])),
            11 => format!("{}({first})", self.pick(&["popcount", "leadingZeros", "trailingZeros"])),
            _ => format!("({first} {operator} {second})"),
        }
    }

    fn program(&mut self) -> String {
        let all: Vec<&str> = INTEGERS.iter().copied().chain(["f32", "f64"]).collect();
        let parameters: Vec<String> =
            all.iter().map(|element| format!("a_{element}: [{element}; N]")).collect();
        let arrays: Vec<String> = all.iter().map(|element| format!("a_{element}")).collect();
        let elements: Vec<String> = all.iter().map(|element| format!("x_{element}")).collect();
        let values: Vec<String> =
            all.iter().map(|element| format!("{} as u64", self.expression(element, 3))).collect();
        format!(
            "fn f<const N: usize>({}) -> [[u64; {}]; N] {{ zip({}) >> mapGlb0(|{}| [{}]) }}",
            parameters.join(", "),
            values.len(),
            arrays.join(", "),
            elements.join(", "),
            values.join(", ")
        )
    }
}

/// Small numbers and those at the edges of their types.
fn number(scalar: ScalarType, position: usize) -> Value {
    let small = [3, -1, 0, 100, 2, -9, 1, 5, -128, 7, 4, 6, -3][position * 7 % 13];
    match limits(scalar) {
        Some((least, greatest)) => Value::Integer(
            scalar,
            match position % 5 {
                1 => least + i128::from(small % 3 == 0),
                3 => greatest - i128::from(small % 2 == 0),
                _ => i128::from(small).clamp(least, greatest),
            },
        ),
        None if scalar == ScalarType::F64 => Value::F64(f64::from(small) * 1e9 + 0.5),
        None => Value::F32(small as f32 * 1.5),
    }
}

/// The least and the greatest number of an integer type.
fn limits(scalar: ScalarType) -> Option<(i128, i128)> {
    let (bits, is_signed) = match scalar {
        ScalarType::I8 => (8, true),
        ScalarType::U8 => (8, false),
        ScalarType::I16 => (16, true),
        ScalarType::U16 => (16, false),
        ScalarType::I32 => (32, true),
        ScalarType::U32 => (32, false),
        ScalarType::I64 => (64, true),
        ScalarType::U64 => (64, false),
        ScalarType::Bool | ScalarType::F16 | ScalarType::F32 | ScalarType::F64 | ScalarType::Parameter(_) => {
            return None;
        }
    };
    Some(if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}

/// As many elements in every array.
const LENGTH: usize = 23;

fn arguments(program: &Program, _: &[usize]) -> Option<Vec<Argument>> {
    let array = |(parameter, ty): (usize, &ParameterType)| match ty {
        ParameterType::Value(Type::Array(array)) => {
            let element = |position: usize| match array.element {
                Type::Scalar(scalar) => Some(number(scalar, position * 3 + parameter)),
                Type::Vector(scalar, width) => {
                    let lanes = (0..usize::from(width)).map(|lane| number(scalar, position * 5 + lane));
                    Some(Value::Vector(lanes.collect()))
                }
                _ => None,
            };
            Some(Argument::Value(Value::Array((0..LENGTH).map(element).collect::<Option<_>>()?)))
        }
        _ => None,
    };
    program.parameters.iter().map(|parameter| &parameter.ty).enumerate().map(array).collect()
}

/// Compares all programs with their meaning, and says all that is wrong.
fn check(texts: &[String]) -> Result<(), String> {
    let device = random::opencl_device();
    let mut wrong = Vec::new();
    for text in texts {
        let compared = kernels(text).and_then(|kernels| {
            kernels.iter().try_for_each(|kernel| {
                compare_with(kernel, &[vec![LENGTH]], &arguments, &|_| 0.0, Target::opencl(&device))
            })
        });
        wrong.extend(compared.err().map(|error| format!("{text}\n{error}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} programs\n{}", wrong.len(), wrong.join("\n\n"))) }
}

#[test]
fn narrow_choices_are_narrow_and_the_smallest_number_has_no_opposite() -> Result<(), String> {
    check(&CHOICES.map(str::to_owned))
}

#[test]
fn every_form_of_expression_stands_in_every_other_one() -> Result<(), String> {
    check(&scalar_programs())
}

#[test]
fn every_form_of_expression_stands_beside_vectors() -> Result<(), String> {
    check(&vector_programs())
}

#[test]
fn random_expressions_of_all_types_compute_what_they_mean() -> Result<(), String> {
    let mut random = Random(1);
    let texts: Vec<String> = (0..20).map(|_| random.program()).collect();
    check(&texts)
}
