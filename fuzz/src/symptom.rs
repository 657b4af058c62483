//! Reduces messages to their kind.

/// A message without names and numbers, so that programs with the same mistake are reported together.
pub(crate) fn symptom(message: &str) -> String {
    let mut symptom = String::new();
    let mut is_name = false;
    for letter in message.chars() {
        match letter {
            '`' => {
                is_name = !is_name;
                symptom.push('`');
            }
            '\n' => symptom.push(' '),
            '0'..='9' if symptom.ends_with('0') => {}
            '0'..='9' if !is_name => symptom.push('0'),
            _ if is_name => {}
            _ => symptom.push(letter),
        }
    }
    symptom
}
