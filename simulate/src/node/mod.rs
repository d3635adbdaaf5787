//! The chain below a deep world and the node that both players ask: blocks with the contract's state after them, forks that bring other
//! transactions, a base fee, a mempool with replacement, and machines behind one address that lag behind each other. What goes wrong is drawn
//! by its caller.

mod make;

use crate::contract::Contract;
use crate::evm::{self, CONTRACT, Done, Moment};
use alloy::primitives::{Address, B256, Bytes, Log, keccak256};
use chain::send::{Call, Fees, Mined, Sending};
use chain::{BlockRef, Header};
use client::chain::ContractError;
use game::Transaction;
use std::collections::{BTreeMap, HashMap};
use std::iter::successors;
use std::sync::Arc;

/// How many blocks a machine may be behind.
pub const LAG: usize = 2;

/// A signed transaction of a player: the creator is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed {
    pub hash: B256,
    pub sender: usize,
    pub nonce: u64,
    pub call: Call,
    pub fees: Fees,
}

/// A transaction in a block, and why the contract refused it, if it did.
#[derive(Clone, Debug)]
pub struct Included {
    pub signed: Signed,
    pub refusal: Option<ContractError>,
    pub gas_used: u64,
}

/// A block on any fork.
#[derive(Debug)]
pub struct Block {
    /// Its number, hash, parent and time.
    pub header: Header,
    /// The place of its parent.
    parent: usize,
    /// Wei for a unit of gas.
    pub base_fee: u128,
    pub included: Vec<Included>,
    /// The contract after it. Empty blocks share it with their parents.
    pub state: Arc<Contract>,
    /// The contract's logs in it, each with its transaction.
    pub logs: Vec<(Log, B256)>,
    /// The players' nonces after it.
    pub nonces: [u64; 2],
}

/// All blocks there ever were, and the mempool.
#[derive(Debug)]
pub struct Node {
    /// In the order in which they were made.
    blocks: Vec<Block>,
    by_hash: HashMap<B256, usize>,
    /// The place of every head that there was, oldest first.
    heads: Vec<usize>,
    /// The place of each number's block on the chain of the head.
    chain: Vec<usize>,
    mempool: BTreeMap<(usize, u64), Signed>,
    /// Everything that it once took: on a fork any of it may come.
    seen: BTreeMap<(usize, u64), Vec<Signed>>,
    /// The accounts, the creator's first.
    pub accounts: [Address; 2],
    /// The transactions that calldata were made of.
    calls: HashMap<Bytes, Transaction>,
}

/// What goes wrong when a block is made, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Making {
    /// Transactions that have to wait for another block.
    pub late: u32,
    /// Transactions that the mempool forgets.
    pub evict: u32,
    /// A base fee ten times as high.
    pub spike: u32,
}

impl Node {
    /// A chain with the contract in its first block, whose logs are what has happened so far.
    pub fn new(state: Contract, accounts: [Address; 2]) -> Self {
        let first = BlockRef { number: 0, hash: keccak256(b"first") };
        let header = Header { block: first, parent: B256::ZERO, time: state.now, bloom: None, base_fee: 100 };
        let logs = state.log.iter().map(|logged| (logged.log.clone(), keccak256(b"lobby"))).collect();
        let (included, state) = (Vec::new(), Arc::new(state));
        Self {
            blocks: vec![Block { header, parent: 0, base_fee: 100, included, state, logs, nonces: [0; 2] }],
            by_hash: HashMap::from([(first.hash, 0)]),
            heads: vec![0],
            chain: vec![0],
            mempool: BTreeMap::new(),
            seen: BTreeMap::new(),
            accounts,
            calls: HashMap::new(),
        }
    }

    /// The place of the latest block as a machine has it that is so many heads behind.
    pub fn view(&self, lag: usize) -> usize {
        self.heads[self.heads.len() - 1 - lag.min(self.heads.len() - 1)]
    }

    /// How often the head has changed.
    pub fn changes(&self) -> usize {
        self.heads.len()
    }

    /// The hash of the first block.
    pub fn genesis(&self) -> B256 {
        self.blocks[0].header.block.hash
    }

    pub fn block(&self, place: usize) -> &Block {
        &self.blocks[place]
    }

    pub fn head(&self) -> &Block {
        &self.blocks[self.view(0)]
    }

    /// The block of a number on the chain that ends with a block.
    pub fn at(&self, head: usize, number: u64) -> Option<usize> {
        let mut place = head;
        loop {
            let of_place = self.blocks[place].header.block.number;
            if of_place <= number {
                return (of_place == number).then_some(place);
            }
            if self.chain.get(of_place as usize) == Some(&place) {
                return self.chain.get(number as usize).copied();
            }
            place = self.blocks[place].parent;
        }
    }

