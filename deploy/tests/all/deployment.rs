//! Deploying to a real local chain, knowing the deployment again, and refusing what isn't it.
//!
//! Protocol sections 3 and 8. The game contract is the real one; the verifier is, where that is enough, the one of the
//! contracts' own tests that accepts everything, since nothing is proven here.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, Bytes, U256, keccak256};
use alloy::providers::Provider as _;
use alloy::rpc::types::{Filter, TransactionRequest};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Hardfork, Mining};
use deploy::{
    Creator, DeployConfig, DeployError, Deployed, Deployment, DeploymentError, Direct, Key, KeyCreated, Repository,
    Shipped, Statement, Verifier, Verifiers, compile, verifying_key,
};
use rpc::NodeError;
use tempfile::TempDir;

/// Verifiers that accept everything: what development parameters amount to.
fn accept_all(repository: &Repository) -> Verifiers {
    let verifier = Verifier {
        source: repository.contracts().join("test/AcceptAllVerifier.sol"),
        contract: "AcceptAllVerifier".to_owned(),
        proof_bytes: 96,
    };
    Verifiers {
        narrow: verifier.clone(),
        wide: verifier,
        keys: [(); 5].map(|()| Key { code: Bytes::from_static(&[0]), ..Key::default() }),
        ceremony: "development".to_owned(),
        development_only: true,
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
            verifiers: accept_all(&repository),
            repository,
            deployments: folder.path().to_owned(),
        };
        Self { anvil, folder, config }
    }

    async fn deploy(&self) -> Result<Deployment, DeployError> {
        deploy::deploy(&self.config, &self.creator()).await
    }

    fn creator(&self) -> Direct {
        Direct::new(&self.config.rpc, &FIRST_ACCOUNT_KEY.parse().unwrap()).unwrap()
    }

    /// Deploys other verifiers once more: the file is moved away, as the refusal says.
    async fn deploy_anew(&self, verifiers: Verifiers) -> Deployment {
        let _ = std::fs::remove_file(Deployment::path(self.folder.path(), 31337));
        let config = DeployConfig { verifiers, ..self.config.clone() };
        deploy::deploy(&config, &self.creator()).await.unwrap()
    }

    async fn read(&self) -> Result<Deployment, DeploymentError> {
        Deployment::read(self.folder.path(), &self.anvil.rpc()).await
    }
}

#[tokio::test]
async fn a_deployment_is_known_again_and_nothing_else_passes_for_it() {
    let fixture = Fixture::start();
    let unknown = fixture.read().await;
    assert!(matches!(unknown, Err(DeploymentError::Unknown { chain_id: 31337, .. })), "{unknown:?}");
    let deployment = fixture.deploy().await.unwrap();
    assert_eq!(fixture.read().await.unwrap(), deployment);
    assert!(deployment.development_only && deployment.block > 0);

    // Another deployment's file: the verifier recorded there isn't the one that this game contract trusts.
    let refused = fixture.deploy().await;
    assert!(matches!(refused, Err(DeployError::Exists { chain_id: 31337, .. })), "games live in it: {refused:?}");
    let mut mixed = fixture.deploy_anew(fixture.config.verifiers.clone()).await;
    assert_ne!(mixed.game.address, deployment.game.address);
    mixed.game = deployment.game;
    mixed.write(fixture.folder.path()).unwrap();
    assert!(matches!(fixture.read().await, Err(DeploymentError::WrongVerifier(_))));

    // The code on chain is altered.
    deployment.write(fixture.folder.path()).unwrap();
    let provider = fixture.anvil.provider().unwrap();
    let altered = Bytes::from_static(&[0x01]);
    for (contract, name) in [(deployment.wide_verifier, "wide verifier"), (deployment.keys[3], "key")] {
        let code = provider.get_code_at(contract.address).await.unwrap();
        let set = |code: Bytes| provider.raw_request::<_, ()>("anvil_setCode".into(), (contract.address, code));
        set(altered.clone()).await.unwrap();
        let wrong = fixture.read().await;
        assert!(matches!(wrong, Err(DeploymentError::WrongCode { contract, .. }) if contract == name), "{wrong:?}");
        set(code).await.unwrap();
    }
}

