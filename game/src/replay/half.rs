//! A finished game by one player's view key: its own moves, and of the other's what the chain tells everybody.

use super::{ReplayError, published};
use crate::audit::{Finding, Record};
use crate::{ChainEvent, Ending, GameRef, MoveFields, OwnState, Past, PlayState, Table};
use rules::{Color, Side};

/// What one player's view key opens of a game.
#[derive(Clone, Debug)]
pub struct Half {
    pub color: Color,
    /// The plies, as this player knows them without its sights.
    pub plies: Vec<Past>,
    /// What is left of its side.
    pub side: Side,
    pub ending: Option<Ending>,
    /// All that is wrong; empty for an honest game.
    pub findings: Vec<Finding>,
}

/// Follows one player through a game from the chain's records, its published view key among them.
///
/// # Errors
///
/// [`ReplayError`] if there is no game, or no such key.
pub fn half(game: GameRef, records: &[Record], color: Color) -> Result<Half, ReplayError> {
    let (_, [white, black]) = published(game, records)?;
    let key = if color == Color::White { white? } else { black? };
    let (mut table, mut own) = (Table::new(game), OwnState::start(color));
    let (mut plies, mut findings) = (Vec::new(), Vec::new());
    let mut follow = |play: &PlayState, fields: &MoveFields| {
        let &MoveFields { ply, capture, offer_draw: draw_offered, .. } = fields;
        let mut past = Past { ply, own: false, mv: None, piece: None, capture, captured: None, draw_offered };
        if play.turn() == color {
            let found = own.find(&key, play.pending, fields.next_commitment);
            let state = found.ok_or("no move of the player leads to its commitment: the view key is not the game's")?;
            let piece = state.mv.and_then(|mv| own.side.piece(mv.from));
            past = Past { own: true, mv: state.mv, piece, ..past };
            own = state;
        } else {
            past.captured = capture.and_then(|square| own.side.piece(square));
        }
        plies.push(past);
        Ok::<_, String>(())
    };
    for record in records {
        let before = table.playing().cloned();
        let applied = table.apply(&record.event).map_err(|error| error.to_string());
        let followed = applied.and_then(|()| match (&record.event, &before) {
            (ChainEvent::Moved { fields, .. }, Some(play)) => follow(play, fields),
            _ => Ok(()),
        });
        if let Err(what) = followed {
            findings.push(Finding { ply: before.map(|play| play.ply), what });
            break;
        }
    }
    let lost = table.begun().filter(|play| play.turn() == color).and_then(|play| play.pending);
    Ok(Half { color, plies, side: own.side.without(lost), ending: table.ending(), findings })
}
