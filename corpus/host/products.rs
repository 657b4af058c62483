// Products of matrices, with operands in every order.

lift! {
    fn scores_in_one<const N: usize, const M: usize, const D: usize>(q: [[f32; D]; N], k: [[f32; D]; M]) -> [[f32; M]; N] {
        q >> map(|q| k >> map(|k| dotProduct(q, k)))
    }

    fn transposed_in_one<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; N]; M] {
        b >> transpose >> map(|column| a >> map(|row| dotProduct(row, column)))
    }

    fn of_transposed_in_one<const N: usize, const M: usize, const K: usize>(a: [[f32; N]; K], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> transpose >> map(|left| b >> transpose >> map(|right| dotProduct(left, right)))
    }

    fn chain_in_one<const N: usize>(a: [[f32; N]; N], b: [[f32; N]; N], c: [[f32; N]; N]) -> [[f32; N]; N] {
        let ab = a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)));
        ab >> map(|row| c >> transpose >> map(|column| dotProduct(row, column)))
    }

    fn normal_in_one<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        a >> transpose >> map(|column| dotProduct(column, a >> map(|row| dotProduct(row, x))))
    }

    fn turned<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] { a >> transpose }

    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)))
    }

    fn by_vector<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] { a >> map(|row| dotProduct(row, x)) }

    fn transposed_by_vector<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; N]) -> [f32; M] {
        a >> transpose >> map(|column| dotProduct(column, x))
    }
}
