//! What kernels do is no more than a few times what the source says, whatever the sizes are.

use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::{Expr, ExprKind, Lambda, MapKind, Program, ScanKind, is_same_place};
use lift_core::ir::types::Type;
use lift_core::middle::lower::{lower, uses_hierarchy};
use lift_core::middle::tuples::take_apart;
use lift_core::work::{Work, of_kernels, of_program};

use crate::sizes::{Sizes, corners, shown};

/// The work of kernels is at most this many times what the meaning of the program takes: the sequential work,
/// and a load for each number of a result. A result that only shows its inputs in another way takes no
/// sequential work, and is copied all the same; so is what each application of an `iterate` results in.
const FACTOR: i128 = 4;

/// A whole array that is scanned takes this much more for each number: it is read once for the totals of
/// tiles and four times for the prefixes (from the device, twice from the tile by the work-item that scans,
/// and by the one that writes), and combined three times, which is eight operations for two; what is left is
/// for the totals of work-items, which have seven elements each.
const FOR_EACH_SCANNED: i128 = 1;

/// Work-groups that share a reduction of a whole array take this much more each time, of any length: their
/// 256 work-items have something to combine also where there are fewer elements; for each number of an
/// accumulator that is an array.
const FOR_GROUPS: i128 = 1 << 12;

/// Those that share a scan: its tiles are filled to 1792 elements, each read four times and combined twice.
const FOR_GROUPS_OF_SCAN: i128 = 3 << 12;

/// No array is longer.
const LONGEST: i128 = 1 << 62;

/// How a program keeps the bound.
pub(crate) enum Verdict {
    /// It does at all sizes: there is a proof.
    Proven,
    /// It does at this number of corners.
    Kept(usize),
    /// It says who computes what, and is taken at its word.
    AtItsWord,
    /// It is not compiled.
    Refused(String),
    /// There is more work at some sizes.
    Broken(String),
}

/// Looks at a program.
pub(crate) fn verdict(program: &Program) -> Verdict {
    let kernels = match of_kernels(program) {
        Ok(kernels) => kernels,
        Err(errors) => return Verdict::Refused(errors.iter().map(|error| error.render()).collect()),
    };
    if uses_hierarchy(&program.body) {
        return Verdict::AtItsWord;
    }
    let sequential = of_program(program);
    let allowed = allowed(program, &sequential);
    if program.ranges().is_at_most(&kernels.total(), &allowed) == Some(true) {
        return Verdict::Proven;
    }
    match worst(program, &kernels, &allowed) {
        Worst::None(corners) => Verdict::Kept(corners),
        Worst::At(sizes) => Verdict::Broken(described(&sizes, &sequential, &kernels)),
    }
}

/// Where the most work is beside what is allowed.
enum Worst {
    /// At none of this number of corners is there more than is allowed.
    None(usize),
    At(Sizes),
}

fn worst(program: &Program, kernels: &Work, allowed: &Nat) -> Worst {
    let results = results(program);
    let has_room = |sizes: &Sizes| value(&results, sizes).is_some_and(|numbers| numbers <= LONGEST);
    let mut looked_at = 0;
    let mut worst: Option<(f64, Sizes)> = None;
    for sizes in corners(program, kernels.is_closed()).into_iter().filter(has_room) {
        let (Some(found), Some(allowed)) = (value(&kernels.total(), &sizes), value(allowed, &sizes)) else {
            continue;
        };
        looked_at += 1;
        let ratio = found as f64 / allowed as f64;
        if found > allowed && worst.as_ref().is_none_or(|(largest, _)| ratio > *largest) {
            worst = Some((ratio, sizes));
        }
    }
    worst.map_or(Worst::None(looked_at), |(_, sizes)| Worst::At(sizes))
}

fn value(n: &Nat, sizes: &Sizes) -> Option<i128> {
    n.evaluate(&|variable: &Var| sizes.get(variable).copied())
}

fn described(sizes: &Sizes, sequential: &Work, kernels: &Work) -> String {
    let at_sizes = |work: &Work| value(&work.total(), sizes).unwrap_or(0);
    format!(
        "{} instead of {} at {}\n    sequential: {}, {}\n    kernels: {}, {}",
        at_sizes(kernels),
        at_sizes(sequential),
        shown(sizes),
        sequential.loads,
        sequential.operations,
        kernels.loads,
        kernels.operations
    )
}

