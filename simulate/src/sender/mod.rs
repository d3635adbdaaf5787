//! The client's sender (`chain::send`) before a simulated node: the ledger of one account that is looked after, killed between writing
//! and sending, and lost; with fee spikes, forks, machines that are behind and questions that aren't answered.
//!
//! What is promised: for a ply no second move is ever signed; only what is on disk is sent; no fee is above the ceiling; a call is
//! carried out once, though it was wished and sent again and again; and when the weather is fair again everything wished is in a block.

mod checks;
mod node;

use crate::world::Tally;
use alloy::primitives::{Address, B256, U256, keccak256};
use chain::send::{
    Answer, Attempt, Call, Effect, Facts, Failure, Key, Ledger, PoolTransaction, Priority, Questions, Request, Rules,
    Sending, Subject, TxId, TxStatus,
};
use node::{Block, DEPTH, Node, Signed, Trouble, calls};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

const ACCOUNT: Address = Address::repeat_byte(7);
const CONTRACT: Address = Address::repeat_byte(1);
const GAME: B256 = B256::repeat_byte(3);
const TIP: u128 = 10;
/// Above anything that the base fee comes to.
const CEILING: u128 = 50_000;
const RULES: Rules = Rules { account: ACCOUNT, contract: CONTRACT, ceiling: CEILING, confirmations: DEPTH + 1 };
/// Blocks of fair weather after which nothing may be under way any more.
const CALM: u64 = 60;

/// What is wrong with the owner of the transactions: the owner must find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    None,
    /// It sends before it writes: what it was doing when it is killed is on no disk.
    WritesLast,
    /// It forgets everything when it is killed.
    Forgets,
    /// It doesn't look after what is under way.
    Neglects,
}

/// One account's machine and its node.
#[derive(Debug)]
struct Owner {
    defect: Defect,
    rng: ChaCha8Rng,
    trouble: Trouble,
    node: Node,
    /// The ledger as it is on disk.
    disk: Ledger,
    /// All that was signed, by hash.
    signed: BTreeMap<B256, Signed>,
    /// The move that was signed for each ply.
    moves: BTreeMap<u16, Call>,
    faults: Tally,
    checks: Tally,
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Transactions in blocks, fillers included.
    pub transactions: u64,
    pub blocks: u64,
    /// What went wrong, by kind.
    pub faults: Tally,
    /// What was looked at, by promise.
    pub checks: Tally,
}

/// A player's transactions in one game, from a seed: some moves, with other actions between them.
///
/// # Panics
/// If a promise is broken.
pub fn send(seed: u64, defect: Defect) -> Sent {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chance = |most: u32| if rng.gen_range(0..2) == 0 { 0 } else { rng.gen_range(1..=most) };
    let trouble = Trouble { fork: chance(20), evict: chance(15), lag: chance(50), busy: chance(40), spike: chance(10) };
    let (faults, checks) = (Tally::default(), Tally::default());
    let (signed, moves) = (BTreeMap::new(), BTreeMap::new());
    let mut owner =
        Owner { defect, rng, trouble, node: Node::new(), disk: Ledger::default(), signed, moves, faults, checks };
    owner.play();
    let transactions = owner.node.blocks.iter().map(|block| block.transactions.len() as u64).sum();
    Sent { transactions, blocks: owner.node.blocks.len() as u64, faults: owner.faults, checks: owner.checks }
}

impl Owner {
    fn play(&mut self) {
        let wishes: Vec<Request> = (0..self.rng.gen_range(1..=8)).flat_map(|ply| self.draw_wishes(ply)).collect();
        for wish in &wishes {
            let patience = self.rng.gen_range(0..12);
            self.carry_out(wish, patience);
        }
        self.trouble = Trouble::NONE;
        for wish in wishes.iter().filter(|wish| wish.is_exclusive()) {
            self.carry_out(wish, CALM);
        }
        (0..CALM).for_each(|_| self.block());
        self.check_end(&wishes);
    }

