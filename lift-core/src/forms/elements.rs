//! The form in which work-items compute several elements each, where kernels do little for each element
//! (`device::coarsening`): maps over arrays, stencils, gathers, layouts. The program and its code are those
//! of the plain form; only their division among work-items differs.

use super::defaults::{MANY_ELEMENTS, SEVERAL_STEPS, WIDE_ROW, WIDE_ROW_OF_LOOPS};
use super::left_out::Reason;
use super::{Candidate, at_least, different, is_size};
use crate::compiled::{DeviceClass, Selection};
use crate::device::{self, Elements};
use crate::ir::code::Code;
use crate::ir::nat::Nat;
use crate::ir::typed::Program;
use crate::options::Coarsening;

/// The form of a program in whose plain form at least one kernel does little for each element.
///
/// # Errors
/// Says why there is none.
pub(super) fn form(plain: &Program, code: &Code) -> Result<Candidate, Reason> {
    let is_known = |extent: &Nat| extent.variables().iter().all(|variable| is_size(variable, &plain.sizes));
    let light = code.kernels.iter().filter_map(|kernel| device::elements(&kernel.body, &code.sizes));
    let light: Vec<Elements> = light.filter(|light| light.extents.iter().all(is_known)).collect();
    let count =
        light.iter().map(|light| light.extents.iter().fold(Nat::one(), |count, extent| count * extent));
    let count = count.reduce(|sum, count| sum + count).ok_or(Reason::MuchForEach)?;
    if count.as_constant().is_some_and(|count| count < MANY_ELEMENTS) {
        return Err(Reason::FewElements);
    }
    // Short rows of a known length share a group with their neighbours.
    let open_widths = light.iter().filter_map(|Elements { extents, steps }| match extents.as_slice() {
        [width, _, ..] if width.as_constant().is_none() => {
            at_least(width, if *steps < SEVERAL_STEPS { WIDE_ROW } else { WIDE_ROW_OF_LOOPS })
        }
        _ => None,
    });
    let thresholds = different(at_least(&count, MANY_ELEMENTS).into_iter().chain(open_widths));
    let selection = Selection { thresholds, ..Selection::new("elements", DeviceClass::Accelerator) };
    let form = Candidate::new(selection, plain.clone());
    Ok(Candidate { coarsening: Coarsening::LightKernels, has_plain_code: true, ..form })
}
