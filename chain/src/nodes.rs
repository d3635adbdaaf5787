//! The nodes that a user has named, as one. The first is asked; after three failures in a row, or thirty seconds of them, the next takes over. The
//! others are compared with it: all are asked at once and none is waited for long, so one that hangs holds nothing up.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use alloy::eips::BlockId;
use alloy::primitives::B256;
use alloy::providers::{DynProvider, Provider as _, ProviderBuilder};
use alloy::rpc::client::RpcClient;
use alloy::rpc::json_rpc::{RequestPacket, ResponsePacket};
use alloy::rpc::types::{Filter, Log as Found};
use alloy::transports::utils::guess_local_url;
use alloy::transports::{TransportError, TransportFut};
use futures_util::future::join_all;
use tower::service_fn;

use crate::node::{BlockRef, Blocks, Header, Log, Node, Topic};
use crate::retry::{Retry, Silence, silence};
use crate::transport::Bounded;
use crate::{NodeError, client, host, url};

/// Longest that the others are waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Failures in a row after which another node takes over,
const FAILURES: u32 = 3;
/// and how long they may last before one is enough.
const SILENT: Duration = Duration::from_secs(30);

/// One node or several, of one chain.
#[derive(Clone)]
pub struct Nodes {
    all: Arc<All>,
    provider: DynProvider,
}

struct All {
    nodes: Vec<One>,
    /// The place of the node that is asked.
    asked: AtomicUsize,
    /// The chain's number and first block, once they are known: none other is asked.
    chain: OnceLock<(u64, B256)>,
    health: Mutex<Health>,
}

struct One {
    transport: Bounded,
    /// For sentences: the rest of a URL often is a key.
    host: String,
    /// The way to this node alone, without patience: what it is asked is asked once.
    provider: DynProvider,
}

#[derive(Default)]
struct Health {
    /// Failures of the asked node since its last answer, and when the first of them began.
    failures: u32,
    since: Option<Instant>,
    /// The places of the others that can't be asked.
    silent: Vec<usize>,
    /// What the user isn't told yet.
    notes: Vec<String>,
}

/// How one of several nodes stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeState {
    pub host: String,
    /// Whether it is the one that is asked.
    pub is_asked: bool,
    /// Whether it has not answered lately.
    pub is_silent: bool,
}

impl Nodes {
    /// The nodes at some URLs, the one to be asked first. Nothing is asked yet; [`NodeError::Url`] and [`NodeError::Tls`] are its errors.
    pub fn new<'a>(urls: impl IntoIterator<Item = &'a str>) -> Result<Self, NodeError> {
        let nodes: Vec<One> = urls.into_iter().map(One::new).collect::<Result<_, _>>()?;
        let is_near = nodes.iter().all(|node| guess_local_url(node.transport.url.as_str()));
        let all = All { nodes, asked: AtomicUsize::new(0), chain: OnceLock::new(), health: Mutex::default() };
        let all = Arc::new(all);
        let to_all = all.clone();
        let service = service_fn(move |request| -> TransportFut<'static> { Box::pin(to_all.clone().ask(request)) });
        let client = RpcClient::new(service, is_near);
        Ok(Self { all, provider: ProviderBuilder::default().connect_client(client).erased() })
    }

    /// Asks whichever node is in service.
    pub fn provider(&self) -> &DynProvider {
        &self.provider
    }

    /// The number of the chain.
    pub async fn chain_id(&self) -> Result<u64, NodeError> {
        Ok(self.provider.get_chain_id().await?)
    }

    /// Refuses nodes of another chain than the asked one's: by its number, and by its first block, for a number is anybody's choice. One that
    /// can't be asked now is compared before it takes over.
    pub async fn compare_chains(&self, chain_id: u64) -> Result<(), NodeError> {
        if self.all.nodes.len() == 1 {
            return Ok(());
        }
        let genesis = genesis(&self.provider).await?;
        let (numbers, first) = (self.others(One::chain_id).await, self.others(One::genesis).await);
        for ((place, number), (_, first)) in numbers.into_iter().zip(first) {
            let node = self.all.nodes[place].host.clone();
            if let Some(found) = number.filter(|found| *found != chain_id) {
                return Err(NodeError::OtherChain { node, expected: chain_id, found });
            }
            ensure!(first.is_none_or(|hash| hash == genesis), NodeError::OtherGenesis { node });
        }
        // Of several connections of one process the first has said so.
        self.all.chain.get_or_init(|| (chain_id, genesis));
        Ok(())
    }

    /// How each node stands.
    pub fn states(&self) -> Vec<NodeState> {
        let (asked, health) = (self.all.asked.load(Ordering::Acquire), self.all.health());
        let states = self.all.nodes.iter().enumerate().map(|(place, node)| {
            let is_asked = place == asked;
            let is_silent = if is_asked { health.failures > 0 } else { health.silent.contains(&place) };
            NodeState { host: node.host.clone(), is_asked, is_silent }
        });
        states.collect()
    }

    /// What the user should know of the nodes: one sentence each, told once.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.all.health().notes)
    }

    /// Asks each node but the one in service; each with its place.
    async fn others<'a, T, F: Future<Output = Option<T>>>(
        &'a self,
        ask: impl Fn(&'a One) -> F,
    ) -> Vec<(usize, Option<T>)> {
        let asked = self.all.asked.load(Ordering::Acquire);
        let others = self.all.nodes.iter().enumerate().filter(|(place, _)| *place != asked);
        let answers = others.map(|(place, node)| {
            let answer = tokio::time::timeout(PATIENCE, ask(node));
            async move { (place, answer.await.ok().flatten()) }
        });
        join_all(answers).await
    }
}

