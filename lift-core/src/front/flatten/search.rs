//! Offsets: where a row begins, and to which row an element belongs.

use std::sync::Arc;

use super::index::OFFSET;
use super::{Delimited, Flat, Flattening, internal};
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::build::Built;
use crate::ir::typed::{Expr, Lambda, Position, ReduceKind};
use crate::ir::types::Type;

/// The most steps of a search: each halves the rows that are left, and positions have 63 bits.
const SEARCH_STEPS: i128 = 64;

/// The distance of positions whose rows are found first. Elements between two of them search between their
/// rows, which takes few steps: a search among all offsets takes most of the time of a kernel that does little
/// for each element.
const TILE: i128 = 64;

impl Flattening<'_> {
    /// The first position of a row among the elements of all rows.
    pub(super) fn first(&mut self, of: &Delimited, row: &Nat, place: &Expr) -> Flat<Arc<Expr>> {
        let total = of.total.clone();
        let mut first = || -> Built {
            let offset = self.offset_at(of, Position::Size(row.clone()))?;
            let zero = self.number(0)?;
            let total = self.offset(&total)?;
            let offset = self.build.builtin(Builtin::Max, vec![offset, zero])?;
            self.build.builtin(Builtin::Min, vec![offset, total])
        };
        first().map_err(|mismatch| internal(place.source, &mismatch))
    }

    fn offset_at(&mut self, of: &Delimited, position: Position) -> Built {
        let offset = self.build.element(position, of.offsets.clone())?;
        match offset.ty == Type::Scalar(OFFSET) {
            true => Ok(offset),
            false => self.build.cast(OFFSET, offset),
        }
    }

    /// The row of the element at a position.
    pub(super) fn number_of_row(
        &mut self,
        (length, of): (&Var, &Delimited),
        position: &Nat,
        place: &Expr,
    ) -> Flat<Arc<Expr>> {
        let starts = self.rows_of_tiles(length, of, place)?;
        let tile = position.divide(&Nat::constant(TILE));
        let range = [tile.clone(), tile + Nat::one()].map(|tile| self.build.at(tile, starts.clone()));
        let [low, high] = range.map(|row| row.map_err(|mismatch| internal(place.source, &mismatch)));
        self.search(of, position, [low?, high?]).map_err(|mismatch| internal(place.source, &mismatch))
    }

    /// The rows of every [`TILE`]th position, also of the first behind all elements.
    fn rows_of_tiles(&mut self, length: &Var, of: &Delimited, place: &Expr) -> Flat<Arc<Expr>> {
        if let Some(known) = self.starts.last().and_then(|starts| starts.get(length)) {
            return Ok(known.clone());
        }
        let tiles = (&of.total + Nat::constant(TILE - 1)).divide(&Nat::constant(TILE)) + Nat::one();
        let function = self.at_each(("tile", &tiles), Vec::new(), |this, tile| {
            let all = [this.number(0), this.offset(&(&of.count - Nat::one()))];
            let [first, last] = all.map(|row| row.map_err(|mismatch| internal(place.source, &mismatch)));
            let position = Nat::constant(TILE) * tile;
            this.search(of, &position, [first?, last?]).map_err(|mismatch| internal(place.source, &mismatch))
        })?;
        let starts = self.built(place, |build| build.generate(tiles, function))?;
        let starts = self.hoist("starts", starts);
        if let Some(known) = self.starts.last_mut() {
            known.insert(length.clone(), starts.clone());
        }
        Ok(starts)
    }

    /// The last of these rows whose offset, but for the first of them, is not behind a position:
    /// `reduceWhile(|(low, high), _| (low < high, { let middle = (low + high + 1) / 2; if at(middle, offsets) <=
    /// position { (middle, high) } else { (low, middle - 1) } }), (low, high), …).0`
    fn search(&mut self, of: &Delimited, position: &Nat, rows: [Arc<Expr>; 2]) -> Built {
        let wide = Type::Scalar(OFFSET);
        let range = Type::Tuple(vec![wide.clone(), wide]);
        let step = Type::Scalar(ScalarType::I32);
        let middle = self.build.variable("middle");
        let (state, unused) = (self.build.variable("range"), self.build.variable("step"));
        let read = self.build.read(&state, &range);
        let low = self.build.component(&read, 0)?;
        let high = self.build.component(&read, 1)?;
        let goes_on = self.build.binary(BinaryOperator::Less, low.clone(), high.clone())?;
        let (one, two) = (self.number(1)?, self.number(2)?);
        let sum = self.build.binary(BinaryOperator::Add, low.clone(), high.clone())?;
        let sum = self.build.binary(BinaryOperator::Add, sum, one.clone())?;
        let half = self.build.binary(BinaryOperator::Divide, sum, two)?;
        let read_middle = self.build.read(&middle, &half.ty);
        let offset = self.offset_at(of, Position::Clamped(read_middle.clone()))?;
        let place = self.offset(position)?;
        let is_before = self.build.binary(BinaryOperator::LessOrEqual, offset, place)?;
        let above = self.build.tuple(vec![read_middle.clone(), high])?;
        let last = self.build.binary(BinaryOperator::Subtract, read_middle, one)?;
        let below = self.build.tuple(vec![low, last])?;
        let next = self.build.choice(is_before, above, below)?;
        let next = self.build.bind(middle, half, next)?;
        let body = self.build.tuple(vec![goes_on, next])?;
        let parameters = vec![(state, range), (unused, step.clone())];
        let function = Lambda { parameters, index: None, body };
        let all = self.build.tuple(rows.into())?;
        let nothing = self.build.literal(Literal::Integer(0), &step)?;
        let steps = self.build.repeat(Nat::constant(SEARCH_STEPS), nothing)?;
        let found = self.build.reduce(ReduceKind::While, function, all, steps)?;
        self.build.component(&found, 0)
    }
}
