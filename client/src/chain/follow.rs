//! Carries the questions of the room `follow` to a game's nodes, and the answers back. Nothing is decided here.

use super::events::is_refusal;
use super::{Chain, ChainError};
use crate::follow::{self, Answer, Header, News, Note, Patience, Question, Rules, Step, Trouble, Unanswered};
use alloy::eips::BlockNumberOrTag;
use alloy::primitives::B256;
use alloy::rpc::types::Log;
use game::BlockRef;
use rpc::NodeError;
use std::time::{Duration, Instant};

/// The pause before a move's calldata is asked for again.
const CALLDATA_PAUSE: Duration = Duration::from_millis(200);

/// The pause before any other question is asked again, and how long its failure may have taken: a node that hangs isn't asked again at once.
const AGAIN_PAUSE: Duration = Duration::from_millis(300);
const QUICK: Duration = Duration::from_secs(2);

/// Follows one game from its beginning: [`follow::Follower`] with its nodes.
#[derive(Clone, Debug)]
pub struct Follower {
    chain: Chain,
    game: B256,
    machine: follow::Follower,
}

impl Follower {
    /// Follows a game from a block on, its creation's or any before; the first poll tells everything from there.
    pub fn new(chain: Chain, game: B256, from: u64) -> Self {
        let machine = follow::Follower::new(chain.follow_rules(), from.max(chain.config.first_block));
        Self { chain, game, machine }
    }

    /// The last block whose events have been told as final.
    pub fn last_final(&self) -> Option<BlockRef> {
        self.machine.last_final()
    }

    /// All news since the last poll. After an error the next poll tells them again.
    ///
    /// # Errors
    ///
    /// [`ChainError::Reorganised`] if what was told as final is on the chain no more; [`ChainError::Behind`] and a node's failures, which
    /// pass; [`ChainError::NodesDisagree`].
    pub async fn poll(&mut self) -> Result<Vec<News>, ChainError> {
        let question = self.machine.look();
        let machine = &mut self.machine;
        self.chain.converse(self.game, question, |answer| machine.answer(answer), |_| {}).await
    }

    /// What the user should know of the nodes that blocks are compared with, told once.
    pub fn take_notes(&mut self) -> Vec<String> {
        let notes = self.machine.take_notes();
        notes.into_iter().filter_map(|note| self.chain.words(note)).collect()
    }
}

impl Chain {
    /// What games are followed by.
    pub(super) fn follow_rules(&self) -> Rules {
        Rules { finality: self.config.finality, witnesses: self.witnesses.len() }
    }

    /// Answers a machine's questions until its look is done; `asked` hears each before it is asked.
    pub(super) async fn converse<T>(
        &self,
        game: B256,
        first: Question,
        mut answer: impl FnMut(Result<Answer, Unanswered>) -> Result<Step<T>, Trouble>,
        mut asked: impl FnMut(&Question),
    ) -> Result<T, ChainError> {
        let (mut question, mut compared, mut patience) = (first, Compared::default(), Patience::default());
        loop {
            asked(&question);
            let begun = Instant::now();
            let (said, error) = match self.ask(game, question, &mut compared).await {
                Ok(said) => (Ok(said), None),
                Err(error) => (Err(unanswered(&error)), Some(error)),
            };
            if begun.elapsed() < QUICK && patience.asks_again(&question, &said) {
                tokio::time::sleep(AGAIN_PAUSE).await;
                continue;
            }
            match answer(said).map_err(|trouble| of_trouble(trouble, error))? {
                Step::Ask(next) => question = next,
                Step::Done(result) => return Ok(result),
            }
        }
    }

    async fn ask(&self, game: B256, question: Question, compared: &mut Compared) -> Result<Answer, ChainError> {
        Ok(match question {
            Question::Latest => Answer::Block(self.header_for(game, BlockNumberOrTag::Latest.into()).await?),
            Question::Finalized => Answer::Block(self.header_for(game, BlockNumberOrTag::Finalized.into()).await?),
            Question::Number(number) => Answer::Block(self.header_for(game, number.into()).await?),
            Question::Hash(hash) => Answer::Block(self.header_for(game, hash.into()).await?),
            Question::Events { from, to } => {
                let logs = self.provider_logs(&self.filter().topic1(game).from_block(from).to_block(to)).await?;
                let is_asked = |log: &Log| log.block_number.is_some_and(|block| (from..=to).contains(&block));
                Answer::Events(self.events_among(game, logs, is_asked)?)
            }
            Question::EventsOf(block) => {
                let logs = self.provider_logs(&self.filter().topic1(game).at_block_hash(block)).await?;
                Answer::Events(self.events_among(game, logs, |log| log.block_hash == Some(block))?)
            }
            Question::Witness { node, number } => compared.ask(self, node, number).await?,
            Question::Declared { transaction, tries } => {
                if tries > 0 {
                    tokio::time::sleep(CALLDATA_PAUSE).await;
                }
                Answer::Declared(match self.declared_in(transaction).await {
                    Ok(declared) => Some(declared),
                    Err(ChainError::Nonsense(_)) => None,
                    Err(error) => return Err(error),
                })
            }
            Question::Clocks => Answer::Clocks(self.clocks(game).await?, self.block_time().await?),
        })
    }

    /// A note on one of the other nodes as a sentence.
    pub(super) fn words(&self, Note { node, answers }: Note) -> Option<String> {
        self.witnesses.words(node, answers)
    }
}

/// What the other nodes have at a number: they are asked at once, and their answers told one by one.
#[derive(Default)]
struct Compared {
    number: Option<u64>,
    headers: Vec<Option<Option<Header>>>,
}

impl Compared {
    async fn ask(&mut self, chain: &Chain, node: usize, number: u64) -> Result<Answer, ChainError> {
        if self.number != Some(number) {
            *self = Self { number: Some(number), headers: chain.witnesses.headers(number).await };
        }
        let header = self.headers.get(node).copied().flatten();
        header.map(Answer::Block).ok_or(ChainError::Silent)
    }
}

fn unanswered(error: &ChainError) -> Unanswered {
    match error {
        ChainError::Node(NodeError::Failed(error)) if is_refusal(error) => Unanswered::Refused,
        _ => Unanswered::Failed,
    }
}

fn of_trouble(trouble: Trouble, error: Option<ChainError>) -> ChainError {
    match trouble {
        Trouble::Unanswered => error.unwrap_or(ChainError::Nonsense("an answer is not of the kind that was asked for")),
        Trouble::Behind => ChainError::Behind,
        Trouble::Reorganised(number) => ChainError::Reorganised(number),
        Trouble::NodesDisagree(number) => ChainError::NodesDisagree(number),
        Trouble::FarBehind { next, head } => ChainError::FarBehind { next, head },
        Trouble::Nonsense(what) => ChainError::Nonsense(what),
    }
}
