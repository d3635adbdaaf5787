//! Deploying to a real local chain, knowing the deployment again, and refusing what isn't it (protocol, sections 3 and 8).

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloy::primitives::{Address, B256, Bytes, U256, hex};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::Filter;
use alloy::signers::local::PrivateKeySigner;
use chain::NodeError;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Hardfork, Mining};
use deploy::{
    Codes, Contract, Contracts, Creator, DeployError, Deployment, DeploymentError, Game, KeyCreated, PROXY, Payer,
    Repository, Statement, compile, deploy, estimate, key_code, verifying_key,
};
use tempfile::TempDir;

const GAMES: [Game; 3] = [Game::Chess, Game::Dice, Game::Tag];

pub struct Fixture {
    pub anvil: Anvil,
    pub provider: DynProvider,
    pub folder: TempDir,
}

impl Fixture {
    pub fn start() -> Self {
        let anvil = Anvil::start(&Repository::find_here().unwrap(), Mining::Instant).unwrap();
        Self { provider: anvil.provider().unwrap(), anvil, folder: tempfile::tempdir().unwrap() }
    }

    pub async fn set_chain_id(&self, chain_id: u64) {
        self.provider.raw_request::<_, ()>("anvil_setChainId".into(), (chain_id,)).await.unwrap();
    }

    pub async fn set_code(&self, address: Address, code: Bytes) {
        self.provider.raw_request::<_, ()>("anvil_setCode".into(), (address, code)).await.unwrap();
    }

    pub fn signer() -> PrivateKeySigner {
        FIRST_ACCOUNT_KEY.parse().unwrap()
    }

    pub async fn creator(&self) -> Payer {
        Payer::on_own_chain(&self.anvil.rpc(), Self::signer()).await.unwrap()
    }

    pub async fn deploy(&self, contracts: &Contracts) -> Result<Deployment, DeployError> {
        deploy(&self.anvil.rpc(), contracts, self.folder.path(), &self.creator().await).await
    }

    pub async fn read(&self, game: Game) -> Result<Deployment, DeploymentError> {
        Deployment::read(self.folder.path(), game, &self.anvil.rpc()).await
    }

    /// How many transactions the account has sent.
    pub async fn paid(&self) -> u64 {
        self.provider.get_transaction_count(Self::signer().address()).await.unwrap()
    }

    fn file(&self, game: Game) -> PathBuf {
        Deployment::path(self.folder.path(), game, 31337)
    }
}

#[tokio::test]
async fn a_deployment_is_known_again_and_given_again_it_pays_for_nothing() {
    let fixture = Fixture::start();
    for (game, created) in GAMES.into_iter().zip([8, 1, 4]) {
        let unknown = fixture.read(game).await;
        assert!(matches!(unknown, Err(DeploymentError::Unknown { chain_id: 31337, .. })), "{unknown:?}");
        let (contracts, before) = (Contracts::shipped(game, true), fixture.paid().await);
        let deployed = fixture.deploy(&contracts).await.unwrap();
        // Tag asks the narrow verifier of dark chess, which stands already.
        assert_eq!(fixture.paid().await - before, created, "{game:?}");
        assert_eq!(fixture.read(game).await.unwrap(), deployed);
        assert_eq!(fixture.deploy(&contracts).await.unwrap(), deployed);
        let created_at = fixture.provider.get_block_number().await.unwrap();
        fixture.anvil.mine(3).await.unwrap();
        // Without its file, as on another machine: the same contracts, and no block that hides a log.
        std::fs::remove_file(fixture.file(game)).unwrap();
        let again = fixture.deploy(&contracts).await.unwrap();
        assert_eq!(again.contracts, deployed.contracts);
        assert_eq!(again.block, created_at, "the game's contract came last");
        assert_eq!(fixture.paid().await - before, created);
        // A chain that was begun anew has nothing there.
        for (name, address) in &deployed.contracts {
            let code = fixture.provider.get_code_at(*address).await.unwrap();
            fixture.set_code(*address, Bytes::new()).await;
            let missing = fixture.read(game).await;
            assert!(
                matches!(&missing, Err(DeploymentError::NoCode { contract, .. }) if contract == name),
                "{missing:?}"
            );
            fixture.set_code(*address, code).await;
        }
    }
}

