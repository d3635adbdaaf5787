//! The link over loopback: every message both ways, reconnection, and everything that must be refused by name.
//!
//! Protocol section 6. Peers here are real (TCP, Noise, Yamux); the hostile one speaks the link's protocol name but
//! writes whatever bytes the test gives it.

use std::io;
use std::time::Duration;

use alloy::primitives::{Address, B256};
use client::link::{
    self, ELEMENTS, Identity, Kind, LinkConfig, LinkError, LinkEvent, LinkHandle, MAX_PROOF_BYTES,
    Message, MessageId, Offence, POINTS_BYTES, PROTOCOL, Phase, Refusal, Scope, VERSION, WireError,
};
use client::wallet::Wallet;
use halo2curves::bn256::Fr;
use libp2p::futures::{
    AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, StreamExt as _,
};
use libp2p::request_response::{self, Event, ProtocolSupport};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, StreamProtocol, Swarm, identity::Keypair, noise, tcp, yamux};
use tokio::sync::mpsc::Receiver;

/// Far longer than anything here takes: a bound for a hung test, not a measure.
const PATIENCE: Duration = Duration::from_secs(60);

fn scope() -> Scope {
    Scope {
        chain_id: 31337,
        contract: Address::repeat_byte(0xc0),
        game: B256::repeat_byte(0x9a),
    }
}

fn wallet(seed: u8) -> Wallet {
    Wallet::from_secret(&[seed; 32]).unwrap()
}

struct Player {
    handle: LinkHandle,
    events: Receiver<LinkEvent>,
}

impl Player {
    /// A link of wallet `own` that expects wallet `other`.
    async fn start(own: u8, other: u8, listen: &str, dial: Vec<Multiaddr>) -> Self {
        Self::start_in(scope(), own, other, listen, dial).await
    }

    async fn start_in(
        scope: Scope,
        own: u8,
        other: u8,
        listen: &str,
        dial: Vec<Multiaddr>,
    ) -> Self {
        let config = LinkConfig {
            identity: Identity::new(&wallet(own), scope).unwrap(),
            opponent: wallet(other).address(),
            listen: listen.parse().unwrap(),
            dial,
        };
        let (handle, events) = link::spawn(config).await.unwrap();
        Self { handle, events }
    }

    async fn next(&mut self) -> LinkEvent {
        let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
        event
            .expect("an event within a minute")
            .expect("the link runs")
    }

    /// Skips events until one is wanted.
    async fn until<T>(&mut self, mut wanted: impl FnMut(LinkEvent) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next().await) {
                return found;
            }
        }
    }

    async fn connected(&mut self) {
        self.until(|e| matches!(e, LinkEvent::Connected(_)).then_some(()))
            .await;
    }

    async fn received(&mut self) -> Message {
        self.until(|e| match e {
            LinkEvent::Received(message) => Some(message),
            _ => None,
        })
        .await
    }

    async fn delivered(&mut self) -> MessageId {
        self.until(|e| match e {
            LinkEvent::Delivered(id) => Some(id),
            _ => None,
        })
        .await
    }

    async fn offence(&mut self) -> (bool, Offence) {
        self.until(|e| match e {
            LinkEvent::Refused {
                opponent, offence, ..
            } => Some((opponent, offence)),
            _ => None,
        })
        .await
    }
}

const LOOPBACK: &str = "/ip4/127.0.0.1/tcp/0";

fn request(ply: u16) -> Message {
    Message::Request {
        ply,
        points: Box::new([ply as u8; POINTS_BYTES]),
    }
}

fn answer(ply: u16, phase: Phase, proof_len: usize) -> Message {
    Message::Answer {
        ply,
        phase,
        elements: (0..ELEMENTS as u64)
            .map(|i| Fr::from(i + u64::from(ply)))
            .collect(),
        proof: vec![ply as u8; proof_len],
    }
}

#[tokio::test]
async fn two_players_exchange_every_message() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = Player::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    alice.connected().await;
    bob.connected().await;
    assert!(alice.handle.is_connected() && bob.handle.is_connected());

    let messages = [
        Message::Want {
            ply: 3,
            phase: Phase::Post,
        },
        request(3),
        answer(4, Phase::Pre, 0),
        answer(4, Phase::Post, 3_000),
        answer(5, Phase::Pre, MAX_PROOF_BYTES),
    ];
    for message in &messages {
        alice.handle.send(message.clone()).await.unwrap();
        bob.handle.send(message.clone()).await.unwrap();
    }
    for message in &messages {
        assert_eq!(&bob.received().await, message);
        assert_eq!(&alice.received().await, message);
    }
}

