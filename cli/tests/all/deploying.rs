//! Deploying from outside, through the wallet's one owner of transactions: killed after any of them and given again it pays for no contract twice,
//! other processes of the wallet send meanwhile, and what is too cheap for the next block is raised, up to `--max-fee`.

#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use alloy::primitives::{Bytes, U256};
use alloy::providers::{DynProvider, Provider as _};
use chain::send::Storage;
use client::wallet::{Cost, Wallet};
use deploy::anvil::{Anvil, Mining};
use deploy::{Contract, Contracts, Creator as _, Deployment, Game, Payer, Repository};
use tokio::runtime::Runtime;

const PASSWORD: &str = "correct horse";
/// Longest that anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often something is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Looks after which a block is made for who waits for one.
const LOOKS_FOR_A_BLOCK: u32 = 40;

const CHESS: [&str; 2] = ["deploy", "--development"];
const TAG: [&str; 3] = ["tag", "deploy", "--development"];
const DICE: [&str; 2] = ["dice", "deploy"];

/// A machine with a wallet, and a node.
struct World {
    anvil: Anvil,
    folder: tempfile::TempDir,
    wallet: Wallet,
    node: DynProvider,
    runtime: Runtime,
}

impl World {
    fn new() -> Self {
        let repository = Repository::find_here().expect("a clone");
        let anvil = Anvil::start(&repository, Mining::Instant).expect("a chain");
        let folder = tempfile::tempdir().expect("a folder");
        let (wallet, _) = Wallet::create(&folder.path().join("wallets"), PASSWORD, Cost::Light).expect("a wallet");
        let (node, runtime) = (anvil.provider().expect("a node"), Runtime::new().expect("a runtime"));
        let world = Self { anvil, folder, wallet, node, runtime };
        world.fund(10_000_000_000_000_000_000);
        world
    }

    fn fund(&self, wei: u128) {
        self.runtime.block_on(self.anvil.fund(self.wallet.address(), U256::from(wei))).expect("money");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
        command.env_remove("FOGMATE_SRS").current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        command.env("FOGMATE_HOME", self.folder.path()).env("FOGMATE_PASSWORD", PASSWORD);
        command.env("FOGMATE_RPC", self.anvil.rpc()).env("FOGMATE_DEPLOYMENTS", self.deployments()).args(args);
        command
    }

    fn deployments(&self) -> PathBuf {
        self.folder.path().join("deployments")
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the binary starts")
    }

    fn start(&self, args: &[&str]) -> Running {
        let mut child = self.command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary");
        let (sender, said) = channel();
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Running { child, said }
    }

    fn ask(&self, method: &'static str, parameter: serde_json::Value) {
        let asked = self.node.raw_request::<_, serde_json::Value>(method.into(), (parameter,));
        self.runtime.block_on(asked).expect("an answer");
    }

    /// Whether each transaction gets a block at once.
    fn mine_by_itself(&self, does: bool) {
        self.ask("evm_setAutomine", does.into());
    }

    fn mine(&self) {
        self.runtime.block_on(self.anvil.mine(1)).expect("a block");
    }

    /// The wallet's transactions in blocks.
    fn mined(&self) -> u64 {
        self.runtime
            .block_on(self.node.get_transaction_count(self.wallet.address()).latest().into_future())
            .expect("a number")
    }

    /// The wallet's transactions in blocks and in the mempool.
    fn sent(&self) -> u64 {
        self.runtime
            .block_on(self.node.get_transaction_count(self.wallet.address()).pending().into_future())
            .expect("a number")
    }

    /// Waits until the wallet has sent so much, and makes blocks for who waits for them.
    fn until_sent(&self, transactions: u64) {
        let (start, mut looks) = (Instant::now(), 0);
        while self.sent() < transactions {
            assert!(start.elapsed() < PATIENCE, "{transactions} were to be sent, {} are", self.sent());
            std::thread::sleep(LOOK);
            looks += 1;
            if looks % LOOKS_FOR_A_BLOCK == 0 {
                self.mine();
            }
        }
    }
}

/// A process; dropping it kills it.
struct Running {
    child: Child,
    said: Receiver<String>,
}

