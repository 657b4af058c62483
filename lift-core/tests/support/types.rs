//! The generator's view of types: with actual lengths, and with bounds on numbers.

/// Single precision numbers stay below this, so that they are exact.
pub(crate) const EXACT: f64 = 4_194_304.0;

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    I32,
    F32,
}

/// An element type with the largest magnitude that its values can have; infinite where integers may wrap.
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
    /// A vector of so many.
    Vector(Scalar, usize),
    Tuple(Vec<Type>),
    Array(Box<Type>, Length),
}

impl Element {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Element::I32 => "i32",
            Element::F32 => "f32",
        }
    }

    pub(crate) fn other(self) -> Element {
        match self {
            Element::I32 => Element::F32,
            Element::F32 => Element::I32,
        }
    }

    /// Whether numbers of this type may become as large as `bound`.
    pub(crate) fn allows(self, bound: f64) -> bool {
        match self {
            Element::I32 => true,
            Element::F32 => bound <= EXACT,
        }
    }
}

impl Scalar {
    /// Integers that may exceed the exact range may as well wrap.
    pub(crate) fn new(element: Element, bound: f64) -> Scalar {
        Scalar { element, bound: if bound <= EXACT { bound } else { f64::INFINITY } }
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
