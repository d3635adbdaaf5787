//! What everybody can see of a game of tag.

use fog::F;

use crate::Role;
use crate::tag::{Reply, Set, Size};

/// What is agreed besides stake and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    pub size: Size,
    /// Plies after which the game is drawn; at least 1.
    pub plies: u16,
}

/// What a game in play waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Step,
    /// The other's reply to it.
    Reply,
    /// After the last ply: that the player whose turn it would be captures or settles.
    Last,
}

/// A king in public: the commitment to its position, and its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct King {
    pub(super) commitment: F,
    pub(super) set: Set,
    pub(super) set_hash: F,
}

/// The public state of a game of tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    pub(super) ply: u16,
    pub(super) kings: [Option<King>; 2],
    /// The reply that came with the latest step.
    pub(super) answered: Option<Reply>,
}

impl Tag {
    pub fn size(&self) -> Size {
        self.setup.size
    }

    /// Plies after which the game is drawn.
    pub fn plies(&self) -> u16 {
        self.setup.plies
    }

    /// What the game waits for, once it is in play.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Plies that are over.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// Who steps at this ply.
    pub fn mover(&self) -> Role {
        Role::of_turn(self.ply.into())
    }

    /// The commitment of a player's king; none before it is placed.
    pub fn commitment(&self, role: Role) -> Option<F> {
        self.kings[role as usize].map(|king| king.commitment)
    }

    /// The standing set of a player; none before its king is placed.
    pub fn set(&self, role: Role) -> Option<Set> {
        self.kings[role as usize].map(|king| king.set)
    }

    /// The reply that came with the latest step, by which the player that is due may capture.
    pub fn answered(&self) -> Option<Reply> {
        self.answered
    }
}
