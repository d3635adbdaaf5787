//! The flagship engine: the labelled private set intersection over sight-lines (protocol section 5).

pub mod answer;
pub mod context;
pub mod geometry;
pub mod open;
pub mod request;

use super::SightProtocol;
use crate::{
    curve::{FogKey, FogSecret, Scalar, random_scalars},
    engine::sight_lines::answer::{Answer, AnswerError, answer},
    engine::sight_lines::context::Exchange,
    engine::sight_lines::open::{OpenError, open},
    engine::sight_lines::request::{Request, RequestError},
    secret::wipe_all,
};
use rand::{CryptoRng, RngCore};
use rules::{Side, Sight};
use std::fmt;

/// The engine; it has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct SightLines;

/// What can go wrong in an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SightLinesError {
    /// The request can't be made.
    #[error("the request can't be made")]
    Request(#[from] RequestError),
    /// The request can't be answered.
    #[error("the request can't be answered")]
    Answer(#[from] AnswerError),
    /// The answer can't be right.
    #[error("the answer can't be right")]
    Open(#[from] OpenError),
}

/// The scalars of a request.
#[derive(Clone)]
pub struct RequestSecret(pub [Scalar; 64]);

impl fmt::Debug for RequestSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestSecret(…)")
    }
}

impl Drop for RequestSecret {
    fn drop(&mut self) {
        wipe_all(&mut self.0);
    }
}

impl SightProtocol for SightLines {
    type SenderSecret = FogSecret;
    type SenderKey = FogKey;
    type ReceiverSecret = RequestSecret;
    type Request = Request;
    type Answer = Answer;
    type Error = SightLinesError;

    const NAME: &'static str = "sight-lines";

    fn setup<R: RngCore + CryptoRng>(
        &self,
        rng: &mut R,
    ) -> Result<(FogSecret, FogKey), SightLinesError> {
        let secret = FogSecret::random(rng);
        let key = secret.key();
        Ok((secret, key))
    }

    fn request<R: RngCore + CryptoRng>(
        &self,
        receiver: &Side,
        key: &FogKey,
        rng: &mut R,
    ) -> Result<(Request, RequestSecret), SightLinesError> {
        let secret = RequestSecret(random_scalars(rng));
        Ok((Request::make(receiver, &secret.0, key)?, secret))
    }

    fn answer(
        &self,
        sender: &Side,
        secret: &FogSecret,
        exchange: &Exchange,
        request: &Request,
    ) -> Result<Answer, SightLinesError> {
        Ok(answer(sender, secret, exchange, request)?)
    }

    fn open(
        &self,
        receiver: &Side,
        secret: &RequestSecret,
        key: &FogKey,
        exchange: &Exchange,
        answer: &Answer,
    ) -> Result<Sight, SightLinesError> {
        Ok(open(receiver, &secret.0, key, exchange, answer)?)
    }

    fn request_to_bytes(&self, request: &Request) -> Vec<u8> {
        request.to_bytes()
    }

    fn answer_to_bytes(&self, answer: &Answer) -> Vec<u8> {
        answer.to_bytes()
    }
}
