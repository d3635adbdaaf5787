//! An interface that goes and comes back, in a network namespace of its own, so that nothing leaves this machine. Where the system allows no such thing
//! the test says so.

use std::process::Command;

use crate::link::peer::TestPeer;

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
fn an_interface_that_goes_and_comes_back_is_listened_on_again() {
    inside("inside_a_network_that_goes_and_comes_back", "there again");
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
