//! `fogmate create`: opens a game and prints the invitation (protocol, section 8, "create").

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::lobby;
use eyre::Result;
use game::{Mode, Terms, clock_time};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use serde_json::json;

use crate::engine::{EngineArgs, tell_caveat};
use crate::hint::hint;
use crate::home::SavedGame;
use crate::machine::{FeeArgs, MachineArgs, tell_advice};
use crate::output::{note, say};
use crate::terms::{self, tell_cautions};

/// Open a game, and print the invitation for the opponent
///
/// The invitation is one word with chain, contract, game, and the addresses at which this machine can be reached. Then
/// `fogmate play` waits for the opponent.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    fees: FeeArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = terms::ether, allow_hyphen_values = true)]
    stake: u128,
    /// Each player's time for the whole game
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = terms::seconds, allow_hyphen_values = true)]
    base: u32,
    /// Time added after each own move
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds, allow_hyphen_values = true)]
    increment: u32,
    /// Time at the start of each ply in which no clock runs: for proofs and delivery
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = terms::seconds, allow_hyphen_values = true)]
    delay: u32,
    /// When the proofs of moves are verified: `verified` by the chain with each move, or `challengeable`, by the opponent's
    /// machine, which has the chain verify a false one and wins; moves then cost about a third [default: verified for a
    /// stake, else challengeable]
    #[arg(long, value_name = "MODE", value_parser = terms::mode)]
    mode: Option<Mode>,
    /// Time to answer a demand or a claim; who lets it pass loses. At least as long as you may be offline
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = terms::seconds, allow_hyphen_values = true)]
    window: u32,
    /// Time to reveal the coin toss, for each player; White's clock starts with the second reveal
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = terms::seconds, allow_hyphen_values = true)]
    reveal: u32,
    /// How long the game can be joined
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = terms::seconds, allow_hyphen_values = true)]
    open_for: u32,
    /// Who may join [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = terms::address)]
    opponent: Option<Address>,
    /// Where to listen for the opponent [default: a free port of 127.0.0.1, for an opponent on this machine]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// An address for the invitation, if the opponent reaches this machine at another than it listens at; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    announce: Vec<Multiaddr>,
    /// A relay that leads to this machine too, as `fogmate relay` prints it; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    relay: Vec<Multiaddr>,
    /// Open another game, although an earlier command with the same terms may have opened one without saying so
    #[arg(long)]
    another: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.machine.home.home()?;
    // Before anybody is asked for a password, or pays.
    let addresses = lobby::addresses(args.listen.as_ref(), &args.announce, &args.relay).await?;
    let (wallet, chain, _) = args.machine.connect(&home, None, args.fees).await?;
    if !chain::is_local(chain.config().chain_id) && addresses.announce.iter().all(leads_here_only) {
        note!(
            "note: this machine can be dialled from itself only: for an opponent elsewhere say --listen and --announce, or --relay"
        );
    }
    let engine = args.engine.engine;
    tell_caveat(engine);
    let by_stake = match (engine.about(), args.stake) {
        (Some(_), _) => Mode::Unproven,
        (None, 0) => Mode::Challengeable,
        (None, _) => Mode::Verified,
    };
    let terms = Terms {
        mode: args.mode.unwrap_or(by_stake),
        stake: args.stake,
        base: args.base,
        increment: args.increment,
        delay: args.delay,
        window: args.window,
        reveal: args.reveal,
        expiry: chain.now().await?.saturating_add(args.open_for.into()),
        opponent: args.opponent,
    };
    tell_advice(chain.advice());
    let created = lobby::create(&chain, &wallet, &terms, engine.about(), &addresses.announce, args.another).await?;
    tell_cautions(&chain, &created.terms).await?;
    let (invite, receipt) = (&created.invite, &created.receipt);
    let (game, wallet, nodes) = (invite.game, wallet.address(), args.machine.node.nodes(None));
    let (listen, relays) = (addresses.listen, args.relay.clone());
    let name = home.remember(&SavedGame { listen, relays, ..SavedGame::new(game, wallet, nodes) });
    let game = game.game_id;
    if created.earlier {
        note!("note: {}", found_again(created.terms.expiry, chain.block_time().await?));
    }
    if args.json {
        let value = json!({
            "game": game, "invite": invite.to_string(), "transaction": receipt.transaction, "gas": receipt.gas_used,
            "fee_wei": receipt.fee.to_string(),
        });
        say!("{value}")?;
    } else {
        note!("game {game}: {}", terms::describe(&created.terms));
        note!("Send this to your opponent, for `fogmate join`; then wait with {}:", hint(&format!("play {name}")));
        say!("{invite}")?;
    }
    created.acknowledge(&chain).await?;
    Ok(())
}

/// Whether an address is of use on this machine alone.
fn leads_here_only(address: &Multiaddr) -> bool {
    address.iter().any(|part| match part {
        Protocol::Ip4(ip) => ip.is_loopback(),
        Protocol::Ip6(ip) => ip.is_loopback(),
        _ => false,
    })
}

/// What is said of a game that an earlier command has opened, and that can be joined until `expiry`: `--open-for` is the one of its terms that may have
/// been given otherwise this time.
fn found_again(expiry: u64, now: u64) -> String {
    let how_long = match expiry.saturating_sub(now) {
        0 => "can't be joined any more".to_owned(),
        left => format!("can be joined for {} from now, whatever --open-for says here", clock_time(left)),
    };
    format!(
        "this game was opened by an earlier command that could not say so, and {how_long}; --another opens one more"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_loopback_address_leads_nowhere_else() {
        let leads = |text: &str| leads_here_only(&text.parse().expect("an address"));
        assert!(leads("/ip4/127.0.0.1/tcp/4040") && leads("/ip6/::1/tcp/4040"));
        assert!(!leads("/ip4/192.0.2.1/tcp/4040") && !leads("/dns4/alice.example/tcp/4040"));
    }

    #[test]
    fn of_a_game_that_is_found_again_its_own_expiry_is_told() {
        let said = found_again(1_000 + 7_322, 1_000);
        assert!(
            said.contains("can be joined for 2:02:02 from now, whatever --open-for says here; --another"),
            "{said}"
        );
        for expiry in [999, 1_000] {
            assert!(found_again(expiry, 1_000).contains("can't be joined any more; --another"), "{expiry}");
        }
    }
}
