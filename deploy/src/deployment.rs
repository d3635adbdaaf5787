//! The file of a deployment, `deployments/<chain id>.json`, and whether the chain still says the same.
//!
//! Protocol section 3 ("`deploy` refuses them on any chain but a local one") and section 8 (no upgrade: code that
//! matched once matches for ever, unless the chain is another). Who reads a deployment gets it only if all contracts'
//! code hashes are the recorded ones and the game contract names these very verifiers and keys. That the file itself can be
//! believed is another question: `shipped` answers it.

use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use rpc::{NodeError, is_local};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::{read_file, write_file};

alloy::sol! {
    /// What a deployment's check asks of the game contract.
    #[derive(Debug, PartialEq, Eq)]
    interface IGameViews {
        /// As in the game contract's own interface.
        struct Verifiers {
            address narrow;
            address wide;
            address turnKey;
            address requestDataKey;
            address fiftyKey;
            address noMoveKey;
            address answerKey;
            uint32 narrowProofLength;
            uint32 wideProofLength;
        }
        /// As in the game contract's own interface.
        struct Prices {
            uint32 answerShareGas;
            uint96 leastPrice;
            uint96 dataPrice;
        }
        /// The verifiers and keys that it uses.
        function verifiers() external view returns (Verifiers memory);
        /// The prices by which it reckons bonds.
        function prices() external view returns (Prices memory);
    }
}

/// Why a deployment can't be used.
#[derive(Debug, Error)]
pub enum DeploymentError {
    /// Nothing has been deployed to this chain, as far as the folder tells.
    #[error("no deployment on chain {chain_id} is known: there is no {path}")]
    Unknown {
        chain_id: u64,
        /// The file that would tell.
        path: PathBuf,
    },
    /// The file can't be read or written.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// The file isn't a deployment's.
    #[error("{path} is not a deployment's file: {source}")]
    Json { path: PathBuf, source: serde_json::Error },
    /// The file speaks of another chain than its name or the node.
    #[error("{path} is of chain {found}, not of chain {expected}")]
    WrongChain {
        path: PathBuf,
        /// The chain that it should be of.
        expected: u64,
        /// The chain that it is of.
        found: u64,
    },
    /// Development parameters on a real chain.
    #[error(
        "chain {0} is not a local one: a verifier from development parameters, for which anybody can forge proofs, must not be used there"
    )]
    DevelopmentOnRealChain(u64),
    /// Nothing stands where a contract was deployed.
    #[error("there is no {contract} at {address:#x}: was the chain begun anew, or is the node another chain's?")]
    NoCode { contract: &'static str, address: Address },
    /// The code on chain isn't the deployed one.
    #[error(
        "the code of the {contract} at {address:#x} is not what was deployed: its hash is {found:#x}, not {expected:#x}"
    )]
    WrongCode {
        contract: &'static str,
        address: Address,
        expected: B256,
        /// The hash on chain.
        found: B256,
    },
    /// The code on chain isn't what this program was built with.
    #[error(
        "the {contract} at {address:#x} is not the one that this version of fogmate knows: don't play there, whoever says so"
    )]
    Foreign { contract: &'static str, address: Address },
    /// The game contract trusts another verifier, another key or another length of proofs.
    #[error("the game contract at {0:#x} does not use the recorded verifier")]
    WrongVerifier(Address),
    /// The node can't be asked.
    #[error(transparent)]
    Node(#[from] NodeError),
}

/// A contract on chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deployed {
    pub address: Address,
    /// The hash of its code as it stands on chain.
    pub code_hash: B256,
}

/// A deployment: the contracts on one chain, and where their key came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deployment {
    pub chain_id: u64,
    pub game: Deployed,
    /// The verifier of all statements but the on-chain answer.
    pub narrow_verifier: Deployed,
    /// The verifier of that one.
    pub wide_verifier: Deployed,
    /// The keys by statement, see [`crate::Statement`].
    pub keys: [Deployed; 5],
    /// The ceremony of the parameters.
    pub ceremony: String,
    /// Whether everybody can forge proofs for the verifiers.
    pub development_only: bool,
    /// The block of the game contract's deployment: no event is older.
    pub block: u64,
    /// The version of the compiler.
    pub compiler: String,
}

impl Deployment {
    /// The file of a chain's deployment in a folder.
    pub fn path(folder: &Path, chain_id: u64) -> PathBuf {
        folder.join(format!("{chain_id}.json"))
    }

    /// Reads a chain's deployment without asking the chain.
    pub fn load(folder: &Path, chain_id: u64) -> Result<Self, DeploymentError> {
        let path = Self::path(folder, chain_id);
        let deployment: Self = read_file(&path, chain_id)?;
        if deployment.chain_id != chain_id {
            return Err(DeploymentError::WrongChain { path, expected: chain_id, found: deployment.chain_id });
        }
        deployment.refuse_development()?;
        Ok(deployment)
    }

