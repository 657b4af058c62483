//! The parameters of a kernel: what its body uses, in a fixed order.
//!
//! Array parameters of the program come first, then its scalars, the result, temporaries and sizes.

use super::Generated;
use crate::diagnostic::Diagnostic;
use crate::kernel::{Buffer, BufferId, BufferRole, KernelParameter, Statement, Uses, Variable};
use crate::nat::Var;
use crate::typed::Program;

/// The parameters that a kernel with this body needs.
pub(super) fn kernel_parameters(
    body: &[Statement],
    program: &Program,
    scalars: &[(usize, Variable)],
    buffers: &[Buffer],
) -> Generated<Vec<KernelParameter>> {
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
        return Err(Diagnostic::new(
            program.body.source,
            "a scalar is computed before work that the whole device does, and used after it",
        )
        .with_help("this needs several kernels that pass scalars on, which is not supported yet"));
    }
    let is_private =
        |id: &&BufferId| buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private);
    if uses.undeclared_buffers().any(|id| is_private(&id)) {
        return Err(Diagnostic::new(
            program.body.source,
            "an array in private memory is made before work that the whole device does, and used after it",
        )
        .with_help("store it with `toGlobal`, or make it again inside the map that reads it"));
    }
    parameters.extend(of_role(|role| matches!(role, BufferRole::Result(_))));
    parameters.extend(of_role(|role| role.temporary().is_some()));
    let is_size = |variable: &&Var| program.sizes.iter().any(|size| &size.variable == *variable);
    if let Some(unknown) = uses.sizes.difference(&uses.indices).find(|variable| !is_size(variable)) {
        let problem = format!("nothing says what the position `{unknown}` is in a kernel");
        return Err(Diagnostic::internal(program.body.source, &problem));
    }
    let sizes = program.sizes.iter().filter(|size| uses.sizes.contains(&size.variable));
    parameters.extend(sizes.map(|size| KernelParameter::Size(size.variable.clone())));
    Ok(parameters)
}
