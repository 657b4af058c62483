//! Which form of a program computes a call.
//!
//! It is the first one whose device class includes the device, whose guards and thresholds hold, whose
//! kernels the device can launch, and whose arrays leave most of its memory to arguments and results; the
//! plain form is the last one, and what stands in its way is an error. The choice is a function of the sizes
//! of the call and of what the device says about itself, and of nothing else: forms may round differently,
//! and a call has the same result in every process.

use std::fmt;
use std::ptr;

use super::solve::Sizes;
use crate::backend::DeviceKind;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::program::{DeviceClass, Form, Program};

/// A program in one of its forms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) program: &'static Program,
    pub(crate) form: &'static Form,
}

/// The forms that may compute a call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Wish {
    /// The first one that can.
    #[default]
    FirstPossible,
    /// The one that the user named.
    Only(&'static Form),
}

/// What stands in the way of a form.
#[derive(Debug)]
enum Obstacle {
    /// The device is none of these.
    Device(DeviceClass),
    /// This guard does not hold.
    Guard(&'static str),
    /// This threshold is not reached.
    Threshold(&'static str),
    /// It could not be planned, the device cannot launch it, or it takes too much of the device's memory.
    Plan(Error),
}

impl Chosen {
    /// The program in its plain form.
    pub(crate) fn plain(program: &'static Program) -> Chosen {
        Chosen { program, form: &program.plain }
    }

    /// The form that calls on a device are likely to have: the first one without guards. Who is in a hurry has
    /// large arrays, which reach thresholds.
    pub(crate) fn expected(program: &'static Program, wish: Wish, device: &Device) -> Chosen {
        let form = match wish {
            Wish::Only(form) => form,
            Wish::FirstPossible => {
                let is_possible = |form: &&Form| form.guards.is_empty() && includes(form.devices, device);
                program.others.iter().find(is_possible).unwrap_or(&program.plain)
            }
        };
        Chosen { program, form }
    }

    /// Whether the form is the plain one.
    pub(crate) fn is_plain(self) -> bool {
        ptr::eq(self.form, &raw const self.program.plain)
    }
}

impl Wish {
    /// The form with this name.
    pub(crate) fn named(program: &'static Program, name: &str) -> Result<Wish> {
        let found = program.forms().find(|form| form.name == name).map(Wish::Only);
        found.ok_or_else(|| Error::NoSuchForm {
            program: program.name.to_owned(),
            form: name.to_owned(),
            forms: program.forms().map(|form| form.name.to_owned()).collect(),
        })
    }

    /// Demands that the launch of the plain form can be chosen: no other form has one that is open.
    pub(crate) fn leaves_launches_open(self, program: &'static Program) -> Result<()> {
        match self {
            Wish::Only(form) if !ptr::eq(form, &raw const program.plain) => Err(Error::Form {
                program: program.name.to_owned(),
                form: form.name.to_owned(),
                reason: "it has a launch of its own, and only that of the form `plain` can be chosen"
                    .to_owned(),
            }),
            Wish::Only(_) | Wish::FirstPossible => Ok(()),
        }
    }
}

/// The plan of the first possible form. `plan` makes the plan of a form, or says why there is none.
pub(crate) fn choose<Plan>(
    program: &'static Program,
    wish: Wish,
    device: &Device,
    sizes: &mut Sizes,
    mut plan: impl FnMut(Chosen, &mut Sizes) -> Result<Plan>,
) -> Result<Plan> {
    let plain = Chosen::plain(program);
    match wish {
        Wish::Only(form) => {
            let chosen = Chosen { program, form };
            if !chosen.is_plain() {
                check_wish(chosen, device, sizes)?;
            }
            plan(chosen, sizes)
        }
        Wish::FirstPossible if program.others.is_empty() => plan(plain, sizes),
        Wish::FirstPossible => {
            let mut passed_over = Vec::new();
            for form in program.others {
                let possible = possible(form, device, sizes)
                    .and_then(|()| plan(Chosen { program, form }, sizes).map_err(Obstacle::Plan));
                match possible {
                    Ok(plan) => {
                        tell(program, form, device, &passed_over);
                        return Ok(plan);
                    }
                    Err(obstacle) => passed_over.push((form.name, obstacle)),
                }
            }
            tell(program, plain.form, device, &passed_over);
            plan(plain, sizes)
        }
    }
}

/// Whether a form is for this device and these sizes.
fn possible(form: &'static Form, device: &Device, sizes: &mut Sizes) -> std::result::Result<(), Obstacle> {
    if !includes(form.devices, device) {
        return Err(Obstacle::Device(form.devices));
    }
    if let Some(guard) = form.guards.iter().find(|guard| !sizes.holds(&guard.condition)) {
        return Err(Obstacle::Guard(guard.text));
    }
    match form.thresholds.iter().find(|threshold| !sizes.holds(&threshold.condition)) {
        Some(threshold) => Err(Obstacle::Threshold(threshold.text)),
        None => Ok(()),
    }
}

/// Checks a form that the user asked for. It is correct on every device with drivers and beyond its
/// thresholds, whether it is fast there or not; it is not correct where its guards do not hold.
fn check_wish(chosen: Chosen, device: &Device, sizes: &mut Sizes) -> Result<()> {
    let refused = |reason: String| {
        let (program, form) = (chosen.program.name.to_owned(), chosen.form.name.to_owned());
        Err(Error::Form { program, form, reason })
    };
    if device.kind() == DeviceKind::Host {
        return refused("the host computes the form `plain`, which alone has code for it".to_owned());
    }
    match chosen.form.guards.iter().find(|guard| !sizes.holds(&guard.condition)) {
        Some(guard) => refused(format!("it is for sizes with `{}`", guard.text)),
        None => Ok(()),
    }
}

/// Whether a device belongs to a class. One that does not say how many compute units it has may have many.
fn includes(class: DeviceClass, device: &Device) -> bool {
    match (device.kind(), class) {
        (DeviceKind::Host, _) => false,
        (_, DeviceClass::Any) => true,
        (DeviceKind::Gpu | DeviceKind::Accelerator, DeviceClass::Accelerator) => true,
        (DeviceKind::Cpu, DeviceClass::Processor) => true,
        (DeviceKind::Cpu, DeviceClass::ProcessorBelow(most)) => {
            (1..u64::from(most)).contains(&device.limits().compute_units)
        }
        (
            DeviceKind::Gpu | DeviceKind::Accelerator,
            DeviceClass::Processor | DeviceClass::ProcessorBelow(_),
        )
        | (DeviceKind::Cpu, DeviceClass::Accelerator) => false,
    }
}

fn tell(program: &Program, form: &Form, device: &Device, passed_over: &[(&str, Obstacle)]) {
    tracing::debug!(
        program = program.name,
        %device,
        form = form.name,
        passed_over = %PassedOver(passed_over),
        "chose a form"
    );
}

/// The forms before the chosen one, and what stood in their way.
struct PassedOver<'o>(&'o [(&'o str, Obstacle)]);

impl fmt::Display for PassedOver<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, obstacle)) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            write!(formatter, "{separator}`{name}`: {obstacle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Device(class) => write!(formatter, "it is for {class}"),
            Obstacle::Guard(text) => write!(formatter, "it is for sizes with `{text}`"),
            Obstacle::Threshold(text) => write!(formatter, "it is worth it from `{text}` on"),
            Obstacle::Plan(error) => error.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Limits;
    use crate::error::internal;
    use crate::plan::solve::{self, Equation};
    use crate::program::{Condition, Guard, NO_KERNELS, Size, SizeVariable};

    const FOUR: Size = Size::Constant(4);
    const REST: Size = Size::Remainder(&Size::Variable(0), &FOUR);
    const DIVIDES: Guard =
        Guard { text: "N % 4 == 0", condition: Condition::Equal(&REST, &Size::Constant(0)) };
    /// A guard that compares what has no value where `N` is 0.
    const UNDEFINED: Guard = Guard {
        text: "4 / N <= N",
        condition: Condition::LessOrEqual(&Size::Divide(&FOUR, &Size::Variable(0)), &Size::Variable(0)),
    };

    static PROGRAM: Program = Program {
        name: "example",
        type_parameters: 0,
        sizes: &[SizeVariable { name: "N", minimum: 0 }],
        parameters: &[],
        results: &[],
        obligations: &[],
        plain: NO_KERNELS,
        others: &[
            Form { name: "vectors", devices: DeviceClass::Accelerator, guards: &[DIVIDES], ..NO_KERNELS },
            Form { name: "tiles", devices: DeviceClass::Accelerator, ..NO_KERNELS },
            Form { name: "few", devices: DeviceClass::ProcessorBelow(4), guards: &[UNDEFINED], ..NO_KERNELS },
            Form { name: "many", devices: DeviceClass::Processor, guards: &[DIVIDES], ..NO_KERNELS },
        ],
        exact: crate::program::ROUNDED_FREELY,
        repeated: &[],
    };

    fn device(kind: DeviceKind, compute_units: u64) -> Device {
        Device::made_up(kind, Limits { compute_units, ..Limits::of_the_host() })
    }

    fn sizes(n: u64) -> Sizes {
        let size = Size::Variable(0);
        let equation = Equation { parameter: 0, dimension: None, rank: 0, size, found: n };
        solve::solve(&PROGRAM, &[equation]).expect("the size is given")
    }

    /// The name of the form that is chosen, where the device cannot launch the forms of these names.
    fn chosen(wish: Wish, device: &Device, n: u64, too_large: &[&str]) -> Result<&'static str> {
        choose(&PROGRAM, wish, device, &mut sizes(n), |chosen, _| {
            match too_large.contains(&chosen.form.name) {
                false => Ok(chosen.form.name),
                true => Err(internal(chosen.program, format!("no {}", chosen.form.name))),
            }
        })
    }

    fn first(device: &Device, n: u64, too_large: &[&str]) -> &'static str {
        chosen(Wish::FirstPossible, device, n, too_large).expect("the plain form is possible")
    }

