//! Type inference of vectors: their types, what meets them, and what each mistake gets.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn vectors_have_the_types_of_the_reference() {
    check(
        signatures,
        &[
            (
                "asVector(4, a)",
                "(a: [T0; len(a)]) -> [T0x4; len(a) / 4]\n\
                 `asVector(4)` needs 4 to divide `len(a)`",
            ),
            ("|a: [f32; 8]| asVector(4, a)", "(a: [f32; 8]) -> [f32x4; 2]"),
            (
                "|a: [f32; N]| asVector(4, a)",
                "(a: [f32; N]) -> [f32x4; N / 4]\n\
                 `asVector(4)` needs 4 to divide `N`",
            ),
            ("|a: [[f32; 8]; N]| a >> map(asVector(2)) >> join", "(a: [[f32; 8]; N]) -> [f32x2; 4 * N]"),
            ("|a: [f32x4; N]| asScalar(a)", "(a: [f32x4; N]) -> [f32; 4 * N]"),
            (
                "asScalar(asVector(8, a))",
                "(a: [T0; len(a)]) -> [T0; len(a)]\n\
                 `asVector(8)` needs 8 to divide `len(a)`",
            ),
            (
                "|a: [f32; N]| asVector(4, a) >> map(|v| v * 2 + v)",
                "(a: [f32; N]) -> [f32x4; N / 4]\n\
                 `asVector(4)` needs 4 to divide `N`",
            ),
            ("|a: [f32x2; N]| a >> map(|v| v < 1)", "(a: [f32x2; N]) -> [boolx2; N]"),
            ("|a: [i32x4; N]| a >> map(|v| v as f32x4)", "(a: [i32x4; N]) -> [f32x4; N]"),
            ("|a: [f32x4; N]| a >> reduce(add, 0)", "(a: [f32x4; N]) -> f32x4"),
            ("|a: [f32x4; N]| a >> reduce(|acc, v| acc + dot(v, v), 0)", "(a: [f32x4; N]) -> f32"),
            (
                "|a: [f32x4; N]| a >> reduceSeq(|(sum, count), v| (sum + v, count + 1), (0, 0))",
                "(a: [f32x4; N]) -> (f32x4, f32)",
            ),
            // The start value is an argument of a function that waits for its data,
            (
                "|a: [f32x4; N]| a >> reduceSeq(|acc, v| acc >> map(|s| s + v), repeat(3, 0))",
                "(a: [f32x4; N]) -> [f32x4; 3]",
            ),
            // and the accumulator of a reduction around the one that makes vectors of it.
            (
                "|a: [[f32x4; N]; M]| a >> reduceSeq(|rows, row| \
                 row >> reduceSeq(|acc, v| acc >> map(|s| s + v), rows), repeat(3, 0))",
                "(a: [[f32x4; N]; M]) -> [f32x4; 3]",
            ),
            ("|a: [f32x4; N], s: f32x4| a >> map(|v| dot(v, s))", "(a: [f32x4; N], s: f32x4) -> [f32; N]"),
            (
                "map(|v| v * alpha, asVector(4, a))",
                "(alpha: T0, a: [T0; len(a)]) -> [T0x4; len(a) / 4]\n\
                 `asVector(4)` needs 4 to divide `len(a)`",
            ),
            ("|a: [f32x4; N]| padConstant(1, 1, 0, a)", "(a: [f32x4; N]) -> [f32x4; N + 2]"),
            (
                "|a: [f32; N], b: [f32; N]| zip(asVector(4, a), asVector(4, b)) >> map(vectorize(4, mult)) >> asScalar",
                "(a: [f32; N], b: [f32; N]) -> [f32; N]\n\
                 `asVector(4)` needs 4 to divide `N`",
            ),
            ("|a: [f32x4; N]| a >> map(mapVec(|x| x as i32))", "(a: [f32x4; N]) -> [i32x4; N]"),
            ("|a: [f32x4; N]| a >> map(|v| if v > 0 { v } else { 0 })", "(a: [f32x4; N]) -> [f32x4; N]"),
            ("|a: [f32x4; N]| reduceSeq(vectorize(4, add), 0, a)", "(a: [f32x4; N]) -> f32x4"),
            ("|a: [u8x16; N]| a >> map(|v| select(v == 0, 1, v))", "(a: [u8x16; N]) -> [u8x16; N]"),
            (
                "|a: [(f32x2, i32); N]| a >> map(|(v, i)| v * (i as f32))",
                "(a: [(f32x2, i32); N]) -> [f32x2; N]",
            ),
            ("|a: [f32x4; N]| a >> scanInclusive(add)", "(a: [f32x4; N]) -> [f32x4; N]"),
            (
                "fn scale(v: f32x4, s: f32) -> f32x4 { v * s }\n\
                 fn f(a: [f32x4; 8]) -> [f32x4; 8] { map(|v| scale(v, 2), a) }",
                "(a: [f32x4; 8]) -> [f32x4; 8]",
            ),
            (
                "fn scale(v: f32x4, s: f32x4) -> f32x4 { v * s }\n\
                 fn f(a: [f32x4; 8]) -> [f32x4; 8] { map(|v| scale(v, 2), a) }",
                "(a: [f32x4; 8]) -> [f32x4; 8]",
            ),
            ("fn f(a: [f32; 8]) -> f32x4 { at(0, asVector(4, a)) }", "(a: [f32; 8]) -> f32x4"),
        ],
    );
}

