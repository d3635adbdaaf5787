//! The binary and a node behind https: a deployment and a game over it, and one clear sentence where it isn't trusted.
//!
//! The node is a real Anvil, and in front of it ends a real TLS, with a certificate of an authority that only
//! `SSL_CERT_FILE` names. Everything is on the loopback interface.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Output, Stdio},
    sync::Arc,
    time::Duration,
};

use alloy::primitives::U256;
use alloy::providers::Provider as _;
use client::wallet::{Cost, Wallet};
use deploy::anvil::{Anvil, Mining};
use deploy::{Deployment, Game, Repository};
use rcgen::{BasicConstraints, Certificate, CertificateParams, DnType, IsCa, KeyPair};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};

/// Longest that a command may take on a busy machine; a node that isn't trusted must not be waited for.
const PATIENCE: Duration = Duration::from_secs(120);
const NO_GAME: &str = "there is no game 0x5555";
const PASSWORD: &str = "of no importance";
const NOWHERE: &str = "/nowhere/authority.pem";

/// A local chain, and https in front of it.
struct Node {
    anvil: Anvil,
    folder: TempDir,
    https: u16,
}

impl Node {
    async fn start() -> Self {
        let repository = Repository::find_here().expect("a clone");
        let anvil = Anvil::start(&repository, Mining::Instant).expect("Anvil starts");
        let folder = tempfile::tempdir().expect("a folder");
        let (authority, key) = authority("trusted");
        std::fs::write(folder.path().join("trusted.pem"), authority.pem()).expect("a file");
        let stranger = self::authority("stranger").0.pem();
        std::fs::write(folder.path().join("stranger.pem"), stranger).expect("a file");
        let address = anvil.rpc().replace("http://", "");
        let https = serve(address.parse().expect("an address"), &authority, &key).await;
        Self { anvil, folder, https }
    }

    fn https(&self) -> String {
        format!("https://localhost:{}", self.https)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A player's folder, with a wallet that has money.
    async fn player(&self, name: &str) -> PathBuf {
        let home = self.file(name);
        let made = Wallet::create(&home.join("wallets"), PASSWORD, Cost::Light);
        let address = made.expect("a wallet").0.address();
        let ten = U256::from(10).pow(U256::from(19));
        self.anvil.fund(address, ten).await.expect("money");
        home
    }

    /// Runs the command, which trusts the authorities in a file.
    async fn fogmate(&self, home: &Path, trusted: &Path, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
        for variable in ["FOGMATE_RPC", "SSL_CERT_DIR"] {
            command.env_remove(variable);
        }
        command
            .args(args)
            .env("FOGMATE_HOME", home)
            .env("FOGMATE_PASSWORD", PASSWORD)
            .env("FOGMATE_DEPLOYMENTS", self.file("deployments"))
            .env("SSL_CERT_FILE", trusted)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = tokio::time::timeout(PATIENCE, command.output()).await;
        output.expect("it ends").expect("the binary starts")
    }

    /// Runs the command with the right authority; the JSON that it prints.
    async fn ask(&self, home: &Path, args: &[&str]) -> Value {
        let args = [args, &["--json"]].concat();
        let output = self.fogmate(home, &self.file("trusted.pem"), &args).await;
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {complaint}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

fn authority(name: &str) -> (Certificate, KeyPair) {
    let key = KeyPair::generate().expect("a key");
    let mut about = CertificateParams::default();
    about.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    about.distinguished_name.push(DnType::CommonName, name);
    (about.self_signed(&key).expect("a certificate"), key)
}

/// Ends TLS in front of a node, under the name `localhost`; on which port.
async fn serve(node: SocketAddr, authority: &Certificate, key: &KeyPair) -> u16 {
    let own = KeyPair::generate().expect("a key");
    let about = CertificateParams::new(["localhost".to_owned()]).expect("a name");
    let certificate = about.signed_by(&own, authority, key).expect("a signature");
    let private = PrivateKeyDer::Pkcs8(own.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
        .expect("a certificate with its key");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let mut outside = acceptor.accept(stream).await?;
                let mut inside = TcpStream::connect(node).await?;
                tokio::io::copy_bidirectional(&mut outside, &mut inside).await
            });
        }
    });
    port
}

