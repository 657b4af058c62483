//! What a call will do, decided and checked before anything happens on a device.
//!
//! A [`Plan`] exists only for arguments that satisfy every equation between sizes, every minimum and every
//! obligation of the program; it holds the shapes of results and temporaries and the launch geometry.

mod choice;
mod exactness;
mod index_width;
pub(crate) mod launch_sizes;
mod planned_kernel;
mod size;
mod solve;
pub(crate) mod steps;

use crate::backend::IndexWidth;
use crate::dense_array::DenseArray;
use crate::device::Device;
use crate::error::{Error, KnownSize, Result, internal, value_of_size};
use crate::input::Given;
use crate::program::{
    Form, Launches, Obligation, ParameterType, Program, Relation, ScalarType, Size, Temporary,
};
use index_width::index_width;
use launch_sizes::{Choices, LaunchSizes};
use solve::{Equation, Sizes};
use steps::PlannedStep;

pub(crate) use choice::{Chosen, Wish};
pub(crate) use planned_kernel::PlannedKernel;

/// Everything about a call that follows from its arguments.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The form that is planned.
    pub(crate) chosen: Chosen,
    pub(crate) types: Vec<ScalarType>,
    /// The type that all indices fit into; [`IndexWidth::on`] gives the type that a device uses.
    pub(crate) index: IndexWidth,
    pub(crate) sizes: Vec<i64>,
    pub(crate) results: Vec<DenseArray>,
    pub(crate) temporaries: Vec<DenseArray>,
    /// The launches of kernels that have work-items at all. A launch that is repeated unchanged is listed
    /// once.
    pub(crate) kernels: Vec<PlannedKernel>,
    /// The order in which they are launched.
    pub(crate) steps: Vec<PlannedStep>,
    /// The positions of the parameters that are values and are read from the device.
    pub(crate) values_on_device: Vec<usize>,
}

/// Checks the arguments and plans the call, with the first possible form of those that are wished for.
/// `build` builds the kernels of a form that is not the last one: a device may lack registers for them.
pub(crate) fn plan(
    program: &'static Program,
    arguments: &[Given<'_>],
    choices: &Choices,
    wish: Wish,
    device: &Device,
    build: &dyn Fn(&Plan) -> Result<()>,
) -> Result<Plan> {
    let types = type_parameters(program, arguments)?;
    let mut sizes = solve::solve(program, &equations(program, arguments)?)?;
    program.obligations.iter().try_for_each(|obligation| check_obligation(obligation, &mut sizes))?;
    sizes.verify_minimums()?;
    choice::choose(program, wish, device, &mut sizes, |chosen, sizes| {
        let mut plan = planned(chosen, &types, choices, sizes)?;
        plan.values_on_device = values_on_device(arguments);
        // What a device lacks for the plain form is told when the call starts, after all other mistakes.
        if !chosen.is_plain() {
            check_limits(&plan, device)?;
            if let Wish::FirstPossible = wish {
                check_temporaries(&plan, device, sizes)?;
            }
            build(&plan)?;
        }
        Ok(plan)
    })
}

/// The plan for one form.
fn planned(chosen: Chosen, types: &[ScalarType], choices: &Choices, sizes: &mut Sizes) -> Result<Plan> {
    let Chosen { program, form } = chosen;
    let mut kernels: Vec<PlannedKernel> = Vec::new();
    let steps = steps::planned_steps(chosen, form.steps, sizes, &mut |position, sizes| {
        // Launches are chosen for the kernels of the plain form.
        let choice = if chosen.is_plain() { choices.of(position) } else { None };
        let kernel = planned_kernel(form, position, choice, sizes)?;
        kernels.extend(kernel);
        Ok(kernel)
    })?;
    let index = index_width(chosen, &kernels, sizes)?;
    let results =
        program.results.iter().map(|result| dense_array(program, result.element, result.shape, types, sizes));
    let results = results.collect::<Result<_>>()?;
    Ok(Plan {
        chosen,
        index,
        results,
        temporaries: temporaries(program, form, types, sizes)?,
        steps,
        kernels,
        sizes: (0..program.sizes.len()).filter_map(|slot| sizes.variable(slot)).collect(),
        types: types.to_vec(),
        values_on_device: Vec::new(),
    })
}

/// The arrays between the kernels of a form.
fn temporaries(
    program: &'static Program,
    form: &'static Form,
    types: &[ScalarType],
    sizes: &mut Sizes,
) -> Result<Vec<DenseArray>> {
    let array = |temporary: &'static Temporary| {
        dense_array(program, temporary.element, std::slice::from_ref(&temporary.length), types, sizes)
    };
    form.temporaries.iter().map(array).collect()
}