#[test]
fn scalars_beside_vectors_are_broadcast_in_the_typed_form() {
    check(
        elaborated,
        &[
            ("|a: [f32x4; N]| map(|v| v + 1, a)", "map(|v| (v + f32x4(1f32)), a)"),
            ("|a: [f32x4; N]| reduce(add, 0, a)", "reduce(|acc, x| (acc + x), f32x4(0f32), a)"),
            (
                "|a: [f32x4; N]| a >> map(|v| if v > 0 { v } else { 0 })",
                "map(|v| select((v > f32x4(0f32)), v, f32x4(0f32)), a)",
            ),
            ("|a: [f32x4; N]| a >> map(mapVec(|x| x * x))", "map(|x| lanewise(|x| (x * x), x), a)"),
            (
                "|a: [f32x4; N], b: [f32x4; N]| zip(a, b) >> map(vectorize(4, add))",
                "map(|x| lanewise(|x, x| (x + x), x.0, x.1), zip(a, b))",
            ),
            (
                "|a: [i32x2; N]| generate(4, |i| at(0, a) + i)",
                "generate[4](|i| (at[0](a) + i32x2(size(i): i32)))",
            ),
            (
                "|a: [f32x4; 3]| a >> reduceSeq(|(sum, count), v| (sum + v, count + 1), (0, 0))",
                "reduceSequential(|acc, v| ((acc.0 + v), (acc.1 + 1f32)), (f32x4(0f32), 0f32), a)",
            ),
            (
                "|a: [f32x4; N]| a >> map(|v| !(v > 0) && (v < 1))",
                "map(|v| (Not((v > f32x4(0f32))) && (v < f32x4(1f32))), a)",
            ),
        ],
    );
}

