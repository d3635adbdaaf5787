//! A local chain: Anvil on a free port, for demos and tests, gone when its owner is.
//!
//! Not part of the protocol. Anvil runs under a small shell that waits on its standard input, a pipe from this process:
//! however this process ends (return, panic, Ctrl-C, `kill -9`), the system closes the pipe, and the shell ends Anvil.
//! Both are in a process group of their own, so Ctrl-C in a terminal leaves it to the owner when to end them.

use std::fmt::Debug;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use alloy::primitives::{Address, U256};
use alloy::providers::{DynProvider, Provider as _};
use chain::NodeError;
use serde::Serialize;
use thiserror::Error;

use crate::{Repository, RepositoryError};

/// The rules of the chain: pinned, because gas depends on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hardfork {
    /// Of May 2025 (EIP-7600), with calldata's floor price (EIP-7623).
    #[default]
    Prague,
    /// Of December 2025 (EIP-7607): `MODEXP` costs more (EIP-7883), and a transaction takes 2^24 gas at most (EIP-7825).
    Osaka,
}

impl Hardfork {
    /// All of them, oldest first.
    pub const ALL: [Self; 2] = [Self::Prague, Self::Osaka];

    /// As Anvil calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prague => "prague",
            Self::Osaka => "osaka",
        }
    }
}

pub const CHAIN_ID: u64 = 31337;
/// The key of Anvil's first account, which is rich on every such chain and public: for deploying to local chains only.
pub const FIRST_ACCOUNT_KEY: &str = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/// Longest that Anvil may take to start: a second on an idle machine.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest that Anvil may take to end before it is killed.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of Anvil's complaints that are shown.
const MAX_COMPLAINT: u64 = 4_096;

/// Runs its arguments, and ends them when standard input ends. Its own output is closed, so that the end of Anvil's
/// is the end of the pipe.
const WATCHDOG: &str = r#"
"$@" </dev/null &
child=$!
exec >/dev/null 2>&1
trap 'kill "$child"' INT TERM HUP
read -r _
kill "$child"
wait "$child"
"#;

/// Why there is no local chain.
#[derive(Debug, Error)]
pub enum AnvilError {
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// It can't be started.
    #[error("Anvil can't be started: {0}")]
    Start(#[from] std::io::Error),
    /// It ended at once.
    #[error("Anvil ended at once: {0}")]
    Ended(String),
    /// It doesn't become ready.
    #[error("Anvil is not ready after {} s", START_TIMEOUT.as_secs())]
    NotReady,
    /// It can't be asked.
    #[error(transparent)]
    Node(#[from] NodeError),
}

/// How the chain makes blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mining {
    /// One block a transaction, at once.
    #[default]
    Instant,
    /// The same, and one block every so many seconds: Anvil may overlook a transaction that comes while it mines (foundry-rs/foundry#10122).
    InstantAndEvery(u64),
    /// One block every so many seconds.
    Every(u64),
}

/// A running local chain. Dropping it ends it.
#[derive(Debug)]
pub struct Anvil {
    watchdog: Child,
    input: Option<ChildStdin>,
    port: u16,
    /// Reads the chain's output, and so ends with the chain.
    reader: Option<JoinHandle<()>>,
}

impl Anvil {
    /// Starts a chain on a free port of the loopback interface and returns once it listens.
    ///
    /// Blocks for up to a second or two; in async code that matters only where other tasks must go on.
    pub fn start(repository: &Repository, mining: Mining) -> Result<Self, AnvilError> {
        Self::start_by(repository, mining, Hardfork::default())
    }

    /// Starts a chain by the rules of a hardfork.
    pub fn start_by(repository: &Repository, mining: Mining, hardfork: Hardfork) -> Result<Self, AnvilError> {
        Self::start_at(&repository.anvil()?, mining, hardfork)
    }

