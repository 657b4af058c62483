//! For generated code.
pub use crate::call::{Call, Compiled};
pub use crate::element::Element;
pub use crate::input::{Array, ArrayOf, Input, ItemOf};
pub use crate::program::{
    Argument, ArrayType, Condition, Kernel, Obligation, Parameter, ParameterType, Program, Relation,
    ScalarType, Size, SizeVariable,
};
pub use crate::shape::{AnyRank, Dim, Dynamic, HasRank, HasSize, MayBe, SameSize, SameSizeAs, Shape, Static};
