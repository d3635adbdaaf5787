//! A node that is asked too often says so, in one of many ways, and is asked again a little later.

use alloy::transports::{RpcError, TransportError};
use std::future::IntoFuture;
use std::time::Duration;

/// How often a question is asked at most.
const TRIES: u32 = 5;
/// The first pause; each is twice the one before, so that all take less than four seconds.
const PAUSE: Duration = Duration::from_millis(250);

/// Whether a node says that it is asked too often, or can't answer just now: the same question may be answered later.
///
/// Some answer so with the code -32005 alone, with which others say that a question asks for too much.
pub fn is_busy(error: &TransportError) -> bool {
    match error {
        RpcError::Transport(kind) => kind.is_retry_err(),
        RpcError::ErrorResp(answer) => answer.is_retry_err() && !is_too_much(&answer.message),
        _ => false,
    }
}

/// Whether a node's words are about how much a question asks for.
fn is_too_much(words: &str) -> bool {
    let words = words.to_lowercase();
    ["range", "results", "response", "blocks", "logs"].iter().any(|what| words.contains(what))
}

/// Asks a question whose asker can't come back later, such as the first ones of a process: while the node is busy it is asked again, five times
/// in all. Its last answer, or failure, is the answer.
pub async fn patiently<T, F>(ask: impl Fn() -> F) -> Result<T, TransportError>
where
    F: IntoFuture<Output = Result<T, TransportError>>,
{
    from(PAUSE, ask).await
}

async fn from<T, F>(mut pause: Duration, ask: impl Fn() -> F) -> Result<T, TransportError>
where
    F: IntoFuture<Output = Result<T, TransportError>>,
{
    for _ in 1..TRIES {
        match ask().await {
            Err(error) if is_busy(&error) => tokio::time::sleep(pause).await,
            answer => return answer,
        }
        pause *= 2;
    }
    ask().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::transports::TransportErrorKind;
    use serde_json::json;
    use std::cell::Cell;

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
        assert!(!too_much.iter().any(is_busy), "{too_much:?}");
    }

    #[tokio::test]
    async fn a_busy_node_is_asked_again_but_not_for_ever() {
        for busy in 0..=TRIES {
            let asked = Cell::new(0);
            let answer = from(Duration::ZERO, || {
                asked.set(asked.get() + 1);
                let is_busy = asked.get() <= busy;
                async move { if is_busy { Err(said(429, "later")) } else { Ok(7) } }
            });
            assert_eq!(answer.await.is_ok(), busy < TRIES);
            assert_eq!(asked.get(), TRIES.min(busy + 1));
        }
    }
}
