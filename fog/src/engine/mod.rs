//! What every sight protocol does, so that engines can be compared on the same games (architecture: "A sight protocol").
//!
//! A receiver asks for the sight of its pieces, a sender answers from its board, the receiver opens the answer. Phase and
//! captured squares come in an [`Exchange`]; only the engine knows its cryptography. An engine proves nothing.

pub mod sight_lines;

pub use sight_lines::{RequestSecret, SightLines, SightLinesError};

use crate::engine::sight_lines::context::Exchange;
use rand::{CryptoRng, RngCore};
use rules::{Side, Sight};

/// A sight protocol: `request(&Side)` → `answer(&Side, request)` → `open` → [`Sight`].
pub trait SightProtocol {
    /// What a sender keeps for a game.
    type SenderSecret;
    /// What the sender publishes of it.
    type SenderKey: Clone;
    /// What a receiver keeps from a request until it opens the answers to it.
    type ReceiverSecret;
    /// What the receiver sends.
    type Request: Clone;
    /// What the sender sends back.
    type Answer: Clone;
    /// What can go wrong.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Its name in comparisons.
    const NAME: &'static str;

    /// A sender's secret for a game and its key.
    fn setup<R: RngCore + CryptoRng>(
        &self,
        rng: &mut R,
    ) -> Result<(Self::SenderSecret, Self::SenderKey), Self::Error>;

    /// A request for the sight of `receiver`'s pieces, from the sender with that key.
    fn request<R: RngCore + CryptoRng>(
        &self,
        receiver: &Side,
        key: &Self::SenderKey,
        rng: &mut R,
    ) -> Result<(Self::Request, Self::ReceiverSecret), Self::Error>;

    /// The answer from `sender`'s board. Its own captured square is removed by the engine.
    fn answer(
        &self,
        sender: &Side,
        secret: &Self::SenderSecret,
        exchange: &Exchange,
        request: &Self::Request,
    ) -> Result<Self::Answer, Self::Error>;

    /// What `receiver` sees. Its own captured square is removed by the engine.
    fn open(
        &self,
        receiver: &Side,
        secret: &Self::ReceiverSecret,
        key: &Self::SenderKey,
        exchange: &Exchange,
        answer: &Self::Answer,
    ) -> Result<Sight, Self::Error>;

    /// A request as it goes over the wire.
    fn request_to_bytes(&self, request: &Self::Request) -> Vec<u8>;

    /// An answer as it goes over the wire.
    fn answer_to_bytes(&self, answer: &Self::Answer) -> Vec<u8>;
}
