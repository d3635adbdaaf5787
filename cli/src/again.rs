//! The next game with the opponent of one that is over, on its terms: opened, or joined where the opponent has opened it.

use client::link::{is_dialable, is_relayed};
use client::lobby::{self, Addresses, Invite, RematchStep};
use eyre::Result;
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use crate::engine::{engine_of, tell_caveat};
use crate::hint::hint;
use crate::home::SavedGame;
use crate::opening::Opener;
use crate::output::note;
use crate::qr::QrArgs;
use crate::side::{Player, SideArgs};
use crate::terms;

/// The seat in the next game of a player whose game is over.
pub async fn again(over: Player, side: &SideArgs, qr: QrArgs) -> Result<Player> {
    let Player { home, wallet, chain, deployment, game: before, .. } = over;
    let id = before.game.game_id;
    let found = lobby::rematch(&chain, wallet.address(), id).await?;
    let engine = engine_of(&chain.game(id).await?)?;
    let listen = side.listen.clone().unwrap_or_else(|| before.listen.clone());
    let relays = if side.relay.is_empty() { before.relays.clone() } else { side.relay.clone() };
    let step = match found.step {
        Some(step) => step,
        None => {
            let announce = before.opened.map(|opened| places(&opened.addresses)).unwrap_or_default();
            let addresses = match is_dialable(&listen) {
                // The last game may not have let go of the port yet.
                true => Addresses { announce: lobby::announced(&listen, &announce, &relays)?, listen: listen.clone() },
                false => lobby::addresses(None, &announce, &relays).await?,
            };
            let opener = Opener { home: &home, wallet: &wallet, chain: &chain, nodes: before.nodes.clone() };
            let (created, ..) = opener.open(&found.terms, engine, addresses, &relays, false).await?;
            created.acknowledge(&chain).await?;
            let own = created.invite.game.game_id;
            // The opponent may have said the same word meanwhile.
            match lobby::rematch(&chain, wallet.address(), id).await?.step {
                Some(RematchStep::Join { game, .. }) => RematchStep::Join { game, own: Some(own) },
                _ => RematchStep::Wait { game: own },
            }
        }
    };
    // Each game has peers of its own, at the same places.
    let dial = places(&before.dial);
    let new = |game| SavedGame::new(chain.game_ref(game), wallet.address(), before.nodes.clone());
    let game = match step {
        RematchStep::Play { game } | RematchStep::Wait { game } => {
            let saved = home.find(&game.to_string())?.unwrap_or_else(|| new(game));
            SavedGame { dial, ..saved }
        }
        RematchStep::Join { game, own } => {
            if let Some(own) = own {
                lobby::cancel(&chain, own).await?;
                let stake = match found.terms.stake {
                    0 => String::new(),
                    _ => format!(" {} fetches its stake.", hint("withdraw")),
                };
                note!("You have both opened a game: yours is taken back.{stake}");
            }
            note!("{:#x} has opened game {game} for it: {}", found.opponent, terms::describe(&found.terms));
            tell_caveat(engine);
            let invite = Invite { game: chain.game_ref(game), addresses: Vec::new() };
            let state = lobby::find(&chain, &invite).await?;
            lobby::join(&chain, &wallet, &invite, engine.about(), &state, found.terms.stake).await?;
            SavedGame { listen, relays, dial, ..new(game) }
        }
    };
    home.remember(&game);
    let player = Player { home, wallet, chain, deployment, game, record: None };
    player.show_invitation(side.json, qr).await?;
    Ok(player)
}

/// Addresses without the peers at their ends, as far as they are of use so.
fn places(addresses: &[Multiaddr]) -> Vec<Multiaddr> {
    let direct = addresses.iter().filter(|address| !is_relayed(address));
    direct.map(|address| address.iter().filter(|part| !matches!(part, Protocol::P2p(_))).collect()).collect()
}
