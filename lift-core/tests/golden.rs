//! Golden kernels: a program and the kernel it becomes, side by side, reviewed like code. Those of the
//! papers' programs are those of `tests/texts/papers_golden.rs` of the workspace, where the programs also
//! run.
//!
//! `INSTA_UPDATE=always cargo test -p lift-core --test golden` writes the snapshots anew; read the
//! difference.

use lift_core::compile;
use lift_core::compiled::{Action, Compiled, Form, Kernel, PLAIN, used_on};
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;

/// The kernels of a program in its plain form, behind its text.
fn kernels(text: &str) -> String {
    kernels_of(text, |compiled| vec![&compiled.plain])
}

/// The kernels of a program in the forms that the compiler chooses by itself, behind its text.
fn chosen(text: &str) -> String {
    kernels_of(text, |compiled| compiled.others.iter().collect())
}

/// The kernels of a program in some of its forms, behind its text.
fn kernels_of(text: &str, forms: impl Fn(&Compiled) -> Vec<&Form>) -> String {
    let parsed = lift_parser::parse_text(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let programs: Vec<Program> = match &parsed.input {
        Some(Input::Inline(expr)) => vec![infer_inline(expr).expect("it has a type")],
        Some(Input::Closure(expr)) => vec![infer_closure(expr).expect("it has a type")],
        Some(Input::Items(items)) => infer_items(items).expect("they have types").kernels,
        None => Vec::new(),
    };
    let mut snapshot = format!("{}\n----\n", text.trim());
    for program in &programs {
        let compiled = compile(program).expect("it compiles");
        for form in forms(&compiled) {
            if form.name != PLAIN {
                snapshot += &format!("// {}: {}\n", form.name, used_on(form));
            }
            snapshot += &form.source;
            for kernel in &form.kernels {
                let [x, y, z] = &kernel.global;
                snapshot += &format!("// {}: {x} x {y} x {z} work-items\n", kernel.entry);
            }
            snapshot += &repetitions(&form.steps, &form.kernels);
        }
        for obligation in &compiled.obligations {
            snapshot += &format!("// needs: {}\n", obligation.text);
        }
    }
    snapshot
}

/// What a launcher launches repeatedly.
fn repetitions(steps: &[Action], kernels: &[Kernel]) -> String {
    let described = steps.iter().map(|step| match step {
        Action::Launch(_) => String::new(),
        Action::Repeat(repetition) => {
            let launched = repetition.body.iter().map(|step| match step {
                Action::Launch(position) => kernels[*position].entry.clone(),
                Action::Repeat(_) => "others".to_string(),
            });
            let launched: Vec<String> = launched.collect();
            let exchanged: Vec<String> = repetition
                .arrays
                .iter()
                .map(|array| {
                    let last = match array.output == array.after {
                        true => String::new(),
                        false => format!(", {:?} last", array.output),
                    };
                    format!("{:?} for {:?}, {:?} first{last}", array.before, array.after, array.input)
                })
                .collect();
            let (launched, exchanged) = (launched.join(", "), exchanged.join("; "));
            let inner = repetitions(&repetition.body, kernels);
            let counted =
                repetition.step.as_ref().map_or(String::new(), |step| format!(", counted by {step}"));
            format!("// {} times{counted}: {launched}, exchanging {exchanged}\n{inner}", repetition.count)
        }
    });
    described.collect()
}

macro_rules! golden {
    ($($(#[$attribute:meta])* $name:ident: $program:literal;)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), kernels($program));
        }
    )*};
}

golden! {
    /// Hagedorn's thesis, section 2.2: the founding example.
    founding_example: "map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))";
    mirror_border: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, mirror) >> slide(3, 1) >> map(reduce(add, 0)) }";
    wide_mirror_border: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(8, 8, mirror) >> slide(17, 1) >> map(reduce(add, 0)) }";
    wrapped_border: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, wrap) >> slide(3, 1) >> map(reduce(add, 0)) }";
    constant_border: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] { a >> padConstant(1, 1, 0.5) >> slide(3, 1) >> map(reduce(add, 0)) }";
    own_border: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, |i, n| (i + n) % n) >> slide(3, 1) >> map(reduce(add, 0)) }";
    split_then_join: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> split(4) >> join >> map(|x| x + 1) }";
    transpose_twice: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> transpose >> transpose >> map(map(|x| x + 1)) }";
    transpose: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] { transpose(a) }";
    heat: "fn heat<const N: usize>(a: [f32; N], c: f32) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip([c, 1 - 2 * c, c], nbh) >> map(mult) >> reduce(add, 0)) }";
    gaussian3: "fn gaussian<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| zip(join(nbh), [0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625]) >> map(mult) >> reduce(add, 0)) }";
    game_of_life: "fn alive(sum: i32) -> i32 { if 1 < sum && sum < 4 { 1 } else { 0 } }
        fn life<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> pad2(1, 1, wrap) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0) >> alive) }";
    /// CGO 2017, listing 1, its first stage: partial sums in local memory.
    partial_sums: "fn sums<const N: usize>(x: [f32; N]) -> [f32; N / 2] {
        x >> split(128) >> mapWrg0(|chunk| chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)) >> mapLcl0(toGlobal(id))) >> join }";
    shared_tile: "fn blur<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(66, 64) >> mapWrg0(|tile| tile >> toLocal(mapLcl0(id)) >> slide(3, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))) >> join }";
    neighbour_list: "fn sums<const N: usize, const K: usize>(list: [[i32; K]; N], a: [f32; N]) -> [f32; N] { list >> map(|l| l >> map(|i| at(i, a)) >> reduce(add, 0)) }";
    /// What data delimits is clamped once for each row, and not for each element.
    rows_that_data_delimits: "fn product<const N: usize, const M: usize, const K: usize>(ends: [u32; N + 1], columns: [u32; K], values: [f32; K], x: [f32; M]) -> [f32; N] where M >= 1 {
        zip(columns, values) >> map(|column, value| value * at(column, x)) >> reduceSegments(add, 0, ends) }";
    parts_put_together: "fn framed<const N: usize>(a: [f32; N]) -> [f32; N + 5] { concat(repeat(2, 0), reverse(a), generate(3, |i| i as f32)) }";
    /// Rows of any shape, or numbers, are copied element by element.
    reversed_rows: "reverse(m)";
    rows_in_chunks: "m >> split(2)";
    rows_at_positions: "map(|i| at(i, m), positions)";
    rows_side_by_side: "zip(a, b) >> map(|(x, y)| (y, x)) >> unzip";
    /// A value that is read twice is computed once.
    shared_values: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { let b = zip(a, a) >> map(add); let c = zip(b, b) >> map(mult); zip(c, b) >> map(sub) }";
    /// Mean and variance of a row are computed once, by the work-item that has the row.
    layer_norm: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map(|r| {
        let mean = (r >> reduce(add, 0)) / (M as f32);
        let variance = (r >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (M as f32);
        r >> map(|x| (x - mean) * rsqrt(variance + 1e-5)) }) }";
    /// One map in four kernels: reductions of rows, and maps over all elements.
    softmax_of_rows: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map(|row| {
        let largest = row >> reduce(max, -1e30);
        let powers = row >> map(|x| exp(x - largest));
        let sum = powers >> reduce(add, 0);
        powers >> map(|x| x / sum) }) }";
    /// The hidden layer is computed once for each input, by as many work-items as it has elements; weights
    /// are turned.
    two_layers: "fn f<const N: usize>(x: [[f32; 64]; N], first: [[f32; 64]; 128], second: [[f32; 128]; 10]) -> [[f32; 10]; N] {
        x >> map(|x| {
            let hidden = first >> map(|weights| max(dotProduct(weights, x), 0));
            second >> map(|weights| dotProduct(weights, hidden)) }) }";
    /// What windows need stays with their work-items.
    softmax_of_windows: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(20, 20, clamp) >> slide(41, 1) >> map(|window| {
        let largest = window >> reduce(max, -1e30);
        let powers = window >> map(|x| exp(x - largest));
        at(20, powers) / reduce(add, 0, powers) }) }";
    /// The inner product is stored: the outer one would compute it again for every column.
    product_of_a_product: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        let y = a >> map(|row| zip(row, x) >> map(mult) >> reduce(add, 0));
        a >> transpose >> map(|column| zip(column, y) >> map(mult) >> reduce(add, 0)) }";
    /// Positions are compared with numbers, and converted, as they are: nothing is 64 bits wide.
    numbers_of_positions: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { generate(N, |i| if i > 0 { at(i - 1, a) } else { (N - i) as f32 }) }";
    /// Row and column of an element are quotient and remainder of one index: nothing is left of them.
    joined_matrix: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N * M] { a >> join >> map(|x| x * 2) }";
    /// Each row of the first weighted sums is read 17 times: it is stored, without the border.
    separated_convolution: "fn f<const N: usize, const M: usize>(w: [f32; 17], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> pad(8, 8, clamp) >> slide(17, 1) >> map(|nbh| zip(nbh, w) >> map(mult) >> reduce(add, 0)))
          >> pad(8, 8, clamp) >> slide(17, 1) >> map(|rows| rows >> transpose >> map(|nbh| zip(nbh, w) >> map(mult) >> reduce(add, 0))) }";
    /// What an application of `iterate` makes is stored wherever the result is read.
    iterated_then_scaled: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> iterate(2, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| at(0, nbh) + at(2, nbh))) >> map(|x| x * 0.25) }";
    /// The launcher launches one kernel again and again and exchanges the arrays; without any application,
    /// another copies.
    iterated_by_the_device: "fn f<const N: usize>(a: [f32; N], times: size) -> [f32; N] {
        a >> iterate(times, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| at(0, nbh) + at(2, nbh))) }";
    /// Another length each time: the launcher counts the applications, and what comes out has a place of its
    /// own.
    iterated_to_fewer: "fn f<const N: usize>(a: [f32; N], times: size) -> [f32; N / pow(2, times)] {
        a >> iterate(times, |t| t >> split(2) >> map(reduce(add, 0))) }";
    /// A number of applications that is known, and an application of several kernels.
    iterated_to_fewer_by_several_kernels: "fn f(a: [f32; 300]) -> [f32; 250] {
        a >> iterate(50, |t| { let s = reduce(max, 0, t); t >> slide(2, 1) >> map(|w| at(0, w) + at(1, w) / s) }) }";
    /// One work-item adds up; of two zeros the smaller one is the negative one.
    strict_sum: "#[strict] fn f<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        zip(a, b) >> map(|(x, y)| min(x, y) * y) >> reduce(add, 0) }";
    /// Products of vectors are added in order; the sum of the integers is divided.
    strict_vectors: "#[strict] fn f<const N: usize>(a: [f32x4; N], k: [i32; N]) -> ([f32; N], i32) {
        (a >> map(|v| 0.5 * dot(v, v) + 1), reduce(add, 0, k)) }";
    /// What is iterated is computed first, and what comes out is written through a layout.
    iterated_in_between: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(sqrt) >> iterate(100, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| at(0, nbh) + at(2, nbh))) >> reverse }";
    /// A step of several kernels: the sum is complete before anybody divides by it.
    iterated_kernels: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> iterate(10, |t| { let s = reduce(add, 0, t); t >> map(|x| x / s) }) }";
    /// What each step starts with is added up first, and the launcher looks whether there is another step.
    iterated_until_it_is_small: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> iterateWhile(100, |t| reduceSeq(add, 0, t) > 1, map(|x| 0.5 * x)) }";
    /// A loop that a point leaves when it escapes.
    escaping_points: "fn f<const N: usize>(points: [(f32, f32); N]) -> [i32; N] {
        points >> map(|x, y| iterateWhile(200, |(a, b, _)| a * a + b * b <= 4, |(a, b, n)| (a * a - b * b + x, 2 * a * b + y, n + 1), (0.0, 0.0, 0)).2) }";
    /// The end is known only once the next accumulator is.
    search_of_rows: "fn f<const N: usize, const M: usize>(rows: [[f32; M]; N], limit: f32) -> [f32; N] {
        rows >> map(reduceWhile(|acc, x| { let next = acc + x; if next > limit { (false, acc) } else { (true, next) } }, 0)) }";
    /// Two halves of a buffer in local memory change places; one barrier a step.
    iterated_by_a_group: "fn f<const N: usize>(a: [f32; N], times: size) -> [f32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk
            >> iterate(times, |t| t >> pad(1, 1, wrap) >> slide(3, 1) >> toLocal(mapLcl0(|nbh| at(0, nbh) + at(2, nbh))))
            >> mapLcl0(toGlobal(id))) >> join }";
    /// CGO 2017, figure 7, with a height that is known at the launch.
    tree_of_any_height: "fn f<const N: usize>(a: [f32; 256 * N], height: size) -> [[f32; 256 / pow(2, height)]; N] where height <= 8 {
        a >> split(256) >> mapWrg0(|chunk| chunk
            >> iterate(height, |t| t >> split(2) >> toLocal(mapLcl0(reduceSeq(add, 0)))) >> mapLcl0(toGlobal(id))) }";
    /// A row in registers: what a step still needs is kept aside.
    iterated_in_registers: "fn f<const N: usize>(a: [[f32; 4]; N], times: size) -> [[f32; 4]; N] {
        a >> map(|row| row >> iterate(times, |t| t >> gather(rotate(1)) >> map(|x| x + 1))) }";
    prefix_sums: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map(|r| r >> scan(add, 0) >> map(neg)) }";
    /// Tiles are reduced, their totals scanned, and the tiles scanned from there and mapped.
    prefix_sums_of_a_whole_array: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(sqrt) >> scan(add, 1) >> map(|x| 2 * x) }";
    /// The elements are combined in their order; a single one is the first result.
    prefixes_of_what_does_not_commute: "#[assoc] fn last(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }
        fn f<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(last) }";
    /// Not known to be associative: one work-item, in order.
    prefixes_in_order: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scan(|before, x| x - before, 0) }";
    /// The second map needs the whole first array: two kernels.
    two_kernels: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> mapGlb0(sqrt) >> slide(3, 1) >> mapGlb0(reduceSeq(add, 0)) >> pad(1, 1, clamp) >> mapGlb0(id) }";
    fixed_launch: "#[launch(local = (16, 8), global = (N, M))] fn f<const N: usize, const M: usize>(a: [[f32; N]; M]) -> [[f32; N]; M] { a >> mapGlb1(mapGlb0(|x| x * 2)) }";
    a_launch_for_each_kernel: "#[launch(local = 64)] #[launch(local = 32)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapGlb0(sqrt) >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(reduceSeq(add, 0)) }";
    /// Groups in the interior load vectors; those at the border clamp every position.
    tiles_of_vectors: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 64 == 0 {
        a >> pad(4, 4, clamp) >> slide(72, 64) >> mapWrg0(|tile| tile >> asVector(4) >> toLocal(mapLcl0(id)) >> asScalar
            >> slide(9, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))) >> join }";
    /// Each row of the tile is loaded once, and used for two rows of results.
    rows_rolling_through_a_reduction: "fn f(a: [[f32; 8]; 4], w: [[f32; 5]; 3]) -> [[f32; 4]; 2] {
        zip(a >> map(asVector(4)) >> mapSeqSlide(|rows| rows >> map(asScalar), 2, 1), w) >> reduceSeq(|acc, (rows, line)|
            zip(acc, rows) >> mapSeqUnroll(|(sums, row)| zip(sums, row >> slide(5, 1)) >> mapSeqUnroll(|(sum, window)|
                zip(window, line) >> reduceSeqUnroll(|s, (x, y)| s + x * y, sum))),
            generate(2, |i| generate(4, |j| 0.0))) }";
    pairs_at_the_boundary: "fn f<const N: usize>(p: [(f32, i32); N]) -> [(i32, f32); N] { p >> map(|(x, i)| (i + 1, x)) }";
    tuple_accumulator: "fn extremes<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| { let e = row >> reduce(|(lo, hi), x| (min(lo, x), max(hi, x)), (1e30, -1e30)); e.1 - e.0 }) }";
    /// Two components are made of each other, which takes a variable; the others move in an order that takes
    /// none.
    components_that_move: "fn f<const N: usize>(a: [u32; N]) -> (u32, u32, u32, u32) {
        a >> reduceSeq(|s, x| (s.1, s.0 + s.1, x, s.2), (0, 1, 0, 0)) }";
    /// Choices and operators are narrow in C where they are narrow here, once for each.
    narrow_numbers: "fn f<const N: usize>(a: [u8; N], b: [i16; N]) -> ([u8; N], [i16; N]) {
        (zip(a, b) >> map(|x, y| min(if y < 0 { 1 } else if y > 9 { x } else { x / 2 }, x)), b >> map(|y| if y < 3 { y } else { -y })) }";
    array_accumulator: "fn sums<const N: usize, const M: usize>(a: [[[f32; 4]; M]; N]) -> [[f32; 4]; N] {
        a >> mapGlb0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapSeq(add), [0, 0, 0, 0])) }";
    /// Both loads of a step stand before the computation of the step before it.
    loads_a_step_early: "fn dots<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapGlb0(|row| zip(row, x) >> reduceSeqPipelined(|acc, (a, x)| acc + a * x, 0)) }";
    /// A choice by position is loaded as a whole; a loop in a step has registers for all of its loads.
    choices_a_step_early: "fn f<const N: usize>(a: [f32; N]) -> [f32; N / 4] where N % 4 == 0 {
        a >> padConstant(1, 1, 0) >> slide(6, 4) >> mapGlb0(|w| w >> slide(3, 1) >> reduceSeqPipelined(|acc, nbh| nbh >> reduceSeq(add, acc), 0)) }";
    /// The tile is there twice: one barrier for each step.
    tiles_by_turns: "fn f<const M: usize>(a: [[f32; 64]; M]) -> [f32; 64] {
        a >> split(M) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
            let tile = row >> toLocal(mapLcl0(id));
            zip(sums, reverse(tile)) >> mapLcl0(add)
        }, repeat(64, 0)) >> mapLcl0(toGlobal(id))) >> join }";
    /// There is no local memory for two tiles: two barriers.
    a_tile_too_large_for_two: "#[launch(local = 512)] fn f<const M: usize>(a: [[f32; 5120]; M]) -> [f32; 5120] {
        a >> split(M) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
            let tile = row >> toLocal(mapLcl0(id));
            zip(sums, reverse(tile)) >> mapLcl0(add)
        }, repeat(5120, 0)) >> mapLcl0(toGlobal(id))) >> join }";
    /// What is looked up at a position that is loaded cannot be loaded early; the position can.
    positions_a_step_early: "fn f<const N: usize, const K: usize>(list: [[i32; K]; N], a: [f32; N]) -> [f32; N] {
        list >> mapGlb0(|l| l >> reduceSeqPipelined(|acc, i| acc + at(i, a), 0)) }";
    nothing_to_load_early: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> mapGlb0(|x| generate(9, |i| x * (i as f32)) >> reduceSeqPipelined(add, 0)) }";
    /// Nobody waits: each work-item replaces its own element.
    accumulator_in_local_memory: "fn sums<const N: usize>(a: [[[f32; 64]; 8]; N]) -> [[f32; 64]; N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> toLocal(mapLcl0(add)), repeat(64, 0)) >> mapLcl0(toGlobal(id))) }";
    /// Elements depend on those of others: one half is read while the other is written.
    accumulator_of_others: "fn sums<const N: usize>(a: [[[f32; 64]; 8]; N]) -> [[f32; 64]; N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(reverse(acc), row) >> toLocal(mapLcl0(add)), repeat(64, 0)) >> mapLcl0(toGlobal(id))) }";
    /// Too long for registers: in global memory, where it is replaced element by element.
    long_accumulator: "fn sums<const N: usize, const M: usize, const K: usize>(a: [[[f32; M]; K]; N]) -> [[f32; M]; N] {
        a >> map(|rows| rows >> reduce(|acc, row| zip(acc, row) >> map(add), repeat(M, 0))) }";
    /// A loop over the rows of a triangle and one within a row, both when reading and when writing.
    joined_triangle: "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] { m >> mapSeq(mapSeq(|x| x * 2)) >> join }";
    joined_triangle_read: "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> f32 { m >> map(map(|x| x * 2)) >> join >> reduce(add, 0) }";
    /// FHPNC 2019, figure 7: the rows of a triangle in groups.
    grouped_triangle: "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N] where N % 2 == 0 {
        m >> partition(N / 2, |i| 2) >> map(map(reduce(add, 0))) >> join }";
    /// Tiles of a matrix of any size: uneven at both borders, written back.
    tiles_of_any_matrix: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> chunks(8) >> mapWrg1(|rows| rows >> map(chunks(32)) >> transpose
            >> mapWrg0(|tile| tile >> mapLcl1(mapLcl0(|x| x * 2))) >> transpose >> map(join)) >> join }";
    /// The row of an element of chunks is a quotient; what is read of it is where it was.
    chunks_in_any_order: "fn f<const N: usize>(a: [f32; N]) -> f32 { a >> chunks(100) >> map(map(|x| x * x)) >> join >> reduceSeq(add, 0) }
        fn g<const N: usize>(a: [f32; N]) -> [f32; N] { a >> chunks(100) >> map(reverse) >> join >> map(|x| x * 2) }
        fn h<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(id) >> chunks(100) >> map(reverse) >> join >> gather(rotate(1)) }";
    /// Neighbouring work-items take neighbouring elements, and write where they read.
    elements_in_turn: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> deinterleave(1024) >> mapGlb0(mapSeq(|x| x * 2)) >> interleave }
        fn g<const N: usize>(a: [f32; N], p: usize) -> [f32; N] { a >> deinterleave(p) >> mapGlb0(mapSeq(|x| x * 2)) >> interleave }";
    /// Packed rows that took elements in turn: the first ones may have one element more.
    rows_in_turn: "fn f<const N: usize>(a: [f32; N]) -> [l => [f32; (N - l + 2) / 3]; 3] { a >> deinterleave(3) >> map(map(|x| x * 2)) }
        fn g<const N: usize>(rows: [l => [f32; (N - l + 2) / 3]; 3]) -> [f32; N] { rows >> interleave }
        fn h<const N: usize>(a: [f32; 4 * N]) -> [f32; 4 * N] { a >> deinterleave(4) >> map(reverse) >> interleave }";
    /// Each work-item of a group adds up every 128th product; the group adds up the sums by a tree.
    sums_in_turn: "#[launch(local = 128)] fn f<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapWrg0(|row| zip(row, x) >> deinterleave(128)
            >> mapLcl0(|own| own >> reduceSeq(|acc, (p, q)| acc + p * q, 0) >> toLocal(id))
            >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
            >> mapLcl0(toGlobal(id))) >> join }";
    functions_at_positions: "fn f<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] { a >> map(|i => x| x * at(N - 1 - i, b) + i as f32) }
        fn g<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> map(|i => row| row >> map(|j => x| if i == j { x } else { 0 })) }
        fn h<const N: usize>(a: [f32; N]) -> ([f32; N], [f32; N]) { (a >> map(|i => x| x * i as f32), a >> map(|j => x| x - j as f32)) }";
    /// The position of an element belongs to what is reduced: the reduction is divided all the same.
    reductions_at_positions: "fn f<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(|i => sum, x| sum + x * i as f32, 0) }
        fn g<const N: usize>(a: [f32; N]) -> f32 { a >> reduceSeq(|i => acc, x| acc * 2 + x * i as f32, 0) }";
    scans_at_positions: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanSeq(|i => acc, x| acc * 2 + x * i as f32, 0) }
        fn g<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanInclusive(|i => acc, x| acc * 2 + x * i as f32) }";
    vectors_of_scalars: "fn f<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] where N % 4 == 0 {
        zip(asVector(4, a), asVector(4, b)) >> map(vectorize(4, mult)) >> asScalar }";
    /// No multiple of the width: `vload` and `vstore`.
    vectors_at_any_address: "fn f<const N: usize>(a: [f32; N]) -> [f32; N - 2] where N % 4 == 2 {
        a >> slice(1, N - 2) >> asVector(4) >> map(|v| v + 1) >> asScalar }";
    /// The components lie apart.
    vectors_of_columns: "fn f<const N: usize>(a: [[f32; N]; 8]) -> [[f32x4; 2]; N] { a >> transpose >> map(asVector(4)) }";
    rectified_vectors: "fn relu<const N: usize>(a: [f32x4; N]) -> [f32x4; N] { a >> map(mapVec(|x| if x > 0 { x } else { 0 })) }";
    wrapping_vectors: "fn f<const N: usize>(a: [i32x4; N]) -> [i32; N] { a >> map(|v| dot(v * v, v + 1)) }";
    vectors_of_an_open_type: "|a| a >> asVector(2) >> map(|v| if v < 0 { -v } else { v }) >> asScalar";
    user_function_on_vectors: "fn weighted(v: f32x4, w: f32) -> f32x4 { v * w + 1 } fn f<const N: usize>(a: [f32x4; N], w: f32) -> [f32x4; N] { a >> map(|v| weighted(v, w)) }";
    vectors_in_local_memory: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk >> asVector(4) >> toLocal(mapLcl0(id)) >> asScalar >> reverse >> mapLcl0(toGlobal(id))) >> join }";
    /// For any launch: the step of a loop over work-items is how many there are.
    any_launch_of_a_map: "#[launch(any)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x * 2) }";
    any_launch_of_a_transposition: "#[launch(any)] fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] { a >> transpose >> mapGlb1(mapGlb0(id)) }";
    any_launch_of_a_transposition_by_tiles: "#[launch(any)] fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] where N % 16 == 0, M % 16 == 0 {
        a >> tile(16, 16) >> mapWrg1(mapWrg0(|tile| tile >> toLocal(mapLcl1(mapLcl0(id))) >> transpose >> mapLcl1(mapLcl0(toGlobal(id))))) >> transpose >> untile }";
    /// A group with fewer work-items than the tile has elements takes several steps to load it; all of them
    /// wait before it is read.
    any_launch_of_a_tiled_stencil: "#[launch(any)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 128 == 0 {
        a >> pad(1, 1, clamp) >> slide(130, 128) >> mapWrg0(|part| part >> toLocal(mapLcl0(id)) >> slide(3, 1) >> mapLcl0(reduceSeq(add, 0))) >> join }";
    any_launch_of_a_reduction: "#[launch(any)] fn f<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(add, 0) }";
    /// CGO 2017, listing 1: one work-item has the only step of the last map.
    any_launch_of_a_tree: "#[launch(any)] fn f<const N: usize>(a: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        a >> split(128) >> mapWrg0(|chunk| chunk >> toLocal(mapLcl0(id)) >> iterate(7, |xs| xs >> split(2) >> mapLcl0(reduceSeq(add, 0))) >> mapLcl0(toGlobal(id))) >> join }";
    /// The accumulator is shared by as many work-items as there are: it lies in local memory.
    any_launch_of_a_shared_accumulator: "#[launch(any)] fn f<const N: usize, const M: usize>(a: [[[f32; 64]; M]; N]) -> [[f32; 64]; N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(add), repeat(64, 0)) >> mapLcl0(toGlobal(id))) }";
    /// A private array that the work-items of a group make together lies there, too, once for each row.
    any_launch_of_a_shared_private_array: "#[launch(any)] fn f<const N: usize>(a: [[[f32; 8]; 4]; N]) -> [[[f32; 8]; 4]; N] {
        a >> mapWrg0(mapLcl1(|row| row >> toPrivate(mapLcl0(|x| x * 2)) >> mapLcl0(toGlobal(|x| x + 1)))) }";
    /// The last work-items wait without a row of their own.
    any_launch_that_waits_in_rounds: "#[launch(any)] fn f<const N: usize>(a: [[[f32; 8]; 6]; N]) -> [[[f32; 8]; 6]; N] {
        a >> mapWrg0(mapLcl1(|row| row >> toLocal(mapLcl0(|x| x * 2)) >> reverse >> mapLcl0(toGlobal(id)))) }";
    /// The same with rows for some of the work-items, and with more rows than there are work-items.
    waiting_without_a_row: "#[launch(local = (8, 16))] fn f<const N: usize>(a: [[[f32; 8]; 6]; N]) -> [[[f32; 8]; 6]; N] {
        a >> mapWrg0(mapLcl1(|row| row >> toLocal(mapLcl0(|x| x * 2)) >> reverse >> mapLcl0(toGlobal(id)))) }";
    waiting_in_rounds: "#[launch(local = (8, 4))] fn f<const N: usize>(a: [[[f32; 8]; 6]; N]) -> [[[f32; 8]; 6]; N] {
        a >> mapWrg0(mapLcl1(|row| row >> toLocal(mapLcl0(|x| x * 2)) >> reverse >> mapLcl0(toGlobal(id)))) }";
    /// In each step all work-items leave the loop behind the barrier at once.
    waiting_in_each_step: "#[launch(local = 3)] fn f<const N: usize>(a: [[[f32; 4]; 2]; N]) -> [[[f32; 4]; 2]; N] {
        a >> mapWrg0(mapSeq(|row| row >> toLocal(mapLcl0(|x| x * 2)) >> reverse >> mapLcl0(toGlobal(id)))) }";
    /// What one work-item stores it also computes alone.
    prefixes_by_one_work_item: "fn f<const N: usize>(a: [[f32; 64]; N]) -> [[f32; 64]; N] {
        a >> mapWrg0(|row| row >> toLocal(scanSeq(add, 0)) >> reverse >> mapLcl0(toGlobal(id))) }";
    /// The same where all work-items need the sum as well.
    sums_for_all_and_prefixes_by_one: "fn f<const N: usize>(a: [[f32; 64]; N]) -> [[f32; 64]; N] {
        a >> mapWrg0(|row| { let first = row >> slice(0, 8); let sum = reduceSeq(add, 0, first);
            first >> toLocal(mapSeq(|x| x + sum)) >> split(2) >> mapLcl0(mapSeq(|x| x * sum)) >> join >> repeat(8) >> join }) }";
    /// Groups that have nothing to do pass by the barriers, in a loop and not in a choice.
    groups_without_work: "#[launch(local = 8, global = (64, 4))] fn f<const N: usize>(a: [[f32; 8]; N]) -> [[f32; 8]; N] {
        a >> mapWrg0(|row| row >> toLocal(mapLcl0(|x| x * 2)) >> reverse >> mapLcl0(toGlobal(id))) }";
    /// The first group reduces what the kernel before left, and then takes its share.
    two_reductions: "fn f<const N: usize>(a: [f32; N], b: [f32; N]) -> (f32, f32) {
        (reduce(add, 0, a), b >> map(|x| x * x) >> reduce(add, 0)) }";
    /// The sum of a short array, which a variable would not carry from kernel to kernel.
    short_sum_for_later_kernels: "fn f(a: [f32; 20]) -> [f32; 20] {
        let s = reduce(add, 0, a); let b = a >> iterate(9, |t| t >> reverse >> map(|x| x * s)); b >> map(|x| x + s) }";
    /// The first kernel takes any launch, the second one has its own.
    any_launch_of_one_kernel: "#[launch(any)] #[launch(local = 32)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] {
        let doubled = a >> toGlobal(mapGlb0(|x| x * 2)); doubled >> reverse >> mapGlb0(|x| x + 1) }";
}

