//! A finished game laid open (protocol, section 9): with both published view keys every state is found from its commitment
//! by trying the moves that could have led there, and the whole game is checked against the rules by truth, captures and
//! fallen kings included. That is stronger than the audit: no answer, true or false, is believed. No secret but the two
//! published keys is used, and no message between the players is opened.

mod half;
mod key_file;
mod pgn;

pub use half::{Half, half};
pub use key_file::{KeyFile, KeyFileError};
pub use pgn::{Tags, pgn};

use crate::audit::{Finding, Record};
use crate::course::Course;
use crate::secrets::ViewKey;
use crate::view_keys::{keys, opens};
use crate::{ChainEvent, Ending, GameRef, MoveFields, Outcome, OwnState, PlayState, Table};
use alloy_primitives::Address;
use fog::ensure;
use rules::{Color, Move, Position};

/// So many moves of each player without a pawn's and without a capture are a draw, if one claims it.
const FIFTY: u8 = 50;

/// A move of a replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedMove {
    pub mv: Move,
    /// The move as PGN writes it.
    pub san: String,
    /// The position after it, as a FEN.
    pub fen: String,
    /// What the clock of who made it showed then, in seconds, if the times of the blocks are known.
    pub clock: Option<u64>,
}

/// A game replayed from its records and both published view keys.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The moves, as far as they could be found.
    pub moves: Vec<ReplayedMove>,
    /// The position after them.
    pub position: Position,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// Who has lost, if it has signed that a king was captured, and the last move captures none.
    pub belied: Option<Color>,
    /// All that is wrong; empty for an honest game.
    pub findings: Vec<Finding>,
    /// The tags of the PGN.
    pub tags: Tags,
}

impl Replay {
    /// Whether every state was found and nothing is wrong.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// The game as PGN.
    pub fn pgn(&self) -> String {
        pgn(&self.tags, &self.moves, self.ending.as_ref())
    }

    /// The moves in UCI.
    pub fn uci(&self) -> Vec<String> {
        self.moves.iter().map(|played| played.mv.to_string()).collect()
    }
}

/// Why a game can't be replayed at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The game has no moves yet, or isn't one.
    #[error("there is no game to replay")]
    NoGame,
    /// A game between the machines whose plies aren't all told.
    #[error("its moves went from machine to machine: a replay needs their transcript")]
    NoTranscript,
    /// A player keeps its view key to itself.
    #[error("{0:?} has published no view key")]
    NoViewKey(Color),
    #[error("neither White nor Black has published a view key")]
    NoViewKeys,
    /// None of the view keys that a player has published opens its moves.
    #[error("the view key that {0} has published is not the one it has played with")]
    WrongViewKey(Color),
}

/// Replays a game from the chain's records, the published view keys among them.
pub fn replay(game: GameRef, records: &[Record]) -> Result<Replay, ReplayError> {
    let (players, found) = published(game, records)?;
    let keys = match found {
        [Err(ReplayError::NoViewKey(_)), Err(ReplayError::NoViewKey(_))] => return Err(ReplayError::NoViewKeys),
        [white, black] => [white?, black?],
    };
    let mut course = Course::new(game);
    let mut opened = Opened::new(keys);
    let mut findings = Vec::new();
    let mut tags = Tags { game, players, time: None, control: None };
    for record in records {
        let before = course.table().playing().cloned();
        let ply = before.as_ref().map(|play| play.ply);
        let taken = course.take(record).map_err(|error| Unfollowed::Move(error.to_string()));
        let followed = taken.and_then(|left| match (&record.event, &before) {
            (ChainEvent::Moved { fields, proof, .. }, Some(play)) => {
                let is_bound = record.is_of_chain() || proof.is_some();
                opened.follow(play, fields, is_bound)?;
                if let Some(last) = opened.moves.last_mut() {
                    last.clock = record.signed_clocks.map(|clocks| clocks[play.turn().index()].into()).or(left);
                }
                Ok(())
            }
            (ChainEvent::Ended { outcome, .. }, Some(play)) => {
                let is_answered = record.carried.is_some() || course.table().is_signed();
                opened.check_end(play, *outcome, is_answered).map_err(Unfollowed::Move)
            }
            _ => Ok(()),
        });
        let has_proofs = course.table().terms().is_some_and(|terms| terms.mode.has_proofs());
        match (followed, &before) {
            // The move is proven, so it is the key that is false.
            (Err(Unfollowed::Key), Some(play)) if has_proofs => return Err(ReplayError::WrongViewKey(play.turn())),
            (Err(why), _) => {
                findings.push(Finding { ply, what: why.to_string() });
                break;
            }
            (Ok(()), _) => {}
        }
        if let (ChainEvent::Started { .. }, Some(terms)) = (&record.event, course.table().terms()) {
            (tags.time, tags.control) = (record.time, Some((terms.base, terms.increment)));
        }
    }
    let Opened { moves, position, felled, .. } = opened;
    let ending = course.table().ending();
    let is_by_word = course.table().is_signed() && !felled;
    let captured = ending.filter(|ending| is_by_word && ending.outcome == Outcome::KingCaptured);
    let belied = captured.and_then(|ending| ending.color).map(|winner| !winner);
    Ok(Replay { moves, position, ending, belied, findings, tags })
}

