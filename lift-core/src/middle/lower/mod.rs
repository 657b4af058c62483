//! From high-level programs to programs that say who computes what.
//!
//! Input: a typed program. Output: the same program in which
//!
//! - every producer is a map of the thread hierarchy or a sequential one;
//! - every result that would only be a view of its inputs is an explicit copy;
//! - what is stored is a stage or a kept array, and everything else is delayed.
//!
//! A result without any map of the thread hierarchy gets a simple default: up to three nested producing maps
//! become `mapGlb`, the innermost in dimension 0, where neighbouring work-items touch neighbouring elements;
//! what lies deeper is sequential (`workers`). A program that uses the hierarchy is taken at its word
//! (Steuwer et al., CGO 2017, section 3.2): what it leaves high-level is sequential, and it gets no kernels
//! that it need not have.
//!
//! # Derivation
//!
//! Lowering is a derivation: functions look at the program and decide, what they decide is a [`Strategy`],
//! and a [`Rewriter`] applies its rules. So each decision can be printed, and replaying the steps gives the
//! same program. Rules see one place:
//!
//! | decision | rules |
//! | --- | --- |
//! | reductions of floats keep their order, in strict programs (`rounding`) | `reduceSeq` |
//! | an `if` between arrays is one update, or an `if` for each element (`choices`) | `chooseUpdate`, `chooseElements` |
//! | values of `let`s have no `let`s and are no tuples of arrays (`bindings`) | `letOfLet`, `letOfTuple` |
//! | maps over rows of different lengths are maps over the rows (`rows`) | `mapJoinRows` |
//! | independent passes over one array are one (`reduction`, in functions `fused_rows`) | `fuseTogether` |
//! | arrays in chains are stored (`chains`) | `storeBetween` |
//! | what rows are reduced to is stored, in forms that say so (`reduced_rows`) | `reduceMapFission`, `storeBetween` |
//! | each reduction of a column has a map, in forms that cut columns (`columns`) | `letIntroduce`, `mapLetFission` |
//! | what everybody needs is a stage, what a work-item needs repeatedly is kept (`stages`) | `letFloat`, `storeBetween`, `storeReduction`, `storeScan`, `storeValue` |
//! | whole scans are divided (`stages`, `scan`) | `scanByTiles` |
//! | groups share scans of rows, in forms that say so (`stages`, `scan`) | `scanRowsByTiles`, `scanRowsInGroups`, `joinSplit`, `letInline` |
//! | maps whose functions keep arrays are several (`stages`, `fission`) | `mapLetFission`, `letTogether`, `mapStored`, `letFloat`, `generateMap` |
//! | whole reductions are divided (`reduction`) | `reduceByGroups`, `reduceByItems`, `reduceByKeyInParts`, `reduceByKeyInGroups`, `reduceByKeyTogether`, `removeStore`, `arrayOfHead` |
//! | what is made column by column is made as rows (`column_results`) | `mapMapInterchange`, `removeInverses` |
//! | groups share rows, in forms that say so (`cooperation`) | those of the strategy `rowsInGroups` |
//! | groups read segments in tiles, in a form that says so (`cooperation`) | `segmentsInTiles` |
//! | values that are written have workers (`workers`) | `mapGlb`, `mapLcl`, `mapSeq` |
//! | views that are written are copied (`workers`) | `idMap`, `joinSplitId` |
//! | stages lie in global memory, kept arrays where they are (`workers`) | `storeToGlobal`, `removeStore` |
//! | rows that neighbours read are turned (`transposition`) | `turnRows` |
//!
//! Most decisions are made for the whole program and applied together. The separation of stages decides and
//! applies in turn: what has become a stage is a read for whatever is decided next.
//!
//! All rules are those of `rewrite::rules`, which know no costs.
//!
//! Not part of the derivation is what comes before it: `middle::tuples` takes the tuples apart that cross the
//! boundary of a kernel. The language does not say the names that it gives.
//!
//! # Terms
//!
//! - *Element*: a scalar, a vector, or a tuple of these; everything that is no array.
//! - *View*: an array that only shows the elements of others: layouts, `zip`, components.
//! - *Delayed array*: an array that nothing stores. Whoever reads an element computes it, inside of the loop
//!   that reads. A `map` that another expression consumes is delayed unless lowering decides otherwise.
//! - *Producer*: an expression whose elements are written to memory one by one (`producers`).
//! - *Stage*: what the whole device must have computed before anything that needs it can start. A stage has
//!   kernels of its own and is bound by a `let` outside of all functions (`stages`).
//! - *Kernel end*: a point of the program at which one kernel ends and the next begins, because something has
//!   to be complete. Variables do not live past it (`kernel_ends`).
//! - *Scope*: the body of a function, or what follows a `let` in one. The *home* of an expression is the
//!   innermost scope that binds something it mentions: it can be computed there, and not further out.
//! - *Context*: the scopes around an expression, how often each computes it, and where its value goes
//!   (`context`).
//! - *Kept array*: an array that is computed once each time that its home is entered, by the work-item that
//!   enters it: `Store(None, …)`.
//! - *Multiplicity*: how often something is computed or read, as far as that does not depend on sizes
//!   (`multiplicity`; `reads` counts the reads of arrays, `layout_reads` those that layouts add).
//! - *Recomputation*: a delayed element that is read several times is computed several times. `cost` decides
//!   when an array is stored instead, `chains` does so for arrays that are made of each other, and
//!   `recomputation` lists what is left of it for the user.
//! - *Division*: of a reduction or a scan of a whole array among the work-items of the device (`reduction`
//!   and `scan` decide which are divided, by rules of `rewrite::rules`; `laws` knows which functions allow
//!   it).
//! - *Fission*: of a map of the device whose function makes arrays into several maps (`fission` decides, by
//!   rules of `rewrite::rules`). *Fusion*: of reductions or maps of one array into one (the rule
//!   `fuseTogether`).

