//! `fogmate host`: opens a game and waits at the board, in one command that can be given again.

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::chain::{Chain, ChainError, Status};
use client::lobby::{self, Invite};
use client::runtime::EngineKind;
use eyre::Result;
use game::Terms;
use libp2p::Multiaddr;

use super::play::{Chooser, play};
use crate::engine::{engine_of, tell_caveat};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{Home, Opened, SavedGame};
use crate::opening::{Opener, TermsArgs};
use crate::output::note;
use crate::qr::QrArgs;
use crate::screen::ScreenArgs;
use crate::side::{Player, SideArgs};

/// Open a game, show the invitation, and wait at the board for who takes it
///
/// Given again, it goes on with the game that it has opened on these terms, until that is over.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    terms: TermsArgs,
    #[command(flatten)]
    side: SideArgs,
    /// An address for the invitation, if the opponent reaches this machine at another than it listens at; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    announce: Vec<Multiaddr>,
    #[command(flatten)]
    qr: QrArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub async fn run(args: &Args) -> Result<()> {
    let (side, engine) = (&args.side, args.terms.engine.kind());
    let home = side.machine.home.home()?;
    side.check()?;
    let addresses = lobby::addresses(side.listen.as_ref(), &args.announce, &side.relay).await?;
    let terms = args.terms.checked(&side.machine.node).await?;
    let (wallet, chain, deployment) = side.machine.connect_to_begin(&home).await?;
    let me = wallet.address();
    let earlier = if args.terms.another { None } else { earlier(&home, &chain, me, &terms, engine).await? };
    let nodes = side.machine.node.nodes(earlier.as_ref());
    let game = match earlier {
        Some(mut game) => {
            note!("going on with game {}, opened on these terms; --another opens one more", game.game.game_id);
            tell_caveat(engine);
            if side.listen.is_some() || !args.announce.is_empty() || !side.relay.is_empty() {
                let Invite { addresses: places, .. } = lobby::invitation(&wallet, game.game, &addresses.announce)?;
                let opened = game.opened.map(|opened| Opened { addresses: places, ..opened });
                game = SavedGame { listen: addresses.listen, relays: side.relay.clone(), opened, ..game };
            }
            SavedGame { nodes, ..game }
        }
        None => {
            let opener = Opener { home: &home, wallet: &wallet, chain: &chain, nodes };
            let (created, game, _) = opener.open(&terms, engine, addresses, &side.relay, args.terms.another).await?;
            created.acknowledge(&chain).await?;
            game
        }
    };
    home.remember(&game);
    let player = Player { home, wallet, chain, deployment, game, record: None };
    player.show_invitation(side.json, args.qr).await?;
    play(side, player, Chooser::Person(args.screen)).await
}

/// The game on these terms that this machine has opened and that isn't over.
async fn earlier(
    home: &Home,
    chain: &Chain,
    me: Address,
    terms: &Terms,
    engine: EngineKind,
) -> Result<Option<SavedGame>> {
    let now = chain.now().await?;
    let mut found = Vec::new();
    for saved in home.list()? {
        let game = saved.game;
        let is_here = saved.wallet == me && game == chain.game_ref(game.game_id);
        let Some(opened) = saved.opened.as_ref().filter(|_| is_here) else { continue };
        if (Terms { expiry: terms.expiry, ..opened.terms }) != *terms {
            continue;
        }
        let state = match chain.game(game.game_id).await {
            // A local chain that has been started anew knows no old games.
            Err(ChainError::NoGame(_)) => continue,
            state => state?,
        };
        let is_alive = match state.status {
            Status::Open => opened.terms.expiry >= now,
            status => status != Status::Over,
        };
        if is_alive && engine_of(&state).is_ok_and(|its| its.name() == engine.name()) {
            found.push(saved);
        }
    }
    if found.len() > 1 {
        let plays: Vec<String> = found.iter().map(|saved| hint(&format!("play {}", saved.game.game_id))).collect();
        return Err(bad_input(format!(
            "{} games on these terms are under way: {} goes on with one, --another opens one more",
            found.len(),
            plays.join(" or ")
        )));
    }
    Ok(found.pop())
}
