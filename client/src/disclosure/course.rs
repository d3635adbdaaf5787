//! A game as its chain has it: the positions that sights were given in, and the words that moves carried.

use super::{Disclosure, DisclosureError};
use alloy::primitives::Address;
use fog::engine::{Exchange, Word};
use fog::ensure;
use game::audit::Record;
use game::{ChainEvent, GameRef, MoveFields, Phase, PlayState, SessionId, Table};
use halo2curves::bn256::Fr;
use rules::Color;

/// A game from its records.
pub struct Course {
    pub game: GameRef,
    /// Before each move, and after the last.
    pub(super) positions: Vec<PlayState>,
    pub(super) moves: Vec<MoveFields>,
    /// Whether it is over.
    is_over: bool,
    /// The view keys that White and Black have published on chain.
    published: [Option<Word>; 2],
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
        let first = |color: Color| moves.get(color.index()).map(|fields: &MoveFields| fields.next_commitment);
        let published = Color::ALL.map(|color| table.view_key_of(color, first(color)));
        Ok(Self { game, positions, moves, is_over: table.ending().is_some(), published })
    }

    /// Whether the game is over: before that a disclosure gives a board away.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The colour that an account plays.
    pub(super) fn color_of(&self, player: Address) -> Option<Color> {
        self.start().color_of(player)
    }

    /// The view key that a player has published on chain.
    pub(super) fn published(&self, color: Color) -> Option<Word> {
        self.published[color.index()]
    }

    /// The view keys that disclosures add to the chain's, as records: none before the game is over, and none of a player that has
    /// published its own. Only [`check`](super::check()) says whether the disclosures are their players'.
    pub fn opened(&self, disclosures: &[Disclosure]) -> Vec<Record> {
        let is_new = |disclosure: &&Disclosure| {
            self.is_over && self.color_of(disclosure.player).is_some_and(|color| self.published(color).is_none())
        };
        let record = |Disclosure { player, view_key, .. }: &Disclosure| {
            Record::of_chain(ChainEvent::ViewKeyPublished { player: *player, key: **view_key }, None)
        };
        disclosures.iter().filter(is_new).map(record).collect()
    }

    /// The game as it began.
    pub(super) fn start(&self) -> &PlayState {
        &self.positions[0]
    }

    /// Every sight that there was a place for, with the number of its position and its exchange. After a king's fall nobody sees any more.
    pub(super) fn sights(&self) -> Vec<(SessionId, usize, Exchange)> {
        let has_fallen = self.moves.last().is_some_and(|last| last.king_fell);
        let seen = self.positions.len() - usize::from(has_fallen);
        let sight = |number: usize| {
            [Phase::Post, Phase::Pre].into_iter().filter_map(move |phase| {
                let exchange = self.positions[number].exchange(phase)?;
                let ply = u16::try_from(exchange.ply).ok()?;
                Some((SessionId::Exchange { ply, phase }, number, exchange))
            })
        };
        (0..seen).flat_map(sight).collect()
    }

    /// What was promised on chain of a sight.
    pub(super) fn promised(&self, session: SessionId) -> Option<Fr> {
        let SessionId::Exchange { ply, phase: Phase::Pre } = session else { return None };
        self.positions.get(usize::from(ply)).map(|play| play.answer_root)
    }

    /// Whether a player must have come to the end of a session: it has made the move that it was for.
    pub(super) fn was_used(&self, session: SessionId, color: Color) -> bool {
        match session {
            SessionId::SetUp => self.moves.len() > color.index(),
            SessionId::Exchange { ply, phase } => phase == Phase::Pre && usize::from(ply) < self.moves.len(),
        }
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
}

fog::redacted!(Course);
