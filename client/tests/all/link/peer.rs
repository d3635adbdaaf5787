//! A peer that is nothing but a link, and messages for it to send.

use std::time::Duration;

use alloy::primitives::{Address, B256};
use client::link::{self, Identity, LinkConfig, LinkEvent, LinkHandle, Offence};
use client::wallet::Wallet;
use game::message::{ELEMENTS, POINTS_BYTES};
use game::{GameRef, Message, MessageId, Phase};
use halo2curves::bn256::Fr;
use libp2p::Multiaddr;
use tokio::sync::mpsc::Receiver;

/// Far longer than anything here takes: a bound for a hung test, not a measure.
const PATIENCE: Duration = Duration::from_secs(60);

pub const LOOPBACK: &str = "/ip4/127.0.0.1/tcp/0";

/// The game of all peers that aren't said to be in another.
pub fn game() -> GameRef {
    GameRef { chain_id: 31337, contract: Address::repeat_byte(0xc0), game_id: B256::repeat_byte(0x9a) }
}

pub fn wallet(seed: u8) -> Wallet {
    Wallet::from_secret(&[seed; 32]).unwrap()
}

/// A link that dials nobody.
fn config(game: GameRef, own: u8, other: u8, listen: &str) -> LinkConfig {
    LinkConfig {
        identity: Identity::new(&wallet(own), game).unwrap(),
        opponent: wallet(other).address(),
        listen: listen.parse().unwrap(),
        dial: vec![],
        relays: vec![],
        patient: false,
        frames: link::Frames::Answers,
    }
}

/// A link, and what happens on it.
pub struct TestPeer {
    pub handle: LinkHandle,
    pub events: Receiver<LinkEvent>,
}

impl TestPeer {
    /// A link of wallet `own` that expects wallet `other`.
    pub async fn start(own: u8, other: u8, listen: &str, dial: Vec<Multiaddr>) -> Self {
        Self::start_in(game(), own, other, listen, dial).await
    }

    pub async fn start_in(game: GameRef, own: u8, other: u8, listen: &str, dial: Vec<Multiaddr>) -> Self {
        Self::start_with(game, own, other, listen, dial, vec![]).await
    }

    /// A link in a game with places at relays.
    pub async fn start_with(
        game: GameRef,
        own: u8,
        other: u8,
        listen: &str,
        dial: Vec<Multiaddr>,
        relays: Vec<Multiaddr>,
    ) -> Self {
        Self::spawn(LinkConfig { dial, relays, ..config(game, own, other, listen) }).await
    }

    async fn spawn(config: LinkConfig) -> Self {
        let (handle, events) = link::spawn(config).await.unwrap();
        Self { handle, events }
    }

    pub async fn next(&mut self) -> LinkEvent {
        let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
        let event = event.expect("an event within a minute").expect("the link runs");
        // Shown if the test fails.
        println!("{event:?}");
        event
    }

    /// Skips events until one is wanted.
    pub async fn until<T>(&mut self, mut wanted: impl FnMut(LinkEvent) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next().await) {
                return found;
            }
        }
    }

    pub async fn connected(&mut self) {
        self.until(|e| matches!(e, LinkEvent::Connected(_)).then_some(())).await;
    }

    pub async fn received(&mut self) -> Message {
        self.until(|e| match e {
            LinkEvent::Received(message) => Some(message),
            _ => None,
        })
        .await
    }

    pub async fn delivered(&mut self) -> MessageId {
        self.until(|e| match e {
            LinkEvent::Delivered(id) => Some(id),
            _ => None,
        })
        .await
    }

    pub async fn offence(&mut self) -> (bool, Offence) {
        self.until(|e| match e {
            LinkEvent::Refused { opponent, offence, .. } => Some((opponent, offence)),
            _ => None,
        })
        .await
    }
}

pub fn request(ply: u16) -> Message {
    Message::Request { ply, points: Box::new([ply as u8; POINTS_BYTES]) }
}

pub fn answer(ply: u16, phase: Phase, proof_len: usize) -> Message {
    Message::Answer {
        ply,
        phase,
        elements: (0..ELEMENTS as u64).map(|i| Fr::from(i + u64::from(ply))).collect(),
        proof: vec![ply as u8; proof_len],
    }
}