/// A key's code is data: its creation tells the statement, the verifying key's hash and the parameters', and nothing else does.
async fn keys_tell_what_they_are(fixture: &Fixture, deployment: &Deployment) {
    let provider = fixture.anvil.provider().unwrap();
    let contracts = fixture.config.repository.contracts();
    for (key, (statement, name, file)) in deployment.keys.iter().zip(Statement::ALL) {
        let logs = provider.get_logs(&Filter::new().address(key.address).from_block(0)).await.unwrap();
        let [log] = &logs[..] else { panic!("{name} has told {logs:?}") };
        let told = log.log_decode_validate::<KeyCreated>().unwrap().inner.data;
        let file = std::fs::read(contracts.join(format!("src/generated/dev/{file}.json"))).unwrap();
        let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
        assert_eq!(told.statement, name);
        assert_eq!(told.verifyingKey, verifying_key(statement, true).parse::<B256>().unwrap());
        assert_eq!(told.parameters, file["tau"].as_str().unwrap().parse::<B256>().unwrap());
    }
}

/// Whoever writes the deployment's file may have deployed anything under its names: the review's doctored deployment, whose
/// verifier accepts a proof of zeros, is itself in order and is not what this program knows.
#[tokio::test]
async fn a_deployment_that_this_program_does_not_know_is_foreign_whatever_its_file_says() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    let doctored = fixture.deploy().await.unwrap();
    assert_eq!(fixture.read().await.unwrap(), doctored, "the file and the chain agree");
    let foreign = Shipped::known().check(&provider, &doctored).await;
    assert!(matches!(foreign, Err(DeploymentError::Foreign { contract: "narrow verifier", .. })), "{foreign:?}");

    let verifiers = Verifiers::development(&fixture.config.repository.contracts()).unwrap();
    let real = fixture.deploy_anew(verifiers).await;
    Shipped::known().check(&provider, &real).await.unwrap();
    keys_tell_what_they_are(&fixture, &real).await;
    // Every contract of it counts, and no key stands for another.
    let contracts = [real.game, real.narrow_verifier, real.wide_verifier].into_iter().chain(real.keys);
    for contract in contracts {
        let code = provider.get_code_at(contract.address).await.unwrap();
        let mut altered = code.to_vec();
        *altered.last_mut().unwrap() ^= 1;
        let set = |code: Bytes| provider.raw_request::<_, ()>("anvil_setCode".into(), (contract.address, code));
        set(altered.into()).await.unwrap();
        let foreign = Shipped::known().check(&provider, &real).await;
        assert!(
            matches!(foreign, Err(DeploymentError::Foreign { address, .. }) if address == contract.address),
            "{foreign:?}"
        );
        set(code).await.unwrap();
    }
    let ceremony = Deployment { development_only: false, ..real };
    let foreign = Shipped::known().check(&provider, &ceremony).await;
    assert!(matches!(foreign, Err(DeploymentError::Foreign { contract: "key of turn", .. })), "{foreign:?}");
}

/// The game's own code but for an immutable, which stands in it at several places: what the contract says of its verifiers is read at
/// one, and at another, where it asks them, stands a verifier that accepts everything. Or a key of another statement; or a length of
/// proofs that no proof has, in bits that are cut off where it is said.
#[tokio::test]
async fn a_game_contract_that_says_another_verifier_than_it_asks_is_foreign() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    let bad = fixture.deploy().await.unwrap().narrow_verifier.address.into_word();
    let verifiers = Verifiers::development(&fixture.config.repository.contracts()).unwrap();
    let length = B256::from(U256::from(verifiers.narrow.proof_bytes));
    let real = fixture.deploy_anew(verifiers).await;
    let game = real.game.address;
    let code = provider.get_code_at(game).await.unwrap();
    let places = |word: B256| (0..code.len() - 31).filter(|at| code[*at..*at + 32] == word[..]).collect::<Vec<_>>();
    let set = |code: Vec<u8>| provider.raw_request::<_, ()>("anvil_setCode".into(), (game, Bytes::from(code)));
    let with = |places: &[usize], word: B256| {
        let mut doctored = code.to_vec();
        places.iter().for_each(|at| doctored[*at..at + 32].copy_from_slice(&word[..]));
        doctored
    };
    let mut doctored = Vec::new();
    let words = [real.narrow_verifier, real.wide_verifier].into_iter().chain(real.keys);
    for word in words.map(|contract| contract.address.into_word()) {
        let found = places(word);
        assert!(found.len() > 1, "it is said at one place and used at another");
        doctored
            .extend(found.iter().flat_map(|at| [with(&[*at], bad), with(&[*at], real.keys[2].address.into_word())]));
        // All places but one, which may be where it is said.
        doctored.extend((0..found.len()).map(|said| {
            let others: Vec<usize> =
                found.iter().copied().enumerate().filter(|(i, _)| *i != said).map(|(_, at)| at).collect();
            with(&others, bad)
        }));
    }
    let mut long = length;
    long[0] = 1;
    set(with(&places(length), long)).await.unwrap();
    assert!(Shipped::known().check(&provider, &real).await.is_err());
    for doctored in doctored.into_iter().filter(|doctored| *doctored != code[..]) {
        set(doctored).await.unwrap();
        let foreign = Shipped::known().check(&provider, &real).await;
        assert!(matches!(foreign, Err(DeploymentError::Foreign { address, .. }) if address == game), "{foreign:?}");
    }
    set(code.to_vec()).await.unwrap();
    Shipped::known().check(&provider, &real).await.unwrap();
}

