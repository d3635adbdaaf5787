//! A chain of one's own with the contracts on it, for games that end with the command that started them.

use std::path::{Path, PathBuf};

use alloy::primitives::U256;
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Hardfork, Mining};
use deploy::{Contracts, Deployment, Payer, deploy};
use eyre::Result;

use super::process::{Environment, Machine};

/// How a game's own chain makes its blocks: one for each transaction, and one every five seconds for a transaction that Anvil has overlooked.
pub const MINING: Mining = Mining::InstantAndEvery(5);

/// What each player has at first, in wei: ten ether, which are worth nothing.
const FUNDS: u128 = 10_000_000_000_000_000_000;

/// A local chain with the contracts of a game, and what players' machines need to know of it. Dropping it ends the chain.
#[derive(Debug)]
pub struct LocalChain {
    pub anvil: Anvil,
    pub deployment: Deployment,
    pub environment: Environment,
}

impl LocalChain {
    /// Starts the program `anvil` and deploys contracts. Files go below `folder`, keys are looked for in `cache`.
    pub async fn start(
        anvil: PathBuf,
        mining: Mining,
        hardfork: Hardfork,
        contracts: &Contracts,
        folder: &Path,
        cache: PathBuf,
    ) -> Result<Self> {
        let anvil = tokio::task::spawn_blocking(move || Anvil::start_at(&anvil, mining, hardfork)).await??;
        let environment = Environment {
            rpc: anvil.rpc(),
            deployments: folder.join("deployments"),
            cache,
            cut_link: None,
            proving_lock: folder.join("proving.lock"),
        };
        let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
        let creator = Payer::on_own_chain(&environment.rpc, signer).await?;
        let deployment = deploy(&environment.rpc, contracts, &environment.deployments, &creator).await?;
        Ok(Self { anvil, deployment, environment })
    }

    /// Two machines below a folder, each with a wallet that has money. They play a game of `subcommand`, or else dark chess.
    pub async fn machines(
        &self,
        names: [&'static str; 2],
        subcommand: Option<&'static str>,
        folder: &Path,
    ) -> Result<[Machine; 2]> {
        let new = |name: &'static str| {
            Machine::new(name, subcommand, folder.join(name.to_lowercase()), self.environment.clone())
        };
        let machines = [new(names[0])?, new(names[1])?];
        for machine in &machines {
            self.anvil.fund(machine.wallet.address(), U256::from(FUNDS)).await?;
        }
        Ok(machines)
    }
}
