//! Deploying to a real local chain, knowing the deployment again, and refusing what isn't it.
//!
//! Protocol sections 3 and 8. The game contract is the real one; the verifier is, where that is enough, the one of the
//! contracts' own tests that accepts everything, since nothing is proven here.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use alloy::primitives::{Address, Bytes, U256, keccak256};
use alloy::providers::Provider as _;
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, HARDFORK, Mining};
use deploy::{
    CODES_FILE, Codes, DeployConfig, DeployError, Deployment, DeploymentError, Repository, Verifier, compile,
    compile_codes,
};
use rpc::NodeError;
use tempfile::TempDir;

/// A verifier that accepts everything: what development parameters amount to.
fn accept_all(repository: &Repository) -> Verifier {
    Verifier {
        source: repository.contracts().join("test/AcceptAllVerifier.sol"),
        contract: "AcceptAllVerifier".to_owned(),
        key: vec![0x00].into(),
        proof_bytes: 96,
        verifying_key: "0x00".to_owned(),
        ceremony: "development".to_owned(),
        development_only: true,
    }
}

struct Deployer(DeployConfig);

impl Deployer {
    async fn deploy(&self) -> Result<Deployment, DeployError> {
        deploy::deploy(&self.0, FIRST_ACCOUNT_KEY.parse().unwrap()).await
    }
}

struct Fixture {
    anvil: Anvil,
    folder: TempDir,
    config: DeployConfig,
}

impl Fixture {
    fn start() -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let config = DeployConfig {
            rpc: anvil.rpc(),
            verifier: accept_all(&repository),
            repository,
            deployments: folder.path().to_owned(),
        };
        Self { anvil, folder, config }
    }

    /// The same with the real verifier from development parameters.
    fn shipped(mut self) -> Self {
        self.config.verifier = Verifier::development(&self.config.repository.contracts()).unwrap();
        self
    }

    /// What deploys another verifier to the same chain, with the file in the same place.
    fn clone_with(&self, verifier: Verifier) -> Deployer {
        Deployer(DeployConfig { verifier, ..self.config.clone() })
    }

    /// Reading the deployment's file must fail because of this contract.
    async fn is_foreign(&self, expected: &str) {
        let read = self.read().await;
        let foreign = matches!(read, Err(DeploymentError::ForeignCode { contract, .. }) if contract == expected);
        assert!(foreign, "{expected}: {read:?}");
    }

    async fn set_code(&self, address: Address, code: Bytes) {
        let provider = self.anvil.provider().unwrap();
        provider.raw_request::<_, ()>("anvil_setCode".into(), (address, code)).await.unwrap();
    }

    async fn deploy(&self) -> Result<Deployment, DeployError> {
        let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
        deploy::deploy(&self.config, signer).await
    }

    async fn read(&self) -> Result<Deployment, DeploymentError> {
        Deployment::read(self.folder.path(), &self.anvil.rpc()).await
    }
}

#[tokio::test]
async fn a_deployment_is_known_again_and_nothing_else_passes_for_it() {
    let fixture = Fixture::start().shipped();
    let unknown = fixture.read().await;
    assert!(matches!(unknown, Err(DeploymentError::Unknown { chain_id: 31337, .. })), "{unknown:?}");
    let deployment = fixture.deploy().await.unwrap();
    assert_eq!(fixture.read().await.unwrap(), deployment);
    assert!(deployment.development_only && deployment.block > 0);

    // Another deployment's file: this game contract trusts another verifier than the one recorded there, of the same code.
    let mut mixed = fixture.deploy().await.unwrap();
    assert_ne!(mixed.game.address, deployment.game.address);
    mixed.game = deployment.game;
    mixed.write(fixture.folder.path()).unwrap();
    fixture.is_foreign("game contract").await;

    // The code on chain is altered.
    deployment.write(fixture.folder.path()).unwrap();
    let altered = Bytes::from_static(&[0x00]);
    fixture.set_code(deployment.turn_verifier.address, altered).await;
    let wrong = fixture.read().await;
    assert!(matches!(wrong, Err(DeploymentError::WrongCode { contract: "verifier", .. })), "{wrong:?}");
}

