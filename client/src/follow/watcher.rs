//! The news of a game with what its moves' transactions carried, and the clocks after them.

use super::{Answer, Declared, Follower, Logged, News, Note, Question, Rules, Step, Trouble, Unanswered};
use fog::ensure;
use game::{BlockRef, ChainEvent, Clocks};

/// How often a move's calldata is asked for. A node that fails again and again costs only that: the contract of a verified game has verified
/// the move, and that of a challengeable one tells the proof in an event.
const CALLDATA_TRIES: u32 = 3;

/// What a look brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub news: Vec<News>,
    /// The game's clocks after them; none while no clock runs.
    pub clocks: Option<Clocks>,
    /// The latest block's time, in seconds since 1970.
    pub block_time: u64,
    /// The last block that is final.
    pub last_final: Option<BlockRef>,
    /// What the user should know of the other nodes.
    pub notes: Vec<Note>,
}

#[derive(Clone, Debug)]
pub struct Watcher {
    follower: Follower,
    /// A block that must be on the chain, until it is known to be.
    checkpoint: Option<BlockRef>,
    /// News that wait for the clocks after them.
    news: Vec<News>,
    /// Notes that wait with them.
    notes: Vec<Note>,
    /// The last block that was told as final.
    told: Option<BlockRef>,
    /// Whether the clocks are wanted even if there are no news.
    wants_clocks: bool,
    stage: Stage,
    is_held: bool,
}

/// What a look waits for.
#[derive(Clone, Debug)]
enum Stage {
    Idle,
    Checkpoint(BlockRef),
    Following,
    /// Whether the other nodes have a final block that is on the chain no more, as the first one says.
    Denied {
        block: BlockRef,
        node: usize,
    },
    /// The calldata of the move at this place among the news.
    Declared {
        news: Vec<News>,
        place: usize,
        tries: u32,
    },
    Clocks,
}

impl Watcher {
    /// Watches a game from a block on, its creation's or any before. `checkpoint` is a block that counted as final once, and so must still be on
    /// the chain.
    pub fn new(rules: Rules, from: u64, checkpoint: Option<BlockRef>) -> Self {
        let follower = match &checkpoint {
            Some(block) => Follower::again(rules, from, *block),
            None => Follower::new(rules, from),
        };
        let (news, notes) = (Vec::new(), Vec::new());
        let stage = Stage::Idle;
        Self { follower, checkpoint, news, notes, told: None, wants_clocks: false, stage, is_held: false }
    }

    /// Whether what was signed is for a chain that is no more, as far as the last look knows: then none of it goes out again by itself.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Whether the last look, though it may have failed, has found something that the next one needn't ask for.
    pub fn has_advanced(&self) -> bool {
        self.follower.has_advanced()
    }

    /// Begins a look; one that waits for an answer is given up. With `wants_clocks` it brings the clocks even if there is nothing new.
    pub fn look(&mut self, wants_clocks: bool) -> Question {
        self.wants_clocks = wants_clocks;
        // What the look that is given up has found stays found: its blocks aren't asked for again.
        if let Stage::Declared { news, .. } = std::mem::replace(&mut self.stage, Stage::Idle) {
            self.news.extend(news);
        }
        match self.checkpoint {
            Some(block) => {
                self.stage = Stage::Checkpoint(block);
                Question::Number(block.number)
            }
            None => {
                self.stage = Stage::Following;
                self.follower.look()
            }
        }
    }

    /// The answer to the last question. At the end of a look what is new; none without news or another final block.
    ///
    /// # Errors
    ///
    /// [`Trouble`]; then the look is over, and the next one may succeed.
    pub fn answer(&mut self, answer: Result<Answer, Unanswered>) -> Result<Step<Option<Report>>, Trouble> {
        let result = self.go_on(answer);
        // One that is behind says nothing of the blocks that are gone or stand again.
        if let Ok(Step::Done(_)) = result
            && !self.follower.is_behind()
        {
            self.is_held = false;
        }
        result
    }

