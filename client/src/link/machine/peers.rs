//! Who is connected, and how far each peer has come in saying who it is.
//!
//! Part of the link (protocol section 6). The side that dialled says hello first; the other answers with its own hello
//! only to a peer that has proven to be the opponent, so a stranger that knocks learns no address. Pure bookkeeping.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use alloy::primitives::Address;
use libp2p::Multiaddr;
use libp2p::PeerId;
use libp2p::swarm::ConnectionId;

use super::work::FRAMES_OF_STRANGER;
use crate::link::Offence;
use crate::link::binding::signer;
use game::GameRef;
use game::message::HELLO_BYTES;

/// How long a peer may stay connected without having said who it is.
pub(super) const INTRODUCTION_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an opponent that dialled us may be silent: it says hello every 15 seconds.
const SILENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Peer {
    /// Whether we opened a connection to it.
    pub(super) dialled: bool,
    /// Whether it has proven to be the opponent.
    pub(super) introduced: bool,
    /// Whether it has accepted our hello.
    pub(super) accepted: bool,
    /// Whether our hello is on its way.
    pub(super) greeting: bool,
    /// The connection on which it last introduced itself for the first time.
    session: Option<ConnectionId>,
    since: Instant,
    /// When it last sent anything.
    heard: Instant,
    /// Frames that it has sent before it said who it is.
    frames: u32,
    /// The address at which we reached it last.
    pub(super) via: Option<Multiaddr>,
}

/// What a valid hello means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hello {
    /// The peer is there anew, and may have forgotten everything.
    New,
    /// The peer only shows that it is still there.
    Again,
}

#[derive(Debug)]
pub(super) struct Peers {
    game: GameRef,
    opponent: Address,
    connected: BTreeMap<PeerId, Peer>,
    /// The last hello that was the opponent's. Its signature is verified once: the opponent shows it every few seconds.
    verified: Option<(PeerId, [u8; HELLO_BYTES])>,
}

impl Peers {
    pub(super) fn new(game: GameRef, opponent: Address) -> Self {
        Self { game, opponent, connected: BTreeMap::new(), verified: None }
    }

    /// A connection was opened, by us if there is an address that we dialled.
    pub(super) fn connected(&mut self, peer: PeerId, dialled: Option<&Multiaddr>, now: Instant) {
        let peer = self.connected.entry(peer).or_insert(Peer {
            dialled: false,
            introduced: false,
            accepted: false,
            greeting: false,
            session: None,
            since: now,
            heard: now,
            frames: 0,
            via: None,
        });
        peer.dialled |= dialled.is_some();
        peer.via = dialled.cloned().or(peer.via.take());
    }

    /// The last connection with a peer was closed.
    pub(super) fn disconnected(&mut self, peer: &PeerId) {
        self.connected.remove(peer);
    }

    /// Whether there is a connection with a peer.
    pub(super) fn contains(&self, peer: &PeerId) -> bool {
        self.connected.contains_key(peer)
    }

    /// How many peers are connected.
    pub(super) fn len(&self) -> usize {
        self.connected.len()
    }

    pub(super) fn get_mut(&mut self, peer: &PeerId) -> Option<&mut Peer> {
        self.connected.get_mut(peer)
    }

    /// Whether a peer has proven to be the opponent.
    pub(super) fn is_opponent(&self, peer: &PeerId) -> bool {
        self.connected.get(peer).is_some_and(|peer| peer.introduced)
    }

    /// The peer to send to: the opponent, when each side knows the other.
    pub(super) fn opponent(&self) -> Option<PeerId> {
        let ready = self.connected.iter().find(|(_, peer)| peer.introduced && peer.accepted);
        ready.map(|(id, _)| *id)
    }

    /// Other peers that have also proven to be the opponent, older than `newest`: a client that was replaced.
    pub(super) fn replaced_by(&self, newest: &PeerId) -> Vec<PeerId> {
        let others = self.connected.iter().filter(|(id, peer)| peer.introduced && *id != newest);
        others.map(|(id, _)| *id).collect()
    }

    /// Peers that have taken too long to say who they are.
    pub(super) fn overdue(&self, now: Instant) -> Vec<PeerId> {
        let overdue = |peer: &Peer| !peer.introduced && now.duration_since(peer.since) > INTRODUCTION_TIMEOUT;
        self.connected.iter().filter(|(_, peer)| overdue(peer)).map(|(id, _)| *id).collect()
    }

    /// A peer has sent a frame; says whether that is within what a peer may send before it has said who it is.
    pub(super) fn frame(&mut self, peer: &PeerId, now: Instant) -> bool {
        // A relay, which has nothing to say to us, or a peer that has gone meanwhile.
        let Some(peer) = self.connected.get_mut(peer) else {
            return false;
        };
        peer.heard = now;
        peer.frames += u32::from(!peer.introduced);
        peer.introduced || peer.frames <= FRAMES_OF_STRANGER
    }

