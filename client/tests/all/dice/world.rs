//! A local chain with the contract of the dice on it, and players.

use alloy::primitives::{B256, U256};
use alloy::providers::Provider as _;
use alloy::signers::local::PrivateKeySigner;
use client::chain::{ChainConfig, Receipt};
use client::contest::Created;
use client::contest::{Audited, Chain, Done};
use client::wallet::Wallet;
use contest::Terms;
use contest::dice::{Dice, Die};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Game, Payer, Repository};
use fogmate_test::while_mining;

pub type Player = client::contest::Player<Dice>;
pub type DiceError = client::contest::GameError<Dice>;

pub const STAKE: u128 = 1_000_000_000_000_000_000;
pub const TURN: u32 = 600;

pub struct World {
    pub anvil: Anvil,
    config: ChainConfig,
}

impl World {
    pub async fn new() -> Self {
        Self::on(None).await
    }

    /// On a chain with another id than a local one.
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
        let creator = Payer::on_own_chain(&anvil.rpc(), signer).await.unwrap();
        let rpc = anvil.rpc();
        let contracts = Contracts::shipped(Game::Dice, false);
        let deploying = deploy::deploy(&rpc, &contracts, folder.path(), &creator);
        // Elsewhere than on a local chain it is recorded when it is final.
        let deployed = match chain_id {
            None => deploying.await,
            Some(_) => while_mining(&anvil, deploying).await,
        };
        let deployed = deployed.unwrap();
        let config = ChainConfig::new(&rpc, deployed.chain_id, deployed.address(), deployed.block);
        let world = Self { anvil, config };
        for number in 1..=3 {
            world.anvil.fund(wallet(number).address(), U256::from(10 * STAKE)).await.unwrap();
        }
        world
    }

    /// Whether each transaction gets a block at once; else it waits until somebody mines.
    pub async fn mines_at_once(&self, on: bool) {
        let provider = self.anvil.provider().unwrap();
        let set: Result<serde_json::Value, _> = provider.raw_request("evm_setAutomine".into(), (on,)).await;
        set.unwrap();
    }

    pub fn config(&self) -> ChainConfig {
        self.config.clone()
    }

    pub async fn chain(&self, number: u8) -> Chain<Dice> {
        Chain::<Dice>::connect(&self.config(), Some(&wallet(number))).await.unwrap()
    }

    pub async fn terms(&self, stake: u128) -> Terms<()> {
        let expiry = self.chain(1).await.block_time().await.unwrap() + 86_400;
        Terms { stake, turn: TURN, expiry, opponent: Some(wallet(2).address()), setup: () }
    }

    /// A game of the first two wallets.
    pub async fn joined(&self) -> B256 {
        let terms = self.terms(STAKE).await;
        let game = create(&self.chain(1).await, &wallet(1), terms).await.unwrap().game;
        join(&self.chain(2).await, &wallet(2), game, STAKE).await.unwrap();
        game
    }

    /// A player as it sits down anew, with all that has happened.
    pub async fn player(&self, number: u8, game: B256) -> Player {
        let mut player = Player::open(self.chain(number).await, wallet(number), (), game).await.unwrap();
        player.look().await.unwrap();
        player
    }
}

pub fn wallet(number: u8) -> Wallet {
    Wallet::from_secret(&[number; 32]).unwrap()
}

/// The better one of the dice of a player whose turn it is.
pub fn better(player: &Player) -> Die {
    player.side().hand().better(player.side().table())
}

/// Rolls for a player, by the better die.
pub async fn roll(player: &mut Player) -> Result<Option<Done>, DiceError> {
    player.choose(better(player)).await
}

/// Opens a game, which takes no proof.
pub async fn create(chain: &Chain<Dice>, wallet: &Wallet, terms: Terms<()>) -> Result<Created, DiceError> {
    Ok(client::contest::create(chain, wallet, &(), terms, false).await?.0)
}

/// Joins a game, which takes no proof.
pub async fn join(chain: &Chain<Dice>, wallet: &Wallet, game: B256, stake: u128) -> Result<Option<Receipt>, DiceError> {
    Ok(client::contest::join(chain, wallet, &(), game, stake).await?.0)
}

/// Replays a game from the chain alone.
pub async fn audit(chain: &Chain<Dice>, game: B256) -> Audited<Dice> {
    let history = chain.history(game).await.unwrap();
    client::contest::audit(chain, &(), &history).await.unwrap()
}