/// With other keys or prices in its file a deployment is another one, which doesn't stand; and nothing takes its place.
#[tokio::test]
async fn nothing_in_a_file_is_trusted() {
    let fixture = Fixture::start();
    let chess = Contracts::shipped(Game::Chess, true);
    let deployed = fixture.deploy(&chess).await.unwrap();
    let file = std::fs::read_to_string(fixture.file(Game::Chess)).unwrap();
    for (from, to) in
        [("\"developmentOnly\": true", "\"developmentOnly\": false"), ("\"leastPrice\": 0", "\"leastPrice\": 1")]
    {
        assert!(file.contains(from), "{file}");
        std::fs::write(fixture.file(Game::Chess), file.replace(from, to)).unwrap();
        let refused = fixture.read(Game::Chess).await;
        assert!(matches!(refused, Err(DeploymentError::NoCode { .. })), "{refused:?}");
    }
    std::fs::write(fixture.file(Game::Chess), file).unwrap();
    let refused = fixture.deploy(&Contracts::shipped(Game::Chess, false)).await;
    assert!(matches!(refused, Err(DeployError::OtherKeys { chain_id: 31337, .. })), "{refused:?}");
    assert_eq!(fixture.read(Game::Chess).await.unwrap(), deployed);
}

/// Who waits from a block on that is to come hears of no game.
#[tokio::test]
async fn a_block_that_the_chain_does_not_have_is_refused() {
    let fixture = Fixture::start();
    let deployed = fixture.deploy(&Contracts::shipped(Game::Dice, false)).await.unwrap();
    let file = std::fs::read_to_string(fixture.file(Game::Dice)).unwrap();
    let at = |block: u64| {
        let file = file.replace(&format!("\"block\": {}", deployed.block), &format!("\"block\": {block}"));
        std::fs::write(fixture.file(Game::Dice), file).unwrap();
    };
    at(1);
    assert_eq!(fixture.read(Game::Dice).await.unwrap(), Deployment { block: 1, ..deployed });
    for block in [2, u64::MAX] {
        at(block);
        let refused = fixture.read(Game::Dice).await;
        let DeploymentError::NotYet { block: said, head: 1, .. } = refused.unwrap_err() else {
            panic!("block {block}")
        };
        assert_eq!(said, block);
    }
}

/// The file of somebody else, or of last year: nothing is paid for contracts whose bonds would be wrong.
#[tokio::test]
async fn a_deployment_does_not_go_on_with_prices_of_another_chain() {
    let fixture = Fixture::start();
    let chess = Contracts::shipped(Game::Chess, true);
    let nothing = Interrupted { payer: fixture.creator().await, left: 0.into() };
    deploy(&fixture.anvil.rpc(), &chess, fixture.folder.path(), &nothing).await.unwrap_err();
    let file = std::fs::read_to_string(fixture.file(Game::Chess)).unwrap();
    for (from, to) in [("\"dataPrice\": 0", "\"dataPrice\": 5"), ("\"leastPrice\": 0", "\"leastPrice\": 5")] {
        assert!(file.contains(from), "{file}");
        std::fs::write(fixture.file(Game::Chess), file.replace(from, to)).unwrap();
        let refused = fixture.deploy(&chess).await;
        assert!(matches!(refused, Err(DeployError::OtherPrices(_))), "{refused:?}");
    }
    assert_eq!(fixture.paid().await, 0);
    std::fs::write(fixture.file(Game::Chess), file).unwrap();
    fixture.deploy(&chess).await.unwrap();
}

/// On a chain that was begun anew the file knows a later block, and says that nothing is missing.
#[tokio::test]
async fn a_file_of_a_chain_that_is_no_more_is_begun_anew() {
    let fixture = Fixture::start();
    let dice = Contracts::shipped(Game::Dice, false);
    fixture.anvil.mine(9).await.unwrap();
    let deployed = fixture.deploy(&dice).await.unwrap();
    assert_eq!(deployed.block, 9);
    let anew = Fixture { folder: fixture.folder, ..Fixture::start() };
    let nothing = Interrupted { payer: anew.creator().await, left: 0.into() };
    deploy(&anew.anvil.rpc(), &dice, anew.folder.path(), &nothing).await.unwrap_err();
    let unfinished = anew.read(Game::Dice).await;
    assert!(matches!(unfinished, Err(DeploymentError::Unfinished(_))), "{unfinished:?}");
    let again = anew.deploy(&dice).await.unwrap();
    assert_eq!((again.block, &again.contracts), (0, &deployed.contracts));
}

