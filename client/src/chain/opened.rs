//! Games that this wallet has opened and whose opener hasn't been told so: `create` timed out, or the machine stopped. Given again it
//! must go on with them, or it would pay a second stake for a game that nobody asked for.

use super::contract::IFogmate::createCall;
use super::{Chain, ChainError, Receipt, Status, types};
use crate::sender::{Entry, Fate, Ticket};
use alloy::network::TransactionBuilder as _;
use alloy::sol_types::SolCall as _;
use game::{Opening, Terms};
use std::time::Instant;

impl Chain {
    /// The latest opening with these terms that is on its way or in a block, if its opener doesn't know and nobody has joined it. When it
    /// expires doesn't count: that depends on when the command was given.
    pub(crate) async fn opened_before(&self, terms: &Terms) -> Result<Option<(Opening, Ticket)>, ChainError> {
        let ledger = self.ledger()?;
        for entry in ledger.entries().iter().rev().filter(|entry| !entry.is_acknowledged()) {
            let Some(opening) = self.opening_of(entry)? else {
                continue;
            };
            let same = Terms { expiry: terms.expiry, ..opening.terms } == *terms;
            let waits = match entry.fate() {
                Fate::UnderWay => same,
                Fate::Mined(mined) if same && mined.succeeded => {
                    let game = opening.game_id(self.config.chain_id, self.config.contract);
                    self.game(game).await?.status == Status::Open
                }
                Fate::Mined(_) | Fate::Failed(_) => false,
            };
            if waits {
                return Ok(Some((opening, entry.ticket())));
            }
        }
        Ok(None)
    }

    /// Goes on with an opening until it is in a block.
    pub(crate) async fn go_on(&self, opening: &Opening, ticket: Ticket) -> Result<(Ticket, Receipt), ChainError> {
        let owner = self.owner.as_ref().ok_or(ChainError::ReadOnly)?;
        let mined = owner.settled(ticket, Instant::now()).await?;
        let ledger = owner.ledger()?;
        match (mined, ledger.entry(ticket)) {
            (Some(mined), Some(entry)) => {
                let call = &entry.wish().call;
                let request = alloy::rpc::types::TransactionRequest::default()
                    .with_from(owner.account())
                    .with_to(call.to)
                    .with_value(call.value)
                    .with_input(call.input.clone());
                Ok((ticket, self.receipt(request, &mined, call.input.len()).await?))
            }
            // Another transaction has taken its nonce.
            _ => self.open(opening).await,
        }
    }

    /// What an entry opens, if it opens a game.
    fn opening_of(&self, entry: &Entry) -> Result<Option<Opening>, ChainError> {
        let call = &entry.wish().call;
        if call.to != self.config.contract {
            return Ok(None);
        }
        let Ok(call) = createCall::abi_decode_validate(&call.input) else {
            return Ok(None);
        };
        Ok(Some(Opening {
            creator: self.account().ok_or(ChainError::ReadOnly)?,
            nonce: call.nonce.into(),
            terms: types::terms(&call.terms)?,
            toss: call.tossCommitment,
            fog_key: types::fog_key(&call.fogKey)?,
        }))
    }
}