#[test]
fn mistakes_with_vectors_are_named() {
    check(
        mistakes,
        &[
            (
                "asVector(3, a)",
                "`3`: `asVector(3)`: there are no vectors of 3 components\n\
                 help: vectors have 2, 4, 8 or 16 components",
            ),
            (
                "asVector(n, a)",
                "`n`: the width that `asVector` takes is a number, and this one is `n`\n\
                 help: vectors have 2, 4, 8 or 16 components",
            ),
            (
                "|a: [f32; 10]| asVector(4, a)",
                "`asVector(4, a)`: `asVector(4)`: 4 does not divide the length 10\n\
                 help: 2 would; `padConstant` makes an array longer",
            ),
            (
                "|a: [f32; 7]| asVector(4, a)",
                "`asVector(4, a)`: `asVector(4)`: 4 does not divide the length 7\n\
                 help: `padConstant` makes an array longer",
            ),
            (
                "|a: [[f32; 8]; 2]| asVector(4, a)",
                "`a`: `asVector` makes vectors of scalars, but these elements are `[f32; 8]`\n\
                 help: `map(asVector(4))` makes vectors of every row",
            ),
            (
                "|a: [(f32, f32); 8]| asVector(4, a)",
                "`a`: `asVector` makes vectors of scalars, but these elements are `(f32, f32)`\n\
                 help: `unzip` gives an array of each component",
            ),
            (
                "|a: [f32x4; 8]| asVector(4, a)",
                "`a`: `asVector` makes vectors of scalars, but these elements are `f32x4`\n\
                 help: `asScalar` takes vectors apart",
            ),
            (
                "asVector(4, 1)",
                "`1`: `asVector` needs an array, but this is a number\n\
                 help: the data comes last: `asVector(n, xs)` has the type `size -> [T; n * k] -> [Txn; k]`",
            ),
            (
                "|a: [f32; 8]| asScalar(a)",
                "`a`: `asScalar` needs an array of vectors, but this is `[f32; 8]`",
            ),
            (
                "|a: [[f32x4; 2]; 2]| asScalar(a)",
                "`a`: `asScalar` needs an array of vectors, but this is `[[f32x4; 2]; 2]`\n\
                 help: `map(asScalar)` takes the vectors of every row apart",
            ),
            (
                "asScalar(a)",
                "`a`: `asScalar` needs an array of vectors of a known width\n\
                 help: give the parameter a type: `|a: [f32x4; N]| …`",
            ),
            (
                "|a: [f32x4; 8], b: [f32x2; 8]| zip(a, b) >> map(add)",
                "`add`: `+` takes operands of one type, but they are `f32x4` and `f32x2`\n\
                 help: vectors that meet have the same number of components",
            ),
            (
                "|a: [f32x4; 8], b: [i32; 8]| zip(a, b) >> map(mult)",
                "`mult`: `*` takes operands of one type, but they are `f32x4` and `i32`\n\
                 help: `x as T` converts between number types",
            ),
            (
                "fn f(a: [f32x3; 8]) -> [f32; 8] { a }",
                "`f32x3`: there is no vector type `f32x3`\n\
                 help: vectors have 2, 4, 8 or 16 components, as in `f32x4`",
            ),
            (
                "fn f(a: [f32x5; 8]) -> [f32; 8] { a }",
                "`f32x5`: there is no vector type `f32x5`\n\
                 help: vectors have 2, 4, 8 or 16 components, as in `f32x4`",
            ),
            (
                "fn f(a: [f32x4; 8]) -> [f32; 32] { a }",
                "`a`: the declared result of `f` is `[f32; 32]`, but its body gives `[f32x4; 8]`: the length 8 is not 32\n\
                 help: `asScalar` takes vectors apart",
            ),
            (
                "fn f(a: [f32; 32]) -> [f32x4; 8] { a }",
                "`a`: the declared result of `f` is `[f32x4; 8]`, but its body gives `[f32; 32]`: the length 32 is not 8\n\
                 help: `asVector(4)` makes vectors of the elements of an array",
            ),
            ("|a: [f32x4; 8]| map(|v| v.0, a)", "`v.0`: component 0 is taken of `f32x4`, which is no tuple"),
            (
                "|a: [f32; 8], b: [f32; 8]| dot(a, b)",
                "`a`: `dot` takes vectors such as `f32x4`, but this is `[f32; 8]`\n\
                 help: `dotProduct` takes arrays; `asVector(4)` makes an array of vectors",
            ),
            (
                "|a: [f32; 8]| map(|x| dot(x, x), a)",
                "`x`: `dot` takes vectors such as `f32x4`, but this is `f32`\n\
                 help: `asVector(4)` makes an array of vectors of an array of scalars",
            ),
            (
                "|a: [f32; 8]| map(mapVec(|x| x), a)",
                "`mapVec(|x| x)`: `mapVec` applies a function to the components of vectors, but this is `f32`\n\
                 help: `asVector(4)` makes vectors of the elements of an array",
            ),
            (
                "|a: [f32; 8]| mapVec(|x| x, a)",
                "`a`: `mapVec` applies a function to the components of vectors, but this is `[f32; 8]`\n\
                 help: `map(mapVec(…))` does so for every vector of an array",
            ),
            (
                "|a: [f32x4; 8]| map(vectorize(2, |x| x), a)",
                "`vectorize(2, |x| x)`: `vectorize` is applied to vectors of 2 components here, but this is `f32x4`",
            ),
            (
                "|a: [f32x4; 8]| map(mapVec(|x| (x, x)), a)",
                "`|x| (x, x)`: the function of `mapVec` gives a scalar for each component, but this one gives `(f32, f32)`",
            ),
            (
                "|a: [f32x4; 8]| map(|v| v as f32, a)",
                "`v as f32`: `as f32` converts a scalar, but this is `f32x4`\n\
                 help: `as f32x4` converts every component",
            ),
            (
                "|a: [f32; 8]| map(|v| v as f32x4, a)",
                "`v as f32x4`: `as f32x4` converts vectors of width 4, but this is `f32`\n\
                 help: a scalar fills a vector by itself where one is expected; `as f32` converts the scalar",
            ),
            (
                "|a: [f32x4; 8]| map(|v| v as i32x2, a)",
                "`v as i32x2`: `as i32x2` converts vectors of width 2, but this is `f32x4`",
            ),
            (
                "|a: [f32x4; 8]| map(|v| if v > 0 { 1 } else { [1, 2] }, a)",
                "`[1, 2]`: `select` takes a scalar, but this is `[_; 2]`\n\
                 help: `map` applies a function to every element of an array",
            ),
            ("|a: [f32x4; 8]| map(|v| at(v, a), a)", "`v`: `at` takes an integer, but this is `f32x4`"),
            (
                "|a: [bool; 8]| map(add(1), asVector(4, a))",
                "`add(1)`: `+` takes a number, but this is `boolx4`",
            ),
            ("|a: [u8x4; 8]| map(|v| -v, a)", "`-v`: `-` takes signed numbers, but this is `u8x4`"),
            (
                "map(vectorize(3), a)",
                "`vectorize(3)`: `vectorize` lacks an argument: `f` of `vectorize(n, f, vectors, …)`\n\
                 help: `vectorize(n, f, vectors, …)` has the type `size -> (T -> U) -> Txn -> Uxn`",
            ),
            (
                "|a: [f32x4; 8], b: [f32x2; 8]| zip(a, b) >> map(|(v, w)| select(v > 0, w, w))",
                "`select(v > 0, w, w)`: the condition of `select` is `boolx4`, but it chooses between `f32x2`\n\
                 help: vectors that meet have the same number of components",
            ),
            (
                "|a: [f32x4; 8], b: [f32x2; 8]| zip(a, b) >> map(|(v, w)| v > 0 && (w > 0))",
                "`v > 0 && (w > 0)`: `&&` takes operands of one type, but they are `boolx4` and `boolx2`\n\
                 help: vectors that meet have the same number of components",
            ),
            (
                "|a: [f32x4; 8]| map(|v| v + true, a)",
                "`true`: `+` takes a number, but this is `bool`\n\
                 help: `if c { 1 } else { 0 }` makes a number of it",
            ),
        ],
    );
}
