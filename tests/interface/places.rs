//! Fields of Rust values in expressions and closures are arguments, evaluated once.

use lift::ndarray::Array2;
use lift::{Result, lift};

struct Parameters {
    scale: f32,
    r#type: (f32, usize),
}

struct Offset(f32);

struct Model {
    parameters: Parameters,
    weights: Vec<f32>,
    log: Vec<String>,
}

impl Model {
    fn scaled(&self, a: &[f32]) -> Result<Vec<f32>> {
        let scaled = lift!(
            zip(self.weights, a) >> map(|w, x| self.parameters.scale * w * x + self.parameters.r#type.0)
        )?;
        Ok(scaled.to_vec())
    }

    /// Only the fields that stand in an expression are borrowed.
    fn logged(&mut self, a: &[f32]) -> Result<f32> {
        let log = &mut self.log;
        let sum: f32 = lift!(reduce(add, 0, map(|x| x * self.parameters.scale, a)))?;
        log.push(sum.to_string());
        Ok(sum)
    }

    fn rows(&self) -> Result<Array2<f32>> {
        lift!(split(self.parameters.r#type.1, self.weights))
    }
}

fn model() -> Model {
    let parameters = Parameters { scale: 2.0, r#type: (0.5, 2) };
    Model { parameters, weights: vec![1.0, 2.0, 3.0, 4.0], log: Vec::new() }
}

#[test]
fn an_expression_takes_fields_of_self() -> Result<()> {
    let mut model = model();
    assert_eq!(model.scaled(&[1.0, 1.0, 2.0, 2.0])?, [2.5, 4.5, 12.5, 16.5]);
    assert_eq!(model.logged(&[1.0, 2.5])?, 7.0);
    assert_eq!(model.log, ["7"]);
    assert_eq!(model.rows()?, lift::ndarray::array![[1.0, 2.0], [3.0, 4.0]]);
    Ok(())
}

#[test]
fn a_place_is_evaluated_once_and_collides_with_no_name() -> Result<()> {
    let (model, offset, pair) = (model(), Offset(10.0), (vec![1i32, 2, 3], 4i32));
    let (offset_0, weights) = (0.25f32, &model.weights);
    let sums = lift!(map(|offset_0_| offset_0_ + offset.0 * offset.0 + offset_0, weights))?;
    assert_eq!(sums.to_vec(), [101.25, 102.25, 103.25, 104.25]);
    assert_eq!(lift!(map(|x| x * pair.1, pair.0))?.to_vec(), [4, 8, 12]);
    let matrix = [[1.0f32, 2.0], [3.0, 4.0]];
    let moved = lift!(map2(|x| x + model.parameters.scale, matrix))?;
    assert_eq!(moved, lift::ndarray::array![[3.0, 4.0], [5.0, 6.0]]);
    Ok(())
}

#[test]
fn a_closure_captures_numbers_in_fields() -> Result<()> {
    let mut model = model();
    let scale = lift!(|a: [f32; N]| map(|x| model.parameters.scale * x, a));
    model.parameters.scale = 100.0;
    assert_eq!(scale.run(&[1.0, 2.0])?.to_vec(), [2.0, 4.0]);
    Ok(())
}