impl Running {
    /// Waits for a line on stderr with these words.
    fn until(&self, words: &str) {
        let mut said = Vec::new();
        loop {
            match self.said.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(words) => return,
                Ok(line) => said.push(line),
                Err(error) => panic!("not said: {words} ({error}): {said:?}"),
            }
        }
    }

    fn succeeds(mut self) {
        let status = self.child.wait().expect("an end");
        let said: Vec<String> = self.said.try_iter().collect();
        assert!(status.success(), "{said:?}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// One sentence on stderr, with an exit code.
fn fails(output: &Output, code: i32, words: &str) {
    let complaint = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{complaint}");
    let last = complaint.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains(words), "{complaint}");
}

/// Kills a deployment once for each of its contracts, as soon as the node has the creation: of every second one the block comes while nobody looks, the
/// others wait in the mempool for who comes next. Then it is given once more, and ends.
fn killed_after_each(args: &[&str], contracts: u64) -> World {
    let world = World::new();
    world.mine_by_itself(false);
    for number in 1..=contracts {
        let running = world.start(args);
        world.until_sent(number);
        drop(running);
        if number % 2 == 0 {
            world.mine();
        }
    }
    world.mine_by_itself(true);
    world.mine();
    done(&world.run(args));
    assert_eq!(world.mined(), contracts, "each contract is paid for once");
    done(&world.run(args));
    assert_eq!(world.sent(), contracts);
    let mut files =
        std::fs::read_dir(world.deployments()).expect("a folder").map(|entry| entry.expect("a file").path());
    // Beside the deployment's file are the sources of its contracts.
    let is_kept =
        |path: PathBuf| path.extension().is_some_and(|extension| extension == "json") || path.ends_with("contracts");
    assert!(files.all(is_kept), "nothing is left over");
    world
}

#[test]
fn a_killed_deployment_pays_for_no_contract_twice() {
    for (game, args, contracts) in [(Game::Chess, &CHESS[..], 8), (Game::Tag, &TAG, 5), (Game::Dice, &DICE, 1)] {
        let world = killed_after_each(args, contracts);
        let (folder, rpc) = (world.deployments(), world.anvil.rpc());
        world.runtime.block_on(Deployment::read(&folder, game, &rpc)).expect("all of it stands");
    }
}

/// Another contract for each number, which leaves no code: PUSH4, STOP.
fn numbered(number: u64) -> Contract {
    let code: Bytes = [&[0x63][..], &(number as u32).to_be_bytes(), &[0]].concat().into();
    Contracts::of_verifier(&code, 0).with_prices(None).swap_remove(0)
}

/// Another process of the wallet sends as fast as it can.
#[test]
fn a_wallet_deploys_and_sends_from_another_process_at_once() {
    let world = World::new();
    let (rpc, folder) = (world.anvil.rpc(), world.folder.path().join("transactions"));
    let (signer, storage) = (world.wallet.signer(), Storage::Folder(folder));
    let payer = || Payer::connect(&rpc, signer.clone(), u128::MAX, storage.clone(), |_| {});
    let others = world.runtime.block_on(async { [payer().await, payer().await] });
    let others = others.map(|made| made.expect("a node"));
    let mut running = world.start(&CHESS);
    let mut made = 0u64;
    while running.child.try_wait().expect("a process").is_none() {
        let (contracts, [first, second]) = ([numbered(made), numbered(made + 1)], &others);
        let both = async { tokio::join!(first.create(&contracts[0]), second.create(&contracts[1])) };
        let (first, second) = world.runtime.block_on(both);
        first.expect("created");
        second.expect("created");
        made += 2;
    }
    running.succeeds();
    assert_eq!(world.mined(), 8 + made, "{made} beside the deployment's");
}

#[test]
fn a_creation_that_a_fee_spike_holds_up_is_raised_as_far_as_the_user_allows() {
    let world = World::new();
    world.mine_by_itself(false);
    let running = world.start(&[&DICE[..], &["--max-fee", "5"]].concat());
    world.until_sent(1);
    world.ask("anvil_setNextBlockBaseFeePerGas", serde_json::json!(U256::from(20_000_000_000_u64)));
    world.mine();
    assert_eq!(world.mined(), 0, "the block has no room for it");
    running.until("deploying the dice contract: waits, because the chain's base fee is 20");
    drop(running);
    // Who is asked again for more has it paid.
    let running = world.start(&[&DICE[..], &["--max-fee", "200"]].concat());
    running.until("deploying the dice contract: not in a block yet, sent again for up to");
    // It is told before it is sent. The base fee stays above what the first command offered.
    for _ in 0..5 {
        std::thread::sleep(Duration::from_millis(500));
        if world.mined() == 0 {
            world.mine();
        }
    }
    running.succeeds();
    assert_eq!((world.mined(), world.sent()), (1, 1));
}

#[test]
fn who_can_t_pay_is_told_before_anything_is_sent() {
    let world = World::new();
    world.fund(1_000);
    for args in [&CHESS[..], &TAG, &DICE] {
        fails(&world.run(args), 2, "has 0.0000 ETH");
    }
    assert_eq!(world.sent(), 0);
    assert!(!world.deployments().exists(), "nothing is left over");
}