/// What isn't the proxy would take the fee and create nothing, or something else.
#[tokio::test]
async fn other_code_in_the_proxy_s_place_is_sent_nothing() {
    let fixture = Fixture::start();
    fixture.set_code(PROXY, Bytes::from_static(&[0x5f, 0x5f, 0xf3])).await;
    let refused = fixture.deploy(&Contracts::shipped(Game::Dice, false)).await;
    assert!(matches!(refused, Err(DeployError::OtherProxy { chain_id: 31337 })), "{refused:?}");
    assert_eq!(fixture.paid().await, 0);
}

/// A key's code is data: its creation tells the statement, the verifying key's hash and the parameters', and nothing else does.
#[tokio::test]
async fn keys_tell_what_they_are() {
    let fixture = Fixture::start();
    let contracts = Repository::find_here().unwrap().contracts();
    for game in [Game::Chess, Game::Tag] {
        let deployed = fixture.deploy(&Contracts::shipped(game, true)).await.unwrap();
        let statements = if game == Game::Chess { &Statement::CHESS[..] } else { &Statement::TAG };
        for statement in statements {
            let (name, file) = (statement.name(), format!("src/generated/dev/{statement:?}Key.json"));
            let address = deployed.part(&format!("key of {name}")).unwrap();
            assert_eq!(fixture.provider.get_code_at(address).await.unwrap(), *key_code(*statement, true));
            let logs = fixture.provider.get_logs(&Filter::new().address(address).from_block(0)).await.unwrap();
            let [log] = &logs[..] else { panic!("{name} has told {logs:?}") };
            let told = log.log_decode_validate::<KeyCreated>().unwrap().inner.data;
            let file: serde_json::Value =
                serde_json::from_slice(&std::fs::read(contracts.join(file)).unwrap()).unwrap();
            assert_eq!((told.statement.as_str(), told.verifyingKey), (name, verifying_key(*statement, true)));
            assert_eq!(told.parameters, file["tau"].as_str().unwrap().parse::<B256>().unwrap());
        }
    }
}

