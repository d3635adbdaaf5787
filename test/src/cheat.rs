//! A dishonest opponent: it speaks the link as the shipped client does, but says what the test gives it (protocol, section
//! 6).

use crate::PATIENCE;
use client::link::{Frames, Identity, LinkConfig, LinkEvent, LinkHandle, spawn};
use client::wallet::Wallet;
use game::{GameRef, Message};
use libp2p::Multiaddr;
use tokio::sync::mpsc::{self, UnboundedReceiver};

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
            identity: Identity::new(wallet, *game).expect("a wallet signs"),
            opponent,
            listen: "/ip4/127.0.0.1/tcp/0".parse().expect("an address"),
            dial: vec![address.clone()],
            relays: Vec::new(),
            patient: false,
            frames: Frames::Answers,
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

    pub async fn send(&self, message: Message) {
        self.handle.send(message).await.expect("the link takes messages");
    }

    /// Skips events until one is wanted.
    pub async fn until<T>(&mut self, what: &str, mut wanted: impl FnMut(LinkEvent) -> Option<T>) -> T {
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
