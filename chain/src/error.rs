//! Why a node can't be asked, or doesn't answer, each in one clear sentence.
//!
//! Not part of the protocol. Sentences name a node without the path of its URL, since that often holds a key that was
//! paid for, and they have no further causes: everything that helps is in them.

use std::{error::Error, fmt, io};

use alloy::transports::{RpcError, TransportError, TransportErrorKind};
use rustls::CertificateError;
use thiserror::Error;

use crate::class::{Class, Classified};
use crate::retry::is_refusal;

/// Most characters of a node's own words that are shown: instead of an answer it may send a web page.
const MAX_WORDS: usize = 200;

/// Why a node can't be asked, or doesn't answer.
#[derive(Debug, Error)]
pub enum NodeError {
    /// The address of the node is no address: what of it may be shown.
    #[error("{0:?} is not the URL of a node (http://host:port or https://host)")]
    Url(String),
    /// There is nothing to trust a node by.
    #[error("https can't be spoken here: {0}")]
    Tls(String),
    /// The node can't be reached, or answers with an error.
    #[error("{}", Sentence(.0))]
    Failed(TransportError),
    /// The node says what can't be. It may be garbled; the next answer may be right.
    #[error("the node says what can't be: {0}")]
    Nonsense(&'static str),
    /// A node to compare blocks with is on another chain.
    #[error("the node {node}, to compare blocks with, is on chain {found}, not on chain {expected}")]
    OtherChain {
        node: String,
        /// The chain that was asked for.
        expected: u64,
        /// The chain of the node.
        found: u64,
    },
    /// A node to compare blocks with is on another chain of the same number.
    #[error(
        "the node {node}, to compare blocks with, is on another chain of the same number: its first block is another"
    )]
    OtherGenesis { node: String },
}

impl NodeError {
    /// Whether the node answers and won't: it may grant less.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Failed(error) if is_refusal(error))
    }
}

impl Classified for NodeError {
    fn class(&self) -> Class {
        match self {
            Self::Url(_) | Self::OtherChain { .. } | Self::OtherGenesis { .. } => Class::Usage,
            Self::Failed(_) => Class::Retry,
            Self::Tls(_) | Self::Nonsense(_) => Class::Fatal,
        }
    }
}

impl From<TransportError> for NodeError {
    fn from(error: TransportError) -> Self {
        Self::Failed(error)
    }
}

/// A failure in words.
struct Sentence<'a>(&'a TransportError);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let RpcError::Transport(TransportErrorKind::Custom(e)) = self.0
            && let Some(e) = e.downcast_ref()
        {
            return unanswered(f, e);
        }
        match self.0 {
            RpcError::Transport(
                TransportErrorKind::HttpError(http) | TransportErrorKind::HttpErrorWithRetryAfter { error: http, .. },
            ) => {
                let (status, body) = (http.status, words(&http.body));
                write!(f, "the node answers with HTTP status {status}: {body:?}")
            }
            RpcError::DeserError { text, .. } => {
                write!(f, "the node's answer is no JSON-RPC: {:?}", words(text))
            }
            RpcError::ErrorResp(refusal) => {
                write!(f, "the node answers with an error: {:?}, code {}", words(&refusal.message), refusal.code)
            }
            other => write!(f, "the node can't be asked: {other}"),
        }
    }
}

/// Why a request had no answer.
fn unanswered(f: &mut fmt::Formatter<'_>, error: &reqwest::Error) -> fmt::Result {
    let url = error.url();
    let node =
        url.map_or_else(|| "the node".to_owned(), |url| format!("the node {}", url.origin().ascii_serialization()));
    let is_http = url.is_some_and(|url| url.scheme() == "http");
    let tls = causes(error).find_map(|cause| cause.downcast_ref::<rustls::Error>());
    let root = causes(error).last().map_or_else(|| error.to_string(), ToString::to_string);
    match tls {
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)) => write!(
            f,
            "the certificate of {node} is not trusted: it comes from none of the authorities of this system, or of SSL_CERT_FILE where that is set"
        ),
        Some(rustls::Error::InvalidCertificate(why)) => {
            write!(f, "the certificate of {node} is not trusted: {why}")
        }
        Some(rustls::Error::InvalidMessage(_)) => {
            write!(f, "{node} doesn't speak https there; it may speak http")
        }
        Some(other) => write!(f, "TLS with {node} failed: {other}"),
        None if error.is_timeout() => write!(f, "{node} doesn't answer in time"),
        None if error.is_connect() => write!(f, "{node} can't be reached: {root}"),
        None if is_http && error.is_request() => {
            write!(f, "{node} doesn't answer in http ({root}); it may speak https")
        }
        None => write!(f, "{node} broke off: {root}"),
    }
}

/// An error's causes, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(cause(error), |found| cause(*found))
}

/// What is behind an error. An input and output error doesn't give the error in it as its source.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let io = error.downcast_ref::<io::Error>();
    match io.and_then(io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

/// The beginning of a node's own words, on one line.
fn words(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_than_an_answer_are_one_line() {
        let page = "<html>\n  <b>no key</b>\n".to_owned() + &"x".repeat(5_000);
        let no_number = serde_json::from_str::<u8>(&page).unwrap_err();
        let cases = [
            (TransportErrorKind::http_error(401, page.clone()), "the node answers with HTTP status 401"),
            (RpcError::deser_err(no_number, page), "the node's answer is no JSON-RPC"),
        ];
        for (error, words) in cases {
            let said = NodeError::from(error).to_string();
            let expected = format!("{words}: \"<html> <b>no key</b> xxx");
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.len() < 300, "{said}");
        }
    }
}
