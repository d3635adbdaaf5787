//! The plies of a game between the machines, the position after each, and who has signed what.

use crate::journal::{Entry, KeptPly};
use alloy::primitives::{Address, B256};
use game::{ChainEvent, GameRef, MoveFields, Position, SignedPly, Table, Terms, move_name, signer};
use rules::Color;

/// A ply that was made, and what follows from it.
pub(super) struct Made {
    pub kept: KeptPly,
    pub after: Position,
    /// Of the position after it.
    pub digest: B256,
    /// The other player's signature under that.
    pub countersigned: Option<[u8; 64]>,
}

/// All plies, the first one first.
pub(super) struct Line {
    pub game: GameRef,
    pub terms: Terms,
    pub own: Color,
    /// The accounts of the players, that of White first.
    players: [Address; 2],
    /// Whether this player has opened the game: its place among the signatures that the contract takes.
    pub is_creator: bool,
    start: Position,
    plies: Vec<Made>,
}

impl Line {
    /// Before the first ply; none before colors are drawn, or if the player isn't one of the game's.
    pub fn begin(table: &Table, me: Address) -> Option<Self> {
        let (play, terms) = (table.begun()?, table.terms()?);
        Some(Self {
            game: *table.game(),
            terms,
            own: play.color_of(me)?,
            players: play.players,
            is_creator: table.creator() == Some(me),
            start: Position::start(terms.base),
            plies: Vec::new(),
        })
    }

    /// How many plies there are, which is the number of the ply to come.
    pub fn len(&self) -> u16 {
        u16::try_from(self.plies.len()).unwrap_or(u16::MAX)
    }

    pub fn made(&self, ply: u16) -> Option<&Made> {
        self.plies.get(usize::from(ply))
    }

    pub fn last(&self) -> Option<&Made> {
        self.plies.last()
    }

    pub fn last_of_opponent(&self) -> Option<&Made> {
        self.plies.iter().rev().find(|made| !made.kept.own)
    }

    /// The position before the ply to come.
    pub fn position(&self) -> &Position {
        self.last().map_or(&self.start, |made| &made.after)
    }

    /// The digest of the last position.
    pub fn digest(&self) -> B256 {
        self.last().map_or_else(|| self.start.digest(&self.game), |made| made.digest)
    }

    /// Whether a king has fallen.
    pub fn is_over(&self) -> bool {
        self.last().is_some_and(|made| made.kept.signed.fields.king_fell)
    }

    /// Whether that was the own one.
    pub fn is_lost(&self) -> bool {
        self.is_over() && self.is_own_turn()
    }

    pub fn is_own_turn(&self) -> bool {
        Color::of_ply(self.len().into()) == self.own
    }

    pub fn opponent(&self) -> Address {
        self.players[(!self.own).index()]
    }

    /// Whoever makes a ply.
    pub fn mover(&self, ply: u16) -> Address {
        self.players[Color::of_ply(ply.into()).index()]
    }

    /// The position after a ply to come, and its digest.
    pub fn next(&self, fields: &MoveFields, clock: u32) -> (Position, B256) {
        let after = self.position().after(&self.game, fields, clock);
        (after, after.digest(&self.game))
    }

    /// Whether the opponent has signed a ply in the place of one that is made or comes next.
    pub fn is_signed(&self, signed: &SignedPly) -> bool {
        let before = match signed.fields.ply.checked_sub(1) {
            None => Some(&self.start),
            Some(ply) => self.made(ply).map(|made| &made.after),
        };
        let digest = before.map(|before| before.after(&self.game, &signed.fields, signed.clock).digest(&self.game));
        digest.is_some_and(|digest| signer(&digest, &signed.signature) == Some(self.opponent()))
    }

    /// Whether a later ply was signed by its mover on a ply to come.
    pub fn is_followed(&self, signed: &SignedPly, next: &SignedPly) -> bool {
        let (after, _) = self.next(&signed.fields, signed.clock);
        let digest = after.after(&self.game, &next.fields, next.clock).digest(&self.game);
        next.fields.king_fell || signer(&digest, &next.signature) == Some(self.mover(next.fields.ply))
    }

