//! What a user's crate sees of kernels, their arguments, results, launches and errors, and what the
//! documentation shows, on the default device.

mod closures;
#[path = "../common/mod.rs"]
mod common;
mod device_destinations;
mod device_values;
mod forms;
mod generic_items;
mod hygiene;
mod interface;
mod launch_sizes;
mod obligations;
mod open_elements;
mod open_ranks;
mod places;
mod readme;
mod restricted;
mod schedules;
mod stencil_schedules;
mod threads;
mod tuples;