mod bindings;
mod chains;
mod choices;
mod column_results;
mod columns;
mod context;
mod cooperation;
mod cost;
mod fission;
mod fused_rows;
mod hierarchy;
mod kernel_ends;
mod layout_reads;
mod multiplicity;
mod producers;
mod reads;
mod recomputation;
mod reduced_rows;
mod reduction;
mod rounding;
mod rows;
mod scan;
mod stages;
mod transposition;
mod workers;

use crate::ir::typed::Program;
use crate::middle::rewrite::{Failure, Rewriter, Rewritten, Strategy};

pub use crate::middle::rewrite::strategies::Pieces;
pub(crate) use bindings::flat_let;
pub(crate) use cooperation::Obstacle;
pub use cooperation::{Cooperation, Group, ProductTiles, SharingRowScans, Tables, Tiles};
pub(crate) use fused_rows::rows_fused;
pub use hierarchy::{is_shared_work, uses_device, uses_hierarchy};
pub(crate) use kernel_ends::Boundaries;
pub use producers::{FEW_APPLICATIONS, is_producer, is_readable, makes_arrays, writes_through};
pub(crate) use producers::{rearranged, takes_a_loop};
pub use recomputation::Repeated;
pub(crate) use recomputation::repeated;
pub(crate) use reduced_rows::{holds_reduced_pairs, holds_reduced_rows};
pub(crate) use scan::{holds_divisible_scan, lengths_of_scanned_rows};

/// Whether work-items could update a table of a program together, once choices between updates are updates.
pub(crate) fn holds_shared_table(program: &Program) -> bool {
    let mut rewriter = Rewriter::new(program);
    let steps = choices::chosen_updates(rewriter.body());
    let is_chosen = steps.is_none_or(|steps| rewriter.run(&steps).is_ok());
    is_chosen && reduction::holds_shared_table(rewriter.body(), &rewriter.program())
}

