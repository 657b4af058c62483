//! The spans behind [`Source`]s.

use lift_core::ir::source::Source;
use proc_macro2::Span;

/// The tokens that each [`Source`] covers.
///
/// `Span::join` returns `None` on stable compilers, so a range keeps its first and its last token. A message
/// underlines everything between them.
#[derive(Debug, Default)]
pub struct Sources {
    ranges: Vec<Range>,
}

/// A range of tokens.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// The first token.
    pub first: Span,
    /// The last token.
    pub last: Span,
}

impl Sources {
    /// A new source that covers the tokens from `first` to `last`.
    pub fn add(&mut self, first: Span, last: Span) -> Source {
        // More than four billion nodes do not fit into memory.
        let source = Source(u32::try_from(self.ranges.len()).unwrap_or(u32::MAX));
        self.ranges.push(Range { first, last });
        source
    }

    /// A new source that covers everything from `first` to `last`.
    pub fn join(&mut self, first: Source, last: Source) -> Source {
        let (first, last) = (self.range(first).first, self.range(last).last);
        self.add(first, last)
    }

    /// The tokens of a source; the macro's invocation if it has none.
    pub fn range(&self, source: Source) -> Range {
        usize::try_from(source.0)
            .ok()
            .and_then(|index| self.ranges.get(index).copied())
            .unwrap_or_else(|| Range { first: Span::call_site(), last: Span::call_site() })
    }
}
