//! The way of a request to a node and of its answer back. Of an answer no more is read than an honest one is long: one without an end would take
//! all memory.

use std::time::Duration;

use alloy::rpc::json_rpc::{RequestPacket, ResponsePacket};
use alloy::transports::{TransportError, TransportErrorKind};
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, Url};

/// Most bytes of an answer. The logs of 2,000 blocks full of moves with their proofs are 10 MB.
pub(crate) const MAX_ANSWER: usize = 64 << 20;

/// A node's answer doesn't end.
#[derive(Debug, thiserror::Error)]
#[error("its answer is longer than {MAX_ANSWER} bytes")]
pub(crate) struct TooLong;

/// Requests to one URL.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub client: Client,
    pub url: Url,
}

impl Bounded {
    pub(crate) async fn ask(self, request: RequestPacket) -> Result<ResponsePacket, TransportError> {
        let sent = self.client.post(self.url).json(&request).headers(request.headers()).send().await;
        let mut answer = sent.map_err(TransportErrorKind::custom)?;
        let (status, pause) = (answer.status(), pause(&answer));
        let body = body(&mut answer).await?;
        let found: Result<ResponsePacket, _> = serde_json::from_slice(&body);
        match found {
            Ok(found) if status.is_success() || found.is_error() => Ok(found),
            Err(error) if status.is_success() => Err(TransportError::deser_err(error, String::from_utf8_lossy(&body))),
            _ => {
                let words = String::from_utf8_lossy(&body).into_owned();
                Err(TransportErrorKind::http_error_with_retry_after(status.as_u16(), words, pause))
            }
        }
    }
}

/// How long a node wants to be left alone, if it says so in seconds.
fn pause(answer: &Response) -> Option<Duration> {
    let words = answer.headers().get(RETRY_AFTER)?.to_str().ok()?;
    words.trim().parse().ok().map(Duration::from_secs)
}

async fn body(answer: &mut Response) -> Result<Vec<u8>, TransportError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(TransportErrorKind::custom)? {
        ensure!(body.len() + piece.len() <= MAX_ANSWER, TransportErrorKind::custom(TooLong));
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use crate::connect;
    use alloy::providers::Provider as _;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Ends by the number of its bytes, long before the request's time is over.
    #[tokio::test]
    async fn an_answer_without_an_end_is_not_read_to_its_end() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let written = std::thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            assert_ne!(stream.read(&mut [0; 4_096]).unwrap(), 0);
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n\"").unwrap();
            let piece = [b'a'; 1 << 16];
            let mut pieces = 0;
            while pieces < 4_096 && stream.write_all(&piece).is_ok() {
                pieces += 1;
            }
            pieces << 16
        });
        let node = connect(&url, None).unwrap();
        let error = crate::NodeError::from(node.get_block_number().await.unwrap_err());
        assert_eq!(error.to_string(), "the node can't be asked: its answer is longer than 67108864 bytes");
        let written = tokio::task::spawn_blocking(|| written.join().unwrap()).await.unwrap();
        assert!(written < 2 * super::MAX_ANSWER, "it was read on");
    }
}
