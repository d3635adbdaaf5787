//! An honest player: the shipped runtime with its real parts, and the notices that its user gets.

use crate::{PATIENCE, TestChain, prover};
use client::runtime::{EngineKind, Handle, Parts, spawn};
use client::seat::Config;
use client::wallet::Wallet;
use game::{Command, GameRef, Message, Notice, PeerFault};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use std::path::Path;

#[derive(Debug)]
pub struct Honest {
    handle: Handle,
    heard: Vec<String>,
}

impl Honest {
    /// Starts the client of a wallet in a game; it listens at `listen` and dials `dial`.
    pub async fn start(
        test_chain: &TestChain,
        wallet: Wallet,
        game: GameRef,
        journals: &Path,
        listen: Multiaddr,
        dial: Vec<Multiaddr>,
    ) -> Self {
        let chain = test_chain.connect(&wallet).await;
        let handle = spawn(Parts {
            wallet,
            chain,
            game,
            engine: EngineKind::SightLines(prover()),
            journals: journals.to_owned(),
            stores: Vec::new(),
            listen,
            dial,
            relays: Vec::new(),
            heard: 0,
            addresses: None,
            seat: Config::default(),
            cut_link: None,
        });
        Self { handle, heard: Vec::new() }
    }

    /// Ends the client as a user would.
    pub async fn stop(self) {
        self.handle.finish().await.expect("the client ends in order");
    }

    /// What its user wants.
    pub fn command(&self, command: Command) {
        self.handle.command(command);
    }

    /// A move that its user wants.
    pub fn play(&self, mv: &str) {
        let mv = mv.parse().expect("a move in UCI");
        self.command(Command::Move { mv, offer_draw: false });
    }

    pub async fn next(&mut self, what: &str) -> Notice {
        let next = tokio::time::timeout(PATIENCE, self.handle.next()).await;
        let Some(notice) = next.ok().flatten() else {
            panic!("no {what}; heard so far:\n{}", self.heard.join("\n"));
        };
        let mut line = format!("{notice:?}");
        line.truncate(200);
        self.heard.push(line);
        notice
    }

    /// Skips notices until one is wanted. A fault of the opponent that nobody waits for, and that an honest one can't
    /// cause, is an error, and so is a failure of its own.
    pub async fn until<T>(&mut self, what: &str, mut wanted: impl FnMut(&Notice) -> Option<T>) -> T {
        loop {
            let notice = self.next(what).await;
            if let Some(found) = wanted(&notice) {
                return found;
            }
            match &notice {
                Notice::Fault { fault } if !fault.may_be_honest() => {
                    panic!("waiting for {what}: {fault}")
                }
                Notice::Failed { reason } | Notice::ChainRefused { reason } => {
                    panic!("waiting for {what}: {reason}")
                }
                _ => {}
            }
        }
    }

    /// Waits for a fault of the opponent, by its name.
    pub async fn fault(&mut self, expected: PeerFault) {
        self.until(&expected.to_string(), |notice| {
            (*notice == Notice::Fault { fault: expected.clone() }).then_some(())
        })
        .await;
    }

    /// Waits for several faults, in any order.
    pub async fn faults(&mut self, expected: &[PeerFault]) {
        let mut missing = expected.to_vec();
        self.until("the last of several faults", |notice| {
            if let Notice::Fault { fault } = notice {
                missing.retain(|expected| expected != fault);
            }
            missing.is_empty().then_some(())
        })
        .await;
    }

    /// Waits for the news that the opponent's move of a ply is final.
    pub async fn opponent_moved(&mut self, wanted: u16) {
        self.until("a move of the opponent", |notice| match notice {
            Notice::OpponentMoved { ply, .. } if *ply == wanted => Some(()),
            _ => None,
        })
        .await;
    }

    /// Waits until its own move of a ply is final.
    pub async fn moved(&mut self, wanted: u16) {
        self.until("its own move", |notice| match notice {
            Notice::Moved { ply, .. } if *ply == wanted => Some(()),
            _ => None,
        })
        .await;
    }

    /// Where it listens, with its peer id.
    pub async fn address(&mut self) -> Multiaddr {
        self.until("an address", |notice| match notice {
            Notice::Listening { addresses } => addresses.first()?.parse().ok(),
            _ => None,
        })
        .await
    }

    /// Waits for the link to the opponent.
    pub async fn connected(&mut self) {
        self.until("the opponent", |notice| (*notice == Notice::Connected).then_some(())).await;
    }
}

/// An address on loopback to listen at again, once nobody listens there any more: the same without the peer id.
pub async fn listen_again(address: &Multiaddr) -> Multiaddr {
    let parts = address.iter();
    let listen: Multiaddr = parts.filter(|part| !matches!(part, Protocol::P2p(_))).collect();
    let port = address.iter().find_map(|part| match part {
        Protocol::Tcp(port) => Some(port),
        _ => None,
    });
    let port = port.expect("a TCP address");
    let free = async {
        while std::net::TcpListener::bind(("127.0.0.1", port)).is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let freed = tokio::time::timeout(PATIENCE, free).await;
    freed.expect("the port is given up");
    listen
}

/// The points of a request message.
pub fn points_of(message: &Message) -> Vec<u8> {
    match message {
        Message::Request { points, .. } => points.to_vec(),
        other => panic!("{} is no request", other.id()),
    }
}
