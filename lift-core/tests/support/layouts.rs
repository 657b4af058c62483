//! Random layouts that an array admits.

use super::choices::Choices;
use super::rows::{permuted_rows, rearranged_rows};
use super::stage::Stage;
use super::types::{Element, Length, Scalar, Type};

/// No array of a program has more elements than this.
pub(crate) const LARGEST: usize = 2048;
/// No array of a program has a higher rank than this.
const HIGHEST_RANK: usize = 4;
const BOUNDARIES: [&str; 6] =
    ["clamp", "mirror", "wrap", "|i, n| i % n", "|i, n| 0", "|i, n| if i < 0 { 0 } else { n - 1 }"];

/// Which layouts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Any,
    /// Those that an array can be written through.
    Permutations,
}

/// The layouts, by the names of their primitives; `Inner` is one of the elements.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Reverse,
    Gather,
    Scatter,
    Increase,
    AsVector,
    AsScalar,
    Split,
    Join,
    Transpose,
    Tile,
    Untile,
    Inner,
    CustomGather,
    Slide,
    Pad,
    PadConstant,
    Pad2,
    Slide2,
    PadConstant2,
    PadRows,
    Slice,
    Element,
    Repeat,
    Unzip,
    Rows,
}

/// A random layout of an array: the function and the type of its result.
pub(crate) fn layout(choices: &mut Choices, ty: &Type, wanted: Wanted) -> Option<(Stage, Type)> {
    let (element, length) = ty.as_array()?;
    let kind = choices.pick(&kinds(element, length, wanted));
    let (stage, result) = match kind {
        Kind::Reverse => (Stage::Primitive("reverse", Vec::new()), ty.clone()),
        Kind::Gather => (one("gather", permutation(choices, length.value())), ty.clone()),
        Kind::Scatter => (one("scatter", permutation(choices, length.value())), ty.clone()),
        Kind::Increase => {
            let room = [choices.below(4), choices.below(4)].map(|room| room.to_string());
            (Stage::Primitive("increase", room.to_vec()), ty.clone())
        }
        Kind::AsVector => as_vector(choices, element, length)?,
        Kind::AsScalar => {
            let Type::Vector(scalar, width) = element else { return None };
            let scalars = length.derived(length.value() * width);
            (Stage::Primitive("asScalar", Vec::new()), Type::array(Type::Scalar(*scalar), scalars))
        }
        Kind::CustomGather => (one("gather", index_function(choices, length)), ty.clone()),
        Kind::Inner => {
            let (stage, inner) = layout(choices, element, wanted)?;
            (one("map", stage.function()), Type::array(inner, length.clone()))
        }
        Kind::Split => split(choices, element, length),
        Kind::Join => join(element, length)?,
        Kind::Transpose => {
            let (inner, columns) = element.as_array()?;
            let column = Type::array(inner.clone(), length.clone());
            (Stage::Primitive("transpose", Vec::new()), Type::array(column, columns.clone()))
        }
        Kind::Tile => tile(choices, element, length)?,
        Kind::Untile => untile(element, length)?,
        Kind::Slide => slide(choices, element, length),
        Kind::Slide2 => slide2(choices, element, length)?,
        Kind::Pad => {
            let (left, right) = (choices.below(4), choices.below(4));
            let boundary = choices.pick(&BOUNDARIES).to_owned();
            let arguments = vec![left.to_string(), right.to_string(), boundary];
            (Stage::Primitive("pad", arguments), padded(element.clone(), length, left + right))
        }
        Kind::Pad2 => {
            let (left, right) = (choices.below(3), choices.below(3));
            let boundary = choices.pick(&BOUNDARIES).to_owned();
            let arguments = vec![left.to_string(), right.to_string(), boundary];
            (Stage::Primitive("pad2", arguments), padded2(element, length, left + right)?)
        }
        Kind::PadConstant => {
            let (left, right, value) = (choices.below(4), choices.below(4), choices.below(9));
            let constant = element_of(element).constant(value);
            let arguments = vec![left.to_string(), right.to_string(), constant];
            let element = match element {
                Type::Vector(scalar, width) => Type::Vector(with_constant(*scalar, value), *width),
                _ => Type::Scalar(with_constant(element.as_scalar()?, value)),
            };
            (Stage::Primitive("padConstant", arguments), padded(element, length, left + right))
        }
        Kind::PadConstant2 => {
            let (left, right, value) = (choices.below(3), choices.below(3), choices.below(9));
            let (inner, columns) = element.as_array()?;
            let constant = element_of(inner).constant(value);
            let arguments = vec![left.to_string(), right.to_string(), constant];
            let inner = Type::Scalar(with_constant(inner.as_scalar()?, value));
            let element = Type::array(inner, columns.clone());
            (Stage::Primitive("padConstant2", arguments), padded2(&element, length, left + right)?)
        }
        Kind::PadRows => pad_rows(choices, element, length)?,
        Kind::Slice => slice(choices, element, length),
        Kind::Element => (one_element(choices, length), element.clone()),
        Kind::Repeat => {
            let times = 1 + choices.below(3);
            (one("repeat", times.to_string()), Type::array(ty.clone(), Length::Literal(times)))
        }
        Kind::Unzip => unzip(choices, element, length)?,
        Kind::Rows => {
            let (stage, joined) = match wanted {
                Wanted::Any => rearranged_rows(choices, length),
                Wanted::Permutations => permuted_rows(choices, length),
            };
            (stage, Type::array(element.clone(), joined))
        }
    };
    (result.count() <= LARGEST && result.rank() <= HIGHEST_RANK).then_some((stage, result))
}

