//! Attacks on the game contract, with real proofs on a real chain. Each must revert with a named error and leave the game as it stood;
//! at the end the honest move is accepted.
//!
//! Protocol, section 1 ("a player can't make an illegal move", "nobody can rewrite the past") and section 8. All attacks
//! meet one game, at ply 2, the first move that relies on a sight; proofs are made once.

mod proofs;
mod turns;
mod twins;

use alloy::primitives::B256;
use deploy::Deployment;
use fogmate_test::{ProvenMove, TestChain, TestGame, alone, seed, wallet};
use game::PlayState;
use game::secrets::GameSecrets;

/// What the attacks meet.
struct Target {
    seed: u64,
    test_chain: TestChain,
    /// Another chain with the same contracts at the same addresses.
    other_chain: TestChain,
    /// White to move at ply 2.
    game: TestGame,
    /// Plies 0 and 1, and White's honest move of ply 2, which isn't sent.
    past: [ProvenMove; 2],
    /// The transactions of plies 0 and 1.
    sent: [B256; 2],
    next: ProvenMove,
}

impl Target {
    async fn new() -> Self {
        let seed = seed(0xc4a1);
        let test_chain = TestChain::new().await;
        let other_chain = test_chain.other_chain(1337).await;
        let mut game = TestGame::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
        let (first, first_receipt) = game.play("e2e4").await;
        let (second, second_receipt) = game.play("f7f6").await;
        let next = tokio::task::block_in_place(|| game.make("d1h5"));
        Self {
            seed,
            test_chain,
            other_chain,
            game,
            past: [first, second],
            sent: [first_receipt.transaction, second_receipt.transaction],
            next,
        }
    }

    /// The name of the contract's refusal of a move of White, whose turn it is.
    async fn refusal_of_white(&self, made: &ProvenMove) -> &'static str {
        self.game.refusal(&self.game.mover().chain, made).await
    }

    /// A game that differs from the attacked one in nothing but its name, and the toss's joint randomness, which has it in it: same players, fog keys, states, requests and even
    /// posted answer, so that a proof that fails there fails for the name alone. Plies 0 and 1 need no new proofs: with no
    /// sight to rely on nothing in them but the fog keys belongs to a game, and those the players never use twice.
    async fn twin(&self, test_chain: &TestChain, deployment: &Deployment) -> TestGame {
        let players = self.game.players.each_ref();
        let secrets: [GameSecrets; 2] = players.map(|player| player.secrets.clone());
        let (white, black) = (wallet(self.seed, 0), wallet(self.seed, 1));
        let mut twin = TestGame::open_at(test_chain, deployment, &white, &black, Some(secrets)).await;
        for made in &self.past {
            let made = twin.with_right_basis(made);
            twin.take(&made).await;
        }
        let ours = self.game.play_state();
        let theirs = PlayState { toss: ours.toss, ..twin.play_state().clone() };
        assert_eq!(*ours, theirs, "the twin's public state is the attacked game's");
        twin
    }

    /// The honest move of the attacked game is offered to its twin, as it is and with what it would rest on there. Whatever it is, it doesn't fit.
    async fn does_not_fit(&self, twin: &TestGame) {
        let white = &twin.mover().chain;
        assert_eq!(twin.refusal(white, &self.next).await, "WrongBasis");
        let renamed = twin.with_right_basis(&self.next);
        assert_eq!(twin.refusal(white, &renamed).await, "InvalidProof");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_attack_reverts_with_its_name_and_the_game_goes_on() {
    let _alone = alone().await;
    let mut target = Target::new().await;
    macro_rules! attack {
        ($($module:ident::$name:ident),* $(,)?) => { $(
            println!("attack: {}", stringify!($name));
            $module::$name(&target).await;
        )* };
    }
    attack!(
        turns::stale_ply,
        proofs::another_proof,
        twins::other_game,
        twins::other_contract,
        twins::other_chain,
        proofs::wrong_basis,
        turns::out_of_turn,
        turns::stranger,
        proofs::changed_fields,
        proofs::broken_proof,
        turns::after_time,
    );
    println!("the honest move");
    let honest = target.next.clone();
    let receipt = target.game.take(&honest).await;
    println!("attack: replayed moves");
    turns::replayed_moves(&target, receipt.transaction).await;
}
