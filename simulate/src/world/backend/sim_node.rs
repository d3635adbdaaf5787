//! The node that a player's follower and sender ask. A question waits until the world answers it, so the world may go on in between: then the asking
//! is a future that isn't polled. A player that is killed is one that is dropped.

use ::chain::send::{Call, Mined, SendError, Sending};
use ::chain::{BlockRef, Blocks, Header, Log, Node, NodeError, Topic, TxNode};
use alloy::consensus::TxEnvelope;
use alloy::consensus::transaction::Recovered;
use alloy::eips::BlockId;
use alloy::eips::eip2718::Decodable2718 as _;
use alloy::primitives::{Address, B256, Bytes};
use alloy::rpc::types::{Transaction, TransactionInfo};
use alloy::sol_types::SolInterface as _;
use alloy::transports::TransportErrorKind;
use client::chain::ContractError;
use events::Declared;
use game::Clocks;
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;
use std::time::{Duration, Instant};

/// How often a question without an answer is asked, as on sockets.
pub(super) const TRIES: u32 = 3;
/// The usual tip, in wei.
const TIP: u128 = 10;

/// What a node is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Block(BlockId),
    Logs(Blocks),
    Elsewhere(u64),
    Declared(B256),
    Clocks,
    Nonce(BlockId),
    Mined(B256),
    Waiting(u64),
    Estimate(Call, BlockId),
    Send(Bytes),
}

/// What a node answers.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Block(Option<Header>),
    Logs(Vec<Log>),
    Elsewhere(Vec<BlockRef>),
    Declared(Option<Declared>),
    Clocks(Clocks, u64),
    Nonce(u64),
    Mined(Option<Mined>),
    Waiting(Option<Bytes>),
    Estimate(Result<u64, ContractError>),
    Sent(Sending),
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
    pub(super) game: B256,
}

/// What lies between a node and the world that answers for it.
#[derive(Debug)]
pub(super) struct Desk {
    /// Questions that wait for an answer, each with its number.
    asked: VecDeque<(u64, Question)>,
    pub answers: BTreeMap<u64, Result<Answer, Unanswered>>,
    questions: u64,
    pub now: (Instant, u64),
    /// When those who wait go on.
    pub wakes: Vec<Instant>,
    /// Whether nothing that was signed before goes out again by itself.
    pub is_held: bool,
}

impl SimNode {
    pub fn new(game: B256) -> Self {
        let desk = Desk {
            asked: VecDeque::new(),
            answers: BTreeMap::new(),
            questions: 0,
            now: (Instant::now(), 0),
            wakes: Vec::new(),
            is_held: false,
        };
        Self { desk: Arc::new(Mutex::new(desk)), game }
    }

    pub fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().expect("nobody panics with it")
    }

    /// Whether a question waits for its answer, or somebody has waited long enough.
    pub fn has_work(&self, now: Instant) -> bool {
        let desk = self.desk();
        !desk.asked.is_empty() || desk.wakes.iter().any(|wake| *wake <= now)
    }

    /// The question that has waited longest, with its number.
    pub fn next_question(&self) -> Option<(u64, Question)> {
        self.desk().asked.pop_front()
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

    pub(super) async fn ask(&self, question: Question, tries: u32) -> Result<Answer, Unanswered> {
        for _ in 1..tries {
            match self.ask_once(question.clone()).await {
                Err(Unanswered::Failed) => {}
                answer => return answer,
            }
        }
        self.ask_once(question).await
    }
}

impl Node for SimNode {
    async fn block(&self, id: BlockId) -> Result<Option<Header>, NodeError> {
        let Answer::Block(found) = self.ask(Question::Block(id), TRIES).await? else { panic!("no block") };
        Ok(found)
    }

    async fn logs(&self, _: &Topic, blocks: Blocks) -> Result<Vec<Log>, NodeError> {
        let Answer::Logs(logs) = self.ask(Question::Logs(blocks), TRIES).await? else { panic!("no logs") };
        Ok(logs)
    }

    async fn elsewhere(&self, number: u64) -> Vec<BlockRef> {
        match self.ask_once(Question::Elsewhere(number)).await {
            Ok(Answer::Elsewhere(blocks)) => blocks,
            _ => Vec::new(),
        }
    }
}

impl TxNode for SimNode {
    async fn nonce(&self, _: Address, at: BlockId) -> Result<u64, NodeError> {
        let Answer::Nonce(nonce) = self.ask(Question::Nonce(at), TRIES).await? else { panic!("no nonce") };
        Ok(nonce)
    }

    async fn tip(&self) -> Option<u128> {
        Some(TIP)
    }

    async fn mined(&self, transaction: B256) -> Result<Option<Mined>, NodeError> {
        let Answer::Mined(mined) = self.ask(Question::Mined(transaction), TRIES).await? else { panic!("no receipt") };
        Ok(mined)
    }

    async fn waiting(&self, account: Address, nonce: u64) -> Option<Transaction> {
        let Ok(Answer::Waiting(raw)) = self.ask(Question::Waiting(nonce), TRIES).await else { return None };
        let envelope = TxEnvelope::decode_2718(&mut raw?.as_ref()).ok()?;
        Some(Transaction::from_transaction(Recovered::new_unchecked(envelope, account), TransactionInfo::default()))
    }

    async fn estimate(&self, _: Address, call: &Call, at: BlockId) -> Result<u64, SendError> {
        match self.ask(Question::Estimate(call.clone(), at), TRIES).await.map_err(NodeError::from)? {
            Answer::Estimate(Ok(gas)) => Ok(gas),
            Answer::Estimate(Err(refusal)) => Err(SendError::Reverts {
                message: "execution reverted".to_owned(),
                data: refusal.0.abi_encode().into(),
            }),
            other => panic!("{other:?} is no estimate"),
        }
    }

    async fn funds(&self, _: Address, _: &Call) -> Result<(u128, u128), NodeError> {
        Ok((u128::MAX, 0))
    }

    async fn send_raw(&self, raw: &Bytes) -> Result<Sending, NodeError> {
        let Answer::Sent(sending) = self.ask_once(Question::Send(raw.clone())).await? else {
            panic!("no word of what was sent")
        };
        Ok(sending)
    }

    fn now(&self) -> Instant {
        self.desk().now.0
    }

    async fn pause(&self, pause: Duration) {
        let until = self.desk().now.0 + pause;
        poll_fn(|_| {
            let mut desk = self.desk();
            if desk.now.0 >= until {
                return Poll::Ready(());
            }
            desk.wakes.push(until);
            Poll::Pending
        })
        .await;
    }
}
