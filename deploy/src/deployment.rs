//! The file of a deployment, `deployments/<chain id>.json`: which keys and prices its contracts have, and from which block logs are read. Those that this
//! program knows without a file are in `deployments/known.json`.
//!
//! Where the contracts stand follows from what this program was built with, and with other keys nothing stands there. Whoever writes a file is trusted with
//! the prices and the block: a game contract with other prices may have been deployed by somebody, and too late a block hides games.

use std::path::{Path, PathBuf};

use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use chain::{NodeError, Prices, ensure, is_local};
use serde::{Deserialize, Serialize};

use crate::files::{read_file, write_file};
use crate::history::first_block;
use crate::{Contract, Contracts, DeploymentError, Game};

/// The first entry of a file. Earlier versions of this program had files without it.
const FORMAT: &str = "fogmate deployment 3";
/// What deployments of real chains say that everybody is meant to find: each as in its file.
const KNOWN: &str = include_str!("../../deployments/known.json");

/// A game's contracts on one chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    pub game: Game,
    pub chain_id: u64,
    /// Whether everybody can forge proofs for its verifiers.
    pub development_only: bool,
    /// No event of the contract is in an older block.
    pub block: u64,
    /// All contracts by name, with their addresses: what the game's is built on, and that last.
    pub contracts: Vec<(String, Address)>,
}

/// What a deployment's file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Record {
    pub format: String,
    pub game: Game,
    pub chain_id: u64,
    pub development_only: bool,
    /// By which dark chess reckons bonds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    pub block: u64,
    /// Whether all contracts were seen in final blocks.
    pub is_complete: bool,
}

impl Record {
    /// A deployment that is about to begin, in this block.
    pub fn new(contracts: &Contracts, chain_id: u64, prices: Option<Prices>, block: u64) -> Self {
        let (game, development_only) = (contracts.game, contracts.development_only);
        Self { format: FORMAT.to_owned(), game, chain_id, development_only, prices, block, is_complete: false }
    }

    /// Reads the file of a game's deployment on a chain; where there is none, it is looked for among those that this program knows.
    pub fn load(folder: &Path, game: Game, chain_id: u64) -> Result<Self, DeploymentError> {
        let path = Deployment::path(folder, game, chain_id);
        let value: serde_json::Value = match read_file(&path, chain_id) {
            Err(unknown @ DeploymentError::Unknown { .. }) => return known(KNOWN, game, chain_id).ok_or(unknown),
            read => read?,
        };
        if value["format"] != FORMAT && value["chainId"].is_u64() {
            let is_later = value["format"].as_str().is_some_and(|format| number(format) > number(FORMAT));
            return Err(if is_later { DeploymentError::Later(path) } else { DeploymentError::Earlier(path) });
        }
        let record = Self::deserialize(value);
        let record = record.map_err(|source| DeploymentError::Json { path: path.clone(), source })?;
        let is_named = (record.chain_id, record.game) == (chain_id, game);
        if is_named { Ok(record) } else { Err(DeploymentError::Misnamed(path)) }
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), DeploymentError> {
        write_file(&Deployment::path(folder, self.game, self.chain_id), self, true)
    }

    /// Writes the file, unless another process has begun the same deployment meanwhile, perhaps with other prices.
    pub fn write_first(&self, folder: &Path) -> Result<(), DeploymentError> {
        let path = Deployment::path(folder, self.game, self.chain_id);
        write_file(&path, self, false)?;
        let is_own = Self::load(folder, self.game, self.chain_id)? == *self;
        if is_own { Ok(()) } else { Err(DeploymentError::Unfinished(path)) }
    }

    /// The deployment, if its contracts are these.
    pub fn deployment(&self, contracts: &[Contract]) -> Deployment {
        let contracts = contracts.iter().map(|contract| (contract.name.clone(), contract.address())).collect();
        let Self { game, chain_id, development_only, block, .. } = *self;
        Deployment { game, chain_id, development_only, block, contracts }
    }
}

impl Deployment {
    /// The file of a game's deployment in a folder.
    pub fn path(folder: &Path, game: Game, chain_id: u64) -> PathBuf {
        let prefix = match game {
            Game::Chess => "",
            Game::Dice => "dice-",
            Game::Tag => "tag-",
        };
        folder.join(format!("{prefix}{chain_id}.json"))
    }

