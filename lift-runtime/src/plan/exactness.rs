//! Whether a device computes as exactly as a strict program asks.

use super::resolved;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::program::{Exactness, Program, ScalarType};

/// Checks that the device rounds as the program asks, for the element types of a call.
pub(super) fn check(program: &Program, types: &[ScalarType], device: &Device) -> Result<()> {
    let floats = device.limits().floats;
    let Exactness { computed, divided } = program.exact;
    let computed = computed.iter().map(|ty| resolved(*ty, types)).map(|ty| (ty, floats.is_inexact(ty)));
    let divided = divided.iter().map(|ty| resolved(*ty, types)).map(|ty| (ty, floats.divides_inexactly(ty)));
    let lacking = computed.chain(divided).find_map(|(element, lacks)| Some((element, lacks?)));
    match lacking {
        None => Ok(()),
        Some((element, lacks)) => Err(Error::Inexact {
            device: device.to_string(),
            program: program.name.to_owned(),
            element: element.to_string(),
            lacks: lacks.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Arithmetic, DeviceKind, Floats, Limits};
    use crate::program::{NO_KERNELS, ROUNDED_FREELY, ScalarClass, TypeParameter};

    const OPEN: ScalarType = ScalarType::Parameter(TypeParameter { index: 0, class: ScalarClass::Float });

    const fn program(exact: Exactness) -> Program {
        Program {
            name: "norm",
            type_parameters: 1,
            sizes: &[],
            parameters: &[],
            results: &[],
            obligations: &[],
            plain: NO_KERNELS,
            others: &[],
            exact,
            repeated: &[],
        }
    }

    /// What a device says of a program, of elements of this type.
    fn refused(exact: Exactness, open: ScalarType, floats: Floats) -> Option<String> {
        let device = Device::made_up(DeviceKind::Gpu, Limits { floats, ..Limits::of_the_host() });
        check(&program(exact), &[open], &device).err().map(|error| error.to_string())
    }

    #[test]
    fn a_device_that_rounds_otherwise_is_refused_with_the_reason() {
        let exact = Exactness { computed: &[OPEN], divided: &[OPEN] };
        let flushing = Arithmetic { keeps_subnormals: false, ..Floats::EXACT.single };
        let flushing = Floats { single: flushing, ..Floats::EXACT };
        let reason = "`norm` is `#[strict]`, and the device `made up (tests)` may take subnormal numbers for \
                      zero (f32), so that it may compute other bits than other devices";
        assert_eq!(refused(exact, ScalarType::F32, flushing).as_deref(), Some(reason));
        assert_eq!(refused(exact, ScalarType::F64, flushing), None);
        assert_eq!(refused(ROUNDED_FREELY, ScalarType::F32, flushing), None);
        assert_eq!(refused(exact, ScalarType::F32, Floats::EXACT), None);
    }

    #[test]
    fn quotients_must_be_exact_only_where_there_are_some() {
        let dividing = Arithmetic { divides_exactly: false, ..Floats::EXACT.single };
        let dividing = Floats { single: dividing, ..Floats::EXACT };
        let sums = Exactness { computed: &[ScalarType::F32], divided: &[] };
        assert_eq!(refused(sums, ScalarType::I32, dividing), None);
        let quotients = Exactness { divided: &[ScalarType::F32], ..sums };
        let reason = refused(quotients, ScalarType::I32, dividing).expect("it rounds them");
        assert!(reason.contains("rounds quotients and square roots as it likes (f32)"), "{reason}");
    }
}
