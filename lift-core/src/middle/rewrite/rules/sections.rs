//! Sections: an array as a first part, a middle and a last part, so that each has code of its own.
//!
//! In the middle of a stencil no window sees a border, and nothing asks whether one does (Pizzuti, Steuwer,
//! Dubach, FHPNC 2019, listing 9). That is index-set splitting; the sections are rows of three lengths.

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Rule};
use super::parts::{map, name};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Layout, MapKind, Rows};

/// A map of three sections.
pub const SECTIONS: Rule = Rule {
    name: "sections",
    statement: "map(f) = partition(3, caseSplit(l, N - l - r, r)) >> map(map(f)) >> join",
    origin: "FHPNC 2019, listing 9: boundary-free stencils",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| {
        let [Argument::Size(first), Argument::Size(last)] = arguments else {
            return Err(Mismatch::Arguments);
        };
        let (function, array) = map(redex)?;
        let total = build.array_type(array)?.length.clone();
        let rest = build.simplified(&(&total - last));
        let middle = build.simplified(&(&rest - first));
        let index = build.index("i");
        let length = by_section(&Nat::variable(&index), [first, &middle, last]);
        let rows = Rows { index: Some(index), length, count: Nat::constant(3) };
        let sections = build.layout(Layout::Partition(rows), array.clone())?;
        let element_name = name(function, 0);
        let mapped =
            build.map_at(MapKind::Unspecified, sections, "section", |build, section, elements| {
                let start = by_section(section, [&Nat::zero(), first, &rest]);
                build.map_at(MapKind::Unspecified, elements, element_name, |build, position, element| {
                    Ok::<_, Mismatch>(build.apply(function, Some(&(&start + position)), vec![element])?)
                })
            })?;
        Ok(build.join(mapped)?)
    },
};

/// What a section has, as `caseSplit` says it.
fn by_section(section: &Nat, [of_first, of_middle, of_last]: [&Nat; 3]) -> Nat {
    let is_before = |number| Condition::Less(section.clone(), Nat::constant(number));
    Nat::select(&is_before(1), of_first, &Nat::select(&is_before(2), of_middle, of_last))
}
