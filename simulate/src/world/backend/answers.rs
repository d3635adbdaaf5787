//! What the node answers: each time perhaps another machine behind its address, or nobody.

use super::super::World;
use super::Backend;
use crate::node::{Block, LAG, Node};
use alloy::primitives::B256;
use client::follow::{Answer, Declared, Header, Logged, Question, Unanswered};
use game::{BlockRef, ChainEvent, Transaction};
use rand::Rng;

impl World {
    /// The place of the latest block of the machine that answers.
    pub(super) fn draw_view(&mut self) -> usize {
        let lag = self.backend().node_weather.lag;
        let behind = if self.percent(lag) { self.rng.gen_range(1..=LAG) } else { 0 };
        if behind > 0 {
            self.faults.add("answers of a machine that is behind");
        }
        self.backend().node.view(behind)
    }

    /// Whether a question gets no answer.
    pub(super) fn is_busy(&mut self) -> bool {
        let busy = self.backend().node_weather.busy;
        let is_busy = self.percent(busy);
        if is_busy {
            self.faults.add("questions without an answer");
        }
        is_busy
    }

    /// The answer to a follower's question.
    pub(super) fn answer(&mut self, i: usize, question: Question) -> Result<Answer, Unanswered> {
        if self.is_busy() {
            return Err(Unanswered::Failed);
        }
        let (view, other) = (self.draw_view(), self.draw_view());
        let logs_behind = self.backend().node_weather.logs_behind;
        let has_no_logs = self.percent(logs_behind);
        let game = self.chain.game.game_id;
        let Self { backend, faults, .. } = self;
        let Backend { node, node_weather, connections, .. } = backend.as_mut().expect("a deep world");
        connections[i].views.push(view);
        let header = |block: &Block| block.header;
        let at = |number: u64| Answer::Block(node.at(view, number).map(|place| header(node.block(place))));
        let latest: Header = node.block(view).header;
        let answer = match question {
            Question::Latest => {
                connections[i].is_current = view == node.view(0);
                Answer::Block(Some(latest))
            }
            Question::Finalized => match latest.block.number.checked_sub(node_weather.confirmations) {
                Some(number) => at(number),
                None => Answer::Block(None),
            },
            Question::Number(number) | Question::Witness { number, .. } => at(number),
            Question::Hash(hash) => Answer::Block(node.known(view, &hash).map(|place| header(node.block(place)))),
            Question::Events { from, to } if to - from >= node_weather.range => {
                faults.add("ranges refused");
                return Err(Unanswered::Refused);
            }
            Question::Events { from, to } => {
                let last = to.min(latest.block.number);
                let places: Vec<usize> = (from..=last).filter_map(|number| node.at(view, number)).collect();
                Answer::Events(places.into_iter().flat_map(|place| logged(node, game, place)).collect())
            }
            Question::EventsOf(hash) => match node.known(view, &hash) {
                Some(place) if has_no_logs && !node.is_final(place, node_weather.confirmations) => {
                    faults.add("answers without logs that are there");
                    Answer::Events(Vec::new())
                }
                Some(place) => Answer::Events(logged(node, game, place)),
                None => {
                    faults.add("blocks not found");
                    return Err(Unanswered::Failed);
                }
            },
            Question::Declared { transaction, .. } => match node.find(view, &transaction) {
                Some((_, included)) => Answer::Declared(match node.meaning(&included.signed.call.input) {
                    Some(Transaction::Move { fields, basis, proof }) => {
                        Some(Declared { game, fields: *fields, basis: *basis, proof: proof.clone() })
                    }
                    _ => None,
                }),
                None => return Err(Unanswered::Failed),
            },
            Question::Clocks => {
                let block = node.block(view);
                let mut clocks = block.state.trial();
                clocks.now = block.header.time;
                Answer::Clocks(clocks.clocks(), node.block(other).header.time)
            }
        };
        Ok(answer)
    }
}

/// The events of a block, as the node tells them: of a move without what only its calldata say.
fn logged(node: &Node, game: B256, place: usize) -> Vec<Logged> {
    let block = node.block(place);
    let BlockRef { number, hash } = block.header.block;
    let event = |(index, transaction): (usize, B256)| {
        let mut event = block.state.log[index].event.clone();
        if let ChainEvent::Moved { basis, proof, .. } = &mut event {
            (*basis, *proof) = (None, None);
        }
        Logged { game, event, block: number, block_hash: hash, transaction, index: index as u64 }
    };
    node.events(place).map(event).collect()
}
