//! Attacks on the game contract, with real proofs on a real chain: one attack a file. Each must revert with a named error
//! and leave the game as it stood; at the end the honest move is accepted.
//!
//! Protocol, section 1 ("a player can't make an illegal move", "nobody can rewrite the past") and section 8. All attacks
//! meet one game, at ply 2, the first move that relies on a sight; proofs are made once.

mod after_time;
mod broken_proof;
mod changed_fields;
mod other_chain;
mod other_contract;
mod other_game;
mod others_proof;
mod out_of_turn;
mod replayed_move;
mod stale_ply;
mod stranger;
mod wrong_context;

use alloy::primitives::B256;
use deploy::Deployment;
use fogmate_test::{Bout, Made, World, alone, seed, wallet};
use game::secrets::GameSecrets;

/// What the attacks meet.
struct Stage {
    seed: u64,
    world: World,
    /// Another chain with the same contracts at the same addresses.
    other: World,
    /// White to move at ply 2.
    bout: Bout,
    /// Plies 0 and 1, and White's honest move of ply 2, which isn't sent.
    past: [Made; 2],
    /// The transactions of plies 0 and 1.
    sent: [B256; 2],
    next: Made,
}

impl Stage {
    async fn new() -> Self {
        let seed = seed(0xc4a1);
        let world = World::new().await;
        let other = world.other_chain(1337).await;
        let mut bout = Bout::open(&world, &wallet(seed, 0), &wallet(seed, 1)).await;
        let (first, first_receipt) = bout.play("e2e4").await;
        let (second, second_receipt) = bout.play("f7f6").await;
        let next = tokio::task::block_in_place(|| bout.make("d1h5"));
        Self {
            seed,
            world,
            other,
            bout,
            past: [first, second],
            sent: [first_receipt.transaction, second_receipt.transaction],
            next,
        }
    }

    /// A game that differs from the attacked one in nothing but its name: same players, fog keys, states, requests and even
    /// posted answer, so that a proof that fails there fails for the name alone. Plies 0 and 1 need no new proofs: with no
    /// sight to rely on nothing in them but the fog keys belongs to a game, and those the players never use twice.
    async fn twin(&self, world: &World, deployment: &Deployment) -> Bout {
        let secrets: [GameSecrets; 2] = self.bout.desks.each_ref().map(|desk| desk.secrets.clone());
        let (white, black) = (wallet(self.seed, 0), wallet(self.seed, 1));
        let mut twin = Bout::open_at(world, deployment, &white, &black, Some(secrets)).await;
        for made in &self.past {
            let made = twin.with_right_context(made);
            twin.take(&made).await;
        }
        let (ours, theirs) = (self.bout.board(), twin.board());
        assert_eq!(
            ours, theirs,
            "the twin's public state is the attacked game's"
        );
        twin
    }

    /// The honest move of the attacked game is offered to its twin, as it is and with the twin's own context for the answer
    /// in it. Whatever it is, it doesn't fit.
    async fn does_not_fit(&self, twin: &Bout) {
        let white = &twin.mover().chain;
        assert_eq!(twin.refusal(white, &self.next).await, "WrongContext");
        let renamed = twin.with_right_context(&self.next);
        assert_eq!(twin.refusal(white, &renamed).await, "InvalidProof");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_attack_reverts_with_its_name_and_the_game_goes_on() {
    let _alone = alone().await;
    let mut stage = Stage::new().await;
    println!("attack: stale ply");
    stale_ply::attack(&stage).await;
    println!("attack: another's proof");
    others_proof::attack(&stage).await;
    println!("attack: another game");
    other_game::attack(&stage).await;
    println!("attack: another contract");
    other_contract::attack(&stage).await;
    println!("attack: another chain");
    other_chain::attack(&stage).await;
    println!("attack: wrong context");
    wrong_context::attack(&stage).await;
    println!("attack: out of turn");
    out_of_turn::attack(&stage).await;
    println!("attack: a stranger");
    stranger::attack(&stage).await;
    println!("attack: changed fields");
    changed_fields::attack(&stage).await;
    println!("attack: broken proof");
    broken_proof::attack(&stage).await;
    println!("attack: after time");
    after_time::attack(&stage).await;
    println!("the honest move");
    let honest = stage.next.clone();
    let receipt = stage.bout.take(&honest).await;
    println!("attack: replayed move");
    replayed_move::attack(&stage, receipt.transaction).await;
}
