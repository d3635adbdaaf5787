//! The chain as a player's machine sees it: reads a game, follows its events, and sends a player's actions.
//!
//! Protocol section 8 (the contract) and section 6 (nothing that depends on a move is released before the move is
//! final). Every connection is checked first: the chain's id, and that there is code at the contract's address. What a player should do is the seat's business; this only carries it out. All that a wallet sends goes
//! through its one owner.

mod amount;
mod blocks;
mod bonds;
mod creations;
mod earlier;
mod error;
mod logs;
mod of_account;
mod openings;
mod owner;
mod records;
mod send;
mod time;
mod watch;

use fog::ensure;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, B256, U256};
use alloy::providers::{DynProvider, Provider as _};

use crate::sender::{Facts, Fees, Ledger, Priority, Rules, Ticket};
use crate::wallet::Wallet;
use chain::Nodes;
use game::{Clocks, GameRef};
use owner::Owned;
pub(crate) use owner::{Dialect, Manner, Owner};

pub use amount::{about_in_ether, in_ether};
pub use bonds::Bond;
pub use chain::{BlockRef, Finality, LogUpdate};
pub use creations::Creations;
pub(crate) use earlier::{Alone, alone_in_opening};
pub use error::{ChainError, ContractError};
pub use events::{GameState, IFogmate, Status};
pub(crate) use logs::logs;
pub use of_account::MoveUnderWay;
pub use openings::{OpenGame, Reach};
pub use owner::StoreError;
pub use send::{Receipt, priority, subject};
pub use time::ChainClock;
pub(crate) use time::unix;
pub use watch::{CALLDATA_TRIES, ChainTime, Logged, Update, Watched, Watcher};

/// Most that is paid for a unit of gas, in wei: 500 gwei, far above what a main chain asks on its worst days.
pub(crate) const DEFAULT_MAX_FEE: u128 = 500_000_000_000;
/// Blocks after which a transaction is taken for final in the wallet's record, where the chain says by itself what is: more than two epochs.
const EPOCHS: u64 = 96;

/// Where the contract is, and how patient to be.
#[derive(Clone)]
pub struct ChainConfig {
    /// The node, `http://host:port` or `https://host`.
    pub rpc: String,
    pub contract: Address,
    /// The chain it is on.
    pub chain_id: u64,
    /// The block of its deployment: no event is older.
    pub first_block: u64,
    /// When a block counts as final.
    pub finality: Finality,
    /// Other nodes, with each of which the blocks that count as final are compared, and which take over where the first falls silent.
    pub cross_checks: Vec<String>,
    /// How long to wait for a transaction to be included, before its caller is told. It stays under way.
    pub timeout: Duration,
    /// Most that is paid for a unit of gas, in wei.
    pub max_fee: u128,
    /// The folder of the record of the wallet's transactions, which all its processes share. None: it is kept in memory, and a process
    /// that ends forgets what it has sent.
    pub transactions: Option<PathBuf>,
    /// How often to look.
    pub poll: Duration,
}

/// Of the nodes only their hosts: the rest of a URL often is a key.
impl fmt::Debug for ChainConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cross_checks: Vec<String> = self.cross_checks.iter().map(|node| chain::host(node)).collect();
        f.debug_struct("ChainConfig")
            .field("rpc", &chain::host(&self.rpc))
            .field("contract", &self.contract)
            .field("chain_id", &self.chain_id)
            .field("finality", &self.finality)
            .field("cross_checks", &cross_checks)
            .finish_non_exhaustive()
    }
}

impl ChainConfig {
    /// The configuration for a deployment, with finality and patience as befits its chain.
    pub fn new(rpc: &str, chain_id: u64, contract: Address, first_block: u64) -> Self {
        let local = chain::is_local(chain_id);
        Self {
            rpc: rpc.to_owned(),
            contract,
            chain_id,
            first_block,
            finality: Finality::of_chain(local),
            cross_checks: Vec::new(),
            timeout: Duration::from_secs(if local { 30 } else { 300 }),
            max_fee: DEFAULT_MAX_FEE,
            transactions: None,
            poll: Duration::from_millis(if local { 50 } else { 2_000 }),
        }
    }
}

/// A checked connection to the game contract, with or without a wallet.
#[derive(Clone)]
pub struct Chain {
    config: ChainConfig,
    provider: DynProvider,
    contract: IFogmate::IFogmateInstance<DynProvider>,
    owner: Option<Arc<Owner>>,
    nodes: Nodes,
}

fog::redacted!(Chain);

impl Chain {
    /// Connects as the owner of a wallet, or without one for reading only.
    pub async fn connect(config: ChainConfig, wallet: Option<&Wallet>) -> Result<Self, ChainError> {
        // Signing is the owner's.
        let nodes = connected(&config.rpc, &config.cross_checks, config.chain_id).await?;
        let provider = nodes.provider().clone();
        let code = provider.get_code_at(config.contract).await?;
        ensure!(!code.is_empty(), ChainError::NoContract(config.contract));
        let contract = IFogmate::new(config.contract, provider.clone());
        let owner = match wallet {
            Some(wallet) => Some(Arc::new(own(&config, &provider, wallet).await?)),
            None => None,
        };
        Ok(Self { config, provider, contract, owner, nodes })
    }

    /// What this connection was made with.
    pub fn config(&self) -> &ChainConfig {
        &self.config
    }

    /// The wallet's address; none if this connection only reads.
    pub fn account(&self) -> Option<Address> {
        self.owner.as_ref().map(|owner| owner.account())
    }

    /// What the user should know of the wallet's transactions, from now on: one sentence each. None without a wallet.
    pub fn advice(&self) -> Option<tokio::sync::broadcast::Receiver<String>> {
        self.owner.as_ref().map(|owner| owner.advice())
    }

