//! What a program computes more often than its source says is told when it is built for a device, or first
//! called on the host.

mod common;
#[path = "common/events.rs"]
mod events;

use common::{ADD, add_kernels, every_device, generated};
use events::told;
use lift_runtime::__private::{Compiled, Program};

static REPEATED: Program = Program { repeated: &["each element of `b` 9 times"], ..ADD };

#[test]
fn what_is_repeated_is_told_on_every_device() {
    for device in every_device() {
        let count = |program| {
            let (built, lines) =
                told(|| Compiled::new(generated(program, add_kernels::<f32>()), &device, &[]));
            built.unwrap();
            let is_told = |line: &&String| line.starts_with("INFO it computes each element of `b` 9 times");
            lines.iter().filter(is_told).count()
        };
        // On OpenCL devices a text is built once.
        assert_eq!((count(&REPEATED), count(&ADD)), (1, 0), "{device}");
    }
}

#[cfg(feature = "host")]
static CALLED: Program = Program { repeated: &["each element of `b` 3 times"], ..ADD };

#[cfg(feature = "host")]
#[test]
fn what_is_repeated_is_told_at_the_first_call_on_the_host() {
    use lift_runtime::__private::Call;
    use lift_runtime::DeviceKind;
    use lift_runtime::ndarray::Array1;

    let host = every_device().into_iter().find(|device| device.kind() == DeviceKind::Host).unwrap();
    let told_by_call = || {
        let call = Call::new(generated(&CALLED, add_kernels::<f32>())).array(&[1.0f32]).array(&[2.0f32]);
        let (sum, lines) = told(|| call.run::<Array1<f32>>(&host));
        assert_eq!(sum.unwrap().to_vec(), [3.0]);
        lines.iter().filter(|line| line.starts_with("INFO it computes each element of `b` 3 times")).count()
    };
    assert_eq!((told_by_call(), told_by_call()), (1, 0));
}