    /// A ply that is made.
    pub fn push(&mut self, kept: KeptPly) {
        let (after, digest) = self.next(&kept.signed.fields, kept.signed.clock);
        self.plies.push(Made { kept, after, digest, countersigned: None });
    }

    /// A signature under the position after a ply: whether it is that of the player who didn't make it, and new.
    pub fn countersign(&mut self, ply: u16, signature: [u8; 64]) -> bool {
        let other = self.mover(ply.saturating_add(1));
        let Some(made) = self.plies.get_mut(usize::from(ply)) else { return false };
        let is_wanted = !made.kept.signed.fields.king_fell && made.countersigned.is_none();
        let is_right = is_wanted && signer(&made.digest, &signature) == Some(other);
        if is_right {
            made.countersigned = Some(signature);
        }
        is_right
    }

    /// How many plies the latest position has that the opponent has signed.
    pub fn held(&self) -> u16 {
        let held = (0..self.len()).rev().find(|ply| self.signature_after(*ply).is_some());
        held.map_or(0, |ply| ply + 1)
    }

    /// The opponent's signature under the position after a ply.
    fn signature_after(&self, ply: u16) -> Option<[u8; 64]> {
        let made = self.made(ply).filter(|made| !made.kept.signed.fields.king_fell)?;
        if made.kept.own { made.countersigned } else { Some(made.kept.signed.signature) }
    }

    /// The latest position that the opponent has signed, with that signature.
    pub fn latest(&self) -> (Position, Option<[u8; 64]>) {
        match self.held().checked_sub(1).and_then(|ply| Some((self.made(ply)?.after, self.signature_after(ply)))) {
            Some(latest) => latest,
            None => (self.start, None),
        }
    }

    /// Whether a position is one of this line.
    pub fn has(&self, position: &Position) -> bool {
        match position.ply.checked_sub(1) {
            None => true,
            Some(ply) => self.made(ply).is_some_and(|made| made.after == *position),
        }
    }

    /// A ply as the chain would tell it. Its proof was verified when it came.
    pub fn told(&self, fields: &MoveFields) -> ChainEvent {
        let player = self.mover(fields.ply);
        ChainEvent::Moved { player, fields: *fields, basis: None, proof: None }
    }

    /// The first plies, as the chain would tell them, without one in which a king fell: of that the seat hears when the game is over.
    pub fn told_to(&self, plies: u16) -> Vec<ChainEvent> {
        let fields = self.plies.iter().map(|made| &made.kept.signed.fields);
        fields.filter(|fields| fields.ply < plies && !fields.king_fell).map(|fields| self.told(fields)).collect()
    }

    /// The ply in which a king fell.
    pub fn fallen(&self) -> Option<ChainEvent> {
        let fields = self.last().map(|made| &made.kept.signed.fields).filter(|fields| fields.king_fell)?;
        Some(self.told(fields))
    }

    /// Takes up the plies and signatures that were kept, from the ply to come on; says what is wrong with them, if anything is.
    pub fn restore<'a>(&mut self, entries: impl Iterator<Item = &'a Entry> + Clone) -> Option<String> {
        let mut kept: Vec<&KeptPly> = entries
            .clone()
            .filter_map(|entry| match entry {
                Entry::Ply(kept) => Some(&**kept),
                _ => None,
            })
            .collect();
        kept.retain(|kept| kept.signed.fields.ply >= self.len());
        kept.sort_by_key(|kept| kept.signed.fields.ply);
        let mut broken = None;
        for kept in kept {
            let fields = &kept.signed.fields;
            let mover = self.mover(fields.ply);
            let (_, digest) = self.next(fields, kept.signed.clock);
            let is_signed = fields.king_fell || signer(&digest, &kept.signed.signature) == Some(mover);
            if fields.ply != self.len() || kept.own != self.is_own_turn() || !is_signed || self.is_over() {
                broken = Some(format!("the moves that are kept break off before {}", move_name(fields.ply)));
                break;
            }
            self.push(kept.clone());
        }
        for entry in entries {
            if let Entry::Countersigned { ply, signature } = entry {
                self.countersign(*ply, *signature);
            }
        }
        broken
    }
}
