//! The audit page: the files that this program carries, and a small server of them for this machine alone.
//!
//! Nothing here is secret and nothing is taken: whoever asks gets one of the files or a 404.

use std::time::Duration;

use eyre::{Context, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::output::note;

/// A file of the page.
pub struct File {
    pub name: &'static str,
    kind: &'static str,
    pub content: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        [$(File { name: $name, kind: $kind, content: include_bytes!(concat!("../../explorer/dist/", $name)) }),*]
    };
}

/// The page, as `make explorer` has built it.
pub static FILES: [File; 7] = files! {
    "index.html": "text/html; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
    "web.wasm": "application/wasm",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "NOTICE.txt": "text/plain; charset=utf-8",
};

/// The most that a question may have before its empty line.
const LONGEST_HEAD: usize = 16 << 10;
/// How long a browser may take to ask, and to take what it gets.
const PATIENCE: Duration = Duration::from_secs(30);
/// Connections at a time.
const PLACES: usize = 64;
/// What the page may load and ask. It says so itself, wherever it comes from; said with each file it binds the page's workers too.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self' http: https:; \
    worker-src 'self'; base-uri 'none'; form-action 'none'";
/// What else goes with every answer.
const HEADERS: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-cache\r\nConnection: close\r\n";

/// Serves the page until it is dropped.
pub async fn serve(listener: TcpListener) -> Result<()> {
    let places = std::sync::Arc::new(Semaphore::new(PLACES));
    loop {
        let place = places.clone().acquire_owned().await?;
        // A connection that is gone before it is taken is that browser's business.
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                note!("a connection can't be taken: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        tokio::spawn(async move {
            let _place = place;
            let _ = tokio::time::timeout(PATIENCE, answer(stream)).await;
        });
    }
}

async fn answer(mut stream: TcpStream) -> Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST_HEAD {
        let mut part = [0; 2048];
        let read = stream.read(&mut part).await.wrap_err("a question can't be read")?;
        if read == 0 {
            return Ok(());
        }
        head.extend_from_slice(&part[..read]);
    }
    let (start, body) = response(&String::from_utf8_lossy(&head));
    stream.write_all(start.as_bytes()).await?;
    stream.write_all(body).await?;
    Ok(stream.shutdown().await?)
}

/// The head and the body of the answer to a question.
fn response(head: &str) -> (String, &'static [u8]) {
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default().strip_prefix('/');
    let file =
        path.and_then(|name| FILES.iter().find(|file| file.name == if name.is_empty() { "index.html" } else { name }));
    let (status, kind, body): (_, _, &[u8]) = match (method, file) {
        ("GET" | "HEAD", Some(file)) => ("200 OK", file.kind, file.content),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"There is no such file.\n"),
        _ => ("405 Method Not Allowed", "text/plain", b"Only GET and HEAD are answered.\n"),
    };
    let length = body.len();
    let start = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nContent-Security-Policy: {POLICY}; frame-ancestors 'none'\r\n\
         {HEADERS}\r\n"
    );
    (start, if method == "HEAD" { &[] } else { body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> (String, usize) {
        let (start, body) = response(head);
        (start.lines().next().unwrap_or_default().to_owned(), body.len())
    }

    #[test]
    fn only_the_page_s_files_are_given() {
        let index = FILES[0].content.len();
        assert_eq!(status("GET / HTTP/1.1\r\n\r\n"), ("HTTP/1.1 200 OK".to_owned(), index));
        assert_eq!(status("GET /index.html?a=/b HTTP/1.1\r\n\r\n"), ("HTTP/1.1 200 OK".to_owned(), index));
        assert_eq!(status("HEAD /web.wasm HTTP/1.1\r\n\r\n"), ("HTTP/1.1 200 OK".to_owned(), 0));
        for target in ["/../Cargo.toml", "/etc/passwd", "//index.html", "index.html", "/index.html/", "", "/é"] {
            assert_eq!(status(&format!("GET {target} HTTP/1.1\r\n\r\n")).0, "HTTP/1.1 404 Not Found", "{target:?}");
        }
        for question in ["POST / HTTP/1.1\r\n\r\n", "", "\r\n\r\n", "GET", "get / HTTP/1.1"] {
            assert_ne!(status(question).0, "HTTP/1.1 200 OK", "{question:?}");
        }
    }

    /// What the page may load is said in the page, which other servers give out, too.
    #[test]
    fn the_page_has_a_strict_policy_and_names_only_files_that_are_there() {
        let index = std::str::from_utf8(FILES[0].content).expect("UTF-8");
        assert!(index.contains(&format!("\"Content-Security-Policy\" content=\"{POLICY}\"")));
        assert!(!POLICY.contains("unsafe-inline") && !index.contains("style=") && !index.contains("//cdn"));
        for name in index.split(['"']).filter(|word| word.contains('.') && !word.contains([' ', ':', '/'])) {
            assert!(FILES.iter().any(|file| file.name == name), "{name}");
        }
    }
}
