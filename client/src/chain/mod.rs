//! The chain as a player's machine sees it: reads a game, follows its events, and sends a player's actions.
//!
//! Protocol section 8 (the contract) and section 6 (nothing that depends on a move is released before the move is
//! final). Every connection is checked first: the chain's id, code at the contract's address, and the code's hash
//! against the deployment's. What a player should do is the seat's business; this only carries it out.

mod contract;
mod error;
mod events;
mod follow;
mod records;
mod send;
mod types;

use fog::ensure;
use std::time::Duration;

use alloy::primitives::{Address, B256, U256, keccak256};
use alloy::providers::{DynProvider, Provider as _};

use crate::wallet::Wallet;
use game::{Clocks, GameRef};

pub use contract::IFogmate::{self, Status};
pub use error::{ChainError, ContractError};
pub use events::{Declared, Logged};
pub use follow::{Follower, News};
pub use send::Receipt;
pub use types::GameState;

/// Blocks on top of a block before it counts as final, on other chains.
const DEFAULT_CONFIRMATIONS: u64 = 12;

/// Where the contract is, and how patient to be.
#[derive(Clone, Debug)]
pub struct ChainConfig {
    /// The node, `http://host:port` or `https://host`.
    pub rpc: String,
    /// The game contract.
    pub contract: Address,
    /// The chain it is on.
    pub chain_id: u64,
    /// The hash of its code, from the deployment's file.
    pub code_hash: B256,
    /// The block of its deployment: no event is older.
    pub first_block: u64,
    /// Blocks on top of a block before it counts as final; 0: the latest block does.
    pub confirmations: u64,
    /// How long to wait for a transaction to be included.
    pub timeout: Duration,
    /// How often to look.
    pub poll: Duration,
}

impl ChainConfig {
    /// The configuration for a deployment, with finality and patience as befits its chain.
    pub fn new(rpc: &str, chain_id: u64, contract: Address, code_hash: B256, first_block: u64) -> Self {
        let local = rpc::is_local(chain_id);
        Self {
            rpc: rpc.to_owned(),
            contract,
            chain_id,
            code_hash,
            first_block,
            confirmations: if local { 0 } else { DEFAULT_CONFIRMATIONS },
            timeout: Duration::from_secs(if local { 30 } else { 300 }),
            poll: Duration::from_millis(if local { 50 } else { 2_000 }),
        }
    }
}

/// A checked connection to the game contract, with or without a wallet.
#[derive(Clone)]
pub struct Chain {
    config: ChainConfig,
    provider: DynProvider,
    contract: IFogmate::IFogmateInstance<DynProvider>,
    account: Option<Address>,
}

fog::redacted!(Chain);

impl Chain {
    /// Connects as the owner of a wallet, or without one for reading only.
    pub async fn connect(config: ChainConfig, wallet: Option<&Wallet>) -> Result<Self, ChainError> {
        let provider = rpc::connect(&config.rpc, wallet.map(Wallet::signer))?;
        let found = provider.get_chain_id().await?;
        if found != config.chain_id {
            let expected = config.chain_id;
            return Err(ChainError::WrongChain { expected, found });
        }
        let code = provider.get_code_at(config.contract).await?;
        ensure!(!code.is_empty(), ChainError::NoContract(config.contract));
        let found = keccak256(&code);
        if found != config.code_hash {
            let (address, expected) = (config.contract, config.code_hash);
            return Err(ChainError::WrongCode { address, expected, found });
        }
        let contract = IFogmate::new(config.contract, provider.clone());
        let account = wallet.map(Wallet::address);
        Ok(Self { config, provider, contract, account })
    }

    /// What this connection was made with.
    pub fn config(&self) -> &ChainConfig {
        &self.config
    }

    /// The wallet's address; none if this connection only reads.
    pub fn account(&self) -> Option<Address> {
        self.account
    }

    /// A game of this contract, by its id.
    pub fn game_ref(&self, game_id: B256) -> GameRef {
        GameRef { chain_id: self.config.chain_id, contract: self.config.contract, game_id }
    }

    /// All that the chain says of a game, as of the latest block.
    pub async fn game(&self, game: B256) -> Result<GameState, ChainError> {
        let found = self.contract.game(game).call().await?;
        types::game_state(&found)?.ok_or(ChainError::NoGame(game))
    }

    /// The clocks of a game, by the latest block's time.
    pub async fn clocks(&self, game: B256) -> Result<Clocks, ChainError> {
        let now = self.contract.clocks(game).call().await?;
        let seconds = |n: U256| u64::try_from(n).map_err(|_| ChainError::Nonsense("a clock exceeds 64 bits"));
        Ok(Clocks { left: [seconds(now.white)?, seconds(now.black)?], deadline: seconds(now.deadline)? })
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }

    /// What an account has, in wei.
    pub async fn balance(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.provider.get_balance(account).await?)
    }

    /// The number of the latest block.
    pub async fn latest_block(&self) -> Result<u64, ChainError> {
        Ok(self.provider.get_block_number().await?)
    }

    /// How long the latest blocks have taken to become final, in seconds.
    pub async fn finality(&self) -> Result<u64, ChainError> {
        let latest = self.latest_block().await?;
        let first = latest.saturating_sub(self.config.confirmations);
        let (to, from) = (self.time_of(latest).await?, self.time_of(first).await?);
        let (to, from) = to.zip(from).ok_or(ChainError::Nonsense("the chain has no latest block"))?;
        Ok(to.saturating_sub(from))
    }

    /// The base fee of the latest block, in wei; 0 where there is none.
    pub async fn base_fee(&self) -> Result<u128, ChainError> {
        let block = self.provider.get_block_by_number(Default::default()).await?;
        let block = block.ok_or(ChainError::Nonsense("the chain has no latest block"))?;
        Ok(block.header.base_fee_per_gas.unwrap_or_default().into())
    }

    /// The time of the latest block, in seconds since 1970.
    pub async fn block_time(&self) -> Result<u64, ChainError> {
        let block = self.provider.get_block_by_number(Default::default()).await?;
        block.map(|block| block.header.timestamp).ok_or(ChainError::Nonsense("the chain has no latest block"))
    }
}
