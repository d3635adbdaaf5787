//! A local chain with the contracts and two players on it, and what they say to it.

use alloy::primitives::{B256, U256};
use chain::Prices;
use client::chain::{Chain, ChainConfig, ChainError, GameState, LogUpdate, Logged, Watcher};
use client::wallet::Wallet;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Creator as _, Deployment, Game, Payer, Repository, compile_contract};
use fog::curve::FogSecret;
use fog::engine::Registration;
use game::toss::toss_commitment;
use game::{ChainEvent, Mode, MoveFields, Opening, Table, Terms, Transaction};
use halo2curves::bn256::Fr;
use rules::Square;
use std::sync::atomic::{AtomicU8, Ordering};

pub const PROOF_BYTES: u32 = 96;
pub const STAKE: u128 = 1_000_000_000_000_000_000;

/// A local chain with the contracts, and two players on it.
pub struct TestChain {
    pub anvil: Anvil,
    pub deployment: Deployment,
    pub creator: Chain,
    pub joiner: Chain,
}

/// A fog key as it is registered.
pub fn fog_key(seed: u8) -> Registration {
    FogSecret::from_uniform([seed; 32]).key().to_bytes()
}

pub fn terms() -> Terms {
    Terms {
        mode: Mode::Verified,
        stake: STAKE,
        base: 600,
        increment: 5,
        delay: 60,
        window: 3_600,
        reveal: 600,
        expiry: (1 << 40) - 1,
        opponent: None,
    }
}

/// What an account commits to in the toss.
pub fn toss(chain: &Chain, share: B256) -> B256 {
    toss_commitment(&chain.account().unwrap().into(), &share).into()
}

/// What an account says when it opens a game; `number` tells its games apart.
pub fn opening(chain: &Chain, number: u8, share: B256) -> Opening {
    Opening {
        creator: chain.account().unwrap(),
        nonce: B256::repeat_byte(number),
        terms: terms(),
        toss: toss(chain, share),
        registration: fog_key(1),
    }
}

/// Opens a game; gives its id.
pub async fn create(chain: &Chain, opening: &Opening) -> B256 {
    chain.create(opening).await.unwrap();
    opening.game_id(chain.config().chain_id, chain.config().contract)
}

/// Dark chess on a verifier that accepts everything, as everybody can make it from development parameters.
pub fn accept_all(repository: &Repository) -> Contracts {
    let verifier = compile_contract(repository, "test/AcceptAllVerifier.sol", "AcceptAllVerifier").unwrap();
    Contracts::of_verifier(&verifier, PROOF_BYTES)
}

impl TestChain {
    pub async fn new() -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let creator = Payer::on_own_chain(&anvil.rpc(), FIRST_ACCOUNT_KEY.parse().unwrap()).await.unwrap();
        let contracts = accept_all(&repository);
        let deployment = deploy::deploy(&anvil.rpc(), &contracts, folder.path(), &creator).await.unwrap();
        Self::on(anvil, deployment).await
    }

    /// With bonds by prices of the deployer's choice.
    pub async fn with_prices(prices: Prices) -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        let creator = Payer::on_own_chain(&anvil.rpc(), FIRST_ACCOUNT_KEY.parse().unwrap()).await.unwrap();
        let contracts = accept_all(&repository).with_prices(Some(&prices));
        let mut created = Vec::new();
        for contract in &contracts {
            let address = contract.address();
            // Both verifiers and all keys are the same contract here.
            if !created.iter().any(|(_, known)| *known == address) {
                creator.create(contract).await.unwrap();
            }
            created.push((contract.name.clone(), address));
        }
        let deployment =
            Deployment { game: Game::Chess, chain_id: 31337, development_only: true, block: 0, contracts: created };
        Self::on(anvil, deployment).await
    }

    async fn on(anvil: Anvil, deployment: Deployment) -> Self {
        let mut chains = Vec::new();
        for seed in [1u8, 2] {
            let wallet = Wallet::from_secret(&[seed; 32]).unwrap();
            anvil.fund(wallet.address(), U256::from(STAKE * 10)).await.unwrap();
            chains.push(Chain::connect(config_of(&anvil, &deployment), Some(&wallet)).await.unwrap());
        }
        let joiner = chains.remove(1);
        let creator = chains.remove(0);
        Self { anvil, deployment, creator, joiner }
    }

    /// A game in play; the first chain is White's.
    pub async fn playing(&self) -> (B256, &Chain, &Chain) {
        static GAMES: AtomicU8 = AtomicU8::new(100);
        let (first, second) = (B256::repeat_byte(5), B256::repeat_byte(6));
        let number = GAMES.fetch_add(1, Ordering::Relaxed);
        let game = create(&self.creator, &opening(&self.creator, number, first)).await;
        let committed = toss(&self.joiner, second);
        self.joiner.join(game, STAKE, committed, &fog_key(2)).await.unwrap();
        let reveal = Transaction::RevealCreator { share: first, joiner: committed };
        self.creator.carry_out(game, &reveal).await.unwrap();
        let reveal = Transaction::RevealJoiner { share: second };
        self.joiner.carry_out(game, &reveal).await.unwrap();
        let state = self.creator.game(game).await.unwrap();
        let white = state.players[0].unwrap();
        if Some(white) == self.creator.account() {
            (game, &self.creator, &self.joiner)
        } else {
            (game, &self.joiner, &self.creator)
        }
    }

    pub async fn events(&self, game: B256) -> Vec<Logged> {
        let to = self.creator.latest_block().await.unwrap();
        self.creator.events(game, 0, to).await.unwrap()
    }

    pub async fn state(&self, game: B256) -> GameState {
        self.creator.game(game).await.unwrap()
    }
}

pub fn config_of(anvil: &Anvil, deployment: &Deployment) -> ChainConfig {
    ChainConfig::new(&anvil.rpc(), deployment.chain_id, deployment.address(), deployment.block)
}

pub fn fields(ply: u16, capture: Option<Square>, king_fell: bool) -> MoveFields {
    MoveFields {
        ply,
        next_commitment: Fr::from(1_000 + u64::from(ply)),
        next_request_root: Fr::from(2_000 + u64::from(ply)),
        answer_root: if ply == 0 { Fr::from(0) } else { Fr::from(3_000 + u64::from(ply)) },
        capture,
        king_fell,
        offer_draw: ply == 1,
    }
}

/// Makes a move with the basis that the contract wants and a proof that its verifier accepts.
pub async fn make_move(chain: &Chain, game: B256, fields: &MoveFields) -> Result<usize, ChainError> {
    let basis = basis_of(chain, game, fields).await;
    let transaction = Transaction::Move { fields: *fields, basis, proof: vec![0xab; PROOF_BYTES as usize] };
    let receipt = chain.carry_out(game, &transaction).await?;
    Ok(receipt.calldata_bytes)
}

/// What a move rests on where the game stands now.
pub async fn basis_of(chain: &Chain, game: B256, fields: &MoveFields) -> B256 {
    let mut table = Table::new(chain.game_ref(game));
    for record in chain.records(game).await.unwrap() {
        table.apply(&record.event).unwrap();
    }
    table.playing().map_or(B256::ZERO, |play| play.basis(table.game(), fields))
}

/// What a poll tells of a game's events.
pub async fn poll(watcher: &mut Watcher) -> Result<Vec<LogUpdate<ChainEvent>>, ChainError> {
    Ok(watcher.poll().await?.map_or_else(Vec::new, |update| update.logs))
}