    /// A move, and perhaps something else after it.
    fn draw_wishes(&mut self, ply: u16) -> Vec<Request> {
        let call = |kind: u8| Call {
            to: CONTRACT.into(),
            value: U256::ZERO,
            input: vec![kind, ply as u8].into(),
            gas: 100_000,
        };
        let subject = Subject::Exclusive(Key { topic: GAME, number: ply });
        let mut wishes = vec![Request { call: call(0), subject, priority: Priority::Normal }];
        if self.rng.gen_range(0..3) == 0 {
            let subject = Subject::Action { topic: Some(GAME), name: "opening a game".to_owned() };
            let priority = if self.rng.r#gen() { Priority::Normal } else { Priority::Urgent };
            wishes.push(Request { call: call(1), subject, priority });
        }
        wishes
    }

    /// Wishes something until it has a fate, or for so many blocks; then the next may be wished behind it.
    fn carry_out(&mut self, wish: &Request, patience: u64) {
        let mut ticket = None;
        for _ in 0..=patience {
            match ticket.and_then(|ticket| self.disk.status(ticket)) {
                Some(TxStatus::UnderWay) => {}
                None | Some(TxStatus::Failed(Failure::Overtaken)) => ticket = self.want(wish),
                // Given up, since a fork had taken the move before it back: a seat sends its move again.
                Some(TxStatus::Failed(Failure::Refused(_))) if wish.is_exclusive() => ticket = self.want(wish),
                Some(TxStatus::Mined(_) | TxStatus::Failed(_)) => return,
            }
            self.block();
        }
    }

    /// Whether the contract takes a call after what it has taken: moves in their order and once, other actions again and again, as it
    /// opens a game for whoever asks.
    fn does(blocks: &[Block], before: &[Signed], call: &Call) -> bool {
        if !call.calls(CONTRACT) {
            return true;
        }
        let all: Vec<&Call> = calls(blocks).chain(before.iter().map(|signed| &signed.call)).collect();
        let moves = all.iter().filter(|known| known.calls(CONTRACT) && known.input.first() == Some(&0)).count();
        call.input[0] != 0 || usize::from(call.input[1]) == moves
    }

    /// A block, perhaps on a fork, and what the owner does about it.
    fn block(&mut self) {
        if self.percent(self.trouble.fork) {
            self.faults.add("forks");
            let depth = self.node.fork(&mut self.rng);
            (0..depth).for_each(|_| self.node.mine(self.trouble, &mut self.rng, Self::does));
        }
        self.node.mine(self.trouble, &mut self.rng, Self::does);
        if let Some(facts) = self.facts().filter(|_| self.defect != Defect::Neglects) {
            let mut ledger = self.disk.clone();
            let effects = ledger.on_block(&RULES, &facts);
            self.perform(ledger, effects);
        }
        self.check();
    }

    fn want(&mut self, wish: &Request) -> Option<TxId> {
        let facts = self.facts()?;
        let mut ledger = self.disk.clone();
        // As the client: what the contract refuses at once isn't sent.
        if ledger.same(wish).is_none() && !Self::does(&self.node.blocks, &self.pending(), &wish.call) {
            return None;
        }
        let (answer, effects) = ledger.want(&RULES, wish, &facts);
        self.perform(ledger, effects);
        match answer {
            Answer::Assigned(ticket) | Answer::Known(ticket) => Some(ticket),
            Answer::Wait => None,
            Answer::Contradicts => panic!("the same move of a ply is taken for another"),
        }
    }

    /// What the mempool would do, in order.
    fn pending(&self) -> Vec<Signed> {
        let (mined, pending) = self.node.nonces(&self.node.blocks);
        (mined..pending).filter_map(|nonce| self.node.in_mempool(nonce).cloned()).collect()
    }

