//! Who sends what deploying takes: whose account pays, and how a call of the proxy gets into a block.

use std::future::Future;
use std::sync::Arc;

use alloy::eips::BlockId;
use alloy::primitives::{Address, U256};
use alloy::signers::local::PrivateKeySigner;
use chain::send::{
    Call, Facts, GAS_MARGIN_PERCENT, Memory, Priority, Request, SenderConfig, Storage, Subject, patience,
};
use chain::{Finality, Node as _, NodeError, Nodes, SendError, Sender, TxNode as _, ensure, is_local};
use tokio::sync::broadcast::Receiver;

use crate::anvil::CHAIN_ID;
use crate::{Contract, DeployError, PROXY};

/// An account that has contracts created.
pub trait Creator: Sync {
    fn account(&self) -> Address;

    /// The chain that it signs for.
    fn chain_id(&self) -> u64;

    /// What the account must have for each unit of gas that a creation is estimated to take, in wei: more than is paid in the end.
    fn offer(&self) -> impl Future<Output = Result<u128, DeployError>> + Send;

    /// Has the proxy create a contract, and waits until that is in a block.
    ///
    /// # Errors
    ///
    /// [`DeployError::Reverted`], [`DeployError::Creation`].
    fn create(&self, contract: &Contract) -> impl Future<Output = Result<(), DeployError>> + Send;

    /// Tells whoever deploys something worth knowing, such as why it takes so long: one sentence.
    fn tell(&self, _sentence: &str) {}
}

/// An account that pays for contracts, through its one owner of nonces and fees.
pub struct Payer {
    sender: Arc<Sender<Nodes>>,
    nodes: Nodes,
    /// The node has named it once: what is signed is for that chain.
    chain_id: u64,
    tell: fn(&str),
}

impl Payer {
    /// Connects an account to a node, `http://host:port` or `https://host`. At most `max_fee` wei are paid for a unit of gas; `storage` is where the record
    /// of the account's transactions is: in memory for a chain of one's own, whose blocks come at once, whichever number it has. `tell` tells whoever
    /// deploys a sentence.
    ///
    /// # Errors
    ///
    /// The node's, and [`DeployError::Payer`] if the record can't be used.
    pub async fn connect(
        rpc: &str,
        signer: PrivateKeySigner,
        max_fee: u128,
        storage: Storage,
        tell: fn(&str),
    ) -> Result<Self, DeployError> {
        let nodes = Nodes::new([rpc])?;
        let chain_id = nodes.chain_id().await?;
        let is_own = matches!(storage, Storage::Memory(_));
        let (poll, timeout) = patience(if is_own { CHAIN_ID } else { chain_id });
        let config = SenderConfig {
            chain_id,
            contract: PROXY,
            subject: |_| Subject::Action { topic: None, name: "deploying a contract".to_owned() },
            reason: |_| None,
            finality: Finality::of_chain(is_local(chain_id)),
            max_fee,
            storage,
            poll,
            timeout,
        };
        let sender = Sender::open(nodes.clone(), signer, config).await;
        let sender = Arc::new(sender.map_err(|error| match error {
            SendError::Node(error) => DeployError::Node(error),
            error => DeployError::Payer(Box::new(error)),
        })?);
        Ok(Self { sender, nodes, chain_id, tell })
    }

    /// Connects an account to a chain of one's own, where nobody else uses it: it pays any fee, and remembers nothing.
    pub async fn on_own_chain(rpc: &str, signer: PrivateKeySigner) -> Result<Self, DeployError> {
        Self::connect(rpc, signer, u128::MAX, Storage::Memory(Memory::default()), |_| {}).await
    }

    /// What whoever deploys should know of the account's transactions, from now on: one sentence each.
    pub fn advice(&self) -> Receiver<String> {
        self.sender.advice()
    }
}

impl Creator for Payer {
    fn account(&self) -> Address {
        self.sender.account()
    }

    fn chain_id(&self) -> u64 {
        self.chain_id
    }

    async fn offer(&self) -> Result<u128, DeployError> {
        let head = self.nodes.block(BlockId::latest()).await?;
        let base_fee = head.ok_or(NodeError::Nonsense("the chain has no latest block"))?.base_fee;
        // Not all nodes have a word on it.
        let tip = self.nodes.tip().await.unwrap_or_default();
        let market = Facts { base_fee, tip, ..Facts::default() }.market(Priority::Normal);
        let offered = market.at_most(self.sender.rules().ceiling).max;
        // Nodes want all that is offered, for all gas that may be used.
        Ok(offered.saturating_add(offered / 100 * u128::from(GAS_MARGIN_PERCENT)))
    }

    /// The same call that is on its way is that one: nothing is paid for it again.
    async fn create(&self, contract: &Contract) -> Result<(), DeployError> {
        let call = Call { to: PROXY.into(), value: U256::ZERO, input: contract.calldata(), gas: 0 };
        let subject = Subject::Action { topic: None, name: format!("deploying the {}", contract.name) };
        let request = Request { call, subject, priority: Priority::Normal };
        let failed = |error| failed(&contract.name, error);
        let (id, mined) = self.sender.send(&request).await.map_err(failed)?;
        self.sender.acknowledge(id).await.map_err(failed)?;
        ensure!(mined.succeeded, DeployError::Reverted(mined.transaction));
        Ok(())
    }

    fn tell(&self, sentence: &str) {
        (self.tell)(sentence);
    }
}

fn failed(contract: &str, error: SendError) -> DeployError {
    DeployError::Creation { contract: contract.to_owned(), source: Box::new(error) }
}
