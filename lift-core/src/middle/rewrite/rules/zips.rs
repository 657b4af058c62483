//! Arrays that are zipped: layouts of the `zip` as layouts of its parts, and parts that nobody reads.
//!
//! The interchange of loops treats every part of a `zip` for itself (`interchange`). These rules bring a
//! `zip` into the form where it can, and clean up what it leaves. Their inverses, which collect the layouts
//! of all parts, are in `layouts`.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable, is_zip_of_components, layout_of};
use super::super::rule::{Argument, Redex, Rule};
use super::parts::Traversal;
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Layout, Variable};

type Right = Result<Arc<Expr>, Mismatch>;

/// Rows of a `zip` are rows of its parts, which are zipped in turn.
pub const ROWS_INSIDE_ZIP: Rule = Rule {
    name: "rowsInsideZip",
    statement: "zip(a, b) >> l = zip(a >> l, b >> l) >> map(|(r, s)| zip(r, s)), \
                for a split, a partition or a slide l",
    origin: "the inverse of SHINE's `slideOutsideZip`; GPGPU 2016 for split",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `split`, a `partition` or a `slide` of a `zip`";
        let (layout, zip) = layout_of(redex.expr, WANTED, 0)?;
        let (Layout::Split { .. } | Layout::Partition(_) | Layout::Slide { .. }) = layout else {
            return Err(redex.is_not(WANTED));
        };
        let ExprKind::Zip(parts) = &zip.kind else { return Err(Mismatch::form(WANTED, zip, 1)) };
        let rows = parts.iter().map(|part| build.layout(layout.clone(), part.clone()));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let zipped = build.zip(rows)?;
        build.map_over(zipped, "rows", |build, rows| {
            let rows = (0..parts.len()).map(|part| build.component(&rows, part)).collect::<Result<_, _>>()?;
            Ok(build.zip(rows)?)
        })
    },
};

/// Joined rows that are zipped are a `zip` of joined rows.
pub const JOIN_INSIDE_ZIP: Rule = Rule {
    name: "joinInsideZip",
    statement: "zip(a, b) >> map(|(r, s)| zip(r, s)) >> join = zip(a >> join, b >> join)",
    origin: "the inverse of Lift's joinFromZip",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `join` of zipped rows";
        let (Layout::Join, zipped) = layout_of(redex.expr, WANTED, 0)? else {
            return Err(redex.is_not(WANTED));
        };
        let map = MapOf::read(zipped, WANTED, 1)?;
        let ExprKind::Zip(parts) = &map.input.kind else {
            return Err(Mismatch::form("zipped rows of a `zip`", map.input, 2));
        };
        if !is_zip_of_components(map.body(), map.parameter) {
            return Err(Mismatch::form("a `zip` of the rows and nothing else", map.body(), 2));
        }
        let joined = parts.iter().map(|part| build.join(part.clone())).collect::<Result<_, _>>()?;
        Ok(build.zip(joined)?)
    },
};

/// What nobody reads is not zipped.
pub const ZIP_OF_USED: Rule = Rule {
    name: "zipOfUsed",
    statement: "zip(a, b) >> map(|(x, y)| f(x)) = map(f, a), \
                zip(a, zip(b, c)) >> map(|(x, (y, z))| f(x, z)) = zip(a, c) >> map(|(x, z)| f(x, z)); \
                the same for reductions",
    origin: "new: an element of a `zip` is a tuple of elements, of which the function reads some",
    parameters: &[],
    regroups: false,
    apply: zip_of_used,
};

fn zip_of_used(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    const WANTED: &str = "a `map` or a reduction of a `zip`";
    let traversal = Traversal::read(redex, WANTED)?;
    let Traversal { function, element, array, .. } = traversal;
    let ExprKind::Zip(_) = &array.kind else { return Err(Mismatch::form(WANTED, array, 1)) };
    let all = Part::all(array);
    let mut reads = Vec::new();
    collect_reads(&function.body, element, &mut reads);
    let mut used: Vec<&Part<'_>> = all.iter().filter(|part| part.is_in(&reads)).collect();
    if used.is_empty() {
        // The number of elements is that of any part.
        used.extend(all.first());
    }
    if used.len() == all.len() {
        return Err(Mismatch::condition("a part of the `zip` that the function does not read", array));
    }
    of_parts(&traversal, &used, build)
}

/// What the function of the map around the next one takes is the first array of a `zip`.
pub const ROWS_FIRST: Rule = Rule {
    name: "rowsFirst",
    statement: "map(|a| map(|b| zip(b, a) >> reduce(|s, (y, x)| f(s, x, y), z), B), A) = \
                map(|a| map(|b| zip(a, b) >> reduce(|s, (x, y)| f(s, x, y), z), B), A); the same for maps",
    origin: "new: what tiles do with rows and with columns differs, and so does not depend on how a product is \
             written",
    parameters: &[],
    regroups: false,
    apply: rows_first,
};

