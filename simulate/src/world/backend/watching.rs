//! A player's watcher, the client's own, and the poll that is under way.

use super::sim_node::{Answer, Question, SimNode, TRIES};
use ::chain::{BlockRef, Follower, NodeError, Topic};
use alloy::primitives::{Address, B256, LogData};
use client::chain::{CALLDATA_TRIES, ChainError, Update, Watched, Watcher};
use events::{Declared, Nonsense};
use game::{ChainEvent, Clocks};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

impl Watched for SimNode {
    type Node = Self;

    fn node(&self) -> &Self {
        self
    }

    fn decode(&self, log: &LogData) -> Result<Option<ChainEvent>, &'static str> {
        events::decode(log).map_err(|Nonsense(what)| what)
    }

    async fn declared(&self, transaction: B256) -> Option<Declared> {
        match self.ask(Question::Declared(transaction), CALLDATA_TRIES).await {
            Ok(Answer::Declared(declared)) => declared,
            _ => None,
        }
    }

    async fn clocks(&self) -> Result<(Clocks, u64), ChainError> {
        match self.ask(Question::Clocks, TRIES).await.map_err(NodeError::from)? {
            Answer::Clocks(clocks, time) => Ok((clocks, time)),
            other => panic!("{other:?} are no clocks"),
        }
    }

    fn now(&self) -> (Instant, u64) {
        self.desk().now
    }

    fn game(&self) -> B256 {
        self.game
    }

    fn hold(&self, is_held: bool) {
        self.desk().is_held = is_held;
    }

    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A watcher with its node, and the poll that is under way.
pub(super) struct Watching {
    pub node: SimNode,
    state: State,
}

type Polled = (Watcher<SimNode>, Result<Option<Update>, ChainError>);

enum State {
    Idle(Box<Watcher<SimNode>>),
    Polling(Pin<Box<dyn Future<Output = Polled> + Send>>),
    Gone,
}

fog::redacted!(Watching);

impl Watching {
    pub fn new(
        contract: Address,
        game: B256,
        finality: ::chain::Finality,
        from: u64,
        last_final: Option<BlockRef>,
    ) -> Self {
        let node = SimNode::new(game);
        let topic = Topic { contract, topic: game };
        let watcher = Watcher::of(node.clone(), Follower::new(topic, finality, from, last_final));
        Self { node, state: State::Idle(Box::new(watcher)) }
    }

    /// Whether a poll is under way.
    pub fn is_polling(&self) -> bool {
        matches!(self.state, State::Polling(_))
    }

    /// Begins a poll, or goes on with it: none while it waits for an answer. With its result, whether it has found anything.
    pub fn poll(&mut self) -> Option<(Result<Option<Update>, ChainError>, bool)> {
        let mut polling = match std::mem::replace(&mut self.state, State::Gone) {
            State::Idle(mut watcher) => Box::pin(async move {
                let polled = watcher.poll().await;
                (*watcher, polled)
            }),
            State::Polling(polling) => polling,
            State::Gone => panic!("a poll has panicked"),
        };
        match polling.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => {
                self.state = State::Polling(polling);
                None
            }
            Poll::Ready((watcher, polled)) => {
                let has_advanced = watcher.has_advanced();
                self.state = State::Idle(Box::new(watcher));
                Some((polled, has_advanced))
            }
        }
    }
}