/// Lowers a program; see the module documentation.
///
/// # Errors
/// Where a step does not apply that was decided. That is a fault of the compiler.
pub fn lower(program: &Program) -> Result<Rewritten, Failure> {
    lower_with(program, &Cooperation::default()).map(|Lowered { rewritten, .. }| rewritten)
}

/// A program that is lowered.
pub(crate) struct Lowered {
    pub(crate) rewritten: Rewritten,
    /// Why work-items do not cooperate at all, where they were asked to.
    pub(crate) obstacle: Option<Obstacle>,
}

/// Lowers a program in which work-items cooperate, as far as that is possible.
///
/// # Errors
/// As [`lower`].
pub(crate) fn lower_with(program: &Program, cooperation: &Cooperation) -> Result<Lowered, Failure> {
    let mut rewriter = Rewriter::new(program);
    if let Some(steps) = rounding::kept_order(program) {
        rewriter.run(&steps)?;
    }
    if let Some(steps) = choices::chosen_updates(rewriter.body()) {
        rewriter.run(&steps)?;
    }
    if let Some(steps) = choices::chosen_elements(rewriter.body()) {
        rewriter.run(&steps)?;
    }
    if uses_hierarchy(&program.body) {
        rewriter.run(&rows::maps_over_rows(rewriter.body()))?;
        stages::separate_stages(&mut rewriter, program, cooperation)?;
        rewriter.run(&reduction::divided_reductions(rewriter.body(), program, cooperation.tables))?;
        rewriter.run(&workers::workers_of_result(rewriter.body(), program))?;
        let obstacle = (!cooperation.is_none()).then_some(Obstacle::NoPlace);
        return Ok(Lowered { rewritten: rewriter.rewritten(), obstacle });
    }
    while let Some(steps) = bindings::flat_let(rewriter.body()) {
        rewriter.run(&steps)?;
    }
    rewriter.run(&rows::maps_over_rows(rewriter.body()))?;
    while let Some(steps) = reduction::written_start(rewriter.body()) {
        rewriter.run(&steps)?;
    }
    rewriter.run(&reduction::columns_apart(rewriter.body()))?;
    rewriter.run(&reduction::fused_together().tried())?;
    if let Some(fused) = rows_fused(rewriter.body()) {
        rewriter.run(&fused)?;
    }
    rewriter.run(&chains::stored_in_chains(&rewriter.program()))?;
    if cooperation.reduced_rows_apart {
        rewriter.run(&reduced_rows::taken_apart())?;
        let pairs = cooperation.pairs_apart;
        while let Some(step) = reduced_rows::bound_in_function(rewriter.body(), pairs) {
            // Where it does not fit, the others are not stored like this, either.
            if rewriter.run(&step).is_err() {
                break;
            }
        }
        rewriter.run(&reduced_rows::stored(rewriter.body(), pairs))?;
    }
    columns::separate(&mut rewriter, &cooperation.columns);
    stages::separate_stages(&mut rewriter, program, cooperation)?;
    rewriter.run(&reduction::divided_reductions(rewriter.body(), program, cooperation.tables))?;
    rewriter.run(&column_results::as_rows())?;
    let obstacle = cooperation.carry_out(&mut rewriter);
    rewriter.run(&workers::workers(rewriter.body(), program))?;
    for place in workers::kept_arrays(rewriter.body()) {
        if let Some(store) = rewriter.body().at_path(&place) {
            let decided = workers::kept_by_work_item(store, program);
            rewriter.run(&Strategy::At(place, Box::new(decided)))?;
        }
    }
    while let Some(turn) = transposition::turned_rows(rewriter.body()) {
        rewriter.run(&turn)?;
    }
    rewriter.run(&workers::workers_of_stages(rewriter.body(), program))?;
    Ok(Lowered { rewritten: rewriter.rewritten(), obstacle })
}
