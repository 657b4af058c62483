//! The generator's view of types: with actual lengths, and with bounds on numbers.

/// Integers of 32 and 64 bits, and single precision numbers, are followed up to this magnitude, below which
/// all of them are exact.
const FOLLOWED: f64 = 4_194_304.0;

/// The same for half precision, which has 13 bits fewer.
const FOLLOWED_HALVES: f64 = 512.0;

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

/// An element type with the largest magnitude that its values can have; infinite where they are any values of
/// the type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scalar {
    pub(crate) element: Element,
    pub(crate) bound: f64,
}

/// A length as the program has it, with its actual value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Length {
    Literal(usize),
    Variable(String, usize),
    /// An expression over size variables that the generator does not write down.
    Computed(usize),
}

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Scalar(Scalar),
    /// A vector with this number of components.
    Vector(Scalar, usize),
    Tuple(Vec<Type>),
    Array(Box<Type>, Length),
}

impl Element {
    /// All numbers that every device has. Programs of half precision are a style of their own
    /// (`Style::Halves`).
    pub(crate) const NUMBERS: [Element; 10] = [
        Element::F32,
        Element::I32,
        Element::U8,
        Element::I8,
        Element::F64,
        Element::I64,
        Element::U32,
        Element::I16,
        Element::U16,
        Element::U64,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Element::Bool => "bool",
            Element::I8 => "i8",
            Element::U8 => "u8",
            Element::I16 => "i16",
            Element::U16 => "u16",
            Element::I32 => "i32",
            Element::U32 => "u32",
            Element::I64 => "i64",
            Element::U64 => "u64",
            Element::F16 => "f16",
            Element::F32 => "f32",
            Element::F64 => "f64",
        }
    }

    /// The least and the greatest integer of the type.
    pub(crate) fn limits(self) -> Option<(i128, i128)> {
        match self {
            Element::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Element::U8 => Some((u8::MIN.into(), u8::MAX.into())),
            Element::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            Element::U16 => Some((u16::MIN.into(), u16::MAX.into())),
            Element::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Element::U32 => Some((u32::MIN.into(), u32::MAX.into())),
            Element::I64 => Some((i64::MIN.into(), i64::MAX.into())),
            Element::U64 => Some((u64::MIN.into(), u64::MAX.into())),
            Element::Bool | Element::F16 | Element::F32 | Element::F64 => None,
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        self.limits().is_some()
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::F32 | Element::F64)
    }

    /// Whether numbers of the type may be negative.
    pub(crate) fn is_signed(self) -> bool {
        self.is_float() || self.limits().is_some_and(|(least, _)| least < 0)
    }

    pub(crate) fn is_unsigned(self) -> bool {
        self.limits().is_some_and(|(least, _)| least == 0)
    }

    /// Numbers of at most this magnitude are followed: floats are exact, and integers are in the range of
    /// their type.
    pub(crate) fn followed(self) -> f64 {
        match self.limits() {
            Some((_, greatest)) => FOLLOWED.min(greatest as f64),
            None if self == Element::F16 => FOLLOWED_HALVES,
            None => FOLLOWED,
        }
    }

    /// Whether arithmetic may lead to numbers as large as `bound`: integers may wrap, floats stay exact.
    pub(crate) fn allows(self, bound: f64) -> bool {
        match self {
            Element::Bool => false,
            Element::F16 | Element::F32 | Element::F64 => bound <= self.followed(),
            _ => true,
        }
    }

    /// A constant of this type, as it stands where the type is known.
    pub(crate) fn constant(self, value: usize) -> String {
        if self == Element::Bool { (value % 2 == 1).to_string() } else { value.to_string() }
    }
}

impl Scalar {
    /// A number that may exceed what is followed may as well be any.
    pub(crate) fn new(element: Element, bound: f64) -> Scalar {
        Scalar { element, bound: if bound <= element.followed() { bound } else { f64::INFINITY } }
    }

    /// The result of a subtraction: below zero, unsigned integers wrap.
    pub(crate) fn difference(element: Element, bound: f64) -> Scalar {
        Scalar::new(element, if element.is_unsigned() { f64::INFINITY } else { bound })
    }
}

