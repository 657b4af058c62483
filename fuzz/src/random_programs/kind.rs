//! The kinds of random programs.

use crate::generator::{
    Choices, RandomProgram, Style, chain_of_layouts, group_program, order_program, random_program,
    repeated_program, staged_program,
};
use crate::random::LaunchSizes;

/// What programs contain, and how they are launched.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    HighLevel,
    LowLevel,
    Groups,
    Repeated,
    Chains,
    Staged,
    Orders,
    AnyLaunch,
    Halves,
}

/// The greatest number of layouts in a chain.
const MOST_LAYOUTS: usize = 20;

/// The choices of a seed.
pub(crate) fn choices(seed: u64) -> Vec<u32> {
    Choices::values(seed)
}

impl Kind {
    const ALL: [Kind; 9] = [
        Kind::HighLevel,
        Kind::LowLevel,
        Kind::Groups,
        Kind::Repeated,
        Kind::Chains,
        Kind::Staged,
        Kind::Orders,
        Kind::AnyLaunch,
        Kind::Halves,
    ];

    pub(crate) fn named(name: &str) -> Result<Kind, String> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        let names = Kind::ALL.map(Kind::name).join("`, `");
        kind.ok_or_else(|| format!("`{name}` is no kind of programs; there are `{names}`"))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::HighLevel => "high-level",
            Kind::LowLevel => "low-level",
            Kind::Groups => "groups",
            Kind::Repeated => "repeated",
            Kind::Chains => "chains",
            Kind::Staged => "staged",
            Kind::Orders => "orders",
            Kind::AnyLaunch => "any-launch",
            Kind::Halves => "halves",
        }
    }

    pub(crate) fn program(self, choices: &[u32]) -> RandomProgram {
        let mut stream = Choices::new(choices.to_vec());
        match self {
            Kind::HighLevel => random_program(&mut stream, Style::HighLevel),
            Kind::LowLevel => random_program(&mut stream, Style::LowLevel),
            Kind::Groups => group_program(&mut stream),
            Kind::Repeated => repeated_program(&mut stream),
            Kind::Chains => chain_of_layouts(&mut stream, MOST_LAYOUTS),
            Kind::Staged => staged_program(&mut stream),
            Kind::Orders => order_program(&mut stream),
            Kind::AnyLaunch => match stream.below(3) {
                0 => random_program(&mut stream, Style::HighLevel),
                1 => random_program(&mut stream, Style::LowLevel),
                _ => group_program(&mut stream),
            },
            Kind::Halves => random_program(&mut stream, Style::Halves),
        }
    }

    /// The numbers of work-items, which follow from the same choices.
    pub(crate) fn launches(self, choices: &[u32]) -> LaunchSizes {
        match self {
            Kind::HighLevel
            | Kind::LowLevel
            | Kind::Groups
            | Kind::Repeated
            | Kind::Chains
            | Kind::Staged
            | Kind::Orders
            | Kind::Halves => LaunchSizes::Usual,
            Kind::AnyLaunch => {
                let number = choices.iter().fold(0u32, |number, choice| number.rotate_left(5) ^ choice);
                LaunchSizes::Drawn(number >> 1)
            }
        }
    }
}
