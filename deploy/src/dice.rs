//! The dice contract: its file, `deployments/dice-<chain id>.json`, and whether what stands on the chain is what this program was built with.
//!
//! It has no immutables, no verifier and no parameters, so its code is compared byte for byte, and with it the transaction that
//! created it.

use std::path::{Path, PathBuf};

use alloy::primitives::{B256, Bytes, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use rpc::NodeError;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

use crate::deploying::{Deploying, chain_of};
use crate::files::{read_file, write_file};
use crate::shipped::Created;
use crate::{Code, CompileError, Creator, DeployError, Deployed, DeploymentError, Repository, compile_dice};

/// The dice contract on one chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiceDeployment {
    pub chain_id: u64,
    pub dice: Deployed,
    /// The block of its deployment: no event is older.
    pub block: u64,
    /// The version of the compiler.
    pub compiler: String,
}

/// The dice contract's code as it stands in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedDice {
    /// What stands on a chain.
    runtime: Bytes,
    /// The hash of the code that creates it.
    creation: B256,
}

/// The file, written by `make verifiers`.
static CODE: LazyLock<ShippedDice> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/dice.json");
    serde_json::from_str(file).expect("the file is generated, and compared by a test")
});

impl ShippedDice {
    /// What is to be shipped of what was compiled.
    pub fn of(code: &Code) -> Self {
        Self { runtime: code.runtime.clone(), creation: keccak256(&code.creation) }
    }
}

impl DiceDeployment {
    /// The file of a chain in a folder.
    pub fn path(folder: &Path, chain_id: u64) -> PathBuf {
        folder.join(format!("dice-{chain_id}.json"))
    }

    /// Reads the deployment of a node's chain, and compares it with the chain and with what this program was built with.
    ///
    /// # Errors
    ///
    /// [`DeploymentError::Unknown`], `Io` and `Json` for the file, `WrongChain`, `NoCode`, `Foreign` for anything but our contract, and the
    /// node's.
    pub async fn read(folder: &Path, rpc: &str) -> Result<Self, DeploymentError> {
        let provider = rpc::connect(rpc, None)?;
        let chain_id = rpc::patiently(|| provider.get_chain_id()).await.map_err(NodeError::from)?;
        let path = Self::path(folder, chain_id);
        let deployment: Self = read_file(&path, chain_id)?;
        if deployment.chain_id != chain_id {
            return Err(DeploymentError::WrongChain { path, expected: chain_id, found: deployment.chain_id });
        }
        deployment.check(&provider).await?;
        Ok(deployment)
    }

    async fn check(&self, provider: &DynProvider) -> Result<(), DeploymentError> {
        let address = self.dice.address;
        let code = rpc::patiently(|| provider.get_code_at(address)).await.map_err(NodeError::from)?;
        let created = Created { contract: address, block: self.block, creation: CODE.creation };
        if code.is_empty() {
            return Err(DeploymentError::NoCode { contract: "dice contract", address });
        }
        if code != CODE.runtime || !created.is_on(provider, &[]).await? {
            return Err(DeploymentError::Foreign { contract: "dice contract", address });
        }
        Ok(())
    }
}

/// Deploys the dice contract to a node's chain, checks it there, waits until it is final, and writes its file.
///
/// # Errors
///
/// [`DeployError::Exists`] if the chain has one on file already, [`DeployError::OtherChain`] and [`DeployError::NotShipped`], before anything is
/// sent; [`DeployError::Untrue`]; failures of the compiler, the node, the creator and the files.
pub async fn deploy_dice(
    rpc: &str,
    repository: Repository,
    folder: &Path,
    creator: &impl Creator,
) -> Result<DiceDeployment, DeployError> {
    let provider = rpc::connect(rpc, None)?;
    let chain_id = chain_of(&provider, creator).await?;
    let path = DiceDeployment::path(folder, chain_id);
    let recorded = || read_file::<DiceDeployment>(&path, chain_id).map(|deployment| deployment.dice);
    let mut deploying = Deploying::begin(&provider, creator, chain_id, &path, recorded).await?;
    let compiled = tokio::task::spawn_blocking(move || compile_dice(&repository)).await;
    let (code, compiler) = compiled.map_err(|e| CompileError::Compiler(e.to_string()))??;
    if ShippedDice::of(&code) != *CODE {
        return Err(DeployError::NotShipped("dice contract"));
    }
    deploying.check_funds([code.creation.len()]).await?;
    let dice = deploying.create("dice contract", code).await?;
    let block = deploying.final_block(&dice).await?;
    let deployment = DiceDeployment { chain_id, dice: dice.deployed, block, compiler };
    deploying.check(|| deployment.check(&provider)).await?;
    write_file(&path, &deployment)?;
    deploying.finish();
    Ok(deployment)
}
