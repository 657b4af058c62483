//! Products of matrices (CASES 2016, GPGPU 2016), and what else reduces each pair of a row and a column.

use lift_core::middle::rewrite::Rewriter;
use lift_corpus::programs::{BLOCKING, PRODUCTS};

use super::{assert_derives, derived_in_steps, kernels, strategy, told};
use crate::support::typed;

/// The product of a matrix and a transposed one, which the listings of CASES 2016 take.
const BY_TRANSPOSED: &str = "
    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M])
        -> [[f32; M]; N]
    { a >> map(|row| b >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0))) }";

/// A sum of products, scaled and added to a matrix.
const SCALED: &str = "
    fn f<const N: usize, const M: usize, const K: usize>
        (a: [[f32; K]; N], b: [[f32; M]; K], d: [[f32; M]; N], alpha: f32, beta: f32) -> [[f32; M]; N]
    { zip(a, d) >> map(|(r, ds)| zip(transpose(b), ds) >> map(|(c, v)|
          alpha * (zip(r, c) >> map(mult) >> reduce(add, 0)) + beta * v)) }";

/// Lengths of paths.
const SHORTEST_PATHS: &str = "
    fn f<const N: usize, const M: usize, const K: usize>(a: [[i64; K]; N], b: [[i64; M]; K]) -> [[i64; M]; N]
    { a >> map(|r| b >> transpose >> map(|c| zip(r, c) >> reduce(|s, (x, y)| min(s, x + y), 1000))) }";

/// Programs of one structure: nothing about strategies is particular to one of them. The sizes are N, M, K.
const PRODUCTS_OF_ALL_KINDS: [&str; 9] = [
    // A B, A B^T, A^T B.
    "fn f<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
     { a >> map(|row| b >> transpose >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0))) }",
    "fn f<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N]
     { a >> map(|row| b >> map(|col| dotProduct(row, col))) }",
    "fn f<const N: usize, const M: usize, const K: usize>(a: [[f32; N]; K], b: [[f32; M]; K]) -> [[f32; M]; N]
     { a >> transpose >> map(|r| b >> transpose >> map(|c| zip(c, r) >> reduce(|s, (x, y)| y * x + s, 0))) }",
    SHORTEST_PATHS,
    SCALED,
    // Squared distances; products of three.
    "fn f<const N: usize, const M: usize, const K: usize>(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N]
     { a >> map(|r| b >> map(|c| zip(r, c) >> map(|(x, y)| (x - y) * (x - y)) >> reduce(add, 0))) }",
    "fn f<const N: usize, const M: usize, const K: usize>
         (a: [[i32; K]; N], b: [[i32; K]; M], w: [i32; K]) -> [[i32; M]; N]
     { a >> map(|r| b >> map(|c| zip(r, w, c) >> map(|(x, y, z)| x * y * z) >> reduce(add, 0))) }",
    // Several products.
    "fn f<const N: usize, const M: usize, const K: usize>
         (a: [[[i32; K]; N]; 2], b: [[[i32; M]; K]; 2]) -> [[[i32; M]; N]; 2]
     { zip(a, b) >> map(|(x, y)| x >> map(|r| y >> transpose >> map(|c| dotProduct(r, c)))) }",
    // Whether there is a way.
    "fn f<const N: usize, const M: usize, const K: usize>(a: [[bool; K]; N], b: [[bool; M]; K]) -> [[bool; M]; N]
     { a >> map(|r| b >> transpose >> map(|c| zip(r, c) >> map(|(x, y)| x && y) >> reduce(|s, x| s || x, false))) }",
];

#[test]
fn every_step_of_every_derivation_keeps_the_program() {
    for text in PRODUCTS_OF_ALL_KINDS {
        for (name, numbers) in [
            ("blockProduct", [2, 2, 4].as_slice()),
            ("reduceTiles", &[2, 3, 4]),
            ("tileProduct", &[4, 6, 4, 2, 3]),
            ("tileProductInVectors", &[4, 6, 4, 2, 2, 2]),
            ("filledTileProduct", &[4, 6, 4, 2, 2, 2]),
        ] {
            let (program, unsayable) = derived_in_steps(text, name, numbers, &[4, 6, 8]);
            assert_eq!(unsayable, 0, "{text}");
            assert_eq!(kernels(&program).matches("\nkernel ").count(), 1, "{text}");
        }
    }
}

/// Tiles need not divide anything, where zeros in place of elements change no result.
#[test]
fn products_of_any_size_are_filled_up() {
    for text in PRODUCTS_OF_ALL_KINDS {
        let takes_zeros = text != SHORTEST_PATHS;
        for rest in [[5, 7, 9], [1, 3, 7], [9, 13, 1]] {
            let sizes = if takes_zeros { rest } else { [rest[0], rest[1], 8] };
            let (_, unsayable) = derived_in_steps(text, "fillTiles", &[4, 6, 4], &sizes);
            assert_eq!(unsayable, 0, "{text}");
            let (program, unsayable) =
                derived_in_steps(text, "filledTileProduct", &[4, 6, 4, 2, 2, 2], &sizes);
            assert_eq!(unsayable, 0, "{text}");
            assert_eq!(kernels(&program).matches("\nkernel ").count(), 1, "{text}");
        }
    }
}

