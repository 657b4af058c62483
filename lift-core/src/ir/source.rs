//! Positions in the user's source, opaque to the compiler.

/// A position that only the caller of the compiler can interpret; the macro maps it back to a span.
///
/// [`Source::UNKNOWN`] marks things that the user did not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source(pub u32);

impl Source {
    /// The position of things that the user did not write.
    pub const UNKNOWN: Source = Source(u32::MAX);
}
