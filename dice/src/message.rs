//! What players say, and what a game is opened with.

use alloy_primitives::{Address, B256, U256};
use fog::word::keccak256;

use crate::{Die, Square};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What each player puts in, in wei; below 2^96.
    pub stake: u128,
    /// The time for each roll, in seconds: who lets it pass has lost.
    pub turn: u32,
    /// The last block time at which the game can be joined, in seconds.
    pub expiry: u64,
    /// Who may join; anyone if there is none, which is for games without a stake only: else the creator could take the other seat itself, ahead of
    /// a joiner whose number it has seen on its way and doesn't like.
    pub opponent: Option<Address>,
}

/// An invitation: all that a game's id hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub chain_id: u64,
    pub contract: Address,
    /// Who opens the game, and makes the first roll.
    pub creator: Address,
    /// Tells games of the same creator apart.
    pub nonce: B256,
    pub terms: Terms,
    /// The creator's promise for roll 1.
    pub promised: B256,
}

impl Opening {
    /// The game's id, and its first head: `keccak256(abi.encode(chain, contract, creator, nonce, stake, turn, expiry, opponent, promise))`.
    pub fn game_id(&self) -> B256 {
        let Terms { stake, turn, expiry, opponent } = &self.terms;
        let words = [
            U256::from(self.chain_id).into(),
            self.contract.into_word(),
            self.creator.into_word(),
            self.nonce,
            U256::from(*stake).into(),
            U256::from(*turn).into(),
            U256::from(*expiry).into(),
            opponent.unwrap_or(Address::ZERO).into_word(),
            self.promised,
        ];
        hash(&words)
    }
}

/// Joining: the joiner's number for roll 1, and its promise for roll 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The head that it follows: the game's id.
    pub head: B256,
    /// The number for roll 1.
    pub number: U256,
    /// The promise for roll 2.
    pub promised: B256,
}

impl Acceptance {
    /// The head after it.
    pub fn next_head(&self, joiner: Address) -> B256 {
        hash(&[self.head, joiner.into_word(), self.number.into(), self.promised])
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The head that it follows.
    pub head: B256,
    /// What the roller promised for it.
    pub revealed: U256,
    /// The roller's number for the next roll, the opponent's.
    pub number: U256,
    /// The roller's promise for its own next roll.
    pub promised: B256,
    /// What the roller, or the contract, says that the die shows.
    pub die: Die,
    /// Where it says that the roller then stands.
    pub square: Square,
}

impl Roll {
    /// The head after it.
    pub fn next_head(&self) -> B256 {
        hash(&[self.head, self.revealed.into(), self.number.into(), self.promised])
    }
}

/// Whatever anybody does to a game that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Anybody takes it back after its expiry. Not before: the creator would see a joiner's number on its way, and with it roll 1, and could step
    /// back at no cost.
    Cancel,
    Join(Acceptance),
    /// The player to roll rolls.
    Roll(Roll),
    /// A player gives up.
    Resign,
    /// Anybody claims what time has decided.
    ClaimTimeout,
}

fn hash(words: &[B256]) -> B256 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.0).collect();
    keccak256(&bytes).into()
}
