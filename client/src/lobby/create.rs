//! Opening a game (protocol, section 8, "create"). Its id binds all that the creator says, the fog key too; so the creator's
//! secrets derive from a random nonce, which the chain keeps. An opening that was signed is kept until its opener knows of it: given again,
//! the command goes on with it instead of paying a second stake.

use fog::engine::About;
use fog::ensure;
use std::net::{Ipv4Addr, TcpListener};
use std::time::Instant;

use alloy::primitives::B256;
use chain::send::TxId;
use game::toss::toss_commitment;
use game::{GameRef, Opening, Terms};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use rand::{RngCore, rngs::OsRng};

use super::engine::{check_terms, registration};
use super::{Invite, LobbyError, check_money};
use crate::chain::{Chain, Receipt};
use crate::link::{self, Identity, LinkError, is_dialable, is_place, relay_peer};
use crate::wallet::Wallet;

/// Where a creator listens, and where it says that it can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Where the link will listen.
    pub listen: Multiaddr,
    /// What the opponent is to dial, without a peer id.
    pub announce: Vec<Multiaddr>,
}

/// The addresses for a game: `listen`, or a free port of this machine; what is [`announced`]. It has been
/// tried that this machine can listen there.
///
/// # Errors
///
/// If the link can't dial such an address, or nobody can; [`LobbyError::Link`] if the port is taken.
pub async fn addresses(
    listen: Option<&Multiaddr>,
    announce: &[Multiaddr],
    relays: &[Multiaddr],
) -> Result<Addresses, LobbyError> {
    let listen = listen.map_or_else(free_address, checked)?;
    let announce = announced(&listen, announce, relays)?;
    link::free(&listen).await?;
    Ok(Addresses { listen, announce })
}

/// What a player that listens at `listen` tells the opponent to dial, without its peer id: `announce`, or `listen`; and the
/// way through each relay. With a relay nothing else need be reachable.
///
/// # Errors
///
/// If the link can't dial such an address, or nobody can.
pub fn announced(
    listen: &Multiaddr,
    announce: &[Multiaddr],
    relays: &[Multiaddr],
) -> Result<Vec<Multiaddr>, LobbyError> {
    let mut announced = announce.iter().map(checked).collect::<Result<Vec<_>, _>>()?;
    let is_of_use = link::ip(listen).is_none_or(|ip| !ip.is_unspecified() && !ip.is_loopback());
    if announced.is_empty() && (relays.is_empty() || is_of_use) {
        announced.push(checked(listen)?);
    }
    // Nobody can dial 0.0.0.0 or `::`.
    ensure!(!announced.iter().filter_map(link::ip).any(|ip| ip.is_unspecified()), LobbyError::Unspecified);
    for relay in relays {
        ensure!(relay_peer(relay).is_some(), LinkError::Relay(relay.clone()).into());
        announced.push(relay.clone().with(Protocol::P2pCircuit));
    }
    Ok(announced)
}

/// A game that was opened.
#[derive(Debug)]
pub struct Created {
    /// The invitation to it.
    pub invite: Invite,
    pub terms: Terms,
    /// The transaction that opened it.
    pub receipt: Receipt,
    /// Whether an earlier command has sent that.
    pub earlier: bool,
    id: TxId,
}

impl Created {
    /// The user knows of the game: the same terms open another one from now on.
    ///
    /// # Errors
    ///
    /// If the record of the wallet's transactions can't be written.
    pub async fn acknowledge(&self, chain: &Chain) -> Result<(), LobbyError> {
        Ok(chain.acknowledge(self.id).await?)
    }
}

/// Opens a game with the wallet of a connection; gives the invitation to it. If an earlier opening with these terms is on its way, or in a
/// block without its opener's knowledge, that is the game, unless `another` is asked for. `engine` is the sight engine that it is played
/// with, `None` for sight-lines: one that proves no moves goes with [`game::Mode::Unproven`].
///
/// # Errors
///
/// [`LobbyError::StakeUnproven`], [`LobbyError::EngineProves`], [`LobbyError::EngineProvesNothing`]; [`LobbyError::StakesNotYet`],
/// [`LobbyError::TooShort`], [`LobbyError::TooPoor`], what the contract refuses, the chain's failures.
pub async fn create(
    chain: &Chain,
    wallet: &Wallet,
    terms: &Terms,
    engine: Option<&About>,
    announce: &[Multiaddr],
    another: bool,
) -> Result<Created, LobbyError> {
    check_terms(terms, engine)?;
    let start = Instant::now();
    let (opening, found, (id, receipt)) = loop {
        // Before the look, or another process could open a game between both.
        let alone = chain.alone_in_opening();
        let name = engine.map(|engine| engine.name);
        let earlier = if another { None } else { chain.opened_before(terms, name).await? };
        if let Some((opening, id)) = earlier {
            break (opening, Some(id), chain.go_on(&opening, id).await?);
        }
        // Another process is opening a game, perhaps this one: it shows once it is signed, or that process has ended.
        if another || alone.is_some() || start.elapsed() > chain.config().timeout {
            check_money(chain, wallet, terms).await?;
            let opening = opening(chain, wallet, terms, engine);
            break (opening, None, chain.open_new(&opening).await?);
        }
        tokio::time::sleep(chain.config().poll).await;
    };
    let game = chain.game_ref(opening.game_id(chain.config().chain_id, chain.config().contract));
    let invite = invitation(wallet, game, announce)?;
    Ok(Created { invite, terms: opening.terms, receipt, earlier: found.is_some(), id })
}