#[tokio::test]
async fn contracts_are_deployed_and_games_opened_joined_and_taken_back_over_https() {
    let node = Node::start().await;
    let (alice, bob) = (node.player("alice").await, node.player("bob").await);
    let https = node.https();
    let deployed = node.ask(&alice, &["deploy", "--development", "--rpc", &https]).await;
    assert_eq!(deployed["chainId"], 31337);
    let created = node.ask(&alice, &["create", "--stake", "1", "--rpc", &https]).await;
    let invite = created["invite"].as_str().expect("an invitation");
    let join = ["join", invite, "--stake", "1", "--rpc", &https];
    node.ask(&bob, &join).await;
    // Without --rpc: where the game was opened is remembered.
    let games = node.ask(&alice, &["games"]).await;
    assert_eq!(games["status"], "waiting for the coin toss");

    // A stake that nobody matched comes back.
    let create = ["create", "--stake", "0.5", "--rpc", &https];
    let second = node.ask(&bob, &create).await;
    let game = second["game"].as_str().expect("a game");
    node.ask(&bob, &["cancel", game]).await;
    let fetched = node.ask(&bob, &["withdraw", "--chain", "--rpc", &https]).await;
    assert_eq!(fetched["owed_wei"], "500000000000000000");
    let again = ["withdraw", "--rpc", &https];
    let nothing = node.fogmate(&bob, &node.file("trusted.pem"), &again).await;
    assert_eq!(nothing.status.code(), Some(0), "nothing has gone wrong");
    assert_eq!(String::from_utf8_lossy(&nothing.stdout), "the game contract owes this wallet nothing\n");
    assert_eq!(node.ask(&bob, &again).await["owed_wei"], "0");

    // What the contract, or the chain, refuses is one sentence, said once.
    let own = node.ask(&alice, &["wallet", "show"]).await;
    let own = own["address"].as_str().expect("an address");
    let unknown = format!("0x{}", "5".repeat(64));
    let poor = node.file("poor");
    let (wallet, _) = Wallet::create(&poor.join("wallets"), PASSWORD, Cost::Light).expect("a wallet");
    // An empty one would be filled.
    node.anvil.fund(wallet.address(), U256::from(1)).await.expect("money");
    // Before anybody's wallet is asked for.
    let nobody = node.file("nobody");
    let elsewhere = node.file("elsewhere").to_str().expect("UTF-8").to_owned();
    let refusals = [
        (&alice, vec!["create", "--opponent", own], "the contract refuses: nobody can play against themselves"),
        (&nobody, vec!["create", "--base", "0", "--delay", "0"], "the terms leave no time to move"),
        (&nobody, vec!["host", "--stake", "1", "--window", "5s"], "needs a time to answer a demand of"),
        (&alice, vec!["audit", &unknown], NO_GAME),
        (&alice, vec!["play", &unknown], NO_GAME),
        (&poor, vec!["dice", "deploy", "--deployments", &elsewhere], "has 0.0000 ETH"),
        (&alice, vec!["deploy"], "has a deployment with the other keys already"),
    ];
    for (home, args, words) in refusals {
        let args = [&args[..], &["--rpc", &https]].concat();
        let refused = node.fogmate(home, &node.file("trusted.pem"), &args).await;
        let complaint = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(if words == NO_GAME { 4 } else { 2 }), "{complaint}");
        let last = complaint.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: ") && last.matches(words).count() == 1, "{complaint}");
    }

    // What the chain itself says, past https: both stakes are there.
    let read = Deployment::read(&node.file("deployments"), Game::Chess, &node.anvil.rpc()).await;
    let contract = read.expect("the deployment").address();
    let provider = node.anvil.provider().expect("a connection");
    let held = provider.get_balance(contract).await.expect("a balance");
    assert_eq!(held, U256::from(2) * U256::from(10).pow(U256::from(18)));
}

#[tokio::test]
async fn what_is_wrong_with_https_is_said_in_one_sentence() {
    let node = Node::start().await;
    let home = node.player("alice").await;
    let (port, http) = (node.https, node.anvil.rpc());
    let (trusted, stranger) = (node.file("trusted.pem"), node.file("stranger.pem"));
    let nowhere = Path::new(NOWHERE);
    let cases = [
        (stranger.as_path(), node.https(), "not trusted: it comes from none of the authorities"),
        (&trusted, format!("https://127.0.0.1:{port}"), "not trusted: certificate not valid for name"),
        (&trusted, format!("http://127.0.0.1:{port}"), "it may speak https"),
        (&trusted, http.replace("http:", "https:"), "it may speak http"),
        (nowhere, node.https(), NOWHERE),
    ];
    for (authorities, url, words) in cases {
        // Keys of hired nodes are in the path, and belong into no log.
        let rpc = format!("{url}/v2/key");
        let show = ["wallet", "show", "--balance", "--rpc", &rpc];
        let output = node.fogmate(&home, authorities, &show).await;
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{url}: {complaint}");
        assert!(complaint.starts_with("error: "), "{complaint}");
        assert!(complaint.contains(words), "{url}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(!complaint.contains("/v2/key"), "{complaint}");
        print!("{complaint}");
    }
    // A node that speaks http is asked without any certificates.
    let show = ["wallet", "show", "--balance", "--rpc", &http];
    let output = node.fogmate(&home, nowhere, &show).await;
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{complaint}");
    assert!(complaint.contains("no game contract is known on this chain"), "{complaint}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("balance "), "before anything is deployed");
}
