//! What an earlier command of this wallet has sent and could not tell its user, because it timed out or the machine stopped. Given again,
//! `create` goes on with that game, or it would pay a second stake for one that nobody asked for; `join` says that it has joined.

use super::{Chain, ChainError, ContractError, Receipt, Status, owner};
use crate::private;
use crate::sender::{Entry, Fate, Ticket};
use alloy::primitives::{Address, B256};
use alloy::sol_types::SolCall as _;
use events::IFogmate::{IFogmateErrors, createCall, joinCall};
use events::types;
use fog::engine::engine_name;
use game::{Opening, Terms};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Instant;

/// Held by the one process of a wallet that opens a game.
pub(crate) struct Alone {
    _lock: Option<File>,
}

/// Locks the opening of games by a wallet, in the folder that its processes share: see [`Chain::alone_in_opening`].
pub(crate) fn alone_in_opening(folder: Option<&Path>, account: Address, chain_id: u64) -> Option<Alone> {
    let Some(folder) = folder else {
        return Some(Alone { _lock: None });
    };
    let path = folder.join(format!("{account:x}-{chain_id}.opening"));
    let Ok(file) = private::file(&path) else {
        return Some(Alone { _lock: None });
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        _ => Some(Alone { _lock: Some(file) }),
    }
}

impl Chain {
    /// The latest opening with these terms, for the engine of this name (`None` for sight-lines), that is on its way or in a block, if its
    /// opener doesn't know and it isn't over: somebody may have joined it meanwhile, and waits. When it expires doesn't count: that depends on when the command was given.
    pub(crate) async fn opened_before(
        &self,
        terms: &Terms,
        engine: Option<&str>,
    ) -> Result<Option<(Opening, Ticket)>, ChainError> {
        self.learn_of_late_ones().await?;
        let ledger = self.ledger()?;
        for entry in ledger.entries().iter().rev().filter(|entry| !entry.is_acknowledged()) {
            let Some(opening) = self.opening_of(entry)? else {
                continue;
            };
            let its_engine = engine_name(&opening.registration).filter(|_| !terms.mode.has_proofs());
            let same = Terms { expiry: terms.expiry, ..opening.terms } == *terms && its_engine == engine;
            if !same {
                continue;
            }
            let is_open = match (entry.fate(), self.status(&opening).await) {
                (Fate::UnderWay, _) => true,
                // In a block by its receipt: a machine that hasn't got so far gives no leave for a second stake.
                (Fate::Mined(mined), Ok(None)) if mined.succeeded => return Err(ChainError::Behind),
                // What the record says of the others counts for nothing: a node may be late with its receipts. The contract knows.
                (_, status) => status?.is_some_and(|status| status != Status::Over),
            };
            if is_open {
                return Ok(Some((opening, entry.ticket())));
            }
        }
        Ok(None)
    }

    /// Tells other processes of this wallet that one opens a game: `None` if another does. Where nothing is shared with them, or the disk has
    /// no room for a lock, none is known.
    pub(crate) fn alone_in_opening(&self) -> Option<Alone> {
        let folder = self.config.transactions.as_deref();
        alone_in_opening(folder, self.account().unwrap_or_default(), self.config.chain_id)
    }

    /// Goes on with an opening until it is in a block.
    pub(crate) async fn go_on(&self, opening: &Opening, ticket: Ticket) -> Result<(Ticket, Receipt), ChainError> {
        let owner = self.owner.as_ref().ok_or(ChainError::ReadOnly)?;
        let mined = owner.settled(ticket, Instant::now()).await?;
        let ledger = owner.ledger()?;
        match (mined, ledger.entry(ticket)) {
            (Some(mined), Some(entry)) => {
                let call = &entry.wish().call;
                let receipt = self.receipt(owner::request(owner.account(), call), &mined, call.input.len()).await?;
                Ok((ticket, receipt))
            }
            // It is there, and the node has no receipt so far.
            _ if self.is_there(opening).await? => Err(ChainError::Behind),
            // Another transaction has taken its nonce.
            _ => self.open_new(opening).await,
        }
    }

    /// Opens a game that nobody else can open: where the contract has it already, it is in a block, and the node has no receipt so far.
    pub(crate) async fn open_new(&self, opening: &Opening) -> Result<(Ticket, Receipt), ChainError> {
        match self.open(opening).await {
            Err(ChainError::Refused(ContractError(IFogmateErrors::GameExists(_)))) => Err(ChainError::Behind),
            result => result,
        }
    }

    /// Whether the game of an opening is on the chain and not over.
    async fn is_there(&self, opening: &Opening) -> Result<bool, ChainError> {
        Ok(self.status(opening).await?.is_some_and(|status| status != Status::Over))
    }

    /// How the game of an opening stands; none if the chain doesn't have it.
    async fn status(&self, opening: &Opening) -> Result<Option<Status>, ChainError> {
        match self.game(opening.game_id(self.config.chain_id, self.config.contract)).await {
            Ok(state) => Ok(Some(state.status)),
            Err(ChainError::NoGame(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks for the receipts that nodes had not when they were last asked. The chain is asked, whatever the record thinks settled.
    async fn learn_of_late_ones(&self) -> Result<(), ChainError> {
        match &self.owner {
            Some(owner) => owner.take_over().await,
            None => Ok(()),
        }
    }

    /// The transaction with which this account has joined a game, if it is remembered.
    pub(crate) async fn joined_before(&self, game: B256) -> Result<Option<Receipt>, ChainError> {
        let Some(owner) = &self.owner else {
            return Ok(None);
        };
        // It may have been included since anybody looked.
        self.learn_of_late_ones().await?;
        for entry in owner.ledger()?.entries() {
            let call = &entry.wish().call;
            let joins = joinCall::abi_decode_validate(&call.input).is_ok_and(|join| join.gameId == game);
            if let (Fate::Mined(mined), true, true) = (entry.fate(), joins, call.calls(self.config.contract))
                && mined.succeeded
            {
                let request = owner::request(owner.account(), call);
                return Ok(self.receipt(request, &mined, call.input.len()).await.ok());
            }
        }
        Ok(None)
    }

    /// What an entry opens, if it opens a game.
    fn opening_of(&self, entry: &Entry) -> Result<Option<Opening>, ChainError> {
        let call = &entry.wish().call;
        if !call.calls(self.config.contract) {
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
            registration: types::registration(&call.fogKey),
        }))
    }
}
