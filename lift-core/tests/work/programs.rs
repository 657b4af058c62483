//! The programs of the papers, of the tests and of the benchmarks, taken from the text of their files.

use lift_core::ir::typed::Program;

use crate::papers::{FIGURES, POSITION_DEPENDENT};
use crate::texts::{blocks, kernels};
use crate::{every_primitive, steps};

/// The tests whose programs stand between the braces of `lift! {`.
const FILES: [(&str, &str); 25] = [
    ("algorithms", include_str!("../../../tests/programs/algorithms.rs")),
    ("benchmarks_ir", include_str!("../../../tests/programs/benchmarks_ir.rs")),
    ("blocking", include_str!("../../../tests/programs/blocking.rs")),
    ("closures", include_str!("../../../tests/interface/closures.rs")),
    ("convolution", include_str!("../../../tests/programs/convolution.rs")),
    ("corners", include_str!("../../../tests/language/corners.rs")),
    ("high_level", include_str!("../../../tests/programs/high_level.rs")),
    ("interior", include_str!("../../../tests/language/interior.rs")),
    ("iterations", include_str!("../../../tests/language/iterations.rs")),
    ("language", include_str!("../../../tests/language/language.rs")),
    ("linear_algebra", include_str!("../../../tests/programs/linear_algebra.rs")),
    ("photograph", include_str!("../../../tests/programs/photograph.rs")),
    ("pipelined", include_str!("../../../tests/programs/pipelined.rs")),
    ("positions", include_str!("../../../tests/programs/positions.rs")),
    ("products", include_str!("../../../tests/programs/products.rs")),
    ("thesis", include_str!("../../../tests/programs/thesis.rs")),
    ("reductions", include_str!("../../../tests/programs/reductions.rs")),
    ("scans", include_str!("../../../tests/language/scans.rs")),
    ("stencils", include_str!("../../../tests/programs/stencils.rs")),
    ("stencils3d", include_str!("../../../tests/programs/stencils3d.rs")),
    ("stored_arrays", include_str!("../../../tests/programs/stored_arrays.rs")),
    ("threads", include_str!("../../../tests/interface/threads.rs")),
    ("tuples", include_str!("../../../tests/interface/tuples.rs")),
    ("user_functions", include_str!("../../../tests/language/user_functions.rs")),
    ("vectors", include_str!("../../../tests/language/vectors.rs")),
];

/// The programs of the papers, a `lift!` each.
const PAPERS: &str = include_str!("../../../lift-parser/examples/expansion/papers.rs.txt");

/// The benchmarks, whose programs stand between the braces of `program! {`, behind a name.
const BENCHMARKS: [&str; 11] = [
    include_str!("../../../benches/src/computations/convolution.rs"),
    include_str!("../../../benches/src/computations/dot.rs"),
    include_str!("../../../benches/src/computations/jacobi.rs"),
    include_str!("../../../benches/src/computations/matrix_product.rs"),
    include_str!("../../../benches/src/computations/matrix_vector.rs"),
    include_str!("../../../benches/src/computations/nbody.rs"),
    include_str!("../../../benches/src/computations/normal_product.rs"),
    include_str!("../../../benches/src/computations/scan.rs"),
    include_str!("../../../benches/src/computations/separated.rs"),
    include_str!("../../../benches/src/computations/transpose.rs"),
    include_str!("../../../benches/src/computations/triangular.rs"),
];

/// A program and what it is called in a list.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) program: Program,
}

/// All of them.
pub(crate) fn all() -> Vec<Named> {
    let mut named = Vec::new();
    for (file, text) in FILES {
        blocks(text, "lift! {\n").iter().for_each(|items| collect(file, items, &mut named));
    }
    let papers = PAPERS.split("\nlift! {").skip(1).filter_map(|from| from.rsplit_once('}'));
    papers.for_each(|(items, _)| collect("papers", items, &mut named));
    let benchmarks = BENCHMARKS.iter().flat_map(|file| file.split("\nprogram! {").skip(1));
    benchmarks
        .filter_map(|block| block.split_once(":\n")?.1.split_once("\n}\n"))
        .for_each(|(items, _)| collect("benchmarks", items, &mut named));
    let closures = FIGURES.iter().chain(&POSITION_DEPENDENT).chain(every_primitive::PROGRAMS);
    closures.for_each(|text| collect("", text, &mut named));
    steps::texts().iter().for_each(|text| collect("", text, &mut named));
    named
}

/// The programs of a text: items by their file and name, a closure by what it says.
fn collect(file: &str, text: &str, named: &mut Vec<Named>) {
    let programs = kernels(text).unwrap_or_else(|message| panic!("{file}: {message}\n{text}"));
    named.extend(programs.into_iter().map(|program| {
        let name = if file.is_empty() { text.to_owned() } else { format!("{file}::{}", program.name) };
        Named { name, program }
    }));
}