/// The layouts that an array of these elements admits.
fn kinds(element: &Type, length: &Length, wanted: Wanted) -> Vec<Kind> {
    let mut kinds = vec![Kind::Reverse, Kind::Gather, Kind::Split, Kind::Scatter, Kind::Increase, Kind::Rows];
    let inner = element.as_array().map(|(inner, _)| inner);
    if inner.is_some() {
        kinds.extend([Kind::Join, Kind::Transpose, Kind::Tile, Kind::Inner, Kind::Inner]);
    }
    match element {
        Type::Scalar(scalar) if scalar.element != Element::Bool && length.value().is_multiple_of(2) => {
            kinds.extend([Kind::AsVector, Kind::AsVector]);
        }
        Type::Vector(..) => kinds.extend([Kind::AsScalar, Kind::AsScalar]),
        Type::Scalar(_) | Type::Tuple(_) | Type::Array(..) => {}
    }
    if element.rank() >= 3 {
        kinds.extend([Kind::Untile, Kind::Untile]);
    }
    if wanted == Wanted::Permutations {
        return kinds;
    }
    kinds.extend([Kind::Slide, Kind::Slide, Kind::Pad, Kind::Pad, Kind::Slice, Kind::Slice, Kind::Repeat]);
    if let Type::Tuple(_) = element {
        kinds.extend([Kind::Unzip, Kind::Unzip, Kind::Unzip]);
    }
    if length.text().is_some() {
        kinds.push(Kind::CustomGather);
    }
    if matches!(element, Type::Scalar(_) | Type::Vector(..)) {
        kinds.push(Kind::PadConstant);
    }
    if inner.is_some() {
        kinds.extend([Kind::Pad2, Kind::Slide2, Kind::Element]);
    }
    if inner.is_some_and(|inner| inner.as_scalar().is_some()) {
        kinds.extend([Kind::PadConstant2, Kind::PadRows]);
    }
    kinds
}

fn one(name: &'static str, argument: String) -> Stage {
    Stage::Primitive(name, vec![argument])
}

