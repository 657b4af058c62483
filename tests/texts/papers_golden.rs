//! The kernels of the papers' programs, each below its program in a golden file, reviewed like code:
//! `docs/kernels.md` says of each what the published or hand-written kernel is that it resembles, and what
//! still differs.
//!
//! `INSTA_UPDATE=always cargo test --test texts` writes the kernels anew; read the difference, and the
//! paragraph about the kernel.

use std::collections::BTreeSet;

use crate::kernels::{kernels, render};
use lift_core::compile;
use lift_corpus::{Topic, language, programs};

/// What is said about the kernels.
const NOTES: &str = include_str!("../../docs/kernels.md");

/// The kernels of a program behind its text, with their launches and with what is checked before.
fn golden(topic: Topic, name: &str) -> Result<String, String> {
    let missing = || format!("there is no program `{name}`");
    let text = topic.function(name).ok_or_else(missing)?;
    let program = kernels(topic.block_with(name).ok_or_else(missing)?)?;
    let program = program.into_iter().find(|program| program.name == name).ok_or_else(missing)?;
    let compiled = compile(&program).map_err(|diagnostics| render(&diagnostics))?;
    let mut golden = format!("{text}\n----\n{}", compiled.plain.source);
    for kernel in &compiled.plain.kernels {
        let ([x, y, z], [i, j, k]) = (&kernel.global, &kernel.local);
        golden += &format!("// {}: {x} x {y} x {z} work-items in groups of {i} x {j} x {k}\n", kernel.entry);
    }
    for obligation in &compiled.obligations {
        golden += &format!("// needs: {}\n", obligation.text);
    }
    Ok(golden)
}

macro_rules! golden {
    ($($name:ident: $program:ident of $topic:path;)*) => {
        /// The names under which golden files and notes stand.
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() -> Result<(), String> {
                let golden = golden($topic, stringify!($program))?;
                insta::with_settings!({ snapshot_path => "golden", prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(stringify!($name), golden);
                });
                Ok(())
            }
        )*
    };
}

