//! Random programs of loops inside one another: in `let`s, in windows, in functions that mention what is
//! outside of them, under `at`. Every one of them has a type.

use crate::support::Choices;

/// The parameters of every program; which lengths their arrays have says [`Length`].
const PARAMETERS: &str = "a: [f32; N], b: [f32; M], c: [[f32; N]; M], d: [[f32; M]; N], p: f32";

/// A length of arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    N,
    M,
}

impl Length {
    fn name(self) -> &'static str {
        match self {
            Length::N => "N",
            Length::M => "M",
        }
    }
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Row(Length),
    Matrix { rows: Length, columns: Length },
}

/// A program from choices.
pub(crate) fn program(choices: &mut Choices) -> String {
    let scope = [
        ("a", Type::Row(Length::N)),
        ("b", Type::Row(Length::M)),
        ("c", Type::Matrix { rows: Length::M, columns: Length::N }),
        ("d", Type::Matrix { rows: Length::N, columns: Length::M }),
        ("p", Type::Number),
    ];
    let scope = scope.map(|(name, ty)| (name.to_owned(), ty)).to_vec();
    let mut generator = Generator { choices, scope, names: 0 };
    let length = generator.length();
    let body = match generator.choices.below(3) {
        0 => generator.matrix(length, generator.other(length), 4),
        _ => generator.row(length, 4),
    };
    format!("|{PARAMETERS}| {body}")
}

struct Generator<'c> {
    choices: &'c mut Choices,
    /// What is bound around the expression at hand.
    scope: Vec<(String, Type)>,
    names: usize,
}

