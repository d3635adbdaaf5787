//! Why a deployment can't be made or used, each in one clear sentence.

use std::error::Error;
use std::path::PathBuf;

use alloy::primitives::{Address, B256, hex};
use alloy::transports::TransportError;
use chain::NodeError;
use thiserror::Error;

use crate::PROXY;
use crate::contracts::{PROXY_COST, PROXY_SIGNER, PROXY_TRANSACTION};

/// A ten-thousandth of an ether, in wei.
const WEI_OF_PART: u128 = 100_000_000_000_000;

/// Why a deployment can't be used.
#[derive(Debug, Error)]
pub enum DeploymentError {
    /// Nothing has been deployed to this chain, as far as the folder tells.
    #[error("no deployment on chain {chain_id} is known: there is no {path}")]
    Unknown { chain_id: u64, path: PathBuf },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path} is not a deployment's file: {source}")]
    Json { path: PathBuf, source: serde_json::Error },
    /// The file was written by an earlier version, whose contracts stand elsewhere.
    #[error(
        "{0} is the file of an earlier version of fogmate, whose contracts this one doesn't play on: move it away, and deploy anew or ask whoever has"
    )]
    Earlier(PathBuf),
    #[error(
        "{0} is the file of a later version of fogmate: use that version, or a folder of this one's own by --deployments"
    )]
    Later(PathBuf),
    /// Who waits for logs from there on waits for ever.
    #[error(
        "{path} says that the contracts are of block {block}, and the node's chain has {head} blocks: take another's file, or ask another node"
    )]
    NotYet { path: PathBuf, block: u64, head: u64 },
    /// The file speaks of another chain or another game than its name.
    #[error("{0} speaks of another chain or another game than its name")]
    Misnamed(PathBuf),
    /// Somebody has begun to deploy and not ended.
    #[error(
        "the deployment that {0} is of isn't complete: give the command that began it again, it pays for nothing twice"
    )]
    Unfinished(PathBuf),
    /// Keys for which everybody can forge proofs, on a chain that isn't local.
    #[error(
        "chain {0} is not a local one: a verifier from development parameters, for which anybody can forge proofs, must not be used there"
    )]
    DevelopmentOnRealChain(u64),
    /// Nothing stands where a contract must.
    #[error(
        "there is no {contract} at {address:#x}: was the chain begun anew, is the node another chain's, or was the deployment made by another version of \
         fogmate?"
    )]
    NoCode { contract: String, address: Address },
    #[error(transparent)]
    Node(#[from] NodeError),
}

/// Why a deployment failed.
#[derive(Debug, Error)]
pub enum DeployError {
    /// The deployment must not be, or can't be recorded.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
    /// The folder has a deployment with the other set of keys.
    #[error(
        "chain {chain_id} has a deployment with the other keys already, by whose file in {folder} its games are found; move the file away to deploy these, too"
    )]
    OtherKeys { chain_id: u64, folder: String },
    /// The prices of the folder's file would make bonds that pay for something else.
    #[error(
        "the file {0} of a deployment that was begun says prices which aren't those of this chain now: move it away to deploy with the present ones"
    )]
    OtherPrices(PathBuf),
    /// The chain has no deterministic deployment proxy.
    #[error(
        "chain {chain_id} doesn't have the proxy {PROXY:#x} by which contracts stand at the same address everywhere; whoever pays {} ETH to {PROXY_SIGNER:#x} there and \
         sends 0x{} through a node that takes transactions for any chain (geth: --rpc.allow-unprotected-txs) has created it",
        in_ether(PROXY_COST),
        hex::encode(PROXY_TRANSACTION)
    )]
    NoProxy { chain_id: u64 },
    /// What a call of it does, nobody knows.
    #[error(
        "at {PROXY:#x}, where the deterministic deployment proxy stands on other chains, chain {chain_id} has other code: nothing is sent to it"
    )]
    OtherProxy { chain_id: u64 },
    /// A contract isn't created; what its creator says.
    #[error("the {contract} isn't created: {source}")]
    Creation { contract: String, source: Box<dyn Error + Send + Sync> },
    /// The record of the account's transactions can't be used.
    #[error(transparent)]
    Payer(Box<dyn Error + Send + Sync>),
    /// The node can't be asked, or refuses the transaction.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The node tells the deployment another chain than the creator.
    #[error("the node has named chain {signed} as its own, and now {said}: nothing is sent through it")]
    OtherChain { said: u64, signed: u64 },
    /// A contract was created and isn't there any more, or not yet.
    #[error(
        "the {contract} was created and the node doesn't show it at {address:#x}: give the same command again, it pays for nothing that stands"
    )]
    NotThere { contract: String, address: Address },
    /// The contracts stand already, and nobody knows since when.
    #[error(
        "the contracts stand already, but this node has forgotten since which block: name an archive node with --rpc, or take the deployment's file of \
         whoever has one"
    )]
    NoHistory,
    /// Nobody would play on contracts that this program doesn't ship.
    #[error(
        "these contracts are not those that this version of fogmate was built with: they belong on local chains only"
    )]
    NotShipped,
    /// The account couldn't pay for all of it.
    #[error(
        "deploying takes about {} ETH at the present fee, a reserve included, and {account:#x} has {} ETH", in_ether(*.needed), whole_parts_of_ether(*.found)
    )]
    TooPoor {
        account: Address,
        /// What it takes, in wei: what is paid, and what each creation must find besides, in case that fees rise.
        needed: u128,
        /// What the account has, in wei.
        found: u128,
    },
    /// The contract's constructor reverted.
    #[error("the deployment transaction {0:#x} failed")]
    Reverted(B256),
}

impl From<TransportError> for DeployError {
    fn from(error: TransportError) -> Self {
        Self::Node(error.into())
    }
}

/// Wei as ether, in ten-thousandths, a part of one as a whole: what is enough.
fn in_ether(wei: u128) -> String {
    ether(wei.div_ceil(WEI_OF_PART))
}

/// Wei as ether, in whole ten-thousandths: what is there at least.
fn whole_parts_of_ether(wei: u128) -> String {
    ether(wei / WEI_OF_PART)
}

fn ether(parts: u128) -> String {
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}
