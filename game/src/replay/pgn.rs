//! PGN of a replayed game: the seven tags, what variant it is and where it was played, how many men each player captured, and the moves with what the clocks showed.

use super::ReplayedMove;
use crate::numbers::calendar_day;
use crate::{Ending, GameRef, Outcome};
use alloy_primitives::Address;
use rules::Color;
use std::fmt::Write;

/// Most characters in a line of moves.
const LINE: usize = 80;

/// What the tags say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags {
    /// Where it was played.
    pub game: GameRef,
    pub players: [Address; 2],
    /// When it began, Unix seconds.
    pub time: Option<u64>,
    /// Each side's time for the whole game and what a move adds to it, in seconds.
    pub control: Option<(u32, u32)>,
}

/// A game as PGN.
pub fn pgn(tags: &Tags, moves: &[ReplayedMove], ending: Option<&Ending>) -> String {
    let result = result(ending);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string can't fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "Fogmate");
    tag("Site", &format!("eip155:{}:{}", tags.game.chain_id, tags.game.contract));
    tag("Date", &tags.time.map_or_else(|| "????.??.??".into(), date));
    tag("Round", "-");
    tag("White", &tags.players[0].to_string());
    tag("Black", &tags.players[1].to_string());
    tag("Result", result);
    tag("Variant", "Fog of War");
    if let Some((base, increment)) = tags.control {
        tag("TimeControl", &format!("{base}+{increment}"));
    }
    tag("GameId", &tags.game.game_id.to_string());
    if let Some(ending) = ending {
        tag("Termination", &ending.outcome.to_string());
    }
    tag("PlyCount", &moves.len().to_string());
    let [white, black] = points(moves);
    tag("Points", &format!("{white}-{black}"));
    format!("{text}\n{}", movetext(moves, result))
}

/// How many men White and Black have captured.
fn points(moves: &[ReplayedMove]) -> [usize; 2] {
    let captures = moves.iter().enumerate().filter(|(_, played)| played.san.contains('x'));
    captures.fold([0; 2], |mut points, (ply, _)| {
        points[Color::of_ply(ply as u64).index()] += 1;
        points
    })
}

fn movetext(moves: &[ReplayedMove], result: &str) -> String {
    // A number stays on the line of its move.
    let words = moves.iter().enumerate().flat_map(|(ply, played)| {
        let is_after_comment = ply.checked_sub(1).is_some_and(|before| moves[before].clock.is_some());
        let word = match Color::of_ply(ply as u64) {
            Color::White => format!("{}. {}", ply / 2 + 1, played.san),
            Color::Black if is_after_comment => format!("{}... {}", ply / 2 + 1, played.san),
            Color::Black => played.san.clone(),
        };
        let clock =
            played.clock.map(|left| format!("{{[%clk {}:{:02}:{:02}]}}", left / 3600, left / 60 % 60, left % 60));
        [Some(word), clock].into_iter().flatten()
    });
    let (mut text, mut column) = (String::new(), 0);
    for word in words.chain([result.to_owned()]) {
        if column > 0 && column + 1 + word.len() > LINE {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push('\n');
    text
}

fn result(ending: Option<&Ending>) -> &'static str {
    match ending {
        None => "*",
        Some(Ending { color: Some(Color::White), .. }) => "1-0",
        Some(Ending { color: Some(Color::Black), .. }) => "0-1",
        // Of a game that was never begun there is no result.
        Some(Ending { outcome: Outcome::Cancelled | Outcome::Unrevealed, .. }) => "*",
        Some(_) => "1/2-1/2",
    }
}

/// The UTC day of a Unix time, `YYYY.MM.DD`.
fn date(time: u64) -> String {
    let [year, month, day] = calendar_day(time);
    format!("{year}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_right() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(951_782_400), "2000.02.29");
        assert_eq!(date(951_868_800), "2000.03.01");
        assert_eq!(date(1_735_689_599), "2024.12.31");
        assert_eq!(date(1_735_689_600), "2025.01.01");
    }

    #[test]
    fn a_draw_of_any_kind_is_one() {
        for (outcome, _) in Outcome::NAMES {
            let is_played = !matches!(outcome, Outcome::Cancelled | Outcome::Unrevealed);
            let of_nobody = Ending { color: None, outcome, winner: None };
            assert_eq!(result(Some(&of_nobody)), if is_played { "1/2-1/2" } else { "*" }, "{outcome}");
        }
    }

    #[test]
    fn moves_are_numbered_and_wrapped() {
        let mv = "e2e4".parse().expect("a move");
        let timed = |san: &str, clock| ReplayedMove { mv, san: san.into(), fen: String::new(), clock };
        let played = |san: &str| timed(san, None);
        let moves: Vec<_> = ["e4", "e5", "Qh5", "Nf6", "Qxe8"].map(played).into();
        assert_eq!(movetext(&moves, "1-0"), "1. e4 e5 2. Qh5 Nf6 3. Qxe8 1-0\n");
        assert_eq!((points(&moves), points(&moves[..4])), ([1, 0], [0, 0]));
        let long = vec![played("Qh4xe4"); 60];
        assert!(movetext(&long, "*").lines().all(|line| line.len() <= LINE));
        assert_eq!(movetext(&[], "*"), "*\n");
        let timed = [timed("e4", Some(3_600)), timed("e5", Some(3_599)), timed("Ke2", None), timed("Ke7", Some(7))];
        let expected = "1. e4 {[%clk 1:00:00]} 1... e5 {[%clk 0:59:59]} 2. Ke2 Ke7 {[%clk 0:00:07]} *\n";
        assert_eq!(movetext(&timed, "*"), expected);
    }
}
