//! Windows of two dimensions as windows of windows: a stencil goes along one axis, and at each place there
//! along the other. So rules about one dimension apply to both: those that compute neighbouring results of a
//! row as a vector, and those that let a work-item go down a column.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use super::nests::map_nest;
use super::windows::{Grid, Part, Stencil, inwards, outwards};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, MapKind};

type Right = Result<Rc<Expr>, Mismatch>;

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

/// The planes of windows, and in each of them the windows.
pub const SLIDE_3_BY_PLANES: Rule = Rule {
    name: "slide3ByPlanes",
    statement: "slide3(n, s) >> map3(f) = slide(n, s) >> \
                map(|planes| planes >> transpose >> map(transpose) >> slide2(n, s) >> \
                map2(|w| w >> map(transpose) >> transpose >> f)), for other boxes, too",
    origin: "new: window (j, k) of what lies in the planes of window i behind each other is window (i, j, k)",
    parameters: &[],
    regroups: false,
    apply: by_planes,
};

fn by_planes(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    const INSIDE: usize = 2;
    let stencil = Stencil::read(redex.expr, INSIDE + 1)?;
    stencil.windows()?;
    let names = stencil.nest.names();
    let (Some((outermost, inner)), false) = (names.split_first(), names.len() > INSIDE + 1) else {
        return Err(Mismatch::Arguments);
    };
    let planes = stencil.parts.iter().map(|part| match part {
        Part::Windows(Grid(windows), array) => windows[0].of((*array).clone(), build),
        Part::Elements(array) => Ok((*array).clone()),
    });
    let planes = planes.collect::<Result<Vec<_>, _>>()?;
    let planes = stencil.nest.side_by_side(1, planes, build)?;
    build.map_at(MapKind::Unspecified, planes, outermost, |build, plane, group| {
        let groups = stencil.nest.taken_apart(&group, build)?;
        let windows = stencil.parts.iter().zip(groups).map(|(part, group)| match part {
            Part::Windows(Grid(windows), _) => {
                let behind = inwards(group, INSIDE, build)?;
                Grid(windows[1..].to_vec()).of(behind, build)
            }
            Part::Elements(_) => Ok(group),
        });
        let windows = windows.collect::<Result<Vec<_>, _>>()?;
        let windows = stencil.nest.side_by_side(INSIDE, windows, build)?;
        map_nest(inner, windows, &mut Vec::new(), build, &mut |build, at, element| {
            let parts = stencil.nest.taken_apart(&element, build)?;
            let parts = stencil.parts.iter().zip(parts).map(|(part, element)| match part {
                Part::Windows(..) => outwards(element, INSIDE, build),
                Part::Elements(_) => Ok(element),
            });
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            let at = [&[plane.clone()], at].concat();
            stencil.nest.apply_to_parts(&at, parts, build)
        })
    })
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
fn upright(part: &Part<'_>, element: Rc<Expr>, build: &mut Build<'_>) -> Right {
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
fn along_second(part: &Part<'_>, group: Rc<Expr>, first: Axis, build: &mut Build<'_>) -> Right {
    let Part::Windows(grid, _) = part else { return Ok(group) };
    let across = build.transpose(group)?;
    match first {
        Axis::Rows => grid.0[1].of(across, build),
        Axis::Columns => grid.0[0].of(across, build),
    }
}
