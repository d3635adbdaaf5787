//! What is asked of a node: by those who follow a chain, and by those who send transactions. Each question may reach another machine behind the
//! same address.

use crate::NodeError;
use crate::send::{Call, Mined, SendError, Sending};
use alloy::eips::BlockId;
use alloy::primitives::{Address, B256, Bloom, BloomInput, Bytes, LogData};
use alloy::rpc::types::Transaction;
use std::future::Future;
use std::time::{Duration, Instant};

/// A block of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRef {
    pub number: u64,
    pub hash: B256,
}

/// A block and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The block's number and hash.
    pub block: BlockRef,
    /// The hash of the block before it.
    pub parent: B256,
    /// In seconds since 1970.
    pub time: u64,
    /// The filter of all logs in it; none where the chain fills none.
    pub bloom: Option<Bloom>,
    /// In wei; 0 where there is none.
    pub base_fee: u128,
}

impl Header {
    /// The number and hash of the block before it; none of the first one.
    pub fn parent(&self) -> Option<BlockRef> {
        Some(BlockRef { number: self.block.number.checked_sub(1)?, hash: self.parent })
    }

    /// Whether logs of a topic may be in the block: if not, none are.
    pub fn may_have(&self, topic: &Topic) -> bool {
        let words = [topic.contract.as_slice(), topic.topic.as_slice()];
        self.bloom.is_none_or(|bloom| words.iter().all(|word| bloom.contains_input(BloomInput::Raw(word))))
    }
}

/// The logs of a contract that have a word as their first topic after the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    pub contract: Address,
    pub topic: B256,
}

/// The blocks whose logs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Those of these numbers, both included.
    Range(u64, u64),
    /// The block with a hash. A node that doesn't have the block doesn't answer.
    Hash(B256),
}

/// A log and its place on the chain, or the event that it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log<E = LogData> {
    pub event: E,
    pub block: BlockRef,
    pub transaction: B256,
    /// The log's place among all of the block.
    pub index: u64,
}

/// A node of one chain, with other nodes that it is compared with.
pub trait Node: Send + Sync {
    /// A block; none if the node doesn't have it.
    fn block(&self, id: BlockId) -> impl Future<Output = Result<Option<Header>, NodeError>> + Send;

    /// Logs of a topic, in the chain's order: none of other topics, and none of other blocks.
    fn logs(&self, topic: &Topic, blocks: Blocks) -> impl Future<Output = Result<Vec<Log>, NodeError>> + Send;

    /// The blocks that other nodes have at a number. One that can't be asked, or doesn't have it, says nothing.
    fn elsewhere(&self, number: u64) -> impl Future<Output = Vec<BlockRef>> + Send;
}

/// A node as those ask it who send an account's transactions.
pub trait TxNode: Node {
    /// The number of an account's transactions up to a block, or with those that wait in the mempool.
    fn nonce(&self, account: Address, at: BlockId) -> impl Future<Output = Result<u64, NodeError>> + Send;

    /// The usual tip, in wei; none if the node has no word on it.
    fn tip(&self) -> impl Future<Output = Option<u128>> + Send;

    /// A transaction, if it is in a block.
    fn mined(&self, transaction: B256) -> impl Future<Output = Result<Option<Mined>, NodeError>> + Send;

    /// The transaction of an account that waits for its block with a nonce, if the node shows it.
    fn waiting(&self, account: Address, nonce: u64) -> impl Future<Output = Option<Transaction>> + Send;

    /// The gas that a call takes. That the account can't pay is said in the node's words.
    fn estimate(
        &self,
        account: Address,
        call: &Call,
        at: BlockId,
    ) -> impl Future<Output = Result<u64, SendError>> + Send;

    /// What an account has, and about what a call needs at the present fee; in wei.
    fn funds(&self, account: Address, call: &Call) -> impl Future<Output = Result<(u128, u128), NodeError>> + Send;

    /// Sends signed bytes. An error says nothing about them: they may have arrived.
    fn send_raw(&self, raw: &Bytes) -> impl Future<Output = Result<Sending, NodeError>> + Send;

    /// The time by which a sender waits. A simulated node has its own.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// Lets some of that time pass.
    fn pause(&self, pause: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bloom_without_contract_or_topic_rules_logs_out() {
        let topic = Topic { contract: Address::repeat_byte(1), topic: B256::repeat_byte(2) };
        let may = |bloom| {
            let block = BlockRef { number: 7, hash: B256::ZERO };
            Header { block, parent: B256::ZERO, time: 0, bloom, base_fee: 0 }.may_have(&topic)
        };
        let of = |words: &[&[u8]]| {
            let mut bloom = Bloom::default();
            words.iter().for_each(|word| bloom.accrue(BloomInput::Raw(word)));
            Some(bloom)
        };
        assert!(may(of(&[topic.contract.as_slice(), topic.topic.as_slice(), b"other"])));
        assert!(!may(of(&[topic.contract.as_slice()])) && !may(of(&[topic.topic.as_slice()])) && !may(of(&[b"other"])));
        assert!(may(None), "a chain without blooms");
        assert!(!may(of(&[])), "a block without transactions");
        assert!(may(Some(Bloom::repeat_byte(0xff))), "a busy block");
    }
}