#[tokio::test]
async fn acknowledged_messages_are_announced_in_order() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    // Sent before anyone is there: they wait.
    for ply in 0..5 {
        alice.handle.send(request(ply)).await.unwrap();
    }
    let _bob = Player::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    for ply in 0..5 {
        let id = alice.delivered().await;
        assert_eq!((id.ply, id.kind), (ply, Kind::Request));
    }
}

#[tokio::test]
async fn a_player_that_restarts_is_found_again_and_gets_what_it_lost() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let addresses = alice.handle.addresses();
    let mut bob = Player::start(2, 1, LOOPBACK, addresses.clone()).await;
    alice.handle.send(request(7)).await.unwrap();
    assert_eq!(bob.received().await, request(7));
    alice.delivered().await;

    // The dialling side dies and comes back without memory: the latest message comes again.
    drop(bob);
    alice
        .until(|e| (e == LinkEvent::Disconnected).then_some(()))
        .await;
    alice.handle.send(answer(8, Phase::Pre, 10)).await.unwrap();
    let mut bob = Player::start(2, 1, LOOPBACK, addresses.clone()).await;
    assert_eq!(bob.received().await, request(7));
    assert_eq!(bob.received().await, answer(8, Phase::Pre, 10));

    // The listening side dies and comes back at its address: the other dials it again, as often as need be.
    let listen = addresses[0]
        .iter()
        .filter(|p| !matches!(p, libp2p::multiaddr::Protocol::P2p(_)));
    let listen = listen.collect::<Multiaddr>().to_string();
    drop(alice);
    bob.until(|e| (e == LinkEvent::Disconnected).then_some(()))
        .await;
    bob.handle.send(request(8)).await.unwrap();
    let mut alice = listen_again(&listen).await;
    assert_eq!(alice.received().await, request(8));
    bob.connected().await;
}

/// A link that has been dropped ends within a tick, and its port is free after that.
async fn listen_again(listen: &str) -> Player {
    for _ in 0..100 {
        let config = LinkConfig {
            identity: Identity::new(&wallet(1), scope()).unwrap(),
            opponent: wallet(2).address(),
            listen: listen.parse().unwrap(),
            dial: vec![],
        };
        if let Ok((handle, events)) = link::spawn(config).await {
            return Player { handle, events };
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the port never became free");
}

#[tokio::test]
async fn a_repeated_message_is_acknowledged_again_and_handed_on_once() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = Player::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    for _ in 0..2 {
        alice.handle.send(request(1)).await.unwrap();
        alice.delivered().await;
    }
    alice.handle.send(request(2)).await.unwrap();
    alice.delivered().await;
    assert_eq!(bob.received().await, request(1));
    assert_eq!(bob.received().await, request(2));
    // Unless it was asked for.
    let want = Message::Want {
        ply: 1,
        phase: Phase::Pre,
    };
    bob.handle.send(want.clone()).await.unwrap();
    assert_eq!(alice.received().await, want);
    alice.handle.send(request(1)).await.unwrap();
    assert_eq!(bob.received().await, request(1));
}

#[tokio::test]
async fn both_may_dial_at_once() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = Player::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    alice
        .handle
        .dial(bob.handle.addresses().remove(0))
        .await
        .unwrap();
    for ply in 0..3 {
        alice.handle.send(request(ply)).await.unwrap();
        bob.handle.send(request(ply)).await.unwrap();
        assert_eq!(bob.received().await, request(ply));
        assert_eq!(alice.received().await, request(ply));
    }
}

#[tokio::test]
async fn an_impostor_is_refused_and_disturbs_nobody() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    // Wallet 3 says that it is the opponent.
    let mut mallory = Player::start(3, 1, LOOPBACK, alice.handle.addresses()).await;
    assert_eq!(alice.offence().await, (false, Offence::Impostor));
    let unwelcome = |e| match e {
        LinkEvent::Unwelcome { reason, .. } => Some(reason),
        _ => None,
    };
    assert_eq!(mallory.until(unwelcome).await, Refusal::NotTheOpponent);
    // The true opponent in another game.
    let elsewhere = Scope {
        game: B256::ZERO,
        ..scope()
    };
    let mut stray = Player::start_in(elsewhere, 2, 1, LOOPBACK, alice.handle.addresses()).await;
    let stray_offence = Offence::Malformed(WireError::WrongGame(B256::ZERO));
    alice
        .until(|e| {
            matches!(e, LinkEvent::Refused { offence, .. } if offence == stray_offence)
                .then_some(())
        })
        .await;
    assert_eq!(stray.until(unwelcome).await, Refusal::Malformed);
    // The same game id on another chain: the bytes are well-formed, the signature isn't for this chain.
    let forked = Scope {
        chain_id: 1,
        ..scope()
    };
    let mut fork = Player::start_in(forked, 2, 1, LOOPBACK, alice.handle.addresses()).await;
    assert_eq!(fork.until(unwelcome).await, Refusal::NotTheOpponent);
    // Meanwhile the true opponent connects and plays.
    let mut bob = Player::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
    bob.delivered().await;
}