/// The game's own code, but created by other code, which has left in its storage that somebody is owed more than there is: whoever
/// that is would withdraw the stakes of all games.
#[tokio::test]
async fn a_game_contract_that_was_created_with_debts_is_foreign() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    let verifiers = Verifiers::development(&fixture.config.repository.contracts()).unwrap();
    let real = fixture.deploy_anew(verifiers).await;
    let code = provider.get_code_at(real.game.address).await.unwrap();
    let owner = provider.get_accounts().await.unwrap()[0];
    // What is owed stands in the first mapping.
    let slot = keccak256([owner.into_word(), B256::ZERO].concat());
    // SSTORE(slot, 2^256 - 1); CODECOPY(0, offset, length); RETURN(0, length)
    let length = u16::try_from(code.len()).unwrap().to_be_bytes();
    let mut creation = [&[0x7f][..], &[0xff; 32], &[0x7f], &slot[..], &[0x55]].concat();
    let offset = u16::try_from(creation.len() + 13).unwrap().to_be_bytes();
    creation.extend([0x61, length[0], length[1], 0x61, offset[0], offset[1], 0x5f, 0x39]);
    creation.extend([0x61, length[0], length[1], 0x5f, 0xf3]);
    creation.extend(&code);
    let request = TransactionRequest::default().with_from(owner).with_deploy_code(creation).with_gas_limit(10_000_000);
    let receipt = provider.send_transaction(request).await.unwrap().get_receipt().await.unwrap();
    let address = receipt.contract_address.unwrap();
    assert_eq!(provider.get_storage_at(address, slot.into()).await.unwrap(), U256::MAX);

    let game = Deployed { address, ..real.game };
    let doctored = Deployment { game, block: receipt.block_number.unwrap(), ..real.clone() };
    doctored.check(&provider).await.expect("the file and the chain agree");
    let wrong_block = Deployment { block: real.block - 1, ..real.clone() };
    for foreign in [doctored, wrong_block] {
        let found = Shipped::known().check(&provider, &foreign).await;
        assert!(matches!(found, Err(DeploymentError::Foreign { contract: "game contract", .. })), "{found:?}");
    }
    Shipped::known().check(&provider, &real).await.unwrap();
}

#[tokio::test]
async fn nothing_is_paid_where_the_file_can_t_be_written_or_read() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    let nowhere = DeployConfig { deployments: "/dev/null/deployments".into(), ..fixture.config.clone() };
    let refused = deploy::deploy(&nowhere, &fixture.creator()).await;
    assert!(matches!(refused, Err(DeployError::Deployment(DeploymentError::Io { .. }))), "{refused:?}");
    std::fs::write(Deployment::path(fixture.folder.path(), 31337), "of another version").unwrap();
    let refused = fixture.deploy().await;
    assert!(matches!(refused, Err(DeployError::Deployment(DeploymentError::Json { .. }))), "{refused:?}");
    assert_eq!(provider.get_block_number().await.unwrap(), 0);
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

/// Contracts of one's own are for trying out: elsewhere everybody would refuse to play on them.
#[tokio::test]
async fn verifiers_that_this_program_does_not_know_stay_on_local_chains() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    provider.raw_request::<_, ()>("anvil_setChainId".into(), (11_155_111u64,)).await.unwrap();
    let known = Verifiers::ceremony(&fixture.config.repository.contracts()).unwrap();
    let other_key = Verifiers { keys: accept_all(&fixture.config.repository).keys, ..known };
    let ceremony = other_key.ceremony.clone();
    let accept_all = accept_all(&fixture.config.repository);
    for verifiers in [Verifiers { ceremony, development_only: false, ..accept_all }, other_key] {
        let config = DeployConfig { verifiers, ..fixture.config.clone() };
        let refused = deploy::deploy(&config, &fixture.creator()).await;
        assert!(matches!(refused, Err(DeployError::NotShipped(_))), "{refused:?}");
    }
    assert_eq!(provider.get_block_number().await.unwrap(), 0);
}

