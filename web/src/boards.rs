//! The boards of a game, ply by ply, as far as view keys open them: with both the truth and what each player saw, with one its own pieces.

use game::audit::Record;
use game::replay::{Replay, half};
use game::{GameRef, Past};
use rules::{Color, Move, Position, Seen, Side, Sight, Square, board};
use serde::Serialize;

/// The boards at the start, or after a ply: eight ranks each, from the eighth down.
#[derive(Default, Serialize)]
pub struct Boards {
    /// The move that led here, if its player's key is there.
    mv: Option<Move>,
    san: Option<String>,
    capture: Option<Square>,
    white: Option<String>,
    truth: Option<String>,
    black: Option<String>,
}

/// Draws a game as far as it could be followed.
pub fn boards(game: GameRef, records: &[Record], replay: Option<&Replay>) -> Vec<Boards> {
    replay.map_or_else(|| of_one(game, records), of_both)
}

/// The truth, and what each player saw of it.
fn of_both(replay: &Replay) -> Vec<Boards> {
    let mut position = Position::start();
    let draw = |position: &Position| Boards {
        white: Some(position.board_string(Color::White)),
        truth: Some(truth(position)),
        black: Some(position.board_string(Color::Black)),
        ..Boards::default()
    };
    let mut drawn = vec![draw(&position)];
    for played in &replay.moves {
        let Ok(done) = position.play(&played.mv) else { break };
        let (mv, san) = (Some(played.mv), Some(played.san.clone()));
        drawn.push(Boards { mv, san, capture: done.capture, ..draw(&position) });
    }
    drawn
}

/// All pieces, as somebody would see them to whom nothing is dark.
fn truth(position: &Position) -> String {
    let mut sight = Sight { squares: [Seen::Empty; 64], en_passant: None };
    for (square, piece) in position.side(Color::Black).men() {
        sight.squares[square.index()] = Seen::Piece(piece);
    }
    board::line(position.side(Color::White), &sight)
}

/// The pieces of the player whose key is there, if one's is.
fn of_one(game: GameRef, records: &[Record]) -> Vec<Boards> {
    let Some(half) = Color::ALL.into_iter().find_map(|color| half(game, records, color).ok()) else {
        return Vec::new();
    };
    let draw = |side: &Side| {
        let own = Some(board::line(side, &Sight::DARK));
        match half.color {
            Color::White => Boards { white: own, ..Boards::default() },
            Color::Black => Boards { black: own, ..Boards::default() },
        }
    };
    let mut side = Side::start(half.color);
    let mut drawn = vec![draw(&side)];
    for &Past { mv, capture, .. } in &half.plies {
        side = mv.map_or_else(|| side.without(capture), |mv| side.play(&mv));
        drawn.push(Boards { mv, capture, ..draw(&side) });
    }
    drawn
}
