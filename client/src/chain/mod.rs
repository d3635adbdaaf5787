//! The chain as a player's machine sees it: reads a game, follows its events, and sends a player's actions.
//!
//! Protocol section 8 (the contract) and section 6 (nothing that depends on a move is released before the move is
//! final). Every connection is checked first: the chain's id, and that there is code at the contract's address. What a player should do is the seat's business; this only carries it out. All that a wallet sends goes
//! through its one sender.

mod bonds;
mod connection;
mod earlier;
mod error;
mod logs;
mod of_account;
mod openings;
mod records;
mod send;
mod time;
mod waking;
mod watch;

use fog::ensure;
use std::ops::Deref;

use alloy::primitives::{Address, B256, U256};
use alloy::providers::{DynProvider, Provider as _};

use crate::wallet::Wallet;
use game::{Clocks, GameRef, NodeState};

pub use bonds::Bond;
pub use chain::{BlockRef, Finality, LogUpdate, about_in_ether, in_ether};
pub use connection::{ChainConfig, Connection};
pub(crate) use earlier::Alone;
pub(crate) use error::NO_TIME_CONTROL;
pub use error::{ChainError, ContractError};
pub use events::{GameState, IFogmate, Status};
pub use logs::Logged;
pub(crate) use logs::games_in;
pub use openings::{OpenGame, Reach};
pub use records::{Cost, Told};
pub use send::{Receipt, called, priority, subject};
pub use time::ChainClock;
pub use time::unix;
pub use waking::Contest;
pub use watch::{CALLDATA_TRIES, ChainTime, Update, Watched, Watcher};

/// A checked connection to the contract of dark chess, with or without a wallet.
#[derive(Clone)]
pub struct Chain {
    connection: Connection,
    contract: IFogmate::IFogmateInstance<DynProvider>,
}

fog::redacted!(Chain);

impl Deref for Chain {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Chain {
    /// Connects with a wallet, or without one for reading only.
    pub async fn connect(config: ChainConfig, wallet: Option<&Wallet>) -> Result<Self, ChainError> {
        let reason = |data: &[u8]| ContractError::decode(data).map(|refusal| refusal.to_string());
        let connection = Connection::open(config, wallet, send::called, reason).await?;
        let address = connection.config.contract;
        let code = connection.provider().get_code_at(address).await?;
        ensure!(!code.is_empty(), ChainError::NoContract(address));
        let contract = IFogmate::new(address, connection.provider().clone());
        Ok(Self { connection, contract })
    }

    /// The chain was taken back deeper than its final blocks: no move of this game that this wallet has signed goes out again by itself.
    pub async fn give_up_moves(&self, game: B256) -> Result<(), ChainError> {
        Ok(self.sender()?.give_up(game).await?)
    }

    /// A game of this contract, by its id.
    pub fn game_ref(&self, game_id: B256) -> GameRef {
        GameRef { chain_id: self.config.chain_id, contract: self.config.contract, game_id }
    }

    /// All that the chain says of a game, as of the latest block.
    pub async fn game(&self, game: B256) -> Result<GameState, ChainError> {
        let found = self.contract.game(game).call().await?;
        events::types::game_state(&found)?.ok_or(ChainError::NoGame(game))
    }

    /// The clocks of a game, by the latest block's time.
    pub async fn clocks(&self, game: B256) -> Result<Clocks, ChainError> {
        let now = self.contract.clocks(game).call().await?;
        let state = self.contract.game(game).call().await?;
        Ok(events::types::clocks(&now, &state)?)
    }

    /// How the nodes of this connection stand.
    pub fn node_states(&self) -> Vec<NodeState> {
        let states = self.nodes.states().into_iter();
        states.map(|node| NodeState { host: node.host, asked: node.is_asked, silent: node.is_silent }).collect()
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, ChainError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }
}