    /// Where the game's own contract stands.
    pub fn address(&self) -> Address {
        self.contracts.last().expect("a game has a contract").1
    }

    /// The address of the contract of this name.
    pub fn part(&self, name: &str) -> Option<Address> {
        self.contracts.iter().find(|(of, _)| of == name).map(|(_, address)| *address)
    }

    /// Reads a game's deployment on a node's chain, and sees that all its contracts stand there.
    ///
    /// # Errors
    ///
    /// Any of [`DeploymentError`]: the file, the chain or a missing contract may be the reason.
    pub async fn read(folder: &Path, game: Game, rpc: &str) -> Result<Self, DeploymentError> {
        let provider = chain::connect(rpc, None)?;
        let chain_id = provider.get_chain_id().await.map_err(NodeError::from)?;
        let record = Record::load(folder, game, chain_id)?;
        let contracts = Contracts::shipped(game, record.development_only);
        contracts.refuse_development(chain_id)?;
        ensure!(record.is_complete, DeploymentError::Unfinished(Self::path(folder, game, chain_id)));
        let deployment = record.deployment(&contracts.with_prices(record.prices.as_ref()));
        deployment.check(&provider).await?;
        let head = provider.get_block_number().await.map_err(NodeError::from)?;
        if deployment.block > head {
            let path = Self::path(folder, game, chain_id);
            return Err(DeploymentError::NotYet { path, block: deployment.block, head });
        }
        Ok(deployment)
    }

    /// The deployment that has dark chess at an address with these prices, by no file: the address commits to all of it. None if that is no contract of
    /// this program's.
    ///
    /// # Errors
    ///
    /// If a part is missing on the node's chain, or its keys are for local chains and this is none.
    pub async fn at(rpc: &str, address: Address, prices: &Prices) -> Result<Option<Self>, DeploymentError> {
        let provider = chain::connect(rpc, None)?;
        let chain_id = provider.get_chain_id().await.map_err(NodeError::from)?;
        for development in [false, true] {
            let contracts = Contracts::shipped(Game::Chess, development);
            let record = Record::new(&contracts, chain_id, Some(*prices), 0);
            let mut deployment = record.deployment(&contracts.with_prices(Some(prices)));
            if deployment.address() == address {
                contracts.refuse_development(chain_id)?;
                deployment.check(&provider).await?;
                let head = provider.get_block_number().await.map_err(NodeError::from)?;
                // A node that has forgotten when it was created is asked for all blocks.
                deployment.block = first_block(&provider, address, head).await.unwrap_or_default();
                return Ok(Some(deployment));
            }
        }
        Ok(None)
    }

    /// Whether there is code at all addresses: other code than ours can't be there.
    async fn check(&self, provider: &DynProvider) -> Result<(), DeploymentError> {
        let codes = self.contracts.iter().map(|(contract, address)| async move {
            let code = provider.get_code_at(*address).await.map_err(NodeError::from)?;
            let missing = || DeploymentError::NoCode { contract: contract.clone(), address: *address };
            if code.is_empty() { Err(missing()) } else { Ok(()) }
        });
        futures_util::future::try_join_all(codes).await.map(drop)
    }
}

/// A game's deployment on a chain, of a list.
fn known(list: &str, game: Game, chain_id: u64) -> Option<Record> {
    let records: Vec<Record> = serde_json::from_str(list).expect("it is checked in, and a test reads it");
    records.into_iter().find(|record| (record.game, record.chain_id) == (game, chain_id))
}

/// The number at the end of a format's name.
fn number(format: &str) -> Option<u64> {
    format.rsplit(' ').next()?.parse().ok()
}

