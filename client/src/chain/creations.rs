//! A wallet's creations of contracts by a proxy that stands on every chain, through the one owner of its transactions.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, Bytes};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use tokio::sync::broadcast;

use super::owner::{Dialect, GAS_MARGIN_PERCENT, Manner, Owner};
use super::{ChainError, owner_of};
use crate::sender::{Facts, Fees, Priority, Rules, Subject};
use crate::wallet::Wallet;
use chain::Finality;

/// A connection that has contracts created.
pub struct Creations {
    provider: DynProvider,
    owner: Arc<Owner>,
    chain_id: u64,
    proxy: Address,
    max_fee: u128,
}

fog::redacted!(Creations);

impl Creations {
    /// Connects a wallet to a node, `http://host:port` or `https://host`, for calls of `proxy`. At most `max_fee` wei are paid for a unit of gas;
    /// `transactions` is the folder of the record of the wallet's transactions, which all its processes share.
    ///
    /// # Errors
    ///
    /// The node's, and [`ChainError::Record`].
    pub async fn connect(
        rpc: &str,
        wallet: &Wallet,
        proxy: Address,
        max_fee: u128,
        transactions: PathBuf,
    ) -> Result<Self, ChainError> {
        // Signing is the owner's.
        let provider = chain::connect(rpc, None)?;
        let chain_id = provider.get_chain_id().await?;
        let is_local = chain::is_local(chain_id);
        let (account, contract) = (wallet.address(), proxy);
        let confirmations = super::confirmations(Finality::of_chain(is_local));
        let rules = Rules { account, contract, ceiling: max_fee, confirmations };
        let timeout = Duration::from_secs(if is_local { 30 } else { 300 });
        let poll = Duration::from_millis(if is_local { 50 } else { 2_000 });
        let manner = Manner { rules, folder: Some(&transactions), poll, timeout };
        let subject = |_: &[u8]| Subject::Action { game: None, name: "deploying a contract".to_owned() };
        let refusal = |message, data| ChainError::Reverts { message, data };
        let dialect = Dialect { contract, subject, refusal };
        let owner = Arc::new(owner_of(&provider, wallet, chain_id, dialect, manner).await?);
        Ok(Self { provider, owner, chain_id, proxy, max_fee })
    }

    pub fn account(&self) -> Address {
        self.owner.account()
    }

    /// The chain that is signed for: what the node has named when it was connected to.
    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// What the user should know of the wallet's transactions, from now on: one sentence each.
    pub fn advice(&self) -> broadcast::Receiver<String> {
        self.owner.advice()
    }

    /// What the account must have at present for each unit of gas that a creation is estimated to take, in wei: nodes want all that is offered, for
    /// all gas that may be used.
    pub async fn offer(&self) -> Result<u128, ChainError> {
        let head = self.provider.get_block_by_number(Default::default()).await?;
        let head = head.ok_or(ChainError::Nonsense("the chain has no latest block"))?;
        let base_fee = head.header.base_fee_per_gas.unwrap_or_default().into();
        // Not all nodes have a word on it.
        let tip = self.provider.get_max_priority_fee_per_gas().await.unwrap_or_default();
        let market = Fees::market(&Facts { base_fee, tip, ..Facts::default() }, Priority::Normal);
        let offered = market.at_most(self.max_fee).max;
        Ok(offered.saturating_add(offered / 100 * u128::from(GAS_MARGIN_PERCENT)))
    }

    /// Has the proxy create a contract, and waits until that is in a block. `contract` names it for the user, as in "narrow verifier"; the calldata is the
    /// proxy's. The same call that is on its way is that one: nothing is paid for it again.
    ///
    /// # Errors
    ///
    /// [`ChainError::Reverts`] and [`ChainError::CannotPay`] before anything is sent, [`ChainError::Failed`] and [`ChainError::NotConfirmed`] after it;
    /// the node's.
    pub async fn create(&self, contract: &str, calldata: Bytes) -> Result<(), ChainError> {
        let request = TransactionRequest::default().to(self.proxy).input(calldata.into());
        let subject = Subject::Action { game: None, name: format!("deploying the {contract}") };
        let (ticket, mined) = self.owner.carry_out(&request, subject, Priority::Normal).await?;
        self.owner.acknowledge(ticket).await?;
        let transaction = mined.transaction;
        fog::ensure!(mined.succeeded, ChainError::Failed { transaction, reason: None });
        Ok(())
    }
}