    /// Looks after all of the wallet's transactions that are under way, whoever sent them: to be called again and again while a game is
    /// played.
    pub async fn look_after(&self) -> Result<(), ChainError> {
        match &self.owner {
            Some(owner) => owner.look_after().await,
            None => Ok(()),
        }
    }

    /// The wallet's transactions under way, and the last ones that were settled.
    pub fn ledger(&self) -> Result<Ledger, ChainError> {
        self.owner.as_ref().ok_or(ChainError::ReadOnly)?.ledger()
    }

    /// Whether nothing that was signed before is to be sent again by itself: the chain isn't the one that it was signed for.
    pub(crate) fn hold(&self, is_held: bool) {
        if let Some(owner) = &self.owner {
            owner.hold(is_held);
        }
    }

    /// The chain was taken back deeper than its final blocks: no move of this game that this wallet has signed goes out again by itself.
    pub async fn give_up_moves(&self, game: B256) -> Result<(), ChainError> {
        self.owner.as_ref().ok_or(ChainError::ReadOnly)?.give_up_moves(game).await
    }

    /// The user knows what became of a transaction.
    pub async fn acknowledge(&self, ticket: Ticket) -> Result<(), ChainError> {
        self.owner.as_ref().ok_or(ChainError::ReadOnly)?.acknowledge(ticket).await
    }

    /// A game of this contract, by its id.
    pub fn game_ref(&self, game_id: B256) -> GameRef {
        GameRef { chain_id: self.config.chain_id, contract: self.config.contract, game_id }
    }

    /// All that the chain says of a game, as of the latest block.
    pub async fn game(&self, game: B256) -> Result<GameState, ChainError> {
        let found = self.contract.game(game).call().await?;
        events::types::game_state(&found)?.ok_or(ChainError::NoGame(game))
    }

    /// The clocks of a game, by the latest block's time.
    pub async fn clocks(&self, game: B256) -> Result<Clocks, ChainError> {
        let now = self.contract.clocks(game).call().await?;
        let state = self.contract.game(game).call().await?;
        Ok(events::types::clocks(&now, &state)?)
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }

    /// What an account has, in wei.
    pub async fn balance(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.provider.get_balance(account).await?)
    }

    /// The number of the latest block.
    pub async fn latest_block(&self) -> Result<u64, ChainError> {
        Ok(self.provider.get_block_number().await?)
    }

    /// The base fee of the latest block, in wei; 0 where there is none.
    pub async fn base_fee(&self) -> Result<u128, ChainError> {
        let block = self.provider.get_block_by_number(Default::default()).await?;
        let block = block.ok_or(ChainError::Nonsense("the chain has no latest block"))?;
        Ok(block.header.base_fee_per_gas.unwrap_or_default().into())
    }

    /// What a transaction that may wait pays for a unit of gas at present, in wei: base fee and tip.
    pub async fn price(&self) -> Result<u128, ChainError> {
        let base_fee = self.base_fee().await?;
        // Not all nodes have a word on it.
        let tip = self.provider.get_max_priority_fee_per_gas().await.unwrap_or_default();
        let market = Fees::market(&Facts { base_fee, tip, ..Facts::default() }, Priority::Normal);
        Ok(base_fee.saturating_add(market.tip))
    }

    /// The time of the latest block, in seconds since 1970.
    pub async fn block_time(&self) -> Result<u64, ChainError> {
        let block = self.provider.get_block_by_number(Default::default()).await?;
        block.map(|block| block.header.timestamp).ok_or(ChainError::Nonsense("the chain has no latest block"))
    }

    /// The chain's time now: this machine's date where the latest block is older.
    pub async fn now(&self) -> Result<u64, ChainError> {
        Ok(self.block_time().await?.max(unix()))
    }
}

/// Connects to nodes of a chain. They are held against one another before anything is done with what a wallet has signed: this may not be the chain
/// that it was signed for.
pub(crate) async fn connected(first: &str, others: &[String], expected: u64) -> Result<Nodes, ChainError> {
    let nodes = Nodes::new(std::iter::once(first).chain(others.iter().map(String::as_str)))?;
    let found = nodes.chain_id().await?;
    ensure!(found == expected, ChainError::WrongChain { expected, found });
    nodes.compare_chains(expected).await?;
    Ok(nodes)
}

/// The owner of a wallet's transactions on the chain of a node.
async fn own(config: &ChainConfig, provider: &DynProvider, wallet: &Wallet) -> Result<Owner, ChainError> {
    let account = wallet.address();
    let confirmations = confirmations(config.finality);
    let rules = Rules { account, contract: config.contract, ceiling: config.max_fee, confirmations };
    let folder = config.transactions.as_deref();
    let manner = Manner { rules, folder, poll: config.poll, timeout: config.timeout };
    owner_of(provider, wallet, config.chain_id, Dialect::of_chess(config.contract), manner).await
}

/// Blocks on top of a block before a transaction in it is final in the wallet's record.
pub(crate) fn confirmations(finality: Finality) -> u64 {
    match finality {
        Finality::Confirmations(blocks) => blocks,
        Finality::Finalized => EPOCHS,
    }
}

/// The owner of a wallet's transactions on a chain: all of them are in one record, whichever contract they call.
pub(crate) async fn owner_of(
    provider: &DynProvider,
    wallet: &Wallet,
    chain_id: u64,
    dialect: Dialect,
    manner: Manner<'_>,
) -> Result<Owner, ChainError> {
    let owned = Owned { chain_id, genesis: chain::genesis(provider).await?, account: wallet.address() };
    Ok(Owner::open(provider.clone(), dialect, wallet.signer().clone(), owned, manner)?)
}
