//! Who sends what deploying takes: whose account pays, and how a call of the proxy gets into a block.

use std::future::Future;
use std::time::{Duration, Instant};

use alloy::network::TransactionBuilder as _;
use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use alloy::signers::local::PrivateKeySigner;
use chain::NodeError;
use tokio::sync::OnceCell;

use crate::{Contract, DeployError, PROXY};

/// How long a creation may take to be included.
const INCLUSION_TIMEOUT: Duration = Duration::from_secs(300);
/// How often to look for it: on a local chain it is there at once.
const POLL: Duration = Duration::from_millis(100);

/// An account that has contracts created.
pub trait Creator: Sync {
    fn account(&self) -> Address;

    /// The chain that it signs for.
    fn chain_id(&self) -> impl Future<Output = Result<u64, DeployError>> + Send;

    /// What the account must have for each unit of gas that a creation is estimated to take, in wei: more than is paid in the end.
    fn offer(&self) -> impl Future<Output = Result<u128, DeployError>> + Send;

    /// Has the proxy create a contract, and waits until that is in a block.
    ///
    /// # Errors
    ///
    /// [`DeployError::Reverted`], [`DeployError::Creation`], the node's.
    fn create(&self, contract: &Contract) -> impl Future<Output = Result<(), DeployError>> + Send;

    /// Tells whoever deploys something worth knowing, such as why it takes so long: one sentence.
    fn tell(&self, _sentence: &str) {}
}

/// Sends by itself, with the account's next nonce, and remembers nothing: for chains of one's own, where nobody else uses the account.
#[derive(Debug)]
pub struct Direct {
    provider: DynProvider,
    account: Address,
    /// Asked for once: what it signs is for the chain that it has named.
    chain_id: OnceCell<u64>,
}

impl Direct {
    /// Sends to a node what a key signs.
    pub fn new(rpc: &str, signer: &PrivateKeySigner) -> Result<Self, NodeError> {
        let (provider, account) = (chain::connect(rpc, Some(signer))?, signer.address());
        Ok(Self { provider, account, chain_id: OnceCell::new() })
    }
}

impl Creator for Direct {
    fn account(&self) -> Address {
        self.account
    }

    async fn chain_id(&self) -> Result<u64, DeployError> {
        let ask = || self.provider.get_chain_id();
        Ok(*self.chain_id.get_or_try_init(ask).await?)
    }

    async fn offer(&self) -> Result<u128, DeployError> {
        Ok(self.provider.estimate_eip1559_fees().await?.max_fee_per_gas)
    }

    async fn create(&self, contract: &Contract) -> Result<(), DeployError> {
        let request = TransactionRequest::default().with_to(PROXY).with_input(contract.calldata());
        let request = request.with_chain_id(self.chain_id().await?);
        let transaction = *self.provider.send_transaction(request).await?.tx_hash();
        let start = Instant::now();
        while start.elapsed() < INCLUSION_TIMEOUT {
            match self.provider.get_transaction_receipt(transaction).await? {
                Some(receipt) if receipt.status() => return Ok(()),
                Some(_) => return Err(DeployError::Reverted(transaction)),
                None => tokio::time::sleep(POLL).await,
            }
        }
        Err(DeployError::NotIncluded(transaction))
    }
}
