//! A question that a node leaves unanswered is asked again a little later: the one place that decides how often, and after which pause.

use crate::transport::TooLong;
use alloy::rpc::json_rpc::ResponsePacket;
use alloy::transports::{RpcError, TransportError, TransportErrorKind};
use std::time::Duration;

/// How often a question is asked at most, of a node that is busy.
const BUSY_TRIES: u32 = 5;
/// How often a question is asked at most whose connection breaks.
const BROKEN_TRIES: u32 = 3;
/// The first pause; each is twice the one before, so that all take less than four seconds.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a failure may have taken: a node that hangs isn't asked again at once.
const QUICK: Duration = Duration::from_secs(2);

/// Why a question has no answer, though the node might answer the same question later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The node says that it is asked too often, or can't answer just now.
    Busy,
    /// The node can't be reached, or what comes from it is no answer.
    Broken,
}

/// Whether a question has no answer. An error that the node gives as its answer is one.
pub(crate) fn silence(answer: &Result<ResponsePacket, TransportError>) -> Option<Silence> {
    match answer {
        Ok(packet) => {
            let error = packet.as_error().map(|error| RpcError::ErrorResp(error.clone()));
            error.filter(is_busy).map(|_| Silence::Busy)
        }
        Err(error) if is_busy(error) => Some(Silence::Busy),
        // One that is too long would be so again.
        Err(error) => (!is_refusal(error) && !is_too_long(error)).then_some(Silence::Broken),
    }
}

/// Whether a node says that it is asked too often, or can't answer just now.
///
/// Some answer so with the code -32005 alone, with which others say that a question asks for too much.
pub fn is_busy(error: &TransportError) -> bool {
    match error {
        RpcError::Transport(kind) => kind.is_retry_err(),
        RpcError::ErrorResp(answer) => answer.is_retry_err() && !is_too_much(&answer.message),
        _ => false,
    }
}

/// Whether a node answers and won't: less may be granted. One that can't be reached, or wants to be asked less often, is asked again later.
pub fn is_refusal(error: &TransportError) -> bool {
    match error {
        RpcError::ErrorResp(_) => !is_busy(error),
        RpcError::Transport(TransportErrorKind::HttpError(answer)) => matches!(answer.status, 400 | 413 | 422),
        _ => false,
    }
}

fn is_too_long(error: &TransportError) -> bool {
    matches!(error, RpcError::Transport(TransportErrorKind::Custom(error)) if error.is::<TooLong>())
}

/// Whether a node's words are about how much a question asks for.
fn is_too_much(words: &str) -> bool {
    let words = words.to_lowercase();
    ["range", "results", "response", "blocks", "logs"].iter().any(|what| words.contains(what))
}

/// How often one question was asked in vain.
#[derive(Debug, Default)]
pub(crate) struct Retry {
    tries: u32,
}

impl Retry {
    /// The pause before the question is asked again, by why there was no answer and how long that took; none if it isn't asked again.
    pub fn pause(&mut self, silence: Silence, took: Duration) -> Option<Duration> {
        self.tries += 1;
        let may = match silence {
            Silence::Busy => self.tries < BUSY_TRIES,
            Silence::Broken => self.tries < BROKEN_TRIES && took < QUICK,
        };
        may.then(|| PAUSE * 2_u32.pow(self.tries - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(code: i64, message: &'static str) -> TransportError {
        let answer = json!({ "code": code, "message": message });
        RpcError::ErrorResp(serde_json::from_value(answer).unwrap())
    }

    #[test]
    fn busy_is_not_too_much() {
        let too_often = [
            said(-32005, "limit exceeded"),
            said(-32005, "daily request count exceeded, request rate limited"),
            said(-32005, "project ID request rate exceeded"),
            said(429, "Your app has exceeded its compute units per second capacity"),
            said(-32007, "100/second request limit reached - reduce calls per second"),
            TransportErrorKind::http_error(429, String::new()),
            TransportErrorKind::http_error(503, String::new()),
        ];
        assert!(too_often.iter().all(is_busy), "{too_often:?}");
        let too_much = [
            said(-32005, "query returned more than 10000 results. Try with this block range [0x1, 0x2]."),
            said(-32005, "logs matched by query exceeds limit of 10000"),
            said(-32602, "Log response size exceeded"),
            said(-32000, "exceed maximum block range: 5000"),
            said(-32000, "unknown block"),
            TransportErrorKind::http_error(413, String::new()),
        ];
        assert!(!too_much.iter().any(is_busy) && too_much.iter().all(is_refusal), "{too_much:?}");
    }

    #[test]
    fn a_question_is_asked_again_but_not_for_ever() {
        let tries = |silence, took| {
            let mut retry = Retry::default();
            let pauses: Vec<Duration> = std::iter::from_fn(|| retry.pause(silence, took)).take(9).collect();
            assert!(pauses.iter().sum::<Duration>() < Duration::from_secs(4), "{pauses:?}");
            pauses.len()
        };
        assert_eq!(tries(Silence::Busy, Duration::ZERO), 4);
        assert_eq!(tries(Silence::Broken, Duration::ZERO), 2);
        assert_eq!(tries(Silence::Broken, QUICK), 0, "a node that hangs");
    }
}
