//! Deploying: the verifiers and the keys, then the game contract that names them, then the file.
//!
//! Protocol sections 3 and 8. Development parameters are refused before anything is sent, by the chain's id as the node
//! gives it. A deployment that is on file is never overwritten by accident: games live in it.

use std::error::Error;
use std::path::PathBuf;

use alloy::primitives::{Address, B256};
use alloy::providers::Provider as _;
use alloy::sol_types::SolValue as _;
use alloy::transports::TransportError;
use rpc::{NodeError, is_local};
use thiserror::Error;

use crate::deploying::Deploying;
use crate::deployment::{Deployment, DeploymentError, IGameViews};
use crate::files::read_file;
use crate::verifier::key_creation;
use crate::{CompileError, Compiled, Creator, Repository, Statement, Verifiers, compile};

/// A ten-thousandth of an ether, in wei.
const WEI_OF_PART: u128 = 100_000_000_000_000;

/// Why a deployment failed.
#[derive(Debug, Error)]
pub enum DeployError {
    /// There is no bytecode.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The deployment must not be, or can't be recorded or recognised.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
    /// There is a deployment already.
    #[error(
        "chain {chain_id} has a deployment already, by whose file {path} its games are found; move the file away to deploy anew"
    )]
    Exists {
        /// The chain.
        chain_id: u64,
        /// Its file.
        path: PathBuf,
    },
    /// Another process deploys the same to the same chain: the file that it holds.
    #[error("another process is deploying to this chain, and holds {0}: wait until it has ended")]
    UnderWay(PathBuf),
    /// A contract isn't created; what its creator says.
    #[error("the {contract} isn't created: {source}")]
    Creation {
        /// Which contract.
        contract: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The node can't be asked, or refuses the transaction.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The account couldn't pay for all of it.
    #[error(
        "deploying takes about {} ETH at the present fee, a reserve included, and {account:#x} has {} ETH", in_ether(*.needed), in_ether(*.found)
    )]
    TooPoor {
        /// Who deploys.
        account: Address,
        /// What it takes, in wei: what is paid, and what each creation must find besides, in case that fees rise.
        needed: u128,
        /// What the account has, in wei.
        found: u128,
    },
    /// The transaction was not included in time.
    #[error("the deployment transaction {0:#x} was not included in time")]
    NotIncluded(B256),
    /// The contract's constructor reverted.
    #[error("the deployment transaction {0:#x} failed")]
    Reverted(B256),
}

impl From<TransportError> for DeployError {
    fn from(error: TransportError) -> Self {
        Self::Node(error.into())
    }
}

/// What to deploy, and where.
#[derive(Clone, Debug)]
pub struct DeployConfig {
    /// The node, `http://host:port` or `https://host`.
    pub rpc: String,
    /// The sources and the compiler.
    pub repository: Repository,
    /// The verifiers and keys.
    pub verifiers: Verifiers,
    /// The folder of the deployments' files.
    pub deployments: PathBuf,
}

/// Deploys verifiers, keys and game, checks them on the chain, and writes the deployment's file. What an interrupted run has created is gone on with.
///
/// # Errors
///
/// [`DeployError::Exists`], [`DeployError::UnderWay`] and [`DeploymentError::DevelopmentOnRealChain`], before anything is sent; failures of the
/// compiler, the node, the creator and the files.
pub async fn deploy(config: &DeployConfig, creator: &impl Creator) -> Result<Deployment, DeployError> {
    let provider = rpc::connect(&config.rpc, None)?;
    let chain_id = provider.get_chain_id().await?;
    let path = Deployment::path(&config.deployments, chain_id);
    if config.verifiers.development_only && !is_local(chain_id) {
        return Err(DeploymentError::DevelopmentOnRealChain(chain_id).into());
    }
    let recorded = || read_file::<Deployment>(&path, chain_id).map(|deployment| deployment.game);
    let mut deploying = Deploying::begin(&provider, creator, chain_id, &path, recorded).await?;
    let (repository, verifiers) = (config.repository.clone(), config.verifiers.clone());
    let compiled = tokio::task::spawn_blocking(move || compile(&repository, &verifiers)).await;
    let Compiled { game, narrow, wide, compiler } = compiled.map_err(|e| CompileError::Compiler(e.to_string()))??;

    let verifiers = &config.verifiers;
    let key_codes = verifiers.keys.each_ref().map(key_creation);
    let codes = [&narrow.creation, &wide.creation].into_iter().chain(&key_codes).chain([&game.creation]);
    deploying.check_funds(codes.map(|code| code.len())).await?;
    let narrow = deploying.create("narrow verifier", narrow.creation).await?.0;
    let wide = deploying.create("wide verifier", wide.creation).await?.0;
    let mut keys = [Address::ZERO; 5];
    for ((key, code), (_, statement, _)) in keys.iter_mut().zip(key_codes).zip(Statement::ALL) {
        *key = deploying.create(&format!("key of {statement}"), code).await?.0;
    }
    let [turn_key, request_data_key, fifty_key, no_move_key, answer_key] = keys;
    let used = IGameViews::Verifiers {
        narrow,
        wide,
        turnKey: turn_key,
        requestDataKey: request_data_key,
        fiftyKey: fifty_key,
        noMoveKey: no_move_key,
        answerKey: answer_key,
        narrowProofLength: verifiers.narrow.proof_bytes,
        wideProofLength: verifiers.wide.proof_bytes,
    };
    let creation = [game.creation.as_ref(), &used.abi_encode()].concat();
    let (game, block) = deploying.create("game contract", creation.into()).await?;
    let mut deployed_keys = Vec::new();
    for key in keys {
        deployed_keys.push(deploying.deployed(key).await?);
    }
    let deployment = Deployment {
        chain_id,
        game: deploying.deployed(game).await?,
        narrow_verifier: deploying.deployed(narrow).await?,
        wide_verifier: deploying.deployed(wide).await?,
        keys: [0, 1, 2, 3, 4].map(|i| deployed_keys[i]),
        ceremony: verifiers.ceremony.clone(),
        development_only: verifiers.development_only,
        block,
        compiler,
    };
    deployment.check(&provider).await?;
    deployment.write(&config.deployments)?;
    deploying.finish();
    Ok(deployment)
}

/// Wei as ether, in ten-thousandths, a part of one as a whole.
fn in_ether(wei: u128) -> String {
    let parts = wei.div_ceil(WEI_OF_PART);
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}
