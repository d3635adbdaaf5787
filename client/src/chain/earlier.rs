//! What an earlier command of this wallet has sent and could not tell its user, because it timed out or the machine stopped. Given again,
//! `create` goes on with that game, or it would pay a second stake for one that nobody asked for; `join` says that it has joined.

use super::{Chain, ChainError, Connection, ContractError, Receipt, Status};
use alloy::primitives::B256;
use alloy::sol_types::SolCall as _;
use chain::private;
use chain::send::{Entry, TxId, TxStatus};
use events::IFogmate::{IFogmateErrors, createCall, joinCall};
use events::types;
use fog::engine::engine_name;
use game::{Opening, Terms};
use std::fs::{File, TryLockError};
use std::time::Instant;

/// Held by the one process of a wallet that opens a game.
pub(crate) struct Alone {
    _lock: Option<File>,
}

impl Connection {
    /// Tells other processes of this wallet that one opens a game: `None` if another does. Where nothing is shared with them, or the disk has
    /// no room for a lock, none is known.
    pub(crate) fn alone_in_opening(&self) -> Option<Alone> {
        let account = self.account().unwrap_or_default();
        let name = format!("{account:x}-{}.opening", self.config.chain_id);
        let path = self.config.transactions.as_deref().map(|folder| folder.join(name));
        let Some(file) = path.and_then(|path| private::file(&path).ok()) else {
            return Some(Alone { _lock: None });
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            _ => Some(Alone { _lock: Some(file) }),
        }
    }
}

impl Chain {
    /// The latest opening with these terms, for the engine of this name (`None` for sight-lines), that is on its way or in a block, if its
    /// opener doesn't know and it isn't over: somebody may have joined it meanwhile, and waits. When it expires doesn't count: that depends on when the command was given.
    pub(crate) async fn opened_before(
        &self,
        terms: &Terms,
        engine: Option<&str>,
    ) -> Result<Option<(Opening, TxId)>, ChainError> {
        self.take_over().await?;
        let ledger = self.ledger()?;
        for entry in ledger.entries().iter().rev().filter(|entry| !entry.acknowledged) {
            let Some(opening) = self.opening_of(entry)? else {
                continue;
            };
            let its_engine = engine_name(&opening.registration).filter(|_| !terms.mode.has_proofs());
            let same = Terms { expiry: terms.expiry, ..opening.terms } == *terms && its_engine == engine;
            if !same {
                continue;
            }
            let is_open = match (entry.status(), self.status(&opening).await) {
                (TxStatus::UnderWay, _) => true,
                // In a block by its receipt: a machine that hasn't got so far gives no leave for a second stake.
                (TxStatus::Mined(mined), Ok(None)) if mined.succeeded => return Err(ChainError::Behind),
                // What the record says of the others counts for nothing: a node may be late with its receipts. The contract knows.
                (_, status) => status?.is_some_and(|status| status != Status::Over),
            };
            if is_open {
                return Ok(Some((opening, entry.id)));
            }
        }
        Ok(None)
    }

    /// Goes on with an opening until it is in a block.
    pub(crate) async fn go_on(&self, opening: &Opening, id: TxId) -> Result<(TxId, Receipt), ChainError> {
        let sender = self.sender()?;
        let mined = sender.settled(id, Instant::now()).await?;
        let ledger = sender.ledger()?;
        match (mined, ledger.entry(id)) {
            (Some(mined), Some(entry)) => Ok((id, self.receipt(&entry.request.call, &mined).await?)),
            // It is there, and the node has no receipt so far.
            _ if self.is_there(opening).await? => Err(ChainError::Behind),
            // Another transaction has taken its nonce.
            _ => self.open_new(opening).await,
        }
    }

    /// Opens a game that nobody else can open: where the contract has it already, it is in a block, and the node has no receipt so far.
    pub(crate) async fn open_new(&self, opening: &Opening) -> Result<(TxId, Receipt), ChainError> {
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

    /// The transaction with which this account has joined a game, if it is remembered.
    pub(crate) async fn joined_before(&self, game: B256) -> Result<Option<Receipt>, ChainError> {
        if self.account().is_none() {
            return Ok(None);
        }
        // It may have been included since anybody looked.
        self.take_over().await?;
        for entry in self.ledger()?.entries() {
            let call = &entry.request.call;
            let joins = joinCall::abi_decode_validate(&call.input).is_ok_and(|join| join.gameId == game);
            if let (TxStatus::Mined(mined), true, true) = (entry.status(), joins, call.calls(self.config.contract))
                && mined.succeeded
            {
                return Ok(self.receipt(call, &mined).await.ok());
            }
        }
        Ok(None)
    }

    /// What an entry opens, if it opens a game.
    fn opening_of(&self, entry: &Entry) -> Result<Option<Opening>, ChainError> {
        let call = &entry.request.call;
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
