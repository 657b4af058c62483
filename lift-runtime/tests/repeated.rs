//! What a program computes more often than its source says is told when it is built for a device.

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