/// A random divisor.
fn divisor(choices: &mut Choices, length: usize) -> usize {
    let divisors: Vec<_> = (1..=length).filter(|divisor| length.is_multiple_of(*divisor)).collect();
    choices.pick(&divisors)
}

/// A permutation of positions by its name.
fn permutation(choices: &mut Choices, length: usize) -> String {
    match choices.below(3) {
        0 => "reverse".to_owned(),
        1 => format!("rotate({})", choices.below(length + 2)),
        _ => format!("stride({})", divisor(choices, length)),
    }
}

/// A function from the positions of an array to positions in it.
fn index_function(choices: &mut Choices, length: &Length) -> String {
    let text = length.text().unwrap_or_default();
    match choices.below(4) {
        0 => "|i| i / 2".to_owned(),
        1 => format!("|i| (3 * i + 1) % {text}"),
        2 => format!("|i| {text} - 1 - i"),
        _ => format!("|i| if i < {} {{ i }} else {{ 0 }}", choices.below(4)),
    }
}

/// Some elements in a row; of an array whose length has a name, also all from one on.
fn slice(choices: &mut Choices, element: &Type, length: &Length) -> (Stage, Type) {
    let start = choices.below(length.value());
    let rest = length.value() - start;
    let (count, taken) = match length {
        Length::Variable(name, _) if choices.one_in(2) => {
            (format!("{name} - {start}"), Length::Computed(rest))
        }
        Length::Literal(_) | Length::Variable(..) | Length::Computed(_) => {
            let count = 1 + choices.below(rest);
            (count.to_string(), Length::Literal(count))
        }
    };
    (Stage::Primitive("slice", vec![start.to_string(), count]), Type::array(element.clone(), taken))
}

/// The choice of one element.
pub(crate) fn one_element(choices: &mut Choices, length: &Length) -> Stage {
    match (choices.below(4), length) {
        (0, _) => Stage::Primitive("head", Vec::new()),
        (1, _) => Stage::Primitive("last", Vec::new()),
        (2, Length::Variable(name, _)) => one("at", format!("{name} - 1")),
        (_, length) => one("at", choices.below(length.value()).to_string()),
    }
}

/// A border of rows that are the same everywhere.
fn pad_rows(choices: &mut Choices, row: &Type, length: &Length) -> Option<(Stage, Type)> {
    let (inner, columns) = row.as_array()?;
    let (left, right, value) = (choices.below(3), choices.below(3), choices.below(9));
    let constant = element_of(inner).constant(value);
    let border = match columns {
        Length::Literal(count) if *count <= 4 => format!("[{}]", vec![constant; *count].join(", ")),
        Length::Literal(_) | Length::Variable(..) | Length::Computed(_) => {
            format!("repeat({}, {constant})", columns.text()?)
        }
    };
    let row = Type::array(Type::Scalar(with_constant(inner.as_scalar()?, value)), columns.clone());
    let arguments = vec![left.to_string(), right.to_string(), border];
    Some((Stage::Primitive("padConstant", arguments), padded(row, length, left + right)))
}

/// One of the arrays that an array of tuples consists of, or all of them in another order.
fn unzip(choices: &mut Choices, element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let Type::Tuple(components) = element else { return None };
    if let [first, second] = components.as_slice()
        && choices.one_in(3)
    {
        let swapped = Type::Tuple(vec![second.clone(), first.clone()]);
        let text = "(unzip >> (|(p, q)| zip(q, p)))".to_owned();
        return Some((Stage::Lambda(text), Type::array(swapped, length.clone())));
    }
    let position = choices.below(components.len());
    let component = components.get(position)?.clone();
    Some((Stage::Lambda(format!("(unzip >> get({position}))")), Type::array(component, length.clone())))
}

fn split(choices: &mut Choices, element: &Type, length: &Length) -> (Stage, Type) {
    let chunk = divisor(choices, length.value());
    let part = Type::array(element.clone(), Length::Literal(chunk));
    (one("split", chunk.to_string()), Type::array(part, length.derived(length.value() / chunk)))
}

