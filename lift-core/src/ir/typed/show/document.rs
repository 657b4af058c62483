//! Documents: text that knows where its lines may be broken.
//!
//! A group is written on one line if it fits there, and else with all of its own breaks; groups inside are
//! decided for themselves (Wadler, *A prettier printer*, 2003; Lindig, *Strictly pretty*, 2000). The time is
//! linear in the length of the text, for a fixed width.

/// A text with places where its lines may be broken.
#[derive(Debug, Clone)]
pub(super) enum Document {
    /// A text without line ends.
    Text(String),
    /// A space, or a line end where the group is broken.
    Space,
    /// Nothing, or a line end where the group is broken.
    Break,
    /// A line end. A group that has one is broken.
    Line,
    /// A text that is written only where the group is broken.
    IfBroken(&'static str),
    /// One after the other.
    All(Vec<Document>),
    /// The same, its lines indented by one step more.
    Indented(Box<Document>),
    /// Broken as a whole, or not at all.
    Group(Box<Document>),
}

const STEP: usize = 4;

/// A text without breaks.
pub(super) fn text(text: impl Into<String>) -> Document {
    Document::Text(text.into())
}

/// Documents, one after the other.
pub(super) fn all(documents: impl IntoIterator<Item = Document>) -> Document {
    Document::All(documents.into_iter().collect())
}

/// A document that is broken as a whole, or not at all.
pub(super) fn group(documents: impl IntoIterator<Item = Document>) -> Document {
    Document::Group(Box::new(all(documents)))
}

/// A document with its lines indented by one step more.
pub(super) fn indented(documents: impl IntoIterator<Item = Document>) -> Document {
    Document::Indented(Box::new(all(documents)))
}

/// `open a, b close`; where that is broken, an element a line, each with a comma behind it.
pub(super) fn list(open: &str, elements: Vec<Document>, close: &str) -> Document {
    if elements.is_empty() {
        return text(format!("{open}{close}"));
    }
    let last = elements.len() - 1;
    let mut inside = vec![Document::Break];
    for (position, element) in elements.into_iter().enumerate() {
        inside.push(element);
        if position < last {
            inside.extend([text(","), Document::Space]);
        }
    }
    group([text(open), indented(inside), Document::IfBroken(","), Document::Break, text(close)])
}

/// `name(a, |x| …)`: a call whose last argument may go on over several lines, behind the others on the first.
pub(super) fn around(name: &str, arguments: Vec<Document>) -> Document {
    let mut parts = vec![text(format!("{name}("))];
    for (position, argument) in arguments.into_iter().enumerate() {
        if position > 0 {
            parts.push(text(", "));
        }
        parts.push(argument);
    }
    parts.push(text(")"));
    all(parts)
}

impl Document {
    fn own_text(&self) -> &str {
        match self {
            Document::Text(text) => text,
            Document::IfBroken(text) => text,
            _ => "",
        }
    }

    /// The text, in lines of at most `width` columns where that is possible.
    pub(super) fn render(&self, width: usize) -> String {
        let mut rendered = String::new();
        let mut column = 0;
        let mut rest = vec![Part { document: self, indentation: 0, is_broken: true }];
        while let Some(part) = rest.pop() {
            let Part { document, indentation, is_broken } = part;
            match document {
                Document::IfBroken(_) if !is_broken => {}
                Document::Text(_) | Document::IfBroken(_) => {
                    if column == 0 {
                        rendered.extend(std::iter::repeat_n(' ', indentation));
                        column = indentation;
                    }
                    let text = document.own_text();
                    rendered.push_str(text);
                    column += text.chars().count();
                }
                Document::Space if !is_broken => {
                    rendered.push(' ');
                    column += 1;
                }
                Document::Break if !is_broken => {}
                Document::Space | Document::Break | Document::Line => {
                    rendered.push('\n');
                    column = 0;
                }
                Document::All(documents) => {
                    rest.extend(documents.iter().rev().map(|document| Part { document, ..part }));
                }
                Document::Indented(inside) => {
                    rest.push(Part { document: inside, indentation: indentation + STEP, is_broken });
                }
                Document::Group(inside) => {
                    let flat = Part { document: inside, indentation, is_broken: false };
                    let start = if column == 0 { indentation } else { column };
                    let is_broken = !fits(width.saturating_sub(start), flat, &rest);
                    rest.push(Part { is_broken, ..flat });
                }
            }
        }
        rendered
    }
}

/// A document with what its surroundings say about it.
#[derive(Clone, Copy)]
struct Part<'d> {
    document: &'d Document,
    indentation: usize,
    is_broken: bool,
}

/// Whether a part and what follows it, up to the next line end, fit into `room` columns.
fn fits(room: usize, first: Part<'_>, rest: &[Part<'_>]) -> bool {
    let mut room = room;
    let mut after = rest.iter().rev();
    let mut is_behind = false;
    let mut parts = vec![first];
    loop {
        let part = match parts.pop() {
            Some(part) => part,
            None => {
                is_behind = true;
                let Some(part) = after.next() else { return true };
                *part
            }
        };
        let taken = match part.document {
            Document::Text(text) => text.chars().count(),
            Document::Space if !part.is_broken => 1,
            Document::Break if !part.is_broken => 0,
            Document::Space | Document::Break => return true,
            // Inside of what is to be written on one line, a line end does not fit.
            Document::Line => return is_behind,
            Document::IfBroken(text) => {
                if part.is_broken {
                    text.len()
                } else {
                    0
                }
            }
            Document::All(documents) => {
                parts.extend(documents.iter().rev().map(|document| Part { document, ..part }));
                0
            }
            Document::Indented(inside) => {
                parts.push(Part { document: inside, ..part });
                0
            }
            Document::Group(inside) => {
                // What stands behind can still be broken.
                parts.push(Part { document: inside, is_broken: is_behind, ..part });
                0
            }
        };
        match room.checked_sub(taken) {
            Some(left) => room = left,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_broken_as_a_whole_where_it_does_not_fit() {
        let call = |name: &str| list(&format!("{name}("), vec![text("first"), text("second")], ")");
        assert_eq!(call("f").render(16), "f(first, second)");
        assert_eq!(call("f").render(15), "f(\n    first,\n    second,\n)");
        let outer = list("f(", vec![call("g"), call("h")], ")");
        assert_eq!(outer.render(25), "f(\n    g(first, second),\n    h(first, second),\n)");
    }

    #[test]
    fn what_follows_a_group_on_its_line_has_to_fit_too() {
        let statement =
            all([list("f(", vec![text("a"), text("b")], ")"), text(";"), Document::Line, text("x")]);
        assert_eq!(statement.render(8), "f(a, b);\nx");
        assert_eq!(statement.render(7), "f(\n    a,\n    b,\n);\nx");
    }
}