    /// Reads the deployment of a node's chain and checks it against that chain.
    pub async fn read(folder: &Path, rpc: &str) -> Result<Self, DeploymentError> {
        let provider = rpc::connect(rpc, None)?;
        let found = rpc::patiently(|| provider.get_chain_id()).await.map_err(NodeError::from)?;
        let deployment = Self::load(folder, found)?;
        deployment.check(&provider).await?;
        Ok(deployment)
    }

    /// Checks that what is recorded is what stands on the chain.
    pub async fn check(&self, provider: &DynProvider) -> Result<(), DeploymentError> {
        self.refuse_development()?;
        let verifiers = [("narrow verifier", self.narrow_verifier), ("wide verifier", self.wide_verifier)];
        let keys = self.keys.map(|key| ("key", key));
        let contracts = verifiers.into_iter().chain(keys).chain([("game contract", self.game)]);
        for (contract, Deployed { address, code_hash: expected }) in contracts {
            let code = rpc::patiently(|| provider.get_code_at(address)).await.map_err(NodeError::from)?;
            if code.is_empty() {
                return Err(DeploymentError::NoCode { contract, address });
            }
            let found = keccak256(&code);
            if found != expected {
                return Err(DeploymentError::WrongCode { contract, address, expected, found });
            }
        }
        let used = self.view(provider, &IGameViews::verifiersCall {}).await?;
        let used =
            [used.narrow, used.wide, used.turnKey, used.requestDataKey, used.fiftyKey, used.noMoveKey, used.answerKey];
        let recorded = [self.narrow_verifier, self.wide_verifier].into_iter().chain(self.keys);
        if !recorded.map(|deployed| deployed.address).eq(used) {
            return Err(DeploymentError::WrongVerifier(self.game.address));
        }
        Ok(())
    }

    pub(crate) async fn view<C: alloy::sol_types::SolCall>(
        &self,
        provider: &DynProvider,
        call: &C,
    ) -> Result<C::Return, DeploymentError> {
        let request = alloy::rpc::types::TransactionRequest::default();
        let request = request.to(self.game.address).input(call.abi_encode().into());
        let returned = rpc::patiently(|| provider.call(request.clone())).await.map_err(NodeError::from)?;
        C::abi_decode_returns(&returned).map_err(|_| DeploymentError::WrongVerifier(self.game.address))
    }

    /// Whether parameters that everybody knows may be used on this chain.
    pub(crate) fn refuse_development(&self) -> Result<(), DeploymentError> {
        let development = self.development_only || self.ceremony == "development";
        if development && !is_local(self.chain_id) {
            return Err(DeploymentError::DevelopmentOnRealChain(self.chain_id));
        }
        Ok(())
    }

    /// Writes the deployment's file, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, DeploymentError> {
        let path = Self::path(folder, self.chain_id);
        write_file(&path, self)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn deployment(chain_id: u64, ceremony: &str) -> Deployment {
        let deployed = Deployed { address: Address::repeat_byte(1), code_hash: B256::repeat_byte(2) };
        Deployment {
            chain_id,
            game: deployed,
            narrow_verifier: deployed,
            wide_verifier: deployed,
            keys: [deployed; 5],
            ceremony: ceremony.to_owned(),
            development_only: false,
            block: 4,
            compiler: "0.8.37".to_owned(),
        }
    }

    #[test]
    fn a_file_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let written = deployment(100, "ignition");
        written.write(folder.path()).unwrap();
        assert_eq!(Deployment::load(folder.path(), 100).unwrap(), written);
        let unknown = Deployment::load(folder.path(), 101);
        assert!(matches!(unknown, Err(DeploymentError::Unknown { chain_id: 101, .. })));
        fs::rename(folder.path().join("100.json"), folder.path().join("101.json")).unwrap();
        let moved = Deployment::load(folder.path(), 101);
        assert!(matches!(moved, Err(DeploymentError::WrongChain { found: 100, .. })));
        fs::write(folder.path().join("101.json"), "{}").unwrap();
        assert!(matches!(Deployment::load(folder.path(), 101), Err(DeploymentError::Json { .. })));
    }

    #[test]
    fn development_parameters_stay_on_local_chains() {
        let folder = tempfile::tempdir().unwrap();
        for (chain_id, fine) in [(31337, true), (1337, true), (1, false), (11155111, false), (31338, false)] {
            deployment(chain_id, "development").write(folder.path()).unwrap();
            assert_eq!(Deployment::load(folder.path(), chain_id).is_ok(), fine, "{chain_id}");
            let mut marked = deployment(chain_id, "ignition");
            marked.development_only = true;
            marked.write(folder.path()).unwrap();
            assert_eq!(Deployment::load(folder.path(), chain_id).is_ok(), fine, "{chain_id}");
        }
    }
}
