//! A local chain with the contract of tag on it, statements checked natively in place of proofs, and players.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider as _;
use alloy::signers::local::PrivateKeySigner;
use client::chain::ChainConfig;
use client::contest::{Chain, Done, News, Prover, create, join};
use client::wallet::Wallet;
use contest::Terms;
use contest::tag::testing::NativeProofs;
use contest::tag::{Setup, Size, Square, Tag};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Game, Payer, Repository};
use fog::engine::Cause;
use fog::statement::{Proves, Statement};
use fogmate_test::while_mining;

pub type Player = client::contest::Player<Tag>;
pub type TagError = client::contest::GameError<Tag>;

pub const STAKE: u128 = 1_000_000_000_000_000_000;
pub const TURN: u32 = 600;
/// Bytes of a proof, as the contract wants them.
const PROOF: usize = 2_496;
/// Accepts everything: returns 1.
const ACCEPT_ALL: [u8; 8] = [0x60, 1, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3];

/// Statements checked natively, as long as proofs, and like them never twice the same.
#[derive(Default)]
pub struct Padded(AtomicUsize);

impl Padded {
    /// Proofs made so far.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn padded(&self, proof: Result<Vec<u8>, Cause>) -> Result<Vec<u8>, Cause> {
        let (mut proof, number) = (proof?, self.0.fetch_add(1, Ordering::Relaxed));
        proof.extend(number.to_be_bytes());
        proof.resize(PROOF, 0);
        Ok(proof)
    }
}

fn cut(proof: &[u8]) -> &[u8] {
    &proof[..NativeProofs::BYTES.min(proof.len())]
}

impl<S: Statement> Proves<S> for Padded
where
    NativeProofs: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        self.padded(Proves::<S>::prove(&NativeProofs, public, private))
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Proves::<S>::verify(&NativeProofs, public, cut(proof))
    }
}

pub struct World {
    pub anvil: Anvil,
    config: ChainConfig,
    verifier: Address,
    pub prover: Prover,
    /// The prover's proofs, to be counted.
    pub made: Arc<Padded>,
}

impl World {
    pub async fn new() -> Self {
        let world = Self::on(None).await;
        world.accept_all().await;
        world
    }

    /// On a chain with another id than a local one if it is said; with the real verifier.
    pub async fn on(chain_id: Option<u64>) -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        if let Some(id) = chain_id {
            let set: Result<serde_json::Value, _> =
                anvil.provider().unwrap().raw_request("anvil_setChainId".into(), (id,)).await;
            set.unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
        let development = chain_id.is_none();
        let creator = Payer::on_own_chain(&anvil.rpc(), signer).await.unwrap();
        let rpc = anvil.rpc();
        let contracts = Contracts::shipped(Game::Tag, development);
        let deploying = deploy::deploy(&rpc, &contracts, folder.path(), &creator);
        // Elsewhere than on a local chain it is recorded when it is final.
        let deployed = match chain_id {
            None => deploying.await,
            Some(_) => while_mining(&anvil, deploying).await,
        };
        let deployed = deployed.unwrap();
        let config = ChainConfig::new(&rpc, deployed.chain_id, deployed.address(), deployed.block);
        let (made, verifier) = (Arc::new(Padded::default()), deployed.part("narrow verifier").unwrap());
        let world = Self { anvil, config, verifier, prover: made.clone(), made };
        for number in 1..=3 {
            world.anvil.fund(wallet(number).address(), U256::from(10 * STAKE)).await.unwrap();
        }
        world
    }

    pub async fn set_code(&self, address: Address, code: Bytes) {
        let provider = self.anvil.provider().unwrap();
        let set: Result<serde_json::Value, _> = provider.raw_request("anvil_setCode".into(), (address, code)).await;
        set.unwrap();
    }

    /// Replaces the verifier by one that accepts everything.
    pub async fn accept_all(&self) {
        self.set_code(self.verifier, Bytes::from_static(&ACCEPT_ALL)).await;
    }

    pub fn config(&self) -> ChainConfig {
        self.config.clone()
    }

    pub async fn chain(&self, number: u8) -> Chain<Tag> {
        Chain::<Tag>::connect(&self.config(), Some(&wallet(number))).await.unwrap()
    }

    pub async fn terms(&self, plies: u16) -> Terms<Setup> {
        let expiry = self.chain(1).await.block_time().await.unwrap() + 86_400;
        Terms { stake: 0, turn: TURN, expiry, opponent: None, setup: Setup { size: Size::Six, plies } }
    }

    pub async fn offer(&self, stake: u128) -> Terms<Setup> {
        Terms { stake, ..self.terms(40).await }
    }

    /// A game of the first two wallets.
    pub async fn joined(&self, offer: Terms<Setup>) -> B256 {
        let game = create(&self.chain(1).await, &wallet(1), &self.prover, offer, false).await.unwrap().0.game;
        join(&self.chain(2).await, &wallet(2), &self.prover, game, offer.stake).await.unwrap();
        game
    }

    pub async fn begun(&self) -> B256 {
        self.joined(self.offer(0).await).await
    }

    /// A player as it sits down anew.
    pub async fn seated(&self, number: u8, game: B256) -> Player {
        let (chain, prover) = (self.chain(number).await, self.prover.clone());
        Player::open(chain, wallet(number), prover, game).await.unwrap()
    }

    /// A player as it sits down anew and has looked at all that has happened.
    pub async fn player(&self, number: u8, game: B256) -> Player {
        let mut player = self.seated(number, game).await;
        player.look().await.unwrap();
        player
    }

    pub async fn players(&self, game: B256) -> [Player; 2] {
        [self.player(1, game).await, self.player(2, game).await]
    }
}

pub fn wallet(number: u8) -> Wallet {
    Wallet::from_secret(&[number; 32]).unwrap()
}

pub fn square(name: &str) -> Square {
    name.parse().unwrap()
}

pub fn refusal<T>(result: Result<T, TagError>) -> String {
    result.err().expect("a refusal").to_string()
}

/// Lets both look and act until neither has anything to do; what they have done and been told.
pub async fn settle(players: &mut [Player; 2]) -> (Vec<&'static str>, [Vec<News<Tag>>; 2]) {
    let (mut kinds, mut told) = (Vec::new(), [Vec::new(), Vec::new()]);
    loop {
        let mut is_quiet = true;
        for (player, told) in players.iter_mut().zip(&mut told) {
            told.extend(player.look().await.unwrap());
            if let Some(Done { name, .. }) = player.act().await.unwrap() {
                (is_quiet, _) = (false, kinds.push(name));
            }
        }
        if is_quiet {
            return (kinds, told);
        }
    }
}

pub fn sights(told: &[News<Tag>]) -> Vec<Option<Square>> {
    told.iter().filter_map(|news| news.sight.and_then(|sight| sight.sees)).collect()
}
