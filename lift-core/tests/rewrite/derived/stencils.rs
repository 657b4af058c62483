//! Stencils: the forms of the 17x17 convolution (Hagedorn's thesis, section 3.2), those whose middle knows no
//! border (FHPNC 2019, section 4), and several results by one work-item.

use lift_core::ir::typed::Program;
use lift_core::middle::rewrite::{Rewriter, Rewritten, strategies};
use lift_corpus::Topic;
use lift_corpus::programs::{CONVOLUTION, POSITIONS, STENCILS, STENCILS3D};

use super::{derived, derived_in_steps, kernels, of_corpus, strategy};
use crate::same_up_to_names::difference;
use crate::support::{typed, with_needs};

const CONVOLUTION_OF_WINDOWS: &str = "
    fn whole<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1)
          >> map2(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0))
    }";
const CONVOLUTION_OF_ROWS: &str = "
    fn along_rows<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 17, 1)
          >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))
    }";
const CONVOLUTION_OF_COLUMNS: &str = "
    fn along_columns<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(17, 1, 1, 1)
          >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))
    }";

fn program(text: &str) -> Program {
    typed(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Demands that a strategy derives a low-level program of the corpus: both become the same kernels.
fn assert_derives(topic: Topic, name: &str, text: &str, strategy: &str, numbers: &[u8]) {
    let rewritten = derived(&program(text), strategy, numbers);
    assert_same_kernels(&rewritten, &of_corpus(topic, name));
}

/// The kernels of a program. How many work-items execute them is a formula, which may be written otherwise
/// where a program needs other things of sizes.
fn source(program: &Program) -> String {
    let kernels = kernels(program);
    let lines = kernels.lines().filter(|line| !line.starts_with("// "));
    lines.map(|line| format!("{line}\n")).collect()
}

fn assert_same_kernels(rewritten: &Rewritten, low_level: &Program) {
    let mut program = with_needs(rewritten);
    program.name = low_level.name.clone();
    let different = difference(&source(&program), &source(low_level));
    assert_eq!(different, None, "{}\n{}", low_level.name, rewritten.derivation);
}

#[test]
fn the_forms_of_the_thesis_are_derived_from_the_convolution() {
    for (name, text, strategy, numbers) in [
        ("naive", CONVOLUTION_OF_WINDOWS, "naive", [].as_slice()),
        ("tiled", CONVOLUTION_OF_WINDOWS, "stencilTiles2", &[32, 32]),
        ("local", CONVOLUTION_OF_WINDOWS, "localTiles2", &[32, 32]),
        ("rows", CONVOLUTION_OF_ROWS, "localTiles2", &[1, 48]),
        ("columns", CONVOLUTION_OF_COLUMNS, "localTiles2", &[48, 1]),
        ("coalesced", CONVOLUTION_OF_COLUMNS, "localTiles2", &[48, 8]),
        ("transposed", CONVOLUTION_OF_COLUMNS, "transposedTiles2", &[48, 8]),
        ("padded", CONVOLUTION_OF_COLUMNS, "paddedTiles2", &[48, 8, 2]),
        ("padded_inside", CONVOLUTION_OF_COLUMNS, "paddedTiles2", &[48, 8, 2]),
        ("unrolled", CONVOLUTION_OF_COLUMNS, "unrolledTiles2", &[48, 8, 8]),
    ] {
        assert_derives(CONVOLUTION, name, text, strategy, numbers);
    }
}

/// Each strategy takes the stage that its tiles fit: no window of 17 rows lies in a tile of one row.
#[test]
fn separated_stages_are_tiled_one_after_the_other() {
    let low_level = program(
        "fn separated<const N: usize, const M: usize>(a: [[f32; M]; N], wy: [f32; 17], wx: [f32; 17])
            -> [[f32; M]; N]
        where N % 32 == 0, M % 32 == 0
        {
            a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 48, 32) >> mapWrg1(mapWrg0(|tile|
                tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(1, 1, 17, 1)
                     >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), wx) >> map(mult) >> reduceSeq(add, 0)))
            )) >> untile
              >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
                tile >> transpose >> increase2d(0, 0, 0, 2) >> toLocal(mapLcl0(mapLcl1(id))) >> transpose
                     >> slide2d(17, 1, 1, 1)
                     >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), wy) >> map(mult) >> reduceSeq(add, 0)))
            )) >> untile
        }",
    );
    let separated = of_corpus(CONVOLUTION, "separated");
    let of_rows = strategy(&separated, "localTiles2", &[1, 48]);
    let of_columns = strategy(&separated, "paddedTiles2", &[48, 8, 2]);
    for stages in [[&of_rows, &of_columns], [&of_columns, &of_rows]] {
        let mut rewriter = Rewriter::new(&separated);
        for stage in stages {
            rewriter.run(stage).unwrap_or_else(|failure| panic!("{failure}"));
        }
        assert_same_kernels(&rewriter.rewritten(), &low_level);
    }
}

