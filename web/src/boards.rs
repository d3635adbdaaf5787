//! The boards of a game, ply by ply, as far as view keys open them: with both the truth and what each player saw, with one its own pieces.

use game::audit::Record;
use game::replay::{Replay, ReplayError, replay};
use game::secrets::ViewKey;
use game::{ChainEvent, GameRef, OwnState, Table};
use rules::{Color, Move, Position, Seen, Sight, Square, board};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::input::{Fetched, parse};
use crate::keys::{self, KeyFile};

#[derive(Deserialize)]
struct Question {
    #[serde(flatten)]
    fetched: Fetched,
    /// View keys from files.
    keys: Vec<KeyFile>,
}

/// The boards at the start, or after a ply: eight ranks each, from the eighth down.
#[derive(Default, Serialize)]
struct Boards {
    /// The move that led here, if its player's key is there.
    mv: Option<Move>,
    san: Option<String>,
    capture: Option<Square>,
    white: Option<String>,
    truth: Option<String>,
    black: Option<String>,
}

/// Draws a game.
///
/// # Errors
///
/// A sentence, if a key isn't one of this game, or doesn't lead to its commitments.
pub fn boards(text: &[u8]) -> Result<Value, String> {
    let Question { fetched, keys } = parse(text)?;
    let game = fetched.game;
    let mut records = fetched.records()?;
    records.extend(keys::opened(&records, game, &keys)?);
    let plies = match replay(game, &records) {
        Ok(replay) if replay.ok() => of_both(&replay)?,
        Ok(Replay { findings, .. }) => return Err(findings.first().map(ToString::to_string).unwrap_or_default()),
        Err(ReplayError::NoViewKey(_)) => of_one(game, &records)?,
        Err(ReplayError::NoGame) => Vec::new(),
    };
    Ok(json!({ "plies": plies }))
}

/// The truth, and what each player saw of it.
fn of_both(replay: &Replay) -> Result<Vec<Boards>, String> {
    let mut position = Position::start();
    let draw = |position: &Position| Boards {
        white: Some(position.board_string(Color::White)),
        truth: Some(truth(position)),
        black: Some(position.board_string(Color::Black)),
        ..Boards::default()
    };
    let mut drawn = vec![draw(&position)];
    for played in &replay.moves {
        let capture = position.play(&played.mv).map_err(|error| error.to_string())?.capture;
        drawn.push(Boards { mv: Some(played.mv), san: Some(played.san.clone()), capture, ..draw(&position) });
    }
    Ok(drawn)
}

/// All pieces, as somebody would see them to whom nothing is dark.
fn truth(position: &Position) -> String {
    let black = position.side(Color::Black);
    let mut sight = Sight { squares: [Seen::Empty; 64], en_passant: None };
    for (square, piece) in black.men() {
        sight.squares[square.index()] = Seen::Piece(piece);
    }
    board::line(position.side(Color::White), &sight)
}

/// The pieces of the players whose key is there.
fn of_one(game: GameRef, records: &[Record]) -> Result<Vec<Boards>, String> {
    let mut table = Table::new(game);
    for record in records {
        // What is wrong with the records is the audit's business.
        let _ = table.apply(&record.event);
    }
    let players = table.begun().map(|play| play.players).unwrap_or_default();
    let keys = players.map(|player| table.view_key(player).map(ViewKey::from_bytes));
    let Some((color, key)) = Color::ALL.into_iter().find_map(|color| Some((color, keys[color.index()].as_ref()?))) else {
        return Ok(Vec::new());
    };
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
            let found = state.find(key, play.pending, fields.next_commitment);
            state = found.ok_or_else(|| format!("ply {}: {color}'s view key doesn't lead to its commitment", fields.ply))?;
        }
        let lost = fields.capture.filter(|_| !is_own);
        let mv = state.mv.filter(|_| is_own);
        drawn.push(Boards { mv, capture: fields.capture, ..draw(&state, lost) });
    }
    Ok(drawn)
}
