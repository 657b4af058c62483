//! Formulas over sizes that a form names ([`SizeVariable::value`]), such as the length of the pieces that its
//! groups share. The passes prove little about a long formula, and take long; of a name they know that it is
//! at least its minimum.
//!
//! Each kernel computes the formulas that it mentions, from the sizes that come with a call. Input: the body
//! of a kernel and its parameters, behind all passes. Output: the same with the values declared first.

use crate::ir::kernel::{KernelParameter, Statement};
use crate::ir::nat::Var;
use crate::ir::typed::SizeVariable;

/// Declares what a kernel mentions. Only sizes that come with a call stay parameters.
pub(super) fn declare(
    sizes: &[SizeVariable],
    parameters: &mut Vec<KernelParameter>,
    body: &mut Vec<Statement>,
) {
    let is_size = |parameter: &KernelParameter, variable: &Var| match parameter {
        KernelParameter::Size(size) => size == variable,
        KernelParameter::Buffer(_) | KernelParameter::Scalar(..) => false,
    };
    let mut given: Vec<Var> = Vec::new();
    let mut declared = Vec::new();
    for size in sizes {
        let Some(value) = &size.value else { continue };
        let Some(position) = parameters.iter().position(|parameter| is_size(parameter, &size.variable))
        else {
            continue;
        };
        parameters.remove(position);
        given.extend(value.variables());
        let (index, value) = (size.variable.clone(), value.clone());
        declared.push(Statement::DeclareValue { index, value, bound: None });
    }
    for size in sizes.iter().filter(|size| given.contains(&size.variable)) {
        if !parameters.iter().any(|parameter| is_size(parameter, &size.variable)) {
            parameters.push(KernelParameter::Size(size.variable.clone()));
        }
    }
    body.splice(0..0, declared);
}