    fn go_on(&mut self, answer: Result<Answer, Unanswered>) -> Result<Step<Option<Report>>, Trouble> {
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => Ok(Step::Done(None)),
            Stage::Checkpoint(block) => {
                let found = match answer {
                    Ok(Answer::Block(found)) => found.ok_or(Trouble::Behind)?,
                    _ => return Err(Trouble::Unanswered),
                };
                if found.block != block {
                    return self.deny(block, 0);
                }
                (self.checkpoint, self.stage) = (None, Stage::Following);
                Ok(Step::Ask(self.follower.look()))
            }
            Stage::Following => match (self.follower.answer(answer), self.follower.last_final()) {
                (Ok(Step::Ask(question)), _) => {
                    self.stage = Stage::Following;
                    Ok(Step::Ask(question))
                }
                (Ok(Step::Done(news)), _) => {
                    self.notes.extend(self.follower.take_notes());
                    Ok(self.complete(news, 0, 0))
                }
                (Err(Trouble::Reorganised(_)), Some(block)) => self.deny(block, 0),
                (Err(trouble), _) => Err(trouble),
            },
            Stage::Denied { block, node } => {
                let has_it = |found: &Answer| matches!(found, Answer::Block(Some(found)) if found.block == block);
                ensure!(!answer.is_ok_and(|found| has_it(&found)), Trouble::NodesDisagree(block.number));
                self.deny(block, node + 1)
            }
            Stage::Declared { mut news, place, tries } => {
                let (place, tries) = match (answer, news.get_mut(place)) {
                    (Ok(Answer::Declared(declared)), Some(News::Final(logged))) => {
                        declared.into_iter().for_each(|declared: Declared| declared.complete(logged));
                        (place + 1, 0)
                    }
                    _ if tries + 1 < CALLDATA_TRIES => (place, tries + 1),
                    _ => (place + 1, 0),
                };
                Ok(self.complete(news, place, tries))
            }
            Stage::Clocks => match answer {
                Ok(Answer::Clocks(clocks, block_time)) => {
                    self.told = self.follower.last_final();
                    Ok(Step::Done(Some(Report {
                        news: std::mem::take(&mut self.news),
                        clocks: Some(clocks).filter(|clocks| clocks.deadline > 0),
                        block_time,
                        last_final: self.told,
                        notes: std::mem::take(&mut self.notes),
                    })))
                }
                _ => Err(Trouble::Unanswered),
            },
        }
    }

    /// A final block is on the chain no more, as the node says. That it isn't so another one may say, from a place on.
    fn deny(&mut self, block: BlockRef, node: usize) -> Result<Step<Option<Report>>, Trouble> {
        self.is_held = true;
        ensure!(node < self.follower.witnesses(), Trouble::Reorganised(block.number));
        self.stage = Stage::Denied { block, node };
        Ok(Step::Ask(Question::Witness { node, number: block.number }))
    }

    /// Reads what the moves' transactions carried, for the seat to verify, from a place on; then the clocks. Without these nobody could win on
    /// time, so news wait for them.
    fn complete(&mut self, news: Vec<News>, place: usize, tries: u32) -> Step<Option<Report>> {
        let is_move = |news: &News| matches!(news, News::Final(Logged { event: ChainEvent::Moved { .. }, .. }));
        let next = news.iter().enumerate().skip(place).find(|(_, news)| is_move(news));
        if let Some((place, News::Final(logged))) = next {
            let question = Question::Declared { transaction: logged.transaction, tries };
            self.stage = Stage::Declared { news, place, tries };
            return Step::Ask(question);
        }
        self.news.extend(news);
        let is_new = !self.news.is_empty() || !self.notes.is_empty() || self.told != self.follower.last_final();
        if !is_new && !self.wants_clocks {
            return Step::Done(None);
        }
        self.stage = Stage::Clocks;
        Step::Ask(Question::Clocks)
    }
}
