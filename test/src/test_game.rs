//! A game on chain whose both sides are played natively, without seats: real turns and answers of either side, proven or
//! not yet, for tests that must hold them in hand and change them (protocol, sections 5 to 8).

mod between_machines;
mod statements;

pub use between_machines::BetweenMachines;

use crate::TestChain;
use alloy::primitives::{B256, U256};
use client::chain::{Chain, ChainError, GameState, Receipt};
use client::wallet::Wallet;
use deploy::Deployment;
use game::secrets::GameSecrets;
use game::toss::{creator_is_white, toss_commitment};
use game::{ChainEvent, GameRef, Mode, MoveFields, Opening, OwnState, PlayState, Table, Terms, Transaction};
use rules::Color;
use std::sync::atomic::{AtomicU64, Ordering};

/// One player, without a seat: what it plays is put together natively.
#[derive(Debug)]
pub struct NativePlayer {
    pub chain: Chain,
    /// Its secrets of the game.
    pub secrets: GameSecrets,
    /// Its state on chain.
    pub own: OwnState,
}

/// A move with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvenMove {
    pub fields: MoveFields,
    /// What it rests on.
    pub basis: B256,
    pub proof: Vec<u8>,
}

/// A game in play.
#[derive(Debug)]
pub struct TestGame {
    pub game: GameRef,
    pub players: [NativePlayer; 2],
    table: Table,
}

impl TestGame {
    /// Opens a game on the chain's own deployment and takes it through the coin toss.
    pub async fn open(test_chain: &TestChain, white: &Wallet, black: &Wallet) -> Self {
        Self::open_at(test_chain, &test_chain.deployment, white, black, None).await
    }

    /// Opens a game on another deployment, if wanted with the secrets of another game: then fog keys, and with the same moves
    /// states, salts and requests, are that game's, and nothing but the game's name tells the two apart.
    pub async fn open_at(
        test_chain: &TestChain,
        deployment: &Deployment,
        white: &Wallet,
        black: &Wallet,
        secrets: Option<[GameSecrets; 2]>,
    ) -> Self {
        Self::open_in(Mode::Verified, test_chain, deployment, white, black, secrets).await
    }

    async fn open_in(
        mode: Mode,
        test_chain: &TestChain,
        deployment: &Deployment,
        white: &Wallet,
        black: &Wallet,
        secrets: Option<[GameSecrets; 2]>,
    ) -> Self {
        let chains = [test_chain.connect_to(deployment, white).await, test_chain.connect_to(deployment, black).await];
        let (game, secrets) = begin(mode, &chains, [white, black], secrets).await;
        let [white_chain, black_chain] = chains;
        let [white_secrets, black_secrets] = secrets;
        let player = |color, chain, secrets| NativePlayer { chain, secrets, own: OwnState::start(color) };
        let mut test_game = Self {
            game,
            players: [
                player(Color::White, white_chain, white_secrets),
                player(Color::Black, black_chain, black_secrets),
            ],
            table: Table::new(game),
        };
        test_game.sync().await;
        test_game
    }

    /// What the chain says of the game.
    pub async fn state(&self) -> GameState {
        let state = self.players[0].chain.game(self.game.game_id).await;
        state.expect("the chain has the game")
    }

    /// Takes what is new on chain, whoever made it.
    pub async fn sync(&mut self) {
        let records = self.players[0].chain.records(self.game.game_id).await;
        for record in records.expect("the chain has the game") {
            if self.table.knows(&record.event) {
                continue;
            }
            self.apply(&record.event);
        }
    }

    fn apply(&mut self, event: &ChainEvent) {
        if let ChainEvent::Moved { fields, .. } = event {
            let play = self.table.begun().expect("moves come after the toss");
            let player = &mut self.players[play.turn().index()];
            let key = player.secrets.view_key();
            let found = player.own.find(key, play.pending, fields.next_commitment);
            player.own = found.expect("the player's secrets open its commitment");
        }
        self.table.apply(event).expect("the contract tells nothing impossible");
    }

    /// The board, as everybody knows it.
    pub fn play_state(&self) -> &PlayState {
        self.table.begun().expect("the toss is opened")
    }

    /// The player to move.
    pub fn mover(&self) -> &NativePlayer {
        &self.players[self.play_state().turn().index()]
    }

    /// The player that waits.
    pub fn other(&self) -> &NativePlayer {
        &self.players[(!self.play_state().turn()).index()]
    }

    /// Sends a move by whoever's connection it is given.
    pub async fn send(&self, by: &Chain, made: &ProvenMove) -> Result<Receipt, ChainError> {
        let ProvenMove { fields, basis, proof } = made.clone();
        let transaction = Transaction::Move { fields, basis, proof };
        by.carry_out(self.game.game_id, &transaction).await
    }

