//! The names of primitives that come in several kinds.

use crate::ir::typed::{AddressSpace, MapKind, ScanKind};

pub(super) fn map_name(kind: MapKind) -> String {
    match kind {
        MapKind::Unspecified => "map".to_owned(),
        MapKind::Sequential => "mapSeq".to_owned(),
        MapKind::Unrolled => "mapSeqUnroll".to_owned(),
        MapKind::Sliding => "mapSeqSlide".to_owned(),
        MapKind::Global(dimension) => format!("mapGlb{dimension}"),
        MapKind::WorkGroup(dimension) => format!("mapWrg{dimension}"),
        MapKind::Local(dimension) => format!("mapLcl{dimension}"),
    }
}

pub(super) fn scan_name(kind: ScanKind) -> &'static str {
    match kind {
        ScanKind::Exclusive => "scan",
        ScanKind::ExclusiveSequential => "scanSeq",
        ScanKind::Inclusive => "scanInclusive",
    }
}

pub(super) fn store_name(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Global => "toGlobal",
        AddressSpace::Local => "toLocal",
        AddressSpace::Private => "toPrivate",
    }
}
