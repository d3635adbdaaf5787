//! The local chain: money, time, and that it ends with whoever has started it.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use alloy::primitives::{Address, U256};
use alloy::providers::Provider as _;
use deploy::Repository;
use deploy::anvil::{Anvil, Mining};

#[tokio::test]
async fn accounts_can_be_funded_and_time_passes() {
    let anvil = Anvil::start(&Repository::find_here().unwrap(), Mining::Instant).unwrap();
    let account = Address::repeat_byte(7);
    anvil.fund(account, U256::from(5)).await.unwrap();
    let provider = anvil.provider().unwrap();
    assert_eq!(provider.get_balance(account).await.unwrap(), U256::from(5));
    let time = async || provider.get_block_by_number(Default::default()).await.unwrap().unwrap().header.timestamp;
    let before = time().await;
    anvil.pass_time(1_000).await.unwrap();
    assert!(time().await >= before + 1_000);
}

/// The part that is killed: starts a chain, says where, and never ends by itself. Only runs inside the next test.
#[test]
fn chain_of_a_process_that_is_killed() {
    if std::env::var_os("FOGMATE_TEST_KILLED").is_none() {
        return;
    }
    let anvil = Anvil::start(&Repository::find_here().unwrap(), Mining::Instant).unwrap();
    println!("\nchain at {}", anvil.rpc());
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn the_chain_ends_with_a_process_that_is_killed() {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["anvil::chain_of_a_process_that_is_killed", "--exact", "--nocapture"])
        .env("FOGMATE_TEST_KILLED", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    let at = lines.find_map(|line| Some(line.strip_prefix("chain at http://")?.to_owned())).unwrap();
    assert!(TcpStream::connect(&at).is_ok());
    process.kill().unwrap();
    process.wait().unwrap();
    assert_closed(&at);
}

#[test]
fn the_chain_ends_when_dropped() {
    let anvil = Anvil::start(&Repository::find_here().unwrap(), Mining::Instant).unwrap();
    let at = anvil.rpc().replace("http://", "");
    assert!(TcpStream::connect(&at).is_ok());
    drop(anvil);
    assert_closed(&at);
}

fn assert_closed(at: &str) {
    for _ in 0..300 {
        if TcpStream::connect(at).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the chain at {at} still runs");
}
