//! `fogmate deploy`: both contracts on a chain, and the file that says where (protocol, sections 3 and 8).

use std::path::PathBuf;

use ::deploy::{DeployConfig, DeployError, Repository, Verifier, deploy};
use clap::Args as ClapArgs;
use eyre::{Context, Result};
use rpc::NodeError;

use crate::failure::bad_input;
use crate::output::say;
use crate::player::PlayerArgs;

/// Deploy the verifier and the game contract
///
/// Compiles them with npm's solc, deploys them, and writes deployments/CHAIN_ID.json with addresses, code hashes and
/// the verifying key. The verifier comes from the public ceremony; with --development it comes from parameters for which
/// everybody can forge proofs, and that is refused on any chain but a local one.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    player: PlayerArgs,
    /// The folder `contracts` of a clone [default: the one around the working directory]
    #[arg(long, value_name = "DIR")]
    contracts: Option<PathBuf>,
    /// Use the verifier from development parameters: for local chains only
    #[arg(long)]
    development: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let repository = match &args.contracts {
        Some(folder) => Repository::find(folder),
        None => Repository::find_here(),
    }
    .map_err(bad_input)?;
    let verifier = match args.development {
        true => Verifier::development(&repository.contracts()),
        false => Verifier::ceremony(&repository.contracts()),
    };
    let PlayerArgs { home, wallet, node } = &args.player;
    let deployments = node
        .deployments()
        .unwrap_or_else(|_| repository.deployments());
    let config = DeployConfig {
        rpc: node.rpc(None),
        repository,
        verifier: verifier.wrap_err("there is no generated verifier to deploy")?,
        deployments,
    };
    let wallet = wallet.open(&home.home()?)?;
    if config.verifier.development_only {
        eprintln!(
            "WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only."
        );
    }
    let deployment = deploy(&config, wallet.signer().clone())
        .await
        .map_err(sorted)?;
    if args.json {
        say!("{}", serde_json::to_string(&deployment)?)?;
    } else {
        say!("chain     {}", deployment.chain_id)?;
        say!("game      {}", deployment.game.address)?;
        say!("verifier  {}", deployment.turn_verifier.address)?;
        say!("ceremony  {}", deployment.ceremony)?;
        let file = ::deploy::Deployment::path(&config.deployments, deployment.chain_id);
        say!("written   {}", file.display())?;
    }
    Ok(())
}

/// What must not be is the user's to change; the rest is a failure.
fn sorted(error: DeployError) -> eyre::Report {
    use ::deploy::DeploymentError::DevelopmentOnRealChain;
    match error {
        DeployError::Exists { .. }
        | DeployError::Node(NodeError::Url(_))
        | DeployError::Deployment(DevelopmentOnRealChain(_)) => bad_input(error),
        other => other.into(),
    }
}
