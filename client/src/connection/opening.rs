//! Opening a game once. An opening that was signed is kept until its opener knows of it: given again, the command goes on with it instead of paying a
//! second stake, and one with other terms is refused before anything is signed.

use std::time::Instant;

use alloy::primitives::B256;
use alloy::rpc::types::TransactionRequest;

use super::{Connection, GameError, Refusal};
use crate::chain::{Alone, ChainError, Receipt, alone_in_opening};
use crate::sender::{Entry, Fate};

/// A game that was opened.
#[derive(Clone, Copy, Debug)]
pub struct Created {
    pub game: B256,
    /// The last second in which it can be joined, since 1970.
    pub expiry: u64,
    /// The transaction that opened it.
    pub receipt: Receipt,
    /// Whether an earlier command has sent that.
    pub earlier: bool,
    /// Whether it waits for an opponent still; otherwise it is in play.
    pub is_open: bool,
}

/// Where a game stands, as far as it matters to who has opened it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It waits for an opponent.
    Open,
    Playing,
    Over,
}

/// An opening that was signed, as a game reads it from its calldata.
pub(crate) struct Opened {
    pub game: B256,
    /// The last second in which it can be joined, since 1970.
    pub expiry: u64,
    /// Whether its terms are those that are wanted now. When it expires doesn't count: that depends on when the command was given.
    pub is_same: bool,
}

impl Connection {
    /// Waits until no other process of this wallet opens a game, and tells others that this one does for as long as the answer is kept.
    pub(crate) async fn alone_in_opening(&self) -> Result<Option<Alone>, ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let start = Instant::now();
        loop {
            let alone = alone_in_opening(self.transactions.as_deref(), account, self.place.chain_id);
            if alone.is_some() || start.elapsed() > self.timeout {
                return Ok(alone);
            }
            tokio::time::sleep(self.poll).await;
        }
    }

    /// The game of an earlier opening with the wanted terms that its opener doesn't know of: one on its way is waited for, of any other
    /// `standing` says how the contract has the game, which mustn't be over. `read` reads calldata of the contract.
    ///
    /// # Errors
    ///
    /// [`GameError::OtherOpening`] if one with other terms is on its way, [`GameError::BeingOpened`] if one with these isn't in a block in time,
    /// [`GameError::LateReceipt`] if the game is there and the node has no receipt of it, the contract's refusals and the node's failures.
    pub(crate) async fn opened_before<R: Refusal, F>(
        &self,
        read: impl Fn(&[u8]) -> Option<Opened>,
        standing: impl AsyncFn(B256) -> Result<Standing, GameError<R, F>>,
    ) -> Result<Option<Created>, GameError<R, F>> {
        // Also what another machine of this wallet has sent, and what nodes were late with.
        self.take_over().await?;
        let ledger = self.owner()?.ledger()?;
        let unknown = ledger.entries().iter().rev().filter(|entry| !entry.is_acknowledged());
        let of_contract = unknown.filter(|entry| entry.wish().call.calls(self.place.contract));
        let openings: Vec<(&Entry, Opened)> =
            of_contract.filter_map(|entry| Some((entry, read(&entry.wish().call.input)?))).collect();
        for (entry, Opened { game, expiry, .. }) in openings.iter().filter(|(_, opened)| opened.is_same) {
            let (game, expiry, call) = (*game, *expiry, &entry.wish().call);
            let (receipt, standing) = match entry.fate() {
                // The same call is under way: nothing new is signed for it.
                Fate::UnderWay => {
                    let request = TransactionRequest { to: Some(call.to), ..TransactionRequest::default() };
                    let request = request.value(call.value).input(call.input.clone().into());
                    let sent = self.send(request, entry.wish().subject.clone(), entry.wish().priority).await;
                    (sent.map_err(|error| GameError::from(error).of_opening(game))?, Standing::Open)
                }
                Fate::Mined(mined) if mined.succeeded => match standing(game).await {
                    Ok(Standing::Over) => continue,
                    Ok(standing) => (Receipt::of(&mined, call.input.len()), standing),
                    // What one of several machines has seen in a block another one lacks.
                    Err(GameError::NoGame { .. }) => return Err(ChainError::Behind.into()),
                    Err(error) => return Err(error),
                },
                // What the record says of any other counts for nothing: a node may be late with its receipts. The contract knows.
                Fate::Mined(_) | Fate::Failed(_) => match standing(game).await {
                    Ok(Standing::Over) | Err(GameError::NoGame { .. }) => continue,
                    Ok(Standing::Open | Standing::Playing) => return Err(GameError::LateReceipt(game)),
                    Err(error) => return Err(error),
                },
            };
            let is_open = standing == Standing::Open;
            return Ok(Some(Created { game, expiry, receipt, earlier: true, is_open }));
        }
        let mut under_way = openings.iter().filter(|(entry, _)| entry.fate() == Fate::UnderWay);
        match under_way.next() {
            Some((entry, Opened { game, .. })) => {
                let stake = entry.wish().call.value.saturating_to();
                Err(GameError::OtherOpening { game: *game, stake })
            }
            None => Ok(None),
        }
    }

    /// The user knows of a game that was opened: the same terms open another one from now on.
    ///
    /// # Errors
    ///
    /// If the record of the wallet's transactions can't be written.
    pub async fn acknowledge(&self, created: &Created) -> Result<(), ChainError> {
        let owner = self.owner()?;
        let is_it = |entry: &&Entry| entry.versions().iter().any(|version| version.hash == created.receipt.transaction);
        let ticket = owner.ledger()?.entries().iter().find(is_it).map(Entry::ticket);
        match ticket {
            Some(ticket) => owner.acknowledge(ticket).await,
            None => Ok(()),
        }
    }
}
