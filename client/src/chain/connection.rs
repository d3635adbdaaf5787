//! The one connection to a contract: its nodes, what they say of the chain, and the wallet's one sender. Which contract it is doesn't matter here.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alloy::eips::BlockId;
use alloy::primitives::{Address, B256, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::{Filter, Log};
use chain::follow::Ranges;
use chain::send::{
    Facts, Ledger, Memory, Mined, Priority, Request, SenderConfig, Storage, Subject, TxId, TxStatus, patience,
};
use chain::{Finality, Follower, Header, Node as _, Nodes, Sender, Topic, is_refusal};
use fog::ensure;
use tokio::sync::broadcast;

use super::{BlockRef, ChainError, unix};
use crate::wallet::Wallet;

/// Most that is paid for a unit of gas, in wei: 500 gwei, far above what a main chain asks on its worst days.
const DEFAULT_MAX_FEE: u128 = 500_000_000_000;

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

// Nothing is shown, because a node's URL often has a key in it.
fog::redacted!(ChainConfig);

impl ChainConfig {
    /// The configuration for a contract, with finality and patience as befits its chain.
    pub fn new(rpc: &str, chain_id: u64, contract: Address, first_block: u64) -> Self {
        let (poll, timeout) = patience(chain_id);
        Self {
            rpc: rpc.to_owned(),
            contract,
            chain_id,
            first_block,
            finality: Finality::of_chain(chain::is_local(chain_id)),
            cross_checks: Vec::new(),
            timeout,
            max_fee: DEFAULT_MAX_FEE,
            transactions: None,
            poll,
        }
    }
}

/// A connection to a contract, with or without a wallet.
#[derive(Clone)]
pub struct Connection {
    pub(super) config: ChainConfig,
    pub(crate) nodes: Nodes,
    sender: Option<Arc<Sender<Nodes>>>,
}

fog::redacted!(Connection);

impl Connection {
    /// Connects with a wallet, or without one to read only. The nodes are held against one another before anything is done with what a wallet has
    /// signed: this may not be the chain that it was signed for. `subject` says what a call of the contract is for, and `reason` why it refuses.
    pub(crate) async fn open(
        config: ChainConfig,
        wallet: Option<&Wallet>,
        subject: fn(&[u8]) -> Subject,
        reason: fn(&[u8]) -> Option<String>,
    ) -> Result<Self, ChainError> {
        let ChainConfig { chain_id, contract, finality, max_fee, poll, timeout, .. } = config;
        let others = config.cross_checks.iter().map(String::as_str);
        let nodes = Nodes::new(std::iter::once(config.rpc.as_str()).chain(others))?;
        let found = nodes.chain_id().await?;
        ensure!(found == chain_id, ChainError::WrongChain { expected: chain_id, found });
        nodes.compare_chains(chain_id).await?;
        let sender = match wallet {
            None => None,
            Some(wallet) => {
                let storage =
                    config.transactions.clone().map_or_else(|| Storage::Memory(Memory::default()), Storage::Folder);
                let how =
                    SenderConfig { chain_id, contract, subject, reason, finality, max_fee, storage, poll, timeout };
                Some(Arc::new(Sender::open(nodes.clone(), wallet.signer().clone(), how).await?))
            }
        };
        Ok(Self { config, nodes, sender })
    }

    /// What this connection was made with.
    pub fn config(&self) -> &ChainConfig {
        &self.config
    }

    /// Whether the chain exists on one machine only.
    pub fn is_local(&self) -> bool {
        chain::is_local(self.config.chain_id)
    }

    pub(crate) fn provider(&self) -> &DynProvider {
        self.nodes.provider()
    }

    pub(crate) fn sender(&self) -> Result<&Arc<Sender<Nodes>>, ChainError> {
        self.sender.as_ref().ok_or(ChainError::ReadOnly)
    }

    /// The wallet's address; none if this connection only reads.
    pub fn account(&self) -> Option<Address> {
        self.sender.as_ref().map(|sender| sender.account())
    }

    /// What the user should know of the wallet's transactions, from now on: one sentence each. None without a wallet.
    pub fn advice(&self) -> Option<broadcast::Receiver<String>> {
        self.sender.as_ref().map(|sender| sender.advice())
    }

    /// What the user should know of the nodes: one sentence each, told once.
    pub fn take_notes(&self) -> Vec<String> {
        self.nodes.take_notes()
    }

    /// Looks after all of the wallet's transactions that are under way, whoever sent them: to be called again and again while a game is
    /// played.
    pub async fn look_after(&self) -> Result<(), ChainError> {
        match &self.sender {
            Some(sender) => Ok(sender.poll().await?),
            None => Ok(()),
        }
    }

    /// The wallet's transactions under way, and the last ones that were settled.
    pub fn ledger(&self) -> Result<Ledger, ChainError> {
        Ok(self.sender()?.ledger()?)
    }

    /// Whether nothing that was signed before is to be sent again by itself: the chain isn't the one that it was signed for.
    pub(super) fn hold(&self, is_held: bool) {
        if let Some(sender) = &self.sender {
            sender.hold(is_held);
        }
    }

    /// Has a request carried out, which the estimate refuses if the contract would; waits until it is in a block. What was signed stays on its way
    /// when this gives up waiting.
    pub(crate) async fn send(&self, request: &Request) -> Result<(TxId, Mined), ChainError> {
        Ok(self.sender()?.send(request).await?)
    }

    /// Takes over what the node has of this wallet and its record hasn't: what was sent from another machine, or before the record was lost.
    pub(crate) async fn take_over(&self) -> Result<(), ChainError> {
        match &self.sender {
            Some(sender) => Ok(sender.take_over().await?),
            None => Ok(()),
        }
    }

    /// The user knows what became of a transaction.
    pub async fn acknowledge(&self, id: TxId) -> Result<(), ChainError> {
        Ok(self.sender()?.acknowledge(id).await?)
    }

    /// Whether something that this wallet has sent is in no block yet, and `is_it`.
    pub(crate) fn is_under_way(&self, is_it: impl Fn(&Request) -> bool) -> Result<bool, ChainError> {
        let ledger = self.ledger()?;
        Ok(ledger.entries().iter().any(|entry| entry.status() == TxStatus::UnderWay && is_it(&entry.request)))
    }

    /// Follows the logs of a topic from a block on, or from the contract's first.
    pub(crate) fn follow<E: Clone + PartialEq>(
        &self,
        topic: B256,
        from: u64,
        last_final: Option<BlockRef>,
    ) -> Follower<E> {
        let ChainConfig { contract, finality, first_block, .. } = self.config;
        Follower::new(Topic { contract, topic }, finality, from.max(first_block), last_final)
    }

    pub async fn head(&self) -> Result<Header, ChainError> {
        let head = self.nodes.block(BlockId::latest()).await?;
        head.ok_or(ChainError::Nonsense("the chain has no latest block"))
    }

    /// The number of the latest block.
    pub async fn latest_block(&self) -> Result<u64, ChainError> {
        Ok(self.head().await?.block.number)
    }

    /// The base fee of the latest block, in wei; 0 where there is none.
    pub async fn base_fee(&self) -> Result<u128, ChainError> {
        Ok(self.head().await?.base_fee)
    }

    /// The time of the latest block, in seconds since 1970.
    pub async fn block_time(&self) -> Result<u64, ChainError> {
        Ok(self.head().await?.time)
    }

    /// The chain's time now: this machine's date where the latest block is older.
    pub async fn now(&self) -> Result<u64, ChainError> {
        Ok(self.block_time().await?.max(unix()))
    }

    /// The hash of the chain's first block, which no other chain has, not even a local one that was started anew.
    pub async fn genesis(&self) -> Result<B256, ChainError> {
        Ok(chain::genesis(self.provider()).await?)
    }

    /// The number of the last block that is final, if any is.
    pub(super) async fn last_final(&self) -> Result<Option<u64>, ChainError> {
        Ok(self.config.finality.last_final(&self.nodes, self.head().await?.block).await?.0)
    }

    /// How long the last block to become final has taken, in seconds; 0 where a block is final at once.
    pub async fn finality_time(&self) -> Result<u64, ChainError> {
        Ok(self.config.finality.time(&self.nodes).await?)
    }

    /// Whether a block is on the chain still.
    ///
    /// # Errors
    ///
    /// [`ChainError::Behind`] if the node hasn't got so far, [`ChainError::Reorganised`] if another block has its number.
    pub async fn check(&self, block: &BlockRef) -> Result<(), ChainError> {
        let found = self.nodes.block(block.number.into()).await?.ok_or(ChainError::Behind)?;
        ensure!(found.block == *block, ChainError::Reorganised(block.number));
        Ok(())
    }

    /// What an account has, in wei.
    pub async fn balance(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.provider().get_balance(account).await?)
    }

    /// What a transaction that may wait pays for a unit of gas at present, in wei: base fee and tip.
    pub async fn price(&self) -> Result<u128, ChainError> {
        let base_fee = self.base_fee().await?;
        // Not all nodes have a word on it.
        let tip = self.provider().get_max_priority_fee_per_gas().await.unwrap_or_default();
        let market = Facts { base_fee, tip, ..Facts::default() }.market(Priority::Normal);
        Ok(base_fee.saturating_add(market.tip))
    }

    /// All logs of the contract that match in the blocks `from..=to`, in order, range by range. A range that the node refuses is halved. A node may give
    /// more than it was asked for, of other contracts; but if it gives some of other blocks, it has answered another question.
    ///
    /// # Errors
    ///
    /// [`ChainError::Behind`] if the node doesn't have the last of many blocks: a false number of its own would be asked for without an end.
    pub(crate) async fn logs(&self, filter: Filter, from: u64, to: u64) -> Result<Vec<Log>, ChainError> {
        let (filter, from) = (filter.address(self.config.contract), from.max(self.config.first_block));
        let (mut found, mut ranges) = (Vec::new(), Ranges::new(from, to));
        if ranges.piece().is_some_and(|(_, end)| end < to) {
            let last = self.nodes.block(to.into()).await?;
            ensure!(last.is_some_and(|last| last.block.number == to), ChainError::Behind);
        }
        while let Some((start, end)) = ranges.piece() {
            let piece = filter.clone().from_block(start).to_block(end);
            match self.provider().get_logs(&piece).await {
                Ok(logs) => {
                    found.extend(logs);
                    ranges.granted();
                }
                Err(error) if is_refusal(&error) && ranges.refused() => {}
                Err(error) => return Err(error.into()),
            }
        }
        let is_asked = |log: &Log| log.block_number.is_some_and(|block| (from..=to).contains(&block));
        ensure!(found.iter().all(is_asked), ChainError::Nonsense("a log is of another block than was asked for"));
        found.retain(|log| !log.removed && log.address() == self.config.contract);
        found.sort_by_key(|log| (log.block_number, log.log_index));
        Ok(found)
    }
}