impl Generator<'_> {
    fn length(&mut self) -> Length {
        self.choices.pick(&[Length::N, Length::M])
    }

    fn other(&self, length: Length) -> Length {
        match length {
            Length::N => Length::M,
            Length::M => Length::N,
        }
    }

    /// A variable of a type, the innermost ones more often.
    fn variable(&mut self, ty: Type) -> Option<String> {
        let known: Vec<&String> =
            self.scope.iter().rev().filter(|(_, own)| *own == ty).map(|(name, _)| name).collect();
        let chosen = self.choices.below(known.len().max(1)).min(self.choices.below(known.len().max(1)));
        known.get(chosen).map(|name| (*name).clone())
    }

    /// What stands where a variable is bound, and its name.
    fn with(&mut self, ty: Type, inside: impl FnOnce(&mut Self) -> String) -> (String, String) {
        self.names += 1;
        let name = format!("x{}", self.names);
        self.scope.push((name.clone(), ty));
        let text = inside(self);
        self.scope.pop();
        (name, text)
    }

    fn function(&mut self, ty: Type, body: impl FnOnce(&mut Self) -> String) -> String {
        let (name, body) = self.with(ty, body);
        format!("|{name}| {body}")
    }

    /// Something with a name, and what is made of it.
    fn bound(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let length = self.length();
        let (ty, value) = match self.choices.below(4) {
            0 => (Type::Number, self.number(depth)),
            1 => {
                let columns = self.other(length);
                (Type::Matrix { rows: length, columns }, self.matrix(length, columns, depth))
            }
            _ => (Type::Row(length), self.row(length, depth)),
        };
        let (name, body) = self.with(ty, body);
        format!("{{ let {name} = {value}; {body} }}")
    }

    fn number(&mut self, depth: usize) -> String {
        let Some(deeper) = depth.checked_sub(1) else { return self.simple_number() };
        match self.choices.below(9) {
            0 => self.simple_number(),
            1 => format!("({} + {})", self.number(deeper), self.number(deeper)),
            2 => format!("exp({})", self.number(deeper)),
            3 => self.bound(deeper, |inside| inside.number(deeper)),
            4 => {
                let length = self.length();
                format!("at({} as i32, {})", self.simple_number(), self.row(length, deeper))
            }
            5 => {
                let length = self.length();
                format!("at(0, {})", self.row(length, deeper))
            }
            6 => {
                let length = self.length();
                format!("dotProduct({}, {})", self.row(length, deeper), self.row(length, deeper))
            }
            _ => {
                let length = self.length();
                let operator = self.choices.pick(&["add", "max", "|s, x| s * p + x"]);
                format!("reduce({operator}, 0, {})", self.row(length, deeper))
            }
        }
    }

    fn simple_number(&mut self) -> String {
        let variable = self.variable(Type::Number);
        match self.choices.below(3) {
            0 => "2".to_owned(),
            _ => variable.unwrap_or_else(|| "3".to_owned()),
        }
    }

    fn row(&mut self, length: Length, depth: usize) -> String {
        let ty = Type::Row(length);
        let Some(deeper) = depth.checked_sub(1) else {
            let variable = self.variable(ty);
            return variable.unwrap_or_else(|| format!("repeat({}, p)", length.name()));
        };
        match self.choices.below(12) {
            0 => self.row(length, 0),
            1 | 2 => {
                let function = self.function(Type::Number, |inside| inside.number(deeper));
                format!("map({function}, {})", self.row(length, deeper))
            }
            3 => {
                let (name, body) = self.with(Type::Number, |inside| inside.number(deeper));
                format!("generate({}, |i| {{ let {name} = i as f32; {body} }})", length.name())
            }
            4 => {
                let columns = self.other(length);
                let function = self.function(Type::Row(columns), |inside| inside.number(deeper));
                format!("map({function}, {})", self.matrix(length, columns, deeper))
            }
            5 => {
                let (left, right) = self.choices.pick(&[(1, 1), (0, 2), (2, 2)]);
                let border = self.choices.pick(&["clamp", "mirror", "wrap"]);
                let window = left + right + 1;
                let operator = self.choices.pick(&["add", "max", "|s, x| s * p + x"]);
                let row = self.row(length, deeper);
                format!(
                    "({row}) >> pad({left}, {right}, {border}) >> slide({window}, 1) >> map(reduce({operator}, 0))"
                )
            }
            6 => {
                let scan =
                    self.choices.pick(&["scan(add, 0)", "scanInclusive(max)", "scan(|s, x| s * p + x, 0)"]);
                format!("{scan}({})", self.row(length, deeper))
            }
            7 | 8 => self.bound(deeper, |inside| inside.row(length, deeper)),
            9 => {
                let function = self.function(ty, |inside| inside.row(length, deeper));
                let count = self.choices.pick(&["2", "3", "9"]);
                format!("iterate({count}, {function}, {})", self.row(length, deeper))
            }
            10 => format!("reverse({})", self.row(length, deeper)),
            _ => {
                let (left, right) = (self.row(length, deeper), self.row(length, deeper));
                format!("(zip({left}, {right}) >> map(|x, y| x * y))")
            }
        }
    }

    fn matrix(&mut self, rows: Length, columns: Length, depth: usize) -> String {
        let ty = Type::Matrix { rows, columns };
        let Some(deeper) = depth.checked_sub(1) else {
            let variable = self.variable(ty);
            return variable.unwrap_or_else(|| format!("repeat({}, {})", rows.name(), self.row(columns, 0)));
        };
        match self.choices.below(6) {
            0 => self.matrix(rows, columns, 0),
            1 => {
                let function = self.function(Type::Row(columns), |inside| inside.row(columns, deeper));
                format!("map({function}, {})", self.matrix(rows, columns, deeper))
            }
            2 => {
                let function = self.function(Type::Number, |inside| inside.row(columns, deeper));
                format!("map({function}, {})", self.row(rows, deeper))
            }
            3 => format!("transpose({})", self.matrix(columns, rows, deeper)),
            4 => self.bound(deeper, |inside| inside.matrix(rows, columns, deeper)),
            _ => {
                let function = self.function(Type::Number, |inside| inside.number(deeper));
                format!("map2({function}, {})", self.matrix(rows, columns, deeper))
            }
        }
    }
}