    /// A block that a machine with that latest block knows, on whatever fork.
    pub fn known(&self, view: usize, hash: &B256) -> Option<usize> {
        self.by_hash.get(hash).copied().filter(|place| *place <= view)
    }

    /// Whether a block lies as deep as final blocks do.
    pub fn is_final(&self, place: usize, confirmations: u64) -> bool {
        self.blocks[place].header.block.number + confirmations <= self.head().header.block.number
    }

    /// The blocks of the chain that ends with one, from it down to the first, with their places.
    fn line(&self, head: usize) -> impl Iterator<Item = (usize, &Block)> {
        let parent = |place: &usize| {
            let block = &self.blocks[*place];
            (block.header.block.number > 0).then_some(block.parent)
        };
        successors(Some(head), parent).map(|place| (place, &self.blocks[place]))
    }

    /// Where the chain that ends with a block has a transaction.
    pub fn find(&self, head: usize, hash: &B256) -> Option<(usize, &Included)> {
        let is_it = |included: &&Included| included.signed.hash == *hash;
        self.line(head).find_map(|(place, block)| Some((place, block.included.iter().find(is_it)?)))
    }

    pub fn receipt(&self, head: usize, hash: &B256) -> Option<Mined> {
        let (place, included) = self.find(head, hash)?;
        let block = &self.blocks[place];
        Some(Mined {
            transaction: *hash,
            block: block.header.block.number,
            block_hash: block.header.block.hash,
            gas_used: included.gas_used,
            fee: u128::from(included.gas_used) * block.base_fee,
            succeeded: included.refusal.is_none(),
        })
    }

    /// The transaction with a nonce on the chain that ends with a block, and its block's number.
    pub fn with_nonce(&self, head: usize, sender: usize, nonce: u64) -> Option<(u64, &Included)> {
        let is_it = |included: &&Included| (included.signed.sender, included.signed.nonce) == (sender, nonce);
        let mut line = self.line(head).take_while(|(_, block)| block.nonces[sender] > nonce);
        line.find_map(|(_, block)| Some((block.header.block.number, block.included.iter().find(is_it)?)))
    }

    /// The calls that the contract took on the chain that there is now.
    pub fn carried_out(&self) -> Vec<&Signed> {
        let included = self.line(self.view(0)).flat_map(|(_, block)| &block.included);
        let taken = included.filter(|included| included.refusal.is_none()).map(|included| &included.signed);
        taken.filter(|signed| signed.call.calls(CONTRACT)).collect()
    }

    /// What a player's transaction sends to the contract, as its machine makes it out of the latest block.
    pub fn call(&mut self, sender: usize, transaction: &Transaction) -> Call {
        let head = self.head();
        let evm::Call { value, input, .. } = head.state.call(self.accounts[sender], transaction, head.base_fee);
        self.calls.entry(input.clone()).or_insert_with(|| transaction.clone());
        Call { to: CONTRACT.into(), value, input, gas: evm::GAS }
    }

    /// The transaction that calldata were made of.
    pub fn meaning(&self, input: &[u8]) -> Option<&Transaction> {
        self.calls.get(input)
    }

    /// The nonce after the mempool's transactions that follow on one.
    pub fn pending_nonce(&self, sender: usize, mined: u64) -> u64 {
        (mined..).find(|nonce| !self.mempool.contains_key(&(sender, *nonce))).unwrap_or(mined)
    }

    /// What the mempool has with a nonce.
    pub fn in_mempool(&self, sender: usize, nonce: u64) -> Option<&Signed> {
        self.mempool.get(&(sender, nonce))
    }

    /// Takes signed bytes as geth does: a replacement must be a tenth higher in both fees.
    pub fn send(&mut self, signed: &Signed) -> Sending {
        let key = (signed.sender, signed.nonce);
        if signed.nonce < self.head().nonces[signed.sender] {
            return Sending::NonceUsed;
        }
        if let Some(known) = self.mempool.get(&key).filter(|known| known.hash != signed.hash) {
            let enough = |old: u128, new: u128| new * 10 >= old * 11;
            if !enough(known.fees.max, signed.fees.max) || !enough(known.fees.tip, signed.fees.tip) {
                return Sending::Underpriced;
            }
        }
        self.mempool.insert(key, signed.clone());
        let seen = self.seen.entry(key).or_default();
        if !seen.contains(signed) {
            seen.push(signed.clone());
        }
        Sending::Accepted
    }

    /// What a call would do after a block, at a time.
    ///
    /// # Errors
    /// Why the contract refuses it.
    pub fn trial(&self, place: usize, sender: usize, call: &Call, time: u64) -> Result<Done, ContractError> {
        let Block { state, base_fee, .. } = &self.blocks[place];
        state.trial(&self.called(sender, call), Moment { time, base_fee: *base_fee })
    }

    fn called(&self, sender: usize, call: &Call) -> evm::Call {
        evm::Call { from: self.accounts[sender], value: call.value, input: call.input.clone() }
    }
}