    /// The opponent, if only it would show that the connection lives, and it hasn't for long.
    pub(super) fn silent(&self, now: Instant) -> Vec<PeerId> {
        let silent = |peer: &Peer| peer.introduced && !peer.dialled && now.duration_since(peer.heard) > SILENCE;
        self.connected.iter().filter(|(_, peer)| silent(peer)).map(|(id, _)| *id).collect()
    }

    /// Judges the hello of a peer: its signature must be the opponent's, for this game and this very peer.
    pub(super) fn hello(
        &mut self,
        id: &PeerId,
        connection: ConnectionId,
        signature: &[u8; HELLO_BYTES],
    ) -> Result<Hello, Offence> {
        if self.verified != Some((*id, *signature)) {
            match signer(&self.game, id, signature) {
                Some(address) if address == self.opponent => self.verified = Some((*id, *signature)),
                Some(_) => return Err(Offence::Impostor),
                None => return Err(Offence::BadSignature),
            }
        }
        let Some(peer) = self.connected.get_mut(id) else {
            // Its last connection was closed while its hello was on the way up.
            return Ok(Hello::Again);
        };
        peer.introduced = true;
        match peer.session.replace(connection) {
            Some(known) if known == connection => return Ok(Hello::Again),
            // On another connection it may be another process, which has yet to hear our hello.
            Some(_) => peer.accepted = false,
            None => {}
        }
        Ok(Hello::New)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Identity;
    use crate::wallet::Wallet;
    use alloy::primitives::B256;

    /// The identities of the opponent, of a stranger, and of the opponent in another game.
    fn identities(game: GameRef) -> [Identity; 3] {
        let wallets = [1, 2, 1].map(|byte| Wallet::from_secret(&[byte; 32]).unwrap());
        let elsewhere = GameRef { game_id: B256::ZERO, ..game };
        let games = [game, game, elsewhere];
        std::array::from_fn(|i| Identity::new(&wallets[i], games[i]).unwrap())
    }

    #[test]
    fn only_the_opponents_own_signature_introduces() {
        let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(2), game_id: B256::repeat_byte(3) };
        let [own, stranger, elsewhere] = identities(game);
        let opponent = Wallet::from_secret(&[1; 32]).unwrap().address();
        let now = Instant::now();
        let mut peers = Peers::new(game, opponent);
        let connection = ConnectionId::new_unchecked;
        for identity in [&own, &stranger, &elsewhere] {
            peers.connected(identity.peer_id(), None, now);
        }
        let mut hello = |from: &Identity, signature, n| peers.hello(&from.peer_id(), connection(n), signature);
        let impostor = Err(Offence::Impostor);
        assert_eq!(hello(&stranger, &stranger.signature, 0), impostor);
        assert_eq!(hello(&stranger, &own.signature, 0), impostor, "replayed");
        assert_eq!(hello(&elsewhere, &elsewhere.signature, 0), impostor);
        let malformed = Err(Offence::BadSignature);
        assert_eq!(hello(&own, &[0xff; HELLO_BYTES], 0), malformed);
        assert_eq!(hello(&own, &own.signature, 1), Ok(Hello::New));
        assert_eq!(hello(&own, &own.signature, 1), Ok(Hello::Again));
        let another_connection = hello(&own, &own.signature, 2);
        assert_eq!(another_connection, Ok(Hello::New));

        assert!(peers.is_opponent(&own.peer_id()) && !peers.is_opponent(&stranger.peer_id()));
        assert_eq!(peers.opponent(), None, "our own hello isn't accepted yet");
        peers.get_mut(&own.peer_id()).unwrap().accepted = true;
        assert_eq!(peers.opponent(), Some(own.peer_id()));
        let overdue = peers.overdue(now + INTRODUCTION_TIMEOUT * 2);
        assert!(overdue.len() == 2 && !overdue.contains(&own.peer_id()));

        let mut frames = |from: &Identity, now| (0..100).filter(|_| peers.frame(&from.peer_id(), now)).count();
        assert_eq!(frames(&stranger, now), FRAMES_OF_STRANGER as usize);
        assert_eq!(frames(&own, now), 100);
        let soon = now + SILENCE;
        assert_eq!(peers.silent(soon), []);
        assert_eq!(peers.silent(soon + Duration::from_millis(1)), [own.peer_id()]);
        assert!(peers.frame(&own.peer_id(), soon) && peers.silent(soon + SILENCE).is_empty());
    }
}