    /// Starts a chain with a program that is known already.
    pub fn start_at(program: &Path, mining: Mining, hardfork: Hardfork) -> Result<Self, AnvilError> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(WATCHDOG).arg("anvil-watchdog").arg(program);
        command.args(["--host", "127.0.0.1", "--port", "0", "--hardfork", hardfork.name()]);
        command.args(["--chain-id", &CHAIN_ID.to_string()]);
        if let Mining::Every(seconds) | Mining::InstantAndEvery(seconds) = mining {
            command.args(["--block-time", &seconds.to_string()]);
        }
        if let Mining::InstantAndEvery(_) = mining {
            command.arg("--mixed-mining");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut watchdog = command.spawn()?;
        let input = watchdog.stdin.take();
        let mut anvil = Self { watchdog, input, port: 0, reader: None };
        anvil.port = anvil.wait_until_ready()?;
        Ok(anvil)
    }

    /// Reads the port from Anvil's output. The output is read to its end, or Anvil would stop when the pipe is full.
    fn wait_until_ready(&mut self) -> Result<u16, AnvilError> {
        let (output, errors) = (self.watchdog.stdout.take(), self.watchdog.stderr.take());
        let output = output.expect("standard output is piped");
        let mut errors = BufReader::new(errors.expect("standard error is piped"));
        let (sender, ports) = mpsc::channel();
        self.reader = Some(std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(port) = line.strip_prefix("Listening on 127.0.0.1:") {
                    let _ = sender.send(port.trim().parse::<u16>().ok());
                }
            }
        }));
        let complaint = std::thread::spawn(move || {
            let mut text = String::new();
            let mut beginning = errors.by_ref().take(MAX_COMPLAINT);
            let _ = beginning.read_to_string(&mut text);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            text
        });
        match ports.recv_timeout(START_TIMEOUT) {
            Ok(Some(port)) => Ok(port),
            Ok(None) | Err(mpsc::RecvTimeoutError::Timeout) => Err(AnvilError::NotReady),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let text = complaint.join().unwrap_or_default();
                Err(AnvilError::Ended(text.trim().to_owned()))
            }
        }
    }

    /// Whether the chain has ended by itself, or by somebody else.
    pub fn has_ended(&self) -> bool {
        self.reader.as_ref().is_some_and(JoinHandle::is_finished)
    }

    /// The URL of the node.
    pub fn rpc(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A connection without a wallet, also for Anvil's own methods.
    pub fn provider(&self) -> Result<DynProvider, AnvilError> {
        Ok(chain::connect(&self.rpc(), None)?)
    }

    /// Gives an account money.
    pub async fn fund(&self, account: Address, wei: U256) -> Result<(), AnvilError> {
        self.ask("anvil_setBalance", (account, wei)).await
    }

    /// Lets time pass on the chain, and makes a block.
    pub async fn pass_time(&self, seconds: u64) -> Result<(), AnvilError> {
        self.ask("evm_increaseTime", (U256::from(seconds),)).await?;
        self.mine(1).await
    }

    pub async fn mine(&self, blocks: u64) -> Result<(), AnvilError> {
        self.ask("anvil_mine", (U256::from(blocks),)).await
    }

    /// Replaces the latest blocks by as many empty ones, as a reorganisation does.
    pub async fn reorganise(&self, blocks: u64) -> Result<(), AnvilError> {
        let nothing: [(); 0] = [];
        self.ask("anvil_reorg", (blocks, nothing)).await
    }

    /// Calls one of Anvil's own methods; whatever it returns is of no interest.
    async fn ask<P>(&self, method: &'static str, arguments: P) -> Result<(), AnvilError>
    where
        P: Serialize + Clone + Debug + Send + Sync + Unpin,
    {
        let provider = self.provider()?;
        let answer = provider.raw_request::<_, serde_json::Value>(method.into(), arguments);
        answer.await.map_err(NodeError::from)?;
        Ok(())
    }
}

impl Drop for Anvil {
    fn drop(&mut self) {
        // The watchdog reads the end of its input, ends Anvil and then itself.
        drop(self.input.take());
        let start = Instant::now();
        while start.elapsed() < END_TIMEOUT {
            match self.watchdog.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = self.watchdog.kill();
        let _ = self.watchdog.wait();
    }
}