fn as_vector(choices: &mut Choices, element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let widths: Vec<usize> =
        [4, 2, 8, 16].into_iter().filter(|width| length.value().is_multiple_of(*width)).collect();
    let width = if widths.is_empty() { return None } else { choices.pick(&widths) };
    let vector = Type::Vector(element.as_scalar()?, width);
    let vectors = length.derived(length.value() / width);
    Some((one("asVector", width.to_string()), Type::array(vector, vectors)))
}

fn join(element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let (inner, columns) = element.as_array()?;
    let joined = length.derived_with(columns, length.value() * columns.value());
    Some((Stage::Primitive("join", Vec::new()), Type::array(inner.clone(), joined)))
}

fn tile(choices: &mut Choices, element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let (inner, columns) = element.as_array()?;
    let (height, width) = (divisor(choices, length.value()), divisor(choices, columns.value()));
    let row = Type::array(inner.clone(), Length::Literal(width));
    let tile = Type::array(row, Length::Literal(height));
    let tiles = Type::array(tile, columns.derived(columns.value() / width));
    let stage = Stage::Primitive("tile", vec![height.to_string(), width.to_string()]);
    Some((stage, Type::array(tiles, length.derived(length.value() / height))))
}

fn untile(element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let (tile, tiles) = element.as_array()?;
    let (row, height) = tile.as_array()?;
    let (inner, width) = row.as_array()?;
    let columns = tiles.derived_with(width, tiles.value() * width.value());
    let rows = length.derived_with(height, length.value() * height.value());
    Some((Stage::Primitive("untile", Vec::new()), Type::array(Type::array(inner.clone(), columns), rows)))
}

/// The size and the step of windows that fill `length` elements.
pub(crate) fn window(choices: &mut Choices, length: usize) -> (usize, usize) {
    let size = 1 + choices.below(length.min(4));
    let steps: Vec<_> = (1..=size + 1).filter(|step| (length - size).is_multiple_of(*step)).collect();
    (size, choices.pick(&steps))
}

fn slide(choices: &mut Choices, element: &Type, length: &Length) -> (Stage, Type) {
    let (size, step) = window(choices, length.value());
    let windows = length.derived((length.value() - size) / step + 1);
    let ty = Type::array(Type::array(element.clone(), Length::Literal(size)), windows);
    (Stage::Primitive("slide", vec![size.to_string(), step.to_string()]), ty)
}

fn slide2(choices: &mut Choices, element: &Type, length: &Length) -> Option<(Stage, Type)> {
    let (inner, columns) = element.as_array()?;
    let (size, step) = window(choices, length.value().min(columns.value()));
    let fits = |length: &Length| (length.value() - size).is_multiple_of(step);
    if !fits(length) || !fits(columns) {
        return None;
    }
    let windows = |length: &Length| length.derived((length.value() - size) / step + 1);
    let row = Type::array(inner.clone(), Length::Literal(size));
    let patch = Type::array(row, Length::Literal(size));
    let ty = Type::array(Type::array(patch, windows(columns)), windows(length));
    Some((Stage::Primitive("slide2", vec![size.to_string(), step.to_string()]), ty))
}

fn padded(element: Type, length: &Length, by: usize) -> Type {
    Type::array(element, length.derived(length.value() + by))
}

fn padded2(element: &Type, length: &Length, by: usize) -> Option<Type> {
    let (inner, columns) = element.as_array()?;
    Some(padded(padded(inner.clone(), columns, by), length, by))
}

/// The type of the numbers of an element.
fn element_of(element: &Type) -> Element {
    match element {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.element,
        Type::Tuple(_) | Type::Array(..) => Element::F32,
    }
}

fn with_constant(scalar: Scalar, value: usize) -> Scalar {
    Scalar::new(scalar.element, scalar.bound.max(value as f64))
}