impl Contracts {
    /// Keys that everybody can forge proofs for are for local chains.
    pub(crate) fn refuse_development(&self, chain_id: u64) -> Result<(), DeploymentError> {
        let is_fine = !self.development_only || is_local(chain_id);
        if is_fine { Ok(()) } else { Err(DeploymentError::DevelopmentOnRealChain(chain_id)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_reads_back_under_its_own_name_alone() {
        let folder = tempfile::tempdir().unwrap();
        let load = |game, chain_id| Record::load(folder.path(), game, chain_id);
        let prices = Prices { answer_share_gas: chain::ANSWER_SHARE_GAS, least_price: 2, data_price: 3 };
        for game in [Game::Chess, Game::Dice, Game::Tag] {
            let prices = (game == Game::Chess).then_some(prices);
            let written = Record::new(&Contracts::shipped(game, false), 100, prices, 7);
            written.write(folder.path()).unwrap();
            assert_eq!(load(game, 100).unwrap(), written);
            assert!(matches!(load(game, 101), Err(DeploymentError::Unknown { chain_id: 101, .. })));
            let path = |chain_id| Deployment::path(folder.path(), game, chain_id);
            fs::copy(path(100), path(101)).unwrap();
            assert!(matches!(load(game, 101), Err(DeploymentError::Misnamed(_))));
        }
        let path = |game| Deployment::path(folder.path(), game, 100);
        fs::copy(path(Game::Dice), path(Game::Tag)).unwrap();
        assert!(matches!(load(Game::Tag, 100), Err(DeploymentError::Misnamed(_))));
        for not_a_file in ["{}", "of another version", r#"{"format":"fogmate deployment 3"}"#] {
            fs::write(path(Game::Tag), not_a_file).unwrap();
            assert!(matches!(load(Game::Tag, 100), Err(DeploymentError::Json { .. })), "{not_a_file}");
        }
        for earlier in [r#"{"chainId":100,"tag":{}}"#, r#"{"chainId":100,"format":"fogmate deployment 2"}"#] {
            fs::write(path(Game::Tag), earlier).unwrap();
            assert!(matches!(load(Game::Tag, 100), Err(DeploymentError::Earlier(_))));
        }
        fs::write(path(Game::Tag), r#"{"chainId":100,"format":"fogmate deployment 10"}"#).unwrap();
        assert!(matches!(load(Game::Tag, 100), Err(DeploymentError::Later(_))));
    }

    /// Whoever names no file plays on what the program knows of a chain; so only what is complete, real and of this format may be known.
    #[test]
    fn a_deployment_that_is_known_needs_no_file() {
        let records: Vec<Record> = serde_json::from_str(KNOWN).unwrap();
        for record in &records {
            assert_eq!(record.format, FORMAT);
            assert!(record.is_complete && !record.development_only && !is_local(record.chain_id), "{record:?}");
            assert_eq!(record.prices.is_some(), record.game == Game::Chess);
            let same = records.iter().filter(|other| (other.game, other.chain_id) == (record.game, record.chain_id));
            assert_eq!(same.count(), 1, "{record:?}");
        }
        let record = Record::new(&Contracts::shipped(Game::Tag, false), 100, None, 7);
        let list = serde_json::to_string(&[&record]).unwrap();
        assert_eq!(known(&list, Game::Tag, 100), Some(record));
        assert_eq!(known(&list, Game::Dice, 100), None);
        assert_eq!(known(&list, Game::Tag, 101), None);
    }

    #[test]
    fn the_first_of_two_files_stays() {
        let folder = tempfile::tempdir().unwrap();
        let prices = |least_price| Prices { answer_share_gas: chain::ANSWER_SHARE_GAS, least_price, data_price: 3 };
        let [first, second] =
            [1, 2].map(|least| Record::new(&Contracts::shipped(Game::Chess, false), 100, Some(prices(least)), 7));
        first.write_first(folder.path()).unwrap();
        assert!(matches!(second.write_first(folder.path()), Err(DeploymentError::Unfinished(_))));
        assert_eq!(Record::load(folder.path(), Game::Chess, 100).unwrap(), first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but the file is left");
    }

    #[test]
    fn development_keys_stay_on_local_chains() {
        for (chain_id, is_fine) in [(31337, true), (1337, true), (1, false), (11155111, false), (31338, false)] {
            let refused =
                |development| Contracts::shipped(Game::Tag, development).refuse_development(chain_id).is_err();
            assert_eq!((refused(false), refused(true)), (false, !is_fine), "{chain_id}");
        }
    }
}
