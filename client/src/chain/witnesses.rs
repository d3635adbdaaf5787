//! The other nodes, which blocks are compared with. All are asked at once and none is waited for long: one that hangs holds nothing up.

use std::future::Future;
use std::time::Duration;

use alloy::providers::{DynProvider, Provider as _};
use fog::ensure;
use tokio::task::JoinSet;

use super::{ChainError, blocks};
use crate::follow::Header;

/// Longest that they are waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The other nodes, in the order in which the user has named them.
#[derive(Clone)]
pub(crate) struct Witnesses {
    /// For sentences: the rest of a URL often is a key.
    hosts: Vec<String>,
    nodes: Vec<DynProvider>,
}

impl Witnesses {
    /// Connects to them by their URLs, and refuses those of another chain than `first`'s: by its number, and by its first block, for a number is
    /// anybody's choice.
    pub async fn connect(urls: &[String], chain_id: u64, first: &DynProvider) -> Result<Self, ChainError> {
        let nodes: Vec<_> = urls.iter().map(|url| rpc::connect(url, None)).collect::<Result<_, _>>()?;
        let hosts = urls.iter().map(|url| rpc::host(url)).collect();
        let witnesses = Self { hosts, nodes };
        if !witnesses.nodes.is_empty() {
            witnesses.check(chain_id, first).await?;
        }
        Ok(witnesses)
    }

    async fn check(&self, chain_id: u64, first: &DynProvider) -> Result<(), ChainError> {
        let genesis = blocks::genesis(first).await?;
        let chains = self.ask(|node| async move { node.get_chain_id().await.ok() }).await;
        let begun = self.ask(|node| async move { blocks::genesis(&node).await.ok() }).await;
        for ((host, found), begins) in self.hosts.iter().zip(chains).zip(begun) {
            let (node, expected) = (host.clone(), chain_id);
            let found = found.unwrap_or(chain_id);
            ensure!(found == chain_id, ChainError::OtherWitness { node, expected, found });
            ensure!(begins.is_none_or(|hash| hash == genesis), ChainError::OtherGenesis { node: host.clone() });
        }
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What each of them has at a number; of one that doesn't answer, or not in time, not even that it has nothing.
    pub async fn headers(&self, number: u64) -> Vec<Option<Option<Header>>> {
        self.ask(move |node| async move { blocks::header(&node, number.into(), None).await.ok() }).await
    }

    /// What the user is told when the one at a place falls silent, or answers again.
    pub fn words(&self, place: usize, answers: bool) -> Option<String> {
        let host = self.hosts.get(place)?;
        Some(match answers {
            false => format!("the node {host} can't be asked: until it answers, no block is compared with it"),
            true => format!("the node {host} answers again: blocks are compared with it"),
        })
    }

    /// Asks each of them the same.
    async fn ask<T, F>(&self, question: impl Fn(DynProvider) -> F) -> Vec<Option<T>>
    where
        T: Clone + Send + 'static,
        F: Future<Output = Option<T>> + Send + 'static,
    {
        let mut asked = JoinSet::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let answer = question(node.clone());
            asked.spawn(async move { (place, tokio::time::timeout(PATIENCE, answer).await.ok().flatten()) });
        }
        let mut answers = vec![None; self.nodes.len()];
        while let Some(answered) = asked.join_next().await {
            if let Ok((place, answer)) = answered
                && let Some(slot) = answers.get_mut(place)
            {
                *slot = answer;
            }
        }
        answers
    }
}
