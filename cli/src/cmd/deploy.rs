//! `fogmate deploy`: the contracts on a chain, and the file that says where (protocol, sections 3 and 8).

use std::path::{Path, PathBuf};

use ::deploy::{DeployConfig, Deployment, Repository, Statement, Verifiers, deploy};
use clap::Args as ClapArgs;
use eyre::{Context, Result};

use crate::deploying::OfWallet;
use crate::failure::bad_input;
use crate::hint::hint;
use crate::machine::{FeeArgs, MachineArgs};
use crate::output::{note, say};

/// Deploy the verifiers, their keys and the game contract
///
/// Compiles them with npm's solc, deploys them, waits until the chain calls that final, and writes
/// deployments/CHAIN_ID.json with addresses and code hashes. The keys come from the public ceremony; with --development they come from parameters for which
/// everybody can forge proofs, and that is refused on any chain but a local one. If it is interrupted, give it again: it
/// goes on with what it has sent, and pays for no contract twice.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    fees: FeeArgs,
    /// The folder `contracts` of a clone [default: the one around the working directory]
    #[arg(long, value_name = "DIR")]
    contracts: Option<PathBuf>,
    /// Use keys from development parameters: for local chains only
    #[arg(long)]
    development: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let repository = match &args.contracts {
        Some(folder) => Repository::find(folder),
        None => Repository::find(Path::new(".")),
    }
    .map_err(bad_input)?;
    let verifiers = match args.development {
        true => Verifiers::development(&repository.contracts()),
        false => Verifiers::ceremony(&repository.contracts()),
    };
    let MachineArgs { home, wallet, node } = &args.machine;
    let deployments = node.deployments().unwrap_or_else(|_| repository.deployments());
    let config = DeployConfig {
        rpc: node.rpc(None),
        repository,
        verifiers: verifiers.wrap_err("there are no generated verifiers to deploy")?,
        deployments,
    };
    let home = home.home()?;
    let wallet = wallet.open(&home)?;
    if config.verifiers.development_only {
        note!("WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only.");
    }
    let creator = OfWallet::connect(&config.rpc, &wallet, args.fees, &home).await?;
    let deployment = deploy(&config, &creator).await?;
    if !deployment.development_only && rpc::is_local(deployment.chain_id) {
        note!(
            "note: these are the ceremony's keys, which take minutes to make when {} is first given; to try things on this machine, deploy with --development",
            hint("play")
        );
    }
    if args.json {
        say!("{}", serde_json::to_string(&deployment)?)?;
    } else {
        say!("chain     {}", deployment.chain_id)?;
        say!("game      {}", deployment.game.address)?;
        say!("narrow    {}", deployment.narrow_verifier.address)?;
        say!("wide      {}", deployment.wide_verifier.address)?;
        for (key, (_, statement, _)) in deployment.keys.iter().zip(Statement::ALL) {
            say!("key       {} of {statement}", key.address)?;
        }
        say!("ceremony  {}", deployment.ceremony)?;
        let file = Deployment::path(&config.deployments, deployment.chain_id);
        say!("written   {}", file.display())?;
    }
    Ok(())
}
