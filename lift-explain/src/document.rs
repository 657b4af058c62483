//! A Rust file.

/// A file.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its name, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Document {
    /// A file with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Document {
        Document { name: name.into(), text: text.into() }
    }
}
