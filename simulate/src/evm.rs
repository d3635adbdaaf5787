//! An EVM with the compiled game contract: what a call does, after any block. A fork begins with a copy of the state.

mod code;

use alloy::primitives::{Address, Bytes, Log, TxKind, U256};
use revm::context::TxEnv;
use revm::context::result::{ExecutionResult, ResultAndState};
use revm::database::InMemoryDB;
use revm::database_interface::{DatabaseCommit as _, WrapDatabaseRef};
use revm::primitives::hardfork::SpecId;
use revm::state::EvmState;
use revm::{Context, ExecuteEvm as _, MainBuilder as _, MainContext as _};

pub const CHAIN_ID: u64 = 31337;
/// Where the game contract stands.
pub const CONTRACT: Address = Address::repeat_byte(0xf0);
/// Gas for any call: more than the dearest takes.
pub const GAS: u64 = 16_000_000;

/// The block that a call is made in.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub time: u64,
    /// Wei for a unit of gas.
    pub base_fee: u128,
}

/// A call of the game contract.
#[derive(Clone, Debug)]
pub struct Call {
    pub from: Address,
    pub value: U256,
    pub input: Bytes,
}

/// What a call has done, before any of it is kept.
#[derive(Debug)]
pub struct Done {
    pub logs: Vec<Log>,
    pub output: Bytes,
    pub gas_used: u64,
    changes: EvmState,
}

/// What accounts have and contracts have written.
#[derive(Clone, Debug, Default)]
pub struct State(InMemoryDB);

impl State {
    /// The contract without a game, and accounts with this much each. Its verifiers are those that are shipped, or take tickets.
    pub fn new(has_proofs: bool, accounts: &[Address], balance: U256) -> Self {
        let mut state = Self::of_game(has_proofs);
        accounts.iter().for_each(|account| state.set_balance(*account, balance));
        state
    }

    /// What a call would do.
    ///
    /// # Errors
    /// The data of a revert.
    ///
    /// # Panics
    /// If the call ends in any other way: it runs out of gas, or the contract is broken.
    pub fn call(&self, at: Moment, call: &Call) -> Result<Done, Bytes> {
        let Call { from, value, input } = call.clone();
        let ResultAndState { result, state } = self.run(at, from, TxKind::Call(CONTRACT), value, input);
        match result {
            ExecutionResult::Success { gas, logs, output, .. } => {
                Ok(Done { logs, output: output.into_data(), gas_used: gas.tx_gas_used(), changes: state })
            }
            ExecutionResult::Revert { output, .. } => Err(output),
            ExecutionResult::Halt { reason, .. } => panic!("a call of the contract halts: {reason:?}"),
        }
    }

    /// Keeps what a call has changed.
    pub fn keep(&mut self, done: &Done) {
        self.0.commit(done.changes.clone());
    }

    /// What an account has, in wei.
    pub fn balance(&self, account: Address) -> U256 {
        self.0.cache.accounts.get(&account).map_or(U256::ZERO, |account| account.info.balance)
    }

    /// Gives an account another balance, from nowhere.
    pub fn set_balance(&mut self, account: Address, balance: U256) {
        self.0.cache.accounts.entry(account).or_default().info.balance = balance;
    }

    fn run(&self, at: Moment, from: Address, kind: TxKind, value: U256, data: Bytes) -> ResultAndState {
        let mut evm = Context::mainnet()
            .with_db(WrapDatabaseRef(&self.0))
            .modify_cfg_chained(|cfg| {
                cfg.set_spec_and_mainnet_gas_params(SpecId::PRAGUE);
                // Nonces and fees are the node's business: what an account has changes by the contract alone.
                (cfg.chain_id, cfg.disable_nonce_check, cfg.disable_fee_charge) = (CHAIN_ID, true, true);
            })
            .modify_block_chained(|block| {
                block.timestamp = U256::from(at.time);
                block.basefee = u64::try_from(at.base_fee).expect("a base fee of 64 bits");
            })
            .build_mainnet();
        let transaction = TxEnv {
            caller: from,
            gas_limit: GAS,
            gas_price: at.base_fee,
            kind,
            value,
            data,
            chain_id: Some(CHAIN_ID),
            ..TxEnv::default()
        };
        evm.transact(transaction).expect("the account can pay for what it calls")
    }
}
