//! What a program costs: loads and operations, and bytes in global memory, as formulas over its sizes.

use lift_core::ir::nat::{Nat, Ranges, Var};
use lift_core::ir::typed::Program;
use lift_core::work::{Work, of_kernels, of_program};

use crate::kernels::{Kernels, Stored};

/// The sizes at which work is compared. All size variables have the same value.
const SIZES: [i128; 4] = [1, 16, 256, 4096];

/// The work of a program.
pub(crate) struct Cost {
    /// What it says itself.
    pub(crate) sequential: Work,
    /// What its kernels do together; `None` where it has none.
    pub(crate) kernels: Option<Work>,
    /// Both at some sizes.
    pub(crate) compared: Vec<Compared>,
}

/// Work at a size.
pub(crate) struct Compared {
    /// The size; `None` where the program has none.
    pub(crate) size: Option<i128>,
    pub(crate) sequential: i128,
    pub(crate) kernels: i128,
}

impl Compared {
    /// How many times as much the kernels do; `None` where the program says that there is nothing to do.
    pub(crate) fn ratio(&self) -> Option<f64> {
        (self.sequential > 0).then(|| self.kernels as f64 / self.sequential as f64)
    }
}

/// Counts the work of a program. It is compared at those sizes that a call accepts.
pub(crate) fn cost(program: &Program) -> Cost {
    let sequential = of_program(program);
    let kernels = of_kernels(program).ok();
    let sizes = match program.sizes.is_empty() {
        true => vec![None],
        false => SIZES.into_iter().map(Some).collect(),
    };
    let compared = sizes.into_iter().filter(|size| accepts(program, *size)).filter_map(|size| {
        let value = |work: &Work| work.total().evaluate(&|variable| value_of(program, size, variable));
        Some(Compared { size, sequential: value(&sequential)?, kernels: value(kernels.as_ref()?)? })
    });
    Cost { compared: compared.collect(), sequential, kernels }
}

/// Whether nothing that a call checks is wrong at a size.
fn accepts(program: &Program, size: Option<i128>) -> bool {
    program.obligations.iter().all(|obligation| {
        let condition = obligation.requirement.condition();
        let holds = condition.and_then(|it| it.evaluate(&|variable| value_of(program, size, variable)));
        holds != Some(false)
    })
}

/// The value of a size variable where all of them have the same, unless that is too small for one.
fn value_of(program: &Program, size: Option<i128>, variable: &Var) -> Option<i128> {
    let own = program.sizes.iter().find(|own| own.variable == *variable)?;
    Some(size?.max(i128::from(own.minimum)))
}

/// An amount of global memory.
pub(crate) enum Amount {
    Bytes(Nat),
    /// Elements of a type that the arguments decide.
    Elements(Nat),
}

/// Who takes global memory, and how much.
pub(crate) struct Share {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) amount: Amount,
}

/// The global memory that a program reads, writes, and keeps between its kernels.
pub(crate) struct Memory {
    pub(crate) arguments: Vec<Share>,
    pub(crate) results: Vec<Share>,
    pub(crate) temporaries: Vec<Share>,
    /// The fewest bytes that a call moves: every argument is read and every result written once. `None` where
    /// the arguments decide how large an element is.
    pub(crate) least: Option<Nat>,
}

/// The global memory of a program.
pub(crate) fn memory(program: &Program, kernels: &Kernels) -> Memory {
    let ranges = program.ranges();
    let shares = |stored: &[Stored]| stored.iter().map(|stored| share(stored, &ranges)).collect::<Vec<_>>();
    let (arguments, results) = (shares(&kernels.arguments), shares(&kernels.results));
    let least = arguments.iter().chain(&results).try_fold(Nat::zero(), |sum, share| match &share.amount {
        Amount::Bytes(bytes) => Some(sum + bytes),
        Amount::Elements(_) => None,
    });
    let temporaries = shares(&kernels.temporaries);
    Memory { arguments, results, temporaries, least: least.map(|least| ranges.simplify(&least)) }
}

fn share(stored: &Stored, ranges: &Ranges) -> Share {
    let amount = match stored.bytes {
        Some(bytes) => Amount::Bytes(ranges.simplify(&(&stored.elements * Nat::constant(i128::from(bytes))))),
        None => Amount::Elements(ranges.simplify(&stored.elements)),
    };
    Share { name: stored.name.clone(), ty: stored.ty.clone(), amount }
}
