//! `fogmate deploy`, `dice deploy` and `tag deploy`: a game's contracts on a chain, and the file by which they are found (protocol, sections 3 and 8).

use ::deploy::{Contracts, Creator as _, Game};
use clap::Args as ClapArgs;
use eyre::Result;
use fog::ensure;

use crate::deploying::{connect, publish, tell_cost, verify};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::machine::{CommandArgs, MachineArgs, fill};
use crate::output::note;

/// Deploy the verifiers, their keys and the game contract
///
/// Creates what doesn't stand on the chain yet, waits until the chain calls that final, and writes deployments/CHAIN_ID.json. The contracts are those that
/// this program was built with, and their addresses prove it. Their keys come from the public ceremony; with --development they come from parameters for
/// which everybody can forge proofs, and that is refused on any chain but a local one. If it is interrupted, give it again: it pays for nothing twice.
/// Sources, settings and arguments of each contract are written beside that file, in Sourcify's folders, for block explorers and --verify-bundle.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    common: CommandArgs,
    /// Use keys from development parameters: for local chains only
    #[arg(long)]
    development: bool,
    /// Say what would be created where and what it would cost now, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Compile what was written beside the deployment from that alone, and compare it with the code on the chain
    #[arg(long, conflicts_with_all = ["development", "dry_run"])]
    verify_bundle: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    deploy(args, Game::Chess).await
}

/// Deploys the contracts of a game, or does with them what is asked for instead.
pub async fn deploy(args: &Args, game: Game) -> Result<()> {
    let MachineArgs { home, wallet, node, fees } = &args.common.machine;
    if args.verify_bundle {
        return verify(node, args.common.json).await;
    }
    let home = home.home()?;
    let wallet = wallet.open_or_make(&home)?;
    let has_keys = game != Game::Dice;
    ensure!(
        has_keys || !args.development,
        bad_input("dice has no proofs, so there is nothing to say --development of")
    );
    if args.development {
        note!("WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only.");
    }
    let rpc = node.rpc(None);
    if !args.dry_run {
        fill(&rpc, wallet.address()).await?;
    }
    let payer = connect(&rpc, &wallet, *fees, &home).await?;
    if has_keys && !args.development && chain::is_local(payer.chain_id()) {
        note!(
            "note: these are the ceremony's keys, which take minutes to make when {} is first given; to try things on this machine, deploy with --development",
            hint(if game == Game::Tag { "tag create" } else { "play" })
        );
    }
    let contracts = Contracts::shipped(game, args.development);
    match args.dry_run {
        true => tell_cost(node, &contracts, &payer, args.common.json).await,
        false => publish(node, &contracts, &payer, args.common.json).await,
    }
}
