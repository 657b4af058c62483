//! Colours of a terminal.

/// Whether text has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// For a terminal.
    Always,
    /// For everything else.
    Never,
}

/// What a part of a text is, which decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Title,
    Heading,
    Mistake,
    /// What stands around lines of a file.
    Margin,
}

impl Colour {
    /// A part of a text as it is shown.
    pub(crate) fn paint(self, role: Role, text: &str) -> String {
        let code = match (self, role) {
            (Colour::Never, _) => return text.to_owned(),
            (Colour::Always, Role::Title) => "1",
            (Colour::Always, Role::Heading) => "1;36",
            (Colour::Always, Role::Mistake) => "1;31",
            (Colour::Always, Role::Margin) => "1;34",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
