//! The other nodes, which blocks are compared with. All are asked at once and none is waited for long: one that hangs holds nothing up.

use std::future::Future;
use std::time::Duration;

use alloy::providers::{DynProvider, Provider as _};
use fog::ensure;
use tokio::task::JoinSet;

use super::{ChainConfig, ChainError, blocks};
use crate::follow::Header;

/// Longest that they are waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Connects to them, and refuses those of another chain than `first`'s: by its number, and by its first block, for a number is anybody's choice.
pub(super) async fn connect(config: &ChainConfig, first: &DynProvider) -> Result<Vec<DynProvider>, ChainError> {
    let nodes: Vec<_> = config.witnesses.iter().map(|node| rpc::connect(node, None)).collect::<Result<_, _>>()?;
    if nodes.is_empty() {
        return Ok(nodes);
    }
    let genesis = blocks::genesis(first).await?;
    let chains = ask(&nodes, |node| async move { node.get_chain_id().await.ok() }).await;
    let begun = ask(&nodes, |node| async move { blocks::genesis(&node).await.ok() }).await;
    for ((node, found), begins) in config.witnesses.iter().zip(chains).zip(begun) {
        let is_other = found.is_some_and(|found| found != config.chain_id);
        ensure!(
            !is_other,
            ChainError::OtherWitness {
                node: rpc::host(node),
                expected: config.chain_id,
                found: found.unwrap_or_default(),
            }
        );
        ensure!(begins.is_none_or(|hash| hash == genesis), ChainError::OtherGenesis { node: rpc::host(node) });
    }
    Ok(nodes)
}

/// What each of them has at a number; of one that doesn't answer, or not in time, not even that it has nothing.
pub(super) async fn headers(nodes: &[DynProvider], number: u64) -> Vec<Option<Option<Header>>> {
    ask(nodes, move |node| async move { blocks::header(&node, number.into(), None).await.ok() }).await
}

/// Asks each of them the same.
async fn ask<T, F>(nodes: &[DynProvider], question: impl Fn(DynProvider) -> F) -> Vec<Option<T>>
where
    T: Clone + Send + 'static,
    F: Future<Output = Option<T>> + Send + 'static,
{
    let mut asked = JoinSet::new();
    for (place, node) in nodes.iter().enumerate() {
        let answer = question(node.clone());
        asked.spawn(async move { (place, tokio::time::timeout(PATIENCE, answer).await.ok().flatten()) });
    }
    let mut answers = vec![None; nodes.len()];
    while let Some(answered) = asked.join_next().await {
        if let Ok((place, answer)) = answered
            && let Some(slot) = answers.get_mut(place)
        {
            *slot = answer;
        }
    }
    answers
}