/// The positions of the arguments that are values and were left on a device.
fn values_on_device(arguments: &[Given<'_>]) -> Vec<usize> {
    let is_there = |argument: &Given<'_>| matches!(argument, Given::DeviceValue { .. });
    arguments.iter().enumerate().filter(|(_, argument)| is_there(argument)).map(|(at, _)| at).collect()
}

/// The type itself, or the type that a type parameter has in this call.
pub(crate) fn resolved(element: ScalarType, types: &[ScalarType]) -> ScalarType {
    match element {
        ScalarType::Parameter(parameter) => types.get(parameter.index).copied().unwrap_or(element),
        fixed => fixed,
    }
}

/// The type parameters as the arguments fix them; `f32` for one that no argument fixes.
fn type_parameters(program: &'static Program, arguments: &[Given<'_>]) -> Result<Vec<ScalarType>> {
    let mut types = vec![None; program.type_parameters];
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        let (expected, found) = match (parameter.ty, argument.element()) {
            (
                ParameterType::Scalar(element)
                | ParameterType::Vector(element, _)
                | ParameterType::Array { element, .. },
                Some(found),
            ) => (element, found),
            (
                ParameterType::Scalar(_)
                | ParameterType::Vector(..)
                | ParameterType::Array { .. }
                | ParameterType::Size(_),
                _,
            ) => continue,
        };
        let expected = match expected {
            ScalarType::Parameter(parameter) => match types.get_mut(parameter.index) {
                Some(ty) => *ty.get_or_insert(found),
                None => return Err(internal(program, format!("there is no type parameter `{expected}`"))),
            },
            fixed => fixed,
        };
        if expected != found {
            return Err(Error::ElementType {
                argument: parameter.name.to_owned(),
                expected: expected.to_string(),
                found: found.to_string(),
            });
        }
    }
    Ok(types.into_iter().map(|ty| ty.unwrap_or(ScalarType::F32)).collect())
}

/// One equation for each dimension of each array, and one for each size that is passed.
fn equations(program: &'static Program, arguments: &[Given<'_>]) -> Result<Vec<Equation>> {
    if program.parameters.len() != arguments.len() {
        let message = format!("{} arguments for {} parameters", arguments.len(), program.parameters.len());
        return Err(internal(program, message));
    }
    let mut equations = Vec::new();
    for (parameter, (declared, argument)) in program.parameters.iter().zip(arguments).enumerate() {
        match (declared.ty, argument) {
            (ParameterType::Scalar(_), Given::Scalar { width: 1, .. }) => {}
            (ParameterType::Vector(_, width), Given::Scalar { width: found, .. }) if width == *found => {}
            (ParameterType::Scalar(_), Given::DeviceValue { lengths, .. }) if lengths.is_empty() => {
                argument.check_contents(declared.name)?;
            }
            (ParameterType::Vector(_, width), Given::DeviceValue { lengths, .. })
                if let &[found] = lengths.as_slice() =>
            {
                argument.check_contents(declared.name)?;
                let size = Size::Constant(width as i64);
                equations.push(Equation {
                    parameter,
                    dimension: Some(0),
                    rank: 1,
                    size,
                    found: found as u64,
                });
            }
            (ParameterType::Size(slot), &Given::Size(found)) => {
                let size = Size::Variable(slot);
                equations.push(Equation { parameter, dimension: None, rank: 0, size, found });
            }
            (ParameterType::Scalar(_), &Given::Size(found)) => {
                return Err(solve::too_large(program, declared.name, found));
            }
            (
                ParameterType::Array { shape, .. },
                Given::Host { lengths, .. } | Given::Device { lengths, .. },
            ) => {
                let rank = shape.len();
                if lengths.len() != rank {
                    return Err(Error::Rank {
                        argument: declared.name.to_owned(),
                        expected: rank,
                        found: lengths.len(),
                    });
                }
                argument.check_contents(declared.name)?;
                equations.extend(shape.iter().zip(lengths).enumerate().map(
                    |(dimension, (&size, &found))| Equation {
                        parameter,
                        dimension: Some(dimension),
                        rank,
                        size,
                        found: found as u64,
                    },
                ));
            }
            (
                ParameterType::Scalar(_)
                | ParameterType::Vector(..)
                | ParameterType::Size(_)
                | ParameterType::Array { .. },
                _,
            ) => {
                let message = format!("`{}` was passed as {}", declared.name, argument.kind());
                return Err(internal(program, message));
            }
        }
    }
    Ok(equations)
}

