//! `fogmate proof`: the proof of one move, as anybody can have it verified by the contract that judged it.

use alloy::primitives::{Address, Bytes, hex};
use clap::Args as ClapArgs;
use eyre::Result;
use game::Mode;
use game::chronicle::Chronicle;
use serde_json::json;

use crate::failure::{Found, bad_input};
use crate::node::GameArgs;
use crate::output::say;

/// Show the proof of a move, and how to have it verified
///
/// Prints the verifier's address and what it is given: the address of the key as a word, the public inputs, and the proof. The verifier returns one if the
/// proof holds. With --cast that is a command of Foundry's `cast`; a second one gives the same with one bit of the proof flipped, which is refused.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The ply of the move, counted from 0: 0 is White's move 1, 1 is Black's
    ply: u16,
    /// Print the two commands of `cast` instead
    #[arg(long)]
    cast: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let (_, known, id) = args.game.known()?;
    let (chain, deployment, _) = args.game.look.find(known.as_ref(), id).await?;
    let part = |name| deployment.part(name).ok_or_else(|| bad_input(format!("the deployment has no {name}")));
    let (verifier, key) = (part("narrow verifier")?, part("key of turn")?);
    let mut chronicle = Chronicle::new(chain.game_ref(id));
    for record in chain.records(id).await? {
        let entry = chronicle.tell(&record);
        if let (Some(ply), Some(evidence), Some("turn")) = (entry.ply, entry.evidence, entry.statement)
            && ply == args.ply
        {
            return show(verifier, key, &evidence, args, &args.game.look.node.rpc(known.as_ref()));
        }
    }
    let of_channel = match chain.game(id).await?.terms.mode {
        Mode::Channel => {
            ": those of moves that went from machine to machine are in the game's transcript, which `audit` takes"
        }
        _ => "",
    };
    Err(Found::NoGame(format!("the chain has no proof of ply {}{of_channel}", args.ply)).into())
}

fn show(verifier: Address, key: Address, evidence: &Bytes, args: &Args, rpc: &str) -> Result<()> {
    let data = [key.into_word().as_slice(), evidence].concat();
    if !args.cast {
        return say!(
            "{}",
            json!({ "ply": args.ply, "verifier": verifier, "key": key, "calldata": hex::encode_prefixed(data) })
        );
    }
    let call = |data: &[u8]| format!("cast call {verifier} --data {} --rpc-url {rpc}", hex::encode_prefixed(data));
    let mut flipped = data.clone();
    if let Some(last) = flipped.last_mut() {
        *last ^= 1;
    }
    say!("{}\n{}", call(&data), call(&flipped))
}