#[tokio::test]
async fn an_account_that_can_t_pay_is_told_how_much_it_takes() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    let signer = PrivateKeySigner::from_bytes(&B256::repeat_byte(9)).unwrap();
    let creator = Direct::new(&fixture.config.rpc, &signer).unwrap();
    let refused = deploy::deploy(&fixture.config, &creator).await.unwrap_err();
    let DeployError::TooPoor { account, needed, found: 0 } = refused else { panic!("{refused:?}") };
    assert_eq!((account, provider.get_block_number().await.unwrap()), (signer.address(), 0));
    let sentence = refused.to_string();
    assert!(sentence.contains(&format!("{account:#x} has 0.0000 ETH")), "{sentence}");
    // What it says is enough.
    fixture.anvil.fund(account, U256::from(needed)).await.unwrap();
    deploy::deploy(&fixture.config, &creator).await.unwrap();
}

/// Creates so many contracts, and then fails before the next is sent.
struct Interrupted {
    direct: Direct,
    left: AtomicUsize,
}

impl Creator for Interrupted {
    fn account(&self) -> Address {
        self.direct.account()
    }

    async fn chain_id(&self) -> Result<u64, DeployError> {
        self.direct.chain_id().await
    }

    async fn offer(&self) -> Result<u128, DeployError> {
        self.direct.offer().await
    }

    async fn create(&self, contract: &str, code: Bytes) -> Result<B256, DeployError> {
        match self.left.load(Ordering::Relaxed) {
            0 => Err(DeployError::Creation { contract: contract.to_owned(), source: "interrupted".into() }),
            left => {
                self.left.store(left - 1, Ordering::Relaxed);
                self.direct.create(contract, code).await
            }
        }
    }

    async fn recorded(&self, transaction: B256) -> Result<(), DeployError> {
        self.direct.recorded(transaction).await
    }
}

impl Fixture {
    /// Deploys until so many contracts are created.
    async fn deploy_some(&self, contracts: usize) {
        let creator = Interrupted { direct: self.creator(), left: contracts.into() };
        let interrupted = deploy::deploy(&self.config, &creator).await;
        assert!(matches!(interrupted, Err(DeployError::Creation { .. })), "{interrupted:?}");
    }

    fn begun(&self) -> PathBuf {
        Deployment::path(self.folder.path(), 31337).with_extension("begun")
    }
}

#[tokio::test]
async fn an_interrupted_deployment_is_gone_on_with() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    // One more each time.
    for created in 0..8 {
        fixture.deploy_some(usize::from(created > 0)).await;
        assert_eq!(provider.get_block_number().await.unwrap(), created);
    }
    let first = fixture.deploy().await.unwrap();
    assert_eq!(provider.get_block_number().await.unwrap(), 8, "a block for each contract");
    assert_eq!((fixture.read().await.unwrap(), first.block), (first.clone(), 8));
    assert!(!fixture.begun().exists());
    // Moved away on purpose: another one, all of it.
    let second = fixture.deploy_anew(fixture.config.verifiers.clone()).await;
    assert_eq!(provider.get_block_number().await.unwrap(), 16);
    assert_ne!(second.narrow_verifier.address, first.narrow_verifier.address);
}

/// What the file of an interrupted deployment names is looked up: a transaction that has created something else, or that a chain begun anew doesn't have,
/// counts for nothing.
#[tokio::test]
async fn what_an_interrupted_deployment_names_is_not_believed() {
    let fixture = Fixture::start();
    let provider = fixture.anvil.provider().unwrap();
    fixture.deploy_some(3).await;
    let text = std::fs::read_to_string(fixture.begun()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut lines: Vec<_> = lines.filter(|line| line.get("transaction").is_some()).collect();
    lines[0]["transaction"] = lines[2]["transaction"].clone();
    lines[1]["transaction"] = serde_json::json!(B256::repeat_byte(7));
    std::fs::write(fixture.begun(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let deployed = fixture.deploy().await.unwrap();
    assert_eq!(fixture.read().await.unwrap(), deployed);
    assert_eq!(provider.get_block_number().await.unwrap(), 3 + 7, "all but the one key");
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
    let evm = format!("evm_version = \"{}\"", Hardfork::default().name());
    let expected = ["optimizer = true", "optimizer_runs = 1000", &evm, "bytecode_hash = \"none\"", "via_ir = true"];
    for setting in expected {
        assert!(toml.lines().any(|line| line == setting), "foundry.toml has no line {setting}");
    }
    let compiled = compile(&repository, &accept_all(&repository)).unwrap();
    assert!(compiled.game.runtime.len() > 1_000 && !compiled.narrow.runtime.is_empty());
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
        .args(["deployment::chain_of_a_process_that_is_killed", "--exact", "--nocapture"])
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
    for verifiers in [Verifiers::ceremony(&contracts), Verifiers::development(&contracts)] {
        let deployment = fixture.deploy_anew(verifiers.unwrap()).await;
        assert_eq!(fixture.read().await.unwrap(), deployment);
    }
}
