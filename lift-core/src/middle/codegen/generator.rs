//! The state of code generation: [`Generator`], to which the other files add methods.

use std::sync::Arc;

use super::error::{Error, Problem};
use super::own_names;
use super::row_comparisons::RowComparisons;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::code::Notes;
use crate::ir::kernel::{Buffer, Repetition, Statement, Variable, Workers};
use crate::ir::names::{Fresh, Names, ReservedWords};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::{Pinning, Program, SizeVariable};
use crate::middle::view::Value;
use crate::options::Options;

/// The result of a part of code generation.
pub(super) type Generated<T> = Result<T, Error>;

/// A loop around the statement being generated.
#[derive(Debug, Clone)]
pub(super) struct Around {
    pub(super) workers: Workers,
    pub(super) index: Var,
    pub(super) extent: Nat,
    pub(super) source: Source,
}

/// An element of a shared array that was computed before.
pub(super) struct SharedElement {
    pub(super) array: u32,
    pub(super) index: Nat,
    pub(super) value: Value,
}

/// A formula that has a name.
pub(super) struct NamedIndex {
    pub(super) value: Nat,
    pub(super) name: Nat,
}

/// The kernels that are complete.
#[derive(Default)]
pub(super) struct Done {
    pub(super) bodies: Vec<Vec<Statement>>,
    /// The names that are in use in each of them.
    pub(super) names: Vec<Names>,
    /// The repetitions of kernels; inner ones come first.
    pub(super) repetitions: Vec<Repetition>,
}

pub(super) struct Generator<'p> {
    pub(super) program: &'p Program,
    pub(super) options: Options,
    /// The variables that number the applications of an `iterate` and that a launcher counts:
    /// [`Repetition::step`].
    pub(super) application_counters: FlatSet<Var>,
    /// Positions from data that the program has clamped to sizes.
    pub(super) positions_from_data: FlatSet<Var>,
    /// What is known about the sizes of the program.
    pub(super) sizes_known: Ranges,
    /// What is known where a statement is generated.
    pub(super) ranges: Ranges,
    pub(super) fresh: Fresh,
    /// The program's scalar parameters, with their positions.
    pub(super) scalars: Vec<(usize, Variable)>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) size_names: FlatMap<Var, Arc<str>>,
    pub(super) notes: Notes,
    pub(super) done: Done,
    /// The statements of the innermost open block.
    pub(super) block: Vec<Statement>,
    /// How many blocks are open around it.
    pub(super) open_blocks: usize,
    /// The loops around it, outermost first.
    pub(super) around: Vec<Around>,
    /// The comparisons around it that find rows of joined arrays.
    pub(super) row_comparisons: RowComparisons,
    /// The elements of shared arrays whose variables are in scope.
    pub(super) shared: Vec<SharedElement>,
    /// The index formulas whose names are in scope.
    pub(super) named: Vec<NamedIndex>,
    /// The user's name for the next array that is stored.
    pub(super) array_name: Option<Arc<str>>,
    /// The counts of the repetitions around the current kernel, outermost first.
    pub(super) launches: Vec<Nat>,
}

impl<'p> Generator<'p> {
    pub(super) fn new(
        program: &'p Program,
        application_counters: FlatSet<Var>,
        reserved: &'static ReservedWords,
        options: &Options,
    ) -> Generator<'p> {
        let mut names = Names::new(reserved);
        let name_of = |size: &SizeVariable, names: &mut Names| names.fresh(&size_name(&size.name));
        let size_names =
            program.sizes.iter().map(|size| (size.variable.clone(), name_of(size, &mut names))).collect();
        let sizes_known = program.ranges();
        Generator {
            program,
            options: *options,
            application_counters,
            positions_from_data: FlatSet::new(),
            ranges: sizes_known.clone().with_indices(options.indices),
            sizes_known,
            fresh: Fresh::new(names, program.next_id),
            scalars: Vec::new(),
            buffers: Vec::new(),
            size_names,
            notes: Notes::default(),
            done: Done::default(),
            block: Vec::new(),
            open_blocks: 0,
            around: Vec::new(),
            row_comparisons: RowComparisons::none(),
            shared: Vec::new(),
            named: Vec::new(),
            array_name: None,
            launches: Vec::new(),
        }
    }

    /// Whether the current kernel may rely on the sizes of its launch.
    pub(super) fn pinning(&self) -> Pinning {
        self.program.launch(self.done.bodies.len()).map(|launch| launch.pinning).unwrap_or_default()
    }

    /// Ends the current kernel. The next one starts after all work-items of this one are done.
    pub(super) fn finish_kernel(&mut self, source: Source) -> Generated<()> {
        if self.open_blocks > 0 {
            return Err(Error::new(source, Problem::DecidedOnDevice));
        }
        let body = std::mem::take(&mut self.block);
        self.shared.clear();
        self.named.clear();
        if !body.is_empty() {
            let own = own_names::names_of_kernel(&body, &self.buffers);
            self.done.names.push(self.fresh.names().clone());
            self.fresh.release(own.iter().map(|name| &**name));
            self.done.bodies.push(body);
        }
        Ok(())
    }
}

/// The name of a size in the kernel text: `len(a, 1)` becomes `a_length_1`.
fn size_name(name: &str) -> String {
    let Some(inside) = name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) else {
        return name.to_string();
    };
    match inside.split_once(", ") {
        None => format!("{inside}_length"),
        Some((array, dimension)) => format!("{array}_length_{dimension}"),
    }
}
