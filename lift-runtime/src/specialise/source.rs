//! The text of a program with its sizes as constants, and with values that it reads from the device.
//!
//! It has as many parameters, so that it is launched like the original. A constant of the same name hides each
//! size. A scalar or a vector that is on the device becomes a pointer to it, and a constant of its name begins
//! the kernel, so that all work-items load it once. What is looked for in the text, `void name(…)` and
//! parameters that end with their names, every dialect of C has that the compiler prints; another language
//! would bring a function like this one.

use std::borrow::Cow;

use crate::error::{Result, internal};
use crate::plan::Chosen;
use crate::program::{Argument, Form, Kernel};

/// Whether a form has kernels with sizes as arguments. If not, its text is the same with constants.
pub(crate) fn has_sizes(form: &Form) -> bool {
    let is_size = |argument: &Argument| matches!(argument, Argument::Size(_));
    form.kernels.iter().any(|kernel| kernel.arguments.iter().any(is_size))
}

/// The source of a form, whose text this is, with these sizes as constants, if there are any, and with the
/// values of these parameters on the device.
pub(crate) fn source<'t>(
    text: &'t str,
    Chosen { program, form }: Chosen,
    constants: Option<&[i64]>,
    values_on_device: &[usize],
) -> Result<Cow<'t, str>> {
    let mut source = Cow::Borrowed(text);
    if constants.is_none() && values_on_device.is_empty() {
        return Ok(source);
    }
    for kernel in form.kernels {
        let changed = changed(&source, kernel, constants, values_on_device);
        source = Cow::Owned(changed.ok_or_else(|| {
            internal(program, format!("the parameters of `{}` are not found in its text", kernel.entry))
        })?);
    }
    Ok(source)
}

/// The source with other parameters of one kernel; `None` if it does not declare what the kernel is launched
/// with.
fn changed(
    source: &str,
    kernel: &Kernel,
    sizes: Option<&[i64]>,
    values_on_device: &[usize],
) -> Option<String> {
    let Signature { before, parameters, between, body } = signature(source, kernel.entry)?;
    let mut parameters: Vec<String> = parameters.split(',').map(str::to_owned).collect();
    let mut constants = String::new();
    for (position, argument) in kernel.arguments.iter().enumerate() {
        match (*argument, sizes) {
            (Argument::Size(slot), Some(sizes)) => {
                let (parameter, value) = (parameters.get_mut(position)?, sizes.get(slot)?);
                let name = last_identifier(parameter)?;
                let hidden = untaken(name, source);
                constants.push_str(&format!("\n    const index_t {name} = {value};"));
                let ty = parameter.trim_end().strip_suffix(name)?;
                *parameter = format!("{ty}{hidden}");
            }
            (Argument::Parameter(passed), _) if values_on_device.contains(&passed) => {
                let parameter = parameters.get_mut(position)?;
                let (declared, name) = (parameter.trim().to_owned(), last_identifier(parameter)?.to_owned());
                let hidden = untaken(&name, source);
                let ty = declared.strip_suffix(&name)?.trim_end();
                constants.push_str(&format!("\n    {declared} = *{hidden};"));
                let space = parameter.len() - parameter.trim_start().len();
                *parameter = format!("{}global {ty}* restrict {hidden}", parameter.get(..space)?);
            }
            _ => {}
        }
    }
    Some(format!("{before}{}{between}{constants}{body}", parameters.join(",")))
}

/// A name for the parameter behind a constant, which nothing else in the text has.
fn untaken(name: &str, text: &str) -> String {
    let mut hidden = format!("{name}_argument");
    while text.contains(&hidden) {
        hidden.push('_');
    }
    hidden
}

/// The text of a program around the parameters of one kernel.
struct Signature<'s> {
    /// Up to the opening parenthesis.
    before: &'s str,
    /// The parameters.
    parameters: &'s str,
    /// `) {`
    between: &'s str,
    /// All that follows.
    body: &'s str,
}

fn signature<'s>(source: &'s str, entry: &str) -> Option<Signature<'s>> {
    let opening = format!("void {entry}(");
    let start = source.find(&opening)? + opening.len();
    let (before, rest) = source.split_at_checked(start)?;
    let (parameters, rest) = rest.split_at_checked(rest.find(')')?)?;
    let (between, body) = rest.split_at_checked(rest.find('{')? + 1)?;
    Some(Signature { before, parameters: parameters.trim_end(), between, body })
}

fn last_identifier(declaration: &str) -> Option<&str> {
    let declaration = declaration.trim_end();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let start = declaration.rfind(|character| !is_part(character))? + 1;
    declaration.get(start..).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Size;

    const KERNEL: Kernel = Kernel {
        entry: "rows",
        arguments: &[Argument::Parameter(0), Argument::Size(1), Argument::Size(0)],
        host_arguments: &[],
        global: [Size::Constant(1); 3],
        local: [1; 3],
        launches: crate::program::Launches::Pinned,
        local_memory: Size::Constant(0),
    };

    fn with_constants(source: &str, sizes: &[i64]) -> Option<String> {
        changed(source, &KERNEL, Some(sizes), &[])
    }

    #[test]
    fn sizes_become_constants_of_the_same_name() {
        let source = "kernel void rows(global float* restrict a, const index_t M,\n  const index_t len_a\n)\n{\n    a[0] = M;\n}";
        assert_eq!(
            with_constants(source, &[7, 9]).unwrap(),
            "kernel void rows(global float* restrict a, const index_t M_argument,\n  const index_t len_a_argument)\n{\n    \
             const index_t M = 9;\n    const index_t len_a = 7;\n    a[0] = M;\n}"
        );
    }

    #[test]
    fn values_on_the_device_become_pointers_and_constants_of_the_same_name() {
        let source = "kernel void rows(const float4 factor,\n  const index_t M, const index_t N)\n{\n    a[0] = factor;\n}";
        let read = "kernel void rows(global const float4* restrict factor_argument,\n  const index_t M, const index_t N)\n{\n    \
                    const float4 factor = *factor_argument;\n    a[0] = factor;\n}";
        assert_eq!(changed(source, &KERNEL, None, &[0]).unwrap(), read);
        let both = changed(source, &KERNEL, Some(&[7, 9]), &[0]).unwrap();
        assert!(both.contains("const float4 factor = *factor_argument;\n    const index_t M = 9;"), "{both}");
        assert_eq!(changed(source, &KERNEL, None, &[1]).unwrap(), source);
    }

    #[test]
    fn a_name_that_the_text_has_is_not_taken() {
        let source = "kernel void rows(const int n, const index_t n_argument, const index_t N) {}";
        assert_eq!(
            changed(source, &KERNEL, None, &[0]).unwrap(),
            "kernel void rows(global const int* restrict n_argument_, const index_t n_argument, const index_t N) {\n    \
             const int n = *n_argument_;}"
        );
    }

    #[test]
    fn other_kernels_are_left_alone() {
        let source = "kernel void rows_of(const index_t N) {} kernel void rows(int a, int b, int c) {}";
        let specialised = with_constants(source, &[1, 2]).unwrap();
        assert!(
            specialised.starts_with("kernel void rows_of(const index_t N) {} kernel void rows(int a, int b_")
        );
    }

    #[test]
    fn a_kernel_that_is_not_there_is_found_out() {
        assert_eq!(with_constants("kernel void columns() {}", &[1, 2]), None);
        assert_eq!(with_constants("kernel void rows(int a) {}", &[1, 2]), None);
        assert_eq!(with_constants("kernel void rows(int a, int b, int c) {}", &[1]), None);
    }
}