golden! {
    a1_partial_dot: partial_dot of programs::ALGORITHMS;
    a2_dot: dot of programs::REDUCTIONS;
    a3_transpose_gather: transpose_gather of language::LANGUAGE;
    a4_nbody: nbody of programs::BENCHMARKS_IR;
    a4_nbody_flat: nbody_flat of programs::BENCHMARKS_IR;
    a4_nbody_tiled: nbody_tiled of programs::BENCHMARKS_IR;
    a4_md: md of programs::BENCHMARKS_IR;
    a4_md_low: md_low of programs::BENCHMARKS_IR;
    a4_kmeans: kmeans of programs::BENCHMARKS_IR;
    a4_kmeans_low: kmeans_low of programs::BENCHMARKS_IR;
    a4_nn: nn of programs::BENCHMARKS_IR;
    a4_nn_low: nn_low of programs::BENCHMARKS_IR;
    a4_mriq: mriq of programs::BENCHMARKS_IR;
    a4_mriq_low: mriq_low of programs::BENCHMARKS_IR;
    a4_atax: atax of programs::LINEAR_ALGEBRA;
    a4_atax_low: atax_low of programs::LINEAR_ALGEBRA;
    a4_gemv: gemv of programs::LINEAR_ALGEBRA;
    a4_gemv_low: gemv_low of programs::LINEAR_ALGEBRA;
    a4_gemv_vectorised: gemv_vectorised of programs::LINEAR_ALGEBRA;
    a4_gesummv: gesummv of programs::LINEAR_ALGEBRA;
    a4_gesummv_flat: gesummv_flat of programs::LINEAR_ALGEBRA;
    a4_gesummv_low: gesummv_low of programs::LINEAR_ALGEBRA;
    a4_mm_vectorised: vectorised of programs::PRODUCTS;
    b1_founding: founding of programs::THESIS;
    b2_heat: heat of programs::THESIS;
    b3_convolve_clamp: convolve_clamp of programs::THESIS;
    b3_convolve_mirror: convolve_mirror of programs::THESIS;
    b3_convolve_wrap: convolve_wrap of programs::THESIS;
    b3_convolve_constant: convolve_constant of programs::THESIS;
    b5_jacobi9: jacobi9 of programs::THESIS;
    b6_game_of_life: game_of_life of programs::THESIS;
    b7_gaussian3: gaussian3 of programs::THESIS;
    b8_sobel_rows: sobel_rows of programs::THESIS;
    b8_sobel_columns: sobel_columns of programs::THESIS;
    b8_sobel_magnitude: sobel_magnitude of programs::THESIS;
    b8_sobel: sobel of programs::THESIS;
    b9_high_level: high_level of programs::CONVOLUTION;
    b9_naive: naive of programs::CONVOLUTION;
    b9_tiled: tiled of programs::CONVOLUTION;
    b9_local: local of programs::CONVOLUTION;
    b9_separated: separated of programs::CONVOLUTION;
    b9_rows: rows of programs::CONVOLUTION;
    b9_columns: columns of programs::CONVOLUTION;
    b9_coalesced: coalesced of programs::CONVOLUTION;
    b9_transposed: transposed of programs::CONVOLUTION;
    b9_padded: padded of programs::CONVOLUTION;
    b9_padded_inside: padded_inside of programs::CONVOLUTION;
    b9_unrolled: unrolled of programs::CONVOLUTION;
    b10_stencil2d: stencil2d of programs::STENCILS;
    b10_stencil2d_tiled: stencil2d_tiled of programs::STENCILS;
    b10_srad1: srad1 of programs::STENCILS;
    b10_srad2: srad2 of programs::STENCILS;
    b10_hotspot2d: hotspot2d of programs::STENCILS;
    b10_gaussian5: gaussian5 of programs::STENCILS;
    b10_gradient: gradient of programs::STENCILS;
    b10_jacobi2d5: jacobi2d5 of programs::STENCILS;
    b10_jacobi2d9: jacobi2d9 of programs::STENCILS;
    b10_hotspot3d: hotspot3d of programs::STENCILS3D;
    b10_acoustic: acoustic of programs::STENCILS3D;
    b10_jacobi3d7: jacobi3d7 of programs::STENCILS3D;
    b10_jacobi3d13: jacobi3d13 of programs::STENCILS3D;
    b10_poisson19: poisson19 of programs::STENCILS3D;
    b10_heat3d: heat3d of programs::STENCILS3D;
    b10_heat3d_columns: heat3d_columns of programs::STENCILS3D;
    c1_high_level: high_level of programs::PRODUCTS;
    c2_listing3: listing3 of programs::PRODUCTS;
    c3_listing4: listing4 of programs::PRODUCTS;
    c4_blocked: blocked of programs::BLOCKING;
    c4_blocks_of_8x4: blocks_of_8x4 of programs::PRODUCTS;
    c4_blocks_of_8x8: blocks_of_8x8 of programs::PRODUCTS;
    d1_trmv: trmv of programs::POSITIONS;
    d2_trmv_wrg: trmv_wrg of programs::POSITIONS;
    d2_trmv_wrg_even: trmv_wrg_even of programs::POSITIONS;
    d3_doubled_triangle: doubled_triangle of programs::POSITIONS;
    d3_twice_joined: twice_joined of programs::POSITIONS;
    d3_joined_then_twice: joined_then_twice of programs::POSITIONS;
    d3_upper_product: upper_product of programs::POSITIONS;
    d3_increased_tree: increased_tree of programs::POSITIONS;
    d3_banded_product: banded_product of programs::POSITIONS;
    d3_grouped: grouped of programs::POSITIONS;
    d3_paired: paired of programs::POSITIONS;
    d3_triangles: triangles of programs::POSITIONS;
    d4_sections: sections of programs::POSITIONS;
    d4_sections_of_any_width: sections_of_any_width of programs::POSITIONS;
    d4_sections_of_constants: sections_of_constants of programs::POSITIONS;
    d4_mirrored_sections: mirrored_sections of programs::POSITIONS;
    d4_sections2: sections2 of programs::POSITIONS;
}

/// A heading of the notes begins with the names of the kernels that it is about, each in backquotes.
#[test]
fn every_kernel_has_a_note_and_every_note_a_kernel() {
    let headings = NOTES.lines().filter_map(|line| line.strip_prefix("### "));
    let noted: Vec<&str> = headings.flat_map(|heading| heading.split('`').skip(1).step_by(2)).collect();
    let once: BTreeSet<&str> = noted.iter().copied().collect();
    assert_eq!(noted.len(), once.len(), "a kernel has two notes");
    let golden: BTreeSet<&str> = NAMES.iter().copied().collect();
    assert_eq!(golden.difference(&once).collect::<Vec<_>>(), Vec::<&&str>::new(), "kernels without a note");
    assert_eq!(once.difference(&golden).collect::<Vec<_>>(), Vec::<&&str>::new(), "notes without a kernel");
}