#[tokio::test]
async fn nothing_is_paid_where_the_file_can_t_be_written_or_read() {
    let fixture = Fixture::start();
    let (dice, creator) = (Contracts::shipped(Game::Dice, false), fixture.creator().await);
    let nowhere = deploy(&fixture.anvil.rpc(), &dice, "/dev/null/deployments".as_ref(), &creator).await;
    assert!(matches!(nowhere, Err(DeployError::Deployment(DeploymentError::Io { .. }))), "{nowhere:?}");
    std::fs::write(fixture.file(Game::Dice), "of another version").unwrap();
    let refused = fixture.deploy(&dice).await;
    assert!(matches!(refused, Err(DeployError::Deployment(DeploymentError::Json { .. }))), "{refused:?}");
    std::fs::write(fixture.file(Game::Dice), r#"{"chainId":31337,"dice":{},"block":4,"compiler":"0.8.37"}"#).unwrap();
    let refused = fixture.deploy(&dice).await;
    assert!(matches!(refused, Err(DeployError::Deployment(DeploymentError::Earlier(_)))), "{refused:?}");
    assert_eq!(fixture.provider.get_block_number().await.unwrap(), 0);
}

#[tokio::test]
async fn what_is_for_local_chains_is_refused_on_a_real_one_before_anything_is_sent() {
    let fixture = Fixture::start();
    fixture.set_chain_id(11_155_111).await;
    for game in [Game::Chess, Game::Tag] {
        let refused = fixture.deploy(&Contracts::shipped(game, true)).await;
        let is_refused =
            matches!(refused, Err(DeployError::Deployment(DeploymentError::DevelopmentOnRealChain(11_155_111))));
        assert!(is_refused, "{refused:?}");
    }
    let mut own = Contracts::of_verifier(&Bytes::from_static(&[0x5f, 0x5f, 0xf3]), 96);
    own.development_only = false;
    let refused = fixture.deploy(&own).await;
    assert!(matches!(refused, Err(DeployError::NotShipped)), "{refused:?}");
    assert_eq!(fixture.provider.get_block_number().await.unwrap(), 0);
}

/// A chain without the proxy gets it by the transaction that its user is told.
#[tokio::test]
async fn a_chain_without_the_proxy_is_told_how_it_gets_one() {
    let fixture = Fixture::start();
    fixture.set_code(PROXY, Bytes::new()).await;
    let refused = fixture.deploy(&Contracts::shipped(Game::Dice, false)).await.unwrap_err();
    assert!(matches!(refused, DeployError::NoProxy { chain_id: 31337 }), "{refused:?}");
    assert_eq!(fixture.paid().await, 0);
    let sentence = refused.to_string();
    let after = |words: &str| sentence.split_once(words).unwrap().1.split_whitespace().next().unwrap().to_owned();
    let (signer, raw) = (after("ETH to "), after("sends "));
    assert!(sentence.contains("pays 0.0100 ETH"), "{sentence}");
    fixture.anvil.fund(signer.parse().unwrap(), U256::from(10).pow(U256::from(16))).await.unwrap();
    // Anvil keeps the nonce with which it gave itself the proxy's code.
    fixture.provider.raw_request::<_, ()>("anvil_setNonce".into(), (PROXY, U256::ZERO)).await.unwrap();
    let sent = fixture.provider.send_raw_transaction(&hex::decode(raw).unwrap()).await.unwrap();
    assert!(sent.get_receipt().await.unwrap().status());
    fixture.deploy(&Contracts::shipped(Game::Dice, false)).await.unwrap();
}

#[tokio::test]
async fn an_account_that_can_t_pay_is_told_how_much_it_takes() {
    let fixture = Fixture::start();
    let signer = PrivateKeySigner::from_bytes(&B256::repeat_byte(9)).unwrap();
    let (rpc, chess) = (fixture.anvil.rpc(), Contracts::shipped(Game::Chess, true));
    let creator = Payer::on_own_chain(&rpc, signer.clone()).await.unwrap();
    let told = estimate(&rpc, &chess, fixture.folder.path(), &creator).await.unwrap();
    let refused = deploy(&rpc, &chess, fixture.folder.path(), &creator).await.unwrap_err();
    let DeployError::TooPoor { account, needed, found: 0 } = refused else { panic!("{refused:?}") };
    assert_eq!((account, fixture.provider.get_block_number().await.unwrap()), (signer.address(), 0));
    let sentence = refused.to_string();
    assert!(sentence.contains(&format!("{account:#x} has 0.0000 ETH")), "{sentence}");
    assert!(!fixture.file(Game::Chess).exists());
    // What is told before says the same, and what is paid is no more.
    assert_eq!((told.needed, told.found, told.missing.len()), (needed, 0, 8));
    let estimated: u64 = told.missing.iter().map(|(_, _, gas)| gas).sum();
    assert_eq!(told.paid, u128::from(estimated) * told.price);
    // What it says is enough.
    fixture.anvil.fund(account, U256::from(needed)).await.unwrap();
    let deployed = deploy(&rpc, &chess, fixture.folder.path(), &creator).await.unwrap();
    assert!(told.missing.iter().map(|(name, address, _)| (name.clone(), *address)).eq(deployed.contracts));
    let mut used = 0;
    for number in 1..=8u64 {
        used += fixture.provider.get_block_by_number(number.into()).await.unwrap().unwrap().header.gas_used;
    }
    assert!((used..used + used / 4).contains(&estimated), "{estimated} is told, and {used} taken");
    let nothing = estimate(&rpc, &chess, fixture.folder.path(), &creator).await.unwrap();
    assert_eq!((nothing.missing.len(), nothing.paid), (0, 0));
}

/// Creates so many contracts, and then fails before the next is sent.
struct Interrupted {
    payer: Payer,
    left: AtomicUsize,
}

impl Creator for Interrupted {
    fn account(&self) -> Address {
        self.payer.account()
    }

    fn chain_id(&self) -> u64 {
        self.payer.chain_id()
    }

    async fn offer(&self) -> Result<u128, DeployError> {
        self.payer.offer().await
    }

    async fn create(&self, contract: &Contract) -> Result<(), DeployError> {
        match self.left.load(Ordering::Relaxed) {
            0 => Err(DeployError::Creation { contract: contract.name.clone(), source: "interrupted".into() }),
            left => {
                self.left.store(left - 1, Ordering::Relaxed);
                self.payer.create(contract).await
            }
        }
    }
}

#[tokio::test]
async fn an_interrupted_deployment_is_gone_on_with() {
    let fixture = Fixture::start();
    let chess = Contracts::shipped(Game::Chess, true);
    for created in 0..8 {
        let creator = Interrupted { payer: fixture.creator().await, left: usize::from(created > 0).into() };
        let interrupted = deploy(&fixture.anvil.rpc(), &chess, fixture.folder.path(), &creator).await;
        assert!(matches!(interrupted, Err(DeployError::Creation { .. })), "{interrupted:?}");
        assert_eq!(fixture.provider.get_block_number().await.unwrap(), created);
        let unfinished = fixture.read(Game::Chess).await;
        assert!(matches!(unfinished, Err(DeploymentError::Unfinished(_))), "{unfinished:?}");
    }
    let deployed = fixture.deploy(&chess).await.unwrap();
    assert_eq!(fixture.provider.get_block_number().await.unwrap(), 8, "a block for each contract");
    assert_eq!((fixture.read(Game::Chess).await.unwrap(), deployed.block), (deployed, 0));
}

/// Somebody else has what this one is about to create in a block first.
#[tokio::test]
async fn what_somebody_else_has_created_meanwhile_is_as_good() {
    struct Overtaken<'a>(&'a Fixture, Payer);

    impl Creator for Overtaken<'_> {
        fn account(&self) -> Address {
            self.1.account()
        }

        fn chain_id(&self) -> u64 {
            self.1.chain_id()
        }

        async fn offer(&self) -> Result<u128, DeployError> {
            self.1.offer().await
        }

        async fn create(&self, contract: &Contract) -> Result<(), DeployError> {
            self.0.creator().await.create(contract).await?;
            self.1.create(contract).await
        }
    }

    let fixture = Fixture::start();
    let signer = PrivateKeySigner::from_bytes(&B256::repeat_byte(9)).unwrap();
    fixture.anvil.fund(signer.address(), U256::from(10).pow(U256::from(18))).await.unwrap();
    let payer = Payer::on_own_chain(&fixture.anvil.rpc(), signer.clone()).await.unwrap();
    let creator = Overtaken(&fixture, payer);
    let dice = Contracts::shipped(Game::Dice, false);
    let deployed = deploy(&fixture.anvil.rpc(), &dice, fixture.folder.path(), &creator).await.unwrap();
    assert_eq!(fixture.read(Game::Dice).await.unwrap(), deployed);
    assert_eq!(fixture.provider.get_transaction_count(signer.address()).await.unwrap(), 0, "it isn't paid for twice");
}

