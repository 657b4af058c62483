//! OpenCL C 1.2.

mod words;

use std::ops::Range;

use super::dialect::{Dialect, Memory};
use crate::ir::kernel::{UpdateOperator, Workers};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::AddressSpace;

/// The dialect of OpenCL C.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenCl;

impl Dialect for OpenCl {
    fn reserves(&self, name: &str) -> bool {
        words::is_reserved(name)
    }

    fn reserves_family_of(&self, name: &str) -> bool {
        words::is_of_family(name)
    }

    fn header(&self, uses: &dyn Fn(ScalarType) -> bool) -> String {
        let extensions = [(ScalarType::F64, "cl_khr_fp64"), (ScalarType::F16, "cl_khr_fp16")];
        let used = extensions.into_iter().filter(|(ty, _)| uses(*ty));
        used.map(|(_, name)| format!("#ifdef {name}\n#pragma OPENCL EXTENSION {name} : enable\n#endif\n"))
            .collect()
    }

    fn no_contraction(&self) -> &'static str {
        "#pragma OPENCL FP_CONTRACT OFF\n"
    }

    fn macro_of_nvidia(&self) -> &'static str {
        "__NV_CL_C_VERSION"
    }

    fn function(&self) -> &'static str {
        ""
    }

    fn kernel(&self, name: &str, parameters: &[String], group: Option<[u64; 3]>) -> String {
        let pinned = match group {
            Some([x, y, z]) => format!("__attribute__((reqd_work_group_size({x}, {y}, {z})))\n"),
            None => String::new(),
        };
        format!("kernel {pinned}void {name}({}) {{", parameters.join(", "))
    }

    fn value_parameter(&self, ty: &str, name: &str) -> String {
        format!("const {ty} {name}")
    }

    fn pointer(&self, memory: Memory) -> &'static str {
        match memory {
            Memory::Global => "global ",
            Memory::Local => "local ",
            Memory::Private => "",
            Memory::Constant => "constant ",
        }
    }

    fn array(&self, memory: Memory) -> &'static str {
        self.pointer(memory)
    }

    fn restrict(&self) -> &'static str {
        " restrict"
    }

    fn aligned(&self, bytes: i128) -> String {
        format!(" __attribute__((aligned({bytes})))")
    }

    fn worker(&self, workers: Workers) -> String {
        match workers {
            Workers::Sequential => "0".to_owned(),
            Workers::Global(dimension) => format!("get_global_id({dimension})"),
            Workers::WorkGroup(dimension) => format!("get_group_id({dimension})"),
            Workers::Local(dimension) => format!("get_local_id({dimension})"),
        }
    }

    fn workers(&self, workers: Workers) -> String {
        match workers {
            Workers::Sequential => "1".to_owned(),
            Workers::Global(dimension) => format!("get_global_size({dimension})"),
            Workers::WorkGroup(dimension) => format!("get_num_groups({dimension})"),
            Workers::Local(dimension) => format!("get_local_size({dimension})"),
        }
    }

    fn barrier(&self, spaces: &[AddressSpace]) -> String {
        let fence = |space: &AddressSpace| match space {
            AddressSpace::Local => "CLK_LOCAL_MEM_FENCE",
            AddressSpace::Global | AddressSpace::Private => "CLK_GLOBAL_MEM_FENCE",
        };
        let fences: Vec<&str> = spaces.iter().map(fence).collect();
        format!("barrier({})", fences.join(" | "))
    }

    fn type_name(&self, ty: ScalarType) -> String {
        let name = match ty {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "char",
            ScalarType::U8 => "uchar",
            ScalarType::I16 => "short",
            ScalarType::U16 => "ushort",
            ScalarType::I32 => "int",
            ScalarType::U32 => "uint",
            ScalarType::I64 => "long",
            ScalarType::U64 => "ulong",
            ScalarType::F16 => "half",
            ScalarType::F32 => "float",
            ScalarType::F64 => "double",
            ScalarType::Parameter(parameter) => return format!("T{}", parameter.index),
        };
        name.to_owned()
    }

    fn long_suffix(&self) -> &'static str {
        "L"
    }

    fn greatest_long(&self) -> &'static str {
        "LONG_MAX"
    }

    fn infinity(&self) -> &'static str {
        "INFINITY"
    }

    fn unroll(&self, steps: Option<u64>) -> String {
        match steps {
            Some(steps) => format!("#pragma unroll {steps}"),
            None => "#pragma unroll".to_owned(),
        }
    }

    fn unroll_in_macro(&self, steps: u64) -> String {
        format!("_Pragma(\"unroll {steps}\")")
    }

    fn vector(&self, ty: &str, components: &str) -> String {
        format!("({ty})({components})")
    }

    /// `s0` to `sf`.
    fn components(&self, lanes: Range<u8>) -> String {
        let digits: String = lanes.map(|lane| format!("{lane:x}")).collect();
        format!("s{digits}")
    }

    fn load(&self, lanes: u8, address: &str) -> String {
        format!("vload{lanes}(0, {address})")
    }

    fn store(&self, lanes: u8, value: &str, address: &str) -> String {
        format!("vstore{lanes}({value}, 0, {address})")
    }

    fn update(&self, operator: UpdateOperator, address: &str, value: &str) -> String {
        let name = match operator {
            UpdateOperator::Add => "atomic_add",
            UpdateOperator::Min => "atomic_min",
            UpdateOperator::Max => "atomic_max",
            UpdateOperator::And => "atomic_and",
            UpdateOperator::Or => "atomic_or",
            UpdateOperator::Xor => "atomic_xor",
        };
        format!("{name}({address}, {value})")
    }

    fn convert(&self, ty: &str, value: &str) -> String {
        format!("convert_{ty}({value})")
    }

    fn convert_saturated(&self, ty: &str, value: &str) -> String {
        format!("convert_{ty}_sat({value})")
    }

    fn reinterpret(&self, ty: &str, value: &str) -> String {
        format!("as_{ty}({value})")
    }
}