/// Steuwer et al., CGO 2017, section 5.3: layouts that undo each other, and figure 6.
#[test]
fn layouts_that_undo_each_other_leave_no_division() {
    let programs = [
        "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> split(4) >> join >> map(|x| x + 1) }",
        "fn f<const N: usize, const M: usize>(a: [f32; N * M]) -> [f32; N * M] { a >> split(M) >> join >> map(|x| x + 1) }",
        "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> transpose >> transpose }",
        "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> join >> split(M) }",
        "fn t<const N: usize, const M: usize>(x: [[f32; M]; N]) -> [[f32; N]; M] {
            x >> join >> gather(|i| i / N + (i % N) * M) >> split(N) >> mapGlb1(mapGlb0(id)) }",
    ];
    for program in programs {
        let snapshot = kernels(program);
        let (_, code) = snapshot.split_once("void ").expect("a kernel");
        let (code, _) = code.split_once("\n// ").expect("launch sizes behind the kernel");
        let code = code.replace("/*", "").replace("*/", "");
        assert!(!code.contains(['/', '%']), "{snapshot}");
    }
}

/// What one work-item stores and another one loads is not `restrict`: the promise that nothing else changes
/// it would let a compiler load it before the barrier. With it, this program was computed wrongly on an
/// NVIDIA H200.
#[test]
fn memory_through_which_work_items_pass_elements_is_not_restrict() {
    let text = kernels(
        "fn p<const N: usize>(a: [i32; N]) -> [i32; 4] where N % 4 == 0, N >= 4 {
             a >> split(N)
               >> mapWrg0(|c| c >> split(4) >> reduceSeq(|acc, t| {
                   let l = t >> toLocal(mapLcl0(id)) >> split(2) >> toGlobal(mapLcl1(mapLcl0(id))) >> join;
                   zip(acc, l) >> mapLcl0(add)
               }, repeat(4, 0)))
               >> join
         }",
    );
    assert!(
        text.contains("global const int* restrict a, global int* restrict result, global int* l,"),
        "{text}"
    );
}

