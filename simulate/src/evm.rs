//! An EVM with the compiled game contract: what a call does, after any block. Code never changes here, so a state is what accounts have and what the
//! contract has written, and a fork begins with a copy of it.

mod code;

use alloy::primitives::map::HashMap;
use alloy::primitives::{Address, B256, Bytes, Log, TxKind, U256};
use code::Code;
use revm::bytecode::Bytecode;
use revm::context::TxEnv;
use revm::context::result::{ExecutionResult, ResultAndState};
use revm::database_interface::WrapDatabaseRef;
use revm::primitives::hardfork::SpecId;
use revm::state::{AccountInfo, EvmState};
use revm::{Context, DatabaseRef, ExecuteEvm as _, MainBuilder as _, MainContext as _};
use std::convert::Infallible;
use std::sync::Arc;

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

/// What all accounts have and what the contract has written.
#[derive(Clone, Debug)]
pub struct State {
    code: Arc<Code>,
    balances: HashMap<Address, U256>,
    storage: HashMap<U256, U256>,
}

impl State {
    /// The contract without a game, and accounts with this much each. Its verifiers are those that are shipped, or take tickets.
    pub fn new(has_proofs: bool, accounts: &[Address], balance: U256) -> Self {
        let balances = accounts.iter().map(|account| (*account, balance)).collect();
        Self { code: Code::of_game(has_proofs), balances, storage: HashMap::default() }
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
        for (address, account) in done.changes.iter().filter(|(_, account)| account.is_touched()) {
            self.balances.insert(*address, account.info.balance);
            let slots = account.storage.iter().filter(|(_, slot)| slot.is_changed());
            self.storage.extend(slots.map(|(key, slot)| (*key, slot.present_value)));
        }
    }

    /// What an account has, in wei.
    pub fn balance(&self, account: Address) -> U256 {
        self.balances.get(&account).copied().unwrap_or_default()
    }

    /// Gives an account another balance, from nowhere.
    pub fn set_balance(&mut self, account: Address, balance: U256) {
        self.balances.insert(account, balance);
    }

    /// Breaks the verifier that all statements but the answer on chain are asked with, where it takes tickets.
    pub fn break_verifier(&mut self) {
        self.code = self.code.with_broken_verifier();
    }

    fn run(&self, at: Moment, from: Address, kind: TxKind, value: U256, data: Bytes) -> ResultAndState {
        let mut evm = Context::mainnet()
            .with_db(WrapDatabaseRef(self))
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

impl DatabaseRef for State {
    type Error = Infallible;

    fn basic_ref(&self, address: Address) -> Result<Option<AccountInfo>, Infallible> {
        let info = self.code.account(address).unwrap_or_default();
        Ok(Some(AccountInfo { balance: self.balance(address), ..info }))
    }

    fn code_by_hash_ref(&self, _: B256) -> Result<Bytecode, Infallible> {
        unreachable!("every account comes with its code")
    }

    fn storage_ref(&self, address: Address, key: U256) -> Result<U256, Infallible> {
        let is_written = address == CONTRACT;
        Ok(self.storage.get(&key).copied().filter(|_| is_written).unwrap_or_default())
    }

    fn block_hash_ref(&self, _: u64) -> Result<B256, Infallible> {
        unreachable!("the contract asks for no block's hash")
    }
}
