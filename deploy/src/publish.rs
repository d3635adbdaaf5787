//! Deploying: the verifiers and the keys, then the game contract that names them, then the file.
//!
//! Protocol sections 3 and 8. Development parameters are refused before anything is sent, by the chain's id as the node
//! gives it. A deployment that is on file is never overwritten by accident: games live in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, Bytes, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::{TransactionReceipt, TransactionRequest};
use alloy::signers::local::PrivateKeySigner;
use alloy::sol_types::SolValue as _;
use alloy::transports::TransportError;
use rpc::{NodeError, is_local};
use thiserror::Error;

use crate::deployment::{Deployed, Deployment, DeploymentError, IGameViews, check_file, read_file};
use crate::verifier::key_creation;
use crate::{CompileError, Repository, Verifiers, compile};

/// How long a deployment transaction may take to be included.
const INCLUSION_TIMEOUT: Duration = Duration::from_secs(300);
/// How often to look for it: on a local chain it is there at once.
const POLL: Duration = Duration::from_millis(100);

/// Gas of a contract's creation besides its code: the transaction, the creation, its constructor.
const GAS_OF_CREATION: u64 = 100_000;
/// Gas of a byte of code: kept (200) and carried (16), and a little for running through it.
const GAS_OF_BYTE: u64 = 220;
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
    /// The node can't be asked, or refuses the transaction.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The account couldn't pay for all of it.
    #[error("deploying takes about {} ETH at the present fee, and {account:#x} has {} ETH", in_ether(*.needed), in_ether(*.found))]
    TooPoor {
        /// Who deploys.
        account: Address,
        /// What it takes, in wei.
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

/// Makes sure that a deployment may be recorded and can be, before anything is paid for. One that is on file is the way to its games; only
/// on a local chain, which may have been begun anew, it goes if its contract, `recorded` there, doesn't stand any more. A file that can't be read is
/// nobody's to replace.
pub(crate) async fn check_free(
    provider: &DynProvider,
    chain_id: u64,
    path: &Path,
    recorded: Result<Deployed, DeploymentError>,
) -> Result<(), DeployError> {
    let stands = match recorded {
        Ok(recorded) => keccak256(provider.get_code_at(recorded.address).await?) == recorded.code_hash,
        Err(DeploymentError::Unknown { .. }) => return Ok(check_file(path)?),
        Err(unreadable) => return Err(unreadable.into()),
    };
    if stands || !is_local(chain_id) {
        return Err(DeployError::Exists { chain_id, path: path.to_owned() });
    }
    Ok(check_file(path)?)
}

/// Deploys verifiers, keys and game, checks them on the chain, and writes the deployment's file.
pub async fn deploy(config: &DeployConfig, signer: PrivateKeySigner) -> Result<Deployment, DeployError> {
    let provider = rpc::connect(&config.rpc, Some(&signer))?;
    let chain_id = provider.get_chain_id().await?;
    let path = Deployment::path(&config.deployments, chain_id);
    if config.verifiers.development_only && !is_local(chain_id) {
        return Err(DeploymentError::DevelopmentOnRealChain(chain_id).into());
    }
    let recorded = read_file::<Deployment>(&path, chain_id).map(|deployment| deployment.game);
    check_free(&provider, chain_id, &path, recorded).await?;
    let (repository, verifiers) = (config.repository.clone(), config.verifiers.clone());
    let compiled = tokio::task::spawn_blocking(move || compile(&repository, &verifiers)).await;
    let compiled = compiled.map_err(|e| CompileError::Compiler(e.to_string()))??;

    let verifiers = &config.verifiers;
    let keys = verifiers.keys.iter().map(|code| key_creation(code).len());
    let codes = [&compiled.narrow, &compiled.wide, &compiled.game].map(|contract| contract.creation.len());
    check_funds(&provider, signer.address(), &keys.chain(codes).collect::<Vec<_>>()).await?;
    let narrow = create(&provider, compiled.narrow.creation).await?.0;
    let wide = create(&provider, compiled.wide.creation).await?.0;
    let mut keys = [Address::ZERO; 5];
    for (key, code) in keys.iter_mut().zip(&verifiers.keys) {
        *key = create(&provider, key_creation(code)).await?.0;
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
    let creation = [compiled.game.creation.as_ref(), &used.abi_encode()].concat();
    let (game, block) = create(&provider, creation.into()).await?;
    let mut deployed_keys = Vec::new();
    for key in keys {
        deployed_keys.push(deployed(&provider, key).await?);
    }
    let deployment = Deployment {
        chain_id,
        game: deployed(&provider, game).await?,
        narrow_verifier: deployed(&provider, narrow).await?,
        wide_verifier: deployed(&provider, wide).await?,
        keys: [0, 1, 2, 3, 4].map(|i| deployed_keys[i]),
        ceremony: verifiers.ceremony.clone(),
        development_only: verifiers.development_only,
        block,
        compiler: compiled.compiler,
    };
    deployment.check(&provider).await?;
    deployment.write(&config.deployments)?;
    Ok(deployment)
}

/// Whether an account can pay for contracts with so many bytes of code: before the first of them is paid for.
pub(crate) async fn check_funds(provider: &DynProvider, account: Address, codes: &[usize]) -> Result<(), DeployError> {
    let gas: u64 = codes.iter().map(|bytes| GAS_OF_CREATION + GAS_OF_BYTE * *bytes as u64).sum();
    let needed = u128::from(gas).saturating_mul(provider.get_gas_price().await?);
    let found = provider.get_balance(account).await?.saturating_to();
    match found >= needed {
        true => Ok(()),
        false => Err(DeployError::TooPoor { account, needed, found }),
    }
}

/// Wei as ether, in ten-thousandths, a part of one as a whole.
fn in_ether(wei: u128) -> String {
    let parts = wei.div_ceil(WEI_OF_PART);
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}

/// Creates a contract; its address and its block.
pub(crate) async fn create(provider: &DynProvider, creation: Bytes) -> Result<(Address, u64), DeployError> {
    let request = TransactionRequest::default().with_deploy_code(creation);
    let transaction = *provider.send_transaction(request).await?.tx_hash();
    let receipt = included(provider, transaction).await?;
    match (receipt.status(), receipt.contract_address, receipt.block_number) {
        (true, Some(address), Some(block)) => Ok((address, block)),
        _ => Err(DeployError::Reverted(transaction)),
    }
}

async fn included(provider: &DynProvider, transaction: B256) -> Result<TransactionReceipt, DeployError> {
    let start = Instant::now();
    while start.elapsed() < INCLUSION_TIMEOUT {
        if let Some(receipt) = provider.get_transaction_receipt(transaction).await? {
            return Ok(receipt);
        }
        tokio::time::sleep(POLL).await;
    }
    Err(DeployError::NotIncluded(transaction))
}

pub(crate) async fn deployed(provider: &DynProvider, address: Address) -> Result<Deployed, DeployError> {
    let code_hash = keccak256(provider.get_code_at(address).await?);
    Ok(Deployed { address, code_hash })
}
