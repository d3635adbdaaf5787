//! `fogmate deploy`: the contracts on a chain, and the file that says where (protocol, sections 3 and 8).

use std::path::PathBuf;

use ::deploy::{DeployConfig, Deployment, Repository, Verifier, deploy};
use clap::Args as ClapArgs;
use eyre::{Context, Result};

use crate::failure::bad_input;
use crate::machine::MachineArgs;
use crate::output::say;

/// Deploy the verifier, its key and the game contract
///
/// Compiles them with npm's solc, deploys them, and writes deployments/CHAIN_ID.json with addresses, code hashes and
/// the verifying key. The verifier comes from the public ceremony; with --development it comes from parameters for which
/// everybody can forge proofs, and that is refused on any chain but a local one.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    machine: MachineArgs,
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
    let MachineArgs { home, wallet, node } = &args.machine;
    let deployments = node.deployments().unwrap_or_else(|_| repository.deployments());
    let config = DeployConfig {
        rpc: node.rpc(None),
        repository,
        verifier: verifier.wrap_err("there is no generated verifier to deploy")?,
        deployments,
    };
    let wallet = wallet.open(&home.home()?)?;
    if config.verifier.development_only {
        eprintln!("WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only.");
    }
    let deployment = deploy(&config, wallet.signer().clone()).await?;
    if args.json {
        say!("{}", serde_json::to_string(&deployment)?)?;
    } else {
        say!("chain     {}", deployment.chain_id)?;
        say!("game      {}", deployment.game.address)?;
        say!("verifier  {}", deployment.turn_verifier.address)?;
        say!("key       {}", deployment.turn_key.address)?;
        say!("ceremony  {}", deployment.ceremony)?;
        let file = Deployment::path(&config.deployments, deployment.chain_id);
        say!("written   {}", file.display())?;
    }
    Ok(())
}
