//! What the node answers: each time perhaps another machine behind its address, or nobody.

use super::super::World;
use super::super::chance::Chance as _;
use super::sim_node::{Answer, Question, Unanswered};
use super::{Backend, NodeWeather};
use crate::node::{Block, LAG, Node};
use ::chain::{BlockRef, Blocks, Header, Log};
use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::{B256, keccak256};
use events::Declared;
use rand::Rng;

impl World {
    /// The place of the latest block of the machine that answers.
    pub(super) fn draw_view(&mut self) -> usize {
        let lag = self.backend().node_weather.lag;
        let behind = if self.rng.percent(lag) { self.rng.gen_range(1..=LAG) } else { 0 };
        if behind > 0 {
            self.faults.add("answers of a machine that is behind");
        }
        self.backend().node.view(behind)
    }

    /// Whether a question gets no answer.
    pub(super) fn is_busy(&mut self) -> bool {
        let busy = self.backend().node_weather.busy;
        let is_busy = self.rng.percent(busy);
        if is_busy {
            self.faults.add("questions without an answer");
        }
        is_busy
    }

    /// What each of the other nodes has at a number.
    fn elsewhere(&mut self, i: usize, number: u64) -> Vec<BlockRef> {
        let NodeWeather { cross_checks, lie, .. } = self.backend().node_weather;
        let asked = (0..cross_checks).filter_map(|_| {
            let view = (!self.is_busy()).then(|| self.draw_view())?;
            let backend = self.backend();
            backend.connections[i].views.push(view);
            let block = backend.node.at(view, number).map(|place| backend.node.block(place).header.block)?;
            let is_lie = self.rng.percent(lie);
            Some(if is_lie { self.another(block) } else { block })
        });
        asked.collect()
    }

    /// A block of the same number that there is nowhere.
    fn another(&mut self, block: BlockRef) -> BlockRef {
        self.faults.add("lies about blocks");
        BlockRef { hash: keccak256(block.hash), ..block }
    }

    /// The answer to a question of a player's watcher or sender. Where there is another node, this one may lie about what is final.
    pub(super) fn answer(&mut self, i: usize, question: Question) -> Result<Answer, Unanswered> {
        match &question {
            Question::Elsewhere(number) => return Ok(Answer::Elsewhere(self.elsewhere(i, *number))),
            Question::Send(raw) => return self.take_raw(i, raw).ok_or(Unanswered::Failed),
            _ => {}
        }
        if self.is_busy() {
            return Err(Unanswered::Failed);
        }
        let NodeWeather { cross_checks, lie, .. } = self.backend().node_weather;
        let is_lie = question == Question::Block(BlockId::finalized()) && cross_checks > 0 && self.rng.percent(lie);
        let (view, other) = (self.draw_view(), self.draw_view());
        let logs_behind = self.backend().node_weather.logs_behind;
        let has_no_logs = self.rng.percent(logs_behind);
        let game = self.chain.game.game_id;
        let Self { backend, faults, .. } = self;
        let Backend { node, node_weather, connections, .. } = backend.as_mut().expect("a deep world");
        connections[i].views.push(view);
        let header = |block: &Block| block.header;
        let at = |number: u64| Answer::Block(node.at(view, number).map(|place| header(node.block(place))));
        let latest: Header = node.block(view).header;
        let answer = match question {
            Question::Block(BlockId::Number(BlockNumberOrTag::Latest)) => Answer::Block(Some(latest)),
            Question::Block(BlockId::Number(BlockNumberOrTag::Finalized)) => {
                match latest.block.number.checked_sub(node_weather.confirmations) {
                    Some(number) => match at(number) {
                        Answer::Block(Some(found)) if is_lie => {
                            Answer::Block(Some(Header { block: self.another(found.block), ..found }))
                        }
                        answer => answer,
                    },
                    None => Answer::Block(None),
                }
            }
            Question::Block(BlockId::Number(BlockNumberOrTag::Number(number))) => at(number),
            Question::Block(BlockId::Hash(hash)) => {
                Answer::Block(node.known(view, &hash.block_hash).map(|place| header(node.block(place))))
            }
            Question::Logs(Blocks::Range(from, to)) if to - from >= node_weather.range => {
                faults.add("ranges refused");
                return Err(Unanswered::Refused);
            }
            Question::Logs(Blocks::Range(from, to)) => {
                let last = to.min(latest.block.number);
                let places: Vec<usize> = (from..=last).filter_map(|number| node.at(view, number)).collect();
                Answer::Logs(places.into_iter().flat_map(|place| logs(node, place, game)).collect())
            }
            Question::Logs(Blocks::Hash(hash)) => match node.known(view, &hash) {
                Some(place) if has_no_logs && !node.is_final(place, node_weather.confirmations) => {
                    faults.add("answers without logs that are there");
                    Answer::Logs(Vec::new())
                }
                Some(place) => Answer::Logs(logs(node, place, game)),
                None => {
                    faults.add("blocks not found");
                    return Err(Unanswered::Failed);
                }
            },
            Question::Declared(transaction) => match node.find(view, &transaction) {
                Some((_, included)) => Answer::Declared(Declared::decode(&included.signed.call.input).ok()),
                None => return Err(Unanswered::Failed),
            },
            Question::Clocks => {
                let block = node.block(view);
                Answer::Clocks(block.state.clocks(block.header.time), node.block(other).header.time)
            }
            other => self.answer_of_account(i, view, other),
        };
        Ok(answer)
    }

    /// The answer to a question about a player's transactions.
    fn answer_of_account(&mut self, i: usize, view: usize, question: Question) -> Answer {
        let blind = self.backend().node_weather.blind;
        let (is_blind, now) = (self.rng.percent(blind), self.chain.now);
        let Self { backend, faults, .. } = self;
        let Backend { node, connections, raw, .. } = backend.as_mut().expect("a deep world");
        let mined = node.block(view).nonces[i];
        match question {
            Question::Nonce(at) if at.is_pending() || connections[i].defect.trusts_mempools => {
                if is_blind {
                    faults.add("mempools that know nothing of the account");
                }
                Answer::Nonce(if is_blind { 0 } else { node.pending_nonce(i, mined) })
            }
            Question::Nonce(_) => Answer::Nonce(mined),
            Question::Mined(hash) => Answer::Mined(node.receipt(view, &hash)),
            Question::Waiting(nonce) => {
                Answer::Waiting(node.in_mempool(i, nonce).and_then(|signed| raw.get(&signed.hash)).cloned())
            }
            // As if the call were in the next block, or after the latest one.
            Question::Estimate(call, at) => {
                let time = if at.is_pending() { now } else { node.block(view).header.time };
                Answer::Estimate(node.trial(view, i, &call, time).map(|done| done.gas_used))
            }
            other => panic!("nobody asks for {other:?}"),
        }
    }
}

/// The contract's logs of a game in a block.
fn logs(node: &Node, place: usize, game: B256) -> Vec<Log> {
    let Block { header, logs, .. } = node.block(place);
    let of_game = (0..).zip(logs).filter(|(_, (log, _))| log.topics().get(1) == Some(&game));
    let placed = |(index, (log, transaction)): (u64, &(alloy::primitives::Log, B256))| Log {
        event: log.data.clone(),
        block: header.block,
        transaction: *transaction,
        index,
    };
    of_game.map(placed).collect()
}
