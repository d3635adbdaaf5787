//! A node and the chain behind it, for one account: a mempool with replacement, a base fee, blocks that may be taken back and come again
//! with other transactions, and machines behind its address that are behind each other.

use alloy::primitives::{B256, keccak256};
use chain::send::{Call, Fees, Mined, Sending};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signed {
    pub hash: B256,
    pub nonce: u64,
    pub call: Call,
    pub fees: Fees,
}

/// A block, with what has become of its transactions.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub number: u64,
    pub hash: B256,
    pub base_fee: u128,
    pub transactions: Vec<(Signed, bool)>,
}

/// What goes wrong, in percent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trouble {
    /// Blocks that are taken back, a few at once.
    pub fork: u32,
    /// Transactions that the mempool forgets in a block.
    pub evict: u32,
    /// Questions that are answered by a machine that is behind.
    pub lag: u32,
    /// Questions that aren't answered, because there were too many.
    pub busy: u32,
    /// Blocks with a base fee ten times as high.
    pub spike: u32,
}

impl Trouble {
    pub const NONE: Self = Self { fork: 0, evict: 0, lag: 0, busy: 0, spike: 0 };
}

/// The chain, and all that was ever sent to it.
#[derive(Debug)]
pub(super) struct Node {
    pub blocks: Vec<Block>,
    mempool: BTreeMap<u64, Signed>,
    /// Everything that it once took: on a fork any of it may come.
    seen: Vec<Signed>,
    /// Makes hashes of blocks differ on a fork.
    forks: u64,
}

/// Most blocks that are taken back at once, and that a machine is behind.
pub(super) const DEPTH: u64 = 2;

impl Node {
    pub fn new() -> Self {
        let first = Block { number: 0, hash: B256::ZERO, base_fee: 100, transactions: Vec::new() };
        Self { blocks: vec![first], mempool: BTreeMap::new(), seen: Vec::new(), forks: 0 }
    }

    /// The chain as a machine has it that is so many blocks behind.
    pub fn view(&self, lag: u64) -> &[Block] {
        let behind = usize::try_from(lag).unwrap_or(usize::MAX).min(self.blocks.len() - 1);
        &self.blocks[..self.blocks.len() - behind]
    }

    /// The nonce to come after those blocks, and with what the mempool has on top.
    pub fn nonces(&self, blocks: &[Block]) -> (u64, u64) {
        let mined: u64 = blocks.iter().map(|block| block.transactions.len() as u64).sum();
        let pending = (mined..).find(|nonce| !self.mempool.contains_key(nonce)).unwrap_or(mined);
        (mined, pending)
    }

    /// What the mempool has with a nonce.
    pub fn in_mempool(&self, nonce: u64) -> Option<&Signed> {
        self.mempool.get(&nonce)
    }

    /// Where those blocks have a transaction.
    pub fn receipt(blocks: &[Block], hash: B256) -> Option<Mined> {
        blocks.iter().find_map(|block| {
            let (_, succeeded) = block.transactions.iter().find(|(signed, _)| signed.hash == hash)?;
            Some(Mined {
                transaction: hash,
                block: block.number,
                block_hash: block.hash,
                gas_used: 21_000,
                fee: 21_000 * block.base_fee,
                succeeded: *succeeded,
            })
        })
    }

    /// Takes signed bytes as geth does: a replacement must be a tenth higher in both fees.
    pub fn send(&mut self, signed: &Signed) -> Sending {
        let (mined, _) = self.nonces(&self.blocks);
        if signed.nonce < mined {
            return Sending::NonceUsed;
        }
        if let Some(known) = self.mempool.get(&signed.nonce).filter(|known| known.hash != signed.hash) {
            let enough = |old: u128, new: u128| new * 10 >= old * 11;
            if !enough(known.fees.max, signed.fees.max) || !enough(known.fees.tip, signed.fees.tip) {
                return Sending::Underpriced;
            }
        }
        self.mempool.insert(signed.nonce, signed.clone());
        if !self.seen.contains(signed) {
            self.seen.push(signed.clone());
        }
        Sending::Accepted
    }

    /// The next block; `does` says whether the contract takes a call after those blocks.
    pub fn mine(&mut self, trouble: Trouble, rng: &mut ChaCha8Rng, does: impl Fn(&[Block], &[Signed], &Call) -> bool) {
        let last = self.blocks.last().expect("the first block stays");
        let (number, parent) = (last.number + 1, last.hash);
        let base_fee = match rng.gen_range(0..100) < trouble.spike {
            true => last.base_fee * 10,
            false => last.base_fee * rng.gen_range(850..=1_100) / 1_000,
        };
        let base_fee = base_fee.clamp(50, 3_000);
        let (mut nonce, _) = self.nonces(&self.blocks);
        let mut block = Block { number, hash: B256::ZERO, base_fee, transactions: Vec::new() };
        while let Some(signed) = self.mempool.get(&nonce).filter(|signed| signed.fees.max >= base_fee).cloned() {
            if rng.gen_range(0..4) == 0 {
                break;
            }
            let before: Vec<Signed> = taken(&block.transactions);
            let succeeded = does(&self.blocks, &before, &signed.call);
            block.transactions.push((signed, succeeded));
            self.mempool.remove(&nonce);
            nonce += 1;
        }
        block.hash = keccak256(
            [parent.0, B256::from(alloy::primitives::U256::from(number ^ self.forks << 32)).0].as_flattened(),
        );
        self.blocks.push(block);
        self.mempool.retain(|known, _| *known >= nonce && rng.gen_range(0..100) >= trouble.evict);
    }

    /// Takes the last blocks back. Of each nonce that they had any transaction that was once sent may be in the mempool now, or none.
    pub fn fork(&mut self, rng: &mut ChaCha8Rng) -> usize {
        let depth = rng.gen_range(1..=DEPTH as usize).min(self.blocks.len() - 1);
        self.forks += 1;
        for block in self.blocks.split_off(self.blocks.len() - depth) {
            for (signed, _) in block.transactions {
                let all: Vec<&Signed> = self.seen.iter().filter(|seen| seen.nonce == signed.nonce).collect();
                let other = all[rng.gen_range(0..all.len())].clone();
                if rng.gen_range(0..3) > 0 {
                    self.mempool.insert(other.nonce, other);
                }
            }
        }
        depth
    }
}

/// The transactions that the contract took.
fn taken(transactions: &[(Signed, bool)]) -> Vec<Signed> {
    transactions.iter().filter(|(_, succeeded)| *succeeded).map(|(signed, _)| signed.clone()).collect()
}

/// All calls that the contract took in those blocks.
pub(super) fn calls(blocks: &[Block]) -> impl Iterator<Item = &Call> {
    blocks
        .iter()
        .flat_map(|block| &block.transactions)
        .filter(|(_, succeeded)| *succeeded)
        .map(|(signed, _)| &signed.call)
}
