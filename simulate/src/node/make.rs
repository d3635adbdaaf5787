//! How blocks are made, on the chain or on a fork.

use super::{Block, Included, Making, Node, Signed};
use crate::contract::Contract;
use crate::evm::{CONTRACT, Moment};
use alloy::primitives::{B256, Log, U256, keccak256};
use chain::{BlockRef, Header};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Gas of a transfer.
const TRANSFER_GAS: u64 = 21_000;

impl Node {
    pub fn mine(&mut self, time: u64, making: Making, rng: &mut ChaCha8Rng) {
        let place = self.make(self.view(0), time, making, rng);
        self.chain.push(place);
        self.heads.push(place);
    }

    /// Takes so many last blocks back; one more comes in their place. Of each nonce that they had any transaction that was once sent may be in
    /// the mempool now, or none.
    pub fn fork(&mut self, depth: usize, time: u64, making: Making, rng: &mut ChaCha8Rng) {
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
            parent = self.make(parent, time, making, rng);
            self.chain.push(parent);
        }
        self.heads.push(parent);
    }

    fn make(&mut self, parent: usize, time: u64, making: Making, rng: &mut ChaCha8Rng) -> usize {
        let before = &self.blocks[parent];
        let rise = match rng.gen_range(0..100) < making.spike {
            true => 10_000,
            false => rng.gen_range(850..=1_100),
        };
        let base_fee = (before.base_fee * rise / 1_000).clamp(50, 3_000);
        let (mut nonces, mut state) = (before.nonces, before.state.clone());
        let (mut included, mut logs) = (Vec::new(), Vec::new());
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
                    included.push(self.execute(&mut state, signed, Moment { time, base_fee }, &mut logs));
                }
            }
            sender = 1 - sender;
        }
        let parent_hash = self.blocks[parent].header.block.hash;
        let number = self.blocks[parent].header.block.number + 1;
        let place = self.blocks.len();
        let hash = keccak256([parent_hash.0, B256::from(U256::from(place)).0].as_flattened());
        // Half of the blocks have no bloom, as on chains that fill none.
        let bloom = (hash[0] % 2 == 0).then(|| logs.iter().map(|(log, _)| log).collect());
        let header = Header { block: BlockRef { number, hash }, parent: parent_hash, time, bloom, base_fee };
        self.by_hash.insert(hash, place);
        self.blocks.push(Block { header, parent, base_fee, included, state, logs, nonces });
        self.mempool.retain(|(sender, nonce), _| *nonce >= nonces[*sender] && rng.gen_range(0..100) >= making.evict);
        place
    }

    fn execute(&self, state: &mut Arc<Contract>, signed: Signed, at: Moment, logs: &mut Vec<(Log, B256)>) -> Included {
        if !signed.call.calls(CONTRACT) {
            return Included { signed, refusal: None, gas_used: TRANSFER_GAS };
        }
        let call = self.called(signed.sender, &signed.call);
        match state.trial(&call, at) {
            Ok(done) => {
                Arc::make_mut(state).keep(&call, &done, at);
                let gas_used = done.gas_used;
                logs.extend(done.logs.into_iter().map(|log| (log, signed.hash)));
                Included { signed, refusal: None, gas_used }
            }
            // What a refusal takes is of no interest to anybody.
            Err(refusal) => Included { signed, refusal: Some(refusal), gas_used: TRANSFER_GAS },
        }
    }
}