/// The text has names that no program gives: for the type of what a function with several results returns,
/// and for a variable of that type.
#[test]
fn names_that_only_the_text_has_are_not_those_of_the_program() {
    let text = kernels(
        "fn both(x: f32, y: f32) -> (f32, f32) { let result = x + y; (result * 2.0, result) }
         fn many<const N: usize>(a: [f32; N], both_result: [f32; N]) -> [(f32, f32); N] {
             zip(a, both_result) >> map(both)
         }",
    );
    assert!(text.contains("both_result_ both(float x, float y) {\n    float result = "), "{text}");
    assert!(text.contains("    return result_;\n"), "{text}");
    assert!(text.contains("both_result_ component_all = both(a[g_id0], both_result[g_id0]);"), "{text}");
}

/// `1.00048828126` is above the middle between two numbers of half precision, and rounds to the middle in
/// single precision.
#[test]
fn a_literal_of_half_precision_is_rounded_once() {
    let text =
        kernels("fn scaled<const N: usize>(a: [f16; N]) -> [f16; N] { map(|x| x * 1.00048828126, a) }");
    assert!(text.contains(" * (half)1.0009766f;"), "{text}");
}

/// A position that is clamped in every application of an `iterate` is clamped once: neither the text nor the
/// time grows with their number.
#[test]
fn padding_again_and_again_clamps_once() {
    let text = |times: usize| {
        let program = format!(
            "fn grown<const N: usize, const M: usize>(a: [[f32; N]; M]) -> [[f32; N + {}]; M] where N > 0 {{ \
             a >> mapGlb0(|row| row >> iterate({times}, pad(1, 1, clamp)) >> mapSeq(id)) }}",
            2 * times
        );
        kernels(&program)
    };
    for times in [1, 2, 12, 60] {
        let store = format!(
            "result[N * g_id0 + {} * g_id0 + i] = a[N * g_id0 + min(N - 1, max(i - {times}, (index_t)0))];",
            2 * times
        );
        assert!(text(times).contains(&store), "{}", text(times));
    }
}