impl Node for Nodes {
    async fn block(&self, id: BlockId) -> Result<Option<Header>, NodeError> {
        header(&self.provider, id).await
    }

    async fn logs(&self, topic: &Topic, blocks: Blocks) -> Result<Vec<Log>, NodeError> {
        let filter = Filter::new().address(topic.contract).topic1(topic.topic);
        let filter = match blocks {
            Blocks::Range(from, to) => filter.from_block(from).to_block(to),
            Blocks::Hash(hash) => filter.at_block_hash(hash),
        };
        let mut logs = self.provider.get_logs(&filter).await?;
        // It may give more than it was asked for, of other contracts and topics; but if it gives some of other blocks, it has answered another
        // question.
        let is_asked = |log: &Found| match blocks {
            Blocks::Range(from, to) => log.block_number.is_some_and(|block| (from..=to).contains(&block)),
            Blocks::Hash(hash) => log.block_hash == Some(hash),
        };
        ensure!(logs.iter().all(is_asked), NodeError::Nonsense("a log is of another block than was asked for"));
        logs.retain(|log| !log.removed && log.address() == topic.contract && log.topics().get(1) == Some(&topic.topic));
        logs.sort_by_key(|log| (log.block_number, log.log_index));
        logs.into_iter().map(Log::placed).collect()
    }

    async fn elsewhere(&self, number: u64) -> Vec<BlockRef> {
        let found = self.others(|node| node.block(number)).await;
        let mut health = self.all.health();
        for (place, answer) in &found {
            let (was_silent, is_silent) = (health.silent.contains(place), answer.is_none());
            if was_silent == is_silent {
                continue;
            }
            let host = &self.all.nodes[*place].host;
            health.silent.retain(|known| known != place);
            health.notes.push(match is_silent {
                true => format!("the node {host} can't be asked: until it answers, no block is compared with it"),
                false => format!("the node {host} answers again: blocks are compared with it"),
            });
            health.silent.extend(is_silent.then_some(*place));
        }
        found.into_iter().filter_map(|(_, answer)| answer.flatten()).collect()
    }
}

impl Log {
    /// A log as a node tells it.
    pub fn placed(log: Found) -> Result<Self, NodeError> {
        let place = (log.block_number, log.block_hash, log.transaction_hash, log.log_index);
        let (Some(number), Some(hash), Some(transaction), Some(index)) = place else {
            return Err(NodeError::Nonsense("a log has no place on the chain"));
        };
        Ok(Self { event: log.inner.data, block: BlockRef { number, hash }, transaction, index })
    }
}

/// The hash of the first block of a chain, which no other chain has, not even a local one that was started anew. By its number: a node that throws
/// old blocks away calls another one the earliest.
pub async fn genesis(provider: &DynProvider) -> Result<B256, NodeError> {
    let first = header(provider, 0.into()).await?.ok_or(NodeError::Nonsense("the chain has no first block"))?;
    Ok(first.block.hash)
}

