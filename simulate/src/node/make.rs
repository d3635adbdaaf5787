//! How blocks are made, on the chain or on a fork.

use super::{Block, Included, Making, Node, Signed};
use crate::model_chain::{ModelChain, Oracle, Refusal};
use alloy::primitives::Bloom;
use alloy::primitives::{B256, U256, keccak256};
use chain::{BlockRef, Header};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

impl Node {
    pub fn mine(&mut self, oracle: &Oracle, time: u64, making: Making, rng: &mut ChaCha8Rng) {
        let place = self.make(oracle, self.view(0), time, making, rng);
        self.chain.push(place);
        self.heads.push(place);
    }

    /// Takes so many last blocks back; one more comes in their place. Of each nonce that they had any transaction that was once sent may be in
    /// the mempool now, or none.
    pub fn fork(&mut self, oracle: &Oracle, depth: usize, time: u64, making: Making, rng: &mut ChaCha8Rng) {
        let (mut parent, mut times) = (self.view(0), vec![time]);
        for _ in 0..depth {
            let block = &self.blocks[parent];
            times.push(block.header.time);
            for included in &block.included {
                let key = (included.signed.sender, included.signed.nonce);
                let all = &self.seen[&key];
                let other = all[rng.gen_range(0..all.len())].clone();
                if rng.gen_range(0..3) > 0 {
                    self.mempool.insert(key, other);
                }
            }
            parent = self.blocks[parent].parent;
        }
        self.chain.truncate(self.chain.len() - depth);
        for time in times.into_iter().rev() {
            parent = self.make(oracle, parent, time, making, rng);
            self.chain.push(parent);
        }
        self.heads.push(parent);
    }

    fn make(&mut self, oracle: &Oracle, parent: usize, time: u64, making: Making, rng: &mut ChaCha8Rng) -> usize {
        let before = &self.blocks[parent];
        let rise = match rng.gen_range(0..100) < making.spike {
            true => 10_000,
            false => rng.gen_range(850..=1_100),
        };
        let base_fee = (before.base_fee * rise / 1_000).clamp(50, 3_000);
        let (mut nonces, mut state) = (before.nonces, before.state.clone());
        let (mut included, mut logs_of, logs_from) = (Vec::new(), Vec::new(), self.log_end(parent));
        let mut sender = rng.gen_range(0..2);
        let mut has_waited = [false; 2];
        while has_waited != [true; 2] {
            let key = (sender, nonces[sender]);
            let next = self.mempool.get(&key).filter(|signed| signed.fees.max >= base_fee);
            match next.cloned().filter(|_| !has_waited[sender] && rng.gen_range(0..100) >= making.late) {
                None => has_waited[sender] = true,
                Some(signed) => {
                    self.mempool.remove(&key);
                    nonces[sender] += 1;
                    let refusal = self.execute(oracle, &mut state, &signed, time, base_fee);
                    let end = logs_from + logs_of.len();
                    logs_of.extend((end..state.log.len()).map(|_| signed.hash));
                    included.push(Included { signed, refusal });
                }
            }
            sender = 1 - sender;
        }
        let parent_hash = self.blocks[parent].header.block.hash;
        let number = self.blocks[parent].header.block.number + 1;
        let place = self.blocks.len();
        let hash = keccak256([parent_hash.0, B256::from(U256::from(place)).0].as_flattened());
        // Of the blooms of blocks without events half say that there may be some.
        let says_nothing = !logs_of.is_empty() || hash[0] % 2 == 0;
        let bloom = (!says_nothing).then_some(Bloom::ZERO);
        let header = Header { block: BlockRef { number, hash }, parent: parent_hash, time, bloom, base_fee };
        self.by_hash.insert(hash, place);
        self.blocks.push(Block { header, parent, base_fee, included, state, logs_from, logs_of, nonces });
        self.mempool.retain(|(sender, nonce), _| *nonce >= nonces[*sender] && rng.gen_range(0..100) >= making.evict);
        place
    }

    fn execute(
        &self,
        oracle: &Oracle,
        state: &mut Arc<ModelChain>,
        signed: &Signed,
        now: u64,
        fee: u128,
    ) -> Option<Refusal> {
        if !signed.call.calls(self.contract) {
            return None;
        }
        let transaction = self.meaning(&signed.call.input).expect("it was sent");
        let account = self.accounts[signed.sender];
        let mut trial = state.trial();
        (trial.now, trial.base_fee) = (now, fee);
        if let Err(refusal) = trial.execute(oracle, account, transaction) {
            return Some(refusal);
        }
        let state = Arc::make_mut(state);
        let mut log = std::mem::take(&mut state.log);
        log.append(&mut trial.log);
        *state = trial;
        state.log = log;
        None
    }
}
