//! What Bob leaves undone, and what he claims.

use alloy::primitives::Bytes;
use eyre::{OptionExt as _, Result};
use game::{Action, Notice, ProvenSight, Transaction};
use rules::{Color, Sight};

use super::alice::Alice;
use super::ground::{Ground, Mined};
use super::hand::{Hand, in_bytes};
use super::pairing::Pairing;
use super::report::SceneReport;
use super::scene::Scene;
use super::who::Who;

/// Plies without a capture that a claim needs.
const PLIES: u16 = 100;
/// Bob's last move before his claim, which Alice's machine will look at.
const LAST: u16 = PLIES - 2;
/// The code of a verifier that answers 1 whatever it is asked.
const CREDULOUS: [u8; 8] = [0x60, 1, 0x5f, 0x52, 0x60, 32, 0x5f, 0xf3];
/// The ply at which Alice moves a pawn.
const PAWN_PLY: u16 = 21;

/// Bob doesn't move: his clock runs out, and Alice's machine claims the game.
pub async fn silence(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, alice, _) = Pairing::begin(ground, Scene::Silence, Color::White).await?;
    pairing.story.tell("Bob", "has the move, and switches his machine off. His clock runs.")?;
    ground.let_deadline_pass(pairing.bob.game.game_id).await?;
    let ending = alice.ends(&mut pairing.story).await?;
    pairing.end(Some(ending)).await
}

/// Bob claims fifty moves too early, then although Alice has moved a pawn, then once more.
pub async fn fifty(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, mut alice) = Pairing::begin_by_hand(ground, Scene::Fifty).await?;
    let keys = ground.keys.turn().ok_or_eyre("there are no keys")?;
    let made_up = vec![0; keys.verifier().proof_bytes()];
    let (bob, story) = (&mut pairing.bob, &mut pairing.story);
    story.tell("Both", "move knights to and fro for fifty moves, but Alice a pawn once. To be quick about it, this demo makes her moves as well,")?;
    story.tell("", "and but for Bob's last one none has its proof: meanwhile a verifier that takes everything stands in the place of the real one.")?;
    let verifier = ground.replace_verifier(Bytes::from_static(&CREDULOUS)).await?;
    let claim = |ply: u16, proof: Vec<u8>| Transaction::ClaimFifty { ply, proof };
    for ply in 0..PLIES {
        if ply == LAST {
            story.tell("Bob", "claims a draw by fifty moves, one move too early.")?;
            story.refused(Who::Bob, "an early claim", &bob.send(&claim(ply, Vec::new())).await?, "TooEarly")?;
        }
        let is_bob = ply % 2 == 0;
        // Her pawn's move comes between two of her knight's.
        let out = (ply / 2 + u16::from(!is_bob && ply > PAWN_PLY)) % 2 == 0;
        let mv = match (is_bob, out) {
            _ if ply == PAWN_PLY => "a7a6",
            (true, true) => "g1f3",
            (true, false) => "f3g1",
            (false, true) => "g8f6",
            (false, false) => "f6g8",
        };
        let mined = match ply {
            LAST => prove_last(bob, &mut alice, mv).await?,
            _ => {
                let (mover, other) = if is_bob { (&mut *bob, &mut alice) } else { (&mut alice, &mut *bob) };
                // Only the sight before the last move is one that somebody sees.
                let asked = (ply + 1 == LAST).then(|| other.player.request(&other.own)).transpose()?;
                let declared = mover.declare(mv, asked.as_deref())?;
                let mined = mover.send_move(declared.fields, made_up.clone()).await?;
                mover.advance(&declared.fields, Some(declared.next));
                other.advance(&declared.fields, None);
                mined
            }
        };
        eyre::ensure!(mined.refusal.is_none(), "the chain refuses {mv}: {:?}", mined.refusal);
    }
    ground.replace_verifier(verifier).await?;
    ground.set_base_fee().await?;
    pairing.had = pairing.have().await?;
    let (bob, story) = (&pairing.bob, &mut pairing.story);
    let mut alice = Alice::sit(&pairing.machines[0], bob.game)?;
    alice.until(story, "the game", |notice| matches!(notice, Notice::Playing { .. }).then_some(())).await?;
    let own = bob.own.committed();
    let proof = bob.prove_for_chain(move |keys| keys.prove_fifty(&own)).await?;
    story.tell("Bob", "claims it again. He can prove his own fifty moves; of Alice's he says nothing.")?;
    story.taken("a claim", &bob.send(&claim(PLIES, proof.clone())).await?)?;
    // Which of the two her machine hears of first, the receipt or the event, nobody knows.
    let (mut is_answered, mut has_failed) = (false, false);
    let over = |notice: &Notice| {
        is_answered |= matches!(notice, Notice::Mined { action: Action::RespondFifty, .. });
        has_failed |= matches!(notice, Notice::FiftyFailed { own: false, .. });
        (is_answered && has_failed).then_some(())
    };
    alice.until(story, "the end of the claim", over).await?;
    let paid = ground.chain.withdrawable(pairing.machines[0].wallet.address()).await?;
    story.pay(paid.saturating_to())?;
    story.tell("Bob", "claims it once more.")?;
    story.refused(Who::Bob, "a second claim", &bob.send(&claim(PLIES, proof)).await?, "TooEarly")?;
    alice.leave().await;
    pairing.end(None).await
}

/// Bob's last move, by what he sees, with its proof.
async fn prove_last(bob: &mut Hand<'_>, alice: &mut Hand<'_>, mv: &str) -> Result<Mined> {
    let request = bob.player.request(&bob.own)?;
    let sight = Sight::between(&bob.own.side, &alice.own.side, true);
    let answer = in_bytes(&alice.answer_of(&alice.own.side, &bob.play, &request)?);
    let declared = bob.declare_by(mv, None, ProvenSight { sight: &sight, messages: &[answer] })?;
    let (fields, next) = (declared.fields, declared.next.clone());
    let proof = bob.prove(declared).await?;
    let mined = bob.send_move(fields, proof).await?;
    bob.advance(&fields, Some(next));
    alice.advance(&fields, None);
    Ok(mined)
}
