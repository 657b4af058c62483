//! Texts of programs, reviewed: they should be what a person would have written.
//!
//! `INSTA_UPDATE=always cargo test -p lift-core --test show` writes the snapshots anew; read the difference.

use lift_core::ir::typed::Program;
use lift_core::ir::typed::show::show;

use crate::{corpus, texts};

/// A program of the corpus, or the one of a text.
fn program(name: &str) -> Program {
    let named = corpus().into_iter().find(|(known, _)| known == name).map(|(_, program)| program);
    let written = || texts::kernels(name).ok()?.pop();
    named.or_else(written).expect("it is in the corpus, or a program")
}

macro_rules! shown {
    ($($name:ident: $program:literal;)*) => {$(
        #[test]
        fn $name() {
            let text = show(&program($program)).expect("the language says it");
            insta::assert_snapshot!(stringify!($name), text);
        }
    )*};
}

shown! {
    founding_example: "thesis::founding";
    game_of_life: "thesis::game_of_life";
    gradients: "thesis::sobel";
    softmax: "algorithms::softmax";
    matrix_vector_product_by_groups: "matrix_vector::row_per_group_float4";
    tree_of_levels: "positions::level_sums";
    border_in_sections: "positions::sections2";
    scaled_again_and_again: "iterations::scaled_by_its_sum";
    tiles_in_turn: "pipelined::tiles";
    open_element_types: "map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))";
}
