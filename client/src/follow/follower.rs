//! The events of a game in their order: what has become final, what is coming, and what the chain has taken back.

use super::look::{Coming, Kept, Look, Stage, deep};
use super::{Answer, Finality, Header, Logged, News, Note, Question, Ranges, Step, Trouble, Unanswered};
use alloy::primitives::B256;
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
    /// Whether the last look has met a machine that doesn't have the last final block so far.
    is_behind: bool,
}

impl Follower {
    /// Follows a game from a block on, its creation's or any before; the first look tells everything from there.
    pub fn new(rules: Rules, from: u64) -> Self {
        let answering = vec![true; rules.witnesses];
        let (coming, notes) = (Vec::new(), Vec::new());
        let kept = Kept::new(from);
        Self {
            rules,
            floor: None,
            next: from,
            last: None,
            coming,
            answering,
            notes,
            look: None,
            kept,
            is_behind: false,
        }
    }

    /// The same for one that has told a block as final before, which must still be on the chain. What lies below stays final, however
    /// far behind the node's finality is, or the user's has become.
    pub fn again(rules: Rules, from: u64, told: BlockRef) -> Self {
        Self { floor: Some(told), ..Self::new(rules, from) }
    }

    /// The last block whose events have been told as final.
    pub fn last_final(&self) -> Option<BlockRef> {
        self.last
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
        let none = Header { block: BlockRef { number: 0, hash: B256::ZERO }, parent: B256::ZERO, time: 0 };
        (self.kept.has_grown, self.is_behind) = (false, false);
        self.look = Some(Look {
            head: none,
            last_final: None,
            finalized: None,
            next: self.next,
            last: self.last,
            events: Vec::new(),
            path: Vec::new(),
            answering: Vec::new(),
            stage: Stage::Latest,
        });
        Question::Latest
    }

