//! Peers that aren't the shipped link: [`Rogue`] dials and writes any bytes, with or without the opponent's true signature;
//! [`Listener`] hears what a client says to whom it dials (protocol, section 6).

use crate::PATIENCE;
use alloy::primitives::B256;
use alloy::signers::SignerSync as _;
use client::link::PROTOCOL;
use client::wallet::Wallet;
use game::GameRef;
use game::message::VERSION;
use libp2p::futures::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, StreamExt as _};
use libp2p::request_response::{self, Event, ProtocolSupport, ResponseChannel};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, StreamProtocol, Swarm, identity::Keypair, noise, tcp, yamux};
use std::io;

/// The start of the link's frames, as the documentation of the encodings says.
pub fn header(game: B256, kind: u8, ply: u16, phase: u8) -> Vec<u8> {
    let mut bytes = vec![VERSION, kind];
    bytes.extend(game);
    bytes.extend(ply.to_be_bytes());
    bytes.push(phase);
    bytes
}

/// A header, and after it so many zeros.
pub fn with_body(mut header: Vec<u8>, len: usize) -> Vec<u8> {
    header.resize(header.len() + len, 0);
    header
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

    async fn write_request<T>(&mut self, _: &StreamProtocol, io: &mut T, bytes: Vec<u8>) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        io.write_all(&bytes).await
    }

    async fn write_response<T>(&mut self, _: &StreamProtocol, io: &mut T, byte: u8) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        io.write_all(&[byte]).await
    }
}

type RawSwarm = Swarm<request_response::Behaviour<RawCodec>>;

fn swarm(keypair: Keypair) -> RawSwarm {
    let protocols = [(PROTOCOL, ProtocolSupport::Full)];
    let behaviour = |_: &Keypair| request_response::Behaviour::with_codec(RawCodec, protocols, Default::default());
    libp2p::SwarmBuilder::with_existing_identity(keypair)
        .with_tokio()
        .with_tcp(tcp::Config::default(), noise::Config::new, yamux::Config::default)
        .expect("a transport")
        .with_behaviour(behaviour)
        .expect("a behaviour")
        .with_swarm_config(|config| config.with_idle_connection_timeout(PATIENCE))
        .build()
}

/// A peer that can say anything.
pub struct Rogue {
    swarm: RawSwarm,
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
        let hello = [&header(game.game_id, 0, 0, 0)[..], &signature].concat();
        assert_eq!(rogue.say(hello).await, Some(0), "a true hello is accepted");
        rogue
    }

    async fn dial_as(keypair: Keypair, address: &Multiaddr) -> Self {
        let mut swarm = swarm(keypair);
        swarm.dial(address.clone()).expect("an address to dial");
        let target = loop {
            if let SwarmEvent::ConnectionEstablished { peer_id, .. } = swarm.select_next_some().await {
                break peer_id;
            }
        };
        Self { swarm, target, unanswered: Vec::new() }
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
                    request_response::Message::Request { channel, .. } => self.unanswered.push(channel),
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

/// A peer that waits to be dialled, and answers nothing.
pub struct Listener {
    swarm: RawSwarm,
}

impl Listener {
    /// Listens on loopback, and says where.
    pub async fn open() -> (Self, Multiaddr) {
        let mut swarm = swarm(Keypair::generate_ed25519());
        let anywhere = "/ip4/127.0.0.1/tcp/0".parse().expect("an address");
        swarm.listen_on(anywhere).expect("a port on loopback");
        loop {
            if let SwarmEvent::NewListenAddr { address, .. } = swarm.select_next_some().await {
                return (Self { swarm }, address);
            }
        }
    }

    /// The first bytes that anyone sends.
    pub async fn heard(&mut self) -> Vec<u8> {
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
}
