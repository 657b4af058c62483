//! Privatisation: each work-item keeps its own elements of a private array that the work-items of a group
//! make together.
//!
//! Registers hold for a work-item only what it wrote itself. An array with an element per work-item can live
//! there if every access to an element, anywhere in the kernel, is by the work-item that the element belongs
//! to. Then each work-item keeps its share, and the shares need no barrier. This holds when all indices
//! contain the numbers of the work-items as the same digits: `index = high * top + number * bottom + low`,
//! with `low < bottom` and `number < top / bottom`. The accumulator of a blocked matrix product lives like
//! this (Steuwer, Remmelg, Dubach, GPGPU 2016, figure 7). Everything else is refused: it would read what
//! another work-item wrote.

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::visit::Visit;
use crate::ir::kernel::{Buffer, BufferId, BufferRole, Expression, Statement, Trip, ValueType, Workers};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};

/// Divides private arrays; `Err` names one that is read by other work-items than wrote it.
pub(crate) fn privatise(
    body: Vec<Statement>,
    buffers: &mut [Buffer],
    local: [u64; 3],
    ranges: &Ranges,
) -> Result<Vec<Statement>, BufferId> {
    let mut survey = Survey {
        buffers,
        around: Vec::new(),
        named: FlatSet::new(),
        ranges: ranges.clone(),
        accesses: FlatMap::new(),
    };
    survey.block(&body);
    let mut divisions = FlatMap::new();
    for (id, accesses) in survey.accesses {
        if accesses.iter().all(|access| access.digits.is_empty() && access.rest.is_some()) {
            continue;
        }
        divisions.insert(id, Division::of(&accesses, local).ok_or(id)?);
    }
    if divisions.is_empty() {
        return Ok(body);
    }
    for (id, division) in &divisions {
        if let Some(buffer) = buffers.get_mut(id.0) {
            buffer.length = ranges.simplify(&division.share(&buffer.length));
        }
    }
    let mut shares = Shares { divisions, around: Vec::new(), ranges: ranges.clone() };
    Ok(shares.block(&body))
}

/// The number of a work-item as a digit of an index.
#[derive(Debug, Clone, PartialEq)]
struct Digit {
    dimension: u8,
    /// The factor of the number.
    weight: i128,
    /// An exclusive upper bound of the number: the extent of its loop, or the longest where a remainder is
    /// shorter.
    base: i128,
    /// Whether a work-item has more than one such number.
    several: bool,
}

/// An access to a private array.
struct Access {
    /// The digits that are numbers of work-items, the lowest first.
    digits: Vec<Digit>,
    /// The index without them; `None` for an index that is no sum of digits.
    rest: Option<Nat>,
    /// The number of scalars it touches from there on.
    lanes: u8,
    ranges: Ranges,
}

/// A loop over work-items.
#[derive(Clone)]
struct ItemLoop {
    dimension: u8,
    index: Var,
    extent: Nat,
    several: bool,
}

impl ItemLoop {
    fn of(statement: &Statement) -> Option<ItemLoop> {
        let Statement::Loop(repetition) = statement else { return None };
        let Workers::Local(dimension) = repetition.workers else { return None };
        let several = matches!(repetition.trip, Trip::Any | Trip::AnyUniform);
        Some(ItemLoop {
            dimension,
            index: repetition.index.clone(),
            extent: repetition.extent.clone(),
            several,
        })
    }
}

/// Splits an index into digits that are numbers of work-items, and the rest.
fn digits(index: &Nat, around: &[ItemLoop], ranges: &Ranges) -> (Vec<Digit>, Option<Nat>) {
    let used: Vec<&ItemLoop> = around.iter().filter(|item| index.mentions(&item.index)).collect();
    let at = |one: Option<&ItemLoop>| {
        let value = |item: &&ItemLoop| {
            let is_one = one.is_some_and(|one| one.index == item.index);
            (item.index.clone(), if is_one { Nat::one() } else { Nat::zero() })
        };
        ranges.simplify(&index.substitute(&used.iter().map(value).collect::<Substitution>()))
    };
    let rest = at(None);
    let mut digits = Vec::new();
    let mut sum = rest.clone();
    for item in &used {
        let weight = ranges.simplify(&(at(Some(item)) - &rest)).as_constant();
        let (_, base) = ranges.constant_bounds(&item.extent);
        let (Some(weight), Some(base)) = (weight, base) else { return (digits, None) };
        sum = sum + Nat::constant(weight) * Nat::variable(&item.index);
        digits.push(Digit { dimension: item.dimension, weight, base, several: item.several });
    }
    digits.sort_by_key(|digit| digit.weight);
    let is_sum = ranges.is_equal(&sum, index) == Some(true);
    (digits, is_sum.then_some(rest))
}

/// How the elements of an array are divided among work-items.
struct Division {
    digits: Vec<Digit>,
    local: [u64; 3],
    bottom: i128,
    top: i128,
}

