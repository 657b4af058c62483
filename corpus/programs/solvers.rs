// Solvers and models that compute step by step: conjugate gradients, edges, recurrent networks, hidden states.

lift! {
    /// Conjugate gradients for Poisson's equation in a rectangle with zeros around it, until the residual is
    /// small: an element is one of the solution, of the residual and of the direction.
    fn poisson<const N: usize, const M: usize>(limit: usize, tolerance: f64, b: [[f64; M]; N]) -> [[f64; M]; N] {
        let squares = |s| s >> join >> map(|_, r, _| r * r) >> reduce(add, 0.0);
        b
            >> map2(|r| (0.0, r, r))
            >> iterateWhile(
                limit,
                |s| squares(s) > tolerance * tolerance,
                |s| {
                    let product = s
                        >> map2(|_, _, p| p)
                        >> padConstant2(1, 1, 0.0)
                        >> slide2(3, 1)
                        >> map2(|[[_, n, _], [w, c, e], [_, s, _]]| 4.0 * c - n - w - e - s)
                        >> store;
                    let before = squares(s);
                    let alpha = before
                        / (zip2(s, product) >> join >> map(|(_, _, p), q| p * q) >> reduce(add, 0.0));
                    let next = zip2(s, product)
                        >> map2(|(x, r, p), q| (x + alpha * p, r - alpha * q, p))
                        >> store;
                    let beta = squares(next) / before;
                    next >> map2(|x, r, p| (x, r, r + beta * p))
                },
            )
            >> map2(|x, _, _| x)
    }

    /// The strength of an edge, and whether it runs along a row, a diagonal, a column or the other diagonal:
    /// the gradient of Sobel's operator.
    fn gradient(x: f32, y: f32) -> (f32, i32) {
        let steep = abs(y) > 2.4142135 * abs(x);
        let flat = abs(y) < 0.41421356 * abs(x);
        (abs(x) + abs(y), if flat { 0 } else { if steep { 2 } else { if x * y > 0.0 { 1 } else { 3 } } })
    }

    /// Canny's edges: gradients, of which only those stay that are the greatest across their edge, and the weak
    /// ones only where they touch a strong one, directly or along others (Canny, PAMI, 1986).
    fn canny<const N: usize, const M: usize>(low: f32, high: f32, image: [[f32; M]; N]) -> [[i32; M]; N] {
        let gradients = image
            >> pad2(1, 1, clamp)
            >> slide2(3, 1)
            >> map2(|[[nw, n, ne], [w, _, e], [sw, s, se]]| gradient(
                ne + 2.0 * e + se - nw - 2.0 * w - sw,
                sw + 2.0 * s + se - nw - 2.0 * n - ne
            ))
            >> store;
        let strengths = gradients >> map2(|strength, _| strength) >> padConstant2(1, 1, 0.0) >> slide2(3, 1);
        let levels = zip2(gradients, strengths)
            >> map2(|(strength, direction), around| {
                let [nw, n, ne, w, _, e, sw, s, se] = join(around);
                let before = at(direction, [w, nw, n, ne]);
                let behind = at(direction, [e, se, s, sw]);
                if strength < before || strength <= behind || strength < low {
                    0i32
                } else {
                    if strength < high { 1 } else { 2 }
                }
            });
        levels
            >> map2(|level| (level, 1))
            >> iterateWhile(
                N * M + 1,
                |pixels| reduce(max, 0, pixels >> join >> map(|_, changed| changed)) > 0,
                |pixels| pixels
                    >> map2(|level, _| level)
                    >> padConstant2(1, 1, 0)
                    >> slide2(3, 1)
                    >> map2(|around| {
                        let level = at(1, at(1, around));
                        if level == 1 && reduce(max, 0, join(around)) == 2 { (2, 1) } else { (level, 0) }
                    }),
            )
            >> map2(|level, _| if level == 2 { 1 } else { 0 })
    }

    fn sigmoid(x: f32) -> f32 { 1.0 / (1.0 + exp(-x)) }

    /// What an LSTM cell gives at the end of a sequence (Hochreiter, Schmidhuber, 1997): each of its units has
    /// four gates, with weights for the input, weights for all outputs of the step before, and a bias.
    fn lstm<const T: usize, const N: usize, const H: usize>(
        inputs: [[[f32; N]; 4]; H],
        outputs: [[[f32; H]; 4]; H],
        biases: [[f32; 4]; H],
        xs: [[f32; N]; T],
    ) -> [f32; H] {
        repeat(H, (0.0, 0.0))
            >> iterate(T, |t => state| {
                let before = map(|h, _| h, state) >> store;
                zip(inputs, outputs, biases, state) >> map(|(ws, us, bs, (_, cell))| {
                    let [i, f, g, o] = zip(ws, us, bs)
                        >> map(|w, u, bias| dotProduct(w, at(t, xs)) + dotProduct(u, before) + bias);
                    let next = sigmoid(f) * cell + sigmoid(i) * tanh(g);
                    (sigmoid(o) * tanh(next), next)
                })
            })
            >> map(|h, _| h)
    }

    /// The logarithm of the probability of the likeliest states that give each sequence of observations
    /// (Viterbi, 1967), from the logarithms of a hidden Markov model.
    fn viterbi_scores<const B: usize, const T: usize, const O: usize>(
        start: [f32; 4],
        step: [[f32; 4]; 4],
        emission: [[f32; 4]; O],
        observed: [[u32; T]; B],
    ) -> [f32; B] {
        observed >> map(|sequence| sequence
            >> reduceSeq(
                |t => scores, o| zip(transpose(step), at(o, emission), scores) >> map(|into, seen, score| {
                    let best = zip(scores, into) >> map(add) >> reduce(max, f32::NEG_INFINITY);
                    seen + if t == 0 { score } else { best }
                }),
                start
            )
            >> reduce(max, f32::NEG_INFINITY))
    }

    /// The likeliest states of a hidden Markov model: the best scores of all states at all times, a step after
    /// the other, and then the path back from the best one.
    fn viterbi<const T: usize, const S: usize, const O: usize>(
        start: [f32; S],
        step: [[f32; S]; S],
        emission: [[f32; S]; O],
        observed: [u32; T],
    ) -> [u32; T] where T >= 1 && S >= 1 {
        let first = zip(start, at(at(0, observed), emission)) >> map(add);
        let scores = observed
            >> scan(|t => row, _| zip(transpose(step), at(at(t as i64 + 1, observed), emission)) >> map(|into, seen|
                zip(row, into) >> map(add) >> reduce(max, f32::NEG_INFINITY) >> |s| s + seen), first)
            >> store;
        observed
            >> map(|_| argmax(at(T - 1, scores)))
            >> iterate(T - 1, |k => path| path >> map(|t => state| if t + 2 + k == T {
                zip(at(t, scores), transpose(step) >> at(at(t + 1, path))) >> map(add) >> argmax
            } else {
                state
            }))
    }
}