    #[test]
    fn the_first_form_for_the_device_and_the_sizes_is_chosen() {
        let gpu = device(DeviceKind::Gpu, 2);
        assert_eq!([first(&gpu, 8, &[]), first(&gpu, 9, &[])], ["vectors", "tiles"]);
        assert_eq!(first(&device(DeviceKind::Accelerator, 1), 9, &[]), "tiles");
        let (small, large) = (device(DeviceKind::Cpu, 3), device(DeviceKind::Cpu, 4));
        assert_eq!([first(&small, 9, &[]), first(&large, 9, &[])], ["few", "plain"]);
        assert_eq!(first(&large, 8, &[]), "many");
        assert_eq!(first(&device(DeviceKind::Cpu, 0), 9, &[]), "plain", "it may have many compute units");
        assert_eq!(first(&device(DeviceKind::Host, 1), 8, &[]), "plain");
    }

    #[test]
    fn a_guard_without_a_value_does_not_hold() {
        assert_eq!(first(&device(DeviceKind::Cpu, 1), 0, &[]), "many");
    }

    #[test]
    fn a_form_that_the_device_cannot_launch_is_passed_over_unless_it_is_the_last() {
        let gpu = device(DeviceKind::Gpu, 2);
        assert_eq!(first(&gpu, 8, &["vectors"]), "tiles");
        assert_eq!(first(&gpu, 8, &["vectors", "tiles"]), "plain");
        let all = ["vectors", "tiles", "plain"];
        let error = chosen(Wish::FirstPossible, &gpu, 8, &all).expect_err("nothing is possible");
        assert!(error.to_string().contains("no plain"), "{error}");
    }

