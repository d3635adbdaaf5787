//! Boards as text: two players' views side by side. A single one is drawn by `rules::board`.

/// How a dark square is drawn.
const DARK: char = '░';

/// Two boards in the oracle's form (ranks 8 to 1 joined by "/"), side by side under their titles, White's side down.
pub fn side_by_side(left: (&str, &str), right: (&str, &str)) -> String {
    let files = "a b c d e f g h";
    let mut text = format!("  {:24}{}\n    {files:24}{files}\n", left.0, right.0);
    let ranks = left.1.split('/').zip(right.1.split('/'));
    for (rank, (l, r)) in (1..=8).rev().zip(ranks) {
        text += &format!("  {rank} {} {rank}     {rank} {} {rank}\n", row(l), row(r));
    }
    text
}

fn row(rank: &str) -> String {
    let symbols = rank.chars().map(|symbol| if symbol == '*' { DARK } else { symbol });
    symbols.map(String::from).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_stand_side_by_side() {
        let start = rules::Position::start();
        let lines = [rules::Color::White, rules::Color::Black].map(|color| start.board_string(color));
        let text = side_by_side(("White sees", &lines[0]), ("Black sees", &lines[1]));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 10);
        assert_eq!(rows[2], "  8 ░ ░ ░ ░ ░ ░ ░ ░ 8     8 r n b q k b n r 8");
        assert_eq!(rows[9], "  1 R N B Q K B N R 1     1 ░ ░ ░ ░ ░ ░ ░ ░ 1");
        assert_eq!(rows[0], "  White sees              Black sees");
        assert_eq!(rows[1], "    a b c d e f g h         a b c d e f g h");
    }
}