impl Division {
    /// The division that all accesses agree on.
    fn of(accesses: &[Access], local: [u64; 3]) -> Option<Division> {
        let digits = accesses.first()?.digits.clone();
        let bottom = digits.first()?.weight;
        let mut top = bottom;
        for digit in &digits {
            if digit.weight != top || digit.base < 1 {
                return None;
            }
            top = top.checked_mul(digit.base)?;
        }
        let fits = |access: &Access| {
            let Some(rest) = &access.rest else { return false };
            let low = access.ranges.simplify(&rest.modulo(&Nat::constant(top)));
            let last = low + Nat::constant(i128::from(access.lanes) - 1);
            access.digits == digits && access.ranges.proves_less(&last, &Nat::constant(bottom))
        };
        let agreed = bottom > 0 && accesses.iter().all(fits);
        agreed.then_some(Division { digits, local, bottom, top })
    }

    /// The number of values of a digit that one work-item has.
    fn slots(&self, digit: &Digit) -> i128 {
        let items = self.local.get(usize::from(digit.dimension)).copied().unwrap_or(1);
        if digit.several { digit.base.unsigned_abs().div_ceil(u128::from(items)) as i128 } else { 1 }
    }

    /// The number of elements of one work-item below the higher digits.
    fn below(&self) -> i128 {
        self.digits.iter().fold(self.bottom, |below, digit| below.saturating_mul(self.slots(digit)))
    }

    /// The number of elements of one work-item.
    fn share(&self, length: &Nat) -> Nat {
        let top = Nat::constant(self.top);
        (length + &top - Nat::one()).divide(&top) * Nat::constant(self.below())
    }

    /// The position at which a work-item keeps one of its elements.
    fn place(&self, rest: &Nat, around: &[ItemLoop]) -> Nat {
        let top = Nat::constant(self.top);
        let mut place = rest.divide(&top) * Nat::constant(self.below()) + rest.modulo(&top);
        let mut weight = self.bottom;
        for digit in &self.digits {
            let items = self.local.get(usize::from(digit.dimension)).copied().unwrap_or(1);
            let number = around.iter().find(|item| item.dimension == digit.dimension);
            if let Some(item) = number.filter(|_| digit.several) {
                let slot = Nat::variable(&item.index).divide(&Nat::constant(i128::from(items)));
                place = place + slot * Nat::constant(weight);
            }
            weight = weight.saturating_mul(self.slots(digit));
        }
        place
    }
}

/// Finds the accesses to private arrays.
struct Survey<'b> {
    buffers: &'b [Buffer],
    around: Vec<ItemLoop>,
    /// The names of indices that depend on work-item numbers.
    named: FlatSet<Var>,
    ranges: Ranges,
    accesses: FlatMap<BufferId, Vec<Access>>,
}

impl Survey<'_> {
    fn access(&mut self, id: BufferId, index: &Nat, lanes: u8) {
        if self.buffers.get(id.0).is_none_or(|buffer| buffer.role != BufferRole::Private) {
            return;
        }
        let (digits, rest) = match self.named.iter().any(|name| index.mentions(name)) {
            true => (Vec::new(), None),
            false => digits(index, &self.around, &self.ranges),
        };
        let access = Access { digits, rest, lanes, ranges: self.ranges.clone() };
        self.accesses.get_or_default(id).push(access);
    }
}

impl Visit for Survey<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn load(&mut self, buffer: BufferId, index: &Nat, ty: ValueType) {
        self.access(buffer, index, ty.lanes);
    }

    fn store(&mut self, buffer: BufferId, index: &Nat, value: &Expression) {
        self.access(buffer, index, value.ty().lanes);
    }

    fn statement(&mut self, statement: &Statement) {
        if let Statement::DeclareValue { index, value, .. } = statement {
            let depends = self.around.iter().any(|item| value.mentions(&item.index))
                || self.named.iter().any(|name| value.mentions(name));
            self.named.extend(depends.then(|| index.clone()));
        }
        let around = self.around.len();
        self.around.extend(ItemLoop::of(statement));
        self.parts(statement);
        self.around.truncate(around);
    }
}

/// Puts every access into the share of its work-item.
struct Shares {
    divisions: FlatMap<BufferId, Division>,
    around: Vec<ItemLoop>,
    ranges: Ranges,
}

impl Shares {
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        let Some(division) = self.divisions.get(&buffer) else { return index };
        match digits(&index, &self.around, &self.ranges) {
            (_, Some(rest)) => self.ranges.simplify(&division.place(&rest, &self.around)),
            (_, None) => index,
        }
    }
}

impl Fold for Shares {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.place(buffer, index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let around = self.around.len();
        self.around.extend(ItemLoop::of(statement));
        let changed = self.parts(statement);
        self.around.truncate(around);
        changed
    }
}