fn check_obligation(obligation: &Obligation, sizes: &mut Sizes) -> Result<()> {
    if let Relation::Permutes { slot } = obligation.relation {
        return check_permutation(obligation, slot, sizes);
    }
    let (left, right) = (sizes.value(&obligation.left)?, sizes.value(&obligation.right)?);
    let holds = match obligation.relation {
        Relation::Equal => left == right,
        Relation::AtMost => left <= right,
        Relation::Divides => right.checked_rem_euclid(left).map_or(right == 0, |remainder| remainder == 0),
        Relation::Permutes { .. } => false,
    };
    if holds {
        return Ok(());
    }
    let actual = match facts(&[obligation.left, obligation.right], sizes) {
        Ok(facts) if facts.is_empty() => format!("{left} and {right} do not"),
        facts => enumerated(&facts?),
    };
    Err(Error::Obligation { constraint: obligation.text.to_owned(), actual })
}

/// Sentences with the values of sizes and their origins. A formula that chooses or repeats is hard to read,
/// so the values of its variables are told instead.
fn facts(stated: &[Size], sizes: &mut Sizes) -> Result<Vec<String>> {
    let mut facts = Vec::new();
    for size in stated {
        let variables = sizes.known_sizes(size);
        if variables.is_empty() {
            continue;
        }
        if size::is_formula(size) {
            let value = sizes.value(size)?;
            facts.push(value_of_size(&sizes.text(size), value, &variables));
        } else {
            facts.extend(variables.iter().map(KnownSize::to_string));
        }
    }
    facts.dedup();
    Ok(facts)
}

