//! The events of the blocks that lie deep, range by range.

use super::super::look::{Look, Stage, deep};
use super::super::{News, Question, Ranges, Step, Trouble};
use super::Follower;

impl Follower {
    /// The final events of the blocks that lie deep, by their numbers.
    pub(super) fn catch_up(&mut self, mut look: Look, last_final: Option<u64>) -> Result<Step<Vec<News>>, Trouble> {
        look.last_final = last_final.max(self.floor.map(|floor| floor.number));
        match self.last {
            Some(last) if deep(&look).is_some() => Ok(self.ask(look, Stage::Last(last), Question::Number(last.number))),
            _ => self.ask_events(look),
        }
    }

    pub(super) fn ask_events(&mut self, look: Look) -> Result<Step<Vec<News>>, Trouble> {
        match (deep(&look), self.kept.last) {
            // What an earlier look has found counts if its last block is there still.
            (Some(to), Some(last)) if last.number <= look.head.block.number => {
                Ok(self.ask(look, Stage::Kept { last, to }, Question::Number(last.number)))
            }
            (Some(to), _) => {
                self.kept.forget_final();
                self.ask_range(look, to)
            }
            (None, _) => self.ask_coming(look),
        }
    }

    /// The blocks from the first whose events aren't known to one that lies deep.
    pub(super) fn ask_range(&mut self, look: Look, to: u64) -> Result<Step<Vec<News>>, Trouble> {
        let next = self.kept.last.map_or(look.next, |last| last.number + 1);
        self.ask_piece(look, Ranges::of(next, to, self.pace))
    }

    pub(super) fn ask_piece(&mut self, mut look: Look, ranges: Ranges) -> Result<Step<Vec<News>>, Trouble> {
        if let Some(last) = self.kept.last {
            (look.next, look.last) = (last.number + 1, Some(last));
        }
        match ranges.piece() {
            Some((from, to)) => {
                look.count_piece()?;
                Ok(self.ask(look, Stage::Events(ranges), Question::Events { from, to }))
            }
            None => {
                look.events.clone_from(&self.kept.events);
                self.ask_coming(look)
            }
        }
    }

    pub(super) fn ask_end(&mut self, look: Look, ranges: Ranges) -> Result<Step<Vec<News>>, Trouble> {
        match ranges.piece() {
            Some((_, end)) => Ok(self.ask(look, Stage::Shown(ranges), Question::Number(end))),
            None => self.ask_coming(look),
        }
    }

    /// The blocks after those that lie deep, one by one.
    pub(super) fn ask_coming(&mut self, look: Look) -> Result<Step<Vec<News>>, Trouble> {
        look.check_distance()?;
        let head = look.head;
        self.descend(look, head)
    }
}