/// Why a move can't be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfollowed {
    /// The view key opens the moves before it, and not this one.
    #[error("no move of the player leads to its commitment: the view key is not the game's")]
    Key,
    #[error("{0}")]
    Move(String),
}

/// Of the view keys that a player has published the last that opens its commitments, or why there is none. By color.
type Published = [Result<ViewKey, ReplayError>; 2];

/// Both players, White first, and their view keys.
fn published(game: GameRef, records: &[Record]) -> Result<([Address; 2], Published), ReplayError> {
    let mut table = Table::new(game);
    for record in records {
        // What is wrong with the records themselves is found again, and told, when the moves are followed.
        let _ = table.apply(&record.event);
    }
    let players = table.begun().ok_or(ReplayError::NoGame)?.players;
    ensure!(table.first_known_ply() == Some(0), ReplayError::NoTranscript);
    let last = |color: Color| {
        let mut of_player = keys(records, players[color.index()]).peekable();
        of_player.peek().ok_or(ReplayError::NoViewKey(color))?;
        of_player.find(|key| opens(records, color, key)).ok_or(ReplayError::WrongViewKey(color))
    };
    Ok((players, Color::ALL.map(last)))
}

/// A game whose moves are found one after the other, from the commitments to them and both view keys.
pub struct Opened {
    keys: [ViewKey; 2],
    states: [OwnState; 2],
    /// The moves so far.
    pub moves: Vec<ReplayedMove>,
    /// The position after them.
    pub position: Position,
    /// Whether the last one has captured a king.
    felled: bool,
}

impl Opened {
    /// The start of a game, with White's view key and Black's.
    pub fn new(keys: [ViewKey; 2]) -> Self {
        let (states, position) = (Color::ALL.map(OwnState::start), Position::start());
        Self { keys, states, moves: Vec::new(), position, felled: false }
    }

    /// One move, made when the game was at `play`: the state behind the commitment, and the truth about it. Whether it has captured a king nobody has
    /// signed of a move that went from machine to machine without a proof: such a one isn't bound.
    ///
    /// # Errors
    ///
    /// [`Unfollowed`] if the key opens no such move, or the truth is another than the chain says.
    pub fn follow(&mut self, play: &PlayState, fields: &MoveFields, is_bound: bool) -> Result<(), Unfollowed> {
        let is = |told: bool, what: String| told.then_some(()).ok_or(Unfollowed::Move(what));
        let mover = play.turn().index();
        let found = self.states[mover].find(&self.keys[mover], play.pending, fields.next_commitment);
        let state = found.ok_or(Unfollowed::Key)?;
        let mv = state.mv.ok_or(Unfollowed::Key)?;
        let text = self.position.side(play.turn()).san(&mv, &self.position.sight(play.turn()));
        let played = self.position.play(&mv).map_err(|error| Unfollowed::Move(error.to_string()))?;
        is(played.capture == fields.capture, format!("{text} captures on another square than the chain says"))?;
        let is_told = !is_bound || played.king_fell == fields.king_fell;
        is(is_told, format!("whether {text} captures the king is not what the chain says"))?;
        let is_committed = *self.position.side(play.turn()) == state.side;
        is(is_committed, format!("after {text} the committed state is not the position's"))?;
        self.moves.push(ReplayedMove { mv, san: text, fen: self.position.to_fen(), clock: None });
        (self.states[mover], self.felled) = (state, played.king_fell);
        Ok(())
    }

    /// Holds what the end says of the boards against them. A claim of fifty moves that nobody has answered says it of the claimant alone.
    fn check_end(&self, play: &PlayState, outcome: Outcome, is_answered: bool) -> Result<(), String> {
        let has_moved_pawns = |color: Color| self.states[color.index()].side.since_pawn < FIFTY;
        match outcome {
            Outcome::NoMove if !self.position.legal_moves().is_empty() => {
                Err("the player to move had a move".to_owned())
            }
            Outcome::FiftyMoves
                if play.quiet_plies < 2 * u16::from(FIFTY)
                    || has_moved_pawns(play.turn())
                    || is_answered && has_moved_pawns(!play.turn()) =>
            {
                Err("within fifty moves a pawn was moved, or a piece captured".to_owned())
            }
            _ => Ok(()),
        }
    }
}