fn rows_first(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    const WANTED: &str = "a `map` or a reduction of a `zip`";
    let traversal = Traversal::read(redex, WANTED)?;
    let ExprKind::Zip(_) = &traversal.array.kind else {
        return Err(Mismatch::form(WANTED, traversal.array, 1));
    };
    let all = Part::all(traversal.array);
    let functions = redex.around.layers().filter(|(expr, position)| expr.is_function_body(*position));
    let maps = functions.filter_map(|(expr, _)| match &expr.kind {
        ExprKind::Map(_, function, _) => Some(function),
        _ => None,
    });
    let outer: Vec<&Variable> =
        maps.skip(1).take(1).flat_map(|map| &map.parameters).map(|(parameter, _)| parameter).collect();
    let is_row = |part: &Part<'_>| outer.iter().any(|parameter| mentions(part.array, parameter));
    let Some(row @ 1..) = all.iter().position(is_row) else {
        let wanted = "what the outer one of two functions takes is zipped behind something else";
        return Err(Mismatch::condition(wanted, traversal.array));
    };
    let mut parts: Vec<&Part<'_>> = all.iter().collect();
    parts[..=row].rotate_right(1);
    of_parts(&traversal, &parts, build)
}

/// A map or a reduction of a `zip`, with some of the parts of the `zip`: all those that its function reads.
fn of_parts(traversal: &Traversal<'_>, used: &[&Part<'_>], build: &mut Build<'_>) -> Right {
    let Traversal { function, element, .. } = traversal;
    let narrow = match used {
        [part] => part.array.clone(),
        _ => build.zip(used.iter().map(|part| part.array.clone()).collect())?,
    };
    let of = build.array_type(&narrow)?;
    let ty = match &function.index {
        Some(index) => of.element_at(&Nat::variable(index)),
        None => of.element.clone(),
    };
    let variable = build.variable(&element.name);
    let read = build.read(&variable, &ty);
    let narrowed = Narrowed { element, used, read };
    let body = build.under_index(function.index.as_ref(), &of.length, |build| {
        narrowed.in_expression(&function.body, build)
    })?;
    Ok(traversal.with(narrow, (variable, ty), body, build)?)
}

/// An array that is zipped, maybe by a `zip` inside a `zip`.
struct Part<'e> {
    /// The components that lead to its element, outermost first.
    path: Vec<usize>,
    array: &'e Arc<Expr>,
}

impl<'e> Part<'e> {
    fn all(array: &'e Arc<Expr>) -> Vec<Part<'e>> {
        let mut all = Vec::new();
        Part::collect(array, &[], &mut all);
        all
    }

    fn collect(array: &'e Arc<Expr>, path: &[usize], all: &mut Vec<Part<'e>>) {
        match &array.kind {
            ExprKind::Zip(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    Part::collect(part, &[path, &[position]].concat(), all);
                }
            }
            _ => all.push(Part { path: path.to_vec(), array }),
        }
    }

    /// Whether something is read of the part.
    fn is_in(&self, reads: &[Vec<usize>]) -> bool {
        reads.iter().any(|read| read.starts_with(&self.path) || self.path.starts_with(read))
    }
}

/// The components that lead to an expression from a variable, outermost first; `None` where it is something
/// else.
fn path_from(expr: &Expr, variable: &Variable) -> Option<Vec<usize>> {
    match &expr.kind {
        ExprKind::Component(tuple, position) => {
            let mut path = path_from(tuple, variable)?;
            path.push(*position);
            Some(path)
        }
        _ => is_variable(expr, variable).then(Vec::new),
    }
}

fn collect_reads(expr: &Arc<Expr>, variable: &Variable, reads: &mut Vec<Vec<usize>>) {
    match path_from(expr, variable) {
        Some(path) => reads.push(path),
        None => expr.children().for_each(|child| collect_reads(child, variable, reads)),
    }
}

/// The element of a `zip` with fewer parts, in place of the element of the whole.
struct Narrowed<'e> {
    /// The element of the whole.
    element: &'e Variable,
    /// The parts that are left.
    used: &'e [&'e Part<'e>],
    /// The element of these.
    read: Arc<Expr>,
}

impl Narrowed<'_> {
    fn in_expression(&self, expr: &Arc<Expr>, build: &mut Build<'_>) -> Right {
        if let Some(path) = path_from(expr, self.element) {
            return self.at(&path, build);
        }
        let mut refused = None;
        let narrowed = expr.with_children(&mut |child| match self.in_expression(child, build) {
            Ok(narrowed) => narrowed,
            Err(mismatch) => {
                refused = Some(mismatch);
                child.clone()
            }
        });
        refused.map_or(Ok(narrowed), Err)
    }

    /// What stood at a path of the element of the whole.
    fn at(&self, path: &[usize], build: &mut Build<'_>) -> Right {
        let of = self.used.iter().enumerate().find_map(|(position, part)| {
            let rest = path.strip_prefix(part.path.as_slice())?;
            Some((position, rest))
        });
        let Some((position, rest)) = of else {
            // A tuple of parts, all of which are read.
            let mut components = Vec::new();
            for position in 0.. {
                let inner = [path, &[position]].concat();
                if !self.used.iter().any(|part| part.path.starts_with(&inner)) {
                    break;
                }
                components.push(self.at(&inner, build)?);
            }
            return Ok(build.tuple(components)?);
        };
        let mut value = match self.used.len() {
            1 => self.read.clone(),
            _ => build.component(&self.read, position)?,
        };
        for position in rest {
            value = build.component(&value, *position)?;
        }
        Ok(value)
    }
}
