//! A game as its chain has it: the positions that sights were given in, and the words that moves carried.

use super::DisclosureError;
use fog::ensure;
use game::audit::Record;
use game::{ChainEvent, GameRef, MoveFields, Phase, PlayState, SessionId, Table};
use rules::Color;

/// A game from its records.
pub struct Course {
    /// The game.
    pub game: GameRef,
    /// Before each move, and after the last.
    pub(super) positions: Vec<PlayState>,
    /// The moves.
    pub(super) moves: Vec<MoveFields>,
    /// Whether it is over.
    is_over: bool,
}

impl Course {
    /// Follows a game's records, in the order of the chain.
    ///
    /// # Errors
    ///
    /// [`DisclosureError::Chain`] if they don't follow on one another, or no game was begun.
    pub fn of(game: GameRef, records: &[Record]) -> Result<Self, DisclosureError> {
        let (mut table, mut positions, mut moves) = (Table::new(game), Vec::new(), Vec::new());
        for Record { event, .. } in records {
            if let ChainEvent::Moved { fields, .. } = event {
                positions.extend(table.playing().cloned());
                moves.push(*fields);
            }
            table.apply(event).map_err(|error| DisclosureError::Chain(error.to_string()))?;
        }
        let last = table.begun().ok_or_else(|| DisclosureError::Chain("it hasn't begun".to_owned()))?;
        positions.push(last.clone());
        ensure!(positions.len() == moves.len() + 1, DisclosureError::Chain("a move is out of its place".to_owned()));
        Ok(Self { game, positions, moves, is_over: table.ending().is_some() })
    }

    /// Whether the game is over: before that a disclosure gives a board away.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The game as it began.
    pub(super) fn start(&self) -> &PlayState {
        &self.positions[0]
    }

    /// Every sight that there was a place for, with the number of its position. After a king's fall nobody sees any more.
    pub(super) fn sights(&self) -> Vec<(u16, Phase, usize)> {
        let has_fallen = self.moves.last().is_some_and(|last| last.king_fell);
        let seen = self.positions.len() - usize::from(has_fallen);
        let sight = |number: usize| {
            [Phase::Post, Phase::Pre].into_iter().filter_map(move |phase| {
                let exchange = self.positions[number].exchange(phase)?;
                Some((u16::try_from(exchange.ply).ok()?, phase, number))
            })
        };
        (0..seen).flat_map(sight).collect()
    }

    /// Whether a sight must have come to its end: the move that was made by it is there.
    pub(super) fn was_used(&self, ply: u16, phase: Phase) -> bool {
        phase == Phase::Pre && usize::from(ply) < self.moves.len()
    }

    /// Whether a player has made a move.
    pub(super) fn has_moved(&self, color: Color) -> bool {
        self.moves.len() > color.index()
    }

    /// The sessions that the word of a move is of.
    pub(super) fn told_by(ply: u16) -> [Option<SessionId>; 2] {
        match ply.checked_sub(2) {
            None => [Some(SessionId::SetUp), None],
            Some(last) => [
                Some(SessionId::Exchange { ply: last, phase: Phase::Post }),
                Some(SessionId::Exchange { ply, phase: Phase::Pre }),
            ],
        }
    }

    /// The moves whose words tell of a session.
    pub(super) fn words_of(&self, session: SessionId) -> Vec<u16> {
        let plies = match session {
            SessionId::SetUp => vec![0, 1],
            SessionId::Exchange { ply, phase: Phase::Pre } => vec![ply],
            SessionId::Exchange { ply, phase: Phase::Post } => vec![ply.saturating_add(2)],
        };
        plies.into_iter().filter(|ply| usize::from(*ply) < self.moves.len()).collect()
    }
}

fog::redacted!(Course);