impl Length {
    pub(crate) fn value(&self) -> usize {
        match self {
            Length::Literal(value) | Length::Variable(_, value) | Length::Computed(value) => *value,
        }
    }

    /// How the program writes it, if it can.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Length::Literal(value) => Some(value.to_string()),
            Length::Variable(name, _) => Some(name.clone()),
            Length::Computed(_) => None,
        }
    }

    /// A length computed from this one: literal if this one is.
    pub(crate) fn derived(&self, value: usize) -> Length {
        match self {
            Length::Literal(_) => Length::Literal(value),
            Length::Variable(..) | Length::Computed(_) => Length::Computed(value),
        }
    }

    /// A length computed from two.
    pub(crate) fn derived_with(&self, other: &Length, value: usize) -> Length {
        match other {
            Length::Literal(_) => self.derived(value),
            Length::Variable(..) | Length::Computed(_) => Length::Computed(value),
        }
    }
}

impl Type {
    pub(crate) fn array(element: Type, length: Length) -> Type {
        Type::Array(Box::new(element), length)
    }

    /// The element type and the length of an array.
    pub(crate) fn as_array(&self) -> Option<(&Type, &Length)> {
        match self {
            Type::Array(element, length) => Some((element, length)),
            Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) => None,
        }
    }

    pub(crate) fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Vector(..) | Type::Tuple(_) | Type::Array(..) => None,
        }
    }

    /// The elements of an array of numbers.
    pub(crate) fn as_numbers(&self) -> Option<(Scalar, &Length)> {
        let (element, length) = self.as_array()?;
        let scalar = element.as_scalar().filter(|scalar| scalar.element != Element::Bool)?;
        Some((scalar, length))
    }

    pub(crate) fn rank(&self) -> usize {
        self.as_array().map_or(0, |(element, _)| 1 + element.rank())
    }

    /// The number of scalars.
    pub(crate) fn count(&self) -> usize {
        match self {
            Type::Scalar(_) => 1,
            Type::Vector(_, width) => *width,
            Type::Tuple(components) => components.iter().map(Type::count).sum(),
            Type::Array(element, length) => element.count() * length.value(),
        }
    }

    /// Whether there are tuples inside the arrays.
    pub(crate) fn has_tuples(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) => false,
            Type::Tuple(_) => true,
            Type::Array(element, _) => element.has_tuples(),
        }
    }

    /// The type of either of two values, if they have one type but for bounds.
    pub(crate) fn merged(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Scalar(left), Type::Scalar(right)) if left.element == right.element => {
                Some(Type::Scalar(Scalar::new(left.element, left.bound.max(right.bound))))
            }
            (Type::Vector(left, width), Type::Vector(right, other))
                if left.element == right.element && width == other =>
            {
                Some(Type::Vector(Scalar::new(left.element, left.bound.max(right.bound)), *width))
            }
            // Computed lengths with one value need not be one formula.
            (Type::Array(left, length), Type::Array(right, other))
                if length == other && length.text().is_some() =>
            {
                Some(Type::array(left.merged(right)?, length.clone()))
            }
            (Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) | Type::Array(..), _) => None,
        }
    }

    /// Whether a program can write all lengths down.
    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) => true,
            Type::Tuple(components) => components.iter().all(Type::is_writable),
            Type::Array(element, length) => length.text().is_some() && element.is_writable(),
        }
    }

    /// Whether all lengths are literals.
    pub(crate) fn is_static(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Vector(..) => true,
            Type::Tuple(components) => components.iter().all(Type::is_static),
            Type::Array(element, length) => matches!(length, Length::Literal(_)) && element.is_static(),
        }
    }

    /// How a program writes it; lengths that it cannot write do not occur in parameters.
    pub(crate) fn text(&self) -> String {
        match self {
            Type::Scalar(scalar) => scalar.element.name().to_owned(),
            Type::Vector(scalar, width) => format!("{}x{width}", scalar.element.name()),
            Type::Tuple(components) => {
                let components: Vec<_> = components.iter().map(Type::text).collect();
                format!("({})", components.join(", "))
            }
            Type::Array(element, length) => {
                format!("[{}; {}]", element.text(), length.text().unwrap_or_else(|| "?".to_owned()))
            }
        }
    }
}
