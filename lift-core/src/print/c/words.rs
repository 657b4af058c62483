//! The names that no kernel may have: the words of every dialect, and those that the printer writes itself.
//!
//! Names are chosen before anything is printed, and kernels have one name in all languages.

use std::sync::LazyLock;

use super::dialect::Dialect;
use super::helper;
use super::opencl::OpenCl;
use crate::ir::names::{ReservedWords, starts_with_one_of};
use crate::ir::scalar::ScalarType;
use crate::ir::types::VECTOR_WIDTHS;

/// Every language that the printer knows.
const DIALECTS: [&dyn Dialect; 1] = [&OpenCl];

/// The suffix, after the name of a loop's index, of the variable that holds the end of the loop.
pub(super) const END: &str = "_end";

/// The suffix, after the name of the index of a loop in rounds, of the index of a group's first work-item.
pub(super) const FIRST: &str = "_of_first";

/// The words that no kernel may use as names.
pub(crate) static RESERVED: ReservedWords = ReservedWords { has: is_reserved, has_family: is_of_family };

/// The beginnings of the names of helpers, listed once: kernels ask for hundreds of names.
static STEMS: LazyLock<Vec<&str>> = LazyLock::new(|| helper::stems().collect());

fn is_reserved(name: &str) -> bool {
    name == "index_t"
        || helper::NAMES_OF_INDEX_ARITHMETIC.contains(&name)
        || DIALECTS.iter().any(|dialect| dialect.reserves(name))
}

/// Whether a name belongs to a family of names to which the printer or a language gives a meaning. The macros
/// `T0`, `T1` and so on are no names that [`Names`](crate::ir::names::Names) makes, in whatever language.
fn is_of_family(name: &str) -> bool {
    name.ends_with(END)
        || name.ends_with(FIRST)
        || DIALECTS.iter().any(|dialect| dialect.reserves_family_of(name) || is_of_helper(*dialect, name))
}

/// Whether it may be the name of a helper that there is for several types.
fn is_of_helper(dialect: &dyn Dialect, name: &str) -> bool {
    let is_of_type = |rest: &str| rest.strip_prefix('_').is_some_and(|ty| is_type(dialect, ty));
    // Most names are single words, and none of these is.
    if !name.as_bytes().contains(&b'_') {
        return false;
    }
    starts_with_one_of(name, &STEMS)
        && STEMS.iter().any(|stem| name.strip_prefix(stem).is_some_and(is_of_type))
        || name
            .split_once(helper::TO)
            .is_some_and(|(from, to)| is_type(dialect, from) && is_type(dialect, to))
}

/// Whether it is the name of an element type, of a vector, or of the macro of one that is open.
fn is_type(dialect: &dyn Dialect, name: &str) -> bool {
    let is_or_has_width = |scalar: ScalarType| {
        let widths = || VECTOR_WIDTHS.iter();
        name.starts_with(&dialect.type_name(scalar))
            && (name == dialect.type_name(scalar)
                || widths().any(|lanes| name == dialect.vector_name(scalar, *lanes)))
    };
    is_open_type(name) || ScalarType::CONCRETE.into_iter().any(is_or_has_width)
}

/// `T0`, or `T0_4`.
fn is_open_type(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
    let Some(number) = name.strip_prefix('T') else { return false };
    match number.split_once('_') {
        None => is_number(number),
        Some((number, width)) => {
            is_number(number) && VECTOR_WIDTHS.iter().any(|lanes| width == lanes.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::helper::{BitHelper, Helper, NumberHelper};
    use super::*;
    use crate::ir::scalar::{BinaryOperator, ScalarClass, TypeParameter};

    /// Some helpers of every kind.
    fn one_of_each() -> Vec<Helper> {
        let open = ScalarType::Parameter(TypeParameter { index: 0, class: ScalarClass::Number });
        let lanes = |helper: Helper| Helper::Lanes(Box::new(helper), 4);
        let arithmetic = BinaryOperator::ALL.into_iter().filter(|operator| operator.is_arithmetic());
        let compared = BinaryOperator::ALL.into_iter().filter(|operator| operator.is_comparison());
        let mut helpers = vec![
            Helper::FloorDivide,
            Helper::FloorModulo,
            Helper::Power,
            Helper::Log2,
            Helper::Number(NumberHelper::Min, open),
            Helper::Number(NumberHelper::Max, open),
            Helper::Number(NumberHelper::Abs, ScalarType::I32),
            Helper::Number(NumberHelper::Sign, ScalarType::I8),
            Helper::Bits(BitHelper::Rotl, open),
            Helper::Bits(BitHelper::TrailingZeros, ScalarType::U16),
            Helper::Bits(BitHelper::Power, ScalarType::I16),
            lanes(Helper::Bits(BitHelper::TrailingZeros, ScalarType::I64)),
            Helper::Cast(ScalarType::F32, ScalarType::I64),
            lanes(Helper::Cast(open, ScalarType::U8)),
            Helper::Position(open),
            Helper::Choose(open, 8),
            Helper::Dot(ScalarType::I16, 2),
            Helper::DotInOrder(ScalarType::F32, 4),
            Helper::Number(NumberHelper::Least, ScalarType::F32),
            Helper::Number(NumberHelper::Negate, open),
        ];
        helpers.extend(arithmetic.clone().map(|operator| Helper::Arithmetic(operator, open)));
        helpers.extend(arithmetic.map(|operator| lanes(Helper::Arithmetic(operator, ScalarType::I32))));
        helpers.extend(compared.map(|operator| Helper::Compare(operator, open, 4)));
        helpers
    }

    /// The number of a kind of helper.
    fn kind(helper: &Helper) -> usize {
        match helper {
            Helper::FloorDivide => 0,
            Helper::FloorModulo => 1,
            Helper::Power => 2,
            Helper::Log2 => 3,
            Helper::Arithmetic(..) => 4,
            Helper::Number(..) => 5,
            Helper::Cast(..) => 6,
            Helper::Position(_) => 7,
            Helper::Lanes(..) => 8,
            Helper::Compare(..) => 9,
            Helper::Choose(..) => 10,
            Helper::Dot(..) => 11,
            Helper::DotInOrder(..) => 13,
            Helper::Bits(..) => 12,
        }
    }

    #[test]
    fn no_kind_of_helper_is_forgotten_where_all_are_named() {
        let kinds: BTreeSet<usize> = one_of_each().iter().map(kind).collect();
        assert_eq!(kinds, (0..14).collect());
    }

    #[test]
    fn names_of_the_text_are_reserved_whatever_the_language_is() {
        let taken = [
            "add_int",
            "subtract_T0",
            "multiply_long",
            "min_T12",
            "add_int4",
            "dot_T0_8",
            "position_T1",
            "float_to_int",
            "T0_to_uchar",
            "i_end",
            "l_id0_of_first",
        ];
        for name in taken {
            assert!(is_of_family(name), "{name}");
        }
        for name in ["add_one", "t_max", "minimum", "to_int", "max_of", "compare_int", "add_T0_3"] {
            assert!(!is_of_family(name), "{name}");
        }
        assert!(is_reserved("index_t") && is_reserved("floor_divide"));
    }

    #[test]
    fn no_kernel_has_the_name_of_a_helper() {
        let is_taken = |helper: &Helper| {
            let name = helper.name(&OpenCl);
            is_reserved(&name) || is_of_family(&name)
        };
        one_of_each().iter().for_each(|helper| assert!(is_taken(helper), "{helper:?}"));
    }
}