    /// Makes a move, proves it, sends it, and takes it.
    pub async fn play(&mut self, mv: &str) -> (ProvenMove, Receipt) {
        let made = tokio::task::block_in_place(|| self.make(mv));
        let receipt = self.take(&made).await;
        (made, receipt)
    }

    /// The same where nobody else does anything: the chain isn't read, which takes the longer the longer the game is.
    pub async fn play_alone(&mut self, mv: &str) {
        let made = tokio::task::block_in_place(|| self.make(mv));
        self.send(&self.mover().chain, &made).await.expect("the contract accepts an honest move");
        self.apply_move(made.fields);
    }

    fn apply_move(&mut self, fields: MoveFields) {
        let player = self.players[self.play_state().turn().index()].chain.account().expect("a wallet");
        self.apply(&ChainEvent::Moved { player, fields, basis: None, proof: None });
    }

    /// Sends a move that the contract must accept, and takes it.
    pub async fn take(&mut self, made: &ProvenMove) -> Receipt {
        let receipt = self.send(&self.mover().chain, made).await;
        self.sync().await;
        receipt.expect("the contract accepts an honest move")
    }

    /// Sends a move that the contract must refuse. Gives the error's name; the game must stand as it stood.
    pub async fn refusal(&self, by: &Chain, made: &ProvenMove) -> &'static str {
        let before = self.state().await;
        let error = match self.send(by, made).await {
            Err(error) => error,
            Ok(receipt) => panic!("the contract accepted the attack: {receipt:?}"),
        };
        let name = error.contract_error().map(client::chain::ContractError::name);
        assert_eq!(before, self.state().await, "a refused move changed the game");
        name.unwrap_or_else(|| panic!("a refusal without a name: {error}"))
    }

    /// The move with the basis that the contract wants for its fields.
    pub fn with_right_basis(&self, made: &ProvenMove) -> ProvenMove {
        let basis = self.play_state().basis(&self.game, &made.fields);
        ProvenMove { basis, ..made.clone() }
    }
}

/// Creates a game, joins it, and opens a coin toss that makes the creator White. Gives the game and both players' secrets.
async fn begin(
    mode: Mode,
    [white, black]: &[Chain; 2],
    wallets: [&Wallet; 2],
    secrets: Option<[GameSecrets; 2]>,
) -> (GameRef, [GameSecrets; 2]) {
    static OPENED: AtomicU64 = AtomicU64::new(0);
    let nonce = B256::from(U256::from(OPENED.fetch_add(1, Ordering::Relaxed)));
    let [creator, joiner] = wallets.map(Wallet::address);
    let GameRef { chain_id, contract, .. } = white.game_ref(B256::ZERO);
    let (of_creator, of_joiner) = secrets.map(|[creator, joiner]| (creator, joiner)).unzip();
    let of_creator = of_creator.unwrap_or_else(|| wallets[0].opening_secrets(chain_id, contract, nonce));
    let terms = Terms {
        mode,
        stake: 1_000,
        base: 3_600,
        increment: 0,
        delay: 600,
        window: 3_600,
        reveal: 600,
        expiry: white.block_time().await.expect("the chain has a time") + 3_600,
        opponent: Some(joiner),
    };
    let creator_share = of_creator.toss_secret();
    let toss = toss_commitment(&creator.into(), &creator_share).into();
    let opening = Opening { creator, nonce, terms, toss, registration: of_creator.fog_secret().key().to_bytes() };
    white.create(&opening).await.expect("the game is created");
    let game = white.game_ref(opening.game_id(chain_id, contract));
    let id = game.game_id;
    let of_joiner = of_joiner.unwrap_or_else(|| wallets[1].game_secrets(&game, creator, nonce));
    // A joiner who knows the creator's share, as only a test can, chooses its color.
    let mut shares = (0..=u8::MAX).map(B256::with_last_byte);
    let share = shares.find(|share| creator_is_white(&creator_share, share, &id));
    let share = share.expect("one share in two makes the creator White");
    let committed = toss_commitment(&joiner.into(), &share).into();
    let joined = black.join(id, terms.stake, committed, &of_joiner.fog_secret().key().to_bytes()).await;
    joined.expect("the game is joined");
    let reveal = Transaction::RevealCreator { share: creator_share.into(), joiner: committed };
    white.carry_out(id, &reveal).await.expect("the creator reveals");
    let reveal = Transaction::RevealJoiner { share };
    black.carry_out(id, &reveal).await.expect("the joiner reveals");
    (game, [of_creator, of_joiner])
}
