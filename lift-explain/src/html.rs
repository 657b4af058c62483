//! Explanations as a page: one file that needs no network. Sections fold, and kernels stand beside programs.

use crate::arguments::Extras;
use crate::colour::Colour;
use crate::document::Document;
use crate::explanation::Explanation;
use crate::mistake::Mistake;
use crate::sections::{Block, Section, Side, sections};

const STYLE: &str = "\
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem; }
h1, h2 { font-weight: 600; }
nav a { margin-right: 1rem; }
article { display: grid; gap: 0 2rem; \
grid-template-columns: repeat(auto-fit, minmax(min(36rem, 100%), 1fr)); }
article > div { min-width: 0; }
summary { cursor: pointer; font-weight: 600; padding: 0.3rem 0; }
pre { overflow-x: auto; margin: 0.4rem 0 1rem; padding: 0.7rem; border: 1px solid #8886; border-radius: 4px; \
font: 13px/1.4 ui-monospace, monospace; }
.refusal { border-color: #d33; }
";

/// A page with explanations, and with the mistakes that leave other programs unexplained.
pub(crate) fn html(
    explanations: &[Explanation],
    mistakes: &[Mistake],
    document: &Document,
    extras: Extras,
) -> String {
    let name = escaped(&document.name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name} explained</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    if explanations.len() > 1 {
        let link = |(number, explanation): (usize, &Explanation)| {
            format!("<a href=\"#p{number}\">{}</a>\n", escaped(&explanation.name))
        };
        page += &format!("<nav>\n{}</nav>\n", explanations.iter().enumerate().map(link).collect::<String>());
    }
    for mistake in mistakes {
        page += &block(&Block::Mistake(mistake), document);
    }
    for (number, explanation) in explanations.iter().enumerate() {
        let (name, line) = (escaped(&explanation.name), explanation.line);
        page += &format!("<h2 id=\"p{number}\">{name}, line {line}</h2>\n<article>\n");
        let sections = sections(explanation, extras);
        for side in [Side::Program, Side::Kernels] {
            let of_side = sections.iter().filter(|section| section.side == side);
            let of_side: String = of_side.map(|section| folding(section, document)).collect();
            page += &format!("<div>\n{of_side}</div>\n");
        }
        page += "</article>\n";
    }
    page + "</body>\n</html>\n"
}

fn folding(section: &Section<'_>, document: &Document) -> String {
    let blocks: String = section.blocks.iter().map(|part| block(part, document)).collect();
    format!("<details open>\n<summary>{}</summary>\n{blocks}</details>\n", escaped(section.heading))
}

fn block(block: &Block<'_>, document: &Document) -> String {
    match block {
        Block::Sentence(sentence) => format!("<p>{}</p>\n", escaped(sentence)),
        Block::Lines(lines) => format!("<pre>{}</pre>\n", escaped(&lines.join("\n"))),
        Block::Code(code) => format!("<pre><code>{}</code></pre>\n", escaped(code)),
        Block::Refusal(reason) => format!("<pre class=\"refusal\">{}</pre>\n", escaped(reason)),
        Block::Mistake(mistake) => {
            let text = mistake.render(document, Colour::Never);
            format!("<pre class=\"refusal\">{}</pre>\n", escaped(&text))
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
