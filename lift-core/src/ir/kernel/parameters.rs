//! The parameters of a kernel: what its body uses, in a fixed order.
//!
//! Array parameters of the program come first, then its scalars, the result, temporaries and sizes.

use super::{Buffer, BufferId, BufferRole, KernelParameter, Statement, Uses};
use crate::ir::code::Code;
use crate::ir::nat::Var;

/// Something that a kernel uses and cannot be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unavailable {
    /// A variable of another kernel.
    Scalar,
    /// An array in the private memory of another kernel.
    PrivateArray,
    /// A position that nothing declares.
    Position(Var),
}

/// The parameters that a kernel of this program needs for a body that uses these buffers.
pub(crate) fn kernel_parameters(
    body: &[Statement],
    code: &Code,
    buffers: &[Buffer],
) -> Result<Vec<KernelParameter>, Unavailable> {
    let Code { scalars, sizes, .. } = code;
    let uses = Uses::of(body);
    let mut parameters = Vec::new();
    let of_role = |wanted: fn(&BufferRole) -> bool| {
        uses.buffers
            .iter()
            .filter(move |id| buffers.get(id.0).is_some_and(|buffer| wanted(&buffer.role)))
            .map(|id| KernelParameter::Buffer(*id))
    };
    parameters.extend(of_role(|role| matches!(role, BufferRole::Parameter(_))));
    let mut free = uses.free();
    for (position, scalar) in scalars {
        if free.remove(&scalar.name) {
            parameters.push(KernelParameter::Scalar(*position, scalar.clone()));
        }
    }
    if !free.is_empty() {
        return Err(Unavailable::Scalar);
    }
    let is_private =
        |id: &&BufferId| buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private);
    if uses.undeclared_buffers().any(|id| is_private(&id)) {
        return Err(Unavailable::PrivateArray);
    }
    parameters.extend(of_role(|role| matches!(role, BufferRole::Result(_))));
    parameters.extend(of_role(|role| role.temporary().is_some()));
    let is_size = |variable: &&Var| sizes.iter().any(|size| &size.variable == *variable);
    if let Some(unknown) = uses.sizes.difference(&uses.indices).find(|variable| !is_size(variable)) {
        return Err(Unavailable::Position(unknown.clone()));
    }
    let used = sizes.iter().filter(|size| uses.sizes.contains(&size.variable));
    parameters.extend(used.map(|size| KernelParameter::Size(size.variable.clone())));
    Ok(parameters)
}
