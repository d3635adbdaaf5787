//! What the model keeps of a game. Unlike the contract it keeps whole histories and looks things up in them, so that it shares
//! neither layout nor formulas with contract or client.

use super::Refusal;
use super::exchanges::Owed;
use super::purse::Purse;
use alloy::primitives::{Address, B256};
use fog::curve::FogKey;
use fog::engine::Registration;
use game::{ChainEvent, GameRef, Opening};
use halo2curves::bn256::Fr;
use rules::Square;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    CreatorReveals,
    JoinerReveals,
    Playing,
    Over,
}

/// Why the clock of the player to move stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    None,
    Sight,
    FiftyMoves,
}

#[derive(Clone, Debug)]
pub(super) struct Player {
    pub account: Address,
    /// What it registered: its fog key.
    pub registration: Registration,
    pub toss: B256,
    /// The commitments to its states: the start, and one after each of its moves.
    pub commitments: Vec<Fr>,
    /// The root of its standing request; 0 before its first move.
    pub request_root: Fr,
    /// Seconds left when its clock last stopped.
    pub clock: u64,
    /// Whether it has demanded the sight after its latest move.
    pub post_demanded: bool,
    /// The first ply at which it may claim fifty moves.
    pub claims_from: u16,
}

impl Player {
    /// The coordinates of the fog key that it registered.
    pub fn fog_key(&self) -> Result<(Fr, Fr), Refusal> {
        FogKey::from_bytes(&self.registration).map(|key| key.xy()).map_err(|_| "BadFogKey")
    }
}

/// A demand or a claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// The last second to answer it.
    pub deadline: u64,
    /// What must be answered; none of a claim, and once the bond is settled.
    pub owed: Option<Owed>,
    /// Whether its bond is still here. Amounts are the contract's tests' business.
    pub has_bond: bool,
    /// Whether its window counts.
    pub is_open: bool,
}

/// The contract's storage for one game.
#[derive(Clone, Debug)]
pub struct ModelChain {
    /// Which game it is.
    pub game: GameRef,
    pub(super) opening: Opening,
    pub(super) status: Status,
    /// The creator and the joiner.
    pub(super) players: Vec<Player>,
    /// Which of them plays White.
    pub(super) white: usize,
    pub(super) creator_share: B256,
    /// The captured square of each ply.
    pub(super) captures: Vec<Option<Square>>,
    /// The root of the answer for the player to move.
    pub(super) answer_root: Fr,
    pub(super) draw_offered: bool,
    pub(super) hold: Hold,
    pub(super) pre_demanded: bool,
    /// Of the hold, of White, of Black.
    pub(super) demands: [Option<Demand>; 3],
    /// The inputs and the proof of the last move, if nothing has verified it.
    pub(super) unproven: Option<(Vec<Fr>, Vec<u8>)>,
    pub now: u64,
    /// From when the delay of the ply to come is counted; while a share is to be revealed, the time of the join.
    pub(super) since: u64,
    /// All its events, the earliest first.
    pub log: Vec<Logged>,
    pub purse: Purse,
    /// Wei for a unit of gas.
    pub base_fee: u128,
}

/// An event in the log, with its block's time.
#[derive(Clone, Debug)]
pub struct Logged {
    pub event: ChainEvent,
    pub time: u64,
}

impl ModelChain {
    /// A copy of this contract with an empty log, to see what it makes of a transaction.
    pub fn trial(&self) -> Self {
        let (players, captures) = (self.players.clone(), self.captures.clone());
        Self { players, captures, unproven: self.unproven.clone(), log: Vec::new(), ..*self }
    }

    /// The number of the ply to come.
    pub fn ply(&self) -> u16 {
        u16::try_from(self.captures.len()).expect("the game ends before")
    }

    /// The role that plays a color, and the color that a role plays: White is 0.
    pub(super) fn role_of(&self, color: usize) -> usize {
        if color == 0 { self.white } else { 1 - self.white }
    }

    pub(super) fn color_to_move(&self) -> usize {
        self.captures.len() % 2
    }

    pub(super) fn role_to_move(&self) -> usize {
        self.role_of(self.color_to_move())
    }

    /// The square of the last capture.
    pub(super) fn pending(&self) -> Option<Square> {
        self.captures.last().copied().flatten()
    }

    /// Plies since the last capture.
    pub(super) fn quiet_plies(&self) -> usize {
        self.captures.iter().rev().take_while(|capture| capture.is_none()).count()
    }

    /// The commitment to a role's state as it stands.
    pub(super) fn commitment(&self, role: usize) -> Fr {
        *self.players[role].commitments.last().expect("the colors are drawn")
    }

    pub(super) fn emit(&mut self, event: ChainEvent) {
        let time = self.now;
        self.log.push(Logged { event, time });
    }
}
