//! Dishonest peers: [`Cheat`] speaks the link as the shipped client does, but says what the test gives it; [`Rogue`] writes
//! any bytes, with or without the opponent's true signature (protocol, section 6).

use crate::PATIENCE;
use alloy::signers::SignerSync as _;
use client::link::{
    Identity, LinkConfig, LinkEvent, LinkHandle, Message, PROTOCOL, Scope, VERSION, spawn,
};
use client::seat::GameRef;
use client::wallet::Wallet;
use libp2p::futures::{
    AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, StreamExt as _,
};
use libp2p::request_response::{self, Event, ProtocolSupport, ResponseChannel};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, StreamProtocol, Swarm, identity::Keypair, noise, tcp, yamux};
use std::io;
use tokio::sync::mpsc::{self, UnboundedReceiver};

fn scope(game: &GameRef) -> Scope {
    Scope {
        chain_id: game.chain_id,
        contract: game.contract,
        game: game.game_id,
    }
}

/// A link without a seat.
#[derive(Debug)]
pub struct Cheat {
    handle: LinkHandle,
    events: UnboundedReceiver<LinkEvent>,
}

impl Cheat {
    /// Dials as the owner of `wallet`, rightly or not.
    pub async fn dial(
        wallet: &Wallet,
        game: &GameRef,
        opponent: alloy::primitives::Address,
        address: &Multiaddr,
    ) -> Self {
        let config = LinkConfig {
            identity: Identity::new(wallet, scope(game)).expect("a wallet signs"),
            opponent,
            listen: "/ip4/127.0.0.1/tcp/0".parse().expect("an address"),
            dial: vec![address.clone()],
        };
        let (handle, mut from_link) = spawn(config).await.expect("a link on loopback");
        // The link counts on being heard.
        let (sender, events) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(event) = from_link.recv().await {
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
        Self { handle, events }
    }

    /// Says something.
    pub async fn send(&self, message: Message) {
        self.handle
            .send(message)
            .await
            .expect("the link takes messages");
    }

    /// Skips events until one is wanted.
    pub async fn until<T>(
        &mut self,
        what: &str,
        mut wanted: impl FnMut(LinkEvent) -> Option<T>,
    ) -> T {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.events.recv()).await;
            let event = next.ok().flatten();
            let event = event.unwrap_or_else(|| panic!("no {what} on the link"));
            if let Some(found) = wanted(event) {
                return found;
            }
        }
    }

    /// Waits for a message that is wanted.
    pub async fn hear(&mut self, what: &str, mut wanted: impl FnMut(&Message) -> bool) -> Message {
        self.until(what, |event| match event {
            LinkEvent::Received(message) if wanted(&message) => Some(message),
            _ => None,
        })
        .await
    }
}

/// The start of the link's frames, as the documentation of the encodings says.
pub fn header(game: &GameRef, kind: u8, ply: u16, phase: u8) -> Vec<u8> {
    let mut bytes = vec![VERSION, kind];
    bytes.extend(game.game_id);
    bytes.extend(ply.to_be_bytes());
    bytes.push(phase);
    bytes
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
pub struct Rogue {
    swarm: Swarm<request_response::Behaviour<RawCodec>>,
    target: PeerId,
    /// What the other side asks stays unanswered, but open: a closed stream would end the connection.
    unanswered: Vec<ResponseChannel<u8>>,
}

impl Rogue {
    /// Dials, and has said nothing yet.
    pub async fn dial(address: &Multiaddr) -> Self {
        Self::dial_as(Keypair::generate_ed25519(), address).await
    }

    /// Dials, and introduces itself with the true signature of the opponent's wallet.
    pub async fn introduced(wallet: &Wallet, game: &GameRef, address: &Multiaddr) -> Self {
        let keypair = Keypair::generate_ed25519();
        let peer = keypair.public().to_peer_id();
        let statement = format!(
            "Fogmate link 1\nchain: {}\ncontract: {:#x}\ngame: {:#x}\npeer: {peer}",
            game.chain_id, game.contract, game.game_id
        );
        let signature = wallet.signer().sign_message_sync(statement.as_bytes());
        let signature = signature.expect("a wallet signs").as_bytes();
        let mut rogue = Self::dial_as(keypair, address).await;
        let hello = [&header(game, 0, 0, 0)[..], &signature].concat();
        assert_eq!(rogue.say(hello).await, Some(0), "a true hello is accepted");
        rogue
    }

    async fn dial_as(keypair: Keypair, address: &Multiaddr) -> Self {
        let protocols = [(PROTOCOL, ProtocolSupport::Full)];
        let behaviour = |_: &Keypair| {
            request_response::Behaviour::with_codec(RawCodec, protocols, Default::default())
        };
        let mut swarm = libp2p::SwarmBuilder::with_existing_identity(keypair)
            .with_tokio()
            .with_tcp(
                tcp::Config::default(),
                noise::Config::new,
                yamux::Config::default,
            )
            .expect("a transport")
            .with_behaviour(behaviour)
            .expect("a behaviour")
            .with_swarm_config(|config| config.with_idle_connection_timeout(PATIENCE))
            .build();
        swarm.dial(address.clone()).expect("an address to dial");
        let target = loop {
            if let SwarmEvent::ConnectionEstablished { peer_id, .. } =
                swarm.select_next_some().await
            {
                break peer_id;
            }
        };
        Self {
            swarm,
            target,
            unanswered: Vec::new(),
        }
    }

    /// Sends bytes and returns the byte of the acknowledgement; none if the peer hung up before all was sent.
    pub async fn say(&mut self, bytes: Vec<u8>) -> Option<u8> {
        let said = tokio::time::timeout(PATIENCE, self.exchange(bytes)).await;
        said.expect("the peer answers or hangs up")
    }

    async fn exchange(&mut self, bytes: Vec<u8>) -> Option<u8> {
        self.swarm.behaviour_mut().send_request(&self.target, bytes);
        loop {
            match self.swarm.select_next_some().await {
                SwarmEvent::Behaviour(Event::Message { message, .. }) => match message {
                    request_response::Message::Response { response, .. } => return Some(response),
                    request_response::Message::Request { channel, .. } => {
                        self.unanswered.push(channel)
                    }
                },
                SwarmEvent::Behaviour(Event::OutboundFailure { error, .. }) => {
                    println!("the peer hung up: {error}");
                    return None;
                }
                _ => {}
            }
        }
    }
}