/// What the kernels of a program may take.
fn allowed(program: &Program, sequential: &Work) -> Nat {
    let groups = shared_by_groups(&lower(&take_apart(program)).expect("its steps apply").program.body);
    (sequential.total() + results(program)) * Nat::constant(FACTOR)
        + scanned(&program.body, program) * Nat::constant(FOR_EACH_SCANNED)
        + groups
}

/// The numbers in the result of a program, and of all applications of its `iterate`s.
fn results(program: &Program) -> Nat {
    numbers(&program.body.ty) + applied(&program.body)
}

/// The numbers in a result.
fn numbers(ty: &Type) -> Nat {
    match ty {
        Type::Tuple(components) => components.iter().map(numbers).fold(Nat::zero(), |all, own| all + own),
        Type::Array(array) => match &array.index {
            Some(_) => ty.element_count() * numbers(ty.innermost()),
            None => numbers(&array.element) * &array.length,
        },
        Type::Scalar(_) | Type::Vector(..) | Type::Size => ty.element_count(),
    }
}

/// The numbers in the results of the applications of all `iterate`s.
fn applied(expr: &Expr) -> Nat {
    let own = match &expr.kind {
        ExprKind::Iterate(_, function, _) => numbers(&function.body.ty),
        _ => Nat::zero(),
    };
    let repeated = function_of(expr);
    let parts = expr.children().map(|child| match &repeated {
        Some((function, times)) if is_same_place(child, &function.body) => {
            let each = applied(child) + &own;
            match &function.index {
                Some(index) => Nat::sum(index, &Nat::zero(), times, &each),
                None => each * times,
            }
        }
        _ => applied(child),
    });
    parts.fold(Nat::zero(), |all, part| all + part)
}

/// The function that an expression applies, and how often.
fn function_of(expr: &Expr) -> Option<(&Lambda, Nat)> {
    match &expr.kind {
        ExprKind::Map(_, function, input)
        | ExprKind::Reduce(_, function, _, input)
        | ExprKind::Scan(_, function, _, input) => Some((function, input.ty.as_array()?.length.clone())),
        ExprKind::Generate(length, function) => Some((function, length.clone())),
        ExprKind::Iterate(count, function, _) => Some((function, count.clone())),
        _ => None,
    }
}

/// The numbers in whole arrays that are scanned.
fn scanned(expr: &Expr, program: &Program) -> Nat {
    let is_size = |variable: &Var| program.sizes.iter().any(|size| &size.variable == variable);
    let own = match &expr.kind {
        ExprKind::Scan(ScanKind::Exclusive | ScanKind::Inclusive, _, _, input)
            if input.ty.variables().iter().all(is_size) =>
        {
            numbers(&input.ty)
        }
        _ => Nat::zero(),
    };
    expr.children().fold(own, |all, child| all + scanned(child, program))
}

/// What groups that share work may take more, in a program that says nothing of groups itself.
fn shared_by_groups(expr: &Expr) -> Nat {
    match &expr.kind {
        ExprKind::Iterate(count, function, input) => {
            shared_by_groups(input) + shared_by_groups(&function.body) * count
        }
        ExprKind::Map(MapKind::WorkGroup(_), function, input) => {
            let own = if holds_scan(&function.body) { FOR_GROUPS_OF_SCAN } else { FOR_GROUPS };
            shared_by_groups(input) + Nat::constant(own * largest_accumulator(&function.body))
        }
        _ => expr.children().map(|child| shared_by_groups(child)).fold(Nat::zero(), |all, own| all + own),
    }
}

/// The most numbers of an array that is the accumulator of a work-item; 1 without arrays.
fn largest_accumulator(expr: &Expr) -> i128 {
    let own = match &expr.kind {
        ExprKind::Reduce(..) if expr.ty.as_array().is_some() => numbers(&expr.ty).as_constant().unwrap_or(1),
        _ => 1,
    };
    expr.children().map(|child| largest_accumulator(child)).fold(own, i128::max)
}

fn holds_scan(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Scan(..)) || expr.children().any(|child| holds_scan(child))
}
