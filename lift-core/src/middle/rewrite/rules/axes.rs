//! Windows of several dimensions as windows of windows: a stencil goes along one axis, and at each place
//! there along the other. So rules about one dimension apply to both: those that compute neighbouring
//! results of a row as a vector, and those that let a work-item go down a column.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Redex, Rule};
use super::nests::map_nest;
use super::windows::{Grid, Part, Stencil, inwards, outwards};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, MapKind};

type Right = Result<Arc<Expr>, Mismatch>;

/// The rows of windows, and in each of them the windows.
pub const SLIDE_2_BY_ROWS: Rule = Rule {
    name: "slide2ByRows",
    statement: "slide2d(m, t, n, s) >> map2(f) = slide(m, t) >> \
                map(|rows| rows >> transpose >> slide(n, s) >> map(|w| w >> transpose >> f))",
    origin: "new: window j of the columns of the rows of window i is window (i, j), transposed",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| axis_by_axis(redex, Axis::Rows, build),
};

/// The columns of windows, and in each of them the windows.
pub const SLIDE_2_BY_COLUMNS: Rule = Rule {
    name: "slide2ByColumns",
    statement: "slide2d(m, t, n, s) >> map2(f) = transpose >> slide(n, s) >> \
                map(|columns| columns >> transpose >> slide(m, t) >> map(f)) >> transpose",
    origin: "new: window i of the rows of the columns of window j is window (i, j)",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let columns = axis_by_axis(redex, Axis::Columns, build)?;
        Ok(build.transpose(columns)?)
    },
};

/// The rows of windows in all planes, and in each of them the windows.
pub const SLIDE_3_BY_ROWS: Rule = Rule {
    name: "slide3ByRows",
    statement: "slide3(n, s) >> map3(f) = transpose >> slide(n, s) >> \
                map(|rows| rows >> transpose >> map(transpose) >> slide2(n, s) >> \
                map2(|w| w >> map(transpose) >> transpose >> transpose >> f)) >> transpose, for other boxes, too",
    origin: "new: window (i, k) of what lies in the rows j beside each other is window (i, j, k)",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| by_rows_of_planes(redex, build),
};

fn by_rows_of_planes(redex: &Redex<'_>, build: &mut Build<'_>) -> Right {
    let stencil = Stencil::read(redex.expr, 3)?;
    stencil.windows()?;
    let names = stencil.nest.names();
    let [planes, rows, columns] = *names.as_slice() else { return Err(Mismatch::Arguments) };
    let outer = stencil.parts.iter().map(|part| match part {
        Part::Windows(Grid(windows), array) => {
            let rows = build.transpose((*array).clone())?;
            windows[1].of(rows, build)
        }
        Part::Elements(array) => Ok(build.transpose((*array).clone())?),
    });
    let outer = outer.collect::<Result<Vec<_>, _>>()?;
    let outer = stencil.nest.side_by_side(1, outer, build)?;
    let results = build.map_at(MapKind::Unspecified, outer, rows, |build, row, group| {
        let groups = stencil.nest.taken_apart(&group, build)?;
        let inner = stencil.parts.iter().zip(groups).map(|(part, group)| match part {
            Part::Windows(Grid(windows), _) => {
                let beside = inwards(group, 2, build)?;
                Grid(vec![windows[0].clone(), windows[2].clone()]).of(beside, build)
            }
            Part::Elements(_) => Ok(group),
        });
        let inner = inner.collect::<Result<Vec<_>, _>>()?;
        let inner = stencil.nest.side_by_side(2, inner, build)?;
        map_nest(&[planes, columns], inner, &mut Vec::new(), build, &mut |build, at, element| {
            let parts = stencil.nest.taken_apart(&element, build)?;
            let parts = stencil.parts.iter().zip(parts).map(|(part, element)| match part {
                Part::Windows(..) => {
                    let rows = outwards(element, 2, build)?;
                    Ok::<_, Mismatch>(build.transpose(rows)?)
                }
                Part::Elements(_) => Ok(element),
            });
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            let at = [at[0].clone(), row.clone(), at[1].clone()];
            stencil.nest.apply_to_parts(&at, parts, build)
        })
    })?;
    Ok(build.transpose(results)?)
}

/// What a stencil goes along first.
#[derive(Clone, Copy)]
enum Axis {
    Rows,
    Columns,
}

fn axis_by_axis(redex: &Redex<'_>, first: Axis, build: &mut Build<'_>) -> Right {
    let stencil = Stencil::read(redex.expr, 2)?;
    stencil.windows()?;
    let outer = stencil.parts.iter().map(|part| along_first(part, first, build));
    let outer = outer.collect::<Result<Vec<_>, _>>()?;
    let outer = stencil.nest.side_by_side(1, outer, build)?;
    let (open, name) = (MapKind::Unspecified, &stencil.nest.maps[1].parameter.name);
    build.map_at(open, outer, first.name(), |build, outer, group| {
        let groups = stencil.nest.taken_apart(&group, build)?;
        let inner = stencil.parts.iter().zip(groups);
        let inner = inner.map(|(part, group)| along_second(part, group, first, build));
        let inner = inner.collect::<Result<Vec<_>, _>>()?;
        let inner = stencil.nest.side_by_side(1, inner, build)?;
        build.map_at(open, inner, name, |build, inner, element| match first {
            Axis::Rows => {
                let parts = stencil.nest.taken_apart(&element, build)?;
                let parts = stencil.parts.iter().zip(parts);
                let parts = parts.map(|(part, element)| upright(part, element, build));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                stencil.nest.apply_to_parts(&[outer.clone(), inner.clone()], parts, build)
            }
            Axis::Columns => stencil.nest.apply(&[inner.clone(), outer.clone()], element, build),
        })
    })
}

impl Axis {
    /// What windows along it are called.
    fn name(self) -> &'static str {
        match self {
            Axis::Rows => "rows",
            Axis::Columns => "columns",
        }
    }
}

/// A window as the function takes it, given its columns.
fn upright(part: &Part<'_>, element: Arc<Expr>, build: &mut Build<'_>) -> Right {
    match part {
        Part::Windows(..) => Ok(build.transpose(element)?),
        Part::Elements(_) => Ok(element),
    }
}

/// Windows of an array along the first axis; elements stand there as they are.
fn along_first(part: &Part<'_>, first: Axis, build: &mut Build<'_>) -> Right {
    match (part, first) {
        (Part::Windows(grid, array), Axis::Rows) => grid.0[0].of((*array).clone(), build),
        (Part::Windows(grid, array), Axis::Columns) => {
            let columns = build.transpose((*array).clone())?;
            grid.0[1].of(columns, build)
        }
        (Part::Elements(array), Axis::Rows) => Ok((*array).clone()),
        (Part::Elements(array), Axis::Columns) => Ok(build.transpose((*array).clone())?),
    }
}

/// Windows along the second axis of one along the first.
fn along_second(part: &Part<'_>, group: Arc<Expr>, first: Axis, build: &mut Build<'_>) -> Right {
    let Part::Windows(grid, _) = part else { return Ok(group) };
    let across = build.transpose(group)?;
    match first {
        Axis::Rows => grid.0[1].of(across, build),
        Axis::Columns => grid.0[0].of(across, build),
    }
}
