//! Opening a game (protocol, section 8, "create"). Its id binds all that the creator says, the fog key too; so the creator's
//! secrets derive from a random nonce, which the chain keeps. An opening that was signed is kept until its opener knows of it: given again,
//! the command goes on with it instead of paying a second stake.

use fog::ensure;
use std::net::{Ipv4Addr, TcpListener};

use alloy::primitives::B256;
use game::toss::toss_commitment;
use game::{Opening, Terms};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use rand::{RngCore, rngs::OsRng};

use super::{Invite, LobbyError, check_stake};
use crate::chain::{Chain, Receipt};
use crate::link::Identity;
use crate::sender::Ticket;
use crate::wallet::Wallet;

/// Where a creator listens, and where it says that it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Where the link will listen.
    pub listen: Multiaddr,
    /// What the opponent is to dial, without a peer id.
    pub announce: Multiaddr,
}

/// The addresses for a game: `listen`, or a free port of this machine; `announce`, or the same.
///
/// # Errors
///
/// If the link can't dial such an address, or nobody can.
pub fn addresses(listen: Option<&Multiaddr>, announce: Option<&Multiaddr>) -> Result<Addresses, LobbyError> {
    let listen = listen.map_or_else(free_address, checked)?;
    let announce = announce.map_or(Ok(listen.clone()), checked)?;
    let unspecified = |part| matches!(part, Protocol::Ip4(ip) if ip.is_unspecified());
    ensure!(!announce.iter().any(unspecified), LobbyError::Unspecified);
    Ok(Addresses { listen, announce })
}

/// A game that was opened.
#[derive(Debug)]
pub struct Created {
    /// The invitation to it.
    pub invite: Invite,
    /// Its terms.
    pub terms: Terms,
    /// The transaction that opened it.
    pub receipt: Receipt,
    /// Whether an earlier command has sent that.
    pub earlier: bool,
    ticket: Ticket,
}

impl Created {
    /// The user knows of the game: the same terms open another one from now on.
    ///
    /// # Errors
    ///
    /// If the record of the wallet's transactions can't be written.
    pub async fn acknowledge(&self, chain: &Chain) -> Result<(), LobbyError> {
        Ok(chain.acknowledge(self.ticket).await?)
    }
}

/// Opens a game with the wallet of a connection; gives the invitation to it. If an earlier opening with these terms is on its way, or in a
/// block without its opener's knowledge, that is the game, unless `another` is asked for.
///
/// # Errors
///
/// [`LobbyError::StakesNotYet`], [`LobbyError::TooShort`], [`LobbyError::TooPoor`], what the contract refuses, the chain's failures.
pub async fn create(
    chain: &Chain,
    wallet: &Wallet,
    terms: &Terms,
    announce: Multiaddr,
    another: bool,
) -> Result<Created, LobbyError> {
    let earlier = if another { None } else { chain.opened_before(terms).await? };
    let (opening, found) = match earlier {
        Some((opening, ticket)) => (opening, Some(ticket)),
        None => {
            check_stake(chain, wallet, terms).await?;
            (opening(chain, wallet, terms), None)
        }
    };
    let (ticket, receipt) = match found {
        Some(ticket) => chain.go_on(&opening, ticket).await?,
        None => chain.open(&opening).await?,
    };
    let game = chain.game_ref(opening.game_id(chain.config().chain_id, chain.config().contract));
    let peer = Identity::new(wallet, game)?.peer_id();
    let invite = Invite { game, address: announce.with(Protocol::P2p(peer)) };
    Ok(Created { invite, terms: opening.terms, receipt, earlier: found.is_some(), ticket })
}

/// What a creator says: its secrets derive from a nonce that nobody has used.
fn opening(chain: &Chain, wallet: &Wallet, terms: &Terms) -> Opening {
    let creator = wallet.address();
    let mut nonce = B256::ZERO;
    OsRng.fill_bytes(nonce.as_mut_slice());
    let secrets = wallet.opening_secrets(chain.config().chain_id, chain.config().contract, nonce);
    let toss = toss_commitment(&creator.into(), &secrets.toss_secret()).into();
    Opening { creator, nonce, terms: *terms, toss, fog_key: secrets.fog_secret().key() }
}

/// Only what the link can dial goes into an invitation.
fn checked(address: &Multiaddr) -> Result<Multiaddr, LobbyError> {
    match address.iter().collect::<Vec<_>>()[..] {
        [Protocol::Ip4(_) | Protocol::Ip6(_), Protocol::Tcp(port)] if port != 0 => Ok(address.clone()),
        _ => Err(LobbyError::NotDialable(address.clone())),
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

    #[test]
    fn only_addresses_that_can_be_dialled_are_announced() {
        let address = |text: &str| text.parse::<Multiaddr>().expect("a multiaddress");
        let everywhere = address("/ip4/0.0.0.0/tcp/4040");
        let public = address("/ip4/192.0.2.1/tcp/4040");
        let found = addresses(Some(&everywhere), Some(&public)).expect("addresses");
        assert_eq!(found.listen, everywhere);
        assert_eq!(found.announce, public);
        let here = addresses(None, None).expect("a free port");
        assert_eq!(here.listen, here.announce);
        assert!(matches!(addresses(Some(&everywhere), None), Err(LobbyError::Unspecified)));
        for wrong in ["/ip4/127.0.0.1/udp/1", "/ip4/127.0.0.1/tcp/0", "/dns/example.org/tcp/1"] {
            let refused = addresses(Some(&address(wrong)), None);
            assert!(matches!(refused, Err(LobbyError::NotDialable(_))), "{wrong}");
        }
    }
}
