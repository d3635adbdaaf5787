//! The blocks from the latest down to the last final one, from child to parent; and which of them count as final.

use super::super::look::{Coming, Look, Stage};
use super::super::{Header, News, Note, Question, Step, Trouble};
use super::Follower;
use alloy::primitives::B256;
use fog::ensure;
use game::BlockRef;

impl Follower {
    /// The blocks from `next` to the head, from `header` down; those known already aren't asked for again.
    pub(super) fn descend(&mut self, mut look: Look, mut header: Header) -> Result<Step<Vec<News>>, Trouble> {
        loop {
            if header.block.number < look.next {
                return self.arrive(look, header.block.hash);
            }
            let Some(block) = self.known(header.block).filter(|block| block.header == header) else {
                return Ok(self.ask(look, Stage::EventsOf(header), Question::EventsOf(header.block.hash)));
            };
            look.path.push(block.clone());
            let Some(parent) = header.parent().filter(|parent| parent.number >= look.next) else {
                return self.arrive(look, header.parent);
            };
            let Some(known) = self.known(parent) else {
                return Ok(self.ask(look, Stage::Parent(parent), Question::Hash(parent.hash)));
            };
            header = known.header;
        }
    }

    /// A block that was asked for before, by its hash and its number: one that a node has told with another number isn't it.
    fn known(&self, block: BlockRef) -> Option<&Coming> {
        let first = self.coming.first().map_or(0, |first| first.header.block.number);
        let place = block.number.checked_sub(first).and_then(|place| usize::try_from(place).ok());
        let told = place.and_then(|place| self.coming.get(place));
        // What was asked for last first: it may be more.
        self.kept.block(block.hash).into_iter().chain(told).find(|known| known.header.block == block)
    }

    /// The path has come down to what was told as final: `joint` is the block there.
    pub(super) fn arrive(&mut self, look: Look, joint: B256) -> Result<Step<Vec<News>>, Trouble> {
        if let Some(last) = look.last.filter(|last| last.hash != joint) {
            ensure!(look.last != self.last, Trouble::Reorganised(last.number));
            // It isn't told yet: one of two machines is on a fork that was left.
            self.kept.forget_final();
            return Err(Trouble::Behind);
        }
        // The head may be on a chain that another machine has left.
        ensure!(look.path.iter().all(|block| self.may_have(&look, &block.header)), Trouble::Behind);
        self.finish(look, 0)
    }

    /// Asks once more for the events of blocks that are about to count as final and may have more than was told, from a place of the path on; then
    /// what is final is told as such.
    pub(super) fn finish(&mut self, mut look: Look, from: usize) -> Result<Step<Vec<News>>, Trouble> {
        if let Some((place, hash)) = look.unsure(from) {
            return Ok(self.ask(look, Stage::Again(place), Question::EventsOf(hash)));
        }
        look.path.reverse();
        let end = look.path.partition_point(|block| look.is_final(block));
        let coming = look.path.split_off(end);
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
    pub(super) fn compare(&mut self, look: Look, last: BlockRef) -> Step<Vec<News>> {
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
}