#[test]
fn sections_without_borders_are_derived_from_stencils() {
    for (name, text) in [
        (
            "sections",
            "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 4 {
                a >> pad(2, 2, clamp) >> slide(5, 1) >> map(reduce(add, 0))
            }",
        ),
        (
            "sections_of_any_width",
            "fn f<const N: usize>(l: size, r: size, a: [f32; N]) -> [f32; N] where l + r <= N, N >= 1 {
                a >> pad(l, r, clamp) >> slide(l + r + 1, 1) >> map(reduce(add, 0))
            }",
        ),
        (
            "sections_of_constants",
            "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
                a >> padConstant(1, 1, 2.5) >> slide(3, 1) >> map(reduce(add, 0))
            }",
        ),
        (
            "mirrored_sections",
            "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
                a >> pad(1, 1, mirror) >> slide(3, 1) >> map(reduce(add, 0))
            }",
        ),
        (
            "sections2",
            "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N >= 2, M >= 2 {
                a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0))
            }",
        ),
    ] {
        assert_derives(POSITIONS, name, text, "splitBorders", &[]);
    }
}

/// The middle of the convolution compares no indices.
#[test]
fn the_convolution_without_borders_has_a_middle_without_comparisons() {
    let sections = derived(&program(CONVOLUTION_OF_WINDOWS), "splitBorders", &[]);
    insta::assert_snapshot!("convolution_in_sections", kernels(&with_needs(&sections)));
}

/// A stencil, by what is particular to it: what is computed, of which types, and how windows lie.
const CONVOLUTION_3: &str = "|a: [[i32; M]; N], w: [[i32; 3]; 3]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> \
                             map2(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0))";
const COLUMNS: &str = "|a: [[f32; M]; N], w: [f32; 5]| a >> pad2d(2, 2, 0, 0, mirror, clamp) >> \
                       slide2d(5, 1, 1, 1) >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))";
const POOLS: &str = "|a: [i32; 2 * N + 1]| a >> slide(3, 2) >> map(|window| window >> reduce(min, 100))";
const POOLS_2: &str = "|a: [[i32; 2 * M + 1]; 2 * N + 1]| a >> slide2(3, 2) >> \
                       map2(|window| window >> join >> reduce(max, -100))";
const TWO_GRIDS: &str = "|a: [[i32; M]; N], b: [[i32; M]; N]| \
                         zip2(a >> pad2(1, 1, wrap) >> slide2(3, 1), b >> pad2(0, 1, clamp) >> slide2(2, 1)) \
                         >> map2(|(v, w)| reduce(add, 0, join(v)) - at(1, at(0, w)))";
const WINDOWS_AND_ELEMENTS: &str = "|a: [[i32; M]; N], b: [[f32; M]; N]| \
                                    zip2(b, a >> pad2(1, 1, clamp) >> slide2(3, 1)) >> \
                                    map2(|(x, w)| (x, reduce(max, -100, join(w))))";
const LINE: &str = "|a: [i32; N], b: [i32; N]| zip(a >> pad(1, 1, clamp) >> slide(3, 1), b) >> \
                    map(|i => (w, x)| (at(0, w) - at(2, w)) * x + i as i32)";
const DIFFERENCES: &str = "|a: [f32; N]| a >> pad(1, 1, clamp) >> slide(3, 1) >> \
                           map(|w| if at(0, w) < at(2, w) { at(1, w) } else { at(0, w) - at(2, w) })";
const CROSS: &str = "|a: [[f32; M]; N], b: [[f32; M]; N]| \
                     zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b) >> \
                     map2(|(n, x)| x * at(1, at(0, n)) - at(0, at(1, n)) * at(1, at(2, n)))";
const DIFFERENCES_2: &str = "|a: [[f32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> \
                             map2(|w| at(1, at(0, w)) - at(1, at(2, w)))";
const LARGEST: &str = "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> \
                       map2(|n| 2 * (n >> join >> reduce(max, -100)) - 1)";
