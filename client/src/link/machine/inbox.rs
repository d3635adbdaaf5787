//! What has come from the opponent: which messages are handed on, and which are repeats or too much.
//!
//! A sender repeats what wasn't acknowledged, and after a reconnection also what was. Of the latest messages the hashes are
//! remembered, so that the seat gets each once. Pure: the time is given.

use std::collections::VecDeque;
use std::time::Instant;

use alloy::primitives::B256;
use fog::ensure;
use sha2::{Digest as _, Sha256};

use super::work::Work;
use crate::link::codec::to_wire;
use crate::link::frame::Frames;
use crate::link::pieces::{Assembly, Piece};
use game::{Message, MessageKind, WireError};

/// Messages remembered to recognise repeats.
pub(super) const REMEMBERED: usize = 32;

/// Why something isn't taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// There is no room or no work left for it.
    Busy,
    /// It is no piece of what came before.
    Malformed(WireError),
}

#[derive(Debug)]
pub(super) struct Inbox {
    /// Hashes of the latest messages that were handed on, latest first.
    seen: VecDeque<B256>,
    assembly: Assembly,
    work: Work,
}

/// Tells messages apart. SHA-256, which processors have: it is no part of the protocol, and answers are long.
fn hash(message: &Message) -> B256 {
    B256::from_slice(&Sha256::digest(to_wire(message, B256::ZERO)))
}

impl Inbox {
    /// Nothing so far, in a game with these frames.
    pub(super) fn new(frames: Frames) -> Self {
        Self { seen: VecDeque::new(), assembly: Assembly::default(), work: Work::new(frames) }
    }

    /// Whether one more frame may come.
    pub(super) fn admits_frame(&mut self, now: Instant) -> bool {
        self.work.frame(now)
    }

    /// From now on what comes was asked for, and is no repeat even if it came before.
    pub(super) fn forget_repeats(&mut self) {
        self.seen.clear();
    }

    /// A message: itself if it is to be handed on, none if it is a repeat.
    pub(super) fn take(&mut self, message: Message, has_room: bool, now: Instant) -> Result<Option<Message>, NotTaken> {
        let hash = hash(&message);
        let kind = message.id().kind;
        // A wish says "again": each one counts.
        if !kind.is_wish() && self.seen.contains(&hash) {
            return Ok(None);
        }
        self.admit(kind, has_room, now)?;
        self.remember(hash);
        Ok(Some(message))
    }

    /// A piece of a message: the message if it is whole now and to be handed on.
    pub(super) fn take_piece(
        &mut self,
        piece: Piece,
        has_room: bool,
        now: Instant,
    ) -> Result<Option<Message>, NotTaken> {
        self.admit(MessageKind::Exchange, has_room, now)?;
        let Some(message) = self.assembly.take(piece).map_err(NotTaken::Malformed)? else {
            return Ok(None);
        };
        let hash = hash(&message);
        if self.seen.contains(&hash) {
            return Ok(None);
        }
        self.remember(hash);
        Ok(Some(message))
    }

    fn admit(&mut self, kind: MessageKind, has_room: bool, now: Instant) -> Result<(), NotTaken> {
        ensure!(has_room, NotTaken::Busy);
        ensure!(self.work.message(kind, now), NotTaken::Busy);
        Ok(())
    }

    fn remember(&mut self, hash: B256) {
        self.seen.truncate(REMEMBERED - 1);
        self.seen.push_front(hash);
    }

    /// Messages remembered, and bytes of one that isn't whole.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.seen.len(), self.assembly.size())
    }
}
