//! Type inference: what programs mean, what they leave to the launch, and what each mistake gets.

mod array_patterns;
mod arrays;
mod attributes;
mod clauses;
mod constants;
mod distributions;
mod expressions;
mod generics;
mod iterations;
mod known_positions;
mod messages;
mod numbers;
mod paths;
mod permutations;
mod places;
mod positions;
mod support;
mod vectors;
