//! The events of a game in their order: what has become final, what is coming, and what the chain has taken back.

mod path;
mod scan;

use super::look::{Coming, Kept, Look, Stage};
use super::{Answer, Finality, Header, Logged, News, Note, Pace, Question, Step, Trouble, Unanswered};
use fog::ensure;
use game::BlockRef;

/// What a game is followed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When a block counts as final.
    pub finality: Finality,
    /// How many other nodes blocks are compared with.
    pub witnesses: usize,
}

/// Follows one game from its beginning.
#[derive(Clone, Debug)]
pub struct Follower {
    rules: Rules,
    /// The last block that counted as final before, to an earlier follower: it still does.
    floor: Option<BlockRef>,
    /// The first block that hasn't been told as final.
    next: u64,
    /// The last block that has.
    last: Option<BlockRef>,
    /// The blocks after it, oldest first.
    coming: Vec<Coming>,
    /// Which of the other nodes answered when they were last asked; before, all.
    answering: Vec<bool>,
    notes: Vec<Note>,
    /// The look that waits for an answer.
    look: Option<Look>,
    kept: Kept,
    /// How many blocks the node grants at once.
    pace: Pace,
    /// Whether the last look has met a machine that doesn't have the last final block so far.
    is_behind: bool,
}

impl Follower {
    /// Follows a game from a block on, its creation's or any before; the first look tells everything from there.
    pub fn new(rules: Rules, from: u64) -> Self {
        Self {
            rules,
            floor: None,
            next: from,
            last: None,
            coming: Vec::new(),
            answering: vec![true; rules.witnesses],
            notes: Vec::new(),
            look: None,
            kept: Kept::default(),
            pace: Pace::default(),
            is_behind: false,
        }
    }

    /// Follows a game of which a block was told as final before, which must still be on the chain. What lies below stays final, however
    /// far behind the node's finality is, or the user's has become.
    pub fn again(rules: Rules, from: u64, told: BlockRef) -> Self {
        Self { floor: Some(told), ..Self::new(rules, from) }
    }

    /// The last block whose events have been told as final.
    pub fn last_final(&self) -> Option<BlockRef> {
        self.last
    }

    /// How many other nodes there are.
    pub(super) fn witnesses(&self) -> usize {
        self.rules.witnesses
    }

    /// Which of the other nodes have changed their minds about answering since this was last asked.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Whether the last look, though it may have failed, has found something that the next one needn't ask for.
    pub fn has_advanced(&self) -> bool {
        self.kept.has_grown
    }

    /// Whether the last look has met a machine that doesn't have the last final block so far: it has told nothing.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Begins a look; one that waits for an answer is given up.
    pub fn look(&mut self) -> Question {
        (self.kept.has_grown, self.is_behind) = (false, false);
        self.look = Some(Look::new(self.next, self.last));
        Question::Latest
    }

    /// The answer to the last question. At the end of a look all news since the last one; after a failure the next look tells them.
    ///
    /// # Errors
    ///
    /// [`Trouble`]; then the look is over.
    pub fn answer(&mut self, answer: Result<Answer, Unanswered>) -> Result<Step<Vec<News>>, Trouble> {
        let result = self.go_on(answer);
        if let Err(Trouble::Reorganised(_) | Trouble::NodesDisagree(_) | Trouble::Nonsense(_)) = result {
            self.kept = Kept::default();
        }
        result
    }

