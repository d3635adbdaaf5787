//! Two peers on a local network of their own: a network namespace with one interface, so that nothing leaves this machine. Where the system
//! allows no such thing the test says so.

use std::process::Command;

use client::link::LinkEvent;
use libp2p::Multiaddr;

use crate::link::peer::{TestPeer, game};

const INSIDE: &str = "FOGMATE_TEST_INSIDE_LAN";
const SETUP: &str = "ip link set lo up && ip link add lan0 type veth peer name lan1 && ip addr add 10.77.0.1/24 dev lan0 && \
                     ip link set lan0 up && ip link set lan1 up && ip route add 224.0.0.0/4 dev lan0";

/// Runs a test of this file in a network of its own; it must say these words.
fn inside(test: &str, words: &str) {
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "sh", "-c", script]);
        command
    };
    if !shell(SETUP).output().is_ok_and(|output| output.status.success()) {
        println!("NOT RUN: this system gives no network namespace");
        return;
    }
    let program = std::env::current_exe().expect("a test has a file");
    let inside = shell(&format!("{SETUP} && exec \"$0\" \"$@\""))
        .arg(program)
        .args([
            "--exact",
            &format!("{}::{test}", module_path!().split_once("::").expect("a module of this program").1),
            "--nocapture",
        ])
        .env(INSIDE, "1")
        .output()
        .expect("the test starts");
    let said = String::from_utf8_lossy(&inside.stdout);
    assert!(inside.status.success() && said.contains(words), "{said}");
}

#[test]
fn a_named_opponent_is_found_on_the_local_network() {
    inside("inside_a_network_of_its_own", "found each other");
}

#[test]
fn an_interface_that_goes_and_comes_back_is_listened_on_again() {
    inside("inside_a_network_that_goes_and_comes_back", "there again");
}

/// What runs inside; alone it has nothing to do.
#[tokio::test]
async fn inside_a_network_of_its_own() {
    if std::env::var_os(INSIDE).is_none() {
        return;
    }
    let everywhere = "/ip4/0.0.0.0/tcp/0";
    let mut alice = TestPeer::start_on_lan(game(), 1, 2, everywhere, vec![]).await;
    // Where she is no more.
    let alice_s = alice.handle.addresses().into_iter().find_map(|address| link_peer(&address)).expect("a peer");
    let gone: Multiaddr = format!("/ip4/10.77.0.9/tcp/9/p2p/{alice_s}").parse().expect("an address");
    // A neighbour whom nobody named, with the key of another wallet.
    let mut mallory = TestPeer::start_on_lan(game(), 3, 1, everywhere, vec![]).await;
    let mut bob = TestPeer::start_on_lan(game(), 2, 1, everywhere, vec![gone.clone()]).await;
    tokio::join!(alice.connected(), bob.connected());
    let local = |address: &Multiaddr| address.to_string().starts_with("/ip4/10.77.0.");
    assert!(bob.handle.dialled().iter().all(local), "{:?}", bob.handle.dialled());
    assert!(alice.handle.dialled().is_empty() && mallory.handle.dialled().is_empty());
    let of_mallory: Vec<Multiaddr> = mallory.handle.addresses();
    let bare = |address: &Multiaddr| {
        address.iter().filter(|part| !matches!(part, libp2p::multiaddr::Protocol::P2p(_))).collect::<Multiaddr>()
    };
    assert!(of_mallory.iter().map(bare).all(|address| !bob.handle.dialled().contains(&address)));
    while let Ok(event) = mallory.events.try_recv() {
        assert_eq!(event, LinkEvent::Listening, "nobody has called her");
    }
    println!("found each other");
}

fn link_peer(address: &Multiaddr) -> Option<libp2p::PeerId> {
    address.iter().find_map(|part| match part {
        libp2p::multiaddr::Protocol::P2p(peer) => Some(peer),
        _ => None,
    })
}

/// What runs inside; alone it has nothing to do.
#[tokio::test]
async fn inside_a_network_that_goes_and_comes_back() {
    if std::env::var_os(INSIDE).is_none() {
        return;
    }
    let ip = |action: &str| {
        let status = Command::new("ip").args(["addr", action, "10.77.0.1/24", "dev", "lan0"]).status();
        assert!(status.is_ok_and(|status| status.success()), "{action}");
    };
    let mut alice = TestPeer::start(1, 2, "/ip4/0.0.0.0/tcp/0", vec![]).await;
    let place = |peer: &TestPeer| {
        peer.handle.addresses().into_iter().find(|address| address.to_string().starts_with("/ip4/10.77.0.1/"))
    };
    while place(&alice).is_none() {
        alice.next().await;
    }
    ip("del");
    while place(&alice).is_some() {
        alice.next().await;
    }
    ip("add");
    while place(&alice).is_none() {
        alice.next().await;
    }
    let mut bob = TestPeer::start(2, 1, "/ip4/127.0.0.1/tcp/0", place(&alice).into_iter().collect()).await;
    tokio::join!(alice.connected(), bob.connected());
    println!("there again");
}