const NAMED: &str = "|a: [[f32; M]; N], v: [[f32; 3]; 3]| a >> pad2(1, 1, mirror) >> slide2(3, 1) >> \
                     map2(|n| dotProduct(join(n), join(v)))";
const CELLS: &str = "|a: [[[i32; K]; M]; N], b: [[[i32; K]; M]; N]| \
                     zip3(a >> padConstant3(1, 1, 0) >> slide3(3, 1), b) >> \
                     map3(|(w, x)| x - at(1, at(1, at(2, w))) * (w >> join >> join >> reduce(add, 0)))";

#[test]
fn every_step_of_every_derivation_keeps_the_stencil() {
    for (text, name, numbers, sizes) in [
        (CONVOLUTION_3, "naive", [].as_slice(), [3, 4].as_slice()),
        (CONVOLUTION_3, "stencilTiles2", &[4, 5], &[4, 6]),
        (CONVOLUTION_3, "localTiles2", &[4, 5], &[4, 6]),
        (CONVOLUTION_3, "registerTiles2", &[6, 5, 4], &[4, 6]),
        (CONVOLUTION_3, "splitBorders", &[], &[4, 6]),
        (COLUMNS, "localTiles2", &[8, 1], &[8, 2]),
        (COLUMNS, "transposedTiles2", &[8, 2], &[8, 4]),
        (COLUMNS, "paddedTiles2", &[8, 2, 1], &[8, 4]),
        (COLUMNS, "unrolledTiles2", &[8, 2, 4], &[8, 4]),
        (COLUMNS, "splitBorders", &[], &[8, 3]),
        (POOLS, "naive", &[], &[4]),
        (POOLS, "stencilTiles", &[5], &[4]),
        (POOLS, "localTiles", &[5], &[4]),
        (POOLS_2, "stencilTiles2", &[5, 7], &[4, 3]),
        (POOLS_2, "localTiles2", &[5, 7], &[4, 3]),
        (POOLS_2, "transposedTiles2", &[5, 7], &[4, 3]),
        (POOLS_2, "registerTiles2", &[9, 7, 5], &[4, 3]),
        (TWO_GRIDS, "localTiles2", &[4, 5], &[4, 6]),
        (TWO_GRIDS, "paddedTiles2", &[4, 5, 1], &[4, 6]),
        (TWO_GRIDS, "splitBorders", &[], &[4, 6]),
        (WINDOWS_AND_ELEMENTS, "stencilTiles2", &[4, 5], &[4, 6]),
        (WINDOWS_AND_ELEMENTS, "localTiles2", &[4, 5], &[4, 6]),
        (WINDOWS_AND_ELEMENTS, "splitBorders", &[], &[4, 6]),
        (LINE, "stencilTiles", &[5], &[6]),
        (LINE, "localTiles", &[5], &[6]),
        (DIFFERENCES, "vectors", &[4], &[8]),
        (CROSS, "vectors2", &[2], &[3, 4]),
        (COLUMNS, "rollingRows", &[2, 8], &[8, 4]),
        (DIFFERENCES_2, "rollingRows", &[4, 5], &[6, 8]),
        (LARGEST, "vectors2", &[4], &[3, 8]),
        (LARGEST, "rollingRows", &[2, 4], &[4, 6]),
        (LARGEST, "registerTiles2", &[6, 4, 4], &[4, 6]),
        (CONVOLUTION_3, "registerBlocks2", &[6, 6, 4, 4], &[4, 4]),
        (CONVOLUTION_3, "registerBlocks2", &[4, 5, 3, 5], &[4, 6]),
        (LARGEST, "registerBlocks2", &[6, 6, 4, 4], &[4, 4]),
        (NAMED, "registerBlocks2", &[6, 6, 4, 4], &[4, 4]),
        (NAMED, "registerTiles2", &[6, 4, 4], &[4, 6]),
        (CELLS, "naive", &[], &[2, 3, 2]),
        (CELLS, "stencilTiles3", &[3, 4, 4], &[2, 4, 2]),
        (CELLS, "localTiles3", &[3, 4, 4], &[2, 4, 2]),
        (CELLS, "splitBorders", &[], &[2, 3, 2]),
    ] {
        let (program, unsayable) = derived_in_steps(text, name, numbers, sizes);
        assert_eq!(unsayable, 0, "{name} of {text}");
        kernels(&program);
    }
}

/// Positions in sections are sizes with cases, which the language has not as values: the program after each
/// of three steps.
#[test]
fn sections_of_a_function_that_knows_its_position_cannot_be_said() {
    let (program, unsayable) = derived_in_steps(LINE, "splitBorders", &[], &[6]);
    assert_eq!(unsayable, 3);
    kernels(&program);
}