async fn header(provider: &DynProvider, id: BlockId) -> Result<Option<Header>, NodeError> {
    let found = provider.get_block(id).await?;
    Ok(found.map(|block| {
        let (header, is_empty) = (&block.header, block.transactions.is_empty());
        // Some chains fill no blooms: an empty one says something only of a block without transactions.
        let bloom = Some(header.logs_bloom).filter(|bloom| is_empty || !bloom.is_zero());
        let reference = BlockRef { number: header.number, hash: header.hash };
        let base_fee = header.base_fee_per_gas.unwrap_or_default().into();
        Header { block: reference, parent: header.parent_hash, time: header.timestamp, bloom, base_fee }
    }))
}

impl One {
    fn new(rpc: &str) -> Result<Self, NodeError> {
        let url = url::parse(rpc).ok_or_else(|| NodeError::Url(url::without_secrets(rpc)))?;
        let transport = Bounded { client: client(&url)?, url };
        let to_one = transport.clone();
        let service = service_fn(move |request| -> TransportFut<'static> { Box::pin(to_one.clone().ask(request)) });
        let client = RpcClient::new(service, guess_local_url(transport.url.as_str()));
        let provider = ProviderBuilder::default().connect_client(client).erased();
        Ok(Self { transport, host: host(rpc), provider })
    }

    async fn chain_id(&self) -> Option<u64> {
        self.provider.get_chain_id().await.ok()
    }

    async fn genesis(&self) -> Option<B256> {
        genesis(&self.provider).await.ok()
    }

    /// What it has at a number; none if it can't be asked.
    async fn block(&self, number: u64) -> Option<Option<BlockRef>> {
        let found = header(&self.provider, number.into()).await.ok()?;
        Some(found.map(|header| header.block))
    }
}

impl All {
    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps whether a node has answered what it was asked at a moment; says whether another one should take over.
    fn has_failed(&self, place: usize, silence: Option<Silence>, begun: Instant) -> bool {
        if self.asked.load(Ordering::Acquire) != place {
            return false;
        }
        let mut health = self.health();
        if silence.is_none() {
            (health.failures, health.since) = (0, None);
            return false;
        }
        health.failures += 1;
        let since = *health.since.get_or_insert(begun);
        health.failures >= FAILURES || since.elapsed() >= SILENT
    }

    /// Has the first of the other nodes that is on the same chain take over from the one at a place, if any is there.
    async fn take_over(&self, place: usize) -> bool {
        for next in (1..self.nodes.len()).map(|step| (place + step) % self.nodes.len()) {
            let node = &self.nodes[next];
            let chain = tokio::time::timeout(PATIENCE, async { Some((node.chain_id().await?, node.genesis().await?)) });
            let Some(found) = chain.await.ok().flatten() else { continue };
            if self.chain.get().is_some_and(|known| *known != found) {
                continue;
            }
            // Another question may have come to the same.
            if self.asked.compare_exchange(place, next, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                let mut health = self.health();
                (health.failures, health.since) = (0, None);
                health.silent.retain(|known| *known != next);
                health.silent.push(place);
                let (silent, host) = (&self.nodes[place].host, &node.host);
                health.notes.push(format!("the node {silent} can't be asked: {host} is asked in its place"));
            }
            return true;
        }
        false
    }

    /// Asks whichever node is in service, and again where it doesn't answer.
    async fn ask(self: Arc<Self>, request: RequestPacket) -> Result<ResponsePacket, TransportError> {
        // What was signed goes out again by the wallet's record alone.
        let may_repeat = !request.method_names().any(|method| method.starts_with("eth_send"));
        let (mut retry, mut takeovers) = (Retry::default(), 0);
        loop {
            let (place, begun) = (self.asked.load(Ordering::Acquire), Instant::now());
            let answer = self.nodes[place].transport.clone().ask(request.clone()).await;
            let silence = silence(&answer);
            let has_failed = self.has_failed(place, silence, begun);
            let Some(silence) = silence else { return answer };
            if has_failed && takeovers + 1 < self.nodes.len() && self.take_over(place).await {
                takeovers += 1;
                if may_repeat {
                    continue;
                }
            }
            match retry.pause(silence, begun.elapsed()).filter(|_| may_repeat) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return answer,
            }
        }
    }
}
