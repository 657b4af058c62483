//! `#[launch(local = (16, 8), global = (N, M))]`: the launch that the user fixes for all kernels of a
//! program. Given several times, each attribute is for one kernel in turn. `#[launch(any)]` leaves the sizes
//! to whoever launches.

use super::environment::Environment;
use super::error::{Error, LaunchMistake};
use super::inference::Inference;
use super::need::{Need, Reason};
use crate::front::syntax::{Attribute, Expr, ExprKind, Item};
use crate::ir::nat::Nat;
use crate::ir::scalar::Literal;
use crate::ir::typed::{Launch, Pinning, Requirement};

/// The most work-items that a group has in one dimension on any device.
const LONGEST_GROUP: i128 = 1 << 16;

impl<'a> Inference<'a> {
    /// The launches that the attributes of an item fix.
    pub(super) fn launches(&mut self, item: &'a Item, names: &Environment<'a>) -> Vec<Launch> {
        let is_launch = |attribute: &&Attribute| attribute.name.name == "launch";
        let attributes: Vec<&'a Attribute> = item.attributes.iter().filter(is_launch).collect();
        // Beside others, an empty attribute leaves its kernel to the compiler.
        if let [attribute] = attributes.as_slice()
            && attribute.arguments.is_empty()
        {
            self.report(Error::new(attribute.name.source, LaunchMistake::Empty));
        }
        attributes.into_iter().map(|attribute| self.launch(attribute, names)).collect()
    }

    /// The launch that one attribute fixes.
    fn launch(&mut self, attribute: &'a Attribute, names: &Environment<'a>) -> Launch {
        let source = attribute.name.source;
        let mut launch = Launch { local: None, global: None, pinning: Pinning::Pinned, source };
        for (key, value) in &attribute.arguments {
            match key.as_ref().map(|key| (key.name.as_str(), key.source)) {
                Some(("local", source)) if launch.local.is_some() => {
                    self.report(Error::new(source, LaunchMistake::Twice("local")));
                }
                Some(("global", source)) if launch.global.is_some() => {
                    self.report(Error::new(source, LaunchMistake::Twice("global")));
                }
                Some(("local", _)) => launch.local = self.local(value),
                Some(("global", _)) => launch.global = self.global(value, names),
                Some((other, source)) => {
                    self.report(Error::new(source, LaunchMistake::UnknownKey(other.to_owned())));
                }
                None if is_any(value) && launch.pinning == Pinning::Any => {
                    self.report(Error::new(value.source, LaunchMistake::Twice("any")));
                }
                None if is_any(value) => launch.pinning = Pinning::Any,
                None => self.report(Error::new(value.source, LaunchMistake::NoKey)),
            }
        }
        self.leaves_sizes_to_the_launch(&launch, attribute);
        self.need_whole_groups(&launch, attribute);
        launch
    }

    /// Refuses sizes beside `any`.
    fn leaves_sizes_to_the_launch(&mut self, launch: &Launch, attribute: &Attribute) {
        if launch.pinning == Pinning::Any && (launch.local.is_some() || launch.global.is_some()) {
            self.report(Error::new(attribute.name.source, LaunchMistake::SizesBesideAny));
        }
    }

    /// The size of a group. It is made of literals, because the compiler reserves memory for the work-items.
    fn local(&mut self, value: &'a Expr) -> Option<[u64; 3]> {
        let mut sizes = [1; 3];
        for (size, written) in sizes.iter_mut().zip(self.dimensions_of(value)?) {
            match &written.kind {
                ExprKind::Literal(Literal::Integer(number @ 1..=LONGEST_GROUP), _) => {
                    *size = u64::try_from(*number).unwrap_or(1);
                }
                ExprKind::Literal(Literal::Integer(number @ 1..), _) => {
                    self.report(Error::new(
                        written.source,
                        LaunchMistake::LongGroup { given: *number, longest: LONGEST_GROUP },
                    ));
                    return None;
                }
                ExprKind::Error => return None,
                _ => {
                    self.report(Error::new(written.source, LaunchMistake::NoGroup));
                    return None;
                }
            }
        }
        Some(sizes)
    }

    /// The number of all work-items.
    fn global(&mut self, value: &'a Expr, names: &Environment<'a>) -> Option<[Nat; 3]> {
        let mut sizes = [Nat::one(), Nat::one(), Nat::one()];
        for (size, written) in sizes.iter_mut().zip(self.dimensions_of(value)?) {
            *size = self.natural(written, names, "launch")?;
            self.positive(size, "launch", written.source)?;
        }
        Some(sizes)
    }

    /// One number, or a tuple of up to three.
    fn dimensions_of(&mut self, value: &'a Expr) -> Option<&'a [Expr]> {
        let written = match &value.kind {
            ExprKind::Tuple(parts) => parts.as_slice(),
            _ => std::slice::from_ref(value),
        };
        if (1..=3).contains(&written.len()) {
            return Some(written);
        }
        self.report(Error::new(value.source, LaunchMistake::Dimensions(written.len())));
        None
    }

    /// OpenCL 1.2 launches whole groups only.
    fn need_whole_groups(&mut self, launch: &Launch, attribute: &Attribute) {
        let (Some(local), Some(global)) = (&launch.local, &launch.global) else { return };
        for (local, global) in local.iter().zip(global) {
            let divisor = Nat::constant(i128::from(*local));
            let requirement = Requirement::Divides(divisor, global.clone());
            let call = "launch".to_owned();
            self.need(Need { requirement, reason: Reason::WholeGroups, call, source: attribute.name.source });
        }
    }
}

/// Whether an argument of the attribute is the word `any`.
fn is_any(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Name(name) if name.as_str() == "any")
}
