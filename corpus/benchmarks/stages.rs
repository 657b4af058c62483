// Programs of several stages, with products and columns among them.

lift! {
    fn attention<const N: usize, const M: usize, const D: usize>(
        q: [[f32; D]; N], k: [[f32; D]; M], v: [[f32; D]; M]) -> [[f32; D]; N]
    {
        q >> map(|query| {
            let scores = k >> map(|key| dotProduct(query, key));
            let most = scores >> reduce(max, -1e30);
            let weights = scores >> map(|x| exp(x - most));
            let sum = weights >> reduce(add, 0);
            v >> transpose >> map(|column| dotProduct(column, weights) / sum)
        })
    }
}

lift! {
    fn two_layers<const N: usize, const M: usize, const K: usize, const L: usize>(
        x: [[f32; K]; N], a: [[f32; K]; M], b: [[f32; M]; L]) -> [[f32; L]; N]
    {
        let hidden = x >> map(|v| a >> map(|row| max(dotProduct(row, v), 0)));
        hidden >> map(|v| b >> map(|row| dotProduct(row, v)))
    }
}

lift! {
    fn nearest_distances<const N: usize, const M: usize, const D: usize>(
        points: [[f32; D]; N], centres: [[f32; D]; M]) -> [f32; N]
    {
        points >> map(|p| centres
            >> map(|c| zip(p, c) >> map(|(x, y)| (x - y) * (x - y)) >> reduce(add, 0))
            >> reduce(min, 1e30))
    }
}

lift! {
    fn normalised_columns<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> transpose >> map(|column| {
            let mean = reduce(add, 0, column) / (len(column) as f32);
            let squares = column >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0);
            let variance = squares / (len(column) as f32);
            let scale = 1 / sqrt(variance + 0.00001);
            column >> map(|x| (x - mean) * scale)
        }) >> transpose
    }
}

lift! {
    fn column_products<const N: usize, const M: usize, const D: usize>(
        a: [[f32; M]; N], b: [[f32; D]; N]) -> [[f32; D]; M]
    {
        a >> transpose >> map(|x| b >> transpose >> map(|y| dotProduct(x, y)))
    }
}
