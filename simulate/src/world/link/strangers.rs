//! Strangers: they come in crowds from some hosts, the opponent's among them, stay, say nothing, or anything.

use super::super::chance::Chance as _;
use super::connection::Party;
use super::{Link, Luck, host};
use alloy::primitives::Address;
use client::link::gate::Source;
use client::link::machine::{Effect, Input, Machine};
use client::link::{Frame, Identity, Packet};
use client::wallet::Wallet;
use game::{Message, Phase};
use libp2p::identity::Keypair;
use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use rand::Rng;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::OnceLock;

/// How many strangers there are, beside the impostor.
const STRANGERS: u8 = 64;
const IMPOSTOR: [u8; 32] = [0x77; 32];
const HOSTS: u8 = 8;
/// How many come at once.
const CROWD: usize = 40;
/// Frames of a flood.
const FLOOD: usize = 20;

/// The strangers' network keys.
fn strangers() -> &'static [PeerId] {
    static PEERS: OnceLock<Vec<PeerId>> = OnceLock::new();
    PEERS.get_or_init(|| {
        let key = |n| Keypair::ed25519_from_bytes([n; 32]).expect("any 32 bytes are a secret key");
        (1..=STRANGERS).map(|n| key(n).public().to_peer_id()).collect()
    })
}

/// What a link with this identity says first.
fn hello(link: &Link, identity: &Identity) -> Packet {
    let mut machine = Machine::new(identity, Address::ZERO, link.frames, link.instant());
    let connected = Input::Connected { peer: identity.peer_id(), dialled: Some(Multiaddr::empty()) };
    let said = machine.apply(connected, 0, link.instant()).into_iter().find_map(|effect| match effect {
        Effect::Send { packet, .. } => Some(packet),
        _ => None,
    });
    said.expect("the side that dialled says hello")
}

impl Link {
    pub(super) fn stranger(&self, luck: &mut Luck) -> Party {
        Party::Stranger(strangers()[luck.rng.gen_range(0..strangers().len())])
    }

    /// One that says it is the opponent, with a wallet of its own.
    fn impostor(&mut self) -> &Identity {
        let game = self.game;
        self.impostor.get_or_insert_with(|| {
            let wallet = Wallet::from_secret(&IMPOSTOR).expect("a secret key");
            Identity::new(&wallet, game).expect("a wallet signs")
        })
    }

    /// What others do in a second: strangers knock and speak, and connections come up beside others.
    pub(super) fn come_and_go(&mut self, luck: &mut Luck) {
        if luck.rng.per_mille(self.weather.spare) {
            self.connect_again(luck);
        }
        if !luck.rng.per_mille(self.weather.strangers) {
            return;
        }
        let sitting: Vec<(ConnectionId, PeerId)> = self
            .connections
            .iter()
            .filter_map(|connection| match connection.parties {
                [Party::Stranger(peer), Party::Player(_)] => Some((connection.id, peer)),
                _ => None,
            })
            .collect();
        match sitting.is_empty() || luck.rng.gen_range(0..5) < 3 {
            true => self.knock(luck),
            false => {
                let (connection, peer) = sitting[luck.rng.gen_range(0..sitting.len())];
                self.say(connection, peer, luck);
            }
        }
    }

    fn knock(&mut self, luck: &mut Luck) {
        luck.faults.add("strangers that knocked");
        let player = luck.rng.gen_range(0..2);
        let many = if luck.rng.gen_range(0..8) == 0 { CROWD } else { 1 };
        for _ in 0..many {
            let (mut peer, n) = (self.stranger(luck), luck.rng.gen_range(0..=HOSTS));
            if luck.rng.gen_range(0..40) == 0 {
                peer = Party::Stranger(self.impostor().peer_id());
            }
            // One of them sits where the opponent sits.
            let elsewhere = Source::Host(IpAddr::V4(Ipv4Addr::new(198, 51, 100, n)));
            let source = if n == 0 { host(1 - player) } else { elsewhere };
            self.connect(peer, Party::Player(player), source, luck);
            if let (Some(connection), Party::Stranger(stranger)) = (self.connections.last(), peer)
                && connection.parties[0] == peer
                && luck.rng.percent(20)
            {
                self.say(connection.id, stranger, luck);
            }
        }
    }

    fn say(&mut self, connection: ConnectionId, peer: PeerId, luck: &mut Luck) {
        luck.faults.add("packets of strangers");
        let want = Packet::Frame(Frame::Message(Message::Want { ply: 1, phase: Phase::Pre }));
        let said = match luck.rng.gen_range(0..10) {
            0..3 => {
                let mut bytes = vec![0; luck.rng.gen_range(0..200)];
                luck.rng.fill(&mut bytes[..]);
                Packet::read(&bytes, self.game.game_id, self.frames)
            }
            3 => {
                self.impostor();
                self.impostor.as_ref().map_or(want, |impostor| hello(self, impostor))
            }
            // A true hello, of which it has got hold.
            4 => hello(self, &self.ends[luck.rng.gen_range(0..2)].identity),
            5 => return (0..FLOOD).for_each(|_| self.send(Party::Stranger(peer), 0, connection, want.clone())),
            _ => want,
        };
        self.send(Party::Stranger(peer), 0, connection, said);
    }
}
