//! Attributes of items: how a program is lowered, where it may run, how it rounds, and which laws a function
//! obeys.

use crate::ir::types::Type;

/// The way in which a kernel is lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// Maps that are left open are spread over global work-items, and everything inside is sequential.
    #[default]
    Default,
    /// The same, but one work-item computes each scan of a whole array. No `#[schedule(…)]` names it: it is
    /// how a form is lowered.
    ScansInOrder,
    /// The same, but one work-item computes each reduction and each scan: their operators are applied in the
    /// order of the program.
    InOrder,
}

impl Strategy {
    /// Every one that an item can name.
    pub const ALL: &'static [Strategy] = &[Strategy::Default, Strategy::InOrder];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Default => "default",
            Strategy::ScansInOrder => "scansInOrder",
            Strategy::InOrder => "plain",
        }
    }

    /// The strategy of this name, for `#[schedule(…)]`.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }

    /// Whether a scan may be divided among work-items.
    pub fn divides_scans(self) -> bool {
        match self {
            Strategy::Default => true,
            Strategy::ScansInOrder | Strategy::InOrder => false,
        }
    }
}

/// The target of compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// OpenCL C, for every OpenCL device.
    OpenCl,
    /// Rust, for the host.
    Host,
}

/// How sums, products and the like of floats are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Rounding {
    /// As it is fastest: `a * b + c` may be rounded once or twice, a sum may be added up in any order, and
    /// devices differ.
    #[default]
    Free,
    /// Each operation of the program once, to the nearest float, in the order of the program: `#[strict]`.
    /// Every device computes the same bits, apart from those of NaN and of library functions.
    Strict,
}

impl Rounding {
    /// Whether values of a type must not be combined in another order or grouping than the program says.
    pub fn keeps_order_of(self, ty: &Type) -> bool {
        match self {
            Rounding::Free => false,
            Rounding::Strict => ty.may_hold_floats(),
        }
    }
}

/// The laws that the user states for a function, with `#[assoc]` and `#[comm]`; nothing checks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Laws {
    /// `f(f(a, b), c)` is `f(a, f(b, c))`: a reduction may combine partial results.
    pub associative: bool,
    /// `f(a, b)` is `f(b, a)`: a reduction may take elements in another order.
    pub commutative: bool,
}
