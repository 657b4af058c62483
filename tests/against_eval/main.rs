//! Programs that an OpenCL device compiles while the tests run, against the reference evaluator.

mod assignments_at_once;
mod benchmark_programs;
mod column_forms;
mod drivers;
mod forms;
mod general_launches;
mod launches;
mod papers_programs;
mod product_forms;
mod product_stages;
mod random_programs;
mod records;
mod row_forms;
mod scalar_types;
mod scan_programs;
mod slices;
mod stencil_forms;
mod untuned;
mod warnings;

#[path = "../kernels/assignments.rs"]
mod assignments;
#[path = "../random/check.rs"]
mod check;
#[path = "../common/mod.rs"]
mod common;
#[path = "../compare/mod.rs"]
mod compare;
#[path = "../random/compiled.rs"]
mod compiled;
#[path = "../../lift-runtime/tests/common/events.rs"]
mod events;
#[path = "../../lift-core/tests/support/mod.rs"]
mod generator;
#[path = "../kernels/mod.rs"]
mod kernels;
#[path = "../kernels/pinned.rs"]
mod pinned;
#[path = "../random/mod.rs"]
mod random;
#[path = "../../lift-core/tests/support/seed.rs"]
mod seed;
#[path = "../compare/sizes.rs"]
mod sizes;
#[path = "../kernels/steps.rs"]
mod steps;