/// The invitation to a game of a wallet that is reached at the addresses `announce`.
///
/// # Errors
///
/// [`LobbyError::Identity`].
pub fn invitation(wallet: &Wallet, game: GameRef, announce: &[Multiaddr]) -> Result<Invite, LobbyError> {
    let peer = Identity::new(wallet, game)?.peer_id();
    let addresses = announce.iter().map(|address| address.clone().with(Protocol::P2p(peer))).collect();
    Ok(Invite { game, addresses })
}

/// What a creator says: its secrets derive from a nonce that nobody has used.
fn opening(chain: &Chain, wallet: &Wallet, terms: &Terms, engine: Option<&About>) -> Opening {
    let creator = wallet.address();
    let mut nonce = B256::ZERO;
    OsRng.fill_bytes(nonce.as_mut_slice());
    let secrets = wallet.opening_secrets(chain.config().chain_id, chain.config().contract, nonce);
    let toss = toss_commitment(&creator.into(), &secrets.toss_secret()).into();
    Opening { creator, nonce, terms: *terms, toss, registration: registration(engine, secrets.seed()) }
}

/// Only what the link can dial goes into an invitation.
fn checked(address: &Multiaddr) -> Result<Multiaddr, LobbyError> {
    match is_place(address) && is_dialable(address) {
        true => Ok(address.clone()),
        false => Err(LobbyError::NotDialable(address.clone())),
    }
}

/// A port that is free now; the invitation needs its number before anybody listens.
fn free_address() -> Result<Multiaddr, LobbyError> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    Ok(Multiaddr::from(Ipv4Addr::LOCALHOST).with(Protocol::Tcp(port)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use libp2p::PeerId;

    #[tokio::test]
    async fn only_addresses_that_can_be_dialled_are_announced() {
        let address = |text: &str| text.parse::<Multiaddr>().expect("a multiaddress");
        let free = free_address().expect("a free port").to_string();
        let everywhere = address(&free.replace("127.0.0.1", "0.0.0.0"));
        let public = address("/dns4/alice.example/udp/4040/quic-v1");
        let found = addresses(Some(&everywhere), std::slice::from_ref(&public), &[]).await.expect("addresses");
        assert_eq!((found.listen, found.announce), (everywhere.clone(), vec![public]));
        let here = addresses(None, &[], &[]).await.expect("a free port");
        assert_eq!(vec![here.listen], here.announce);
        let nobody = addresses(Some(&everywhere), &[], &[]).await;
        assert!(matches!(nobody, Err(LobbyError::Unspecified)));
        for wrong in ["/ip4/127.0.0.1/udp/1", "/ip4/127.0.0.1/tcp/0", "/dns/example.org/tcp/1/ws"] {
            let refused = addresses(Some(&address(wrong)), &[], &[]).await;
            assert!(matches!(refused, Err(LobbyError::NotDialable(_))), "{wrong}");
        }

        let relay = address(&format!("/ip4/192.0.2.9/tcp/1/p2p/{}", PeerId::random()));
        let relays = std::slice::from_ref(&relay);
        let relayed = addresses(Some(&everywhere), &[], relays).await.expect("addresses");
        assert_eq!(relayed.announce, [relay.with(Protocol::P2pCircuit)]);
        let no_relay = addresses(None, &[], &[address("/ip4/192.0.2.9/tcp/1")]).await;
        assert!(matches!(no_relay, Err(LobbyError::Link(LinkError::Relay(_)))));
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_noticed_before_a_game_is_opened() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = taken.local_addr().expect("an address").port();
        let listen = Multiaddr::from(Ipv4Addr::LOCALHOST).with(Protocol::Tcp(port));
        let refused = addresses(Some(&listen), &[], &[]).await;
        assert!(matches!(refused, Err(LobbyError::Link(LinkError::Listen { .. }))));
    }
}