    /// The answer to the last question. At the end of a look all news since the last one; after a failure the next look tells them.
    ///
    /// # Errors
    ///
    /// [`Trouble`]; then the look is over.
    pub fn answer(&mut self, answer: Result<Answer, Unanswered>) -> Result<Step<Vec<News>>, Trouble> {
        let result = self.go_on(answer);
        if let Err(Trouble::Reorganised(_) | Trouble::NodesDisagree(_)) = result {
            self.kept = Kept::new(self.next);
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
        match look.stage {
            Stage::Latest => {
                look.head = block(answer)?.ok_or(Trouble::Nonsense("the chain has no latest block"))?;
                let number = look.head.block.number;
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
            Stage::Events { mut ranges, to } => {
                match answer {
                    Ok(Answer::Events(events)) => {
                        self.kept.events.extend(events);
                        ranges.granted();
                        (self.kept.next, self.kept.size) = (ranges.start(), ranges.size());
                        self.kept.has_grown = true;
                    }
                    Ok(_) => return Err(WRONG_KIND),
                    Err(Unanswered::Refused) if ranges.refused() => {}
                    Err(_) => return Err(Trouble::Unanswered),
                }
                Ok(self.ask_range(look, ranges, to))
            }
            Stage::End => {
                let found = block(answer)?.ok_or(Trouble::Behind)?;
                if !self.may_have(&look, &found) {
                    // Another fork's: the events of its blocks, which came with it, are forgotten too.
                    self.kept = Kept::new(self.next);
                    return Err(Trouble::Behind);
                }
                look.events.clone_from(&self.kept.events);
                (look.next, look.last) = (found.block.number + 1, Some(found.block));
                let head = look.head;
                self.descend(look, head)
            }
            Stage::EventsOf(header) => match answer {
                Ok(Answer::Events(events)) => {
                    let block = Coming { header, events };
                    self.kept.keep(block.clone(), look.head.block.number.saturating_sub(look.next));
                    look.path.push(block);
                    self.below(look, header)
                }
                Ok(_) => Err(WRONG_KIND),
                Err(_) => Err(Trouble::Unanswered),
            },
            Stage::Parent(hash) => {
                let found = block(answer)?.ok_or(Trouble::Behind)?;
                let child = look.path.last().map_or(look.head, |block| block.header);
                let is_it = found.block.hash == hash && found.block.number + 1 == child.block.number;
                ensure!(is_it, Trouble::Nonsense("a block is not the parent that its child names"));
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

    /// The final events of the blocks that lie deep, by their numbers.
    fn catch_up(&mut self, mut look: Look, last_final: Option<u64>) -> Result<Step<Vec<News>>, Trouble> {
        look.last_final = last_final.max(self.floor.map(|floor| floor.number));
        match self.last {
            Some(last) if deep(&look).is_some() => Ok(self.ask(look, Stage::Last(last), Question::Number(last.number))),
            _ => self.ask_events(look),
        }
    }

    fn ask_events(&mut self, look: Look) -> Result<Step<Vec<News>>, Trouble> {
        match deep(&look) {
            Some(to) => {
                // What a machine that was ahead has told already lies deep, too.
                let to = to.max(self.kept.next.saturating_sub(1));
                let ranges = Ranges::of(self.kept.next, to, self.kept.size);
                Ok(self.ask_range(look, ranges, to))
            }
            None => {
                let head = look.head;
                self.descend(look, head)
            }
        }
    }

    fn ask_range(&mut self, look: Look, ranges: Ranges, to: u64) -> Step<Vec<News>> {
        match ranges.piece() {
            Some((from, end)) => self.ask(look, Stage::Events { ranges, to }, Question::Events { from, to: end }),
            None => self.ask(look, Stage::End, Question::Number(to)),
        }
    }

    /// The blocks from `next` to the head, from `header` down; those known already aren't asked for again.
    fn descend(&mut self, look: Look, header: Header) -> Result<Step<Vec<News>>, Trouble> {
        if header.block.number < look.next {
            return self.arrive(look, header.block.hash);
        }
        let hash = header.block.hash;
        match self.known(hash) {
            Some(block) => {
                let (mut look, block) = (look, block.clone());
                look.path.push(block);
                self.below(look, header)
            }
            None => Ok(self.ask(look, Stage::EventsOf(header), Question::EventsOf(hash))),
        }
    }

    /// The block below one whose events are known.
    fn below(&mut self, look: Look, header: Header) -> Result<Step<Vec<News>>, Trouble> {
        if header.block.number == look.next {
            return self.arrive(look, header.parent);
        }
        match self.known(header.parent) {
            Some(block) => {
                let parent = block.header;
                self.descend(look, parent)
            }
            None => Ok(self.ask(look, Stage::Parent(header.parent), Question::Hash(header.parent))),
        }
    }

    fn known(&self, hash: B256) -> Option<&Coming> {
        self.coming.iter().chain(&self.kept.blocks).find(|block| block.header.block.hash == hash)
    }

    /// The path has come down to what was told as final: `joint` is the block there.
    fn arrive(&mut self, mut look: Look, joint: B256) -> Result<Step<Vec<News>>, Trouble> {
        if let Some(last) = look.last {
            ensure!(joint == last.hash, Trouble::Reorganised(last.number));
        }
        // The head may be on a chain that another machine has left.
        ensure!(look.path.iter().all(|block| self.may_have(&look, &block.header)), Trouble::Behind);
        look.path.reverse();
        let is_final = |block: &Coming| look.last_final.is_some_and(|last| block.header.block.number <= last);
        let coming = look.path.split_off(look.path.partition_point(is_final));
        if let Some(block) = look.path.last() {
            (look.next, look.last) = (block.header.block.number + 1, Some(block.header.block));
        }
        let final_ones = std::mem::replace(&mut look.path, coming);
        look.events.extend(final_ones.into_iter().flat_map(|block| block.events));
        match look.last.filter(|_| look.last != self.last) {
            Some(last) => Ok(self.compare(look, last)),
            None => Ok(Step::Done(self.tell(look))),
        }
    }

    /// Compares a block that is about to count as final with what the other nodes have at its number.
    fn compare(&mut self, look: Look, last: BlockRef) -> Step<Vec<News>> {
        let node = look.answering.len();
        if node < self.rules.witnesses {
            return self.ask(look, Stage::Witness(last), Question::Witness { node, number: last.number });
        }
        for (node, (before, now)) in self.answering.iter().zip(&look.answering).enumerate() {
            if before != now {
                self.notes.push(Note { node, answers: *now });
            }
        }
        self.answering.clone_from(&look.answering);
        Step::Done(self.tell(look))
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
        self.kept = Kept { size: self.kept.size, ..Kept::new(next) };
        told
    }
}

const WRONG_KIND: Trouble = Trouble::Nonsense("an answer is not of the kind that was asked for");
