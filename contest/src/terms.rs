//! What a game is opened with, and its id.

use alloy_primitives::{Address, B256, U256};
use fog::word::keccak256;

use crate::Rules;

/// What the players agree on; `S` is what only one game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<S> {
    /// What each player puts in, in wei; below 2^96.
    pub stake: u128,
    /// The time for each action, in seconds: who lets it pass has lost.
    pub turn: u32,
    /// The last block time at which the game can be joined, in seconds.
    pub expiry: u64,
    /// Who may join; anyone if there is none.
    pub opponent: Option<Address>,
    pub setup: S,
}

/// An invitation: all that a game's id hangs on.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<R: Rules> {
    pub chain_id: u64,
    pub contract: Address,
    /// Who opens the game, and has the first turn.
    pub creator: Address,
    /// Tells games of the same creator apart.
    pub nonce: B256,
    pub terms: Terms<R::Setup>,
    /// What the creator begins with.
    pub entry: R::Entry,
}

impl<R: Rules> Opening<R> {
    /// The game's id: `keccak256(abi.encode(chain, contract, creator, nonce, stake, setup…, turn, expiry, opponent, entry…))`.
    pub fn game_id(&self) -> B256 {
        let Terms { stake, turn, expiry, opponent, setup } = &self.terms;
        let place = [U256::from(self.chain_id).into(), self.contract.into_word(), self.creator.into_word(), self.nonce];
        let times = [U256::from(*turn).into(), U256::from(*expiry).into(), opponent.unwrap_or_default().into_word()];
        let (setup, entry) = (R::setup_words(setup), R::entry_words(&self.entry));
        hash(&[&place[..], &[U256::from(*stake).into()], &setup, &times, &entry].concat())
    }
}

/// The hash of words: `keccak256(abi.encode(words…))`.
pub(crate) fn hash(words: &[B256]) -> B256 {
    keccak256(words.iter().flat_map(|word| word.0).collect::<Vec<u8>>().as_slice()).into()
}
