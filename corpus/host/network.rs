// Layers of neural networks; the function of a `map` computes them for one input.

lift! {
    fn two_layers_in_one<const N: usize>(
        x: [[f32; 64]; N], first: [[f32; 64]; 128], second: [[f32; 128]; 10],
    ) -> [[f32; 10]; N] {
        x >> map(|x| {
            let hidden = first >> map(|weights| max(dotProduct(weights, x), 0));
            second >> map(|weights| dotProduct(weights, hidden))
        })
    }

    fn hidden_layer<const N: usize>(x: [[f32; 64]; N], first: [[f32; 64]; 128]) -> [[f32; 128]; N] {
        x >> map(|x| first >> map(|weights| max(dotProduct(weights, x), 0)))
    }

    fn last_layer<const N: usize>(hidden: [[f32; 128]; N], second: [[f32; 128]; 10]) -> [[f32; 10]; N] {
        hidden >> map(|hidden| second >> map(|weights| dotProduct(weights, hidden)))
    }

    fn classified_in_one<const N: usize>(
        x: [[f32; 64]; N], first: [[f32; 64]; 128], second: [[f32; 128]; 10],
    ) -> [[f32; 10]; N] {
        x >> map(|x| {
            let hidden = first >> map(|weights| max(dotProduct(weights, x), 0));
            let output = second >> map(|weights| dotProduct(weights, hidden));
            let largest = output >> reduce(max, -1e30);
            let powers = output >> map(|x| exp(x - largest));
            powers >> map(|x| x / (powers >> reduce(add, 0)))
        })
    }

    fn powers_of_outputs<const N: usize>(outputs: [[f32; 10]; N], largest: [f32; N]) -> [[f32; 10]; N] {
        zip(outputs, largest) >> map(|(output, largest)| output >> map(|x| exp(x - largest)))
    }

    fn largest_of_outputs<const N: usize>(outputs: [[f32; 10]; N]) -> [f32; N] { outputs >> map(reduce(max, -1e30)) }

    fn divided_by_sums<const N: usize, const M: usize>(powers: [[f32; M]; N], sums: [f32; N]) -> [[f32; M]; N] {
        zip(powers, sums) >> map(|(powers, sum)| powers >> map(|x| x / sum))
    }

    fn sums_of<const N: usize, const M: usize>(powers: [[f32; M]; N]) -> [f32; N] { powers >> map(reduce(add, 0)) }

    fn attention_in_one<const N: usize, const D: usize>(
        queries: [[f32; D]; N], keys: [[f32; D]; N], values: [[f32; D]; N],
    ) -> [[f32; D]; N] {
        queries >> map(|query| {
            let scores = keys >> map(|key| dotProduct(query, key) / 8);
            let largest = scores >> reduce(max, -1e30);
            let powers = scores >> map(|x| exp(x - largest));
            let sum = powers >> reduce(add, 0);
            values >> transpose >> map(|column| dotProduct(powers, column) / sum)
        })
    }

    fn scores_of<const N: usize, const D: usize>(queries: [[f32; D]; N], keys: [[f32; D]; N]) -> [[f32; N]; N] {
        queries >> map(|query| keys >> map(|key| dotProduct(query, key) / 8))
    }

    fn largest_of<const N: usize>(scores: [[f32; N]; N]) -> [f32; N] { scores >> map(reduce(max, -1e30)) }

    fn powers_of<const N: usize>(scores: [[f32; N]; N], largest: [f32; N]) -> [[f32; N]; N] {
        zip(scores, largest) >> map(|(scores, largest)| scores >> map(|x| exp(x - largest)))
    }

    fn weighted<const N: usize, const D: usize>(powers: [[f32; N]; N], sums: [f32; N], values: [[f32; D]; N]) -> [[f32; D]; N] {
        zip(powers, sums) >> map(|(powers, sum)| {
            values >> transpose >> map(|column| dotProduct(powers, column) / sum)
        })
    }
}
