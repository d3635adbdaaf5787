//! A node that is busy when it is sent a transaction: between a client and Anvil, it answers as many of them as it is told with HTTP
//! status 429, and remembers the bytes of all.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub struct Proxy {
    pub rpc: String,
    /// How many more transactions are turned away.
    pub busy: Arc<AtomicU32>,
    sent: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// In front of a node, at first turning everything away.
    pub async fn start(node: &str) -> Self {
        let node = node.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let rpc = format!("http://{}", listener.local_addr().unwrap());
        let (busy, sent) = (Arc::new(AtomicU32::new(u32::MAX)), Arc::<Mutex<Vec<String>>>::default());
        let (shared_busy, shared_sent) = (busy.clone(), sent.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, node.clone(), shared_busy.clone(), shared_sent.clone()));
            }
        });
        Self { rpc, busy, sent, task }
    }

    /// The requests with transactions, oldest first, without their numbers.
    pub fn sent(&self) -> Vec<String> {
        self.sent.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers one request.
async fn serve(stream: TcpStream, node: String, busy: Arc<AtomicU32>, sent: Arc<Mutex<Vec<String>>>) {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap() == 0 {
            return;
        }
        if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    let request: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let is_transaction = request["method"] == "eth_sendRawTransaction";
    let answer = if is_transaction {
        sent.lock().unwrap().push(request["params"][0].as_str().unwrap().to_owned());
        let turn_away = busy.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok();
        turn_away.then(|| b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec())
    } else {
        None
    };
    let answer = match answer {
        Some(answer) => answer,
        None => forward(&node, &body).await,
    };
    // The client may have gone.
    let _ = stream.get_mut().write_all(&answer).await;
    let _ = stream.get_mut().shutdown().await;
}

async fn forward(node: &str, body: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(node).await.unwrap();
    let head = format!(
        "POST / HTTP/1.1\r\nhost: {node}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    answer
}