    /// Signs, writes, and only then sends. A machine may be killed in between, or its record lost.
    fn perform(&mut self, mut ledger: Ledger, effects: Vec<Effect>) {
        let mut outgoing = Vec::new();
        for effect in effects {
            match effect {
                Effect::Sign { id, nonce, call, fees } => {
                    let hash = keccak256(format!("{nonce} {call:?} {fees:?}"));
                    self.check_signed(&ledger, id, &call, fees.max);
                    ledger.signed(id, fees, hash, hash.to_vec().into());
                    self.signed.insert(hash, Signed { hash, nonce, call, fees });
                    outgoing.push(hash);
                }
                Effect::Broadcast { hash } => outgoing.push(hash),
                Effect::Tell(_) => {}
            }
        }
        let before = std::mem::replace(&mut self.disk, ledger);
        if self.percent(4) {
            return self.faults.add("killed before sending");
        }
        let mut answers = Vec::new();
        for hash in outgoing {
            self.checks.add("written before sent");
            assert!(self.disk.raw(hash).is_some(), "something is sent that is not on disk");
            answers.push((hash, self.send(hash)));
        }
        if self.percent(4) {
            match self.defect {
                Defect::WritesLast => self.disk = before,
                Defect::Forgets => self.disk = Ledger::default(),
                Defect::None | Defect::Neglects => {}
            }
            return self.faults.add("killed after sending");
        }
        for (hash, sending) in answers {
            let effects = self.disk.on_sent(hash, sending);
            assert!(effects.iter().all(|effect| matches!(effect, Effect::Tell(_))));
        }
    }

    fn send(&mut self, hash: B256) -> Sending {
        if self.percent(self.trouble.busy) {
            self.faults.add("sent without an answer");
            // It may have arrived all the same.
            if self.rng.r#gen() {
                self.node.send(&self.signed[&hash]);
            }
            return Sending::Unanswered;
        }
        self.node.send(&self.signed[&hash])
    }

    /// What the node says, each answer perhaps by another machine; none if it is asked too often.
    fn facts(&mut self) -> Option<Facts> {
        if self.percent(self.trouble.busy) {
            self.faults.add("asked too often");
            return None;
        }
        let [of_block, of_nonces, of_receipts] = [0; 3].map(|_| self.draw_lag());
        let head = self.node.view(of_block).last().expect("the first block stays");
        let (mined_nonce, pending_nonce) = self.node.nonces(self.node.view(of_nonces));
        let mut facts = Facts {
            block: head.number,
            base_fee: head.base_fee,
            tip: TIP,
            mined_nonce,
            pending_nonce: pending_nonce.max(mined_nonce),
            ..Facts::default()
        };
        let Questions { receipts, calls, unknown } = self.disk.questions(&RULES, &facts);
        let blocks = self.node.view(of_receipts);
        facts.receipts = receipts.iter().filter_map(|hash| Node::receipt(blocks, *hash)).collect();
        for (nonce, call) in calls {
            if !Self::does(blocks, &[], &call) {
                facts.refused.push((nonce, "the contract refuses it".to_owned()));
            }
        }
        for nonce in unknown {
            facts.pool.extend(self.node.in_mempool(nonce).map(shown));
        }
        Some(facts)
    }

    fn draw_lag(&mut self) -> u64 {
        if self.percent(self.trouble.lag) {
            self.faults.add("answers of a machine that is behind");
            return self.rng.gen_range(1..=DEPTH);
        }
        0
    }

    fn percent(&mut self, chance: u32) -> bool {
        chance > 0 && self.rng.gen_range(0..100) < chance
    }
}

/// A transaction of the mempool as the client understands it.
fn shown(signed: &Signed) -> PoolTransaction {
    let Signed { hash, nonce, call, fees } = signed.clone();
    let attempt =
        Attempt { fees, hash, raw: hash.to_vec().into(), cancellation: false, sending: Some(Sending::Accepted) };
    let subject = match (call.calls(CONTRACT), call.input.first()) {
        (true, Some(0)) => Subject::Exclusive(Key { topic: GAME, number: call.input[1].into() }),
        (true, _) => Subject::Action { topic: None, name: "a call of the game contract".to_owned() },
        (false, _) => Subject::Cancellation,
    };
    PoolTransaction { nonce, call, subject: Some(subject), attempt }
}
