//! What a game with a small contract of its own, in [`crate::contest`], needs of the chain: a connection, the contract's logs with
//! their times, what is final, and a way for actions to the one owner of the wallet's transactions ([`crate::sender`]), which all games share.
//! What actions and events mean belongs to each game.

mod costs;
mod error;
mod finality;
mod list;
mod logs;
mod opening;
mod send;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alloy::eips::BlockNumberOrTag;
use alloy::primitives::{Address, B256};
use alloy::providers::{DynProvider, Provider as _};
use chain::{BlockRef, Nodes};

use crate::chain::{
    ChainError, DEFAULT_MAX_FEE, Dialect, Finality, Manner, Owner, confirmations, connected, owner_of, unix,
};
use crate::sender::{Rules, Subject};
use crate::wallet::Wallet;

pub use costs::Mined;
pub(crate) use error::NO_OPPONENT;
pub use error::{GameError, Refusal};
pub use list::{Beginnings, Listed};
pub use logs::Told;
pub use opening::Created;
pub(crate) use opening::{Opened, Standing};

/// How long a claim that came to nothing isn't tried again: the chain's own clock may be behind.
pub(crate) const CLAIM_PAUSE: Duration = Duration::from_secs(5);

/// Where a contract stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub chain_id: u64,
    /// The contract, whose code has been compared.
    pub contract: Address,
    /// The block of its deployment.
    pub block: u64,
}

#[derive(Clone)]
pub struct ConnectionConfig {
    /// The node, `http://host:port` or `https://host`.
    pub rpc: String,
    /// Where the contract stands.
    pub place: Place,
    /// When a block counts as final.
    pub finality: Finality,
    /// Other nodes, with which the blocks that count as final are compared, and which take over where the first falls silent.
    pub cross_checks: Vec<String>,
    /// Most that is paid for a unit of gas, in wei.
    pub max_fee: u128,
    /// The folder of the record of the wallet's transactions, which all its processes share. None: it is kept in memory.
    pub transactions: Option<PathBuf>,
}

// The node's URL often has a key in it.
fog::redacted!(ConnectionConfig);

impl ConnectionConfig {
    /// The configuration for a contract, with finality as befits its chain.
    pub fn new(rpc: &str, place: Place) -> Self {
        let (finality, cross_checks) = (Finality::of_chain(chain::is_local(place.chain_id)), Vec::new());
        Self { rpc: rpc.to_owned(), place, finality, cross_checks, max_fee: DEFAULT_MAX_FEE, transactions: None }
    }
}

/// A block, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub number: u64,
    pub hash: B256,
    /// Its time, in seconds since 1970.
    pub time: u64,
}

/// A connection to a game's contract, with a wallet or to read only.
pub struct Connection {
    pub(crate) provider: DynProvider,
    place: Place,
    finality: Finality,
    nodes: Nodes,
    /// The last block that no other node denies.
    compared: Mutex<Option<BlockRef>>,
    poll: Duration,
    /// How long a transaction is waited for.
    timeout: Duration,
    /// The folder of the record of the wallet's transactions.
    transactions: Option<PathBuf>,
    owner: Option<Arc<Owner>>,
}

fog::redacted!(Connection);

impl Connection {
    /// Connects as the owner of a wallet, or without one. `subject` says what a call of the contract is for, `R` are its refusals.
    pub(crate) async fn connect<R: Refusal>(
        config: &ConnectionConfig,
        wallet: Option<&Wallet>,
        subject: fn(&[u8]) -> Subject,
    ) -> Result<Self, ChainError> {
        // Signing is the owner's.
        let ConnectionConfig { place, finality, max_fee, .. } = *config;
        let nodes = connected(&config.rpc, &config.cross_checks, place.chain_id).await?;
        let provider = nodes.provider().clone();
        let is_local = chain::is_local(place.chain_id);
        let poll = Duration::from_millis(if is_local { 50 } else { 2_000 });
        let timeout = Duration::from_secs(if is_local { 30 } else { 300 });
        let owner = match wallet {
            None => None,
            Some(wallet) => {
                let (account, contract) = (wallet.address(), place.contract);
                let confirmations = confirmations(finality);
                let rules = Rules { account, contract, ceiling: max_fee, confirmations };
                let manner = Manner { rules, folder: config.transactions.as_deref(), poll, timeout };
                let dialect = Dialect { contract: place.contract, subject, refusal: error::refusal::<R> };
                Some(Arc::new(owner_of(&provider, wallet, place.chain_id, dialect, manner).await?))
            }
        };
        let (compared, transactions) = (Mutex::default(), config.transactions.clone());
        Ok(Self { provider, place, finality, nodes, compared, poll, timeout, transactions, owner })
    }

    /// The owner of the wallet's transactions.
    fn owner(&self) -> Result<&Arc<Owner>, ChainError> {
        self.owner.as_ref().ok_or(ChainError::ReadOnly)
    }

    /// Where the contract stands.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether the chain exists on one machine only.
    pub fn is_local(&self) -> bool {
        chain::is_local(self.place.chain_id)
    }

    /// The wallet's address; none if this connection only reads.
    pub fn account(&self) -> Option<Address> {
        self.owner.as_ref().map(|owner| owner.account())
    }

    /// How often to look.
    pub fn poll(&self) -> Duration {
        self.poll
    }

    pub async fn head(&self) -> Result<Head, ChainError> {
        self.block(BlockNumberOrTag::Latest).await
    }

    /// The latest block's time, in seconds since 1970.
    pub async fn time(&self) -> Result<u64, ChainError> {
        Ok(self.head().await?.time)
    }

    /// The chain's time now: this machine's date where the latest block is older.
    pub async fn now(&self) -> Result<u64, ChainError> {
        Ok(self.time().await?.max(unix()))
    }

    /// A block by its number; [`ChainError::Behind`] if the node doesn't have it.
    pub async fn block_at(&self, number: u64) -> Result<Head, ChainError> {
        self.block(number.into()).await
    }

    async fn block(&self, block: BlockNumberOrTag) -> Result<Head, ChainError> {
        let block = self.provider.get_block_by_number(block).await?;
        let header = block.ok_or(ChainError::Behind)?.header;
        Ok(Head { number: header.number, hash: header.hash, time: header.timestamp })
    }
}
