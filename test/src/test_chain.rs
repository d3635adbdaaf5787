//! A local chain with the real contracts on it, funded wallets, and the keys (protocol, sections 3 and 8).

use alloy::primitives::{Address, U256, keccak256};
use alloy::providers::Provider as _;
use alloy::signers::local::PrivateKeySigner;
use client::chain::{Chain, ChainConfig};
use client::runtime::{KeyProver, Parameters};
use client::wallet::Wallet;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Deployment, Game, Payer, Repository};
use game::GameRef;
use prover::NoProgress;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

/// What every player has at first: a hundred ether.
const FUNDS: u128 = 100_000_000_000_000_000_000;

/// A chain of its own, with a deployment. Dropping it ends the chain.
#[derive(Debug)]
pub struct TestChain {
    pub anvil: Anvil,
    /// The contracts on it.
    pub deployment: Deployment,
    folder: TempDir,
}

fn repository() -> Repository {
    let start = Path::new(env!("CARGO_MANIFEST_DIR"));
    Repository::find(start).expect("the tests run in a clone of the repository")
}

/// The folder of parameters and keys: the demo's, so that they are made once.
pub fn cache() -> PathBuf {
    let given = std::env::var_os("FOGMATE_CACHE").map(PathBuf::from);
    given.unwrap_or_else(|| repository().root().join(".cache/fogmate"))
}

/// The real keys of both statements, once a process.
pub fn prover() -> Arc<KeyProver> {
    static PROVER: OnceLock<Arc<KeyProver>> = OnceLock::new();
    let make = || {
        let made = KeyProver::load_or_make(&Parameters::Development, &cache(), &NoProgress);
        Arc::new(made.expect("keys from development parameters"))
    };
    PROVER.get_or_init(make).clone()
}

/// The wallet number `index` of a seed.
pub fn wallet(seed: u64, index: u8) -> Wallet {
    let secret = keccak256([&seed.to_be_bytes()[..], &[index]].concat());
    Wallet::from_secret(&secret).expect("a hash is a key but once in 2^128")
}

impl TestChain {
    /// Starts a chain and deploys to it.
    pub async fn new() -> Self {
        let repository = repository();
        let anvil = Anvil::start(&repository, Mining::Instant).expect("Anvil starts (npm ci)");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let deployment = deploy_to(&anvil, folder.path()).await;
        Self { anvil, deployment, folder }
    }

    /// Another chain, with the very same contracts at the same addresses.
    pub async fn other_chain(&self, chain_id: u64) -> Self {
        let anvil = Anvil::start(&repository(), Mining::Instant).expect("Anvil starts");
        set_chain_id(&anvil, chain_id).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let deployment = deploy_to(&anvil, folder.path()).await;
        Self { anvil, deployment, folder }
    }

    /// From now on the chain has another id, and a deployment's file for it.
    pub async fn change_id(&self, chain_id: u64) {
        set_chain_id(&self.anvil, chain_id).await;
        deploy_to(&self.anvil, self.deployments()).await;
    }

    /// A second game contract on this chain: the same code at another address.
    pub async fn other_contract(&self) -> Deployment {
        let provider = self.anvil.provider().expect("a connection");
        let (mut deployment, address) = (self.deployment.clone(), Address::repeat_byte(0xfe));
        let code = provider.get_code_at(deployment.address()).await.expect("code");
        deployment.contracts.last_mut().expect("the game's contract").1 = address;
        let set: Result<(), _> = provider.raw_request("anvil_setCode".into(), (address, code)).await;
        set.expect("Anvil takes code");
        deployment
    }

    /// The folder of the deployment's file.
    pub fn deployments(&self) -> &Path {
        self.folder.path()
    }

    /// The connection to a deployment on this chain.
    pub fn config(&self, deployment: &Deployment) -> ChainConfig {
        ChainConfig::new(&self.anvil.rpc(), deployment.chain_id, deployment.address(), deployment.block)
    }

    /// Connects a wallet to a deployment, and gives it money.
    pub async fn connect_to(&self, deployment: &Deployment, wallet: &Wallet) -> Chain {
        let funded = self.anvil.fund(wallet.address(), U256::from(FUNDS)).await;
        funded.expect("Anvil gives money");
        let chain = Chain::connect(self.config(deployment), Some(wallet)).await;
        chain.expect("the deployment is there")
    }

    /// Connects a wallet to the chain's own deployment, and gives it money.
    pub async fn connect(&self, wallet: &Wallet) -> Chain {
        self.connect_to(&self.deployment, wallet).await
    }

    /// A game of the chain's own deployment.
    pub fn game_ref(&self, game_id: alloy::primitives::B256) -> GameRef {
        GameRef { chain_id: self.deployment.chain_id, contract: self.deployment.address(), game_id }
    }
}

/// Does something on a chain on which blocks come meanwhile.
pub async fn while_mining<T>(anvil: &Anvil, work: impl Future<Output = T>) -> T {
    let blocks = async {
        loop {
            anvil.mine(10).await.expect("Anvil mines");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        done = work => done,
        () = blocks => unreachable!("blocks come for ever"),
    }
}

async fn set_chain_id(anvil: &Anvil, chain_id: u64) {
    let provider = anvil.provider().expect("a connection");
    let set: Result<(), _> = provider.raw_request("anvil_setChainId".into(), (chain_id,)).await;
    set.expect("Anvil takes another chain's id");
}

/// Deploys to a chain; what stands on it already is only written down.
async fn deploy_to(anvil: &Anvil, folder: &Path) -> Deployment {
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().expect("a key");
    let creator = Payer::on_own_chain(&anvil.rpc(), signer).await.expect("a node");
    let deployed = deploy::deploy(&anvil.rpc(), &Contracts::shipped(Game::Chess, true), folder, &creator).await;
    deployed.expect("the contracts deploy")
}
