//! URLs of nodes: what may be shown of them, and whether two lead to the same node. Path, query and user often are a key that was paid for.

use reqwest::Url;

/// The URL of a node, if it is one of `http` or `https`.
pub(crate) fn parse(rpc: &str) -> Option<Url> {
    let url: Url = rpc.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// The host of a node's URL, without what may be secret in the rest of it.
pub fn host(rpc: &str) -> String {
    let authority = |url: Url| {
        url.host_str().map(|host| match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        })
    };
    parse(rpc).and_then(authority).unwrap_or_else(|| "of no address".to_owned())
}

/// Whether two URLs are of the same node: a slash at the end, capitals, the usual port or the user that asks make no
/// other one.
pub fn is_same(one: &str, other: &str) -> bool {
    let essence = |rpc: &str| {
        let url = parse(rpc)?;
        let path = url.path().trim_end_matches('/').to_owned();
        Some((url.origin(), path, url.query().map(str::to_owned)))
    };
    match (essence(one), essence(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// What may be shown of a text that should have been a URL: scheme, host and port as they stand there.
pub(crate) fn without_secrets(text: &str) -> String {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), text),
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}{host}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeError, connect};

    #[test]
    fn urls_are_of_http_or_https() {
        for rpc in ["http://127.0.0.1:8545", "https://node.example/v2/key"] {
            assert!(parse(rpc).is_some(), "{rpc}");
        }
        assert_eq!(host("https://user:word@node.example/v2/key"), "node.example");
        assert_eq!(host("http://127.0.0.1:8545"), "127.0.0.1:8545");
        for rpc in ["", "node.example", "https://", "wss://node.example"] {
            let refused = connect(rpc, None).map(|_| ()).unwrap_err();
            assert!(matches!(refused, NodeError::Url(_)), "{rpc}");
        }
    }

    #[test]
    fn no_refusal_shows_a_key() {
        for rpc in [
            "wss://node.example/v2/key",
            "node.example/key",
            "wss://user:key@node.example",
            "wss://node.example?key",
            "wss://node.example#key",
            "https://node.example:port/key",
            "key@node.example",
        ] {
            let refused = connect(rpc, None).map(|_| ()).unwrap_err();
            let said = format!("{refused} {refused:?}");
            assert!(said.contains("node.example") && !said.contains("key"), "{said}");
        }
    }

    #[test]
    fn a_node_is_the_same_in_other_words() {
        let node = "https://node.example/v2/key";
        for same in [
            node,
            "https://node.example/v2/key/",
            "HTTPS://Node.Example/v2/key",
            "https://node.example:443/v2/key",
            "https://user:word@node.example/v2/key",
            "https://node.example/v2/key#here",
            "https://node.example/v2/./key",
        ] {
            assert!(is_same(node, same), "{same}");
        }
        for other in [
            "https://node.example",
            "https://node.example/v2/KEY",
            "https://node.example:444/v2/key",
            "http://node.example/v2/key",
            "https://node.example/v2/key?chain=1",
            "https://other.example/v2/key",
            "no URL",
        ] {
            assert!(!is_same(node, other), "{other}");
        }
        assert!(is_same("no URL", "no URL"));
    }
}