/// Writes the given bytes and reads one byte back.
#[derive(Clone, Copy, Default)]
struct RawCodec;

impl request_response::Codec for RawCodec {
    type Protocol = StreamProtocol;
    type Request = Vec<u8>;
    type Response = u8;

    async fn read_request<T>(&mut self, _: &StreamProtocol, io: &mut T) -> io::Result<Vec<u8>>
    where
        T: AsyncRead + Unpin + Send,
    {
        let mut bytes = Vec::new();
        io.take(1 << 20).read_to_end(&mut bytes).await?;
        Ok(bytes)
    }

    async fn read_response<T>(&mut self, _: &StreamProtocol, io: &mut T) -> io::Result<u8>
    where
        T: AsyncRead + Unpin + Send,
    {
        let mut byte = [0];
        io.read_exact(&mut byte).await?;
        Ok(byte[0])
    }

    async fn write_request<T>(
        &mut self,
        _: &StreamProtocol,
        io: &mut T,
        bytes: Vec<u8>,
    ) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        io.write_all(&bytes).await
    }

    async fn write_response<T>(
        &mut self,
        _: &StreamProtocol,
        io: &mut T,
        byte: u8,
    ) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        io.write_all(&[byte]).await
    }
}

/// A peer that can say anything.
struct Rogue {
    swarm: Swarm<request_response::Behaviour<RawCodec>>,
    target: PeerId,
}

impl Rogue {
    fn swarm() -> Swarm<request_response::Behaviour<RawCodec>> {
        let protocols = [(PROTOCOL, ProtocolSupport::Full)];
        libp2p::SwarmBuilder::with_existing_identity(Keypair::generate_ed25519())
            .with_tokio()
            .with_tcp(
                tcp::Config::default(),
                noise::Config::new,
                yamux::Config::default,
            )
            .unwrap()
            .with_behaviour(|_| {
                request_response::Behaviour::with_codec(RawCodec, protocols, Default::default())
            })
            .unwrap()
            .with_swarm_config(|c| c.with_idle_connection_timeout(PATIENCE))
            .build()
    }

    async fn listener() -> Self {
        let mut swarm = Self::swarm();
        swarm.listen_on(LOOPBACK.parse().unwrap()).unwrap();
        let target = *swarm.local_peer_id();
        Self { swarm, target }
    }

    async fn address(&mut self) -> Multiaddr {
        loop {
            if let SwarmEvent::NewListenAddr { address, .. } = self.swarm.select_next_some().await {
                return address;
            }
        }
    }

    /// The first bytes that anyone sends.
    async fn heard(&mut self) -> Vec<u8> {
        loop {
            if let SwarmEvent::Behaviour(Event::Message {
                message: request_response::Message::Request { request, .. },
                ..
            }) = self.swarm.select_next_some().await
            {
                return request;
            }
        }
    }

    async fn dial(address: &Multiaddr, target: PeerId) -> Self {
        let mut swarm = Self::swarm();
        swarm.dial(address.clone()).unwrap();
        while !matches!(
            swarm.select_next_some().await,
            SwarmEvent::ConnectionEstablished { .. }
        ) {}
        Self { swarm, target }
    }

    /// Sends bytes and returns the byte of the acknowledgement; none if the peer hung up before all was sent.
    async fn say(&mut self, bytes: Vec<u8>) -> Option<u8> {
        self.swarm.behaviour_mut().send_request(&self.target, bytes);
        loop {
            match self.swarm.select_next_some().await {
                SwarmEvent::Behaviour(Event::Message {
                    message: request_response::Message::Response { response, .. },
                    ..
                }) => return Some(response),
                SwarmEvent::Behaviour(Event::OutboundFailure { .. }) => return None,
                _ => {}
            }
        }
    }
}