/// `a and b`, `a, b and c`
fn enumerated(facts: &[String]) -> String {
    match facts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// Checks a permutation by looking at every position, in linear time and with one bit of memory for each.
fn check_permutation(obligation: &Obligation, slot: usize, sizes: &mut Sizes) -> Result<()> {
    let length = sizes.count(&obligation.right)?;
    let fails = |sizes: &Sizes, what: String| {
        let mut known = sizes.known_sizes(&obligation.left);
        known.extend(sizes.known_sizes(&obligation.right));
        let mut facts: Vec<String> = known.iter().map(KnownSize::to_string).collect();
        facts.sort();
        facts.dedup();
        facts.push(what);
        Err(Error::Obligation { constraint: obligation.text.to_owned(), actual: enumerated(&facts) })
    };
    let words = length / 64 + 1;
    let mut taken: Vec<u64> = Vec::new();
    if taken.try_reserve_exact(words).is_err() {
        return Err(sizes.undefined(&obligation.right, "is too large to look at every position"));
    }
    taken.resize(words, 0);
    for position in 0..length {
        let place = sizes.value_at(&obligation.left, slot, position)?;
        let index = usize::try_from(place).ok().filter(|index| *index < length);
        let Some((word, bit)) = index.and_then(|index| Some((taken.get_mut(index / 64)?, 1 << (index % 64))))
        else {
            return fails(sizes, format!("position {position} is mapped to {place}"));
        };
        if *word & bit != 0 {
            let mut earlier = 0;
            while sizes.value_at(&obligation.left, slot, earlier)? != place {
                earlier += 1;
            }
            return fails(sizes, format!("positions {earlier} and {position} are both mapped to {place}"));
        }
        *word |= bit;
    }
    Ok(())
}

fn dense_array(
    program: &'static Program,
    element: ScalarType,
    lengths: &'static [Size],
    types: &[ScalarType],
    sizes: &mut Sizes,
) -> Result<DenseArray> {
    let element = resolved(element, types);
    let shape = lengths.iter().map(|size| sizes.count(size)).collect::<Result<Vec<_>>>()?;
    let Some(width) = element.known_bytes() else {
        return Err(internal(program, "a type parameter is open".to_owned()));
    };
    let bytes = byte_count(&shape, width.into())
        .ok_or_else(|| sizes.undefined(&Size::Multiply(lengths), "is too large for an array"))?;
    Ok(DenseArray { element, shape, bytes })
}

/// The bytes of an array. The product of its nonzero lengths must fit too, as `ndarray` demands.
fn byte_count(shape: &[usize], width: usize) -> Option<usize> {
    let nonzero = shape.iter().filter(|&&length| length != 0);
    let largest = nonzero
        .copied()
        .try_fold(width, usize::checked_mul)
        .filter(|&bytes| isize::try_from(bytes).is_ok())?;
    Some(if shape.contains(&0) { 0 } else { largest })
}

/// A kernel with its global sizes rounded up to whole work-groups; `None` if it has no work-items.
fn planned_kernel(
    form: &'static Form,
    position: usize,
    choice: Option<LaunchSizes>,
    sizes: &mut Sizes,
) -> Result<Option<PlannedKernel>> {
    let Some(kernel) = form.kernels.get(position) else { return Ok(None) };
    let mut global = [0; 3];
    for ((global, size), local) in global.iter_mut().zip(&kernel.global).zip(kernel.local) {
        let items = sizes.count(size)?;
        *global = items
            .checked_next_multiple_of(local.max(1))
            .ok_or_else(|| sizes.undefined(size, "is too large for a launch"))?;
    }
    let local = kernel.local.map(|size| size.max(1));
    let local_memory = sizes.count(&kernel.local_memory)?;
    if global.contains(&0) {
        return Ok(None);
    }
    let LaunchSizes { global, local } = choice.unwrap_or(LaunchSizes { global, local });
    Ok(Some(PlannedKernel { position, global, local, is_chosen: choice.is_some(), local_memory }))
}

/// Checks what the plan needs against what the device has.
pub(crate) fn check_limits(plan: &Plan, device: &Device) -> Result<()> {
    let Chosen { program, form } = plan.chosen;
    check_elements(plan.chosen, &plan.types, device)?;
    let limits = device.limits();
    let too_much = |what: &str, resource: &str, needed: u64, available: u64| {
        Err(Error::DeviceLimit {
            device: device.to_string(),
            kernel: what.to_owned(),
            resource: resource.to_owned(),
            needed,
            available,
        })
    };
    for array in plan.results.iter().chain(&plan.temporaries) {
        if array.bytes as u64 > limits.buffer {
            return too_much(program.name, "bytes in one buffer", array.bytes as u64, limits.buffer);
        }
    }
    for kernel in &plan.kernels {
        let name = form.kernels.get(kernel.position).map_or(program.name, |kernel| kernel.entry);
        let local_memory = kernel.local_memory as u64;
        if local_memory > limits.local_memory {
            return too_much(name, "bytes of local memory", local_memory, limits.local_memory);
        }
        let launches = form.kernels.get(kernel.position).map(|kernel| kernel.launches);
        // A launch that nobody chose and that nothing relies on is made to fit.
        if kernel.is_chosen || launches == Some(Launches::Pinned) {
            check_group(name, kernel.local, device)?;
        }
    }
    Ok(())
}

/// The arrays between the kernels of a form take at most this part of a device's memory, unless those of the
/// plain form take more: arguments and results have to lie beside them.
const PART_FOR_TEMPORARIES: u64 = 4;

/// Checks that a form that nobody asked for takes no more memory than a user expects. The plain form launches
/// kernels for some rows at a time where the arrays between them would be large; other forms cannot always.
fn check_temporaries(plan: &Plan, device: &Device, sizes: &mut Sizes) -> Result<()> {
    let program = plan.chosen.program;
    let bytes =
        |arrays: &[DenseArray]| arrays.iter().fold(0u64, |sum, array| sum.saturating_add(array.bytes as u64));
    let (needed, available) = (bytes(&plan.temporaries), device.limits().memory / PART_FOR_TEMPORARIES);
    if needed <= available {
        return Ok(());
    }
    let takes_less = |plain: &[DenseArray]| {
        bytes(plain) < needed && plain.iter().all(|array| array.bytes as u64 <= device.limits().buffer)
    };
    // Nothing is gained where the plain form takes as much, or cannot be launched.
    let plain = temporaries(program, &program.plain, &plan.types, sizes);
    if !plain.is_ok_and(|plain| takes_less(&plain)) {
        return Ok(());
    }
    Err(Error::DeviceLimit {
        device: device.to_string(),
        kernel: program.name.to_owned(),
        resource: "bytes for the arrays between kernels".to_owned(),
        needed,
        available,
    })
}

/// The longest group in a dimension, whatever a device says. The compiler relies on this bound for what
/// kernels for any launch compute with the numbers of their work-items.
const LONGEST_GROUP: u64 = 1 << 16;

/// Checks that the device can have such a group.
pub(crate) fn check_group(kernel: &str, local: [usize; 3], device: &Device) -> Result<()> {
    let limits = device.limits();
    let too_much = |resource: String, needed: u64, available: u64| {
        let (device, kernel) = (device.to_string(), kernel.to_owned());
        Err(Error::DeviceLimit { device, kernel, resource, needed, available })
    };
    let group = group_size(local);
    if group > limits.group {
        return too_much("work-items in a work-group".to_owned(), group, limits.group);
    }
    for ((dimension, &size), available) in local.iter().enumerate().zip(limits.group_dimensions) {
        let available = available.min(LONGEST_GROUP);
        if size as u64 > available {
            let resource = format!("work-items in dimension {dimension} of a work-group");
            return too_much(resource, size as u64, available);
        }
    }
    Ok(())
}

/// The number of work-items of a group.
pub(crate) fn group_size(local: [usize; 3]) -> u64 {
    local.iter().fold(1u64, |product, &size| product.saturating_mul(size as u64))
}

/// Checks that the device can compute with every element type of the program, and as exactly as it asks.
pub(crate) fn check_elements(chosen: Chosen, types: &[ScalarType], device: &Device) -> Result<()> {
    let Chosen { program, form } = chosen;
    let parameters = program.parameters.iter().filter_map(|parameter| match parameter.ty {
        ParameterType::Scalar(element)
        | ParameterType::Vector(element, _)
        | ParameterType::Array { element, .. } => Some(element),
        ParameterType::Size(_) => None,
    });
    let arrays = program.results.iter().map(|array| array.element);
    let arrays = arrays.chain(form.temporaries.iter().map(|temporary| temporary.element));
    for element in parameters.chain(arrays).map(|element| resolved(element, types)) {
        if let Some(extension) = device.limits().lacks(element) {
            return Err(Error::MissingExtension {
                device: device.to_string(),
                program: program.name.to_owned(),
                element: element.to_string(),
                extension: extension.to_owned(),
            });
        }
    }
    exactness::check(program, types, device)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{DeviceKind, Limits};
    use crate::program::{DeviceClass, NO_KERNELS, Parameter, ROUNDED_FREELY, SizeVariable};

    const N: Size = Size::Variable(0);
    const SQUARE: Temporary = floats(Size::Power(&N, &Size::Constant(2)));
    const OF_300: Temporary = floats(Size::Constant(300));
    const OF_200: Temporary = floats(Size::Constant(200));

    const fn floats(length: Size) -> Temporary {
        Temporary { element: ScalarType::F32, length }
    }

    /// A program whose forms store arrays: the plain one these, and another one those of `others`.
    const fn program(temporaries: &'static [Temporary], others: &'static [Form]) -> Program {
        Program {
            name: "example",
            type_parameters: 0,
            sizes: &[SizeVariable { name: "N", minimum: 0 }],
            parameters: &[Parameter { name: "n", ty: ParameterType::Size(0) }],
            results: &[],
            obligations: &[],
            plain: Form { temporaries, ..NO_KERNELS },
            others,
            exact: ROUNDED_FREELY,
            repeated: &[],
        }
    }

    const fn whole(temporaries: &'static [Temporary]) -> Form {
        Form { name: "whole", devices: DeviceClass::Accelerator, temporaries, ..NO_KERNELS }
    }

    static WITHOUT: Program = program(&[], &[whole(&[SQUARE])]);
    static AS_LARGE: Program = program(&[SQUARE], &[whole(&[SQUARE])]);
    static IN_ONE_BUFFER: Program = program(&[OF_300], &[whole(&[OF_200, OF_200])]);

    /// The form for a size, on a device with this much memory.
    fn chosen(program: &'static Program, wish: Wish, n: u64, memory: u64, buffer: u64) -> &'static str {
        let device = Device::made_up(DeviceKind::Gpu, Limits { memory, buffer, ..Limits::of_the_host() });
        let plan = plan(program, &[Given::Size(n)], &Choices::default(), wish, &device, &|_| Ok(()));
        plan.expect("there is a form").chosen.form.name
    }

    #[test]
    fn a_form_that_takes_much_more_memory_than_the_plain_one_is_passed_over_unless_it_is_asked_for() {
        let first = |program, n| chosen(program, Wish::FirstPossible, n, 1600, u64::MAX);
        assert_eq!([first(&WITHOUT, 10), first(&WITHOUT, 11)], ["whole", "plain"]);
        assert_eq!(first(&AS_LARGE, 11), "whole");
        assert_eq!(chosen(&WITHOUT, Wish::Only(&WITHOUT.others[0]), 11, 1600, u64::MAX), "whole");
    }

    #[test]
    fn a_form_is_not_passed_over_for_a_plain_one_whose_arrays_are_too_large() {
        let first = |buffer| chosen(&IN_ONE_BUFFER, Wish::FirstPossible, 1, 1600, buffer);
        assert_eq!([first(1200), first(1199)], ["plain", "whole"]);
    }
}
