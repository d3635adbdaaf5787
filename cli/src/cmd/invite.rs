//! `fogmate invite`: the invitation to a game that waits for its opponent, once more.

use clap::Args as ClapArgs;
use client::chain::Status;
use client::lobby::Invite;
use eyre::Result;
use serde_json::json;

use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{HomeArgs, game_id};
use crate::node::NodeArgs;
use crate::output::say;
use crate::qr::QrArgs;

/// Print the invitation to a game that this machine has opened and nobody has joined
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    #[command(flatten)]
    qr: QrArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let saved = args.home.home()?.find(&args.game)?;
    let id = game_id(saved.as_ref(), &args.game)?;
    let Some((saved, opened)) = saved.and_then(|saved| saved.opened.clone().map(|opened| (saved, opened))) else {
        return Err(bad_input(format!(
            "this machine has not opened the game {id}, so its opponent has the invitation"
        )));
    };
    let (chain, _) = args.node.connect(Some(&saved)).await?;
    if chain.game(id).await?.status != Status::Open {
        return Err(bad_input(format!("nobody can join the game {id} any more: {} says why", hint("games"))));
    }
    if opened.terms.expiry < chain.now().await? {
        let cancel = hint(&format!("cancel {id}"));
        return Err(bad_input(format!("the time to join the game {id} is over: {cancel} takes it back")));
    }
    let invite = Invite { game: saved.game, addresses: opened.addresses };
    match args.json {
        true => say!("{}", json!({ "game": id, "invite": invite.to_string() })),
        false => {
            args.qr.show(&invite);
            say!("{invite}")
        }
    }
}
