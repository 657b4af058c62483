//! Places in a typed program: paths from the root, and what holds there.
//!
//! A node may stand in several places of a tree, so that its id does not say where. A path does: the
//! positions of children on the way from the root, as [`Expr::children`] lists them. A tree in which the
//! expression at a path is replaced shares everything that is not on the path with the tree before.

use std::fmt;
use std::rc::Rc;

use super::{Application, Expr, ExprKind, MapKind, Program};
use crate::ir::nat::{Nat, Ranges, Var};

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
    pub fn at_path<'e>(self: &'e Rc<Self>, path: &Path) -> Option<&'e Rc<Expr>> {
        let mut expr = self;
        for position in &path.0 {
            expr = expr.child(*position)?;
        }
        Some(expr)
    }

    /// The tree with another expression at a path; `None` where the path leaves the tree.
    pub fn with_replaced(self: &Rc<Self>, path: &Path, replacement: Rc<Expr>) -> Option<Rc<Expr>> {
        replaced(self, &path.0, replacement)
    }
}

fn replaced(expr: &Rc<Expr>, path: &[usize], replacement: Rc<Expr>) -> Option<Rc<Expr>> {
    let Some((position, rest)) = path.split_first() else { return Some(replacement) };
    let place = expr.child(*position)?;
    let changed = replaced(place, rest, replacement)?;
    Some(expr.with_children(&mut |child| match super::is_same_place(child, place) {
        true => changed.clone(),
        false => child.clone(),
    }))
}

/// What stands around an expression: the expressions on the way from the root of a program to it.
#[derive(Debug, Clone)]
pub struct Around<'e> {
    program: &'e Program,
    /// The expressions around, outermost first, each with the position of the child that the way goes on
    /// with.
    layers: Vec<(&'e Rc<Expr>, usize)>,
}

impl<'e> Around<'e> {
    /// What stands around the root of a tree. It need not be the body of the program, but mentions its sizes,
    /// parameters and functions.
    pub fn root(program: &'e Program) -> Around<'e> {
        Around { program, layers: Vec::new() }
    }

    /// What stands around a child of an expression that this stands around.
    #[must_use]
    pub fn enter(&self, expr: &'e Rc<Expr>, position: usize) -> Around<'e> {
        let mut layers = self.layers.clone();
        layers.push((expr, position));
        Around { program: self.program, layers }
    }

    /// What stands around the expression at a path, and this expression; `None` where the path leaves the
    /// tree.
    pub fn at(program: &'e Program, root: &'e Rc<Expr>, path: &Path) -> Option<(Around<'e>, &'e Rc<Expr>)> {
        let mut around = Around::root(program);
        let mut expr = root;
        for position in &path.0 {
            around.layers.push((expr, *position));
            expr = expr.child(*position)?;
        }
        Some((around, expr))
    }

    /// The program.
    pub fn program(&self) -> &'e Program {
        self.program
    }

    /// The expressions around, innermost first, each with the position of its child on the way.
    pub fn layers(&self) -> impl Iterator<Item = (&'e Rc<Expr>, usize)> {
        self.layers.iter().rev().copied()
    }

    /// The positions and counters of applications that are bound around, outermost first, each with the
    /// number of its values.
    pub fn indices(&self) -> impl Iterator<Item = (Var, Nat)> {
        self.layers.iter().filter_map(|(expr, position)| {
            let (index, count) = expr.index_around(*position)?;
            Some((index.clone(), count))
        })
    }

    /// What is known of sizes here: what holds for the program, and that positions lie in their arrays.
    pub fn ranges(&self) -> Ranges {
        let mut ranges = self.program.ranges();
        for (index, count) in self.indices() {
            ranges.declare(&index, Nat::zero(), Some(count));
        }
        ranges
    }

    /// The workers of the maps around whose functions hold this place, innermost first.
    pub fn workers(&self) -> impl Iterator<Item = MapKind> {
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
    pub fn function_body(&self) -> Option<&Rc<Expr>> {
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
    pub fn input(&self) -> Option<&Rc<Expr>> {
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
