//! A wallet's creations of contracts by a proxy that stands on every chain, through its one sender.

use std::path::PathBuf;

use alloy::primitives::{Address, Bytes, U256};
use alloy::providers::Provider as _;
use chain::Nodes;
use chain::send::{Call, Facts, GAS_MARGIN_PERCENT, Priority, Request, Subject};

use super::{ChainConfig, ChainError, Connection};
use crate::wallet::Wallet;

/// A connection that has contracts created.
pub struct Creations {
    /// With the wallet. Its configuration has the chain that is signed for, which the node named at the start.
    pub connection: Connection,
}

fog::redacted!(Creations);

impl Creations {
    /// Connects a wallet to a node, `http://host:port` or `https://host`, for calls of `proxy`. At most `max_fee` wei are paid for a unit of gas;
    /// `transactions` is the folder of the record of the wallet's transactions, which all its processes share.
    ///
    /// # Errors
    ///
    /// The node's, and [`SendError::Record`](chain::SendError::Record).
    pub async fn connect(
        rpc: &str,
        wallet: &Wallet,
        proxy: Address,
        max_fee: u128,
        transactions: PathBuf,
    ) -> Result<Self, ChainError> {
        let chain_id = Nodes::new([rpc])?.chain_id().await?;
        let transactions = Some(transactions);
        let config = ChainConfig { max_fee, transactions, ..ChainConfig::new(rpc, chain_id, proxy, 0) };
        let subject = |_: &[u8]| Subject::Action { topic: None, name: "deploying a contract".to_owned() };
        let connection = Connection::open(config, Some(wallet), subject, |_| None).await?;
        Ok(Self { connection })
    }

    /// What the account must have at present for each unit of gas that a creation is estimated to take, in wei: nodes want all that is offered, for
    /// all gas that may be used.
    pub async fn offer(&self) -> Result<u128, ChainError> {
        let base_fee = self.connection.base_fee().await?;
        // Not all nodes have a word on it.
        let tip = self.connection.provider().get_max_priority_fee_per_gas().await.unwrap_or_default();
        let market = Facts { base_fee, tip, ..Facts::default() }.market(Priority::Normal);
        let offered = market.at_most(self.connection.config.max_fee).max;
        Ok(offered.saturating_add(offered / 100 * u128::from(GAS_MARGIN_PERCENT)))
    }

    /// Has the proxy create a contract, and waits until that is in a block. `contract` names it for the user, as in "narrow verifier"; the calldata is the
    /// proxy's. The same call that is on its way is that one: nothing is paid for it again.
    ///
    /// # Errors
    ///
    /// [`SendError::Reverts`](chain::SendError::Reverts) and [`SendError::CannotPay`](chain::SendError::CannotPay) before anything is sent, [`ChainError::Failed`] after it;
    /// the node's.
    pub async fn create(&self, contract: &str, calldata: Bytes) -> Result<(), ChainError> {
        let call = Call { to: self.connection.config.contract.into(), value: U256::ZERO, input: calldata, gas: 0 };
        let subject = Subject::Action { topic: None, name: format!("deploying the {contract}") };
        let (id, mined) = self.connection.send(&Request { call, subject, priority: Priority::Normal }).await?;
        self.connection.acknowledge(id).await?;
        let transaction = mined.transaction;
        fog::ensure!(mined.succeeded, ChainError::Failed { transaction, reason: None });
        Ok(())
    }
}
