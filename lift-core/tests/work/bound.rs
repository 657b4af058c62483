//! What kernels do is no more than a few times what the source says.

use lift_core::boundary::take_apart;
use lift_core::lower::{lower, uses_hierarchy};
use lift_core::nat::{Nat, Var};
use lift_core::typed::{Expr, ExprKind, Lambda, MapKind, Program, ScanKind};
use lift_core::types::Type;
use lift_core::work::{Work, of_kernels, of_program};

use crate::sizes::{Sizes, corners, shown};

/// The work of kernels is at most so many times the sequential work and a load for each number of a result, which somebody copies
/// even if nothing computes it, …
const FACTOR: i128 = 4;
/// … and so much where a reduction or a scan of a whole array is divided, of which groups have elements that are none of the array's.
const FOR_DIVIDING: i128 = 1 << 14;

/// How a program keeps the bound.
pub(crate) enum Verdict {
    /// It does, at so many corners.
    Kept(usize),
    /// It says who computes what, and is taken at its word.
    AtItsWord,
    /// It is not compiled.
    Refused,
    /// There is more work at some sizes.
    Broken(String),
}

/// Looks at all corners of a program.
pub(crate) fn verdict(program: &Program) -> Verdict {
    let sequential = of_program(program);
    let Ok(kernels) = of_kernels(program) else { return Verdict::Refused };
    if uses_hierarchy(&program.body) {
        return Verdict::AtItsWord;
    }
    let allowed = allowed(program, &sequential);
    let mut kept = 0;
    let results = numbers(&program.body.ty) + applied(&program.body);
    let without = (sequential.total() + results) * Nat::constant(FACTOR) + scanned(&program.body, program);
    let div = divided(&lower(&take_apart(program)).body);
    for sizes in corners(program) {
        let value = |n: &Nat| n.evaluate(&|variable: &Var| sizes.get(variable).copied());
        let (Some(found), Some(without), Some(div)) = (value(&kernels.total()), value(&without), value(&div))
        else {
            continue;
        };
        if div > 0 && found > without {
            eprintln!("NEEDS {} {}", (found - without) / div, program.name);
        }
    }
    let mut worst: Option<(f64, String)> = None;
    for sizes in corners(program) {
        let value = |n: &Nat| n.evaluate(&|variable: &Var| sizes.get(variable).copied());
        let (Some(found), Some(allowed)) = (value(&kernels.total()), value(&allowed)) else { continue };
        kept += 1;
        if found > allowed {
            let ratio = found as f64 / allowed as f64;
            if worst.as_ref().is_none_or(|(largest, _)| ratio > *largest) {
                worst = Some((ratio, described(&sizes, found, &value(&sequential.total()))));
            }
        }
    }
    match worst {
        None => Verdict::Kept(kept),
        Some((_, text)) => Verdict::Broken(format!(
            "{text}\n    sequential: {}, {}\n    kernels: {}, {}",
            sequential.loads, sequential.operations, kernels.loads, kernels.operations
        )),
    }
}

fn described(sizes: &Sizes, found: i128, sequential: &Option<i128>) -> String {
    let sequential = sequential.unwrap_or(0);
    format!("{:.1} times at {}: {found} / {sequential}", found as f64 / sequential as f64, shown(sizes))
}

/// What the kernels of a program may take.
fn allowed(program: &Program, sequential: &Work) -> Nat {
    let divided = divided(&lower(&take_apart(program)).body);
    let results = numbers(&program.body.ty) + applied(&program.body);
    let scanned = scanned(&program.body, program);
    (sequential.total() + results) * Nat::constant(FACTOR) + scanned + divided * Nat::constant(FOR_DIVIDING)
}

/// The numbers in the results of the applications of all `iterate`s.
fn applied(expr: &Expr) -> Nat {
    let own = match &expr.kind {
        ExprKind::Iterate(_, function, _) => numbers(&function.body.ty),
        _ => Nat::zero(),
    };
    let repeated = function_of(expr);
    let parts = expr.children().into_iter().map(|child| match &repeated {
        Some((function, times)) if std::ptr::eq(child, function.body.as_ref()) => {
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
    expr.children().into_iter().fold(own, |all, child| all + scanned(child, program))
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

/// How often groups share work, in a program that says nothing of groups itself.
fn divided(expr: &Expr) -> Nat {
    match &expr.kind {
        ExprKind::Iterate(count, function, input) => divided(input) + divided(&function.body) * count,
        ExprKind::Map(MapKind::WorkGroup(_), _, input) => divided(input) + Nat::one(),
        _ => expr.children().into_iter().map(divided).fold(Nat::zero(), |all, own| all + own),
    }
}
