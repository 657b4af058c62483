//! Places in a typed program: paths from the root, and what holds there.
//!
//! A node may stand in several places of a tree, so that its id does not say where. A path does: the
//! positions of children on the way from the root, as [`Expr::children`] lists them. A tree in which the
//! expression at a path is replaced shares everything that is not on the path with the tree before.

use std::fmt;
use std::sync::Arc;

use super::{Application, Expr, ExprKind, MapKind};
use crate::ir::nat::{Nat, Var};

/// A way from the root of a tree to one of its expressions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Path(Vec<usize>);

impl Path {
    /// The path to the root.
    pub fn root() -> Path {
        Path::default()
    }

    /// The path to a child of the expression at this path.
    #[must_use]
    pub fn child(&self, position: usize) -> Path {
        let mut positions = self.0.clone();
        positions.push(position);
        Path(positions)
    }

    /// The path that goes on with another one, which starts where this one ends.
    #[must_use]
    pub fn join(&self, further: &Path) -> Path {
        Path(self.0.iter().chain(&further.0).copied().collect())
    }

    /// The positions of children, from the root on.
    pub fn positions(&self) -> &[usize] {
        &self.0
    }
}

impl From<Vec<usize>> for Path {
    fn from(positions: Vec<usize>) -> Path {
        Path(positions)
    }
}

/// `0.1.2`, and `.` for the root.
impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str(".");
        }
        for (depth, position) in self.0.iter().enumerate() {
            let dot = if depth == 0 { "" } else { "." };
            write!(formatter, "{dot}{position}")?;
        }
        Ok(())
    }
}

impl Expr {
    /// The expression at a path; `None` where the path leaves the tree.
    pub fn at_path<'e>(self: &'e Arc<Self>, path: &Path) -> Option<&'e Arc<Expr>> {
        let mut expr = self;
        for position in &path.0 {
            expr = expr.child(*position)?;
        }
        Some(expr)
    }

    /// The tree with another expression at a path; `None` where the path leaves the tree.
    pub fn with_replaced(self: &Arc<Self>, path: &Path, replacement: Arc<Expr>) -> Option<Arc<Expr>> {
        replaced(self, &path.0, replacement)
    }
}

fn replaced(expr: &Arc<Expr>, path: &[usize], replacement: Arc<Expr>) -> Option<Arc<Expr>> {
    let Some((position, rest)) = path.split_first() else { return Some(replacement) };
    let place = expr.child(*position)?;
    let changed = replaced(place, rest, replacement)?;
    Some(expr.with_children(&mut |child| match super::is_same_place(child, place) {
        true => changed.clone(),
        false => child.clone(),
    }))
}

/// What stands around an expression: the expressions on the way from the root of a tree to it. They are
/// looked up when somebody asks: most rules that are tried at a place do not.
#[derive(Debug, Clone, Copy)]
pub struct Around<'e> {
    root: &'e Arc<Expr>,
    path: &'e Path,
}

impl<'e> Around<'e> {
    /// What stands around the expression at a path, and this expression; `None` where the path leaves the
    /// tree.
    pub fn at(root: &'e Arc<Expr>, path: &'e Path) -> Option<(Around<'e>, &'e Arc<Expr>)> {
        Some((Around::on_way(root, path), root.at_path(path)?))
    }

    /// What stands around the expression that a path leads to.
    pub fn on_way(root: &'e Arc<Expr>, path: &'e Path) -> Around<'e> {
        Around { root, path }
    }

    /// The expressions around, outermost first, each with the position of the child that the way goes on
    /// with.
    fn outermost_first(self) -> impl Iterator<Item = (&'e Arc<Expr>, usize)> {
        let mut next = Some(self.root);
        self.path.0.iter().map_while(move |position| {
            let expr = next?;
            next = expr.child(*position);
            Some((expr, *position))
        })
    }

    /// The same, innermost first.
    pub fn layers(self) -> impl Iterator<Item = (&'e Arc<Expr>, usize)> {
        let layers: Vec<_> = self.outermost_first().collect();
        layers.into_iter().rev()
    }

    /// The positions and counters of applications that are bound around, outermost first, each with the
    /// number of its values.
    pub fn indices(self) -> impl Iterator<Item = (Var, Nat)> + 'e {
        self.outermost_first().filter_map(|(expr, position)| {
            let (index, count) = expr.index_around(position)?;
            Some((index.clone(), count))
        })
    }

    /// The workers of the maps around whose functions hold this place, innermost first.
    pub fn workers(self) -> impl Iterator<Item = MapKind> + 'e {
        self.layers().filter_map(|(expr, position)| match &expr.kind {
            ExprKind::Map(kind, ..) if expr.is_function_body(position) => Some(*kind),
            _ => None,
        })
    }
}

impl Expr {
    /// The number of values of the index of the function that this expression applies, where that is a
    /// position or counts applications.
    pub(super) fn index_count(&self) -> Option<Nat> {
        match self.application()? {
            Application::Map(_, _, input)
            | Application::Reduce(_, _, _, input)
            | Application::Scan(_, _, _, input) => Some(input.ty.as_array()?.length.clone()),
            Application::Iterate(count, ..) => Some(count.clone()),
            Application::Generate(_) => match &self.kind {
                ExprKind::Generate(count, _) => Some(count.clone()),
                _ => None,
            },
            Application::Lanewise(..) => None,
        }
    }

    /// The body of the function that this expression applies itself.
    pub fn function_body(&self) -> Option<&Arc<Expr>> {
        Some(&self.application()?.function().body)
    }

    /// The position among the children of the one array or value that this expression is made of; `None`
    /// where there are none or several.
    pub fn input_position(&self) -> Option<usize> {
        match &self.kind {
            ExprKind::Map(..)
            | ExprKind::Reduce(..)
            | ExprKind::Scan(..)
            | ExprKind::Iterate(..)
            | ExprKind::Component(..)
            | ExprKind::Layout(..)
            | ExprKind::Store(..)
            | ExprKind::Unzip(_)
            | ExprKind::Unary(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_)
            | ExprKind::Repeat(..) => Some(0),
            ExprKind::PadConstant { .. }
            | ExprKind::At(..)
            | ExprKind::Let { .. }
            | ExprKind::EndUnless(..) => Some(self.children().len().saturating_sub(1)),
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Size(_)
            | ExprKind::Tuple(_)
            | ExprKind::ArrayLiteral(_)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::If(..)
            | ExprKind::Lanewise(..)
            | ExprKind::Zip(_)
            | ExprKind::Concat(_)
            | ExprKind::Generate(..) => None,
        }
    }

    /// The one array or value that this expression is made of; `None` where there are none or several.
    pub fn input(&self) -> Option<&Arc<Expr>> {
        self.child(self.input_position()?)
    }

    /// Whether the child at a position is the body of a function.
    pub fn is_function_body(&self, position: usize) -> bool {
        self.application().is_some() && position + 1 == self.children().len()
    }

    /// The index that is bound around the child at a position, with the number of its values.
    pub(super) fn index_around(&self, position: usize) -> Option<(&Var, Nat)> {
        let application = self.application().filter(|_| self.is_function_body(position))?;
        Some((application.function().index.as_ref()?, self.index_count()?))
    }
}