/// A deployer of bad faith writes the file too. The shipped client used to play for stakes on a verifier that accepts everything, and
/// lost them to a proof of zeros, because it compared strings of the file with strings of its own.
#[tokio::test]
async fn a_doctored_file_makes_no_foreign_code_ours() {
    let fixture = Fixture::start();
    let honest = fixture.config.repository.contracts();
    let honest = Verifier::development(&honest).unwrap();

    // The real game contract on a verifier that accepts everything, with a file that says of it what is said of the real one.
    let accepting = Verifier {
        source: accept_all(&fixture.config.repository).source,
        contract: "AcceptAllVerifier".to_owned(),
        ..honest.clone()
    };
    let mut evil = fixture.clone_with(accepting).deploy().await.unwrap();
    evil.verifying_key = honest.verifying_key.clone();
    evil.write(fixture.folder.path()).unwrap();
    fixture.is_foreign("verifier").await;

    // The real verifier with the key of another ceremony, called the development one; and with a word of the key changed.
    let ceremony = Verifier::ceremony(&fixture.config.repository.contracts()).unwrap();
    let mut flipped = honest.key.to_vec();
    flipped[32] ^= 1;
    for key in [ceremony.key.clone(), flipped.into()] {
        fixture.clone_with(Verifier { key, ..honest.clone() }).deploy().await.unwrap();
        fixture.is_foreign("key").await;
    }

    // Another length of proofs in the game contract than in the file, and in both.
    let mut longer =
        fixture.clone_with(Verifier { proof_bytes: honest.proof_bytes + 32, ..honest.clone() }).deploy().await.unwrap();
    let unknown = fixture.read().await;
    assert!(matches!(unknown, Err(DeploymentError::ForeignKey(31337))), "{unknown:?}");
    longer.proof_bytes = honest.proof_bytes;
    longer.write(fixture.folder.path()).unwrap();
    fixture.is_foreign("game contract").await;

    // A game contract with one byte of other code.
    let mut patched = fixture.clone_with(honest.clone()).deploy().await.unwrap();
    let provider = fixture.anvil.provider().unwrap();
    let mut code = provider.get_code_at(patched.game.address).await.unwrap().to_vec();
    let last = code.len() - 1;
    code[last] ^= 1;
    fixture.set_code(patched.game.address, code.clone().into()).await;
    patched.game.code_hash = keccak256(&code);
    patched.write(fixture.folder.path()).unwrap();
    fixture.is_foreign("game contract").await;

    // What the file says of the key must be what this program knows of it.
    let right = fixture.clone_with(honest).deploy().await.unwrap();
    assert_eq!(fixture.read().await.unwrap(), right);
    let mut named = right.clone();
    named.ceremony = "ignition".to_owned();
    named.write(fixture.folder.path()).unwrap();
    let unknown = fixture.read().await;
    assert!(matches!(unknown, Err(DeploymentError::ForeignKey(31337))), "{unknown:?}");
}

/// `make verifiers` writes the file that programs are built with; `deploy` compiles with another driver and gets the same code.
#[test]
fn the_shipped_code_is_what_the_sources_give() {
    let repository = Repository::find_here().unwrap();
    let codes = compile_codes(&repository).unwrap();
    let file = std::fs::read_to_string(repository.contracts().join(CODES_FILE)).unwrap();
    assert!(serde_json::from_str::<Codes>(&file).unwrap() == codes, "run `make verifiers`");
    assert!(*deploy::codes() == codes, "build again after `make verifiers`");
    let verifier = Verifier::development(&repository.contracts()).unwrap();
    let compiled = compile(&repository, &verifier).unwrap();
    assert_eq!(compiled.game.runtime, codes.game.runtime);
    assert_eq!(compiled.verifier.runtime, codes.verifiers[&verifier.contract]);
    assert_eq!(compiled.compiler, codes.compiler);
}

#[tokio::test]
async fn development_parameters_are_refused_on_a_real_chain_before_anything_is_sent() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    provider.raw_request::<_, ()>("anvil_setChainId".into(), (11_155_111u64,)).await.unwrap();
    let refused = fixture.deploy().await;
    assert!(
        matches!(refused, Err(DeployError::Deployment(DeploymentError::DevelopmentOnRealChain(11_155_111)))),
        "{refused:?}"
    );
    assert_eq!(provider.get_block_number().await.unwrap(), 0);
}

#[tokio::test]
async fn accounts_can_be_funded_and_time_passes() {
    let fixture = Fixture::start();
    let account = Address::repeat_byte(7);
    fixture.anvil.fund(account, U256::from(5)).await.unwrap();
    let provider = fixture.anvil.provider().unwrap();
    assert_eq!(provider.get_balance(account).await.unwrap(), U256::from(5));
    let time = async || provider.get_block_by_number(Default::default()).await.unwrap().unwrap().header.timestamp;
    let before = time().await;
    fixture.anvil.pass_time(1_000).await.unwrap();
    assert!(time().await >= before + 1_000);
}

#[test]
fn an_unreachable_node_is_one_error() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let read = |rpc: &str| runtime.block_on(Deployment::read(folder.path(), rpc));
    assert!(matches!(read("http://127.0.0.1:1"), Err(DeploymentError::Node(NodeError::Failed(_)))));
    assert!(matches!(read("not a url"), Err(DeploymentError::Node(NodeError::Url(_)))));
}

#[test]
fn the_compiler_is_set_up_as_in_the_contracts_own_tests() {
    let repository = Repository::find_here().unwrap();
    let toml = std::fs::read_to_string(repository.contracts().join("foundry.toml")).unwrap();
    let evm = format!("evm_version = \"{HARDFORK}\"");
    let expected = ["optimizer = true", "optimizer_runs = 10000", &evm, "bytecode_hash = \"none\"", "yul = false"];
    for setting in expected {
        assert!(toml.lines().any(|line| line == setting), "foundry.toml has no line {setting}");
    }
    assert!(!toml.contains("via_ir"));
    let compiled = compile(&repository, &accept_all(&repository)).unwrap();
    assert!(compiled.game.runtime.len() > 1_000 && !compiled.verifier.runtime.is_empty());
    assert_eq!(compiled, compile(&repository, &accept_all(&repository)).unwrap(), "from the cache");
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
        .args(["chain_of_a_process_that_is_killed", "--exact", "--nocapture"])
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

#[tokio::test]
async fn the_generated_verifiers_deploy_below_the_code_limit() {
    let fixture = Fixture::start();
    let contracts = fixture.config.repository.contracts();
    for verifier in [Verifier::ceremony(&contracts), Verifier::development(&contracts)] {
        let config = DeployConfig { verifier: verifier.unwrap(), ..fixture.config.clone() };
        let deployment = deploy::deploy(&config, FIRST_ACCOUNT_KEY.parse().unwrap()).await.unwrap();
        assert_eq!(deployment.verifying_key, config.verifier.verifying_key);
        assert_eq!(fixture.read().await.unwrap(), deployment);
    }
}
