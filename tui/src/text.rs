//! Text that comes from elsewhere, lines of a width, and what is written the same everywhere.

/// A text as it may be shown on any terminal: what would be carried out by one, or would change the order of its letters, is a question mark.
pub fn printable(text: &str) -> String {
    let is_bad = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    text.replace(is_bad, "?")
}

/// A text in lines of a width, broken between words.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut words = paragraph.split(' ');
        let mut line = words.next().unwrap_or_default().to_owned();
        for word in words {
            if line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            } else {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// An amount of wei, in ether as a player reads it.
pub(crate) fn in_ether(wei: u128) -> String {
    format!("{:.4} ETH", wei as f64 / 1e18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_carried_out() {
        assert_eq!(printable("\u{1b}[2Jgone\u{7}\nnext\r\u{9b}31m"), "?[2Jgone?\nnext??31m");
        assert_eq!(printable("a\u{202e}b♟é"), "a?b♟é");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three\nfour", 8), ["one two ", "three", "four"]);
        assert_eq!(wrapped("  a b\n\nc", 8), ["  a b", "", "c"]);
        assert_eq!(wrapped("", 8), Vec::<String>::new());
    }
}
