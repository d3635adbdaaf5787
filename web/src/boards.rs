//! The boards of a game, ply by ply, as far as view keys open them: with both the truth and what each player saw, with one its own pieces.

use game::audit::Record;
use game::replay::Replay;
use game::secrets::ViewKey;
use game::{ChainEvent, GameRef, OwnState, Table};
use rules::{Color, Move, Position, Seen, Sight, Square, board};
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
    let mut table = Table::new(game);
    for record in records {
        // What is wrong with the records is the audit's business.
        let _ = table.apply(&record.event);
    }
    let Some(play) = table.begun() else { return Vec::new() };
    let key = |color: Color| Some((color, ViewKey::from_bytes(table.view_key(play.players[color.index()])?)));
    let Some((color, key)) = Color::ALL.into_iter().find_map(key) else { return Vec::new() };
    let mut state = OwnState::start(color);
    let draw = |state: &OwnState, lost: Option<Square>| {
        let dark = Sight { squares: [Seen::Dark; 64], en_passant: None };
        let own = Some(board::line(&state.side.without(lost), &dark));
        match color {
            Color::White => Boards { white: own, ..Boards::default() },
            Color::Black => Boards { black: own, ..Boards::default() },
        }
    };
    let (mut table, mut drawn) = (Table::new(game), vec![draw(&state, None)]);
    for record in records {
        let before = table.playing().cloned();
        if table.apply(&record.event).is_err() {
            break;
        }
        let (ChainEvent::Moved { fields, .. }, Some(play)) = (&record.event, before) else {
            continue;
        };
        let is_own = play.turn() == color;
        if is_own {
            let Some(found) = state.find(&key, play.pending, fields.next_commitment) else { break };
            state = found;
        }
        let lost = fields.capture.filter(|_| !is_own);
        let mv = state.mv.filter(|_| is_own);
        drawn.push(Boards { mv, capture: fields.capture, ..draw(&state, lost) });
    }
    drawn
}