/// A header of the link's format, as the documentation of the encodings says.
fn header(kind: u8, ply: u16, phase: u8) -> Vec<u8> {
    let mut bytes = vec![VERSION, kind];
    bytes.extend(scope().game);
    bytes.extend(ply.to_be_bytes());
    bytes.push(phase);
    bytes
}

fn with_body(mut bytes: Vec<u8>, len: usize) -> Vec<u8> {
    bytes.resize(bytes.len() + len, 0);
    bytes
}

#[tokio::test]
async fn hostile_bytes_are_refused_by_name() {
    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let address = alice.handle.addresses().remove(0);
    let elements = ELEMENTS * 32;
    let mut long_proof = with_body(header(2, 1, 0), elements);
    long_proof.extend([0xff, 0xff]);
    let mut above_modulus = with_body(header(2, 1, 0), elements + 2);
    above_modulus[37 + 32 * 5] = 0xff;
    let malformed = Offence::Malformed;
    let cases = [
        (vec![], malformed(WireError::Truncated)),
        (
            b"GET / HTTP/1.1\r\nHost: fogmate.example\r\n\r\n".to_vec(),
            malformed(WireError::Version(b'G')),
        ),
        (
            [&[VERSION + 1], &header(0, 0, 0)[1..]].concat(),
            malformed(WireError::Version(VERSION + 1)),
        ),
        (
            with_body(header(9, 0, 0), 65),
            malformed(WireError::Kind(9)),
        ),
        (
            with_body(header(1, 3, 1), POINTS_BYTES),
            malformed(WireError::Phase(1)),
        ),
        (
            with_body(header(1, 3, 0), POINTS_BYTES - 1),
            malformed(WireError::Truncated),
        ),
        (
            with_body(header(1, 3, 0), POINTS_BYTES + 1),
            malformed(WireError::Oversized),
        ),
        (
            with_body(header(1, 3, 0), 500_000),
            malformed(WireError::Oversized),
        ),
        (long_proof, malformed(WireError::ProofTooLong(0xffff))),
        (above_modulus, malformed(WireError::Element(5))),
        (with_body(header(0, 0, 0), 65), Offence::BadSignature),
        (
            with_body(header(1, 3, 0), POINTS_BYTES),
            Offence::NotIntroduced,
        ),
    ];
    for (bytes, offence) in cases {
        let mut rogue = Rogue::dial(&address, alice.handle.peer_id()).await;
        let ack = rogue.say(bytes).await;
        assert_ne!(ack, Some(0), "{offence:?} was accepted");
        assert_eq!(alice.offence().await, (false, offence));
    }
    // The link is as good as before.
    let mut bob = Player::start(2, 1, LOOPBACK, vec![address]).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
    bob.delivered().await;
}

#[tokio::test]
async fn a_hello_replayed_by_another_peer_is_refused() {
    // Bob's true hello, as anyone who was once his opponent's impostor may have kept it.
    let mut listener = Rogue::listener().await;
    let address = listener.address().await;
    let _bob = Player::start(2, 1, LOOPBACK, vec![address]).await;
    let hello = listener.heard().await;
    assert_eq!(hello.len(), 37 + link::HELLO_BYTES);

    let mut alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    let mut rogue = Rogue::dial(&alice.handle.addresses()[0], alice.handle.peer_id()).await;
    assert_ne!(rogue.say(hello).await, Some(0));
    assert_eq!(alice.offence().await, (false, Offence::Impostor));
}

#[tokio::test]
async fn addresses_that_can_not_be_dialled_or_listened_on_are_refused() {
    let alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    for address in [
        "/dns4/example.org/tcp/1",
        "/ip4/127.0.0.1/udp/1/quic-v1",
        "/ip4/127.0.0.1",
    ] {
        let refused = alice.handle.dial(address.parse().unwrap()).await;
        assert!(matches!(refused, Err(LinkError::Dial(_))), "{address}");
    }
    let taken = alice.handle.addresses()[0].to_string();
    let taken = taken.split("/p2p/").next().unwrap().parse().unwrap();
    for listen in [taken, "/ip4/192.0.2.1/tcp/0".parse::<Multiaddr>().unwrap()] {
        let config = LinkConfig {
            identity: Identity::new(&wallet(1), scope()).unwrap(),
            opponent: wallet(2).address(),
            listen,
            dial: vec![],
        };
        assert!(matches!(
            link::spawn(config).await,
            Err(LinkError::Listen { .. })
        ));
    }
}