#[test]
fn an_unreachable_node_is_one_error() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let read = |rpc: &str| runtime.block_on(Deployment::read(folder.path(), Game::Chess, rpc));
    assert!(matches!(read("http://127.0.0.1:1"), Err(DeploymentError::Node(NodeError::Failed(_)))));
    assert!(matches!(read("not a url"), Err(DeploymentError::Node(NodeError::Url(_)))));
}

#[test]
fn the_compiler_is_set_up_as_in_the_contracts_own_tests() {
    let repository = Repository::find_here().unwrap();
    let toml = std::fs::read_to_string(repository.contracts().join("foundry.toml")).unwrap();
    let evm = format!("evm_version = \"{}\"", Hardfork::default().name());
    let expected = ["optimizer = true", "optimizer_runs = 1000", &evm, "bytecode_hash = \"ipfs\"", "via_ir = true"];
    for setting in expected {
        assert!(toml.lines().any(|line| line == setting), "foundry.toml has no line {setting}");
    }
    let compiled = compile(&repository).unwrap();
    assert_eq!(compiled, *Codes::shipped(), "run `make verifiers`");
    assert_eq!(compiled, compile(&repository).unwrap(), "from the cache");
}

#[tokio::test]
async fn the_ceremony_s_contracts_deploy_below_the_code_limit() {
    let fixture = Fixture::start();
    for game in GAMES {
        let deployed = fixture.deploy(&Contracts::shipped(game, false)).await.unwrap();
        assert!(!deployed.development_only);
        assert_eq!(fixture.read(game).await.unwrap(), deployed);
    }
}
