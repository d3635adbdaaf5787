//! The node that a player's watcher asks. A question waits until the world answers it, so the world may go on in between: then the poll is a future
//! that isn't polled. A player that is killed is one that is dropped.

use ::chain::{BlockRef, Blocks, Follower, Header, Log, Node, NodeError, Topic};
use alloy::eips::BlockId;
use alloy::primitives::{Address, B256, LogData};
use alloy::transports::TransportErrorKind;
use client::chain::{CALLDATA_TRIES, ChainError, Update, Watched, Watcher};
use events::{Declared, Nonsense};
use game::{ChainEvent, Clocks};
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// How often a question without an answer is asked, as on sockets.
const TRIES: u32 = 3;

/// What a node is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Block(BlockId),
    Logs(Blocks),
    Elsewhere(u64),
    Declared(B256),
    Clocks,
}

/// What a node answers.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Block(Option<Header>),
    Logs(Vec<Log>),
    Elsewhere(Vec<BlockRef>),
    Declared(Option<Declared>),
    Clocks(Clocks, u64),
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// The node grants less than that.
    Refused,
    /// The node can't be asked just now.
    Failed,
}

impl From<Unanswered> for NodeError {
    fn from(why: Unanswered) -> Self {
        Self::Failed(match why {
            Unanswered::Refused => TransportErrorKind::http_error(413, String::new()),
            Unanswered::Failed => TransportErrorKind::custom_str("no answer"),
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct SimNode {
    desk: Arc<Mutex<Desk>>,
    game: B256,
}

#[derive(Debug)]
struct Desk {
    /// Questions that wait for an answer, each with its number.
    asked: VecDeque<(u64, Question)>,
    answers: BTreeMap<u64, Result<Answer, Unanswered>>,
    questions: u64,
    now: (Instant, u64),
    is_held: bool,
}

impl SimNode {
    pub fn new(game: B256) -> Self {
        let desk = Desk {
            asked: VecDeque::new(),
            answers: BTreeMap::new(),
            questions: 0,
            now: (Instant::now(), 0),
            is_held: false,
        };
        Self { desk: Arc::new(Mutex::new(desk)), game }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().expect("nobody panics with it")
    }

    /// Whether nothing that was signed before goes out again by itself.
    pub fn is_held(&self) -> bool {
        self.desk().is_held
    }

    pub fn set_now(&self, now: (Instant, u64)) {
        self.desk().now = now;
    }

    /// The question that has waited longest, with its number.
    pub fn next_question(&self) -> Option<(u64, Question)> {
        self.desk().asked.pop_front()
    }

    pub fn answer(&self, number: u64, answer: Result<Answer, Unanswered>) {
        self.desk().answers.insert(number, answer);
    }

    async fn ask_once(&self, question: Question) -> Result<Answer, Unanswered> {
        let number = {
            let mut desk = self.desk();
            desk.questions += 1;
            let number = desk.questions;
            desk.asked.push_back((number, question));
            number
        };
        poll_fn(|_| self.desk().answers.remove(&number).map_or(Poll::Pending, Poll::Ready)).await
    }

    async fn ask(&self, question: Question, tries: u32) -> Result<Answer, Unanswered> {
        for _ in 1..tries {
            match self.ask_once(question).await {
                Err(Unanswered::Failed) => {}
                answer => return answer,
            }
        }
        self.ask_once(question).await
    }
}

impl Node for SimNode {
    async fn block(&self, id: BlockId) -> Result<Option<Header>, NodeError> {
        match self.ask(Question::Block(id), TRIES).await? {
            Answer::Block(found) => Ok(found),
            other => panic!("{other:?} is no block"),
        }
    }

    async fn logs(&self, _: &Topic, blocks: Blocks) -> Result<Vec<Log>, NodeError> {
        match self.ask(Question::Logs(blocks), TRIES).await? {
            Answer::Logs(logs) => Ok(logs),
            other => panic!("{other:?} are no logs"),
        }
    }

    async fn elsewhere(&self, number: u64) -> Vec<BlockRef> {
        match self.ask_once(Question::Elsewhere(number)).await {
            Ok(Answer::Elsewhere(blocks)) => blocks,
            _ => Vec::new(),
        }
    }
}

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

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node.fmt(f)
    }
}

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