    #[test]
    fn a_form_that_is_asked_for_is_taken_on_every_device_but_the_host() {
        let wish = |name| Wish::named(&PROGRAM, name).expect("there is such a form");
        let processor = device(DeviceKind::Cpu, 8);
        assert_eq!(chosen(wish("vectors"), &processor, 8, &[]).expect("it divides"), "vectors");
        assert_eq!(chosen(wish("plain"), &device(DeviceKind::Host, 1), 8, &[]).expect("as always"), "plain");
        let message = |name, device: &Device, n| {
            chosen(wish(name), device, n, &[]).expect_err("it is not possible").to_string()
        };
        assert_eq!(
            message("vectors", &processor, 9),
            "the form `vectors` of `example` cannot compute this: it is for sizes with `N % 4 == 0`"
        );
        assert_eq!(
            message("tiles", &device(DeviceKind::Host, 1), 9),
            "the form `tiles` of `example` cannot compute this: the host computes the form `plain`, which \
             alone has code for it"
        );
        let error = Wish::named(&PROGRAM, "tile").expect_err("there is no such form");
        let text =
            "`example` has no form `tile`: its forms are `vectors`, `tiles`, `few`, `many` and `plain`";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn what_is_built_before_the_first_call_is_the_first_form_without_guards() {
        let expected =
            |kind, units| Chosen::expected(&PROGRAM, Wish::FirstPossible, &device(kind, units)).form.name;
        assert_eq!(expected(DeviceKind::Gpu, 100), "tiles");
        assert_eq!(expected(DeviceKind::Cpu, 2), "plain");
    }

    #[test]
    fn what_is_passed_over_is_told_with_the_reason() {
        let (gpu, processor) = (device(DeviceKind::Gpu, 2), device(DeviceKind::Cpu, 8));
        let obstacle = |position: usize, device: &Device| {
            let form = &PROGRAM.others[position];
            (form.name, possible(form, device, &mut sizes(9)).expect_err("it is not possible"))
        };
        let obstacles = [obstacle(0, &gpu), obstacle(1, &processor), obstacle(2, &processor)];
        assert_eq!(
            PassedOver(&obstacles).to_string(),
            "`vectors`: it is for sizes with `N % 4 == 0`; `tiles`: it is for GPUs and other accelerators; \
             `few`: it is for processors with fewer than 4 compute units"
        );
    }
}