/// Pieces need not divide the reductions, where zeros in place of elements change no result. Tiles of each
/// piece are made as of any other product.
#[test]
fn reductions_of_products_are_cut_into_pieces() {
    for text in PRODUCTS_OF_ALL_KINDS.iter().filter(|text| **text != SHORTEST_PATHS && !text.contains("; 2]"))
    {
        for sizes in [[5, 7, 9], [1, 3, 8], [9, 13, 1]] {
            let (_, unsayable) = derived_in_steps(text, "productInPieces", &[4], &sizes);
            assert_eq!(unsayable, 0, "{text}");
        }
        let scheduled = text.replacen(
            "fn f",
            "#[schedule(productInPieces(8), filledTileProduct(4, 6, 4, 2, 2, 2))] fn f",
            1,
        );
        let compiled = lift_core::compile(&typed(&scheduled).expect("a program")).expect("it fits");
        let form = compiled.forms().next().expect("the scheduled form");
        assert_eq!(form.source.matches("\nkernel ").count(), 2, "{text}");
    }
}

/// Blocks need not divide the numbers of rows and columns, nor work-items the length of the reductions. Nothing
/// may follow a reduction.
#[test]
fn work_items_share_blocks_of_products_of_all_kinds() {
    for text in PRODUCTS_OF_ALL_KINDS {
        if text == SCALED {
            let program = typed(text).expect("a program");
            let failure = Rewriter::new(&program).run(&strategy(&program, "blocksInGroups", &[2, 2, 8]));
            assert!(failure.is_err_and(|failure| failure.to_string().contains("it takes a reduction")));
            continue;
        }
        for (numbers, sizes) in [([2, 2, 8], [5, 7, 9]), ([2, 3, 6], [4, 6, 12]), ([1, 4, 5], [1, 3, 7])] {
            let (program, unsayable) = derived_in_steps(text, "blocksInGroups", &numbers, &sizes);
            assert_eq!(unsayable, 0, "{text}");
            assert_eq!(kernels(&program).matches("\nkernel ").count(), 1, "{text}");
        }
    }
}

/// Whatever the inner map is over: rows, something made of them, an array that they do not know.
#[test]
fn any_map_of_a_map_is_computed_in_tiles() {
    for text in [
        "|a: [[i32; M]; N]| a >> map(map(|x| x * x))",
        "|a: [[i32; M]; N], b: [i32; M]| a >> map(|row| zip(row, b) >> map(|(x, y)| x - y))",
        "|a: [i32; N], b: [i32; M]| a >> map(|i => x| b >> map(|j => y| x * y + i as i32 - j as i32))",
        "|a: [[i32; N]; M]| a >> transpose >> map(|column| column >> reverse >> map(|x| x + 1))",
    ] {
        let (program, unsayable) = derived_in_steps(text, "tiles", &[2, 3], &[6, 6]);
        assert_eq!(unsayable, 0, "{text}");
        kernels(&program);
    }
}

/// The strategies that keep the order of each reduction need no law, the one that does not says which.
#[test]
fn only_parts_that_are_reduced_on_their_own_need_a_law() {
    let text = "|a: [[i32; K]; N], b: [[i32; K]; M]| \
                a >> map(|r| b >> map(|c| zip(r, c) >> reduce(|acc, (x, y)| acc * 2 + x - y, 1)))";
    derived_in_steps(text, "reduceTiles", &[2, 2, 4], &[8, 4, 4]);
    derived_in_steps(text, "tileProduct", &[4, 4, 2, 2, 2], &[8, 4, 4]);
    let program = typed(text).expect("a program");
    let failure = Rewriter::new(&program).run(&strategy(&program, "blockProduct", &[2, 2, 4]));
    let told = failure.expect_err("no law is known").to_string();
    assert_eq!(
        told,
        "`partialReduce` of `blockProduct` does not apply: \
         it has to hold that the operator is known to be associative"
    );
}

#[test]
fn listing_3_is_derived() {
    assert_derives(PRODUCTS, "listing3", BY_TRANSPOSED, "blockProduct", &[2, 2, 4]);
}

#[test]
fn listing_4_is_derived() {
    assert_derives(PRODUCTS, "listing4", BY_TRANSPOSED, "reduceTiles", &[2, 2, 4]);
}

#[test]
fn blocks_of_8x4_are_derived() {
    let product = PRODUCTS.function("high_level").expect("the program that everything starts from");
    assert_derives(PRODUCTS, "blocks_of_8x4", &product, "tileProduct", &[32, 32, 8, 8, 4]);
}

#[test]
fn blocks_of_4x2_are_derived() {
    let product = PRODUCTS.function("high_level").expect("the program that everything starts from");
    assert_derives(BLOCKING, "blocked", &product, "tileProduct", &[32, 32, 8, 4, 2]);
}

#[test]
fn blocks_of_8x8_in_vectors_are_derived() {
    let product = PRODUCTS.function("high_level").expect("the program that everything starts from");
    assert_derives(PRODUCTS, "blocks_of_8x8", &product, "tileProductInVectors", &[16, 16, 4, 8, 8, 4]);
}

#[test]
fn derivations_of_products() {
    let product = PRODUCTS.function("high_level").expect("the program that everything starts from");
    insta::assert_snapshot!("listing_3", told(BY_TRANSPOSED, "blockProduct", &[2, 2, 4]));
    insta::assert_snapshot!("listing_4", told(BY_TRANSPOSED, "reduceTiles", &[2, 2, 4]));
    insta::assert_snapshot!("figure_7", told(&product, "tileProduct", &[32, 32, 8, 8, 4]));
}
