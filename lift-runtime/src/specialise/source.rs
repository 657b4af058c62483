//! The text of a program with its sizes as constants.
//!
//! It has the same parameters, so that it is launched like the original, but a constant of the same name
//! hides each size. What is looked for in the text, `void name(…)` and parameters that end with their names,
//! every dialect of C has that the compiler prints; another language would bring a function like this one.

use crate::error::{Result, internal};
use crate::plan::Plan;
use crate::program::{Argument, Form, Kernel};

/// Whether a form has kernels with sizes as arguments. If not, its text is the same with constants.
pub(crate) fn has_sizes(form: &Form) -> bool {
    let is_size = |argument: &Argument| matches!(argument, Argument::Size(_));
    form.kernels.iter().any(|kernel| kernel.arguments.iter().any(is_size))
}

/// The source of a planned form, whose text this is, for the sizes of the plan.
pub(crate) fn source(text: &str, plan: &Plan) -> Result<String> {
    let mut source = text.to_owned();
    for kernel in plan.chosen.form.kernels {
        source = with_constants(&source, kernel, plan).ok_or_else(|| {
            internal(
                plan.chosen.program,
                format!("the parameters of `{}` are not found in its text", kernel.entry),
            )
        })?;
    }
    Ok(source)
}

/// The source with the sizes of one kernel as constants; `None` if it does not declare what the kernel is
/// launched with.
fn with_constants(source: &str, kernel: &Kernel, plan: &Plan) -> Option<String> {
    let Signature { before, parameters, between, body } = signature(source, kernel.entry)?;
    let mut parameters: Vec<String> = parameters.split(',').map(str::to_owned).collect();
    let mut constants = String::new();
    for (position, argument) in kernel.arguments.iter().enumerate() {
        let Argument::Size(slot) = argument else { continue };
        let (parameter, value) = (parameters.get_mut(position)?, plan.sizes.get(*slot)?);
        constants.push_str(&format!("\n    const index_t {} = {value};", last_identifier(parameter)?));
        parameter.push_str("_argument");
    }
    Some(format!("{before}{}{between}{constants}{body}", parameters.join(",")))
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
    use crate::backend::IndexWidth;
    use crate::plan::Chosen;
    use crate::program::{NO_KERNELS, Program, Size};

    const KERNEL: Kernel = Kernel {
        entry: "rows",
        arguments: &[Argument::Parameter(0), Argument::Size(1), Argument::Size(0)],
        host_arguments: &[],
        global: [Size::Constant(1); 3],
        local: [1; 3],
        launches: crate::program::Launches::Pinned,
        local_memory: Size::Constant(0),
    };

    fn plan(sizes: Vec<i64>) -> Plan {
        static PROGRAM: Program = Program {
            name: "example",
            type_parameters: 0,
            sizes: &[],
            parameters: &[],
            results: &[],
            obligations: &[],
            plain: NO_KERNELS,
            others: &[],
            exact: crate::program::ROUNDED_FREELY,
            repeated: &[],
        };
        Plan {
            chosen: Chosen::plain(&PROGRAM),
            types: Vec::new(),
            index: IndexWidth::Narrow,
            sizes,
            results: Vec::new(),
            temporaries: Vec::new(),
            kernels: Vec::new(),
            steps: Vec::new(),
        }
    }

    #[test]
    fn sizes_become_constants_of_the_same_name() {
        let source = "kernel void rows(global float* restrict a, const index_t M,\n  const index_t len_a\n)\n{\n    a[0] = M;\n}";
        assert_eq!(
            with_constants(source, &KERNEL, &plan(vec![7, 9])).unwrap(),
            "kernel void rows(global float* restrict a, const index_t M_argument,\n  const index_t len_a_argument)\n{\n    \
             const index_t M = 9;\n    const index_t len_a = 7;\n    a[0] = M;\n}"
        );
    }

    #[test]
    fn other_kernels_are_left_alone() {
        let source = "kernel void rows_of(const index_t N) {} kernel void rows(int a, int b, int c) {}";
        let specialised = with_constants(source, &KERNEL, &plan(vec![1, 2])).unwrap();
        assert!(
            specialised.starts_with("kernel void rows_of(const index_t N) {} kernel void rows(int a, int b_")
        );
    }

    #[test]
    fn a_kernel_that_is_not_there_is_found_out() {
        assert_eq!(with_constants("kernel void columns() {}", &KERNEL, &plan(vec![1, 2])), None);
        assert_eq!(with_constants("kernel void rows(int a) {}", &KERNEL, &plan(vec![1, 2])), None);
        assert_eq!(with_constants("kernel void rows(int a, int b, int c) {}", &KERNEL, &plan(vec![1])), None);
    }
}