/// What reduces windows, and does nothing else with them.
fn of_sums(name: &str) -> &'static [(&'static str, &'static [u8])] {
    match name {
        "gaussian5" => &[("registerTiles2", &[20, 20, 8]), ("registerBlocks2", &[20, 20, 8, 8])],
        "jacobi2d9" => &[
            ("registerTiles2", &[18, 18, 6]),
            ("registerBlocks2", &[18, 18, 6, 6]),
            ("rollingRows", &[4, 6]),
        ],
        "stencil2d" | "srad1" | "gradient" | "jacobi2d5" => &[("rollingRows", &[4, 6])],
        _ => &[],
    }
}

/// Whatever they compute, and of how many grids.
#[test]
fn strategies_serve_the_stencils_of_the_papers() {
    let planes =
        ["stencil2d", "srad1", "srad2", "hotspot2d", "gaussian5", "gradient", "jacobi2d5", "jacobi2d9"];
    let boxes = ["hotspot3d", "acoustic", "jacobi3d7", "jacobi3d13", "poisson19", "heat3d"];
    let of_planes = [
        ("localTiles2", [20, 36].as_slice()),
        ("paddedTiles2", &[20, 12, 1]),
        ("splitBorders", &[]),
        ("vectors2", &[4]),
    ];
    let of_boxes = [("localTiles3", [6, 8, 10].as_slice()), ("splitBorders", &[])];
    let planes = planes.map(|name| (STENCILS, name, of_planes.as_slice()));
    let boxes = boxes.map(|name| (STENCILS3D, name, of_boxes.as_slice()));
    for (topic, name, strategies) in planes.into_iter().chain(boxes) {
        let program = of_corpus(topic, name);
        for (strategy, numbers) in strategies.iter().chain(of_sums(name)) {
            println!("{strategy} of {name}");
            kernels(&with_needs(&derived(&program, strategy, numbers)));
        }
    }
}

#[test]
fn several_results_of_a_work_item_share_what_they_read() {
    let line = "fn line<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| dotProduct(nbh, [0.25, 0.5, 0.25]))
    }";
    let cross = "fn cross<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            (at(1, at(0, n)) + at(0, at(1, n)) + at(1, at(1, n)) + at(2, at(1, n)) + at(1, at(2, n))) * 0.2)
    }";
    let small =
        "fn small<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 3]; 3]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map2(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0))
    }";
    for (text, name, numbers) in [
        (line, "vectors", [4].as_slice()),
        (cross, "vectors2", &[4]),
        (cross, "rollingRows", &[4, 6]),
        (small, "registerTiles2", &[18, 18, 6]),
        (small, "registerBlocks2", &[18, 18, 4, 4]),
    ] {
        let rewritten = derived(&program(text), name, numbers);
        let shown = lift_core::ir::typed::show::show(&with_needs(&rewritten)).expect("the language says it");
        let text = format!("{shown}----\n{}", kernels(&with_needs(&rewritten)));
        insta::assert_snapshot!(name, text);
    }
}

/// A failure names the rule that did not apply, and what is missing.
#[test]
fn strategies_say_what_they_need() {
    for (text, name, numbers, message) in [
        (
            "|a: [i32; N]| a >> map(|x| x + 1)",
            "stencilTiles",
            [4].as_slice(),
            "`mapSlideTiling` of `stencilTiles` does not apply: it takes a `slide`, but this is a variable",
        ),
        (
            CONVOLUTION_3,
            "localTiles2",
            &[2, 8],
            "`mapSlideTiling2` of `localTiles2` does not apply: it never holds that 3 <= 2",
        ),
        (
            DIFFERENCES_2,
            "registerTiles2",
            &[6, 6, 4],
            "`joinBeforeReduce` of `registerTiles2` does not apply: it takes a reduction, but this is an operator",
        ),
    ] {
        let program = program(text);
        let failure = Rewriter::new(&program).run(&strategy(&program, name, numbers));
        assert_eq!(failure.map_err(|failure| failure.to_string()), Err(message.to_owned()));
    }
    let named = strategies::find("splitBorders").expect("a strategy");
    let refused = named.of(&program(POOLS), Vec::new()).map_err(|mismatch| mismatch.to_string());
    assert_eq!(refused, Err("it has to hold that there is a `map` of windows that see a border".to_owned()));
}
