//! Opening a game once. An opening that was signed is kept until its opener knows of it: given again, the command goes on with it instead of paying a
//! second stake, and one with other terms is refused before anything is signed.

use std::time::Instant;

use alloy::primitives::B256;
use chain::send::{Entry, TxId, TxStatus};
use contest::{Opening, Terms};

use super::Chain;
use super::error::GameError;
use super::game::Contract;
use crate::chain::{Alone, ChainError, Receipt};

/// A game that was opened.
#[derive(Clone, Copy, Debug)]
pub struct Created {
    pub game: B256,
    /// The last second in which it can be joined, since 1970.
    pub expiry: u64,
    /// The transaction that opened it, and its number in the wallet's record: once it is acknowledged, the same terms open another game.
    pub receipt: Receipt,
    pub id: TxId,
    /// Whether an earlier command has sent that.
    pub earlier: bool,
    /// Whether it waits for an opponent still; otherwise it is in play.
    pub is_open: bool,
}

impl<G: Contract> Chain<G> {
    /// Waits until no other process of this wallet opens a game, and tells others that this one does for as long as the answer is kept.
    pub(super) async fn wait_to_open(&self) -> Result<Option<Alone>, ChainError> {
        let start = Instant::now();
        loop {
            let alone = self.alone_in_opening();
            if alone.is_some() || start.elapsed() > self.config().timeout {
                return Ok(alone);
            }
            tokio::time::sleep(self.config().poll).await;
        }
    }

    /// The game of an earlier opening with these terms that its opener doesn't know of: one on its way is waited for, of any other the contract says
    /// whether it is there, and it mustn't be over. When it expires doesn't count: that depends on when the command was given.
    ///
    /// # Errors
    ///
    /// [`GameError::OtherOpening`] if one with other terms is on its way, [`GameError::BeingOpened`] if one with these isn't in a block in time,
    /// [`GameError::LateReceipt`] if the game is there and the node has no receipt of it, the contract's refusals and the node's failures.
    pub(super) async fn opened_before(&self, terms: &Terms<G::Setup>) -> Result<Option<Created>, GameError<G>> {
        // Also what another machine of this wallet has sent, and what nodes were late with.
        self.take_over().await?;
        let (ledger, creator) = (self.ledger()?, self.account().ok_or(ChainError::ReadOnly)?);
        let unknown = ledger.entries().iter().rev().filter(|entry| !entry.acknowledged);
        let of_contract = unknown.filter(|entry| entry.request.call.calls(self.config().contract));
        let read = |entry: &Entry| G::opened(self.config(), creator, &entry.request.call.input);
        let openings: Vec<(&Entry, Opening<G>)> = of_contract.filter_map(|entry| Some((entry, read(entry)?))).collect();
        let is_same = |opening: &Opening<G>| Terms { expiry: terms.expiry, ..opening.terms } == *terms;
        for (entry, opening) in openings.iter().filter(|(_, opening)| is_same(opening)) {
            let (game, expiry) = (opening.game_id(), opening.terms.expiry);
            let (receipt, is_open) = match entry.status() {
                // The same call is under way: nothing new is signed for it.
                TxStatus::UnderWay => {
                    let sent = self.carry(&entry.request).await;
                    (sent.map_err(|error| error.of_opening(game))?.1, true)
                }
                TxStatus::Mined(mined) if mined.succeeded => match self.latest(game).await {
                    Ok(latest) if latest.is_over() => continue,
                    Ok(latest) => (Receipt::of(&mined, entry.request.call.input.len()), latest.is_open),
                    // What one of several machines has seen in a block another one lacks.
                    Err(GameError::NoGame { .. }) => return Err(ChainError::Behind.into()),
                    Err(error) => return Err(error),
                },
                // What the record says of any other counts for nothing: a node may be late with its receipts. The contract knows.
                TxStatus::Mined(_) | TxStatus::Failed(_) => match self.latest(game).await {
                    Ok(latest) if !latest.is_over() => return Err(GameError::LateReceipt(game)),
                    Ok(_) | Err(GameError::NoGame { .. }) => continue,
                    Err(error) => return Err(error),
                },
            };
            return Ok(Some(Created { game, expiry, id: entry.id, receipt, earlier: true, is_open }));
        }
        let mut under_way = openings.iter().filter(|(entry, _)| entry.status() == TxStatus::UnderWay);
        match under_way.next() {
            Some((entry, opening)) => {
                let stake = entry.request.call.value.saturating_to();
                Err(GameError::OtherOpening { game: opening.game_id(), stake })
            }
            None => Ok(None),
        }
    }
}
