//! Explanations as text for a terminal or a file.

use crate::arguments::Extras;
use crate::colour::{Colour, Role};
use crate::document::Document;
use crate::explanation::Explanation;
use crate::sections::{Block, sections};

/// The columns before everything below a heading.
const INDENTATION: usize = 4;

/// An explanation as text.
pub(crate) fn text(explanation: &Explanation, document: &Document, extras: Extras, colour: Colour) -> String {
    let title = format!("{}, {}:{}", explanation.name, document.name, explanation.line);
    let mut text = format!("{}\n", colour.paint(Role::Title, &title));
    for section in sections(explanation, extras) {
        text += &format!("\n{}\n", colour.paint(Role::Heading, section.heading));
        let mut is_said = false;
        for (position, block) in section.blocks.iter().enumerate() {
            let is_sentence = matches!(block, Block::Sentence(_));
            if position > 0 && !is_said {
                text.push('\n');
            }
            // What a sentence is about stands right below it, to the right.
            let indentation = if is_said && !is_sentence { 2 * INDENTATION } else { INDENTATION };
            text += &indented(&block_text(block, document, colour), indentation);
            is_said = is_sentence;
        }
    }
    text
}

fn block_text(block: &Block<'_>, document: &Document, colour: Colour) -> String {
    match block {
        Block::Sentence(sentence) => sentence.clone(),
        Block::Lines(lines) => lines.join("\n"),
        Block::Code(code) => (*code).to_owned(),
        Block::Refusal(reason) => colour.paint(Role::Mistake, reason),
        Block::Mistake(mistake) => mistake.render(document, colour),
    }
}

fn indented(block: &str, columns: usize) -> String {
    let line = |line: &str| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("{:columns$}{line}\n", ""),
    };
    block.lines().map(line).collect()
}