    fn go_on(&mut self, answer: Result<Answer, Unanswered>) -> Result<Step<Vec<News>>, Trouble> {
        let Some(mut look) = self.look.take() else {
            return Ok(Step::Done(Vec::new()));
        };
        let block = |answer: Result<Answer, Unanswered>| match answer {
            Ok(Answer::Block(found)) => Ok(found),
            Ok(_) => Err(WRONG_KIND),
            Err(_) => Err(Trouble::Unanswered),
        };
        let was_refused = answer == Err(Unanswered::Refused);
        let events = |answer: Result<Answer, Unanswered>| match answer {
            Ok(Answer::Events(found)) => Ok(found),
            Ok(_) => Err(WRONG_KIND),
            Err(_) => Err(Trouble::Unanswered),
        };
        match look.stage {
            Stage::Latest => {
                look.head = block(answer)?.ok_or(Trouble::Nonsense("the chain has no latest block"))?;
                let number = look.head.block.number;
                // So each number from here down has one after it.
                ensure!(number < u64::MAX, Trouble::Nonsense("the latest block has the highest number that there is"));
                if self.last.is_some_and(|last| number < last.number) {
                    // A machine that is behind. A chain that was taken back grows again, and is found out then.
                    self.is_behind = true;
                    return Ok(Step::Done(Vec::new()));
                }
                ensure!(self.floor.is_none_or(|floor| number >= floor.number), Trouble::Behind);
                match self.rules.finality {
                    Finality::Confirmations(blocks) => self.catch_up(look, number.checked_sub(blocks)),
                    Finality::Finalized => Ok(self.ask(look, Stage::Finalized, Question::Finalized)),
                }
            }
            Stage::Finalized => {
                look.finalized = block(answer)?.map(|found| found.block);
                let number = look.finalized.map(|block| block.number);
                // Another machine behind the same address may be so far ahead of the one that told the head that nobody knows whether that
                // head is on its chain.
                ensure!(number.is_none_or(|number| number <= look.head.block.number), Trouble::Behind);
                self.catch_up(look, number)
            }
            Stage::Last(last) => {
                let found = block(answer)?.ok_or(Trouble::Behind)?;
                ensure!(found.block == last, Trouble::Reorganised(last.number));
                self.ask_events(look)
            }
            Stage::Kept { last, to } => {
                if block(answer)?.is_none_or(|found| found.block != last) {
                    self.kept.forget_final();
                }
                self.ask_range(look, to)
            }
            Stage::Events(mut ranges) => {
                match events(answer) {
                    Ok(events) => {
                        look.piece = events;
                        return self.ask_end(look, ranges);
                    }
                    Err(Trouble::Unanswered) if was_refused && ranges.refused() => {}
                    Err(trouble) => return Err(trouble),
                }
                self.pace = ranges.pace();
                self.ask_piece(look, ranges)
            }
            Stage::Shown(mut ranges) => {
                // Of blocks that nobody has, many nodes say that nothing happened in them.
                let found = block(answer)?.ok_or(Trouble::Behind)?;
                let is_it = ranges.piece().is_some_and(|(_, end)| end == found.block.number);
                ensure!(is_it, Trouble::Nonsense("a block has another number than the one that was asked for"));
                if !self.may_have(&look, &found) {
                    // Another fork's: the events of its blocks, which came with it, are forgotten too.
                    self.kept.forget_final();
                    return Err(Trouble::Behind);
                }
                ranges.granted();
                self.pace = ranges.pace();
                self.kept.keep_final(std::mem::take(&mut look.piece), found.block);
                self.ask_piece(look, ranges)
            }
            Stage::EventsOf(header) => {
                let events = events(answer)?;
                let is_sure = !events.is_empty() || !header.may_have_events;
                self.kept.keep(Coming { header, events, is_sure }, look.coming());
                self.descend(look, header)
            }
            Stage::Again(place) => {
                let (events, coming) = (events(answer)?, look.coming());
                if let Some(block) = look.path.get_mut(place) {
                    (block.events, block.is_sure) = (events, true);
                    self.kept.keep(block.clone(), coming);
                }
                self.finish(look, place.saturating_add(1))
            }
            Stage::Parent(parent) => {
                let Some(found) = block(answer)? else {
                    // What the node has said of its child may be wrong, and is asked for again.
                    self.kept.forget(look.path.last());
                    return Err(Trouble::Behind);
                };
                ensure!(found.block == parent, Trouble::Nonsense("a block is not the parent that its child names"));
                self.descend(look, found)
            }
            Stage::Witness(last) => {
                // A node that can't be asked, or doesn't have the block yet, says nothing against it.
                if let Ok(Answer::Block(Some(found))) = &answer {
                    ensure!(found.block.hash == last.hash, Trouble::NodesDisagree(last.number));
                }
                look.answering.push(answer.is_ok());
                Ok(self.compare(look, last))
            }
        }
    }

    /// Whether a block may be on the chain of what counted as final before, and of what is called `finalized`: another one of their numbers isn't.
    fn may_have(&self, look: &Look, header: &Header) -> bool {
        let is_other = |block: &BlockRef| block.number == header.block.number && *block != header.block;
        !self.floor.iter().chain(&look.finalized).any(is_other)
    }

    fn ask(&mut self, look: Look, stage: Stage, question: Question) -> Step<Vec<News>> {
        self.look = Some(Look { stage, ..look });
        Step::Ask(question)
    }

    /// What is new in a look that is done.
    fn tell(&mut self, look: Look) -> Vec<News> {
        let Look { next, last, events, path, .. } = look;
        let seen: Vec<&Logged> = self.coming.iter().flat_map(|block| &block.events).collect();
        let coming: Vec<&Logged> = path.iter().flat_map(|block| &block.events).collect();
        let gone = seen.iter().filter(|logged| !coming.contains(logged) && !events.contains(logged));
        let new_ones = coming.iter().filter(|logged| !seen.contains(logged));
        // What is dropped may be what is final or seen again elsewhere, so it comes first.
        let gone = gone.map(|logged| News::Dropped((*logged).clone()));
        let final_ones = events.iter().map(|logged| News::Final(logged.clone()));
        let told = gone.chain(final_ones).chain(new_ones.map(|logged| News::Seen((*logged).clone()))).collect();
        (self.next, self.last, self.coming) = (next, last, path);
        self.kept = Kept::default();
        told
    }
}

const WRONG_KIND: Trouble = Trouble::Nonsense("an answer is not of the kind that was asked for");
