//! Deploying: the verifiers and the keys, then the game contract that names them, then the file.
//!
//! Protocol sections 3 and 8. Development parameters are refused before anything is sent, by the chain's id as the node
//! gives it. A deployment that is on file is never overwritten by accident: games live in it.

use std::error::Error;
use std::path::PathBuf;

use alloy::primitives::aliases::U96;
use alloy::primitives::{Address, B256};
use alloy::sol_types::SolValue as _;
use alloy::transports::TransportError;
use rpc::{NodeError, Prices, is_local};
use thiserror::Error;

use crate::deploying::{Deploying, chain_of};
use crate::deployment::{Deployment, DeploymentError, IGameViews};
use crate::files::read_file;
use crate::{Code, CompileError, Compiled, Creator, Repository, Shipped, Statement, Verifiers, compile};

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
    Exists { chain_id: u64, path: PathBuf },
    /// Another process deploys the same to the same chain: the file that it holds.
    #[error("another process is deploying to this chain, and holds {0}: wait until it has ended")]
    UnderWay(PathBuf),
    /// A contract isn't created; what its creator says.
    #[error("the {contract} isn't created: {source}")]
    Creation { contract: String, source: Box<dyn Error + Send + Sync> },
    /// The node can't be asked, or refuses the transaction.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The node tells the deployment another chain than the creator.
    #[error("the node has named chain {signed} as its own, and now {said}: nothing is sent through it")]
    OtherChain {
        /// What it says now.
        said: u64,
        /// What the creator signs for.
        signed: u64,
    },
    /// The node can't be right about a contract that was created: it must stand where signer and nonce say, and be what was compiled.
    #[error(
        "the node's word on the {contract}, created by {transaction:#x}, isn't true: {what}; give the same command again with another node"
    )]
    Untrue {
        contract: String,
        transaction: B256,
        /// What the node does.
        what: &'static str,
    },
    /// Nobody would play on what these sources compile to.
    #[error(
        "the {0} of these sources is not the one that this version of fogmate was built with, and would be refused by every player: build fogmate from \
         them first, with `make verifiers`"
    )]
    NotShipped(&'static str),
    /// The account couldn't pay for all of it.
    #[error(
        "deploying takes about {} ETH at the present fee, a reserve included, and {account:#x} has {} ETH", in_ether(*.needed), in_ether(*.found)
    )]
    TooPoor {
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

/// Deploys verifiers, keys and game, checks them on the chain, waits until they are final, and writes the deployment's file. What an interrupted run has
/// created is gone on with.
///
/// # Errors
///
/// [`DeployError::Exists`], [`DeployError::UnderWay`], [`DeployError::OtherChain`], [`DeployError::NotShipped`] (on local chains other verifiers are
/// allowed) and [`DeploymentError::DevelopmentOnRealChain`], before anything is sent; [`DeployError::Untrue`] before anything more is; failures of
/// the compiler, the node, the creator and the files.
pub async fn deploy(config: &DeployConfig, creator: &impl Creator) -> Result<Deployment, DeployError> {
    let provider = rpc::connect(&config.rpc, None)?;
    let chain_id = chain_of(&provider, creator).await?;
    let path = Deployment::path(&config.deployments, chain_id);
    if config.verifiers.development_only && !is_local(chain_id) {
        return Err(DeploymentError::DevelopmentOnRealChain(chain_id).into());
    }
    let recorded = || read_file::<Deployment>(&path, chain_id).map(|deployment| deployment.game);
    let mut deploying = Deploying::begin(&provider, creator, chain_id, &path, recorded).await?;
    let (repository, verifiers) = (config.repository.clone(), config.verifiers.clone());
    let compiled = tokio::task::spawn_blocking(move || compile(&repository, &verifiers)).await;
    let compiled = compiled.map_err(|e| CompileError::Compiler(e.to_string()))??;
    let verifiers = &config.verifiers;
    let is_shipped = Shipped::known().is(&compiled, verifiers);
    if !is_shipped && !is_local(chain_id) {
        return Err(DeployError::NotShipped("game contract, or a verifier or key,"));
    }

    let Compiled { game, narrow, wide, compiler } = compiled;
    let keys: Vec<Code> =
        verifiers.keys.iter().zip(Statement::ALL).map(|(key, (_, name, _))| key.contract(name)).collect();
    let codes = [&narrow, &wide].into_iter().chain(&keys).chain([&game]);
    deploying.check_funds(codes.map(|code| code.creation.len())).await?;
    let narrow = deploying.create("narrow verifier", narrow).await?;
    let wide = deploying.create("wide verifier", wide).await?;
    let mut made_keys = Vec::new();
    for (code, (_, statement, _)) in keys.into_iter().zip(Statement::ALL) {
        made_keys.push(deploying.create(&format!("key of {statement}"), code).await?.deployed);
    }
    let keys = [0, 1, 2, 3, 4].map(|i| made_keys[i]);
    let [turn_key, request_data_key, fifty_key, no_move_key, answer_key] = keys.map(|key| key.address);
    let used = IGameViews::Verifiers {
        narrow: narrow.address(),
        wide: wide.address(),
        turnKey: turn_key,
        requestDataKey: request_data_key,
        fiftyKey: fifty_key,
        noMoveKey: no_move_key,
        answerKey: answer_key,
        narrowProofLength: verifiers.narrow.proof_bytes,
        wideProofLength: verifiers.wide.proof_bytes,
    };
    let prices = Prices::measure(&provider).await?;
    creator.tell(&format!("bonds on this chain: {prices}"));
    let creation = [game.creation.as_ref(), &used.abi_encode(), &argument(&prices).abi_encode()].concat().into();
    let game = deploying.create("game contract", Code { creation, ..game }).await?;
    let deployment = Deployment {
        chain_id,
        game: game.deployed,
        narrow_verifier: narrow.deployed,
        wide_verifier: wide.deployed,
        keys,
        ceremony: verifiers.ceremony.clone(),
        development_only: verifiers.development_only,
        block: deploying.final_block(&game).await?,
        compiler,
    };
    let check = || async {
        deployment.check(&provider).await?;
        if is_shipped { Shipped::known().check(&provider, &deployment).await } else { Ok(()) }
    };
    deploying.check(check).await?;
    deployment.write(&config.deployments)?;
    deploying.finish();
    Ok(deployment)
}

/// Prices as the contract's constructor takes them.
fn argument(prices: &Prices) -> IGameViews::Prices {
    IGameViews::Prices {
        answerShareGas: prices.answer_share_gas,
        leastPrice: U96::saturating_from(prices.least_price),
        dataPrice: U96::saturating_from(prices.data_price),
    }
}

/// Wei as ether, in ten-thousandths, a part of one as a whole.
fn in_ether(wei: u128) -> String {
    let parts = wei.div_ceil(WEI_OF_PART);
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}
