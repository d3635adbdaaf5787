//! A player's side of one game: who plays it, and how.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use client::backup::Backup;
use client::chain::{Chain, Status};
use client::link::{AddressRecord, LinkError, is_dialable};
use client::lobby::Invite;
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::Result;
use libp2p::Multiaddr;

use crate::failure::bad_input;
use crate::home::{Home, Opened, SavedGame, check_relays};
use crate::keys::KeyArgs;
use crate::machine::MachineArgs;
use crate::output::{note, say};
use crate::qr::QrArgs;
use crate::terms;

/// A player who has a seat in a game.
#[derive(Debug)]
pub struct Player {
    pub home: Home,
    pub wallet: Wallet,
    pub chain: Chain,
    pub deployment: Deployment,
    pub game: SavedGame,
    /// Where the opponent says that it is now.
    pub record: Option<AddressRecord>,
}

impl Player {
    /// Shows the invitation of the game, if it waits for an opponent and was opened here.
    pub async fn show_invitation(&self, json: bool, qr: QrArgs) -> Result<()> {
        let Self { chain, game: SavedGame { game, opened, .. }, .. } = self;
        let Some(Opened { addresses, terms }) = opened else { return Ok(()) };
        if chain.game(game.game_id).await?.status != Status::Open {
            return Ok(());
        }
        let invite = Invite { game: *game, addresses: addresses.clone() };
        note!("game {}, contract {}: {}", game.game_id, game.contract, terms::describe(terms));
        qr.show(&invite);
        note!("Send this to your opponent, who plays with `fogmate play INVITATION`:");
        match json {
            // A program reads lines of JSON, and has `invite --json`.
            true => note!("{invite}"),
            false => say!("{invite}")?,
        }
        Ok(())
    }
}

/// How a side of a game is played.
#[derive(Debug, ClapArgs)]
pub struct SideArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub keys: KeyArgs,
    /// Where to listen for the opponent [default: as remembered, or a free port of 127.0.0.1]
    #[arg(long, value_name = "MULTIADDR")]
    pub listen: Option<Multiaddr>,
    /// Where the opponent may be, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    pub dial: Vec<Multiaddr>,
    /// A relay that leads to this machine too, as `fogmate relay` prints it, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    pub relay: Vec<Multiaddr>,
    /// How long to wait for a sight, or for the opponent's request, before the chain is used instead
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds, allow_hyphen_values = true)]
    pub grace: u32,
    /// Demand sights after own moves through the chain too, which no move needs; each costs both players gas
    #[arg(long)]
    pub demand_post: bool,
    /// Publish your view key once the game is over, so that everybody can replay your side
    #[arg(long)]
    pub publish: bool,
    /// The same with the moves of a game of mode `channel`, some 100 bytes each, so that everybody can replay it from the chain
    #[arg(long)]
    pub publish_transcript: bool,
    /// Keep a game of mode `channel` in this folder too, on another disk or host, before anything leaves this machine [default: as remembered]
    #[arg(long, value_name = "DIR")]
    pub backup: Option<PathBuf>,
    /// Cut the link for good once this ply is to be played: shows that the chain is enough
    #[arg(long, value_name = "PLY", hide = true)]
    pub cut_link: Option<u16>,
    /// Print what happens as a JSON object a line
    #[arg(long)]
    pub json: bool,
    /// End when standard input ends, and not before: for programs that start this one
    #[arg(long, hide = true)]
    pub stay: bool,
    /// Play a game whose chain and opponent end with it, and end with who has started this
    #[arg(long, hide = true)]
    pub solo: bool,
    /// Prove only while holding the lock of this file: for several players on one machine
    #[arg(long, value_name = "FILE", hide = true)]
    pub proving_lock: Option<PathBuf>,
}

impl SideArgs {
    /// Refuses addresses that can't be used, before anybody is asked for a password or pays anything.
    pub fn check(&self) -> Result<()> {
        check_relays(&self.relay)?;
        // Before anything is staked.
        self.backup.as_deref().map_or(Ok(()), Backup::try_out).map_err(bad_input)?;
        match self.dial.iter().find(|address| !is_dialable(address)) {
            Some(wrong) => Err(bad_input(LinkError::Dial(wrong.clone()))),
            None => Ok(()),
        }
    }
}