macro_rules! golden_forms {
    ($($(#[$attribute:meta])* $name:ident: $program:literal;)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), chosen($program));
        }
    )*};
}

golden_forms! {
    /// What is made of the sum of a row is made by those who share the row.
    rows_that_data_delimits_are_used: "fn ranks<const N: usize, const K: usize>(ends: [u32; N + 1], links: [u32; K], ranks: [f32; N]) -> [f32; N] where N >= 1 {
        links >> map(|j| at(j, ranks)) >> reduceSegments(add, 0, ends) >> map(|sum| 0.25 - 0.5 * sum) }";
    /// The longest rows are reduced before the others.
    rows_that_data_delimits_by_lanes: "fn sums<const N: usize, const K: usize>(ends: [u32; N + 1], a: [f32; K]) -> [f32; N] { reduceSegments(add, 0, ends, a) }";
    elements_of_a_line: "fn saxpy<const N: usize>(k: f32, x: [f32; N], y: [f32; N]) -> [f32; N] { zip(x, y) >> map(|(x, y)| k * x + y) }";
    elements_of_rows: "fn blur<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N >= 1, M >= 1 {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0)) }";
    elements_of_short_rows: "fn f<const N: usize>(a: [[f32; 3]; N]) -> [[f32; 3]; N] { a >> map2(|x| x + 1) }";
    elements_of_a_volume: "fn f<const N: usize, const M: usize, const O: usize>(a: [[[f32; O]; M]; N]) -> [[[f32; M]; N]; O] {
        a >> map(transpose) >> transpose >> map(map(map(|x| x * 2))) }";
    transposed_in_tiles: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] { transpose(a) }";
    a_row_in_a_group: "fn f<const N: usize>(a: [[f32; 4096]; N], x: [f32; 4096]) -> [f32; N] { a >> map(|row| dotProduct(row, x)) }";
}

/// Nobody reads the first array, so that nothing would order what the second one stores behind what it
/// stores.
#[test]
fn an_array_that_nobody_reads_keeps_its_local_memory() {
    let text = kernels(
        "fn unread<const N: usize>(a: [[f32; 12]; N]) -> [[f32; 12]; N] {
            a >> mapWrg0(|row| row >> toLocal(mapLcl1(|x| x + x)) >> toLocal(mapLcl0(|_| 7))
                >> toLocal(mapLcl0(|x| x + 1)) >> mapLcl0(toGlobal(id))) }",
    );
    let stored = |value: &str| {
        let line = text.lines().find(|line| line.contains(value));
        line.and_then(|line| line.trim().split('[').next())
            .unwrap_or_else(|| panic!("{value}: {text}"))
            .to_owned()
    };
    assert_ne!(stored("] + a["), stored(" = 7.0f;"), "{text}");
}
