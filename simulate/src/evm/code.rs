//! The code that stands on the simulated chain: the game contract as it is shipped, with the shipped verifiers and development keys, or with verifiers
//! that take the oracle's tickets.

use super::{CONTRACT, Moment, State};
use crate::oracle::{Statement, TICKET_BYTES, TICKET_PREFIX};
use alloy::primitives::{Address, B256, Bytes, TxKind, U256};
use chain::Prices;
use deploy::{Codes, Contracts, Game};
use revm::bytecode::{Bytecode, opcode as op};
use revm::state::AccountInfo;
use std::sync::LazyLock;

/// By what the contract reckons bonds: gas at the base fee, and nothing else.
const PRICES: Prices = Prices { answer_share_gas: 430_000, least_price: 0, data_price: 0 };
/// Where the verifiers of tickets stand; the second is that of the answer on chain.
const VERIFIERS: [(Address, Statement); 2] =
    [(Address::repeat_byte(0xe0), Statement::Turn), (Address::repeat_byte(0xe1), Statement::ChainAnswer)];

static WITH_TICKETS: LazyLock<State> = LazyLock::new(|| {
    let mut state = State::default();
    for (address, statement) in VERIFIERS {
        state.put(address, ticket_verifier(statement).into());
    }
    let keys = Statement::ON_CHAIN.map(Statement::key);
    // The contract only looks whether a key has code.
    keys.into_iter().for_each(|key| state.put(key, Bytes::from_static(&[op::STOP])));
    let addresses = VERIFIERS.into_iter().map(|(address, _)| address).chain(keys);
    let prices = [U256::from(PRICES.answer_share_gas), U256::from(PRICES.least_price), U256::from(PRICES.data_price)];
    let numbers = [U256::from(TICKET_BYTES); 2].into_iter().chain(prices);
    let arguments: Vec<B256> = addresses.map(|address| address.into_word()).chain(numbers.map(B256::from)).collect();
    state.create(CONTRACT, [&Codes::shipped().chess.creation[..], &arguments.concat()].concat().into());
    state
});

static WITH_PROOFS: LazyLock<State> = LazyLock::new(|| {
    let mut parts = Contracts::shipped(Game::Chess, true).with_prices(Some(&PRICES));
    let game = parts.pop().expect("the game's contract is the last");
    let mut state = State::default();
    for part in parts {
        state.create(part.address(), part.creation);
    }
    state.create(CONTRACT, game.creation);
    state
});

impl State {
    pub(super) fn of_game(has_proofs: bool) -> Self {
        if has_proofs { WITH_PROOFS.clone() } else { WITH_TICKETS.clone() }
    }

    /// Breaks the verifier that all statements but the answer on chain are asked with, where it takes tickets.
    pub fn break_verifier(&mut self) {
        let always = [op::PUSH1, 1, op::PUSH0, op::MSTORE, op::PUSH1, 32, op::PUSH0, op::RETURN];
        self.put(VERIFIERS[0].0, always.into());
    }

    fn put(&mut self, address: Address, code: Bytes) {
        self.0.insert_account_info(address, AccountInfo::from_bytecode(Bytecode::new_legacy(code)));
    }

    /// Puts at an address what creation code, its arguments included, leaves there.
    fn create(&mut self, address: Address, creation: Bytes) {
        let at = Moment { time: 0, base_fee: 0 };
        let result = self.run(at, Address::ZERO, TxKind::Create, U256::ZERO, creation).result;
        assert!(result.is_success(), "the contract at {address} can't be created: {result:?}");
        self.put(address, result.into_output().expect("creation gives code"));
    }
}

/// A verifier of a statement's shape that takes a ticket for a proof. It is given, as the shipped ones are, the address of a key, the public inputs, a
/// word each, and the proof; and returns one word: whether the proof is the ticket of all that comes before it.
fn ticket_verifier(statement: Statement) -> Vec<u8> {
    // Where the proof begins, and where the hash in it does.
    let proof = u16::try_from(32 + 32 * statement.inputs()).expect("a few inputs");
    let hash = proof + TICKET_PREFIX.len() as u16;
    let push = |number: u16| [&[op::PUSH2][..], &number.to_be_bytes()].concat();
    [
        // The hash of the key and the inputs is the proof's end.
        &push(proof)[..],
        &[op::PUSH0, op::PUSH0, op::CALLDATACOPY],
        &push(proof),
        &[op::PUSH0, op::KECCAK256],
        &push(hash),
        &[op::CALLDATALOAD, op::EQ],
        // The proof begins as every ticket does: its first word without what comes after these bytes.
        &push(proof),
        &[op::CALLDATALOAD, op::PUSH1, 8 * (32 - TICKET_PREFIX.len() as u8), op::SHR],
        &[op::PUSH0 + TICKET_PREFIX.len() as u8],
        &TICKET_PREFIX,
        &[op::EQ, op::AND, op::PUSH0, op::MSTORE, op::PUSH1, 32, op::PUSH0, op::RETURN],
    ]
    .concat()
}
