//! The file of a deployment, `deployments/<chain id>.json`, and whether the chain still says the same.
//!
//! Protocol section 3 ("`deploy` refuses them on any chain but a local one") and section 8 (no upgrade: code that
//! matched once matches for ever, unless the chain is another). Who reads a deployment gets it only if the code on chain is the one
//! that this program was built with, of game contract, verifier and key; what the file says of them counts for nothing.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256, Bytes, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use rpc::{NodeError, is_local};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::shipped::Expected;

/// Why a deployment can't be used.
#[derive(Debug, Error)]
pub enum DeploymentError {
    /// Nothing has been deployed to this chain, as far as the folder tells.
    #[error("no deployment on chain {chain_id} is known: there is no {path}")]
    Unknown {
        /// The chain.
        chain_id: u64,
        /// The file that would tell.
        path: PathBuf,
    },
    /// The file can't be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file isn't a deployment's.
    #[error("{path} is not a deployment's file: {source}")]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file speaks of another chain than its name or the node.
    #[error("{path} is of chain {found}, not of chain {expected}")]
    WrongChain {
        /// The file.
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
    /// The code on chain isn't the deployed one.
    #[error(
        "the code of the {contract} at {address:#x} is not what was deployed: its hash is {found:#x}, not {expected:#x}"
    )]
    WrongCode {
        /// Which contract.
        contract: &'static str,
        /// Its address.
        address: Address,
        /// The recorded hash.
        expected: B256,
        /// The hash on chain.
        found: B256,
    },
    /// The code on chain isn't the one that this program was built with.
    #[error(
        "the {contract} at {address:#x} is not the one that this program was built with: it may accept forged proofs or keep stakes"
    )]
    ForeignCode {
        /// Which contract.
        contract: &'static str,
        /// Its address.
        address: Address,
    },
    /// The key isn't one that this program was built with, or the file says something else of it than this program knows.
    #[error("the deployment on chain {0} is of a verifying key that this program was not built with")]
    ForeignKey(u64),
    /// The node can't be asked.
    #[error(transparent)]
    Node(#[from] NodeError),
}

/// A contract on chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deployed {
    /// Its address.
    pub address: Address,
    /// The hash of its code as it stands on chain.
    pub code_hash: B256,
}

/// A deployment: the contracts on one chain, and where their key came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deployment {
    /// The chain.
    pub chain_id: u64,
    /// The game contract.
    pub game: Deployed,
    /// The verifier of *turn* proofs.
    pub turn_verifier: Deployed,
    /// The key of *turn* for it.
    pub turn_key: Deployed,
    /// The hash of the verifying key.
    pub verifying_key: String,
    /// The ceremony of the parameters.
    pub ceremony: String,
    /// Whether everybody can forge proofs for the verifier.
    pub development_only: bool,
    /// The exact length of a *turn* proof.
    pub proof_bytes: u64,
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
        let bytes = fs::read(&path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => DeploymentError::Unknown { chain_id, path: path.clone() },
            _ => DeploymentError::Io { path: path.clone(), source },
        })?;
        let json = |source| DeploymentError::Json { path: path.clone(), source };
        let deployment: Self = serde_json::from_slice(&bytes).map_err(json)?;
        if deployment.chain_id != chain_id {
            return Err(DeploymentError::WrongChain { path, expected: chain_id, found: deployment.chain_id });
        }
        deployment.refuse_development()?;
        Ok(deployment)
    }

    /// Reads the deployment of a node's chain and checks it against that chain.
    pub async fn read(folder: &Path, rpc: &str) -> Result<Self, DeploymentError> {
        let provider = rpc::connect(rpc, None)?;
        let deployment = Self::load(folder, provider.get_chain_id().await.map_err(NodeError::from)?)?;
        deployment.check(&provider).await?;
        Ok(deployment)
    }

    /// Checks that game contract, verifier and key on the chain are those that this program was built with.
    pub async fn check(&self, provider: &DynProvider) -> Result<(), DeploymentError> {
        let Expected { game, verifier, key } = Expected::of(self).ok_or(DeploymentError::ForeignKey(self.chain_id))?;
        let expected = [verifier, key, game];
        for ((contract, deployed, code), expected) in self.codes(provider).await?.into_iter().zip(expected) {
            if code != expected {
                return Err(DeploymentError::ForeignCode { contract, address: deployed.address });
            }
        }
        Ok(())
    }

    /// The code on the chain of verifier, key and game contract, which must have the recorded hashes.
    pub(crate) async fn codes(
        &self,
        provider: &DynProvider,
    ) -> Result<[(&'static str, Deployed, Bytes); 3], DeploymentError> {
        self.refuse_development()?;
        let contracts = [("verifier", self.turn_verifier), ("key", self.turn_key), ("game contract", self.game)];
        let mut codes = contracts.map(|(contract, deployed)| (contract, deployed, Bytes::new()));
        for (contract, Deployed { address, code_hash: expected }, code) in &mut codes {
            *code = provider.get_code_at(*address).await.map_err(NodeError::from)?;
            let (contract, address, expected, found) = (*contract, *address, *expected, keccak256(&*code));
            if found != expected {
                return Err(DeploymentError::WrongCode { contract, address, expected, found });
            }
        }
        Ok(codes)
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
        let io = |source| DeploymentError::Io { path: path.clone(), source };
        let json = serde_json::to_string_pretty(self).expect("a deployment is plain data");
        let partial = path.with_extension("json.partial");
        fs::create_dir_all(folder).map_err(io)?;
        fs::write(&partial, json + "\n").map_err(io)?;
        fs::rename(&partial, &path).map_err(io)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deployment(chain_id: u64, ceremony: &str) -> Deployment {
        let deployed = Deployed { address: Address::repeat_byte(1), code_hash: B256::repeat_byte(2) };
        Deployment {
            chain_id,
            game: deployed,
            turn_verifier: deployed,
            turn_key: deployed,
            verifying_key: "0x03".to_owned(),
            ceremony: ceremony.to_owned(),
            development_only: false,
            proof_bytes: 2752,
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
