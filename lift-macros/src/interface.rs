//! The Rust side of the values that cross the boundary of a program: how tuples of arrays and arrays of
//! tuples are composed.

use std::collections::BTreeSet;

use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::{ScalarType, TypeParameter};
use lift_core::ir::source::Source;
use lift_core::ir::types::Type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::context::Result;
use crate::element_type::{rust_scalar, rust_vector};
use crate::mistake::Mistake;

/// A value at the boundary.
pub(crate) enum Shape {
    /// An array, or a scalar where there are no lengths.
    Dense(Dense),
    /// A tuple.
    Tuple(Vec<Shape>),
}

/// A dense array, or a scalar where there are no lengths.
pub(crate) struct Dense {
    /// What stands at one position.
    pub(crate) entry: Entry,
    /// The lengths, outermost first.
    pub(crate) lengths: Vec<Nat>,
}

/// What stands at one position of an array.
pub(crate) enum Entry {
    /// A scalar.
    Scalar(ScalarType),
    /// A scalar, or a row of scalars whose shape the argument decides; only below the lengths of an array.
    Open(TypeParameter),
    /// A vector, an array of Rust.
    Vector(ScalarType, u8),
    /// A tuple, of which a device array holds one array per component.
    Tuple(Vec<Entry>),
}

impl Shape {
    /// The shape of a type, or what is not supported at the boundary. If the element type of an array is in
    /// `open_ranks`, its innermost dimension is no length, but the shape of a row.
    pub(crate) fn new(ty: &Type, open_ranks: &BTreeSet<usize>, source: Source) -> Result<Shape> {
        if let Type::Tuple(parts) = ty {
            let parts =
                parts.iter().map(|part| Shape::new(part, open_ranks, source)).collect::<Result<_>>()?;
            return Ok(Shape::Tuple(parts));
        }
        let (entry, mut lengths) = (Entry::new(ty.innermost(), source)?, ty.shape());
        let entry = match entry {
            Entry::Scalar(ScalarType::Parameter(parameter)) if open_ranks.contains(&parameter.index) => {
                lengths.pop();
                Entry::Open(parameter)
            }
            Entry::Scalar(_) | Entry::Open(_) | Entry::Vector(..) | Entry::Tuple(_) => entry,
        };
        Ok(Shape::Dense(Dense { entry, lengths }))
    }

    /// The arrays and scalars in this value, in order.
    pub(crate) fn dense(&self) -> Vec<&Dense> {
        match self {
            Shape::Dense(dense) => vec![dense],
            Shape::Tuple(parts) => parts.iter().flat_map(Shape::dense).collect(),
        }
    }

    /// The type of the value, given those of its arrays and scalars.
    pub(crate) fn print(&self, print: &impl Fn(&Dense) -> TokenStream) -> TokenStream {
        match self {
            Shape::Dense(dense) => print(dense),
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.print(print));
                quote!((#(#parts),*))
            }
        }
    }
}

impl Dense {
    /// The type as host data that is returned; `with_rows` adds the dimensions of an open element to a type
    /// of dimensions.
    pub(crate) fn on_host(
        &self,
        lift: &TokenStream,
        with_rows: &impl Fn(TypeParameter, TokenStream) -> TokenStream,
    ) -> TokenStream {
        let entry = self.entry.print(&|scalar, width| rust_vector(&rust_scalar(lift, scalar), width));
        match self.lengths.len() {
            0 => entry,
            rank => {
                let dimension = format_ident!("Ix{rank}");
                let dimension = quote!(#lift::ndarray::#dimension);
                let dimension = match &self.entry {
                    Entry::Open(parameter) => with_rows(*parameter, dimension),
                    Entry::Scalar(_) | Entry::Vector(..) | Entry::Tuple(_) => dimension,
                };
                quote!(#lift::ndarray::Array<#entry, #dimension>)
            }
        }
    }

    /// The type on a device. The components of a vector form the last dimension, except in a tuple.
    pub(crate) fn on_device(&self, lift: &TokenStream) -> TokenStream {
        let (element, rank) = match &self.entry {
            Entry::Scalar(scalar) => (rust_scalar(lift, *scalar), self.lengths.len()),
            Entry::Open(parameter) => {
                (rust_scalar(lift, ScalarType::Parameter(*parameter)), self.lengths.len())
            }
            Entry::Vector(lane, _) => (rust_scalar(lift, *lane), self.lengths.len() + 1),
            Entry::Tuple(_) => {
                let vector = |scalar, width| rust_vector(&rust_scalar(lift, scalar), width);
                (self.entry.print(&vector), self.lengths.len())
            }
        };
        let dimension = format_ident!("Ix{rank}");
        quote!(#lift::DeviceArray<#element, #lift::ndarray::#dimension>)
    }
}

impl Entry {
    fn new(ty: &Type, source: Source) -> Result<Entry> {
        match ty {
            Type::Scalar(scalar) => Ok(Entry::Scalar(*scalar)),
            Type::Tuple(parts) => {
                Ok(Entry::Tuple(parts.iter().map(|part| Entry::new(part, source)).collect::<Result<_>>()?))
            }
            Type::Vector(lane, width) => Ok(Entry::Vector(*lane, *width)),
            Type::Size => Err(vec![Mistake::SizeAsValue.at(source)]),
            Type::Array(_) => Err(vec![Mistake::ArraysInTuples.at(source)]),
        }
    }

    /// The scalars in it, in order.
    pub(crate) fn scalars(&self) -> Vec<ScalarType> {
        match self {
            Entry::Scalar(scalar) | Entry::Vector(scalar, _) => vec![*scalar],
            Entry::Open(parameter) => vec![ScalarType::Parameter(*parameter)],
            Entry::Tuple(parts) => parts.iter().flat_map(Entry::scalars).collect(),
        }
    }

    /// Whether it is or contains a vector.
    pub(crate) fn holds_vector(&self) -> bool {
        match self {
            Entry::Scalar(_) | Entry::Open(_) => false,
            Entry::Vector(..) => true,
            Entry::Tuple(parts) => parts.iter().any(Entry::holds_vector),
        }
    }

    /// Its type, given those of its scalars and vectors (which have a width).
    pub(crate) fn print(&self, print: &impl Fn(ScalarType, Option<u8>) -> TokenStream) -> TokenStream {
        match self {
            Entry::Scalar(scalar) => print(*scalar, None),
            Entry::Open(parameter) => print(ScalarType::Parameter(*parameter), None),
            Entry::Vector(lane, width) => print(*lane, Some(*width)),
            Entry::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.print(print));
                quote!((#(#parts),*))
            }
        }
    }
}
